"""Constants as an engineer would write them: ``2**31 - 1``, ``-2**63``, ``pi / 2``, ``1e6``, ``0.1f``.

A text never says another number than the one that is meant: ``pi / 2`` is the double nearest to it, and ``0.1f`` is C's
way to write the float of 32 bits nearest to 0.1, which as a double is 0.10000000149011612.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rootward import values

POWER = 16
"""From two to this power on, powers of two and their neighbours are written as such."""
TENS = 7
"""From ten to this power on, integers that are powers of ten are."""
GAIN = 3
"""A form must save so many characters to be preferred to the plain decimal."""
BINARY = 7
"""From two to this power on, a power of two is as round as a number of two digits; so is a machine integer's limit."""
_LIMITS = frozenset(2**power - 1 for power in (7, 8, 15, 16, 31, 32, 63, 64))
_TURNS = [(top, bottom) for bottom in (1, 2, 3, 4, 6, 8, 180) for top in (1, 2, 3, 4, 5)]


def number_text(value: Any) -> str:
    """All its digits."""
    # Python refuses to write very long integers in decimal.
    return hex(value) if isinstance(value, int) and value.bit_length() > 4096 else repr(value)


def digits(value: int) -> int:
    """How round an integer is: so many digits stand before its last zeros, none if it is zero."""
    size = abs(value)
    power = size.bit_length() - 1
    if power > 4096 or (power >= BINARY and size == 1 << power) or size in _LIMITS:
        return 2
    return len(str(size).strip("0"))


def number_source(value: Any) -> str:
    """A number as Python reads it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    return number_text(value)


def constant_text(value: Any) -> str:
    """A number that is compared with or computed with; NaN and infinities by name."""
    if isinstance(value, int):
        return _integer_text(int(value))
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return _angle_text(value) or _float_text(value)


def _integer_text(value: int) -> str:
    size, sign = abs(value), "-" if value < 0 else ""
    power = (size + 1).bit_length() - 1
    if power >= POWER:
        for beside in (0, 1, -1):
            if size == 2**power + beside:
                return f"{sign}2**{power}" + ("" if not beside else f" {'+-'[(beside > 0) == (value < 0)]} 1")
    digits = len(str(size)) - 1 if size.bit_length() <= 4096 else 0
    if digits >= TENS and size == 10**digits:
        return f"{sign}10**{digits}"
    return number_text(value)


def _angle_text(value: float) -> str:
    for width, name in ((64, "pi"), (32, "float32(pi)")):
        for top, bottom in _TURNS:
            if math.gcd(top, bottom) == 1 and abs(value) == values.narrow(math.pi * top / bottom, width):
                turn = "pi" if top == 1 else f"{top} * pi"
                turn = turn if bottom == 1 else f"{turn} / {bottom}"
                return ("-" if value < 0 else "") + (turn if name == "pi" else f"float32({turn})")
    return ""


def _float_text(value: float) -> str:
    """The shortest of the decimal forms of a double and of a float of 32 bits, if it is one."""
    size, sign = abs(value), "-" if value < 0 else ""
    if size >= 2**POWER and size == 2.0 ** (power := math.frexp(size)[1] - 1):
        return f"{sign}2.0**{power}"
    forms = [_scientific(value)] if size >= 1e5 else []
    if values.narrow(value, 32) == value:
        forms.append(_single(value) + "f")
    shortest = min(forms, key=len, default=repr(value))
    return shortest if len(shortest) + GAIN <= len(repr(value)) else repr(value)


def _scientific(value: float) -> str:
    """``1e6`` for 1000000.0; with as many digits as ``repr`` has."""
    exact = Fraction(repr(value))
    for digits in range(17):
        text = f"{value:.{digits}e}"
        if Fraction(text) == exact:
            mantissa, power = text.split("e")
            return f"{mantissa}e{int(power)}"
    return repr(value)


def _single(value: float) -> str:
    """The shortest decimal that reads as this float of 32 bits."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if values.narrow(float(text), 32) == value:
            return repr(float(text))
    return repr(value)


def doubles_around(constant: Any) -> tuple[float, float]:
    """The largest double at most and the smallest at least the constant."""
    try:
        near = float(constant)
    except OverflowError:
        near = math.inf if constant > 0 else -math.inf
    if near == constant:
        return near, near
    beside = math.nextafter(near, math.inf if near < constant else -math.inf)
    return (near, beside) if near < constant else (beside, near)
