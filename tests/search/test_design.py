"""Covering arrays against brute force: all that may occur does, and nothing else is in them. Latin hypercubes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Rule
from rootward.search.design import Box, Constraints, Instance, covering_array, hypercube
from rootward.search.design.arrays import finite_field, orthogonal_array
from rootward.search.design.constraints import FREE
from rootward.searches.causes.pipeline import Pipeline
from tests.properties import examples

thorough = examples(80, derandomize=True)
Combination = tuple[tuple[int, int], ...]


def made(sizes: Sequence[int], strength: int, seed: int = 0, **options: object) -> list[Instance]:
    return covering_array(sizes, strength, rng=np.random.default_rng(seed), **options)  # type: ignore[arg-type]


def covered(rows: Iterable[Instance], strength: int) -> set[Combination]:
    return {one for row in rows for one in itertools.combinations(enumerate(row), strength)}


def inside(instance: Sequence[int], box: Box) -> bool:
    return all(allowed[instance[i]] for i, allowed in box.items())


@st.composite
def boxes(draw: st.DrawFn, sizes: Sequence[int]) -> list[Box]:
    found: list[Box] = []
    for _ in range(draw(st.integers(0, 4))):
        chosen = draw(st.lists(st.integers(0, len(sizes) - 1), min_size=1, max_size=3, unique=True))
        found.append({i: np.array(draw(st.lists(st.booleans(), min_size=sizes[i], max_size=sizes[i]))) for i in chosen})
    return found


@thorough
@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(1, 4), st.integers(0, 99), st.data())
def test_every_combination_that_may_occur_does(sizes: list[int], strength: int, seed: int, data: st.DataObject) -> None:
    avoided = data.draw(boxes(sizes))
    every = list(itertools.product(*map(range, sizes)))
    allowed = [one for one in every if not any(inside(one, box) for box in avoided)]
    known = data.draw(st.lists(st.sampled_from(every), max_size=6))
    rows = made(sizes, strength, seed, forbidden=avoided, known=known, tight=data.draw(st.booleans()))
    together = min(strength, len(sizes))
    assert set(rows) <= set(allowed)
    assert covered([*rows, *known], together) >= covered(allowed, together)
    assert all(type(place) is int for row in rows for place in row)
    if not avoided and not known:
        assert covered(rows, together) == covered(every, together)


@thorough
@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.data())
def test_constraints_are_decided_exactly(sizes: list[int], data: st.DataObject) -> None:
    avoided = data.draw(boxes(sizes))
    part = [data.draw(st.integers(FREE, size - 1)) for size in sizes]
    completions = [
        one
        for one in itertools.product(
            *([place] if place >= 0 else range(size) for place, size in zip(part, sizes, strict=True))
        )
        if not any(inside(one, box) for box in avoided)
    ]
    constraints = Constraints(sizes, avoided)
    assert constraints.allow(part) == bool(completions)
    found = constraints.complete(part, np.random.default_rng(data.draw(st.integers(0, 9))))
    assert found in completions if completions else found is None


def test_the_constraints_of_a_pipeline() -> None:
    space = rw.Space({"a": rw.Int(0, 3), "b": rw.Choice(["x", "y"]), "c": rw.Bool()})
    never = Rule([[Atom("a", ">=", 2), Atom("b", "=", "x")], [Atom("a", "=", 0), Atom("c", "=", True)]])
    pipeline = Pipeline(space, never=never)
    constraints = Constraints(pipeline.sizes.tolist(), pipeline.forbidden)
    for instance in itertools.product(*(range(size) for size in pipeline.sizes)):
        assert constraints.allow(instance) == pipeline.allows(instance)
    assert Pipeline(space).forbidden == []


def test_nothing_to_run() -> None:
    assert made([], 2) == []
    assert made([2, 2], 2, known=list(itertools.product(range(2), range(2)))) == []
    assert made([2, 2], 1, forbidden=[{0: np.array([True, True])}]) == []
    with pytest.raises(InputError, match="strength = 0"):
        made([2, 2], 0)


@pytest.mark.parametrize(
    ("sizes", "strength", "most"),
    [
        pytest.param([10] * 8, 2, 121, marks=pytest.mark.rest),  # the public peer: 166 to 640; a good tool: 157
        ([10] * 8, 1, 10),
        ([3] * 4, 2, 9),
        ([4] * 5, 2, 16),
        pytest.param([8] * 9, 2, 64, marks=pytest.mark.rest),
        ([2] * 60, 2, 13),
        ([3] * 13, 2, 20),
        pytest.param([10, 9, 8, 7, 6, 5, 4, 3, 2], 2, 92, marks=pytest.mark.rest),
        ([2] * 10, 3, 16),
        ([3] * 6, 3, 45),
        pytest.param([5] * 6, 3, 125, marks=pytest.mark.rest),
        ([2] * 10, 4, 42),
        pytest.param([2] * 24, 3, 30, marks=pytest.mark.rest),
    ],
)
def test_few_rows(sizes: list[int], strength: int, most: int) -> None:
    rows = made(sizes, strength)
    assert len(rows) <= most
    codes = np.array(rows)
    for group in itertools.combinations(range(len(sizes)), strength):
        weights = np.cumprod([1, *(sizes[i] for i in group[:-1])])
        assert len(np.unique(codes[:, group] @ weights)) == np.prod([sizes[i] for i in group])


def test_the_order_of_the_parameters_does_not_matter() -> None:
    sizes = [7, 2, 5, 3, 2, 6]
    counts = {len(made(shuffled, 2)) for shuffled in itertools.islice(itertools.permutations(sizes), 0, 720, 180)}
    assert len(counts) == 1


def test_known_rows_are_not_paid_for_again() -> None:
    rows = made([3] * 4, 2)
    assert made([3] * 4, 2, known=rows) == []
    assert 0 < len(made([3] * 4, 2, known=rows[:5])) <= 6


def test_the_same_seed_gives_the_same_rows() -> None:
    assert made([3, 4, 2, 5], 2, seed=5) == made([3, 4, 2, 5], 2, seed=5)


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 11, 16, 25, 27])
def test_finite_fields(order: int) -> None:
    plus, times = finite_field(order)
    every = np.arange(order)
    for table, elements in ((plus, every), (times, every[1:])):
        assert (table == table.T).all()
        assert all(sorted(table[one, elements]) == sorted(elements) for one in elements)
        assert (table[table[:, :, None], every] == table[every[:, None, None], table[None]]).all()
    assert (times[:, plus] == plus[times[:, :, None], times[:, None, :]]).all()


@pytest.mark.parametrize(
    ("levels", "columns", "strength"), [(10, 8, 2), (4, 5, 2), (5, 4, 3), (2, 3, 2), (3, 4, 4), (6, 1, 1)]
)
def test_orthogonal_arrays(levels: int, columns: int, strength: int) -> None:
    rows = orthogonal_array(levels, columns, strength, 10_000)
    assert rows is not None
    for group in itertools.combinations(range(columns), strength):
        assert len(np.unique(rows[:, group], axis=0)) == len(rows) >= levels**strength
    assert orthogonal_array(levels, columns, strength, len(rows) - 1) is None


def test_no_field_of_that_size_is_built() -> None:
    assert orthogonal_array(2, 100, 2, 10**9) is None


# Latin hypercubes


@given(points=st.integers(1, 60), coordinates=st.integers(0, 12), seed=st.integers(0, 2**32))
def test_every_bin_of_every_coordinate_holds_one_point(points: int, coordinates: int, seed: int) -> None:
    drawn = hypercube(points, coordinates, np.random.default_rng(seed))
    assert drawn.shape == (points, coordinates)
    bins = np.ceil(drawn * points) - 1
    assert np.array_equal(np.sort(bins, axis=0), np.tile(np.arange(points)[:, None], coordinates))


def test_coordinates_are_independent_and_points_are_anywhere_in_their_bins() -> None:
    drawn = hypercube(10_000, 2, np.random.default_rng(0))
    correlations: Any = np.corrcoef(drawn.T)
    assert abs(correlations[0, 1]) < 0.05
    within = drawn * 10_000 % 1
    assert abs(within.mean() - 0.5) < 0.02
    assert abs(within.std() - 12**-0.5) < 0.02


def test_what_is_drawn_next_does_not_depend_on_how_many_points_there_are() -> None:
    few, many = np.random.default_rng(5), np.random.default_rng(5)
    first = hypercube(3, 2, few)
    hypercube(50, 4, many)
    assert few.random() == many.random()
    assert not np.array_equal(first, hypercube(3, 2, few))
