"""Facts that a user should know about a table of earlier runs before trusting it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from rootward.facts import Fact


class Odd(Enum):
    """The reason why a column looks suspicious."""

    MIXED = auto()
    """Values of several kinds, such as numbers and text; they are treated as unordered."""
    MISSING = auto()
    """No value in some runs; a missing value counts as a value of its own."""
    DIFFERENT = auto()
    """A different value in every run."""
    RESULT = auto()
    """A name like that of a result."""


@dataclass(frozen=True)
class OddColumns(Fact):
    """Columns that may not be settings, or have values that are hard to compare."""

    columns: tuple[str, ...]
    odd: Odd


@dataclass(frozen=True)
class NamelessColumn(Fact):
    """A column without a name was ignored."""


@dataclass(frozen=True)
class IgnoredColumns(Fact):
    """These columns were ignored, as the user asked."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class SetAside(Fact):
    """Runs of a tracker that were left out. Each pair holds a reason, such as a status, and the number of runs."""

    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class LaterRuns(Fact):
    """Number of runs left out because they were made after the given time."""

    runs: int


@dataclass(frozen=True)
class UndatedRuns(Fact):
    """Number of runs left out because they have no time."""

    runs: int


@dataclass(frozen=True)
class UnjudgedRuns(Fact):
    """Number of runs without a verdict."""

    runs: int


@dataclass(frozen=True)
class RepeatedRuns(Fact):
    """Number of runs that have the configuration of an earlier run."""

    runs: int


@dataclass(frozen=True)
class Contradictions(Fact):
    """Number of configurations that both passed and failed."""

    configurations: int


@dataclass(frozen=True)
class NoRun(Fact):
    """No run failed, or none passed."""

    failed: bool
