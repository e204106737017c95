"""SDF worlds (Gazebo): the models, includes and actors directly in a world can be removed.

Everything else stays: lights, plugins, physics, populations. References that would break a simulator are
removed with their model: its entry in the saved ``<state>``, and joints and frames of the world that are attached to
it. A model that is placed relative to a removed one gets its pose in the world instead.

Gazebo starts with the poses and scales of ``<state>``, not with those of the models; so does the scene.

The links of a model count as one rigid body: joints are not part of a scene. Actors usually have no collision shapes;
then their visuals count, and a skin counts as a box of the size of a person. `sdf_motion` reads how they move. Included
files may include others. A file that includes itself is entered only once, and a world whose includes multiply is
refused at a limit (`MAX_PARTS`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.xml_tree import Markup, XmlElement, read_markup
from rootward.formats.scenes.motion import MovingModel
from rootward.formats.scenes.scene import Point, Pose, SceneModel, Shape
from rootward.formats.scenes.scene_file import (
    SceneFile,
    TextCut,
    locate,
    model_file,
    model_folders,
    number,
    parse_bool,
    rename_duplicates,
    triple,
)
from rootward.formats.scenes.sdf_motion import motion_of
from rootward.formats.scenes.sdf_shapes import MAX_FRAME_CHAIN, Frames, pose_in, reference, shape_of


def read(path: Path) -> SceneFile:
    """Read the models of a world file, in file order.

    Raises InputError if the file cannot be read, is not a world, or has no models.
    """
    page = read_markup(path)
    readers = worlds(page)
    if not readers:
        raise InputError(f"{path} has no <world>: expected an SDF world")
    found, cuts = list[SceneModel](), list[TextCut]()
    for reader in readers:
        found += reader.models()
        cuts += reader.cuts()
    if not found:
        raise InputError(f"{path} has no models in its <world>: there is nothing to remove")
    return SceneFile(path, "model", page.text, page.codec, rename_duplicates(found), tuple(sorted(cuts)))


def worlds(page: Markup) -> list[WorldReader]:
    """Return the worlds of a file; their models are numbered consecutively."""
    root, models = page.root, ModelReader(page.path)
    found = list[WorldReader]()
    for world in chain(root.all("world"), *(top.all("world") for top in root.all("sdf", "gazebo"))):
        found.append(WorldReader(world, models, sum(len(reader.elements) for reader in found)))
    return found


class WorldReader:
    """One ``<world>``, whose models are numbered from ``first``."""

    def __init__(self, world: XmlElement, models: ModelReader, first: int) -> None:
        self._world, self.parts, self.first = world, models, first
        self.elements = list(world.all("model", "include", "actor"))
        self._names = [models.name(node) for node in self.elements]
        self._owner: dict[str, int] = {}
        for i, name in enumerate(self._names, first):
            if name:
                self._owner.setdefault(name, i)
        frames = ((frame.get("name"), frame, frame.first("pose")) for frame in world.all("frame"))
        placed = ((name, node, models.pose(node)) for name, node in zip(self._names, self.elements, strict=True))
        self.frames = Frames(chain(placed, frames))
        self._states = self._find_states()

    def _find_states(self) -> dict[int, list[XmlElement]]:
        """Return the entries of each model in ``<state>``, by the number of the model.

        If several models have the same name, the entries with this name are assigned to them in order.
        """
        places: dict[str, list[int]] = {}
        for i, name in enumerate(self._names, self.first):
            places.setdefault(name, []).append(i)
        saved: dict[int, list[XmlElement]] = {}
        for state in self._world.all("state"):
            met: dict[str, int] = {}
            for entry in state.all("model", "model_state"):  # before SDF 1.12, and since
                name = entry.get("name")
                met[name] = met.get(name, 0) + 1
                if name in places:
                    saved.setdefault(places[name][min(met[name], len(places[name])) - 1], []).append(entry)
        return saved

    def models(self) -> Iterator[SceneModel]:
        for i, (name, node) in enumerate(zip(self._names, self.elements, strict=True), self.first):
            pose = self._pose(node)
            yield self.parts.model(i, name or node.name, node, pose, self.state(i))

    def state(self, index: int) -> XmlElement | None:
        """Return the entry of a model in the saved state of the world. Returns None if the model has no entry."""
        return next(iter(self._states.get(index, ())), None)

    @cached_property
    def reference_models(self) -> set[int]:
        """The numbers of the models relative to which other models are placed."""
        places = ((i, reference(self.parts.pose(node))) for i, node in enumerate(self.elements, self.first))
        return set().union(*(self._models_behind(name) - {i} for i, name in places if name))

    def _pose(self, node: XmlElement) -> Pose:
        return self.frames.place(self.parts.pose(node))

    def cuts(self) -> Iterator[TextCut]:
        around = self._world.markup.removal_span
        for i, node in enumerate(self.elements, self.first):
            yield TextCut(*around(node), (i,))
            yield from (TextCut(*around(entry), (i,)) for entry in self._states.get(i, ()))
            yield from self._replace_relative_pose(i, node)
        for node in self._world.all("frame", "joint"):
            if owners := self._models_needed_by(node):
                yield TextCut(*around(node), tuple(sorted(owners)))

    def _replace_relative_pose(self, index: int, node: XmlElement) -> Iterator[TextCut]:
        """Yield the cut that makes a model's pose absolute if the model it is relative to is removed."""
        element = node.first("pose")
        others = self._models_behind(reference(element)) - {index}
        if element is not None and others and reference(element) in self.frames.named:
            pose = self._pose(node)
            place = " ".join(f"{value:.9g}" for value in (*pose.point, pose.roll, pose.pitch, pose.yaw))
            yield TextCut(element.start, element.stop, tuple(sorted(others)), f"<pose>{place}</pose>")

    def _models_needed_by(self, node: XmlElement) -> set[int]:
        """Return the models that a frame or a joint of the world depends on."""
        names = [reference(node.first("pose"))]
        names += [node.get("attached_to")] if node.name == "frame" else [node.text_of("parent"), node.text_of("child")]
        return set().union(*map(self._models_behind, names))

    def _models_behind(self, name: str) -> set[int]:
        """Return the models that a name refers to.

        The name may be that of a model, of an element inside a model, or of a frame attached to either.
        """
        reached: set[int] = set()
        waiting, seen = [name], {name}
        while waiting and len(seen) <= MAX_FRAME_CHAIN:
            name = waiting.pop().partition("::")[0]
            if name in self._owner:
                reached.add(self._owner[name])
            if name not in self.frames.named:
                continue
            at = self.frames.named[name]
            nexts = {at.origin, at.attached} - seen - {""}
            seen |= nexts
            waiting += nexts
        return reached


# The contents of a model: its own links, nested models, and models included from other files


MAX_INCLUDE_DEPTH = 16
"""Maximum number of nested includes; deeper ones are left out."""
MAX_PARTS = 100_000
"""Maximum number of links, shapes and included models in a world."""
PERSON = 0.5, 0.5, 1.75
"""Lengths in metres of the box that stands for the skin of an actor."""


@dataclass
class _SdfContent:
    """The collected contents of one model."""

    world: Pose
    scale: Point
    shapes: list[Shape] = field(default_factory=list)
    origins: list[tuple[XmlElement, XmlElement]] = field(default_factory=list)
    """The link and the ``<collision>`` of each shape."""
    links: list[XmlElement] = field(default_factory=list)
    mass: float = 0.0
    missing: str | None = None
    solid: str = "collision"
    """The elements of a link that state its shapes."""


class ModelReader:
    """Reads the models of one world."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places = model_folders(path)
        self._read: dict[Path, XmlElement | None] = {}
        self._bodies: dict[XmlElement, XmlElement | None] = {}
        self._left = MAX_PARTS
        self.origins: dict[int, list[tuple[XmlElement, XmlElement]]] = {}
        """For each model, by number, the link and the ``<collision>`` of each of its shapes."""
        self.links: dict[int, list[XmlElement]] = {}

    def model(self, index: int, name: str, node: XmlElement, pose: Pose, state: XmlElement | None) -> SceneModel:
        """Build the model of a ``<model>`` or an ``<include>``; ``state`` is its entry in the saved state."""
        body = self.body(node)
        scale: Point = (1.0, 1.0, 1.0)
        if state is not None:
            pose = pose_in(state.first("pose")) if state.first("pose") else pose
            scale = triple(state.text_of("scale"), scale)
        content = _SdfContent(pose, scale)
        if node.name == "actor" and not any(link.first("collision") for link in node.all("link")):
            content.solid = "visual"
        if body is None:
            content.missing = node.text_of("uri")
        else:
            self._gather(body, Pose(), state, content, (body.markup.path,))
        if node.name == "actor" and not content.shapes and (skin := node.text_of("skin", "filename")):
            content.shapes.append(Shape("mesh", PERSON, uri=self._resolve_uri(node.markup.path, skin)))
        self.origins[index], self.links[index] = content.origins, content.links
        static = parse_bool(node.text_of("static") or (body.text_of("static") if body is not None else ""))
        shapes, mass = tuple(content.shapes), content.mass or 1.0
        if motion := motion_of(node, body, pose):
            start = motion.pose_at(0.0)
            return MovingModel(index, name, start, shapes, static, mass, content.missing, motion=motion)
        static = static or node.name == "actor"
        return SceneModel(index, name, pose, shapes, static, mass, content.missing)

    def body(self, node: XmlElement) -> XmlElement | None:
        """Return the ``<model>`` of an element.

        This is the element itself, or for an ``<include>`` the model in the included file.
        """
        if node.name != "include":
            return node
        if node not in self._bodies:
            found = locate(node.text_of("uri"), node.markup.path, self._places)
            if found is not None and found not in self._read:
                self._read[found] = _first_model(found)
            self._bodies[node] = self._read[found] if found is not None else None
        return self._bodies[node]

    def name(self, node: XmlElement) -> str:
        """Return the name that the simulator gives to an element."""
        if node.name != "include":
            return node.get("name")
        body = self.body(node)
        given = node.text_of("name") or (body.get("name") if body is not None else "")
        return given or node.text_of("uri").rstrip("/").rpartition("/")[2]

    def pose(self, node: XmlElement) -> XmlElement | None:
        """Return the ``<pose>`` of an element. The pose of an include overrides the pose in the included file."""
        body = self.body(node)
        return node.first("pose") or (body.first("pose") if body is not None else None)

    def _gather(
        self, model: XmlElement, at: Pose, state: XmlElement | None, content: _SdfContent, files: tuple[Path, ...]
    ) -> None:
        """Add the contents of a model to ``content``. ``at`` is the model's pose relative to the outermost model."""
        frames = Frames.of(model)
        states = {(s.name, s.get("name")): s for s in (state.children if state is not None else ())}
        for child in model.all("link", "model", "include"):
            self._count_part()
            saved = states.get(("link" if child.name == "link" else "model", self.name(child))) if states else None
            element = saved.first("pose") if saved is not None else None
            place = content.world.inverse * pose_in(element) if element else at * frames.place(self.pose(child))
            if child.name == "link":
                self._link(child, place, at, frames, content)
                continue
            body = self.body(child)
            inside = (*files, body.markup.path) if body is not None and child.name == "include" else files
            if body is None or len(inside) > MAX_INCLUDE_DEPTH or len(set(inside)) < len(inside):
                content.missing = content.missing or child.text_of("uri")
                continue
            self._gather(body, place, saved, content, inside)

    def _link(self, link: XmlElement, place: Pose, at: Pose, frames: Frames, content: _SdfContent) -> None:
        content.links.append(link)
        content.mass += max(0.0, number(link.text_of("inertial", "mass"), 1.0))
        for collision in link.all(content.solid):
            self._count_part()
            element = collision.first("pose")
            elsewhere = reference(element) in frames.named
            pose = at * frames.place(element) if elsewhere else place * pose_in(element)
            if shape := shape_of(collision, pose, content.scale, partial(self._resolve_uri, link.markup.path)):
                content.shapes.append(shape)
                content.origins.append((link, collision))

    def _resolve_uri(self, file: Path, uri: str) -> str:
        """Return the path of the file that a URI refers to, or the URI if there is no such file."""
        found = locate(uri, file, self._places)
        return str(found) if found is not None and os.path.isfile(found) else uri

    def _count_part(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise InputError(
                f"{self._path} has more than {MAX_PARTS:,} links and shapes, including those of included models"
            )


def _first_model(place: Path) -> XmlElement | None:
    """Return the model in an SDF file or in a model's folder. Returns None if no model can be read."""
    file = model_file(place)
    if file is None:
        return None
    try:
        root = read_markup(file).root
    except InputError:
        return None
    return root.first("sdf", "model") or root.first("gazebo", "model") or root.first("model")
