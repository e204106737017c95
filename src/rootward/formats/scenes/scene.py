"""A scene: models with their poses and shapes, independent of the file format.

The readers of SDF, MJCF and URDF produce it; the simulator, the maps and the searches use nothing else. Lengths are in
metres, angles in radians, and the z axis points up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rootward.formats.documents.parts import Edit

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Pose:
    """A position and a rotation.

    The rotation is roll about x, then pitch about y, then yaw about z, all about the fixed axes.
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0

    @property
    def point(self) -> Point:
        return self.x, self.y, self.z

    @property
    def rotation(self) -> tuple[Point, Point, Point]:
        """The rows of the rotation matrix."""
        cr, sr, cp, sp = math.cos(self.roll), math.sin(self.roll), math.cos(self.pitch), math.sin(self.pitch)
        cy, sy = math.cos(self.yaw), math.sin(self.yaw)
        return (
            (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
            (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
            (-sp, cp * sr, cp * cr),
        )

    @property
    def quaternion(self) -> tuple[float, float, float, float]:
        """The rotation as a quaternion w, x, y, z."""
        cr, sr = math.cos(self.roll / 2), math.sin(self.roll / 2)
        cp, sp = math.cos(self.pitch / 2), math.sin(self.pitch / 2)
        cy, sy = math.cos(self.yaw / 2), math.sin(self.yaw / 2)
        return (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )

    def __mul__(self, inner: Pose) -> Pose:
        """Return ``inner``, which is relative to this pose, relative to the frame of this pose."""
        if inner == _IDENTITY or self == _IDENTITY:  # the most frequent case in a scene
            return self if inner == _IDENTITY else inner
        a, b = self.rotation, inner.rotation
        x, y, z = (dot(row, inner.point) for row in a)
        turned = from_matrix([[dot(row, column) for column in zip(*b, strict=True)] for row in a])
        return Pose(self.x + x, self.y + y, self.z + z, turned.roll, turned.pitch, turned.yaw)

    @property
    def inverse(self) -> Pose:
        """The pose of this pose's frame, relative to this pose."""
        (a, b, c), (d, e, f), (g, h, i) = self.rotation
        turned = from_matrix(((a, d, g), (b, e, h), (c, f, i)))
        return turned * Pose(-self.x, -self.y, -self.z)


_IDENTITY = Pose()


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the scalar product of two vectors of three numbers.

    It does not use ``sum``, which rounds differently since Python 3.12. The result is part of a model's identity.
    """
    return 0.0 + one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def from_matrix(m: Sequence[Sequence[float]]) -> Pose:
    """Return the rotation whose matrix has these rows."""
    pitch = math.asin(max(-1.0, min(1.0, -m[2][0])))
    if abs(m[2][0]) < 1 - 1e-12:
        return Pose(0, 0, 0, math.atan2(m[2][1], m[2][2]), pitch, math.atan2(m[1][0], m[0][0]))
    return Pose(0, 0, 0, 0.0, pitch, math.atan2(-m[0][1], m[1][1]))  # straight up or down: roll and yaw coincide


def from_quaternion(w: float, x: float, y: float, z: float) -> Pose:
    """Return the rotation of a quaternion, which need not be normalised. A quaternion of length 0 is no rotation."""
    n = math.hypot(w, x, y, z)
    w, x, y, z = (w / n, x / n, y / n, z / n) if n > 0 else (1.0, 0.0, 0.0, 0.0)
    return from_matrix(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )


def rotate_to(axis: Point) -> Pose:
    """Return a rotation that turns the z axis into ``axis``."""
    x, y, z = axis
    return Pose(roll=-math.atan2(y, math.hypot(x, z)), pitch=math.atan2(x, z))


@dataclass(frozen=True, slots=True)
class Shape:
    """A collision shape of a model. ``size`` depends on the kind:

    ``box``: full lengths x, y, z; ``sphere``: radius; ``cylinder``: radius, full height; ``plane``: lengths x, y, with
    the normal along z; ``mesh`` and ``heightmap``: full lengths x, y, z of the bounding box, if they are known.
    """

    kind: str
    size: tuple[float, ...] = ()
    pose: Pose = Pose()
    """The pose relative to the model."""
    friction: float | None = None
    """The coefficient along the first direction; None if the file does not state it."""
    uri: str | None = None
    """The file of a mesh or a heightmap: its path if it was found, else as written in the scene."""
    scale: Point = (1.0, 1.0, 1.0)
    """The factors by which the points of a mesh or a heightmap are multiplied."""

    @property
    def half(self) -> Point:
        """Half the lengths of the shape's bounding box, along the axes of the shape."""
        if self.kind == "sphere" and self.size:
            return (self.size[0],) * 3
        if self.kind == "cylinder" and len(self.size) == 2:
            return self.size[0], self.size[0], self.size[1] / 2
        if self.kind == "plane" and len(self.size) == 2:
            return self.size[0] / 2, self.size[1] / 2, 0.0
        return (self.size[0] / 2, self.size[1] / 2, self.size[2] / 2) if len(self.size) == 3 else (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class SceneModel:
    """One element of a scene, which can be removed."""

    index: int
    """Its number in the file, from 0: two models with the same name are two elements."""
    name: str
    """Unique in its scene: the second of two models called ``box`` is ``box (2)``."""
    pose: Pose = Pose()
    """The pose in the world at the start of the simulation; the saved state of a world overrides the model's own."""
    shapes: tuple[Shape, ...] = ()
    static: bool = False
    mass: float = 1.0
    uri: str | None = None
    """The URI of the file that it includes, if that file was not found."""
    called: str = ""
    """Its name in the simulator, if that differs from ``name``."""

    def __str__(self) -> str:
        return self.name

    @property
    def corners(self) -> Iterator[Point]:
        """The corners of the boxes around the model's shapes, in world coordinates."""
        for shape in self.shapes:
            yield from self.corners_of(shape)

    def corners_of(self, shape: Shape) -> Iterator[Point]:
        """Yield the corners of the box around one shape of the model, in world coordinates."""
        placed = self.pose * shape.pose
        a, (hx, hy, hz) = placed.rotation, shape.half
        for sx, sy, sz in product((-hx, hx), (-hy, hy), (-hz, hz)):
            dx, dy, dz = (dot(row, (sx, sy, sz)) for row in a)
            yield placed.x + dx, placed.y + dy, placed.z + dz

    @property
    def box(self) -> tuple[Point, Point]:
        """The lowest and the highest corner of the model's bounding box, along the world's axes.

        Both are the same point if the model has no shape.
        """
        xs, ys, zs = zip(*(list(self.corners) or [self.pose.point]), strict=True)
        return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))

    @property
    def centre(self) -> Point:
        low, high = self.box
        return (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2


@dataclass(frozen=True, slots=True)
class AlteredModel(SceneModel):
    """A model with other numbers than those in its file. ``edits`` write its numbers to the file."""

    edits: tuple[Edit, ...] = ()
