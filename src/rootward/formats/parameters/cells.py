"""The cells of a CSV text. What a cell could be instead, its whole column says."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from rootward.candidate import dump
from rootward.fields import Text
from rootward.formats import csv_text
from rootward.formats.csv_text import Row
from rootward.formats.parts import Edit, Span
from rootward.interfaces.csv_file import Table, Type, inferred, seen
from rootward.interfaces.kinds import NULL, also, either, text
from rootward.interfaces.paths import child
from rootward.keys import canonical
from rootward.space import Field


@dataclass(frozen=True)
class Column:
    """The cells of one name, all of them of one type."""

    kind: Type
    field: Field
    """With the values of the whole column among those to try."""
    spelled: dict[bytes, str]
    """How the column writes its values."""

    def value(self, cell: str) -> Any:
        """What a cell says; None if it is empty where another type than text is expected."""
        if isinstance(self.field, Text):
            return cell
        return self.field.coerce(self.kind.read(cell.strip())) if cell.strip() else None


@dataclass(frozen=True)
class Cell:
    """One cell of a row."""

    path: str
    now: Any
    span: Span
    column: Column
    alone: bool
    """Whether the row has no other."""

    @property
    def field(self) -> Field:
        if self.now is None:
            return either([self.column.field, NULL], [], self.path)
        return also(self.column.field, [self.now], self.path)

    def edit(self, value: Any) -> Edit:
        plain = value if isinstance(value, str) else "" if value is None else dump(value)
        return *self.span, csv_text.written(self.column.spelled.get(canonical(value), plain), alone=self.alone)


class Cells:
    """The columns of a CSV text."""

    def __init__(self, path: Path, source: str, header: Row, rows: Sequence[Row]) -> None:
        self._source, self.names = source, [name.strip() for name in header.cells]
        fitting = [(row.line, row.cells) for row in rows if len(row.cells) == len(self.names)]
        self._table = Table(path, self.names, fitting)
        self._columns: dict[int, Column] = {}

    def of(self, row: Row, prefix: str, without: Collection[Span] = ()) -> Iterator[Cell]:
        """The cells of a row that have a name, but for some; the first of a name counts."""
        spans = csv_text.spans(self._source, row)
        for place, (cell, span) in enumerate(zip(row.cells, spans, strict=True)):
            name = self.names[place] if place < len(self.names) else ""
            if not name or self.names.index(name) < place or span in without or self._meant(span) != cell:
                continue
            column = self._columns[place] = self._columns.get(place) or self._column(place)
            try:
                now = column.value(cell)
            except ValueError:  # in a row that is longer or shorter than the header
                continue
            yield Cell(child(prefix, name), now, span, column, len(row.cells) == 1)

    def _meant(self, span: Span) -> str:
        """What is read where a cell is thought to stand."""
        return next(iter(next(csv.reader(StringIO(self._source[slice(*span)], newline="")), [])), "")

    def _column(self, place: int) -> Column:
        cells = self._table.cells(place)
        kind = inferred(cells)
        if isinstance(kind.field, Text):
            kind = Type(text(), str)  # a file cannot hold every text that Python has
        spelled: dict[bytes, str] = {}
        for cell in cells if not isinstance(kind.field, Text) else ():
            spelled.setdefault(canonical(kind.field.coerce(kind.read(cell))), cell)
        return Column(kind, seen(self._table, place, kind), spelled)
