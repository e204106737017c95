"""The notebook of runs."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.observations import Observations, change_value

from .planted import notebook_of


def test_a_point_is_noted_once() -> None:
    notebook = notebook_of(x=rw.Int(), y=rw.Float())
    notebook.add((1, 2.0), True)
    notebook.add((1, 2.0), False)
    notebook.add((1, math.nan), False)
    assert notebook.points == [(1, 2.0), (1, pytest.approx(math.nan, nan_ok=True))]
    assert notebook.labels == [True, False]
    assert notebook.label((1, math.nan)) is False
    assert notebook.number((1, 2.0)) == 0
    assert not notebook.is_seen((2, 2.0))
    assert notebook.label((2, 2.0)) is None


def test_what_could_not_be_judged_is_seen_and_says_nothing() -> None:
    notebook = notebook_of(x=rw.Int())
    notebook.add((1,), None)
    assert notebook.is_seen((1,))
    assert notebook.label((1,)) is None
    assert notebook.points == []
    assert notebook.unjudged == 1


def test_fields_that_do_not_change_keep_their_value() -> None:
    space = rw.Space({"x": rw.Int(), "y": rw.Int(), "z": rw.Bool()})
    notebook = Observations(space, ["z", "x"], {"x": 1, "y": 2, "z": True})
    assert notebook.configuration((False, 9)) == {"x": 9, "y": 2, "z": False}
    assert [axis.name for axis in notebook.axes] == ["z", "x"]


def test_a_bracket_is_two_known_points_with_different_verdicts() -> None:
    notebook = notebook_of(x=rw.Int(), mode=rw.Choice("ab"))
    for point, label in (((5, "a"), True), ((9, "a"), True), ((0, "a"), False), ((5, "b"), False)):
        notebook.add(point, label)
    assert notebook.bracket((5, "a"), (9, "a"), 0) is None
    assert notebook.bracket((5, "a"), (7, "a"), 0) is None
    found = notebook.bracket((5, "a"), (0, "a"), 0)
    assert found is not None
    assert (notebook.points[found.one], notebook.points[found.other]) == ((0, "a"), (5, "a"))
    assert found.ordered
    assert not found.exact
    assert notebook.bracket((0, "a"), (5, "a"), 0) is None  # known
    unordered = notebook.bracket((5, "a"), (5, "b"), 1)
    assert unordered is not None
    assert not unordered.ordered
    assert notebook.brackets == [found, unordered]


def test_a_closer_bracket_weighs_more() -> None:
    notebook = notebook_of(x=rw.Float())
    notebook.add((1.0,), False)
    weights = []
    for above in (math.inf, 1e6, 100.0, 2.0, 1.001, math.nextafter(1.0, 2)):
        notebook.add((above,), True)
        found = notebook.bracket((1.0,), (above,), 0)
        assert found is not None
        weights.append(found.weight)
        assert found.exact == (above == math.nextafter(1.0, 2))
    assert weights == sorted(weights)
    assert weights[0] < weights[1] < weights[2] < weights[3] < weights[4]


def test_two_points_that_must_differ_somehow_are_noted_once() -> None:
    notebook = notebook_of(x=rw.Int(), y=rw.Int())
    notebook.add((1, 1), True)
    notebook.add((5, 7), False)
    assert notebook.separate(0, 1)
    assert not notebook.separate(1, 0)
    assert len(notebook.brackets) == 1


@given(st.tuples(st.integers(), st.integers(), st.integers()), st.integers(0, 2), st.integers())
def test_changed_changes_one_value(point: Point, index: int, value: int) -> None:
    found = change_value(point, index, value)
    assert found[index] == value
    assert [found[i] for i in range(3) if i != index] == [point[i] for i in range(3) if i != index]


def test_two_points_that_nothing_tells_apart_are_a_real_bracket_if_one_field_differs() -> None:
    notebook = notebook_of(x=rw.Int(0, 100), y=rw.Int(0, 100))
    for point, label in [((1, 1), True), ((2, 1), False), ((9, 9), False)]:
        notebook.add(point, label)
    assert notebook.separate(0, 1)
    assert notebook.separate(0, 2)
    near, far = notebook.brackets
    assert (near.low, near.high, near.exact) == (1, 2, True)
    assert (far.low, far.exact) == (None, False)
    assert not notebook.separate(1, 0)
