"""The reasons for which a step of a diagnosis is taken or left out, as facts.

The reason for a step that is taken is the question that the step answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from rootward.facts import Fact


class Reason(Fact, Enum):
    """A reason for a step. The fact has no further values."""

    FAILS = auto()
    """Does it fail, and every time?"""
    FAILS_AGAIN = auto()
    """Does a run that failed fail again?"""
    NO_FAILURE_GIVEN = auto()
    """No failing configuration is given."""
    NO_FAILURE_BEFORE = auto()
    """None of the earlier runs failed."""
    CONDITION = auto()
    """Under which condition does it fail?"""
    OTHER_REASON = auto()
    """Does it also fail for another reason?"""
    ELSEWHERE = auto()
    """Does it also fail with other values, for another reason?"""
    SIMPLEST = auto()
    """To find a simple input that fails."""
    UNSEEN_RUNS = auto()
    """Is the claim true of new runs?"""
    UNSEEN_FIELDS = auto()
    """Is the claim true of new runs, with any values of the fields that do not matter?"""
    NOT_WANTED = auto()
    """The user skips the step."""
    ELEMENTS_FIRST = auto()
    """There are elements, so the table is not examined."""
    BUDGET_LEFT = auto()
    """Some of the budget is left for steps that were cut short."""


@dataclass(frozen=True)
class Needed(Fact):
    """To find out which of this many elements are needed for the failure."""

    elements: int
    noun: str


@dataclass(frozen=True)
class NoValues(Fact):
    """The elements hold no values that could be varied."""

    noun: str


@dataclass(frozen=True)
class InOrder(Fact):
    """To find out if the order of the remaining elements matters."""

    noun: str


@dataclass(frozen=True)
class ValuesMatter(Fact):
    """To find out which values inside of the elements matter, if there are more than ``values`` of them."""

    noun: str
    values: int


@dataclass(frozen=True)
class ValuesFail(Fact):
    """To find out for which values inside of the elements the subject fails."""

    noun: str


@dataclass(frozen=True)
class WhereToCheck(Fact):
    """To find out after which of this many nodes of the pipeline a check is most useful."""

    nodes: int
    checks: bool
    """True if the subject has checks."""


@dataclass(frozen=True)
class Combinations(Fact):
    """To find the combinations of this many settings that always fail."""

    settings: int


@dataclass(frozen=True)
class FieldsMatter(Fact):
    """To find out which of this many fields matter."""

    fields: int
    few: bool
    """True if the fields are so few that the condition can be learnt on all of them at once."""


@dataclass(frozen=True)
class FailsWith(Fact):
    """To find out if the subject fails with the table, and if it fails every time."""

    table: str


@dataclass(frozen=True)
class RowsMatter(Fact):
    """To find the rows and cells that must be as in the good table.

    ``bad``: the table that settings name; None if settings name no table.
    """

    good: str
    bad: str | None = None


@dataclass(frozen=True)
class BothWays(Fact):
    """To check that the bad table passes with the found cells repaired, and the good table fails with them broken."""

    good: str


@dataclass(frozen=True)
class NotNamed(Fact):
    """The table is not a value of any field."""

    table: str


@dataclass(frozen=True)
class Departures(Fact):
    """To find where this many recordings depart from the model."""

    recordings: int
