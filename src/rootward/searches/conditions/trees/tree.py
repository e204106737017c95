"""Decision trees: a leaf with a label, or a question with a tree for each answer.

A question has one of ten forms, the primitives that faults in code are made of::

    is INF    is NaN    x = y    int(x) = int(y)
    x < p0    x + p1 * y < p0    x * y < p0
    x = p0    x + p1 * y = p0    x * y = p0

Equality means within epsilon, ``max(0.5, 0.01 * p0)``. The magnitude of p0 is taken, or the tolerance of negative
constants would never grow; ``x = y`` has no constant, so its tolerance is 0.5. ``is INF`` holds for both infinities:
their sign is told by ``x < p0``. As in code, nothing but ``is NaN`` holds for NaN.
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
    """How far from ``p0`` something may be and still equal it."""
    return np.maximum(0.5, 0.01 * np.abs(p0))


def _at(value: Column, p0: Column | float) -> Bools:
    return np.asarray(np.abs(value - p0) <= epsilon(p0))


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
class Question:
    """One of the forms with its fields (by axis) and constants."""

    form: Form
    x: int
    y: int = 0
    p0: float = 0.0
    p1: float = 0.0

    def holds(self, features: Rows) -> Bools:
        """For each row."""
        return decide(self.form, features[:, self.x], features[:, self.y], self.p0, self.p1)


def decide(form: Form, x: Column, y: Column, p0: Column | float = 0.0, p1: Column | float = 0.0) -> Bools:
    """The form, for arrays of any shapes that fit."""
    with np.errstate(over="ignore", invalid="ignore"):
        return _DECISIONS[form](x, y, p0, p1)


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
