"""MJCF scenes (MuJoCo): the bodies and geoms directly in the world can be removed.

A body is removed with everything in it, and with everything that refers to something in it: contacts, equalities,
tendons, actuators, sensors, cameras and lights that aim at it. A keyframe loses the numbers of the body's joints.
Bodies that come from an ``<include>``, a ``<replicate>`` or a ``<composite>`` always stay.

Angles are in degrees unless the compiler options change that, and sizes are half lengths. A shape without a counterpart
in `scene` is replaced by one around it: a capsule by a cylinder, an ellipsoid by a box. An infinite plane is 1 km wide.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.xml_tree import XmlElement, read_markup
from rootward.formats.scenes.scene import Point, Pose, SceneModel, Shape, dot, from_matrix, from_quaternion, rotate_to
from rootward.formats.scenes.scene_file import SceneFile, TextCut, number, numbers, rename_duplicates, triple

_SECTIONS = {"contact": "", "tendon": "tendon", "equality": "", "actuator": "actuator", "sensor": "", "custom": ""}
"""For each section that can refer to parts of bodies, the kind of its elements if later sections can refer to
them, else empty."""
_KINDS = {
    **dict.fromkeys(("body", "body1", "body2", "subtree1", "subtree2", "target"), "body"),
    **dict.fromkeys(("geom", "geom1", "geom2"), "geom"),
    **dict.fromkeys(("site", "site1", "site2", "refsite", "slidersite", "cranksite", "sidesite"), "site"),
    **dict.fromkeys(("joint", "joint1", "joint2", "jointinparent"), "joint"),
    **dict.fromkeys(("tendon", "tendon1", "tendon2"), "tendon"),
    "actuator": "actuator",
    "camera": "camera",
}
Share = tuple[int, tuple[int, ...]]
_NUMBERS = {"free": (7, 6), "ball": (4, 3)}
"""Numbers of coordinates of the position and the velocity of a joint, by its type; one each for any other type."""


def read(path: Path) -> SceneFile:
    """Read the bodies and geoms of a scene, in file order.

    Raises InputError if the file cannot be read, is not a scene, or has no bodies.
    """
    page = read_markup(path)
    top = page.root.first("mujoco")
    if top is None or top.first("worldbody") is None:
        raise InputError(f"{path} has no <worldbody>: expected an MJCF scene")
    scene = _MjcfScene(top)
    if not scene.parts:
        raise InputError(f"{path} has no bodies or geoms in its <worldbody>: there is nothing to remove")
    return SceneFile(
        path, "body", page.text, page.codec, rename_duplicates(scene.models()), tuple(sorted(scene.cuts()))
    )


@dataclass
class _MjcfContent:
    shapes: list[Shape] = field(default_factory=list)
    mass: float = 0.0
    moves: bool = False


class _MjcfScene:
    def __init__(self, top: XmlElement) -> None:
        self._top, self._settings = top, Settings(top)
        self.parts: list[tuple[XmlElement, Pose, str]] = []
        """Each body or geom of the world, with the pose of the frame around it and the default class that applies."""
        for world in top.all("worldbody"):
            self._find(world, Pose(), world.get("childclass"))
        self._owners = {key: {i} for i, (node, _, _) in enumerate(self.parts) for key in _names(node)}

    def _find(self, around: XmlElement, place: Pose, kind: str) -> None:
        for node in around.all("body", "geom", "frame"):
            if node.name == "frame":
                stated = node.attributes
                self._find(node, place * self._settings.pose(stated), stated.get("childclass") or kind)
            else:
                self.parts.append((node, place, kind))

    def models(self) -> Iterator[SceneModel]:
        for i, (node, place, kind) in enumerate(self.parts):
            content = _MjcfContent()
            stated = self._settings.attributes(node, kind)
            if node.name == "geom":
                pose = place * self._settings.geom_pose(stated)
                content.shapes = [shape] if (shape := self._settings.shape(stated, Pose())) else []
            else:
                pose = place * self._settings.pose(stated)
                self._gather(node, Pose(), stated.get("childclass") or kind, content)
            name = stated.get("name") or node.name
            yield SceneModel(i, name, pose, tuple(content.shapes), not content.moves, content.mass or 1.0)

    def _gather(self, body: XmlElement, at: Pose, kind: str, content: _MjcfContent) -> None:
        inertial = body.first("inertial")
        content.moves |= body.get("mocap") == "true"
        mass = 0.0
        for node in body.all("geom", "body", "frame", "joint", "freejoint"):
            if node.name in ("joint", "freejoint"):
                content.moves = True
                continue
            stated = self._settings.attributes(node, kind)
            if node.name == "geom":
                shape = self._settings.shape(stated, at * self._settings.geom_pose(stated))
                content.shapes += [shape] if shape else []
                mass += mass_of(stated, shape)
            else:
                self._gather(node, at * self._settings.pose(stated), stated.get("childclass") or kind, content)
        content.mass += number(inertial.get("mass"), 0.0) if inertial is not None else mass

    def cuts(self) -> Iterator[TextCut]:
        around = self._top.markup.removal_span
        for i, (node, _, _) in enumerate(self.parts):
            yield TextCut(*around(node), (i,))
        for world in self._top.all("worldbody"):
            yield from (TextCut(*around(node), o) for node in _followers(world) if (o := self._named_in(node)))
        for section, kind in _SECTIONS.items():
            for node in (node for part in self._top.all(section) for node in part.children):
                if owners := self._named_in(node):
                    yield TextCut(*around(node), owners)
                if kind:
                    self._owners[kind, node.get("name")] = set(owners)
        for node in (node for part in self._top.all("keyframe") for node in part.all("key")):
            yield from self._cut_keyframe(node)

    def _named_in(self, node: XmlElement) -> tuple[int, ...]:
        """Return the numbers of the parts that ``node`` or an element inside it refers to."""
        found: set[int] = set()
        waiting = [node]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            for kind, name in _references(node.attributes):
                found |= self._owners.get((kind, name), set())
        return tuple(sorted(found))

    def _cut_keyframe(self, key: XmlElement) -> list[TextCut]:
        """Return the cuts that remove the numbers of removed parts from a keyframe.

        If the numbers cannot be assigned to parts, the only cut is the whole keyframe.
        """
        cuts: list[TextCut] = []
        for name, value in key.attributes.items():
            shares = self._shares.get(name)
            if shares is None or not value.split():
                continue
            spans = _numbers(key, name)
            if len(spans) != self._totals[name]:
                return [TextCut(*key.markup.removal_span(key), self._keyframe_parts)] if self._keyframe_parts else []
            ends = accumulate((n for n, _ in shares), initial=0)
            for (a, b), (_, owners) in zip(pairwise(ends), shares, strict=True):
                cuts += [TextCut(spans[a][0], spans[b - 1][1], owners)] if b > a and owners else []
        return cuts

    @cached_property
    def _keyframe_parts(self) -> tuple[int, ...]:
        """The parts that own numbers in a keyframe."""
        return tuple(sorted({i for shares in self._shares.values() for _, owners in shares for i in owners}))

    @cached_property
    def _totals(self) -> dict[str, int]:
        return {name: sum(n for n, _ in shares) for name, shares in self._shares.items()}

    @cached_property
    def _shares(self) -> dict[str, list[Share]]:
        """The sections of each list in a keyframe, in order.

        A section is the number of its values and the parts that own them.
        """
        joints = [list(self._joints(node, kind)) for node, _, kind in self.parts]
        mocap = [sum(n.get("mocap") == "true" for n in _descendants(node)) for node, _, _ in self.parts]
        acting = [self._named_in(n) for part in self._top.all("actuator") for n in part.children]
        shares: dict[str, list[Share]] = {
            "qpos": [(sum(p for p, _ in js), (i,)) for i, js in enumerate(joints)],
            "qvel": [(sum(v for _, v in js), (i,)) for i, js in enumerate(joints)],
            "ctrl": [(1, owners) for owners in acting],
            "act": [],  # an actuator's element alone does not determine how many numbers it has here
            "mpos": [(3 * n, (i,)) for i, n in enumerate(mocap)],
            "mquat": [(4 * n, (i,)) for i, n in enumerate(mocap)],
        }
        return {name: [(n, owners) for n, owners in parts if n] for name, parts in shares.items()}

    def _joints(self, node: XmlElement, kind: str) -> Iterator[tuple[int, int]]:
        """Yield two numbers for each joint in a body.

        These are the count of numbers in the joint's position and the count of numbers in its velocity.
        """
        waiting = [(node, kind)]
        while waiting:
            node, kind = waiting.pop()
            kind = node.get("childclass") or kind
            if node.name == "freejoint":
                yield _NUMBERS["free"]
            elif node.name == "joint":
                yield _NUMBERS.get(self._settings.attributes(node, kind).get("type", "hinge"), (1, 1))
            waiting += [(child, kind) for child in node.children]


def _descendants(node: XmlElement) -> Iterator[XmlElement]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        yield node


def _names(node: XmlElement) -> Iterator[tuple[str, str]]:
    for inner in _descendants(node):
        if name := inner.get("name"):
            yield {"freejoint": "joint"}.get(inner.name, inner.name), name


def _followers(world: XmlElement) -> Iterator[XmlElement]:
    """Return the cameras and lights that follow a body."""
    return (node for node in _descendants(world) if node.name in ("camera", "light") and node.get("target"))


def _references(attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in attributes.items():
        if name in _KINDS:
            yield _KINDS[name], value
    for kind, name in (("objtype", "objname"), ("reftype", "refname")):
        if kind in attributes and name in attributes:
            yield attributes[kind].removeprefix("x"), attributes[name]


def _numbers(key: XmlElement, attribute: str) -> list[tuple[int, int]]:
    """Return the span of each number in an attribute. A span includes the blanks before the number."""
    head = key.markup.text[key.start : key.inner]
    value = re.search(rf"""\s{attribute}\s*=\s*(["'])(.*?)\1""", head, re.DOTALL)
    if value is None:
        return []
    return [(key.start + m.start(), key.start + m.end()) for m in re.compile(r"\s*\S+").finditer(head, *value.span(2))]


# The poses and shapes that elements state, with the defaults of their classes


INFINITE_PLANE_WIDTH = 1000.0
"""Width in metres that stands for an infinite plane."""
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 2}


class Settings:
    """The settings of a whole file: its compiler options, default classes and assets."""

    def __init__(self, top: XmlElement) -> None:
        options = {name: value for node in top.all("compiler") for name, value in node.attributes.items()}
        self._degrees = options.get("angle", "degree") != "radian"
        self._order = options.get("eulerseq", "xyz")
        self._folder = top.markup.path.absolute().parent
        self._meshes = options.get("meshdir", options.get("assetdir", ""))
        self._assets = {(a.name, _asset_name(a)): a for assets in top.all("asset") for a in assets.children}
        self._classes: dict[str, dict[str, dict[str, str]]] = {}
        for node in top.all("default"):
            self._collect(node, node.get("class", "main"), {})

    def _collect(self, node: XmlElement, name: str, inherited: dict[str, dict[str, str]]) -> None:
        own = dict(inherited)
        for child in node.children:
            if child.name != "default":
                own[child.name] = {**own.get(child.name, {}), **child.attributes}
        self._classes[name] = {**self._classes.get(name, {}), **own}
        for child in node.all("default"):
            self._collect(child, child.get("class"), own)

    def attributes(self, node: XmlElement, around: str) -> dict[str, str]:
        """Return the attributes of an element, completed by the defaults of a class.

        This is the class that the element names, or else the class ``around``.
        """
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
            return _rotate_about((a[0], a[1], a[2]), a[3] * unit)
        if len(e := numbers(stated.get("euler", ""))) == 3:
            turned = Pose()
            for axis, angle in zip(self._order, e, strict=False):
                one = _rotate_about(_AXES.get(axis.lower(), (0, 0, 1)), angle * unit)
                turned = turned * one if axis.islower() else one * turned
            return turned
        if len(v := numbers(stated.get("xyaxes", ""))) == 6:
            x = _unit((v[0], v[1], v[2]))
            along = dot(x, v[3:])
            y = _unit((v[3] - along * x[0], v[4] - along * x[1], v[5] - along * x[2]))
            z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
            return from_matrix(list(zip(x, y, z, strict=True)))
        return rotate_to(triple(stated.get("zaxis", ""), (0, 0, 1)))

    def shape(self, stated: dict[str, str], pose: Pose) -> Shape | None:
        """Return the collision shape of a geom at ``pose``.

        Returns None if the geom is only visual or has no extent.
        """
        if stated.get("contype") == "0" and stated.get("conaffinity") == "0":
            return None
        kind, size = stated.get("type", "sphere"), numbers(stated.get("size", ""))
        friction = next(iter(numbers(stated.get("friction", ""))), None)
        if kind in ("mesh", "hfield"):
            return self._from_file(kind, stated.get(kind, ""), pose, friction)
        ends = numbers(stated.get("fromto", ""))
        if len(ends) == 6 and size:
            size = _size_between(kind, size, math.dist(ends[:3], ends[3:]) / 2)
        if kind == "plane":
            size = tuple(length or INFINITE_PLANE_WIDTH / 2 for length in (*size, 0.0, 0.0)[:2])
        if kind not in _SIZES or len(size) < _SIZES[kind] or min(size[: _SIZES[kind]]) <= 0:
            return None
        return _solid(kind, size, pose, friction)

    def geom_pose(self, stated: dict[str, str]) -> Pose:
        """Return the pose of a geom. With ``fromto``, this is the pose between its two points, else the stated pose."""
        ends = numbers(stated.get("fromto", ""))
        if len(ends) != 6:
            return self.pose(stated)
        x, y, z, *to = ends
        turned = rotate_to((x - to[0], y - to[1], z - to[2]))
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
    """Return the mass of a geom. This is the stated mass, or else the geom's volume times its density."""
    if given := numbers(stated.get("mass", "")):
        return max(0.0, given[0])
    if shape is None or shape.kind not in ("box", "sphere", "cylinder"):
        return 0.0
    volume = {"sphere": 4 / 3 * math.pi, "cylinder": math.pi, "box": 1.0}[shape.kind]
    factors = {"sphere": shape.size * 3, "cylinder": (*shape.size, shape.size[0]), "box": shape.size}[shape.kind]
    return max(0.0, volume * math.prod(factors) * number(stated.get("density", ""), 1000.0))


def _rotate_about(axis: Point, angle: float) -> Pose:
    x, y, z = _unit(axis)
    s = math.sin(angle / 2)
    return from_quaternion(math.cos(angle / 2), s * x, s * y, s * z)


def _unit(v: Point) -> Point:
    n = math.hypot(*v)
    return (v[0] / n, v[1] / n, v[2] / n) if n > 0 else (0.0, 0.0, 1.0)


def _size_between(kind: str, size: tuple[float, ...], half: float) -> tuple[float, ...]:
    return (size[0], half) if kind in ("capsule", "cylinder") else (size[0], size[0], half)


def _solid(kind: str, size: tuple[float, ...], pose: Pose, friction: float | None) -> Shape:
    if kind == "sphere":
        return Shape("sphere", size[:1], pose, friction)
    if kind in ("capsule", "cylinder"):
        caps = 2 * size[0] if kind == "capsule" else 0.0
        return Shape("cylinder", (size[0], 2 * size[1] + caps), pose, friction)
    doubled = tuple(2 * length for length in size)
    return Shape("plane", doubled[:2], pose, friction) if kind == "plane" else Shape("box", doubled[:3], pose, friction)


def _asset_name(node: XmlElement) -> str:
    return node.get("name") or Path(node.get("file")).stem
