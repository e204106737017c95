"""Several methods on one planted reduction."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rootward as rw
from peers import picire_peer, reductions
from rootward.verdict import FAIL

Subject = Callable[..., Any]
STEADY = ("auto", "ddmin", "probdd", "picire")
UNSURE = "auto, unsure"
"""Rootward's default, which first finds out whether a failure is flaky. The others, and *auto*, trust a single run."""
COUNTED = (*STEADY, UNSURE)
"""The methods whose runs are counted on failures that show every time."""
FLAKY: dict[str, dict[str, Any]] = {
    "auto": {"method": "auto"},
    "ddmin, one run": {"method": "ddmin"},
    "ddmin, any of 4": {"method": "ddmin", "repeat": "1of4"},
    "probdd, any of 4": {"method": "probdd", "repeat": "1of4"},
}
"""The methods for flaky failures by their names in the tables, with their options for ``rw.reduce``."""
FRESH = 200
"""Number of runs that try to refute a claim."""
MOST = 2000
"""Maximum number of runs on a flaky failure."""


@dataclass(frozen=True)
class Steady:
    """Parameters of a failure that occurs on every run."""

    kind: str
    size: int
    needed: int
    seed: int

    def make(self) -> reductions.Planted:
        return reductions.make(self.kind, self.size, self.needed, self.seed)

    def __str__(self) -> str:
        return f'make("{self.kind}", {self.size}, {self.needed}, {self.seed})'


@dataclass(frozen=True)
class Result:
    """The result of one method."""

    runs: int
    kept: int
    minimal: bool
    """Every element that it kept is needed, checked by removing each of them."""
    seconds: float
    """Processor time without that of the subject."""


@dataclass(frozen=True)
class Solved:
    problem: Steady
    limit: float
    results: dict[str, Result]

    def over_limit(self, method: str) -> float:
        return self.results[method].runs / self.limit

    def over(self, method: str, other: str) -> float:
        return self.results[method].runs / self.results[other].runs


def solve(problem: Steady) -> Solved:
    law = problem.make()
    return Solved(problem, law.limit, {method: _result(law, method) for method in COUNTED})


def _result(law: reductions.Planted, method: str) -> Result:
    subject = Watched(law)
    start = time.process_time()
    if method == "picire":
        kept, runs = picire_peer.reduce(law.size, lambda kept: subject(kept) is FAIL)
    else:
        name, flaky = ("auto", None) if method == UNSURE else (method, False)
        found = rw.reduce(range(law.size), subject, method=name, flaky=flaky)
        kept, runs = found.kept, found.trials
    seconds = time.process_time() - start - subject.seconds
    return Result(runs, len(kept), law.minimal(kept), seconds)


class Watched:
    """A subject that measures its own time."""

    def __init__(self, subject: Subject) -> None:
        self._subject, self.seconds = subject, 0.0

    def __call__(self, kept: list[int]) -> Any:
        start = time.process_time()
        verdict = self._subject(kept)
        self.seconds += time.process_time() - start
        return verdict


# Flaky failures


@dataclass(frozen=True)
class Shaky:
    """Parameters of a flaky failure."""

    kind: str
    size: int
    needed: int
    rate: float
    seed: int
    decided: bool = True
    """The random draw depends on the seed alone, not on the candidate."""

    def make(self) -> reductions.Flaky:
        return reductions.make_flaky(self.kind, self.size, self.needed, self.rate, self.seed, decided=self.decided)

    def __str__(self) -> str:
        decided = "" if self.decided else ", decided=False"
        return f'make_flaky("{self.kind}", {self.size}, {self.needed}, {self.rate}, {self.seed}{decided})'


@dataclass(frozen=True)
class Verified:
    """The result of a method on a flaky failure, and its judgement."""

    problem: Shaky
    method: str
    runs: int
    kept: int
    same: bool
    """It kept exactly the elements needed to fail at the full rate."""
    often: bool
    """The kept elements fail at least half as often as the original."""
    claimed: bool
    """It says that each kept element is needed."""
    refuted: bool
    """If one of them is left out, fresh runs still fail at least half as often as the original."""
    seconds: float

    @property
    def good(self) -> bool:
        """It kept exactly the needed elements, or fewer that fail often enough."""
        return self.same or (self.often and self.kept < self.problem.needed)


def verify(problem: Shaky, method: str) -> Verified:
    law = problem.make()
    start = time.process_time()
    found, wasted = reproduced(range(law.size), law, seed=problem.seed, budget=MOST, **FLAKY[method])
    seconds = time.process_time() - start
    return Verified(
        problem,
        method,
        found.trials + wasted,
        len(found.kept),
        same=frozenset(found.kept) == law.needed,
        often=law.chance(found.kept) >= law.rate / 2,
        claimed=found.minimal and found.complete,
        refuted=found.minimal and found.complete and refuted(law, found.kept),
        seconds=seconds,
    )


def reproduced(elements: Any, subject: Subject, *, seed: int, **options: Any) -> tuple[Any, int]:
    """Reduce a failure that may not occur at first; return the reduction and the number of wasted runs."""
    for wasted in itertools.count():
        try:
            return rw.reduce(elements, subject, seed=1000 * seed + wasted, **options), wasted
        except rw.NotReproduced:
            continue
    raise AssertionError


def refuted(law: reductions.Flaky, kept: list[int]) -> bool:
    for i in kept:
        less = [j for j in kept if j != i]
        fails = sum(law(less, seed=2**31 + seed) is FAIL for seed in range(FRESH))
        if fails >= FRESH * law.rate / 2:
            return True
    return False
