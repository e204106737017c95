"""Dictionaries of exceptional values: the values to try if not all can be tried.

Faults hide where representations change: at the limits of integer widths, around zero, at NaN, where floats cease to
represent all integers, at the ends of a range. A dictionary is short (every value costs trials), ascending (NaN last),
free of duplicates, and within its domain, whose ends and quarters it always contains.

This file also has the functions that enumerate the floats of a width: ``narrow``, ``largest``, ``ordinal``,
``at_ordinal``.
"""

from __future__ import annotations

import enum
import math
import struct
import sys
from collections.abc import Iterable
from functools import lru_cache

MAX_LISTED_INTEGERS = 32
"""Up to this number of integers, the dictionary of a domain is all of them: that costs no more than a selection."""


@lru_cache(maxsize=4096)
def integers(lo: int, hi: int) -> tuple[int, ...]:
    """Return the exceptional integers in ``lo..hi``.

    If the range has at most MAX_LISTED_INTEGERS integers, all of them are returned.
    """
    if hi - lo < MAX_LISTED_INTEGERS:
        return tuple(range(lo, hi + 1))
    own = {lo, lo + 1, hi - 1, hi, lo // 2, hi // 2, *(lo + (hi - lo) * part // 4 for part in (1, 2, 3))}
    return tuple(sorted(value for value in _INTEGERS | own if lo <= value <= hi))


_BITS = [1, 2, 4, 8, 16, 32, 64, 512, 1024, 2048, 4096]
_TENS = [10, 100, 1000, 10**4, 10**5, 10**6, 10**9, 10**12, 10**18]
_WIDTHS = [2**power + beside for power in (7, 8, 15, 16, 31, 32, 53, 63) for beside in (-1, 0, 1)]
_SIGNED = [-(2**power) + beside for power in (7, 15, 31, 53, 63) for beside in (-1, 0, 1)]
_INTEGERS = frozenset([0, *_BITS, *_TENS, *_WIDTHS, -1, -2, -10, -100, -1000, -(10**6), *_SIGNED])


@lru_cache(maxsize=4096)
def floats(lo: float | None, hi: float | None, bits: int) -> tuple[float, ...]:
    """Return the exceptional floats with ``bits`` bits in ``lo..hi``. NaN is included only if there is no bound.

    Every result is exact in a float of that width. ``lo`` and ``hi`` must be exact in it, too.
    """
    bottom, top = -math.inf if lo is None else lo, math.inf if hi is None else hi
    fitting = [value for value in (*_wide(bits), *_own(bottom, top, bits)) if bottom <= value <= top]
    return (*_distinct(fitting), *([math.nan] if lo is None and hi is None else []))


def _distinct(values: Iterable[float]) -> list[float]:
    """Return the values without duplicates, ascending, -0.0 before 0.0."""
    return sorted({order(value): value for value in values}.values(), key=order)


def order(value: float) -> tuple[bool, float, float]:
    """Return a sort key that orders all floats totally.

    With ``<`` alone, NaN would have no place, and -0.0 and 0.0 would be equal.
    """
    return (True, 0.0, 0.0) if math.isnan(value) else (False, value, math.copysign(1, value))


def narrow(value: float, bits: int) -> float:
    """Return the nearest float with ``bits`` bits. It is an infinity if the value is too large for that width."""
    if bits == 64 or not math.isfinite(value):
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def largest(bits: int) -> float:
    """Return the largest finite float of that width."""
    return sys.float_info.max if bits == 64 else math.ldexp(2 - 2.0**-23, 127)


def ordinal(value: float, bits: int) -> int:
    """Return the rank of ``value`` among the floats of that width in ascending order: -0.0 is -1, 0.0 is 0."""
    real, whole = _LAYOUT[bits]
    rank: int = struct.unpack(whole, struct.pack(real, abs(value)))[0]
    return rank if math.copysign(1, value) > 0 else -1 - rank


def at_ordinal(rank: int, bits: int) -> float:
    """Return the float with this rank: the inverse of ``ordinal``."""
    real, whole = _LAYOUT[bits]
    size: float = struct.unpack(real, struct.pack(whole, rank if rank >= 0 else -1 - rank))[0]
    return math.copysign(size, rank + 0.5)


_LAYOUT = {32: ("<f", "<I"), 64: ("<d", "<Q")}


@lru_cache(maxsize=2)
def _wide(bits: int) -> list[float]:
    """Return the exceptional values of the whole range of floats with ``bits`` bits, without NaN."""
    digits, lowest = (52, -1022) if bits == 64 else (23, -126)
    epsilon, normal, subnormal = 2.0**-digits, math.ldexp(1, lowest), math.ldexp(1, lowest - digits)
    fine = [0.0, subnormal, normal - subnormal, normal, epsilon, 1 - epsilon / 2, 1.0, 1 + epsilon, largest(bits)]
    beside = [at_ordinal(ordinal(2.0**power, bits) + step, bits) for power in _POWERS for step in (-1, 0, 1)]
    coarse = [narrow(value, bits) for value in (*_POSITIVE, *_NEGATIVE)]
    mirrored = [-value for value in (0.0, subnormal, normal, epsilon, 1.0, 2.0 ** (digits + 1), largest(bits))]
    return _distinct([*fine, *beside, *coarse, *mirrored, math.inf, -math.inf])


_POWERS = [24, 31, 32, 53, 63]  # where floats cease to represent all integers, and where casts to integers overflow
_SMALL_FLOATS = [1e-300, 1e-100, 1e-38, 1e-30, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.1]
_LARGE_FLOATS = [10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e9, 1e12, 1e15, 1e18, 1e30, 1e38, 1e100, 1e300, 1e308]
_ANGLES = [math.pi / 2, math.pi, 2 * math.pi, 90.0, 180.0, 360.0]
_WHOLE = [127.0, 128.0, 255.0, 256.0, 1024.0, 32767.0, 32768.0, 65535.0, 65536.0]
_EDGES = [*_WHOLE, 2.0**24 + 1, 2.0**31 - 1, 2.0**32 - 1]
_POSITIVE = [0.5, 2.0, math.e, *_SMALL_FLOATS, *_LARGE_FLOATS, *_ANGLES, *_EDGES]
_NEGATIVE = [-0.5, -2.0, -1e-6, -1e-3, -10.0, -100.0, -1e3, -1e6, -math.pi, -90.0, -180.0, -32769.0, -(2.0**31) - 1]


def _own(bottom: float, top: float, bits: int) -> list[float]:
    """Return the exceptional values of the range ``bottom..top``.

    These are its finite ends, their inner neighbours and, if both ends are finite, its quarters.
    """
    ends = [(end, step) for end, step in ((bottom, 1), (top, -1)) if math.isfinite(end)]
    found = [at_ordinal(ordinal(end, bits) + beside, bits) for end, step in ends for beside in (0, step)]
    if len(ends) == 2:
        found += [narrow(bottom * (1 - part) + top * part, bits) for part in (0.25, 0.5, 0.75)]
    return found


def outside_of(members: type[enum.Enum]) -> tuple[int, ...]:
    """Return integers that a system expecting this integer enumeration should reject.

    These are the integers just below and just above its members, -1 and 255, unless they are members.
    """
    codes = {member.value for member in members}
    return tuple(code for code in sorted({min(codes) - 1, max(codes) + 1, -1, 255}) if code not in codes)


TEXTS: tuple[str, ...] = (
    *("", " ", "a", "A", "0", "1", "-1", "0.1", "1e309", "9" * 40),
    *("NaN", "Infinity", "null", "None", "true", "undefined"),
    *("\0", "\n", "\r\n", "\t", "\x1b[31m", " a ", "a\n\nb\n", "a,b;c"),
    *("%s%n", "{}", "{0}", "${HOME}", "$(id)", "`id`", "../../etc/passwd", "C:\\", "--help", "#"),
    *("'", '"', "\\", "' OR '1'='1", "<b>&amp;</b>", "]]>"),
    *("\ufeff", "\u202e", "\u00e9", "e\u0301", "\u0130", "\U0001f600", "\udcff"),  # the last: a byte that is not UTF-8
    *("a" * length for length in (255, 256, 1024, 65535, 65536)),
)
"""Texts that parsers, formatters, shells, databases and web pages often handle wrongly."""
