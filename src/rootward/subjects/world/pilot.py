"""The pilot: from what the robot believes about itself, and sees, to how it drives.

Without a laser it turns towards the goal and drives. With one it looks for the direction nearest to the goal's in
which a robot of its width has room (the idea of the vector-field histogram), and sees nothing below the laser's plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, pi
from typing import Any

import numpy as np

from rootward.subjects.world import husky

# The laser: a fan of beams in one plane, in front of the robot. It sees nothing that is lower than itself.


ANGLES = np.linspace(-1.9, 1.9, 77)
"""Of the beams, to the left of straight ahead."""
REACH = 5.0
"""Metres."""


def scan(physics: Any, data: Any) -> tuple[Any, Any]:
    """For each beam how far it goes, and the geometries that were met."""
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
"""How far ahead it wants room, and how much more than its width, in metres."""
TURN = 2.0
"""The fastest turn, in rad/s."""
BEHIND = 2.6
"""A direction further to the right than this, in rad, is reached by a turn to the left."""


@dataclass(frozen=True)
class Pilot:
    goal: tuple[float, float]
    speed: float

    def command(self, x: float, y: float, heading: float, view: View | None) -> tuple[float, float]:
        """Speed and turn, from a believed place and heading and what the laser shows, if there is one."""
        course, pace = wrapped(atan2(self.goal[1] - y, self.goal[0] - x) - heading), self.speed
        if view is not None:
            course, room = view.way(course)
            pace *= min(1.0, 0.3 + room / CARE)
        return pace * max(0.0, cos(course)) ** 2, max(-TURN, min(TURN, 2.5 * course))


class View:
    """What the laser shows: for each beam's direction, how far the robot can go."""

    def __init__(self, ranges: Any) -> None:
        near = ranges < CARE + husky.LENGTH / 2
        away = ANGLES[:, None] - ANGLES[None, near]
        across, along = np.abs(ranges[near] * np.sin(away)), ranges[near] * np.cos(away)
        blocked = (along > 0) & (across < husky.WIDTH / 2 + MARGIN)
        self._room = np.where(blocked, along, CARE).min(axis=1, initial=CARE)

    def way(self, course: float) -> tuple[float, float]:
        """The free direction nearest to ``course``, and how far it is free; ``course`` itself if none is."""
        best = int(np.argmin(np.where(self._room >= CARE, np.abs(ANGLES - course), np.inf)))
        if self._room[best] < CARE:
            return max(ANGLES[0], min(ANGLES[-1], course)), 0.0
        return (course if abs(ANGLES[best] - course) < GRAIN else float(ANGLES[best])), CARE


def wrapped(angle: float) -> float:
    """The same direction, within a full turn. What is behind counts as left: the least noise would change that."""
    return (angle + BEHIND) % (2 * pi) - BEHIND


# What the robot knows of itself, which is never quite true: a compass and an odometer are each off by an amount that is
# drawn once per run, and by a little that is drawn anew for each reading; and the wheels of each side never do exactly
# what they are told.


@dataclass(frozen=True)
class Noise:
    """Standard deviations. Of the whole run: compass (rad), odometer (m), pace and drift (shares of speed)."""

    compass: float = 0.03
    odometer: float = 0.04
    pace: float = 0.05
    drift: float = 0.02
    flicker: float = 0.02
    """Of each reading and each command."""


class Senses:
    """The noise of one run."""

    def __init__(self, noise: Noise, seed: int) -> None:
        self._rng, self._noise = np.random.default_rng(seed), noise
        draw = np.clip(self._rng.normal(size=5), -2.0, 2.0)  # the goal stays within reach
        self._heading = draw[0] * noise.compass
        self._x, self._y = draw[1:3] * noise.odometer
        pace, drift = 1 + draw[3] * noise.pace, draw[4] * noise.drift
        self._left, self._right = pace - drift, pace + drift

    def reading(self, x: float, y: float, heading: float) -> tuple[float, float, float]:
        """Where the robot believes to be."""
        a, b, c = self._rng.normal(scale=self._noise.flicker, size=3)
        return x + self._x + a, y + self._y + b, heading + self._heading + c

    def driven(self, wheels: tuple[float, float, float, float]) -> Any:
        """What the wheels do when told this."""
        real = self._rng.normal(1.0, self._noise.flicker, size=4)
        return np.array(wheels) * real * (self._left, self._right, self._left, self._right)
