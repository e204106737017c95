"""Options: the conditions that a cause may put on one parameter, and the prior chance of each.

An option is the set of values that it allows: all of them (the parameter does not matter), ``= a``, ``!= a``, and for
ordered values ``<= a`` and ``> a``; less likely are an interval, and a pair of values that are the only ones allowed or
excluded. Two conditions that allow the same set are one option with the sum of their chances. If an ordered parameter
has very many values, neighbouring ones form a *block*. Half of the cuts between blocks are made where the verdicts of
the runs change, preferably next to the longest stretches without a change; the others are evenly spaced.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rootward.rules.constants import is_nan
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.tuning import TUNING

Blocks = NDArray[np.int64]
"""For each value, the number of its block."""


class Options:
    """The options of one parameter. Option 0 allows everything."""

    def __init__(self, blocks: Blocks, ordered: bool, nan: bool = False) -> None:
        """``nan``: the last value is NaN, which cannot be compared."""
        count = int(blocks.max()) + 1
        chances: dict[tuple[bool, ...], float] = {}
        for group, share in _list_groups(count, ordered, nan):
            masks = [tuple(map(bool, mask)) for mask in group if 0 < mask.sum() < count]
            for mask in masks:
                chances[mask] = chances.get(mask, 0.0) + share / len(masks)
        allowed_blocks = np.array([(True,) * count, *chances], dtype=bool)
        self.masks: NDArray[np.bool_] = allowed_blocks[:, blocks]
        """For each option, whether it allows each value."""
        total = sum(chances.values())
        self.chances: NDArray[np.float64] = np.array([0.0, *(math.log(chance / total) for chance in chances.values())])
        """The logarithm of the chance of each option, given that the parameter matters."""
        alone = {int(np.flatnonzero(mask)[0]): i for i, mask in enumerate(allowed_blocks) if mask.sum() == 1}
        self.single: NDArray[np.int64] = np.array([alone[int(block)] for block in blocks])
        """For each value, the narrowest option that allows it."""

    def __len__(self) -> int:
        return len(self.masks)


def _list_groups(count: int, ordered: bool, nan: bool) -> list[tuple[list[NDArray[np.bool_]], float]]:
    """Return the kinds of options, each with its share of the chance."""
    places = np.arange(count)
    numbers = places < count - nan
    plain = [[places == a for a in places], [places != a for a in places]]
    if ordered:
        plain += [[numbers & (places <= a) for a in places[:-1]], [numbers & (places > a) for a in places[:-1]]]
    rare: list[list[NDArray[np.bool_]]] = []
    if ordered and count <= TUNING.max_interval_blocks:
        rare.append([(places >= a) & (places <= b) for a, b in combinations(places[numbers], 2)])
    if count <= TUNING.max_pair_blocks:
        pairs = [(places == a) | (places == b) for a, b in combinations(places, 2)]
        rare += [pairs, [~mask for mask in pairs]]
    rare = [group for group in rare if group]
    shares = [(group, TUNING.plain_chance / len(plain)) for group in plain]
    return shares + [(group, (1 - TUNING.plain_chance) / len(rare)) for group in rare]


def options(pipeline: Pipeline, runs: Runs) -> list[Options]:
    """Return the options of each parameter. Parameters of the same shape share one object."""
    made: dict[tuple[bytes, bool, bool], Options] = {}
    found = []
    for p, (values, ordered) in enumerate(zip(pipeline.values, pipeline.ordered, strict=True)):
        nan = ordered and is_nan(values[-1])
        blocks = _cut_blocks(len(values), ordered, nan, runs, p)
        shape = blocks.tobytes(), ordered, nan
        if shape not in made:
            made[shape] = Options(blocks, ordered, nan)
        found.append(made[shape])
    return found


def _cut_blocks(count: int, ordered: bool, nan: bool, runs: Runs, p: int) -> Blocks:
    if not ordered or count <= TUNING.max_blocks:
        return np.arange(count)
    numbers = count - nan
    failed = np.bincount(runs.codes[runs.fails > 0, p], minlength=count)[:numbers] > 0
    passed = np.bincount(runs.codes[runs.fails == 0, p], minlength=count)[:numbers] > 0
    kind = failed + 2 * passed
    seen = np.flatnonzero(kind)  # values that were never run belong to the block before them
    changes = np.flatnonzero(np.diff(kind[seen]) != 0)
    stretch = np.diff(np.concatenate([[-1], changes, [len(seen) - 1]]))
    beside = np.maximum(stretch[:-1], stretch[1:])
    kept = changes[np.argsort(-beside, kind="stable")[: TUNING.max_blocks // 2]]
    even = np.linspace(0, numbers, TUNING.max_blocks // 2, endpoint=False).astype(np.int64)[1:]
    cuts = np.union1d(seen[kept] + 1, even)
    blocks = np.searchsorted(cuts, np.arange(count), side="right")
    if nan:
        blocks[-1] = blocks[:-1].max() + 1
    return np.unique(blocks, return_inverse=True)[1]
