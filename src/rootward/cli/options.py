"""The options that several verbs have, written once.

A verb's command takes them as one argument of type ``Lab`` or ``Runs``; ``with_options`` puts them into the signature
that typer reads.
"""

from __future__ import annotations

import contextlib
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer
from typer.core import TyperCommand

from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study

DEFAULT_STORE = ".rootward/rootward.db"
StoreOption = Annotated[
    str | None, typer.Option(metavar="PATH_OR_URL", help=f"Where trials are kept.  [default: {DEFAULT_STORE}]")
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
    budget: Annotated[
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
    json: Annotated[bool, typer.Option("--json", help="Print the finding as one JSON document.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the answer.")] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the first trials and run nothing.")] = False
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write the finding as a page, too (as data: .json, as a summary: .md)."),
    ] = None

    @contextlib.contextmanager
    def options(self, defaults: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The lab's keyword arguments: what the user said, else what the study says."""
        from rootward.budget import Budget
        from rootward.repeat import Repeat

        said: dict[str, Any] = {"jobs": self.jobs, "seed": self.seed, "store": self.store, "fresh": self.fresh or None}
        if self.repeat is not None:
            said["repeat"] = Repeat.parse(self.repeat)
        if self.seconds is not None and not math.isfinite(self.seconds):
            raise InputError(f"a budget is a finite number of seconds, not {self.seconds}")
        limits = {"trials": self.budget, "seconds": self.seconds}
        budget = replace(defaults.get("budget") or Budget(), **_given(limits))
        options = {"store": DEFAULT_STORE, "jobs": 1, **defaults, **_given(said), "budget": budget}
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
        from rootward import execute

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
        from rootward.formats.sizes import bytes_of

        limit = None if self.memory is None else bytes_of(self.memory)
        tolerance = dict(map(_tolerance, self.tolerance)) if self.tolerance else None
        return _given({**vars(self), "memory": limit, "tolerance": tolerance})

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


def check_placeholder(command: list[str], placeholder: str, what: str, file: Path, example: str) -> None:
    """InputError unless the command says where it gets its candidate."""
    if not any(placeholder in word for word in command):
        place = f" instead of {file}" if str(file) in command else ""
        raise InputError(f"the command never sees the {what}: write {placeholder}{place}, as in {example}")


def study_in(file: Path, example: str) -> Study:
    """The study of a verb that was given no command."""
    from rootward.study import load

    if file.suffix != ".toml":
        raise InputError(f"which command fails with {file}? Give it after --, as in {example}")
    return load(file)


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

    def with_bundles(**given: Any) -> None:
        made = {name: bundle(**{f.name: given.pop(f.name) for f in fields(bundle)}) for name, bundle in bundles.items()}
        command(**made, **given)

    with_bundles.__name__, with_bundles.__doc__ = command.__name__, command.__doc__
    with_bundles.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    with_bundles.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *shared]}
    return with_bundles


def _annotations(bundle: type) -> list[Any]:
    hints = get_type_hints(bundle, include_extras=True)
    return [hints[f.name] for f in fields(bundle)]


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def rate(said: str) -> bool | float:
    """``auto``, ``70%`` or ``0.7``."""
    if said == "auto":
        return True
    with contextlib.suppress(ValueError):
        found = float(said[:-1]) / 100 if said.endswith("%") else float(said)
        if 0 < found <= 1:
            return found
    raise InputError(f"--flaky {said}: expected how often it fails, such as 70% or 0.7, or auto")
