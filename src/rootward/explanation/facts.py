"""What a diagnosis finds beside conditions, and what came out of its steps, as facts.

Facts of other searches, such as those of the rule that was learnt, stand beside them. ``report/sentences/diagnosis``
says them all to a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from rootward.facts import Fact
from rootward.rules import Rule, Score
from rootward.search.finding import Finding

if TYPE_CHECKING:
    from rootward.traces.triage import Triage

# What is not known


@dataclass(frozen=True)
class Unended(Fact):
    """The search of a step was ended early."""

    step: str


class Gap(Fact, Enum):
    """What is not known, if there is nothing more to say about it."""

    NOT_AGAIN = auto()
    """The failure did not show again."""
    UNSTEADY = auto()
    """The same configuration failed and passed, whatever was done about it."""
    FLAKY = auto()
    """The same configuration failed and passed."""
    NO_FAILURE_BEFORE = auto()
    """No earlier run failed: there may be causes that only others show."""
    ROWS_NOT_ASKED = auto()
    NO_REASON = auto()
    """No repair of the table makes it pass."""
    REPAIR_BY_CHANCE = auto()
    """The repaired table does not pass every time."""
    OTHER_SETTINGS = auto()
    """Whether the same rows matter with other settings."""
    NO_CHANGE = auto()
    """No change of the model explains the recordings ..."""
    SEVERAL_CHANGES = auto()
    """... or each of several does."""


@dataclass(frozen=True)
class Contradicted(Fact):
    """The claim is not true of this many runs of earlier steps."""

    runs: int


@dataclass(frozen=True)
class OtherTexts(Fact):
    """The condition is about more texts than it names."""

    field: str


@dataclass(frozen=True)
class Unexplained(Fact):
    """This many failing runs are explained by no cause."""

    runs: int


@dataclass(frozen=True)
class OnlyAtCheck(Fact):
    """A cause that no run to the end has shown."""

    rule: Rule


@dataclass(frozen=True)
class CopyPasses(Fact):
    """The failure does not show with a copy of the table."""

    table: str


@dataclass(frozen=True)
class NotAlone(Fact):
    """The good table does not fail with this many of its cells as in the bad one."""

    good: str
    bad: str
    cells: int


@dataclass(frozen=True)
class Unproved(Fact):
    """The checker has not accepted the proof of this many departures."""

    departures: int


@dataclass(frozen=True)
class TriedOnSome(Fact):
    """A change of the model was tried on some of the recordings that are alike."""

    tried: int
    alike: int


# What runs have shown


@dataclass(frozen=True)
class TextsTried(Fact):
    """This many texts were tried in a field."""

    field: str
    texts: int


@dataclass(frozen=True)
class SeveralWays(Fact):
    """It failed in several ways; the most frequent ones by name (empty: without one)."""

    ways: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class Repaired(Fact):
    """Fresh runs of the bad table with this many cells repaired."""

    cells: int
    passed: int
    runs: int


@dataclass(frozen=True)
class NothingElse(Fact):
    """The repaired cells are all that differs from the good table."""

    good: str


@dataclass(frozen=True)
class Broken(Fact):
    """Fresh runs of the good table with this many of its cells as in the bad one."""

    good: str
    bad: str
    cells: int
    failed: int
    runs: int


@dataclass(frozen=True)
class EnoughAlone(Fact):
    """This many of the cells make it fail by themselves."""

    enough: int
    cells: int


# The order of elements


@dataclass(frozen=True)
class Before(Fact):
    """One has to come before another; ``ends``: the first of three before the last, while neighbours may change."""

    one: str
    other: str
    ends: bool = False


@dataclass(frozen=True)
class Exchangeable(Fact):
    """Two neighbours may change places."""

    one: str
    other: str


@dataclass(frozen=True)
class WholeOrder(Fact):
    """Whether the order of all matters, though any two neighbours may change places."""

    names: tuple[str, ...]
    matters: bool


# Other failures


@dataclass(frozen=True)
class NotExplained(Fact):
    """This many runs failed in another way, which is not explained; an empty name: without one."""

    name: str
    runs: int


@dataclass(frozen=True)
class HowToExplain(Fact):
    """What to do to have one of these explained."""


@dataclass(frozen=True)
class OfTriage(Fact):
    """What else is known of the traces that were examined."""

    triage: Triage


# What came out of a step


class Result(Fact, Enum):
    """What came out of a step, if there is nothing more to say about it."""

    FOUND = auto()
    """What the finding of the step says first."""
    CHECK_USED = auto()
    """The causes are searched for with a check inside of the pipeline."""
    NOTHING_TO_REORDER = auto()
    NOT_NEEDED = auto()
    """Runs of an earlier turn, when steps had less of the budget, that no step of this one has needed."""


@dataclass(frozen=True)
class Condition(Fact):
    """The condition that a step has found; ``sure``: not only so far."""

    rule: Rule
    sure: bool = True


@dataclass(frozen=True)
class Reproduced(Fact):
    """This many fresh runs of the failing input failed."""

    failed: int
    runs: int


@dataclass(frozen=True)
class PassesRepeated(Fact):
    """Runs that had passed amid failures were repeated, and this many failed."""

    runs: int
    failed: int


@dataclass(frozen=True)
class RunsRepeated(Fact):
    """Runs were repeated, and this many did otherwise."""

    runs: int
    changed: int


@dataclass(frozen=True)
class Overlooked(Fact):
    """Fields that matter, too; none: all were known."""

    fields: tuple[str, ...]


@dataclass(frozen=True)
class Elsewhere(Fact):
    """What runs outside of the known causes did."""

    failed: bool
    runs: int
    complete: bool
    """Whether the search for others came to its end."""


@dataclass(frozen=True)
class RefutedByEarlier(Fact):
    """This many runs of earlier steps refute the claim."""

    runs: int


@dataclass(frozen=True)
class TableNotNamed(Fact):
    """No settings that name the table were seen to fail."""

    table: str


@dataclass(frozen=True)
class AnyTable(Fact):
    """It fails whichever table is named, so this one is not looked into."""

    table: str


@dataclass(frozen=True)
class CopyTried(Fact):
    """Whether it fails with a copy of the table, too."""

    table: str
    fails: bool


@dataclass(frozen=True)
class FoundWith(Fact):
    """What was found with settings, of which these matter."""

    settings: Mapping[str, Any]
    relevant: tuple[str, ...]
    finding: Finding


# What came of typing the command of a reproducer, or of a test


@dataclass(frozen=True)
class NoArtifact(Fact):
    """There is none, because of an error."""

    because: str


@dataclass(frozen=True)
class CommandFailed(Fact):
    """The command fails."""

    end: str
    """How it ended, such as ``exit code 1``."""
    rate: float | None = None
    """How often it fails, if that is not every time; then it was seen in ..."""
    run: int = 1
    """... this run."""
    other: str = ""
    """What failed in place of the failure that is to be shown."""


@dataclass(frozen=True)
class CommandPassed(Fact):
    """The command did not fail in this many runs."""

    end: str
    runs: int


@dataclass(frozen=True)
class NoPytest(Fact):
    """The test was not run, for pytest is not installed."""


@dataclass(frozen=True)
class RegressionBroken(Fact):
    """The test cannot be run, because of an error."""

    error: str


@dataclass(frozen=True)
class RegressionRun(Fact):
    """The test fails with this many of its failing inputs, and this many of the others pass."""

    failed: int
    inputs: int
    passed: int
    others: int


# What fresh runs say of a claim


@dataclass(frozen=True)
class Check(Fact):
    """What fresh trials said of the claim: none of them was used to make it."""

    inside: tuple[int, int] = (0, 0)
    """How many runs failed, of how many, where the claim says that it fails, anything else being random."""
    outside: tuple[int, int] = (0, 0)
    """The same where it says that it passes."""
    border: tuple[int, int] = (0, 0)
    """How many were as claimed, of how many, next to where the claim begins."""
    score: Score = field(default_factory=lambda: Score(0, 0, 0, 0))
    """All of these against the claim."""
    refuting: tuple[Mapping[str, Any], ...] = ()
    """Configurations that did not do what the claim says."""
    whole: int = 0
    """How many configurations there are, if all of them were run, and all did what the claim says: it is a fact."""
    barred: int = 0
    """This many more are ruled out by constraints."""
    hidden: int = 0
    """This many of all failed in another way, which may hide this one."""

    @classmethod
    def of(cls, rule: Rule, told: Sequence[tuple[str, Mapping[str, Any], bool]]) -> Check:
        """From fresh runs: where each was made (inside, outside, border), its configuration, and whether it failed."""

        def failed(part: str) -> tuple[int, int]:
            return sum(fails for where, _, fails in told if where == part), sum(where == part for where, *_ in told)

        border = [rule.holds(one) is fails for where, one, fails in told if where == "border"]
        return cls(
            failed("inside"),
            failed("outside"),
            (sum(border), len(border)),
            rule.score([(one, fails) for _, one, fails in told]),
            tuple(one for _, one, fails in told if rule.holds(one) is not fails),
        )

    @property
    def runs(self) -> int:
        return self.score.trials
