"""The layer between a step and the lab: it translates a step's questions for the subject, and the answers for the step.

A step is a search like any other, and knows nothing of the other steps. All of them share one lab. ``ask`` passes each
question of a step on to the lab, and on the way

* converts each candidate of the step into what the subject gets (``StepView.show``), such as values into a whole file;
* answers without a run for candidates that must not be run, or where a known cause explains the failure;
* judges each failure: the one being explained is FAIL; any other gets the verdict that the step wants, and is
  remembered as a failure that can be explained later;
* counts each trial for the step that was the first to need it;
* adds the whole diagnosis so far as ``best``, so that the diagnosis is valid wherever it is ended.

``run_search`` does that for every question of a whole search, and ends the search when the step's share of the budget
is used up. Because of this layer, a diagnosis is itself a search and obeys the laws of the lab.

In a later turn (see ``state.py``) the same questions are asked again. The lab remembers all verdicts, so they are free.
Only ``fresh`` questions would be run anew: ``ask`` answers these from the state's ledger, as far as it has outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.rules import Estimate, Rule
from rootward.search import repeat
from rootward.search.ask import Answers, Ask, LazyCandidates, Replay, Search
from rootward.search.finding import Finding
from rootward.search.relay import EarlyResult, relay
from rootward.search.repeat import Once, Policy
from rootward.space.candidate import key_of
from rootward.store.trial import replay_key
from rootward.verdict import FAIL, OTHER, UNRESOLVED, Outcome, Verdict

ONCE = Once()
EXPLAINED = Outcome(UNRESOLVED, detail="not run: a known cause explains it")
FORBIDDEN = Outcome(UNRESOLVED, detail="not run: the constraints forbid it")

F = TypeVar("F", bound=Finding)
R = TypeVar("R")
Routine = Generator[Ask[Any], Answers, R]
"""A generator that asks the lab, and returns its result."""


@dataclass(frozen=True)
class StepView:
    """Translates between a step and the lab: candidates in one direction, verdicts in the other."""

    show: Callable[[Any], Any] = lambda candidate: candidate
    """Converts a candidate of the step into what the subject gets."""
    reference: Outcome | None = None
    """The failure that is being explained; None if any failure counts."""
    alike: Callable[[Outcome, Outcome], bool] | None = None
    """Returns True if two failures are the same; None: compare their signatures."""
    other: Verdict = OTHER
    """The verdict that the step gets for another failure."""
    explained: Rule | None = None
    """Holds where a known cause explains the failure: nothing is run there."""
    never: Rule | None = None
    """Holds where nothing may be run."""
    repeat: Policy = ONCE
    """The policy that decides a verdict from several runs."""
    on_answer: Callable[[str, Any, Outcome], None] = lambda key, candidate, outcome: None
    """Called with the key, the candidate and the judged outcome of each answer."""

    def judge(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the verdict that the step gets.

        If the outcome is a failure other than the one being explained, its verdict is ``self.other``.
        """
        classified = self.classify(outcome)
        another = classified.verdict is OTHER and self.reference is not None
        return replace(classified, verdict=self.other) if another else classified

    def classify(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the verdict FAIL for the failure being explained and OTHER for another failure."""
        if self.reference is None or outcome.verdict not in (FAIL, OTHER):
            return outcome
        unnamed = outcome.verdict is OTHER and outcome.signature is None
        same = self.alike or (lambda one, other: one.signature == other.signature)
        return replace(outcome, verdict=OTHER if unnamed or not same(outcome, self.reference) else FAIL)

    def policy_for(self, policy: Policy) -> Policy:
        """Return the policy that judges outcomes by the failure being explained.

        This is needed because the verdicts of the lab may be about another failure.
        """
        return policy if self.reference is None else JudgingPolicy(policy, self.classify)

    def show_candidate(self, candidate: Any) -> Any:
        if isinstance(candidate, Replay):
            return Replay(self.show(candidate.candidate), candidate.attempt)
        return self.show(candidate)

    def answer_without_run(self, candidate: Any) -> Outcome | None:
        """Return the answer for a candidate that need not be run; None if the candidate must be run."""
        if self.never is not None and self.never.holds(candidate):
            return FORBIDDEN
        return EXPLAINED if self.explained is not None and self.explained.holds(candidate) else None


@dataclass(frozen=True)
class JudgingPolicy:
    """A policy that judges outcomes by the failure being explained.

    The lab instead judges outcomes by the failure that it was given at the start, which may be another one.
    """

    policy: Policy
    judge: Callable[[Outcome], Outcome]

    @property
    def limit(self) -> int:
        return self.policy.limit

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        return self.policy.decide([self.judge(outcome) for outcome in outcomes])

    def __str__(self) -> str:
        return str(self.policy)


# The rate to plan with


def conservative_rate(rate: Estimate) -> float:
    """Return a conservative rate: midway between the estimate and its lower bound."""
    return (rate.low + rate.value) / 2


def expected_rate(rate: Estimate) -> float:
    """Return the rate to plan with: 1 if every run so far failed, otherwise a conservative one."""
    return 1.0 if rate.value == 1 else conservative_rate(rate)


def policy_for_rate(rate: float) -> Policy:
    """Return the policy that hardly ever misses a failure with this rate."""
    return repeat.policy_for_rate(rate, missed=TUNING.missed_chance)


# Questions


def run_search(
    state: DiagnosisState,
    search: Search[Any, F],
    view: StepView,
    draft: Callable[[F], Explanation | None] | None = None,
) -> Routine[F]:
    """Run a search until it ends or the step's share of the budget, of trials or of seconds, is used up.

    ``draft`` turns the search's best finding so far into an explanation. A question with more candidates than the share
    allows is asked in parts, so that it does not use up the budget of the later steps.
    """
    limit, before = state.allowance, state.spent
    time_limit, began = state.time_allowance, state.clock()

    def answer(question: Ask[Any]) -> Routine[Any]:
        so_far = (
            state.draft if draft is None or question.best is None else draft(replace(question.best, complete=False))
        )
        answers: list[Outcome | None] = []
        while True:
            free = state.before is not None and state.spent == before  # repeats the turn before
            left = limit - (state.spent - before)
            if not free and (left <= 0 or state.clock() - began >= time_limit):
                return EarlyResult(replace(question.best, complete=False, stopped="budget"))
            rest = question.candidates[len(answers) :]
            part = rest[: max(1, int(min(left, len(rest))))]
            answers += yield from ask(state, replace(question, candidates=part), view, so_far)
            unasked = len(question.candidates) - len(answers)
            if not unasked or any(one is not None and one.verdict is question.until for one in answers):
                return [*answers, *[None] * unasked]

    return (yield from relay(search, answer))


def ask(
    state: DiagnosisState, question: Ask[Any], view: StepView, draft: Explanation | None = None
) -> Routine[list[Outcome | None]]:
    """Ask the lab a question of a step, translated by the view, and return the judged outcomes."""
    candidates = question.candidates
    answers: list[Outcome | None] = [view.answer_without_run(one) for one in candidates]
    if question.fresh and question.until is None:
        for place, one in enumerate(candidates):
            if answers[place] is None and (known := _recall(state, view.show_candidate(one))) is not None:
                answers[place] = _record(state, question, view, one, known, recalled=True)
    rest = [i for i, answer in enumerate(answers) if answer is None]
    asked = _translate(state, question, view, draft)
    while rest:
        shown = LazyCandidates(len(rest), lambda i, now=tuple(rest): view.show_candidate(candidates[now[i]]))  # type: ignore[misc]
        began = state.clock()
        outcomes = yield replace(asked, candidates=shown)
        state.running_seconds += state.clock() - began
        for place, outcome in zip(tuple(rest), outcomes, strict=True):
            if outcome is None:  # the lab stopped at another failure, but the step goes on: ask for the rest
                break
            rest.pop(0)
            answers[place] = judged = _record(state, question, view, candidates[place], outcome)
            if judged.verdict is question.until:
                return [*answers[: place + 1], *[None] * (len(answers) - place - 1)]
    return answers


def _translate(state: DiagnosisState, question: Ask[Any], view: StepView, draft: Explanation | None) -> Ask[Any]:
    """Return the question for the lab, still without its candidates."""
    found = question.best if isinstance(question.best, Finding) else None
    ahead: Iterable[Any] = (
        view.show_candidate(hint) for hint in question.ahead if view.answer_without_run(hint) is None
    )
    note = f"{state.step.name}: {question.note}" if question.note else state.step.name
    repeat = view.policy_for(question.repeat or view.repeat)
    return replace(question, candidates=(), best=state.so_far(draft, found), note=note, ahead=ahead, repeat=repeat)


def _record(
    state: DiagnosisState,
    question: Ask[Any],
    view: StepView,
    candidate: Any,
    outcome: Outcome,
    *,
    recalled: bool = False,
) -> Outcome:
    """Count the outcome of a candidate, report it to the view's listener, and return it as judged by the view."""
    shown, judged = view.show_candidate(candidate), view.judge(outcome)
    attempt = shown.attempt if isinstance(shown, Replay) else None
    key = key_of(shown) if attempt is None else replay_key(key_of(shown.candidate), state.failing_key)
    state.count(key, outcome, attempt=attempt, fresh=question.fresh, recalled=recalled)
    view.on_answer(key, candidate, judged)
    if judged.verdict is not FAIL and outcome.verdict in (FAIL, OTHER):
        state.others.add(shown, outcome)
    return judged


def _recall(state: DiagnosisState, candidate: Any) -> Outcome | None:
    return None if isinstance(candidate, Replay) else state.ledger.recall(key_of(candidate))
