"""The partitionings of ddenv's Table I, on small scenes where a person can tell what belongs together."""

from __future__ import annotations

import math
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.reduction.ddenv_schemas import (
    PARTITIONS,
    SchemaEvidence,
    find_turns,
    learner,
    model2model,
    timeseg,
    trajectoryseg,
)
from rootward.searches.reduction.surroundings import Surroundings, Way
from tests.properties import examples

from .helpers import points

Parts = list[list[int]]


def evidence(scene: Surroundings, seed: int = 0) -> SchemaEvidence:
    return SchemaEvidence(scene, np.random.default_rng(seed))


def driven(*way: tuple[float, float], speed: float = 1.0, hertz: float = 5.0) -> Way:
    """Straight from corner to corner."""
    rows, time = [(0.0, *way[0], 0.0)], 0.0
    for (x, y), (to_x, to_y) in pairwise(way):
        count = round(math.dist((x, y), (to_x, to_y)) / speed * hertz)
        for i in range(1, count + 1):
            time += 1 / hertz
            rows.append((time, x + (to_x - x) * i / count, y + (to_y - y) * i / count, 0.0))
    return tuple(rows)


# All of them


numbers = st.floats(allow_nan=False, allow_infinity=False, width=64) | st.sampled_from([0.0, 1.0, 1e-200, 5e-324])
places = st.tuples(numbers, numbers, numbers)


@examples(40, derandomize=True)
@given(
    positions=st.lists(st.none() | places, min_size=1, max_size=12),
    data=st.data(),
    n=st.integers(1, 14),
    seed=st.integers(0, 3),
)
@pytest.mark.parametrize("name", ["model2model", "timeseg"])
def test_every_element_is_in_one_of_n_parts_at_most(
    positions: list[Any], data: st.DataObject, n: int, seed: int, name: str
) -> None:
    sensed = data.draw(st.dictionaries(st.integers(0, len(positions) - 1), numbers, min_size=1))
    check_parts(name, Surroundings(positions=tuple(positions), sensed=sensed), data, n, seed)


metres = st.floats(-1e4, 1e4)


@examples(40, derandomize=True)
@given(
    positions=st.lists(st.none() | st.tuples(metres, metres, metres), min_size=1, max_size=12),
    path=st.lists(st.tuples(st.floats(0, 1e3), metres, metres, metres), min_size=1, max_size=12),
    data=st.data(),
    n=st.integers(1, 14),
    seed=st.integers(0, 3),
)
@pytest.mark.parametrize("name", sorted(PARTITIONS))
def test_every_element_is_in_one_of_n_parts_at_most_along_a_trajectory(
    positions: list[Any], path: list[Any], data: st.DataObject, n: int, seed: int, name: str
) -> None:
    positions[0] = (0.0, 0.0, 0.0)  # one has one
    check_parts(name, Surroundings(positions=tuple(positions), trajectory=tuple(path)), data, n, seed)


def check_parts(name: str, scene: Surroundings, data: st.DataObject, n: int, seed: int) -> None:
    """Parts of some elements, after some trials; the same ones for the same seed."""
    everything = range(len(scene.positions))
    members = sorted(data.draw(st.sets(st.sampled_from(everything)), label="members"))
    trials = data.draw(st.lists(st.tuples(st.frozensets(st.sampled_from(everything)), st.booleans())), label="trials")

    def parts() -> Parts:
        known = evidence(scene, seed)
        known.trials.extend(trials)
        return PARTITIONS[name][0](members, n, known)

    found = parts()
    assert sorted(chain(*found)) == members
    assert all(part == sorted(part) and part for part in found)
    assert len(found) <= max(n, 2)
    assert n == 1 or len(members) < 2 or len(found) > 1
    assert all(type(i) is int for i in chain(*found))
    assert found == parts()


@pytest.mark.parametrize("name", sorted(PARTITIONS))
def test_elements_in_one_place_are_cut_evenly(name: str) -> None:
    scene = Surroundings(positions=((1.0, 2.0, 0.0),) * 5, trajectory=driven((0, 0), (5, 0)))
    assert PARTITIONS[name][0](range(5), 2, evidence(scene)) == [[0, 1], [2, 3, 4]]
    assert PARTITIONS[name][0](range(5), 5, evidence(scene)) == [[0], [1], [2], [3], [4]]


@pytest.mark.parametrize("name", sorted(PARTITIONS))
def test_elements_without_a_place_are_a_part_of_their_own(name: str) -> None:
    places = points([(0, 0), None, (1, 0), (9, 9), None, (10, 9)])
    scene = Surroundings(positions=places, trajectory=driven((0, 0), (9, 0), (9, 9), (0, 9)))
    assert PARTITIONS[name][0](range(6), 3, evidence(scene)) == [[0, 2], [1, 4], [3, 5]]
    assert PARTITIONS[name][0]([1, 4], 2, evidence(scene)) == [[1], [4]]


# model2model: what is close together


@pytest.mark.parametrize("seed", range(10))
def test_model2model_finds_groups(seed: int) -> None:
    groups = [(0, 0), (10, 0), (0, 10)]
    places = [(x + dx, y + dx) for dx in (0.0, 0.3, 0.6) for x, y in groups]
    known = evidence(Surroundings(positions=points(places)), seed)
    assert model2model(range(9), 3, known) == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]


def test_model2model_goes_by_height_too() -> None:
    scene = Surroundings(positions=points([(0, 0, 0), (0, 0, 9), (1, 0, 0), (1, 0, 9)]))
    assert model2model(range(4), 2, evidence(scene)) == [[0, 2], [1, 3]]


def test_model2model_sees_a_lone_element_beside_many_in_one_place() -> None:
    scene = Surroundings(positions=points([(0, 0)] * 50 + [(1, 0)]))
    assert model2model(range(51), 2, evidence(scene)) == [list(range(50)), [50]]


def test_as_many_parts_as_elements_are_single_elements() -> None:
    scene = Surroundings(positions=points([(i * i, -i) for i in range(12)]))
    assert model2model(range(12), 12, evidence(scene)) == [[i] for i in range(12)]


# timeseg: what was sensed at about the same time


def test_timeseg_goes_by_the_times_that_were_reported() -> None:
    scene = Surroundings(sensed={0: 1.0, 1: 30.0, 2: 2.0, 3: 29.0, 4: 44.0, 5: 45.0})
    assert timeseg(range(6), 3, evidence(scene)) == [[0, 2], [1, 3], [4, 5]]


def test_timeseg_starts_from_an_even_subdivision() -> None:
    """Of 0 to 12 seconds: up to 6, and after 6; those are their own centres' clusters."""
    scene = Surroundings(sensed={0: 0.0, 1: 5.0, 2: 7.0, 3: 12.0})
    assert timeseg(range(4), 2, evidence(scene)) == [[0, 1], [2, 3]]


def test_timeseg_keeps_what_was_never_sensed_apart() -> None:
    scene = Surroundings(sensed={0: 1.0, 2: 40.0})
    assert timeseg(range(5), 3, evidence(scene)) == [[0], [1, 3, 4], [2]]


def test_timeseg_takes_the_closest_approach_if_no_times_are_reported() -> None:
    """There on one side, back on the other: far apart in time, though not in space."""
    way = driven((0, 0), (20, 0), (20, 2), (0, 2))
    scene = Surroundings(positions=points([(1, -0.5), (1, 2.5), (2, -0.5), (2, 2.5)]), trajectory=way)
    assert timeseg(range(4), 2, evidence(scene)) == [[0, 2], [1, 3]]
    assert evidence(scene).time_sensed(0) == pytest.approx(1.0)
    assert evidence(scene).time_sensed(1) == pytest.approx(41.0)


# trajectoryseg: what lies along the same leg of the way


LEGS = driven((0, 0), (10, 0), (10, 10), (0, 10))
BESIDE = points([(2, 1), (8, -1), (11, 2), (9, 7), (7, 11), (3, 9)])


def test_trajectoryseg_cuts_at_the_corners() -> None:
    scene = Surroundings(positions=BESIDE, trajectory=LEGS)
    assert trajectoryseg(range(6), 3, evidence(scene)) == [[0, 1], [2, 3], [4, 5]]


def test_trajectoryseg_takes_the_sharpest_turn_that_parts_the_elements() -> None:
    way = driven((0, 0), (10, 0), (18, 2), (18, 12))  # a slight turn, then a sharp one
    scene = Surroundings(positions=points([(2, 1), (14, 0), (19, 9)]), trajectory=way)
    assert trajectoryseg(range(3), 2, evidence(scene)) == [[0, 1], [2]]
    assert trajectoryseg(range(3), 3, evidence(scene)) == [[0], [1], [2]]
    assert trajectoryseg([0, 1], 2, evidence(scene)) == [[0], [1]]  # the sharp one does not part these


def test_turns_are_where_the_angular_velocity_changes() -> None:
    corners = [LEGS[i][1:3] for i in find_turns(evidence(Surroundings(trajectory=LEGS)))]
    assert {(10.0, 0.0), (10.0, 10.0)} <= {(round(x, 6), round(y, 6)) for x, y in corners}
    assert len(corners) == 4  # where it begins to turn, and where it no longer does


def test_turns_an_arc_begins_and_ends() -> None:
    """5 m straight, a quarter of a circle of 5 m radius at 0.2 rad/s, 5 m straight: at 1 m/s, five times a second."""
    angles = np.linspace(0, math.pi / 2, 40)
    arc = [(5 + 5 * math.sin(angle), 5 - 5 * math.cos(angle)) for angle in angles]
    way = [(i / 5, 0.0) for i in range(25)] + arc + [(10.0, 5 + i / 5) for i in range(1, 26)]
    scene = Surroundings(trajectory=tuple((i / 5, x, y, 0.0) for i, (x, y) in enumerate(way)))
    found = find_turns(evidence(scene))
    assert {25, 64} <= set(found)
    assert all(min(abs(i - 25), abs(i - 64)) <= 1 for i in found)


@pytest.mark.parametrize(
    "path",
    [
        driven((0, 0), (30, 0)),
        driven((0, 0), (6, 0), speed=0.1, hertz=250),
        tuple((i / 10, math.sin(i) / 100, math.cos(3 * i) / 100, 0.0) for i in range(450)),
        ((0.0, 0.0, 0.0, 0.0),),
        ((0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 1.0, 1.0, 0.0)),
    ],
    ids=["straight", "slowly straight", "stuck and shaking", "one point", "no time"],
)
def test_no_turns(path: Any) -> None:
    assert find_turns(evidence(Surroundings(trajectory=path))) == []


# learner: what seems to have the same influence


ROW = Surroundings(positions=points([(float(x), 1.0) for x in range(10)]), trajectory=driven((0, 0), (9, 0)))


def test_learner_clusters_the_attributes_until_there_is_something_to_learn() -> None:
    known = evidence(ROW)
    known.trials.append((frozenset(range(10)), True))
    assert learner(range(10), 2, known) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


def test_learner_separates_what_failing_tests_have_in_common() -> None:
    """Position along the way and distance from it are independent here; only the distance tells fails from passes."""
    places = points([(float(x), y) for x in range(5) for y in (0.5, 6.0)])
    known = evidence(Surroundings(positions=places, trajectory=driven((0, 0), (4, 0))))
    near, far = frozenset(range(0, 10, 2)), frozenset(range(1, 10, 2))
    known.trials += [(near, True), (far, False), (frozenset([0, 2]), True), (frozenset([7, 9]), False)]
    assert learner(range(10), 2, known) == [sorted(near), sorted(far)]


def test_learner_ranks_elements_by_their_influence() -> None:
    """The further along, the more it fails: then the elements are on one line, and single ones can be told apart."""
    known = evidence(ROW)
    known.trials += [(frozenset(range(10)), True), (frozenset(range(5)), False), (frozenset([8, 9]), True)]
    [low, high] = learner(range(10), 2, known)
    assert max(low) < min(high)
    assert learner(range(10), 10, known) == [[i] for i in range(10)]
