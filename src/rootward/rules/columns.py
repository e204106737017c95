"""Evaluate rules over many configurations: one NumPy operation per atom and column, wherever that is exact.

NumPy rounds 64-bit integers when it compares them with floats, and rounds the constant when it compares narrow floats.
So narrow floats are widened, and a constant that the type of the column cannot represent is first moved to the nearest
value that it can, in the direction that does not change the result. A column without a single number type is evaluated
value by value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rootward.errors import InputError
from rootward.rules.arithmetic import Number
from rootward.rules.atoms import ORDERINGS, Atom
from rootward.rules.constants import doubles_around, is_nan, is_negative_zero, kind
from rootward.rules.quantity import Quantity, fields_of
from rootward.rules.terms import Literal, Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rootward.space.candidate import Configuration

    Flags = NDArray[np.bool_]


def holds_many(terms: Sequence[Term], configurations: Sequence[Configuration] | Mapping[str, Any]) -> Flags:
    """Return, for each configuration, True if one of the terms holds.

    If ``configurations`` is a mapping, it contains the columns of all configurations, by field.
    """
    table = _Table(configurations, sorted({literal.field for term in terms for literal in term}))
    found = np.zeros(table.rows, dtype=bool)
    for term in terms:
        fits = np.ones(table.rows, dtype=bool)
        for literal in term:
            fits &= table.literal(literal)
        found |= fits
    return found


class _Table:
    """The columns that the rule mentions, and the results of its atoms so far."""

    def __init__(self, configurations: Sequence[Configuration] | Mapping[str, Any], compared: Sequence[str]) -> None:
        fields = sorted({name for field in compared for name in fields_of(field)})
        given = configurations if isinstance(configurations, Mapping) else _columns(configurations, fields)
        if missing := [field for field in fields if field not in given]:
            raise InputError(f"missing column {missing[0]!r}: expected one for each of {', '.join(fields)}")
        rows = {len(column) for column in given.values()}
        if len(rows) > 1:
            raise InputError(f"columns must have the same length, but theirs are {', '.join(map(str, sorted(rows)))}")
        self.rows = len(configurations) if not isinstance(configurations, Mapping) else max(rows, default=0)
        self.columns = {field: _column(self._values(field, given)) for field in compared}
        self.known: dict[Atom, Flags] = {}

    def _values(self, field: str, given: Mapping[str, Any]) -> Any:
        if not isinstance(field, Quantity):
            return given[field]
        return field.of_columns(given) if field.fields else [field.of({})] * self.rows

    def literal(self, literal: Literal) -> Flags:
        found = np.zeros(self.rows, dtype=bool)
        for one in literal.alternatives:
            fits = np.ones(self.rows, dtype=bool)
            for atom in one:
                fits &= self.atom(atom)
            found |= fits
        return found

    def atom(self, atom: Atom) -> Flags:
        if atom not in self.known:
            self.known[atom] = _evaluate(atom, self.columns[atom.field])
        return self.known[atom]


def _columns(configurations: Sequence[Configuration], fields: Sequence[str]) -> dict[str, list[Any]]:
    try:
        return {field: [configuration[field] for configuration in configurations] for field in fields}
    except KeyError as error:
        raise InputError(f"a configuration has no value for the field {error.args[0]!r}") from None


def _column(given: Iterable[Any]) -> NDArray[Any]:
    """Return the column as an array.

    If its values are all bools, all integers or all doubles, the array has this type. Otherwise its elements are
    objects.
    """
    if isinstance(given, np.ndarray):
        if given.dtype.kind in "iub":
            return given
        if given.dtype.kind == "f" and given.dtype.itemsize <= 8:
            return given.astype(np.float64)
        given = given.tolist()
    listed = list(given)
    kinds = set(map(type, listed))
    if kinds == {float} or kinds == {bool}:
        return np.array(listed)
    if kinds == {int} and min(listed) >= -(2**63) and max(listed) < 2**63:
        return np.array(listed, dtype=np.int64)
    column = np.empty(len(listed), dtype=object)
    for index, value in enumerate(listed):  # assigned all at once, lists would become further dimensions
        column[index] = value
    return column


def _evaluate(atom: Atom, column: NDArray[Any]) -> Flags:
    if column.dtype == object:
        return np.fromiter(map(atom.accepts, column), dtype=bool, count=len(column))
    of_kind = "bool" if column.dtype == bool else "number"
    if kind(atom.value) != of_kind:
        return np.full(len(column), atom.op == "!=")
    if atom.op in ORDERINGS:
        return _compare_order(column, atom.op, atom.value)
    found = _equal(column, atom.value)
    return np.logical_not(found) if atom.op == "!=" else found


def _equal(column: NDArray[Any], constant: Number) -> Flags:
    if is_nan(constant):
        return np.asarray(np.isnan(column), dtype=bool)
    if is_negative_zero(constant):
        return np.asarray((column == 0) & np.signbit(column.astype(np.float64)), dtype=bool)
    if column.dtype == bool:
        return np.asarray(column == constant)
    exact = _neighbours(column.dtype, constant)
    return np.asarray(column == exact[0]) if exact[0] == exact[1] else np.zeros(len(column), dtype=bool)


def _compare_order(column: NDArray[Any], op: str, constant: Number) -> Flags:
    if is_nan(constant):
        return np.zeros(len(column), dtype=bool)
    below, above = _neighbours(column.dtype, constant)
    if below != above:
        op = op[0] + "="  # no value equals the constant, so the comparison includes its neighbour
    limit = below if op[0] == "<" else above
    if limit is None:
        return np.zeros(len(column), dtype=bool)
    return np.asarray(ORDERINGS[op](column, limit))


def _neighbours(dtype: np.dtype[Any], constant: Number) -> tuple[Any, Any]:
    """Return the two values of the type that are next to the constant.

    The first is the largest value that is at most the constant. The second is the smallest value that is at least the
    constant. Each is None if there is no such value.
    """
    return doubles_around(constant) if dtype.kind == "f" else _integer_neighbours(dtype, constant)


def _integer_neighbours(dtype: np.dtype[Any], constant: Number) -> tuple[Any, Any]:
    bounds = np.iinfo(dtype)
    low, high = int(bounds.min), int(bounds.max)
    if constant > high:
        return dtype.type(high), None
    if constant < low:
        return None, dtype.type(low)
    return dtype.type(math.floor(constant)), dtype.type(math.ceil(constant))
