"""Derived quantities in the search: values that follow from the fields, and that a condition may use like a field.

A user who defines ``area = width * height`` expects it to matter, so it is cheap. A derived number that depends on
number fields is a feature like ``a * b`` (feature.py): its boundary is found on those fields. Any other derived
quantity, such as the length of a text or a bool, is compared with the values that it had in the runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from rootward.rules.derivation import definition_of
from rootward.rules.expressions import derived_function
from rootward.rules.quantity import Quantity
from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis
from rootward.searches.conditions.boundaries.feature import Feature, Point
from rootward.searches.conditions.boundaries.logic import LiteralColumn
from rootward.searches.conditions.boundaries.simplicity import find_simplest
from rootward.space.keys import canonical

DERIVED_BITS = 1.0
"""Price of a derived quantity as a feature: that of a field, because the user named it."""
LITERAL_BITS = 3.0
"""Price of a condition on a derived quantity, as for fields."""
MAX_BOUNDS = 6
"""Maximum number of bounds on a derived quantity that does not depend on numbers."""
MAX_VALUES = 16
"""Maximum number of different values with which a derived quantity is compared."""


class DerivedField:
    """One derived quantity, evaluated at points."""

    def __init__(self, quantity: Quantity, axes: Sequence[FieldAxis], origin: Mapping[str, Any]) -> None:
        """``origin`` has the values of the fields that do not change."""
        self.quantity = quantity
        places = {axis.name: axis.index for axis in axes}
        self._function = derived_function(definition_of(quantity), quantity.fields)
        self._arguments: list[tuple[int | None, Any]] = [
            (places.get(name), None if name in places else origin[name]) for name in quantity.fields
        ]
        self.indices = [place for place, _ in self._arguments if place is not None]
        self.numbers = [index for index in self.indices if axes[index].numeric and not axes[index].is_fixed]
        """The number fields that it depends on."""
        self._values: list[Any] = []

    def make_feature(self) -> Feature | None:
        """Return a new feature of this quantity; None if it depends on no number field."""
        return DerivedFeature(self.quantity, self.value, self.numbers) if self.numbers else None

    def value(self, point: Point) -> Any:
        return self._function(*(fixed if place is None else point[place] for place, fixed in self._arguments))

    def values(self, points: Sequence[Point]) -> list[Any]:
        """Return the value at each point. The next call must pass the same list, possibly longer."""
        while len(self._values) < len(points):
            self._values.append(self.value(points[len(self._values)]))
        return self._values

    def literals(self, points: Sequence[Point], brackets: Sequence[Bracket]) -> Iterator[LiteralColumn]:
        """Yield the conditions on the quantity that are not cuts of its feature."""
        values = self.values(points)
        every = (1 << len(points)) - 1
        for constant, op in [*self._list_equalities(values), *self._list_bounds(values, brackets)]:
            test = partial(_TESTS[op], constant)
            column = sum(1 << i for i, value in enumerate(values[: len(points)]) if test(value))
            if column not in (0, every):
                yield LiteralColumn(column, LITERAL_BITS, (self.quantity, constant, op), partial(self._holds, test))

    def _holds(self, test: Callable[[Any], bool], point: Point) -> bool:
        return test(self.value(point))

    def _list_equalities(self, values: Sequence[Any]) -> list[tuple[Any, str]]:
        """Return the values that are no numbers; if nothing else can be said, also numbers."""
        seen = {canonical(value): value for value in values if not _is_number(value) or not self.numbers}
        kept = [value for value in seen.values() if value == value][:MAX_VALUES]
        return [(value, op) for value in kept for op in ("=", "!=") if not (isinstance(value, bool) and op == "!=")]

    def _list_bounds(self, values: Sequence[Any], brackets: Sequence[Bracket]) -> list[tuple[Any, str]]:
        """Return bounds that explain the most brackets, if the quantity has no feature."""
        if self.numbers:
            return []
        ends = [(values[one.one], values[one.other]) for one in brackets]
        spans = [(min(pair), max(pair)) for pair in ends if all(map(_is_number, pair)) and pair[0] != pair[1]]
        gaps = list(pairwise(sorted({end for span in spans for end in span})))
        weight = {gap: sum(low <= gap[0] and gap[1] <= high for low, high in spans) for gap in gaps}
        found: list[tuple[Any, str]] = []
        for low, high in sorted(gaps, key=lambda gap: (-weight[gap], gap))[:MAX_BOUNDS]:
            constant = find_simplest(low, high, whole=isinstance(low, int) and isinstance(high, int))
            below = "<" if constant == high else "<="
            found += [(constant, below), (constant, ">=" if below == "<" else ">")]
        return found


class DerivedFeature(Feature):
    """A derived number that depends on number fields."""

    def __init__(self, quantity: Quantity, value: Callable[[Point], Any], indices: Sequence[int]) -> None:
        super().__init__("a", indices[:1], DERIVED_BITS)
        self.indices = tuple(indices)
        self._quantity, self._compute = quantity, value

    @property
    def identity(self) -> tuple[str, tuple[int, ...]]:
        return str(self._quantity), self.indices

    def value(self, point: Point) -> Any:
        found = self._compute(point)
        return found if _is_number(found) else math.nan

    def exact(self, point: Point) -> bool:
        return isinstance(self.value(point), int)

    @property
    def is_total(self) -> bool:
        """True if the quantity was defined in every run so far."""
        return all(value == value for value in self._values)

    def quantity(self, names: Sequence[str]) -> str:
        return self._quantity


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _is_equal(constant: Any, value: Any) -> bool:
    return canonical(value) == canonical(constant)


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": _is_equal,
    "!=": lambda constant, value: not _is_equal(constant, value),
    "<": lambda constant, value: _is_number(value) and value < constant,
    "<=": lambda constant, value: _is_number(value) and value <= constant,
    ">": lambda constant, value: _is_number(value) and value > constant,
    ">=": lambda constant, value: _is_number(value) and value >= constant,
}
