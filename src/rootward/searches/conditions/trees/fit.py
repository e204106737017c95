"""Fitting: grow a tree, prune it by cost complexity, replace what its children made superfluous."""

from __future__ import annotations

import numpy as np

from rootward.searches.conditions.trees.data import Data
from rootward.searches.conditions.trees.graft import without_superfluous
from rootward.searches.conditions.trees.grow import grow
from rootward.searches.conditions.trees.prune import prune
from rootward.searches.conditions.trees.splitters import Splitter
from rootward.searches.conditions.trees.tree import Tree


def fit(data: Data, rng: np.random.Generator) -> Tree:
    """The tree for all trials so far."""
    features, places, fails = data.features, data.places, data.fails
    splitter = Splitter(data.axes, rng)
    grown = grow(splitter, features, places, fails)
    alpha, pruned = prune(grown, splitter, features, places, fails, rng)
    return without_superfluous(pruned, features, fails, alpha, len(fails))
