"""Cuts: a feature compared with a constant, found as the cheapest ones that explain the brackets.

A cut explains a bracket if its constant lies between the feature's values at the two points. Explanations compete by
description length: the weights of all brackets that a cut explains, minus the bits of its feature and its constant.
So ``x <= 4500`` beats ``x * y <= 31497``, until a bracket elsewhere is explained by one of them alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rootward.searches.conditions.boundaries.bracket import Bracket
from rootward.searches.conditions.boundaries.feature import Feature, Point
from rootward.searches.conditions.boundaries.simple import price, simplest

Spans = Sequence[tuple[int, Any, Any]]
MARGIN = 14.0
"""A rival that is worse by no more bits than this is worth a run."""
RIVALS = 16
"""So many rivals of a cut are kept, the best ones."""
UNMOVED = 21.0
"""The bits that a relation of fields pays while its boundary was not seen to move."""
USUAL = ("minus(a, b)", "minus(abs(a), b)", "minus(a, b * c)")
"""Relations that code states so often that they pay a third of it."""
CONTESTED = 12
"""Only the first cuts, which explain most, get rivals: to find them takes long."""


@dataclass(frozen=True, eq=False)
class Cut:
    """``feature <= constant``, or ``<`` if ``strict``. The constant may lie anywhere between low and high."""

    feature: Feature
    constant: Any
    strict: bool
    low: Any
    high: Any
    gain: float = 0.0
    explained: tuple[int, ...] = ()
    rivals: tuple[Cut, ...] = ()

    def below(self, value: Any) -> bool:
        return bool(value < self.constant if self.strict else value <= self.constant)

    def above(self, value: Any) -> bool:
        return bool(value >= self.constant if self.strict else value > self.constant)

    def side(self, point: Point) -> int:
        """-1 below, 1 above, 0 where the feature has no value."""
        value = self.feature.value(point)
        return -1 if self.below(value) else 1 if self.above(value) else 0

    @property
    def identity(self) -> tuple[Any, ...]:
        return *self.feature.identity, repr(self.constant), self.strict


def cuts(features: Iterable[Feature], brackets: Sequence[Bracket], points: Sequence[Point]) -> list[Cut]:
    """Cuts that together explain all brackets along an axis, each with its rivals."""
    spans = {one: one.spans(brackets, points) for one in features}
    left = {i for i, one in enumerate(brackets) if one.ordered}
    chosen: list[Cut] = []
    named: set[Any] = set()
    # What a feature can gain only shrinks as brackets are explained, so an old value is an upper bound.
    bounds: dict[Feature, tuple[float, Cut | None]] = {
        one: (_bound(one, mine, brackets), None) for one, mine in spans.items() if mine
    }
    whole = True
    while left and bounds:
        best = _next(spans, left, brackets, named, bounds)
        if whole:
            _remember(bounds, len(brackets))
            whole = False
        if best is None or not best.explained:
            break
        every = tuple(i for i, low, high in spans[best.feature] if low <= best.low and best.high <= high)
        chosen.append(_with_rivals(best, every, spans if len(chosen) < CONTESTED else {}, brackets))
        named.add(best.feature.identity)
        left -= set(every)
        bounds[best.feature] = (bounds[best.feature][0] + best.feature.price, None)
    return chosen


def _bound(feature: Feature, spans: Spans, brackets: Sequence[Bracket]) -> float:
    """What a cut of this feature gains at the very most: what it did, and all that was added since."""
    gain, count, most = feature.reached
    if not count or most != feature.most:
        gain, count = -feature.price, 0
    for i, _, _ in reversed(spans):
        if i < count:
            break
        gain += min(brackets[i].weight, feature.most)
    return gain + (UNMOVED if count and len(feature.indices) > 1 else 0.0)


def _remember(bounds: Mapping[Feature, tuple[float, Cut | None]], count: int) -> None:
    for feature, (gain, cut) in bounds.items():
        if cut is not None:
            feature.reached = gain, count, feature.most


def _next(
    spans: Mapping[Feature, Spans],
    left: set[int],
    brackets: Sequence[Bracket],
    named: set[Any],
    bounds: dict[Feature, tuple[float, Cut | None]],
) -> Cut | None:
    """The cut that gains most."""
    best: Cut | None = None
    for feature in sorted(bounds, key=lambda one: -bounds[one][0]):
        bound, cut = bounds[feature]
        if best is not None and bound <= best.gain:
            break
        if cut is None or not left.issuperset(cut.explained):
            cut = _best(feature, spans[feature], left, brackets, named)
            bounds[feature] = (cut.gain, cut)
        if best is None or cut.gain > best.gain:
            best = cut
    return best


def _best(
    feature: Feature,
    spans: Spans,
    left: set[int],
    brackets: Sequence[Bracket],
    named: set[Any],
) -> Cut:
    """The cut of this feature that gains most on the brackets that are left."""
    cost = 1.0 if feature.identity in named else feature.price
    best = Cut(feature, 0, False, 0, 0, -1e9)
    for low, high, inside in _regions([one for one in spans if one[0] in left], brackets):
        weight = sum(min(brackets[i].weight, feature.most) for i in inside) - _unmoved(feature, inside, brackets)
        if weight - cost < best.gain:
            continue
        made = _cut(feature, low, high, inside, weight - cost)
        if made.gain > best.gain:
            best = made
    return best


def _unmoved(feature: Feature, inside: Sequence[int], brackets: Sequence[Bracket]) -> float:
    """What is to be paid for a relation of fields while its boundary was always met at the same values."""
    if len(feature.indices) == 1:
        return 0.0
    spans: dict[int, tuple[Any, Any]] = {}
    for one in (brackets[i] for i in inside):
        if one.low is not None and one.weight > 6:
            low, high = spans.get(one.axis.index, (one.low, one.high))
            spans[one.axis.index] = max(low, one.low), min(high, one.high)
    extreme = feature.formula.startswith(("min", "max")) and len(spans) > 1
    return (
        0.0
        if extreme or any(low >= high for low, high in spans.values())
        else UNMOVED / (3 if feature.formula in USUAL else 1)
    )


def _cut(feature: Feature, low: Any, high: Any, inside: Sequence[int], worth: float) -> Cut:
    whole = isinstance(low, int) and isinstance(high, int)
    constant = simplest(low, high, whole=whole)
    return Cut(feature, constant, constant == high, low, high, worth - price(constant), tuple(inside))


def _regions(spans: Spans, brackets: Sequence[Bracket]) -> list[tuple[Any, Any, tuple[int, ...]]]:
    """Where intervals overlap most: the intersections that lie in no larger set of intervals, heaviest first."""
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


def _worth(feature: Feature, spans: Spans, among: set[int], brackets: Sequence[Bracket]) -> float:
    """What a feature gains at the very most."""
    return sum(min(brackets[i].weight, feature.most) for i, _, _ in spans if i in among) - feature.price - 1.0


def _with_rivals(
    best: Cut,
    every: tuple[int, ...],
    spans: Mapping[Feature, Spans],
    brackets: Sequence[Bracket],
) -> Cut:
    mine = set(best.explained)
    rivals = []
    for feature, own in spans.items():
        if feature is not best.feature and _worth(feature, own, mine, brackets) > best.gain - MARGIN:
            made = _best(feature, own, mine, brackets, set())
            if made.gain > best.gain - MARGIN:
                rivals.append(made)
    rivals.sort(key=lambda one: -one.gain)
    return Cut(best.feature, best.constant, best.strict, best.low, best.high, best.gain, every, tuple(rivals[:RIVALS]))
