"""Documents that are trees: parts are nested in each other, and removing some leaves a valid document.

Readers of JSON, YAML and XML find where each part begins and ends, and in what kind of collection it lies. That is
enough to compute the cuts that remove parts: rendering never writes a value anew, it copies the text around the cuts.
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
    apply_edits,
    edits_of,
    encode,
    fingerprint,
    shorten,
)
from rootward.formats.documents.paths import Step, child


class Collection(Protocol):
    """A list or object whose items are parts. ``cuts`` removes some of the items."""

    items: list[int]
    """The numbers of its parts, in order."""

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterable[Edit]:
        """Return the edits that remove all items except those in ``there``. At least one item must be removed."""


@dataclass(slots=True)
class PlainItems:
    """Items without separators: lines, XML elements."""

    items: list[int] = field(default_factory=list)

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        return ((*spans[i], "") for i in self.items if i not in there)


@dataclass(slots=True)
class SeparatedItems:
    """Items separated by commas, in brackets; ``start`` and ``end`` delimit the text between the brackets."""

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
            if i not in there:  # remove it with the comma in front of it
                yield spans[before][1], spans[i][1], ""


@dataclass(frozen=True, slots=True)
class Growth:
    """A tree while it is being read. Parts are added in the order in which they begin."""

    names: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    parents: list[int | None] = field(default_factory=list)
    needs: dict[int, set[int]] = field(default_factory=dict)
    """For each part, the earlier parts that it cannot do without."""
    collections: dict[int | None, Collection] = field(default_factory=dict)
    """Collections by the part whose content they are; None is the document."""

    def add(self, parent: int | None, name: str, start: int) -> int:
        """Add a part and return its number."""
        index = len(self.names)
        self.names.append(name)
        self.spans.append((start, start))
        self.parents.append(parent)
        self.collections[parent].items.append(index)
        return index

    def name(self, parent: int | None, step: Step) -> str:
        """Return the name of the part one step below ``parent``: a path such as ``$.items[3].name``."""
        return shorten(child("$" if parent is None else self.names[parent], step))

    def end(self, part: int, end: int) -> None:
        self.spans[part] = (self.spans[part][0], end)


class Tree(Parts[Part]):
    """The parts of a document, the parent of each, and the text around them."""

    def __init__(self, path: Path, noun: str, text: str, codec: str, growth: Growth) -> None:
        self.path, self.noun, self.text, self.codec = path, noun, text, codec
        source = fingerprint(encode(text, codec), type(self).__name__)
        self.parts = tuple(Part(i, name, source) for i, name in enumerate(growth.names))
        self.parents: tuple[int | None, ...] = tuple(growth.parents)
        self.spans, self.collections, self._needs = growth.spans, growth.collections, growth.needs

    def render(self, kept: Sequence[Part]) -> bytes:
        """Return the document with only the ``kept`` parts.

        A part is removed, too, if its parent or a part that it needs is removed.
        """
        cuts = self._cuts(part.index for part in kept)
        return encode(apply_edits(self.text, [*cuts, *edits_of(kept)]), self.codec)

    def rewrite(self, part: Part, origin: int, edits: tuple[Edit, ...]) -> Rewritten:
        """Return ``part``, changed by ``edits``.

        The content of part ``origin`` is not moved here, because in a tree the meaning of a value depends on its place.
        """
        return Rewritten(part.index, part.text, part.source, origin, edits)

    def passages(self, kept: Container[int]) -> Iterator[Passage]:
        """Yield the document, cut where ``render`` cuts it."""
        at = 0
        for start, end, _ in self._cuts(kept):
            yield self.text[at:start], True
            yield self.text[max(at, start) : end], False
            at = max(at, end)
        yield self.text[at:], True

    def _cuts(self, kept: Iterable[int]) -> list[Edit]:
        there = self._select_remaining(sorted(kept))
        return sorted(cut for collection in self._incomplete(there) for cut in collection.cuts(there, self.spans))

    def _select_remaining(self, kept: Iterable[int]) -> set[int]:
        there: set[int] = set()
        for i in kept:  # parents and needed parts have smaller numbers
            parent = self.parents[i]
            if (parent is None or parent in there) and there.issuperset(self._needs.get(i, ())):
                there.add(i)
        return there

    def _incomplete(self, there: set[int]) -> Iterator[Collection]:
        """Yield the collections that remain but have lost an item."""
        for part, collection in self.collections.items():
            if (part is None or part in there) and not there.issuperset(collection.items):
                yield collection
