"""Fitting a tree to trials: grow it, prune it by cost complexity, replace what its children made superfluous.

Growing is that of C4.5: ask the question with the highest information gain (splitting.py), and go on with either side.

Pruning is minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone, 1984). The cost of a tree is its share
of errors and ``alpha`` for each leaf. As alpha grows, the best subtree shrinks, one weakest node at a time, from the
whole tree to its root: a family of trees. Each is judged by cross-validation, and the simplest whose error is within
one standard deviation of the lowest is taken. The standard deviation is that of the estimate, a share of errors among
so many trials.

Splits over several fields are not orthogonal, so what was the best question first may be needless once its children are
there. Therefore a second step goes from the top down and replaces a node by each of its children, with the other child
grafted on in the place of any leaf of it, or left out. Of all these trees the one with the lowest cost complexity
stays; of equal ones, the smaller. "In either position" of the paper is read as either end of a child that has two
leaves, as in its Figure 3, and as every leaf of a larger one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Data, Rows
from rootward.searches.conditions.trees.splitting import Splitter
from rootward.searches.conditions.trees.tree import Bools, Leaf, Split, Tree, errors, leaf, leaves, predict
from rootward.searches.conditions.trees.tuning import TUNING

Family = list[tuple[float, Tree]]
"""From which alpha on a tree is the best one: ascending, from the whole tree to a leaf."""


def fit(data: Data, rng: np.random.Generator) -> Tree:
    """The tree for all trials so far."""
    features, places, fails = data.features, data.places, data.fails
    splitter = Splitter(data.axes, rng)
    grown = grow(splitter, features, places, fails)
    alpha, pruned = prune(grown, splitter, features, places, fails, rng)
    return without_superfluous(pruned, features, fails, alpha, len(fails))


# Growing


def grow(splitter: Splitter, features: Rows, places: Rows, fails: Bools) -> Tree:
    """The whole tree for these trials, not yet pruned.

    It ends where all trials have one label, where there are too few, and where no question gains anything.
    """
    if len(fails) < TUNING.min_split or fails.all() or not fails.any():
        return leaf(fails)
    question = splitter.best(features, places, fails)
    if question is None:
        return leaf(fails)
    yes = question.holds(features)
    grown = [grow(splitter, features[side], places[side], fails[side]) for side in (yes, ~yes)]
    return Split(question, *grown)


# Pruning


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
    if len(trees) == 1 or len(fails) < 2 * TUNING.folds:
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
    number[order] = np.arange(len(fails)) % TUNING.folds
    return [number == fold for fold in range(TUNING.folds)]


# Replacing superfluous nodes


def regrown(tree: Tree, features: Rows, fails: Bools) -> Tree:
    """The same questions for these trials: leaves count anew, and questions that tell nothing apart are gone."""
    if isinstance(tree, Leaf):
        return leaf(fails)
    yes = tree.question.holds(features)
    if yes.all() or not yes.any():
        return regrown(tree.yes if yes.any() or not len(yes) else tree.no, features, fails)
    made = Split(
        tree.question, regrown(tree.yes, features[yes], fails[yes]), regrown(tree.no, features[~yes], fails[~yes])
    )
    alike = isinstance(made.yes, Leaf) and isinstance(made.no, Leaf) and made.yes.failing == made.no.failing
    return Leaf(made.fails, made.passes) if alike else made


def replaced(tree: Split) -> Iterator[Tree]:
    """One child in the place of the tree, without the other, and with it at each of the first one's leaves."""
    for child, other in ((tree.yes, tree.no), (tree.no, tree.yes)):
        yield child
        if isinstance(child, Split) and isinstance(other, Split):
            yield from grafted(child, other)


def grafted(tree: Tree, other: Tree) -> Iterator[Tree]:
    """``other`` in the place of one leaf, for each leaf."""
    if isinstance(tree, Leaf):
        yield other
        return
    for yes in grafted(tree.yes, other):
        yield Split(tree.question, yes, tree.no)
    for no in grafted(tree.no, other):
        yield Split(tree.question, tree.yes, no)


def without_superfluous(tree: Tree, features: Rows, fails: Bools, alpha: float, total: int) -> Tree:
    """The tree with every superfluous node replaced, from the top down. ``total``: how many trials there are in all."""
    if isinstance(tree, Leaf):
        return tree
    choices = [tree, *(regrown(one, features, fails) for one in replaced(tree))]
    best = min(choices, key=lambda one: (round(errors(one) / total + alpha * leaves(one), 12), leaves(one)))
    if best is not tree:
        return without_superfluous(best, features, fails, alpha, total)
    yes = tree.question.holds(features)
    sides = ((tree.yes, yes), (tree.no, ~yes))
    return Split(tree.question, *(without_superfluous(one, features[at], fails[at], alpha, total) for one, at in sides))
