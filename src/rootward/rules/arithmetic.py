"""Arithmetic that never raises: what a quantity computes, and what the Python form of a rule calls.

Integers are exact, floats are IEEE doubles. An integer that meets a float becomes the nearest double, or an infinity
beyond their range. What is not defined is NaN: a field that does not hold a number, a division by zero, a bit of a
float. Exported Python imports these functions by name, so their names are part of the interface.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable

from rootward.space.values import scalar

Number = int | float
SHIFT = 1024
"""A shift to the left by more bits than this is not defined: no machine does it, and the result may fill the memory."""


def number(value: object) -> Number:
    """The value if it is a number, else NaN: a bool, text or a member of an enumeration is none."""
    if type(value) is float or type(value) is int:
        return value
    value = scalar(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool | enum.Enum) else math.nan


def real(value: Number) -> float:
    """The nearest double; an infinity if it is too large."""
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
    """The quotient as a double; NaN if ``right`` is zero."""
    if right == 0:
        return math.nan
    try:
        return float(left / right)
    except OverflowError:
        return real(left) / real(right)


def mod(left: Number, right: int) -> Number:
    """The remainder in 0..right, as Python's ``%`` for a positive ``right``."""
    try:
        return left % right
    except OverflowError:
        return left % real(right)


def rem(left: Number, right: Number) -> Number:
    """The remainder with the sign of ``left``, as C's ``%`` and ``fmod``; NaN if ``right`` is zero."""
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
    """``left << right`` of integers, for a shift within 0..SHIFT."""
    return left << right if isinstance(left, int) and isinstance(right, int) and 0 <= right <= SHIFT else math.nan


def down(left: Number, right: Number) -> Number:
    """``left >> right`` of integers; copies of the sign come in from the left."""
    return left >> right if isinstance(left, int) and isinstance(right, int) and right >= 0 else math.nan


def least(*values: Number) -> Number:
    """The smallest, the first of equal ones; NaN if one is."""
    return math.nan if any(value != value for value in values) else min(values)


def most(*values: Number) -> Number:
    """The largest, the first of equal ones; NaN if one is."""
    return math.nan if any(value != value for value in values) else max(values)


def whole(value: Number) -> Number:
    """The integer next to it toward zero; NaN if it is not finite."""
    return int(value) if isinstance(value, int) or math.isfinite(value) else math.nan


def wrap(value: Number, bits: int, signed: bool) -> Number:
    """What is left of an integer in so many bits, read in two's complement if ``signed``."""
    if not isinstance(value, int):
        return math.nan
    kept = value & (1 << bits) - 1
    return kept - (1 << bits) if signed and kept >> bits - 1 else kept


def root(value: Number) -> float:
    """The square root; NaN of what is negative."""
    return math.nan if value < 0 else math.sqrt(real(value))


def undefined(value: Number) -> bool:
    """Whether it is NaN."""
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
}
"""By the operator of a quantity: what computes it."""

NAMES = {function.__name__: function for function in (*OPERATIONS.values(), number, undefined, is_minus_zero)}
"""What the Python form of a rule may call, by name, beside ``math``."""
