"""Covering arrays, made in two ways, of which the shorter one counts.

From an orthogonal array: nothing is wasted where all parameters have about as many values as a finite field has
elements. And parameter by parameter (IPOG, Lei et al. 2007): give each row the new parameter's value that covers most,
then add rows for what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rootward.design.array import Array, Combinations, Ints
from rootward.design.constraints import FREE, Box, Constraints, Instance
from rootward.design.orthogonal import orthogonal
from rootward.design.tighten import tighten
from rootward.errors import InputError


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
