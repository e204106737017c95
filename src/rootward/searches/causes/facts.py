"""Facts that a search for causes reports besides the causes: its guarantees, and remarks for the user."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from rootward.facts import Fact
from rootward.rules import Conjunction

# Guarantees about causes that were not found


class Rest(Fact, Enum):
    """Guarantees about everything outside of the causes that need no number."""

    PASSED = auto()
    """Everything else was run, and passed."""
    NOTHING_LEFT = auto()
    """Nothing else can be run."""
    NOT_EXPLAINED = auto()
    """One failing run is explained; others may have other causes."""


@dataclass(frozen=True)
class PassedOutside(Fact):
    """All of this many runs outside of the causes passed. They were as different from each other as possible."""

    runs: int
    causes: int


@dataclass(frozen=True)
class Certified(Fact):
    """Every possible combination of this many settings outside of the causes was run."""

    settings: int
    runs: int
    """Number of new runs that this took."""
    unjudged: int
    """Number of these runs that could not be judged. If there are none, no other cause of this many settings exists."""


@dataclass(frozen=True)
class Survived(Fact):
    """Each cause survived this many tests, or all possible tests if there are fewer."""

    tests: int


# Remarks


class Remark(Fact, Enum):
    """Remarks that need no number."""

    ALL_FORBIDDEN = auto()
    """The constraints forbid every combination."""
    SINGLE_VALUES = auto()
    """Every setting has a single value."""
    NO_FAILURE = auto()
    """No run is known to fail."""
    NOT_EXPLAINED = auto()
    """Even the largest number of causes that is considered does not explain all runs."""
    PASS_FAILS_NOW = auto()
    """A run that passed in the history fails now."""
    FAILURE_PASSES_NOW = auto()
    """A run that failed in the history passes now."""
    CHECK_NEVER_PASSED = auto()
    """The part after the checkpoint could not be searched because the check never passed."""
    CHECK_DOES_NOT_ISOLATE = auto()
    """Two runs that passed the check differ only in parameters that it should cover, and one failed at the end."""
    ROW_BY_ROW = auto()
    """The parameters of a test are given row by row, so other combinations were not tried."""
    OTHER_PROCESSES = auto()
    """Nothing was run for a test because tests run in other processes."""
    SUBTESTS = auto()
    """Nothing was run for a test because it has subtests."""


@dataclass(frozen=True)
class NothingRun(Fact):
    """Nothing was run to test this many causes."""

    causes: int


@dataclass(frozen=True)
class NotKnown(Fact):
    """The search needs a failing and a passing run, but one of the two is not known.

    If ``failing`` is True, the failing run is not known; otherwise the passing run.
    """

    failing: bool


@dataclass(frozen=True)
class GivenUp(Fact):
    """This many runs in a row could not be judged."""

    runs: int


@dataclass(frozen=True)
class Unjudged(Fact):
    """This many runs in total could not be judged."""

    runs: int


@dataclass(frozen=True)
class Contradictory(Fact):
    """This many combinations of settings both failed and passed in the history. They were set aside."""

    combinations: int


@dataclass(frozen=True)
class KeptInMind(Fact):
    """Only this many of the runs of a large history were kept in memory."""

    kept: int
    runs: int


@dataclass(frozen=True)
class OfHistory(Fact):
    """A fact about the table of earlier runs."""

    fact: Fact


@dataclass(frozen=True)
class Phase(Fact):
    """The result of the search at a checkpoint, or after it."""

    node: str | None
    """The node with the check; None for the search after it."""
    fixed: tuple[tuple[str, Any], ...] = ()
    """For the search after the check: the settings fixed to values that pass it."""
    failed: bool = True
    """True if any run failed here."""
    passed: bool = True
    """True if any run passed here."""
    causes: tuple[Conjunction, ...] = ()


@dataclass(frozen=True)
class OnlyForFixed(Fact):
    """The check also depends on these settings, which were fixed.

    Causes that name these settings are shown only for the fixed values.
    """

    settings: tuple[str, ...]
