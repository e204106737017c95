"""The notebook: every point that was run, its verdict, and the brackets found so far.

A point is a tuple of values, in the order of the fields that may change. An experiment is a generator: it yields
points, is sent their labels (True: failed, False: passed, None: could not be judged), and returns its result. So
several experiments can run side by side, with one question of each in every round.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from copy import copy
from typing import Any, TypeVar

from rootward.rules.quantity import Quantity
from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis, bracket, identity
from rootward.searches.conditions.boundaries.derived_fields import DerivedField
from rootward.searches.conditions.boundaries.feature import Feature, Point
from rootward.space.space import Space

T = TypeVar("T")
Labels = Sequence[bool | None]
Experiment = Generator[Sequence[Point], Labels, T]


class RepeatedPoints(tuple[Point, ...]):
    """Known points to run again, to see whether they get the same verdict."""

    __slots__ = ()


class Observations:
    """All runs so far. ``origin`` holds the values of the fields that do not change."""

    def __init__(
        self, space: Space, names: Sequence[str], origin: Mapping[str, Any], derived: Sequence[Quantity] = ()
    ) -> None:
        self.axes = [FieldAxis(i, name, space[name]) for i, name in enumerate(names)]
        self.names, self._origin = list(names), dict(origin)
        changing = [one for one in derived if set(one.fields) & set(names)]
        self.derived = [DerivedField(one, self.axes, origin) for one in changing]
        self.points: list[Point] = []
        self.labels: list[bool] = []
        self.brackets: list[Bracket] = []
        self.unjudged = 0
        self._numbers: dict[bytes, int | None] = {}
        self._pairs: set[tuple[int, int]] = set()

    def configuration(self, point: Point) -> dict[str, Any]:
        return {**self._origin, **dict(zip(self.names, point, strict=True))}

    def number(self, point: Point) -> int | None:
        """Return the number of a point, or None if it was not run or could not be judged."""
        return self._numbers.get(identity(point))

    def is_seen(self, point: Point) -> bool:
        return identity(point) in self._numbers

    def label(self, point: Point) -> bool | None:
        number = self.number(point)
        return None if number is None else self.labels[number]

    def add(self, point: Point, label: bool | None) -> None:
        name = identity(point)
        if name in self._numbers:
            return
        if label is None:
            self._numbers[name] = None
            self.unjudged += 1
            return
        self._numbers[name] = len(self.points)
        self.points.append(point)
        self.labels.append(label)

    def lines(self, index: int) -> dict[bytes, list[Point]]:
        """Return the groups of points that differ only in the field ``index``.

        The key of a group identifies the values of all other fields.
        """
        found: dict[bytes, list[Point]] = {}
        for point in self.points:
            found.setdefault(identity(change_value(point, index, None)), []).append(point)
        return found

    def values_along(self, point: Point, index: int) -> list[Any]:
        """Return the values of the field ``index`` that were judged with all other fields as in ``point``."""
        return [known[index] for known in self.lines(index).get(identity(change_value(point, index, None)), [])]

    def copy(self) -> Observations:
        """Return an independent copy."""
        made = copy(self)
        made.points, made.labels, made.brackets = [*self.points], [*self.labels], [*self.brackets]
        made._numbers, made._pairs = {**self._numbers}, {*self._pairs}
        return made

    def bracket(self, one: Point, other: Point, index: int) -> Bracket | None:
        """Add and return the bracket between two points that differ only in the field ``index``.

        Return None if the bracket is known already, if the verdicts are the same, or if a point was not judged.
        """
        a, b = self.number(one), self.number(other)
        if a is None or b is None or self.labels[a] == self.labels[b] or (a, b) in self._pairs:
            return None
        self._pairs |= {(a, b), (b, a)}
        made = bracket(self.axes[index], self.points, a, b)
        self.brackets.append(made)
        return made

    def is_sharp(self, number: int, feature: Feature) -> bool:
        """Return True if a bracket is as narrow as the boundary of a feature can be seen: rounding may blur it."""
        one = self.brackets[number]
        if one.exact or one.low is None:
            return one.exact
        steps = one.axis.position(one.high) - one.axis.position(one.low)
        return steps <= 2 * one.axis.rounding + 1 and not feature.exact(self.points[one.one])

    def separate(self, one: int, other: int) -> bool:
        """Add a bracket between two points with different verdicts. The points may differ in several fields.

        Return False if the pair is known already. Also return False if several fields differ and none of them is
        ordered, because such a pair says nothing.
        """
        apart = [a for a in self.axes if not is_same(self.points[one][a.index], self.points[other][a.index])]
        ordered = [a for a in apart if a.numeric]
        if (one, other) in self._pairs or not (ordered or len(apart) == 1):
            return False
        self._pairs |= {(one, other), (other, one)}
        if len(apart) == 1:
            self.brackets.append(bracket(apart[0], self.points, one, other))
        else:
            self.brackets.append(Bracket(ordered[0], one, other, True, 3.0, False))
        return True


def change_value(point: Point, index: int, value: Any) -> Point:
    """Return the point with another value of one field."""
    return *point[:index], value, *point[index + 1 :]


def is_same(one: Any, other: Any) -> bool:
    """Return True if two values are equal; NaN is equal to itself."""
    return bool(one == other) or (one != one and other != other)


def count_differences(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return the number of values in which two points differ."""
    return sum(not is_same(a, b) for a, b in zip(one, other, strict=True))


def ask(points: Sequence[Point]) -> Experiment[None]:
    """Run these points: an experiment that returns nothing."""
    if points:
        yield points


def find_label(notebook: Observations, point: Point) -> Experiment[bool | None]:
    """Return the label of a point, and run it first if it is not known."""
    if not notebook.is_seen(point):
        yield [point]
    return notebook.label(point)
