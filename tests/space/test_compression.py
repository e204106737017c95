"""The compressed axis: monotone, invertible within its stated bounds, the same for one number and for many."""

import math
import struct
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rootward.space.compression import MAX_PLACE, compress, compress_many, decompress, decompress_many

MAX = sys.float_info.max
finite = st.floats(allow_nan=False, allow_infinity=False)
places = st.floats(-MAX_PLACE, MAX_PLACE)
spread = st.builds(math.ldexp, st.floats(-1, 1), st.integers(-1070, 1023))  # every magnitude equally likely


def bits(values):
    return [struct.pack(">d", value) for value in values]


@pytest.mark.parametrize(
    ("value", "place"),
    [(0, 0), (0.5, 0.5), (1, 1), (2, 2), (3, 2.5), (4, 3), (-8, -4), (2**31, 32), (MAX, MAX_PLACE), (5e-324, 5e-324)],
)
def test_places_of_some_numbers(value, place):
    assert compress(value) == place


@given(finite | spread, finite | spread)
def test_monotone(one, other):
    low, high = sorted((one, other))
    assert compress(low) <= compress(high)


@given(places, places)
def test_back_is_monotone(one, other):
    low, high = sorted((one, other))
    assert decompress(low) <= decompress(high)


@given(finite | spread)
def test_there_and_back_within_the_bound(value):
    back = decompress(compress(value))
    assert abs(back - value) <= abs(value) * 2.0**-43
    assert math.copysign(1, back) == math.copysign(1, value)


def test_the_bound_is_tight():
    values = [math.ldexp(1 + k * 2.0**-52, 1000) for k in range(2**9)]
    assert max(abs(decompress(compress(value)) / value - 1) for value in values) > 2.0**-45


@given(st.floats(-2, 2) | st.floats(width=32, allow_nan=False) | st.integers(-(2**48), 2**48).map(float))
@example(2.0**48 - 1)
def test_there_and_back_is_exact_where_it_says_so(value):
    assert bits([decompress(compress(value))]) == bits([value])


@given(places)
@example(MAX_PLACE)
@example(math.nextafter(MAX_PLACE, 0))
def test_back_and_there_is_exact(place):
    assert bits([compress(decompress(place))]) == bits([place])


@given(finite | spread)
def test_odd_and_close_to_the_logarithm(value):
    assert compress(-value) == -compress(value)
    if abs(value) >= 1:
        assert -1e-9 < 1 + math.log2(abs(value)) - abs(compress(value)) < 0.0861


@pytest.mark.parametrize("special", [math.nan, math.inf, -math.inf])
def test_special_values_pass_unchanged(special):
    for change in (compress, decompress):
        assert change(special) == special or (math.isnan(special) and math.isnan(change(special)))


def test_beyond_the_axis_lies_the_largest_float():
    assert (decompress(2000.0), decompress(-1e300)) == (MAX, -MAX)


@given(st.lists(st.floats() | spread | places, max_size=20))
def test_arrays_bit_for_bit(values):
    assert bits(compress_many(values)) == bits(map(compress, values))
    assert bits(decompress_many(values)) == bits(map(decompress, values))


def test_arrays_of_any_shape_and_of_integers():
    values = np.array([[0, 1], [2**62 + 1, -(2**62)]])
    assert compress_many(values).shape == (2, 2)
    assert compress_many(values)[1].tolist() == [compress(float(2**62 + 1)), -63.0]
