"""Tightening a covering array: free the values that no combination needs, drop the rows that then fit into others."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rootward.design.array import Array, Combinations, Ints
from rootward.design.constraints import FREE

ROUNDS = 8
"""How often it is tried, each time in another order."""
EFFORT = 50_000_000
"""A long array, or one of many columns, is tightened less often, or not at all."""


def tighten(array: Array, sizes: Ints, strength: int, known: Ints, rng: np.random.Generator) -> None:
    """Make the array shorter; with the known rows, it still covers what it did."""
    if not len(array):
        return
    groups = math.comb(len(sizes), strength)
    effort = len(array) * strength * (groups + 5 * len(array)) + len(sizes) * groups // 4
    rounds = min(ROUNDS, EFFORT // effort)
    if rounds:
        table = Combinations(sizes, combinations(range(len(sizes)), strength))
        tightening = _Tightening(array, table, known, len(sizes))
        for _ in range(rounds):
            tightening.round(rng)


class _Tightening:
    """An array, and how many rows have each combination."""

    def __init__(self, array: Array, table: Combinations, known: Ints, columns: int) -> None:
        self.array, self.table = array, table
        self.counts = np.zeros(table.count, dtype=np.int64)
        for row in (*known, *array.rows):
            self.counts[table.of(row)] += 1
        self.around = [table.with_column(i) for i in range(columns)]

    def round(self, rng: np.random.Generator) -> None:
        rows = self.array.rows
        for at in rng.permutation(len(rows)):
            self._loosen(rows[at], rng)
        dropped = np.zeros(len(rows), dtype=bool)
        for at in np.argsort((rows >= 0).sum(axis=1), kind="stable"):
            dropped[at] = True
            dropped[at] = self._drop(int(at), dropped)
        self.array.take_out(dropped)

    def _loosen(self, row: Ints, rng: np.random.Generator) -> None:
        """Free the places that occur only in combinations which other rows have, too."""
        for i in rng.permutation(len(row)):
            if row[i] >= 0:
                numbers = self.around[i].of(row)
                if (self.counts[numbers] > 1).all():
                    self.counts[numbers] -= 1
                    row[i] = FREE

    def _drop(self, at: int, dropped: NDArray[np.bool_]) -> bool:
        """Move the combinations that a row alone has into rows that stay; if one fits nowhere, all is as before."""
        own = self.table.of(self.array.rows[at])
        self.counts[own] -= 1
        alone = own[self.counts[own] == 0]
        moves: list[tuple[int, Ints]] = []
        if not self._fit(alone, dropped) or not self._moved(alone, dropped, moves):
            for other, before in reversed(moves):
                self._change(other, before)
            self.counts[own] += 1
            return False
        return True

    def _fit(self, numbers: Ints, dropped: NDArray[np.bool_]) -> bool:
        """Whether there is room for each of these alone: without that, there is no use in moving any."""
        columns, values = self.table.parts(numbers)
        there = self.array.rows[~dropped][:, columns]
        return bool(((there == values) | (there < 0)).all(axis=2).any(axis=0).all())

    def _moved(self, numbers: Ints, dropped: NDArray[np.bool_], moves: list[tuple[int, Ints]]) -> bool:
        """Whether each of these has a place now; ``moves`` gets what the changed rows were."""
        for number, columns, values in zip(numbers, *self.table.parts(numbers), strict=True):
            if self.counts[number] == 0 and not self._move(columns, values, dropped, moves):
                return False
        return True

    def _move(self, columns: Ints, values: Ints, dropped: NDArray[np.bool_], moves: list[tuple[int, Ints]]) -> bool:
        for at in self.array.room(columns, values):
            after = self.array.rows[at].copy()
            if not dropped[at] and self.array.put(after, columns, values):
                moves.append((int(at), self.array.rows[at].copy()))
                self._change(int(at), after)
                return True
        return False

    def _change(self, at: int, after: Ints) -> None:
        row = self.array.rows[at]
        for i in np.flatnonzero(row != after):
            self.counts[self.around[i].of(row)] -= 1
            row[i] = after[i]
            self.counts[self.around[i].of(row)] += 1
