"""The model: what the search believes about the subject after the runs so far. It predicts a verdict for every point.

fitting.py makes a new model when there are new runs. A model has three layers:

- *Cuts* (cut.py) that explain all brackets between ordered values.
- *Literals*: a point is, or is not, below a cut; or it is, or is not, above the cut. For NaN and fields without an
  order: a field is, or is not, equal to a value that was run, or to another field. An integer field of which all values
  were run is, or is not, in a list of values. For texts, also everything else that texts.py can say.
- *Logics* (logic.py): the shortest combinations of literals that agree with all runs. The best one predicts. The others
  are rivals: where they disagree with it (``doubt``), a run tells most.

If no literal separates two runs with different verdicts, they are a *conflict*. It becomes new evidence for the next
fit, or the next question. Runs whose verdict depends on rounding alone are ignored when the logic is learnt.

To let rules say something new about a single field, yield further literals in ``_value_literals``, and word them in
wording.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial, reduce
from itertools import combinations
from operator import and_, or_
from typing import Any

import numpy as np

from rootward.rules.quantity import Quantity, fields_of
from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.logic import LiteralColumn, Logic, Terms, can_negate, learn
from rootward.searches.conditions.boundaries.observations import Observations
from rootward.searches.conditions.boundaries.texts import TEXT_TUNING
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.space.keys import canonical
from rootward.space.space import Bool

MAX_RIVALS = 5
"""Maximum number of logics that are compared, including the best one."""


class RuleModel:
    """A prediction for every point, made from cuts and a logical formula over them."""

    def __init__(
        self,
        axes: Sequence[FieldAxis],
        notebook: Observations,
        chosen: Sequence[Cut],
        rng: np.random.Generator,
        sets: Sequence[tuple[int, frozenset[int]]] = (),
    ) -> None:
        """Create the model. ``sets`` are lists of values that may decide, each with the index of its field."""
        self.axes, self.cuts = axes, list(chosen)
        points, labels, brackets = notebook.points, notebook.labels, notebook.brackets
        mattered = {one.axis.index for one in brackets if not one.ordered}
        self.text_literals = {
            axis.index: axis.texts.literals(points, labels, brackets)
            for axis in axes
            if axis.texts is not None and axis.index in mattered
        }
        self.literals = [
            *self._cut_literals(points),
            *self._value_literals(points, mattered),
            *self._equality_literals(points, mattered),
            *self._set_literals(points, sets),
            *(literal for one in notebook.derived for literal in one.literals(points, brackets)),
            *(literal for some in self.text_literals.values() for literal in _keep_cheapest(some)),
        ]
        clear = [not self.is_blurred(point) for point in points]
        fails = sum(1 << i for i, label in enumerate(labels) if label and clear[i])
        passes = sum(1 << i for i, label in enumerate(labels) if not label and clear[i])
        self.logics = self._merge_text_literals(learn(self.literals, fails, passes, rng), fails, passes)
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

    def _value_literals(self, points: Sequence[Point], mattered: set[int]) -> Iterable[LiteralColumn]:
        every = (1 << len(points)) - 1
        for axis in self.axes:
            index = axis.index
            if axis.texts is not None:
                continue
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

    def _set_literals(
        self, points: Sequence[Point], sets: Sequence[tuple[int, frozenset[int]]]
    ) -> Iterable[LiteralColumn]:
        """Yield, for each list of values of a field, that its value is in the list and that it is not."""
        every = (1 << len(points)) - 1
        for index, values in sets:
            column = sum(1 << i for i, point in enumerate(points) if point[index] in values)
            cost = 3.0 + _price_set(self.axes[index], values) / TUNING.bits_per_listed
            for held, wanted, op in ((column, True, "in"), (every & ~column, False, "not in")):
                yield LiteralColumn(held, cost, (index, values, op), partial(_is_listed, index, values, wanted))

    def _equality_literals(self, points: Sequence[Point], mattered: set[int]) -> Iterable[LiteralColumn]:
        """Yield, for each pair of alike fields of which one mattered, that their values are equal."""
        every = (1 << len(points)) - 1
        for one, other in list_alike_pairs(self.axes):
            if not {one.index, other.index} & mattered:
                continue
            column = sum(1 << i for i, point in enumerate(points) if _are_equal(one.index, other.index, True, point))
            quantity = Quantity("same", one.name, other.name)
            for held, wanted, cost, op in ((column, True, 4.0, "="), (every & ~column, False, 4.5, "!=")):
                if held not in (0, every):
                    yield LiteralColumn(
                        held, cost, (quantity, True, op), partial(_are_equal, one.index, other.index, wanted)
                    )

    def text_axis(self, literal: LiteralColumn) -> FieldAxis | None:
        """Return the axis of a literal about a text; None if the literal is about something else."""
        first = literal.meaning[0]
        if not isinstance(first, str) or (isinstance(first, Quantity) and (first.op == "same" or first.is_derived)):
            return None
        return next(axis for axis in self.axes if (axis.name,) == fields_of(first))

    def _merge_text_literals(self, logics: list[Logic], fails: int, passes: int) -> list[Logic]:
        """Say with one literal what a logic says with several about the same text, if that is cheaper.

        A term grows literal by literal, so it may say ``contains ".tmp"`` and ``ends with "p"`` instead of ``ends with
        ".tmp"``.
        """
        if not self.text_literals:
            return logics
        found = []
        for logic in logics[:MAX_RIVALS]:
            target, other = (fails, passes) if logic.positive else (passes, fails)
            merged = self._merge_terms(logic.terms, target, other)
            found.append(replace(logic, terms=merged, price=self._price(merged) + (not logic.positive)))
        unique = {(one.terms, one.positive): one for one in found}
        return sorted(unique.values(), key=lambda one: (len(one.conflicts), one.price, not one.positive, one.terms))

    def _merge_terms(self, terms: Terms, target: int, other: int) -> Terms:
        """Return terms with one literal about a text instead of several, as long as that is cheaper."""
        for place, term in enumerate(terms):
            for index in sorted({self._about[i] for i in term if i in self._about}):
                rest = tuple(i for i in term if self._about.get(i) != index)
                held = self._conjoin(rest)
                needed = self._conjoin(term) & target & ~self._disjoin(terms[:place] + terms[place + 1 :])
                usable = [i for i, its in self._about.items() if its == index and i not in term]
                for i in usable:
                    column = self.literals[i].column
                    if held & column & other or needed & ~column:
                        continue
                    changed = self._drop_redundant((*terms, tuple(sorted((*rest, i)))), target)
                    if self._price(changed) < self._price(terms):
                        return self._merge_terms(changed, target, other)
        return tuple(sorted(terms))

    def _drop_redundant(self, terms: Terms, target: int) -> Terms:
        """Drop every term whose runs the other terms cover. The most expensive terms are tried first."""
        kept = list(terms)
        for term in sorted(terms, key=lambda one: -self._price((one,))):
            others = [one for one in kept if one != term]
            if not target & self._conjoin(term) & ~self._disjoin(others):
                kept = others
        return tuple(sorted(kept))

    def _price(self, terms: Terms) -> float:
        return sum(2.0 + sum(self.literals[i].price for i in term) for term in terms)

    @cached_property
    def _about(self) -> dict[int, int]:
        """The index of the text field that each literal about a text is about."""
        axes = ((i, self.text_axis(one)) for i, one in enumerate(self.literals))
        return {i: axis.index for i, axis in axes if axis is not None}

    def _conjoin(self, term: Iterable[int]) -> int:
        """Return the runs in which all literals of a term hold."""
        return reduce(and_, (self.literals[i].column for i in term), -1)

    def _disjoin(self, terms: Iterable[Iterable[int]]) -> int:
        """Return the runs in which one of the terms holds."""
        return reduce(or_, map(self._conjoin, terms), 0)

    @property
    def is_contrived(self) -> bool:
        """True if the best logic needs so many conditions on texts that it only lists the runs."""
        return sum(i in self._about for term in self.best.terms for i in term) > TEXT_TUNING.max_conditions

    def is_blurred(self, point: Point) -> bool:
        """Return True if rounding decides on which side of some cut a point lies. Such points are ignored."""
        return any(cut.is_blurred(point) for cut in self.cuts)

    @cached_property
    def used_literals(self) -> list[LiteralColumn]:
        """The literals that the best logic uses."""
        return [self.literals[i] for i in sorted({i for term in self.best.terms for i in term})]

    @cached_property
    def used_cuts(self) -> list[Cut]:
        """The cuts that the best logic uses."""
        meant = [literal.meaning for literal in self.used_literals]
        return [self.cuts[number] for number in sorted({m[0] for m in meant if not isinstance(m[2], str)})]

    @cached_property
    def _text_tests(self) -> list[LiteralColumn]:
        """The literals about texts that the best logics use."""
        used = sorted({i for logic in self.logics[:MAX_RIVALS] for term in logic.terms for i in term})
        return [self.literals[i] for i in used if self.text_axis(self.literals[i]) is not None]

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
        """Return the cell of a point: its side of every cut, and its values of fields without an order.

        A text counts only by the conditions on texts that hold for it.
        """
        sides = [cut.side(point) for cut in self.cuts]
        listed = [axis for axis in self.axes if not axis.numeric and axis.texts is None]
        return *sides, *(canonical(point[axis.index]) for axis in listed), *(o.holds(point) for o in self._text_tests)

    def spot(self, point: Point) -> tuple[Any, ...]:
        """Return the cell of a point together with the cuts on which the point lies exactly.

        Code often treats equality separately.
        """
        return *self.cell(point), *(i for i, cut in enumerate(self.cuts) if cut.touches(point))

    def doubt(self, point: Point) -> float:
        """Return the share of the rival logics that contradict the model's prediction for this point."""
        rivals = self.logics[1:MAX_RIVALS]
        expected = self.predict(point)
        return sum(self.predict(point, one) != expected for one in rivals) / max(len(rivals), 1)


def _is_on_side(cut: Cut, side: int, wanted: bool, point: Point) -> bool:
    value = cut.feature.value(point)
    return (cut.below(value) if side < 0 else cut.above(value)) == wanted


def _is_listed(index: int, values: frozenset[int], wanted: bool, point: Point) -> bool:
    return (point[index] in values) == wanted


def _price_set(axis: FieldAxis, values: frozenset[int]) -> float:
    """Return the bits that it takes to list values, or where their ranges begin and end, whichever is cheaper."""
    every = range(axis.low, axis.high + 1)
    ends = sum((value in values) != (value + 1 in values) for value in every[:-1])
    count = min(len(values), len(every) - len(values))
    return math.log2(min(math.comb(len(every), count), math.comb(len(every), ends)))


def list_alike_pairs(axes: Sequence[FieldAxis]) -> list[tuple[FieldAxis, FieldAxis]]:
    """Return the pairs of fields without an order that share at least two values. Two bools are not such a pair."""
    listed = [axis for axis in axes if not axis.numeric and not axis.is_fixed and not isinstance(axis.field, Bool)]
    return [(one, other) for one, other in combinations(listed, 2) if len(shared_values(one, other)) > 1]


def shared_values(one: FieldAxis, other: FieldAxis) -> list[Any]:
    """Return the values to try that two fields have in common."""
    known = {canonical(value) for value in other.tried_values}
    return [
        value for value in one.tried_values if canonical(value) in known or (other.texts and isinstance(value, str))
    ]


def _keep_cheapest(literals: Iterable[LiteralColumn]) -> list[LiteralColumn]:
    """Return the cheapest of the literals that hold for the same runs."""
    found: dict[int, LiteralColumn] = {}
    for one in literals:
        if one.column not in found or one.price < found[one.column].price:
            found[one.column] = one
    return list(found.values())


def _are_equal(one: int, other: int, wanted: bool, point: Point) -> bool:
    return (type(point[one]) is type(point[other]) and point[one] == point[other]) is wanted


def _has_value(index: int, name: bytes, wanted: bool, point: Point) -> bool:
    return (canonical(point[index]) == name) == wanted
