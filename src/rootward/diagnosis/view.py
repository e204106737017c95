"""How a step sees the subject: in which form candidates are run, and what a run means for the failure it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rootward.repeat import Once, Policy
from rootward.rules import Rule
from rootward.search import Replay
from rootward.verdict import FAIL, OTHER, UNRESOLVED, Outcome, Verdict

ONCE = Once()
EXPLAINED = Outcome(UNRESOLVED, detail="it fails for a reason that is known")
BARRED = Outcome(UNRESOLVED, detail="it must not be run")


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
