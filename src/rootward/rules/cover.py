"""The cheapest set of columns that covers all rows: branch and bound on bit sets.

Rows and columns that cannot matter are removed first; the bound adds up the cheapest columns of rows that share none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rootward.rules.bits import bits


@dataclass(frozen=True, slots=True)
class Column:
    """``rows`` is a bit set."""

    rows: int
    weight: int


@dataclass
class _Search:
    columns: Sequence[Column]
    steps: int
    weight: float = float("inf")
    chosen: tuple[int, ...] | None = None
    by_row: dict[int, list[int]] = field(default_factory=dict)

    def run(self, rows: int, weight: int, chosen: tuple[int, ...]) -> None:
        self.steps -= 1
        if self.steps < 0 or weight + self._bound(rows) >= self.weight:
            return
        if not rows:
            self.weight, self.chosen = weight, chosen
            return
        hardest = min(bits(rows), key=lambda row: (len(self.by_row[row]), row))
        for index in self.by_row[hardest]:
            column = self.columns[index]
            self.run(rows & ~column.rows, weight + column.weight, (*chosen, index))

    def _bound(self, rows: int) -> int:
        total = 0
        for row in sorted(bits(rows), key=lambda row: (len(self.by_row[row]), row)):
            if rows >> row & 1:
                total += min(self.columns[index].weight for index in self.by_row[row])
                for index in self.by_row[row]:
                    rows &= ~self.columns[index].rows
        return total


def cheapest(columns: Sequence[Column], rows: int, steps: int) -> tuple[int, ...] | None:
    """The indices of a cheapest cover of ``rows``; None if that cannot be proven within so many steps."""
    kept = _useful(columns)
    by_row = {row: [index for index in kept if columns[index].rows >> row & 1] for row in bits(rows)}
    hard = _hard(by_row)
    search = _Search(columns, steps, by_row={row: by_row[row] for row in hard})
    search.run(sum(1 << row for row in hard), 0, ())
    return None if search.steps < 0 else search.chosen


def _useful(columns: Sequence[Column]) -> list[int]:
    """The columns, cheap ones first, of which no other covers as much for as little."""
    kept: list[int] = []
    by_weight = sorted(range(len(columns)), key=lambda i: (columns[i].weight, -columns[i].rows.bit_count(), i))
    for index in by_weight:
        rows = columns[index].rows
        if all(rows & ~columns[other].rows for other in kept):
            kept.append(index)
    return kept


def _hard(by_row: dict[int, list[int]]) -> list[int]:
    """The rows of which no other is covered by a subset of the same columns."""
    sets = {row: frozenset(found) for row, found in by_row.items()}
    distinct = {found: row for row, found in reversed(sets.items())}
    kept: list[frozenset[int]] = []
    for found in sorted(distinct, key=lambda found: (len(found), distinct[found])):
        if not any(other <= found for other in kept):
            kept.append(found)
    return sorted(distinct[found] for found in kept)
