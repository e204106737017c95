"""Openings: points around a failing one that are always worth a run, before there is a model.

What it believes: code tends to behave differently at certain places: at the ends of a field and at zero, where two
numbers are equal or change together, at numbers made from the current value (negated, halved, one more), and beyond the
last known boundary. Integers may also depend on a remainder, so they are moved by distances that many moduli divide.

What it asks: each method lists such points; ``Strategy.open`` (strategy.py) runs them, the most informative first. The
lists are short and limited by the tuning, so the opening always ends; with many fields, only the most informative
points are listed. Nothing is random: the same failing point gives the same questions.

To add an opening, write a method that returns points, and run them in ``Strategy.open``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.observations import Observations, change_value
from rootward.searches.conditions.boundaries.rule_model import list_alike_pairs, shared_values
from rootward.searches.conditions.boundaries.simplicity import price
from rootward.searches.conditions.boundaries.tuning import TUNING


class Openings:
    """Lists opening points, deterministically."""

    def __init__(self, notebook: Observations, numeric: Sequence[int]) -> None:
        self.notebook, self.axes, self.numeric = notebook, notebook.axes, numeric

    def landmarks(self, base: Point, axis: FieldAxis) -> list[Point]:
        """Return variations of ``base`` in the field of ``axis``: its ends, 0, 1, and numbers made from its value.

        If there are only a few other number fields, their values are used, too. For a short axis, or a field that is
        not a number, the values are the ``corners`` of the axis instead.
        """
        own = base[axis.index]
        if not axis.numeric or axis.high - axis.low < TUNING.short_axis:
            texts = [value for value in base if isinstance(value, str)] if axis.texts is not None else []
            values = [*axis.corners, *texts]
        else:
            values = [axis.at(axis.low), axis.at(axis.high), *([math.nan] if axis.has_nan else [])]
            numbers: list[Any] = [0, 1]
            if own == own and math.isfinite(own):
                numbers += [-own, own / 2, *([own + 1, own - 1] if axis.whole else [2 * own])]
            others = [base[i] for i in self.numeric if i != axis.index]
            numbers += [value for value in others if value == value] if len(others) < 4 else []
            values += [axis.at(axis.nearest(number)) for number in numbers]
        return list({repr(value): change_value(base, axis.index, value) for value in values}.values())

    def corners(self, base: Point) -> list[Point]:
        """Return points with all numbers negated, at their minimum, at their maximum, and at zero."""
        found = []
        for change in (
            lambda axis, v: -v,
            lambda axis, v: axis.at(axis.low),
            lambda axis, v: axis.at(axis.high),
            lambda axis, v: 0,
        ):
            point = list(base)
            for axis in self.axes:
                if axis.numeric and not axis.is_fixed and base[axis.index] == base[axis.index]:
                    point[axis.index] = axis.at(axis.nearest(change(axis, base[axis.index])))
            found.append(tuple(point))
        return list({repr(point): point for point in found}.values())

    def list_beside_boundaries(self) -> list[Point]:
        """Return variations of passing points beside a boundary.

        In each, another field is at one of its ends, or two numbers are equal. If a variation fails, there is another
        reason to fail.
        """
        mattered = {one.axis.index for one in self.notebook.brackets}
        found: dict[Any, Point] = {}
        bases: dict[Any, Point] = {}
        for one in self.notebook.brackets:
            point = self.notebook.points[one.other if self.notebook.labels[one.one] else one.one]
            if point[one.axis.index] == point[one.axis.index]:  # where a field is NaN, other fields hardly matter
                bases.setdefault((one.axis.index, repr(point[one.axis.index])[:1]), point)
        for (index, _), point in list(bases.items())[:12]:
            for axis in self.axes:
                known = len(self.axes) > TUNING.max_fields_thoroughly and axis.index in mattered
                if axis.index == index or axis.is_fixed or known:
                    continue
                ends = [axis.at(axis.low), axis.at(axis.high)] if axis.numeric else axis.corners[:4]
                for value in ends:
                    made = change_value(point, axis.index, value)
                    found[repr(made)] = made
        return list(found.values())[: TUNING.max_end_points] + self.equalise_pairs(list(bases.values())[:2])

    def equalise_pairs(self, bases: Sequence[Point]) -> list[Point]:
        """Return variations of the passing points ``bases``. In each, two numbers are made equal."""
        found = []
        for point in bases:
            for i, j in combinations(self.numeric[:4], 2):
                if math.isfinite(point[j]):
                    found.append(change_value(point, i, self.axes[i].at(self.axes[i].nearest(point[j]))))
        return found

    def equalise_choices(self, base: Point) -> list[Point]:
        """Return variations of ``base`` in which two alike fields that mattered have the same value, and others."""
        mattered = {one.axis.index for one in self.notebook.brackets}
        found = []
        for one, other in list_alike_pairs(self.axes):
            if not {one.index, other.index} <= mattered:
                continue
            shared = shared_values(one, other)[: TUNING.max_equal_choices]
            for value, next_value in zip(shared, [*shared[1:], shared[0]], strict=True):
                moved = change_value(base, one.index, value)
                found += [change_value(moved, other.index, same) for same in (value, next_value)]
        return found

    def diagonals(self, base: Point) -> list[Point]:
        """Return points with two fields moved by the same distance, in the same and in opposite directions."""
        mattered = sorted({one.axis.index for one in self.notebook.brackets if one.axis.numeric})
        found = {}
        for i, j in combinations(mattered[:4], 2):
            for shift in (100, -7) if len(self.axes) <= TUNING.max_fields_thoroughly else (100,):
                for sign in (1, -1) if len(self.axes) <= TUNING.max_fields_thoroughly else (1,):
                    made = self.shift_number(self.shift_number(base, i, shift), j, sign * shift)
                    found[repr(made)] = made
        return list(found.values())

    def find_isolated_fields(self, base: Point) -> list[int]:
        """Return the integer fields whose value in ``base`` has a direct neighbour that passes."""
        found = []
        for axis in (axis for axis in self.axes if axis.is_periodic):
            beside = [self.notebook.label(self.shift_number(base, axis.index, by)) for by in (1, -1)]
            found += [axis.index] if False in beside else []
        return found

    def periods(self, base: Point, axis: FieldAxis) -> list[Point]:
        """Return variations of ``base`` in an integer field, moved by distances that reveal any of the moduli."""
        return self.move_integer(base, axis, choose_distances(min(self.reach(base, axis), TUNING.max_shift)))

    def move_integer(self, base: Point, axis: FieldAxis, distances: Sequence[int]) -> list[Point]:
        """Return variations of ``base`` in an integer field, one for each distance.

        The value is moved up if the axis allows it, otherwise down.
        """
        up = axis.high - base[axis.index]
        return [self.shift_number(base, axis.index, by if by <= up else -by) for by in distances]

    def reach(self, base: Point, axis: FieldAxis) -> int:
        """Return the largest distance by which an integer can be moved, up or down."""
        return int(max(axis.high - base[axis.index], base[axis.index] - axis.low))

    def list_beyond_boundaries(self, base: Point) -> list[Point]:
        """Return variations of ``base`` with a number beyond its lowest or highest boundary, farther from zero."""
        found = []
        for index in self.numeric if len(self.axes) <= TUNING.max_fields_thoroughly else ():
            axis = self.axes[index]
            ends = [
                end
                for one in self.notebook.brackets
                if one.axis is axis and one.low is not None
                for end in (one.low, one.high)
            ]
            sizes = [end for end in ends if math.isfinite(end) and end]
            for end in {max(sizes), min(sizes)} if sizes else ():
                found += [change_value(base, index, axis.at(axis.nearest(end * factor))) for factor in (1.4, 2.7, 7)]
        return found

    def shift_number(self, point: Point, index: int, by: float) -> Point:
        """Return the point with one number moved by a distance, at most to the end of its axis."""
        axis, value = self.axes[index], point[index]
        return change_value(point, index, axis.at(axis.nearest(value + by))) if math.isfinite(value) else point


@lru_cache(maxsize=256)
def choose_distances(reach: int) -> tuple[int, ...]:
    """Return a few distances up to ``reach``. Together they are multiples of the most plausible moduli."""
    beliefs = {modulus: 2.0 ** -price(modulus) for modulus in range(2, reach + 1)}
    found: list[int] = []
    while beliefs and len(found) < TUNING.max_shifts:
        worth = [0.0] * (reach + 1)
        for modulus, belief in beliefs.items():
            for by in range(modulus, reach + 1, modulus):
                worth[by] += belief
        best = max(range(1, reach + 1), key=worth.__getitem__)
        found.append(best)
        beliefs = {modulus: belief for modulus, belief in beliefs.items() if best % modulus}
    return tuple(found)
