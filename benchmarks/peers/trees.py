"""Decision trees as HPSL's section VI compares itself with: C4.5 on random mutations of the failing configuration.

A test asks whether a field has a value. Among the tests that gain at least the average, the one with the best gain
ratio wins, as in C4.5. The examples differ from the failing configuration in few fields, so counts are taken over the
mutated cells only; those of the failing configuration's own values follow by subtraction.

Two prunings: ``shallow`` stops at depth 10 and at branches with 10 examples or fewer of each class; ``precise`` grows
to depth 30 on one half of the examples, then cuts, bottom up, wherever that does not lower the precision on the other
half ("improved precision pruning": reduced error pruning with another aim, so that ties go to the smaller tree).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peers.planted import Coded
from peers.unions import Part

EXAMPLES = 5000
MUTATED_SHARE = 0.1
MIN_EXAMPLES = 2  # minimum on either side of a test, as in C4.5


@dataclass(frozen=True)
class Examples:
    """Configurations in numbers, one per row. ``cells``: the mutated cells, as field * width + place."""

    codes: NDArray[np.int16]
    cells: NDArray[np.int32]
    fails: NDArray[np.bool_]
    width: int

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: slice) -> Examples:
        return Examples(self.codes[rows], self.cells[rows], self.fails[rows], self.width)


@dataclass
class Node:
    """A node: the training examples that end here, and the test (``field`` has the value at ``place``) that splits
    them."""

    fails: int
    passes: int
    field: int = -1
    place: int = -1
    yes: Node | None = None
    no: Node | None = None

    @property
    def label(self) -> bool:
        return self.fails > self.passes


def mutate(coded: Coded, rng: np.random.Generator, count: int = EXAMPLES, share: float = MUTATED_SHARE) -> Examples:
    """Mutate the failing configuration: for each example, set this share of its fields to other values."""
    mutated = max(1, round(share * len(coded.sizes)))
    fields = np.argpartition(rng.random((count, len(coded.sizes)), dtype=np.float32), mutated - 1, axis=1)[:, :mutated]
    others = coded.sizes[fields] - 1
    places = (coded.failing[fields] + 1 + (rng.random(fields.shape) * others).astype(np.int64)) % coded.sizes[fields]
    codes = np.repeat(coded.failing[None, :], count, axis=0)
    np.put_along_axis(codes, fields, places.astype(np.int16), axis=1)
    width = int(coded.sizes.max())
    return Examples(codes, (fields * width + places).astype(np.int32), coded.fails(codes), width)


def shallow(coded: Coded, examples: Examples) -> list[Part]:
    """Return the tree with the first pruning, as a union of product sets."""
    return union(coded, grow(coded, examples, depth=10, few=10))


def precise(coded: Coded, examples: Examples) -> list[Part]:
    """Return the tree with the second pruning, as a union of product sets."""
    half = len(examples) // 2
    tree = grow(coded, examples[:half], depth=30, few=0)
    prune(tree, examples[half:])
    return union(coded, tree)


# Growing


def grow(coded: Coded, examples: Examples, *, depth: int, few: int) -> Node:
    """Grow a tree of at most this depth; a branch with at most ``few`` examples of each class is not split further."""
    return _grow(coded, examples, np.arange(len(examples)), depth, few)


def _grow(coded: Coded, examples: Examples, rows: NDArray[np.int64], depth: int, few: int) -> Node:
    fails = int(examples.fails[rows].sum())
    node = Node(fails, len(rows) - fails)
    pure = min(node.fails, node.passes) == 0
    if depth == 0 or pure or max(node.fails, node.passes) <= few:
        return node
    if (best := _best_test(coded, examples, rows, node)) is None:
        return node
    node.field, node.place = divmod(best, examples.width)
    has = examples.codes[rows, node.field] == node.place
    node.yes = _grow(coded, examples, rows[has], depth - 1, few)
    node.no = _grow(coded, examples, rows[~has], depth - 1, few)
    return node


def _best_test(coded: Coded, examples: Examples, rows: NDArray[np.int64], node: Node) -> int | None:
    """Return the test with the best gain ratio, as field * width + place; None if none gains."""
    failing = examples.fails[rows]
    fails = _counts(coded, examples, rows[failing])
    passes = _counts(coded, examples, rows[~failing])
    size = fails + passes
    usable = np.flatnonzero((size >= MIN_EXAMPLES) & (size <= len(rows) - MIN_EXAMPLES))
    gain, parting = _gain(fails[usable], passes[usable], node)
    useful = gain > 1e-9
    if not useful.any():
        return None
    useful &= gain >= gain[useful].mean() - 1e-9
    return int(usable[np.argmax(np.where(useful, gain / parting, 0.0))])


def _counts(coded: Coded, examples: Examples, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the rows that have each value of each field."""
    shape = len(coded.sizes), examples.width
    counts = np.bincount(examples.cells[rows].ravel(), minlength=shape[0] * shape[1]).reshape(shape)
    counts[np.arange(shape[0]), coded.failing] = len(rows) - counts.sum(axis=1)
    return counts.ravel()


def _gain(
    fails: NDArray[np.int64], passes: NDArray[np.int64], node: Node
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the gain of each test, and the information of the split itself."""
    total = node.fails + node.passes
    with_value = fails + passes
    inside = _entropy(fails, passes)
    outside = _entropy(node.fails - fails, node.passes - passes)
    left = with_value / total
    before = _entropy(np.array([node.fails]), np.array([node.passes]))
    return before - left * inside - (1 - left) * outside, _entropy(with_value, total - with_value)


def _entropy(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
    share = one / (one + other)
    inner = np.clip(share, 1e-300, 1.0), np.clip(1 - share, 1e-300, 1.0)
    return -(share * np.log2(inner[0]) + (1 - share) * np.log2(inner[1]))


# Pruning


def prune(tree: Node, examples: Examples) -> None:
    """Cut branches as long as that does not lower the tree's precision on these examples."""
    every = np.arange(len(examples))
    while True:
        hits, alarms = _judge(tree, examples, every)
        if not _Pruning(examples, hits, alarms).below(tree, every)[2]:
            return


def _judge(node: Node, examples: Examples, rows: NDArray[np.int64]) -> tuple[int, int]:
    """Count the rows labelled as failing that do fail, and those that do not."""
    if node.yes is None or node.no is None:
        fails = int(examples.fails[rows].sum())
        return (fails, len(rows) - fails) if node.label else (0, 0)
    has = examples.codes[rows, node.field] == node.place
    one, other = _judge(node.yes, examples, rows[has]), _judge(node.no, examples, rows[~has])
    return one[0] + other[0], one[1] + other[1]


@dataclass
class _Pruning:
    """One pass of pruning, bottom up. ``hits`` and ``alarms`` are those of the whole current tree."""

    examples: Examples
    hits: int
    alarms: int

    def below(self, node: Node, rows: NDArray[np.int64]) -> tuple[int, int, bool]:
        """Prune below the node and at it; return its hits and alarms after that, and True if anything was cut."""
        if node.yes is None or node.no is None:
            return *_judge(node, self.examples, rows), False
        has = self.examples.codes[rows, node.field] == node.place
        one, other = self.below(node.yes, rows[has]), self.below(node.no, rows[~has])
        now = one[0] + other[0], one[1] + other[1]
        leaf = _judge(Node(node.fails, node.passes), self.examples, rows)
        hits, alarms = self.hits - now[0] + leaf[0], self.alarms - now[1] + leaf[1]
        if _precision(hits, alarms) < _precision(self.hits, self.alarms):
            return *now, one[2] or other[2]
        self.hits, self.alarms = hits, alarms
        node.yes = node.no = None
        return *leaf, True


def _precision(hits: int, alarms: int) -> float:
    return hits / (hits + alarms) if hits + alarms else 0.0


# Conversion to product sets


def union(coded: Coded, tree: Node) -> list[Part]:
    """Return the disjoint product sets that the tree labels as failing."""
    return list(_leaves(coded, tree, {}))


def _leaves(coded: Coded, node: Node, path: Part) -> Iterator[Part]:
    if node.yes is None or node.no is None:
        if node.label:
            yield path
        return
    is_place = np.arange(coded.sizes[node.field]) == node.place
    here = path.get(node.field, np.ones_like(is_place))
    for child, kept in ((node.yes, here & is_place), (node.no, here & ~is_place)):
        if kept.any():
            yield from _leaves(coded, child, {**path, node.field: kept})
