"""What is odd about a number that is where it usually is: how far it is from another number of its row."""

from __future__ import annotations

from typing import Any

import numpy as np

from rootward.searches.rows import deviation as measure
from rootward.searches.rows.deviation import Array
from rootward.searches.rows.tables import Tables


def odd_difference(tables: Tables, column: int, row: int) -> tuple[str, float, Array] | None:
    """The other column, the difference in the bad table, and those in the good ones, for a number within its range;
    None if there is nothing odd about it, either."""
    kinds = {name: measure.kind(tables.good[0][name].head(measure.LOOKED_AT)) for name in tables.columns}
    name = tables.columns[column]
    mine = _numbers(tables, name, row) if kinds[name] == "number" else None
    if mine is None or _far(*mine) > 0:
        return None
    best: tuple[float, str, float, Array] | None = None
    for other in tables.columns:
        if other == name or kinds[other] != "number":
            continue
        bad, good = _numbers(tables, other, row)
        difference, usual = mine[0] - bad, mine[1] - good
        far = _far(difference, usual)
        if far > 0 and (best is None or far > best[0]):
            best = far, other, difference, usual
    return None if best is None else best[1:]


def _numbers(tables: Tables, name: str, row: int) -> tuple[float, Array]:
    """The number in the bad row, and those in the good tables that have the row."""
    beside = [values for values, there in tables.beside(name, np.array([row])) if there[0]]
    return _number(tables.bad[name].slice(row, 1)), np.array([_number(values) for values in beside])


def _number(value: Any) -> float:
    return float(measure.numbers(value, "number")[0])


def _far(bad: float, good: Array) -> float:
    """How far it is outside of the good ones; 0 if one of them is missing."""
    if not np.isfinite([bad, *good]).all():
        return 0.0
    return float(measure.deviation(np.array([bad]), [np.array([value]) for value in good])[0])
