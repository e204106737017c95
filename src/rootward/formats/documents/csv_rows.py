"""CSV as a table with a header: its rows can be removed, and every other byte stays.

The csv module returns values without their positions in the file; `find_rows` and `find_cells` return the positions.
A row may span several lines.
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
    encode,
    fingerprint,
    origin_of,
    shorten,
    text_of,
)

_CELL = re.compile(r'(?:"(?:[^"]|"")*+"[^,\r\n]*+|[^,\r\n]*+)')
_NEEDS_QUOTES = re.compile(r'[",\r\n]|\A\s|\s\Z')


@dataclass(frozen=True, slots=True)
class Row:
    """A row, including its line ending."""

    line: int
    """The number of its last line, from 1."""
    span: Span
    cells: Sequence[str]
    """The values, without quotes."""


def find_rows(path: Path, text: str) -> Iterator[Row]:
    """Yield the rows that are not empty, including the header.

    Raises InputError, with file and line, if ``text`` is not CSV.
    """
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
    """Return the spans of a row's cells, including quotes."""
    found, end = [], row.span[0] - 1
    for _ in row.cells:
        start = end + 1
        cell = _CELL.match(text, start)
        end = cell.end() if cell else start
        found.append((start, end))
    return found


def write_cell(cell: str, *, alone: bool = False) -> str:
    """Return the cell as CSV, in quotes if necessary. An empty cell needs quotes if it is ``alone`` in its row."""
    doubled = cell.replace('"', '""')
    return f'"{doubled}"' if _NEEDS_QUOTES.search(cell) or (alone and not cell) else cell


class Rows(TextParts[Part]):
    """The rows of a CSV file. The header is never removed, so the result is still a table.

    Raises InputError if the file is not CSV.
    """

    noun = "row"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text, self.codec = text_of(path)
        found = list(find_rows(path, self.text))
        if not found:
            raise InputError(f"{path} is empty: expected a header and rows")
        self.header, self.rows = found[0], found[1:]
        self.spans = [row.span for row in self.rows]
        source = fingerprint(encode(self.text, self.codec), type(self).__name__)
        texts = (shorten(self.text[slice(*span)].strip()) for span in self.spans)
        self.parts = tuple(Part(i, text, source) for i, text in enumerate(texts))

    def render(self, kept: Sequence[Part]) -> bytes:
        """Return the header and the ``kept`` rows."""
        return self._join({part.index: self._write_part(part.index, *origin_of(part)) for part in kept})

    def rewrite(self, part: Part, origin: int, edits: tuple[Edit, ...]) -> Rewritten:
        """Return a row for the place of ``part``, with the cells of row ``origin`` changed by ``edits``."""
        text = shorten(self._write_part(part.index, origin, edits).strip())
        return Rewritten(part.index, text, part.source, origin, edits)
