"""Ranges: the values that a quantity can have, so that the algebra need not consider others.

A range may be too wide but is never too narrow, so decisions based on it are correct. The bounds come from interval
arithmetic, which is also sound for floats, because rounding preserves the order of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from rootward.rules.arithmetic import OPERATIONS, SHIFT
from rootward.rules.constants import is_nan, kind
from rootward.rules.derivation import expand
from rootward.rules.quantity import INTEGRAL, Part, Quantity
from rootward.space.fields import Bool, Text
from rootward.space.numeric_fields import Float, Int

if TYPE_CHECKING:
    from rootward.space.space import Field, Space


@dataclass(frozen=True)
class Range:
    """The numbers between two bounds: only integers if ``whole``, and also NaN if ``undefined``."""

    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    undefined: bool = True

    size = math.inf
    ordered = True

    @property
    def values(self) -> tuple[float, ...]:
        return self.low, self.high, 0

    @property
    def finite(self) -> bool:
        return -math.inf < self.low and self.high < math.inf

    def within(self, low: float, high: float) -> bool:
        return low <= self.low and self.high <= high

    def contains(self, value: object) -> bool:
        if kind(value) != "number":
            return False
        if is_nan(value):
            return self.undefined
        assert isinstance(value, int | float)
        return self.low <= value <= self.high and (isinstance(value, int) or not self.whole)

    def coerce(self, value: object) -> Any:
        return value


def domain_of(quantity: Quantity, space: Space | None) -> Bool | Range | None:
    """Return a domain that contains all values of the quantity in the space, and perhaps more. None: not known."""
    if quantity.is_derived:
        plain = expand(quantity)
        return None if plain is None else domain_of(plain, space)
    return Bool() if quantity.is_comparison else range_of(quantity, space)


def range_of(part: Part, space: Space | None) -> Range:
    """Return a range that contains all values of a part of a quantity in the space, and perhaps more."""
    if not isinstance(part, str):
        return Range() if is_nan(part) else Range(part, part, isinstance(part, int), undefined=False)
    if isinstance(part, Quantity):
        if part.is_derived:
            plain = expand(part)
            return Range() if plain is None or plain.is_comparison else range_of(plain, space)
        if part.op == "len":
            is_text = isinstance(field_of(part.parts[0], space), Text)
            return Range(0, math.inf, whole=True, undefined=not is_text)
        return _range_of_quantity(part, [range_of(one, space) for one in part.parts if not isinstance(one, bool)])
    field = field_of(part, space)
    return Range() if field is None else _field_range(field)


def field_of(name: object, space: Space | None) -> Field | None:
    """Return the field with this name. Return None if ``space`` is None or does not have the field."""
    return space[name] if space is not None and isinstance(name, str) and name in space else None


def _field_range(field: Field) -> Range:
    if isinstance(field, Int):
        return Range(field.lo, field.hi, whole=True, undefined=False)
    if isinstance(field, Float):
        low = -math.inf if field.lo is None else field.lo
        high = math.inf if field.hi is None else field.hi
        return Range(low, high, undefined=field.contains(math.nan))
    if isinstance(field, Text):
        return Range()
    numbers = [value for value in field.values if kind(value) == "number" and not is_nan(value)]
    types = set(map(type, numbers))
    if len(types) != 1:  # floats are rounded and integers are not, so bounds for one kind do not hold for the other
        return Range()
    return Range(min(numbers), max(numbers), types == {int}, undefined=len(numbers) < len(field.values))


def _range_of_quantity(quantity: Quantity, parts: Sequence[Range]) -> Range:
    found = _RULES.get(quantity.op, _monotone)(quantity, parts)
    undefined = found.undefined or any(part.undefined for part in parts)
    return replace(found, undefined=undefined)


def _monotone(quantity: Quantity, parts: Sequence[Range]) -> Range:
    """Return the range of an operation that is monotone in each part.

    The operation takes its bounds at bounds of the parts.
    """
    whole = all(part.whole for part in parts) and quantity.op != "/"
    if not all(part.finite for part in parts):
        return Range(whole=whole)
    corners = [OPERATIONS[quantity.op](*corner) for corner in product(*((part.low, part.high) for part in parts))]
    return Range(min(corners), max(corners), whole, undefined=False)


def _quotient(quantity: Quantity, parts: Sequence[Range]) -> Range:
    return _monotone(quantity, parts) if parts[1].low > 0 or parts[1].high < 0 else Range()


def _modulo(_: Quantity, parts: Sequence[Range]) -> Range:
    left, right = parts
    whole = left.whole and right.whole
    low, high = min(0, right.low + whole), max(0, right.high - whole)
    return Range(low, high, whole, undefined=not left.finite or right.low <= 0 <= right.high)


def _remainder(_: Quantity, parts: Sequence[Range]) -> Range:
    left, right = parts
    zero = right.low <= 0 <= right.high
    size = max(0, max(abs(right.low), abs(right.high)) - (left.whole and right.whole))
    low = max(-size, left.low) if left.low < 0 else 0
    high = min(size, left.high) if left.high > 0 else 0
    return Range(low, high, left.whole and right.whole, undefined=zero or not left.finite)


def _bits(quantity: Quantity, parts: Sequence[Range]) -> Range:
    left, right = parts
    if not (left.whole and right.whole):
        return Range(whole=True)
    positive = [part.high for part in parts if part.low >= 0]
    if quantity.op == "&" and positive:
        return Range(0, min(positive), whole=True, undefined=False)
    if not (left.finite and right.finite):
        return Range(whole=True, undefined=False)
    width = max(int(abs(bound)).bit_length() for part in parts for bound in (part.low, part.high))
    low = 0 if len(positive) == len(parts) else -(1 << width)
    return Range(low, (1 << width) - 1, whole=True, undefined=False)


def _shift(quantity: Quantity, parts: Sequence[Range]) -> Range:
    by = parts[1]
    fits = parts[0].whole and by.whole and by.low >= 0 and (by.high <= SHIFT or quantity.op == ">>")
    return _monotone(quantity, parts) if fits else Range(whole=True)


def _absolute(_: Quantity, parts: Sequence[Range]) -> Range:
    (part,) = parts
    low = 0 if part.low <= 0 <= part.high else min(abs(part.low), abs(part.high))
    return Range(low, max(abs(part.low), abs(part.high)), part.whole, undefined=False)


def _extreme(quantity: Quantity, parts: Sequence[Range]) -> Range:
    choose = min if quantity.op == "min" else max
    low, high = choose(part.low for part in parts), choose(part.high for part in parts)
    return Range(low, high, all(part.whole for part in parts), undefined=False)


def _integer(_: Quantity, parts: Sequence[Range]) -> Range:
    (part,) = parts
    low, high = _toward_zero(part.low), _toward_zero(part.high)
    return Range(low, high, whole=True, undefined=not (part.whole or part.finite))


def _toward_zero(bound: float) -> float:
    return int(bound) if isinstance(bound, int) or math.isfinite(bound) else bound


def _decimal_length(_: Quantity, parts: Sequence[Range]) -> Range:
    (part,) = parts
    ends = [part.low, part.high]
    lengths = [math.inf if abs(end) == math.inf else OPERATIONS["len_str"](int(end)) for end in ends]
    shortest = 1 if part.low <= 0 <= part.high else min(lengths)
    return Range(shortest, max(lengths), whole=True, undefined=not part.whole)


def _wrap(quantity: Quantity, parts: Sequence[Range]) -> Range:
    _, bits, signed = quantity.parts
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if parts[0].whole and parts[0].within(low, high):
        return parts[0]
    return Range(low, high, whole=True, undefined=not parts[0].whole)


def _root(_: Quantity, parts: Sequence[Range]) -> Range:
    low, high = (OPERATIONS["sqrt"](max(bound, 0)) for bound in (parts[0].low, parts[0].high))
    return Range(low, high, undefined=parts[0].low < 0)


_RULES = {
    **dict.fromkeys(INTEGRAL[:3], _bits),
    **dict.fromkeys(INTEGRAL[3:], _shift),
    **dict.fromkeys(("min", "max"), _extreme),
    "/": _quotient,
    "%": _modulo,
    "rem": _remainder,
    "abs": _absolute,
    "int": _integer,
    "wrap": _wrap,
    "sqrt": _root,
    "len_str": _decimal_length,
}
