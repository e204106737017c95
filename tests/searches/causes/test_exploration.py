"""Runs that would show a cause that nobody has seen: outside of the known ones, new, as different as can be."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rootward.searches.causes.options import options
from rootward.searches.causes.questions import UnseenCauses
from rootward.searches.causes.runs import Runs
from tests.properties import examples
from tests.searches.causes.paper import small

quick = examples(40, derandomize=True)


@quick
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.integers(0, 999),
    st.integers(1, 40),
    st.booleans(),
    st.data(),
)
def test_instances_are_outside_and_new(
    sizes: list[int], seed: int, count: int, many: bool, data: st.DataObject
) -> None:
    rng, pipeline = np.random.default_rng(seed), small(sizes)
    runs = Runs(pipeline)
    for row in rng.integers(0, pipeline.sizes, size=(data.draw(st.integers(0, 6)), len(sizes))):
        runs.add(tuple(row.tolist()), False)
    boxes = [
        {int(p): rng.random(sizes[p]) < 0.5 for p in rng.permutation(len(sizes))[: rng.integers(1, 3)]}
        for _ in range(data.draw(st.integers(0, 2)))
    ]

    def usable(row: NDArray[np.int64]) -> bool:
        return tuple(row.tolist()) not in runs

    unseen = UnseenCauses(() if many else options(pipeline, runs), pipeline.sizes, [seed])
    found = unseen.instances(boxes, runs, usable, count)
    allowed = {
        one
        for one in product(*map(range, sizes))
        if one not in runs and not any(all(mask[one[p]] for p, mask in box.items()) for box in boxes)
    }
    assert len(set(found)) == len(found) <= count
    assert set(found) <= allowed
    assert len(found) >= min(count, len(allowed)) or len(allowed) > 60, "a small space is seen whole"


def test_every_value_is_tried_soon() -> None:
    """Without knowledge, the first few instances have every value of every parameter."""
    pipeline = small([4, 4, 4, 4])
    runs = Runs(pipeline)
    found = UnseenCauses(options(pipeline, runs), pipeline.sizes, [0]).instances([], runs, lambda row: True, 24)
    assert all({one[p] for one in found} == {0, 1, 2, 3} for p in range(4))


def test_what_passed_is_not_looked_for_again() -> None:
    """Values that passed tell nothing new: the others come first."""
    pipeline = small([5, 5])
    runs = Runs(pipeline)
    for a, b in product(range(4), range(4)):
        runs.add((a, b), False)
    first = UnseenCauses(options(pipeline, runs), pipeline.sizes, [0]).instances([], runs, lambda row: True, 1)
    assert 4 in first[0]


def test_the_same_seed_gives_the_same() -> None:
    pipeline = small([3, 3, 3])
    runs = Runs(pipeline)
    one, two = (
        UnseenCauses(options(pipeline, runs), pipeline.sizes, [3]).instances([], runs, lambda row: True, 9)
        for _ in range(2)
    )
    assert one == two


def test_a_small_rest_is_found_beside_large_causes() -> None:
    """Where the causes cover nearly everything, what lies outside of them can still be run."""
    pipeline = small([20, 20, 20, 3])
    runs = Runs(pipeline)
    boxes = [{p: np.arange(20) != 0} for p in range(3)]
    found = UnseenCauses(options(pipeline, runs), pipeline.sizes, [0]).instances(boxes, runs, lambda row: True, 5)
    assert sorted(found) == [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 2)]
