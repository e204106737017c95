"""What a person should know of a table of earlier runs before they trust it, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from rootward.facts import Fact


class Odd(Enum):
    """What is odd about a column."""

    MIXED = auto()
    """It has values of several kinds, such as numbers and text, which are taken as values without an order."""
    MISSING = auto()
    """It has no value in some runs, which is taken as a value of its own."""
    DIFFERENT = auto()
    """It has another value in every run."""
    RESULT = auto()
    """It is named like a result."""


@dataclass(frozen=True)
class OddColumns(Fact):
    """Columns that may be no settings, or have values that are hard to compare."""

    columns: tuple[str, ...]
    odd: Odd


@dataclass(frozen=True)
class NamelessColumn(Fact):
    """A column without a name is left out."""


@dataclass(frozen=True)
class IgnoredColumns(Fact):
    """These columns are left out, as the user asked for."""

    columns: tuple[str, ...]


@dataclass(frozen=True)
class SetAside(Fact):
    """This many runs of a tracker are left out, by their status or another reason, in the order of these."""

    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class LaterRuns(Fact):
    """This many runs were made after the given time, and are left out."""

    runs: int


@dataclass(frozen=True)
class UndatedRuns(Fact):
    """This many runs have no time, and are left out."""

    runs: int


@dataclass(frozen=True)
class UnjudgedRuns(Fact):
    """This many runs have no verdict."""

    runs: int


@dataclass(frozen=True)
class RepeatedRuns(Fact):
    """This many runs have the configuration of an earlier one."""

    runs: int


@dataclass(frozen=True)
class Contradictions(Fact):
    """This many configurations both passed and failed."""

    configurations: int


@dataclass(frozen=True)
class NoRun(Fact):
    """No run failed, or none passed."""

    failed: bool
