"""Models that move as scripted, such as the actors of an SDF world: where each is at any time.

A motion is a list of waypoints, each a pose with its time. Between two waypoints, the position changes evenly along a
straight line, and the rotation along the shortest way. A simulator may round the corners; the positions at the
waypoints are the same.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from operator import itemgetter

from rootward.formats.scenes.scene import Point, Pose, SceneModel, dot, from_quaternion

ALMOST_ALIGNED = 1 - 1e-9
"""Rotations whose quaternions have a larger scalar product than this are interpolated linearly."""


@dataclass(frozen=True, slots=True)
class Motion:
    """The poses of a model over time, in seconds from the start of the simulation.

    The model waits at the first waypoint until its time has come, and stays at the last one, unless the motion repeats.
    """

    waypoints: tuple[tuple[float, Pose], ...]
    """At least one, ordered by time; all times differ."""
    repeat_from: float | None = None
    """The time to which the motion goes back when the last waypoint is reached; None if it ends there."""
    is_speed_guessed: bool = False
    """True if the file gives no times, so that they follow from a guessed speed."""

    @property
    def end(self) -> float:
        """The time of the last waypoint."""
        return self.waypoints[-1][0]

    def pose_at(self, time: float) -> Pose:
        if self.repeat_from is not None and time >= self.end > self.repeat_from:
            time = self.repeat_from + (time - self.repeat_from) % (self.end - self.repeat_from)
        after = bisect_right(self.waypoints, time, key=itemgetter(0))
        if after in (0, len(self.waypoints)):
            return self.waypoints[max(0, after - 1)][1]
        (start, here), (stop, there) = self.waypoints[after - 1 : after + 1]
        return interpolate(here, there, (time - start) / (stop - start))


def interpolate(here: Pose, there: Pose, share: float) -> Pose:
    """Return the pose after this share of the way from ``here`` to ``there``."""
    x, y, z = (a + (b - a) * share for a, b in zip(here.point, there.point, strict=True))
    turned = _turn(here, there, share)
    return Pose(x, y, z, turned.roll, turned.pitch, turned.yaw)


def _turn(here: Pose, there: Pose, share: float) -> Pose:
    if share == 0 or (here.roll, here.pitch, here.yaw) == (there.roll, there.pitch, there.yaw):
        return here
    a, b = here.quaternion, there.quaternion
    aligned = a[0] * b[0] + dot(a[1:], b[1:])
    if aligned < 0:  # the same rotation, reached the shorter way
        aligned, b = -aligned, (-b[0], -b[1], -b[2], -b[3])
    angle = math.acos(min(1.0, aligned))
    straight = aligned > ALMOST_ALIGNED
    left, right = (1 - share, share) if straight else (math.sin((1 - share) * angle), math.sin(share * angle))
    w, x, y, z = (left * p + right * q for p, q in zip(a, b, strict=True))
    return from_quaternion(w, x, y, z)


@dataclass(frozen=True, slots=True)
class MovingModel(SceneModel):
    """A model that moves as scripted, whatever it meets. Its ``pose`` is where it starts."""

    motion: Motion = Motion(((0.0, Pose()),))

    def at(self, time: float) -> MovingModel:
        """Return the model with its pose at this time."""
        return replace(self, pose=self.motion.pose_at(time))

    def centre_at(self, time: float) -> Point:
        """Return the position of the model's centre at this time."""
        return (self.motion.pose_at(time) * Pose(*replace(self, pose=Pose()).centre)).point
