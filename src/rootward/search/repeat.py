"""How many runs decide one verdict, when a failure does not show every time.

A policy looks at the outcomes of a candidate's runs so far, in order, and says what they amount to, or None to ask for
one more. It must decide after ``limit`` runs at the latest, and once it has decided, further runs do not matter: the
lab may run attempts ahead of need and still get the answer that one run after another would give.

A failure is *flaky* if it does not show every time. What is known of it is the rate at which it shows: one that was
given, or an ``Estimate`` of fails in so many runs, whose lower end is the safe side to err on. What follows from the
rate is how many runs it takes not to miss the failure, and that is said here and nowhere else: a single failing run
proves that the fault was triggered, so passing runs are repeated until a miss is unlikely. How unlikely depends on what
a miss does: a search that rests on each verdict must hardly ever miss one, a test that is run every night may.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rootward.errors import InputError
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome, Verdict


class Policy(Protocol):
    """What ``Repeat``'s constructors return."""

    @property
    def limit(self) -> int: ...

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None: ...


@dataclass(frozen=True, slots=True)
class Once:
    """One run decides: for subjects that always do the same."""

    @property
    def limit(self) -> int:
        return 1

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        return outcomes[0] if outcomes else None

    def __str__(self) -> str:
        return "once"


@dataclass(frozen=True, slots=True)
class KOfN:
    """FAIL as soon as ``k`` of at most ``n`` runs fail; otherwise not, as soon as that is out of reach.

    With k = 1 this is DDEnv's deflaking: a non-failure is rerun n - 1 times and any reproduction counts. It never
    misses a failure that shows often, but it accepts candidates that fail once by luck: prefer ``Sequential`` where
    the failure's probability matters.
    """

    k: int
    n: int

    def __post_init__(self) -> None:
        if not 1 <= self.k <= self.n:
            raise InputError(f"k of n needs 1 <= k <= n, not k={self.k}, n={self.n}")

    @property
    def limit(self) -> int:
        return self.n

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        fails = sum(outcome.verdict is FAIL for outcome in outcomes)
        if fails >= self.k:
            return _amount(outcomes, FAIL)
        if len(outcomes) - fails > self.n - self.k:
            return _amount(outcomes, _rest(outcomes))
        return None

    def __str__(self) -> str:
        return f"{self.k} of {self.n}"


@dataclass(frozen=True, slots=True)
class Sequential:
    """Wald's sequential probability ratio test on the probability that a candidate fails.

    FAIL where it fails with probability ``fails`` or more, not FAIL at ``passes`` or less: each wrong answer has
    probability ``error`` at most (up to Wald's approximation). In between either answer is acceptable. Unresolved
    runs are no evidence. After ``limit`` runs the likelier side wins; if nothing was resolved, UNRESOLVED.
    """

    fails: float = 0.5
    passes: float = 0.1
    error: float = 0.05
    limit: int = 60

    def __post_init__(self) -> None:
        if not 0 <= self.passes < self.fails <= 1:
            raise InputError(f"0 <= passes < fails <= 1 is needed, not passes={self.passes}, fails={self.fails}")
        if not 0 < self.error < 0.5 or self.limit < 1:
            raise InputError(f"0 < error < 0.5 and limit >= 1 are needed, not {self.error} and {self.limit}")

    def decide(self, outcomes: Sequence[Outcome]) -> Outcome | None:
        evidence = sum(self._weight(outcome.verdict) for outcome in outcomes)
        bar = math.log((1 - self.error) / self.error)
        if abs(evidence) < bar and len(outcomes) < self.limit:
            return None
        return _amount(outcomes, FAIL if evidence > 0 else _rest(outcomes))

    def _weight(self, verdict: Verdict) -> float:
        """The log likelihood ratio of one run."""
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
        """``once``, ``1of4`` or ``sprt:0.5,0.1,0.05`` (fails, passes, error; each may be left out from the right)."""
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
            raise InputError(f"repeat is once, KofN (such as 1of4) or sprt:FAILS,PASSES,ERROR, not {text!r}") from None


def runs_to_see(rate: float, *, missed: float) -> int:
    """Return how many runs it takes to miss a failure that shows at this rate in at most that share of cases."""
    return 1 if rate >= 1 - missed else math.ceil(math.log(missed) / math.log(1 - rate))


def often_enough(rate: float, *, missed: float) -> Policy:
    """Repeat passing runs until a failure that shows at this rate is missed in at most that share of cases."""
    runs = runs_to_see(rate, missed=missed)
    return Once() if runs == 1 else KOfN(1, runs)


def _amount(outcomes: Sequence[Outcome], verdict: Verdict) -> Outcome:
    """The first outcome with this verdict stands for all runs; its votes say what they were."""
    votes = tuple(outcome.verdict for outcome in outcomes)
    for outcome in outcomes:
        if outcome.verdict is verdict:
            return replace(outcome, votes=votes)
    return Outcome(verdict, votes=votes)


def _rest(outcomes: Sequence[Outcome]) -> Verdict:
    """What runs that do not amount to FAIL amount to."""
    seen = {outcome.verdict for outcome in outcomes}
    return next((verdict for verdict in (PASS, OTHER) if verdict in seen), UNRESOLVED)
