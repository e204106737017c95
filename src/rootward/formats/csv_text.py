"""Where the rows and cells of a CSV text stand, so that some can be changed and every other byte stays."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.parts import Span

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


def rows(path: Path, text: str) -> Iterator[Row]:
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


def spans(text: str, row: Row) -> list[Span]:
    """Where its cells stand, quotes included."""
    found, end = [], row.span[0] - 1
    for _ in row.cells:
        start = end + 1
        cell = _CELL.match(text, start)
        end = cell.end() if cell else start
        found.append((start, end))
    return found


def written(cell: str, *, alone: bool = False) -> str:
    """The cell as it is written: in quotes if it needs them, as an empty one does that is alone in its row."""
    doubled = cell.replace('"', '""')
    return f'"{doubled}"' if _QUOTED.search(cell) or (alone and not cell) else cell
