"""The places and shapes that the elements of an MJCF file state, with the defaults of their classes.

Angles are in degrees unless the compiler says otherwise, and sizes are half lengths. A shape that the scene does not
know has a stand-in around it: a capsule a cylinder, an ellipsoid a box. An endless plane is 1 km wide.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

from rootward.formats.markup import Node
from rootward.formats.scene import Point, Pose, Shape, from_matrix, from_quaternion
from rootward.formats.sdf_shapes import number, numbers, triple

ENDLESS = 1000.0
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 2}


class Settings:
    """What holds for a whole file: its compiler's options, its default classes and its assets."""

    def __init__(self, top: Node) -> None:
        options = {name: value for node in top.all("compiler") for name, value in node.attributes.items()}
        self._degrees = options.get("angle", "degree") != "radian"
        self._order = options.get("eulerseq", "xyz")
        self._folder = top.markup.path.absolute().parent
        self._meshes = options.get("meshdir", options.get("assetdir", ""))
        self._assets = {(a.name, _asset(a)): a for assets in top.all("asset") for a in assets.children}
        self._classes: dict[str, dict[str, dict[str, str]]] = {}
        for node in top.all("default"):
            self._collect(node, node.get("class", "main"), {})

    def _collect(self, node: Node, name: str, inherited: dict[str, dict[str, str]]) -> None:
        own = dict(inherited)
        for child in node.children:
            if child.name != "default":
                own[child.name] = {**own.get(child.name, {}), **child.attributes}
        self._classes[name] = {**self._classes.get(name, {}), **own}
        for child in node.all("default"):
            self._collect(child, child.get("class"), own)

    def attributes(self, node: Node, around: str) -> dict[str, str]:
        """Those of an element, and what its class, or the one that holds around it, says beside."""
        own = node.attributes
        name = own.get("class") or around or "main"
        return {**self._classes.get(name, {}).get(node.name, {}), **own}

    def pose(self, stated: dict[str, str]) -> Pose:
        turned = self._turn(stated)
        return Pose(*triple(stated.get("pos", ""), (0, 0, 0)), turned.roll, turned.pitch, turned.yaw)

    def _turn(self, stated: dict[str, str]) -> Pose:
        unit = math.pi / 180 if self._degrees else 1.0
        if len(q := numbers(stated.get("quat", ""))) == 4:
            return from_quaternion(*q)
        if len(a := numbers(stated.get("axisangle", ""))) == 4:
            return _about((a[0], a[1], a[2]), a[3] * unit)
        if len(e := numbers(stated.get("euler", ""))) == 3:
            turned = Pose()
            for axis, angle in zip(self._order, e, strict=False):
                one = _about(_AXES.get(axis.lower(), (0, 0, 1)), angle * unit)
                turned = turned * one if axis.islower() else one * turned
            return turned
        if len(v := numbers(stated.get("xyaxes", ""))) == 6:
            x = _unit((v[0], v[1], v[2]))
            along = sum(a * b for a, b in zip(x, v[3:], strict=True))
            y = _unit((v[3] - along * x[0], v[4] - along * x[1], v[5] - along * x[2]))
            z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
            return from_matrix(list(zip(x, y, z, strict=True)))
        return towards(triple(stated.get("zaxis", ""), (0, 0, 1)))

    def shape(self, stated: dict[str, str], pose: Pose) -> Shape | None:
        """What a geom collides with, at ``pose``; None for one that is only seen, or has no extent."""
        if stated.get("contype") == "0" and stated.get("conaffinity") == "0":
            return None
        kind, size = stated.get("type", "sphere"), numbers(stated.get("size", ""))
        friction = next(iter(numbers(stated.get("friction", ""))), None)
        if kind in ("mesh", "hfield"):
            return self._from_file(kind, stated.get(kind, ""), pose, friction)
        ends = numbers(stated.get("fromto", ""))
        if len(ends) == 6 and size:
            size = _between(kind, size, math.dist(ends[:3], ends[3:]) / 2)
        if kind == "plane":
            size = tuple(length or ENDLESS / 2 for length in (*size, 0.0, 0.0)[:2])
        if kind not in _SIZES or len(size) < _SIZES[kind] or min(size[: _SIZES[kind]]) <= 0:
            return None
        return _solid(kind, size, pose, friction)

    def placed(self, stated: dict[str, str]) -> Pose:
        """Where a geom is: between two points, or at its pose."""
        ends = numbers(stated.get("fromto", ""))
        if len(ends) != 6:
            return self.pose(stated)
        x, y, z, *to = ends
        turned = towards((x - to[0], y - to[1], z - to[2]))
        return Pose((x + to[0]) / 2, (y + to[1]) / 2, (z + to[2]) / 2, turned.roll, turned.pitch, turned.yaw)

    def _from_file(self, kind: str, name: str, pose: Pose, friction: float | None) -> Shape:
        asset = self._assets.get((kind, name))
        file = asset.get("file") if asset is not None else ""
        path = os.path.join(self._folder, self._meshes, file)
        uri = path if file and os.path.isfile(path) else file or name
        size = numbers(asset.get("size")) if asset is not None and kind == "hfield" else ()
        if len(size) == 4:
            return Shape("heightmap", (2 * size[0], 2 * size[1], size[2]), pose, friction, uri)
        scale = triple(asset.get("scale"), (1, 1, 1)) if asset is not None else (1.0, 1.0, 1.0)
        return Shape("heightmap" if kind == "hfield" else "mesh", (), pose, friction, uri, scale)


_AXES: dict[str, Point] = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def mass_of(stated: dict[str, str], shape: Shape | None) -> float:
    """The mass of a geom: stated, or its volume times its density."""
    if given := numbers(stated.get("mass", "")):
        return max(0.0, given[0])
    if shape is None or shape.kind not in ("box", "sphere", "cylinder"):
        return 0.0
    volume = {"sphere": 4 / 3 * math.pi, "cylinder": math.pi, "box": 1.0}[shape.kind]
    factors = {"sphere": shape.size * 3, "cylinder": (*shape.size, shape.size[0]), "box": shape.size}[shape.kind]
    return max(0.0, volume * math.prod(factors) * number(stated.get("density", ""), 1000.0))


def towards(axis: Point) -> Pose:
    """A rotation that turns z into ``axis``."""
    x, y, z = axis
    return Pose(roll=-math.atan2(y, math.hypot(x, z)), pitch=math.atan2(x, z))


def _about(axis: Point, angle: float) -> Pose:
    x, y, z = _unit(axis)
    s = math.sin(angle / 2)
    return from_quaternion(math.cos(angle / 2), s * x, s * y, s * z)


def _unit(v: Point) -> Point:
    n = math.hypot(*v)
    return (v[0] / n, v[1] / n, v[2] / n) if n > 0 else (0.0, 0.0, 1.0)


def _between(kind: str, size: tuple[float, ...], half: float) -> tuple[float, ...]:
    return (size[0], half) if kind in ("capsule", "cylinder") else (size[0], size[0], half)


def _solid(kind: str, size: tuple[float, ...], pose: Pose, friction: float | None) -> Shape:
    if kind == "sphere":
        return Shape("sphere", size[:1], pose, friction)
    if kind in ("capsule", "cylinder"):
        caps = 2 * size[0] if kind == "capsule" else 0.0
        return Shape("cylinder", (size[0], 2 * size[1] + caps), pose, friction)
    doubled = tuple(2 * length for length in size)
    return Shape("plane", doubled[:2], pose, friction) if kind == "plane" else Shape("box", doubled[:3], pose, friction)


def _asset(node: Node) -> str:
    return node.get("name") or Path(node.get("file")).stem
