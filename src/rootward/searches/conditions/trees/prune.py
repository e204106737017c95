"""Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone, 1984).

The cost of a tree is its share of errors and ``alpha`` for each leaf. As alpha grows, the best subtree shrinks, one
weakest node at a time, from the whole tree to its root: a family of trees. Each is judged by cross-validation, and the
simplest whose error is within one standard deviation of the lowest is taken. The standard deviation is that of the
estimate, a share of errors among so many trials.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Rows
from rootward.searches.conditions.trees.grow import grow
from rootward.searches.conditions.trees.questions import Bools
from rootward.searches.conditions.trees.splitters import Splitter
from rootward.searches.conditions.trees.tree import Leaf, Split, Tree, errors, leaves, predict

FOLDS = 5
Family = list[tuple[float, Tree]]
"""From which alpha on a tree is the best one: ascending, from the whole tree to a leaf."""


def family(tree: Tree) -> Family:
    """The whole tree at alpha 0, then what is left each time the weakest nodes become leaves."""
    total = tree.fails + tree.passes
    found: Family = [(0.0, _without(tree, 0.0, total))]
    while isinstance(found[-1][1], Split):
        alpha = max(weakest(found[-1][1], total), found[-1][0])
        found.append((alpha, _without(found[-1][1], alpha, total)))
    return found


def weakest(tree: Tree, total: int) -> float:
    """The lowest price of a leaf at which some node is no longer worth its branches."""
    if isinstance(tree, Leaf):
        return math.inf
    return min(_price(tree, total), weakest(tree.yes, total), weakest(tree.no, total))


def _price(tree: Split, total: int) -> float:
    """How many errors, as a share of all trials, each leaf below the node saves beyond the first."""
    return (min(tree.fails, tree.passes) - errors(tree)) / total / (leaves(tree) - 1)


def _without(tree: Tree, alpha: float, total: int) -> Tree:
    """The tree without the nodes that are not worth more than ``alpha`` for each leaf."""
    if isinstance(tree, Leaf):
        return tree
    kept = Split(tree.question, _without(tree.yes, alpha, total), _without(tree.no, alpha, total))
    return Leaf(tree.fails, tree.passes) if _price(kept, total) <= alpha + 1e-12 else kept


def at(found: Family, alpha: float) -> Tree:
    """The member of a family that is the best one for this alpha."""
    return next(tree for start, tree in reversed(found) if start <= alpha)


def prune(
    tree: Tree, splitter: Splitter, features: Rows, places: Rows, fails: Bools, rng: np.random.Generator
) -> tuple[float, Tree]:
    """The simplest tree of the family within one standard deviation of the best, and its alpha."""
    trees = family(tree)
    if len(trees) == 1 or len(fails) < 2 * FOLDS:
        return trees[0]
    alphas = _middles([alpha for alpha, _ in trees])
    wrong = np.zeros(len(alphas))
    for held in folds(fails, rng):
        grown = family(grow(splitter, features[~held], places[~held], fails[~held]))
        wrong += [np.sum(predict(at(grown, alpha), features[held]) != fails[held]) for alpha in alphas]
    return trees[simplest(wrong, len(fails))]


def simplest(wrong: NDArray[np.float64], total: int) -> int:
    """The last of a family whose errors are within one standard deviation of the fewest."""
    rate = float(wrong.min()) / total
    limit = wrong.min() / total + math.sqrt(rate * (1 - rate) / total)
    return int(np.flatnonzero(wrong / total <= limit + 1e-12)[-1])


def _middles(alphas: list[float]) -> list[float]:
    """For each alpha, the geometric mean with the next: what it stands for in a tree of other trials."""
    return [*(math.sqrt(low * high) for low, high in pairwise(alphas)), math.inf]


def folds(fails: Bools, rng: np.random.Generator) -> list[Bools]:
    """Which trials are held out each time: all once, and of either kind as many each time, as far as they go."""
    order = np.concatenate([rng.permutation(np.flatnonzero(fails == label)) for label in (False, True)])
    number = np.empty(len(fails), dtype=np.int64)
    number[order] = np.arange(len(fails)) % FOLDS
    return [number == fold for fold in range(FOLDS)]
