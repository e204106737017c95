"""Latin hypercubes: every bin of every coordinate holds one point."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rootward.design import hypercube


@given(points=st.integers(1, 60), coordinates=st.integers(0, 12), seed=st.integers(0, 2**32))
def test_every_bin_of_every_coordinate_holds_one_point(points: int, coordinates: int, seed: int) -> None:
    drawn = hypercube(points, coordinates, np.random.default_rng(seed))
    assert drawn.shape == (points, coordinates)
    bins = np.ceil(drawn * points) - 1
    assert np.array_equal(np.sort(bins, axis=0), np.tile(np.arange(points)[:, None], coordinates))


def test_coordinates_are_independent_and_points_are_anywhere_in_their_bins() -> None:
    drawn = hypercube(10_000, 2, np.random.default_rng(0))
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.05
    within = drawn * 10_000 % 1
    assert abs(within.mean() - 0.5) < 0.02
    assert abs(within.std() - 12**-0.5) < 0.02


def test_what_is_drawn_next_does_not_depend_on_how_many_points_there_are() -> None:
    few, many = np.random.default_rng(5), np.random.default_rng(5)
    first = hypercube(3, 2, few)
    hypercube(50, 4, many)
    assert few.random() == many.random()
    assert not np.array_equal(first, hypercube(3, 2, few))
