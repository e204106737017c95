"""The values in the text of a document: of messages (``M0.speed``), of rows (``R17.age``), of JSON.

Only values that change are rewritten; every other byte stays.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any, Protocol

from rootward.formats.documents.csv_rows import Row, Rows, find_cells, find_rows, write_cell
from rootward.formats.documents.json_tree import JsonTree, parse_tree
from rootward.formats.documents.messages import Messages
from rootward.formats.documents.parts import Edit, Part, Span
from rootward.formats.documents.paths import Step, child
from rootward.formats.documents.tree import Collection, SeparatedItems
from rootward.formats.interfaces.kinds import NULL, add_values, merge_fields, text
from rootward.formats.interfaces.samples import SampleTable, Type, column_field, field_around, infer_type
from rootward.formats.parameters.parameters import Parameters, build_parameters, member_names
from rootward.space.candidate import dump
from rootward.space.fields import Text
from rootward.space.keys import canonical
from rootward.space.space import Field

_NAME = re.compile(r"[A-Z](0|[1-9][0-9]*)(?=[.\[])")
_JSON_MEMBER = re.compile(r'("(?:[^"\\]|\\.)*+")[ \t\n\r]*+:', re.DOTALL)


class Rewritable(Protocol):
    """A document whose parts can be altered."""

    def rewrite(self, part: Any, origin: int, edits: tuple[Edit, ...], /) -> Part:
        """Return a part for the place of ``part``, with the content of part ``origin`` changed by ``edits``."""


class Value(Protocol):
    """One value in the text."""

    @property
    def now(self) -> Any: ...
    @property
    def field(self) -> Field: ...
    def edit(self, value: Any) -> Edit:
        """Return the edit that replaces this value by another."""


@dataclass(frozen=True)
class PartValues:
    """A kept part of a document, and the values in it."""

    name: str
    part: Part
    document: Rewritable
    stated: Mapping[str, Value]

    @property
    def values(self) -> Mapping[str, Any]:
        return {name: value.now for name, value in self.stated.items()}

    @property
    def fields(self) -> Mapping[str, Field]:
        return {name: value.field for name, value in self.stated.items()}

    def place(self, changes: Mapping[str, Any], at: PartValues) -> Part:
        if not changes and at is self:
            return self.part
        edits = tuple(self.stated[name].edit(value) for name, value in changes.items())
        return self.document.rewrite(at.part, self.part.index, edits)


def of_messages(document: Messages, kept: Sequence[int]) -> Parameters | None:
    """Return the values of the kept messages.

    Times are not among them, because a time belongs to a place in the stream.
    """
    find = _messages_in_csv if document.path.suffix.lower() == ".csv" else _messages_in_json

    def is_removed(name: str) -> bool:
        found = _NAME.match(name) if name.startswith("M") else None
        if found is not None and len(kept) <= int(found[1]) < len(document):
            return True
        return name in member_names(find(document, range(len(document))))

    return build_parameters(find(document, kept), is_removed, ordered=True, among=find(document, range(len(document))))


def of_rows(document: Rows, kept: Sequence[int]) -> Parameters | None:
    """Return the cells of the kept rows. Rows count from 1, as ``reduce`` shows them."""
    cells = Cells(document.path, document.text, document.header, document.rows)

    def is_removed(name: str) -> bool:
        found = _NAME.match(name) if name.startswith("R") else None
        if found is not None and 0 < int(found[1]) <= len(document) and int(found[1]) - 1 not in kept:
            return True
        return name in cells.names

    def content(i: int) -> PartValues:
        name = f"R{i + 1}"
        return PartValues(name, document[i], document, {cell.path: cell for cell in cells.of(document.rows[i], name)})

    return build_parameters(map(content, kept), is_removed, ordered=True)


def _messages_in_json(document: Messages, kept: Sequence[int]) -> Iterator[PartValues]:
    for place, i in enumerate(kept):
        found = document.found[i]
        values = scalars(document.path, document.text, found.span, f"M{place}")
        yield PartValues(f"M{place}", document[i], document, {v.path: v for v in values if v.span != found.stamp})


def _messages_in_csv(document: Messages, kept: Sequence[int]) -> Iterator[PartValues]:
    header, *rows = find_rows(document.path, document.text)
    cells = Cells(document.path, document.text, header, rows)
    for place, i in enumerate(kept):
        found = cells.of(rows[i], f"M{place}", [document.found[i].stamp])
        yield PartValues(f"M{place}", document[i], document, {cell.path: cell for cell in found})


def of_json(document: JsonTree, kept: Sequence[int]) -> Parameters | None:
    """Return the kept scalars of a JSON document. Their names are their paths in the document."""
    contents, taken = [], dict[str, int]()
    for place, path, scalar in _locate_parts(document.text, document, sorted(kept), ""):
        taken[path] = taken.get(path, 0) + 1  # two members with the same name are two parts
        name = path if taken[path] == 1 else f"{path} ({taken[path]})"
        contents.append(PartValues(name, document[place], document, {name: scalar} if scalar else {}))

    def is_removed(name: str) -> bool:
        return any(name == path for _, path, _ in _locate_parts(document.text, document, range(len(document)), ""))

    return build_parameters(contents, is_removed, ordered=False)


# Scalars of JSON


@dataclass(frozen=True)
class Scalar:
    """A number, a text, true, false or null in a JSON text."""

    path: str
    now: Any
    span: Span

    @cached_property
    def field(self) -> Field:
        return field_around(self.now, self.path)

    def edit(self, value: Any) -> Edit:
        return *self.span, json.dumps(value)


class _Grown(Protocol):
    """A tree with the spans of its parts."""

    @property
    def spans(self) -> Sequence[Span]: ...
    @property
    def parents(self) -> Sequence[int | None]: ...
    @property
    def collections(self) -> Mapping[int | None, Collection]: ...


def scalars(path: Path, text: str, span: Span, prefix: str) -> Iterator[Scalar]:
    """Yield the scalars of the JSON value at ``span`` of ``text``. Their paths begin with ``prefix``."""
    start, end = span
    piece = text[start:end]
    tree = parse_tree(path, piece, lines=False)
    for _, _, found in _locate_parts(piece, tree, range(len(tree.spans)), prefix):
        if found is not None:
            yield Scalar(found.path, found.now, (start + found.span[0], start + found.span[1]))


def _locate_parts(
    text: str, tree: _Grown, parts: Iterable[int], prefix: str
) -> Iterator[tuple[int, str, Scalar | None]]:
    """Yield the number and the path of each part, and its value if it is a scalar.

    Parents must come before their children.
    """
    paths: dict[int | None, str] = {None: prefix}
    steps = {part: i for collection in tree.collections.values() for i, part in enumerate(collection.items)}
    for part in parts:
        start, end = tree.spans[part]
        step: Step = steps[part]
        parent = tree.parents[part]
        inside = tree.collections[parent]
        if isinstance(inside, SeparatedItems) and text[inside.start - 1] == "{":
            step, start = _member(text, start)
        paths[part] = child(paths[parent], step)
        yield part, paths[part], None if part in tree.collections else _scalar(text, start, end, paths[part])


def _member(text: str, start: int) -> tuple[str, int]:
    """Return the name of a member and the start of its value."""
    found = _JSON_MEMBER.match(text, start)
    assert found is not None
    return json.loads(found[1], strict=False), found.end()


def _scalar(text: str, start: int, end: int, path: str) -> Scalar | None:
    piece = text[start:end]
    start, end = start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())
    try:
        return Scalar(path, json.loads(text[start:end], strict=False), (start, end))
    except ValueError:  # Python reads no integer of more than 4300 digits
        return None


# Cells of CSV: the whole column determines the domain of a cell


@dataclass(frozen=True)
class CellColumn:
    """A column, whose cells all have one type."""

    kind: Type
    field: Field
    """The field, with the values of the whole column among those to try."""
    spelled: dict[bytes, str]
    """The spelling of each value in the column."""

    def value(self, cell: str) -> Any:
        """Return the value of a cell. Returns None for an empty cell, unless the column holds text."""
        if isinstance(self.field, Text):
            return cell
        return self.field.coerce(self.kind.read(cell.strip())) if cell.strip() else None


@dataclass(frozen=True)
class TextCell:
    """One cell of a row."""

    path: str
    now: Any
    span: Span
    column: CellColumn
    alone: bool
    """True if it is the only cell of its row."""

    @property
    def field(self) -> Field:
        if self.now is None:
            return merge_fields([self.column.field, NULL], [], self.path)
        return add_values(self.column.field, [self.now], self.path)

    def edit(self, value: Any) -> Edit:
        plain = value if isinstance(value, str) else "" if value is None else dump(value)
        return *self.span, write_cell(self.column.spelled.get(canonical(value), plain), alone=self.alone)


class Cells:
    """The columns of a CSV text."""

    def __init__(self, path: Path, source: str, header: Row, rows: Sequence[Row]) -> None:
        self._source, self.names = source, [name.strip() for name in header.cells]
        fitting = [(row.line, row.cells) for row in rows if len(row.cells) == len(self.names)]
        self._table = SampleTable(path, self.names, fitting)
        self._columns: dict[int, CellColumn] = {}

    def of(self, row: Row, prefix: str, without: Sequence[Span] = ()) -> Iterator[TextCell]:
        """Yield the cells of a row that stand in a named column, except the cells at ``without``.

        If several columns have the same name, only the first counts.
        """
        spans = find_cells(self._source, row)
        for place, (cell, span) in enumerate(zip(row.cells, spans, strict=True)):
            name = self.names[place] if place < len(self.names) else ""
            if not name or self.names.index(name) < place or span in without or self._read_span(span) != cell:
                continue
            column = self._columns[place] = self._columns.get(place) or self._column(place)
            try:
                now = column.value(cell)
            except ValueError:  # in a row that is longer or shorter than the header
                continue
            yield TextCell(child(prefix, name), now, span, column, len(row.cells) == 1)

    def _read_span(self, span: Span) -> str:
        """Read the cell at a computed span, so that the caller can check the span."""
        return next(iter(next(csv.reader(StringIO(self._source[slice(*span)], newline="")), [])), "")

    def _column(self, place: int) -> CellColumn:
        cells = self._table.cells(place)
        kind = infer_type(cells)
        if isinstance(kind.field, Text):
            kind = Type(text(), str)  # a file cannot hold every text that Python has
        spelled: dict[bytes, str] = {}
        for cell in cells if not isinstance(kind.field, Text) else ():
            spelled.setdefault(canonical(kind.field.coerce(kind.read(cell))), cell)
        return CellColumn(kind, column_field(self._table, place, kind), spelled)
