"""The poses and shapes that the elements of an SDF file state.

A pose is relative to the element around it, or to one that it names (``relative_to``, ``frame``): a sibling link,
joint, frame or model. Names inside other models (``a::b``) are not resolved: such a pose counts as one without a name.
A shape without a counterpart in `scene` is replaced by one around it: a capsule and a cone by a cylinder, an ellipsoid
and a polyline by a box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property

from rootward.formats.documents.xml_tree import XmlElement
from rootward.formats.scenes.scene import Point, Pose, Shape, from_quaternion, rotate_to
from rootward.formats.scenes.scene_file import number, numbers, parse_bool, triple

Locate = Callable[[str], str]
MAX_FRAME_CHAIN = 100
"""Maximum number of frames in a chain of relative poses."""


def pose_in(element: XmlElement | None) -> Pose:
    """Return the pose that a ``<pose>`` element states."""
    if element is None:
        return Pose()
    found, attributes = numbers(element.words), element.attributes
    if attributes.get("rotation_format") == "quat_xyzw" and len(found) == 7:
        qx, qy, qz, qw = found[3:]
        turned = from_quaternion(qw, qx, qy, qz)
        return Pose(*found[:3], turned.roll, turned.pitch, turned.yaw)
    if len(found) != 6:
        return Pose(*found[:3]) if len(found) == 3 else Pose()
    if parse_bool(attributes.get("degrees", "")):
        return Pose(*found[:3], *map(math.radians, found[3:]))
    return Pose(*found)


def reference(element: XmlElement | None) -> str:
    """Return the name of the frame that a ``<pose>`` is relative to.

    Empty if the pose names no frame. It is then relative to the surrounding element.
    """
    attributes = element.attributes if element is not None else {}
    return attributes.get("relative_to") or attributes.get("frame") or ""


class _Named:
    """An element relative to which others can be placed."""

    def __init__(self, node: XmlElement, element: XmlElement | None) -> None:
        self._node, self._element = node, element

    @cached_property
    def pose(self) -> Pose:
        return pose_in(self._element)

    @cached_property
    def origin(self) -> str:
        """The name of the frame that the element's pose is relative to.

        Empty if the pose is relative to the surrounding element.
        """
        return reference(self._element) or self.attached

    @cached_property
    def attached(self) -> str:
        """The name of the element that this joint or frame is attached to. Empty if there is none.

        The pose of the joint or frame is relative to that element, unless ``<pose>`` names another one.
        """
        if self._node.name == "joint":
            return self._node.text_of("child")
        return self._node.get("attached_to") if self._node.name == "frame" else ""


class Frames:
    """The named elements of a model or a world, by which relative poses are resolved."""

    def __init__(self, elements: Iterable[tuple[str, XmlElement, XmlElement | None]]) -> None:
        """:param elements: the name, node and ``<pose>`` of each element; if names are equal, the first one counts"""
        self.named: dict[str, _Named] = {}
        for name, node, pose in elements:
            if name:  # an empty reference must not match an element without a name
                self.named.setdefault(name, _Named(node, pose))

    @classmethod
    def of(cls, model: XmlElement) -> Frames:
        found = model.all("link", "model", "frame", "joint")
        return cls((node.get("name"), node, node.first("pose")) for node in found)

    def place(self, element: XmlElement | None) -> Pose:
        """Return the pose in a ``<pose>`` element, converted to the frame of the model or the world."""
        pose, name = pose_in(element), reference(element)
        seen: set[str] = set()
        while name in self.named and name not in seen and len(seen) < MAX_FRAME_CHAIN:
            seen.add(name)
            at = self.named[name]
            pose, name = at.pose * pose, at.origin
        return pose


def shape_of(collision: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape | None:
    """Return the shape of a ``<collision>``, scaled as in the saved state of the world.

    Returns None if the shape has no extent.
    """
    geometry = collision.first("geometry")
    solid = next((child for child in geometry.children if child.name in _KINDS), None) if geometry else None
    if solid is None:
        return None
    shape = _KINDS[solid.name](solid, pose, scale, locate)
    if any(length <= 0 for length in shape.size):
        return None
    return Shape(shape.kind, shape.size, shape.pose, friction_of(collision), shape.uri, shape.scale)


def friction_of(collision: XmlElement) -> float | None:
    friction = collision.first("surface", "friction")
    if friction is None:
        return None
    stated = friction.text_of("ode", "mu") or friction.text_of("bullet", "friction")
    return next(iter(numbers(stated)), None)


def _box(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    return Shape("box", _multiply(triple(solid.text_of("size"), (1, 1, 1)), scale), pose)


def _sphere(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    return Shape("sphere", (number(solid.text_of("radius"), 1) * max(scale),), pose)


def _cylinder(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    radius = number(solid.text_of("radius"), 1) * max(scale[:2])
    caps = 2 * radius if solid.name == "capsule" else 0.0
    return Shape("cylinder", (radius, number(solid.text_of("length"), 1) * scale[2] + caps), pose)


def _ellipsoid(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    x, y, z = _multiply(triple(solid.text_of("radii"), (1, 1, 1)), scale)
    return Shape("box", (2 * x, 2 * y, 2 * z), pose)


def _plane(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    tilt = rotate_to(triple(solid.text_of("normal"), (0, 0, 1)))
    size = numbers(solid.text_of("size"))
    size = size if len(size) == 2 else (1.0, 1.0)
    return Shape("plane", (size[0] * scale[0], size[1] * scale[1]), pose * tilt if tilt != Pose() else pose)


def _polyline(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    points = [p for node in solid.all("point") if len(p := numbers(node.words)) == 2] or [(0.0, 0.0)]
    (x0, x1), (y0, y1) = ((min(values), max(values)) for values in zip(*points, strict=True))
    height = number(solid.text_of("height"), 1)
    middle = _multiply(((x0 + x1) / 2, (y0 + y1) / 2, height / 2), scale)
    return Shape("box", _multiply((x1 - x0, y1 - y0, height), scale), pose * Pose(*middle))


def _mesh(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    own = triple(solid.text_of("scale"), (1, 1, 1))
    return Shape("mesh", (), pose, uri=locate(solid.text_of("uri")), scale=_multiply(own, scale))


def _heightmap(solid: XmlElement, pose: Pose, scale: Point, locate: Locate) -> Shape:
    size = _multiply(triple(solid.text_of("size"), (1, 1, 1)), scale)
    placed = pose * Pose(*triple(solid.text_of("pos"), (0, 0, 0)))
    return Shape("heightmap", size, placed, uri=locate(solid.text_of("uri")), scale=scale)


def _multiply(a: Point, b: Point) -> Point:
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


_KINDS: dict[str, Callable[[XmlElement, Pose, Point, Locate], Shape]] = {
    "box": _box,
    "sphere": _sphere,
    "cylinder": _cylinder,
    "capsule": _cylinder,
    "cone": _cylinder,
    "ellipsoid": _ellipsoid,
    "plane": _plane,
    "polyline": _polyline,
    "mesh": _mesh,
    "heightmap": _heightmap,
}
