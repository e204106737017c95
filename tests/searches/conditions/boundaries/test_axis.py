"""Positions on the axis of a field: one for each value, so that neighbours differ by one."""

import itertools
import math
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.conditions.boundaries.axis import FieldAxis, identity
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.space.exceptional_values import largest, narrow
from tests.properties import examples

quick = examples(80)
WIDTHS = [32, 64]


def axis(field: Any) -> FieldAxis:
    return FieldAxis(0, "x", field)


def floats(bits: Literal[32, 64], **options: Any) -> st.SearchStrategy[float]:
    return st.floats(width=bits, allow_nan=False, **options)


FIELDS = {
    "int32": rw.Int(),
    "int64": rw.Int(bits=64),
    "few": rw.Int(-2, 3),
    "one": rw.Int(7, 7),
    "uint64": rw.Int(bits=64, signed=False),
    "float64": rw.Float(),
    "float32": rw.Float(bits=32),
    "bounded": rw.Float(-1.5, 1e6),
    "positive": rw.Float(0.0, 1.0),
    "subnormal": rw.Float(0.0, 1e-310),
    "half open": rw.Float(0.0),
    "steps": rw.Float(-0.2, 1.5, step=0.01),
    "bool": rw.Bool(),
    "choice": rw.Choice("PRND"),
    "long choice": rw.Choice([f"v{i}" for i in range(100)]),
    "ordinal": rw.Ordinal(["low", "mid", "high"]),
}


@pytest.mark.parametrize("bits", WIDTHS)
@given(data=st.data())
@quick
def test_the_position_of_a_float_gives_it_back(bits: Literal[32, 64], data: st.DataObject) -> None:
    one = axis(rw.Float(bits=bits))
    value = data.draw(floats(bits))
    assert one.at(one.position(value)) == value
    assert one.low <= one.position(value) <= one.high


@given(st.integers(-20, 149))
def test_with_a_step_neighbours_are_one_step_apart(place: int) -> None:
    one = axis(rw.Float(-0.2, 1.5, step=0.01))
    assert (one.low, one.high) == (-20, 150)
    assert one.at(place) == place / 100
    assert one.position(place / 100) == place == one.nearest(place / 100 + 0.004)
    assert one.adjacent(place, one.step(place, 1))
    assert one.at(one.step(place, 1)) == (place + 1) / 100


@given(st.integers(-(2**31), 2**31 - 1))
def test_the_position_of_an_integer_is_itself(value: int) -> None:
    one = axis(rw.Int())
    assert one.position(value) == value == one.at(value)
    assert type(one.at(value)) is int


@pytest.mark.parametrize("bits", WIDTHS)
@given(data=st.data())
@quick
def test_positions_are_in_the_order_of_the_values(bits: Literal[32, 64], data: st.DataObject) -> None:
    one = axis(rw.Float(bits=bits))
    a, b = data.draw(floats(bits)), data.draw(floats(bits))
    assert (one.position(a) < one.position(b)) == (a < b)


@pytest.mark.parametrize("bits", WIDTHS)
@given(data=st.data())
@quick
def test_nothing_lies_between_neighbours(bits: Literal[32, 64], data: st.DataObject) -> None:
    one = axis(rw.Float(bits=bits))
    value = data.draw(floats(bits, max_value=largest(bits)))
    here = one.position(value)
    there = one.step(here, 1)
    above = one.at(there)
    assert value < above
    assert one.adjacent(here, there)
    assert one.step(there, -1) == here
    if math.isfinite(above) and math.isfinite(value):
        assert narrow(value + (above - value) / 2, bits) in (value, above)
    if bits == 64:
        assert above == math.nextafter(value, math.inf)


@pytest.mark.parametrize("bits", WIDTHS)
def test_both_zeros_are_one_value(bits: int) -> None:
    one = axis(rw.Float(bits=bits))
    assert one.position(-0.0) == one.position(0.0) == 0
    assert math.copysign(1, one.at(one.position(-0.0))) == 1
    tiny = one.at(one.step(0, 1))
    assert tiny > 0
    assert one.at(one.step(0, -1)) == -tiny
    assert one.step(one.position(-tiny), 1) == 0
    assert one.adjacent(one.position(-tiny), 0)
    assert not one.adjacent(one.position(-tiny), one.position(tiny))


@pytest.mark.parametrize("bits", WIDTHS)
def test_infinities_are_the_ends_and_nan_has_no_place(bits: int) -> None:
    one = axis(rw.Float(bits=bits))
    assert (one.at(one.low), one.at(one.high)) == (-math.inf, math.inf)
    assert one.at(one.step(one.high, -1)) == largest(bits)
    assert one.at(one.high + 5) == math.inf
    assert one.at(one.low - 5) == -math.inf
    assert one.has_nan
    assert not any(one.at(position) != one.at(position) for position in (one.low, 0, one.high))


@pytest.mark.parametrize("name", FIELDS)
def test_places_ascend_and_are_finite(name: str) -> None:
    one = axis(FIELDS[name])
    positions = sorted({*np.linspace(0, 1, 40)})
    places = [one.place(one.low + int(share * (one.high - one.low))) for share in positions]
    assert all(math.isfinite(place) for place in places)
    assert places == sorted(places)


@pytest.mark.parametrize("name", FIELDS)
@given(data=st.data())
@examples(25)
def test_the_middle_lies_strictly_between(name: str, data: st.DataObject) -> None:
    one = axis(FIELDS[name])
    if not one.numeric:
        return
    low, high = sorted(data.draw(st.integers(one.low, one.high)) for _ in range(2))
    low, high = (one.position(one.at(end)) for end in (low, high))  # -1 is no position
    if one.adjacent(low, high):
        return
    middle = one.middle(low, high)
    assert low < middle < high
    assert one.at(low) < one.at(middle) < one.at(high)


@pytest.mark.parametrize("name", FIELDS)
def test_bisection_by_the_middle_ends(name: str) -> None:
    """At either end, and at zero, whatever the scale: in no more halvings than twice the bits of the field."""
    one = axis(FIELDS[name])
    if not one.numeric or one.field.size == 2**64:
        return
    for target in (one.low, one.high - 1, min(max(0, one.low), one.high)):
        low, high, steps = one.low, one.high, 0
        while not one.adjacent(low, high):
            middle = one.middle(low, high)
            low, high = (middle, high) if middle <= target else (low, middle)
            steps += 1
        assert steps <= 2 * (one.high - one.low).bit_length()


@pytest.mark.parametrize("name", FIELDS)
def test_draws_and_corners_are_members(name: str) -> None:
    one, rng = axis(FIELDS[name]), np.random.default_rng(1)
    drawn = [one.draw(rng) for _ in range(100)]
    for value in (*drawn, *one.corners):
        assert FIELDS[name].contains(value)
        assert value != value or one.at(one.position(value)) == value
    assert len(set(map(repr, drawn))) >= min(FIELDS[name].size or 30, 16)


@pytest.mark.parametrize("name", ["int32", "float64", "float32", "bounded"])
def test_draws_come_from_all_scales(name: str) -> None:
    one, rng = axis(FIELDS[name]), np.random.default_rng(2)
    drawn = [value for value in (one.draw(rng) for _ in range(72)) if math.isfinite(value)]
    assert any(0 < abs(value) <= 100 for value in drawn)
    assert any(abs(value) > 10**4 for value in drawn)
    assert any(value < 0 for value in drawn)


@given(st.floats(allow_nan=False))
@quick
def test_the_nearest_member_is_the_nearest(value: float) -> None:
    whole, real = axis(rw.Int(-1000, 1000)), axis(rw.Float(-1000.0, 1000.0))
    held = min(max(value, -1000), 1000)
    assert real.at(real.nearest(value)) == held
    assert abs(whole.at(whole.nearest(value)) - held) <= 0.5
    assert axis(rw.Float(bits=32)).at(axis(rw.Float(bits=32)).nearest(value)) == narrow(value, 32)


@given(st.integers(0, 2**64 - 1))
def test_the_nearest_member_of_an_integer_is_itself(value: int) -> None:
    one = axis(rw.Int(bits=64, signed=False))
    assert one.at(one.nearest(value)) == value


@pytest.mark.parametrize("name", [name for name in FIELDS if axis(FIELDS[name]).numeric])
@given(data=st.data())
@examples(25)
def test_simple_positions_lie_strictly_between(name: str, data: st.DataObject) -> None:
    one = axis(FIELDS[name])
    low, high = sorted(data.draw(st.integers(one.low, one.high)) for _ in range(2))
    for position, number in one.simple_positions(low, high) if low < high else ():
        assert low < position < high
        assert one.at(position) == pytest.approx(number, rel=1e-6)


@given(st.data())
@quick
def test_shares_add_up(data: st.DataObject) -> None:
    one = axis(FIELDS[data.draw(st.sampled_from(["int32", "float64", "bounded"]))])
    low, middle, high = sorted(data.draw(st.integers(one.low, one.high)) for _ in range(3))
    parts = one.share(low, middle) + one.share(middle, high)
    assert one.share(low, high) == pytest.approx(parts, abs=1e-9)
    assert one.share(one.low, one.high) == pytest.approx(1)


def test_of_a_long_list_values_from_all_over_are_tried() -> None:
    one = axis(FIELDS["long choice"])
    assert len(one.tried_values) == TUNING.max_listed_values == len(set(one.tried_values))
    assert one.tried_values[0] == "v0"
    assert one.tried_values[-1] == "v99"
    assert axis(FIELDS["choice"]).tried_values == list("PRND")


def test_kinds() -> None:
    axes = {name: axis(field) for name, field in FIELDS.items()}
    kinds = {name: (one.numeric, one.whole, one.is_fixed) for name, one in axes.items()}
    assert kinds["int32"] == (True, True, False)
    assert kinds["one"] == (True, True, True)
    assert kinds["float32"] == (True, False, False)
    assert kinds["bool"] == kinds["choice"] == (False, False, False)
    assert [name for name in FIELDS if axes[name].has_nan] == ["float64", "float32"]


def test_runs_are_told_apart_by_type_and_nan_is_itself() -> None:
    points = [(1,), (1.0,), (True,), ("1",), (math.nan,), (math.inf,)]
    assert all(identity(a) != identity(b) for a, b in itertools.combinations(points, 2))
    assert identity((math.nan,)) == identity((-math.nan,))
