"""The model: what the search believes about the subject after the runs so far. It predicts a verdict for every point.

fitting.py makes a new model when there are new runs. A model has three layers:

- *Cuts* (cut.py) that explain all brackets between ordered values.
- *Literals*: a point is, or is not, below a cut; or it is, or is not, above the cut. For NaN and fields without an
  order: a field is, or is not, equal to a value that was run.
- *Logics* (logic.py): the shortest combinations of literals that agree with all runs. The best one predicts. The others
  are rivals: where they disagree with it (``doubt``), a run tells most.

If no literal separates two runs with different verdicts, they are a *conflict*. It becomes new evidence for the next
fit, or the next question. Runs whose verdict depends on rounding alone are ignored when the logic is learnt.

To let rules say something new about a single field, yield further literals in ``_value_literals``, and word them in
wording.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.logic import LiteralColumn, Logic, can_negate, learn
from rootward.searches.conditions.boundaries.observations import Observations
from rootward.space.keys import canonical


class RuleModel:
    """A prediction for every point, made from cuts and a logical formula over them."""

    def __init__(
        self,
        axes: Sequence[FieldAxis],
        notebook: Observations,
        chosen: Sequence[Cut],
        rng: np.random.Generator,
    ) -> None:
        self.axes, self.cuts = axes, list(chosen)
        points, labels, brackets = notebook.points, notebook.labels, notebook.brackets
        self.literals = [*self._cut_literals(points), *self._value_literals(points, brackets)]
        clear = [not self.is_blurred(point) for point in points]
        fails = sum(1 << i for i, label in enumerate(labels) if label and clear[i])
        passes = sum(1 << i for i, label in enumerate(labels) if not label and clear[i])
        self.logics = learn(self.literals, fails, passes, rng)
        self.best = next((one for one in self.logics if one.positive or can_negate(one)), self.logics[0])

    def _cut_literals(self, points: Sequence[Point]) -> Iterable[LiteralColumn]:
        for number, cut in enumerate(self.cuts):
            values = cut.feature.values(points)
            below = sum(1 << i for i, value in enumerate(values) if cut.below(value))
            above = sum(1 << i for i, value in enumerate(values) if cut.above(value))
            every = (1 << len(points)) - 1
            cost = 3.0
            yield LiteralColumn(below, cost, (number, -1, True), partial(_is_on_side, cut, -1, True))
            yield LiteralColumn(above, cost, (number, 1, True), partial(_is_on_side, cut, 1, True))
            if below | above != every:
                yield LiteralColumn(
                    every & ~below, cost + 0.5, (number, -1, False), partial(_is_on_side, cut, -1, False)
                )
                yield LiteralColumn(every & ~above, cost + 0.5, (number, 1, False), partial(_is_on_side, cut, 1, False))

    def _value_literals(self, points: Sequence[Point], brackets: Sequence[Bracket]) -> Iterable[LiteralColumn]:
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
                equal = partial(_has_value, index, name, True), partial(_has_value, index, name, False)
                yield LiteralColumn(column[name], 3.0, (index, value, "="), equal[0])
                if not isinstance(value, bool):
                    yield LiteralColumn(every & ~column[name], 3.5, (index, value, "!="), equal[1])

    def is_blurred(self, point: Point) -> bool:
        """Return True if rounding decides on which side of some cut a point lies. Such points are ignored."""
        return any(cut.is_blurred(point) for cut in self.cuts)

    @cached_property
    def used_cuts(self) -> list[Cut]:
        """The cuts that the best logic uses."""
        meant = [self.literals[i].meaning for term in self.best.terms for i in term]
        return [self.cuts[number] for number in sorted({m[0] for m in meant if not isinstance(m[2], str)})]

    @property
    def conflicts(self) -> set[tuple[int, int]]:
        """Pairs of runs with different verdicts that no literal separates."""
        return {pair for logic in self.logics for pair in logic.conflicts}

    def predict(self, point: Point, logic: Logic | None = None) -> bool:
        logic = logic or self.best
        literals = self.literals
        held = any(all(literals[i].holds(point) for i in term) for term in logic.terms)
        return held == logic.positive

    def cell(self, point: Point) -> tuple[Any, ...]:
        """Return the cell of a point: its side of every cut, and its values of fields without an order."""
        sides = [cut.side(point) for cut in self.cuts]
        return *sides, *(canonical(point[axis.index]) for axis in self.axes if not axis.numeric)

    def spot(self, point: Point) -> tuple[Any, ...]:
        """Return the cell of a point together with the cuts on which the point lies exactly.

        Code often treats equality separately.
        """
        return *self.cell(point), *(i for i, cut in enumerate(self.cuts) if cut.touches(point))

    def doubt(self, point: Point) -> float:
        """Return the share of the rival logics that contradict the model's prediction for this point."""
        rivals = self.logics[1:5]
        expected = self.predict(point)
        return sum(self.predict(point, one) != expected for one in rivals) / max(len(rivals), 1)


def _is_on_side(cut: Cut, side: int, wanted: bool, point: Point) -> bool:
    value = cut.feature.value(point)
    return (cut.below(value) if side < 0 else cut.above(value)) == wanted


def _has_value(index: int, name: bytes, wanted: bool, point: Point) -> bool:
    return (canonical(point[index]) == name) == wanted
