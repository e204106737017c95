"""Deviation: how far a cell of the bad table is from the values that the good tables have there.

``deviation`` is Definition 9 of the paper: the distance from the range of the good values of the same key and column.
It is in the unit of the column, so it compares only cells of one column. ``cell_bits`` makes all cells comparable by
how surprising they are, in bits: a number by its distance in relation to the usual spread of the column; a category or
a text by how rare it (or its shape) is among the good ones; a missing value by how rare missing values are. Two numbers
that are both within their range can still be too far apart, so differences of two columns are measured as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rootward.formats.tables.table import import_polars
from rootward.searches.rows.tuning import TUNING

if TYPE_CHECKING:
    import polars as pl

Array = NDArray[np.float64]
MISSING = -1e300
"""The number that stands for a missing value: extremely negative, as in the paper."""


def deviation(bad: Array, good: Sequence[Array]) -> Array:
    """Return the deviation of each bad value by Definition 9. The arrays list the same rows in the same order.

    NaN means that the value is missing. In ``good``, -inf means that the row is missing.
    """
    mine, low, high = _fill_missing(bad), np.full(len(bad), np.inf), np.full(len(bad), -np.inf)
    for values in good:
        there = ~np.isneginf(values)
        filled = _fill_missing(values)
        low[there] = np.minimum(low, filled)[there]
        high[there] = np.maximum(high, filled)[there]
    with np.errstate(invalid="ignore"):
        found = np.maximum(0.0, np.maximum(mine - high, low - mine))
    return np.asarray(np.nan_to_num(found, nan=0.0, posinf=np.finfo(float).max))


def _fill_missing(values: Array) -> Array:
    return np.where(np.isnan(values), MISSING, values)


# Types of columns


def kind(good: pl.Series) -> str:
    """Return the kind of a column: ``number``, ``date``, ``date text`` (dates written as text, measured in
    microseconds), ``text``, or ``other`` (not measurable)."""
    pl = import_polars()
    if good.dtype.is_numeric():
        return "number"
    if good.dtype.is_temporal():
        return "date"
    if good.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Boolean):
        return "other"
    if good.dtype != pl.String:
        return "text"
    some = good.drop_nulls().head(TUNING.max_kind_values)
    if len(some) and some.cast(pl.Float64, strict=False).null_count() == 0:
        return "number"
    return "date text" if len(some) and _parse_dates(some).null_count() == 0 else "text"


def numbers(values: pl.Series, kind: str) -> Array:
    """Return the values as numbers; NaN for a value that is missing or is not a number."""
    pl = import_polars()
    if kind == "date text":
        values = _parse_dates(values)
    if kind.startswith("date"):
        values = values.to_physical()
    found = values.cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
    return np.where(np.isinf(found), np.sign(found) * -MISSING, found)


def _parse_dates(texts: pl.Series) -> pl.Series:
    library = import_polars()
    try:
        found = texts.str.to_datetime(strict=False, time_unit="us")
    except library.exceptions.PolarsError:
        found = library.repeat(None, len(texts), dtype=library.Datetime("us"), eager=True)
    return found


# Surprise in bits


class Spread:
    """The usual spread of the good numbers of a column, and their range."""

    def __init__(self, good: Array) -> None:
        known = good[np.isfinite(good)]
        self.low, self.high, self.unit = 0.0, 0.0, 1.0
        if len(known):
            quarter, three = np.quantile(known[:: 1 + len(known) // TUNING.max_spread_values], (0.25, 0.75))
            self.low, self.high = float(known.min()), float(known.max())
            self.unit = float(three - quarter) or (self.high - self.low) or abs(self.high) * 1e-3 or 1.0

    def bits(self, bad: Array, deviations: Array) -> Array:
        """Return the bits of each number.

        They are the sum of two parts: one for the distance from the good values of the same row, and one for the
        distance from the good values of all rows.
        """
        outside = np.maximum(0.0, np.maximum(bad - self.high, self.low - bad))
        far = np.minimum(deviations / self.unit, 1e9)
        bits = np.log2(1 + far) + np.log2(1 + np.minimum(np.nan_to_num(outside) / self.unit, 1e9))
        return np.asarray(bits)


def rarity(values: pl.Series, good: pl.Series) -> Array:
    """Return the rarity of each value in the good column, in bits.

    It is 0 if all rows have the value, and log2(n + 1) if none of the n rows has it.
    """
    pl = import_polars()
    counts = good.cast(pl.String).alias("value").value_counts(name="count")
    asked = values.cast(pl.String).alias("value").to_frame()
    found = asked.join(counts, on="value", how="left", nulls_equal=True, maintain_order="left")["count"]
    return np.log2((len(good) + 1) / (found.fill_null(0).to_numpy().astype(float) + 1))


def shape(texts: pl.Series) -> pl.Series:
    """Return the shape of texts, with letters as a and digits as 9: 2021-03-04 and 1999-12-31 have the same shape."""
    pl = import_polars()
    plain = texts.cast(pl.String)
    return plain.str.replace_all(r"\p{L}+", "a").str.replace_all(r"\d+", "9")


def text_bits(bad: pl.Series, good: pl.Series) -> Array:
    """Return the bits of texts, by their shape. In a column with many repeated values, the value itself counts, too."""
    bits = rarity(shape(bad), shape(good))
    again = good.n_unique() * 2 <= len(good)
    return bits + (rarity(bad, good) if again else 0.0)


def missing_bits(good: pl.Series) -> float:
    return float(np.log2((len(good) + 1) / (good.null_count() + 1)))


def difference_bits(bad: Array, good: Sequence[Array], spread: Spread) -> Array:
    """Return the bits of the difference between two columns, by row. 0 where one of the two numbers is missing."""
    known = np.isfinite(bad)
    bits = np.zeros(len(bad))
    some = deviation(bad[known], [values[known] for values in good])
    bits[known] = spread.bits(bad[known], np.where(some > -MISSING / 2, 0.0, some))
    return bits


def cell_bits(
    bad: pl.Series, good: Sequence[tuple[pl.Series, NDArray[np.bool_]]], column: pl.Series, what: str
) -> Array:
    """Return the bits of cells of one column.

    ``bad``: the cells; ``good``: for each good table, its values in these rows and whether it has the rows;
    ``column``: the whole good column; ``what``: its kind.
    """
    absent = bad.is_null().to_numpy()
    if what in ("number", "date", "date text"):
        mine = numbers(bad, what)
        others = [np.where(there, numbers(values, what), -np.inf) for values, there in good]
        odd = np.isnan(mine)
        bits = np.zeros(len(bad))
        far = deviation(mine, others)
        far[far > -MISSING / 2] = 0.0  # the good tables have no value here: only the range of all rows counts
        bits[~odd] = Spread(numbers(column, what)).bits(mine[~odd], far[~odd])
        if (strange := odd & ~absent).any():  # text among numbers
            bits[strange] = np.log2(len(column) + 1)
    elif what == "text":
        bits = text_bits(bad, column)
    else:
        bits = np.ones(len(bad))
    seen = np.zeros(len(bad), bool)
    for values, there in good:
        seen |= bad.eq_missing(values).to_numpy() & there
    bits[absent] = missing_bits(column)
    bits[seen] = 0.0
    return bits
