"""Find the best question for a node of the tree: all forms, fields and pairs of fields, judged by information gain.

One field. The best constant for ``x < p0`` and ``x = p0`` is found exactly, as in C4.5. If two questions gain the same,
the simpler form wins, because simpler forms are tried first.

Two fields. All constants cannot be tried, so they are estimated from boundary points, by RANSAC. The belief behind it:
the condition has a boundary in the plane of the two fields, and neighbouring trials with different labels lie on either
side of it.

A *boundary point* estimates where one label ends and the other begins. It is the average of a trial that is the nearest
of its class to some trial of the other class, and of its own nearest neighbour in the other class. Distances and
averages are taken in symmetric-log space and within a domain: trials with different special values are never
neighbours.

RANSAC finds the constants that explain the most boundary points. A model is drawn from the smallest number of boundary
points that determines it: two for ``x + p1 * y = p0``, one for ``x * y = p0``. It explains a boundary point if, at that
point's y, the model's x is within the point's own uncertainty, which is half the distance between its two trials.
Because distances are measured in symmetric-log space, large numbers do not dominate. Points that lie on another
boundary are not explained and do no harm. The models that explain the most points become questions; information gain
chooses between them.

The work is limited by the constants of tuning.py. To add a form over two fields, write a function like ``fit_products``
that returns ``PairModels``, and score it in ``_score_pairs``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.rules.constants import kind
from rootward.searches.conditions.trees.axes import Axes, Rows, codes
from rootward.searches.conditions.trees.tree import Bools, Column, Form, SplitQuestion, decide, epsilon
from rootward.searches.conditions.trees.tuning import TUNING
from rootward.space.compression import compress, compress_many, decompress, decompress_many
from rootward.space.space import Field, Ordinal

Floats = NDArray[np.float64]
Scored = tuple[float, SplitQuestion]
"""The gain of a question, and the question."""

MIN_GAIN = 1e-9
"""Smaller gains, and smaller differences between gains, are rounding errors."""
DOMAIN_DISTANCE = 1e6
"""Distance added between domains: larger than that of any two places within a domain."""
_ROUNDING = 1e-9  # added to the uncertainty of a boundary point, because its average is rounded


class Splitter:
    """Finds the best questions over given axes."""

    def __init__(self, axes: Axes, rng: np.random.Generator) -> None:
        self._rng = rng
        self._numbers = np.flatnonzero(axes.numbers)
        self._ascending = [at for at, field in enumerate(axes.fields) if axes.numbers[at] or _is_ascending(field)]
        self._special = [at for at, specials in enumerate(axes.specials) if specials]
        self._count = len(axes)

    def best(self, features: Rows, places: Rows, fails: Bools) -> SplitQuestion | None:
        """Return the question with the highest gain; None if no question gains anything."""
        best: Scored | None = None
        for scored in self._score_questions(features, places, fails):
            if scored[0] > (best[0] + MIN_GAIN if best else MIN_GAIN):
                best = scored
        return best and best[1]

    def _score_questions(self, features: Rows, places: Rows, fails: Bools) -> Iterator[Scored]:
        for at in self._special:
            for form in (Form.NAN, Form.INF):
                question = SplitQuestion(form, at)
                yield float(compute_gains(question.holds(features), fails)), question
        for at in self._ascending:
            yield from find_best_below(features[:, at], fails, at)
        for at in range(self._count):
            yield from find_best_equal(features[:, at], fails, at)
        yield from self._score_pairs(features, places, fails)

    def _score_pairs(self, features: Rows, places: Rows, fails: Bools) -> Iterator[Scored]:
        varied = [at for at in self._numbers if features[:, at].min() != features[:, at].max()]
        pairs = np.array([(x, y) for x in varied for y in varied if x < y], dtype=np.int64).reshape(-1, 2)
        if not len(pairs):
            return
        for form in (Form.EQUAL, Form.SAME_WHOLE):
            none = np.zeros((len(pairs), 1))
            yield from _score_models(form, pairs, none, none, features, fails)
        found = sample_borders(find_borders(places, fails), self._rng)
        if len(found) < 2:
            return
        curves = fit_products(found, pairs)
        straight = fit_lines(found, pairs, self._rng)
        for form, models in (
            (Form.PRODUCT_BELOW, curves),
            (Form.LINE_BELOW, straight),
            (Form.PRODUCT_AT, curves),
            (Form.LINE_AT, straight),
        ):
            yield from _score_models(form, pairs, models.p0, models.p1, features, fails)


def _is_ascending(field: Field) -> bool:
    """Return True if the values of the field are numbers in ascending order.

    Only then does ``x < p0`` mean the same for values as for places.
    """
    numbers = isinstance(field, Ordinal) and all(kind(value) == "number" for value in field.values)
    return numbers and all(low < high for low, high in pairwise(field.values))


def find_best_below(column: Column, fails: Bools, at: int) -> Iterator[Scored]:
    """Yield the best question ``x < p0``.

    ``p0`` lies half way, in symmetric-log space, between two neighbouring values of the column.
    """
    order = np.argsort(column, kind="stable")  # NaN comes last; ``x < p0`` never holds for it
    values, labels = column[order], fails[order]
    last = np.flatnonzero(values[:-1] < values[1:])
    numbers = len(values) - np.count_nonzero(np.isnan(values))
    if 0 < numbers < len(values) and values[numbers - 1] < np.inf:  # no constant separates infinity from NaN
        last = np.append(last, numbers - 1)
    if not len(last):
        return
    found = gain(last + 1, np.cumsum(labels)[last], len(fails), int(fails.sum()))
    best = int(np.argmax(found))
    yield float(found[best]), SplitQuestion(Form.BELOW, at, p0=_between(values, int(last[best])))


def _between(values: Column, at: int) -> float:
    """Return a constant above ``values[at]`` and not above the next value."""
    low, high = float(values[at]), float(values[at + 1]) if at + 1 < len(values) else math.inf
    if math.isinf(low) or not math.isfinite(high):
        return math.nextafter(low, math.inf) if math.isinf(low) else math.inf
    middle = decompress((compress(low) + compress(high)) / 2)
    return middle if low < middle <= high else high


def find_best_equal(column: Column, fails: Bools, at: int) -> Iterator[Scored]:
    """Yield the best question ``x = p0``, where ``p0`` is one of the values in the column."""
    finite = np.isfinite(column)
    order = np.argsort(column[finite], kind="stable")
    values, counts = column[finite][order], np.append(0, np.cumsum(fails[finite][order]))
    if not len(values) or (values[0] == values[-1] and finite.all()):
        return
    reach = epsilon(values)
    with np.errstate(over="ignore"):
        first = np.searchsorted(values, values - reach, side="left")
        past = np.searchsorted(values, values + reach, side="right")
    found = gain(past - first, counts[past] - counts[first], len(fails), int(fails.sum()))
    best = int(np.argmax(found))
    yield float(found[best]), SplitQuestion(Form.AT, at, p0=float(values[best]))


def _score_models(
    form: Form,
    pairs: NDArray[np.int64],
    p0: Floats,
    p1: Floats,
    features: Rows,
    fails: Bools,
) -> Iterator[Scored]:
    """Yield the best question of one form.

    ``p0`` and ``p1`` hold the constants of the models, with one row for each pair of fields.
    """
    x, y = features[:, pairs[:, 0]].T[:, None, :], features[:, pairs[:, 1]].T[:, None, :]
    holds = decide(form, x, y, p0[:, :, None], p1[:, :, None])
    found = np.where(np.isnan(p0), -1.0, compute_gains(holds, fails))
    pair, model = np.unravel_index(int(np.argmax(found)), found.shape)
    axes = int(pairs[pair, 0]), int(pairs[pair, 1])
    yield float(found[pair, model]), SplitQuestion(form, *axes, p0=float(p0[pair, model]), p1=float(p1[pair, model]))


# Information gain: the reduction of the weighted entropy of the labels by a split, in bits.
#
# All counts are whole numbers, so a table of ``n * log2(n)`` gives every entropy without computing a logarithm: for n
# trials, k of them failing, n times the entropy is ``table[n] - table[k] - table[n - k]``.


def gain(yes: Any, yes_fails: Any, count: int, fails: int) -> Floats:
    """Return the gain of splits of ``count`` rows, ``fails`` of which fail.

    A split puts ``yes`` of the rows on one side; ``yes_fails`` of these fail.
    """
    table = _table(1 << count.bit_length())
    no, no_fails = count - yes, fails - yes_fails
    after = table[yes] - table[yes_fails] - table[yes - yes_fails] + table[no] - table[no_fails] - table[no - no_fails]
    before = table[count] - table[fails] - table[count - fails]
    return np.asarray((before - after) / max(count, 1))


@lru_cache(maxsize=4)
def _table(size: int) -> Floats:
    numbers = np.arange(size + 1, dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1))


def compute_gains(holds: Bools, fails: Bools) -> Floats:
    """Return the gains of several splits, each given as a row of answers."""
    yes, yes_fails = np.count_nonzero(holds, axis=-1), np.count_nonzero(holds[..., fails], axis=-1)
    return gain(yes, yes_fails, len(fails), int(np.count_nonzero(fails)))


# Boundary points


@dataclass(frozen=True, eq=False)
class Borders:
    """Boundary points as places and as values, and the uncertainty of each (``reach``), by axis."""

    places: Rows
    values: Rows
    reach: Rows

    def __len__(self) -> int:
        return len(self.places)


def find_borders(places: Rows, fails: Bools) -> Borders:
    """Return the midpoints between neighbours with different verdicts. Coordinates that are not finite become NaN."""
    pairs = find_neighbours(places, fails)
    one, two = places[pairs[:, 0]], places[pairs[:, 1]]
    finite = np.isfinite(one)
    middle = np.where(finite, (np.where(finite, one, 0) + np.where(finite, two, 0)) / 2, np.nan)
    reach = np.where(finite, np.abs(np.where(finite, one, 0) - np.where(finite, two, 0)) / 2, np.nan)
    return Borders(middle, decompress_many(middle), reach)


def find_neighbours(places: Rows, fails: Bools) -> NDArray[np.int64]:
    """Return index pairs (failing trial, passing trial) of neighbours.

    In each pair, one trial is the nearest to the other among the trials with a different verdict.
    """
    from scipy.spatial import cKDTree

    where = np.column_stack([np.where(np.isfinite(places), places, 0.0), DOMAIN_DISTANCE * _number_domains(places)])
    sides = [np.flatnonzero(fails), np.flatnonzero(~fails)]
    if not all(map(len, sides)):
        return np.empty((0, 2), dtype=np.int64)
    trees = [cKDTree(where[side]) for side in sides]
    found = []
    for mine, other in ((0, 1), (1, 0)):
        _, nearest = trees[mine].query(where[sides[other]])
        edge = sides[mine][np.unique(nearest)]
        away, across = trees[other].query(where[edge])
        near = away < DOMAIN_DISTANCE / 2
        pairs = np.column_stack([edge, sides[other][across]])[near]
        found.append(pairs if mine == 0 else pairs[:, ::-1])
    failing, passing = np.vstack(found).T
    return np.column_stack(np.divmod(np.unique(failing * len(places) + passing), len(places)))


def _number_domains(places: Rows) -> Floats:
    """Return a number for the domain of each row."""
    if np.isfinite(places).all():  # the usual case: a single domain
        return np.zeros(len(places))
    _, numbers = np.unique(codes(places), axis=0, return_inverse=True)
    return numbers.reshape(-1).astype(float)


# RANSAC


@dataclass(frozen=True, eq=False)
class PairModels:
    """The constants of models, with one row for each pair of fields.

    In each row, the models that explain the most points come first.
    """

    p0: Floats
    p1: Floats
    explained: NDArray[np.int64]


def sample_borders(found: Borders, rng: np.random.Generator) -> Borders:
    """Return the boundary points, or a sample if there are too many."""
    if len(found) <= TUNING.max_boundary_points:
        return found
    kept = np.sort(rng.choice(len(found), TUNING.max_boundary_points, replace=False))
    return Borders(found.places[kept], found.values[kept], found.reach[kept])


def fit_lines(found: Borders, pairs: NDArray[np.int64], rng: np.random.Generator) -> PairModels:
    """Return models ``x + p1 * y = p0`` for pairs (x, y) of axes."""
    first, second = _index_pairs(len(found))
    if len(first) > TUNING.drawn_models:
        kept = rng.choice(len(first), TUNING.drawn_models, replace=False)
        first, second = first[kept], second[kept]
    x, y = found.values[:, pairs[:, 0]].T, found.values[:, pairs[:, 1]].T
    with np.errstate(all="ignore"):
        p1 = -(x[:, first] - x[:, second]) / (y[:, first] - y[:, second])
        p0 = x[:, first] + p1 * y[:, first]
        expected = p0[:, :, None] - p1[:, :, None] * y[:, None, :]
    usable = np.isfinite(p0) & np.isfinite(p1) & (p1 != 0)
    return _best_models(found, pairs, np.where(usable, p0, np.nan), p1, expected)


@lru_cache(maxsize=TUNING.max_boundary_points)
def _index_pairs(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of all pairs of ``count`` points."""
    first, second = np.triu_indices(count, 1)
    return first, second


def fit_products(found: Borders, pairs: NDArray[np.int64]) -> PairModels:
    """Return models ``x * y = p0`` for pairs (x, y) of axes."""
    x, y = found.values[:, pairs[:, 0]].T, found.values[:, pairs[:, 1]].T
    with np.errstate(all="ignore"):
        p0 = x * y
        expected = p0[:, :, None] / y[:, None, :]
    return _best_models(found, pairs, np.where(np.isfinite(p0), p0, np.nan), np.zeros_like(p0), expected)


def _best_models(
    found: Borders,
    pairs: NDArray[np.int64],
    p0: Floats,
    p1: Floats,
    expected: Floats,
) -> PairModels:
    """Return, for each pair of fields, the models that explain the most boundary points.

    ``expected`` holds the x that each model expects at each boundary point.
    """
    x, reach = found.places[:, pairs[:, 0]].T, found.reach[:, pairs[:, 0]].T
    with np.errstate(invalid="ignore"):
        close = np.abs(compress_many(expected) - x[:, None, :]) <= (reach + _ROUNDING)[:, None, :]
    explained = np.where(np.isnan(p0), -1, close.sum(axis=2))
    order = np.argsort(-explained, axis=1, kind="stable")[:, : TUNING.kept_models]
    taken = [np.take_along_axis(values, order, axis=1) for values in (p0, p1, explained)]
    return PairModels(*taken)
