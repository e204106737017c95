"""Where a scripted model is at any time."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.scenes.motion import Motion, MovingModel, interpolate
from rootward.formats.scenes.scene import Pose, Shape
from rootward.space.keys import key

ROAD = ((1.0, Pose(0, 0, 1)), (3.0, Pose(4, 0, 1)), (5.0, Pose(4, 2, 1)))

numbers = st.integers(-50, 50).map(lambda n: n / 4)
poses = st.builds(Pose, numbers, numbers, numbers, yaw=numbers)
roads = st.lists(
    st.tuples(st.integers(0, 40).map(lambda n: n / 4), poses), min_size=1, max_size=6, unique_by=lambda p: p[0]
)


@pytest.mark.parametrize(
    ("time", "place"), [(0, (0, 0)), (1, (0, 0)), (2, (2, 0)), (3, (4, 0)), (4.5, (4, 1.5)), (5, (4, 2)), (99, (4, 2))]
)
def test_it_waits_moves_evenly_and_stays(time: float, place: tuple[float, float]) -> None:
    assert Motion(ROAD).pose_at(time).point == (*place, 1)


@pytest.mark.parametrize(
    ("time", "place"), [(4.5, (4, 1.5)), (5, (0, 0)), (5.5, (0, 0)), (7, (2, 0)), (9.5, (4, 1.5)), (5003, (4, 0))]
)
def test_it_begins_again_and_waits_again(time: float, place: tuple[float, float]) -> None:
    assert Motion(ROAD, repeat_from=0.0).pose_at(time).point == (*place, 1)


def test_it_may_go_back_to_a_later_time_than_its_start() -> None:
    assert Motion(ROAD, repeat_from=3.0).pose_at(5.0).point == (4, 0, 1)
    assert Motion(ROAD, repeat_from=3.0).pose_at(8.0).point == (4, 1, 1)


def test_it_turns_the_shorter_way() -> None:
    here, there = Pose(yaw=math.radians(170)), Pose(yaw=math.radians(-170))
    assert abs(interpolate(here, there, 0.5).yaw) == pytest.approx(math.pi)
    assert interpolate(here, there, 0.25).yaw == pytest.approx(math.radians(175))


@given(roads, st.sampled_from([None, 0.0]), st.integers(0, 200).map(lambda n: n / 8))
def test_the_position_is_that_of_a_search_through_all_segments(
    road: list[tuple[float, Pose]], repeat: float | None, time: float
) -> None:
    road = sorted(road, key=lambda mark: mark[0])
    end, turn = road[-1][0], time
    if repeat is not None and end > 0:
        while turn >= end:
            turn -= end
    expected = road[0][1].point if turn < road[0][0] else road[-1][1].point
    for (start, here), (stop, there) in pairwise(road):
        if start <= turn < stop:
            share = (turn - start) / (stop - start)
            expected = tuple(a + (b - a) * share for a, b in zip(here.point, there.point, strict=True))  # type: ignore[assignment]
    assert Motion(tuple(road), repeat).pose_at(time).point == pytest.approx(expected, abs=1e-6)


@given(poses, poses, st.integers(0, 8).map(lambda n: n / 8))
def test_a_turn_about_one_axis_is_even(here: Pose, there: Pose, share: float) -> None:
    turn = math.remainder(there.yaw - here.yaw, math.tau)
    if abs(turn) < math.pi - 0.01:
        left = math.remainder(interpolate(here, there, share).yaw - here.yaw - share * turn, math.tau)
        assert left == pytest.approx(0, abs=1e-4)


def test_a_moving_model_knows_its_centre() -> None:
    model = MovingModel(
        0, "cart", Pose(), (Shape("box", (1, 1, 2), Pose(1, 0, 1)),), motion=Motion(((0.0, Pose(yaw=math.pi / 2)),))
    )
    assert model.centre_at(3.0) == pytest.approx((0, 1, 1))
    assert model.at(3.0).pose.yaw == math.pi / 2


def test_the_motion_is_part_of_its_identity() -> None:
    one, other = (MovingModel(0, "a", motion=Motion(((t, Pose()),))) for t in (0.0, 1.0))
    assert key(one) != key(other)
    assert pickle.loads(pickle.dumps(one)) == one
