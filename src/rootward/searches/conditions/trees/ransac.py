"""RANSAC: which constants explain the most boundary points.

A model is drawn from as few boundary points as determine it: two for ``x + p1 * y = p0``, one for ``x * y = p0``. It
explains a boundary point if, at that point's y, its x is within the point's own uncertainty, half the way between the
two trials that it was made of. Distances are those of symmetric-log space, so a model is not won by the largest numbers
alone. Points that lie on another border are not explained and do no harm.

The models with the largest sets of explained points are handed on; information gain decides between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rootward.compress import compress_many
from rootward.searches.conditions.trees.borders import Borders

DRAWN = 96
"""How many models are drawn for each pair of fields."""
POINTS = 64
"""Of more boundary points than this, a sample is explained."""
KEPT = 8
"""How many models of a pair of fields are handed on."""
_REST = 1e-9  # an average of exact neighbours is exact up to rounding


@dataclass(frozen=True, eq=False)
class Models:
    """Models of some pairs of fields: row by row the constants of one pair, the best explained first."""

    p0: NDArray[np.float64]
    p1: NDArray[np.float64]
    explained: NDArray[np.int64]


def sampled(found: Borders, rng: np.random.Generator) -> Borders:
    """At most POINTS of the boundary points."""
    if len(found) <= POINTS:
        return found
    kept = np.sort(rng.choice(len(found), POINTS, replace=False))
    return Borders(found.places[kept], found.values[kept], found.reach[kept])


def lines(found: Borders, pairs: NDArray[np.int64], rng: np.random.Generator) -> Models:
    """``x + p1 * y = p0``, for pairs (x, y) of axes."""
    first, second = _twos(len(found))
    if len(first) > DRAWN:
        kept = rng.choice(len(first), DRAWN, replace=False)
        first, second = first[kept], second[kept]
    x, y = found.values[:, pairs[:, 0]].T, found.values[:, pairs[:, 1]].T
    with np.errstate(all="ignore"):
        p1 = -(x[:, first] - x[:, second]) / (y[:, first] - y[:, second])
        p0 = x[:, first] + p1 * y[:, first]
        expected = p0[:, :, None] - p1[:, :, None] * y[:, None, :]
    usable = np.isfinite(p0) & np.isfinite(p1) & (p1 != 0)
    return _best(found, pairs, np.where(usable, p0, np.nan), p1, expected)


@lru_cache(maxsize=POINTS)
def _twos(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of so many points."""
    first, second = np.triu_indices(count, 1)
    return first, second


def products(found: Borders, pairs: NDArray[np.int64]) -> Models:
    """``x * y = p0``, for pairs (x, y) of axes."""
    x, y = found.values[:, pairs[:, 0]].T, found.values[:, pairs[:, 1]].T
    with np.errstate(all="ignore"):
        p0 = x * y
        expected = p0[:, :, None] / y[:, None, :]
    return _best(found, pairs, np.where(np.isfinite(p0), p0, np.nan), np.zeros_like(p0), expected)


def _best(
    found: Borders,
    pairs: NDArray[np.int64],
    p0: NDArray[np.float64],
    p1: NDArray[np.float64],
    expected: NDArray[np.float64],
) -> Models:
    """The models (pair by model) that explain the most, given the x that each expects at every boundary point."""
    x, reach = found.places[:, pairs[:, 0]].T, found.reach[:, pairs[:, 0]].T
    with np.errstate(invalid="ignore"):
        close = np.abs(compress_many(expected) - x[:, None, :]) <= (reach + _REST)[:, None, :]
    explained = np.where(np.isnan(p0), -1, close.sum(axis=2))
    order = np.argsort(-explained, axis=1, kind="stable")[:, :KEPT]
    taken = [np.take_along_axis(values, order, axis=1) for values in (p0, p1, explained)]
    return Models(*taken)
