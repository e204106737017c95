"""CSV as a table with a header: its rows are what can be left out, and every other byte stays.

The csv module gives values but forgets where they stood: `find_rows` and `find_cells` say it. A row may have several
lines.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.parts import (
    Edit,
    Part,
    Rewritten,
    Span,
    TextParts,
    encoded,
    fingerprint,
    origin_of,
    shown,
    text_of,
)

_CELL = re.compile(r'(?:"(?:[^"]|"")*+"[^,\r\n]*+|[^,\r\n]*+)')
_QUOTED = re.compile(r'[",\r\n]|\A\s|\s\Z')


@dataclass(frozen=True, slots=True)
class Row:
    """A row, its ending included."""

    line: int
    """The one that it ends on, from 1."""
    span: Span
    cells: Sequence[str]
    """What is meant: without quotes."""


def find_rows(path: Path, text: str) -> Iterator[Row]:
    """The rows that are not empty, the header too; InputError, which names the file, if the text is no CSV."""
    lines = list(StringIO(text, newline=""))
    reader, line, at = csv.reader(lines), 0, 0
    try:
        for cells in reader:
            start, at, line = at, at + sum(map(len, lines[line : reader.line_num])), reader.line_num
            if cells:
                yield Row(line, (start, at), cells)
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from error


def find_cells(text: str, row: Row) -> list[Span]:
    """Where its cells stand, quotes included."""
    found, end = [], row.span[0] - 1
    for _ in row.cells:
        start = end + 1
        cell = _CELL.match(text, start)
        end = cell.end() if cell else start
        found.append((start, end))
    return found


def write_cell(cell: str, *, alone: bool = False) -> str:
    """The cell as it is written: in quotes if it needs them, as an empty one does that is alone in its row."""
    doubled = cell.replace('"', '""')
    return f'"{doubled}"' if _QUOTED.search(cell) or (alone and not cell) else cell


class Rows(TextParts[Part]):
    """The rows of a CSV file; InputError if it is none. The header stays: a table without some rows is a table."""

    noun = "row"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text, self.codec = text_of(path)
        found = list(find_rows(path, self.text))
        if not found:
            raise InputError(f"{path} is empty: expected a header, and rows")
        self.header, self.rows = found[0], found[1:]
        self.spans = [row.span for row in self.rows]
        source = fingerprint(encoded(self.text, self.codec), type(self).__name__)
        texts = (shown(self.text[slice(*span)].strip()) for span in self.spans)
        self.parts = tuple(Part(i, text, source) for i, text in enumerate(texts))

    def render(self, kept: Sequence[Part]) -> bytes:
        """The header with these rows only."""
        return self._joined({part.index: self._written(part.index, *origin_of(part)) for part in kept})

    def rewritten(self, part: Part, origin: int, edits: tuple[Edit, ...]) -> Rewritten:
        """A row in the place of this one, with the cells of the one numbered ``origin`` and these edits."""
        text = shown(self._written(part.index, origin, edits).strip())
        return Rewritten(part.index, text, part.source, origin, edits)
