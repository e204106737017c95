"""What the tests of reductions share: places, and a driver that answers a search without a lab."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rootward.candidate import Selection
from rootward.search import Ask, Search
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Point, Surroundings
from rootward.verdict import FAIL, PASS, Outcome, Verdict

Kept = tuple[int, ...]
Says = Callable[[Kept], Verdict]


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


@dataclass
class Driver:
    """Answers a search as a lab would, as far as these tests need: what is known is not run again unless fresh."""

    says: Says
    reports: Callable[[Kept], dict[str, Any]] = lambda kept: {}
    """What else an outcome holds."""
    asks: list[Ask[Any]] = field(default_factory=list)
    runs: list[Kept] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    """What each of the runs said."""
    memo: dict[Kept, Outcome] = field(default_factory=dict)

    def __call__(self, search: Search[Selection[Any], Reduction[Any]]) -> Reduction[Any]:
        answers: Any = None
        while True:
            try:
                ask = search.send(answers)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            self.asks.append(ask)
            answers = self._answers(ask)

    def _answers(self, ask: Ask[Any]) -> list[Outcome | None]:
        answers: list[Outcome | None] = []
        for candidate in ask.candidates:
            answers.append(self.run(candidate.kept, fresh=ask.fresh))
            if answers[-1] is not None and answers[-1].verdict is ask.until:
                break
        return answers + [None] * (len(ask.candidates) - len(answers))

    def run(self, kept: Kept, *, fresh: bool) -> Outcome:
        if fresh or kept not in self.memo:
            self.runs.append(kept)
            self.verdicts.append(self.says(kept))
            self.memo[kept] = Outcome(self.verdicts[-1], **self.reports(kept))
        return self.memo[kept]
