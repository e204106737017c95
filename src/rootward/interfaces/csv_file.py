"""CSV files: a header with types, ``speed:float,gear:int8,on:bool,name:text,mode:choice(P|R|D)``, or types inferred.

Either every cell of the header has a type or none has; then the rows decide. The values in the rows are among those to
try; of many different ones, a few spread over them, because every value costs trials.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.fields import Text, show
from rootward.interfaces.files import read_text
from rootward.interfaces.kinds import MACHINE, also, choice, machine, share
from rootward.keys import canonical
from rootward.space import Field, Space
from rootward.values import order

SEEN = 100
"""So many different values of a column are tried at most."""

_TYPED = re.compile(r"(?P<name>.*):\s*(?P<type>\w+)\s*(\((?P<options>.*)\))?\s*", re.DOTALL)
_INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]*)")
_PADDED = re.compile(r"[+-]?0[0-9]")
_ALIASES = {"int": "int64", "uint": "uint64", "float": "float64"}


@dataclass(frozen=True, slots=True)
class Type:
    """A kind of field, and how a cell is read as its value (ValueError if it cannot be)."""

    field: Field
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Table:
    path: str | Path
    header: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]

    def column(self, place: int) -> str:
        return f"{self.path}: column {place + 1} {self.header[place]!r}"

    def cells(self, place: int) -> dict[str, int]:
        """The different contents of the column, each with its first line; an empty cell says nothing."""
        first: dict[str, int] = {}
        for line, row in self.rows:
            if cell := row[place].strip():
                first.setdefault(cell, line)
        return first


def from_csv(path: str | Path) -> Space:
    """The space of a CSV file's columns.

    The types are bool, int8 to int64, uint8 to uint64, int and uint (64 bits), float, float32, float64, text and
    choice(A|B|...). Inferred are integers (no leading zeros), floats, booleans (true, false), else text. The names are
    those of the header, as they are.
    """
    table = _read(path)
    declared = [_declared(cell) for cell in table.header]
    if any(declared):
        columns = [_column(table, place, found) for place, found in enumerate(declared)]
    elif table.rows:
        columns = [(name.strip(), inferred(table.cells(place))) for place, name in enumerate(table.header)]
    else:
        raise InputError(f"{path}: the header has no types such as speed:float, and no rows follow to infer them from")
    _check_names(table, [name for name, _ in columns])
    return Space([(name, seen(table, place, found)) for place, (name, found) in enumerate(columns)])


def _read(path: str | Path) -> Table:
    try:
        reader = csv.reader(StringIO(read_text(path), newline=""), strict=True)
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num}: {error}") from error
    if not rows:
        raise InputError(f"{path} is empty: expected a header")
    (_, header), *body = rows
    for line, row in body:
        if len(row) != len(header):
            raise InputError(f"{path}: line {line} has {len(row)} cells, the header has {len(header)}")
    return Table(path, header, body)


def _declared(cell: str) -> tuple[str, str, str | None] | None:
    """Name, type and options of a cell of the header; None if it names no type."""
    found = _TYPED.fullmatch(cell)
    if found is None or found["type"] not in (*_READERS, *_ALIASES, "choice"):
        return None
    return found["name"].strip(), _ALIASES.get(found["type"], found["type"]), found["options"]


def _column(table: Table, place: int, declared: tuple[str, str, str | None] | None) -> tuple[str, Type]:
    if declared is None:
        known = ", ".join([*_READERS, *_ALIASES, "choice(A|B)"])
        raise InputError(f"{table.column(place)} has no type, but others have: add one of {known}")
    name, kind, options = declared
    if (kind == "choice") != (options is not None):
        raise InputError(f"{table.column(place)}: expected {'choice(A|B|...)' if kind == 'choice' else kind}")
    return name, Type(_choice(table, place, options), str) if options is not None else _type(kind)


def _choice(table: Table, place: int, options: str) -> Field:
    values = [option.strip() for option in options.split("|")]
    if "" in values or len(set(values)) < len(values):
        raise InputError(f"{table.column(place)}: the values of a choice are different and not empty")
    return choice(values)


@lru_cache(maxsize=32)
def _type(kind: str) -> Type:
    return Type(share(Text) if kind == "text" else machine(kind), _READERS[kind])


def inferred(cells: Mapping[str, int]) -> Type:
    """The first type that reads every cell."""
    for kind in ("int64", "uint64", "float64", "bool") if cells else ():
        found = _type(kind)
        if all(_reads(found, cell) for cell in cells):
            return found
    return _type("text")


def _reads(kind: Type, cell: str) -> bool:
    try:
        return kind.field.contains(kind.read(cell))
    except ValueError:
        return False


def seen(table: Table, place: int, kind: Type) -> Field:
    """The field with the values of its column."""
    values: dict[bytes, Any] = {}
    for cell, line in table.cells(place).items():
        if not _reads(kind, cell):
            raise InputError(f"{table.column(place)}, line {line}: {show(cell)} is not {kind.field}")
        value = kind.field.coerce(kind.read(cell))
        values[canonical(value)] = value
    return also(kind.field, _spread(list(values.values())), table.header[place])


def _spread(values: list[Any]) -> list[Any]:
    """At most SEEN of them, from one end to the other: numbers in their order, texts as they come."""
    if len(values) <= SEEN:
        return values
    ordered = values if isinstance(values[0], str) else sorted(values, key=order)
    return [ordered[place * (len(ordered) - 1) // (SEEN - 1)] for place in range(SEEN)]


def _check_names(table: Table, names: Sequence[str]) -> None:
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        if not name:
            raise InputError(f"{table.column(place)} has no name")
        if name in first:
            raise InputError(f"{table.column(place)}: column {first[name] + 1} has the name {name!r} already")
        first[name] = place


def _integer(cell: str) -> int:
    # Not what Python allows beyond this: 007 is a name, 1_000 a text.
    if _INTEGER.fullmatch(cell) is None:
        raise ValueError(cell)
    return int(cell)


def _number(cell: str) -> float:
    if "_" in cell or _PADDED.match(cell) is not None:
        raise ValueError(cell)
    return float(cell)


def _flag(cell: str) -> bool:
    try:
        return {"true": True, "1": True, "false": False, "0": False}[cell.lower()]
    except KeyError:
        raise ValueError(cell) from None


_READERS: dict[str, Callable[[str], Any]] = {
    **{kind: _integer if "int" in kind else _number for kind in MACHINE},
    "bool": _flag,
    "text": str,
}
