"""Decision trees: a leaf with a label, or a question with a tree for each answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Rows
from rootward.searches.conditions.trees.questions import Bools, Question


@dataclass(frozen=True, slots=True)
class Leaf:
    """How many trials of either kind led here; the label is that of most of them."""

    fails: int
    passes: int

    @property
    def failing(self) -> bool:
        """A tie counts as failing: a failure that might be there is not to be left out."""
        return self.fails >= self.passes and self.fails > 0

    @property
    def errors(self) -> int:
        return min(self.fails, self.passes)


@dataclass(frozen=True, slots=True)
class Split:
    """Where the question holds, ``yes`` decides, else ``no``."""

    question: Question
    yes: Tree
    no: Tree

    @property
    def fails(self) -> int:
        return self.yes.fails + self.no.fails

    @property
    def passes(self) -> int:
        return self.yes.passes + self.no.passes


Tree = Leaf | Split


def leaf(fails: Bools) -> Leaf:
    """The leaf of these trials."""
    failing = int(fails.sum())
    return Leaf(failing, len(fails) - failing)


def leaves(tree: Tree) -> int:
    """How many leaves it has."""
    return 1 if isinstance(tree, Leaf) else leaves(tree.yes) + leaves(tree.no)


def errors(tree: Tree) -> int:
    """How many of the trials it was made from it gets wrong."""
    return tree.errors if isinstance(tree, Leaf) else errors(tree.yes) + errors(tree.no)


def predict(tree: Tree, features: Rows) -> Bools:
    """Which rows fail, by the tree."""
    found = np.zeros(len(features), dtype=bool)
    for at, end in _reached(tree, features, np.arange(len(features))):
        found[at] = end.failing
    return found


def _reached(tree: Tree, features: Rows, rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], Leaf]]:
    """Each leaf, with the rows that end there."""
    if isinstance(tree, Leaf):
        yield rows, tree
        return
    holds = tree.question.holds(features[rows])
    yield from _reached(tree.yes, features, rows[holds])
    yield from _reached(tree.no, features, rows[~holds])
