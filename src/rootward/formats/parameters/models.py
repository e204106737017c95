"""The numbers of the models of an SDF world: where they stand, how they are turned, their sizes, friction and mass.

Every domain is finite, and around what the world has: a model stays within the scene, give or take a little, and is
at most five times as large as it was. The ground and robots have no fields, for a world is about neither; nor has what
takes up no room. A shape of a model with several is told by its number from 0: ``table[1].radius``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import pi
from typing import Any

from rootward.formats import markup, sdf
from rootward.formats.markup import Node
from rootward.formats.parameters.parameters import Parameters, of
from rootward.formats.parts import Edit
from rootward.formats.scene import AlteredModel, Model
from rootward.formats.scene_file import SceneFile
from rootward.formats.sdf import WorldReader
from rootward.formats.sdf_numbers import Number, Placing, frictions, masses, placings, sizes
from rootward.space import Field, Float

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
    worlds = sdf.worlds(markup.parse(document.path, document.text.encode(document.codec)))
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
