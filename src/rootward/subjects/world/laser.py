"""The laser: a fan of beams in one plane, in front of the robot. It sees nothing that is lower than itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from rootward.subjects.world import husky

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
