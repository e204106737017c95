"""Latin hypercubes: points that are evenly spread in each coordinate alone (McKay, Beckman and Conover 1979).

Each coordinate is cut into as many bins as there are points, and each bin holds exactly one of them. They are ours
because the module of SciPy that has them takes a second to import.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def hypercube(points: int, coordinates: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """So many points of the unit cube. They are drawn by a child of ``rng``: what it draws next does not depend on
    how many there are."""
    [child] = rng.spawn(1)
    within = child.random((points, coordinates))
    bins = np.empty((points, coordinates), dtype=np.int64)
    for column in range(coordinates):
        bins[:, column] = child.permutation(points)
    return (bins + 1 - within) / points
