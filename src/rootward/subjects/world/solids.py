"""What a shape is to the simulator: a primitive as it is, a mesh or a heightmap from its file, or else a stand-in.

A world seldom comes with all the files it names. A stand-in of about the right size keeps the world usable, but it is
a guess, and a person must be told.
"""

from __future__ import annotations

from dataclasses import replace
from math import pi
from pathlib import Path
from typing import Any

from rootward.formats.scene import Model, Pose, Shape

SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "plane": 2}
BARREL = 0.285, 1.19
"""Radius and height of Gazebo's construction barrel, the mesh that its worlds name most often."""
GROUND = Shape("plane", (100.0, 100.0))
UNKNOWN = 0.5
"""The length of the cube that stands for a mesh of unknown size."""
MESHES, IMAGES = {".stl", ".obj"}, {".png"}


def completed(model: Model) -> Model:
    """The model itself; or, where it includes Gazebo's usual ground, which was not found, a plane."""
    return replace(model, shapes=(GROUND,), static=True) if _includes(model) == "groundplane" else model


def _includes(model: Model) -> str | None:
    """The bare name of what was to be included and was not found: nothing is known of the model."""
    if model.shapes or not model.uri:
        return None
    return model.uri.rstrip("/").rpartition("/")[2].lower().translate({ord(char): None for char in " _-"})


def solid(shape: Shape) -> Shape:
    """The shape itself if the simulator can have it, or what stands for it."""
    if len(shape.size) == SIZES.get(shape.kind) or _file(shape):
        return shape
    if len(shape.size) == 3:
        return replace(shape, kind="box")
    if "barrel" in (shape.uri or "").lower():
        return replace(shape, kind="cylinder", size=BARREL, pose=shape.pose * Pose(z=BARREL[1] / 2))
    return replace(shape, kind="box", size=(UNKNOWN,) * 3, pose=shape.pose * Pose(z=UNKNOWN / 2))


def _file(shape: Shape) -> Path | None:
    """The file of a mesh or a heightmap, if it is there and of a kind that can be read."""
    if shape.uri is None or shape.kind not in ("mesh", "heightmap"):
        return None
    path = Path(shape.uri.removeprefix("file://"))
    known = MESHES if shape.kind == "mesh" else IMAGES
    return path if path.suffix.lower() in known and path.is_file() else None


def doubts(model: Model) -> str | None:
    """What is not certain about a model, for a person to read."""
    if name := _includes(model):
        said = {"sun": None, "groundplane": f"{model.name}: a plane stands for {model.uri}"}
        return said.get(name, f"{model.name} is left out: {model.uri} was not found")
    for shape in model.shapes:
        part = solid(shape)
        if part is not shape:
            size = " x ".join(f"{length:g}" for length in part.size)
            return f"{model.name}: a {part.kind} of {size} m stands for {shape.uri or 'its ' + shape.kind}"
    return None


def volume(part: Shape) -> float:
    """Enough of it to share a mass between parts."""
    if part.kind == "sphere":
        return 4 / 3 * pi * part.size[0] ** 3
    if part.kind == "cylinder":
        return pi * part.size[0] ** 2 * part.size[1]
    x, y, z = part.half
    return max(8 * x * y * z, 1e-9)


def add(spec: Any, body: Any, part: Shape, **surface: Any) -> Any:
    """Make a geometry of it."""
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
