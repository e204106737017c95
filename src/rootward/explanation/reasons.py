"""Why a step of a diagnosis is taken, or left out, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from rootward.facts import Fact


class Reason(Fact, Enum):
    """What a step is to find out, or why it is left out, if there is nothing to count or to name."""

    FAILS = auto()
    """Does it fail, and every time?"""
    FAILS_AGAIN = auto()
    """Does a run that failed fail again?"""
    NO_FAILURE_GIVEN = auto()
    """No failing configuration is given ..."""
    NO_FAILURE_BEFORE = auto()
    """... or none of the earlier runs failed."""
    CONDITION = auto()
    """Under which condition does it fail?"""
    OTHER_REASON = auto()
    """Does it also fail for another reason ..."""
    ELSEWHERE = auto()
    """... with other values?"""
    UNSEEN_RUNS = auto()
    """Is the claim true of runs that have not been seen ..."""
    UNSEEN_FIELDS = auto()
    """... whatever the fields that do not matter?"""
    NOT_WANTED = auto()
    """The user skips it."""
    ELEMENTS_FIRST = auto()
    """There are elements, so a table is not looked into."""
    BUDGET_LEFT = auto()
    """The steps that the budget had cut go on."""


@dataclass(frozen=True)
class Needed(Fact):
    """Which of this many elements are needed?"""

    elements: int
    noun: str


@dataclass(frozen=True)
class NoValues(Fact):
    """The elements hold no values that could be varied."""

    noun: str


@dataclass(frozen=True)
class InOrder(Fact):
    """Does the order of the elements that are left matter?"""

    noun: str


@dataclass(frozen=True)
class ValuesMatter(Fact):
    """Which values inside of the elements matter, if these hold more than this many?"""

    noun: str
    values: int


@dataclass(frozen=True)
class ValuesFail(Fact):
    """For which values inside of the elements does it fail?"""

    noun: str


@dataclass(frozen=True)
class WhereToCheck(Fact):
    """After which of this many nodes does a check tell most?"""

    nodes: int
    checks: bool
    """Whether the subject has checks."""


@dataclass(frozen=True)
class Combinations(Fact):
    """Which combinations of this many settings always fail?"""

    settings: int


@dataclass(frozen=True)
class FieldsMatter(Fact):
    """Which of this many fields matter?"""

    fields: int
    few: bool
    """Whether all of them can be looked at at once."""


@dataclass(frozen=True)
class FailsWith(Fact):
    """Does it fail with the table, and every time?"""

    table: str


@dataclass(frozen=True)
class RowsMatter(Fact):
    """Which rows and cells have to be as in the good table; ``bad``: the table that settings name, if they do."""

    good: str
    bad: str | None = None


@dataclass(frozen=True)
class BothWays(Fact):
    """Does it pass with these cells repaired, and does the good table fail with them alone?"""

    good: str


@dataclass(frozen=True)
class NotNamed(Fact):
    """No field has the table among its values."""

    table: str


@dataclass(frozen=True)
class Departures(Fact):
    """Where do this many recordings depart from the model?"""

    recordings: int
