"""The ten questions that a node may ask: the primitives that faults in code are made of.

::

    is INF    is NaN    x = y    int(x) = int(y)
    x < p0    x + p1 * y < p0    x * y < p0
    x = p0    x + p1 * y = p0    x * y = p0

Equality means within epsilon, ``max(0.5, 0.01 * p0)``. The magnitude of p0 is taken, or the tolerance of negative
constants would never grow; ``x = y`` has no constant, so its tolerance is 0.5. ``is INF`` holds for both infinities:
their sign is told by ``x < p0``. As in code, nothing but ``is NaN`` holds for NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Rows

Column = NDArray[np.float64]
Bools = NDArray[np.bool_]

NAN, INF, EQUAL, SAME_WHOLE = "is NaN", "is INF", "x = y", "int(x) = int(y)"
BELOW, LINE_BELOW, PRODUCT_BELOW = "x < p0", "x + p1 * y < p0", "x * y < p0"
AT, LINE_AT, PRODUCT_AT = "x = p0", "x + p1 * y = p0", "x * y = p0"


def epsilon(p0: Column | float) -> Column:
    """How far from ``p0`` something may be and still equal it."""
    return np.maximum(0.5, 0.01 * np.abs(p0))


def _at(value: Column, p0: Column | float) -> Bools:
    return np.asarray(np.abs(value - p0) <= epsilon(p0))


def _whole(x: Column) -> Column:
    return np.where(np.isfinite(x), np.trunc(x), np.nan)


_Decision = Callable[[Column, Column, Column | float, Column | float], Bools]
FORMS: dict[str, _Decision] = {
    NAN: lambda x, y, p0, p1: np.isnan(x),
    INF: lambda x, y, p0, p1: np.isinf(x),
    EQUAL: lambda x, y, p0, p1: _at(x - y, 0.0),
    SAME_WHOLE: lambda x, y, p0, p1: _whole(x) == _whole(y),
    BELOW: lambda x, y, p0, p1: x < p0,
    LINE_BELOW: lambda x, y, p0, p1: x + p1 * y < p0,
    PRODUCT_BELOW: lambda x, y, p0, p1: x * y < p0,
    AT: lambda x, y, p0, p1: _at(x, p0),
    LINE_AT: lambda x, y, p0, p1: _at(x + p1 * y, p0),
    PRODUCT_AT: lambda x, y, p0, p1: _at(x * y, p0),
}


@dataclass(frozen=True, slots=True)
class Question:
    """One of the forms with its fields (by axis) and constants."""

    form: str
    x: int
    y: int = 0
    p0: float = 0.0
    p1: float = 0.0

    def holds(self, features: Rows) -> Bools:
        """For each row."""
        return decide(self.form, features[:, self.x], features[:, self.y], self.p0, self.p1)


def decide(form: str, x: Column, y: Column, p0: Column | float = 0.0, p1: Column | float = 0.0) -> Bools:
    """The form, for arrays of any shapes that fit."""
    with np.errstate(over="ignore", invalid="ignore"):
        return FORMS[form](x, y, p0, p1)
