"""The verbs on the command line. No logic lives here: a command turns options into a verb's arguments and prints.

What leaves the program is settled in ``main``: an answer is exit code 0, a partial one 3, an interrupted one 130; no
answer is 1 and a wrong question 2, each with one clear sentence on the standard error stream. Modules that take long to
import are imported by the command that needs them, so that ``rootward --help`` is quick.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer

import rootward
from rootward.cli.causes import causes
from rootward.cli.diagnose import diagnose
from rootward.cli.find import find
from rootward.cli.imports import import_runs
from rootward.cli.instrument import instrument
from rootward.cli.model import model
from rootward.cli.options import Verb, remember
from rootward.cli.reduce import reduce
from rootward.cli.report import report
from rootward.cli.rows import rows
from rootward.cli.rule import rule
from rootward.cli.runs import runs
from rootward.cli.serve import serve
from rootward.cli.triage import triage
from rootward.cli.triggers import triggers
from rootward.errors import InputError, RootwardError

app = typer.Typer(
    help="Rootward tells why a black-box system fails: it runs it, and finds the smallest explanation.",
    epilog="The same command again goes on where it was left. `rootward COMMAND --help` says more.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,  # its boxes would double the time that --help takes
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
app.command(cls=Verb, no_args_is_help=True)(diagnose)
app.command(cls=Verb, no_args_is_help=True)(find)
app.command(cls=Verb, no_args_is_help=True)(reduce)
app.command(cls=Verb, no_args_is_help=True)(triggers)
app.command(cls=Verb, no_args_is_help=True)(rule)
app.command(cls=Verb, no_args_is_help=True)(causes)
app.command(cls=Verb, no_args_is_help=True)(rows)
app.command(cls=Verb, no_args_is_help=True)(instrument)
app.command(cls=Verb, no_args_is_help=True)(triage)
app.command("import", cls=Verb, no_args_is_help=True)(import_runs)
app.add_typer(model, name="model")
app.add_typer(runs, name="runs")
app.command(cls=Verb)(report)
app.command(cls=Verb)(serve)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rootward {rootward.__version__}")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of the program itself."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; always ends with SystemExit."""
    _open_streams()
    _be_plain()
    given = sys.argv[1:] if arguments is None else list(arguments)
    remember(given)
    try:
        app(given, prog_name="rootward")
    except Exception as error:
        if os.environ.get("ROOTWARD_TRACEBACK"):
            raise
        sys.exit(_say(error))


BUG = 70
"""The exit code of a mistake of ours, which no answer has."""


def _say(error: Exception) -> int:
    """Say what went wrong, in a sentence; the exit code."""
    from rootward.words import visible

    if isinstance(error, RootwardError):
        text, code = str(error), 2 if isinstance(error, InputError) else 1
    elif isinstance(error, OSError) and error.strerror:
        text, code = f"{error.filename}: {error.strerror}" if error.filename else error.strerror, 2
    else:
        code = BUG
        text = (
            f"something unexpected happened ({type(error).__name__}: {error}); "
            "set ROOTWARD_TRACEBACK=1 to see where, and please report it"
        )
    print(f"rootward: {visible(text)}", file=sys.stderr)
    return code


def _open_streams() -> None:
    """A stream that was closed, as by ``>&-``, leads nowhere; left closed, the next file would get its number."""
    for name in ("stdin", "stdout", "stderr"):  # in the order of their numbers: a file gets the lowest that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115


def _be_plain() -> None:
    """Warnings are sentences, and no character is a reason to fail."""
    warnings.formatwarning = lambda message, *_, **__: f"rootward: {message}\n"
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
