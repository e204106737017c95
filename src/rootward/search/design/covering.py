"""Build a covering array: few instances that together contain every combination of values of any t parameters.

Two constructions compete, and the shorter array wins:

* *From an orthogonal array* (``_from_orthogonal``). It has every combination exactly once, so it wastes nothing if all
  parameters have about as many values as a finite field has elements. Values that a parameter does not have are left
  free, rows that the constraints forbid are dropped, and rows are added for the combinations that are then missing.
* *Parameter by parameter* (``_grow``; IPOG, Lei et al. 2007). Extend each existing row with the value of the new
  parameter that covers most combinations that are still needed, then add rows for those that are left.

A place of a row stays *free* as long as no combination needs it. Rows are then tightened (``_tighten``): values that no
combination needs are freed again, and a row is dropped if its combinations fit into the free places of other rows.
Rounds of this in random orders shorten an array by up to a tenth, so the effort is limited. At last the remaining free
places get random values that the constraints allow.

Combinations are numbered (``ValueCombinations``): "which are still needed?" is a mask over these numbers, and "how many
rows have each?" an array of counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.search.design.arrays import orthogonal_array
from rootward.search.design.constraints import FREE, Box, Constraints, Instance

Ints = NDArray[np.int64]
MAX_ROUNDS = 8
"""Maximum number of rounds that tighten an array, each in another order."""
MAX_EFFORT = 50_000_000
"""Limit on rounds times the estimated cost of a round. A long or wide array gets fewer rounds, or none."""


def covering_array(
    sizes: Sequence[int] | Ints,
    strength: int,
    *,
    forbidden: Iterable[Box] = (),
    known: Iterable[Instance] = (),
    tight: bool = True,
    rng: np.random.Generator,
) -> list[Instance]:
    """Return instances that cover every combination of values of any ``strength`` parameters.

    Combinations in the ``known`` instances count as covered. No new instance lies in a forbidden box, and combinations
    that occur only in forbidden boxes are left out. ``tight`` takes ten times as long and saves up to a tenth of the
    instances.
    """
    if strength < 1:
        raise InputError(f"strength = {strength}: expected the number of parameters to combine, 1 or more")
    if not len(sizes):
        return []
    order = np.argsort(-np.asarray(sizes), kind="stable")  # the order of the names must not matter
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
    """Build one array parameter by parameter and one from an orthogonal array, and return the shorter one.

    The arrays are tightened only if ``rng`` is given.
    """
    grown = _grow(sizes, strength, constraints, known)
    if rng is not None:
        _tighten(grown, sizes, strength, known, rng)
    regular = _from_orthogonal(sizes, strength, constraints, known, max_rows=2 * len(grown))
    if regular is None:
        return grown
    if rng is not None:
        _tighten(regular, sizes, strength, known, rng)
    return min(grown, regular, key=len)


def _grow(sizes: Ints, strength: int, constraints: Constraints, known: Ints) -> Array:
    """Build a covering array parameter by parameter."""
    array = Array(constraints, np.zeros((0, len(sizes)), dtype=np.int64))
    for column in range(strength - 1, len(sizes)):
        table = ValueCombinations(sizes, ((*group, column) for group in combinations(range(column), strength - 1)))
        needed = _find_missing(table, known)
        for row in array.rows:
            _extend(array, row, column, table, needed)
        _add_rows(array, table, needed)
    return array


def _from_orthogonal(sizes: Ints, strength: int, constraints: Constraints, known: Ints, max_rows: int) -> Array | None:
    """Build a covering array from an orthogonal one. Return None if the latter has more than ``max_rows`` rows."""
    rows = orthogonal_array(int(sizes.max()), len(sizes), strength, max_rows)
    if rows is None:
        return None
    rows = np.where(rows < sizes, rows, FREE)
    array = Array(constraints, rows[[constraints.allow(row) for row in rows.tolist()]])
    table = ValueCombinations(sizes, combinations(range(len(sizes)), strength))
    _add_rows(array, table, _find_missing(table, np.concatenate([known, array.rows])))
    return array


def _find_missing(table: ValueCombinations, rows: Ints) -> NDArray[np.bool_]:
    """Return a mask of the combinations that no row has."""
    needed = np.ones(table.count, dtype=bool)
    for row in rows:
        needed[table.of(row)] = False
    return needed


def _extend(array: Array, row: Ints, column: int, table: ValueCombinations, needed: NDArray[np.bool_]) -> None:
    """Set the new column of a row to the value that covers the most needed combinations.

    If no value covers any, the place stays free. The new column is the last of each group of ``table``.
    """
    row[column] = 0
    numbers = table.of(row)
    row[column] = FREE
    gains = needed[numbers[:, None] + np.arange(table.sizes[column])].sum(axis=0)
    for value in np.argsort(-gains, kind="stable")[: np.count_nonzero(gains)]:
        if array.put(row, np.array([column]), value):
            needed[numbers + value] = False
            return


def _add_rows(array: Array, table: ValueCombinations, needed: NDArray[np.bool_]) -> None:
    """Put each needed combination into a row that has room for it, or into a new row.

    Combinations that the constraints forbid are skipped.
    """
    numbers = np.flatnonzero(needed)
    for number, columns, values in zip(numbers, *table.parts(numbers), strict=True):
        if needed[number]:
            row = _put_somewhere(array, columns, values)
            if row is not None:
                needed[table.of(row)] = False


def _put_somewhere(array: Array, columns: Ints, values: Ints) -> Ints | None:
    for at in array.room(columns, values):
        if array.put(array.rows[at], columns, values):
            return array.rows[at]  # type: ignore[no-any-return]
    row = array.append()
    if array.put(row, columns, values):
        return row
    array.remove(np.arange(len(array)) == len(array) - 1)
    return None


# Tightening: free the values that no combination needs, drop the rows that then fit into others


def _tighten(array: Array, sizes: Ints, strength: int, known: Ints, rng: np.random.Generator) -> None:
    """Make the array shorter. Together with the ``known`` rows, it still covers the same combinations."""
    if not len(array):
        return
    groups = math.comb(len(sizes), strength)
    effort = len(array) * strength * (groups + 5 * len(array)) + len(sizes) * groups // 4
    rounds = min(MAX_ROUNDS, MAX_EFFORT // effort)
    if rounds:
        table = ValueCombinations(sizes, combinations(range(len(sizes)), strength))
        tightening = _Tightening(array, table, known, len(sizes))
        for _ in range(rounds):
            tightening.round(rng)


class _Tightening:
    """An array to be shortened, and for each combination the number of rows that have it."""

    def __init__(self, array: Array, table: ValueCombinations, known: Ints, columns: int) -> None:
        self.array, self.table = array, table
        self.counts = np.zeros(table.count, dtype=np.int64)
        for row in (*known, *array.rows):
            self.counts[table.of(row)] += 1
        self.around = [table.with_column(i) for i in range(columns)]

    def round(self, rng: np.random.Generator) -> None:
        """Free values in random order, then drop rows that fit into other rows.

        Rows with the fewest values are dropped first.
        """
        rows = self.array.rows
        for at in rng.permutation(len(rows)):
            self._loosen(rows[at], rng)
        dropped = np.zeros(len(rows), dtype=bool)
        for at in np.argsort((rows >= 0).sum(axis=1), kind="stable"):
            dropped[at] = True
            dropped[at] = self._drop(int(at), dropped)
        self.array.remove(dropped)

    def _loosen(self, row: Ints, rng: np.random.Generator) -> None:
        """Free the values of a row that are not needed because other rows have all their combinations, too."""
        for i in rng.permutation(len(row)):
            if row[i] >= 0:
                numbers = self.around[i].of(row)
                if (self.counts[numbers] > 1).all():
                    self.counts[numbers] -= 1
                    row[i] = FREE

    def _drop(self, at: int, dropped: NDArray[np.bool_]) -> bool:
        """Move the combinations that only this row has into other rows, and return True.

        If one of them fits nowhere, undo all moves and return False.
        """
        own = self.table.of(self.array.rows[at])
        self.counts[own] -= 1
        alone = own[self.counts[own] == 0]
        moves: list[tuple[int, Ints]] = []
        if not self._each_fits(alone, dropped) or not self._move_all(alone, dropped, moves):
            for other, before in reversed(moves):
                self._change(other, before)
            self.counts[own] += 1
            return False
        return True

    def _each_fits(self, numbers: Ints, dropped: NDArray[np.bool_]) -> bool:
        """Return True if each combination, taken alone, fits into some row.

        If one does not, moving any of them is useless.
        """
        columns, values = self.table.parts(numbers)
        there = self.array.rows[~dropped][:, columns]
        return bool(((there == values) | (there < 0)).all(axis=2).any(axis=0).all())

    def _move_all(self, numbers: Ints, dropped: NDArray[np.bool_], moves: list[tuple[int, Ints]]) -> bool:
        """Move each combination into a row. Return False if one fits nowhere.

        Every changed row is appended to ``moves`` as it was before.
        """
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
    """Rows of values, in which some places are free. Each row can be completed within the constraints."""

    def __init__(self, constraints: Constraints, rows: Ints) -> None:
        self.constraints, self._rows, self._used = constraints, rows, len(rows)

    def __len__(self) -> int:
        return self._used

    @property
    def rows(self) -> Ints:
        return self._rows[: self._used]

    def append(self) -> Ints:
        """Add a row whose places are all free, and return it."""
        if self._used == len(self._rows):
            self._rows = np.concatenate([self._rows, np.full((self._used + 16, self._rows.shape[1]), FREE)])
        self._used += 1
        self._rows[self._used - 1] = FREE
        return self.rows[-1]  # type: ignore[no-any-return]

    def remove(self, dropped: NDArray[np.bool_]) -> None:
        self._rows = self.rows[~dropped]
        self._used = len(self._rows)

    def room(self, columns: Ints, values: Ints) -> NDArray[np.intp]:
        """Return the indices of the rows with room for ``values`` in ``columns``.

        In each of these columns, such a row has the wanted value or a free place.
        """
        own = self.rows[:, columns]
        return np.flatnonzero(((own == values) | (own < 0)).all(axis=1))

    def put(self, row: Ints, columns: Ints, values: Ints) -> bool:
        """Give a row these values and return True.

        If the row could then no longer be completed within the constraints, leave it unchanged and return False.
        """
        before = row[columns]
        row[columns] = values
        if not self.constraints or self.constraints.allow(row.tolist()):
            return True
        row[columns] = before
        return False


class ValueCombinations:
    """The numbered combinations of values of some groups of columns; each group has consecutive numbers."""

    def __init__(self, sizes: Ints, groups: Iterable[tuple[int, ...]]) -> None:
        self.sizes = sizes
        self.groups = np.array(list(groups), dtype=np.int64).T  # one row for each member: that way numpy is fast
        own = sizes[self.groups]
        self.strides = np.ones_like(own)
        self.strides[:-1] = np.cumprod(own[:0:-1], axis=0)[::-1]
        ends = np.cumsum(own.prod(axis=0))
        self.starts = np.concatenate([[0], ends[:-1]])
        self.count = int(ends[-1])

    def with_column(self, column: int) -> ValueCombinations:
        """Return the same combinations, limited to the groups that contain a column."""
        chosen = (self.groups == column).any(axis=0)
        part = copy(self)
        part.groups, part.strides, part.starts = self.groups[:, chosen], self.strides[:, chosen], self.starts[chosen]
        return part

    def of(self, row: Ints) -> Ints:
        """Return the numbers of the combinations that the row has. Free places are part of no combination."""
        values = row[self.groups]
        numbers = self.starts + (values * self.strides).sum(axis=0)
        return numbers[(values >= 0).all(axis=0)]  # type: ignore[no-any-return]

    def parts(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return the columns and the values of each of these combinations."""
        group = np.searchsorted(self.starts, numbers, side="right") - 1
        columns = self.groups[:, group]
        values = (numbers - self.starts[group]) // self.strides[:, group] % self.sizes[columns]
        return columns.T, values.T
