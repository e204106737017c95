"""Where an SDF world states the numbers of a model: its place, the sizes and the friction of its shapes, its mass.

Only numbers that stand in the file itself can be changed there: of a model that is included from another file, that is
its place. A visual that looks like a shape it stands at is changed with it, and so are numbers that say the same twice
(``mu`` and ``mu2``). A pose that is told in six plain numbers keeps those that do not change; any other is written
anew, and so are the poses that the saved state of the world has for the links of a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rootward.formats.markup import Node
from rootward.formats.parts import Edit, Span
from rootward.formats.scene import Model, Pose
from rootward.formats.sdf import WorldReader
from rootward.formats.sdf_shapes import numbers, pose_in, reference

SIZES = {
    "box": (("size", ("size_x", "size_y", "size_z")),),
    "cylinder": (("radius", ("radius",)), ("length", ("length",))),
    "sphere": (("radius", ("radius",)),),
}
"""For each shape the elements that state its size, and what the numbers in them are called, in the shape's order."""
FRICTIONS = ("ode", "mu"), ("ode", "mu2"), ("bullet", "friction"), ("bullet", "friction2")
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
        solid = next((child for child in geometry.children if child.name in SIZES), None) if geometry else None
        if solid is None or model.shapes[place].kind != solid.name:
            continue
        twins = [solid, *_seen(link, collision, solid)]
        at = 0
        for element, names in SIZES[solid.name]:
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
        stated = [node for path in FRICTIONS if friction and (node := friction.first(*path))]
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
        if all(numbers(twin.text_of(name)) == numbers(solid.text_of(name)) for name, _ in SIZES[solid.name]):
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
