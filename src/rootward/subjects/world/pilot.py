"""The pilot: decides how the robot drives, from its estimated position and what it sees.

Without a laser, it turns towards the goal and drives. With a laser, it takes the direction nearest to the goal's in
which a robot of its width has room (the idea of the vector-field histogram); it sees nothing below the laser's plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, pi
from typing import Any

import numpy as np

from rootward.subjects.world import husky

# The laser: a fan of beams in one plane, in front of the robot. It does not see anything lower than that plane.


ANGLES = np.linspace(-1.9, 1.9, 77)
"""The angles of the beams in radians, counted from straight ahead to the left."""
REACH = 5.0
"""The range of the laser in metres."""


def scan(physics: Any, data: Any) -> tuple[Any, Any]:
    """Return the length of each laser beam, and the geometries that beams hit."""
    import mujoco

    robot = data.body("robot")
    turned = robot.xmat.reshape(3, 3)
    ahead, above = husky.LASER
    eye = robot.xpos + turned @ (ahead, 0.0, above)
    beams = np.stack([np.cos(ANGLES), np.sin(ANGLES), np.zeros(len(ANGLES))]).T @ turned.T
    met, ranges = np.full(len(ANGLES), -1, np.int32), np.full(len(ANGLES), -1.0)
    world = np.array([1, 0, 0, 0, 0, 0], np.uint8)  # the robot is in another group
    mujoco.mj_multiRay(physics, data, eye, beams.ravel(), world, 1, -1, met, ranges, None, len(ANGLES), REACH)
    hit = met >= 0
    return np.where(hit, ranges, REACH), met[hit]


GRAIN = ANGLES[1] - ANGLES[0]
CARE, MARGIN = 1.3, 0.03
"""The free distance that the pilot wants ahead, and the free width beyond the robot's own on each side, in metres."""
TURN = 2.0
"""Maximum rate of turn, in rad/s."""
BEHIND = 2.6
"""A direction further to the right than this, in radians, is reached by turning left."""


@dataclass(frozen=True)
class Pilot:
    goal: tuple[float, float]
    speed: float

    def command(self, x: float, y: float, heading: float, view: LaserView | None) -> tuple[float, float]:
        """Return speed and rate of turn.

        They follow from the estimated position and heading, and from the view of the laser, if there is one.
        """
        course, pace = wrap_angle(atan2(self.goal[1] - y, self.goal[0] - x) - heading), self.speed
        if view is not None:
            course, room = view.way(course)
            pace *= min(1.0, 0.3 + room / CARE)
        return pace * max(0.0, cos(course)) ** 2, max(-TURN, min(TURN, 2.5 * course))


class LaserView:
    """The view of the laser. For the direction of each beam, it says how far the robot can go."""

    def __init__(self, ranges: Any) -> None:
        near = ranges < CARE + husky.LENGTH / 2
        away = ANGLES[:, None] - ANGLES[None, near]
        across, along = np.abs(ranges[near] * np.sin(away)), ranges[near] * np.cos(away)
        blocked = (along > 0) & (across < husky.WIDTH / 2 + MARGIN)
        self._room = np.where(blocked, along, CARE).min(axis=1, initial=CARE)

    def way(self, course: float) -> tuple[float, float]:
        """Return the free direction nearest to ``course``, and the distance for which it is free.

        If no direction is free, return ``course``, limited to the angles of the laser, and 0.
        """
        best = int(np.argmin(np.where(self._room >= CARE, np.abs(ANGLES - course), np.inf)))
        if self._room[best] < CARE:
            return max(ANGLES[0], min(ANGLES[-1], course)), 0.0
        return (course if abs(ANGLES[best] - course) < GRAIN else float(ANGLES[best])), CARE


def wrap_angle(angle: float) -> float:
    """Return the same direction as an angle within one full turn.

    Directions behind the robot count as left. Otherwise the slightest noise would switch between left and right.
    """
    return (angle + BEHIND) % (2 * pi) - BEHIND


# What the robot knows about itself is never exact: the compass and the odometer each have an error that is drawn once
# per run, and a small one that is drawn for each reading; and the wheels of each side never follow commands exactly.


@dataclass(frozen=True)
class SensorNoise:
    """Standard deviations of the errors of the robot's sensors and wheels.

    The errors are those of compass (rad), odometer (m), pace and drift (both as shares of the speed). They are drawn
    once per run; only ``flicker`` is drawn again and again.
    """

    compass: float = 0.03
    odometer: float = 0.04
    pace: float = 0.05
    drift: float = 0.02
    flicker: float = 0.02
    """The standard deviation of the error of each reading and each command."""


class Senses:
    """The noise of one run."""

    def __init__(self, noise: SensorNoise, seed: int) -> None:
        self._rng, self._noise = np.random.default_rng(seed), noise
        draw = np.clip(self._rng.normal(size=5), -2.0, 2.0)  # the goal stays within reach
        self._heading = draw[0] * noise.compass
        self._x, self._y = draw[1:3] * noise.odometer
        pace, drift = 1 + draw[3] * noise.pace, draw[4] * noise.drift
        self._left, self._right = pace - drift, pace + drift

    def reading(self, x: float, y: float, heading: float) -> tuple[float, float, float]:
        """Return the estimated position and heading. ``x``, ``y`` and ``heading`` are the true ones."""
        a, b, c = self._rng.normal(scale=self._noise.flicker, size=3)
        return x + self._x + a, y + self._y + b, heading + self._heading + c

    def drive(self, wheels: tuple[float, float, float, float]) -> Any:
        """Return the true wheel speeds that result from the commanded speeds ``wheels``."""
        real = self._rng.normal(1.0, self._noise.flicker, size=4)
        return np.array(wheels) * real * (self._left, self._right, self._left, self._right)
