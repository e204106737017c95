"""A table, wherever it comes from, as batches of encoded columns: a few thousand rows at a time, never the whole.

A column of a history has few different values and many rows. So a batch has, for each column, its different values and
for each row the place of its value among them; whoever goes on from here looks at values once and at rows only as
numbers. Sources can be gone through as often as needed. Those that need Arrow are in `rootward.formats.arrow`.
"""

from __future__ import annotations

import contextlib
import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rootward.candidate import dump
from rootward.errors import InputError
from rootward.fields import show
from rootward.verdict import FAIL, PASS, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encoded = tuple[Sequence[Any], NDArray[np.integer[Any]]]
    """The different values of a column, and for each row the place of its value among them."""

CELLS = 8_000_000
"""Python values that are held at once."""
VERDICT = "\0verdict"
"""The column of verdicts of a source that has them apart from its configurations."""


@runtime_checkable
class Source(Protocol):
    """A table that can be read several times."""

    title: str
    names: tuple[str, ...]
    text: bool
    """Whether its cells are text that stands for values."""
    notes: Sequence[str]
    """What a person should know of it."""

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        """All rows in their order, these columns of them."""
        ...


class Csv:
    """A CSV file in UTF-8 with a header."""

    text = True
    notes: Sequence[str] = ()

    def __init__(self, path: Path) -> None:
        self.path, self.title = path.absolute(), str(path)
        with self._rows() as rows:
            header = next(rows, None)
        if header is None:
            raise InputError(f"{path} is empty: expected a header with the names of the columns")
        self.names = tuple(name.strip() for name in header)

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        wanted, width = _places(names, self.names), len(self.names)
        with self._rows() as rows:
            next(rows, None)
            while some := list(islice(rows, max(1, CELLS // width))):
                columns = list(zip(*some, strict=True))
                yield [encoded_text(columns[place]) for place in wanted]

    @contextlib.contextmanager
    def _rows(self) -> Iterator[Iterator[list[str]]]:
        with _opened(self, newline="") as file:
            yield self._checked(csv.reader(file, strict=True))

    def _checked(self, reader: Any) -> Iterator[list[str]]:
        """The rows that are not blank; InputError with the line of one that does not fit the header."""
        width = None
        try:
            for row in reader:
                if row:
                    if len(row) != (width := width or len(row)):
                        message = f"this row has {len(row)} cells, the header has {width}"
                        raise InputError(f"{self.title}:{reader.line_num}: {message}")
                    yield row
        except csv.Error as error:
            raise InputError(f"{self.title}:{reader.line_num}: this is not CSV: {error}") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{self.title} is not UTF-8: {error.reason} after line {reader.line_num}") from error


class JsonLines:
    """A file with a JSON object in each line; an object within it makes columns such as ``candidate.speed``."""

    text = False
    notes: Sequence[str] = ()

    def __init__(self, path: Path) -> None:
        self.path, self.title = path.absolute(), str(path)
        self.names = tuple(dict.fromkeys(name for row in self._rows() for name in row))

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        return by_rows(self._rows(), names)

    def _rows(self) -> Iterator[dict[str, Any]]:
        with _opened(self) as file:
            lines = enumerate(file, 1)
            while True:
                try:
                    number, line = next(lines)
                except StopIteration:
                    return
                except UnicodeDecodeError as error:
                    raise InputError(f"{self.title} is not UTF-8: {error.reason}") from error
                if line.strip():
                    yield dict(_flat(self._object(number, line)))

    def _object(self, number: int, line: str) -> Mapping[str, Any]:
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"{self.title}:{number}: this is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise InputError(f"{self.title}:{number}: expected an object such as {{...}}, got {show(row)}")
        return row


class Pairs:
    """Configurations with their verdicts, as Python has them."""

    text = False
    notes: Sequence[str] = ()
    title = "the history"

    def __init__(self, pairs: Iterable[Any]) -> None:
        self.rows = [_pair(number, pair) for number, pair in enumerate(pairs, 1)]
        self.names = tuple(self.rows[0]) if self.rows else (VERDICT,)
        for number, row in enumerate(self.rows, 1):
            if row.keys() != self.rows[0].keys():
                odd = sorted(row.keys() ^ self.rows[0].keys(), key=str)
                raise InputError(f"run {number} of the history does not have the fields of the first: see {odd[0]!r}")

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        return by_rows(self.rows, names)


class Pandas:
    """A pandas frame, whose columns may hold anything; the index is no column."""

    text = False
    notes: Sequence[str] = ()
    title = "the frame"

    def __init__(self, frame: Any) -> None:
        self.frame, self.names = frame, tuple(map(str, frame.columns))

    def batches(self, names: Sequence[str]) -> Iterator[list[Encoded]]:
        places, step = _places(names, self.names), max(1, CELLS // max(1, len(names)))
        for start in range(0, len(self.frame), step):
            part = self.frame.iloc[start : start + step]
            yield [encoded(part.iloc[:, place].tolist()) for place in places]


def encoded(column: Iterable[Any]) -> Encoded:
    """A column of Python values; those that Python takes for equal are told apart by their type."""
    different, places = encoded_text([(type(value), value) for value in map(_hashable, column)])
    return [value for _, value in different], places


def encoded_text(column: Sequence[Any]) -> Encoded:
    """The same for a column of text, which needs no such care."""
    import numpy as np

    different = list(dict.fromkeys(column))
    place = {value: at for at, value in enumerate(different)}
    return different, np.fromiter(map(place.__getitem__, column), np.int32, len(column))


def used(values: Sequence[Any], places: NDArray[np.integer[Any]]) -> Encoded:
    """The column without the values that no row has."""
    import numpy as np

    found = np.bincount(places, minlength=len(values)) > 0
    if found.all():
        return values, places
    return [value for value, kept in zip(values, found, strict=True) if kept], (np.cumsum(found) - 1)[places]


def by_rows(rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Iterator[list[Encoded]]:
    """Batches of rows that Python has; a row without a column has None there."""
    step, left = max(1, CELLS // max(1, len(names))), iter(rows)
    while some := list(islice(left, step)):
        yield [encoded([row.get(name) for row in some]) for name in names]


def _places(names: Sequence[str], among: Sequence[str]) -> list[int]:
    place = {name: at for at, name in enumerate(among)}
    return [place[name] for name in names]


def _pair(number: int, pair: Any) -> dict[str, Any]:
    try:
        configuration, verdict = pair
        row = dict(configuration)
    except (TypeError, ValueError):
        raise InputError(f"run {number} of the history is {show(pair)}: expected (configuration, verdict)") from None
    if not isinstance(verdict, bool | Verdict):
        raise InputError(f"run {number} of the history has the verdict {show(verdict)}: expected an rw.Verdict")
    return {**row, VERDICT: verdict if isinstance(verdict, Verdict) else FAIL if verdict else PASS}


def _flat(row: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _hashable(value: Any) -> Any:
    """The value, or text that stands for a collection."""
    try:
        hash(value)
    except TypeError:
        return dump(value)
    return dump(value) if isinstance(value, tuple) else value


@contextlib.contextmanager
def _opened(source: Csv | JsonLines, newline: str | None = None) -> Iterator[Any]:
    try:
        with open(source.path, encoding="utf-8-sig", newline=newline) as file:
            yield file
    except OSError as error:
        raise InputError(f"{source.title} cannot be read: {error.strerror}") from error
