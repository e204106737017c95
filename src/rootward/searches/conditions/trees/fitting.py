"""Fit a tree to trials: grow it, prune it by cost complexity, and replace nodes that their children made superfluous.

Growing works as in C4.5: ask the question with the highest information gain (splitting.py), and repeat on both sides.

Pruning is minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone, 1984). The cost of a tree is its share
of errors plus ``alpha`` per leaf. As alpha grows, the best subtree shrinks from the whole tree to its root, losing its
weakest nodes first: a family of trees. Each is judged by cross-validation, and the simplest tree whose error is within
one standard deviation of the lowest error is chosen. That is the standard deviation of a share of errors, estimated
from this number of trials.

Splits over several fields are not orthogonal, so the best first question may become superfluous once its children
exist. Therefore a second step goes from the top down and tries to replace a node by each of its children, with the
other child dropped or grafted in the place of any leaf. The tree with the lowest cost complexity wins; among equals,
the smaller one. The paper says "in either position": for a child with two leaves that means either leaf, as in its
Figure 3, and here every leaf of a larger child.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Rows, TrialData
from rootward.searches.conditions.trees.splitting import Splitter
from rootward.searches.conditions.trees.tree import (
    Bools,
    Leaf,
    Split,
    Tree,
    count_errors,
    count_leaves,
    make_leaf,
    predict,
)
from rootward.searches.conditions.trees.tuning import TUNING

Family = list[tuple[float, Tree]]
"""Pairs (alpha from which on the tree is the best one, tree), ascending, from the whole tree to a leaf."""


def fit(data: TrialData, rng: np.random.Generator) -> Tree:
    """Return the tree for all trials so far."""
    features, places, fails = data.features, data.places, data.fails
    splitter = Splitter(data.axes, rng)
    grown = grow(splitter, features, places, fails)
    alpha, pruned = prune(grown, splitter, features, places, fails, rng)
    return replace_superfluous(pruned, features, fails, alpha, len(fails))


# Growing


def grow(splitter: Splitter, features: Rows, places: Rows, fails: Bools) -> Tree:
    """Return the whole tree for these trials, not yet pruned.

    A node becomes a leaf if its trials have only one label, if there are too few, or if no question gains anything.
    """
    if len(fails) < TUNING.min_split or fails.all() or not fails.any():
        return make_leaf(fails)
    question = splitter.best(features, places, fails)
    if question is None:
        return make_leaf(fails)
    yes = question.holds(features)
    grown = [grow(splitter, features[side], places[side], fails[side]) for side in (yes, ~yes)]
    return Split(question, *grown)


# Pruning


def family(tree: Tree) -> Family:
    """Return trees of decreasing size, each with the alpha from which it is the best one.

    The first, at alpha 0, is the tree without the nodes that save no errors. Each further tree is the one before with
    its weakest nodes turned into leaves.
    """
    total = tree.fails + tree.passes
    found: Family = [(0.0, _prune_at(tree, 0.0, total))]
    while isinstance(found[-1][1], Split):
        alpha = max(weakest(found[-1][1], total), found[-1][0])
        found.append((alpha, _prune_at(found[-1][1], alpha, total)))
    return found


def weakest(tree: Tree, total: int) -> float:
    """Return the lowest alpha at which some node is no longer worth its branches."""
    if isinstance(tree, Leaf):
        return math.inf
    return min(_price(tree, total), weakest(tree.yes, total), weakest(tree.no, total))


def _price(tree: Split, total: int) -> float:
    """Return the errors that the node saves, as a share of all trials, divided by the number of its extra leaves.

    A node without branches would be one leaf; all leaves beyond the first are extra.
    """
    return (min(tree.fails, tree.passes) - count_errors(tree)) / total / (count_leaves(tree) - 1)


def _prune_at(tree: Tree, alpha: float, total: int) -> Tree:
    """Return the tree without the nodes that save at most ``alpha`` per leaf."""
    if isinstance(tree, Leaf):
        return tree
    kept = Split(tree.question, _prune_at(tree.yes, alpha, total), _prune_at(tree.no, alpha, total))
    return Leaf(tree.fails, tree.passes) if _price(kept, total) <= alpha + 1e-12 else kept


def find_best_at(found: Family, alpha: float) -> Tree:
    """Return the tree of a family that is the best one for this alpha."""
    return next(tree for start, tree in reversed(found) if start <= alpha)


def prune(
    tree: Tree, splitter: Splitter, features: Rows, places: Rows, fails: Bools, rng: np.random.Generator
) -> tuple[float, Tree]:
    """Return the pruned tree and its alpha.

    It is the simplest tree of the family whose errors are within one standard deviation of the fewest.
    """
    trees = family(tree)
    if len(trees) == 1 or len(fails) < 2 * TUNING.folds:
        return trees[0]
    alphas = _middle_alphas([alpha for alpha, _ in trees])
    wrong = np.zeros(len(alphas))
    for held in folds(fails, rng):
        grown = family(grow(splitter, features[~held], places[~held], fails[~held]))
        wrong += [np.sum(predict(find_best_at(grown, alpha), features[held]) != fails[held]) for alpha in alphas]
    return trees[choose_simplest(wrong, len(fails))]


def choose_simplest(wrong: NDArray[np.float64], total: int) -> int:
    """Return the index of the last tree of a family whose errors are within one standard deviation of the fewest."""
    rate = float(wrong.min()) / total
    limit = wrong.min() / total + math.sqrt(rate * (1 - rate) / total)
    return int(np.flatnonzero(wrong / total <= limit + 1e-12)[-1])


def _middle_alphas(alphas: list[float]) -> list[float]:
    """Return, for each alpha, the geometric mean of this alpha and the next.

    The mean is a typical alpha at which the same tree is the best one on other trials.
    """
    return [*(math.sqrt(low * high) for low, high in pairwise(alphas)), math.inf]


def folds(fails: Bools, rng: np.random.Generator) -> list[Bools]:
    """Return one mask per fold, which marks the trials to hold out.

    Every trial is held out once, and both labels are spread evenly over the folds.
    """
    order = np.concatenate([rng.permutation(np.flatnonzero(fails == label)) for label in (False, True)])
    number = np.empty(len(fails), dtype=np.int64)
    number[order] = np.arange(len(fails)) % TUNING.folds
    return [number == fold for fold in range(TUNING.folds)]


# Replacing superfluous nodes


def refit_tree(tree: Tree, features: Rows, fails: Bools) -> Tree:
    """Return the tree with the leaves counted anew on these trials. Questions that separate nothing are dropped."""
    if isinstance(tree, Leaf):
        return make_leaf(fails)
    yes = tree.question.holds(features)
    if yes.all() or not yes.any():
        return refit_tree(tree.yes if yes.any() or not len(yes) else tree.no, features, fails)
    made = Split(
        tree.question, refit_tree(tree.yes, features[yes], fails[yes]), refit_tree(tree.no, features[~yes], fails[~yes])
    )
    alike = isinstance(made.yes, Leaf) and isinstance(made.no, Leaf) and made.yes.failing == made.no.failing
    return Leaf(made.fails, made.passes) if alike else made


def list_replacements(tree: Split) -> Iterator[Tree]:
    """Yield trees that could replace this one.

    These are each child alone, and each child with the other child grafted at one of its leaves.
    """
    for child, other in ((tree.yes, tree.no), (tree.no, tree.yes)):
        yield child
        if isinstance(child, Split) and isinstance(other, Split):
            yield from graft(child, other)


def graft(tree: Tree, other: Tree) -> Iterator[Tree]:
    """Yield, for each leaf of the tree, the tree with ``other`` in place of this leaf."""
    if isinstance(tree, Leaf):
        yield other
        return
    for yes in graft(tree.yes, other):
        yield Split(tree.question, yes, tree.no)
    for no in graft(tree.no, other):
        yield Split(tree.question, tree.yes, no)


def replace_superfluous(tree: Tree, features: Rows, fails: Bools, alpha: float, total: int) -> Tree:
    """Return the tree with every superfluous node replaced, from the top down.

    ``total`` is the number of all trials, including those that do not reach this node.
    """
    if isinstance(tree, Leaf):
        return tree
    choices = [tree, *(refit_tree(one, features, fails) for one in list_replacements(tree))]
    best = min(
        choices, key=lambda one: (round(count_errors(one) / total + alpha * count_leaves(one), 12), count_leaves(one))
    )
    if best is not tree:
        return replace_superfluous(best, features, fails, alpha, total)
    yes = tree.question.holds(features)
    sides = ((tree.yes, yes), (tree.no, ~yes))
    return Split(tree.question, *(replace_superfluous(one, features[at], fails[at], alpha, total) for one, at in sides))
