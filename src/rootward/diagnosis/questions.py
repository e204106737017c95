"""Between a step and the lab: how a step's questions reach the subject, and what the answers mean to the step.

A step is a search like any other, and knows nothing of the others. All of them share one lab. So every question passes
through here on its way to it: candidates take the form that the subject gets, the failure that is being explained is
told from other ones, each trial is counted for the step that was the first to need it, and a step that has used up its
share of the budget is ended. Every question carries the whole diagnosis so far, so a diagnosis is itself a search: it
obeys the laws of the lab, and wherever it is ended, what it has is a diagnosis.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rootward.diagnosis.state import State
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.rules import Estimate, Rule
from rootward.search import repeat
from rootward.search.ask import Answers, Ask, Lazily, Replay, Search
from rootward.search.finding import Finding
from rootward.search.relay import Ended, relay
from rootward.search.repeat import Once, Policy
from rootward.space.candidate import key_of
from rootward.store.trial import replayed
from rootward.verdict import FAIL, OTHER, UNRESOLVED, Outcome, Verdict

ONCE = Once()
EXPLAINED = Outcome(UNRESOLVED, detail="it fails for a reason that is known")
BARRED = Outcome(UNRESOLVED, detail="it must not be run")

F = TypeVar("F", bound=Finding)
R = TypeVar("R")
Doing = Generator[Ask[Any], Answers, R]
"""Something that asks the lab, and returns what it has found out."""


@dataclass(frozen=True)
class View:
    """How the questions of a step are put to the subject, and its answers to the step."""

    show: Callable[[Any], Any] = lambda candidate: candidate
    """What the subject gets for a candidate of the step."""
    reference: Outcome | None = None
    """The failure that is being explained; None if any is."""
    alike: Callable[[Outcome, Outcome], bool] | None = None
    """Whether two failures are the same; those of one signature, unless given."""
    other: Verdict = OTHER
    """What the verdict on another failure is."""
    explained: Rule | None = None
    """Where it holds, the reason is known already: nothing is run there."""
    never: Rule | None = None
    """Where it holds, nothing may be run."""
    repeat: Policy = ONCE
    """How many runs decide a verdict."""
    heard: Callable[[str, Any, Outcome], None] = lambda key, candidate, outcome: None
    """Is told the key, the candidate and what came out of it."""

    def judge(self, outcome: Outcome) -> Outcome:
        """The outcome, with a verdict on the failure that is being explained."""
        told = self.told_apart(outcome)
        another = told.verdict is OTHER and self.reference is not None
        return replace(told, verdict=self.other) if another else told

    def told_apart(self, outcome: Outcome) -> Outcome:
        """The same, but whatever another failure means to the step, it is another failure."""
        if self.reference is None or outcome.verdict not in (FAIL, OTHER):
            return outcome
        unnamed = outcome.verdict is OTHER and outcome.signature is None
        same = self.alike or (lambda one, other: one.signature == other.signature)
        return replace(outcome, verdict=OTHER if unnamed or not same(outcome, self.reference) else FAIL)

    def decided_by(self, policy: Policy) -> Policy:
        """The policy, for runs of a lab that may be about another failure."""
        return policy if self.reference is None else Judging(policy, self.told_apart)

    def shown(self, candidate: Any) -> Any:
        if isinstance(candidate, Replay):
            return Replay(self.show(candidate.candidate), candidate.attempt)
        return self.show(candidate)

    def hides(self, candidate: Any) -> Outcome | None:
        """What is said of a candidate that is not run."""
        if self.never is not None and self.never.holds(candidate):
            return BARRED
        return EXPLAINED if self.explained is not None and self.explained.holds(candidate) else None


@dataclass(frozen=True)
class Judging:
    """A policy for the failure that is being explained: the verdicts of the lab are about the one that it was given."""

    policy: Policy
    judge: Callable[[Outcome], Outcome]

    @property
    def limit(self) -> int:
        return self.policy.limit

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        return self.policy.decide([self.judge(outcome) for outcome in outcomes])

    def __str__(self) -> str:
        return str(self.policy)


# How often to expect a failure


def cautious(rate: Estimate) -> float:
    """A conservative rate: midway between the estimate and its lower bound."""
    return (rate.low + rate.value) / 2


def expected(rate: Estimate) -> float:
    """The rate to plan with: 1 if it failed in every run so far, otherwise a conservative one."""
    return 1.0 if rate.value == 1 else cautious(rate)


def often_enough(rate: float) -> Policy:
    """Run so often that a failure that shows at this rate is hardly ever missed."""
    return repeat.often_enough(rate, missed=TUNING.missed_chance)


# Questions


def run_search(
    state: State, search: Search[Any, F], view: View, draft: Callable[[F], Explanation | None] | None = None
) -> Doing[F]:
    """Run a search to its end, or to that of the step's share of the budget.

    ``draft`` turns the search's best finding so far into an explanation.
    """
    limit, before = state.allowance, state.spent

    def answer(question: Ask[Any]) -> Doing[Any]:
        free = state.before is not None and state.spent == before  # as far as the turn before went
        if state.spent - before >= limit and not free:
            return Ended(replace(question.best, complete=False, stopped="budget"))
        so_far = (
            state.draft if draft is None or question.best is None else draft(replace(question.best, complete=False))
        )
        return (yield from ask(state, question, view, so_far))

    return (yield from relay(search, answer))


def ask(state: State, question: Ask[Any], view: View, draft: Explanation | None = None) -> Doing[list[Outcome | None]]:
    """Ask the lab what the candidates of a question do, as the view has it."""
    candidates = question.candidates
    answers: list[Outcome | None] = [view.hides(one) for one in candidates]
    if question.fresh and question.until is None:
        for place, one in enumerate(candidates):
            if answers[place] is None and (known := _recalled(state, view.shown(one))) is not None:
                answers[place] = _take(state, question, view, one, known, recalled=True)
    rest = [i for i, answer in enumerate(answers) if answer is None]
    asked = _outer(state, question, view, draft)
    while rest:
        shown = Lazily(len(rest), lambda i, now=tuple(rest): view.shown(candidates[now[i]]))  # type: ignore[misc]
        outcomes = yield replace(asked, candidates=shown)
        for place, outcome in zip(tuple(rest), outcomes, strict=True):
            if outcome is None:  # it ended with another failure, which ends nothing here: ask for the rest
                break
            rest.pop(0)
            answers[place] = judged = _take(state, question, view, candidates[place], outcome)
            if judged.verdict is question.until:
                return [*answers[: place + 1], *[None] * (len(answers) - place - 1)]
    return answers


def _outer(state: State, question: Ask[Any], view: View, draft: Explanation | None) -> Ask[Any]:
    """The question as the lab gets it, but for its candidates."""
    found = question.best if isinstance(question.best, Finding) else None
    ahead: Iterable[Any] = (view.shown(hint) for hint in question.ahead if view.hides(hint) is None)
    note = f"{state.step.name}: {question.note}" if question.note else state.step.name
    repeat = view.decided_by(question.repeat or view.repeat)
    return replace(question, candidates=(), best=state.so_far(draft, found), note=note, ahead=ahead, repeat=repeat)


def _take(
    state: State, question: Ask[Any], view: View, candidate: Any, outcome: Outcome, *, recalled: bool = False
) -> Outcome:
    """What came out of a candidate, as the view has it: it is counted, and whoever listens hears of it."""
    tried, judged = view.shown(candidate), view.judge(outcome)
    attempt = tried.attempt if isinstance(tried, Replay) else None
    key = key_of(tried) if attempt is None else replayed(key_of(tried.candidate), state.failing_key)
    state.count(key, outcome, attempt=attempt, fresh=question.fresh, recalled=recalled)
    view.heard(key, candidate, judged)
    if judged.verdict is not FAIL and outcome.verdict in (FAIL, OTHER):
        state.others.meet(tried, outcome)
    return judged


def _recalled(state: State, candidate: Any) -> Outcome | None:
    return None if isinstance(candidate, Replay) else state.ledger.recall(key_of(candidate))
