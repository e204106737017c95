"""The numbers in the models of an SDF world: positions, orientations, sizes, friction and mass.

Every domain is bounded and lies around the value in the world: a model stays within the scene plus a margin, and is at
most five times as large as it was. The ground, robots, actors, models that move as scripted and models without extent
do not vary and get no fields. If a model has several shapes, each has a number from 0: ``table[1].radius``.

Only numbers that stand in the world file itself can be changed; for a model included from another file, that is its
pose. A visual that coincides with a collision shape is changed with it, and so are numbers that are stated twice
(``mu`` and ``mu2``). In a pose of six plain numbers, only those that change are replaced. Any other pose is rewritten
whole, and so are the poses of the model's links in the saved state of the world.
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
from rootward.formats.documents.xml_tree import XmlElement, parse_markup
from rootward.formats.parameters.parameters import Parameters, build_parameters
from rootward.formats.scenes import sdf
from rootward.formats.scenes.motion import MovingModel
from rootward.formats.scenes.scene import AlteredModel, Pose, SceneModel
from rootward.formats.scenes.scene_file import SceneFile, numbers
from rootward.formats.scenes.sdf import WorldReader
from rootward.formats.scenes.sdf_shapes import pose_in, reference
from rootward.space.space import Field, Float

MARGIN = 0.5
"""Maximum distance, in metres, that a model may be moved outside the scene."""
SCALES = 0.1, 0.5, 1.0, 2.0, 5.0
"""Factors tried for a size or a mass; the first and the last bound the domain."""
FRICTIONS = 0.0, 0.5, 1.0, 1.5, 2.0
"""Friction coefficients to try."""
GROUND_COVERAGE = 0.8
"""Minimum share of the scene, along both axes, that a static model with something on it covers to count as ground."""
MAX_SIZED_SHAPES = 3
"""Models with more shapes than this get no size fields: their form matters, not the size of one shape."""
POSITION_SHARES = 0.0, 0.25, 0.5, 0.75, 1.0
"""Positions to try along each axis, as shares of the scene's extent; angles to try, as shares of a full turn."""


@dataclass(frozen=True)
class _Body:
    """A kept model and its numbers."""

    model: SceneModel
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

    def place(self, changes: Mapping[str, Any], at: _Body) -> SceneModel:
        if not changes:
            return self.model
        model, edits = self.model, list[Edit]()
        for name, value in changes.items():
            number, _ = self.numbers[name]
            model = number.change(model, float(value))
            edits += [(*span, repr(float(value))) for span in number.spans]
        if model.pose != self.model.pose:
            edits += chain(*(placing.edits(self.model.pose, model.pose) for placing in self.placings))
        attributes = {field.name: getattr(model, field.name) for field in dataclasses.fields(SceneModel)}
        return AlteredModel(**attributes, edits=tuple(sorted(edits)))


def read(document: SceneFile, kept: Sequence[int]) -> Parameters | None:
    """Return the numbers that the file states about the kept models. Returns None if the file is not SDF."""
    worlds = sdf.worlds(parse_markup(document.path, document.text.encode(document.codec)))
    for world in worlds:
        list(world.models())  # records where their shapes are stated
    scene = _ModelScene(document.parts)

    def is_removed(name: str) -> bool:
        gone = (model.name for model in document.parts if model.index not in kept)
        return any(name.startswith((f"{other}.", f"{other}[")) for other in gone)

    def body(model: SceneModel) -> _Body:
        world = next(w for w in worlds if model.index < w.first + len(w.elements))
        return scene.body(world, model)

    return build_parameters((body(document[i]) for i in kept), is_removed, ordered=False) if worlds else None


class _ModelScene:
    """The extent of the scene. It determines the domains of a model's fields."""

    def __init__(self, models: Sequence[SceneModel]) -> None:
        self._boxes = {model.index: model.box for model in models if model.shapes and not _is_endless(model)}
        points = list(chain(*self._boxes.values()))
        points += [model.pose.point for model in models]
        self.low = [min(axis) for axis in zip(*points, strict=True)]
        self.high = [max(axis) for axis in zip(*points, strict=True)]

    def body(self, world: WorldReader, model: SceneModel) -> _Body:
        node = world.elements[model.index - world.first]
        body = world.parts.body(node)
        if isinstance(model, MovingModel) or node.name == "actor":
            return _Body(model, {}, ())
        if _is_endless(model) or self._is_ground(model) or _is_empty(model) or (body is not None and _is_robot(body)):
            return _Body(model, {}, ())
        moving = placings(world, model)
        found = list(self._poses(model)) if moving else []
        lengths = sizes(world, model) if len(model.shapes) <= MAX_SIZED_SHAPES else ()
        for n in chain(lengths, masses(world, model)):
            found.append((n, _field(n.now, [n.now * scale for scale in SCALES])))
        for n in frictions(world, model):
            found.append((n, _field(n.now, [*FRICTIONS, 2 * n.now])))
        named = {f"{model.name}{'' if n.name.startswith('[') else '.'}{n.name}": (n, f) for n, f in found}
        return _Body(model, named, moving)

    def _poses(self, model: SceneModel) -> Iterator[tuple[Number, Field]]:
        for name, lo, hi in zip("xyz", self.low, self.high, strict=True):
            now = getattr(model.pose, name)
            places = [lo - MARGIN + (hi - lo + 2 * MARGIN) * part for part in POSITION_SHARES]
            yield Number(name, now, (), _make_move(name)), _field(now, places)
        turns = [(2 * part - 1) * pi for part in POSITION_SHARES]
        yield Number("yaw", model.pose.yaw, (), _make_move("yaw")), _field(model.pose.yaw, turns)

    def _is_ground(self, model: SceneModel) -> bool:
        """Return True if the model lies under nearly all of the scene and something stands on it."""
        if not model.static or model.index not in self._boxes:
            return False
        low, high = self._boxes[model.index]
        wide = (high[k] - low[k] >= GROUND_COVERAGE * (self.high[k] - self.low[k]) for k in (0, 1))
        return all(wide) and any(
            bottom[2] + top[2] >= 2 * high[2] and all(low[k] <= (bottom[k] + top[k]) / 2 <= high[k] for k in (0, 1))
            for bottom, top in self._boxes.values()
        )


def _make_move(axis: str) -> Callable[[SceneModel, float], SceneModel]:
    def change(model: SceneModel, value: float) -> SceneModel:
        return dataclasses.replace(model, pose=dataclasses.replace(model.pose, **{axis: value}))

    return change


def _field(now: float, others: Iterable[float]) -> Float:
    """Return a field that spans ``now`` and ``others`` and tries all of them.

    ``others`` are rounded to be readable; ``now`` is not.
    """
    values = sorted({now, *(float(f"{other:.3g}") + 0.0 for other in others)})  # + 0.0 turns -0.0 into 0.0
    return Float(values[0], values[-1], values=values)


def _is_endless(model: SceneModel) -> bool:
    return any(shape.kind in ("plane", "heightmap") for shape in model.shapes)


def _is_empty(model: SceneModel) -> bool:
    """Return True if the model has no extent: a light, or an include of the standard ground plane."""
    included = (model.uri or "").rstrip("/").rpartition("/")[2].lower()
    return not model.shapes and re.sub("[ _-]", "", included) in ("", "sun", "groundplane")


def _is_robot(body: XmlElement) -> bool:
    """Return True for a robot: it has a plugin, a sensor, or a joint that moves."""
    for child in body.children:
        if child.name in ("plugin", "sensor") or (child.name == "joint" and child.get("type") != "fixed"):
            return True
        if child.name in ("link", "model") and _is_robot(child):
            return True
    return False


# The places in the file that state these numbers


SIZE_ELEMENTS = {
    "box": (("size", ("size_x", "size_y", "size_z")),),
    "cylinder": (("radius", ("radius",)), ("length", ("length",))),
    "sphere": (("radius", ("radius",)),),
}
"""For each shape, the elements that state its size and the names of the numbers in them, in the order of the size."""
FRICTION_PATHS = ("ode", "mu"), ("ode", "mu2"), ("bullet", "friction"), ("bullet", "friction2")
_WORD = re.compile(r"\S+")


class Number(NamedTuple):
    """A number that the file states."""

    name: str
    now: float
    spans: tuple[Span, ...]
    """Its places in the text."""
    change: Callable[[SceneModel, float], SceneModel]
    """Returns the model with another number instead."""


@dataclass(frozen=True)
class Placing:
    """The ``<pose>`` of a model, or of an element in the model that moves with it."""

    span: Span
    """The whole element."""
    words: tuple[Span, ...]
    """Its six numbers, if the pose consists of them."""
    inside: Pose
    """The pose of the placed element, relative to the model."""

    def edits(self, before: Pose, after: Pose) -> Iterator[Edit]:
        """Yield the edits that move the placed element when the model moves from ``before`` to ``after``."""
        old, new = _six_numbers(before * self.inside), _six_numbers(after * self.inside)
        if self.words:
            yield from ((*word, repr(b)) for word, a, b in zip(self.words, old, new, strict=True) if a != b)
        else:
            yield *self.span, f"<pose>{' '.join(map(repr, new))}</pose>"


def placings(world: WorldReader, model: SceneModel) -> list[Placing]:
    """Return the poses to rewrite if the model moves.

    The list is empty if the model cannot move because others are placed relative to it.
    """
    node, state = world.elements[model.index - world.first], world.state(model.index)
    if model.index in world.reference_models:
        return []
    if state is not None and state.first("pose"):
        return list(_saved_placings(state, model.pose))
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


def _saved_placings(state: XmlElement, place: Pose) -> Iterator[Placing]:
    """Yield the poses of a saved model, of its links and of its nested models.

    All these poses are relative to the world.
    """
    for element in state.all("pose"):
        words = () if element.attributes.keys() - {"frame"} else _words(element)
        inside = place.inverse * pose_in(element)
        inside = Pose() if pose_in(element) == place else inside
        yield Placing((element.start, element.stop), words if len(words) == 6 else (), inside)
    for below in state.all("link", "model", "link_state", "model_state"):
        yield from _saved_placings(below, place)


def sizes(world: WorldReader, model: SceneModel) -> Iterator[Number]:
    """Yield the dimensions of the model's boxes, cylinders and spheres."""
    for place, (link, collision) in _own_shapes(world, model):
        geometry = collision.first("geometry")
        solid = next((child for child in geometry.children if child.name in SIZE_ELEMENTS), None) if geometry else None
        if solid is None or model.shapes[place].kind != solid.name:
            continue
        twins = [solid, *_matching_visuals(link, collision, solid)]
        at = 0
        for element, names in SIZE_ELEMENTS[solid.name]:
            found = [_words(node) for twin in twins if (node := twin.first(element))]
            for column, name in enumerate(names):
                spans = tuple(words[column] for words in found if len(words) == len(names))
                now = model.shapes[place].size[at]
                if spans and _read_number(collision, spans[0]) == now:
                    yield Number(_name_in_model(model, place, name), now, spans, _make_resize(place, at))
                at += 1


def frictions(world: WorldReader, model: SceneModel) -> Iterator[Number]:
    """Yield the friction of each of the model's shapes. Yields one number if all are equal."""
    found: dict[int, tuple[Span, ...]] = {}
    for place, (_, collision) in _own_shapes(world, model):
        friction, now = collision.first("surface", "friction"), model.shapes[place].friction
        stated = [node for path in FRICTION_PATHS if friction and (node := friction.first(*path))]
        same = tuple(word for node in stated for word in _words(node)[:1] if _read_number(node, word) == now)
        if same:
            found[place] = same
    values = {model.shapes[place].friction for place in found}
    if len(values) == 1:
        everywhere = tuple(span for spans in found.values() for span in spans)
        yield Number("mu", values.pop() or 0.0, everywhere, _make_friction_change(list(found)))
        return
    for place, spans in found.items():
        now = model.shapes[place].friction or 0.0
        yield Number(_name_in_model(model, place, "mu"), now, spans, _make_friction_change([place]))


def masses(world: WorldReader, model: SceneModel) -> Iterator[Number]:
    """Yield the mass of the model, if it is not static and has one link."""
    links = world.parts.links[model.index]
    element = links[0].first("inertial", "mass") if len(links) == 1 else None
    if element is None or model.static or element.markup is not _page(world):
        return
    words = _words(element)
    if len(words) == 1 and _read_number(element, words[0]) == model.mass:
        yield Number("mass", model.mass, words, lambda model, mass: replace(model, mass=mass))


def _own_shapes(world: WorldReader, model: SceneModel) -> Iterator[tuple[int, tuple[XmlElement, XmlElement]]]:
    """Yield those shapes of the model that this file states, each with its index.

    A shape from an included file is skipped.
    """
    origins = world.parts.origins[model.index]
    if len(origins) == len(model.shapes):  # else an included file has changed in the meantime
        yield from ((place, pair) for place, pair in enumerate(origins) if pair[1].markup is _page(world))


def _page(world: WorldReader) -> object:
    return world.elements[0].markup


def _matching_visuals(link: XmlElement, collision: XmlElement, solid: XmlElement) -> Iterator[XmlElement]:
    """Yield the geometries of those visuals of the link that coincide with ``collision``."""
    for visual in link.all("visual"):
        twin = visual.first("geometry", solid.name)
        if twin is None or pose_in(visual.first("pose")) != pose_in(collision.first("pose")):
            continue
        if all(numbers(twin.text_of(name)) == numbers(solid.text_of(name)) for name, _ in SIZE_ELEMENTS[solid.name]):
            yield twin


def _words(element: XmlElement) -> tuple[Span, ...]:
    """Return the spans of the numbers in an element. Empty if the element contains anything else."""
    text = element.markup.text
    found = tuple(match.span() for match in _WORD.finditer(text, element.inner, element.close))
    return found if len(numbers(text[element.inner : element.close])) == len(found) else ()


def _read_number(node: XmlElement, word: Span) -> float:
    return numbers(node.markup.text[slice(*word)])[0]


def _name_in_model(model: SceneModel, place: int, name: str) -> str:
    """Return the name, within the model, of a number that belongs to a shape.

    If the model has several shapes, the name contains the index ``place`` of the shape.
    """
    return name if len(model.shapes) == 1 else f"[{place}].{name}"


def _make_resize(place: int, at: int) -> Callable[[SceneModel, float], SceneModel]:
    def change(model: SceneModel, length: float) -> SceneModel:
        shapes = list(model.shapes)
        size = shapes[place].size
        shapes[place] = replace(shapes[place], size=(*size[:at], length, *size[at + 1 :]))
        return replace(model, shapes=tuple(shapes))

    return change


def _make_friction_change(places: Sequence[int]) -> Callable[[SceneModel, float], SceneModel]:
    def change(model: SceneModel, friction: float) -> SceneModel:
        shapes = enumerate(model.shapes)
        return replace(model, shapes=tuple(replace(s, friction=friction) if i in places else s for i, s in shapes))

    return change


def _six_numbers(pose: Pose) -> tuple[float, ...]:
    return *pose.point, pose.roll, pose.pitch, pose.yaw
