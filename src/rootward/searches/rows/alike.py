"""Differences that deviate in the same way as the needed ones, although repairing them was not needed.

A search names what must be repaired to pass. If ten cells were corrupted and the pipeline tolerates four of them, it
names six. Whoever mends the data wants all ten. The others look like the six: a value is missing where the good table
has one, a text stands among numbers, a number lies above the range of the good column, or it is off by as much.

So each difference has a *kind* (the way in which it deviates) and a *size* (how surprising it is, in bits). Differences
are alike if they have the same kind and a share of the size of the smallest needed one. The share is smaller in the
same column than in other columns of the same type, and largest for numbers within the usual range. Smaller sizes must
count, because the needed differences tend to be the largest. Nothing is run for this.
"""

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np
from numpy.typing import NDArray

from rootward.searches.rows import deviation as measure
from rootward.searches.rows.differences import ADDED, MISSING, Differences, Numbers
from rootward.searches.rows.tables import Tables
from rootward.searches.rows.tuning import TUNING


class DeviationKind(IntEnum):
    """The way in which a difference deviates from the good table."""

    ROW_ADDED = auto()
    ROW_MISSING = auto()
    VALUE_MISSING = auto()
    """The good table has a value there."""
    NO_NUMBER = auto()
    """A text among numbers or dates."""
    ABOVE = auto()
    """Above the range of the good column."""
    BELOW = auto()
    """Below the range of the good column."""
    WITHIN = auto()
    """Another number, within the range of the good column."""
    NEW_TEXT = auto()
    """A text that the good column does not have."""
    OTHER_TEXT = auto()
    """A text that the good column has in other rows."""
    OTHER = auto()


def find_alike(tables: Tables, needed: Numbers) -> Numbers:
    """Return the numbers of the differences that deviate like the needed ones, the most surprising first."""
    if not len(needed):
        return np.empty(0, np.int64)
    order = tables.order("bits")
    size = np.empty(len(tables))
    size[order.numbers] = order.scores
    kinds, types = _classify(tables)
    found = np.zeros(len(tables), bool)
    for column, kind in {(int(tables.column[i]), int(kinds[i])) for i in needed}:
        group = (kinds == kind) & (tables.column == column)
        share = TUNING.alike_share_within if kind == DeviationKind.WITHIN else TUNING.alike_share
        found |= group & (size >= share * size[needed][group[needed]].min())
    for kind, dtype in {(int(kinds[i]), int(types[i])) for i in needed}:
        group = (kinds == kind) & (types == dtype)
        share = TUNING.alike_share_within if kind == DeviationKind.WITHIN else TUNING.alike_share_elsewhere
        found |= group & (size >= share * size[needed][group[needed]].min())
    found[needed] = False
    return order.numbers[found[order.numbers]]


def _classify(tables: Differences) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the kind of each difference, and a number for the type of its column."""
    kinds, types = np.full(len(tables), DeviationKind.OTHER), np.zeros(len(tables), np.int64)
    names: list[str] = []
    for number, part in tables.group_by_column():
        if number in (ADDED, MISSING):
            kinds[part] = DeviationKind.ROW_ADDED if number == ADDED else DeviationKind.ROW_MISSING
            continue
        name, rows = tables.columns[number], tables.row[part]
        bad, column = tables.bad[name].gather(rows), tables.good[0][name]
        what = measure.kind(column)
        names += [] if what in names else [what]
        types[part] = names.index(what) + 1
        absent = bad.is_null().to_numpy()
        if what in ("number", "date", "date text"):
            value, usual = measure.numbers(bad, what), measure.Spread(measure.numbers(column, what))
            kinds[part] = DeviationKind.WITHIN
            kinds[part] = np.where(value > usual.high, DeviationKind.ABOVE, kinds[part])
            kinds[part] = np.where(value < usual.low, DeviationKind.BELOW, kinds[part])
            kinds[part] = np.where(np.isnan(value), DeviationKind.NO_NUMBER, kinds[part])
        elif what == "text":
            known = bad.is_in(column.unique().implode()).to_numpy()
            kinds[part] = np.where(known, DeviationKind.OTHER_TEXT, DeviationKind.NEW_TEXT)
        kinds[part] = np.where(absent, DeviationKind.VALUE_MISSING, kinds[part])
    return kinds, types
