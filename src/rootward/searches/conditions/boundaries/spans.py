"""The intervals that features span in brackets, as arrays, so that thousands of features are compared at once.

A feature explains a bracket with any constant between its values at the two points. So each feature has one interval
for each bracket, and a cut of the feature explains the brackets whose intervals contain its constant. A *region* is a
largest set of intervals that overlap; its weight is the sum of the weights of their brackets.

The table holds the intervals as doubles, which is enough to find the regions and to bound the gain of a feature. An
integer beyond 2**53 is rounded outwards, so a bound is never too small. The exact ends of an interval stay with the
feature (feature.py); cut.py reads them for the few features that can win.

A row is filled once for each new bracket. Nothing is computed again when the notebook grows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Bracket
from rootward.searches.conditions.boundaries.feature import Feature, Point
from rootward.searches.conditions.boundaries.simplicity import Numbers, estimate_prices

Rows = np.ndarray[Any, np.dtype[np.intp]]
MAX_REGIONS = 4
"""Number of regions of a feature that are considered."""


@dataclass(frozen=True)
class OverlapRegion:
    """An interval in which the constant of a cut may lie, and the numbers of the brackets that the cut explains."""

    low: Any
    high: Any
    inside: tuple[int, ...]


class SpanTable:
    """Features as rows, brackets as columns. Both only grow."""

    def __init__(self) -> None:
        self.features: list[Feature] = []
        self._rows: dict[Feature, int] = {}
        self._filled: list[int] = []
        self.weights: Numbers = np.zeros(0)
        self.prices: Numbers = np.zeros(0)
        self.unmoved: Numbers = np.zeros(0)
        self._constants: Numbers = np.zeros(0)
        self._fits_lists = np.zeros(0, dtype=bool)
        self._is_listed = np.zeros(0, dtype=bool)
        self._limits: Numbers = np.zeros(0)
        self._lows: Numbers = np.full((0, 0), math.inf)
        self._highs: Numbers = np.full((0, 0), -math.inf)

    def fill(
        self,
        features: Iterable[Feature],
        brackets: Sequence[Bracket],
        points: Sequence[Point],
        listed_fields: frozenset[int] = frozenset(),
    ) -> Rows:
        """Add the intervals of these features in the new brackets, and return the rows of the features.

        The brackets of ``listed_fields`` are no evidence for features that fit any list.
        """
        listed = list(dict.fromkeys(features))
        fresh = [one for one in listed if one not in self._rows]
        for one in fresh:
            self._rows[one] = len(self.features)
            self.features.append(one)
            self._filled.append(0)
        self.prices = np.append(self.prices, [one.price for one in fresh])
        self.unmoved = np.append(self.unmoved, [one.min_unmoved_bits for one in fresh])
        self._constants = np.append(self._constants, [one.max_constant_bits for one in fresh])
        self._fits_lists = np.append(self._fits_lists, np.array([one.fits_lists for one in fresh], dtype=bool))
        self._is_listed = np.array([one.axis.index in listed_fields for one in brackets], dtype=bool)
        known = len(self.weights)
        self.weights = np.append(self.weights, [one.weight if one.ordered else 0.0 for one in brackets[known:]])
        self._reserve(len(self.features), len(brackets))
        rows = [self._rows[one] for one in listed]
        self._limits = np.append(self._limits, np.zeros(len(fresh)))
        self._limits[rows] = [one.max_evidence for one in listed]
        for row, one in zip(rows, listed, strict=True):
            self._fill_row(row, one, brackets, points)
        return np.array(rows, dtype=np.intp)

    def _reserve(self, rows: int, columns: int) -> None:
        """Make room for so many rows and columns."""
        old = self._lows.shape
        if rows <= old[0] and columns <= old[1]:
            return
        shape = tuple(
            size if size <= had else max(2 * had, size, 64) for size, had in zip((rows, columns), old, strict=True)
        )
        shape = max(shape[0], old[0]), max(shape[1], old[1])
        for name, empty in (("_lows", math.inf), ("_highs", -math.inf)):
            grown = np.full(shape, empty)
            grown[: old[0], : old[1]] = getattr(self, name)
            setattr(self, name, grown)

    def _fill_row(self, row: int, feature: Feature, brackets: Sequence[Bracket], points: Sequence[Point]) -> None:
        done = self._filled[row]
        if done == len(brackets):
            return
        for number, (low, high) in feature.add_spans(brackets, points).items():
            self._lows[row, number], self._highs[row, number] = _round_outwards(low, high)
        self._filled[row] = len(brackets)

    def row(self, feature: Feature) -> int:
        return self._rows[feature]

    def cap(self, rows: Rows) -> Numbers:
        """Return the evidence that each bracket gives at most to each of these features, as a matrix."""
        evidence = np.minimum(self.weights, self._limits[rows][:, None])
        return np.where(self._fits_lists[rows][:, None] & self._is_listed, 0.0, evidence)

    def total(self, rows: Rows, columns: Rows) -> Numbers:
        """Return the weight of all brackets, among these columns, that each feature spans."""
        size = len(self.weights)
        spanned = (self._lows[rows, :size] < self._highs[rows, :size])[:, columns]
        return np.asarray(np.where(spanned, self.cap(rows)[:, columns], 0.0).sum(axis=1))

    def heaviest(self, rows: Rows, columns: Rows) -> Numbers:
        """Return the weight of the heaviest region of each feature among these columns, minus about its constant."""
        if not len(columns) or not len(rows):
            return np.zeros(len(rows))
        ends, depths = self._sweep(rows, columns)
        peaks = np.argmax(depths, axis=1)[:, None]
        lows = np.take_along_axis(ends, peaks, axis=1)[:, 0]
        highs = np.take_along_axis(ends, np.minimum(peaks + 1, ends.shape[1] - 1), axis=1)[:, 0]
        constants = np.minimum(estimate_prices(lows, highs), self._constants[rows])
        return np.asarray(np.take_along_axis(depths, peaks, axis=1)[:, 0] - constants)

    def _sweep(self, rows: Rows, columns: Rows) -> tuple[Numbers, Numbers]:
        """Sort the ends of the intervals of each row; return them and the weight of the intervals open there.

        Intervals that only touch do not overlap: where an interval ends and another begins, the end comes first.
        """
        lows, highs = self._lows[rows][:, columns], self._highs[rows][:, columns]
        missing = ~(lows < highs)
        weights = np.where(missing, 0.0, self.cap(rows)[:, columns])
        ends = np.concatenate([np.where(missing, math.inf, highs), lows], axis=1)
        order = np.argsort(ends, axis=1, kind="stable")
        order += (np.arange(len(rows)) * ends.shape[1])[:, None]
        steps = np.concatenate([-weights, weights], axis=1)
        return ends.ravel()[order], np.cumsum(steps.ravel()[order], axis=1)

    def regions(self, feature: Feature, columns: Rows) -> list[OverlapRegion]:
        """Return the heaviest regions of a feature among these columns, with exact ends."""
        wanted = columns.tolist()
        spans = feature.spans
        mine = [(spans[i], i) for i in wanted if i in spans]
        ends = sorted([(low, 1, i) for (low, _), i in mine] + [(high, 0, i) for (_, high), i in mine])
        active: dict[int, None] = {}
        found: list[tuple[float, int, OverlapRegion]] = []
        depth, rising, start = 0.0, False, None
        for at, opens, i in ends:
            if opens:
                active[i] = None
                depth += min(self.weights[i], feature.max_evidence)
                start, rising = at, True
            else:
                if rising and start < at:
                    found.append((depth, len(found), OverlapRegion(start, at, tuple(active))))
                rising = False
                del active[i]
                depth -= min(self.weights[i], feature.max_evidence)
        found.sort(key=lambda one: (-one[0], one[1]))
        return [region for _, _, region in found[:MAX_REGIONS]]

    def list_explained(self, feature: Feature, low: Any, high: Any) -> tuple[int, ...]:
        """Return the numbers of all brackets whose interval contains low..high."""
        return tuple(i for i, (bottom, top) in feature.spans.items() if bottom <= low and high <= top)


def _round_outwards(low: Any, high: Any) -> tuple[float, float]:
    """Return the ends as doubles that contain the interval. Only integers beyond 2**53 need rounding."""
    try:
        bottom, top = float(low), float(high)
    except OverflowError:
        return -math.inf, math.inf
    if bottom == low and top == high:
        return bottom, top
    return math.nextafter(bottom, -math.inf), math.nextafter(top, math.inf)
