"""What a search for causes knows beside the causes, as facts: what it can guarantee, and what a person should know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from rootward.facts import Fact
from rootward.rules import Conjunction

# What is known about causes that were not found


class Rest(Fact, Enum):
    """What is known of everything outside of the causes, if there is nothing to count."""

    PASSED = auto()
    """Everything else was run, and passed."""
    NOTHING_LEFT = auto()
    """Nothing else can be run."""
    NOT_EXPLAINED = auto()
    """One failing run is explained; others may have other causes."""


@dataclass(frozen=True)
class PassedOutside(Fact):
    """This many runs outside of the causes, as different as can be, all passed."""

    runs: int
    causes: int


@dataclass(frozen=True)
class Certified(Fact):
    """Every combination of this many settings that is possible outside of the causes was run."""

    settings: int
    runs: int
    """New runs that this took."""
    unjudged: int
    """Those of them that could not be judged; if there are none, no other cause of this many settings exists."""


@dataclass(frozen=True)
class Survived(Fact):
    """Each cause survived this many tests, or all that there are."""

    tests: int


# What else a person should know


class Remark(Fact, Enum):
    """What a person should know, if there is nothing to count."""

    ALL_FORBIDDEN = auto()
    """The constraints forbid every combination."""
    SINGLE_VALUES = auto()
    """Every setting has a single value."""
    NO_FAILURE = auto()
    """No run is known to fail."""
    NOT_EXPLAINED = auto()
    """A few causes do not explain all runs."""
    PASS_FAILS_NOW = auto()
    """A run that passed in the history fails now ..."""
    FAILURE_PASSES_NOW = auto()
    """... or one that failed there does not fail now."""
    CHECK_NEVER_PASSED = auto()
    """What comes after a checkpoint could not be searched, for the check never passed."""
    CHECK_DOES_NOT_ISOLATE = auto()
    """Two runs for which the check passed differ only in what it should cover, and one of them failed."""
    ROW_BY_ROW = auto()
    """A test's parameters are given row by row, so other combinations were not tried."""
    OTHER_PROCESSES = auto()
    """Nothing was run for a test, for tests run in other processes ..."""
    SUBTESTS = auto()
    """... or because it has subtests."""


@dataclass(frozen=True)
class NothingRun(Fact):
    """Nothing was run to test this many causes."""

    causes: int


@dataclass(frozen=True)
class NotKnown(Fact):
    """The search needs a failing and a passing run, and one of these is not known."""

    failing: bool


@dataclass(frozen=True)
class GivenUp(Fact):
    """This many runs in a row could not be judged."""

    runs: int


@dataclass(frozen=True)
class Unjudged(Fact):
    """This many runs could not be judged in all."""

    runs: int


@dataclass(frozen=True)
class Contradictory(Fact):
    """This many combinations of settings both failed and passed in the history, and were set aside."""

    combinations: int


@dataclass(frozen=True)
class KeptInMind(Fact):
    """Of the runs of a large history, this many were kept in memory."""

    kept: int
    runs: int


@dataclass(frozen=True)
class OfHistory(Fact):
    """What is known of the table of earlier runs."""

    fact: Fact


@dataclass(frozen=True)
class Phase(Fact):
    """What was found at a checkpoint, or behind it."""

    node: str | None
    """Where the check is; None: behind it, with ..."""
    fixed: tuple[tuple[str, Any], ...] = ()
    """... the settings for which the check passes."""
    failed: bool = True
    """Whether any run failed here."""
    passed: bool = True
    """Whether any run passed here."""
    causes: tuple[Conjunction, ...] = ()


@dataclass(frozen=True)
class OnlyForFixed(Fact):
    """The check depends on these settings, too: what is said of them is shown for the fixed values."""

    settings: tuple[str, ...]
