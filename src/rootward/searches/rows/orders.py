"""Orders in which differences are suspected, the most deviant first.

``column``: column by column, each by Definition 9, as in the protocol of the paper. ``row``: all cells of a row
together, by the largest deviation in the row or between two of its numbers (section 8.3.1). ``bits``: each difference
separately, by how surprising it is; our search uses this one.

Two numbers that are both in their usual range can still be too far apart. So two of the orders also consider the
difference of two columns, and ``odd_difference`` names the one that makes a number suspicious.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rootward.searches.rows import deviation as measure
from rootward.searches.rows.deviation import Array, Spread
from rootward.searches.rows.differences import Differences
from rootward.searches.rows.tuning import TUNING

if TYPE_CHECKING:
    import polars as pl

EXTREME = -measure.MISSING
"""The deviation of a value that is missing or has no counterpart."""


@dataclass(frozen=True, eq=False)
class Order:
    """The numbers of the differences in this order, and the score of each."""

    numbers: NDArray[np.int64]
    scores: Array


def by_column(tables: Differences) -> Order:
    scores = _compute_deviations(tables)
    parts = [part.start + np.argsort(-scores[part], kind="stable") for _, part in tables.group_by_column()]
    numbers = np.concatenate(parts)
    return Order(numbers, scores[numbers])


def by_row(tables: Differences) -> Order:
    """Sort by row. Rows that only one table has come first, as extreme as a missing value."""
    scores = np.where(tables.column < 0, EXTREME, _compute_deviations(tables))
    known = tables.column >= 0
    most = np.zeros(tables.bad.height)
    np.maximum.at(most, tables.row[known], scores[known])
    for pair in _list_pairs(tables):
        some = np.isfinite(pair.bad)
        found = measure.deviation(pair.bad[some], [values[some] for values in pair.good])
        np.maximum.at(most, pair.rows[some], found)
    scores[known] = most[tables.row[known]]
    numbers = np.lexsort((tables.column, tables.row, -scores))
    return Order(numbers, scores[numbers])


def by_bits(tables: Differences) -> Order:
    bits = np.zeros(len(tables))
    for number, part in tables.group_by_column():
        rows = tables.row[part]
        if number < 0:
            bits[part] = np.log2((tables.bad.height + 1) / len(rows))
            continue
        name = tables.columns[number]
        column = tables.good[0][name]
        what = measure.kind(column)
        bits[part] = measure.cell_bits(tables.bad[name].gather(rows), tables.good_values(name, rows), column, what)
    _add_pair_bits(tables, bits)
    numbers = np.argsort(-bits, kind="stable")
    return Order(numbers, bits[numbers])


def _add_pair_bits(tables: Differences, bits: Array) -> None:
    """Add the bits of differences between two columns to the cells that are to blame.

    Bits that one number has by itself are not added to the other number. Of the remaining bits, the number that has
    more bits by itself gets all, and the other number gets half, because usually one repair is enough.
    """
    parts, alone = dict(tables.group_by_column()), bits.copy()
    for pair in _list_pairs(tables):
        found = measure.difference_bits(pair.bad, pair.good, pair.spread)
        own = [_spread_by_row(tables, parts.get(number), alone)[pair.rows] for number in pair.numbers]
        behind = own[0] < own[1], own[1] <= own[0]  # both False where only one of the columns differs
        for mine, number in enumerate(pair.numbers):
            if (part := parts.get(number)) is not None:
                left = np.maximum(0.0, found - np.nan_to_num(own[1 - mine]))
                blamed = np.zeros(tables.bad.height)
                blamed[pair.rows] = np.where(behind[mine], left / 2, left)
                bits[part] = np.maximum(bits[part], blamed[tables.row[part]])


def _spread_by_row(tables: Differences, part: slice | None, values: Array) -> Array:
    """Arrange the values of one column's differences by row.

    NaN in rows where the column does not differ.
    """
    found = np.full(tables.bad.height, np.nan)
    if part is not None:
        found[tables.row[part]] = values[part]
    return found


ORDERS: dict[str, Callable[[Differences], Order]] = {"column": by_column, "row": by_row, "bits": by_bits}


def _compute_deviations(tables: Differences) -> Array:
    """Return the deviation of each difference by Definition 9.

    A value in a column without numbers or dates scores 0 if a good table has the same value in this row, otherwise 1.
    If it is missing only in the bad table, the score is extreme.
    """
    scores = np.zeros(len(tables))
    for number, part in tables.group_by_column():
        if number < 0:
            continue
        name, rows = tables.columns[number], tables.row[part]
        bad, good = tables.bad[name].gather(rows), tables.good_values(name, rows)
        what = measure.kind(tables.good[0][name])
        if what in ("number", "date", "date text"):
            others = [np.where(there, measure.numbers(values, what), -np.inf) for values, there in good]
            scores[part] = measure.deviation(measure.numbers(bad, what), others)
            continue
        seen = np.any([bad.eq_missing(values).to_numpy() & there for values, there in good], axis=0)
        scores[part] = np.where(seen, 0.0, np.where(bad.is_null().to_numpy(), EXTREME, 1.0))
    return scores


@dataclass(frozen=True, eq=False)
class _Pair:
    """The difference of two columns, in the rows where one of them differs from the good table."""

    numbers: tuple[int, int]
    """The numbers of the columns."""
    rows: NDArray[np.int64]
    bad: Array
    good: list[Array]
    spread: Spread
    """The usual spread of the difference."""


def _list_pairs(tables: Differences) -> Iterator[_Pair]:
    """Yield the pairs of columns that can be subtracted: numbers from numbers, dates from dates.

    If there are very many pairs, yield only some. Neighbours come first, because related columns are usually adjacent.
    """
    columns = [tables.good[0][name] for name in tables.columns]
    kinds = [(measure.kind(column), column.dtype) for column in columns]
    parts, room = dict(tables.group_by_column()), TUNING.max_pair_numbers
    pairs = [
        (one, other)
        for one, other in sorted(combinations(range(len(columns)), 2), key=lambda pair: pair[1] - pair[0])
        if _can_subtract(kinds[one], kinds[other]) and (one in parts or other in parts)
    ]
    for one, other in pairs[: TUNING.max_column_pairs]:
        what = kinds[one][0]
        changed = [tables.row[parts[i]] for i in (one, other) if i in parts]
        either = np.zeros(tables.bad.height, bool)
        either[changed[0]] = either[changed[-1]] = True
        rows = np.flatnonzero(either)
        room -= len(rows) + len(columns[one])
        if room < 0:
            return
        a, b = tables.columns[one], tables.columns[other]
        beside = zip(tables.good_values(a, rows), tables.good_values(b, rows), strict=True)
        good = [np.where(there, _subtract(mine, yours, what), -np.inf) for (mine, there), (yours, _) in beside]
        bad = _subtract(tables.bad[a].gather(rows), tables.bad[b].gather(rows), what)
        yield _Pair((one, other), rows, bad, good, Spread(_subtract(columns[one], columns[other], what)))


def _can_subtract(one: tuple[str, Any], other: tuple[str, Any]) -> bool:
    """Return True if the difference of two such columns is meaningful."""
    numbers = one[0] == other[0] == "number"
    return numbers or (one == other and one[0].startswith("date"))


def _subtract(one: pl.Series, other: pl.Series, what: str) -> Array:
    return measure.numbers(one, what) - measure.numbers(other, what)


# A number and another one in its row


def odd_difference(tables: Differences, column: int, row: int) -> tuple[str, float, Array] | None:
    """Find the column whose difference from ``column`` in this row deviates most from the good tables.

    Returns its name, the difference in the bad table, and the differences in the good tables. None if no difference
    deviates, or if the number in ``column`` deviates by itself.
    """
    kinds = {name: measure.kind(tables.good[0][name].head(TUNING.max_kind_values)) for name in tables.columns}
    name = tables.columns[column]
    mine = _read_numbers(tables, name, row) if kinds[name] == "number" else None
    if mine is None or _measure_distance(*mine) > 0:
        return None
    best: tuple[float, str, float, Array] | None = None
    for other in tables.columns:
        if other == name or kinds[other] != "number":
            continue
        bad, good = _read_numbers(tables, other, row)
        difference, usual = mine[0] - bad, mine[1] - good
        far = _measure_distance(difference, usual)
        if far > 0 and (best is None or far > best[0]):
            best = far, other, difference, usual
    return None if best is None else best[1:]


def _read_numbers(tables: Differences, name: str, row: int) -> tuple[float, Array]:
    """Return the number of one cell in the bad table, and its numbers in the good tables that have this row."""
    beside = [values for values, there in tables.good_values(name, np.array([row])) if there[0]]
    return _read_number(tables.bad[name].slice(row, 1)), np.array([_read_number(values) for values in beside])


def _read_number(value: pl.Series) -> float:
    return float(measure.numbers(value, "number")[0])


def _measure_distance(bad: float, good: Array) -> float:
    """Return the distance of ``bad`` from the range of the good numbers. 0 if any number is missing."""
    if not np.isfinite([bad, *good]).all():
        return 0.0
    return float(measure.deviation(np.array([bad]), [np.array([value]) for value in good])[0])
