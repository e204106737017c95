"""Covering arrays, made in two ways, of which the shorter one counts.

From an orthogonal array: nothing is wasted where all parameters have about as many values as a finite field has
elements. And parameter by parameter (IPOG, Lei et al. 2007): give each row the new parameter's value that covers most,
then add rows for what is left. Either is then tightened, and the rows that are still free somewhere are completed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.search.design.arrays import orthogonal
from rootward.search.design.constraints import FREE, Box, Constraints, Instance

Ints = NDArray[np.int64]
MAX_ROUNDS = 8
"""Attempts to tighten an array, each in another order."""
MAX_EFFORT = 50_000_000
"""A long array, or one of many columns, is tightened less often, or not at all."""


def covering(
    sizes: Sequence[int] | Ints,
    strength: int,
    *,
    forbidden: Iterable[Box] = (),
    known: Iterable[Instance] = (),
    tight: bool = True,
    rng: np.random.Generator,
) -> list[Instance]:
    """Instances that, with the ``known`` ones, have every combination of values of ``strength`` parameters.

    None of them lies in a forbidden box, and combinations that occur only there are left out; known ones may lie there.
    ``tight``: take ten times as long to save up to a tenth of them.
    """
    if strength < 1:
        raise InputError(f"strength = {strength}: expected how many parameters to combine, 1 or more")
    if not len(sizes):
        return []
    order = np.argsort(-np.asarray(sizes), kind="stable")  # so that the order of the names does not matter
    widths = np.asarray(sizes, dtype=np.int64)[order]
    moved = [{at: box[i] for at, i in enumerate(order.tolist()) if i in box} for box in forbidden]
    constraints = Constraints(widths.tolist(), moved)
    seen = np.array(list(known), dtype=np.int64).reshape(-1, len(widths))[:, order]
    if not constraints.allow([FREE] * len(widths)):
        return []
    array = _shortest(widths, min(strength, len(widths)), constraints, seen, rng if tight else None)
    found = np.array([constraints.complete(row, rng) for row in array.rows.tolist()], dtype=np.int64)
    return [tuple(row) for row in found.reshape(-1, len(widths))[:, np.argsort(order)].tolist()]


def _shortest(
    sizes: Ints, strength: int, constraints: Constraints, known: Ints, rng: np.random.Generator | None
) -> Array:
    """Without ``rng``, none is tightened."""
    made = grown(sizes, strength, constraints, known)
    if rng is not None:
        tighten(made, sizes, strength, known, rng)
    other = regular(sizes, strength, constraints, known, most=2 * len(made))
    if other is None:
        return made
    if rng is not None:
        tighten(other, sizes, strength, known, rng)
    return min(made, other, key=len)


def grown(sizes: Ints, strength: int, constraints: Constraints, known: Ints) -> Array:
    """Parameter by parameter."""
    array = Array(constraints, np.zeros((0, len(sizes)), dtype=np.int64))
    for column in range(strength - 1, len(sizes)):
        table = Combinations(sizes, ((*group, column) for group in combinations(range(column), strength - 1)))
        needed = _needed(table, known)
        for row in array.rows:
            _extend(array, row, column, table, needed)
        _add_rows(array, table, needed)
    return array


def regular(sizes: Ints, strength: int, constraints: Constraints, known: Ints, most: int) -> Array | None:
    """From an orthogonal array of ``most`` rows; None if it has more."""
    rows = orthogonal(int(sizes.max()), len(sizes), strength, most)
    if rows is None:
        return None
    rows = np.where(rows < sizes, rows, FREE)
    array = Array(constraints, rows[[constraints.allow(row) for row in rows.tolist()]])
    table = Combinations(sizes, combinations(range(len(sizes)), strength))
    _add_rows(array, table, _needed(table, np.concatenate([known, array.rows])))
    return array


def _needed(table: Combinations, rows: Ints) -> NDArray[np.bool_]:
    """The combinations that no row has."""
    needed = np.ones(table.count, dtype=bool)
    for row in rows:
        needed[table.of(row)] = False
    return needed


def _extend(array: Array, row: Ints, column: int, table: Combinations, needed: NDArray[np.bool_]) -> None:
    """Give the row the value of a new column, the last of each group, that covers most; none if it covers nothing."""
    row[column] = 0
    numbers = table.of(row)
    row[column] = FREE
    gains = needed[numbers[:, None] + np.arange(table.sizes[column])].sum(axis=0)
    for value in np.argsort(-gains, kind="stable")[: np.count_nonzero(gains)]:
        if array.put(row, np.array([column]), value):
            needed[numbers + value] = False
            return


def _add_rows(array: Array, table: Combinations, needed: NDArray[np.bool_]) -> None:
    """Put each combination into a row that has room for it, or into a new one; nowhere if the constraints forbid it."""
    numbers = np.flatnonzero(needed)
    for number, columns, values in zip(numbers, *table.parts(numbers), strict=True):
        if needed[number]:
            row = _row_for(array, columns, values)
            if row is not None:
                needed[table.of(row)] = False


def _row_for(array: Array, columns: Ints, values: Ints) -> Ints | None:
    for at in array.room(columns, values):
        if array.put(array.rows[at], columns, values):
            return array.rows[at]  # type: ignore[no-any-return]
    row = array.append()
    if array.put(row, columns, values):
        return row
    array.take_out(np.arange(len(array)) == len(array) - 1)
    return None


# Tightening: free the values that no combination needs, drop the rows that then fit into others


def tighten(array: Array, sizes: Ints, strength: int, known: Ints, rng: np.random.Generator) -> None:
    """Make the array shorter; with the known rows, it still covers what it did."""
    if not len(array):
        return
    groups = math.comb(len(sizes), strength)
    effort = len(array) * strength * (groups + 5 * len(array)) + len(sizes) * groups // 4
    rounds = min(MAX_ROUNDS, MAX_EFFORT // effort)
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


# Arrays whose places may be free, and the combinations of values that their rows have


class Array:
    """Rows of places, some of them free, that the constraints let be completed."""

    def __init__(self, constraints: Constraints, rows: Ints) -> None:
        self.constraints, self._rows, self._used = constraints, rows, len(rows)

    def __len__(self) -> int:
        return self._used

    @property
    def rows(self) -> Ints:
        return self._rows[: self._used]

    def append(self) -> Ints:
        """A new row, all free."""
        if self._used == len(self._rows):
            self._rows = np.concatenate([self._rows, np.full((self._used + 16, self._rows.shape[1]), FREE)])
        self._used += 1
        self._rows[self._used - 1] = FREE
        return self.rows[-1]  # type: ignore[no-any-return]

    def take_out(self, dropped: NDArray[np.bool_]) -> None:
        self._rows = self.rows[~dropped]
        self._used = len(self._rows)

    def room(self, columns: Ints, values: Ints) -> NDArray[np.intp]:
        """The rows that have these values or free places there."""
        own = self.rows[:, columns]
        return np.flatnonzero(((own == values) | (own < 0)).all(axis=1))

    def put(self, row: Ints, columns: Ints, values: Ints) -> bool:
        """Give a row these values, if the constraints let it be completed then; whether it has them."""
        before = row[columns]
        row[columns] = values
        if not self.constraints or self.constraints.allow(row.tolist()):
            return True
        row[columns] = before
        return False


class Combinations:
    """The combinations of values of some groups of columns, numbered: one stretch of numbers for each group."""

    def __init__(self, sizes: Ints, groups: Iterable[tuple[int, ...]]) -> None:
        self.sizes = sizes
        self.groups = np.array(list(groups), dtype=np.int64).T  # one row for each member: that way numpy is fast
        own = sizes[self.groups]
        self.strides = np.ones_like(own)
        self.strides[:-1] = np.cumprod(own[:0:-1], axis=0)[::-1]
        ends = np.cumsum(own.prod(axis=0))
        self.starts = np.concatenate([[0], ends[:-1]])
        self.count = int(ends[-1])

    def with_column(self, column: int) -> Combinations:
        """The same, only the groups that have a column."""
        chosen = (self.groups == column).any(axis=0)
        part = copy(self)
        part.groups, part.strides, part.starts = self.groups[:, chosen], self.strides[:, chosen], self.starts[chosen]
        return part

    def of(self, row: Ints) -> Ints:
        """The numbers of those that the row has; a free place is in none."""
        values = row[self.groups]
        numbers = self.starts + (values * self.strides).sum(axis=0)
        return numbers[(values >= 0).all(axis=0)]  # type: ignore[no-any-return]

    def parts(self, numbers: Ints) -> tuple[Ints, Ints]:
        """For each of these combinations, its columns and their values."""
        group = np.searchsorted(self.starts, numbers, side="right") - 1
        columns = self.groups[:, group]
        values = (numbers - self.starts[group]) // self.strides[:, group] % self.sizes[columns]
        return columns.T, values.T
