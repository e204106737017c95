"""Places: where in the space a run would tell most.

Near what is known, so that an answer can be explained, and yet as different from it as the model allows: other
surroundings, cells that nobody has seen, points about which rivals disagree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Axis
from rootward.searches.conditions.boundaries.bracket import Bracket
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.notebook import changed
from rootward.searches.conditions.boundaries.sharpen import crossing

POOL = 100
"""So many random points compete for the next runs."""
ATTEMPTS = 5
"""So many surroundings of a crossing are compared."""
REDRAWS = 3
"""So many other values are tried for a field before it stays as it is."""


class Places:
    """Draws points; what is likely depends on the notebook and on its model."""

    def __init__(self, fitting: Fitting, rng: np.random.Generator) -> None:
        self.fitting, self.rng = fitting, rng
        self.notebook, self.axes = fitting.notebook, fitting.axes

    def somewhere_new(self, cut: Cut) -> tuple[int, Point, Point] | None:
        """Two neighbours on either side of a cut, in surroundings as new as the model allows."""
        best, most = None, -1.0
        for attempt in range(ATTEMPTS):
            index = int(self.rng.choice(cut.feature.indices))
            axis = self.axes[index]
            base = self.notebook.points[self.beside_of(cut) if attempt else self.somewhere()]
            pair = self.pair(axis, cut, base)
            for i in self.rng.permutation(len(self.axes)):
                other = self.axes[int(i)]
                if other is axis or other.fixed:
                    continue
                for _ in range(REDRAWS):
                    value = (
                        other.draw(self.rng)
                        if self.rng.random() < 0.7
                        else self.notebook.points[self.somewhere()][other.index]
                    )
                    trial = changed(base, other.index, value)
                    moved = self.pair(axis, cut, trial)
                    if moved is not None:
                        base, pair = trial, moved
                        break
            if pair is None or (self.notebook.seen(pair[0]) and self.notebook.seen(pair[1])):
                continue
            against = sum(
                2.0 ** ((rival.gain - cut.gain) / 4)
                for rival in cut.rivals
                if rival.side(pair[0]) == rival.side(pair[1])
            )
            worth = against + self.novelty(cut, index, axis.position(pair[0][index]), base)
            if worth > most:
                best, most = (index, *pair), worth
        return best

    def beside_of(self, cut: Cut) -> int:
        """The number of a known point beside a boundary that the cut explains."""
        return self._end(self.notebook.brackets[cut.explained[int(self.rng.integers(len(cut.explained)))]])

    def _end(self, one: Bracket) -> int:
        return one.one if self.rng.random() < 0.5 else one.other

    def pair(self, axis: Axis, cut: Cut, base: Point) -> tuple[Point, Point] | None:
        """Neighbours on either side of a cut along an axis, if the model says that only one of them fails."""
        assert self.fitting.model is not None
        found = self.crossing_near(axis, cut, base)
        if found is None:
            return None
        low = changed(base, axis.index, axis.at(found))
        high = changed(base, axis.index, axis.at(axis.step(found, 1)))
        return (low, high) if self.fitting.model.predict(low) != self.fitting.model.predict(high) else None

    def novelty(self, cut: Cut, index: int, position: int, base: Point) -> float:
        """How different a crossing is from those that were seen: elsewhere on its axis, and in other surroundings."""
        axis = self.axes[index]
        seen = [
            self.notebook.points[self.notebook.brackets[i].one]
            for i in cut.explained
            if self.notebook.brackets[i].axis is axis
        ]
        if not seen:
            return 1.0
        found = 0.0
        if len(cut.feature.indices) > 1:
            here = axis.place(position)
            found += 2 * min(
                [1.0, *(abs(axis.place(axis.position(p[index])) - here) / 3 for p in seen if p[index] == p[index])]
            )
        for other in self.axes:
            if other.numeric and other is not axis and base[other.index] == base[other.index]:
                here = other.place(other.position(base[other.index]))
                places = [other.place(other.position(p[other.index])) for p in seen if p[other.index] == p[other.index]]
                found += min([1.0, *(abs(place - here) / 4 for place in places)]) / len(self.axes)
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
        for _ in range(POOL):
            point = self.random_point()
            if self.notebook.seen(point):
                continue
            cell = self.fitting.model.cell(point)
            worth = (
                1.0 / (1 + self.fitting.cells[cell]) + self.fitting.model.doubt(point) + 0.2 * float(self.rng.random())
            )
            worth += 0.4 * self.fitting.model.predict(point)
            pool.append((worth, cell, point))
        pool.sort(key=lambda one: -one[0])
        found, cells = [], set()
        for _, cell, point in pool:
            if cell not in cells:
                cells.add(cell)
                found.append(point)
            if len(found) == count:
                break
        rest = [point for _, _, point in pool if point not in found]
        return [*found, *rest][:count]

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
                return changed(base, axis.index, axis.at(found + by))
        return base

    def anywhere(self) -> Point:
        """A point from the whole space."""
        return tuple(axis.draw(self.rng) for axis in self.axes)
