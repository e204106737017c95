"""The optional sections ``[data]``, ``[pipeline]`` and ``[traces]`` of a study file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rootward.errors import InputError, StudyError
from rootward.formats.files import read_json
from rootward.searches.causes.checkpoint import Checkpoint, instrument
from rootward.searches.causes.graph import Graph
from rootward.searches.causes.phases import CHECKPOINT
from rootward.space.space import Space

if TYPE_CHECKING:
    from rootward.searches.rows.tables import Tables
    from rootward.space.space import Space
    from rootward.traces.model.event import Trace
    from rootward.traces.model.model import Model
    from rootward.traces.recordings.talk import Ecus


@dataclass(frozen=True)
class DataVersions:
    """``[data]``: versions of a table. It fails with one of them, and passes with the others."""

    folder: Path
    """The folder that paths are relative to."""
    bad: str
    good: tuple[str, ...]
    """The versions with which it passes; repairs take their values from the first."""
    key: tuple[str, ...]
    """The columns that identify a row."""
    columns: tuple[str, ...] | None = None
    """The columns to compare; None: all."""
    text: bool = False
    """Keep the cells of CSV files as text, because the subject gets a file and not values."""
    where: str = ""
    """The place in the study file, for mistakes that are found only when the tables are opened."""

    @cached_property
    def tables(self) -> Tables:
        """The tables, opened on first use and named as in the study file."""
        from rootward.searches.rows.tables import Tables

        bad, *good = (self.folder / name for name in (self.bad, *self.good))
        try:
            return Tables.of(bad, good, self.key, self.columns, text=self.text, names=[self.bad, *self.good])
        except InputError as error:
            raise StudyError(f"{self.where}: {error}") from error

    def fields(self, space: Space) -> tuple[str, ...]:
        """Return the fields that have the path of the bad table among their values."""
        return tuple(name for name, field in space.items() if self.bad in field.values)

    def settings_with_table(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the settings whose value is the path of the bad table."""
        return tuple(name for name, value in settings.items() if value == self.bad)


@dataclass(frozen=True)
class PipelineGraph:
    """``[pipeline]``: the graph of a pipeline.

    It says which nodes each node feeds, and after which nodes the subject has a check.
    """

    graph: Graph
    checks: tuple[str, ...] = ()
    """The nodes at which a configuration can end the run, with the verdict of the check there."""

    @classmethod
    def read(cls, path: Path, space: Space) -> PipelineGraph:
        """Read the graph from a JSON file. Raises InputError if it is invalid or lacks a setting of the space."""
        found = cls(Graph.of(read_json(path)))
        found.checkpoint(space)
        return found

    def with_checks(self, nodes: tuple[str, ...], space: Space) -> PipelineGraph:
        """Return the graph with checks after these nodes. Raises InputError for an unknown node."""
        for node in nodes:
            self.graph.check(node)
        if nodes and CHECKPOINT in space:
            raise InputError(
                f"{CHECKPOINT!r} is reserved, because it tells the subject where to end: rename this setting"
            )
        return replace(self, checks=nodes)

    def checkpoint(self, space: Space) -> Checkpoint:
        """Return the node where a check helps most.

        Only nodes that have a check are considered or, if there are none, all nodes.
        """
        return instrument(self.graph, space, possible=self.checks or None)


@dataclass(frozen=True)
class Recordings:
    """``[traces]``: recordings to check against a model, each read only when it is needed."""

    model: Model
    files: tuple[tuple[Path, str], ...]
    """The path and the name of each recording."""
    ecus: Ecus | None = None
    """The addresses of the ECUs; None: the usual ones."""

    def __len__(self) -> int:
        return len(self.files)

    def __iter__(self) -> Iterator[Trace]:
        from rootward.traces.recordings import read_trace

        return (read_trace(path, name=name, ecus=self.ecus) for path, name in self.files)


@dataclass(frozen=True)
class RecordedSubject:
    """The subject of a study that has only recordings; running it raises InputError."""

    name: str

    @property
    def identity(self) -> str:
        return f"recordings {self.name}"

    @property
    def seeded(self) -> bool:
        return False

    @property
    def inline(self) -> bool:
        return True

    def run(self, candidate: Any, *, seed: int, place: Path) -> NoReturn:
        raise InputError(
            f"{self.name} has only recordings and no [subject] to run: use rootward diagnose or rootward triage"
        )

    by_hand = run
