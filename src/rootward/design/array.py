"""Arrays whose places may be free, and the combinations of values that their rows have."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

import numpy as np
from numpy.typing import NDArray

from rootward.design.constraints import FREE, Constraints

Ints = NDArray[np.int64]


class Array:
    """Rows of places, some of them free, that the constraints let be completed."""

    def __init__(self, constraints: Constraints, rows: Ints) -> None:
        self.constraints, self._rows, self._used = constraints, rows, len(rows)

    def __len__(self) -> int:
        return self._used

    @property
    def rows(self) -> Ints:
        return self._rows[: self._used]

    def append(self) -> Ints:
        """A new row, all free."""
        if self._used == len(self._rows):
            self._rows = np.concatenate([self._rows, np.full((self._used + 16, self._rows.shape[1]), FREE)])
        self._used += 1
        self._rows[self._used - 1] = FREE
        return self.rows[-1]  # type: ignore[no-any-return]

    def take_out(self, dropped: NDArray[np.bool_]) -> None:
        self._rows = self.rows[~dropped]
        self._used = len(self._rows)

    def room(self, columns: Ints, values: Ints) -> NDArray[np.intp]:
        """The rows that have these values or free places there."""
        own = self.rows[:, columns]
        return np.flatnonzero(((own == values) | (own < 0)).all(axis=1))

    def put(self, row: Ints, columns: Ints, values: Ints) -> bool:
        """Give a row these values, if the constraints let it be completed then; whether it has them."""
        before = row[columns]
        row[columns] = values
        if not self.constraints or self.constraints.allow(row.tolist()):
            return True
        row[columns] = before
        return False


class Combinations:
    """The combinations of values of some groups of columns, numbered: one stretch of numbers for each group."""

    def __init__(self, sizes: Ints, groups: Iterable[tuple[int, ...]]) -> None:
        self.sizes = sizes
        self.groups = np.array(list(groups), dtype=np.int64).T  # one row for each member: that way numpy is fast
        own = sizes[self.groups]
        self.strides = np.ones_like(own)
        self.strides[:-1] = np.cumprod(own[:0:-1], axis=0)[::-1]
        ends = np.cumsum(own.prod(axis=0))
        self.starts = np.concatenate([[0], ends[:-1]])
        self.count = int(ends[-1])

    def with_column(self, column: int) -> Combinations:
        """The same, only the groups that have a column."""
        chosen = (self.groups == column).any(axis=0)
        part = copy(self)
        part.groups, part.strides, part.starts = self.groups[:, chosen], self.strides[:, chosen], self.starts[chosen]
        return part

    def of(self, row: Ints) -> Ints:
        """The numbers of those that the row has; a free place is in none."""
        values = row[self.groups]
        numbers = self.starts + (values * self.strides).sum(axis=0)
        return numbers[(values >= 0).all(axis=0)]  # type: ignore[no-any-return]

    def parts(self, numbers: Ints) -> tuple[Ints, Ints]:
        """For each of these combinations, its columns and their values."""
        group = np.searchsorted(self.starts, numbers, side="right") - 1
        columns = self.groups[:, group]
        values = (numbers - self.starts[group]) // self.strides[:, group] % self.sizes[columns]
        return columns.T, values.T
