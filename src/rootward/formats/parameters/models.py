"""The numbers of the models of an SDF world: where they stand, how they are turned, their sizes, friction and mass.

Every domain is finite, and around what the world has: a model stays within the scene, give or take a little, and is
at most five times as large as it was. The ground and robots have no fields, for a world is about neither; nor has what
takes up no room. A shape of a model with several is told by its number from 0: ``table[1].radius``.

Only numbers that stand in the file itself can be changed there: of a model that is included from another file, that is
its place. A visual that looks like a shape it stands at is changed with it, and so are numbers that say the same twice
(``mu`` and ``mu2``). A pose that is told in six plain numbers keeps those that do not change; any other is written
anew, and so are the poses that the saved state of the world has for the links of a model.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import pi
from typing import Any, NamedTuple

from rootward.formats.documents.parts import Edit, Span
from rootward.formats.documents.xml_tree import Node, parse_markup
from rootward.formats.parameters.parameters import Parameters, of
from rootward.formats.scenes import sdf
from rootward.formats.scenes.scene import AlteredModel, Model, Pose
from rootward.formats.scenes.scene_file import SceneFile, numbers
from rootward.formats.scenes.sdf import WorldReader
from rootward.formats.scenes.sdf_shapes import pose_in, reference
from rootward.space.space import Field, Float

MARGIN = 0.5
"""How far beyond everything in the scene a model may be moved, in metres."""
SCALES = 0.1, 0.5, 1.0, 2.0, 5.0
"""What a size or a mass is multiplied with; the first and the last are the least and the most."""
FRICTIONS = 0.0, 0.5, 1.0, 1.5, 2.0
COVERS = 0.8
"""What covers as much of the scene, along both axes, and has something on it, is its ground."""
PIECES = 3
"""A model of more shapes has a form, and the size of one of them says nothing."""
QUARTERS = 0.0, 0.25, 0.5, 0.75, 1.0
"""Where on the way from one end of the scene to the other a place is tried; and so for angles."""


@dataclass(frozen=True)
class _Body:
    """A kept model."""

    model: Model
    numbers: Mapping[str, tuple[Number, Field]]
    placings: Sequence[Placing]

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def values(self) -> Mapping[str, Any]:
        return {name: number.now for name, (number, _) in self.numbers.items()}

    @property
    def fields(self) -> Mapping[str, Field]:
        return {name: field for name, (_, field) in self.numbers.items()}

    def placed(self, changes: Mapping[str, Any], at: _Body) -> Model:
        if not changes:
            return self.model
        model, edits = self.model, list[Edit]()
        for name, value in changes.items():
            number, _ = self.numbers[name]
            model = number.changed(model, float(value))
            edits += [(*span, repr(float(value))) for span in number.spans]
        if model.pose != self.model.pose:
            edits += chain(*(placing.edits(self.model.pose, model.pose) for placing in self.placings))
        said = {field.name: getattr(model, field.name) for field in dataclasses.fields(Model)}
        return AlteredModel(**said, edits=tuple(sorted(edits)))


def read(document: SceneFile, kept: Sequence[int]) -> Parameters | None:
    """The numbers that the file states of the kept models; None if it is not in SDF."""
    worlds = sdf.worlds(parse_markup(document.path, document.text.encode(document.codec)))
    for world in worlds:
        list(world.models())  # which finds where their shapes are stated
    scene = _Scene(document.parts)

    def removed(name: str) -> bool:
        gone = (model.name for model in document.parts if model.index not in kept)
        return any(name.startswith((f"{other}.", f"{other}[")) for other in gone)

    def body(model: Model) -> _Body:
        world = next(w for w in worlds if model.index < w.first + len(w.elements))
        return scene.body(world, model)

    return of((body(document[i]) for i in kept), removed, ordered=False) if worlds else None


class _Scene:
    """What is around a model."""

    def __init__(self, models: Sequence[Model]) -> None:
        self._boxes = {model.index: model.box for model in models if model.shapes and not _endless(model)}
        points = list(chain(*self._boxes.values()))
        points += [model.pose.point for model in models]
        self.low = [min(axis) for axis in zip(*points, strict=True)]
        self.high = [max(axis) for axis in zip(*points, strict=True)]

    def body(self, world: WorldReader, model: Model) -> _Body:
        body = world.parts.body(world.elements[model.index - world.first])
        if _endless(model) or self._ground(model) or _nothing(model) or (body is not None and _drives(body)):
            return _Body(model, {}, ())
        moving = placings(world, model)
        found = list(self._poses(model)) if moving else []
        lengths = sizes(world, model) if len(model.shapes) <= PIECES else ()
        for n in chain(lengths, masses(world, model)):
            found.append((n, _field(n.now, [n.now * scale for scale in SCALES])))
        for n in frictions(world, model):
            found.append((n, _field(n.now, [*FRICTIONS, 2 * n.now])))
        named = {f"{model.name}{'' if n.name.startswith('[') else '.'}{n.name}": (n, f) for n, f in found}
        return _Body(model, named, moving)

    def _poses(self, model: Model) -> Iterator[tuple[Number, Field]]:
        for name, lo, hi in zip("xyz", self.low, self.high, strict=True):
            now = getattr(model.pose, name)
            places = [lo - MARGIN + (hi - lo + 2 * MARGIN) * part for part in QUARTERS]
            yield Number(name, now, (), _moved(name)), _field(now, places)
        turns = [(2 * part - 1) * pi for part in QUARTERS]
        yield Number("yaw", model.pose.yaw, (), _moved("yaw")), _field(model.pose.yaw, turns)

    def _ground(self, model: Model) -> bool:
        """Whether it lies under nearly all of the scene, and something stands on it."""
        if not model.static or model.index not in self._boxes:
            return False
        low, high = self._boxes[model.index]
        wide = (high[k] - low[k] >= COVERS * (self.high[k] - self.low[k]) for k in (0, 1))
        return all(wide) and any(
            bottom[2] + top[2] >= 2 * high[2] and all(low[k] <= (bottom[k] + top[k]) / 2 <= high[k] for k in (0, 1))
            for bottom, top in self._boxes.values()
        )


def _moved(axis: str) -> Callable[[Model, float], Model]:
    def changed(model: Model, value: float) -> Model:
        return dataclasses.replace(model, pose=dataclasses.replace(model.pose, **{axis: value}))

    return changed


def _field(now: float, others: Iterable[float]) -> Float:
    """The numbers from the least to the most of these, which are tried; all but ``now`` are rounded, to be read."""
    values = sorted({now, *(float(f"{other:.3g}") + 0.0 for other in others)})  # + 0.0, for there is a -0.0
    return Float(values[0], values[-1], values=values)


def _endless(model: Model) -> bool:
    return any(shape.kind in ("plane", "heightmap") for shape in model.shapes)


def _nothing(model: Model) -> bool:
    """Whether it takes up no room: a light, or what stands for the usual ground."""
    included = (model.uri or "").rstrip("/").rpartition("/")[2].lower()
    return not model.shapes and re.sub("[ _-]", "", included) in ("", "sun", "groundplane")


def _drives(body: Node) -> bool:
    """Whether it moves by itself, or looks around."""
    for child in body.children:
        if child.name in ("plugin", "sensor") or (child.name == "joint" and child.get("type") != "fixed"):
            return True
        if child.name in ("link", "model") and _drives(child):
            return True
    return False


# Where the world states them


SIZE_ELEMENTS = {
    "box": (("size", ("size_x", "size_y", "size_z")),),
    "cylinder": (("radius", ("radius",)), ("length", ("length",))),
    "sphere": (("radius", ("radius",)),),
}
"""For each shape the elements that state its size, and what the numbers in them are called, in the shape's order."""
FRICTION_PATHS = ("ode", "mu"), ("ode", "mu2"), ("bullet", "friction"), ("bullet", "friction2")
_WORD = re.compile(r"\S+")


class Number(NamedTuple):
    """A number that the file states."""

    name: str
    now: float
    spans: tuple[Span, ...]
    """Where it is written."""
    changed: Callable[[Model, float], Model]
    """The model with another one."""


@dataclass(frozen=True)
class Placing:
    """A ``<pose>`` that says where a model is, or where something in it is that moves with it."""

    span: Span
    """The whole element."""
    words: tuple[Span, ...]
    """Its six numbers, if it is told so."""
    inside: Pose
    """What it places, in the frame of the model."""

    def edits(self, before: Pose, after: Pose) -> Iterator[Edit]:
        """What moves it with the model."""
        old, new = _six(before * self.inside), _six(after * self.inside)
        if self.words:
            yield from ((*word, repr(b)) for word, a, b in zip(self.words, old, new, strict=True) if a != b)
        else:
            yield *self.span, f"<pose>{' '.join(map(repr, new))}</pose>"


def placings(world: WorldReader, model: Model) -> list[Placing]:
    """All that is to be written if the model moves; none if it cannot be moved, because others are placed at it."""
    node, state = world.elements[model.index - world.first], world.state(model.index)
    if model.index in world.followed:
        return []
    if state is not None and state.first("pose"):
        return list(_saved(state, model.pose))
    element = node.first("pose")
    if element is None:
        hollow = node.close == node.inner == node.stop  # <model/> has no inside
        return [] if hollow else [Placing((node.inner, node.inner), (), Pose())]
    origin = reference(element)
    if origin not in ("", "world") and origin not in world.frames.named:
        return []
    plain = set(element.attributes) <= {"frame", "relative_to"} and origin not in world.frames.named
    words = _words(element) if plain else ()
    return [Placing((element.start, element.stop), words if len(words) == 6 else (), Pose())]


def _saved(state: Node, place: Pose) -> Iterator[Placing]:
    """The poses of a saved model, its links and the models in it; all of them are told in the world."""
    for element in state.all("pose"):
        words = () if element.attributes.keys() - {"frame"} else _words(element)
        inside = place.inverse * pose_in(element)
        inside = Pose() if pose_in(element) == place else inside
        yield Placing((element.start, element.stop), words if len(words) == 6 else (), inside)
    for below in state.all("link", "model", "link_state", "model_state"):
        yield from _saved(below, place)


def sizes(world: WorldReader, model: Model) -> Iterator[Number]:
    """The lengths of its boxes, cylinders and spheres."""
    for place, (link, collision) in _own(world, model):
        geometry = collision.first("geometry")
        solid = next((child for child in geometry.children if child.name in SIZE_ELEMENTS), None) if geometry else None
        if solid is None or model.shapes[place].kind != solid.name:
            continue
        twins = [solid, *_seen(link, collision, solid)]
        at = 0
        for element, names in SIZE_ELEMENTS[solid.name]:
            found = [_words(node) for twin in twins if (node := twin.first(element))]
            for column, name in enumerate(names):
                spans = tuple(words[column] for words in found if len(words) == len(names))
                now = model.shapes[place].size[at]
                if spans and _stated(collision, spans[0]) == now:
                    yield Number(_of_shape(model, place, name), now, spans, _resized(place, at))
                at += 1


def frictions(world: WorldReader, model: Model) -> Iterator[Number]:
    """The friction of its shapes: one number if it is the same everywhere."""
    found: dict[int, tuple[Span, ...]] = {}
    for place, (_, collision) in _own(world, model):
        friction, now = collision.first("surface", "friction"), model.shapes[place].friction
        stated = [node for path in FRICTION_PATHS if friction and (node := friction.first(*path))]
        same = tuple(word for node in stated for word in _words(node)[:1] if _stated(node, word) == now)
        if same:
            found[place] = same
    values = {model.shapes[place].friction for place in found}
    if len(values) == 1:
        everywhere = tuple(span for spans in found.values() for span in spans)
        yield Number("mu", values.pop() or 0.0, everywhere, _rubbed(list(found)))
        return
    for place, spans in found.items():
        now = model.shapes[place].friction or 0.0
        yield Number(_of_shape(model, place, "mu"), now, spans, _rubbed([place]))


def masses(world: WorldReader, model: Model) -> Iterator[Number]:
    """Its mass, if it moves and is one link."""
    links = world.parts.links[model.index]
    element = links[0].first("inertial", "mass") if len(links) == 1 else None
    if element is None or model.static or element.markup is not _page(world):
        return
    words = _words(element)
    if len(words) == 1 and _stated(element, words[0]) == model.mass:
        yield Number("mass", model.mass, words, lambda model, mass: replace(model, mass=mass))


def _own(world: WorldReader, model: Model) -> Iterator[tuple[int, tuple[Node, Node]]]:
    """The shapes, by their places, that stand in this file."""
    origins = world.parts.origins[model.index]
    if len(origins) == len(model.shapes):  # else an included file has changed meanwhile
        yield from ((place, pair) for place, pair in enumerate(origins) if pair[1].markup is _page(world))


def _page(world: WorldReader) -> object:
    return world.elements[0].markup


def _seen(link: Node, collision: Node, solid: Node) -> Iterator[Node]:
    """The visuals of a link that look like one of its shapes."""
    for visual in link.all("visual"):
        twin = visual.first("geometry", solid.name)
        if twin is None or pose_in(visual.first("pose")) != pose_in(collision.first("pose")):
            continue
        if all(numbers(twin.text_of(name)) == numbers(solid.text_of(name)) for name, _ in SIZE_ELEMENTS[solid.name]):
            yield twin


def _words(element: Node) -> tuple[Span, ...]:
    """The numbers of an element, if there is nothing else in it."""
    text = element.markup.text
    found = tuple(match.span() for match in _WORD.finditer(text, element.inner, element.close))
    return found if len(numbers(text[element.inner : element.close])) == len(found) else ()


def _stated(node: Node, word: Span) -> float:
    return numbers(node.markup.text[slice(*word)])[0]


def _of_shape(model: Model, place: int, name: str) -> str:
    """What it is called in the model: a shape is told by its number if there are several."""
    return name if len(model.shapes) == 1 else f"[{place}].{name}"


def _resized(place: int, at: int) -> Callable[[Model, float], Model]:
    def changed(model: Model, length: float) -> Model:
        shapes = list(model.shapes)
        size = shapes[place].size
        shapes[place] = replace(shapes[place], size=(*size[:at], length, *size[at + 1 :]))
        return replace(model, shapes=tuple(shapes))

    return changed


def _rubbed(places: Sequence[int]) -> Callable[[Model, float], Model]:
    def changed(model: Model, friction: float) -> Model:
        shapes = enumerate(model.shapes)
        return replace(model, shapes=tuple(replace(s, friction=friction) if i in places else s for i, s in shapes))

    return changed


def _six(pose: Pose) -> tuple[float, ...]:
    return *pose.point, pose.roll, pose.pitch, pose.yaw
