"""The state of a diagnosis: its subject, its results so far, and their cost.

There is one state per diagnosis. The conductor and the steps change it; if the diagnosis is stopped, its result is the
finding built from the state at that moment.

A diagnosis may go through its steps more than once: if a step was cut short by its share of the budget, and some of the
budget is left at the end, another *turn* begins. All runs are remembered, so a turn repeats the one before for free,
and continues where that was cut short. Results belong to the turn (steps, explanations), costs to the whole diagnosis
(the ledger).
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rootward.diagnosis.plan import Plan
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Diagnosis, Explanation, Step
from rootward.explanation.facts import HowToExplain, NotExplained, Result
from rootward.explanation.reasons import Reason
from rootward.facts import Fact
from rootward.rules import Quantity
from rootward.rules.derivation import check_defined, derive
from rootward.search.finding import Finding
from rootward.searches.reduction.task import Task
from rootward.space.space import Space
from rootward.study import Study
from rootward.study.sections import DataVersions
from rootward.subjects import Subject
from rootward.subjects.function import as_subject
from rootward.subjects.table_patches import PatchedFile, TableSubject, patch_subject
from rootward.verdict import Outcome, Verdict

MAX_NAMED_FAILURES = 3
"""Maximum number of unexplained failures that are listed by name."""

History = Iterable[tuple[Mapping[str, Any], Verdict]]
"""Earlier runs; they can be iterated more than once."""


class DiagnosisState:
    """One diagnosis of one study."""

    def __init__(
        self,
        study: Study,
        plan: Plan,
        *,
        history: History = (),
        seed: int = 0,
        budget: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``budget``: maximum number of trials of all steps together; None: no limit.
        ``seconds``: the time that the lab allows; None: no limit. ``clock``: returns the time, in seconds.
        """
        self.clock, self._began = clock, clock()
        self._time_end = math.inf if seconds is None else self._began + seconds
        self.study, self.plan, self.history, self.seed, self._budget = study, plan, history, seed, budget
        self.failing_key = ""
        """The key of the failing candidate, whose seeds are used for replays."""
        self.ledger, self._turns = Ledger(), 0
        self.running_seconds = 0.0
        """The time in which questions were answered, without the time it took to find the questions."""
        if study.space is not None:
            given = [] if study.failing is None else [study.failing]
            check_defined(study.space, self.list_derived(study.space), [*given, *study.nominal])
        self._begin_turn()

    def _begin_turn(self, before: Diagnosis | None = None) -> None:
        self.steps: list[Step] = []
        """The steps of this turn that have ended."""
        self.explanations: list[Explanation] = []
        """The failures that this turn has explained."""
        self.draft: Explanation | None = None
        """The explanation so far of the current failure."""
        self.others = OtherFailures()
        self._keys: set[str] = set()
        self._step: Step | None = None
        self.before = before
        """The result of the turn before this one."""
        self._turns, self._since = self._turns + 1, self.spent
        self.ledger.begin_turn()
        self._held_trials = self._held_seconds = 0.0
        self.divide_budget(1)

    # The subject and its input

    def list_derived(self, space: Space) -> tuple[Quantity, ...]:
        """Return the derived quantities of the study that depend only on fields of this space."""
        if self.study.space is None:
            return ()
        found = derive(self.study.space, self.study.derived)
        return tuple(one for one in found if all(name in space for name in one.fields))

    @cached_property
    def subject(self) -> Subject:
        """The subject that the trials run."""
        return as_subject(subject_of(self.study), isolate=False)

    @cached_property
    def task(self) -> Task[Any]:
        """The elements that can be removed."""
        supports = getattr(self.subject, "supports", None)
        return Task.of(self.study.elements or (), keep=self.study.keep, supports=supports)

    @property
    def failing(self) -> Any:
        """The failing candidate of the study; None if it has none."""
        if self.study.elements is not None:
            return self.task.elements.all
        if self.study.data is not None and only_rows(self.study):
            return self.study.data.tables.failing
        return self.study.failing

    # The budget

    @property
    def spent(self) -> int:
        """The number of trials of all steps so far."""
        return self.ledger.spent

    @property
    def allowance(self) -> float:
        """The number of trials that the current step may use: its share of the remaining budget.

        The lab ends the diagnosis when the budget is used up, wherever it is. The shares make sure that the later
        steps, which check the claim, get their turn before.
        """
        return self.plan.share(self.step.name) * self._trials_left

    @property
    def _trials_left(self) -> float:
        return min(self._end - self._held_trials - self.spent, self._trials_in_time)

    @property
    def _trials_in_time(self) -> float:
        """The number of trials that fit into the remaining time, at the speed so far."""
        left, spent = max(0.0, self._seconds_left), self.clock() - self._began
        return left * self.spent / spent if self.spent and spent > 0 and left < math.inf else math.inf

    @property
    def _seconds_left(self) -> float:
        return self._time_end - self._held_seconds - self.clock()

    def hold_back(self, trials: int) -> None:
        """Keep some of the budget from the steps until it is released: ``trials``, or a share of it if that is less.

        A search that was cut short may go on with further causes, or with repairs that are in vain, until nothing is
        left to check the claim or to approximate it.
        """
        if not self._held_trials:
            left, share = max(0.0, self._seconds_left), TUNING.approximation_share
            self._held_trials = min(trials, share * max(0.0, self._end - self.spent))
            self._held_seconds = share * left if left < math.inf else 0.0
            if self._held_trials < TUNING.min_approximation_runs:
                self.release()

    def release(self) -> None:
        """Allow the steps to use what was held back."""
        self._held_trials = self._held_seconds = 0.0

    @property
    def is_used_up(self) -> bool:
        """True if the budget allows no further run, except for what is held back.

        A turn that has run nothing new so far repeats the one before for free.
        """
        repeats = self.before is not None and self.spent == self._since
        return not repeats and min(self._trials_left, self._seconds_left) <= 0

    @property
    def is_cut_short(self) -> bool:
        """True if a step of this turn was ended early."""
        return any(not step.complete for step in self.steps)

    @property
    def fair_allowance(self) -> float:
        """The allowance of the current step, divided among this failure and those that wait for an explanation."""
        return self.allowance / self._count_open_failures()

    @property
    def fair_runs(self) -> float:
        """The same for runs that take no time to choose."""
        in_time = max(0.0, self._seconds_left) * self.spent / self.running_seconds if self.running_seconds else math.inf
        left = min(self._end - self._held_trials - self.spent, in_time)
        return self.plan.share(self.step.name) * left / self._count_open_failures()

    def _count_open_failures(self) -> int:
        explained = {one.signature for one in self.explanations} | {self.draft.signature if self.draft else None}
        return 1 + len(self.others.list_unexplained(explained))

    @property
    def time_allowance(self) -> float:
        """The seconds that the current step may use: its share of the remaining time."""
        return self.plan.share(self.step.name) * self._seconds_left

    def divide_budget(self, of: int) -> None:
        """Divide the remaining budget into ``of`` equal parts.

        From here on, only one of these parts is available.
        """
        self._end = math.inf if self._budget is None else self.spent + (self._budget - self.spent) / of

    def begin_next_turn(self) -> bool:
        """Begin another turn if one is useful. Return True if it was begun.

        Another turn is useful if a step was cut short, this turn has run something new, and the limits on trials and
        turns are not reached.
        """
        left = min(math.inf if self._budget is None else self._budget - self.spent, self._trials_in_time)
        if not (
            self.is_cut_short and 1 <= left < math.inf and self.spent > self._since and self._turns < TUNING.max_turns
        ):
            return False
        self._begin_turn(self.diagnosis)
        return True

    def count(self, key: str, outcome: Outcome, *, attempt: int | None, fresh: bool, recalled: bool) -> None:
        """Count the trials of an outcome for the current step.

        Trials that were already counted in this turn are left out.
        """
        needed = self.ledger.add(key, outcome, attempt=attempt, fresh=fresh, recalled=recalled)
        self._step = replace(self.step, trials=self.step.trials + needed)
        if needed:
            self._keys.add(key)

    # Steps

    @property
    def step(self) -> Step:
        """The current step."""
        assert self._step is not None
        return self._step

    def begin(self, name: str, *, after: str = "") -> None:
        """Begin a step of the plan. If the plan has several steps of this name, take the first after step ``after``."""
        self._step, self._keys = Step(name, self.plan.why(name, after=after), complete=False), set()

    def end(self, came_out: Iterable[Fact], finding: Finding | None = None, *, complete: bool = True) -> None:
        """End the current step."""
        if finding is not None and self.draft is not None:  # figures, too, must judge its runs by this failure
            finding = replace(finding, signature=self.draft.signature)
        done = replace(self.step, results=tuple(came_out), finding=finding, complete=complete)
        self.steps.append(replace(done, keys=frozenset(self._keys)))
        self._step = None

    def cancel(self) -> None:
        """Forget that the current step was begun: it ran nothing."""
        self._step = None

    # The result

    @property
    def diagnosis(self) -> Diagnosis:
        """The diagnosis so far.

        If a step was cut short, the diagnosis gives the reason.
        """
        cut = [step for step in self.steps if not step.complete]
        reasons = (step.finding.stopped for step in cut if step.finding is not None)
        why = next(reasons, "budget") if cut else None  # a step without a finding is only cut by the budget
        return replace(self._diagnosis(self.draft), complete=not cut, stopped=why)

    def so_far(self, draft: Explanation | None, found: Finding | None) -> Diagnosis:
        """Return the diagnosis so far, while a step is running.

        If an explanation of the previous turn was checked on fresh runs, the result of the previous turn is returned.
        In it, an explanation is replaced once the current turn has explained the same failure.
        ``draft``: the explanation so far of the current failure; ``found``: the finding of the step so far.
        """
        before = self.before
        if before is None or not any(one.check or one.seen or one.approximate for one in before.explanations):
            running = replace(self.step, finding=found, keys=frozenset(self._keys))
            return self._diagnosis(draft or self.draft, running)
        newer = {one.signature: one for one in self.explanations}
        known = tuple(newer.get(one.signature, one) for one in before.explanations)
        keys = self.ledger.keys.difference(*(step.keys for step in before.steps))
        again = Step("again", Reason.BUDGET_LEFT, complete=False, trials=self.spent - self._since, keys=frozenset(keys))
        return replace(before, explanations=known, steps=(*before.steps, again))

    def _diagnosis(self, draft: Explanation | None, running: Step | None = None) -> Diagnosis:
        explanations = tuple(self.explanations)
        if draft is not None:  # a claim that is being repaired takes its own place
            others = (one for one in explanations if one.signature != draft.signature)
            explanations = (*others, draft)
        steps = (*self.steps, running) if running is not None else tuple(self.steps)
        if unneeded := self.spent - self.ledger.needed:
            keys = self.ledger.keys.difference(*(step.keys for step in steps))
            steps = (Step("earlier", None, (Result.NOT_NEEDED,), trials=unneeded, keys=frozenset(keys)), *steps)
        ended = running is None and all(step.complete for step in steps)
        notes = self.others.notes({one.signature for one in explanations}, ended=ended)
        return Diagnosis(study=self.study.name, explanations=explanations, steps=steps, notes=tuple(notes))


# The subject


def only_rows(study: Study) -> bool:
    """Return True if the rows of a table are all that can be varied."""
    others = (study.space, study.elements, study.history)
    return study.data is not None and all(one is None for one in others)


def named_data(study: Study) -> DataVersions | None:
    """Return the tables of the study if a field has the path of the bad table among its values; otherwise None."""
    if study.data is None or study.space is None or study.elements is not None:
        return None
    return study.data if study.data.fields(study.space) else None


def subject_of(study: Study) -> Subject:
    """Return the subject that a diagnosis of the study runs.

    This is the subject of the study, or a subject that takes patches of a table.
    """
    if study.data is not None and only_rows(study):
        return patch_subject(study.subject, study.data.tables)
    data = named_data(study)
    if data is None:
        return study.subject
    return TableSubject(as_subject(study.subject, isolate=False), PatchedFile(data.tables, data.folder / data.bad))


# The trials


class Ledger:
    """The trials of one diagnosis, counted over all turns and in the current turn. No trial is counted twice.

    The lab remembers all verdicts, so a turn that asks the same questions again costs nothing. Fresh runs are the
    exception: each would be made anew. So their outcomes are kept here, and the next turn gets them in the same order.
    """

    def __init__(self) -> None:
        self.spent = 0
        """Number of trials in all turns."""
        self.needed = 0
        """Number of trials that the current turn has needed."""
        self.keys: set[str] = set()
        """The keys of the candidates that were run in any turn."""
        self._runs: Counter[str] = Counter()
        self._here: Counter[str] = Counter()
        self._fresh: defaultdict[str, list[Outcome]] = defaultdict(list)
        self._fresh_used: Counter[str] = Counter()

    def begin_turn(self) -> None:
        """Reset the counts of the current turn."""
        self.needed = 0
        self._here.clear()
        self._fresh_used.clear()

    def recall(self, key: str) -> Outcome | None:
        """Return the outcome of a fresh run of the candidate that an earlier turn made.

        The outcomes are returned in the order of the runs. None if the current turn has used all of them.
        """
        kept, used = self._fresh[key], self._fresh_used[key]
        return kept[used] if used < len(kept) else None

    def add(
        self, key: str, outcome: Outcome, *, attempt: int | None = None, fresh: bool = False, recalled: bool = False
    ) -> int:
        """Count an outcome, and return the number of its trials that were not counted before in this turn.

        ``attempt``: the attempt that was replayed, if the outcome comes from a replay.
        """
        name = key if attempt is None else f"{key} {attempt}"
        again = fresh and attempt is None
        new = 0 if recalled else self._add(self._runs, name, outcome.runs, again=again)
        needed = self._add(self._here, name, outcome.runs, again=again)
        if again:
            self._fresh[key] += [] if recalled else [outcome]
            self._fresh_used[key] += 1
        self.spent, self.needed = self.spent + new, self.needed + needed
        if new:
            self.keys.add(key)
        return needed

    @staticmethod
    def _add(runs: Counter[str], name: str, made: int, *, again: bool) -> int:
        """Add the trials of an outcome that were not counted before, and return their number."""
        new = made if again else max(0, made - runs[name])
        runs[name] += new
        return new


@dataclass(frozen=True)
class OtherFailure:
    """A failure other than the one being explained: the first candidate that showed it, and its outcome."""

    candidate: Any
    outcome: Outcome


class OtherFailures:
    """Failures that occurred while another one was being explained, each with its number of runs and the first run.

    Failures are distinguished by their signatures. A failure without a signature cannot be explained further, because
    it may be any of several. Neither can a failure that no configuration has shown.
    """

    def __init__(self) -> None:
        self._runs: Counter[str] = Counter()
        self._first: dict[str, OtherFailure] = {}

    def add(self, candidate: Any, outcome: Outcome) -> None:
        """Record a run that failed in another way.

        Runs are recorded in the order of the questions, whatever the number of workers.
        """
        self._runs[outcome.signature or ""] += 1
        if outcome.signature and isinstance(candidate, Mapping):
            self._first.setdefault(outcome.signature, OtherFailure(candidate, outcome))

    def list_unexplained(self, explained: Collection[str | None]) -> list[OtherFailure]:
        """Return the failures that can be explained but are not explained yet, the most frequent first."""
        names = (name for name, _ in self._runs.most_common())
        return [self._first[name] for name in names if name in self._first and name not in explained]

    def notes(self, explained: Collection[str | None], *, ended: bool) -> list[Fact]:
        """Return facts about the failures that are not explained, with a hint if the diagnosis has ``ended``."""
        known = {name or "" for name in explained}
        left = [NotExplained(*met) for met in self._runs.most_common() if met[0] not in known][:MAX_NAMED_FAILURES]
        return [*left, HowToExplain()] if left and ended else [*left]
