"""The dictionaries: they hold what they promise, nothing twice, and nothing outside the domain."""

import enum
import math
import struct
import sys

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rootward.space.exceptional_values import (
    MAX_LISTED_INTEGERS,
    TEXTS,
    at_ordinal,
    floats,
    integers,
    largest,
    narrow,
    order,
    ordinal,
    outside_of,
)
from rootward.space.keys import canonical

int64 = st.integers(-(2**63), 2**64 - 1)
width = st.sampled_from([32, 64])
INTEGER_RANGES = [
    (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    for bits in (8, 16, 32, 64)
    for signed in (True, False)
]


def keys(values):
    return {canonical(value) for value in values}


def within(value, lo, hi):
    return (lo is None or value >= lo) and (hi is None or value <= hi)


@given(int64, int64)
@example(0, MAX_LISTED_INTEGERS - 1)
@example(0, MAX_LISTED_INTEGERS)
def test_integers_are_distinct_ascending_and_within(one, other):
    lo, hi = sorted((one, other))
    found = integers(lo, hi)
    assert list(found) == sorted(set(found))
    assert (found[0], found[-1]) == (lo, hi)
    assert all(type(value) is int for value in found)
    assert {value for value in (0, 1, -1, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**53) if lo <= value <= hi} <= set(
        found
    )
    assert len(found) <= 75


@given(int64, st.integers(0, MAX_LISTED_INTEGERS - 1))
@example(0, MAX_LISTED_INTEGERS - 1)
def test_few_integers_are_all_tried(lo, more):
    assert integers(lo, lo + more) == tuple(range(lo, lo + more + 1))


@pytest.mark.parametrize(("lo", "hi"), INTEGER_RANGES)
def test_the_edges_of_every_width_are_there(lo, hi):
    edges = {edge for low, high in INTEGER_RANGES for edge in (low - 1, low, high, high + 1)}
    own = {lo, lo + 1, hi - 1, hi, hi // 2, lo // 2}
    assert set(integers(lo, hi)) >= {edge for edge in edges | own if lo <= edge <= hi}


@pytest.mark.parametrize(("lo", "hi"), INTEGER_RANGES)
def test_round_numbers_in_both_bases_are_there(lo, hi):
    bits = [2**power for power in range(13)]
    tens = [10**power for power in (0, 1, 2, 3, 4, 5, 6, 9, 12, 18)]
    widths = [2**power + beside for power in (7, 8, 15, 16, 31, 32, 53) for beside in (-1, 0, 1)]
    signed = [-(2**power) + beside for power in (7, 15, 31, 53) for beside in (-1, 0, 1)]
    negative = [-1, -10, -100, -1000, -(10**6)]
    assert set(integers(lo, hi)) >= {n for n in [*bits, *tens, *widths, *signed, *negative] if lo <= n <= hi}


def test_a_dictionary_is_a_selection():
    assert [len(integers(lo, hi)) for lo, hi in INTEGER_RANGES] == [21, 17, 37, 29, 50, 38, 67, 49]
    assert [len(floats(None, None, bits)) for bits in (32, 64)] == [86, 94]


@given(width, st.none() | st.floats(allow_nan=False), st.none() | st.floats(allow_nan=False))
@example(64, 0.0, None)
@example(32, 0.0, 0.0)
@example(64, -0.0, 1.0)
@example(64, None, None)
@example(32, -math.inf, math.inf)
def test_floats_are_distinct_ascending_exact_and_within(bits, lo, hi):
    lo, hi = (None if end is None else narrow(end, bits) for end in (lo, hi))
    assume(lo is None or hi is None or lo <= hi)
    found = floats(lo, hi, bits)
    assert len(keys(found)) == len(found) <= 105
    assert list(found) == sorted(found, key=order)
    assert all(type(value) is float for value in found)
    assert keys(found) == keys(narrow(value, bits) for value in found)
    assert all(math.isnan(value) or within(value, lo, hi) for value in found)
    assert any(map(math.isnan, found)) == (lo is None and hi is None)
    assert all(end in found for end in (lo, hi) if end is not None)
    assert all((end in found) == within(end, lo, hi) for end in (0.0, 1.0, math.inf, -math.inf))


@pytest.mark.parametrize(
    ("bits", "tiny", "normal", "epsilon", "most", "whole"),
    [
        (64, 5e-324, sys.float_info.min, sys.float_info.epsilon, sys.float_info.max, 2.0**53),
        (32, 2.0**-149, 2.0**-126, 2.0**-23, (2 - 2.0**-23) * 2.0**127, 2.0**24),
    ],
)
def test_the_peculiar_floats_are_there(bits, tiny, normal, epsilon, most, whole):
    found = floats(None, None, bits)
    fine = [0.0, -0.0, tiny, -tiny, normal, -normal, normal - tiny, 1 - epsilon / 2, 1 + epsilon, epsilon, most, -most]
    round_numbers = [0.5, 1.0, -1.0, 2.0, 10.0, 100.0, 1e3, 1e6, 1e9, narrow(0.1, bits), narrow(1e-6, bits)]
    edges = [127.0, 128.0, 255.0, 256.0, 65535.0, 65536.0, 2.0**31, -(2.0**31) if bits == 32 else -(2.0**31) - 1, whole]
    special = [math.nan, math.inf, -math.inf, narrow(math.pi, bits), whole - 1, whole + 2]
    assert keys(fine + round_numbers + edges + special) <= keys(found)
    assert largest(bits) == most


@pytest.mark.parametrize("bits", [32, 64])
def test_powers_of_two_have_their_neighbours_and_decades_reach_the_extremes(bits):
    rank = {power: ordinal(2.0**power, bits) for power in (24, 31, 32, 53, 63)}
    beside = [at_ordinal(place + step, bits) for place in rank.values() for step in (-1, 0, 1)]
    reach = (300, 308) if bits == 64 else ()
    decades = [narrow(10.0**power, bits) for power in (-38, -30, -12, -9, -3, 4, 5, 12, 18, 30, 38, *reach)]
    assert keys(beside + decades) <= keys(floats(None, None, bits))


@given(width, st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_ordinals_count_floats_in_order(bits, one, other):
    one, other = sorted((narrow(one, bits), narrow(other, bits)), key=order)
    assert ordinal(one, bits) <= ordinal(other, bits)
    assert canonical(at_ordinal(ordinal(one, bits), bits)) == canonical(one)
    if bits == 64 and 0 != one < math.inf:
        assert at_ordinal(ordinal(one, bits) + 1, bits) == math.nextafter(one, math.inf)


def test_the_two_zeros_are_neighbours():
    assert [ordinal(value, 64) for value in (-5e-324, -0.0, 0.0, 5e-324)] == [-2, -1, 0, 1]


@given(st.floats())
def test_narrow_is_what_a_float32_holds(value):
    narrowed = narrow(value, 32)
    assert canonical(narrow(narrowed, 32)) == canonical(narrowed)
    if math.isfinite(narrowed):
        assert struct.unpack("f", struct.pack("f", value))[0] == narrowed
    assert canonical(narrow(value, 64)) == canonical(value)


def test_texts():
    assert len(set(TEXTS)) == len(TEXTS)
    assert {"", " ", "0", "-1", "NaN", "null", "\0", "\ufeff", "\u202e", "\udcff", "{}", "1e309", "9" * 40} <= set(
        TEXTS
    )
    assert {255, 256, 1024, 65535, 65536} <= set(map(len, TEXTS))


def test_outside_of_an_enumeration():
    gear = enum.IntEnum("gear", {"P": 0, "R": 1, "D": 5})
    wide = enum.IntEnum("wide", {"LOW": -1, "HIGH": 255})
    assert outside_of(gear) == (-1, 6, 255)
    assert outside_of(wide) == (-2, 256)
