"""The hypersphere sampler: while one label is rare, look for more of it around the trials that have it.

The sphere around a trial reaches half way to the nearest trial with the other label. If what it finds has the other
label, too, the next sphere is smaller.
"""

from __future__ import annotations

import numpy as np

from rootward.searches.conditions.trees.axes import Axes, Rows
from rootward.searches.conditions.trees.domains import codes


def radius(place: Rows, others: Rows) -> float:
    """Half the distance to the nearest of ``others`` in the point's domain; infinite if none is there."""
    finite = np.isfinite(place)
    near = others[(codes(others) == codes(place)).all(axis=1)][:, finite]
    return float(np.linalg.norm(near - place[finite], axis=1).min(initial=np.inf)) / 2


def sphere(axes: Axes, rare: Rows, others: Rows, count: int, rng: np.random.Generator) -> Rows:
    """``count`` points, each from the sphere around one of the ``rare`` trials, all of which have their turn.

    Special values stay. Where a sphere leaves the space, so where no trial of the domain bounds it, its points are
    moved to the edge, or drawn from the whole domain.
    """
    turns = np.resize(rng.permutation(len(rare)), count)
    return axes.snapped(np.array([_inside(axes, rare[at], radius(rare[at], others), rng) for at in turns]))


def _inside(axes: Axes, centre: Rows, reach: float, rng: np.random.Generator) -> Rows:
    """A point drawn evenly from the ball around ``centre``."""
    finite = np.isfinite(centre)
    drawn = centre.copy()
    if not np.isfinite(reach):
        drawn[finite] = rng.uniform(axes.low[finite], axes.high[finite])
        return drawn
    direction = rng.normal(size=int(finite.sum()))
    length = reach * rng.random() ** (1 / max(len(direction), 1))
    drawn[finite] += direction / (np.linalg.norm(direction) or 1.0) * length
    drawn[finite] = np.clip(drawn[finite], axes.low[finite], axes.high[finite])
    return drawn
