"""How much was tried: which share of the listed values, and of their pairs, occurred in some run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rootward.design import Instance

PAIRED = 400
"""Of so many pairs of fields all pairs of values are followed; of more, a random sample is."""


@dataclass(frozen=True)
class Covered:
    """Shares, from 0 to 1. ``pairs`` is None with a single field, and an estimate if only some were ``sampled``."""

    values: float = 0.0
    pairs: float | None = None
    sampled: bool = False


class Coverage:
    """Fields with so many listed values each, and what occurred of them."""

    def __init__(self, sizes: NDArray[np.int64], seed: int) -> None:
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._values = np.zeros(int(sizes.sum()), dtype=bool)
        self._sampled = math.comb(len(sizes), 2) > PAIRED
        self._one, self._two = _pairs(len(sizes), seed).T
        counts = sizes[self._one] * sizes[self._two]
        self._widths = sizes[self._two]
        self._offsets = np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(counts) else counts
        self._pairs = np.zeros(int(counts.sum()), dtype=bool)

    def tell(self, places: Instance) -> None:
        row = np.array(places, dtype=np.int64)
        listed = row >= 0
        self._values[(self._starts + row)[listed]] = True
        one, two = row[self._one], row[self._two]
        both = (one >= 0) & (two >= 0)
        self._pairs[(self._offsets + one * self._widths + two)[both]] = True

    @property
    def covered(self) -> Covered:
        pairs = float(self._pairs.mean()) if len(self._pairs) else None
        return Covered(float(self._values.mean()), pairs, self._sampled)


def _pairs(count: int, seed: int) -> NDArray[np.int64]:
    """Pairs of fields, each with the smaller number first."""
    if math.comb(count, 2) <= PAIRED:
        return np.array(list(combinations(range(count), 2)), dtype=np.int64).reshape(-1, 2)
    rng = np.random.default_rng([seed, count])
    drawn = np.sort(rng.integers(0, count, size=(4 * PAIRED, 2)), axis=1)
    distinct = np.unique(drawn[drawn[:, 0] < drawn[:, 1]], axis=0)
    return rng.permutation(distinct)[:PAIRED]
