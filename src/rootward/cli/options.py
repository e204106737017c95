"""The options that several verbs have, written once; and the command line as it was typed, for reports.

A verb's command takes most of them as one argument of type ``Lab`` or ``Runs``; ``with_options`` puts them into the
signature that typer reads.
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
from rootward.formats.files import seen_from

if TYPE_CHECKING:
    from rootward.search.failure_rate import Flaky

DEFAULT_STORE = ".rootward/rootward.db"
StoreOption = Annotated[
    str | None, typer.Option(metavar="PATH_OR_URL", help=f"Where trials are kept.  [default: {DEFAULT_STORE}]")
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAMES", help="Columns that are no settings, such as id,duration; may be repeated."),
]
FlakyOption = Annotated[
    str | None,
    typer.Option(
        metavar="RATE",
        help="How often a failure shows that does not show every time, such as 70%; yes: measure that first; no: it "
        "shows every time.  [default: found out if the command takes {seed}, else no]",
    ),
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print the finding as one JSON document, and nothing else.")]
ReportOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE.html", help="Write the finding as a page, too (as data: .json, as a summary: .md)."),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="FOLDER", help="Save the finding: page.html, finding.json, trials.csv (if any was run)."
    ),
]


class Verb(TyperCommand):
    """A command whose usage line says FILE: typer would write {FILE}, which is how a placeholder looks."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


@dataclass(frozen=True, kw_only=True)
class Lab:
    """What the user said about how trials are run; None where nothing was said."""

    jobs: Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", help="Trials at once.  [default: 1]")] = None
    executor: Annotated[
        Literal["threads", "dask"] | None, typer.Option(help="Where trials run.  [default: threads]")
    ] = None
    address: Annotated[str | None, typer.Option(metavar="URL", help="The Dask scheduler, such as tcp://host:8786.")] = (
        None
    )
    store: StoreOption = None
    trials: Annotated[
        int | None, typer.Option(metavar="N", help="End after N trials, not counting what idle workers try ahead.")
    ] = None
    seconds: Annotated[float | None, typer.Option(metavar="S", help="End after S seconds.")] = None
    repeat: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="For failures that do not show every time: once, 1of4 (one failure in four runs is enough) or "
            "sprt:0.5,0.1,0.05 (sequential test: fails, passes, error).  [default: once]",
        ),
    ] = None
    seed: Annotated[int | None, typer.Option(metavar="N", help="Everything random follows from it.  [default: 0]")] = (
        None
    )
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over: believe no trial of earlier runs.")] = False
    json: JsonOption = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the answer.")] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the first trials and run nothing.")] = False
    report: ReportOption = None
    out: OutOption = None

    @contextlib.contextmanager
    def options(self, defaults: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The lab's keyword arguments: what the user said, else what the study says."""
        from rootward.lab.budget import Budget
        from rootward.search.repeat import Repeat

        said: dict[str, Any] = {name: getattr(self, name) for name in ("jobs", "store", "trials", "seconds", "seed")}
        said["fresh"] = self.fresh or None
        if self.repeat is not None:
            said["repeat"] = Repeat.parse(self.repeat)
        if self.seconds is not None and not math.isfinite(self.seconds):
            raise InputError(f"a budget is a finite number of seconds, not {self.seconds}")
        options = {"store": DEFAULT_STORE, "jobs": 1, **defaults, **given(said)}
        Budget(options.get("trials"), options.get("seconds"))  # a dry run says, too, what is wrong with these
        with self._executor(options["jobs"]) as executor:
            yield {**options, "executor": executor}

    @contextlib.contextmanager
    def _executor(self, jobs: int) -> Iterator[Any]:
        """The lab's own threads (None), or a Dask cluster."""
        if jobs < 1:  # the lab would say so, too, but only once a cluster has been started for it
            raise InputError(f"jobs must be at least 1, not {jobs}")
        if self.executor != "dask":
            if self.address is not None:
                raise InputError("--address is the address of a Dask scheduler: it needs --executor dask")
            yield None
            return
        from rootward.lab import execute

        executor: Any = execute.dask(self.address, jobs)
        try:
            yield executor
        finally:
            executor.rootward_close()


@dataclass(frozen=True, kw_only=True)
class Runs:
    """What the user said about one run of a command; None where nothing was said."""

    timeout: Annotated[float | None, typer.Option(metavar="S", help="A run that takes longer is a failure.")] = None
    memory: Annotated[str | None, typer.Option(metavar="SIZE", help="The address space of a run, such as 512M.")] = None
    verdict: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="It fails where its output matches, or says fail at a path such as $.result.status.  "
            "[default: it fails if its exit code is not 0]",
        ),
    ] = None
    signature: Annotated[
        str | None,
        typer.Option(metavar="PATTERN", help="What names the failure in the output: another one is another failure."),
    ] = None
    measures: Annotated[
        str | None, typer.Option(metavar="PATH", help="Where its JSON output has numbers, such as $.measures.")
    ] = None
    tolerance: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=X", help="A failure whose measure differs by more is another one; may be repeated."),
    ] = None

    @property
    def options(self) -> dict[str, Any]:
        """The options of ``rootward.Command`` that were given."""
        from rootward.subjects import bytes_of

        limit = None if self.memory is None else bytes_of(self.memory)
        tolerance = dict(map(_tolerance, self.tolerance)) if self.tolerance else None
        return given({**vars(self), "memory": limit, "tolerance": tolerance})

    def change(self, subject: Any) -> Any:
        """The subject of a study, with what the command line says otherwise."""
        for name in self.options.keys() - {f.name for f in fields(subject)}:
            raise InputError(f"--{name} is for commands, but the subject of this study is a function")
        return replace(subject, **self.options)


def _tolerance(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        return name, float(number)
    except ValueError:
        raise InputError(f"--tolerance is a name and a number such as x=0.3, not {text!r}") from None


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of ``Lab`` and ``Runs`` in place of its arguments of these types."""
    hints = get_type_hints(command, include_extras=True)
    bundles = {name: hint for name, hint in hints.items() if hint in (Lab, Runs)}
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


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def split_names(words: Iterable[str] | None) -> list[str]:
    """The names given by an option that may be repeated, and may hold several: ``a,b``."""
    return [name.strip() for word in words or () for name in word.split(",")]


def flaky_of(said: str | None) -> Flaky:
    """Return what --flaky means to a verb: ``yes``, ``no``, ``70%`` or ``0.7``."""
    if said is None or said in ("yes", "no"):
        return None if said is None else said == "yes"
    found = share_of(said)
    if found is None:
        raise InputError(f"--flaky {said}: expected how often it fails, such as 70% or 0.7, or yes or no")
    return found


def share_of(said: str) -> float | None:
    """``90%`` or ``0.9`` as a number above 0 and up to 1; None if it is no such thing."""
    with contextlib.suppress(ValueError):
        found = float(said.removesuffix("%")) / (100 if said.endswith("%") else 1)
        if 0 < found <= 1:
            return found
    return None


# What the user typed

_typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())

remember = _typed.set
"""Called with the program's arguments before anything else."""


def command_line() -> str:
    """The command that is being run, as a shell takes it; without ``--fresh``, which would not show the same again but
    start over, and with files as one names them here."""
    typed = list(_typed.get())
    end = typed.index("--") if "--" in typed else len(typed)
    options = [_near(word) for word in typed[:end] if word != "--fresh"]
    return shlex.join(["rootward", *options, *typed[end:]])


def _near(word: str) -> str:
    """A path as one writes it here: who gets the report need not know where home is."""
    option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
    path = Path(value)
    if not path.is_absolute() or not path.exists():
        return word
    near = seen_from(Path.cwd(), path)
    return word if not option and near.startswith("-") else f"{option}{equals}{near}"  # it would be taken for an option
