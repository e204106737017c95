"""The robot: a skid-steer vehicle with the size, weight and drive of a Husky. Our own model of boxes and cylinders.

Its wheels cannot be steered: to turn, the wheels of one side run faster, and all of them slip. So its path depends on
the ground.
"""

from __future__ import annotations

from math import cos, sin
from typing import Any

LENGTH, WIDTH, HEIGHT = 0.99, 0.67, 0.39
RADIUS, TREAD, TRACK, BASE = 0.165, 0.1, 0.57, 0.512
"""The wheels: radius, width, and their distance from each other across and along the robot."""
CLEARANCE = 0.13
LASER = 0.4, 0.26
"""The position of the laser: ahead of the centre, and above the ground."""
FRICTION = 1.0
BODY_MASS, WHEEL_MASS = 38.0, 3.0
LOAD, LOAD_MASS = (0.7, 0.5), 6.0
"""The box on its back: length and width, and mass."""
GAIN, TORQUE = 60.0, 70.0
"""The motors: torque per rad/s of difference from the target speed, and maximum torque in N m."""
SLIP = 1.6
"""The factor by which the wheels must run faster than without slip to turn at a given rate."""
COLOUR, LOAD_COLOUR = (0.95, 0.75, 0.1, 1.0), (0.55, 0.36, 0.2, 1.0)
FEET = [(x, y) for x in (BASE / 2, -BASE / 2) for y in (TRACK / 2, -TRACK / 2)]
"""The points where the wheels touch the ground: front left and right, rear left and right."""


def add(spec: Any, place: tuple[float, float, float], yaw: float, load: float = 0.0, **surface: Any) -> None:
    """Add the robot to a model, with its centre above ``place`` on the ground, facing ``yaw``.

    ``load``: the height of the box on its back; 0 if there is none.
    """
    body = spec.worldbody.add_body(name="robot", pos=place, quat=[cos(yaw / 2), 0, 0, sin(yaw / 2)])
    body.add_freejoint()
    surface |= {
        "contype": 2,
        "conaffinity": 1,
        "group": 1,
        "rgba": COLOUR,
    }  # the robot neither collides with itself nor sees itself
    _add_hull(body, surface)
    if load:
        _add_load(body, load, surface)
    for i, (x, y) in enumerate(FEET):
        _add_wheel(spec, body.add_body(pos=[x, y, RADIUS]), f"wheel{i}", surface)


def _add_hull(body: Any, surface: dict[str, Any]) -> None:
    """Add a long, narrow box between the wheels and a short, wide one above it."""
    import mujoco

    kind, height = mujoco.mjtGeom.mjGEOM_BOX, (HEIGHT - CLEARANCE) / 4
    low, high = [LENGTH / 2, (TRACK - TREAD) / 2, height], [0.4, TRACK / 2, height]
    body.add_geom(type=kind, size=low, pos=[0, 0, CLEARANCE + height], mass=0.8 * BODY_MASS, **surface)
    body.add_geom(type=kind, size=high, pos=[0, 0, HEIGHT - height], mass=0.2 * BODY_MASS, **surface)


def _add_load(body: Any, height: float, surface: dict[str, Any]) -> None:
    import mujoco

    half = [LOAD[0] / 2, LOAD[1] / 2, height / 2]
    colour = {"rgba": LOAD_COLOUR}
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=half, pos=[0, 0, HEIGHT + height / 2], mass=LOAD_MASS, **(surface | colour)
    )


def _add_wheel(spec: Any, body: Any, name: str, surface: dict[str, Any]) -> None:
    import mujoco

    lying = [0.5**0.5, 0.5**0.5, 0, 0]
    size = [RADIUS, TREAD / 2, 0]
    body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=size, quat=lying, mass=WHEEL_MASS, **surface)
    motor = spec.add_actuator(target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, forcerange=[-TORQUE, TORQUE])
    motor.set_to_velocity(GAIN)


def wheels(speed: float, turn: float) -> tuple[float, float, float, float]:
    """Return the wheel speeds in rad/s for a speed in m/s and a turn to the left in rad/s."""
    across = SLIP * turn * TRACK / 2
    left, right = (speed - across) / RADIUS, (speed + across) / RADIUS
    return left, right, left, right
