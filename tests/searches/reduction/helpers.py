"""What the tests of reductions share: places, and a driver that answers a search without a lab."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rootward.search.ask import Ask, Replay, Search
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Surroundings
from rootward.searches.reduction.tracks import Point
from rootward.space.candidate import Selection
from rootward.verdict import FAIL, PASS, Outcome, Verdict

Kept = tuple[int, ...]
Says = Callable[[Kept], Verdict]
Seeded = Callable[[Kept, int], Verdict]
"""What a subject says that is given a seed."""


def points(places: Sequence[Sequence[float] | None]) -> tuple[Point | None, ...]:
    """The places as a scene has them."""
    return Surroundings.of(range(len(places)), places).positions


def needs(*culprits: int) -> Says:
    return lambda kept: FAIL if set(culprits) <= set(kept) else PASS


def one_of(ways: Iterable[frozenset[int]]) -> Says:
    """Fails if all the culprits of at least one way to fail are there."""
    every = list(ways)
    return lambda kept: FAIL if any(way <= set(kept) for way in every) else PASS


def flaky(says: Says, rate: float, seed: int, leak: float = 0.0) -> Says:
    """Fails at that rate where it should, and at ``leak`` where it should not; each run is another draw."""
    rng = random.Random(f"flaky {seed}")
    return lambda kept: FAIL if rng.random() < (rate if says(kept) is FAIL else leak) else PASS


def decided(says: Says, rate: float, seed: int) -> Seeded:
    """Fails with that part of the seeds where it should, and then with each of them always."""
    return lambda kept, given: FAIL if says(kept) is FAIL and draw(seed, given) < rate else PASS


def draw(seed: int, given: int) -> float:
    return random.Random(f"decided {seed} {given}").random()


@dataclass
class Driver:
    """Answers a search as a lab would, as far as these tests need: what is known is not run again unless fresh, and a
    replay never. The seed of a replay is the number of its attempt; other runs have seeds of their own, below zero."""

    says: Says
    reports: Callable[[Kept], dict[str, Any]] = lambda kept: {}
    """What else an outcome holds."""
    asks: list[Ask[Any]] = field(default_factory=list)
    runs: list[Kept] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    """What each of the runs said."""
    memo: dict[Kept, Outcome] = field(default_factory=dict)
    replays: dict[tuple[Kept, int], Outcome] = field(default_factory=dict)
    """Each replay by what was run, and the number of the attempt."""
    seeded: Seeded | None = None
    """Asked instead of ``says`` if the seed matters."""

    def __call__(self, search: Search[Selection[Any], Reduction[Any]]) -> Reduction[Any]:
        answers: Any = None
        while True:
            try:
                ask = search.send(answers)
            except StopIteration as end:
                return end.value
            self.asks.append(ask)
            answers = self._answers(ask)

    def _answers(self, ask: Ask[Any]) -> list[Outcome | None]:
        answers: list[Outcome | None] = []
        for candidate in ask.candidates:
            answers.append(self._answer(candidate, ask))
            if answers[-1] is not None and answers[-1].verdict is ask.until:
                break
        return answers + [None] * (len(ask.candidates) - len(answers))

    def _answer(self, candidate: Any, ask: Ask[Any]) -> Outcome:
        if isinstance(candidate, Replay):
            return self.replay(candidate.candidate.kept, candidate.attempt)
        return self.run(candidate.kept, fresh=ask.fresh)

    def run(self, kept: Kept, *, fresh: bool) -> Outcome:
        if fresh or kept not in self.memo:
            self.memo[kept] = self._made(kept, -1 - len(self.runs))
        return self.memo[kept]

    def replay(self, kept: Kept, attempt: int) -> Outcome:
        if (kept, attempt) not in self.replays:
            self.replays[kept, attempt] = self._made(kept, attempt)
        return self.replays[kept, attempt]

    def _made(self, kept: Kept, seed: int) -> Outcome:
        self.runs.append(kept)
        self.verdicts.append(self.says(kept) if self.seeded is None else self.seeded(kept, seed))
        return Outcome(self.verdicts[-1], **self.reports(kept))
