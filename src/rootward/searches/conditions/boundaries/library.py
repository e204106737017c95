"""The library of features: the expressions that are considered, and the price of each in bits.

There are expressions of single fields, of pairs, and of triples of numbers. Multipliers (``x <= 0.9 * y``) are not
guessed: they are computed from brackets, as the simplest numbers that explain them.

To add an expression, add its formula and its bits to one of the tables; feature.py says what a formula may contain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis
from rootward.searches.conditions.boundaries.feature import Feature, Point, blur
from rootward.searches.conditions.boundaries.simplicity import find_simplest, price

MODULI = (
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    15,
    16,
    20,
    24,
    25,
    30,
    32,
    50,
    60,
    64,
    100,
    128,
    256,
    360,
    512,
    1000,
    1024,
)
RINGS = (8, 10, 16, 32, 64, 100, 128, 256, 360, 1024)
SINGLE = {"a": 0.0, "abs(a)": 2.0}
SYMMETRIC = {
    "a + b": 2.0,
    "a * b": 2.0,
    "minus(a, b)": 1.0,
    "abs(a - b)": 3.0,
    "a * a + b * b": 4.0,
    "min(a, b)": 6.0,
    "max(a, b)": 6.0,
    "abs(a) + abs(b)": 5.0,
    "minus(abs(a), abs(b))": 4.0,
    "minus(trunc(a), trunc(b))": 5.0,
    "abs(trunc(a) - trunc(b))": 6.0,
    "abs(a + b)": 5.0,
    "abs(a * b)": 5.0,
}
DIRECTED = {
    "ratio(a, b)": 7.0,
    "minus(abs(a), b)": 3.0,
    "minus(a * a, b)": 9.0,
    "a * a + b": 10.0,
    "a - abs(b)": 6.0,
    "a * a * b": 11.0,
}
TRIPLE_SYMMETRIC = {"a + b + c": 4.0, "a * b * c": 4.0, "a * a + b * b + c * c": 6.0}
TRIPLE_DIRECTED = {  # symmetric in the last two
    "minus(a, b * c)": 4.0,
    "a + b * c": 4.0,
    "minus(a, b + c)": 4.0,
    "minus(a, min(b, c))": 6.0,
    "minus(a, max(b, c))": 6.0,
    "minus(a * a, b * c)": 7.0,
}
TRIPLE_LAST = {  # symmetric in the first two
    "minus(a * a + b * b, c * c)": 6.0,
    "minus(abs(a - b), c)": 5.0,
    "ratio(a + b, c)": 9.0,
    "ratio(a * b, c)": 9.0,
    "minus(a * a + b * b, c)": 7.0,
}
WRAPPED = {"wrap(a + b, {0})": 8.0, "wrap(a * b, {0})": 8.0, "wrap(a - b, {0})": 9.0}
QUOTIENTS = {
    ("a", "b"): 2.0,
    ("abs(a)", "b"): 4.0,
    ("abs(a)", "abs(b)"): 5.0,
    ("a * a", "b"): 6.0,
}
TRIPLE_QUOTIENTS = {("a + c * b", "c"): 5.0, ("a", "b * c"): 5.0, ("a + b", "c"): 5.0, ("a - b", "c"): 5.0}


class Library:
    """Features by formula and fields, created on first use and kept with their values."""

    def __init__(self, axes: Sequence[FieldAxis]) -> None:
        self.axes = axes
        self.numeric = [axis.index for axis in axes if axis.numeric and not axis.is_fixed]
        self._each = math.log2(max(len(self.numeric), 1))
        self._made: dict[tuple[str, tuple[int, ...]], Feature] = {}
        self.fitted: dict[tuple[str, tuple[int, ...]], Feature] = {}

    def feature(self, formula: str, indices: Sequence[int], bits: float, max_evidence: float = math.inf) -> Feature:
        identity = formula, tuple(indices)
        if identity not in self._made:
            cost = 1.0 + bits + self._each * len(identity[1])
            self._made[identity] = Feature(formula, indices, cost, max_evidence, bits)
        return self._made[identity]

    def list_features(self, groups: Iterable[tuple[int, ...]]) -> Iterator[Feature]:
        """Yield all features of single fields, all features of the given groups, and all with fitted multipliers."""
        for index in self.numeric:
            yield from self.singles(index)
        for group in groups:
            yield from self.pairs(*group) if len(group) == 2 else self.triples(*group)
        yield from self.fitted.values()

    def singles(self, index: int) -> Iterator[Feature]:
        for formula, bits in SINGLE.items():
            yield self.feature(formula, (index,), bits)
        yield from self.periodic(index)

    def periodic(self, index: int) -> Iterator[Feature]:
        """Yield the features whose values repeat along the field: remainders and bits."""
        axis = self.axes[index]
        if axis.is_periodic:
            for modulus in MODULI:
                yield self.feature(f"a % {modulus}", (index,), 2.0 + price(modulus), math.log2(modulus))
            for power in range(min(axis.bits, 32)):
                yield self.feature(f"a & {1 << power}", (index,), 3.0 + power / 4, power + 1.0)

    def pairs(self, one: int, other: int) -> Iterator[Feature]:
        both = one, other
        whole = self.axes[one].whole and self.axes[other].whole
        for formula, bits in SYMMETRIC.items():
            if not (whole and "trunc" in formula):
                yield self.feature(formula, both, bits)
        for order in permutations(both):
            for formula, bits in DIRECTED.items():
                yield self.feature(formula, order, bits)
        if whole:
            width = max(self.axes[one].bits, self.axes[other].bits)
            for modulus in RINGS:
                yield self.feature(f"(a - b) % {modulus}", both, 4.0 + price(modulus), math.log2(modulus))
            for size in {8, 16, 32, 64}:
                if size >= width:
                    for formula, bits in WRAPPED.items():
                        yield self.feature(formula.format(size), both, bits + (size > width))

    def triples(self, *three: int) -> Iterator[Feature]:
        for formula, bits in TRIPLE_SYMMETRIC.items():
            yield self.feature(formula, three, bits)
        for first in three:
            rest = [index for index in three if index != first]
            for formula, bits in TRIPLE_DIRECTED.items():
                yield self.feature(formula, (first, *rest), bits)
            for formula, bits in TRIPLE_LAST.items():
                yield self.feature(formula, (*rest, first), bits)

    # Multipliers

    def fit(self, brackets: Sequence[Bracket], points: Sequence[Point], groups: Iterable[tuple[int, ...]]) -> None:
        """Add features such as ``a - k * b``, where k is the simplest multiplier that explains several brackets."""
        sharp = [one for one in brackets if one.ordered and one.weight > 8]
        for group in groups:
            inside = [one for one in sharp if one.axis.index in group]
            if len(inside) < 2:
                continue
            forms = QUOTIENTS if len(group) == 2 else TRIPLE_QUOTIENTS
            for order in permutations(group):
                for (top, bottom), bits in forms.items():
                    self._fit_ratio(top, bottom, order, bits, inside, points)
                if len(group) == 2:
                    self._fit_slope(order, inside, points)

    def _fit_ratio(
        self, top: str, bottom: str, order: Sequence[int], bits: float, brackets: Sequence[Bracket], points: Any
    ) -> None:
        ratio = self.feature(f"ratio({top}, {bottom})", order, bits)
        spans = []
        for one in brackets:
            ends = ratio.value(points[one.one]), ratio.value(points[one.other])
            low, high = min(ends), max(ends)
            if low < high and math.isfinite(low) and math.isfinite(high):
                spans.append((low, high))
        for low, high in _find_overlaps(spans):
            multiplier = find_simplest(low, high)
            cost = price(multiplier)
            if multiplier not in (0, 1) and cost < 20 and not (multiplier < 0 and top.startswith("abs")):
                factor = _format_multiplier(multiplier)
                self._add(f"minus({top}, {factor} * ({bottom}))", order, bits + cost + 3 * (multiplier < 0))

    def _fit_slope(self, order: Sequence[int], brackets: Sequence[Bracket], points: Sequence[Point]) -> None:
        """Add features ``a + k * b``. The multiplier k follows from how far the boundary of a moved when b changed."""
        i, j = order
        mine = [one for one in brackets if one.axis.index == i][-12:]
        spans = []
        for one, other in combinations(mine, 2):
            a, b, c, d = (points[n][i] for n in (one.one, one.other, other.one, other.other))
            run = points[other.one][j] - points[one.one][j]
            if not run or not all(math.isfinite(v) for v in (a, b, c, d, run)):
                continue
            low, high = sorted((-(c - b) / run, -(d - a) / run))
            slack = blur(a / run, b / run, c / run, d / run)
            if low < high:
                spans.append((low - slack, high + slack))
        for low, high in {*_find_overlaps(spans), *spans[:6]}:
            self._add_slope(find_simplest(low, high), order)

    def _add_slope(self, multiplier: float, order: Sequence[int]) -> None:
        inverse = 1 / multiplier if multiplier else math.inf
        if math.isfinite(inverse) and price(inverse) < price(multiplier):  # b + 1/k * a means the same
            multiplier, order = inverse, order[::-1]
        cost = price(multiplier)
        if multiplier not in (0, 1, -1) and cost < 18:
            self._add(f"a + {_format_multiplier(multiplier)} * b", order, 2.0 + cost)
            if multiplier < 0:
                self._add(f"minus(a, {_format_multiplier(-multiplier)} * b)", order, 2.0 + cost)

    def _add(self, formula: str, order: Sequence[int], bits: float) -> None:
        made = self.feature(formula, order, bits)
        self.fitted[made.identity] = made


def _format_multiplier(multiplier: float) -> str:
    """Format a multiplier; a whole number has no decimal point, so that integers stay exact."""
    return repr(int(multiplier) if float(multiplier).is_integer() else multiplier)


def _find_overlaps(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return up to three ranges in which at least two intervals overlap.

    Ranges that lie in the most intervals come first.
    """
    ends = sorted([(low, 1) for low, _ in spans] + [(high, -1) for _, high in spans])
    found, depth, start = [], 0, 0.0
    for place, (at, change) in enumerate(ends):
        depth += change
        if change > 0:
            start = at
        elif depth >= 1 and place and ends[place - 1][1] > 0:
            found.append((depth + 1, start, at))
    return [(low, high) for _, low, high in sorted(found, key=lambda one: -one[0])[:3] if low < high]
