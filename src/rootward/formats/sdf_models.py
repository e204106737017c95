"""What an SDF model consists of: its own links, models within it, and models that it includes from other files.

The links of a model are taken as one rigid body: joints are not part of a scene. Included files may include others; a
file that includes itself is entered once, and a world that multiplies by its includes is refused before it grows.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rootward.errors import InputError
from rootward.formats import markup
from rootward.formats.markup import Node
from rootward.formats.scene import Model, Point, Pose, Shape
from rootward.formats.sdf_files import folders, locate, model_file
from rootward.formats.sdf_shapes import Frames, number, pose_in, reference, shape_of, triple, truth

DEEPEST = 16
MOST = 100_000
"""Links, shapes and included models of a world."""


@dataclass
class _Content:
    """What was gathered for one model."""

    world: Pose
    scale: Point
    shapes: list[Shape] = field(default_factory=list)
    origins: list[tuple[Node, Node]] = field(default_factory=list)
    """The link and the ``<collision>`` of each shape."""
    links: list[Node] = field(default_factory=list)
    mass: float = 0.0
    missing: str | None = None


class Models:
    """Reads the models of one world."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places = folders(path)
        self._read: dict[Path, Node | None] = {}
        self._bodies: dict[Node, Node | None] = {}
        self._left = MOST
        self.origins: dict[int, list[tuple[Node, Node]]] = {}
        """By the number of a model: the link and the ``<collision>`` of each of its shapes."""
        self.links: dict[int, list[Node]] = {}

    def model(self, index: int, name: str, node: Node, pose: Pose, state: Node | None) -> Model:
        """The model of a ``<model>`` or an ``<include>``, with its entry in the saved state of the world."""
        body = self.body(node)
        scale: Point = (1.0, 1.0, 1.0)
        if state is not None:
            pose = pose_in(state.first("pose")) if state.first("pose") else pose
            scale = triple(state.text_of("scale"), scale)
        content = _Content(pose, scale)
        if body is None:
            content.missing = node.text_of("uri")
        else:
            self._gather(body, Pose(), state, content, (body.markup.path,))
        self.origins[index], self.links[index] = content.origins, content.links
        static = truth(node.text_of("static") or (body.text_of("static") if body is not None else ""))
        mass = content.mass or 1.0
        return Model(index, name, pose, tuple(content.shapes), static, mass, content.missing)

    def body(self, node: Node) -> Node | None:
        """The ``<model>`` that an element stands for: itself, or the one in the file that it includes."""
        if node.name != "include":
            return node
        if node not in self._bodies:
            found = locate(node.text_of("uri"), node.markup.path, self._places)
            if found is not None and found not in self._read:
                self._read[found] = _first_model(found)
            self._bodies[node] = self._read[found] if found is not None else None
        return self._bodies[node]

    def name(self, node: Node) -> str:
        """What the simulator calls it."""
        if node.name != "include":
            return node.get("name")
        body = self.body(node)
        given = node.text_of("name") or (body.get("name") if body is not None else "")
        return given or node.text_of("uri").rstrip("/").rpartition("/")[2]

    def pose(self, node: Node) -> Node | None:
        """The ``<pose>`` that places it: an include's own comes before that of the file."""
        body = self.body(node)
        return node.first("pose") or (body.first("pose") if body is not None else None)

    def _gather(self, model: Node, at: Pose, state: Node | None, content: _Content, files: tuple[Path, ...]) -> None:
        """Add what a model at ``at``, in the frame of the model that is asked for, consists of."""
        frames = Frames.of(model)
        states = {(s.name, s.get("name")): s for s in (state.children if state is not None else ())}
        for child in model.all("link", "model", "include"):
            self._spend()
            saved = states.get(("link" if child.name == "link" else "model", self.name(child))) if states else None
            element = saved.first("pose") if saved is not None else None
            place = content.world.inverse * pose_in(element) if element else at * frames.place(self.pose(child))
            if child.name == "link":
                self._link(child, place, at, frames, content)
                continue
            body = self.body(child)
            inside = (*files, body.markup.path) if body is not None and child.name == "include" else files
            if body is None or len(inside) > DEEPEST or len(set(inside)) < len(inside):
                content.missing = content.missing or child.text_of("uri")
                continue
            self._gather(body, place, saved, content, inside)

    def _link(self, link: Node, place: Pose, at: Pose, frames: Frames, content: _Content) -> None:
        content.links.append(link)
        content.mass += max(0.0, number(link.text_of("inertial", "mass"), 1.0))
        for collision in link.all("collision"):
            self._spend()
            element = collision.first("pose")
            elsewhere = reference(element) in frames.named
            pose = at * frames.place(element) if elsewhere else place * pose_in(element)
            if shape := shape_of(collision, pose, content.scale, partial(self._found, link.markup.path)):
                content.shapes.append(shape)
                content.origins.append((link, collision))

    def _found(self, file: Path, uri: str) -> str:
        """The path of the file that is meant, if it is there."""
        found = locate(uri, file, self._places)
        return str(found) if found is not None and os.path.isfile(found) else uri

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise InputError(
                f"{self._path} has more than {MOST:,} links and shapes, counting those of the models it includes"
            )


def _first_model(place: Path) -> Node | None:
    """The model of an SDF file or of a model's folder; None if there is none that can be read."""
    file = model_file(place)
    if file is None:
        return None
    try:
        root = markup.read(file).root
    except InputError:
        return None
    return root.first("sdf", "model") or root.first("gazebo", "model") or root.first("model")
