"""Constants: the values that a rule compares with; when two are the same, how they are ordered, and how they are
written.

An engineer reads ``x = 0`` like ``x == 0`` in code, but in Python ``True == 1``, and NaN does not equal itself. Here
a bool is not a number, 1 is 1.0, and NaN is NaN; ``= 0`` holds for both zeros and ``= -0.0`` only for the negative one.

A number is written as an engineer would write it: ``2**31 - 1``, ``-2**63``, ``pi / 2``, ``1e6``, ``0.1f``. The text
always denotes exactly the number that is compared with: ``pi / 2`` is the double nearest to it, and ``0.1f`` is, as in
C, the 32-bit float nearest to 0.1, which as a double is 0.10000000149011612.
"""

from __future__ import annotations

import enum
import json
import math
from fractions import Fraction
from typing import Any

from rootward.space.exceptional_values import narrow
from rootward.space.keys import canonical

MIN_POWER_OF_TWO = 16  # from 2**16 on, powers of two and their neighbours are written as such
MIN_POWER_OF_TEN = 7  # from 10**7 on, integers that are powers of ten are written as such
MIN_GAIN = 3  # number of characters that another form must save to be used instead of the plain decimal
_TURNS = [(top, bottom) for bottom in (1, 2, 3, 4, 6, 8, 180) for top in (1, 2, 3, 4, 5)]

NUMBER_NAMES = frozenset(["nan", "inf", "infinity"])
"""Words that stand for numbers in the text of a rule."""
RESERVED = NUMBER_NAMES | {"true", "false", "none", "null", "and", "or", "not", "in", "is", "always", "never"}
"""Words with a meaning in the text of a rule; as values they are quoted, and as names where they could be mistaken."""

_KINDS = {bool: "bool", int: "number", float: "number", str: "text"}


def kind(value: object) -> str:
    """Return ``bool``, ``number``, ``text`` or ``other``. Only values of the same kind can be equal or ordered."""
    if found := _KINDS.get(type(value)):
        return found
    if isinstance(value, enum.Enum):
        return "other"
    return next((name for base, name in _KINDS.items() if isinstance(value, base)), "other")


def is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def is_negative_zero(value: object) -> bool:
    return isinstance(value, float) and value == 0 and math.copysign(1, value) < 0


def same(value: object, constant: object) -> bool:
    """Return True if ``value = constant`` holds. Not symmetric: ``-0.0 = 0`` holds, ``0 = -0.0`` does not."""
    if (of := kind(constant)) != kind(value):
        return False
    if of == "number":
        if constant == 0:
            return value == 0 and (not is_negative_zero(constant) or is_negative_zero(value))
        return bool(value == constant) or (is_nan(constant) and is_nan(value))
    return bool(value == constant) if of != "other" else canonical(value) == canonical(constant)


def value_order(value: object) -> tuple[Any, ...]:
    """Return a sort key for values of all kinds.

    Numbers and text are in their natural order. The order is the same in every process.
    """
    encoded = canonical(value)
    match kind(value):
        case "bool":
            return 1, value, encoded
        case "number":
            return (3, 0, encoded) if is_nan(value) else (2, value, not is_negative_zero(value), encoded)
        case "text":
            return 4, value, encoded
    return (0 if value is None else 5), encoded


def doubles_around(constant: float) -> tuple[float, float]:
    """Return the largest double that is at most the constant, and the smallest that is at least the constant."""
    try:
        near = float(constant)
    except OverflowError:
        near = math.inf if constant > 0 else -math.inf
    if near == constant:
        return near, near
    beside = math.nextafter(near, math.inf if near < constant else -math.inf)
    return (near, beside) if near < constant else (beside, near)


# Writing


def quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def number_text(value: float) -> str:
    """Write a number with all its digits."""
    # Python refuses to write very long integers in decimal.
    return hex(value) if isinstance(value, int) and value.bit_length() > 4096 else repr(value)


def number_source(value: int | float) -> str:
    """Write a number as Python source."""
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    return number_text(value)


def constant_text(value: float) -> str:
    """Write a number as an engineer would. NaN and infinities are written by name."""
    if isinstance(value, int):
        return _integer_text(int(value))
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return _angle_text(value) or _float_text(value)


def _integer_text(value: int) -> str:
    size, sign = abs(value), "-" if value < 0 else ""
    power = (size + 1).bit_length() - 1
    if power >= MIN_POWER_OF_TWO:
        for beside in (0, 1, -1):
            if size == 2**power + beside:
                return f"{sign}2**{power}" + ("" if not beside else f" {'+-'[(beside > 0) == (value < 0)]} 1")
    digits = len(str(size)) - 1 if size.bit_length() <= 4096 else 0
    if digits >= MIN_POWER_OF_TEN and size == 10**digits:
        return f"{sign}10**{digits}"
    return number_text(value)


def _angle_text(value: float) -> str:
    for width, name in ((64, "pi"), (32, "float32(pi)")):
        for top, bottom in _TURNS:
            if math.gcd(top, bottom) == 1 and abs(value) == narrow(math.pi * top / bottom, width):
                turn = "pi" if top == 1 else f"{top} * pi"
                turn = turn if bottom == 1 else f"{turn} / {bottom}"
                return ("-" if value < 0 else "") + (turn if name == "pi" else f"float32({turn})")
    return ""


def _float_text(value: float) -> str:
    """Return the shortest form of a float.

    The forms are a power of two, scientific, plain decimal, and (if exact) a 32-bit float.
    """
    size, sign = abs(value), "-" if value < 0 else ""
    if size >= 2**MIN_POWER_OF_TWO and size == 2.0 ** (power := math.frexp(size)[1] - 1):
        return f"{sign}2.0**{power}"
    forms = [_scientific(value)] if size >= 1e5 else []
    if narrow(value, 32) == value:
        forms.append(_single(value) + "f")
    shortest = min(forms, key=len, default=repr(value))
    return shortest if len(shortest) + MIN_GAIN <= len(repr(value)) else repr(value)


def _scientific(value: float) -> str:
    """Return the scientific form with the same digits as ``repr``: ``1e6`` for 1000000.0."""
    exact = Fraction(repr(value))
    for digits in range(17):
        text = f"{value:.{digits}e}"
        if Fraction(text) == exact:
            mantissa, power = text.split("e")
            return f"{mantissa}e{int(power)}"
    return repr(value)


def _single(value: float) -> str:
    """Return the shortest decimal that rounds to this 32-bit float."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if narrow(float(text), 32) == value:
            return repr(float(text))
    return repr(value)
