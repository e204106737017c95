"""The facts of a diagnosis: the results of its steps, and everything it finds besides conditions.

Facts of other searches, such as those of the learnt rule, are used together with these.
``report/sentences/diagnosis`` turns all of them into sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from rootward.facts import Fact
from rootward.rules import Estimate, Rule, Score
from rootward.search.finding import Finding

if TYPE_CHECKING:
    from rootward.traces.triage import Triage

# Open questions


@dataclass(frozen=True)
class CutShort(Fact):
    """The search of this step was ended early.

    ``left``: the number of further runs that would end it, if that is known.
    """

    step: str
    left: int = 0


class Gap(Fact, Enum):
    """Something that is not known. The fact has no further values."""

    NOT_REPRODUCED = auto()
    """The failure did not show again."""
    UNSTEADY = auto()
    """The same configuration both failed and passed, even after the explanation was restarted with a measured rate."""
    FLAKY = auto()
    """The same configuration both failed and passed."""
    NO_FAILURE_BEFORE = auto()
    """No earlier run failed: there may be causes that the failures found now do not show."""
    ROWS_SKIPPED = auto()
    """The user skipped the search for rows."""
    NO_REPAIR = auto()
    """No repair of the table makes it pass."""
    REPAIR_BY_CHANCE = auto()
    """The repaired table does not pass every time."""
    OTHER_SETTINGS = auto()
    """It is not known if the same rows matter with other settings."""
    NO_CHANGE = auto()
    """No change of the model explains the recordings."""
    SEVERAL_CHANGES = auto()
    """Each of several changes of the model explains the recordings."""


@dataclass(frozen=True)
class Contradicted(Fact):
    """This many runs of earlier steps contradict the claim."""

    runs: int


@dataclass(frozen=True)
class FewCrossings(Fact):
    """The border that a condition draws was confirmed in fewer places than it needs to be certain."""

    condition: str
    places: int
    needed: int


@dataclass(frozen=True)
class NotShownNeeded(Fact):
    """No run passed that fulfils all other conditions but not this one, so it may not be needed."""

    condition: str


@dataclass(frozen=True)
class FewOwnFailures(Fact):
    """This alternative of the condition alone explains few failing runs, so it may be chance."""

    alternative: str
    runs: int


@dataclass(frozen=True)
class SeparatePlaces(Fact):
    """The condition names one value of a field with many, or several separate places: there may be more of them."""

    field: str
    places: int


@dataclass(frozen=True)
class LooseFactor(Fact):
    """All runs would agree with the condition, too, if a factor in it were half as large, or half as large again."""

    factor: float
    quantity: str


@dataclass(frozen=True)
class FewOutside(Fact):
    """Few random runs lie outside of the condition: a large share of what is there may fail as well."""

    runs: int


@dataclass(frozen=True)
class NotAllSwept(Fact):
    """Not every value of a small field that the condition names was tried."""

    field: str
    tried: int
    values: int


@dataclass(frozen=True)
class NoSimpleCondition(Fact):
    """No simple condition explains the failure.

    ``fields``: the fields that matter, each because two runs that differ in this field alone ended differently.
    ``random``: failed runs, and all runs, of random inputs; no runs if they are counted elsewhere.
    ``searched``: False if the budget ended the search, so that a simple condition may exist.
    """

    fields: tuple[str, ...]
    random: tuple[int, int] = (0, 0)
    searched: bool = True


@dataclass(frozen=True)
class NotMeasured(Fact):
    """The accuracy of an approximate rule was not measured, because the budget ended before.

    ``wrong`` of all ``runs`` of the diagnosis contradict the rule.
    """

    wrong: int
    runs: int


@dataclass(frozen=True)
class WrongMostOften(Fact):
    """The place where an approximate rule is wrong most often: in ``wrong`` of the ``runs`` fresh runs there."""

    place: Rule
    wrong: int
    runs: int


@dataclass(frozen=True)
class OtherTexts(Fact):
    """The condition also covers texts of this field that it does not name."""

    field: str


@dataclass(frozen=True)
class Unexplained(Fact):
    """No cause explains this many failing runs."""

    runs: int


@dataclass(frozen=True)
class OnlyAtCheck(Fact):
    """A cause failed at the check inside of the pipeline, but no run to the end has shown it."""

    rule: Rule


@dataclass(frozen=True)
class CopyPasses(Fact):
    """The failure does not show with a copy of the table."""

    table: str


@dataclass(frozen=True)
class CellsNotEnough(Fact):
    """The good table does not fail if only these cells get their bad values."""

    good: str
    bad: str
    cells: int


@dataclass(frozen=True)
class Unproved(Fact):
    """The checker did not accept the proof of this many departures."""

    departures: int


@dataclass(frozen=True)
class TriedOnSome(Fact):
    """A change of the model was not tried on all recordings that show the same fault.

    There are ``alike`` such recordings, and the change was tried on ``tried`` of them.
    """

    tried: int
    alike: int


# Results of runs


@dataclass(frozen=True)
class TextsTried(Fact):
    """This many texts were tried in a field."""

    field: str
    texts: int


@dataclass(frozen=True)
class SeveralWays(Fact):
    """The subject failed in this many ways.

    ``names``: the most frequent signatures; a failure without a signature has an empty one.
    """

    ways: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class RepairedRuns(Fact):
    """Results of fresh runs of the bad table with this many cells repaired."""

    cells: int
    passed: int
    runs: int


@dataclass(frozen=True)
class NothingElse(Fact):
    """The bad table differs from the good one only in the repaired cells."""

    good: str


@dataclass(frozen=True)
class BrokenRuns(Fact):
    """Results of fresh runs of the good table with the bad values of this many cells."""

    good: str
    bad: str
    cells: int
    failed: int
    runs: int


@dataclass(frozen=True)
class CellsEnoughAlone(Fact):
    """Each of ``enough`` cells is enough to make the good table fail, out of ``cells`` cells that were tried alone."""

    enough: int
    cells: int


# The order of elements


@dataclass(frozen=True)
class Before(Fact):
    """The element ``one`` must come before the element ``other``.

    ``ends``: True if there are three elements, and ``one`` and ``other`` are the first and the last of them. Neighbours
    may then be exchanged.
    """

    one: str
    other: str
    ends: bool = False


@dataclass(frozen=True)
class Exchangeable(Fact):
    """Two neighbours that may be exchanged."""

    one: str
    other: str


@dataclass(frozen=True)
class WholeOrder(Fact):
    """Any two neighbours may be exchanged.

    ``matters``: True if the order of all elements matters nevertheless.
    """

    names: tuple[str, ...]
    matters: bool


# Other failures


@dataclass(frozen=True)
class NotExplained(Fact):
    """This many runs failed in another way, which is not explained.

    ``name``: the signature of this failure; empty if it has none.
    """

    name: str
    runs: int


@dataclass(frozen=True)
class NoLongerShown(Fact):
    """A failure that an earlier diagnosis in the same folder explained did not show. Its files are kept.

    ``name``: the signature of this failure; None if it has none.
    """

    name: str | None
    files: tuple[str, ...]


@dataclass(frozen=True)
class ChangedSince(Fact):
    """A failure shows under another condition than in an earlier diagnosis in the same folder, or files were edited.

    ``name``: the signature of this failure; None if it has none. ``files``: the earlier files, which are kept.
    """

    name: str | None
    files: tuple[str, ...]


@dataclass(frozen=True)
class SeemsMended(Fact):
    """The failing input passes now, and so do the regression tests of an earlier diagnosis.

    ``tests``: the names of these tests; empty if there are none that can be run.
    """

    tests: tuple[str, ...]


@dataclass(frozen=True)
class HowToExplain(Fact):
    """A hint at how to have one of these failures explained."""


@dataclass(frozen=True)
class TriageNotes(Fact):
    """Further facts about the traces that were examined."""

    triage: Triage


# Results of steps


class Result(Fact, Enum):
    """The result of a step. The fact has no further values."""

    FOUND = auto()
    """The headline of the step's finding is the result."""
    CHECK_USED = auto()
    """A check inside of the pipeline is used to search for the causes."""
    NOTHING_TO_REORDER = auto()
    """There are too few elements, or too many, to examine their order."""
    NOT_NEEDED = auto()
    """Runs of an earlier pass over the plan, with smaller shares of the budget, that this pass did not need."""


@dataclass(frozen=True)
class Condition(Fact):
    """The condition that a step found. ``sure``: True if the search for the condition was complete."""

    rule: Rule
    sure: bool = True


@dataclass(frozen=True)
class Reproduced(Fact):
    """This many fresh runs of the failing input failed."""

    failed: int
    runs: int


@dataclass(frozen=True)
class PassesRepeated(Fact):
    """Passing runs among failing ones were repeated, and this many of them failed."""

    runs: int
    failed: int


@dataclass(frozen=True)
class RunsRepeated(Fact):
    """Runs were repeated, and this many of them changed their verdict."""

    runs: int
    changed: int


@dataclass(frozen=True)
class OverlookedFields(Fact):
    """Further fields that matter; empty if no field was overlooked."""

    fields: tuple[str, ...]


@dataclass(frozen=True)
class OutsideRuns(Fact):
    """The result of runs outside of the known causes; ``failed``: at least one of them failed."""

    failed: bool
    runs: int
    complete: bool
    """False if the search for other failures was ended early."""


@dataclass(frozen=True)
class Simplified(Fact):
    """The fields that got simpler values in the failing input, and the number of all fields."""

    fields: tuple[str, ...]
    of: int


@dataclass(frozen=True)
class RefutedByEarlier(Fact):
    """This many runs of earlier steps refute the claim."""

    runs: int


@dataclass(frozen=True)
class TableNotNamed(Fact):
    """No failing run had settings that name the table."""

    table: str


@dataclass(frozen=True)
class AnyTable(Fact):
    """The subject fails with any table, so this table is not examined."""

    table: str


@dataclass(frozen=True)
class CopyTried(Fact):
    """The result of a run with a copy of the table."""

    table: str
    fails: bool


@dataclass(frozen=True)
class FoundWith(Fact):
    """A finding made with these settings. ``relevant``: the names of the settings that matter."""

    settings: Mapping[str, Any]
    relevant: tuple[str, ...]
    finding: Finding


# Results of running the command of a reproducer or a test


@dataclass(frozen=True)
class NoArtifact(Fact):
    """The artifact could not be made, because of an error."""

    because: str


@dataclass(frozen=True)
class CommandFailed(Fact):
    """The command fails."""

    end: str
    """The way it ended, such as ``exit code 1``."""
    rate: float | None = None
    """The share of runs that fail, if not all do."""
    run: int = 1
    """The number of the run that failed, counted from 1."""
    other: str = ""
    """The failure that occurred instead of the one to be shown."""


@dataclass(frozen=True)
class CommandPassed(Fact):
    """The command did not fail in this many runs."""

    end: str
    runs: int


@dataclass(frozen=True)
class NoPytest(Fact):
    """The test was not run because pytest is not installed."""


@dataclass(frozen=True)
class RegressionBroken(Fact):
    """The test cannot be run, because of an error."""

    error: str


@dataclass(frozen=True)
class RegressionRun(Fact):
    """The result of running the test.

    The test fails for ``failed`` of the ``inputs`` that failed before. It passes for ``passed`` of the ``others``,
    which passed before.
    """

    failed: int
    inputs: int
    passed: int
    others: int


# Fresh runs that test a claim

MAX_INTERVAL = 0.5
"""Maximum width of the interval of a rate that is stated; a wider one comes from too few runs."""


def is_measured(rate: Estimate) -> bool:
    """Return True if a rate rests on enough runs to be stated."""
    return rate.high - rate.low <= MAX_INTERVAL


@dataclass(frozen=True)
class Check(Fact):
    """The result of fresh runs that test a claim. None of these runs was used to make the claim."""

    inside: tuple[int, int] = (0, 0)
    """Failed runs, and all runs, where the claim predicts a failure; the fields that it does not name were random."""
    outside: tuple[int, int] = (0, 0)
    """Failed runs, and all runs, where the claim predicts a pass."""
    border: tuple[int, int] = (0, 0)
    """Runs as predicted, and all runs, next to the border of the claim."""
    score: Score = field(default_factory=lambda: Score(0, 0, 0, 0))
    """The score of the claim on all fresh runs."""
    refuting: tuple[Mapping[str, Any], ...] = ()
    """Configurations whose run contradicts the claim."""
    whole: int = 0
    """Number of configurations that may be run, if all of them were run and agree with the claim, so that it is
    proved; otherwise 0."""
    barred: int = 0
    """Number of further configurations, which the constraints rule out."""
    hidden: int = 0
    """Number of configurations that failed in another way, which may hide this failure."""
    directed: tuple[int, int] = (0, 0)
    """Runs as predicted, and all runs, in other places where a wrong claim would show: other values of small fields,
    multiples of constants, extremes."""
    is_sample: bool = False
    """True if the fresh runs are random inputs, each field drawn from its whole range, so that the score holds for
    such inputs. Otherwise most of the runs were chosen."""
    is_near: bool = False
    """True if half of the fresh runs are random inputs, and half lie near failing ones."""

    @classmethod
    def of(
        cls,
        rule: Rule,
        runs: Sequence[tuple[str, Mapping[str, Any], bool]],
        *,
        is_sample: bool = False,
        is_near: bool = False,
    ) -> Check:
        """Make a check from fresh runs.

        Each run is given by the family that chose it (inside, outside, border or another one), its configuration, and
        True if it failed.
        """

        def count_failed(family: str) -> tuple[int, int]:
            return sum(fails for name, _, fails in runs if name == family), sum(name == family for name, *_ in runs)

        border = [rule.holds(one) is fails for name, one, fails in runs if name == "border"]
        rest = [rule.holds(one) is fails for name, one, fails in runs if name not in ("inside", "outside", "border")]
        return cls(
            count_failed("inside"),
            count_failed("outside"),
            (sum(border), len(border)),
            rule.score([(one, fails) for _, one, fails in runs]),
            tuple(one for _, one, fails in runs if rule.holds(one) is not fails),
            directed=(sum(rest), len(rest)),
            is_sample=is_sample,
            is_near=is_near,
        )

    @property
    def max_missed(self) -> float | None:
        """The largest share of random configurations outside of the claim that can still fail, with 95% confidence.

        None if no random run was made there.
        """
        failed, runs = self.outside
        return Estimate.of(failed, runs, confidence=0.9, method="clopper-pearson").high if runs else None

    @property
    def beats_chance(self) -> bool:
        """True if the claim is better than "it always fails" and "it never fails", and by how much can be stated.

        Both of these have a balanced accuracy of 1/2. Of runs that all failed, or all passed, it is not known.
        """
        rates = self.score.precision, self.score.recall
        return self.score.balanced_accuracy.low > 1 / 2 and all(map(is_measured, rates))

    @property
    def runs(self) -> int:
        return self.score.trials
