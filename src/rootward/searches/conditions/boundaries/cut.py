"""Cuts: comparisons of a feature with a constant, chosen as the cheapest ones that explain the brackets.

What it believes: between the two points of a bracket (axis.py) some comparison changes its result. A cut explains a
bracket if its constant lies between the feature's values at the two points. Cuts compete by description length: their
*gain* is the weight of all brackets they explain, minus the bits of the feature and of the constant. So ``x <= 4500``
beats ``x * y <= 31497``, until there is a bracket elsewhere that only one of them explains.

How ``cuts`` works: take the cut with the largest gain, remove the brackets it explains, and repeat (``_cover``).
Because a greedy first choice may be wrong, it starts again with the best rivals of the first cuts, and keeps the
selection with the largest total gain. It ends because every chosen cut explains at least one bracket that was left.
Upper bounds on the gain avoid evaluating most features, of which there may be thousands.

The rivals of a cut explain its brackets nearly as well. This module asks nothing itself; places.py uses the rivals to
choose points where they would predict otherwise.

To extend it: new features belong in library.py; further preferences between cuts belong in ``_find_best``, where
``_unmoved_penalty`` is an example. A preference that can raise a gain must also raise ``_upper_bound`` and
``_max_gain``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rootward.searches.conditions.boundaries.axis import Bracket
from rootward.searches.conditions.boundaries.feature import Feature, Point, blur
from rootward.searches.conditions.boundaries.simplicity import find_simplest, price
from rootward.searches.conditions.boundaries.tuning import TUNING

Spans = Sequence[tuple[int, Any, Any]]
Bound = tuple[float, "Cut | None"]
Bounds = dict[Feature, Bound]
COMMON_RELATIONS = ("minus(a, b)", "minus(abs(a), b)", "minus(a, b * c)")
"""Relations that are so common in code that, compared with zero, they pay only a third of the unmoved penalty."""


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

        For such a point, ``y > 2 * x + 10`` and ``y - 2 * x > 10`` may disagree.
        """
        if not self.feature.is_difference or self.constant == 0:
            return False
        one, other = self.feature.parts(point)
        if isinstance(one, int) and isinstance(other, int):
            return False
        ends = float(one), float(other), float(self.constant)
        if not abs((ends[0] - ends[1]) - ends[2]) <= blur(*ends):
            return False
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
    """Return cuts that together explain all ordered brackets, the most important ones with their rivals.

    Normally, the best cut comes first, and each further cut is the best one for the brackets not explained yet. If
    starting with another cut or a rival gains more in total, that start is used instead.
    """
    spans = {one: one.spans(brackets, points) for one in features}
    whole = {i for i, one in enumerate(brackets) if one.ordered}
    # The gain of a feature only shrinks as brackets are explained, so an earlier value is an upper bound.
    bounds: Bounds = {one: (_upper_bound(one, mine, brackets), None) for one, mine in spans.items() if mine}
    first = _find_next(spans, whole, brackets, set(), bounds)
    _store_bounds(bounds, len(brackets))
    chosen = _cover(first, spans, brackets, bounds)
    revised = chosen[: TUNING.revised_cuts] if len(chosen) > 1 else []
    heads = {cut: _add_rivals(cut, spans, brackets) for cut in revised}
    others = [one.feature for cut in heads.values() for one in (cut, *cut.rivals[: TUNING.revised_cuts])][1:]
    starts = [_find_best(feature, spans[feature], whole, brackets, set()) for feature in dict.fromkeys(others)]
    chosen = max([chosen, *(_cover(start, spans, brackets, bounds) for start in starts)], key=_total_gain)
    contested = [heads.get(cut) or _add_rivals(cut, spans, brackets) for cut in chosen[: TUNING.contested_cuts]]
    return contested + chosen[TUNING.contested_cuts :]


def _total_gain(chosen: Iterable[Cut]) -> float:
    return sum(cut.gain for cut in chosen)


def _cover(
    first: Cut | None, spans: Mapping[Feature, Spans], brackets: Sequence[Bracket], bounds: Mapping[Feature, Bound]
) -> list[Cut]:
    """Return a list of cuts that starts with ``first``.

    Each further cut is the one that gains most on the brackets that the earlier cuts do not explain.
    """
    left = {i for i, one in enumerate(brackets) if one.ordered}
    chosen: list[Cut] = []
    named: set[Any] = set()
    open_bounds = dict(bounds)
    best = first
    while best is not None and best.explained:
        every = tuple(i for i, low, high in spans[best.feature] if low <= best.low and best.high <= high)
        chosen.append(replace(best, claimed=best.explained, explained=every))
        named.add(best.feature.identity)
        left -= set(every)
        open_bounds[best.feature] = (open_bounds[best.feature][0] + best.feature.price, None)
        best = _find_next(spans, left, brackets, named, open_bounds) if left else None
    return chosen


def _upper_bound(feature: Feature, spans: Spans, brackets: Sequence[Bracket]) -> float:
    """Return an upper bound on the gain of a cut of this feature.

    It is the best gain found last time, plus the most that the brackets added since then can give.
    """
    gain, count, most = feature.last_best
    if not count or most != feature.max_evidence:
        gain, count = -feature.price, 0
    for i, _, _ in reversed(spans):
        if i < count:
            break
        gain += min(brackets[i].weight, feature.max_evidence)
    return gain + (TUNING.unmoved_bits if count and len(feature.indices) > 1 else 0.0)


def _store_bounds(bounds: Bounds, count: int) -> None:
    for feature, (gain, cut) in bounds.items():
        if cut is not None:
            feature.last_best = gain, count, feature.max_evidence


def _find_next(
    spans: Mapping[Feature, Spans],
    left: set[int],
    brackets: Sequence[Bracket],
    named: set[Any],
    bounds: Bounds,
) -> Cut | None:
    """Return the cut that gains most on the brackets that are left."""
    best: Cut | None = None
    for feature in sorted(bounds, key=lambda one: -bounds[one][0]):
        bound, cut = bounds[feature]
        if best is not None and bound <= best.gain:
            break
        if cut is None or not left.issuperset(cut.explained):
            cut = _find_best(feature, spans[feature], left, brackets, named)
            bounds[feature] = (cut.gain, cut)
        if best is None or cut.gain > best.gain:
            best = cut
    return best


def _find_best(
    feature: Feature,
    spans: Spans,
    left: set[int],
    brackets: Sequence[Bracket],
    named: set[Any],
) -> Cut:
    """Return the cut of this feature that gains most on the brackets that are left."""
    cost = 1.0 if feature.identity in named else feature.price
    best = Cut(feature, 0, False, 0, 0, -1e9)
    for low, high, inside in _find_regions([one for one in spans if one[0] in left], brackets):
        usual = feature.formula in COMMON_RELATIONS and low <= 0 <= high
        unmoved = _unmoved_penalty(feature, inside, brackets) / (3 if usual else 1)
        weight = sum(min(brackets[i].weight, feature.max_evidence) for i in inside) - unmoved
        if weight - cost < best.gain:
            continue
        made = _make_cut(feature, low, high, inside, weight - cost)
        if made.gain > best.gain:
            best = made
    return best


def _unmoved_penalty(feature: Feature, inside: Sequence[int], brackets: Sequence[Bracket]) -> float:
    """Return the penalty for a feature of several fields whose boundary never moved.

    A boundary that was always seen at the same values is weak evidence that several fields matter.
    """
    if len(feature.indices) == 1:
        return 0.0
    spans: dict[int, tuple[Any, Any]] = {}
    for one in (brackets[i] for i in inside):
        if one.low is not None and one.weight > 6:
            low, high = spans.get(one.axis.index, (one.low, one.high))
            spans[one.axis.index] = max(low, one.low), min(high, one.high)
    extreme = feature.formula.startswith(("min", "max")) and len(spans) > 1
    return 0.0 if extreme or any(low >= high for low, high in spans.values()) else TUNING.unmoved_bits


def _make_cut(feature: Feature, low: Any, high: Any, inside: Sequence[int], worth: float) -> Cut:
    whole = isinstance(low, int) and isinstance(high, int)
    constant = find_simplest(low, high, whole=whole)
    if not whole and float(constant) == constant:
        constant = float(constant)
    return Cut(feature, constant, constant == high, low, high, worth - price(constant), tuple(inside))


def _find_regions(spans: Spans, brackets: Sequence[Bracket]) -> list[tuple[Any, Any, tuple[int, ...]]]:
    """Return the heaviest sets of overlapping intervals, each as (low, high, bracket numbers).

    All intervals of a set contain low..high, and no other interval could be added. The weight of a set is the sum of
    the weights of its brackets.
    """
    events = sorted([(low, 1, i) for i, low, _ in spans] + [(high, 0, i) for i, _, high in spans])
    active: dict[int, None] = {}
    found = []
    rising = False
    start: Any = None
    for at, kind, i in events:
        if kind:
            active[i] = None
            start, rising = at, True
        else:
            if rising and start < at:
                found.append((sum(brackets[k].weight for k in active), start, at, tuple(active)))
            rising = False
            del active[i]
    found.sort(key=lambda one: -one[0])
    return [(low, high, inside) for _, low, high, inside in found[:4]]


def _max_gain(feature: Feature, spans: Spans, among: set[int], brackets: Sequence[Bracket]) -> float:
    """Return an upper bound on the gain of a feature on the brackets ``among``."""
    return sum(min(brackets[i].weight, feature.max_evidence) for i, _, _ in spans if i in among) - feature.price - 1.0


def _add_rivals(best: Cut, spans: Mapping[Feature, Spans], brackets: Sequence[Bracket]) -> Cut:
    """Return ``best`` together with its rivals.

    A rival is another cut that explains the brackets claimed by ``best`` nearly as well.
    """
    mine = set(best.claimed)
    rivals = []
    for feature, own in spans.items():
        if feature is not best.feature and _max_gain(feature, own, mine, brackets) > best.gain - TUNING.rival_bits:
            made = _find_best(feature, own, mine, brackets, set())
            if made.gain > best.gain - TUNING.rival_bits:
                rivals.append(made)
    rivals.sort(key=lambda one: -one.gain)
    return replace(best, rivals=tuple(rivals[: TUNING.max_rivals]))
