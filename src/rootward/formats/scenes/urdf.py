"""URDF robots: a tree of links connected by joints. A link is removed with its joint and everything attached to it.

References to a removed link or joint are removed, too: transmissions, ``<gazebo reference>``, ``<mimic>``, entries of
``<ros2_control>``. Poses are those with every joint at zero. Macros (xacro) must be expanded first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.xml_tree import XmlElement, read_markup
from rootward.formats.scenes.scene import Pose, SceneModel, Shape
from rootward.formats.scenes.scene_file import (
    SceneFile,
    TextCut,
    locate,
    model_folders,
    number,
    numbers,
    rename_duplicates,
    triple,
)


def read(path: Path) -> SceneFile:
    """Read the links of a robot, parents first.

    Raises InputError if the file cannot be read, is not a robot, has no links, or has a loop of links.
    """
    page = read_markup(path)
    robot = page.root.first("robot")
    if robot is None:
        raise InputError(f"{path} has no <robot>: expected a URDF robot")
    tree = _Robot(robot)
    if not tree.links:
        raise InputError(f"{path} has no links: there is nothing to remove")
    parents = tuple(tree.parent(i) for i in range(len(tree.links)))
    return SceneFile(
        path, "link", page.text, page.codec, rename_duplicates(tree.models()), tuple(sorted(tree.cuts())), parents
    )


class _Robot:
    """The links of a robot, in file order, but with parents before their children."""

    def __init__(self, robot: XmlElement) -> None:
        self._robot = robot
        self._joints = list(robot.all("joint"))
        above: dict[str, XmlElement] = {}
        for joint in self._joints:
            above.setdefault(_end(joint, "child"), joint)
        self.links = _sort_parents_first(robot, above)
        self._place: dict[str, int] = {}
        for i, link in enumerate(self.links):
            self._place.setdefault(link.get("name"), i)
        self._above = {self._place[name]: joint for name, joint in above.items() if name in self._place}

    def parent(self, link: int) -> int | None:
        joint = self._above.get(link)
        return self._place.get(_end(joint, "parent")) if joint is not None else None

    def models(self) -> Iterator[SceneModel]:
        friction = {n.get("reference"): n.text_of("mu1") for n in self._robot.all("gazebo") if n.first("mu1")}
        path = self._robot.markup.path
        places = [*model_folders(path), path.absolute().parent.parent.parent]  # package://arm/... in arm/urdf/arm.urdf
        poses: list[Pose] = []
        for i, link in enumerate(self.links):
            parent, joint = self.parent(i), self._above.get(i)
            around = poses[parent] if parent is not None else Pose()
            poses.append(around * _origin(joint) if joint is not None else around)
            name = link.get("name")
            stated = next(iter(numbers(friction.get(name, ""))), None)
            shapes = (_shape(collision, stated, places) for collision in link.all("collision"))
            inertial = link.first("inertial", "mass")
            mass = number(inertial.get("value"), 0.0) if inertial is not None else 0.0
            yield SceneModel(i, name, poses[i], tuple(filter(None, shapes)), False, mass)

    def cuts(self) -> Iterator[TextCut]:
        around = self._robot.markup.removal_span
        for i, link in enumerate(self.links):
            yield TextCut(*around(link), (i,))
        owners: dict[str, set[int]] = {}
        for joint in self._joints:
            ends = {self._place[name] for name in (_end(joint, "parent"), _end(joint, "child")) if name in self._place}
            owners.setdefault(joint.get("name"), ends)
            yield from _cut(joint, ends)
        for node, name in self._mentions():
            yield from _cut(node, owners.get(name, set()))
        for node in self._robot.all("gazebo"):
            name = node.get("reference")
            yield from _cut(node, {self._place[name]} if name in self._place else owners.get(name, set()))

    def _mentions(self) -> Iterator[tuple[XmlElement, str]]:
        """Yield the elements that depend on a joint, with the joint's name."""
        for joint in self._joints:
            yield from ((mimic, mimic.get("joint")) for mimic in joint.all("mimic"))
        for transmission in self._robot.all("transmission"):
            yield from ((transmission, joint.get("name")) for joint in transmission.all("joint"))
        for control in self._robot.all("ros2_control"):
            yield from ((joint, joint.get("name")) for joint in control.all("joint"))


def _cut(node: XmlElement, owners: Iterable[int]) -> Iterator[TextCut]:
    if found := tuple(sorted(owners)):
        yield TextCut(*node.markup.removal_span(node), found)


def _sort_parents_first(robot: XmlElement, above: dict[str, XmlElement]) -> list[XmlElement]:
    links = list(robot.all("link"))
    named = {link.get("name"): link for link in reversed(links)}
    done: dict[int, XmlElement] = {}
    for link in links:
        chain: dict[int, XmlElement] = {}
        at: XmlElement | None = link
        while at is not None and at.start not in done:
            if at.start in chain:
                raise robot.markup.error(at.start, f"the joints attach the link {at.get('name')!r} to itself in a loop")
            chain[at.start] = at
            name = at.get("name")
            at = named.get(_end(above[name], "parent")) if name in above and named[name] is at else None
        done.update(reversed(chain.items()))
    return list(done.values())


def _end(joint: XmlElement, name: str) -> str:
    end = joint.first(name)
    return end.get("link") if end is not None else ""


def _origin(node: XmlElement) -> Pose:
    origin = node.first("origin")
    if origin is None:
        return Pose()
    return Pose(*triple(origin.get("xyz"), (0, 0, 0)), *triple(origin.get("rpy"), (0, 0, 0)))


def _shape(collision: XmlElement, friction: float | None, places: list[Path]) -> Shape | None:
    solid = next(iter(geometry.children), None) if (geometry := collision.first("geometry")) else None
    if solid is None:
        return None
    pose, radius = _origin(collision), number(solid.get("radius"), 0.0)
    length = number(solid.get("length"), 0.0)
    if solid.name == "mesh":
        uri = solid.get("filename")
        found = locate(uri, collision.markup.path, places)
        return Shape("mesh", (), pose, friction, str(found or uri), triple(solid.get("scale"), (1, 1, 1)))
    kind, size = {
        "box": ("box", numbers(solid.get("size"))),
        "sphere": ("sphere", (radius,)),
        "cylinder": ("cylinder", (radius, length)),
        "capsule": ("cylinder", (radius, length + 2 * radius)),
    }.get(solid.name, ("", ()))
    usable = kind and len(size) == {"box": 3, "sphere": 1, "cylinder": 2}[kind] and min(size) > 0
    return Shape(kind, size, pose, friction) if usable else None
