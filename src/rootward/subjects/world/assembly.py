"""Scene and robot as one MuJoCo model.

Where two surfaces meet, Gazebo takes the smaller of both coefficients of friction; MuJoCo takes the larger, or that of
the geometry with the higher priority. So the more slippery a geometry is, the higher is its priority here, and both
simulators agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import cos, sin
from typing import Any

import numpy as np

from rootward.formats.scene import Model, Shape
from rootward.subjects.world import husky, solids

STEP = 0.004
SOFTNESS = 0.02, 2.0
"""Of contacts: with less damping a pile of boards trembles for ever, and what trembles does not sleep."""
FRICTION = 1.0
"""What Gazebo assumes where the file says nothing."""


@dataclass(frozen=True)
class Assembly:
    """A compiled model. ``owners``: for each geometry, the place of its model in the list, or -1 for the robot."""

    physics: Any
    owners: Any


@lru_cache(maxsize=8)
def assemble(models: tuple[Model, ...], start: tuple[float, float, float], load: float = 0.0) -> Assembly | None:
    """The models with the robot standing at ``start`` (x, y, yaw), or None if there is nothing to stand on.

    ``load``: how high the box on the robot's back is.
    """
    import mujoco

    mujoco.set_mju_user_warning(lambda message: None)  # or it would go to a file in the working directory
    spec = mujoco.MjSpec()
    _configure(spec.option)
    spec.compiler.boundmass, spec.compiler.boundinertia = 1e-3, 1e-6
    spec.worldbody.add_light(pos=[0, 0, 10], dir=[-0.3, 0.2, -1], type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL)
    ranks = _ranks(models)
    places = sorted(range(len(models)), key=lambda place: _moves(models[place]))  # the order that compiling leaves
    for place in places:
        _add(spec, models[place], ranks)
    ground = _ground(spec.compile(), start)
    if ground is None:
        return None
    husky.add(spec, (*start[:2], ground), start[2], load, **_surface(husky.FRICTION, ranks))
    physics = spec.compile()
    owners = [place for place in places for _ in models[place].shapes]
    return Assembly(physics, np.array(owners + [-1] * (physics.ngeom - len(owners))))


def _configure(option: Any) -> None:
    import mujoco

    option.timestep, option.iterations = STEP, 50
    option.sleep_tolerance = 0.05
    option.cone = mujoco.mjtCone.mjCONE_PYRAMIDAL
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET  # a run that blew up must not start over unseen


def _ranks(models: Iterable[Model]) -> dict[float, int]:
    """A priority for each coefficient of friction: the smaller, the higher."""
    found = {_friction(shape) for model in models for shape in model.shapes} | {husky.FRICTION}
    return {friction: rank for rank, friction in enumerate(sorted(found, reverse=True))}


def _friction(shape: Shape) -> float:
    return FRICTION if shape.friction is None else shape.friction


def _surface(friction: float, ranks: dict[float, int]) -> dict[str, Any]:
    return {
        "friction": [friction, 0.005, 0.0001],
        "priority": ranks[friction],
        "solref": SOFTNESS,
        "contype": 1,
        "conaffinity": 3,
    }


def _add(spec: Any, model: Model, ranks: dict[float, int]) -> None:
    """Put one model into the scene, each of its shapes as one geometry."""
    parts = [solids.solid(shape) for shape in model.shapes]
    placed = {"pos": model.pose.point, "quat": model.pose.quaternion}
    if not _moves(model):  # one body for all of them makes for a fast search of what collides
        frame = spec.worldbody.add_frame(**placed)
        for part in parts:
            solids.add(spec, spec.worldbody, part, **_surface(_friction(part), ranks)).set_frame(frame)
        return
    body = spec.worldbody.add_body(**placed)
    body.add_freejoint()
    volume = sum(map(solids.volume, parts))
    for part in parts:
        solids.add(spec, body, part, mass=model.mass * solids.volume(part) / volume, **_surface(_friction(part), ranks))


def _moves(model: Model) -> bool:
    return not model.static and bool(model.shapes) and all(shape.kind != "plane" for shape in model.shapes)


def _ground(physics: Any, start: tuple[float, float, float]) -> float | None:
    """How high the robot stands there: on the highest thing under its centre and its wheels."""
    import mujoco

    data = mujoco.MjData(physics)
    mujoco.mj_kinematics(physics, data)
    x, y, yaw = start
    feet = [(x + fx * cos(yaw) - fy * sin(yaw), y + fx * sin(yaw) + fy * cos(yaw)) for fx, fy in husky.FEET]
    heights = [_height(physics, data, *foot) for foot in [(x, y), *feet]]
    return None if heights[0] is None else max(height for height in heights if height is not None)


def _height(physics: Any, data: Any, x: float, y: float, above: float = 1000.0) -> float | None:
    import mujoco

    hit = np.full(1, -1, dtype=np.int32)
    down = mujoco.mj_ray(physics, data, [x, y, above], [0, 0, -1], None, 1, -1, hit)
    return None if hit[0] < 0 else above - down
