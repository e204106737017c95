"""Common parts of the readers of SDF, MJCF and URDF: the file cut into models, its numbers, the files it refers to.

Any model can be removed, and every other byte stays as it is.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rootward.errors import InputError
from rootward.formats.documents.parts import Parts, apply_edits, edits_of
from rootward.formats.documents.xml_tree import read_markup
from rootward.formats.scenes.scene import Point, SceneModel


class TextCut(NamedTuple):
    """A piece of the text with the models that own it, given by number.

    The piece is cut when any of its owners is removed.
    """

    start: int
    stop: int
    owners: tuple[int, ...]
    instead: str = ""
    """The text that replaces the cut piece."""


@dataclass(frozen=True, eq=False)
class SceneFile(Parts[SceneModel]):
    """A scene file as a list of models, read once."""

    path: Path
    noun: str
    text: str
    codec: str
    parts: tuple[SceneModel, ...]
    cuts: tuple[TextCut, ...]
    """The cuts, ordered by start."""
    parents: tuple[int | None, ...] | None = None
    """For each model its parent, which comes before it; None if the models do not form a tree."""

    def render(self, kept: Sequence[SceneModel]) -> bytes:
        """Return the file with only the ``kept`` models."""
        there = {model.index for model in kept}
        gone = {model.index for model in self.parts}.difference(there)
        cuts = [(cut.start, cut.stop, cut.instead) for cut in self.cuts if not gone.isdisjoint(cut.owners)]
        return apply_edits(self.text, [*edits_of(kept), *cuts]).encode(self.codec)

    def split_text(self, kept: Collection[int]) -> Iterator[tuple[str, bool]]:
        """Yield the text of the file in passages, each with True if it is left when only these models are kept."""
        gone = {model.index for place, model in enumerate(self.parts) if place not in kept}
        at = 0
        for cut in self.cuts:
            if gone.isdisjoint(cut.owners) or cut.stop <= at:
                continue
            yield self.text[at : cut.start], True
            yield self.text[max(at, cut.start) : cut.stop], False
            at = cut.stop
        yield self.text[at:], True


def rename_duplicates(models: Iterable[SceneModel]) -> tuple[SceneModel, ...]:
    """Return the models with unique names: the second ``box`` becomes ``box (2)``."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    named = []
    every_model = list(models)
    given = {model.name for model in every_model}
    for model in every_model:
        name = model.name
        while name in taken or (name != model.name and name in given):
            counts[model.name] = counts.get(model.name, 1) + 1
            name = f"{model.name} ({counts[model.name]})"
        taken.add(name)
        named.append(model if name == model.name else replace(model, name=name, called=model.name))
    return tuple(named)


# Numbers in the text of a scene file


def numbers(text: str) -> tuple[float, ...]:
    """Return the numbers in a text. Empty if any word in it is not a finite number."""
    try:
        found = tuple(map(float, text.split()))
    except ValueError:
        return ()
    return found if all(map(math.isfinite, found)) else ()


def number(text: str, default: float) -> float:
    return next(iter(numbers(text)), default)


def triple(text: str, default: Point) -> Point:
    found = numbers(text)
    return (found[0], found[1], found[2]) if len(found) == 3 else default


def parse_bool(text: str) -> bool:
    return text.strip().lower() in ("1", "true")


# Files that a scene file refers to, searched as a simulator does: beside the file and in the folders of its variables


VARIABLES = ("GAZEBO_MODEL_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH")


def model_folders(world: Path) -> list[Path]:
    """Return the folders in which the models of a world are searched for."""
    home = world.absolute().parent
    beside = [home, home / "models", home.parent, home.parent / "models"]
    return beside + [Path(entry) for name in VARIABLES for entry in os.environ.get(name, "").split(os.pathsep) if entry]


def locate(uri: str, file: Path, places: list[Path]) -> Path | None:
    """Return the file or folder that a ``uri`` in ``file`` refers to. Returns None if it does not exist."""
    scheme, separator, rest = uri.strip().partition("://")
    if not separator:
        scheme, rest = "", scheme
    if scheme not in ("", "file", "model", "package") or not rest:
        return None
    bases = [file.absolute().parent, *places] if scheme in ("", "file") else places
    # os.path, because pathlib raises errors for impossible file names.
    return next((Path(found) for base in bases if os.path.exists(found := os.path.join(base, rest))), None)


def model_file(place: Path) -> Path | None:
    """Return the SDF file of a model. This is the newest file that ``model.config`` lists, or else ``model.sdf``."""
    if not place.is_dir():
        return place
    listed: list[tuple[tuple[int, ...], str]] = []
    for name in ("model.config", "manifest.xml"):
        try:
            config = read_markup(place / name).root.first("model")
        except InputError:
            continue
        listed += [(_version(sdf.get("version")), sdf.words) for sdf in (config.all("sdf") if config else ())]
    names = [name for _, name in sorted(listed, reverse=True)]
    found = (os.path.join(place, name) for name in [*names, "model.sdf"])
    return next((Path(file) for file in found if os.path.isfile(file)), None)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() and len(part) < 9 else 0 for part in text.split("."))
