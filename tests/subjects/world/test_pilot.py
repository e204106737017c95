"""The pilot: it turns to the goal, and a view tells where there is room."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.subjects.world.pilot import ANGLES, BEHIND, CARE, REACH, LaserView, Pilot, wrap_angle

pytest.importorskip("mujoco")


angles = st.floats(-20, 20)


@given(angles)
def test_a_wrapped_angle_is_the_same_direction(angle: float) -> None:
    assert -BEHIND <= wrap_angle(angle) <= 2 * pi - BEHIND
    assert np.cos(wrap_angle(angle) - angle) == pytest.approx(1.0)


@given(angles)
def test_it_turns_to_the_side_of_the_goal(heading: float) -> None:
    speed, turn = Pilot((1.0, 0.0), 0.8).command(0.0, 0.0, heading, None)
    assert 0 <= speed <= 0.8
    assert turn * wrap_angle(-heading) >= 0


@given(st.floats(-0.1, 0.1))
def test_it_does_not_waver_when_the_goal_is_behind(noise: float) -> None:
    assert Pilot((-1.0, 0.0), 0.8).command(0.0, 0.0, noise, None)[1] > 0


def test_free_ground_leaves_the_course_alone() -> None:
    assert LaserView(np.full(len(ANGLES), REACH)).way(0.123) == (0.123, CARE)


@given(st.floats(-1.5, 1.5))
def test_it_goes_round_what_is_ahead(course: float) -> None:
    ranges = np.where(np.abs(ANGLES) < 0.2, 1.0, REACH)
    chosen, room = LaserView(ranges).way(course)
    assert room == CARE
    edge = 0.2 + np.arcsin((0.67 / 2) / 1.0)
    assert abs(chosen) > edge - 0.1
    assert abs(chosen) < edge + 0.2 or chosen == course


def test_shut_in_it_keeps_its_course_slowly() -> None:
    assert LaserView(np.full(len(ANGLES), 0.3)).way(0.5) == (0.5, 0.0)
