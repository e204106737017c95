"""A field as an axis of positions: one whole number per value, so that neighbours differ by one.

Bisection on positions ends at two adjacent values: integers, multiples of a step, or floats (whose positions are their
ranks, without -0.0). The infinities are the ends of a float's axis; NaN has no position. For a field without an order,
positions only number its values, which are compared one by one.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rootward.rules.arithmetic import decimal_length
from rootward.searches.conditions.boundaries.simplicity import round_numbers
from rootward.searches.conditions.boundaries.texts import OPENING_TEXTS, TextField
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.space import compression as compress
from rootward.space.exceptional_values import TEXTS, at_ordinal, narrow, ordinal
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Text

if TYPE_CHECKING:
    import numpy as np


MAX_FLOAT = int(sys.float_info.max)
"""Largest integer that can be converted to a float."""


class FieldAxis:
    """One field. ``numeric`` says that its values have an order and can be calculated with."""

    def __init__(self, index: int, name: str, field: Field) -> None:
        self.index, self.name, self.field = index, name, field
        self.numeric = isinstance(field, Int | Float)
        self.whole = isinstance(field, Int)
        self._ranked = isinstance(field, Float) and field.step is None
        self.has_nan = isinstance(field, Float) and field.contains(math.nan)
        self.low, self.high = self._ends()
        self._pending: list[Any] = []
        self.texts: TextField | None = None
        """The hypotheses about the field, if it is a text."""
        if isinstance(field, Text):
            self.texts = TextField(index, name, () if field.values is TEXTS else field.values)

    def _ends(self) -> tuple[int, int]:
        field = self.field
        if isinstance(field, Int):
            return field.lo, field.hi
        if isinstance(field, Float):
            if not self._ranked:
                return field.steps
            bottom = -math.inf if field.lo is None else field.lo
            top = math.inf if field.hi is None else field.hi
            return self.position(bottom), self.position(top)
        return 0, len(self.tried_values) - 1

    @cached_property
    def tried_values(self) -> list[Any]:
        """The values to try for a field that is not a number.

        These are all its values or, if the list is long, a selection spread evenly over it.
        """
        values = OPENING_TEXTS if self.field.values is TEXTS else self.field.values
        last = min(len(values), TUNING.max_listed_values) - 1
        return [values[round(i * (len(values) - 1) / max(last, 1))] for i in range(last + 1)]

    @property
    def is_finite(self) -> bool:
        """True if all values are finite numbers."""
        field = self.field
        return self.whole or (
            isinstance(field, Float)
            and field.lo is not None
            and field.hi is not None
            and math.isfinite(field.hi - field.lo)
        )

    @property
    def is_periodic(self) -> bool:
        """True if the values are integers, and there are too many to run each of them.

        The verdict of such a field may depend on a remainder.
        """
        return self.whole and self.high - self.low > 8

    @cached_property
    def has_lengths(self) -> bool:
        """True if the values are integers of more than two lengths in decimal notation. Two are a bound."""
        ends = [self.low, self.high, min(max(0, self.low), self.high)] if self.whole else [0]
        lengths = list(map(decimal_length, ends))
        return max(lengths) - min(lengths) > 1

    @property
    def is_fixed(self) -> bool:
        """True if there is only one value."""
        return self.field.size == 1

    def position(self, value: Any) -> int:
        field = self.field
        if isinstance(field, Int):
            return int(value)
        if isinstance(field, Float):
            if not self._ranked:
                return field.steps_to(value)
            return ordinal(value + 0.0, field.bits) if value != 0 else 0
        return self.tried_values.index(value)

    def at(self, position: int) -> Any:
        """Return the value at a position. A position beyond an end gives the value at that end."""
        field = self.field
        position = min(max(position, self.low), self.high)
        if isinstance(field, Int):
            return position
        if isinstance(field, Float):
            if not self._ranked:
                return field.multiple(position)
            return at_ordinal(position, field.bits) + 0.0 if position not in (0, -1) else 0.0
        return self.tried_values[position]

    def step(self, position: int, by: int) -> int:
        """Return the position ``by`` steps away from ``position``. The floats 0.0 and -0.0 count as one value."""
        moved = position + by
        if self._ranked and moved == -1:
            moved += by if by < 0 else 1
        return moved

    @property
    def ends(self) -> tuple[Any, Any]:
        """The lowest and the highest value."""
        return self.at(self.low), self.at(self.high)

    def adjacent(self, low: int, high: int) -> bool:
        return high - low <= 1 or (self._ranked and low < 0 <= high and self.step(low, 1) == high)

    def place(self, position: int) -> float:
        """Return the place of a position on the compressed axis, as a finite number."""
        if not self.numeric:
            return float(position)
        value = float(self.at(position))
        if math.isinf(value):
            return math.copysign(compress.MAX_PLACE if self.bits == 64 else 129.0, value) + math.copysign(1, value)
        return compress.compress(value)

    @property
    def bits(self) -> int:
        return self.field.bits if isinstance(self.field, Int | Float) else 8

    @property
    def rounding(self) -> int:
        """Maximum number of steps by which rounding may move the boundary of a sum or product."""
        return 1 << (self.bits // 5) if self._ranked else 0

    def nearest(self, value: float) -> int:
        """Return the position of the value nearest to a number."""
        field = self.field
        if math.isinf(value) and not self._ranked:
            return self.high if value > 0 else self.low
        if isinstance(field, Int):
            return min(max(math.floor(value + 0.5) if abs(value) < 2**52 else int(value), self.low), self.high)
        value = narrow(float(min(max(value, -MAX_FLOAT), MAX_FLOAT)), self.bits) if math.isfinite(value) else value
        return min(max(self.position(value), self.low), self.high)

    def share(self, low: int, high: int) -> float:
        """Return the prior probability that a boundary lies between two positions.

        Numbers of human scale weigh most.
        """
        return max((self._weight(high) - self._weight(low)) / self._whole_weight, 2.0**-64)

    def _weight(self, position: int) -> float:
        # The axis compressed once more: a threshold at 5 is likelier than one at 1e200.
        place = self.place(position)
        return compress.compress(place) + place / 8 if self.numeric else place

    @cached_property
    def _whole_weight(self) -> float:
        return max(self._weight(self.high) - self._weight(self.low), 1e-9)

    def middle(self, low: int, high: int) -> int:
        """Return a position strictly between two others, in the middle by weight."""
        tiny = isinstance(self.field, Float) and max(abs(self.at(low)), abs(self.at(high))) < TUNING.tiny_number
        alike = high - low <= max(abs(low), abs(high)) >> 16  # too close together for weights to separate them
        if tiny or alike:
            return min(max((low + high) // 2, self.step(low, 1)), self.step(high, -1))
        target = (self._weight(low) + self._weight(high)) / 2
        bottom, top = low, high
        while top - bottom > 1:
            half = (bottom + top) // 2
            if self._weight(half) < target:
                bottom = half
            else:
                top = half
        return min(max(top, self.step(low, 1)), self.step(high, -1))

    def simple_positions(self, low: int, high: int) -> list[tuple[int, Any]]:
        """Return the positions strictly between ``low`` and ``high`` whose value is a simple number.

        Each comes as a pair (position, simple number).
        """
        if not self.numeric:
            return []
        numbers = round_numbers(self.at(low), self.at(high), whole=self.whole)
        near = [(self.nearest(number), number) for number in numbers if self._ranked or self.field.contains(number)]
        return [(position, number) for position, number in near if low < position < high]

    @cached_property
    def corners(self) -> list[Any]:
        """The exceptional values: both ends, 0, 1 and -1; for floats, also the neighbours of the ends, and NaN.

        A short axis gives all its values; a field that is not a number gives all its values to try.
        """
        if not self.numeric:
            return self.tried_values
        if self.high - self.low < TUNING.max_listed_values:
            return [self.at(position) for position in range(self.low, self.high + 1)][: TUNING.max_listed_values]
        values = [self.at(self.low), self.at(self.high)] + [self.at(self.nearest(number)) for number in (0, 1, -1)]
        if isinstance(self.field, Float):
            values += [self.at(self.step(self.low, 1)), self.at(self.step(self.high, -1))]
        return values + ([math.nan] if self.has_nan else [])

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw a value. Successive draws cover the axis at all scales, with some exceptional values among them."""
        if not self._pending:
            self._pending = self._draw_strata(rng)
        return self._pending.pop()

    def _draw_strata(self, rng: np.random.Generator) -> list[Any]:
        """Draw values from all parts of the axis, in random order."""
        if self.texts is not None:
            known = [*self.tried_values, *self.texts.draw_texts(rng, TUNING.strata)]
            return [known[int(i)] for i in rng.permutation(len(known))]
        if not self.numeric or self.high - self.low < 2 * TUNING.strata:
            count = min(self.high - self.low + 1, 2 * TUNING.strata)
            return [self.at(self.low + int(i)) for i in rng.permutation(count)]
        places = [(i + rng.random()) / TUNING.strata for i in range(TUNING.strata)]
        scales = [self._at_broad_scale, self._at_human_scale, self._at_human_scale, self._at_even_scale]
        values = [scales[i % 4](place) for i, place in zip(rng.permutation(TUNING.strata), places, strict=True)]
        found = [self.at(self.nearest(value)) for value in values]
        found += [self.corners[int(i)] for i in rng.permutation(len(self.corners))[:2]]
        return [found[int(i)] for i in rng.permutation(len(found))]

    def _at_broad_scale(self, share: float) -> float:
        low, high = self.place(self.low), self.place(self.high)
        return compress.decompress(low + share * (high - low))

    def _at_human_scale(self, share: float) -> float:
        low, high = (compress.compress(self.place(end)) for end in (self.low, self.high))
        return compress.decompress(compress.decompress(low + share * (high - low)))

    def _at_even_scale(self, share: float) -> float:
        bottom, top = (float(self.at(end)) for end in (self.low, self.high))
        if not math.isfinite(top - bottom) or top - bottom > 2**21:
            return self._at_human_scale(share)
        return bottom + share * (top - bottom)


def identity(point: tuple[Any, ...]) -> bytes:
    """Return the key of a point. Two points have the same key if they stand for the same run."""
    return canonical(point)


# A bracket: two points that differ in one field, one of which fails. Some boundary passes between them. Brackets are
# the evidence of this search. The weight of a bracket, in bits, says how unlikely it was a priori that a boundary
# passes there: it is -log2 of the share of the field's axis between the two points.


@dataclass(frozen=True)
class Bracket:
    """Two points with different verdicts, ``one`` and ``other``, given by their numbers in the notebook.

    If the points differ only in the field of ``axis``, ``ordered`` means that both values have a position on the axis
    and that ``one`` has the lower position. NaN and values without an order have no position. ``exact`` means that no
    value lies between the two.
    """

    axis: FieldAxis
    one: int
    other: int
    ordered: bool
    weight: float
    exact: bool
    low: Any = None
    high: Any = None
    """``low`` and ``high`` are the two values, if the points differ only in this field and the values are ordered."""

    @property
    def is_placed(self) -> bool:
        """True if the two values show where the boundary is: no value lies between them, or hardly any."""
        return self.low is not None and (self.exact or self.weight > TUNING.placed_bits)


def bracket(axis: FieldAxis, points: list[tuple[Any, ...]], one: int, other: int) -> Bracket:
    """Return the bracket between the points with the numbers ``one`` and ``other``.

    The points differ only in the field of ``axis``.
    """
    values = points[one][axis.index], points[other][axis.index]
    if not axis.numeric or any(value != value for value in values):
        return Bracket(axis, one, other, False, 1.0, True)
    low, high = map(axis.position, values)
    if low > high:
        (low, high), (one, other) = (high, low), (other, one)
    weight = min(-math.log2(axis.share(low, high)), TUNING.max_bracket_bits)
    return Bracket(axis, one, other, True, weight, axis.adjacent(low, high), axis.at(low), axis.at(high))
