"""What a constant costs, and the cheapest one that an interval allows."""

import itertools
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.conditions.boundaries.simplicity import find_simplest, price, round_numbers
from tests.properties import examples

TINIEST, HUGEST = math.ulp(0.0), sys.float_info.max
finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.one_of(finite, st.integers(), st.integers(-(2**80), 2**80))
quick = examples(80)


def beside_a_power(number: float) -> bool:
    """Whether it costs what a power of two costs: such numbers are proposed only if a machine limit."""
    whole = int(abs(number))
    return whole == abs(number) and any(near > 2 and near & (near - 1) == 0 for near in (whole - 1, whole, whole + 1))


def between(one: float, other: float) -> tuple[float, float]:
    return min(one, other), max(one, other)


@pytest.mark.parametrize(
    ("cheap", "dear"),
    [
        (0, 1),
        (4500, 4501),
        (4500, 4510),
        (0.9, 0.91),
        (0.9, 0.90000001),
        (100, 99),
        (100, 101),
        (2**31 - 1, 2**31 - 3),
        (2**31 - 1, 2**31 - 2),
        (65535, 65534),
        (1024, 1037),
        (math.pi / 2, 1.5707),
        (1e9, 1234567890),
        (5, -5),
        (2.2250738585072014e-308, 5e-324),
        (1e-300, 1e-310),
    ],
)
def test_what_an_engineer_writes_is_cheap(cheap: float, dear: float) -> None:
    assert price(cheap) < price(dear)


@given(numbers)
@quick
def test_nothing_is_cheaper_than_zero_and_a_sign_is_not_free(number: float) -> None:
    if number == 0:
        assert price(number) == 1
    else:
        assert 1 < price(abs(number)) < price(-abs(number))


@given(st.integers(-(2**52), 2**52))
@quick
def test_the_same_number_costs_the_same_as_an_integer_and_as_a_float(number: int) -> None:
    assert price(number) == pytest.approx(price(float(number)))


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan, 10**1000, -(10**1000), TINIEST, HUGEST, 5e-310])
def test_every_number_has_a_price(number: float) -> None:
    assert 0 < price(number) < 1e5


@given(numbers, numbers, st.booleans())
@quick
def test_round_numbers_lie_in_the_interval_and_ascend(one: float, other: float, whole: bool) -> None:
    low, high = between(one, other)
    found = round_numbers(low, high, whole=whole)
    assert all(low <= number <= high for number in found)
    assert all(a < b for a, b in itertools.pairwise(found))
    if whole:
        assert all(float(number).is_integer() for number in found)
        assert set(found) >= {end for end in (low, high) if float(end).is_integer() and abs(end) < 2**1023}
    else:
        assert set(found) >= {end for end in (low, high) if abs(end) < 2**1023}


@given(numbers, numbers)
@quick
def test_the_simplest_number_is_a_member_no_dearer_than_the_ends(one: float, other: float) -> None:
    low, high = between(one, other)
    found = find_simplest(low, high)
    assert low <= found <= high
    ends = [price(end) for end in (low, high) if abs(end) < 2**1023]
    assert price(found) <= min(ends, default=math.inf)


@given(st.integers(-100_000, 100_000), st.integers(0, 400))
@examples(120)
def test_no_integer_of_a_small_interval_is_cheaper(low: int, width: int) -> None:
    found = find_simplest(low, low + width, whole=True)
    assert found == int(found)
    others = [number for number in range(low, low + width + 1) if not beside_a_power(number)]
    assert price(found) <= min(map(price, others), default=math.inf)


@given(st.integers(1, 10_000), st.integers(0, 400), st.integers(-6, 2), st.booleans())
@examples(120)
def test_no_decimal_of_a_small_interval_is_cheaper(first: int, width: int, exponent: int, negative: bool) -> None:
    """Brute force over all decimals of that length, and of one digit more or less."""
    ends = [float(f"{digits}e{exponent}") for digits in (first, first + width)]
    low, high = between(*(-end if negative else end for end in ends))
    others = [
        float(f"{'-' * negative}{digits}e{power}")
        for power, bottom, top in (
            (exponent, first, first + width),
            (exponent - 1, 10 * first, 10 * (first + width)),
            (exponent + 1, first // 10, (first + width) // 10),
            (exponent + 2, first // 100, (first + width) // 100),
        )
        for digits in range(bottom, top + 1)
    ]
    assert price(find_simplest(low, high)) <= min(
        (price(one) for one in others if low <= one <= high and not beside_a_power(one)), default=math.inf
    )


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (4500, 4501, 4500),
        (4499.2, 4500.7, 4500),
        (-3, 8, 0),
        (0.8731, 0.9114, 0.9),
        (2147483646.5, 2147483647.5, 2**31 - 1),
        (2**63 - 2, 2**63 + 40, 2**63 - 1),
        (1.57079632, 1.5707964, math.pi / 2),
        (-1.5707964, -1.57079632, -math.pi / 2),
        (1e-7, 1.4e-7, 1e-7),
        (-253, -249, -250),
        (9.8, 9.8, 9.8),
    ],
)
def test_the_simplest_number(low: float, high: float, expected: float) -> None:
    assert find_simplest(low, high) == expected


EXTREME = [-math.inf, -HUGEST, -(2**64), -1, -1e-300, -TINIEST, 0, TINIEST, 5e-310, 1e-300, 1, 2**200, HUGEST, math.inf]


@pytest.mark.parametrize("ends", list(itertools.combinations(EXTREME, 2)))
def test_extreme_ends_are_no_trouble(ends: tuple[float, float]) -> None:
    low, high = ends
    assert low <= find_simplest(low, high) <= high
    if low <= 0 <= high:
        assert find_simplest(low, high) == 0
    if math.isfinite(low) and math.isfinite(high):
        wide = round_numbers(math.ceil(low), math.floor(high), whole=True) if math.ceil(low) <= math.floor(high) else ()
        assert all(low <= number <= high for number in wide)


@pytest.mark.parametrize("power", [65, 128, 512, 900])
def test_integers_beyond_the_machine_are_exact(power: int) -> None:
    size = 2**power
    for low, high in [(size - 1, size), (size, size + 1), (-size - 1, -size)]:
        assert abs(find_simplest(low, high, whole=True)) == size
