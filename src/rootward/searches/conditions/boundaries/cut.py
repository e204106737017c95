"""Cuts: comparisons of a feature with a constant, chosen as the cheapest ones that explain the brackets.

What it believes: between the two points of a bracket (axis.py) some comparison changes its result. A cut explains a
bracket if its constant lies between the feature's values at the two points. Cuts compete by description length: their
*gain* is the weight of all brackets they explain, minus the bits of the feature and of the constant. So ``x <= 4500``
beats ``x * y <= 31497``, until there is a bracket elsewhere that only one of them explains.

How `CutSearch` works: take the cut with the largest gain, remove the brackets it explains, and repeat (``_cover``).
Because a greedy first choice may be wrong, it starts again with the best rivals of the first cuts, and keeps the
selection with the largest total gain. A selection of very many cuts is wrong anyway and is left as it is. The search
ends because every chosen cut explains at least one bracket that was left.

A cut may also explain brackets by chance, and the more features are tried, the more so. A contrived feature, such as
``b - 0.52 * c``, is therefore used only if it gains more bits than the best of so many features does by chance.

There may be thousands of features. Their gains are bounded from above by array operations (spans.py), and only
features whose bound exceeds the best gain so far are evaluated exactly. A bound stays valid while brackets are removed,
and a new bracket raises it by its weight at most; so most features are not even looked at again in the next fit.

The rivals of a cut explain its brackets nearly as well. This module asks nothing itself; places.py uses the rivals to
choose points where they would predict otherwise.

To extend it: new features belong in library.py; further preferences between cuts belong in ``_evaluate``, where
``_unmoved_penalty`` is an example. A preference that can raise a gain must also raise ``_bound``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Bracket
from rootward.searches.conditions.boundaries.feature import ROUNDING, Feature, Point, blur
from rootward.searches.conditions.boundaries.simplicity import Numbers, find_simplest
from rootward.searches.conditions.boundaries.spans import Rows, SpanTable
from rootward.searches.conditions.boundaries.tuning import TUNING

BLOCK = 96
"""Number of features whose gains are bounded at once."""
NAMED_BITS = 1.0
"""Price of a feature that another cut names already."""
MIN_CONSTANT_BITS = 1.0
"""Price of the cheapest constant."""


@dataclass(frozen=True, eq=False)
class Cut:
    """``feature <= constant``, or ``<`` if ``strict``. The true constant may lie anywhere between low and high."""

    feature: Feature
    constant: Any
    strict: bool
    low: Any
    high: Any
    gain: float = 0.0
    explained: tuple[int, ...] = ()
    """Numbers of the brackets that it explains."""
    claimed: tuple[int, ...] = ()
    """Numbers of the explained brackets that no cut before it explains."""
    rivals: tuple[Cut, ...] = ()

    def below(self, value: Any) -> bool:
        return bool(value < self.constant if self.strict else value <= self.constant)

    def above(self, value: Any) -> bool:
        return bool(value >= self.constant if self.strict else value > self.constant)

    def side(self, point: Point) -> int:
        """Return -1 below the cut, 1 above it, 0 where the feature has no value."""
        value = self.feature.value(point)
        return -1 if self.below(value) else 1 if self.above(value) else 0

    def touches(self, point: Point) -> bool:
        """Return True if a point lies exactly on the cut, without rounding."""
        return bool(self.feature.value(point) == self.constant) and self.feature.exact(point)

    def is_blurred(self, point: Point) -> bool:
        """Return True if rounding decides on which side of the cut a point lies.

        For such a point, ``y > 2 * x + 10`` and ``y - 2 * x > 10`` may disagree. Points within the tolerance of a
        feature are blurred, too; if the tolerance is for rounding alone, those that were not rounded are not.
        """
        if tolerance := self.feature.tolerance:
            if not abs(self.feature.value(point) - self.constant) <= tolerance * abs(self.constant):
                return False
            return tolerance > ROUNDING or not self.touches(point)
        if not self.feature.is_difference:
            return False
        one, other = self.feature.parts(point)
        if isinstance(one, int) and isinstance(other, int):
            return False
        ends = float(one), float(other), float(self.constant)
        if not abs((ends[0] - ends[1]) - ends[2]) <= blur(*ends):
            return False
        if self.constant == 0:
            return not self.feature.exact(point)
        left, right, constant = map(Fraction, (one, other, self.constant))
        return left - right != Fraction(one - other) or right + constant != Fraction(other + self.constant)

    @property
    def has_gap(self) -> bool:
        """True if the feature is an integer and has values between ``low`` and ``high``."""
        return isinstance(self.low, int) and isinstance(self.high, int) and self.high - self.low > 1

    @property
    def identity(self) -> tuple[Any, ...]:
        return *self.feature.identity, repr(self.constant), self.strict


def cuts(features: Iterable[Feature], brackets: Sequence[Bracket], points: Sequence[Point]) -> list[Cut]:
    """Return cuts that together explain all ordered brackets, the most important ones with their rivals."""
    return CutSearch().find(features, brackets, points)


class CutSearch:
    """Finds cuts for a growing list of brackets. It keeps what it computed for the brackets known so far."""

    def __init__(self) -> None:
        self._table = SpanTable()
        self._brackets: Sequence[Bracket] = ()
        self._known: dict[tuple[Any, ...], Cut] = {}
        self._rivals: dict[tuple[Any, ...], tuple[Cut, ...]] = {}
        self._listed: frozenset[int] = frozenset()

    def find(
        self,
        features: Iterable[Feature],
        brackets: Sequence[Bracket],
        points: Sequence[Point],
        is_quick: bool = False,
        listed: frozenset[int] = frozenset(),
    ) -> list[Cut]:
        """Return cuts that together explain all ordered brackets, the most important ones with their rivals.

        Normally, the best cut comes first, and each further cut is the best one for the brackets not explained yet. If
        starting with another cut or a rival gains more in total, that start is used instead. A quick search tries no
        other start and looks for no rivals. The next call must pass the same brackets and points, possibly more.
        ``listed`` are the fields whose values are a mere list: their brackets are no evidence for a relation with other
        fields.
        """
        if listed != self._listed:
            self._listed = listed
            self._known.clear()
            self._rivals.clear()
        self._brackets = brackets
        rows = self._table.fill(features, brackets, points, listed)
        whole = np.array([i for i, one in enumerate(brackets) if one.ordered], dtype=np.intp)
        if not len(whole) or not len(rows):
            return []
        bounds = self._table.total(rows, whole) - self._table.prices[rows] - self._extra_prices(rows, whole)
        chosen = self._cover(None, rows, whole, bounds)
        if is_quick:
            return chosen
        if len(chosen) > TUNING.many_cuts:
            first = [self._add_rivals(cut, rows) for cut in chosen[: TUNING.revised_cuts]]
            return first + chosen[TUNING.revised_cuts :]
        revised = chosen[: TUNING.revised_cuts] if len(chosen) > 1 else []
        heads = {cut: self._add_rivals(cut, rows) for cut in revised}
        others = [one.feature for cut in heads.values() for one in (cut, *cut.rivals[: TUNING.revised_rivals])][1:]
        starts = [self._evaluate(feature, whole, feature.price) for feature in dict.fromkeys(others)]
        starts = [cut for cut in starts if not _is_chance(cut, len(rows))]
        chosen = max([chosen, *(self._cover(start, rows, whole, bounds) for start in starts)], key=_total_gain)
        contested = [heads.get(cut) or self._add_rivals(cut, rows) for cut in chosen[: TUNING.contested_cuts]]
        return contested + chosen[TUNING.contested_cuts :]

    def _cover(self, first: Cut | None, rows: Rows, whole: Rows, bounds: Numbers) -> list[Cut]:
        """Return a list of cuts that explain all brackets. It starts with ``first``, by default with the best cut.

        Each further cut is the one that gains most on the brackets that the earlier cuts do not explain. ``bounds`` are
        upper bounds on the gain of each feature; they become tighter.
        """
        left = set(whole.tolist())
        chosen: list[Cut] = []
        here, costs = bounds, self._table.prices[rows].copy()
        best = first or self._find_next(rows, whole, costs, here)
        while best is not None and best.explained:
            every = self._table.list_explained(best.feature, best.low, best.high)
            here = here.copy() if not chosen else here
            chosen.append(replace(best, claimed=best.explained, explained=every))
            own = rows == self._table.row(best.feature)
            here[own] += costs[own] - NAMED_BITS  # further cuts of a feature need not name it again
            costs[own] = NAMED_BITS
            left -= set(every)
            best = self._find_next(rows, np.array(sorted(left), dtype=np.intp), costs, here) if left else None
        return chosen

    def _find_next(self, rows: Rows, left: Rows, costs: Numbers, bounds: Numbers) -> Cut | None:
        """Return the cut that gains most on the brackets that are left, and tighten the bounds on the way."""
        best: Cut | None = None
        extra = self._extra_prices(rows, left)
        order = np.argsort(-bounds, kind="stable")
        for start in range(0, len(order), BLOCK):
            block = order[start : start + BLOCK]
            if best is not None:
                block = block[bounds[block] > best.gain]
            if not len(block):
                break
            tight = self._table.heaviest(rows[block], left) - costs[block] - extra[block] + MIN_CONSTANT_BITS
            bounds[block] = np.minimum(bounds[block], tight)
            for place in np.argsort(-tight, kind="stable"):
                if best is not None and tight[place] <= best.gain:
                    break
                cut = self._evaluate(self._feature(rows[block[place]]), left, float(costs[block[place]]))
                bounds[block[place]] = cut.gain
                if (best is None or cut.gain > best.gain) and not _is_chance(cut, len(rows)):
                    best = cut
        return best

    def _feature(self, row: int) -> Feature:
        return self._table.features[row]

    def _evaluate(self, feature: Feature, left: Rows, cost: float) -> Cut:
        """Return the cut of this feature that gains most on the brackets that are left."""
        key = feature, feature.max_evidence, cost, left.tobytes()
        if key not in self._known:
            self._known[key] = self._find_best(feature, left, cost)
        return self._known[key]

    def _find_best(self, feature: Feature, left: Rows, cost: float) -> Cut:
        best = Cut(feature, 0, False, 0, 0, -1e9)
        for region in self._table.regions(feature, left):
            ignored = self._listed if feature.fits_lists else ()
            evident = [i for i in region.inside if self._brackets[i].axis.index not in ignored]
            worth = sum(min(self._brackets[i].weight, feature.max_evidence) for i in evident) - cost
            unmoved = feature.has_several_fields and not self._has_moved(feature, evident)
            if worth - MIN_CONSTANT_BITS - feature.min_unmoved_bits * unmoved <= best.gain:
                continue
            made = _make_cut(feature, region.low, region.high, region.inside, worth)
            if unmoved:
                made = replace(made, gain=made.gain - feature.unmoved_bits(made.constant))
            if made.gain > best.gain:
                best = made
        return best

    def _extra_prices(self, rows: Rows, left: Rows) -> Numbers:
        """Return a lower bound on what a cut of each feature costs beside the feature: constant and coincidence.

        If the brackets together do not show that the boundary moves, no part of them does.
        """
        moved = _have_moved(left.tolist(), self._brackets)[0]
        return MIN_CONSTANT_BITS + (np.zeros(len(rows)) if moved else self._table.unmoved[rows])

    def _has_moved(self, feature: Feature, inside: Iterable[int]) -> bool:
        """Return True if the boundary of a feature was seen to move, or if it should not move.

        The boundaries of a minimum or maximum lie at the same value on several axes. Those of an absolute value lie at
        both signs of a value, although nothing else changes.
        """
        moved, axes = _have_moved(inside, self._brackets, mirrored=feature.is_absolute)
        return moved or (feature.is_extreme and axes > 1)

    def _add_rivals(self, best: Cut, rows: Rows) -> Cut:
        """Return ``best`` together with its rivals.

        A rival is another cut that explains the brackets claimed by ``best`` nearly as well.
        """
        key = best.feature, best.gain, best.claimed, len(rows)
        if key not in self._rivals:
            self._rivals[key] = self._find_rivals(best, rows)
        return replace(best, rivals=self._rivals[key])

    def _find_rivals(self, best: Cut, rows: Rows) -> tuple[Cut, ...]:
        mine = np.array(best.claimed, dtype=np.intp)
        least = best.gain - TUNING.rival_bits
        prices = self._table.prices[rows] + self._extra_prices(rows, mine)
        hopeful = np.flatnonzero(self._table.total(rows, mine) - prices > least)
        bounds = self._table.heaviest(rows[hopeful], mine) - prices[hopeful] + MIN_CONSTANT_BITS
        rivals: list[Cut] = []
        for place in np.argsort(-bounds, kind="stable"):
            if bounds[place] <= least:
                break
            feature = self._feature(rows[hopeful[place]])
            if feature is best.feature:
                continue
            made = self._evaluate(feature, mine, feature.price)
            if made.gain > least:
                rivals.append(made)
                rivals.sort(key=lambda one: -one.gain)
                del rivals[TUNING.max_rivals :]
                least = rivals[-1].gain if len(rivals) == TUNING.max_rivals else least
        return tuple(rivals)


def _is_chance(cut: Cut, tried: int) -> bool:
    """Return True if a cut of a contrived feature gains no more than the best of so many features gains by chance.

    Of n features, one explains brackets worth log2(n) bits although none has anything to do with them.
    """
    return cut.feature.is_contrived and cut.gain <= math.log2(tried)


def _total_gain(chosen: Iterable[Cut]) -> float:
    return sum(cut.gain for cut in chosen)


def _have_moved(inside: Iterable[int], brackets: Sequence[Bracket], *, mirrored: bool = False) -> tuple[bool, int]:
    """Return True if the brackets show a boundary at different values of a field; also the number of axes seen.

    A boundary that was always seen at the same values is weak evidence that several fields matter. On a field with few
    values, two places are weak evidence, too: they may be two bounds. With ``mirrored``, a value and its negative count
    as the same.
    """
    spans: dict[int, tuple[Any, Any]] = {}
    places: dict[int, set[Any]] = {}
    for i in inside:
        one = brackets[i]
        if not one.is_placed:
            continue
        index, ends = one.axis.index, (-one.high, -one.low) if mirrored and one.high <= 0 else (one.low, one.high)
        if one.weight <= TUNING.placed_bits:
            places.setdefault(index, set()).add(ends)
            if len(places[index]) > TUNING.max_short_bounds:
                return True, len(spans)
            spans.setdefault(index, ends)
            continue
        low, high = spans.get(index, ends)
        low, high = max(low, ends[0]), min(high, ends[1])
        if low >= high:
            return True, len(spans)
        spans[index] = low, high
    return False, len(spans)


def _make_cut(feature: Feature, low: Any, high: Any, inside: Sequence[int], worth: float) -> Cut:
    whole = isinstance(low, int) and isinstance(high, int)
    constant = find_simplest(low, high, whole=whole)
    if not whole and float(constant) == constant:
        constant = float(constant)
    return Cut(feature, constant, constant == high, low, high, worth - feature.price_constant(constant), tuple(inside))
