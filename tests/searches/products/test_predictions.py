"""What a product set implies is tried where a wrong one would show itself."""

from itertools import combinations

import pytest

import rootward as rw
from rootward.searches.products import predictions
from rootward.searches.products.problem import Problem
from rootward.searches.products.queries import ProductQueries
from rootward.space.space import Field


def queries(fields: dict[str, Field], failing: dict[str, object], **sets: set[int]) -> ProductQueries:
    """What is known of the fields that matter, by place."""
    made = ProductQueries(Problem(rw.Space(fields), failing))
    names = list(fields)
    made.sets = {names.index(name): places for name, places in sets.items()}
    return made


@pytest.mark.parametrize("count", [0, 1, 2, 10, 11, 35, 60])
def test_any_two_columns_show_all_four_pairs(count: int) -> None:
    rows, columns = predictions._make_covering(count)
    assert len(columns) >= count
    assert len(set(columns)) == len(columns)
    assert all(len(column) == rows for column in columns)
    for one, two in combinations(columns, 2):
        assert len(set(zip(one, two, strict=True))) == 4


def test_corners_hold_every_pair_of_ends_of_fields_that_matter() -> None:
    known = queries(
        {name: rw.Int(0, 9) for name in "abcd"}, dict.fromkeys("abcd", 4), a={2, 4, 7}, c={0, 4}, d={4, 5, 6}
    )
    rows = predictions.corners(known)
    ends = {0: {2, 7}, 2: {0, 4}, 3: {4, 6}}
    for i, j in combinations(ends, 2):
        assert {(row[i], row[j]) for row in rows} == {(x, y) for x in ends[i] for y in ends[j]}
    assert {row[1] for row in rows} == {0, 9}


def test_a_space_without_order_has_no_corners() -> None:
    known = queries({"a": rw.Bool(), "b": rw.Choice("xyz")}, {"a": True, "b": "x"}, a={1})
    assert predictions.corners(known) == []


def test_around_a_stopping_value_every_other_value_has_its_turn() -> None:
    known = queries({"a": rw.Int(0, 9), "b": rw.Int(0, 9), "c": rw.Choice("xyz")}, {"a": 1, "b": 4, "c": "x"}, a={1, 2})
    turns = [predictions.vary_others(known, {0: 5}, turn) for turn in range(10)]
    assert all(0 not in changes for changes in turns)
    assert {turns[0][1], turns[1][1]} == {0, 9}
    assert {changes[1] for changes in turns} == set(range(10)) - {4}
    assert {changes[2] for changes in turns} == {1, 2}


def test_fields_that_may_have_to_agree_move_together() -> None:
    known = queries(
        {"a": rw.Int(0, 9), "b": rw.Int(0, 9), "c": rw.Int(4, 6), "d": rw.Bool()},
        {"a": 5, "b": 5, "c": 5, "d": True},
        a={5},
        b={5},
        c={1},
        d={1},
    )
    found = predictions.equal_pairs(known, 9)
    moved = [{i: known.problem.domains[i].values[place] for i, place in (base | more).items()} for base, more in found]
    assert {0: 4, 1: 4, 2: 4} in moved
    assert {0: 0, 1: 0} in moved
    assert all(len(set(values.values())) == 1 and 5 not in values.values() for values in moved)
    assert all(3 not in values for values in moved)
    assert len(predictions.equal_pairs(known, 2)) == 2


def test_two_stopping_values_at_once() -> None:
    known = queries({name: rw.Int(0, 9) for name in "abc"}, dict.fromkeys("abc", 4), a={4, 5}, b={4, 9}, c={0, 4})
    pairs = [({0: 0}, {1: 0}), ({0: 0}, {2: 9}), ({1: 0}, {2: 9})]
    assert sorted(predictions.stopping_pairs(known, 9), key=str) == pairs
    assert len(predictions.stopping_pairs(known, 2)) == 2
    assert all(pair in pairs for pair in predictions.stopping_pairs(known, 2))


def test_values_that_triggered_only_in_company_are_tried_without() -> None:
    known = queries({name: rw.Int(0, 9) for name in "abc"}, dict.fromkeys("abc", 4), a={4, 5, 6}, b={4, 9})
    rows = predictions.members_alone(known, {0: {4}, 1: {4, 9}}, 9)
    assert sorted(row[0] for row in rows) == [5, 6]
    assert all(row.keys() == {0, 1} and row[1] in {4, 9} for row in rows)
    assert len(predictions.members_alone(known, {0: {4}, 1: {4, 9}}, 1)) == 1
