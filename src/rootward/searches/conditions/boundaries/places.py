"""Places: points of the space where a run would tell most about the current model.

What it believes: a wrong model is wrong somewhere between, or just beyond, what the runs have covered. So a good point
is close to known runs, so that a surprise can be explained by a short walk, and yet as different from them as the model
allows.

What it offers: crossings of a cut in new surroundings, preferably where its rivals put the boundary elsewhere
(``find_new_crossing``); lines along which a cut's constant can be narrowed (``find_finest_line``); and points that
promise a surprise, in cells without runs or where rival logics disagree (``explore``). ``draw_context`` and
``draw_anywhere`` draw random points near known runs and from the whole space. This module runs nothing: experiments.py
and strategy.py do, and decide when it is enough. Every method makes a limited number of random draws and returns the
best, or None if it finds nothing.

To prefer other points, add to ``worth`` in ``find_new_crossing`` or ``explore``; for another kind of random point,
extend ``_draw_point``.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import change_value
from rootward.searches.conditions.boundaries.sharpen import find_crossing
from rootward.searches.conditions.boundaries.simplicity import price
from rootward.searches.conditions.boundaries.tuning import TUNING


class Places:
    """Draws informative points, given the notebook and its model."""

    def __init__(self, fitting: Fitting, rng: np.random.Generator) -> None:
        self.fitting, self.rng = fitting, rng
        self.notebook, self.axes = fitting.notebook, fitting.axes
        self._round = cycle(sorted(range(TUNING.max_filler), key=price))

    def find_new_crossing(self, cut: Cut) -> tuple[int, Point, Point] | None:
        """Return a field and two neighbouring points that differ in it and lie on either side of a cut.

        The surroundings of the points are as new as possible. Return None if no such points are found.
        """
        best, most = None, -1.0
        for attempt in range(TUNING.max_crossing_draws):
            if best is not None and attempt >= TUNING.max_surroundings:
                break
            axis = self.axes[int(self.rng.choice(cut.feature.indices))]
            start = self.notebook.points[self._pick_border_point(cut) if attempt else self._pick_point()]
            pair = self._redraw_surroundings(
                cut, axis, start if attempt < TUNING.max_surroundings else self.draw_context()
            )
            if pair is None or (self.notebook.is_seen(pair[0]) and self.notebook.is_seen(pair[1])):
                continue
            against = sum(
                2.0 ** ((rival.gain - cut.gain) / 4)
                for rival in cut.rivals
                if rival.side(pair[0]) == rival.side(pair[1])
            )
            worth = against + self._novelty(cut, axis, pair[0])
            if worth > most:
                best, most = (axis.index, *pair), worth
        return best

    def find_crossing_at(self, cut: Cut, index: int, value: Any) -> tuple[Point, ...]:
        """Return neighbouring points on either side of a cut, with this value of another field; none if not found.

        They are neighbours in the field whose steps change the cut's feature least.
        """
        best: tuple[Point, ...] = ()
        least = math.inf
        for _ in range(TUNING.max_surroundings):
            base = change_value(self.notebook.points[self._pick_border_point(cut)], index, value)
            for i in cut.feature.indices:
                if (pair := self._find_pair(self.axes[i], cut, base)) is not None:
                    step = abs(float(cut.feature.value(pair[1])) - float(cut.feature.value(pair[0])))
                    if step < least:
                        best, least = pair, step
        return best

    def _redraw_surroundings(self, cut: Cut, axis: FieldAxis, base: Point) -> tuple[Point, Point] | None:
        """Return neighbouring points on either side of a cut.

        As many other fields of ``base`` as possible are redrawn.
        """
        pair = self._find_pair(axis, cut, base)
        for i in self.rng.permutation(len(self.axes)):
            other = self.axes[int(i)]
            if other is axis or other.is_fixed:
                continue
            for _ in range(TUNING.max_redraws):
                known = self.notebook.points[self._pick_point()][other.index]
                trial = change_value(base, other.index, other.draw(self.rng) if self.rng.random() < 0.7 else known)
                moved = self._find_pair(axis, cut, trial)
                if moved is not None:
                    base, pair = trial, moved
                    break
        return pair

    def find_finest_line(self, cut: Cut) -> tuple[int, Point, Point] | None:
        """Return a field and two points that differ only in this field.

        Between the points, the cut's feature runs through the interval in which its constant may lie. The points are as
        many values of the field apart as possible.
        """
        assert self.fitting.model is not None
        best, most = None, 1
        for _ in range(TUNING.max_lines):
            index = int(self.rng.choice(cut.feature.indices))
            axis, base = self.axes[index], self.notebook.points[self._pick_border_point(cut)]
            for other in set(cut.feature.indices) - {index}:
                base = change_value(base, other, self.axes[other].draw(self.rng))
            ends = [replace(cut, constant=cut.low, strict=False), replace(cut, constant=cut.high, strict=True)]
            places = [place for one in ends if (place := self._find_crossing(axis, one, base)) is not None]
            if len(places) == 2 and max(places) + 1 - min(places) > most:
                low, high = (change_value(base, index, axis.at(place)) for place in (min(places), max(places) + 1))
                if self.fitting.model.predict(low) != self.fitting.model.predict(high):
                    best, most = (index, low, high), max(places) + 1 - min(places)
        return best

    def _pick_border_point(self, cut: Cut) -> int:
        """Return the number of a known point that lies beside a boundary explained by the cut."""
        return self._pick_end(self.notebook.brackets[cut.explained[int(self.rng.integers(len(cut.explained)))]])

    def _pick_end(self, one: Bracket) -> int:
        return one.one if self.rng.random() < 0.5 else one.other

    def _find_pair(self, axis: FieldAxis, cut: Cut, base: Point) -> tuple[Point, Point] | None:
        """Return two close points that this cut separates and no other cut does.

        The model must predict that one of them fails and the other passes. Return None if there are no such points.
        """
        model = self.fitting.model
        assert model is not None
        found = self._find_crossing(axis, cut, base)
        if found is None:
            return None
        low, high = (change_value(base, axis.index, axis.at(axis.step(found, by))) for by in (0, 1))
        if not (cut.feature.exact(low) and cut.feature.exact(high)):
            apart = axis.rounding
            ends = max(found - apart, axis.low), min(found + 1 + apart, axis.high)
            low, high = (change_value(base, axis.index, axis.at(end)) for end in ends)
        if any(one.side(low) != one.side(high) for one in model.used_cuts if one.identity != cut.identity):
            return None
        return (low, high) if model.predict(low) != model.predict(high) else None

    def _novelty(self, cut: Cut, axis: FieldAxis, point: Point) -> float:
        """Return the distance of a crossing from the known crossings of the cut.

        It counts the distance on ``axis`` and, with less weight, on the other axes.
        """
        brackets = [self.notebook.brackets[i] for i in cut.explained]
        seen = [self.notebook.points[one.one] for one in brackets if one.axis is axis]
        if not seen:
            return 1.0
        found = 0.0
        for other in self.axes:
            value = point[other.index]
            if not other.numeric or value != value or (other is axis and len(cut.feature.indices) == 1):
                continue
            here = other.place(other.position(value))
            places = [other.place(other.position(p[other.index])) for p in seen if p[other.index] == p[other.index]]
            scale, share = (3, 2.0) if other is axis else (4, 1 / len(self.axes))
            found += share * min([1.0, *(abs(place - here) / scale for place in places)])
        return found

    def _find_crossing(self, axis: FieldAxis, cut: Cut, base: Point) -> int | None:
        """Return the position just before a random crossing of the cut along an axis; None if nothing crosses it."""
        positions = sorted(
            {axis.position(v) for v in [*axis.corners, base[axis.index], *self._pick_values(axis)] if v == v}
        )
        sides = [cut.side(change_value(base, axis.index, axis.at(position))) for position in positions]
        flips = [i for i in range(len(positions) - 1) if sides[i] * sides[i + 1] < 0]
        if not flips:
            return None
        at = flips[int(self.rng.integers(len(flips)))]
        return find_crossing(axis, cut, base, positions[at], positions[at + 1])

    def _pick_values(self, axis: FieldAxis) -> list[Any]:
        """Return the values of a field in a few randomly chosen runs."""
        points = self.notebook.points
        picks = self.rng.integers(len(points), size=min(6, len(points)))
        return [points[int(i)][axis.index] for i in picks]

    def draw_context(self) -> Point:
        """Draw a known point and change some of its fields.

        Points beside a boundary are preferred. A changed field gets a random value or its value in another run.
        """
        points = self.notebook.points
        base = list(points[self._pick_point()])
        donor = points[self._pick_point()]
        free = [axis for axis in self.axes if not axis.is_fixed]
        count = min(len(free), 1 + int(self.rng.geometric(0.35)))
        for i in self.rng.permutation(len(free))[:count]:
            axis = free[int(i)]
            base[axis.index] = axis.draw(self.rng) if self.rng.random() < 0.7 else donor[axis.index]
        return tuple(base)

    def _pick_point(self) -> int:
        """Return the number of a random known point, preferably beside a boundary."""
        brackets = self.notebook.brackets
        if brackets and self.rng.random() < 0.6:
            return self._pick_end(brackets[int(self.rng.integers(len(brackets)))])
        return int(self.rng.integers(len(self.notebook.points)))

    def explore(self, count: int) -> list[Point]:
        """Return points where a surprise is likely.

        These are points in cells with few runs, points on which rival explanations disagree, and predicted failures.
        """
        assert self.fitting.model is not None
        pool: list[tuple[float, Any, Point]] = []
        for _ in range(TUNING.pool):
            point = self._draw_point()
            if self.notebook.is_seen(point):
                continue
            spot = self.fitting.model.spot(point)
            worth = (
                1.0 / (1 + self.fitting.spots[spot]) + self.fitting.model.doubt(point) + 0.2 * float(self.rng.random())
            )
            worth += 0.4 * self.fitting.model.predict(point)
            pool.append((worth, spot, point))
        pool.sort(key=lambda one: -one[0])
        found, spots = [], set()
        for _, spot, point in pool:
            if spot not in spots:
                spots.add(spot)
                found.append(point)
            if len(found) == count:
                break
        rest = [point for _, _, point in pool if point not in found]
        alike = [point for point in [self._fill_alike()] if point is not None and not self.notebook.is_seen(point)]
        return [*alike, *found, *rest][:count]

    def _fill_alike(self) -> Point | None:
        """Return a variation of a passing point beside a boundary, with equal numbers.

        All numbers that the rule does not use are set to the same round number. If the new point fails, there is
        another reason to fail: two of the changed fields are equal, or one of them has this value.
        """
        assert self.fitting.model is not None
        used = {index for cut in self.fitting.model.used_cuts for index in cut.feature.indices}
        free = [axis for axis in self.axes if axis.numeric and not axis.is_fixed and axis.index not in used]
        ends = {end for one in self.notebook.brackets if one.ordered for end in (one.one, one.other)}
        passing = sorted(end for end in ends if not self.notebook.labels[end])
        if not free or not passing:
            return None
        point = self.notebook.points[passing[int(self.rng.integers(len(passing)))]]
        number = next(self._round)
        for axis in free:
            point = change_value(point, axis.index, axis.at(axis.nearest(number)))
        return point

    def _draw_point(self) -> Point:
        """Draw a point: at a corner, anywhere, near known runs, or beside a cut."""
        kind = self.rng.random() if self.notebook.brackets else 0.2
        if kind < 0.08:
            corners = [axis.corners for axis in self.axes]
            return tuple(values[int(self.rng.integers(len(values)))] for values in corners)
        if kind < 0.4:
            return self.draw_anywhere()
        base = self.draw_context()
        if kind < 0.6 and self.fitting.model is not None and self.fitting.model.cuts:
            cut = self.fitting.model.cuts[int(self.rng.integers(len(self.fitting.model.cuts)))]
            axis = self.axes[int(self.rng.choice(cut.feature.indices))]
            found = self._find_crossing(axis, cut, base)
            if found is not None:
                by = int(self.rng.integers(-1, 3))
                beside = change_value(base, axis.index, axis.at(found + by))
                return beside if cut.feature.exact(beside) else base
        return base

    def draw_anywhere(self) -> Point:
        """Draw a point from the whole space."""
        return tuple(axis.draw(self.rng) for axis in self.axes)
