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
from rootward.subjects.world.laser import ANGLES

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
