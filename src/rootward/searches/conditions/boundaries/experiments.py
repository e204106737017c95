"""Experiments: what is run to learn one thing, as a generator of points.

Where along a field does it begin to fail? Which field makes the difference between two points? Is a boundary where a
cut puts it, in other surroundings, too? Each ends with brackets in the notebook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from rootward.search.border import Between, bisect
from rootward.search.isolate import Part, turning_point
from rootward.search.relay import relay, side_by_side
from rootward.searches.conditions.boundaries.axis import Axis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.fitting import Fitting
from rootward.searches.conditions.boundaries.observations import Experiment, ask, changed, differing, same, told
from rootward.searches.conditions.boundaries.openings import Openings
from rootward.searches.conditions.boundaries.places import Places
from rootward.searches.conditions.boundaries.sharpen import crossing, sharpen
from rootward.searches.conditions.boundaries.tuning import TUNING


class Experiments:
    """``confirmed`` and ``tried``: how often each cut was, by its identity."""

    def __init__(self, fitting: Fitting, places: Places, openings: Openings, rng: np.random.Generator) -> None:
        self.fitting, self.places, self.openings, self.rng = fitting, places, openings, rng
        self.notebook, self.axes = fitting.notebook, fitting.axes
        self.confirmed: Counter[Any] = Counter()
        self.tried: Counter[Any] = Counter()
        self.refined: set[tuple[int, int]] = set()
        self.recurred: set[int] = set()
        self.narrowed: set[Any] = set()

    def profile(self, base: Point, axis: Axis) -> Experiment[None]:
        """Where along one axis it begins or ceases to fail."""
        points = self.openings.landmarks(base, axis)
        fresh = [point for point in points if not self.notebook.seen(point)]
        if fresh:
            yield fresh
        yield from self.settle(base, axis, [base, *points])

    def settle(self, base: Point, axis: Axis, points: Sequence[Point]) -> Experiment[None]:
        """Brackets wherever the verdict changes between points that differ in one field."""
        judged = [point for point in points if self.notebook.label(point) is not None]
        if not axis.numeric:
            for point in judged:
                self.notebook.bracket(base, point, axis.index)
            return
        line = sorted((p for p in judged if p[axis.index] == p[axis.index]), key=lambda p: axis.position(p[axis.index]))
        flips = [(a, b) for a, b in pairwise(line) if self.notebook.label(a) != self.notebook.label(b)]
        hints = self.fitting.first_hints(axis) if self.fitting.model is None else self.fitting.hints()
        for one, other in flips:  # one after the other: a constant may come back with the other sign
            yield from sharpen(self.notebook, axis.index, one, other, hints)
        undefined = base[axis.index] != base[axis.index]
        for point in judged:
            if undefined or point[axis.index] != point[axis.index]:
                self.notebook.bracket(base, point, axis.index)

    def recur(self, base: Point, index: int) -> Experiment[None]:
        """Does what is so at one value of an integer come back? Then: with which period?"""
        self.recurred.add(index)
        yield from ask([p for p in self.openings.periods(base, self.axes[index]) if not self.notebook.seen(p)])
        for _ in range(TUNING.max_period_questions):
            patterns = self.fitting.patterns(index, TUNING.pattern_hint)
            moduli = [int(one.formula[4:]) for one in patterns if "%" in one.formula]
            fresh = [p for p in self.halving(base, index, moduli) if not self.notebook.seen(p)]
            if not fresh:
                return
            yield fresh[:1]

    def halving(self, base: Point, index: int, moduli: Sequence[int]) -> list[Point]:
        """An integer moved by distances that some of the moduli divide, best half of them."""
        axis = self.axes[index]
        divided = {by: sum(by % one == 0 for one in moduli) for by in range(1, max(moduli, default=0) + 1)}
        telling = [by for by, count in divided.items() if count and by <= self.openings.reach(base, axis)]
        return self.openings.moved(base, axis, sorted(telling, key=lambda by: (abs(2 * divided[by] - len(moduli)), by)))

    def lone(self) -> dict[int, Point]:
        """For each integer that was not asked about: a point at a value whose neighbours on both sides do otherwise."""
        points, labels = self.notebook.points, self.notebook.labels
        exact = [one for one in self.notebook.brackets if one.exact and one.low is not None and one.axis.periodic]
        begins = {(one.axis.index, one.high, labels[one.other]): points[one.other] for one in exact}
        ends = {(one.axis.index, one.low, labels[one.one]) for one in exact}
        return {place[0]: begins[place] for place in begins if place in ends and place[0] not in self.recurred}

    def walk(self, here: Point, there: Point) -> Experiment[None]:
        """From one point to another with the other verdict: a bracket on the way."""
        label = self.notebook.label(here)
        differing = [axis.index for axis in self.axes if not same(here[axis.index], there[axis.index])]
        self.rng.shuffle(differing)

        def turned(part: Part[int]) -> Experiment[bool | None]:
            found = yield from told(self.notebook, _moved(here, there, part.changes))
            return None if found is None else found != label

        if end := (yield from relay(turning_point(differing), turned)):
            beyond = there if end == len(differing) else _moved(here, there, differing[:end])
            nearer = _moved(here, there, differing[: end - 1])
            yield from sharpen(self.notebook, differing[end - 1], nearer, beyond, self.fitting.hints())

    def stride(self, here: Point, there: Point) -> Experiment[None]:
        """Halve the way between two points with different verdicts in all numbers at once."""
        label = self.notebook.label(here)

        def middle(here: Point, there: Point) -> list[Point]:
            point = here
            for axis in self.axes:
                ends = here[axis.index], there[axis.index]
                if axis.numeric and ends[0] != ends[1] and not any(end != end for end in ends):
                    low, high = sorted(map(axis.position, ends))
                    if not axis.adjacent(low, high):
                        point = changed(point, axis.index, axis.at(axis.middle(low, high)))
            return [] if self.notebook.seen(point) else [point]

        def alike(one: Between[Point]) -> Experiment[bool | None]:
            found = yield from told(self.notebook, one.place)
            return None if found is None else found == label

        yield from relay(bisect(here, there, middle, limit=TUNING.max_strides), alike)

    def approach(self, point: Point) -> Experiment[None]:
        """From the first point with the other verdict: as near to the failing one as can be, and profile it there."""
        label, base = self.notebook.label(point), self.notebook.points[0]
        for axis in self.axes:
            nearer = changed(point, axis.index, base[axis.index])
            if same(point[axis.index], base[axis.index]):
                continue
            if (yield from told(self.notebook, nearer)) == label:
                point = nearer
        apart = [axis for axis in self.axes if not same(point[axis.index], base[axis.index])]
        yield from side_by_side([self.profile(point, axis) for axis in apart])

    def confirm(self, cut: Cut) -> Experiment[None]:
        """Ask on both sides of a cut, somewhere new, where its rivals put the boundary elsewhere."""
        pair = self.places.somewhere_new(cut)
        self.tried[cut.identity] += 1
        if pair is None:
            return
        index, low, high = pair
        fresh = [point for point in (low, high) if not self.notebook.seen(point)]
        if fresh:
            yield fresh
        if self.notebook.label(low) == self.notebook.label(high):
            yield from self.shift(cut, index, low, high)
            return
        self.notebook.bracket(low, high, index)
        if self.fitting.model is not None and self.fitting.model.predict(low) == self.notebook.label(low):
            self.confirmed[cut.identity] += 1

    def shift(self, cut: Cut, index: int, low: Point, high: Point) -> Experiment[None]:
        """The boundary is not where the cut is: is it elsewhere in the interval in which its constant may lie?"""
        axis, label = self.axes[index], self.notebook.label(low)
        for constant in (cut.low, cut.high):
            other = replace(cut, constant=constant, strict=constant is cut.high)
            for end in (axis.low, axis.high):
                at = crossing(axis, other, low, *sorted((end, axis.position(low[index]))))
                if at is None:
                    continue
                far = changed(low, index, axis.at(at if end == axis.low else axis.step(at, 1)))
                if (yield from told(self.notebook, far)) not in (None, label):
                    yield from sharpen(self.notebook, index, low, far, self.fitting.hints())
                    return

    def narrow(self, cut: Cut) -> Experiment[None]:
        """Neighbours along a field may be far apart in what is compared: bisect where it takes the values between."""
        if cut.identity in self.narrowed or (found := self.places.finest(cut)) is None:
            return
        self.narrowed.add(cut.identity)
        index, low, high = found
        yield from ask([point for point in (low, high) if not self.notebook.seen(point)])
        if self.notebook.label(low) != self.notebook.label(high):
            yield from sharpen(self.notebook, index, low, high)

    def vague(self, cut: Cut) -> bool:
        """Whether no boundary that was looked at closely shows where the cut is."""
        brackets = [self.notebook.brackets[i] for i in cut.explained]
        return all(one.low is None or (one.weight < TUNING.seen_closely_bits and not one.exact) for one in brackets)

    def refine(self, cut: Cut) -> Experiment[None]:
        """Walk between the two most similar points on either side of a cut that have different verdicts."""
        sides = [cut.side(point) for point in self.notebook.points]
        fails, passes = (
            [i for i, label in enumerate(self.notebook.labels) if label is wanted and sides[i]]
            for wanted in (True, False)
        )
        pairs = [(i, j) for i in fails for j in passes if sides[i] != sides[j] and (i, j) not in self.refined]
        if pairs:
            points = self.notebook.points
            model = self.fitting.refit()
            cells = [model.cell(point) for point in points]
            one, other = min(
                pairs,
                key=lambda pair: (
                    differing(cells[pair[0]], cells[pair[1]]),
                    differing(points[pair[0]], points[pair[1]]),
                ),
            )
            self.refined.add((one, other))
            self.tried[cut.identity] += 1
            if self.tried[cut.identity] == 1:
                yield from self.walk(points[one], points[other])
            else:
                yield from self.stride(points[one], points[other])


def _moved(here: Point, there: Point, fields: Sequence[int]) -> Point:
    """The one point with some values of the other."""
    for index in fields:
        here = changed(here, index, there[index])
    return here
