"""The command line: one command for each verb. A command turns options into a verb's arguments and prints the finding.

``main`` decides what leaves the program. The exit code is 0 for an answer, 3 for a partial one and 130 for an
interrupted one; 1 for no answer, 2 for wrong input and 70 for a bug, each with one sentence on the standard error
stream. Modules that take long to import are imported by the command that needs them, so that ``rootward --help`` is
quick.
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
from rootward.cli.options import Verb, remember_arguments
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
    help="Find out why a black-box system fails. Rootward runs it on changed inputs until the cause is clear.",
    epilog="Repeat a command to continue where it stopped. `rootward COMMAND --help` describes a command.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,  # the boxes of rich would double the time that --help takes
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
    """Run the command line. Always raises SystemExit."""
    _open_streams()
    _set_output_format()
    given = sys.argv[1:] if arguments is None else list(arguments)
    remember_arguments(given)
    try:
        app(given, prog_name="rootward")
    except Exception as error:
        if os.environ.get("ROOTWARD_TRACEBACK"):
            raise
        sys.exit(_print_error(error))


BUG_EXIT_CODE = 70
"""Exit code for a bug in Rootward; nothing else ends with it."""


def _print_error(error: Exception) -> int:
    """Print what went wrong in one sentence, and return the exit code."""
    from rootward.words import make_visible

    if isinstance(error, RootwardError):
        text, code = str(error), 2 if isinstance(error, InputError) else 1
    elif isinstance(error, OSError) and error.strerror:
        text, code = f"{error.filename}: {error.strerror}" if error.filename else error.strerror, 2
    else:
        code = BUG_EXIT_CODE
        text = (
            f"this is a bug in Rootward, please report it ({type(error).__name__}: {error}); "
            "with ROOTWARD_TRACEBACK=1 in the environment, the same command prints the traceback"
        )
    print(f"rootward: {make_visible(text)}", file=sys.stderr)
    return code


def _open_streams() -> None:
    """Open every closed standard stream (as after ``>&-``) on the null device.

    Otherwise the next file that is opened would get the number of the closed stream.
    """
    for name in ("stdin", "stdout", "stderr"):  # in this order: a new file gets the lowest free number
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115


def _set_output_format() -> None:
    """Print a warning as one sentence, and escape characters that a stream cannot encode."""
    warnings.formatwarning = lambda message, *_, **__: f"rootward: {message}\n"
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
