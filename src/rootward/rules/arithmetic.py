"""Arithmetic that never raises: what a quantity computes, and what the Python form of a rule calls.

Integers are exact, floats are IEEE doubles. An integer that meets a float becomes the nearest double, or an infinity
beyond their range. What is not defined is NaN: a field that holds no number, a division by zero, a bit of a float.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

from rootward.plain import scalar

SHIFT = 1024
"""A shift to the left by more bits than this is not defined: no machine does it, and the result may fill the memory."""


def number(value: Any) -> Any:
    """The value if it is a number, else NaN: a bool, text or a member of an enumeration is none."""
    if type(value) is float or type(value) is int:
        return value
    value = scalar(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool | enum.Enum) else math.nan


def real(value: Any) -> float:
    """The nearest double; an infinity if it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def plus(left: Any, right: Any) -> Any:
    try:
        return left + right
    except OverflowError:
        return real(left) + real(right)


def minus(left: Any, right: Any) -> Any:
    try:
        return left - right
    except OverflowError:
        return real(left) - real(right)


def times(left: Any, right: Any) -> Any:
    try:
        return left * right
    except OverflowError:
        return real(left) * real(right)


def over(left: Any, right: Any) -> float:
    """The quotient as a double; NaN if ``right`` is zero."""
    if right == 0:
        return math.nan
    try:
        return float(left / right)
    except OverflowError:
        return real(left) / real(right)


def mod(left: Any, right: int) -> Any:
    """The remainder in 0..right, as Python's ``%`` for a positive ``right``."""
    try:
        return left % right
    except OverflowError:
        return left % real(right)


def rem(left: Any, right: Any) -> Any:
    """The remainder with the sign of ``left``, as C's ``%`` and ``fmod``; NaN if ``right`` is zero."""
    if right == 0:
        return math.nan
    if isinstance(left, int) and isinstance(right, int):
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    left, right = real(left), real(right)
    return math.nan if math.isinf(left) else math.fmod(left, right)


def both_bits(left: Any, right: Any) -> Any:
    return left & right if isinstance(left, int) and isinstance(right, int) else math.nan


def any_bits(left: Any, right: Any) -> Any:
    return left | right if isinstance(left, int) and isinstance(right, int) else math.nan


def odd_bits(left: Any, right: Any) -> Any:
    return left ^ right if isinstance(left, int) and isinstance(right, int) else math.nan


def up(left: Any, right: Any) -> Any:
    """``left << right`` of integers, for a shift within 0..SHIFT."""
    fits = isinstance(left, int) and isinstance(right, int) and 0 <= right <= SHIFT
    return left << right if fits else math.nan


def down(left: Any, right: Any) -> Any:
    """``left >> right`` of integers; copies of the sign come in from the left."""
    return left >> right if isinstance(left, int) and isinstance(right, int) and right >= 0 else math.nan


def least(*values: Any) -> Any:
    """The smallest, the first of equal ones; NaN if one is."""
    return math.nan if any(value != value for value in values) else min(values)


def most(*values: Any) -> Any:
    """The largest, the first of equal ones; NaN if one is."""
    return math.nan if any(value != value for value in values) else max(values)


def whole(value: Any) -> Any:
    """The integer next to it toward zero; NaN if it is not finite."""
    return int(value) if isinstance(value, int) or math.isfinite(value) else math.nan


def wrap(value: Any, bits: int, signed: bool) -> Any:
    """What is left of an integer in so many bits, read in two's complement if ``signed``."""
    if not isinstance(value, int):
        return math.nan
    kept = value & (1 << bits) - 1
    return kept - (1 << bits) if signed and kept >> bits - 1 else kept


def root(value: Any) -> float:
    """The square root; NaN of what is negative."""
    return math.nan if value < 0 else math.sqrt(real(value))


def undefined(value: Any) -> bool:
    """Whether it is NaN."""
    return bool(value != value)


def is_minus_zero(value: Any) -> bool:
    return value == 0 and math.copysign(1, value) < 0


OPERATIONS: dict[str, Callable[..., Any]] = {
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
