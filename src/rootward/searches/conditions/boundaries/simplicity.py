"""The simplicity of numbers: a prior over the constants that code contains.

A threshold in code is rarely an arbitrary number: it is 0, 4500, 0.9, 2**31 - 1 or pi / 2. The *price* of a constant is
the number of bits of the notation that an engineer would use. A price of n bits means a prior probability of about
2**-n, so prices can be added to those of formulas and compared with evidence (cut.py).

Runs only bound a constant from both sides. ``find_simplest`` proposes the cheapest number between the bounds;
``round_numbers`` lists the cheap candidates, so that bisection can try them first (sharpen.py). Both look only at
numbers with few digits and at famous ones, never at every number, so they are fast for any interval.

To make a constant cheaper, add it to ``_SIZES`` with its bits.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64]]
Number = int | float
_SMALLEST_NORMAL = sys.float_info.min
"""The smallest double that has full precision."""
_SMALLEST_SUBNORMAL = math.ulp(0.0)
"""The smallest positive double, the neighbour of zero: a boundary at zero ends there."""
_SUBNORMAL_BITS = 120.0
"""Price of subnormal numbers, except the smallest: they look simple (``2e-322``) only because they have few digits
left."""
_POWERS = [8, 15, 16, 24, 31, 32, 48, 53, 62, 63, 64]
_LIMITS = [(1 << power) + beside for power in _POWERS for beside in (-1, 0, 1)]
_ANGLES = [math.pi * factor for factor in (1 / 6, 1 / 4, 1 / 3, 1 / 2, 1, 3 / 2, 2)]
_SIZES = {
    **{float(size): 8.0 for size in _LIMITS},
    **dict.fromkeys(_ANGLES, 8.0),
    **{float(1 << power): 5.0 + math.log2(power + 1) for power in range(3, 64)},
    math.e: 10.0,
    math.sqrt(2): 10.0,
    9.81: 9.0,
    9.80665: 12.0,
    _SMALLEST_NORMAL: 12.0,
}
_FAMOUS: dict[float, float] = {size * sign: bits for size, bits in _SIZES.items() for sign in (1, -1)}
_SORTED = sorted(_FAMOUS)
_SORTED_ARRAY = np.array(_SORTED)
_LEAST_FAMOUS_BITS = min(_SIZES.values())
_LONGEST_BITS = 100.0
"""Price of a number with all digits of a double."""
_EXACT = sorted(size * sign for size in _LIMITS for sign in (1, -1))
_EXACT_SET = frozenset(_EXACT)


@lru_cache(maxsize=1 << 16)
def price(number: Number) -> float:
    """Return the number of bits that it takes to write the number down."""
    if number == 0:
        return 1.0
    if isinstance(number, int) and number.bit_length() > 1000:
        return float(number.bit_length())
    if not math.isfinite(number):
        return 6.0
    sign = number < 0
    size = abs(number)
    best = _decimal(size) if size >= _SMALLEST_NORMAL or size == _SMALLEST_SUBNORMAL else _SUBNORMAL_BITS
    if number in _EXACT_SET:
        best = min(best, 8.0)
    if (famous := _FAMOUS.get(float(number))) is not None and float(number) == number:
        best = min(best, famous)
    if isinstance(size, int) or size.is_integer():
        whole = int(size)
        for beside in (-1, 0, 1):
            near = whole - beside
            if near > 2 and near & (near - 1) == 0:
                best = min(best, 5 + abs(beside) + math.log2(near.bit_length()))
    return best + sign


def _decimal(size: Number) -> float:
    digits, exponent = _digits(size)
    if exponent > 0:
        alone = 2 * math.log2(digits) + 2 * math.log2(exponent + 1)
    else:
        alone = 2 * math.log2(digits) + 1.5 * math.log2(1 - exponent)
    return 2.0 + alone


def _digits(size: Number) -> tuple[int, int]:
    """Return (m, e) with size = m * 10**e and m as short as possible."""
    if isinstance(size, float):
        mantissa, _, power = repr(size).partition("e")
        whole, _, part = mantissa.partition(".")
        number, exponent = int(whole + part), int(power or 0) - len(part)
    else:
        number, exponent = size, 0
    while number % 10 == 0:
        number, exponent = number // 10, exponent + 1
    return number, exponent


@lru_cache(maxsize=1 << 16, typed=True)
def find_simplest(low: Number, high: Number, *, whole: bool = False) -> Number:
    """Return the cheapest number in ``low..high``, ends included. With ``whole``, only integers are considered."""
    return min(round_numbers(low, high, whole=whole), key=lambda number: (price(number), abs(number)), default=low)


def estimate_prices(lows: Numbers, highs: Numbers) -> Numbers:
    """Return about the price of the cheapest number in each interval ``low..high``, for many intervals at once.

    It is the shortest decimal, or the price of a famous number if there is one, whichever is cheaper.
    """
    same_sign = (lows > 0) | (highs < 0)
    bottom = np.where(same_sign, np.minimum(np.abs(lows), np.abs(highs)), 1.0)
    top = np.where(same_sign, np.maximum(np.abs(lows), np.abs(highs)), 1.0)
    bottom, top = np.clip(bottom, 1e-290, 1e290), np.clip(top, 1e-290, 1e290)
    exponents = np.floor(np.log10(top))
    found = np.full(len(lows), _LONGEST_BITS)
    for place in range(17):
        step = 10.0 ** (exponents - place)
        digits = np.ceil(bottom / step * (1 - 1e-15))
        size = exponents - place
        scale = np.where(size > 0, 2 * np.log2(np.abs(size) + 1), 1.5 * np.log2(np.abs(size) + 1))
        cost = np.where(digits * step <= top * (1 + 1e-15), 2 + 2 * np.log2(np.maximum(digits, 1)) + scale, math.inf)
        done = found < _LONGEST_BITS
        found = np.where(done, found, np.minimum(found, cost))
        if done.all():
            break
    famous = np.searchsorted(_SORTED_ARRAY, lows, "left") < np.searchsorted(_SORTED_ARRAY, highs, "right")
    found = np.where(famous, np.minimum(found, _LEAST_FAMOUS_BITS), found)
    return np.where(same_sign, found + (highs < 0), 1.0)


def has_simple_number(low: float, high: float, bits: float) -> bool:
    """Return True if ``low..high``, which is narrow compared to its distance from zero, holds a cheaper number."""
    if bisect_left(_SORTED, low) < bisect_right(_SORTED, high):
        return price(find_simplest(low, high)) < bits
    digits = max(1, math.ceil(bits / (2 * math.log2(10))))  # a longer decimal costs more
    near = float(f"{low / 2 + high / 2:.{digits}g}") if math.isfinite(high - low) else math.inf
    return low <= near <= high and price(near) < bits


@lru_cache(maxsize=1 << 14, typed=True)
def round_numbers(low: Number, high: Number, *, whole: bool = False, count: int = 24) -> tuple[Number, ...]:
    """Return the cheap numbers in ``low..high``: zero, famous ones, those with the fewest digits, and both ends."""
    found: set[Number] = {end for end in (low, high) if not whole or isinstance(end, int) or end.is_integer()}
    if low <= 0 <= high:
        found.add(0)
    found.update(_list_famous(low, high, whole))
    for sign, bottom, top in _split_by_sign(low, high):
        found.update(sign * size for size in _list_decimals(bottom, top, whole, count))
    return tuple(sorted(number for number in found if low <= number <= high and abs(number) < 2**1023))


def _list_famous(low: Number, high: Number, whole: bool) -> Iterator[Number]:
    yield from _EXACT[bisect_left(_EXACT, low) : bisect_right(_EXACT, high)]
    for size in _SORTED[bisect_left(_SORTED, low) : bisect_right(_SORTED, high)]:
        if not whole:
            yield size
        elif size.is_integer():
            yield int(size)


def _split_by_sign(low: Number, high: Number) -> Iterator[tuple[int, Number, Number]]:
    """Yield the parts of the interval on either side of zero, as (sign, smallest size, largest size)."""
    if high > 0:
        yield 1, max(low, 0), high
    if low < 0:
        yield -1, max(-high, 0), -low


def _list_decimals(bottom: Number, top: Number, whole: bool, count: int) -> Iterator[Number]:
    """Yield sizes in ``bottom..top`` with few digits."""
    least = 1 if whole else 1e-9
    high = min(top, 1e18) if bottom < 1e17 else min(top, 1.7e308)
    low = max(bottom, least)
    if low > high:
        low = high if bottom <= high else bottom
    first, last = math.floor(math.log10(low)), math.floor(math.log10(high)) if high > 0 else 0
    if last - first <= 1:
        yield from _list_fine_decimals(low, high, last, whole, count)
        return
    for exponent in range(first, last + 1):
        for digit in range(1, 10) if last - first <= 4 else (1, 2, 5):
            yield _scale(digit, exponent)
    yield from _list_fine_decimals(low, _scale(1, first + 1), first, whole, count)
    yield from _list_fine_decimals(_scale(1, last), high, last, whole, count)


def _list_fine_decimals(bottom: Number, top: Number, exponent: int, whole: bool, count: int) -> Iterator[Number]:
    """Yield sizes of one magnitude: first those with the fewest digits, then those with one digit more."""
    levels = 0
    while levels < 2 and exponent >= (0 if whole else -320):
        first, last = _multiples(bottom, top, exponent)
        if last - first > 1e6:
            return
        found = [
            value for m in range(first, min(last, first + count) + 1) if bottom <= (value := _scale(m, exponent)) <= top
        ]
        yield from found
        levels += bool(found) + (len(found) > 8)
        exponent -= 1


def _scale(digits: int, exponent: int) -> Number:
    return digits * 10**exponent if exponent >= 0 else float(f"{digits}e{exponent}")


def _multiples(bottom: Number, top: Number, exponent: int) -> tuple[int, int]:
    if exponent >= 0:
        step = 10**exponent
        return -(-math.ceil(bottom) // step), math.floor(top) // step
    scale = float(f"1e{-exponent}") if exponent > -308 else 1e308
    return math.ceil(min(bottom * scale, 1e18) - 1e-9), math.floor(min(top * scale, 1e18) + 1e-9)


def verdict_bits(fails: int, count: int) -> float:
    """Return the bits of so many verdicts, if nothing is known about them but how many fail."""
    shares = [share for share in (fails / count, 1 - fails / count) if share]
    return -count * sum(share * math.log2(share) for share in shares)
