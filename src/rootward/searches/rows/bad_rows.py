"""The finding of every search for bad rows: the cells, and so the rows and columns, that make the table fail."""

from __future__ import annotations

import datetime
import decimal
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rootward.search.finding import Finding, presenter_of
from rootward.searches.rows.alike import find_alike
from rootward.searches.rows.differences import ADDED, MISSING, Numbers
from rootward.searches.rows.excerpt import excerpt
from rootward.searches.rows.orders import odd_difference
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables
from rootward.space.values import to_json

if TYPE_CHECKING:
    import polars as pl

TEXT_TYPES = (datetime.date, datetime.time, datetime.timedelta, decimal.Decimal)
"""Types of values that are written to the data as text."""
MAX_LISTED = 10_000
"""Maximum number of cells in the data of a finding."""


@dataclass(frozen=True)
class Cell:
    """One difference that has to be repaired. Without a column, it is a whole row."""

    key: Any
    """The key of the row: one value, or a tuple of them."""
    row: str
    """The row in text, such as ``id=17``."""
    column: str | None
    bad: Any
    good: Any
    """The value that the repair puts in its place."""
    text: str

    def to_dict(self) -> dict[str, Any]:
        values = {"key": _to_plain(self.key), "bad": _to_plain(self.bad), "good": _to_plain(self.good)}
        return {"row": self.row, "column": self.column, "text": self.text, **values}


@dataclass(frozen=True, kw_only=True)
class BadRows(Finding):
    """The differences in ``patch``, whose repair makes the table pass.

    If ``minimal`` is true, the table fails if any one of these differences is left unrepaired.
    """

    patch: Patch
    tables: Tables = field(compare=False, repr=False)
    passes: bool | None = True
    """True if it passes with the differences repaired; None: not known yet."""
    minimal: bool = False
    """True if each of the differences was shown to be needed."""

    @property
    def cells(self) -> list[Cell]:
        """The cells that have to be repaired, in the order of the table."""
        return self.first_cells(None)

    @cached_property
    def _alike(self) -> Numbers:
        found = find_alike(self.tables, self.tables.difference_numbers(self.patch))
        return np.empty(0, np.int64) if not self.passes else found

    @property
    def alike_count(self) -> int:
        """Number of further differences that deviate in the same way; repairing them was not needed."""
        return len(self._alike)

    def first_alike(self, most: int | None) -> list[Cell]:
        """Return the cells that deviate in the same way, the ``most`` surprising ones, or all if ``most`` is None."""
        return self._make_cells(self._alike[:most])

    @property
    def rows(self) -> list[Any]:
        """The keys of the bad rows, in the order of the table. Rows that the bad table lacks come last."""
        if not self.passes:
            return []
        chosen = self.tables.difference_numbers(self.patch)
        lacking = self.tables.column[chosen] == MISSING
        here, there = (np.unique(self.tables.row[chosen[part]]) for part in (~lacking, lacking))
        return [*self._find_keys(self.tables.bad, here), *self._find_keys(self.tables.good[0], there)]

    @property
    def columns(self) -> list[str]:
        """The columns with bad cells, in the order of the table."""
        if not self.passes:
            return []
        found = self.tables.column[self.tables.difference_numbers(self.patch)]
        there = np.bincount(found[found >= 0], minlength=len(self.tables.columns))
        return [name for name, count in zip(self.tables.columns, there, strict=True) if count]

    @property
    def limit(self) -> float:
        """The least number of trials, on average, of any search for an answer of this size.

        It is the number of bits that distinguish one answer of this size from all others.
        """
        n, k = len(self.tables), len(self.patch)
        return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)

    def repaired(self) -> Any:
        """Return the bad table with the bad cells repaired, in the form in which it was given."""
        return self.tables.give(self.tables.apply_patch(self.patch))

    def answer(self) -> dict[str, Any]:
        cells = self.first_cells(MAX_LISTED)
        return {
            "rows": [_to_plain(key) for key in self.rows[:MAX_LISTED]],
            "columns": self.columns,
            "cells": [cell.to_dict() for cell in cells],
            "alike": [cell.to_dict() for cell in self.first_alike(MAX_LISTED)],
            "alike_count": self.alike_count,
            "repaired": len(self.patch),
            "of": self.tables.key_count,
            "differences": len(self.tables),
            "passes": self.passes,
            "minimal": self.minimal,
            "limit": self.limit,
            "remarks": self.remarks(),
            "key": list(self.tables.key),
            "names": list(self.tables.names),
            "excerpt": excerpt(self.tables, self.tables.difference_numbers(self.patch), presenter_of("bad_rows").value)
            if self.passes
            else None,
        }

    @property
    def row_count(self) -> int:
        """Number of bad rows, computed without listing perhaps millions of them."""
        chosen = self.tables.difference_numbers(self.patch)
        lacking = self.tables.column[chosen] == MISSING
        here = np.zeros(self.tables.bad.height, bool)
        here[self.tables.row[chosen[~lacking]]] = True
        return int(np.count_nonzero(here) + np.count_nonzero(lacking))

    # Single cells

    def first_cells(self, most: int | None) -> list[Cell]:
        """Return the first ``most`` cells, or all of them if ``most`` is None."""
        return self._make_cells(self.tables.difference_numbers(self.patch)[:most]) if self.passes else []

    def _make_cells(self, chosen: Numbers) -> list[Cell]:
        """Return the cells of these differences, in the order of the table."""
        tables = self.tables
        lacking = tables.column[chosen] == MISSING
        order = np.lexsort((tables.column[chosen], tables.row[chosen], lacking))
        return [self._make_cell(int(tables.column[i]), int(tables.row[i])) for i in chosen[order]]

    def _make_cell(self, column: int, row: int) -> Cell:
        tables = self.tables
        [key] = self._find_keys(tables.good[0] if column == MISSING else tables.bad, [row])
        words = presenter_of("bad_rows")
        name = words.row_name(tables.key, key if isinstance(key, tuple) else (key,))
        if column in (ADDED, MISSING):
            return Cell(key, name, None, None, None, words.whole_row(column, tables.names[1]))
        called = tables.columns[column]
        beside = tables.good_values(called, np.array([row]))
        good = [values.to_list()[0] for values, there in beside if there[0]]
        [bad] = tables.bad[called].slice(row, 1).to_list()
        return Cell(key, name, called, bad, good[0], words.cell(called, bad, good, odd_difference(tables, column, row)))

    def _find_keys(self, frame: pl.DataFrame, rows: Any) -> list[Any]:
        keys = frame.select(self.tables.key)[np.asarray(rows, np.int64)].rows()
        return [key[0] for key in keys] if len(self.tables.key) == 1 else keys


def _to_plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(map(_to_plain, value))
    return str(value) if isinstance(value, TEXT_TYPES) else to_json(value)
