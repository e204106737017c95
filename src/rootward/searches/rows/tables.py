"""A bad table and good ones, held once; where the bad one differs from the first good one; and any patch of it.

A difference is a cell, a row that only the bad table has, or a row that only the good one has. Differences have numbers
in two arrays, not objects of their own, so ten million of them are no burden. A patched table shares every column that
the patch does not touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.formats.tables import Table, polars
from rootward.keys import key as name_of
from rootward.searches.rows import keys, orders
from rootward.searches.rows.alike import alike
from rootward.searches.rows.patch import Patch, Span, joined

if TYPE_CHECKING:
    import polars as pl

Numbers = NDArray[np.int64]
ADDED, MISSING = -1, -2
"""In place of a column: the whole row is only in the bad table, or only in the good one."""


class Tables:
    """The bad table, the good ones (values for repair come from the first), and the differences between them."""

    def __init__(
        self,
        bad: Table,
        good: Sequence[Table],
        key: Sequence[str],
        columns: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        """``columns``: look only at the cells of these, and at no whole rows."""
        self.names = list(names or _called([table.path for table in (bad, *good)]))
        self.give, self.path = bad.give, bad.path
        frames = [table.frame for table in (bad, *good)]
        self.key, self.columns = tuple(key), _columns(frames, key, columns, self.names)
        self.bad, self.good, self.casts = alike(frames, self.names)
        for frame, name in zip((self.bad, *self.good), self.names, strict=True):
            keys.check(frame, self.key, name)
        found = [keys.matched(self.bad, frame, self.key) for frame in self.good]
        self.places = [places for places, _ in found]
        """For each good table, its row with the key of each bad row, or -1."""
        self.column, self.row = self._differences(found[0][1], whole_rows=columns is None)
        """Of each difference: the number of its column (or ADDED, MISSING), and of its row."""
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
    ) -> Tables:
        """``bad`` and each of ``good`` (one table or several) is a path, or a table in memory. ``text``: leave the
        cells of CSV files as they are. ``names``: what the tables are called, the bad one first."""
        several = good if isinstance(good, list | tuple) else [good]
        if not several:
            raise InputError("there is no good table: give at least one with which it passes")
        tables = [Table.of(table, text=text) for table in (bad, *several)]
        by = [key] if isinstance(key, str) else list(key)
        wanted = [columns] if isinstance(columns, str) else None if columns is None else list(columns)
        return cls(tables[0], tables[1:], by, wanted, names)

    def __len__(self) -> int:
        """How many differences there are."""
        return len(self.row)

    @property
    def keys(self) -> int:
        """How many rows the bad table and the first good one have together."""
        return self.bad.height + int(np.count_nonzero(self.column == MISSING))

    def _differences(self, alone: Numbers, whole_rows: bool) -> tuple[Numbers, Numbers]:
        column: list[Numbers] = []
        row: list[Numbers] = []
        here = self.places[0] >= 0
        for number, name in enumerate(self.columns):
            differs = self.bad[name].ne_missing(self._beside(0, name, None)).to_numpy() & here
            row.append(np.flatnonzero(differs))
            column.append(np.full(len(row[-1]), number))
        if whole_rows:
            row += [np.flatnonzero(~here), alone]
            column += [np.full(len(row[-2]), ADDED), np.full(len(alone), MISSING)]
        return np.concatenate(column), np.concatenate(row)

    def _beside(self, which: int, name: str, rows: Numbers | None) -> Any:
        """The values that a good table has for these bad rows (None: all); any value where it has no such row."""
        places, values = self.places[which], self.good[which][name]
        if rows is None and len(places) == len(values) and _in_order(places):
            return values
        wanted = places if rows is None else places[rows]
        if not len(values):
            return values.extend_constant(None, 1).gather(np.zeros(len(wanted), np.int64))
        return values.gather(np.maximum(wanted, 0))

    def beside(self, name: str, rows: Numbers) -> list[tuple[Any, NDArray[np.bool_]]]:
        """Of each good table, the values for these bad rows, and whether it has such rows."""
        return [(self._beside(i, name, rows), places[rows] >= 0) for i, places in enumerate(self.places)]

    def runs(self) -> list[tuple[int, slice]]:
        """Each column that has differences, with the numbers of its differences."""
        return _runs(self.column)

    # Orders and patches

    @cached_property
    def _orders(self) -> dict[str, orders.Order]:
        return {}

    def order(self, name: str) -> orders.Order:
        """The differences in an order, the most deviant first: see ``orders``."""
        if name not in self._orders:
            self._orders[name] = orders.ORDERS[name](self)
        return self._orders[name]

    @cached_property
    def usual(self) -> dict[str, str]:
        """What columns of the first good table hold, where somebody has looked."""
        return {}

    def patch(self, order: str, spans: Iterable[Span]) -> Patch:
        """The differences with these numbers in the order."""
        numbers = joined(spans)
        return Patch(self.digest, order if numbers else "", numbers)

    @property
    def failing(self) -> Patch:
        """The bad table as it is."""
        return self.patch("", [])

    def chosen(self, patch: Patch) -> Numbers:
        """The numbers of the differences that the patch repairs."""
        if not patch.spans:
            return np.empty(0, np.int64)
        order = self.order(patch.order).numbers
        return np.concatenate([order[start:end] for start, end in patch.spans])

    def patched(self, patch: Patch) -> pl.DataFrame:
        """The bad table with these differences repaired."""
        if patch.tables != self.digest:
            raise InputError(f"the patch is one of other tables than {self.names[0]} and {self.names[1]} are now")
        chosen = np.sort(self.chosen(patch))
        rows = {number: self.row[chosen[part]] for number, part in _runs(self.column[chosen])}
        added, missing = rows.pop(ADDED, None), rows.pop(MISSING, None)
        names = {self.columns[number]: places for number, places in rows.items()}
        frame = self.bad.with_columns(
            [_put(self.bad[name], places, self._beside(0, name, places)) for name, places in names.items()]
        )
        if added is not None:
            keep = np.ones(frame.height, bool)
            keep[added] = False
            frame = frame.filter(polars().Series(keep))
        if missing is not None:
            frame = frame.vstack(self.good[0].select(frame.columns)[missing])
            frame = frame if self._sorting is None else frame.sort(self._sorting, maintain_order=True)
        return _cast(frame, self.casts)

    @cached_property
    def _sorting(self) -> Any:
        """By what the rows are sorted, if they are, so that further ones find their place."""
        pl = polars()
        by = pl.col(self.key[0])
        if self.bad[self.key[0]].dtype == pl.String:
            numbers = self.bad.select(by.cast(pl.Float64, strict=False)).to_series()
            by = by if numbers.null_count() else by.cast(pl.Float64, strict=False)
        return by if len(self.key) == 1 and self.bad.select(by).to_series().is_sorted() else None


def _columns(
    frames: Sequence[pl.DataFrame], key: Sequence[str], columns: Sequence[str] | None, names: Sequence[str]
) -> tuple[str, ...]:
    """The columns to compare; InputError if the tables do not have the same ones, or not these."""
    bad, *good = frames
    if not key:
        raise InputError("the key is the column, or the columns, by which a row is known")
    for name in [*key, *(columns or ())]:
        if name not in bad.columns:
            raise InputError(f"{names[0]} has no column {name}; it has {_listed(bad.columns)}")
    for frame, called in zip(good, names[1:], strict=True):
        for lacking, there, has in ((called, frame, bad), (names[0], bad, frame)):
            if strange := [name for name in has.columns if name not in there.columns]:
                raise InputError(f"{lacking} has no column {strange[0]}: all tables must have the same columns")
    if columns and (both := [name for name in columns if name in key]):
        raise InputError(f"{both[0]} is part of the key, which says which row is which: it cannot be repaired")
    wanted = bad.columns if columns is None else columns
    return tuple(dict.fromkeys(name for name in wanted if name not in key))


def _runs(numbers: Numbers) -> list[tuple[int, slice]]:
    """Each number, with where it stands, of numbers that stand together."""
    bounds = [0, *map(int, np.flatnonzero(np.diff(numbers)) + 1), len(numbers)]
    return [(int(numbers[start]), slice(start, end)) for start, end in pairwise(bounds) if end > start]


def _called(paths: Sequence[Path | None]) -> list[str]:
    """What the tables are called: the bad one, then the good ones."""
    good = ["the good table"] if len(paths) == 2 else [f"good table {i}" for i in range(1, len(paths))]
    return [str(path or name) for path, name in zip(paths, ["the bad table", *good], strict=True)]


def _listed(names: Sequence[str], shown: int = 10) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _in_order(places: Numbers) -> bool:
    return bool((places == np.arange(len(places))).all())


def _put(column: pl.Series, rows: Numbers, values: pl.Series) -> pl.Series:
    """The column with other values in these rows; itself it stays as it is."""
    if not column.dtype.is_nested():
        return column.clone().scatter(rows, values)
    take = np.arange(len(column))
    take[rows] = len(column) + np.arange(len(rows))
    return polars().concat([column, values]).gather(take)  # type: ignore[no-any-return]


def _cast(frame: pl.DataFrame, casts: Mapping[str, Any]) -> pl.DataFrame:
    """Columns that are text only because of some cells get their type back once those are repaired."""
    pl = polars()
    for name, kind in casts.items():
        try:
            frame = frame.with_columns(frame[name].cast(kind))
        except pl.exceptions.PolarsError:
            continue
    return frame
