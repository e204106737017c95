"""Elements that move: where they are at any time, how near the robot came, and what the schemas make of it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.formats.scenes.motion import Motion, MovingModel
from rootward.formats.scenes.scene import Pose, Shape
from rootward.searches.reduction.ddenv_schemas import PARTITIONS, PRIORITIES, SchemaEvidence
from rootward.searches.reduction.line import weights
from rootward.searches.reduction.surroundings import Surroundings
from rootward.searches.reduction.tracks import read_track

WAY = [(float(t), float(t), 0.0) for t in range(11)]
"""The robot goes along the x axis for ten seconds, at 1 m/s."""
MEETS = [(0, 5, -50), (5, 5, 1), (10, 5, 52)]
"""It starts far away, and is 1 m from the robot after 5 s."""
LEAVES = [(0, 5, 1), (2, 5, 30)]
"""It starts on the path of the robot, and is gone when the robot comes."""

numbers = st.integers(-40, 40).map(lambda n: n / 4)
samples = st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=6, unique_by=lambda row: row[0])
ways = st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=12)


def search_segments(rows: Sequence[tuple[float, ...]], time: float) -> tuple[float, ...]:
    """Interpolate by trying every pair of samples."""
    for start, *here in rows:
        for stop, *there in rows:
            if start <= time <= stop and not any(start < t < stop for t, *_ in rows):
                share = 0.0 if start == stop else (time - start) / (stop - start)
                return tuple(a + share * (b - a) for a, b in zip(here, there, strict=True))
    return tuple(min(rows, key=lambda row: abs(row[0] - time))[1:])


@given(samples, numbers)
def test_samples_are_interpolated(rows: list[tuple[float, ...]], time: float) -> None:
    track = read_track(rows)
    assert track is not None
    assert track.at(time) == pytest.approx(search_segments(rows, time), abs=1e-9)


@given(samples, ways)
def test_the_distance_is_the_smallest_over_the_points_of_the_trajectory(
    rows: list[tuple[float, ...]], way: list[tuple[float, ...]]
) -> None:
    known = Surroundings.of(["a"], [rows], way)
    every = [math.dist(search_segments(rows, t)[:2], (x, y)) for t, x, y, _ in way]
    assert known.distance(0) == pytest.approx(min(every), abs=1e-9)
    met = known.meeting_time(0)
    assert any(
        t == met and math.isclose(far, min(every), abs_tol=1e-9) for (t, *_), far in zip(way, every, strict=True)
    )


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=2, max_size=8), ways, st.integers(0, 3))
def test_an_element_that_stays_is_like_one_at_a_point(
    places: list[tuple[float, float, float]], way: list[tuple[float, ...]], seed: int
) -> None:
    """Whether it is given as a point, as samples or as a function, every schema does the same."""
    still: list[list[Any]] = [
        list(places),
        [[(0.0, *place), (7.0, *place)] for place in places],
        [lambda time, place=place: place for place in places],
    ]
    found = [Surroundings.of(range(len(places)), positions, way) for positions in still]
    assert len({tuple(weights(len(places), None, known)) for known in found}) == 1
    members = list(range(len(places)))
    for cut, needs in PARTITIONS.values():
        parts = []
        for known in found:
            evidence = SchemaEvidence(known, np.random.default_rng(seed), [(frozenset(members), True)])
            evidence.require("", needs)
            parts.append(cut(members, 3, evidence))
        assert parts[0] == parts[1] == parts[2]
    for order, _ in PRIORITIES.values():
        orders = [order([[i] for i in members], SchemaEvidence(known, np.random.default_rng(seed))) for known in found]
        assert orders[0] == orders[1] == orders[2]


def test_what_the_robot_meets_weighs_more_than_what_has_left() -> None:
    known = Surroundings.of(["meets", "leaves"], [MEETS, LEAVES], WAY)
    assert [known.distance(i) for i in (0, 1)] == pytest.approx([1.0, 26**0.5])
    assert [known.meeting_time(i) for i in (0, 1)] == [5.0, 0.0]
    meets, leaves = weights(2, None, known)
    assert meets > 1.9
    assert leaves < 1.1
    first = Surroundings.of(["meets", "leaves"], [row[0][1:] for row in (MEETS, LEAVES)], WAY)
    assert weights(2, None, first)[0] < weights(2, None, first)[1], (
        "at their first positions, it is the other way round"
    )


@pytest.mark.parametrize("priority", ["minimum-trajectory-proximal", "average-trajectory-proximal", "failure-proximal"])
def test_priorities_compare_the_robot_with_where_things_were_just_then(priority: str) -> None:
    beside = [(0, 0, 1), (10, 10, 1)]  # goes along with the robot
    places: list[Any] = [(5, 3), [(0, 5, 1), (1, 5, 90)], beside]
    evidence = SchemaEvidence(Surroundings.of("abc", places, WAY), np.random.default_rng(0))
    assert PRIORITIES[priority][0]([[1], [0], [2]], evidence) == [[2], [0], [1]]


def test_the_centroid_of_a_part_moves_with_its_elements() -> None:
    """Two that pass on both sides of the robot are, together, where it is."""
    left, right = ([(0, 0, side), (10, 10, side)] for side in (4, -4))
    known = Surroundings.of("abc", [left, right, (5, 1)], WAY)
    evidence = SchemaEvidence(known, np.random.default_rng(0))
    order = PRIORITIES["average-trajectory-proximal"][0]
    assert order([[2], [0, 1]], evidence) == [[0, 1], [2]]


def test_timestep_takes_the_time_of_the_meeting() -> None:
    known = Surroundings.of("ab", [[(0, 1, 50), (8, 8, 0)], (5, 1)], WAY)
    evidence = SchemaEvidence(known, np.random.default_rng(0))
    assert [evidence.time_sensed(i) for i in (0, 1)] == [8.0, 5.0]
    assert PRIORITIES["timestep"][0]([[0], [1]], evidence) == [[1], [0]]


def test_partitions_take_the_place_of_the_meeting() -> None:
    """Two are met at x = 8, but one of them starts beside the third."""
    moves: list[Any] = [[(0, 0, 9), (8, 8, 1)], (8, -1), (0, 2)]
    for places, parts in ((moves, [[0, 1], [2]]), ([(0, 9), *moves[1:]], [[0, 2], [1]])):
        for name in ("model2model", "timeseg"):
            evidence = SchemaEvidence(Surroundings.of("abc", places, WAY), np.random.default_rng(0))
            assert PARTITIONS[name][0]([0, 1, 2], 2, evidence) == parts


def test_a_moving_model_of_a_scene_brings_its_motion() -> None:
    motion = Motion(((0.0, Pose(5, -50)), (5.0, Pose(5, 2))))
    model = MovingModel(0, "cart", Pose(5, -50), (Shape("box", (2.0, 0.0, 1.0)),), motion=motion)
    known = Surroundings.of([model], way=WAY)
    assert known.positions == ((5.0, -50.0, 0.0),)
    assert known.distance(0) == pytest.approx(1.0)
    assert Surroundings.of([model], [(5, -50)], WAY).distance(0) == pytest.approx(49.0), "unless a position is given"


def mapping(item: str) -> Any:
    return {"meets": MEETS, "leaves": LEAVES}.get(item)


@pytest.mark.parametrize(
    "positions",
    [{"meets": MEETS, "leaves": LEAVES}, mapping, [MEETS, LEAVES, None], [np.array(MEETS), np.array(LEAVES), None]],
)
def test_they_are_given_as_static_positions_are(positions: Any) -> None:
    known = Surroundings.of(["meets", "leaves", "other"], positions, WAY)
    assert known.positions == ((5.0, -50.0, 0.0), (5.0, 1.0, 0.0), None)
    assert sorted(known.tracks) == [0, 1]


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ([(0, 1)], "a position must be"),
        ([(0, 1, 2, 3, 4)], "a position must be"),
        ([(math.nan, 1, 2)], "positions of a moving element must be a list of"),
        ([("x", 1, 2)], "positions of a moving element must be a list of"),
        ([()], "positions of a moving element must be a list of"),
        ([(0, 1, 2), 3], "positions of a moving element must be a list of"),
        (lambda time: (time,), "a position must be"),
        (lambda time: None, "a position must be"),
        (lambda time: (time, math.inf), "a position must be"),
        ([], "a position must be"),
        ("ab", "a position must be"),
    ],
)
def test_bad_positions_are_refused(place: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        rw.reduce(["a", "b"], rw.fails_when(lambda kept: True), positions=[place, (0, 0)], trajectory=WAY)


def moving(n: int) -> Callable[[float], tuple[float, float]]:
    """All start in a circle around the path; two of forty meet the robot."""
    angle = n * math.tau / 40
    if n in (7, 23):
        return lambda time: (5 + (50 - 10 * min(time, 5)) * math.cos(angle), (50 - 10 * min(time, 5)) * math.sin(angle))
    return lambda time: (5 + 3 * (1 + time) * math.cos(angle), 3 * (1 + time) * math.sin(angle))


@pytest.mark.parametrize("options", [{}, {"method": "ddenv", "priority": "minimum-trajectory-proximal"}])
def test_they_save_runs(options: dict[str, Any]) -> None:
    names, fails = [f"cart {n}" for n in range(40)], rw.fails_when(lambda kept: {"cart 7", "cart 23"} <= set(kept))
    places = [moving(n) for n in range(40)]
    runs = []
    for positions in (places, [place(0.0) for place in places]):
        found = rw.reduce(names, fails, positions=positions, trajectory=WAY, **options)
        assert found.kept == ["cart 7", "cart 23"]
        runs.append(found.trials)
    assert runs[0] < runs[1]


def test_the_map_shows_where_it_was_when_it_was_met() -> None:
    fails = rw.fails_when(lambda kept: "meets" in kept)
    found = rw.reduce(["meets", "leaves", "still"], fails, positions=[MEETS, LEAVES, (1, 1)], trajectory=WAY)
    meets, leaves, still = json.loads(json.dumps(found.to_dict()))["map"]["elements"]
    assert meets["outlines"] == [[[5.0, 1.0]]]
    assert meets["motion"]["met"] == 5.0
    assert meets["motion"]["path"] == [[5.0, -50.0], [5.0, 52.0]]
    assert meets["motion"]["after"] == {"met": 5.0, "outlines": [[[5.0, 1.0]]]}
    assert leaves["motion"]["path"] == [[5.0, 1.0], [5.0, 30.0]]
    assert "motion" not in still
