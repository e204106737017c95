"""One planted reduction, several methods, and what each of them did with it."""

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
FLAKY: dict[str, dict[str, Any]] = {
    "auto": {"method": "auto"},
    "ddmin, one run": {"method": "ddmin"},
    "ddmin, any of 4": {"method": "ddmin", "repeat": "1of4"},
    "probdd, any of 4": {"method": "probdd", "repeat": "1of4"},
}
"""What each method is called in the tables of flaky failures, and what ``rw.reduce`` is told."""
FRESH = 200
"""Runs that try to refute a claim."""
MOST = 2000
"""Runs after which a flaky failure is left as it is."""


@dataclass(frozen=True)
class Steady:
    """A failure that shows every time: how to make it again."""

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
    """What one method did."""

    runs: int
    kept: int
    minimal: bool
    """Whether every single element that it kept is needed, tried by brute force."""
    seconds: float
    """Of processor time, without the subject's own."""


@dataclass(frozen=True)
class Solved:
    problem: Steady
    limit: float
    results: dict[str, Result]

    def over_limit(self, method: str) -> float:
        return self.results[method].runs / self.limit

    def over(self, method: str, other: str) -> float:
        return self.results[method].runs / self.results[other].runs


def solve(problem: Steady, methods: tuple[str, ...] = STEADY) -> Solved:
    law = problem.make()
    return Solved(problem, law.limit, {method: _result(law, method) for method in methods})


def _result(law: reductions.Planted, method: str) -> Result:
    subject = Watched(law)
    start = time.process_time()
    if method == "picire":
        kept, runs = picire_peer.reduce(law.size, lambda kept: subject(kept) is FAIL)
    else:
        found = rw.reduce(range(law.size), subject, method=method)
        kept, runs = found.kept, found.trials
    seconds = time.process_time() - start - subject.seconds
    return Result(runs, len(kept), law.minimal(kept), seconds)


class Watched:
    """A subject, and how long it takes."""

    def __init__(self, subject: Subject) -> None:
        self._subject, self.seconds = subject, 0.0

    def __call__(self, kept: list[int]) -> Any:
        start = time.process_time()
        verdict = self._subject(kept)
        self.seconds += time.process_time() - start
        return verdict


# Failures that do not show every time


@dataclass(frozen=True)
class Shaky:
    """A flaky failure: how to make it again."""

    kind: str
    size: int
    needed: int
    rate: float
    seed: int
    decided: bool = True
    """Whether the seed decides if it fails."""

    def make(self) -> reductions.Flaky:
        return reductions.make_flaky(self.kind, self.size, self.needed, self.rate, self.seed, decided=self.decided)

    def __str__(self) -> str:
        decided = "" if self.decided else ", decided=False"
        return f'make_flaky("{self.kind}", {self.size}, {self.needed}, {self.rate}, {self.seed}{decided})'


@dataclass(frozen=True)
class Verified:
    """What a method did with a flaky failure, and what is true of it."""

    problem: Shaky
    method: str
    runs: int
    kept: int
    same: bool
    """It kept what is needed to fail at the full rate, and nothing else."""
    often: bool
    """What it kept fails at least half as often as the original."""
    claimed: bool
    """It says that each kept element is needed."""
    refuted: bool
    """Without one of them, fresh runs fail at least half as often as the original does."""
    seconds: float

    @property
    def good(self) -> bool:
        """The same as if it failed every time, or fewer that fail often enough."""
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
    """A reduction of a failure that may not show at first, and how many runs were wasted on that."""
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
