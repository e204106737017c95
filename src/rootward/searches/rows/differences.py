"""Differences: where a bad table differs from the first of some good ones, row by row.

A difference is a cell, a row that only the bad table has, or a row that only the good one has. Differences are numbers
in two arrays, not objects, so ten million of them are manageable.

A row is identified by its key (Definition 8 of the paper), and a column has one type in all tables, so that values can
be moved between them. A file has no types: a single ``n/a`` turns a column of numbers into text. That very cell may be
the bad one, so such a column is compared as text, and becomes numbers again in a patched table without the cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.formats.tables.table import Table, import_polars
from rootward.space.keys import key as name_of

if TYPE_CHECKING:
    import polars as pl

Numbers = NDArray[np.int64]
ADDED, MISSING = -1, -2
"""Used instead of a column number: the whole row is only in the bad table, or only in the good one."""
HERE, THERE = "\0here", "\0there"
"""Names that no column has, for columns with row numbers."""


class Differences:
    """The bad table, the good tables, and the places where they differ.

    Repairs use the values of the first good table.
    """

    def __init__(
        self,
        bad: Table,
        good: Sequence[Table],
        key: Sequence[str],
        columns: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        """``columns``: compare only the cells of these columns, and no whole rows."""
        self.names = list(names or _name_tables([table.path for table in (bad, *good)]))
        self.give, self.path = bad.convert_back, bad.path
        frames = [table.frame for table in (bad, *good)]
        self.key, self.columns = tuple(key), _check_columns(frames, key, columns, self.names)
        self.bad, self.good, self.casts = unify_types(frames, self.names)
        for frame, name in zip((self.bad, *self.good), self.names, strict=True):
            check_key(frame, self.key, name)
        found = [match_rows(self.bad, frame, self.key) for frame in self.good]
        self.places = [places for places, _ in found]
        """For each good table and each bad row, the number of the good row with the same key, or -1."""
        self.column, self.row = self._find_differences(found[0][1], whole_rows=columns is None)
        """For each difference, the number of its column (or ADDED, MISSING) and of its row."""
        contents = [table.digest for table in (bad, *good)]
        self.digest = name_of([contents, list(self.key), list(self.columns), columns is None])
        if not len(self):
            where = f" in {', '.join(self.columns)}" if columns is not None else ""
            raise InputError(f"{self.names[0]} and {self.names[1]} are the same{where}: there is nothing to repair")

    @classmethod
    def of(
        cls,
        bad: Any,
        good: Any,
        key: str | Sequence[str],
        columns: str | Iterable[str] | None = None,
        *,
        text: bool = False,
        names: Sequence[str] | None = None,
    ) -> Self:
        """Read and compare tables. ``bad`` and each of ``good`` (one or several) is a path, or a table in memory.
        ``text``: keep the cells of CSV files as text. ``names``: the names of the tables, the bad one first."""
        several = good if isinstance(good, list | tuple) else [good]
        if not several:
            raise InputError("there is no good table: give at least one with which the pipeline passes")
        tables = [Table.of(table, text=text) for table in (bad, *several)]
        by = [key] if isinstance(key, str) else list(key)
        wanted = [columns] if isinstance(columns, str) else None if columns is None else list(columns)
        return cls(tables[0], tables[1:], by, wanted, names)

    def __len__(self) -> int:
        """Return the number of differences."""
        return len(self.row)

    @property
    def key_count(self) -> int:
        """Number of different rows in the bad table and the first good one together."""
        return self.bad.height + int(np.count_nonzero(self.column == MISSING))

    def _find_differences(self, alone: Numbers, whole_rows: bool) -> tuple[Numbers, Numbers]:
        column: list[Numbers] = []
        row: list[Numbers] = []
        here = self.places[0] >= 0
        for number, name in enumerate(self.columns):
            differs = self.bad[name].ne_missing(self._good_column(0, name, None)).to_numpy() & here
            row.append(np.flatnonzero(differs))
            column.append(np.full(len(row[-1]), number))
        if whole_rows:
            row += [np.flatnonzero(~here), alone]
            column += [np.full(len(row[-2]), ADDED), np.full(len(alone), MISSING)]
        return np.concatenate(column), np.concatenate(row)

    def _good_column(self, which: int, name: str, rows: Numbers | None) -> pl.Series:
        """Return the values of good table number ``which`` for these bad rows.

        ``rows``: the bad rows; None means all. If the good table lacks a row, the value for it is arbitrary.
        """
        places, values = self.places[which], self.good[which][name]
        if rows is None and len(places) == len(values) and _is_in_order(places):
            return values
        wanted = places if rows is None else places[rows]
        if not len(values):
            return values.extend_constant(None, 1).gather(np.zeros(len(wanted), np.int64))
        return values.gather(np.maximum(wanted, 0))

    def good_values(self, name: str, rows: Numbers) -> list[tuple[pl.Series, NDArray[np.bool_]]]:
        """Return, for each good table, its values for these bad rows, and a mask of the rows that it has.

        Values of rows that the table does not have are arbitrary.
        """
        return [(self._good_column(i, name, rows), places[rows] >= 0) for i, places in enumerate(self.places)]

    def group_by_column(self) -> list[tuple[int, slice]]:
        """Return each column that has differences, with the numbers of its differences."""
        return group_numbers(self.column)


def _check_columns(
    frames: Sequence[pl.DataFrame], key: Sequence[str], columns: Sequence[str] | None, names: Sequence[str]
) -> tuple[str, ...]:
    """Return the columns to compare.

    InputError if the tables do not have the same columns, or if they lack a column of ``key`` or ``columns``.
    """
    bad, *good = frames
    if not key:
        raise InputError("the key is empty: give the column, or the columns, that identify a row")
    for name in [*key, *(columns or ())]:
        if name not in bad.columns:
            raise InputError(f"{names[0]} has no column {name}; it has {_list_names(bad.columns)}")
    for frame, called in zip(good, names[1:], strict=True):
        for lacking, there, has in ((called, frame, bad), (names[0], bad, frame)):
            if strange := [name for name in has.columns if name not in there.columns]:
                raise InputError(f"{lacking} has no column {strange[0]}: all tables must have the same columns")
    if columns and (both := [name for name in columns if name in key]):
        raise InputError(f"{both[0]} is part of the key, which identifies the rows: a key column cannot be repaired")
    wanted = bad.columns if columns is None else columns
    return tuple(dict.fromkeys(name for name in wanted if name not in key))


def group_numbers(numbers: Numbers) -> list[tuple[int, slice]]:
    """Return each distinct number with the slice that it occupies. Equal numbers must be adjacent."""
    bounds = [0, *map(int, np.flatnonzero(np.diff(numbers)) + 1), len(numbers)]
    return [(int(numbers[start]), slice(start, end)) for start, end in pairwise(bounds) if end > start]


def _name_tables(paths: Sequence[Path | None]) -> list[str]:
    """Return the names of the tables: the bad one, then the good ones."""
    good = ["the good table"] if len(paths) == 2 else [f"good table {i}" for i in range(1, len(paths))]
    return [str(path or name) for path, name in zip(paths, ["the bad table", *good], strict=True)]


def _list_names(names: Sequence[str], shown: int = 10) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _is_in_order(places: Numbers) -> bool:
    return bool((places == np.arange(len(places))).all())


# Keys


def check_key(frame: pl.DataFrame, key: Sequence[str], name: str) -> None:
    """Raise InputError unless every row of the table has a key of its own."""
    keys = frame.select(key)
    for column in keys.iter_columns():
        if column.null_count():
            row = int(column.is_null().arg_max() or 0)
            raise InputError(f"{name} has no {column.name} in row {row + 1}: every row needs a key")
    if len(key) == 1 and _is_ascending(keys.to_series()):
        return
    if keys.height != keys.n_unique():
        twice = keys.filter(keys.is_duplicated()).row(0)
        shown = " and ".join(f"{column} = {value}" for column, value in zip(keys.columns, twice, strict=True))
        raise InputError(f"{name} has more than one row with {shown}: no two rows may have the same key")


def _is_ascending(column: pl.Series) -> bool:
    """Return True if each value is larger than the one before.

    This is faster to check than that all values are different.
    """
    return bool((column.slice(1) > column.slice(0, max(0, len(column) - 1))).all())


def match_rows(bad: pl.DataFrame, good: pl.DataFrame, key: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Return, for each bad row, the number of the good row with the same key, or -1 if there is none.

    The second array lists the good rows whose key no bad row has.
    """
    if bad.height == good.height and bad.select(key).equals(good.select(key)):
        return np.arange(bad.height), np.empty(0, np.int64)
    here, there = bad.select(key).with_row_index(HERE), good.select(key).with_row_index(THERE)
    found = here.join(there, on=list(key), how="left", maintain_order="left")[THERE]
    places = found.cast(int).fill_null(-1).to_numpy()
    alone = there.join(here, on=list(key), how="anti", maintain_order="left")[THERE]
    return places, alone.cast(int).to_numpy()


# Types


def unify_types(
    frames: Sequence[pl.DataFrame], names: Sequence[str]
) -> tuple[pl.DataFrame, list[pl.DataFrame], dict[str, Any]]:
    """Convert the tables to common types.

    Returns the bad table, the good ones, and the type of the first good one for each column that became text.
    """
    changes: dict[Any, Any] = {}
    back: dict[str, Any] = {}
    for name in frames[0].columns:
        types = [frame[name].dtype for frame in frames]
        if any(one != types[0] for one in types):
            changes[name] = _find_common_type(name, types, names)
            if changes[name] == import_polars().String and types[1] != import_polars().String:
                back[name] = types[1]
    bad, *good = [frame.cast(changes) if changes else frame for frame in frames]
    return bad, good, back


def _find_common_type(name: str, types: Sequence[Any], names: Sequence[str]) -> Any:
    pl = import_polars()
    known = [one for one in types if one != pl.Null]
    if all(one == known[0] for one in known):
        return known[0]
    if all(one.is_numeric() for one in known):
        return pl.Float64
    if any(one == pl.String for one in known) and not any(one.is_nested() for one in known):
        return pl.String
    other = next(i for i, one in enumerate(types) if one != types[0])
    raise InputError(
        f"{name} is {types[0]} in {names[0]} and {types[other]} in {names[other]}: all tables must have the same types"
    )
