"""Many searches in one: the questions of every step go to the same lab, and carry the whole diagnosis so far.

A step is a search like any other, and knows nothing of the others. The conductor stands between it and the lab: it
shows candidates in the form that the subject takes, tells the failure that is being explained from other ones, counts
what each step was the first to need, and ends a step that has used up its share of the budget. So a diagnosis is itself
a search: it obeys the laws of the lab, and wherever it is ended, what it has is a diagnosis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from rootward.candidate import key_of
from rootward.diagnosis.diagnosis import Diagnosis, Explanation, Step
from rootward.diagnosis.ledger import Ledger
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.strangers import Strangers
from rootward.diagnosis.view import View
from rootward.finding import Finding
from rootward.rules import Estimate
from rootward.search import Answers, Ask, Lazily, Replay, Search
from rootward.trial import replayed
from rootward.verdict import FAIL, OTHER, Outcome

F = TypeVar("F", bound=Finding)
Asking = Generator[Ask[Any], Answers, F]
MEASURED = 20
"""How many runs tell how often it fails, if that is not every time."""
TURNS = 8
"""So often the steps are gone through at most."""
AGAIN = "Some of the budget was left: the steps that it had cut go on."
EARLIER = "Run when steps had less of the budget, and not needed since."


class Conductor:
    """The steps of one diagnosis, in the order in which they are taken."""

    def __init__(self, plan: Plan, *, name: str, budget: int | None = None) -> None:
        self.plan, self.name, self._budget = plan, name, budget
        self.failing = ""
        """The key of the failing candidate, with whose seeds others may be run."""
        self._ledger, self._turns = Ledger(), 0
        self._begin_turn()

    def _begin_turn(self, before: Diagnosis | None = None) -> None:
        self.steps: list[Step] = []
        self.explanations: list[Explanation] = []
        self.draft: Explanation | None = None
        """What is known so far about the failure that is being explained."""
        self.strangers = Strangers()
        self._keys: set[str] = set()
        self._step: Step | None = None
        self._before = before
        """What the turn before this one has found."""
        self._turns, self._since = self._turns + 1, self.spent
        self._ledger.turn()
        self.part(1)

    @property
    def spent(self) -> int:
        """How many trials all steps needed."""
        return self._ledger.spent

    def part(self, of: int) -> None:
        """From here on, one of so many equal parts of what is left of the budget is there to be used."""
        self._end = math.inf if self._budget is None else self.spent + (self._budget - self.spent) / of

    def again(self) -> bool:
        """Whether to go through the steps once more: one was cut, and some of the budget is left.

        Each will go as far as it did, for what was run is remembered, and then on.
        """
        cut = any(not step.complete for step in self.steps)
        left = self._budget is not None and self.spent < self._budget
        if not (cut and left and self.spent > self._since and self._turns < TURNS):
            return False
        self._begin_turn(self.diagnosis)
        return True

    # Steps

    def begin(self, name: str, *, after: str = "") -> None:
        """From here on, what is asked is asked for this step of the plan; ``after``: the one after that other step."""
        self._step, self._keys = Step(name, self.plan.why(name, after=after), complete=False), set()

    def end(self, said: str, finding: Finding | None = None, *, complete: bool = True) -> None:
        """The step has come to an end."""
        assert self._step is not None
        if finding is not None and self.draft is not None:  # whose runs are judged by that failure, in figures, too
            finding = replace(finding, signature=self.draft.signature)
        done = replace(self._step, said=said, finding=finding, complete=complete, keys=frozenset(self._keys))
        self.steps.append(done)
        self._step = None

    @property
    def diagnosis(self) -> Diagnosis:
        """All that is known so far. If a step was cut short, it says why."""
        cut = [step for step in self.steps if not step.complete]
        why = next((step.finding.stopped for step in cut if step.finding is not None), None)
        return replace(self._diagnosis(self.draft), complete=not cut, stopped=why)

    def _so_far(self, draft: Explanation | None, running: Step) -> Diagnosis:
        """What is known while a step goes on. What fresh runs have checked stays until another turn has got as far."""
        before = self._before
        if before is None or not any(one.check or one.seen for one in before.explanations):
            return self._diagnosis(draft, running)
        newer = {one.signature: one for one in self.explanations}
        known = tuple(newer.get(one.signature, one) for one in before.explanations)
        keys = self._ledger.keys.difference(*(step.keys for step in before.steps))
        again = Step("again", AGAIN, complete=False, trials=self.spent - self._since, keys=frozenset(keys))
        return replace(before, explanations=known, steps=(*before.steps, again))

    def _diagnosis(self, draft: Explanation | None, running: Step | None = None) -> Diagnosis:
        explanations = (*self.explanations, draft) if draft is not None else tuple(self.explanations)
        steps = (*self.steps, running) if running is not None else tuple(self.steps)
        if unneeded := self.spent - self._ledger.needed:
            keys = self._ledger.keys.difference(*(step.keys for step in steps))
            steps = (Step("earlier", "", EARLIER, trials=unneeded, keys=frozenset(keys)), *steps)
        ended = running is None and all(step.complete for step in steps)
        notes = self.strangers.notes({one.signature for one in explanations}, ended=ended)
        return Diagnosis(study=self.name, explanations=explanations, steps=steps, notes=tuple(notes))

    # Questions

    def search(
        self, search: Search[Any, F], view: View, draft: Callable[[F], Explanation | None] | None = None
    ) -> Asking[F]:
        """The search to its end, or to that of its share of the budget; ``draft``: what its finding so far means."""
        assert self._step is not None
        limit = self.plan.share(self._step.name) * (self._end - self.spent)
        before, answers = self.spent, None
        while True:
            try:
                ask: Ask[Any] = search.send(answers)  # type: ignore[arg-type]
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            free = self._before is not None and self.spent == before  # as far as the turn before went
            if self.spent - before >= limit and not free:
                search.close()
                return replace(ask.best, complete=False, stopped="budget")  # type: ignore[no-any-return]
            so_far = self.draft if draft is None or ask.best is None else draft(replace(ask.best, complete=False))
            answers = yield from self.ask(ask, view, so_far)

    def ask(
        self, ask: Ask[Any], view: View, draft: Explanation | None = None
    ) -> Generator[Ask[Any], Answers, list[Outcome | None]]:
        """What the candidates of a question do, as the view has it."""
        candidates = ask.candidates
        answers: list[Outcome | None] = [view.hides(one) for one in candidates]
        if ask.fresh and ask.until is None:
            for place, one in enumerate(candidates):
                if answers[place] is None and (known := self._recalled(view.shown(one))) is not None:
                    answers[place] = self._take(ask, view, one, known, recalled=True)
        rest = [i for i, answer in enumerate(answers) if answer is None]
        asked = self._outer(ask, view, draft)
        while rest:
            shown = Lazily(len(rest), lambda i, now=tuple(rest): view.shown(candidates[now[i]]))  # type: ignore[misc]
            outcomes = yield replace(asked, candidates=shown)
            for place, outcome in zip(tuple(rest), outcomes, strict=True):
                if outcome is None:  # it ended with another failure, which ends nothing here: ask for the rest
                    break
                rest.pop(0)
                answers[place] = judged = self._take(ask, view, candidates[place], outcome)
                if judged.verdict is ask.until:
                    return [*answers[: place + 1], *[None] * (len(answers) - place - 1)]
        return answers

    def _take(self, ask: Ask[Any], view: View, candidate: Any, outcome: Outcome, *, recalled: bool = False) -> Outcome:
        """What came out of a candidate, as the view has it: it is counted, and whoever listens hears of it."""
        tried, judged = view.shown(candidate), view.judge(outcome)
        view.heard(self._count(tried, outcome, fresh=ask.fresh, recalled=recalled), candidate, judged)
        if judged.verdict is not FAIL and outcome.verdict in (FAIL, OTHER):
            self.strangers.meet(tried, outcome)
        return judged

    def reproduced(
        self, failing: Any, view: View, runs: int = MEASURED
    ) -> Generator[Ask[Any], Answers, tuple[Outcome | None, Estimate]]:
        """The failure, if it shows again, and how often: so many fresh runs, more if not all of them fail."""
        self.begin("reproduce")
        outcomes: list[Outcome] = []
        while len(outcomes) < runs:
            ask: Ask[Any] = Ask([failing] * (runs - len(outcomes)), fresh=True, note="does it fail every time?")
            outcomes += [o for o in (yield from self.ask(ask, view)) if o is not None]
            if any(outcome.verdict is not FAIL for outcome in outcomes):
                runs = MEASURED
        failed = [outcome for outcome in outcomes if outcome.verdict is FAIL]
        every = "every time" if len(failed) == len(outcomes) else "not every time" if failed else "not again"
        self.end(f"It failed in {len(failed)} of {len(outcomes)} runs: {every}.")
        return next(iter(failed), None), Estimate.of(len(failed), len(outcomes), confidence=0.8)

    def _outer(self, ask: Ask[Any], view: View, draft: Explanation | None) -> Ask[Any]:
        """The question as the lab gets it, but for its candidates."""
        assert self._step is not None
        found = ask.best if isinstance(ask.best, Finding) else None
        running = replace(self._step, finding=found, keys=frozenset(self._keys))
        ahead: Iterable[Any] = (view.shown(hint) for hint in ask.ahead if view.hides(hint) is None)
        note = f"{self._step.name}: {ask.note}" if ask.note else self._step.name
        best = self._so_far(draft or self.draft, running)
        repeat = view.decided_by(ask.repeat or view.repeat)
        return replace(ask, candidates=(), best=best, note=note, ahead=ahead, repeat=repeat)

    def _recalled(self, candidate: Any) -> Outcome | None:
        return None if isinstance(candidate, Replay) else self._ledger.recall(key_of(candidate))

    def _count(self, candidate: Any, outcome: Outcome, *, fresh: bool, recalled: bool) -> str:
        """A trial belongs to the step that was the first to need it. The key of the candidate."""
        assert self._step is not None
        attempt = candidate.attempt if isinstance(candidate, Replay) else None
        key = key_of(candidate) if attempt is None else replayed(key_of(candidate.candidate), self.failing)
        needed = self._ledger.enter(key, outcome, attempt=attempt, fresh=fresh, recalled=recalled)
        self._step = replace(self._step, trials=self._step.trials + needed)
        if needed:
            self._keys.add(key)
        return key
