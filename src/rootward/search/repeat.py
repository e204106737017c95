"""Policies that decide one verdict from several runs, for failures that do not show every time.

A policy looks at the outcomes of a candidate's runs so far, in order, and returns the combined outcome, or None to ask
for one more run. It must decide after ``limit`` runs at the latest. Once it has decided, further runs do not change the
result, so the lab can run attempts in advance and still get the answer that one run after another would give.

A failure is *flaky* if it does not show every time. It is described by the rate at which it shows: a given number, or
an ``Estimate`` from failures counted in a number of runs, whose lower end is the safe choice. The rate determines the
number of runs needed not to miss the failure, and this module is the only place that computes it: a single failing run
proves that the fault was triggered, so passing runs are repeated until a miss is unlikely. The tolerable chance of a
miss depends on its consequence: a search that relies on each verdict must hardly ever miss a failure, a nightly test
may.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rootward.errors import InputError
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome, Verdict


class Policy(Protocol):
    """Decides a verdict from the outcomes of several runs; the constructors of ``Repeat`` return one."""

    @property
    def limit(self) -> int: ...

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None: ...


@dataclass(frozen=True, slots=True)
class Once:
    """One run decides: for deterministic subjects."""

    @property
    def limit(self) -> int:
        return 1

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        return outcomes[0] if outcomes else None

    def __str__(self) -> str:
        return "once"


@dataclass(frozen=True, slots=True)
class KOfN:
    """FAIL as soon as ``k`` of at most ``n`` runs fail. Another verdict as soon as this can no longer happen.

    With k = 1 this is DDEnv's deflaking: a run that does not fail is repeated up to n - 1 times, and any failure
    counts. It hardly ever misses a failure that shows often, but it accepts candidates that fail once by luck: prefer
    ``Sequential`` where the probability of the failure matters.
    """

    k: int
    n: int

    def __post_init__(self) -> None:
        if not 1 <= self.k <= self.n:
            raise InputError(f"repeat {self.k}of{self.n}: expected KofN with 1 <= K <= N, such as 1of4")

    @property
    def limit(self) -> int:
        return self.n

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        fails = sum(outcome.verdict is FAIL for outcome in outcomes)
        if fails >= self.k:
            return _combine(outcomes, FAIL)
        if len(outcomes) - fails > self.n - self.k:
            return _combine(outcomes, _verdict_without_fail(outcomes))
        return None

    def __str__(self) -> str:
        return f"{self.k} of {self.n}"


@dataclass(frozen=True, slots=True)
class Sequential:
    """Wald's sequential probability ratio test on the probability that a candidate fails.

    The verdict is FAIL if this probability is at least ``fails``, and another one if it is at most ``passes``. Either
    answer is wrong with probability ``error`` at most (up to Wald's approximation). Between ``passes`` and ``fails``,
    both answers are acceptable. Unresolved runs do not count. After ``limit`` runs the likelier side wins; if no run
    was resolved, the verdict is UNRESOLVED.
    """

    fails: float = 0.5
    passes: float = 0.1
    error: float = 0.05
    limit: int = 60

    def __post_init__(self) -> None:
        if not 0 <= self.passes < self.fails <= 1:
            found = f"fails={self.fails}, passes={self.passes}"
            raise InputError(f"repeat sprt with {found}: expected 0 <= passes < fails <= 1")
        if not 0 < self.error < 0.5 or self.limit < 1:
            found = f"error={self.error}, limit={self.limit}"
            raise InputError(f"repeat sprt with {found}: expected 0 < error < 0.5 and limit >= 1")

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        evidence = sum(self._weight(outcome.verdict) for outcome in outcomes)
        bar = math.log((1 - self.error) / self.error)
        if abs(evidence) < bar and len(outcomes) < self.limit:
            return None
        return _combine(outcomes, FAIL if evidence > 0 else _verdict_without_fail(outcomes))

    def _weight(self, verdict: Verdict) -> float:
        """Return the log likelihood ratio of one run."""
        if verdict is UNRESOLVED:
            return 0.0
        often, rarely = (self.fails, self.passes) if verdict is FAIL else (1 - self.fails, 1 - self.passes)
        if rarely == 0.0:
            return math.inf
        return math.log(often / rarely) if often > 0.0 else -math.inf

    def __str__(self) -> str:
        return (
            f"sequential test ({self.fails:g} against {self.passes:g}, error {self.error:g}, {self.limit} runs at most)"
        )


class Repeat:
    """The policies by name, for the ``repeat=`` option of every verb."""

    once = Once
    k_of_n = KOfN
    sequential = Sequential

    @staticmethod
    def parse(text: str) -> Policy:
        """Read a policy: ``once``, ``1of4`` or ``sprt:0.5,0.1,0.05``.

        The numbers after ``sprt`` are fails, passes and error; the later ones are optional.
        """
        head, _, tail = text.strip().lower().partition(":")
        try:
            if head == "once" and not tail:
                return Once()
            if head == "sprt":
                numbers = [float(part) for part in tail.split(",")] if tail else []
                usual = Sequential()
                fails, passes, error = [*numbers, *(usual.fails, usual.passes, usual.error)[len(numbers) :]]
                return Sequential(fails, passes, error)
            k, n = text.lower().split("of")
            return KOfN(int(k), int(n))
        except (ValueError, TypeError) as error:
            if isinstance(error, InputError):
                raise
            expected = "once, KofN (such as 1of4) or sprt:FAILS,PASSES,ERROR"
            raise InputError(f"repeat = {text!r}: expected {expected}") from None


def runs_to_see(rate: float, *, missed: float) -> int:
    """Return the number of runs needed to see a failure with this rate.

    That many runs all miss it in at most the share ``missed`` of cases.
    """
    return 1 if rate >= 1 - missed else math.ceil(math.log(missed) / math.log(1 - rate))


def policy_for_rate(rate: float, *, missed: float) -> Policy:
    """Return a policy that repeats passing runs often enough to see a failure with this rate.

    The failure is missed in at most the share ``missed`` of cases.
    """
    runs = runs_to_see(rate, missed=missed)
    return Once() if runs == 1 else KOfN(1, runs)


def _combine(outcomes: Sequence[Outcome], verdict: Verdict) -> Outcome:
    """Return the first outcome with this verdict, as the result of all runs.

    Its votes are the verdicts of all runs.
    """
    votes = tuple(outcome.verdict for outcome in outcomes)
    for outcome in outcomes:
        if outcome.verdict is verdict:
            return replace(outcome, votes=votes)
    return Outcome(verdict, votes=votes)


def _verdict_without_fail(outcomes: Sequence[Outcome]) -> Verdict:
    """Return the combined verdict of runs that are not enough for FAIL."""
    seen = {outcome.verdict for outcome in outcomes}
    return next((verdict for verdict in (PASS, OTHER) if verdict in seen), UNRESOLVED)
