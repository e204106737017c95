"""Places: where in the space a run would tell most.

Near what is known, so that an answer can be explained, and yet as different from it as the model allows: other
surroundings, cells that nobody has seen, points about which rivals disagree.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Axis, Bracket
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import changed
from rootward.searches.conditions.boundaries.sharpen import crossing
from rootward.searches.conditions.boundaries.simplicity import price
from rootward.searches.conditions.boundaries.tuning import TUNING


class Places:
    """Draws points; what is likely depends on the notebook and on its model."""

    def __init__(self, fitting: Fitting, rng: np.random.Generator) -> None:
        self.fitting, self.rng = fitting, rng
        self.notebook, self.axes = fitting.notebook, fitting.axes
        self._round = cycle(sorted(range(TUNING.max_filler), key=price))

    def somewhere_new(self, cut: Cut) -> tuple[int, Point, Point] | None:
        """Two neighbours on either side of a cut, in surroundings as new as the model allows."""
        best, most = None, -1.0
        for attempt in range(TUNING.max_crossing_draws):
            if best is not None and attempt >= TUNING.max_surroundings:
                break
            axis = self.axes[int(self.rng.choice(cut.feature.indices))]
            start = self.notebook.points[self.beside_of(cut) if attempt else self.somewhere()]
            pair = self.surroundings(cut, axis, start if attempt < TUNING.max_surroundings else self.context())
            if pair is None or (self.notebook.seen(pair[0]) and self.notebook.seen(pair[1])):
                continue
            against = sum(
                2.0 ** ((rival.gain - cut.gain) / 4)
                for rival in cut.rivals
                if rival.side(pair[0]) == rival.side(pair[1])
            )
            worth = against + self.novelty(cut, axis, pair[0])
            if worth > most:
                best, most = (axis.index, *pair), worth
        return best

    def surroundings(self, cut: Cut, axis: Axis, base: Point) -> tuple[Point, Point] | None:
        """Neighbours on either side of a cut, with as many other fields redrawn as can be."""
        pair = self.pair(axis, cut, base)
        for i in self.rng.permutation(len(self.axes)):
            other = self.axes[int(i)]
            if other is axis or other.fixed:
                continue
            for _ in range(TUNING.max_redraws):
                known = self.notebook.points[self.somewhere()][other.index]
                trial = changed(base, other.index, other.draw(self.rng) if self.rng.random() < 0.7 else known)
                moved = self.pair(axis, cut, trial)
                if moved is not None:
                    base, pair = trial, moved
                    break
        return pair

    def finest(self, cut: Cut) -> tuple[int, Point, Point] | None:
        """Two points on a line that takes as many values as can be where the constant of a cut may lie."""
        assert self.fitting.model is not None
        best, most = None, 1
        for _ in range(TUNING.max_lines):
            index = int(self.rng.choice(cut.feature.indices))
            axis, base = self.axes[index], self.notebook.points[self.beside_of(cut)]
            for other in set(cut.feature.indices) - {index}:
                base = changed(base, other, self.axes[other].draw(self.rng))
            ends = [replace(cut, constant=cut.low, strict=False), replace(cut, constant=cut.high, strict=True)]
            places = [place for one in ends if (place := self.crossing_near(axis, one, base)) is not None]
            if len(places) == 2 and max(places) + 1 - min(places) > most:
                low, high = (changed(base, index, axis.at(place)) for place in (min(places), max(places) + 1))
                if self.fitting.model.predict(low) != self.fitting.model.predict(high):
                    best, most = (index, low, high), max(places) + 1 - min(places)
        return best

    def beside_of(self, cut: Cut) -> int:
        """The number of a known point beside a boundary that the cut explains."""
        return self._end(self.notebook.brackets[cut.explained[int(self.rng.integers(len(cut.explained)))]])

    def _end(self, one: Bracket) -> int:
        return one.one if self.rng.random() < 0.5 else one.other

    def pair(self, axis: Axis, cut: Cut, base: Point) -> tuple[Point, Point] | None:
        """Neighbours on either side of a cut and of no other, if the model says that only one of them fails."""
        model = self.fitting.model
        assert model is not None
        found = self.crossing_near(axis, cut, base)
        if found is None:
            return None
        low, high = (changed(base, axis.index, axis.at(axis.step(found, by))) for by in (0, 1))
        if not (cut.feature.exact(low) and cut.feature.exact(high)):
            apart = axis.rounding
            ends = max(found - apart, axis.low), min(found + 1 + apart, axis.high)
            low, high = (changed(base, axis.index, axis.at(end)) for end in ends)
        if any(one.side(low) != one.side(high) for one in model.used if one is not cut):
            return None
        return (low, high) if model.predict(low) != model.predict(high) else None

    def novelty(self, cut: Cut, axis: Axis, point: Point) -> float:
        """How different a crossing is from those that were seen: elsewhere on its axis, and in other surroundings."""
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

    def crossing_near(self, axis: Axis, cut: Cut, base: Point) -> int | None:
        """A crossing of the cut somewhere along an axis."""
        positions = sorted({axis.position(v) for v in [*axis.corners, base[axis.index], *self.column(axis)] if v == v})
        sides = [cut.side(changed(base, axis.index, axis.at(position))) for position in positions]
        flips = [i for i in range(len(positions) - 1) if sides[i] * sides[i + 1] < 0]
        if not flips:
            return None
        at = flips[int(self.rng.integers(len(flips)))]
        return crossing(axis, cut, base, positions[at], positions[at + 1])

    def column(self, axis: Axis) -> list[Any]:
        """Some values of a field that were run."""
        points = self.notebook.points
        picks = self.rng.integers(len(points), size=min(6, len(points)))
        return [points[int(i)][axis.index] for i in picks]

    def context(self) -> Point:
        """A known point, best one beside a boundary, with some fields redrawn or taken from another known point."""
        points = self.notebook.points
        base = list(points[self.somewhere()])
        donor = points[self.somewhere()]
        free = [axis for axis in self.axes if not axis.fixed]
        count = min(len(free), 1 + int(self.rng.geometric(0.35)))
        for i in self.rng.permutation(len(free))[:count]:
            axis = free[int(i)]
            base[axis.index] = axis.draw(self.rng) if self.rng.random() < 0.7 else donor[axis.index]
        return tuple(base)

    def somewhere(self) -> int:
        """The number of a known point, best one beside a boundary."""
        brackets = self.notebook.brackets
        if brackets and self.rng.random() < 0.6:
            return self._end(brackets[int(self.rng.integers(len(brackets)))])
        return int(self.rng.integers(len(self.notebook.points)))

    def explore(self, count: int) -> list[Point]:
        """Points that promise a surprise: unseen cells, rivals that disagree, both verdicts in turn."""
        assert self.fitting.model is not None
        pool: list[tuple[float, Any, Point]] = []
        for _ in range(TUNING.pool):
            point = self.random_point()
            if self.notebook.seen(point):
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
        alike = [point for point in [self.alike()] if point is not None and not self.notebook.seen(point)]
        return [*alike, *found, *rest][:count]

    def alike(self) -> Point | None:
        """A point that just passes, with the same round number in all fields that do not matter there: does it fail
        for another reason, where two of them are equal or one has a certain value? One run asks all of them."""
        assert self.fitting.model is not None
        used = {index for cut in self.fitting.model.used for index in cut.feature.indices}
        free = [axis for axis in self.axes if axis.numeric and not axis.fixed and axis.index not in used]
        ends = {end for one in self.notebook.brackets if one.ordered for end in (one.one, one.other)}
        passing = sorted(end for end in ends if not self.notebook.labels[end])
        if not free or not passing:
            return None
        point = self.notebook.points[passing[int(self.rng.integers(len(passing)))]]
        number = next(self._round)
        for axis in free:
            point = changed(point, axis.index, axis.at(axis.near(number)))
        return point

    def random_point(self) -> Point:
        """A corner, anywhere, near what is known, or beside a cut."""
        kind = self.rng.random() if self.notebook.brackets else 0.2
        if kind < 0.08:
            corners = [axis.corners for axis in self.axes]
            return tuple(values[int(self.rng.integers(len(values)))] for values in corners)
        if kind < 0.4:
            return self.anywhere()
        base = self.context()
        if kind < 0.6 and self.fitting.model is not None and self.fitting.model.cuts:
            cut = self.fitting.model.cuts[int(self.rng.integers(len(self.fitting.model.cuts)))]
            axis = self.axes[int(self.rng.choice(cut.feature.indices))]
            found = self.crossing_near(axis, cut, base)
            if found is not None:
                by = int(self.rng.integers(-1, 3))
                beside = changed(base, axis.index, axis.at(found + by))
                return beside if cut.feature.exact(beside) else base
        return base

    def anywhere(self) -> Point:
        """A point from the whole space."""
        return tuple(axis.draw(self.rng) for axis in self.axes)
