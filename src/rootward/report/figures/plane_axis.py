"""One axis of a plane of runs: the place of each value of a field, and the value at each place.

Numbers lie on a symmetric-log axis (`rootward.space.compression`). An axis that reaches beyond ``2**70`` is compressed
twice, or 1.8e308 would leave no room for 4500. Values that are not finite numbers (NaN, the infinities, text) have a
lane each at the side. A field without numbers, or one that the rule only compares for equality, consists of lanes only.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rootward.report.figures.svg import at_most, shorten
from rootward.rules.constants import constant_text, kind, value_order
from rootward.rules.text import value_text
from rootward.space.compression import compress, decompress
from rootward.space.keys import canonical

LANE_WIDTH, LANE_GAP = 24.0, 4.0
"""The width of a lane beside numbers, and the gap between lanes and numbers."""
MAX_LANES = 10
"""Maximum number of lanes; further values share the last one."""
MAX_ONCE_COMPRESSED = 70.0
"""An axis with a number whose compressed size exceeds this is compressed twice."""
MAX_END = 100
GOLDEN = (math.sqrt(5) - 1) / 2
NODE_DISTANCE = 8.0
"""Distance between places where the rule is evaluated."""
MAX_NAMED = 40
"""Maximum number of constants of the rule at which, and directly beside which, the rule is evaluated."""
MARGIN = 0.04
"""Share of the axis that is left free at each end of the numbers."""


@dataclass(frozen=True)
class ValueLane:
    """The place on an axis of a value that is not a finite number.

    A lane may also stand for several values for which there are not enough lanes.
    """

    start: float
    end: float
    value: Any
    text: str


@dataclass(frozen=True)
class GridNode:
    """A place where the rule is evaluated, and the value there."""

    at: float
    value: Any


@dataclass(frozen=True)
class Tick:
    at: float
    text: str
    is_named: bool = False
    """True if the rule names this value."""


class PlaneAxis:
    """The axis of one field, between two places of a drawing.

    It may run in either direction: ``start`` may be greater or less than ``end``.
    """

    def __init__(
        self, name: str, values: Iterable[Any], start: float, end: float, *, named: Sequence[Any], listed: bool
    ) -> None:
        """``values``: the distinct values to show, in order.

        ``named``: the numbers in the rule. ``listed``: give every value a lane, even numbers.
        """
        self.name, self.start, self._sign = name, start, 1 if end > start else -1
        self.long = abs(end - start)
        shown = list(values)
        numbers = [] if listed else [value for value in shown if is_finite(value)]
        self.is_integral = all(isinstance(value, int) for value in numbers)
        """True if all numbers are integers."""
        self.named = sorted(set(named))[:MAX_NAMED]
        self._lanes: dict[bytes, ValueLane] = {}
        self._lane_cache: dict[int, tuple[Any, ValueLane | None]] = {}
        self._low = self._high = 0.0
        self._least = self._most = 0
        self._is_compressed_twice = False
        self._from = self._to = start
        self._place_lanes(numbers, [value for value in shown if not (numbers and is_finite(value))])

    def _place_lanes(self, numbers: list[Any], others: list[Any]) -> None:
        wide = LANE_WIDTH if numbers else self.long / max(1, min(len(others), MAX_LANES))
        before = [value for value in others if numbers and _is_equal(value, -math.inf)]
        after = [value for value in others if not (numbers and _is_equal(value, -math.inf))]
        after.sort(key=lambda value: numbers and not _is_equal(value, math.inf))
        gaps = (LANE_GAP * bool(before), LANE_GAP * bool(after)) if numbers else (0.0, 0.0)
        low, high = len(before) * wide + gaps[0], self.long - min(len(after), MAX_LANES) * wide - gaps[1]
        self._add_lanes(before, 0.0, wide)
        self._add_lanes(after, high + gaps[1], wide)
        if numbers:
            self._fit([*numbers, *self.named])
            self._from, self._to = self._px(low), self._px(high)

    def _add_lanes(self, values: list[Any], at: float, wide: float) -> None:
        for i, value in enumerate(values):
            last = i >= MAX_LANES - 1 and len(values) > MAX_LANES
            turn = min(i, MAX_LANES - 1)
            text = "rest" if last else value_label(value)
            lane = ValueLane(self._px(at + turn * wide), self._px(at + (turn + 1) * wide), value, shorten(text, 14))
            self._lanes[canonical(value)] = lane

    def _fit(self, numbers: list[Any]) -> None:
        self._is_compressed_twice = max(abs(compress(to_float(value))) for value in numbers) > MAX_ONCE_COMPRESSED
        places = [self._place(value) for value in numbers]
        self._least, self._most = min(numbers), max(numbers)
        low, high = min(places), max(places)
        margin = (high - low) * MARGIN or 1.0
        self._low, self._high = low - margin, high + margin

    def _px(self, offset: float) -> float:
        return self.start + self._sign * offset

    def _place(self, value: Any) -> float:
        once = compress(to_float(value))
        return compress(once) if self._is_compressed_twice else once

    @property
    def has_numbers(self) -> bool:
        return self._high > self._low

    @property
    def ends(self) -> tuple[float, float]:
        """The places where the numbers begin and end."""
        return self._from, self._to

    @property
    def lanes(self) -> list[ValueLane]:
        return list({lane.start: lane for lane in reversed(self._lanes.values())}.values())[::-1]

    def place_of(self, value: Any) -> float | None:
        """Return the place of a value; None if it is not on the axis."""
        if lane := self._lane(value):
            return (lane.start + lane.end) / 2
        if not (self.has_numbers and is_finite(value)):
            return None
        share = (self._place(value) - self._low) / (self._high - self._low)
        return self._from + (self._to - self._from) * share if 0 <= share <= 1 else None

    def _lane(self, value: Any) -> ValueLane | None:
        """Return the lane of a value, or None if it has none.

        The result is cached by the identity of the value, because many runs share a value, and it may be long.
        """
        if self.has_numbers and is_finite(value):
            return None
        if id(value) not in self._lane_cache:
            self._lane_cache[id(value)] = value, self._lanes.get(canonical(value))
        return self._lane_cache[id(value)][1]

    def value(self, at: float) -> Any:
        """Return the number at a place outside the lanes, clamped to the numbers that are shown."""
        place = self._low + (self._high - self._low) * (at - self._from) / (self._to - self._from)
        value = decompress(decompress(place) if self._is_compressed_twice else place)
        return min(max(round(value) if self.is_integral else value, self._least), self._most)

    def value_at(self, at: float) -> Any:
        """Return the value at any place, in a lane or not."""
        lane = next((one for one in self.lanes if min(one.start, one.end) <= at <= max(one.start, one.end)), None)
        return lane.value if lane else self.value(at)

    def stretches(self) -> list[list[GridNode]]:
        """Return the nodes where the rule is evaluated: along the numbers, and at both sides of each lane."""
        found = [[GridNode(lane.start, lane.value), GridNode(lane.end, lane.value)] for lane in self.lanes]
        return [self._numbers(), *found] if self.has_numbers else found

    def _numbers(self) -> list[GridNode]:
        """Return the nodes along the numbers: evenly spaced ones, and some where the rule may change.

        The rule may change at its constants, and next to them.
        """
        start, end = self.ends
        count = max(2, round(abs(end - start) / NODE_DISTANCE))
        even = [start + (end - start) * i / count for i in range(count + 1)]
        nodes = [GridNode(at, self.value(at)) for at in even]
        for constant in self.named:
            if self.place_of(constant) is not None:
                nodes += [GridNode(self._clamped_place(value), value) for value in _around(constant, self.is_integral)]
        return sorted(nodes, key=lambda node: (self._sign * node.at, node.value))

    def _clamped_place(self, value: Any) -> float:
        low, high = sorted(self.ends)
        share = (self._place(value) - self._low) / (self._high - self._low)
        return min(max(self._from + (self._to - self._from) * share, low), high)

    def cells(self, most: int) -> list[tuple[float, float, Any]]:
        """Divide the axis into at most ``most`` cells: its lanes, and equal pieces of the range of numbers.

        Returns the start, the end and a value of each cell.
        """
        lanes = [(lane.start, lane.end, lane.value) for lane in self.lanes]
        if not self.has_numbers:
            return lanes
        (start, end), count = self.ends, most - len(lanes)
        step = (end - start) / count
        even = [(start + i * step, start + (i + 1) * step) for i in range(count)]
        return [*((low, high, self.value((low + high) / 2)) for low, high in even), *lanes]

    def spread(self, value: Any, turn: int) -> float | None:
        """Return the place of run number ``turn``, which has this value.

        Runs in the same lane are spread over its width, so that they do not cover each other.
        """
        if (lane := self._lane(value)) is None:
            return self.place_of(value)
        return (lane.start + lane.end) / 2 + (lane.end - lane.start) * 0.7 * (turn * GOLDEN % 1 - 0.5)

    def ticks(self, apart: float, wide: float | None = None) -> list[Tick]:
        """Choose numbers to write: first those in the rule, then round ones, none nearer than ``apart``.

        ``wide``: the width of a character, if the text runs along the axis.
        """
        chosen: list[tuple[Tick, float]] = []
        low, high = sorted(self.ends)
        for value, strong in self._candidates():
            at, text = self.place_of(value), number(value)
            if at is None:
                continue
            half = max(apart, (len(text) * wide + 8) if wide else 0.0) / 2
            inside = not wide or not self._lanes or (at - half >= low - 8 and at + half <= high + 8)
            if inside and all(abs(at - other.at) >= half + space for other, space in chosen):
                chosen.append((Tick(at, text, strong), half))
        return sorted((tick for tick, _ in chosen), key=lambda tick: tick.at)

    def _candidates(self) -> Iterable[tuple[Any, bool]]:
        if not self.has_numbers:
            return
        yield from ((value, True) for value in self.named if value != 0)
        yield 0, 0 in self.named
        yield from ((value, False) for value in (self._most, self._least) if len(number(value)) < 9)
        top = max(abs(self.value(end)) for end in self.ends)
        powers = [10**power for power in range(min(309, len(str(int(min(top, 1e308))))))]
        for stride in (100, 30, 10) if len(powers) > 60 else (30, 10, 6, 3, 1):
            yield from ((sign * powers[i], False) for i in range(stride, len(powers), stride) for sign in (1, -1))
        if top < 1000:
            yield from (
                (sign * part * power, False) for part in (1, 5, 2) for power in (1, 10, 100) for sign in (1, -1)
            )
        if top < 1000 and self._high - self._low < 4 and not self.is_integral:
            step = at_most(float(self._most - self._least) / 3 or 1.0)
            first = math.ceil(self._least / step)
            yield from (((first + i) * step, False) for i in range(12))


def is_finite(value: Any) -> bool:
    """True if a value is a finite number."""
    if type(value) is float:  # the most frequent case, decided quickly
        return math.isfinite(value)
    return kind(value) == "number" and (isinstance(value, int) or math.isfinite(value))


def value_label(value: Any) -> str:
    """Write a value; a long text keeps only its beginning and its end."""
    if isinstance(value, str | bytes) and len(value) > 2 * MAX_END:
        return f"{value_text(value[:MAX_END])}…{value_text(value[-MAX_END:])}"
    return value_text(value)


def keys(values: Iterable[Any]) -> list[bytes]:
    """Return a key for each value that distinguishes it from other values.

    The key is computed only once if the same object occurs several times.
    """
    known: dict[int, bytes] = {}
    return [
        known[id(value)] if id(value) in known else known.setdefault(id(value), canonical(value)) for value in values
    ]


def distinct(values: Sequence[Any]) -> list[Any]:
    """Return the distinct values in their natural order."""
    return sorted(dict(zip(keys(values), values, strict=True)).values(), key=value_order)


def _is_equal(value: Any, number: float) -> bool:
    return isinstance(value, float) and value == number


def to_float(value: Any) -> float:
    """Convert to float; integers beyond the range become the largest float."""
    try:
        return float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -sys.float_info.max


def _around(value: Any, whole: bool) -> tuple[Any, Any, Any]:
    if whole:
        return math.ceil(value) - 1, round(value), math.floor(value) + 1
    near = to_float(value)
    return math.nextafter(near, -math.inf), value, math.nextafter(near, math.inf)


def number(value: Any) -> str:
    """Write a number as an engineer would: 100, 1e3, -2**31, pi/2, 0.25."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, int) and 1000 <= abs(value) <= 10**308 and abs(value) == 10 ** (len(str(abs(value))) - 1):
        return f"{'-' * (value < 0)}1e{len(str(abs(value))) - 1}"
    text = constant_text(value).replace(" * ", "*").replace(" / ", "/").replace(" - 1", "-1").replace(" + 1", "+1")
    return text if len(text) <= 11 else f"{to_float(value):.3g}".replace("e+", "e")
