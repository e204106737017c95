"""Build one MuJoCo model from the scene and the robot.

Where two surfaces meet, Gazebo uses the smaller of both coefficients of friction; MuJoCo uses the larger, or that of
the geometry with the higher priority. So here a more slippery geometry has a higher priority, and both simulators
agree.

A model that moves as scripted is a kinematic body: before each step of the simulation, it is put where it is by then.
It pushes what it meets, and nothing pushes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import numpy as np

from rootward.formats.scenes.motion import Motion, MovingModel
from rootward.formats.scenes.scene import Pose, SceneModel, Shape
from rootward.formats.scenes.sdf_motion import FOLLOWER_SPEED
from rootward.subjects.world import husky

STEP = 0.004
SOFTNESS = 0.02, 2.0
"""Time constant and damping of contacts. With less damping, a pile of boards trembles for ever, and MuJoCo can never
put it to sleep."""
FRICTION = 1.0
"""The coefficient that Gazebo assumes if the file gives none."""


@dataclass(frozen=True)
class Assembly:
    """A compiled model of the simulator.

    ``owners`` gives, for each geometry, the index of its model in the list of models, or -1 for the robot. ``motions``
    gives, for each kinematic body, its motion, and the index of its model.
    """

    physics: Any
    owners: Any
    motions: tuple[tuple[Motion, int], ...] = ()

    def move(self, data: Any, time: float) -> None:
        """Put the kinematic bodies where they are at this time."""
        for body, (motion, _) in enumerate(self.motions):
            pose = motion.pose_at(time)
            data.mocap_pos[body], data.mocap_quat[body] = pose.point, pose.quaternion


@lru_cache(maxsize=8)
def assemble(models: tuple[SceneModel, ...], start: tuple[float, float, float], load: float = 0.0) -> Assembly | None:
    """Build the models with the robot standing at ``start`` (x, y, yaw).

    Returns None if there is nothing to stand on. ``load`` is the height of the box on the robot's back.
    """
    import mujoco

    mujoco.set_mju_user_warning(lambda message: None)  # by default, warnings go to a file in the working directory
    spec = mujoco.MjSpec()
    _configure(spec.option)
    spec.compiler.boundmass, spec.compiler.boundinertia = 1e-3, 1e-6
    spec.worldbody.add_light(pos=[0, 0, 10], dir=[-0.3, 0.2, -1], type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL)
    ranks = _ranks(models)
    places = sorted(range(len(models)), key=lambda place: _has_body(models[place]))  # the order after compiling
    for place in places:
        _add(spec, models[place], ranks)
    ground = _ground(spec.compile(), start)
    if ground is None:
        return None
    husky.add(spec, (*start[:2], ground), start[2], load, **_surface(husky.FRICTION, ranks))
    physics = spec.compile()
    owners = [place for place in places for _ in models[place].shapes]
    moving = [(motion, place) for place in places if (motion := _motion(models[place]))]
    if moving:  # a body that is asleep would not notice a kinematic one
        physics.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    return Assembly(physics, np.array(owners + [-1] * (physics.ngeom - len(owners))), tuple(moving))


def _configure(option: Any) -> None:
    import mujoco

    option.timestep, option.iterations = STEP, 50
    option.sleep_tolerance = 0.05
    option.cone = mujoco.mjtCone.mjCONE_PYRAMIDAL
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET  # an unstable run must not restart unnoticed


def _ranks(models: Iterable[SceneModel]) -> dict[float, int]:
    """Return a priority for each coefficient of friction: the smaller the coefficient, the higher the priority."""
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


def _add(spec: Any, model: SceneModel, ranks: dict[float, int]) -> None:
    """Add one model to the scene, with one geometry for each of its shapes."""
    parts = [to_solid(shape) for shape in model.shapes]
    placed = {"pos": model.pose.point, "quat": model.pose.quaternion}
    if not _has_body(model):  # all in one body, which makes collision detection fast
        frame = spec.worldbody.add_frame(**placed)
        for part in parts:
            _add_solid(spec, spec.worldbody, part, **_surface(_friction(part), ranks)).set_frame(frame)
        return
    scripted = _motion(model) is not None
    body = spec.worldbody.add_body(**placed, mocap=scripted)
    if not scripted:
        body.add_freejoint()
    whole = sum(map(volume, parts))
    for part in parts:
        _add_solid(spec, body, part, mass=model.mass * volume(part) / whole, **_surface(_friction(part), ranks))


def _has_body(model: SceneModel) -> bool:
    """Return True if the model has a body of its own, because it can move."""
    return (not model.static or isinstance(model, MovingModel)) and _is_solid(model)


def _motion(model: SceneModel) -> Motion | None:
    return model.motion if isinstance(model, MovingModel) and _is_solid(model) else None


def _is_solid(model: SceneModel) -> bool:
    """Return True if the model has shapes and none of them is a plane, which the simulator cannot move."""
    return bool(model.shapes) and all(shape.kind != "plane" for shape in model.shapes)


def _ground(physics: Any, start: tuple[float, float, float]) -> float | None:
    """Return the height of the ground under the robot; None if there is no ground under its centre.

    It is the highest point under its centre and its wheels.
    """
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


# Shapes in the simulator: a primitive unchanged, a mesh or a heightmap from its file, or else a stand-in. A world
# seldom comes with all the files that it names. A stand-in of about the right size keeps the world usable, but it is a
# guess, so the user is warned (`describe_guess`).


SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "plane": 2}
BARREL = 0.285, 1.19
"""Radius and height of Gazebo's construction barrel, the mesh that its worlds name most often."""
GROUND = Shape("plane", (100.0, 100.0))
UNKNOWN = 0.5
"""The side in metres of the cube that replaces a mesh of unknown size."""
MESHES, IMAGES = {".stl", ".obj"}, {".png"}


def complete_model(model: SceneModel) -> SceneModel:
    """Return the model unchanged, unless it stands for Gazebo's usual ground and its file was not found.

    In that case, return it as a plane.
    """
    return replace(model, shapes=(GROUND,), static=True) if _includes(model) == "groundplane" else model


def _includes(model: SceneModel) -> str | None:
    """Return the bare name of the model that should have been included, if its file was not found. Else return None."""
    if model.shapes or not model.uri:
        return None
    return model.uri.rstrip("/").rpartition("/")[2].lower().translate({ord(char): None for char in " _-"})


def to_solid(shape: Shape) -> Shape:
    """Return the shape itself if the simulator can use it, else its stand-in."""
    if len(shape.size) == SIZES.get(shape.kind) or _file(shape):
        return shape
    if len(shape.size) == 3:
        return replace(shape, kind="box")
    if "barrel" in (shape.uri or "").lower():
        return replace(shape, kind="cylinder", size=BARREL, pose=shape.pose * Pose(z=BARREL[1] / 2))
    return replace(shape, kind="box", size=(UNKNOWN,) * 3, pose=shape.pose * Pose(z=UNKNOWN / 2))


def _file(shape: Shape) -> Path | None:
    """Return the file of a mesh or a heightmap, if it exists and has a format that can be read."""
    if shape.uri is None or shape.kind not in ("mesh", "heightmap"):
        return None
    path = Path(shape.uri.removeprefix("file://"))
    known = MESHES if shape.kind == "mesh" else IMAGES
    return path if path.suffix.lower() in known and path.is_file() else None


def describe_guess(model: SceneModel) -> str | None:
    """Return a warning that says what had to be guessed about a model. Return None if nothing was guessed."""
    if name := _includes(model):
        warnings = {"sun": None, "groundplane": f"{model.name}: {model.uri} was not found; a plane replaces it"}
        return warnings.get(name, f"{model.name} is left out: {model.uri} was not found")
    for shape in model.shapes:
        part = to_solid(shape)
        if part is not shape:
            size = " x ".join(f"{length:g}" for length in part.size)
            return f"{model.name}: a {part.kind} of {size} m replaces {shape.uri or 'its ' + shape.kind}"
    if isinstance(model, MovingModel) and model.motion.is_speed_guessed:
        return f"{model.name}: its world does not say how fast it moves; it moves at {FOLLOWER_SPEED:g} m/s"
    return None


def volume(part: Shape) -> float:
    """Return the approximate volume of a part. The mass of a model is divided among its parts by volume."""
    if part.kind == "sphere":
        return 4 / 3 * pi * part.size[0] ** 3
    if part.kind == "cylinder":
        return pi * part.size[0] ** 2 * part.size[1]
    x, y, z = part.half
    return max(8 * x * y * z, 1e-9)


def _add_solid(spec: Any, body: Any, part: Shape, **surface: Any) -> Any:
    """Add a shape as a geometry."""
    import mujoco

    kinds, (x, y, z) = mujoco.mjtGeom, part.half
    surface |= {"pos": part.pose.point, "quat": part.pose.quaternion}
    if part.kind == "plane":
        return body.add_geom(type=kinds.mjGEOM_PLANE, size=[x, y, 1], **surface)
    if part.kind == "sphere":
        return body.add_geom(type=kinds.mjGEOM_SPHERE, size=part.half, **surface)
    if part.kind == "cylinder":
        return body.add_geom(type=kinds.mjGEOM_CYLINDER, size=[x, z, 0], **surface)
    if part.kind == "box":
        return body.add_geom(type=kinds.mjGEOM_BOX, size=part.half, **surface)
    if part.kind == "mesh":
        mesh = spec.add_mesh(name=f"mesh{len(spec.meshes)}", file=str(_file(part)), scale=part.scale)
        return body.add_geom(type=kinds.mjGEOM_MESH, meshname=mesh.name, **surface)
    field = spec.add_hfield(name=f"field{len(spec.hfields)}", file=str(_file(part)), size=[x, y, 2 * z, 0.1])
    return body.add_geom(type=kinds.mjGEOM_HFIELD, hfieldname=field.name, **surface)
