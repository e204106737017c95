"""Sharpening: find out exactly where, between two points with different verdicts, the verdict changes.

What it believes: a weight for each position where the boundary may be. A number whose price is n bits gets the
weight 2**-n (simplicity.py), and so does a position where a known cut, or a rival, would put the boundary
(a hint). Positions of
boundaries known from elsewhere, or of their mirror images, get a fixed weight, because code repeats its constants. A
small weight is spread over the whole interval, for boundaries at no special number.

What it asks: it bisects, but the next position halves the belief, not the interval. So a boundary at a plausible number
is found in few runs. When a round number turns out to be one end of the interval, its neighbour is usually asked next;
then both ends are adjacent and the boundary is known exactly.

Why it ends: every answer shrinks the interval, and the number of questions is limited. It ends earlier if the interval
is small compared to its value and no single position holds a fifth of the belief.

To add another source of plausible positions, add their weights to ``beliefs`` in ``sharpen``, as for the echoes.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from rootward.search.border import BorderStep, bisect
from rootward.search.relay import drive, relay
from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.observations import Experiment, Observations, change_value, find_label
from rootward.searches.conditions.boundaries.simplicity import price
from rootward.searches.conditions.boundaries.tuning import TUNING


def sharpen(
    notebook: Observations,
    index: int,
    one: Point,
    other: Point,
    hints: Iterable[tuple[Cut, float]] = (),
    share: float | None = None,
) -> Experiment[Bracket | None]:
    """Narrow the boundary between two points and add the bracket to the notebook.

    The points differ only in the field ``index`` and have different verdicts. The boundary is close enough if its width
    is at most ``share`` of the value; the default is ``TUNING.close_share``.
    """
    axis, wanted = notebook.axes[index], TUNING.close_share if share is None else share
    values = one[index], other[index]
    if not axis.numeric or any(value != value for value in values):
        return notebook.bracket(one, other, index)
    low, high = _narrow(notebook, axis, one, *sorted(map(axis.position, values)))
    lower_label = notebook.label(change_value(one, index, axis.at(low)))
    beliefs = _place_hints(axis, one, low, high, hints)
    for place in _find_echoes(notebook, axis):
        beliefs[place] = beliefs.get(place, 0.0) + TUNING.echo_belief

    def places(low: int, high: int) -> Iterator[int]:
        if axis.adjacent(low, high) or (position := _choose_pivot(axis, low, high, beliefs, wanted)) is None:
            return
        for place in (position, axis.step(position, 1), axis.step(position, -1)):
            if low < place < high:  # if a point cannot be judged, try its neighbours
                yield place

    def like_low(asked: BorderStep[int]) -> Experiment[bool | None]:
        label = yield from find_label(notebook, change_value(one, index, axis.at(asked.place)))
        return None if label is None else label == lower_label

    low, high = yield from relay(bisect(low, high, places, limit=TUNING.max_bisections), like_low)
    return notebook.bracket(change_value(one, index, axis.at(low)), change_value(one, index, axis.at(high)), index)


def _narrow(notebook: Observations, axis: FieldAxis, point: Point, low: int, high: int) -> tuple[int, int]:
    """Return the interval ``low..high``, narrowed by earlier runs at positions inside it.

    The verdict changes between the two positions returned.
    """
    label = notebook.label(change_value(point, axis.index, axis.at(low)))
    known = sorted(axis.position(value) for value in notebook.values_along(point, axis.index) if value == value)
    for position in known:
        if low < position < high:
            if notebook.label(change_value(point, axis.index, axis.at(position))) != label:
                return low, position
            low = position
    return low, high


def find_crossing(axis: FieldAxis, cut: Cut, point: Point, low: int, high: int) -> int | None:
    """Return the last position, going up from ``low``, before a cut is crossed.

    Return None if ``low`` and ``high`` are on the same side.
    """
    first, last = (cut.side(change_value(point, axis.index, axis.at(end))) for end in (low, high))
    if first == last or not first or not last:
        return None

    def middle(low: int, high: int) -> list[int]:
        half = (low + high) // 2
        return [] if axis.adjacent(low, high) else [half if axis.at(half) != axis.at(low) else axis.step(low, 1)]

    def is_uncrossed(one: BorderStep[int]) -> bool:
        return cut.side(change_value(point, axis.index, axis.at(one.place))) == first

    return drive(bisect(low, high, middle), is_uncrossed)[0]


def _place_hints(
    axis: FieldAxis, point: Point, low: int, high: int, hints: Iterable[tuple[Cut, float]]
) -> dict[int, float]:
    """Return the positions where the hinted cuts put the boundary, with the belief in each."""
    found: dict[int, float] = {}
    for cut, belief in hints:
        place = find_crossing(axis, cut, point, low, high)
        if place is not None:
            found[place] = found.get(place, 0.0) + belief
    return found


def _find_echoes(notebook: Observations, axis: FieldAxis) -> set[int]:
    """Return the positions on this axis of boundaries known from any axis, and of their mirror images.

    Code often repeats a constant.
    """
    found: set[int] = set()
    for one in notebook.brackets:
        if one.axis.numeric and one.low is not None and one.weight > TUNING.known_bits:
            for low, high in ((one.low, one.high), (-one.high, -one.low)):
                ends = axis.nearest(low), axis.nearest(high)
                if (axis.at(ends[0]), axis.at(ends[1])) == (low, high):
                    found |= {ends[0], axis.step(ends[1], -1)}
    return found


def _choose_pivot(axis: FieldAxis, low: int, high: int, hinted: Mapping[int, float], share: float) -> int | None:
    """Return the position to ask next; None if the boundary is known well enough."""
    beliefs: dict[int, float] = {place: belief for place, belief in hinted.items() if low <= place < high}
    for position, number in _simple_positions(axis, low, high):
        belief = 2.0 ** -price(number) / 2
        for place in (position, axis.step(position, -1)):
            beliefs[place] = beliefs.get(place, 0.0) + belief
    beliefs = {place: belief for place, belief in beliefs.items() if low <= place < high}
    smooth = TUNING.arbitrary_belief * axis.share(low, high)
    special = sum(beliefs.values())
    if is_close(axis, low, high, share) and max(beliefs.values(), default=0.0) < (special + smooth) / 5:
        return None
    places = sorted(beliefs)
    below = dict(zip(places, accumulate((beliefs[place] for place in places), initial=0.0), strict=False))
    options = {p for place in places for p in (place, axis.step(place, 1)) if low < p < high}
    middle = axis.middle(low, high)
    options.add(middle)
    whole, between = special + smooth, axis.share(low, high)

    def imbalance(position: int) -> tuple[float, float, int, int]:
        at = bisect_left(places, position)
        discrete = below[places[at]] if at < len(places) else special
        held = (discrete + smooth * axis.share(low, position) / between) / whole
        return abs(0.5 - held), price(axis.at(position)), abs(position - middle), position

    return min(options, key=imbalance)


def _simple_positions(axis: FieldAxis, low: int, high: int) -> list[tuple[int, Any]]:
    ends = [(end, axis.at(end)) for end in (low, high)]
    return [(p, n) for p, n in [*axis.simple_positions(low, high), *ends] if math.isfinite(n)]


def is_close(axis: FieldAxis, low: int, high: int, share: float) -> bool:
    """Return True if the values of two positions differ by at most this share of the larger one."""
    bottom, top = float(axis.at(low)), float(axis.at(high))
    return math.isfinite(top - bottom) and top - bottom <= share * max(abs(bottom), abs(top))
