"""An excerpt of a table of any length: where it differs, what its columns usually hold, and its bad rows.

It is made for display, so everything in it is small, however long the table is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rootward.searches.rows.differences import ADDED, MISSING
from rootward.searches.rows.tables import Tables

if TYPE_CHECKING:
    import polars as pl

Text = Callable[[Any], str]
MAX_BINS = 120
"""Maximum number of stretches into which a long table is divided."""
MAX_COLUMNS, MAX_ROWS, MAX_FREQUENT = 8, 12, 3
"""Maximum number of columns and of rows to show, and of frequent values of a column."""


def excerpt(tables: Tables, chosen: NDArray[np.int64], text: Text) -> dict[str, Any]:
    """Return the excerpt. ``chosen``: the differences that have to be repaired; ``text``: formats a value."""
    column, row = tables.column[chosen], tables.row[chosen]
    bad = np.unique(column[column >= 0])
    rest = [number for number in range(len(tables.columns)) if number not in set(bad.tolist())]
    shown = sorted([*bad[:MAX_COLUMNS].tolist(), *rest[: max(0, MAX_COLUMNS - len(bad))]])
    return {
        "height": tables.bad.height,
        "columns": [_describe_column(tables, number, row[column == number], text) for number in shown],
        "columns_left_out": len(tables.columns) - len(shown),
        "whole": [_count_rows(tables, np.unique(row[column == ADDED])), int(np.count_nonzero(column == MISSING))],
        "rows": _list_rows(tables, column, row, shown, text),
    }


def _describe_column(tables: Tables, number: int, bad: NDArray[np.int64], text: Text) -> dict[str, Any]:
    name = tables.columns[number]
    differs = tables.row[tables.column == number]
    if name not in tables.column_descriptions:
        tables.column_descriptions[name] = _describe_usual(tables.good[0][name], text)
    return {
        "name": name,
        "usual": tables.column_descriptions[name],
        "differs": _count_rows(tables, differs),
        "bad": _count_rows(tables, bad),
    }


def _count_rows(tables: Tables, rows: NDArray[np.int64]) -> list[int]:
    """Return the number of these rows in each stretch of the table."""
    bins = min(MAX_BINS, max(1, tables.bad.height))
    return [int(n) for n in np.bincount(rows * bins // max(1, tables.bad.height), minlength=bins)]


def _describe_usual(values: pl.Series, text: Text) -> str:
    """Describe a column of a good table: a range of numbers or dates, or its most frequent values."""
    known = values.drop_nulls()
    if not len(known):
        return "nothing"
    numbers = _as_ordered(known)
    if numbers is not None:
        return f"{text(numbers.min())} to {text(numbers.max())}"
    if known.dtype.is_nested():
        return ""
    found = known.value_counts(sort=True, name="so many").head(MAX_FREQUENT)
    shares = [(value, count / len(values)) for value, count in found.rows()]
    if shares[0][1] < 0.02:
        return f"{known.n_unique():,} different values"
    return ", ".join(f"{text(value)} {share:.0%}" for value, share in shares)


def _as_ordered(values: pl.Series) -> pl.Series | None:
    """Return the column as numbers or dates; None if it has neither. The text of a file may be all numbers."""
    from rootward.formats.tables.table import import_polars

    pl = import_polars()
    if values.dtype.is_numeric() or values.dtype.is_temporal():
        return values
    if values.dtype != pl.String:
        return None
    numbers = values.cast(pl.Float64, strict=False)
    return None if numbers.null_count() else numbers


def _list_rows(
    tables: Tables, column: NDArray[np.int64], row: NDArray[np.int64], shown: Sequence[int], text: Text
) -> list[dict[str, Any]]:
    """Return the first bad rows, cell by cell: the value of each cell and, if it is bad, the good value."""
    odd: dict[tuple[bool, int], set[int]] = {}
    order = np.lexsort((row, column == MISSING))
    for at in order:
        place = (bool(column[at] == MISSING), int(row[at]))
        if place not in odd and len(odd) == MAX_ROWS:
            break
        odd.setdefault(place, set()).add(int(column[at]))
    return [_describe_row(tables, missing, at, own, shown, text) for (missing, at), own in odd.items()]


def _describe_row(
    tables: Tables, missing: bool, row: int, own: set[int], shown: Sequence[int], text: Text
) -> dict[str, Any]:
    frame = tables.good[0] if missing else tables.bad
    keys = [text(frame[name].slice(row, 1).to_list()[0]) for name in tables.key]
    kind = "missing" if missing else "added" if ADDED in own else ""
    cells = []
    for number in shown:
        name = tables.columns[number]
        cell = {"value": text(frame[name].slice(row, 1).to_list()[0])}
        if number in own:
            [(values, _), *_] = tables.good_values(name, np.array([row]))
            cell["good"] = text(values.to_list()[0])
        cells.append(cell)
    return {"key": ", ".join(keys), "place": None if missing else row + 1, "kind": kind, "cells": cells}
