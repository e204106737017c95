"""Arithmetic that never raises: the functions that compute quantities, and that the Python form of a rule calls.

Integers are exact, floats are IEEE doubles. An integer combined with a float becomes the nearest double, or an infinity
beyond their range. An undefined result is NaN: a field whose value is not a number, a division by zero, a bit operation
on a float. Exported Python imports these functions by name, so their names are part of the interface.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from decimal import Decimal

from rootward.space.values import scalar

Number = int | float
SHIFT = 1024
"""Maximum number of bits of a left shift. A longer one is undefined: no machine does it, and it could fill the
memory."""


def number(value: object) -> Number:
    """Return the value if it is a number, else NaN. Bools, text and members of enumerations are not numbers."""
    if type(value) is float or type(value) is int:
        return value
    value = scalar(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool | enum.Enum) else math.nan


def real(value: Number) -> float:
    """Return the nearest double. It is an infinity if the value is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def plus(left: Number, right: Number) -> Number:
    try:
        return left + right
    except OverflowError:
        return real(left) + real(right)


def minus(left: Number, right: Number) -> Number:
    try:
        return left - right
    except OverflowError:
        return real(left) - real(right)


def times(left: Number, right: Number) -> Number:
    try:
        return left * right
    except OverflowError:
        return real(left) * real(right)


def over(left: Number, right: Number) -> float:
    """Return the quotient as a double; NaN if ``right`` is zero."""
    if right == 0:
        return math.nan
    try:
        return float(left / right)
    except OverflowError:
        return real(left) / real(right)


def mod(left: Number, right: Number) -> Number:
    """Return the remainder with the sign of ``right``, like Python's ``%``; NaN if ``right`` is zero."""
    if right == 0:
        return math.nan
    try:
        return left % right
    except OverflowError:
        return real(left) % real(right)


def rem(left: Number, right: Number) -> Number:
    """Return the remainder with the sign of ``left``, like C's ``%`` and ``fmod``; NaN if ``right`` is zero."""
    if right == 0:
        return math.nan
    if isinstance(left, int) and isinstance(right, int):
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    left, right = real(left), real(right)
    return math.nan if math.isinf(left) else math.fmod(left, right)


def both_bits(left: Number, right: Number) -> Number:
    return left & right if isinstance(left, int) and isinstance(right, int) else math.nan


def any_bits(left: Number, right: Number) -> Number:
    return left | right if isinstance(left, int) and isinstance(right, int) else math.nan


def odd_bits(left: Number, right: Number) -> Number:
    return left ^ right if isinstance(left, int) and isinstance(right, int) else math.nan


def up(left: Number, right: Number) -> Number:
    """Return ``left << right`` for integers. The shift ``right`` must be within 0..SHIFT."""
    return left << right if isinstance(left, int) and isinstance(right, int) and 0 <= right <= SHIFT else math.nan


def down(left: Number, right: Number) -> Number:
    """Return ``left >> right`` for integers. The shift is arithmetic: it preserves the sign."""
    return left >> right if isinstance(left, int) and isinstance(right, int) and right >= 0 else math.nan


def least(*values: Number) -> Number:
    """Return the smallest value, or NaN if any value is NaN. Of equal values, the first is returned."""
    return math.nan if any(value != value for value in values) else min(values)


def most(*values: Number) -> Number:
    """Return the largest value, or NaN if any value is NaN. Of equal values, the first is returned."""
    return math.nan if any(value != value for value in values) else max(values)


def whole(value: Number) -> Number:
    """Round toward zero to an integer; NaN if the value is not finite."""
    return int(value) if isinstance(value, int) or math.isfinite(value) else math.nan


def wrap(value: Number, bits: int, signed: bool) -> Number:
    """Return the lowest ``bits`` bits of an integer, in two's complement if ``signed``."""
    if not isinstance(value, int):
        return math.nan
    kept = value & (1 << bits) - 1
    return kept - (1 << bits) if signed and kept >> bits - 1 else kept


def root(value: Number) -> float:
    """Return the square root; NaN for negative numbers."""
    return math.nan if value < 0 else math.sqrt(real(value))


def length(value: object) -> Number:
    """Return the number of characters of a text; NaN for any other value."""
    return len(value) if isinstance(value, str) else math.nan


def decimal_length(value: Number) -> Number:
    """Return the number of characters of an integer in decimal notation, with its sign; NaN for floats."""
    return Decimal(value).adjusted() + 1 + (value < 0) if isinstance(value, int) else math.nan


def undefined(value: Number) -> bool:
    """Return True if the value is NaN."""
    return bool(value != value)


def is_minus_zero(value: Number) -> bool:
    return value == 0 and math.copysign(1, value) < 0


OPERATIONS: dict[str, Callable[..., Number]] = {
    "+": plus,
    "-": minus,
    "*": times,
    "/": over,
    "%": mod,
    "rem": rem,
    "&": both_bits,
    "|": any_bits,
    "^": odd_bits,
    "<<": up,
    ">>": down,
    "abs": abs,
    "min": least,
    "max": most,
    "int": whole,
    "wrap": wrap,
    "sqrt": root,
    "len": length,
    "len_str": decimal_length,
}
"""The function that computes each operator of a quantity."""

NAMES = {function.__name__: function for function in (*OPERATIONS.values(), number, undefined, is_minus_zero)}
"""The functions that the Python form of a rule may call, by name, besides ``math``."""
