"""The options that several commands share, and the command line as it was typed, for reports.

A command takes most of them as one argument of type ``LabFlags`` or ``RunFlags``; ``with_options`` puts the single
options into the signature that typer reads.
"""

from __future__ import annotations

import contextlib
import inspect
import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer
from typer.core import TyperCommand

from rootward.errors import InputError
from rootward.formats.files import make_relative
from rootward.words import hide_password

if TYPE_CHECKING:
    from rootward.search.failure_rate import Flaky

DEFAULT_STORE = ".rootward/rootward.db"
StoreOption = Annotated[
    str | None, typer.Option(metavar="PATH_OR_URL", help=f"The database with all trials.  [default: {DEFAULT_STORE}]")
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAMES", help="Columns that are not settings, such as id,duration; may be repeated."),
]
FlakyOption = Annotated[
    str | None,
    typer.Option(
        metavar="RATE",
        help="How often the failure occurs: a rate such as 70%; yes: measure the rate first; no: it occurs every time."
        "  [default: found out by a few more runs]",
    ),
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print the finding as one JSON document and nothing else.")]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.html", help="Also write the finding to a file: a page (.html), data (.json) or a summary (.md)."
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="FOLDER", help="Save the finding: page.html, finding.json and, if any, trials.csv."
    ),
]


class Verb(TyperCommand):
    """A command whose usage line says FILE. Typer would write {FILE}, which looks like a placeholder."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


@dataclass(frozen=True, kw_only=True)
class LabFlags:
    """The options that say how trials are run. An option that the user did not set is None."""

    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="N", help="Number of trials to run in parallel.  [default: 1]")
    ] = None
    executor: Annotated[
        Literal["threads", "dask"] | None, typer.Option(help="Where trials run.  [default: threads]")
    ] = None
    address: Annotated[str | None, typer.Option(metavar="URL", help="The Dask scheduler, such as tcp://host:8786.")] = (
        None
    )
    store: StoreOption = None
    trials: Annotated[
        int | None,
        typer.Option(metavar="N", help="Stop after N trials, not counting those that idle workers run ahead."),
    ] = None
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Stop after S seconds.")] = None
    repeat: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="How many runs decide a verdict, for failures that do not occur every time: once, 1of4 (one failure "
            "in four runs is enough), or sprt:0.5,0.1,0.05 (sequential test between two failure rates, with this "
            "probability of error).  [default: once]",
        ),
    ] = None
    seed: Annotated[int | None, typer.Option(metavar="N", help="The seed of every random choice.  [default: 0]")] = None
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over: ignore stored trials of earlier runs.")] = False
    json: JsonOption = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the answer.")] = False
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the first trials and an estimate of their number; run nothing.")
    ] = False
    report: ReportOption = None
    out: OutOption = None

    @contextlib.contextmanager
    def options(self, defaults: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the keyword arguments of the lab.

        The user's options override the study's options, and the study's options override the defaults. ``defaults``
        holds the options of the study.
        """
        from rootward.lab.budget import Budget
        from rootward.search.repeat import Repeat

        said: dict[str, Any] = {name: getattr(self, name) for name in ("jobs", "store", "trials", "seconds", "seed")}
        said["fresh"] = self.fresh or None
        if self.repeat is not None:
            said["repeat"] = Repeat.parse(self.repeat)
        if self.seconds is not None and not math.isfinite(self.seconds):
            raise InputError(f"--seconds must be a finite number, not {self.seconds}")
        for name in ("trials", "seconds"):
            if (value := getattr(self, name)) is not None and value < 0:
                raise InputError(f"--{name} must be 0 or more, not {value:g}")
        options = {"store": DEFAULT_STORE, "jobs": 1, **defaults, **drop_none(said)}
        Budget(options.get("trials"), options.get("seconds"))  # so that a dry run reports mistakes in them, too
        with self._executor(options["jobs"]) as executor:
            yield {**options, "executor": executor}

    @contextlib.contextmanager
    def _executor(self, jobs: int) -> Iterator[Any]:
        """Yield a Dask cluster, or None for the lab's own threads."""
        if jobs < 1:  # the lab checks this, too, but only after a cluster was started
            raise InputError(f"--jobs must be at least 1, not {jobs}")
        if self.executor != "dask":
            if self.address is not None:
                raise InputError("--address needs --executor dask: it is the address of a Dask scheduler")
            yield None
            return
        from rootward.lab import execute

        executor: Any = execute.connect_dask(self.address, jobs)
        try:
            yield executor
        finally:
            executor.rootward_close()


@dataclass(frozen=True, kw_only=True)
class RunFlags:
    """The options that say how one run is made and judged. An option that the user did not set is None."""

    timeout: Annotated[
        float | None, typer.Option(metavar="S", help="A run that takes longer than S seconds fails.")
    ] = None
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory limit of a run with all of its processes, such as 512M.")
    ] = None
    sandbox: Annotated[
        bool | None,
        typer.Option(
            "--sandbox", help="Run without network and without write access to your files (needs bubblewrap)."
        ),
    ] = None
    verdict: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="A run fails if its output matches this regular expression, or says fail at a path such as "
            "$.result.status.  [default: a run fails if its exit code is neither 0 nor 125]",
        ),
    ] = None
    signature: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="The part of the output that names the failure; a run with another name is a different failure.",
        ),
    ] = None
    measures: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="The path of the measures in the JSON output, such as $.measures."),
    ] = None
    tolerance: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=X",
            help="A failure whose measure NAME differs by more than X is a different failure; may be repeated.",
        ),
    ] = None

    @property
    def options(self) -> dict[str, Any]:
        """The options of ``rootward.Command`` that the user set."""
        from rootward.subjects import bytes_of

        limit = None if self.memory is None else bytes_of(self.memory)
        tolerance = dict(map(_parse_tolerance, self.tolerance)) if self.tolerance else None
        return drop_none({**vars(self), "memory": limit, "tolerance": tolerance})

    def apply_to(self, subject: Any) -> Any:
        """Return the subject of a study, changed by the options of the command line."""
        for name in self.options.keys() - {f.name for f in fields(subject)}:
            raise InputError(f"--{name} is for commands only, and the subject of this study is not a command")
        return replace(subject, **self.options)


def _parse_tolerance(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        return name, float(number)
    except ValueError:
        raise InputError(f"--tolerance {text}: expected NAME=NUMBER, such as x=0.3") from None


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command single options in place of its arguments of types ``LabFlags`` and ``RunFlags``.

    There is one option for each field of these two classes.
    """
    hints = get_type_hints(command, include_extras=True)
    bundles = {name: hint for name, hint in hints.items() if hint in (LabFlags, RunFlags)}
    own = [
        parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(command).parameters.items()
        if name not in bundles
    ]
    shared = [
        inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=annotation)
        for bundle in bundles.values()
        for f, annotation in zip(fields(bundle), _annotations(bundle), strict=True)
    ]

    def with_bundles(**said: Any) -> None:
        made = {name: bundle(**{f.name: said.pop(f.name) for f in fields(bundle)}) for name, bundle in bundles.items()}
        command(**made, **said)

    with_bundles.__name__, with_bundles.__doc__ = command.__name__, command.__doc__
    with_bundles.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    with_bundles.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *shared]}
    return with_bundles


def _annotations(bundle: type) -> list[Any]:
    hints = get_type_hints(bundle, include_extras=True)
    return [hints[f.name] for f in fields(bundle)]


def drop_none(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def split_names(words: Iterable[str] | None) -> list[str]:
    """Split the values of a repeatable option at commas: ``a,b`` stands for two names."""
    return [name.strip() for word in words or () for name in word.split(",")]


@contextlib.contextmanager
def check_date(until: str | None) -> Iterator[None]:
    """Check the value of ``--until``, then run the block.

    If the block raises MissingTime, because no column with the time of the runs is known, raise an InputError that asks
    for ``--time``.
    """
    from rootward.formats.tables import moments
    from rootward.formats.tables.roles import MissingTime

    if until is not None:
        moments.end_of(until, "--until")
    try:
        yield
    except MissingTime:
        raise InputError("--until needs --time: name the column with the time of each run") from None


def parse_flaky(said: str | None) -> Flaky:
    """Turn a value of --flaky (``yes``, ``no``, ``70%`` or ``0.7``) into the argument of a verb."""
    if said is None or said in ("yes", "no"):
        return None if said is None else said == "yes"
    found = parse_share(said)
    if found is None:
        raise InputError(f"--flaky {said}: expected yes, no, or a failure rate such as 70% or 0.7")
    return found


def parse_share(said: str) -> float | None:
    """Parse ``90%`` or ``0.9`` as a number above 0 and up to 1.

    Returns None if the text has neither form, or if the number is out of range.
    """
    with contextlib.suppress(ValueError):
        found = float(said.removesuffix("%")) / (100 if said.endswith("%") else 1)
        if 0 < found <= 1:
            return found
    return None


# The command line as the user typed it

_typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())

remember_arguments = _typed.set
"""Store the program's arguments; called before anything else."""


def words_after_dashes() -> list[str]:
    """Return the words that were typed after ``--``."""
    typed = list(_typed.get())
    return typed[typed.index("--") + 1 :] if "--" in typed else []


def command_line() -> str:
    """Return the running command, quoted for a shell, with paths relative to the working directory.

    ``--fresh`` is left out: it would start over instead of showing the same finding again. Passwords of databases are
    left out, too: reports are passed on.
    """
    typed = list(_typed.get())
    end = typed.index("--") if "--" in typed else len(typed)
    options = [hide_password(_relative(word)) for word in typed[:end] if word != "--fresh"]
    return shlex.join(["rootward", *options, *typed[end:]])


def _relative(word: str) -> str:
    """Make an absolute path relative if it exists.

    So a report does not tell where the user's folders are.
    """
    option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
    path = Path(value)
    if not path.is_absolute() or not path.exists():
        return word
    near = make_relative(Path.cwd(), path)
    return (
        word if not option and near.startswith("-") else f"{option}{equals}{near}"
    )  # a leading - would make it an option
