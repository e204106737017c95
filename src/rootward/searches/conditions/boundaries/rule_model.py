"""The model: what is believed of the subject after the runs so far, as something that predicts.

It is made from the notebook each time something surprising was seen: cuts that explain all brackets, literals from
cuts and from values, the shortest logic over them, and a few rival logics, which say where it is least sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Axis, Bracket
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.logic import Literal, Logic, learn, turns
from rootward.searches.conditions.boundaries.observations import Notebook
from rootward.space.keys import canonical


class Model:
    """Predicts a verdict for every point."""

    def __init__(
        self,
        axes: Sequence[Axis],
        notebook: Notebook,
        chosen: Sequence[Cut],
        rng: np.random.Generator,
    ) -> None:
        self.axes, self.cuts = axes, list(chosen)
        points, labels, brackets = notebook.points, notebook.labels, notebook.brackets
        self.literals = [*self._of_cuts(points), *self._of_values(points, brackets)]
        clear = [not self.blurred(point) for point in points]
        fails = sum(1 << i for i, label in enumerate(labels) if label and clear[i])
        passes = sum(1 << i for i, label in enumerate(labels) if not label and clear[i])
        self.logics = learn(self.literals, fails, passes, rng)
        self.best = next((one for one in self.logics if one.positive or turns(one)), self.logics[0])

    def _of_cuts(self, points: Sequence[Point]) -> Iterable[Literal]:
        for number, cut in enumerate(self.cuts):
            values = cut.feature.values(points)
            below = sum(1 << i for i, value in enumerate(values) if cut.below(value))
            above = sum(1 << i for i, value in enumerate(values) if cut.above(value))
            every = (1 << len(points)) - 1
            cost = 3.0
            yield Literal(below, cost, (number, -1, True), partial(_on, cut, -1, True))
            yield Literal(above, cost, (number, 1, True), partial(_on, cut, 1, True))
            if below | above != every:
                yield Literal(every & ~below, cost + 0.5, (number, -1, False), partial(_on, cut, -1, False))
                yield Literal(every & ~above, cost + 0.5, (number, 1, False), partial(_on, cut, 1, False))

    def _of_values(self, points: Sequence[Point], brackets: Sequence[Bracket]) -> Iterable[Literal]:
        every = (1 << len(points)) - 1
        mattered = {one.axis.index for one in brackets if not one.ordered}
        for axis in self.axes:
            index = axis.index
            if index not in mattered and not (axis.has_nan and any(point[index] != point[index] for point in points)):
                continue
            column: dict[bytes, int] = {}
            values: dict[bytes, Any] = {}
            for i, point in enumerate(points):
                name = canonical(point[index])
                column[name] = column.get(name, 0) | 1 << i
                values[name] = point[index]
            for name, value in values.items():
                if axis.numeric and value == value:
                    continue
                equal = partial(_is, index, name, True), partial(_is, index, name, False)
                yield Literal(column[name], 3.0, (index, value, "="), equal[0])
                if not isinstance(value, bool):
                    yield Literal(every & ~column[name], 3.5, (index, value, "!="), equal[1])

    def blurred(self, point: Point) -> bool:
        """Whether the verdict of a point is a matter of rounding, which nobody asks about."""
        return any(cut.blurred(point) for cut in self.cuts)

    @cached_property
    def used(self) -> list[Cut]:
        """The cuts that the best logic needs."""
        meant = [self.literals[i].meaning for term in self.best.terms for i in term]
        return [self.cuts[number] for number in sorted({m[0] for m in meant if not isinstance(m[2], str)})]

    @property
    def conflicts(self) -> set[tuple[int, int]]:
        """Runs with different verdicts that nothing tells apart."""
        return {pair for logic in self.logics for pair in logic.conflicts}

    def predict(self, point: Point, logic: Logic | None = None) -> bool:
        logic = logic or self.best
        literals = self.literals
        held = any(all(literals[i].holds(point) for i in term) for term in logic.terms)
        return held == logic.positive

    def cell(self, point: Point) -> tuple[Any, ...]:
        """On which side of every cut a point lies, and its values without order."""
        sides = [cut.side(point) for cut in self.cuts]
        return *sides, *(canonical(point[axis.index]) for axis in self.axes if not axis.numeric)

    def spot(self, point: Point) -> tuple[Any, ...]:
        """The cell, and the cuts that a point lies on: code often treats equality in a way of its own."""
        return *self.cell(point), *(i for i, cut in enumerate(self.cuts) if cut.touched(point))

    def doubt(self, point: Point) -> float:
        """The share of rival logics that predict otherwise."""
        rivals = self.logics[1:5]
        expected = self.predict(point)
        return sum(self.predict(point, one) != expected for one in rivals) / max(len(rivals), 1)


def _on(cut: Cut, side: int, wanted: bool, point: Point) -> bool:
    value = cut.feature.value(point)
    return (cut.below(value) if side < 0 else cut.above(value)) == wanted


def _is(index: int, name: bytes, wanted: bool, point: Point) -> bool:
    return (canonical(point[index]) == name) == wanted
