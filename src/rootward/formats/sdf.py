"""SDF worlds (Gazebo): the models and includes that stand directly in a world are what can be left out.

Everything else stays: lights, plugins, physics, actors, populations. What names a model that is left out goes with it
where a simulator would stumble over it: its entry in the saved ``<state>``, joints and frames of the world that are
attached to it. A model that is placed relative to one that is left out gets its place in the world instead.

Gazebo starts with the poses and scales of ``<state>``, not with those of the models; so does the scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from pathlib import Path

from rootward.errors import InputError
from rootward.formats import markup
from rootward.formats.markup import Markup, Node
from rootward.formats.scene import Model, Pose
from rootward.formats.scene_file import Cut, SceneFile, distinct
from rootward.formats.sdf_models import Models
from rootward.formats.sdf_shapes import LONGEST, Frames, reference


def read(path: Path) -> SceneFile:
    """The models of a world file, in its order.

    Raises InputError if the file cannot be read, is no world, or has no models.
    """
    page = markup.read(path)
    readers = worlds(page)
    if not readers:
        raise InputError(f"{path} has no <world>: a world file in SDF is expected")
    found, cuts = list[Model](), list[Cut]()
    for reader in readers:
        found += reader.models()
        cuts += reader.cuts()
    if not found:
        raise InputError(f"{path} has no models: there is nothing to leave out")
    return SceneFile(path, "model", page.text, page.codec, distinct(found), tuple(sorted(cuts)))


def worlds(page: Markup) -> list[WorldReader]:
    """The worlds of a file, whose models are numbered one after the other."""
    root, models = page.root, Models(page.path)
    found = list[WorldReader]()
    for world in chain(root.all("world"), *(top.all("world") for top in root.all("sdf", "gazebo"))):
        found.append(WorldReader(world, models, sum(len(reader.elements) for reader in found)))
    return found


class WorldReader:
    """One ``<world>``, whose models are numbered from ``first``."""

    def __init__(self, world: Node, models: Models, first: int) -> None:
        self._world, self.parts, self.first = world, models, first
        self.elements = list(world.all("model", "include"))
        self._names = [models.name(node) for node in self.elements]
        self._owner: dict[str, int] = {}
        for i, name in enumerate(self._names, first):
            if name:
                self._owner.setdefault(name, i)
        frames = ((frame.get("name"), frame, frame.first("pose")) for frame in world.all("frame"))
        placed = ((name, node, models.pose(node)) for name, node in zip(self._names, self.elements, strict=True))
        self.frames = Frames(chain(placed, frames))
        self._states = self._saved()

    def _saved(self) -> dict[int, list[Node]]:
        """The entries of each model in ``<state>``: of models of one name, the first has the first, and so on."""
        places: dict[str, list[int]] = {}
        for i, name in enumerate(self._names, self.first):
            places.setdefault(name, []).append(i)
        saved: dict[int, list[Node]] = {}
        for state in self._world.all("state"):
            met: dict[str, int] = {}
            for entry in state.all("model", "model_state"):  # before SDF 1.12, and since
                name = entry.get("name")
                met[name] = met.get(name, 0) + 1
                if name in places:
                    saved.setdefault(places[name][min(met[name], len(places[name])) - 1], []).append(entry)
        return saved

    def models(self) -> Iterator[Model]:
        for i, (name, node) in enumerate(zip(self._names, self.elements, strict=True), self.first):
            pose = self._pose(node)
            yield self.parts.model(i, name or node.name, node, pose, self.state(i))

    def state(self, index: int) -> Node | None:
        """The entry of a model in the saved state of the world."""
        return next(iter(self._states.get(index, ())), None)

    @cached_property
    def followed(self) -> set[int]:
        """The models that others are placed relative to."""
        places = ((i, reference(self.parts.pose(node))) for i, node in enumerate(self.elements, self.first))
        return set().union(*(self._reached(name) - {i} for i, name in places if name))

    def _pose(self, node: Node) -> Pose:
        return self.frames.place(self.parts.pose(node))

    def cuts(self) -> Iterator[Cut]:
        around = self._world.markup.around
        for i, node in enumerate(self.elements, self.first):
            yield Cut(*around(node), (i,))
            yield from (Cut(*around(entry), (i,)) for entry in self._states.get(i, ()))
            yield from self._placed_elsewhere(i, node)
        for node in self._world.all("frame", "joint"):
            if owners := self._needed(node):
                yield Cut(*around(node), tuple(sorted(owners)))

    def _placed_elsewhere(self, index: int, node: Node) -> Iterator[Cut]:
        """The pose of a model that is told relative to another one."""
        element = node.first("pose")
        others = self._reached(reference(element)) - {index}
        if element is not None and others and reference(element) in self.frames.named:
            pose = self._pose(node)
            place = " ".join(f"{value:.9g}" for value in (*pose.point, pose.roll, pose.pitch, pose.yaw))
            yield Cut(element.start, element.stop, tuple(sorted(others)), f"<pose>{place}</pose>")

    def _needed(self, node: Node) -> set[int]:
        """The models without which a frame or a joint of the world means nothing."""
        names = [reference(node.first("pose"))]
        names += [node.get("attached_to")] if node.name == "frame" else [node.text_of("parent"), node.text_of("child")]
        return set().union(*map(self._reached, names))

    def _reached(self, name: str) -> set[int]:
        """The models that a name leads to: a model, something in it, or frames that are attached to it."""
        reached: set[int] = set()
        waiting, seen = [name], {name}
        while waiting and len(seen) <= LONGEST:
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
