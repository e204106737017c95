"""Brackets: two points that differ in one field, one of which fails. Some boundary passes between them.

A bracket is the evidence of this search. Its weight is how unlikely it was that the boundary passes just there: the
share of the field's axis between the two, in bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rootward.searches.conditions.boundaries.axis import Axis

MOST = 40.0
"""More bits than this say nothing more."""


@dataclass(frozen=True)
class Bracket:
    """Numbers of two points; ``one`` has the lower position. ``axis`` None: values without an order, or NaN."""

    axis: Axis
    one: int
    other: int
    ordered: bool
    weight: float
    exact: bool
    low: Any = None
    high: Any = None
    """Its values on the axis, if the points differ in nothing else."""


def bracket(axis: Axis, points: list[tuple[Any, ...]], one: int, other: int) -> Bracket:
    """The bracket between two points that differ in this field alone."""
    values = points[one][axis.index], points[other][axis.index]
    if not axis.numeric or any(value != value for value in values):
        return Bracket(axis, one, other, False, 1.0, True)
    low, high = map(axis.position, values)
    if low > high:
        (low, high), (one, other) = (high, low), (other, one)
    weight = min(-math.log2(axis.share(low, high)), MOST)
    return Bracket(axis, one, other, True, weight, axis.adjacent(low, high), axis.at(low), axis.at(high))
