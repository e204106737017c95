"""A document that is a tree: its parts lie in each other, and what is left of it stays valid.

Readers of JSON, YAML and XML find where each part begins and ends, and what kind of collection it lies in. From this
alone follow the cuts that take parts out: rendering never writes a value anew, it copies the text around the cuts.
"""

from __future__ import annotations

from collections.abc import Collection as Container
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from rootward.formats.documents.parts import (
    Edit,
    Part,
    Parts,
    Passage,
    Rewritten,
    edited,
    edits_of,
    encoded,
    fingerprint,
    shown,
)
from rootward.formats.documents.paths import Step, child


class Collection(Protocol):
    """What parts lie in side by side. It knows how to do without some of them."""

    items: list[int]
    """The parts in it, in order."""

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterable[Edit]:
        """What takes out the items that are not there; at least one is not."""


@dataclass(slots=True)
class Plain:
    """Items that need nothing between them: lines, elements."""

    items: list[int] = field(default_factory=list)

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        return ((*spans[i], "") for i in self.items if i not in there)


@dataclass(slots=True)
class Separated:
    """Items with commas between them, in brackets; ``start`` and ``end`` are those of the text between the brackets."""

    start: int
    end: int = 0
    items: list[int] = field(default_factory=list)

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        first = next((place for place, i in enumerate(self.items) if i in there), None)
        if first is None:
            yield self.start, self.end, ""
            return
        if first:
            yield spans[self.items[0]][0], spans[self.items[first]][0], ""
        for before, i in zip(self.items[first:], self.items[first + 1 :], strict=False):
            if i not in there:  # the comma in front of it goes with it
                yield spans[before][1], spans[i][1], ""


@dataclass(frozen=True, slots=True)
class Growth:
    """A tree while it is being read. Parts are added in the order of their beginnings."""

    names: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    parents: list[int | None] = field(default_factory=list)
    needs: dict[int, set[int]] = field(default_factory=dict)
    """What a part cannot be without; it comes before it."""
    collections: dict[int | None, Collection] = field(default_factory=dict)
    """By the part whose content they are; None is the document."""

    def add(self, parent: int | None, name: str, start: int) -> int:
        """A new part; its number."""
        index = len(self.names)
        self.names.append(name)
        self.spans.append((start, start))
        self.parents.append(parent)
        self.collections[parent].items.append(index)
        return index

    def name(self, parent: int | None, step: Step) -> str:
        """The name of what lies one step below: a path such as ``$.items[3].name``."""
        return shown(child("$" if parent is None else self.names[parent], step))

    def end(self, part: int, end: int) -> None:
        self.spans[part] = (self.spans[part][0], end)


class Tree(Parts[Part]):
    """The parts of a document, what each of them lies in, and the text around them."""

    def __init__(self, path: Path, noun: str, text: str, codec: str, growth: Growth) -> None:
        self.path, self.noun, self.text, self.codec = path, noun, text, codec
        source = fingerprint(encoded(text, codec), type(self).__name__)
        self.parts = tuple(Part(i, name, source) for i, name in enumerate(growth.names))
        self.parents: tuple[int | None, ...] = tuple(growth.parents)
        self.spans, self.collections, self._needs = growth.spans, growth.collections, growth.needs

    def render(self, kept: Sequence[Part]) -> bytes:
        """The document with these parts only.

        What lies in a part that is left out is left out, too, and so is what needs it.
        """
        cuts = self._cuts(part.index for part in kept)
        return encoded(edited(self.text, [*cuts, *edits_of(kept)]), self.codec)

    def rewritten(self, part: Part, origin: int, edits: tuple[Edit, ...]) -> Rewritten:
        """The part with these edits. It has its own content: in a tree, the place says what a value means."""
        return Rewritten(part.index, part.text, part.source, origin, edits)

    def passages(self, kept: Container[int]) -> Iterator[Passage]:
        """The document, cut where ``render`` cuts it."""
        at = 0
        for start, end, _ in self._cuts(kept):
            yield self.text[at:start], True
            yield self.text[max(at, start) : end], False
            at = max(at, end)
        yield self.text[at:], True

    def _cuts(self, kept: Iterable[int]) -> list[Edit]:
        there = self._there(sorted(kept))
        return sorted(cut for collection in self._missing(there) for cut in collection.cuts(there, self.spans))

    def _there(self, kept: Iterable[int]) -> set[int]:
        there: set[int] = set()
        for i in kept:  # parents, and what is needed, come first
            parent = self.parents[i]
            if (parent is None or parent in there) and there.issuperset(self._needs.get(i, ())):
                there.add(i)
        return there

    def _missing(self, there: set[int]) -> Iterator[Collection]:
        """The collections of what is there that have lost an item."""
        for part, collection in self.collections.items():
            if (part is None or part in there) and not there.issuperset(collection.items):
                yield collection
