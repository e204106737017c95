"""Spaces built around sample inputs: a JSON document, or a CSV file with a header.

A CSV header may declare types: ``speed:float,gear:int8,on:bool,name:text,mode:choice(P|R|D)``. Either every column
declares a type or none does. If none does, the types are inferred from the rows. The values in the rows are among those
to try. If a column has many values, only some are taken, spread over the range, because every value costs trials.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.documents.paths import display_path, flatten
from rootward.formats.files import read_json, read_text
from rootward.formats.interfaces.kinds import (
    MACHINE_TYPES,
    NumberBounds,
    add_values,
    choice,
    machine_field,
    number,
    share,
)
from rootward.formats.tables.columns import read_integer, read_number
from rootward.space.exceptional_values import order
from rootward.space.fields import Text, show
from rootward.space.keys import canonical
from rootward.space.space import Field, Int, Ordinal, Space

MAX_COLUMN_VALUES = 100
"""Maximum number of distinct values of a column to try."""

_TYPED = re.compile(r"(?P<name>.*):\s*(?P<type>\w+)\s*(\((?P<options>.*)\))?\s*", re.DOTALL)
_ALIASES = {"int": "int64", "uint": "uint64", "float": "float64"}
_VALUES_FOR_NULL = (None, False, True, 0, 1, -1, 0.5, "", "a")


def from_document(document: Any) -> Space:
    """Build the space around a sample. Each leaf becomes a field of its type that also tries the leaf's value.

    ``document`` is a parsed JSON value; a str or a Path is the path of a JSON file. Integers have 64 bits, unsigned if
    the sample needs it. An integer that needs more bits makes its field an ordinal. The type behind a null is unknown:
    its field tries None and a few plain values of each type. An empty list or object stays as it is.
    """
    sample = flatten(read_json(document) if isinstance(document, str | Path) else document)
    return Space([(path, field_around(value, path)) for path, value in sample.items()])


def field_around(value: Any, path: str) -> Field:
    """Return the field for one leaf of a sample. Raises InputError if the leaf is not a JSON value."""
    if isinstance(value, bool):
        return machine_field("bool")
    if isinstance(value, int):
        return _integer_around(value, path)
    if value is None:
        return choice(_VALUES_FOR_NULL)
    if isinstance(value, float):
        finite = math.isfinite(value)  # JSON has only finite numbers, but Python also reads and writes the others
        return add_values(number(NumberBounds(), finite=finite), [value], path)
    if isinstance(value, str):
        return add_values(share(Text), [value], path)
    if isinstance(value, dict | list | tuple):
        return choice([value])
    raise InputError(f"{display_path(path)} = {show(value)} ({type(value).__name__}): expected a JSON value")


def _integer_around(value: int, path: str) -> Field:
    field = share(Int, None, None, 64, value < 1 << 63)
    return add_values(field, [value], path) if field.contains(value) else share(Ordinal, sorted([*field.values, value]))


@dataclass(frozen=True, slots=True)
class Type:
    """A kind of field, and the function that converts a cell to a value. It raises ValueError if it cannot."""

    field: Field
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class SampleTable:
    path: str | Path
    header: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]

    def column(self, place: int) -> str:
        return f"{self.path}: column {place + 1} {self.header[place]!r}"

    def cells(self, place: int) -> dict[str, int]:
        """Return the distinct cells of a column, each with the number of its first line. Empty cells are skipped."""
        first: dict[str, int] = {}
        for line, row in self.rows:
            if cell := row[place].strip():
                first.setdefault(cell, line)
        return first


def from_csv(path: str | Path) -> Space:
    """Build the space of a CSV file's columns.

    The types are bool, int8 to int64, uint8 to uint64, int and uint (64 bits), float, float32, float64, text and
    choice(A|B|...). A column without a declared type gets the first of these that can read all its cells: integer (no
    leading zeros), float, boolean (true, false), text. Fields have the names of the header, unchanged.
    """
    table = _read(path)
    declared = [_parse_header_cell(cell) for cell in table.header]
    if any(declared):
        columns = [_column(table, place, found) for place, found in enumerate(declared)]
    elif table.rows:
        columns = [(name.strip(), infer_type(table.cells(place))) for place, name in enumerate(table.header)]
    else:
        raise InputError(
            f"{path}: the types of the columns are unknown: declare them in the header, as in speed:float, or add rows"
        )
    _check_names(table, [name for name, _ in columns])
    return Space([(name, column_field(table, place, found)) for place, (name, found) in enumerate(columns)])


def _read(path: str | Path) -> SampleTable:
    try:
        reader = csv.reader(StringIO(read_text(path), newline=""), strict=True)
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num}: {error}") from error
    if not rows:
        raise InputError(f"{path} is empty: expected a header and rows")
    (_, header), *body = rows
    for line, row in body:
        if len(row) != len(header):
            raise InputError(f"{path}: line {line} has {len(row)} cells, the header has {len(header)}")
    return SampleTable(path, header, body)


def _parse_header_cell(cell: str) -> tuple[str, str, str | None] | None:
    """Split a header cell into name, type and options. Return None if the cell declares no type."""
    found = _TYPED.fullmatch(cell)
    if found is None or found["type"] not in (*_READERS, *_ALIASES, "choice"):
        return None
    return found["name"].strip(), _ALIASES.get(found["type"], found["type"]), found["options"]


def _column(table: SampleTable, place: int, declared: tuple[str, str, str | None] | None) -> tuple[str, Type]:
    if declared is None:
        known = ", ".join([*_READERS, *_ALIASES, "choice(A|B)"])
        raise InputError(f"{table.column(place)} has no type, but other columns have: add one of {known}")
    name, kind, options = declared
    if (kind == "choice") != (options is not None):
        raise InputError(f"{table.column(place)}: expected {'choice(A|B|...)' if kind == 'choice' else kind}")
    return name, Type(_choice(table, place, options), str) if options is not None else _type(kind)


def _choice(table: SampleTable, place: int, options: str) -> Field:
    values = [option.strip() for option in options.split("|")]
    if "" in values or len(set(values)) < len(values):
        raise InputError(f"{table.column(place)}: the values of a choice must be distinct and not empty")
    return choice(values)


@lru_cache(maxsize=32)
def _type(kind: str) -> Type:
    return Type(share(Text) if kind == "text" else machine_field(kind), _READERS[kind])


def infer_type(cells: Mapping[str, int]) -> Type:
    """Return the first type that can read every cell."""
    for kind in ("int64", "uint64", "float64", "bool") if cells else ():
        found = _type(kind)
        if all(_can_read(found, cell) for cell in cells):
            return found
    return _type("text")


def _can_read(kind: Type, cell: str) -> bool:
    try:
        return kind.field.contains(kind.read(cell))
    except ValueError:
        return False


def column_field(table: SampleTable, place: int, kind: Type) -> Field:
    """Return the field of a column, with the column's values among those to try."""
    values: dict[bytes, Any] = {}
    for cell, line in table.cells(place).items():
        if not _can_read(kind, cell):
            raise InputError(f"{table.column(place)}, line {line}: {show(cell)} is not {kind.field}")
        value = kind.field.coerce(kind.read(cell))
        values[canonical(value)] = value
    return add_values(kind.field, _sample_evenly(list(values.values())), table.header[place])


def _sample_evenly(values: list[Any]) -> list[Any]:
    """Return at most MAX_COLUMN_VALUES of the values, evenly spread.

    Numbers are spread by size, texts in order of first appearance.
    """
    if len(values) <= MAX_COLUMN_VALUES:
        return values
    ordered = values if isinstance(values[0], str) else sorted(values, key=order)
    return [ordered[place * (len(ordered) - 1) // (MAX_COLUMN_VALUES - 1)] for place in range(MAX_COLUMN_VALUES)]


def _check_names(table: SampleTable, names: Sequence[str]) -> None:
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        if not name:
            raise InputError(f"{table.column(place)} has no name")
        if name in first:
            raise InputError(f"{table.column(place)}: column {first[name] + 1} has the same name {name!r}")
        first[name] = place


def _read_bool(cell: str) -> bool:
    try:
        return {"true": True, "1": True, "false": False, "0": False}[cell.lower()]
    except KeyError:
        raise ValueError(cell) from None


_READERS: dict[str, Callable[[str], Any]] = {
    **{kind: read_integer if "int" in kind else read_number for kind in MACHINE_TYPES},
    "bool": _read_bool,
    "text": str,
}
