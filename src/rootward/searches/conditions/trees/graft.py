"""The second pruning step: a node that its children have made superfluous is replaced by one of them.

Splits over several fields are not orthogonal, so what was the best question first may be needless once its children are
there. From the top down, a node is replaced by each of its children, with the other child grafted on in the place of
any leaf of it, or left out. Of all these trees the one with the lowest cost complexity stays; of equal ones, the
smaller. "In either position" of the paper is read as either end of a child that has two leaves, as in its Figure 3,
and as every leaf of a larger one.
"""

from __future__ import annotations

from collections.abc import Iterator

from rootward.searches.conditions.trees.axes import Rows
from rootward.searches.conditions.trees.questions import Bools
from rootward.searches.conditions.trees.tree import Leaf, Split, Tree, errors, leaf, leaves


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
