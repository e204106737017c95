"""Each stage has what it is there for."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.exploration import stages
from rootward.searches.exploration.dictionary import Coverage, Dictionary, natural_configuration
from rootward.searches.exploration.tuning import TUNING
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Float, Int, Space, Text
from tests.properties import examples

thorough = examples(25, derandomize=True)


def made(space: Space) -> tuple[Dictionary, np.random.Generator]:
    return Dictionary(space, [natural_configuration(space)]), np.random.default_rng(0)


@thorough
@given(st.lists(st.integers(1, 6), min_size=1, max_size=9))
def test_groups_shrink_until_each_value_was_there_alone(sizes: list[int]) -> None:
    space = Space({f"f{i}": Choice(range(size)) for i, size in enumerate(sizes)})
    rows = list(stages.fewer_changes(*made(space)))
    assert [len(row) for row in rows[:1]] == [math.ceil(len(sizes) / 4)] * (len(sizes) > 1)
    alone = {(i, value) for row in rows if len(row) == 1 for i, (value, _) in row.items()}
    assert alone == {(i, value) for i, size in enumerate(sizes) for value in range(size) if len(sizes) > 1}


def test_a_hypercube_meets_every_slice_of_a_range() -> None:
    dictionary, rng = made(Space({"x": Int(0, 1000), "y": Float(0, 1)}))
    cube = list(itertools.islice(stages.spread_points(dictionary, rng), 16))
    for i, slices in ((0, 8 / 1001), (1, 8.0)):  # most points of a cube change both
        places = [math.floor(row[i][0] * slices) for row in cube[:8] if i in row]
        assert len(set(places)) == len(places) >= 6


def test_a_range_between_two_exceptional_values_is_met() -> None:
    dictionary, rng = made(Space({f"f{i}": Int(0, 10**6) for i in range(20)}))
    rows = itertools.islice(stages.spread_points(dictionary, rng), 400)
    assert any(3 in row and 300_000 < row[3][0] < 310_000 for row in rows)


def test_values_that_no_list_has_are_met_at_random() -> None:
    dictionary, rng = made(Space({"x": Int(), "y": Text(), "z": Bool()}))
    rows = list(itertools.islice(stages.random_inputs(dictionary, rng), 100))
    assert len({row[0][0] for row in rows if 0 in row}) > 40
    assert {1, 2, 3} == set(map(len, rows))


def test_where_an_array_is_too_long_rows_are_balanced() -> None:
    space = Space({f"f{i}": Choice(range(10)) for i in range(300)})
    dictionary, rng = made(space)
    rows = list(stages.combine_values(dictionary, 2, forbidden=[], known=list, most=2000, rng=rng))
    assert len(rows) == 300
    assert all(
        sorted(row[i][0] for row in rows[start : start + 10]) == list(range(10))
        for i in range(300)
        for start in range(0, 300, 10)
    )


def test_nothing_exceptional() -> None:
    space = Space({"a": Int(), "b": Int(5, 9), "c": Float(), "d": Choice("xy"), "e": Bool(), "f": Float(1, 2)})
    found = natural_configuration(space)
    assert space.check(found) == found
    assert (found["a"], found["b"], found["c"], found["d"], found["e"]) == (0, 7, 0.0, "x", False)
    assert 1 < found["f"] < 2


@thorough
@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.data())
def test_coverage_against_brute_force(sizes: list[int], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(*(st.integers(-1, size - 1) for size in sizes)), max_size=12))
    coverage = Coverage(np.array(sizes), 0)
    for row in rows:
        coverage.add(row)
    values = {(i, place) for row in rows for i, place in enumerate(row) if place >= 0}
    pairs = {two for row in rows for two in itertools.combinations(enumerate(row), 2) if min(two[0][1], two[1][1]) >= 0}
    every = sum(one * two for one, two in itertools.combinations(sizes, 2))
    assert coverage.covered.values == len(values) / sum(sizes)
    assert coverage.covered.pairs == (len(pairs) / every if every else None)
    assert not coverage.covered.sampled


def test_of_many_fields_the_pairs_are_a_fair_sample() -> None:
    count = 200
    coverage = Coverage(np.full(count, 2), 0)
    coverage.add((0,) * (count // 2) + (-1,) * (count // 2))  # a quarter of the pairs of fields, one in four of each
    assert coverage.covered.sampled
    assert abs(coverage.covered.pairs - 1 / 16) < 0.02  # type: ignore[operator]
    assert math.comb(count, 2) > TUNING.max_field_pairs


def test_a_value_has_its_place_in_the_list() -> None:
    space = Space({"a": Int(0, 5), "b": Float()})
    dictionary = Dictionary(space, [{"a": 3, "b": 0.7}])
    assert dictionary.values[0] == (3, 0, 1, 2, 4, 5)
    base = dictionary.bases[0]
    candidate = dictionary.candidate(base, {1: (0.123, canonical(0.123))})
    assert dictionary.places(candidate) == (0, -1)
    assert dictionary.places(dictionary.candidate(base, {0: (4, canonical(4))})) == (4, 0)
    assert dictionary.changed_fields(dictionary.candidate(base, {0: (3, canonical(3))})) == ()
