"""Runs that would show a cause to be wrong.

Pairs: each part of a cause should be backed by two runs that differ in nothing else, one that passes and one, inside of
the cause, that fails; where the second is missing, it is run. Near: other passing runs, moved into the cause by few
changes: where they pass, no other cause is at work. Far: anything else inside of the cause, at values that no failing
run inside of it has had. No other cause may cover a challenge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.design import Box, Instance
from rootward.searches.causes.beliefs import Beliefs, Codes
from rootward.searches.causes.runs import Runs

DRAWN = 64
PAIRED = 1000
"""Pairs are looked at where all parameters together have no more values than this."""
Slot = NDArray[np.int16]


def challenges(
    beliefs: Beliefs,
    slot: Slot,
    slots: Sequence[Slot],
    runs: Runs,
    usable: Callable[[NDArray[np.int64]], bool],
    count: int,
    rng: np.random.Generator,
) -> list[Instance]:
    """So many instances inside of a cause: pairs first, then near ones and far ones in turn."""
    box, codes = beliefs.box(slot), runs.codes.astype(np.int64)
    novelty = _Novelty(codes[beliefs.covers(codes, slot[None, None])[0, 0]], runs.pipeline.sizes)
    others = [one for one in slots if one is not slot]
    sizes = runs.pipeline.sizes
    near = _moved(codes[runs.fails == 0], box, sizes, rng)
    far = _inside(rng.integers(0, sizes, size=(DRAWN, len(sizes))), box, rng)
    kinds = [_clear(rows, others, beliefs) for rows in (near, far) if len(rows)]
    kinds = [*_pairs(codes, runs.fails == 0, box, rng), *kinds * count][:count]
    found: list[Instance] = []
    for rows in kinds:
        for i in np.argsort(-novelty.of(rows), kind="stable"):
            one = tuple(map(int, rows[i]))
            if one not in found and usable(rows[i]):
                found.append(one)
                novelty.add(rows[i])
                break
    return found


class _Novelty:
    """How new the values of an instance, and pairs of them, are among those inside of the cause."""

    def __init__(self, inside: Codes, sizes: NDArray[np.int64]) -> None:
        self._first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        total = int(sizes.sum())
        self._pairs = total <= PAIRED
        self._seen = np.zeros((total, total if self._pairs else 1))
        for row in inside:
            self.add(row)

    def _at(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        places = self._first + row
        return np.ix_(places, places) if self._pairs else np.ix_(places, np.zeros(1, dtype=np.int64))

    def add(self, row: NDArray[np.int64]) -> None:
        self._seen[self._at(row)] += 1

    def of(self, rows: Codes) -> NDArray[np.float64]:
        scores = [1 / (1 + self._seen[self._at(row)]) for row in rows]
        return np.array([score.sum() + len(score) * score.diagonal().sum() for score in scores])


def _pairs(codes: Codes, passed: NDArray[np.bool_], box: Box, rng: np.random.Generator) -> list[Codes]:
    """For each part of the cause without a pair: passing runs that violate it alone, moved into the cause."""
    wrong = np.stack([~mask[codes[:, p]] for p, mask in box.items()]) if box else np.zeros((0, len(codes)), dtype=bool)
    inside = codes[~wrong.any(axis=0)]
    found = []
    for at, p in enumerate(box):
        alone = codes[passed & wrong[at] & (wrong.sum(axis=0) == 1)]
        apart = [(inside != one).sum(axis=1) for one in alone]
        paired = [
            bool(((count == 1) & (inside[:, p] != one[p])).any()) for one, count in zip(alone, apart, strict=True)
        ]
        if len(alone) and not any(paired):
            found.append(_inside(np.repeat(alone, 4, axis=0), {p: box[p]}, rng))
    return found


def _clear(rows: Codes, others: Sequence[Slot], beliefs: Beliefs) -> Codes:
    """Those that no other cause covers, if there are any."""
    if not others:
        return rows
    clear = ~beliefs.covers(rows, np.array(others)[None])[0].any(axis=0)
    return rows[clear] if clear.any() else rows


def _moved(passing: Codes, box: Box, sizes: NDArray[np.int64], rng: np.random.Generator) -> Codes:
    """Passing runs, changed so that the cause holds; those that need the fewest changes, half of them with one more."""
    if not len(passing):
        return passing
    wrong = sum((~mask[passing[:, p]]).astype(np.int64) for p, mask in box.items()) + np.zeros(len(passing), np.int64)
    order = np.argsort(wrong, kind="stable")
    order = order[wrong[order] <= max(1, wrong[order[0]])][:DRAWN]
    rows = np.repeat(passing[order], max(2, DRAWN // len(order)), axis=0)
    at = rng.integers(rows.shape[1], size=len(rows) // 2)
    rows[: len(at)][np.arange(len(at)), at] = rng.integers(0, sizes[at])
    return _inside(rows, box, rng)


def _inside(rows: Codes, box: Box, rng: np.random.Generator) -> Codes:
    """The rows, with values that the cause does not allow replaced by such as it does."""
    for p, mask in box.items():
        wrong = ~mask[rows[:, p]]
        rows[wrong, p] = rng.choice(np.flatnonzero(mask), size=int(wrong.sum()))
    return rows
