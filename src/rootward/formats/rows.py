"""A CSV table with a header: its rows are what can be left out.

The header stays, and a row may run over several lines: a table without some of its rows is a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rootward.errors import InputError
from rootward.formats import csv_text
from rootward.formats.parts import Edit, Part, Parts, Passage, Rewritten, edited, fingerprint, moved, passages, shown
from rootward.formats.tree import encoded, text_of


class Rows(Parts[Part]):
    """The rows of a CSV file, without its header; InputError if it is none."""

    noun = "row"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text, self.codec = text_of(path)
        found = list(csv_text.rows(path, self.text))
        if not found:
            raise InputError(f"{path} is empty: expected a header, and rows")
        self.header, self.rows = found[0], found[1:]
        source = fingerprint(encoded(self.text, self.codec), type(self).__name__)
        texts = (shown(self.text[slice(*row.span)].strip()) for row in self.rows)
        self.parts = tuple(Part(i, text, source) for i, text in enumerate(texts))

    def render(self, kept: Sequence[Part]) -> bytes:
        """The header with these rows only."""
        there = {part.index: part for part in kept}
        cuts = [(*row.span, self._written(there[i]) if i in there else "") for i, row in enumerate(self.rows)]
        return encoded(edited(self.text, cuts), self.codec)

    def rewritten(self, part: Part, origin: int, edits: tuple[Edit, ...]) -> Rewritten:
        """A row in the place of this one, with the cells of the one numbered ``origin`` and these edits."""
        twin = Rewritten(part.index, "", part.source, origin, edits)
        return replace(twin, text=shown(self._written(twin).strip()))

    def _written(self, part: Part) -> str:
        place = self.rows[part.index].span
        if not isinstance(part, Rewritten):
            return self.text[slice(*place)]
        return moved(self.text, self.rows[part.origin].span, part.edits, place)

    def passages(self, kept: Collection[int]) -> Iterator[Passage]:
        """The file, row by row."""
        return passages(self.text, [row.span for row in self.rows], kept)
