"""Which row is which: tables are compared row by row, and a row is known by its key (Definition 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError

if TYPE_CHECKING:
    import polars as pl

Places = NDArray[np.int64]
HERE, THERE = "\0here", "\0there"


def check(frame: pl.DataFrame, key: Sequence[str], name: str) -> None:
    """InputError unless every row of the table has a key, and no other row has the same."""
    keys = frame.select(key)
    called = " and ".join(key)
    for column in keys.iter_columns():
        if column.null_count():
            row = int(column.is_null().arg_max() or 0)
            raise InputError(f"{name} has no {column.name} in row {row + 1}: every row needs its key")
    if len(key) == 1 and _ascending(keys.to_series()):
        return
    if keys.height != keys.n_unique():
        twice = keys.filter(keys.is_duplicated()).row(0)
        said = ", ".join(map(str, twice))
        raise InputError(f"{name} has more than one row with {called} {said}: a key belongs to one row only")


def _ascending(column: Any) -> bool:
    """Whether each value is larger than the one before, which is quicker to see than that they all differ."""
    return bool((column.slice(1) > column.slice(0, max(0, len(column) - 1))).all())


def matched(bad: pl.DataFrame, good: pl.DataFrame, key: Sequence[str]) -> tuple[Places, Places]:
    """For each bad row, the place of the good row with its key, or -1; and the good rows that no bad one has."""
    if bad.height == good.height and bad.select(key).equals(good.select(key)):
        return np.arange(bad.height), np.empty(0, np.int64)
    here, there = bad.select(key).with_row_index(HERE), good.select(key).with_row_index(THERE)
    found = here.join(there, on=list(key), how="left", maintain_order="left")[THERE]
    places = found.cast(int).fill_null(-1).to_numpy()
    alone = there.join(here, on=list(key), how="anti", maintain_order="left")[THERE]
    return places, alone.cast(int).to_numpy()
