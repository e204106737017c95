"""The sections of a study file that say what else is known: ``[data]``, ``[pipeline]`` and ``[traces]``."""

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
class Data:
    """``[data]``: a version of a table with which it fails, and versions with which it passes."""

    folder: Path
    """What the paths are relative to."""
    bad: str
    good: tuple[str, ...]
    """Values for repair come from the first."""
    key: tuple[str, ...]
    """The columns by which a row is known."""
    columns: tuple[str, ...] | None = None
    """Only these are looked at; None: all."""
    text: bool = False
    """Leave the cells of CSV files as they are: what is run gets a file, and not values."""
    where: str = ""
    """The place in the study file, for mistakes that show only when the tables are opened."""

    @cached_property
    def tables(self) -> Tables:
        """The tables, which are opened now. They are called what the study calls them."""
        from rootward.searches.rows.tables import Tables

        bad, *good = (self.folder / name for name in (self.bad, *self.good))
        try:
            return Tables.of(bad, good, self.key, self.columns, text=self.text, names=[self.bad, *self.good])
        except InputError as error:
            raise StudyError(f"{self.where}: {error}") from error

    def fields(self, space: Space) -> tuple[str, ...]:
        """The fields that have the path of the bad table among their values."""
        return tuple(name for name, field in space.items() if self.bad in field.values)

    def named_in(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The settings that are the path of the bad table."""
        return tuple(name for name, value in settings.items() if value == self.bad)


@dataclass(frozen=True)
class PipelineGraph:
    """``[pipeline]``: which node feeds which, and after which of them the subject has a check."""

    graph: Graph
    checks: tuple[str, ...] = ()
    """The nodes at which a run ends if its configuration says so, with the verdict of the check there."""

    @classmethod
    def read(cls, path: Path, space: Space) -> PipelineGraph:
        """The graph in a JSON file. InputError if it is none, or has no place for a setting."""
        found = cls(Graph.of(read_json(path)))
        found.checkpoint(space)
        return found

    def checked(self, nodes: tuple[str, ...], space: Space) -> PipelineGraph:
        """The same, with checks after these nodes. InputError if there is no such node."""
        for node in nodes:
            self.graph.check(node)
        if nodes and CHECKPOINT in space:
            raise InputError(f"{CHECKPOINT!r} tells the subject where to end: no setting can be called so")
        return replace(self, checks=nodes)

    def checkpoint(self, space: Space) -> Checkpoint:
        """Where a check helps most: of the nodes that have one, or of all if none has."""
        return instrument(self.graph, space, possible=self.checks or None)


@dataclass(frozen=True)
class Recordings:
    """``[traces]``: recordings that are held against a model. Each is read when its turn comes."""

    model: Model
    files: tuple[tuple[Path, str], ...]
    """Where each recording is, and what it is called."""
    ecus: Ecus | None = None
    """The ECUs by their addresses; None: the usual ones."""

    def __len__(self) -> int:
        return len(self.files)

    def __iter__(self) -> Iterator[Trace]:
        from rootward.traces.recordings import read_trace

        return (read_trace(path, name=name, ecus=self.ecus) for path, name in self.files)


@dataclass(frozen=True)
class Recorded:
    """The subject of a study of recordings: whoever wants to run it is told that it cannot be run."""

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
        raise InputError(f"{self.name} has recordings only, and no [subject] that could be run")

    by_hand = run
