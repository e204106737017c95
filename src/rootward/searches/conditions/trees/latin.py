"""The passive sampler: a Latin hypercube in symmetric-log space, with one bin of each float kept for special values.

There are as many bins as trials, so every bin of every field is used exactly once. Bins are of one size on the
compressed axis: decompressed, most values are small, as those that trigger faults are.
"""

from __future__ import annotations

import numpy as np

from rootward.design import hypercube
from rootward.searches.conditions.trees.axes import Axes, Rows


def latin(axes: Axes, count: int, rng: np.random.Generator) -> Rows:
    """``count`` points; of a field with special values, exactly one of them is special (if there are two or more)."""
    unit = hypercube(count, len(axes), rng)
    places = np.empty_like(unit)
    for at, specials in enumerate(axes.specials):
        reserved = 1 / count if specials and count > 1 else 0.0
        share = (unit[:, at] - reserved) / (1 - reserved)
        places[:, at] = axes.low[at] + share * (axes.high[at] - axes.low[at])
        if reserved:
            places[unit[:, at] < reserved, at] = specials[rng.integers(len(specials))]
    return axes.snapped(places)
