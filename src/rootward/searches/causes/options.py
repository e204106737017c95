"""What a cause may say of one parameter, and how likely that is before anything was run.

An option is the set of values that it allows: all of them (the parameter does not matter), ``= a``, ``!= a``, for
ordered values ``<= a`` and ``> a``; and, less likely, an interval, or a pair of values that alone are allowed or
excluded. Different words for one set are one option with the sum of their chances.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rootward.searches.causes.pipeline import Pipeline

PLAIN = 0.9
"""The chance of a single comparison; the rest is for intervals and pairs."""
PAIRED, SPANNED = 12, 24
"""Of a parameter with more values than this, pairs (intervals) are not considered."""


class Options:
    """The options of one parameter. Option 0 allows everything."""

    def __init__(self, count: int, ordered: bool) -> None:
        chances: dict[tuple[bool, ...], float] = {}
        for group, share in _groups(count, ordered):
            masks = [tuple(map(bool, mask)) for mask in group if 0 < mask.sum() < count]
            for mask in masks:
                chances[mask] = chances.get(mask, 0.0) + share / len(masks)
        full = (True,) * count
        self.masks: NDArray[np.bool_] = np.array([full, *chances], dtype=bool)
        """For each option, whether it allows each value."""
        total = sum(chances.values())
        self.chances: NDArray[np.float64] = np.array([0.0, *(math.log(chance / total) for chance in chances.values())])
        """The logarithm of the chance of each, given that the parameter matters."""
        self.single: NDArray[np.int64] = np.array(
            [next(i for i, mask in enumerate(self.masks) if mask[a] and mask.sum() == 1) for a in range(count)]
        )
        """For each value, the option that allows it alone."""

    def __len__(self) -> int:
        return len(self.masks)


def _groups(count: int, ordered: bool) -> list[tuple[list[NDArray[np.bool_]], float]]:
    """Kinds of options, each with its share of the chance."""
    places = np.arange(count)
    plain = [[places == a for a in places], [places != a for a in places]]
    if ordered:
        plain += [[places <= a for a in places[:-1]], [places > a for a in places[:-1]]]
    rare: list[list[NDArray[np.bool_]]] = []
    if ordered and count <= SPANNED:
        rare.append([(places >= a) & (places <= b) for a, b in combinations(places, 2)])
    if count <= PAIRED:
        pairs = [(places == a) | (places == b) for a, b in combinations(places, 2)]
        rare += [pairs, [~mask for mask in pairs]]
    shares = [(group, PLAIN / len(plain)) for group in plain]
    return [one for one in shares + [(group, (1 - PLAIN) / len(rare)) for group in rare] if one[0]]


def options(pipeline: Pipeline) -> list[Options]:
    """The options of each parameter; those of the same shape are made once."""
    made: dict[tuple[int, bool], Options] = {}
    for values, ordered in zip(pipeline.values, pipeline.ordered, strict=True):
        shape = len(values), ordered
        if shape not in made:
            made[shape] = Options(*shape)
    return [made[len(values), ordered] for values, ordered in zip(pipeline.values, pipeline.ordered, strict=True)]
