"""What a diagnosis knows at any moment: what it is about, what it has found, and what that has cost.

There is one state for a diagnosis. The conductor and the steps change it as they go; whoever stops a diagnosis gets the
finding that the state amounts to at that moment.

A diagnosis may go through its steps more than once: if a step was cut short by its share of the budget, and some of the
budget is left at the end, another *turn* begins. What was run is remembered, so a turn repeats the one before it for
free, and goes on where that was cut. What is told belongs to the turn (steps, explanations); what was paid for belongs
to the diagnosis (the ledger).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rootward.diagnosis.plan import Plan
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Diagnosis, Explanation, Step
from rootward.explanation.facts import HowToExplain, NotExplained, Result
from rootward.explanation.reasons import Reason
from rootward.facts import Fact
from rootward.search.finding import Finding
from rootward.searches.reduction.task import Task
from rootward.study import Study
from rootward.study.sections import Data
from rootward.subjects import Subject
from rootward.subjects.function import as_subject
from rootward.subjects.table_patches import Naming, PatchedFile, patched
from rootward.verdict import Outcome, Verdict

NAMED = 3
"""So many failures that are not explained are named."""

History = Iterable[tuple[Mapping[str, Any], Verdict]]
"""Earlier runs, which can be read more than once."""


class State:
    """One diagnosis of one study."""

    def __init__(
        self, study: Study, plan: Plan, *, history: History = (), seed: int = 0, budget: int | None = None
    ) -> None:
        """``budget``: the number of trials that all steps together may need."""
        self.study, self.plan, self.history, self.seed, self._budget = study, plan, history, seed, budget
        self.failing_key = ""
        """The key of the failing candidate, with whose seeds others may be run."""
        self.ledger, self._turns = Ledger(), 0
        self._begin_turn()

    def _begin_turn(self, before: Diagnosis | None = None) -> None:
        self.steps: list[Step] = []
        """The steps of this turn that have ended."""
        self.explanations: list[Explanation] = []
        """The failures that this turn has explained."""
        self.draft: Explanation | None = None
        """What is known so far about the failure that is being explained."""
        self.others = OtherFailures()
        self._keys: set[str] = set()
        self._step: Step | None = None
        self.before = before
        """What the turn before this one has found."""
        self._turns, self._since = self._turns + 1, self.spent
        self.ledger.begin_turn()
        self.part(1)

    # What it is about

    @cached_property
    def subject(self) -> Subject:
        """What is run."""
        return as_subject(subject_of(self.study), isolate=False)

    @cached_property
    def task(self) -> Task[Any]:
        """The elements that can be left out."""
        supports = getattr(self.subject, "supports", None)
        return Task.of(self.study.elements or (), keep=self.study.keep, supports=supports)

    @property
    def failing(self) -> Any:
        """The candidate that fails, if one is known from the start."""
        if self.study.elements is not None:
            return self.task.elements.all
        if self.study.data is not None and only_rows(self.study):
            return self.study.data.tables.failing
        return self.study.failing

    # What it costs

    @property
    def spent(self) -> int:
        """How many trials all steps needed."""
        return self.ledger.spent

    @property
    def allowance(self) -> float:
        """How many trials the step that begins here may need: its share of what is left."""
        return self.plan.share(self.step.name) * (self._end - self.spent)

    def part(self, of: int) -> None:
        """From here on, one of so many equal parts of what is left of the budget is there to be used."""
        self._end = math.inf if self._budget is None else self.spent + (self._budget - self.spent) / of

    def again(self) -> bool:
        """Begin another turn if a step was cut, this turn has run something, and some of the budget is left."""
        cut = any(not step.complete for step in self.steps)
        left = self._budget is not None and self.spent < self._budget
        if not (cut and left and self.spent > self._since and self._turns < TUNING.max_turns):
            return False
        self._begin_turn(self.diagnosis)
        return True

    def count(self, key: str, outcome: Outcome, *, attempt: int | None, fresh: bool, recalled: bool) -> None:
        """Count a trial for the step that was the first to need it."""
        needed = self.ledger.enter(key, outcome, attempt=attempt, fresh=fresh, recalled=recalled)
        self._step = replace(self.step, trials=self.step.trials + needed)
        if needed:
            self._keys.add(key)

    # Steps

    @property
    def step(self) -> Step:
        """The step that is going on."""
        assert self._step is not None
        return self._step

    def begin(self, name: str, *, after: str = "") -> None:
        """From here on, what is asked is asked for this step of the plan; ``after``: the one after that other step."""
        self._step, self._keys = Step(name, self.plan.why(name, after=after), complete=False), set()

    def end(self, came_out: Iterable[Fact], finding: Finding | None = None, *, complete: bool = True) -> None:
        """The step has come to an end."""
        if finding is not None and self.draft is not None:  # whose runs are judged by that failure, in figures, too
            finding = replace(finding, signature=self.draft.signature)
        done = replace(self.step, came_out=tuple(came_out), finding=finding, complete=complete)
        self.steps.append(replace(done, keys=frozenset(self._keys)))
        self._step = None

    # What it amounts to

    @property
    def diagnosis(self) -> Diagnosis:
        """All that is known so far. If a step was cut short, it says why."""
        cut = [step for step in self.steps if not step.complete]
        why = next((step.finding.stopped for step in cut if step.finding is not None), None)
        return replace(self._diagnosis(self.draft), complete=not cut, stopped=why)

    def so_far(self, draft: Explanation | None, found: Finding | None) -> Diagnosis:
        """What is known while a step goes on. What fresh runs have checked stays until another turn has got as far.

        ``draft``: what is known of the failure that is being explained; ``found``: what the step has found.
        """
        before = self.before
        if before is None or not any(one.check or one.seen for one in before.explanations):
            running = replace(self.step, finding=found, keys=frozenset(self._keys))
            return self._diagnosis(draft or self.draft, running)
        newer = {one.signature: one for one in self.explanations}
        known = tuple(newer.get(one.signature, one) for one in before.explanations)
        keys = self.ledger.keys.difference(*(step.keys for step in before.steps))
        again = Step("again", Reason.BUDGET_LEFT, complete=False, trials=self.spent - self._since, keys=frozenset(keys))
        return replace(before, explanations=known, steps=(*before.steps, again))

    def _diagnosis(self, draft: Explanation | None, running: Step | None = None) -> Diagnosis:
        explanations = (*self.explanations, draft) if draft is not None else tuple(self.explanations)
        steps = (*self.steps, running) if running is not None else tuple(self.steps)
        if unneeded := self.spent - self.ledger.needed:
            keys = self.ledger.keys.difference(*(step.keys for step in steps))
            steps = (Step("earlier", None, (Result.NOT_NEEDED,), trials=unneeded, keys=frozenset(keys)), *steps)
        ended = running is None and all(step.complete for step in steps)
        notes = self.others.notes({one.signature for one in explanations}, ended=ended)
        return Diagnosis(study=self.study.name, explanations=explanations, steps=steps, notes=tuple(notes))


# What is run


def only_rows(study: Study) -> bool:
    """Whether there is nothing to vary but the rows of a table."""
    others = (study.space, study.elements, study.history)
    return study.data is not None and all(one is None for one in others)


def named_data(study: Study) -> Data | None:
    """The tables of the study, if there are settings that name the bad one."""
    if study.data is None or study.space is None or study.elements is not None:
        return None
    return study.data if study.data.fields(study.space) else None


def subject_of(study: Study) -> Subject:
    """What a diagnosis of the study runs: its subject, or that as one of patches of a table."""
    if study.data is not None and only_rows(study):
        return patched(study.subject, study.data.tables)
    data = named_data(study)
    if data is None:
        return study.subject
    return Naming(as_subject(study.subject, isolate=False), PatchedFile(data.tables, data.folder / data.bad))


# What was run


class Ledger:
    """The trials of one diagnosis, each once: in all, and in this turn.

    The lab remembers what was run, so another turn costs nothing as far as it asks the same. Only runs that are asked
    for though the candidate is known would be made anew each time: these are kept here, and told again in their order.
    """

    def __init__(self) -> None:
        self.spent = 0
        """How many there were, in all turns."""
        self.needed = 0
        """How many of them this turn has needed."""
        self.keys: set[str] = set()
        """The candidates that were run, in all turns."""
        self._runs: Counter[str] = Counter()
        self._here: Counter[str] = Counter()
        self._fresh: defaultdict[str, list[Outcome]] = defaultdict(list)
        self._told: Counter[str] = Counter()

    def begin_turn(self) -> None:
        """The steps are gone through once more."""
        self.needed = 0
        self._here.clear()
        self._told.clear()

    def recall(self, key: str) -> Outcome | None:
        """What the next fresh run of a candidate said in an earlier turn."""
        kept, told = self._fresh[key], self._told[key]
        return kept[told] if told < len(kept) else None

    def enter(
        self, key: str, outcome: Outcome, *, attempt: int | None = None, fresh: bool = False, recalled: bool = False
    ) -> int:
        """How many trials this is the first of its turn to need; ``attempt``: that of a replay."""
        name = key if attempt is None else f"{key} {attempt}"
        again = fresh and attempt is None
        new = 0 if recalled else self._add(self._runs, name, outcome.runs, again=again)
        needed = self._add(self._here, name, outcome.runs, again=again)
        if again:
            self._fresh[key] += [] if recalled else [outcome]
            self._told[key] += 1
        self.spent, self.needed = self.spent + new, self.needed + needed
        if new:
            self.keys.add(key)
        return needed

    @staticmethod
    def _add(runs: Counter[str], name: str, made: int, *, again: bool) -> int:
        """A verdict on several runs includes those that were known."""
        new = made if again else max(0, made - runs[name])
        runs[name] += new
        return new


@dataclass(frozen=True)
class OtherFailure:
    """The first run that failed in a way."""

    candidate: Any
    outcome: Outcome


class OtherFailures:
    """Failures that were met while another one was being explained: how often each, and what showed it first.

    They are told apart by their names. One without a name may be any of several, so nobody can go after it; nor after
    one that only other candidates than configurations have shown.
    """

    def __init__(self) -> None:
        self._runs: Counter[str] = Counter()
        self._first: dict[str, OtherFailure] = {}

    def meet(self, candidate: Any, outcome: Outcome) -> None:
        """A run failed in another way. They are met in the order of the questions, whatever the width."""
        self._runs[outcome.signature or ""] += 1
        if outcome.signature and isinstance(candidate, Mapping):
            self._first.setdefault(outcome.signature, OtherFailure(candidate, outcome))

    def waiting(self, explained: Collection[str | None]) -> list[OtherFailure]:
        """Those that can be explained and are not, the most frequent first."""
        names = (name for name, _ in self._runs.most_common())
        return [self._first[name] for name in names if name in self._first and name not in explained]

    def notes(self, explained: Collection[str | None], *, ended: bool) -> list[Fact]:
        """What to say of those that are not explained; how to go on, if the diagnosis has ``ended`` without them."""
        known = {name or "" for name in explained}
        left = [NotExplained(*met) for met in self._runs.most_common() if met[0] not in known][:NAMED]
        return [*left, HowToExplain()] if left and ended else [*left]
