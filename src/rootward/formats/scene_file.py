"""A scene file cut into its models: any of them can be left out, and every other byte stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rootward.formats.parts import Parts, edited, edits_of
from rootward.formats.scene import Model


class Cut(NamedTuple):
    """A piece of the text that goes as soon as one of its owners (models, by number) is left out."""

    start: int
    stop: int
    owners: tuple[int, ...]
    instead: str = ""
    """What comes in its place."""


@dataclass(frozen=True, eq=False)
class SceneFile(Parts[Model]):
    """The models of one file, read once."""

    path: Path
    noun: str
    text: str
    codec: str
    parts: tuple[Model, ...]
    cuts: tuple[Cut, ...]
    """In the order of their beginnings."""
    parents: tuple[int | None, ...] | None = None
    """For each model the one that it hangs on, which comes before it; None if the models are not a tree."""

    def render(self, kept: Sequence[Model]) -> bytes:
        """The file with these models only."""
        there = {model.index for model in kept}
        gone = {model.index for model in self.parts}.difference(there)
        cuts = [(cut.start, cut.stop, cut.instead) for cut in self.cuts if not gone.isdisjoint(cut.owners)]
        return edited(self.text, [*edits_of(kept), *cuts]).encode(self.codec)


def distinct(models: Iterable[Model]) -> tuple[Model, ...]:
    """The models with different names: the second ``box`` becomes ``box (2)``."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    named = []
    everyone = list(models)
    given = {model.name for model in everyone}
    for model in everyone:
        name = model.name
        while name in taken or (name != model.name and name in given):
            counts[model.name] = counts.get(model.name, 1) + 1
            name = f"{model.name} ({counts[model.name]})"
        taken.add(name)
        named.append(model if name == model.name else replace(model, name=name, called=model.name))
    return tuple(named)
