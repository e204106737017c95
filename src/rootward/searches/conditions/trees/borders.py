"""Boundary points: estimates of where one label ends and the other begins.

Those trials of one class that are nearest to the other class are averaged with their nearest neighbour there. Both
classes take their turn. Distances and averages are those of symmetric-log space, within a domain: trials with
different special values are never neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rootward.compress import decompress_many
from rootward.searches.conditions.trees.axes import Rows
from rootward.searches.conditions.trees.domains import codes

APART = 1e6
"""How far domains are set apart: farther than any two places of one."""


@dataclass(frozen=True, eq=False)
class Borders:
    """Boundary points as places and as values, and how far each may be from the real border, by axis."""

    places: Rows
    values: Rows
    reach: Rows

    def __len__(self) -> int:
        return len(self.places)


def borders(places: Rows, fails: NDArray[np.bool_]) -> Borders:
    """Between trials of both kinds; special values stay as they are, in points as in values."""
    pairs = neighbours(places, fails)
    one, two = places[pairs[:, 0]], places[pairs[:, 1]]
    finite = np.isfinite(one)
    middle = np.where(finite, (np.where(finite, one, 0) + np.where(finite, two, 0)) / 2, np.nan)
    reach = np.where(finite, np.abs(np.where(finite, one, 0) - np.where(finite, two, 0)) / 2, np.nan)
    return Borders(middle, decompress_many(middle), reach)


def neighbours(places: Rows, fails: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Pairs of trials, a failing one and its nearest passing one or the reverse, by index."""
    from scipy.spatial import cKDTree

    where = np.column_stack([np.where(np.isfinite(places), places, 0.0), APART * _numbered(places)])
    sides = [np.flatnonzero(fails), np.flatnonzero(~fails)]
    if not all(map(len, sides)):
        return np.empty((0, 2), dtype=np.int64)
    trees = [cKDTree(where[side]) for side in sides]
    found = []
    for mine, other in ((0, 1), (1, 0)):
        _, nearest = trees[mine].query(where[sides[other]])
        edge = sides[mine][np.unique(nearest)]
        away, across = trees[other].query(where[edge])
        near = away < APART / 2
        pairs = np.column_stack([edge, sides[other][across]])[near]
        found.append(pairs if mine == 0 else pairs[:, ::-1])
    failing, passing = np.vstack(found).T
    return np.column_stack(np.divmod(np.unique(failing * len(places) + passing), len(places)))


def _numbered(places: Rows) -> NDArray[np.float64]:
    """A number for the domain of each row."""
    if np.isfinite(places).all():  # most often, and then there is nothing to compare
        return np.zeros(len(places))
    _, numbers = np.unique(codes(places), axis=0, return_inverse=True)
    return numbers.reshape(-1).astype(float)
