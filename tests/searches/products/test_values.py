"""A set of values of one field: what is in it, and how it reads."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.products.values import Values
from rootward.space.keys import canonical
from tests.properties import examples

thorough = examples(100, derandomize=True)
scalars = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, "a", ""])
)
anything = scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.sampled_from("xy"), scalars, max_size=2)


def distinct(values: list[Any]) -> list[Any]:
    return list({canonical(value): value for value in values}.values())


# Membership


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        (1, [True, 1.0, "1", [1]]),
        (True, [1, 1.0, "True"]),
        (1.0, [1, True]),
        (0.0, [-0.0, 0, False, None]),
        (-0.0, [0.0, 0]),
        (math.nan, [math.inf, None, 0.0]),
        ([1, 2], [[2, 1], [1.0, 2]]),
        ({"x": [1]}, [{"x": [True]}, {}]),
        (None, [False, 0, ""]),
    ],
)
def test_membership_tells_apart_what_a_subject_could(inside: Any, outside: list[Any]) -> None:
    values = Values([inside, *outside], [0])
    assert inside in values
    assert not any(other in values for other in outside)


def test_nan_is_nan_whichever_object_it_is() -> None:
    assert float("nan") in Values([math.nan], [0])
    assert Values([math.nan], [0]) == {float("nan")}


def test_a_list_is_equal_to_the_tuple_of_its_items() -> None:
    assert (1, 2) in Values([[1, 2]], [0])


@thorough
@given(st.lists(anything, max_size=8).map(distinct), st.data())
def test_a_set_of_places(listed: list[Any], data: st.DataObject) -> None:
    places = data.draw(st.sets(st.integers(0, len(listed) - 1))) if listed else set()
    values = Values(listed, places)
    assert list(map(canonical, values)) == [canonical(listed[place]) for place in sorted(places)]
    assert len(values) == len(places)
    assert [value in values for value in listed] == [place in places for place in range(len(listed))]


# As a set


@thorough
@given(st.lists(st.integers(0, 9), unique=True), st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_like_a_python_set(listed: list[int], one: set[int], two: set[int]) -> None:
    def made(wanted: set[int]) -> Values:
        return Values(listed, [place for place, value in enumerate(listed) if value in wanted])

    first, second = one & set(listed), two & set(listed)
    a, b = made(one), made(two)
    assert a == first
    assert (a == b) == (first == second)
    assert (a <= b) == (first <= second)
    assert a & b == first & second
    assert a | b == first | second
    assert a - b == first - second
    assert first == a


def test_the_list_it_comes_from_does_not_matter_for_equality() -> None:
    assert Values("abc", [2, 0]) == Values("cba", [0, 2], ordered=True)


def test_equal_by_type_as_well_as_by_value() -> None:
    assert Values([1], [0]) != {True}
    assert Values([1], [0]) != {1.0}
    assert Values([0.0], [0]) != {-0.0}
    assert Values([1], [0]) != [1]


def test_values_that_cannot_be_hashed_can_be_united() -> None:
    united = Values([[1], [2]], [0]) | Values([[1], [2]], [0, 1])
    assert sorted(united) == [[1], [2]]


# How it reads


@pytest.mark.parametrize(
    ("listed", "places", "ordered", "text"),
    [
        ([False, True], [1], False, "[ true ]"),
        ([False, True], [], False, "[ ]"),
        ([0, 1, 4294967295], [1, 2], True, "[ 1, 4294967295 ]"),
        (range(10), range(3), True, "[ 0, 1, 2 ]"),
        (range(10), range(4), True, "[ 0, ..., 3 ]"),
        (range(10), [0, 1, 2, 3, 5], True, "[ 0, ..., 3, 5 ]"),
        (range(10), [0, 2, 4, 6, 8], True, "[ 0, 2, 4, 6, 8 ]"),
        (range(20), range(0, 20, 2), True, "[ 0, 2, 4, ..., 18 ]"),
        ("abcdefgh", range(5), False, "[ a, b, c, d, e ]"),
        ("abcdefgh", range(6), False, "[ a, b, c, ..., f ]"),
        ([-math.inf, -1.5, math.inf, math.nan], range(4), True, "[ -inf, ..., NaN ]"),
        ([None, "a b", "true", [1, "x"]], range(4), False, '[ none, "a b", "true", [1, x] ]'),
        (range(10**6), range(10, 10**6), True, "[ 10, ..., 999999 ]"),
    ],
)
def test_text(listed: Any, places: Any, ordered: bool, text: str) -> None:
    values = Values(listed, places, ordered=ordered)
    assert str(values) == text
    assert repr(values) == f"<Values {text}>"


@pytest.mark.parametrize(
    ("places", "ordered", "beside"),
    [
        ([3, 4], True, [2, 5]),
        ([0, 1], True, [2]),
        ([8, 9], True, [7]),
        (range(10), True, []),
        ([3, 5], True, []),
        ([3, 4], False, []),
        ([], True, []),
    ],
)
def test_beside_is_where_the_only_run_ends(places: Any, ordered: bool, beside: list[int]) -> None:
    assert Values(range(10), places, ordered=ordered).border_values == beside


@thorough
@given(st.sets(st.integers(0, 60)), st.booleans())
def test_the_text_is_short_and_names_the_first_and_the_last(places: set[int], ordered: bool) -> None:
    parts = str(Values(range(61), places, ordered=ordered))[2:-2].split(", ")
    assert len(parts) <= 12
    if places:
        assert (parts[0], parts[-1]) == (str(min(places)), str(max(places)))
    assert {int(part) for part in parts if part.strip() not in ("", "...")} <= places


def test_no_hash_since_it_may_equal_a_set_with_another_one() -> None:
    with pytest.raises(TypeError):
        hash(Values("abc", [0]))


def test_the_ends_of_a_range_are_known_to_stop_it() -> None:
    assert Values(range(9), [3, 4], ordered=True).border_values == [2, 5]
    assert Values(range(9), [3, 4], ordered=True, untried=[2]).border_values == [5]
    assert Values(range(9), [0, 1], ordered=True).border_values == [2]
    assert Values(range(9), [1, 3], ordered=True).border_values == []
    assert Values(range(9), [3, 4]).border_values == []
