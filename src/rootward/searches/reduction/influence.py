"""How likely each element is to be needed, before anything was left out: its weight.

A weight only means more or less than another's: how many elements are needed is learnt by the search (frontier.py), and
so is whether these guesses were any good. What the robot touched counts most, then what touches that, then what it
came near or sensed. In a tree, a large branch is likelier to hold something needed than a small one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rootward.searches.reduction.surroundings import Surroundings

TOUCHED, LINKED, SENSED, NEAR = 50.0, 12.0, 2.0, 3.0
REACH = 1.0
"""How far from the path, in metres, being near fades."""


def weights(count: int, parents: Sequence[int | None] | None, surroundings: Surroundings) -> list[float]:
    """One weight per element."""
    if parents is not None:
        return [math.sqrt(size) for size in _sizes(parents)]
    return [_weight(i, surroundings) for i in range(count)]


def _weight(element: int, known: Surroundings) -> float:
    contact, distance = known.contacts.get(element), known.distance(element)
    weight = 1.0 if distance is None else 1.0 + NEAR * math.exp(-distance / REACH)
    if contact is not None:
        return weight * (TOUCHED if contact <= 1 else LINKED)
    return weight * (SENSED if element in known.sensed else 1.0)


def _sizes(parents: Sequence[int | None]) -> list[int]:
    """How many elements lie in each, itself included."""
    sizes = [1] * len(parents)
    for i in range(len(parents) - 1, -1, -1):  # parents come first
        parent = parents[i]
        if parent is not None:
            sizes[parent] += sizes[i]
    return sizes
