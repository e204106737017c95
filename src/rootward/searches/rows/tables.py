"""Tables: a bad one and good ones, held once, with their differences in several orders and any patch of the bad one.

A patched table shares every column that the patch does not touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rootward.errors import InputError
from rootward.formats.tables.table import import_polars
from rootward.searches.rows.differences import ADDED, MISSING, Differences, Numbers, group_numbers
from rootward.searches.rows.orders import ORDERS, Order
from rootward.searches.rows.patch import Patch, Span, merge_spans

if TYPE_CHECKING:
    import polars as pl


class Tables(Differences):
    """The bad table, the good tables, and their differences.

    Also builds the bad table with some of the differences repaired.
    """

    @cached_property
    def _orders(self) -> dict[str, Order]:
        return {}

    def order(self, name: str) -> Order:
        """Return the differences in an order, the most deviant first: see ``orders``."""
        if name not in self._orders:
            self._orders[name] = ORDERS[name](self)
        return self._orders[name]

    @cached_property
    def column_descriptions(self) -> dict[str, str]:
        """Descriptions of columns of the first good table, filled in when they are first needed."""
        return {}

    def patch(self, order: str, spans: Iterable[Span]) -> Patch:
        """Return the patch that repairs the differences with these numbers in the order."""
        numbers = merge_spans(spans)
        return Patch(self.digest, order if numbers else "", numbers)

    @property
    def failing(self) -> Patch:
        """The patch that repairs nothing: the bad table as it is."""
        return self.patch("", [])

    def difference_numbers(self, patch: Patch) -> Numbers:
        """Return the numbers of the differences that the patch repairs."""
        if not patch.spans:
            return np.empty(0, np.int64)
        order = self.order(patch.order).numbers
        return np.concatenate([order[start:end] for start, end in patch.spans])

    def apply_patch(self, patch: Patch) -> pl.DataFrame:
        """Return the bad table with these differences repaired."""
        if patch.tables != self.digest:
            raise InputError(
                f"the patch was made for other tables: {self.names[0]} or {self.names[1]} has changed since then"
            )
        chosen = np.sort(self.difference_numbers(patch))
        rows = {number: self.row[chosen[part]] for number, part in group_numbers(self.column[chosen])}
        added, missing = rows.pop(ADDED, None), rows.pop(MISSING, None)
        names = {self.columns[number]: places for number, places in rows.items()}
        frame = self.bad.with_columns(
            [_replace(self.bad[name], places, self._good_column(0, name, places)) for name, places in names.items()]
        )
        if added is not None:
            keep = np.ones(frame.height, bool)
            keep[added] = False
            frame = frame.filter(import_polars().Series(keep))
        if missing is not None:
            frame = frame.vstack(self.good[0].select(frame.columns)[missing])
            frame = frame if self._sort_key is None else frame.sort(self._sort_key, maintain_order=True)
        return _restore_types(frame, self.casts)

    @cached_property
    def _sort_key(self) -> Any:
        """The expression by which the bad table is sorted. None if it is not sorted.

        It is used to insert missing rows in their places.
        """
        pl = import_polars()
        by = pl.col(self.key[0])
        if self.bad[self.key[0]].dtype == pl.String:
            numbers = self.bad.select(by.cast(pl.Float64, strict=False)).to_series()
            by = by if numbers.null_count() else by.cast(pl.Float64, strict=False)
        return by if len(self.key) == 1 and self.bad.select(by).to_series().is_sorted() else None


def _replace(column: pl.Series, rows: Numbers, values: pl.Series) -> pl.Series:
    """Return a copy of the column with other values in these rows."""
    if not column.dtype.is_nested():
        return column.clone().scatter(rows, values)
    take = np.arange(len(column))
    take[rows] = len(column) + np.arange(len(rows))
    return import_polars().concat([column, values]).gather(take)  # type: ignore[no-any-return]


def _restore_types(frame: pl.DataFrame, casts: Mapping[str, Any]) -> pl.DataFrame:
    """Give columns their original type back if they became text only because of cells that are repaired now."""
    pl = import_polars()
    for name, kind in casts.items():
        try:
            frame = frame.with_columns(frame[name].cast(kind))
        except pl.exceptions.PolarsError:
            continue
    return frame
