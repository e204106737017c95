"""The finding of every search for bad rows: which cells, and so which rows and columns, make the table fail."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rootward.finding import Finding
from rootward.plain import to_json
from rootward.rules.text import field_text, value_text
from rootward.searches.rows.excerpt import excerpt
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.relation import odd_difference
from rootward.searches.rows.tables import ADDED, MISSING, Tables

if TYPE_CHECKING:
    import polars as pl

SHOWN = 10
"""How many cells a printed finding shows before it elides the rest."""
NAMED = (datetime.date, datetime.time, datetime.timedelta, decimal.Decimal)
"""Kinds of values that are known by their text."""
LONG = 60
"""How many characters of a text are shown."""
LISTED = 10_000
"""How many cells the data of a finding lists."""


@dataclass(frozen=True)
class Cell:
    """One difference that has to be repaired. Without a column, it is the row as a whole."""

    key: Any
    """The key of the row: one value, or a tuple of them."""
    row: str
    """The row as it is called in text: ``id=17``."""
    column: str | None
    bad: Any
    good: Any
    """What the repair puts in its place."""
    text: str

    def to_dict(self) -> dict[str, Any]:
        values = {"key": _plain(self.key), "bad": _plain(self.bad), "good": _plain(self.good)}
        return {"row": self.row, "column": self.column, "text": self.text, **values}


@dataclass(frozen=True, kw_only=True)
class BadRows(Finding):
    """With the differences of ``patch`` repaired, it passes. If it is ``minimal``, with any one of them left it does
    not."""

    patch: Patch
    tables: Tables = field(compare=False, repr=False)
    passes: bool | None = True
    """Whether it does pass with them repaired; None: not known yet."""
    minimal: bool = False
    """Whether each of them was seen to be needed."""

    @property
    def cells(self) -> list[Cell]:
        """What has to be repaired, in the order of the table."""
        return self._cells(None)

    @property
    def rows(self) -> list[Any]:
        """The keys of the bad rows, in the order of the table; rows that it lacks come last."""
        if not self.passes:
            return []
        chosen = self.tables.chosen(self.patch)
        lacking = self.tables.column[chosen] == MISSING
        here, there = (np.unique(self.tables.row[chosen[part]]) for part in (~lacking, lacking))
        return [*self._keys(self.tables.bad, here), *self._keys(self.tables.good[0], there)]

    @property
    def columns(self) -> list[str]:
        """The columns with bad cells, in the order of the table."""
        if not self.passes:
            return []
        found = self.tables.column[self.tables.chosen(self.patch)]
        there = np.bincount(found[found >= 0], minlength=len(self.tables.columns))
        return [name for name, count in zip(self.tables.columns, there, strict=True) if count]

    @property
    def limit(self) -> float:
        """The bits that tell this answer from the others of its size: no search needs fewer trials on average."""
        n, k = len(self.tables), len(self.patch)
        return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)

    def repaired(self) -> Any:
        """The bad table with the bad cells repaired, in the form in which it was given."""
        return self.tables.give(self.tables.patched(self.patch))

    def answer(self) -> dict[str, Any]:
        cells = self._cells(LISTED)
        return {
            "rows": [_plain(key) for key in self.rows[:LISTED]],
            "columns": self.columns,
            "cells": [cell.to_dict() for cell in cells],
            "repaired": len(self.patch),
            "of": self.tables.keys,
            "differences": len(self.tables),
            "passes": self.passes,
            "minimal": self.minimal,
            "limit": self.limit,
            "remarks": self._remarks(),
            "key": list(self.tables.key),
            "names": list(self.tables.names),
            "excerpt": excerpt(self.tables, self.tables.chosen(self.patch), _text) if self.passes else None,
        }

    def __str__(self) -> str:
        lines = [self._headline()]
        if self.passes:
            cells = self._cells(SHOWN + 1)
            lines += [f"  {cell.row}: {cell.text}" for cell in cells[:SHOWN]]
            if len(self.patch) > SHOWN:
                lines.append(f"  ... and {len(self.patch) - SHOWN:,} more")
        lines += self._remarks()
        return "\n".join([*lines, *([f"Failure: {self.signature}"] if self.signature else [])])

    def _headline(self) -> str:
        every = f"{len(self.tables):,} difference{'' if len(self.tables) == 1 else 's'}"
        if self.passes is None:
            return f"Nothing is known yet of the {every} between the tables."
        if not self.passes:
            return f"Even with every difference repaired ({every}), it does not pass: these tables do not explain it."
        rows = f"{self._count():,} of {self.tables.keys:,} rows"
        if not self.minimal:
            return f"It passes with {rows} repaired; perhaps not all of them are bad."
        return f"It fails because of {rows}."

    def _remarks(self) -> list[str]:
        name = self.tables.names[1]
        if self.passes is False:
            return [f"What differs from {name} is not the cause, or not all of it; or {name} fails, too."]
        if not self.passes:
            return []
        one = len(self.patch) == 1
        taken = f"With {'this' if one else 'these'} as in {name}, it passes"
        if not self.minimal:
            return [f"{taken}; whether all of it is needed was not tested."]
        return [f"{taken}; with {'it' if one else 'any one of them'} left as it is, it does not."]

    def _count(self) -> int:
        """How many rows there are, without a list of perhaps millions."""
        chosen = self.tables.chosen(self.patch)
        lacking = self.tables.column[chosen] == MISSING
        here = np.zeros(self.tables.bad.height, bool)
        here[self.tables.row[chosen[~lacking]]] = True
        return int(np.count_nonzero(here) + np.count_nonzero(lacking))

    # One cell after the other

    def _cells(self, most: int | None) -> list[Cell]:
        if not self.passes:
            return []
        tables, chosen = self.tables, self.tables.chosen(self.patch)[:most]
        lacking = tables.column[chosen] == MISSING
        order = np.lexsort((tables.column[chosen], tables.row[chosen], lacking))
        return [self._cell(int(tables.column[i]), int(tables.row[i])) for i in chosen[order]]

    def _cell(self, column: int, row: int) -> Cell:
        tables = self.tables
        [key] = self._keys(tables.good[0] if column == MISSING else tables.bad, [row])
        parts = key if isinstance(key, tuple) else (key,)
        name = ", ".join(f"{field_text(one)}={_text(part)}" for one, part in zip(tables.key, parts, strict=True))
        if column == ADDED:
            return Cell(key, name, None, None, None, f"the row is not in {tables.names[1]}")
        if column == MISSING:
            return Cell(key, name, None, None, None, f"the row is missing; {tables.names[1]} has it")
        called = tables.columns[column]
        beside = tables.beside(called, np.array([row]))
        good = [values.to_list()[0] for values, there in beside if there[0]]
        [bad] = tables.bad[called].slice(row, 1).to_list()
        text = f"{field_text(called)} is {_text(bad)} ({_usual(good)})"
        if (odd := odd_difference(tables, column, row)) is not None:
            other, difference, usual = odd
            pair = f"{field_text(called)} - {field_text(other)}"
            text += f", but {pair} is {_text(difference)} ({_usual(usual.tolist())})"
        return Cell(key, name, called, bad, good[0], text)

    def _keys(self, frame: pl.DataFrame, rows: Any) -> list[Any]:
        keys = frame.select(self.tables.key)[np.asarray(rows, np.int64)].rows()
        return [key[0] for key in keys] if len(self.tables.key) == 1 else keys


def _usual(good: Sequence[Any]) -> str:
    """What the good tables have: a range of numbers or dates, or the values."""
    where = "in the good table" + ("s" if len(good) > 1 else "")
    distinct = list(dict.fromkeys(map(_text, good)))
    if len(distinct) > 1 and None not in (ranked := [_rank(value) for value in good]):
        low, high = (good[ranked.index(end)] for end in (min(ranked), max(ranked)))
        return f"{_text(low)} to {_text(high)} {where}"
    more = f" or {len(distinct) - 3} more" if len(distinct) > 3 else ""
    return f"{' or '.join(distinct[:3])}{more} {where}"


def _rank(value: Any) -> Any:
    """What orders numbers, as text, too, and dates; None for anything else."""
    if isinstance(value, datetime.date):
        return value
    with contextlib.suppress(TypeError, ValueError):
        number = None if isinstance(value, bool) else float(value)
        return None if number is None or math.isnan(number) else number
    return None


def _text(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, str):
        short = value if len(value) <= LONG else f"{value[:LONG]}..."
        return short if _rank(value) is not None else value_text(short)
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.6g}"
    return str(value) if isinstance(value, NAMED) else value_text(value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(map(_plain, value))
    return str(value) if isinstance(value, NAMED) else to_json(value)
