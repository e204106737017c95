"""The prioritisations of ddenv's Table I, on small scenes: which part comes first?"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.reduction.ddenv_schemas import PRIORITIES, SchemaEvidence
from rootward.searches.reduction.surroundings import Surroundings

from .helpers import points

Parts = list[list[int]]

# The robot stands at the origin for 6 s, goes to (10, 0) in 1 s and fails there.
WAY = (*((float(t), 0.0, 0.0, 0.0) for t in range(7)), (7.0, 10.0, 0.0, 0.0))


def ordered(name: str, scene: Surroundings, parts: Parts, seed: int = 0) -> Parts:
    return PRIORITIES[name][0](parts, SchemaEvidence(scene, np.random.default_rng(seed)))


def test_failure_proximal_goes_by_the_centroid_in_three_dimensions() -> None:
    places = points([(10, 0, 9), (8, 0, 0), (12, 8, 0), (0, 0, 0), (20, 0, 0)])
    scene = Surroundings(positions=places, trajectory=WAY)
    # centroids: 9 above the failure; (10, 4, 0), 4 beside it; (10, 0, 0), there, though both elements are 10 away
    assert ordered("failure-proximal", scene, [[0], [1, 2], [3, 4]]) == [[3, 4], [1, 2], [0]]


def test_the_three_distances_by_hand() -> None:
    """From where the robot was, (0, 0) and (10, 0): to the closest of the two, on average, to the last."""
    way = ((0.0, 0.0, 0.0, 0.0), (1.0, 10.0, 0.0, 0.0))
    scene = Surroundings(positions=points([(-2, 0), (10, 3), (4, 0)]), trajectory=way)
    parts = [[0], [1], [2]]
    assert ordered("minimum-trajectory-proximal", scene, parts) == [[0], [1], [2]]  # 2, 3, 4
    assert ordered("average-trajectory-proximal", scene, parts) == [[2], [1], [0]]  # 5, (10.44 + 3) / 2, 7
    assert ordered("failure-proximal", scene, parts) == [[1], [2], [0]]  # 3, 6, 12


def test_the_average_is_over_the_whole_run() -> None:
    """Where the robot stands longest weighs most, although it failed elsewhere."""
    scene = Surroundings(positions=points([(10, 1), (0, 1)]), trajectory=WAY)
    assert ordered("average-trajectory-proximal", scene, [[0], [1]]) == [[1], [0]]
    assert ordered("failure-proximal", scene, [[0], [1]]) == [[0], [1]]


def test_sequential_is_the_order_of_the_elements() -> None:
    assert ordered("sequential", Surroundings(), [[4, 5], [1, 9], [0, 8], [2]]) == [[0, 8], [1, 9], [2], [4, 5]]


def test_timestep_goes_by_the_first_element_that_was_sensed() -> None:
    scene = Surroundings(sensed={0: 9.0, 1: 5.0, 2: 2.0, 3: 4.0})
    assert ordered("timestep", scene, [[0, 2], [1], [3], [4]]) == [[0, 2], [3], [1], [4]]


def test_timestep_takes_the_closest_approach_if_no_times_are_reported() -> None:
    way = tuple((float(t), float(t), 0.0, 0.0) for t in range(10))
    scene = Surroundings(positions=points([(8, 1), (2, 1), (5, 1)]), trajectory=way)
    assert ordered("timestep", scene, [[0], [1], [2]]) == [[1], [2], [0]]


def test_random_follows_the_seed() -> None:
    parts = [[i] for i in range(6)]
    orders = [ordered("random", Surroundings(), parts, seed) for seed in range(8)]
    assert orders == [ordered("random", Surroundings(), parts, seed) for seed in range(8)]
    assert len({str(order) for order in orders}) > 4


@pytest.mark.parametrize("name", sorted(set(PRIORITIES) - {"random", "sequential"}))
def test_parts_without_a_place_come_last(name: str) -> None:
    scene = Surroundings(positions=(None, (50.0, 50.0, 0.0), None), trajectory=WAY)
    assert ordered(name, scene, [[0], [2], [1]]) == [[1], [0], [2]]


@pytest.mark.parametrize("name", sorted(PRIORITIES))
@given(parts=st.lists(st.lists(st.integers(0, 3), min_size=1, unique=True)), seed=st.integers(0, 3))
def test_an_order_loses_nothing(name: str, parts: Parts, seed: int) -> None:
    scene = Surroundings(positions=points([(0, 0), (5, 5), None, (1, 0)]), trajectory=WAY)
    assert sorted(ordered(name, scene, parts, seed)) == sorted(parts)
