"""Values of a field that are worth a run: beside a constant, at its multiples, at the ends of the range."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from rootward.diagnosis.refutation import members_of
from rootward.diagnosis.tuning import TUNING
from rootward.rules import Literal
from rootward.search.border import bisect
from rootward.search.relay import drive
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Space, Text

FACTORS = (10, 1000, 1024, 2, 100, -1)
"""A condition at a constant often has a second one at a multiple of it: the next unit, the next power, the mirrored
end."""
POWERS = (7, 8, 15, 16, 31, 32, 53, 63)
"""Widths of machine numbers: beside one of them, the others are worth a run."""


def small_members(field: Field) -> Sequence[Any] | None:
    """Return all values of a field that has few; None if it has many."""
    if (isinstance(field, Float) and field.step is None) or field.size > TUNING.max_swept:
        return None
    return list(members_of(field))


def option_values(field: Field) -> Sequence[Any]:
    """Return the values of a field that has a few distinct options; an empty list if it has many values."""
    if field.size > TUNING.max_options or (isinstance(field, Float) and field.step is None):
        return ()
    return list(members_of(field))


def allowed_options(space: Space, literal: Literal) -> list[Any]:
    """Return the options that a condition on one field allows; an empty list if the field has no options."""
    if literal.field not in space or isinstance(space[literal.field], Int | Float):
        return []
    return [value for value in option_values(space[literal.field]) if literal.holds({literal.field: value})]


def simplest_value(field: Field) -> Any:
    """Return the simplest value of a field: the one closest to zero, the first, or the shortest text."""
    if isinstance(field, Int):
        return min(max(0, field.lo), field.hi)
    if isinstance(field, Float):
        low, high = (-math.inf if field.lo is None else field.lo), (math.inf if field.hi is None else field.hi)
        return field.nearest(min(max(0.0, low), high))
    return min(field.values, key=len) if isinstance(field, Text) else field.values[0]


def nearest_values(field: Field, constant: Any) -> list[Any]:
    """Return a number and the values of the field nearest to it, three on each side."""
    if not _is_finite_number(constant):
        return []
    if isinstance(field, Int):
        middle = math.floor(constant)
        values: list[Any] = [middle + step for step in (0, 1, -1, 2, -2, 3, -3)]
    elif isinstance(field, Float) and field.step is not None:
        middle = round(constant / field.step)
        values = [field.multiple(middle + step) for step in (0, 1, -1, 2, -2, 3, -3)]
    else:
        unit = max(abs(constant), 1e-3)
        beside = [math.nextafter(constant, math.inf), math.nextafter(constant, -math.inf)]
        values = [constant, *beside, *(constant + sign * unit * share for share in (1e-6, 1e-2) for sign in (1, -1))]
    return members_only(field, values)


def scaled_values(field: Field, constant: Any) -> list[Any]:
    """Return multiples of a number, other machine limits if it is one, and the ends of the field."""
    if not _is_finite_number(constant):
        return []
    values: list[Any] = [constant * factor for factor in FACTORS]
    values += [constant // factor if isinstance(constant, int) else constant / factor for factor in FACTORS[:4]]
    for beside in (-1, 0, 1):
        if isinstance(constant, int) and constant - beside in {1 << power for power in POWERS}:
            values += [(1 << power) + beside for power in POWERS]
    return members_only(field, [*values, *field_ends(field)])


def unit_values(field: Field, constant: Any) -> list[Any]:
    """Return values at the same place in another system of units: 10**6 becomes 2**20, and the other way round."""
    if not _is_finite_number(constant):
        return []
    scaled = [constant * ratio for power in (2, 3, 1, 4) for ratio in (1.024**power, 1.024**-power)]
    values = scaled if isinstance(field, Float) else [round(value) + step for value in scaled for step in (-1, 0)]
    return members_only(field, values)


def value_walk(field: Field, first: Any, last: Any) -> Iterator[Any]:
    """Yield a value of a field, and the next ones on the way to ``last``; only the first if values have no steps."""
    sign = 1 if last > first else -1
    for step in range(TUNING.max_walk):
        value = first
        if step and isinstance(field, Int):
            value = first + sign * step
        elif step and isinstance(field, Float) and field.step is not None:
            value = field.multiple(round(first / field.step) + sign * step)
        elif step:
            return
        yield value
        if value == last:
            return


def field_ends(field: Field) -> list[Any]:
    """Return the two ends of a numeric field, and their neighbours if it has integers."""
    if isinstance(field, Int):
        return [field.lo, field.hi, field.lo + 1, field.hi - 1]
    finite = [value for value in field.values if not isinstance(value, float) or math.isfinite(value)]
    return [finite[0], finite[-1]] if finite else []


def shared_values(one: Field, other: Field) -> list[Any]:
    """Return values that both of two fields can have, if they are of the same kind; otherwise nothing."""
    if isinstance(one, Int | Float) != isinstance(other, Int | Float) or one.ordered != other.ordered:
        return []
    if len(one.values) <= 2 and not isinstance(one, Int | Float):
        return []  # two flags are seldom compared
    own = {canonical(value) for value in other.values}
    return [value for value in one.values if canonical(value) in own]


def members_only(field: Field, values: Iterable[Any]) -> list[Any]:
    """Return the values that the field can have, without duplicates."""
    found: dict[bytes, Any] = {}
    for value in values:
        if isinstance(field, Float) and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**1000:
            value = float(value)
        if isinstance(field, Int) and isinstance(value, float) and value.is_integer():
            value = int(value)
        if field.contains(value):
            found.setdefault(canonical(value), field.coerce(value))
    return list(found.values())


def _is_finite_number(constant: Any) -> bool:
    return isinstance(constant, int | float) and not isinstance(constant, bool) and math.isfinite(constant)


def find_border(field: Field, start: Any, end: Any, holds: Callable[[Any], bool]) -> tuple[Any, Any]:
    """Return two neighbouring values on the way from ``start``, for which ``holds`` is True, to ``end``.

    It is True for the first of them and False for the second. This runs nothing.
    """
    return drive(bisect(start, end, partial(_between, field)), lambda step: holds(step.place))


def _between(field: Any, low: Any, high: Any) -> list[Any]:
    """Return a list with one value between two values of a field, about in the middle; empty if there is none."""
    if isinstance(field, Int):
        middle = (low + high) // 2
    else:
        middle = field.decompress((field.compress(low) + field.compress(high)) / 2)
        if not min(low, high) < middle < max(low, high):
            middle = low + (high - low) / 2 if math.isfinite(high - low) else middle
        if not field.contains(middle):
            return []
    return [middle] if min(low, high) < middle < max(low, high) else []
