"""Sharpening: how exactly a boundary is known, and after how many runs."""

import math
import operator
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.conditions.boundaries.axis import Bracket
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.observations import Observations, ask
from rootward.searches.conditions.boundaries.sharpen import find_crossing, sharpen
from rootward.searches.conditions.boundaries.tuning import TUNING
from tests.properties import examples

from .planted import cut_of, drive, notebook_of

INF, TINIEST, HUGEST = math.inf, math.ulp(0.0), sys.float_info.max
INT, INT64, FLOAT, FLOAT32 = rw.Int(), rw.Int(bits=64), rw.Float(), rw.Float(bits=32)
OPS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}


def sharpened(field: Any, op: str, threshold: float, low: Any, high: Any) -> tuple[Observations, Bracket, int]:
    def fails(point: Any) -> bool:
        return bool(OPS[op](point[0], threshold))

    notebook = notebook_of(x=field)
    for end in (low, high):
        notebook.add((end,), fails((end,)))
    found, asked = drive(notebook, sharpen(notebook, 0, (low,), (high,)), fails)
    return notebook, found, asked


def values(notebook: Observations, found: Bracket) -> tuple[Any, Any]:
    return notebook.points[found.one][0], notebook.points[found.other][0]


@pytest.mark.parametrize(
    ("field", "op", "threshold", "low", "high", "runs"),
    [
        (INT, ">", 4500, 0, 2**31 - 1, 20),
        (INT, ">", 4500, -(2**31), 2**31 - 1, 20),
        (INT, "<=", 4500, -(2**31), 2**31 - 1, 20),
        (INT, ">=", 4500, -5, 5000, 20),
        (INT, ">", 0, -(2**31), 2**31 - 1, 5),
        (INT, ">=", 2**31 - 1, -(2**31), 2**31 - 1, 15),
        (INT, "<=", -(2**31), -(2**31), 2**31 - 1, 15),
        (INT, ">", -1000, -(2**31), 2**31 - 1, 15),
        (INT, ">", 65535, 0, 2**31 - 1, 15),
        (INT64, ">=", 2**62, 0, 2**63 - 1, 15),
        (INT64, ">", 10**18, 0, 2**63 - 1, 20),
        (INT64, ">", 2**31 - 1, -(2**63), 2**63 - 1, 20),
        (FLOAT, ">", 0, -INF, INF, 6),
        (FLOAT, ">=", 0, -INF, INF, 6),
        (FLOAT, "<", 0, -1.0, 1.0, 6),
        (FLOAT, ">=", TINIEST, -1.0, 1.0, 6),
        (FLOAT, ">", 1e-6, 0.0, 1.0, 12),
        (FLOAT, ">", 0.1, -INF, INF, 12),
        (FLOAT, ">", 9.81, 0.0, 1e4, 16),
        (FLOAT, ">", math.pi / 2, 0.0, 100.0, 16),
        (FLOAT, "<", 1e300, 0.0, INF, 24),
        (FLOAT, ">", HUGEST, 0.0, INF, 24),
        (FLOAT, "<", -HUGEST, -INF, 0.0, 24),
        (FLOAT32, ">", 0.5, -INF, INF, 14),
        (FLOAT32, ">=", 0, -INF, INF, 6),
        (rw.Int(0, 1), ">", 0, 0, 1, 0),
        (rw.Float(-1.0, 1.0), ">", 0.25, -1.0, 1.0, 18),
    ],
)
def test_a_round_threshold_is_known_exactly(
    field: Any, op: str, threshold: float, low: Any, high: Any, runs: int
) -> None:
    notebook, found, asked = sharpened(field, op, threshold, low, high)
    assert found.exact
    assert asked <= runs
    below, above = values(notebook, found)
    assert notebook.axes[0].adjacent(notebook.axes[0].position(below), notebook.axes[0].position(above))
    assert below <= threshold <= above
    assert OPS[op](below, threshold) != OPS[op](above, threshold)


@pytest.mark.parametrize(("field", "end"), [(INT, 10**6), (rw.Float(-1e6, 1e6), 1e6)])
@given(threshold=st.integers(-900_000, 900_000))
@examples(30)
def test_any_threshold_is_exact_or_close(field: Any, end: float, threshold: int) -> None:
    notebook, found, asked = sharpened(field, ">", threshold, -end, end)
    below, above = values(notebook, found)
    assert below <= threshold < above
    assert asked <= TUNING.max_bisections
    assert found.exact or above - below <= TUNING.close_share * max(abs(below), abs(above))


@given(data=st.data())
@examples(40)
def test_the_boundary_is_between_the_two_whatever_the_scale(data: st.DataObject) -> None:
    bits: Any = data.draw(st.sampled_from([32, 64]))
    low, threshold, high = sorted(data.draw(st.floats(width=bits, allow_nan=False)) for _ in range(3))
    if 0 in (low, high) or not low <= threshold < high:
        return
    notebook, found, asked = sharpened(rw.Float(bits=bits), ">", threshold, low, high)
    below, above = values(notebook, found)
    assert low <= below <= threshold < above <= high
    assert asked <= TUNING.max_bisections
    assert notebook.labels[found.one] != notebook.labels[found.other]


def test_a_supposed_boundary_is_asked_first() -> None:
    """``x * y > 31497`` at y = 7 crosses at 4499, no round number, but the hint is believed."""
    planted = cut_of("a * b", (0, 1), 31497)
    notebook = notebook_of(x=INT, y=INT)
    for x in (0, 10**6):
        notebook.add((x, 7), planted.side((x, 7)) > 0)
    experiment = sharpen(notebook, 0, (0, 7), (10**6, 7), [(planted, 0.5)])
    found, asked = drive(notebook, experiment, lambda point: planted.side(point) > 0)
    assert found.exact
    assert asked <= 4
    assert notebook.points[found.one] == (4499, 7)


def test_a_mistaken_hint_costs_little() -> None:
    mistaken = cut_of("a * b", (0, 1), 31497)
    notebook = notebook_of(x=INT, y=INT)
    for x in (0, 10**6):
        notebook.add((x, 7), x > 200)
    found, asked = drive(notebook, sharpen(notebook, 0, (0, 7), (10**6, 7), [(mistaken, 0.5)]), lambda p: p[0] > 200)
    assert found.exact
    assert asked <= 16


def test_where_nothing_can_be_judged_the_bracket_stays_wide() -> None:
    notebook = notebook_of(x=INT)
    notebook.add((0,), False)
    notebook.add((1000,), True)
    found, asked = drive(notebook, sharpen(notebook, 0, (0,), (1000,)), lambda point: None)
    assert asked <= 3  # the pivot and its neighbours
    assert values(notebook, found) == (0, 1000)
    assert not found.exact


@pytest.mark.parametrize(
    ("field", "one", "other"), [(rw.Choice("abc"), "a", "c"), (rw.Bool(), True, False), (FLOAT, math.nan, 1.0)]
)
def test_values_without_an_order_are_compared_as_they_are(field: Any, one: Any, other: Any) -> None:
    notebook = notebook_of(x=field)
    notebook.add((one,), True)
    notebook.add((other,), False)
    found, asked = drive(notebook, sharpen(notebook, 0, (one,), (other,)), lambda point: True)
    assert asked == 0
    assert not found.ordered


def test_known_points_are_not_asked_again() -> None:
    notebook, _, asked = sharpened(INT, ">", 4500, 0, 10**6)
    assert asked > 0
    again, more = drive(notebook, sharpen(notebook, 0, (0,), (10**6,)), lambda point: pytest.fail("asked again"))
    assert more == 0
    assert again is None  # the bracket is known


@given(
    st.sampled_from(["a", "a + b", "minus(a, b)", "a * b", "abs(a)", "a % 7"]),
    st.integers(-30, 30),
    st.integers(-20, 20),
    st.integers(-20, 20),
    st.integers(-20, 20),
)
def test_a_crossing_by_brute_force(formula: str, constant: int, y: int, one: int, other: int) -> None:
    cut, axis = cut_of(formula, (0, 1), constant), notebook_of(x=rw.Int(-20, 20), y=rw.Int(-20, 20)).axes[0]
    low, high = min(one, other), max(one, other)
    sides = {x: cut.side((x, y)) for x in range(low, high + 1)}
    found = find_crossing(axis, cut, (0, y), low, high)
    if sides[low] == sides[high]:
        assert found is None
    else:
        assert found is not None
        assert sides[found] == sides[low] != sides[found + 1]


@pytest.mark.parametrize("field", [rw.Int(-(2**31), 2**31 - 1), rw.Float(-1e9, 1e9)])
@pytest.mark.parametrize("constant", [4500, 32, 99])
def test_a_constant_that_is_known_is_asked_first_with_the_other_sign(field: Any, constant: int) -> None:
    """``abs(x) > 4500`` takes many runs on one side of zero, and hardly any on the other."""
    notebook = notebook_of(x=field)

    def fails(point: Point) -> bool:
        return bool(abs(point[0]) > constant)

    zero, high, low = ((notebook.axes[0].at(notebook.axes[0].nearest(end)),) for end in (0, 10**6, -(10**6)))
    drive(notebook, ask([zero, high, low]), fails)
    found, first = drive(notebook, sharpen(notebook, 0, zero, high), fails)
    again, second = drive(notebook, sharpen(notebook, 0, zero, low), fails)
    assert found.exact
    assert again.exact
    assert second <= 5 < first


def test_what_lies_between_and_is_known_narrows_the_boundary() -> None:
    notebook = notebook_of(x=rw.Int(), y=rw.Int())
    known = [(0, 1), (70, 1), (71, 1), (10**6, 1), (70, 2)]
    drive(notebook, ask(known), lambda point: point[0] > 70)
    found, asked = drive(notebook, sharpen(notebook, 0, (0, 1), (10**6, 1)), lambda point: pytest.fail("known"))
    assert (found.low, found.high, asked) == (70, 71, 0)
