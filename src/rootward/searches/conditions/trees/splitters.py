"""The best question for a node: every form, every field and pair of fields, judged by information gain.

A question about one field is found exactly, as in C4.5. The constants of a question about two come from the boundary
points. Between equal gains the simpler form wins: they are tried in that order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rootward.compress import compress, decompress
from rootward.rules.atoms import kind
from rootward.searches.conditions.trees import questions as q
from rootward.searches.conditions.trees import ransac
from rootward.searches.conditions.trees.axes import Axes, Rows
from rootward.searches.conditions.trees.borders import borders
from rootward.searches.conditions.trees.gain import gain, gains_of
from rootward.searches.conditions.trees.questions import Bools, Column, Question
from rootward.space import Field, Ordinal

NO_GAIN = 1e-9
"""What is gained below this is rounding."""
Scored = tuple[float, Question]


class Splitter:
    """Finds questions over given axes."""

    def __init__(self, axes: Axes, rng: np.random.Generator) -> None:
        self._rng = rng
        self._numbers = np.flatnonzero(axes.numbers)
        self._ascending = [at for at, field in enumerate(axes.fields) if axes.numbers[at] or _ascends(field)]
        self._special = [at for at, specials in enumerate(axes.specials) if specials]
        self._count = len(axes)

    def best(self, features: Rows, places: Rows, fails: Bools) -> Question | None:
        """The question with the highest gain; None if none has any."""
        best: Scored | None = None
        for scored in self._scored(features, places, fails):
            if scored[0] > (best[0] + NO_GAIN if best else NO_GAIN):
                best = scored
        return best and best[1]

    def _scored(self, features: Rows, places: Rows, fails: Bools) -> Iterator[Scored]:
        for at in self._special:
            for form in (q.NAN, q.INF):
                question = Question(form, at)
                yield float(gains_of(question.holds(features), fails)), question
        for at in self._ascending:
            yield from below(features[:, at], fails, at)
        for at in range(self._count):
            yield from equal_to(features[:, at], fails, at)
        yield from self._pairs(features, places, fails)

    def _pairs(self, features: Rows, places: Rows, fails: Bools) -> Iterator[Scored]:
        varied = [at for at in self._numbers if features[:, at].min() != features[:, at].max()]
        pairs = np.array([(x, y) for x in varied for y in varied if x < y], dtype=np.int64).reshape(-1, 2)
        if not len(pairs):
            return
        for form in (q.EQUAL, q.SAME_WHOLE):
            none = np.zeros((len(pairs), 1))
            yield from _judged(form, pairs, none, none, features, fails)
        found = ransac.sampled(borders(places, fails), self._rng)
        if len(found) < 2:
            return
        curves = ransac.products(found, pairs)
        straight = ransac.lines(found, pairs, self._rng)
        for form, models in (
            (q.PRODUCT_BELOW, curves),
            (q.LINE_BELOW, straight),
            (q.PRODUCT_AT, curves),
            (q.LINE_AT, straight),
        ):
            yield from _judged(form, pairs, models.p0, models.p1, features, fails)


def _ascends(field: Field) -> bool:
    """Whether its values are numbers in ascending order, so that ``x < p0`` means the same for them as for places."""
    numbers = isinstance(field, Ordinal) and all(kind(value) == "number" for value in field.values)
    return numbers and all(low < high for low, high in pairwise(field.values))


def below(column: Column, fails: Bools, at: int) -> Iterator[Scored]:
    """The best ``x < p0``: half way, in symmetric-log space, between two neighbouring values."""
    order = np.argsort(column, kind="stable")  # NaN comes last, and is below nothing
    values, labels = column[order], fails[order]
    last = np.flatnonzero(values[:-1] < values[1:])
    numbers = len(values) - np.count_nonzero(np.isnan(values))
    if 0 < numbers < len(values) and values[numbers - 1] < np.inf:  # no constant tells infinity from NaN
        last = np.append(last, numbers - 1)
    if not len(last):
        return
    found = gain(last + 1, np.cumsum(labels)[last], len(fails), int(fails.sum()))
    best = int(np.argmax(found))
    yield float(found[best]), Question(q.BELOW, at, p0=_between(values, int(last[best])))


def _between(values: Column, at: int) -> float:
    """A constant that is above ``values[at]`` and not above the next value."""
    low, high = float(values[at]), float(values[at + 1]) if at + 1 < len(values) else math.inf
    if math.isinf(low) or not math.isfinite(high):
        return math.nextafter(low, math.inf) if math.isinf(low) else math.inf
    middle = decompress((compress(low) + compress(high)) / 2)
    return middle if low < middle <= high else high


def equal_to(column: Column, fails: Bools, at: int) -> Iterator[Scored]:
    """The best ``x = p0``: one of the values seen."""
    finite = np.isfinite(column)
    order = np.argsort(column[finite], kind="stable")
    values, counts = column[finite][order], np.append(0, np.cumsum(fails[finite][order]))
    if not len(values) or (values[0] == values[-1] and finite.all()):
        return
    reach = q.epsilon(values)
    with np.errstate(over="ignore"):
        first = np.searchsorted(values, values - reach, side="left")
        past = np.searchsorted(values, values + reach, side="right")
    found = gain(past - first, counts[past] - counts[first], len(fails), int(fails.sum()))
    best = int(np.argmax(found))
    yield float(found[best]), Question(q.AT, at, p0=float(values[best]))


def _judged(
    form: str,
    pairs: NDArray[np.int64],
    p0: NDArray[np.float64],
    p1: NDArray[np.float64],
    features: Rows,
    fails: Bools,
) -> Iterator[Scored]:
    """The best of several models (a row of them for each pair) in one form."""
    x, y = features[:, pairs[:, 0]].T[:, None, :], features[:, pairs[:, 1]].T[:, None, :]
    holds = q.decide(form, x, y, p0[:, :, None], p1[:, :, None])
    found = np.where(np.isnan(p0), -1.0, gains_of(holds, fails))
    pair, model = np.unravel_index(int(np.argmax(found)), found.shape)
    axes = int(pairs[pair, 0]), int(pairs[pair, 1])
    yield float(found[pair, model]), Question(form, *axes, p0=float(p0[pair, model]), p1=float(p1[pair, model]))
