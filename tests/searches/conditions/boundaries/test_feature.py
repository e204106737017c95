"""Formulas over fields: what they compute, and the quantities that they become."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.rules.quantity import Quantity
from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.feature import Feature
from rootward.searches.conditions.boundaries.library import Library
from tests.properties import examples

quick = examples(30)
NAMES = ["x", "y", "z"]
integers = st.integers(-(2**63), 2**63 - 1)
finite = st.floats(allow_nan=False, allow_infinity=False)
special = st.sampled_from([0.0, -0.0, 1.0, math.inf, -math.inf, math.nan, 5e-324, 1.7e308])


def wrapped(value: int, bits: int) -> int:
    return int.from_bytes((value % 2**bits).to_bytes(bits // 8, "big"), "big", signed=True)


WHOLE: dict[str, tuple[Callable[[int, int, int], Any], str]] = {
    "a": (lambda a, b, c: a, "x"),
    "abs(a)": (lambda a, b, c: abs(a), "abs(x)"),
    "a % 60": (lambda a, b, c: a - 60 * (a // 60), "x % 60"),
    "a & 16": (lambda a, b, c: 16 if a // 16 % 2 else 0, "x & 16"),
    "minus(a, 3 * b)": (lambda a, b, c: a - 3 * b, "x - 3 * y"),
    "minus(a, -3 * b)": (lambda a, b, c: a + 3 * b, "x - -3 * y"),
    "wrap(a + b, 32)": (lambda a, b, c: wrapped(a + b, 32), "int32(x + y)"),
    "wrap(a * b, 64)": (lambda a, b, c: wrapped(a * b, 64), "int64(x * y)"),
    "wrap(a - b, 8)": (lambda a, b, c: wrapped(a - b, 8), "int8(x - y)"),
    "min(a, b)": (lambda a, b, c: a if a < b else b, "min(x, y)"),
    "max(b, c)": (lambda a, b, c: b if b > c else c, "max(y, z)"),
    "a * b * c": (lambda a, b, c: a * b * c, "x * y * z"),
    "minus(a * a + b * b, c * c)": (lambda a, b, c: a**2 + b**2 - c**2, "x * x + y * y - z * z"),
    "ratio(a + b, c)": (lambda a, b, c: (a + b) / c if c else math.nan, "(x + y) / z"),
    "minus(trunc(a), trunc(b))": (lambda a, b, c: a - b, "int(x) - int(y)"),
}


def same(one: Any, other: Any) -> bool:
    return bool(one == other) or (one != one and other != other)


@pytest.mark.parametrize("formula", WHOLE)
@given(point=st.tuples(integers, integers, integers))
@quick
def test_integers_are_exact(formula: str, point: tuple[int, int, int]) -> None:
    direct, _ = WHOLE[formula]
    found = Feature(formula, (0, 1, 2), 1.0).value(point)
    assert same(found, direct(*point))
    assert found != found or "ratio" in formula or type(found) is int


@pytest.mark.parametrize("formula", WHOLE)
def test_the_text_that_a_person_reads(formula: str) -> None:
    assert str(Feature(formula, (0, 1, 2), 1.0).quantity(NAMES)) == WHOLE[formula][1]


def test_letters_stand_for_the_fields_at_the_indices() -> None:
    one = Feature("minus(a, b * c)", (2, 0, 1), 1.0)
    assert one.value((3, 5, 100)) == 85
    assert str(one.quantity(NAMES)) == "z - x * y"
    assert one.quantity(NAMES) == Quantity("-", "z", Quantity("*", "x", "y"))
    assert one.sides(NAMES) == ("z", Quantity("*", "x", "y"))
    assert one.is_difference
    assert not Feature("a - b", (0, 1), 1.0).is_difference


def test_a_field_alone_is_its_name() -> None:
    assert Feature("a", (1,), 0.0).quantity(NAMES) == "y"
    assert not isinstance(Feature("a", (1,), 0.0).quantity(NAMES), Quantity)


def test_only_a_ratio_may_have_no_value() -> None:
    assert not Feature("ratio(a, b)", (0, 1), 1.0).is_total
    assert Feature("a * b", (0, 1), 1.0).is_total


def features_of(*fields: Any) -> list[Feature]:
    library = Library([FieldAxis(i, name, field) for i, (name, field) in enumerate(zip(NAMES, fields, strict=True))])
    return [*library.list_features([(0, 1), (0, 2), (1, 2), (0, 1, 2)])]


REAL = features_of(*[rw.Float()] * 3)
MACHINE = features_of(*[rw.Int(bits=64)] * 3)
MIXED = features_of(rw.Float(), rw.Int(bits=64), rw.Float(-10.0, 10.0))


def told(feature: Feature, point: tuple[Any, ...]) -> Any:
    """What the quantity that a reader sees computes."""
    quantity, configuration = feature.quantity(NAMES), dict(zip(NAMES, point, strict=True))
    return quantity.of(configuration) if isinstance(quantity, Quantity) else configuration[quantity]


@given(st.tuples(integers, integers, integers))
@quick
def test_every_feature_of_integers_is_its_quantity(point: tuple[Any, ...]) -> None:
    for one in MACHINE:
        assert same(one.value(point), told(one, point)), one


@given(st.tuples(finite, integers, st.floats(-10, 10)))
@quick
def test_every_feature_of_mixed_fields_is_its_quantity(point: tuple[Any, ...]) -> None:
    for one in MIXED:
        assert same(one.value(point), told(one, point)), one


@given(st.tuples(*[st.one_of(finite, special)] * 3))
@examples(50)
def test_every_feature_of_floats_is_its_quantity(point: tuple[Any, ...]) -> None:
    """But two equal infinities differ by nothing, and the least and the most are for numbers."""
    for one in REAL:
        value, read = one.value(point), told(one, point)
        if not ("min" in one.formula or "max" in one.formula) or all(number == number for number in point):
            assert same(value, read) or (one.is_difference and value == 0), one


@given(st.tuples(*[st.one_of(finite, special)] * 3))
@examples(50)
def test_a_difference_tells_which_side_is_larger(point: tuple[Any, ...]) -> None:
    configuration = dict(zip(NAMES, point, strict=True))
    for one in REAL:
        if one.is_difference and not ("min" in one.formula or "max" in one.formula):
            value, sides = one.value(point), one.sides(NAMES)
            for op, holds in (("<=", value <= 0), ("<", value < 0), (">", value > 0), (">=", value >= 0)):
                assert Quantity(op, *sides).of(configuration) == holds, (one, op)


@given(st.tuples(*[st.one_of(finite, special, integers, st.integers(-(10**400), 10**400))] * 3))
@examples(100)
def test_no_feature_raises(point: tuple[Any, ...]) -> None:
    for one in REAL:
        value = one.value(point)
        assert isinstance(value, int | float)


@given(st.lists(st.tuples(integers, integers, integers), max_size=12), st.integers(0, 12))
@quick
def test_values_grow_with_the_points(points: list[tuple[int, int, int]], first: int) -> None:
    one = Feature("a * b", (0, 2), 1.0)
    one.values(points[:first])
    assert one.values(points) == [a * c for a, _, c in points]
