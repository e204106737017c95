"""Decision trees: a tree is a leaf with a label, or a question with a subtree for each answer.

A question has one of ten forms, the primitives of which conditions in code are made::

    is INF    is NaN    x = y    int(x) = int(y)
    x < p0    x + p1 * y < p0    x * y < p0
    x = p0    x + p1 * y = p0    x * y = p0

Equality means within epsilon, ``max(0.5, 0.01 * p0)``. Here p0 stands for its magnitude; otherwise the tolerance of
negative constants would never grow. ``x = y`` has no constant, so its tolerance is 0.5. ``is INF`` holds for both
infinities; ``x < p0`` separates their signs. As in code, only ``is NaN`` holds for NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Rows

Column = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Form(StrEnum):
    """The ten forms of a question."""

    NAN = "is NaN"
    INF = "is INF"
    EQUAL = "x = y"
    SAME_WHOLE = "int(x) = int(y)"
    BELOW = "x < p0"
    LINE_BELOW = "x + p1 * y < p0"
    PRODUCT_BELOW = "x * y < p0"
    AT = "x = p0"
    LINE_AT = "x + p1 * y = p0"
    PRODUCT_AT = "x * y = p0"


def epsilon(p0: Column | float) -> Column:
    """Return the distance from ``p0`` within which a value counts as equal to it."""
    return np.maximum(0.5, 0.01 * np.abs(p0))


def _at(value: Column, p0: Column | float) -> Bools:
    # The ends are computed as in ``find_best_equal``: a distance would be rounded differently.
    reach = epsilon(p0)
    return np.asarray((p0 - reach <= value) & (value <= p0 + reach) & np.isfinite(value))


def _whole(x: Column) -> Column:
    return np.where(np.isfinite(x), np.trunc(x), np.nan)


_Decision = Callable[[Column, Column, Column | float, Column | float], Bools]
_DECISIONS: dict[Form, _Decision] = {
    Form.NAN: lambda x, y, p0, p1: np.isnan(x),
    Form.INF: lambda x, y, p0, p1: np.isinf(x),
    Form.EQUAL: lambda x, y, p0, p1: _at(x - y, 0.0),
    Form.SAME_WHOLE: lambda x, y, p0, p1: _whole(x) == _whole(y),
    Form.BELOW: lambda x, y, p0, p1: x < p0,
    Form.LINE_BELOW: lambda x, y, p0, p1: x + p1 * y < p0,
    Form.PRODUCT_BELOW: lambda x, y, p0, p1: x * y < p0,
    Form.AT: lambda x, y, p0, p1: _at(x, p0),
    Form.LINE_AT: lambda x, y, p0, p1: _at(x + p1 * y, p0),
    Form.PRODUCT_AT: lambda x, y, p0, p1: _at(x * y, p0),
}


@dataclass(frozen=True, slots=True)
class SplitQuestion:
    """A form with its fields (as axis numbers) and constants."""

    form: Form
    x: int
    y: int = 0
    p0: float = 0.0
    p1: float = 0.0

    def holds(self, features: Rows) -> Bools:
        """Return, for each row, whether the question holds."""
        return decide(self.form, features[:, self.x], features[:, self.y], self.p0, self.p1)


def decide(form: Form, x: Column, y: Column, p0: Column | float = 0.0, p1: Column | float = 0.0) -> Bools:
    """Evaluate the form on arrays that can be broadcast together."""
    with np.errstate(over="ignore", invalid="ignore"):
        return _DECISIONS[form](x, y, p0, p1)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The number of failing and passing trials at a leaf; the majority is its label."""

    fails: int
    passes: int

    @property
    def failing(self) -> bool:
        """The label of the leaf. A tie counts as failing, so that no possible failure is left out."""
        return self.fails >= self.passes and self.fails > 0

    @property
    def errors(self) -> int:
        return min(self.fails, self.passes)


@dataclass(frozen=True, slots=True)
class Split:
    """An inner node: ``yes`` decides where the question holds, ``no`` elsewhere."""

    question: SplitQuestion
    yes: Tree
    no: Tree

    @property
    def fails(self) -> int:
        return self.yes.fails + self.no.fails

    @property
    def passes(self) -> int:
        return self.yes.passes + self.no.passes


Tree = Leaf | Split


def make_leaf(fails: Bools) -> Leaf:
    """Return the leaf for these trials."""
    failing = int(fails.sum())
    return Leaf(failing, len(fails) - failing)


def count_leaves(tree: Tree) -> int:
    """Return the number of leaves."""
    return 1 if isinstance(tree, Leaf) else count_leaves(tree.yes) + count_leaves(tree.no)


def count_errors(tree: Tree) -> int:
    """Return the number of training trials that the tree predicts wrongly."""
    return tree.errors if isinstance(tree, Leaf) else count_errors(tree.yes) + count_errors(tree.no)


def predict(tree: Tree, features: Rows) -> Bools:
    """Return, for each row, whether the tree predicts a failure."""
    found = np.zeros(len(features), dtype=bool)
    for at, end in _walk_leaves(tree, features, np.arange(len(features))):
        found[at] = end.failing
    return found


def _walk_leaves(tree: Tree, features: Rows, rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], Leaf]]:
    """Yield each leaf with the rows that end there."""
    if isinstance(tree, Leaf):
        yield rows, tree
        return
    holds = tree.question.holds(features[rows])
    yield from _walk_leaves(tree.yes, features, rows[holds])
    yield from _walk_leaves(tree.no, features, rows[~holds])
