"""Opportunistic group testing, as published: halve the most deviant rows of a column until it fails again (section 5).

For a column c, the keys of the bad table are sorted by descending deviation in c. First all c values are replaced by
those of a good table. If it then passes, only the values of the first half of the keys are replaced, then those of the
first quarter, and so on, until it fails again. The last replacement that passed is the answer: at most about twice as
many rows as are bad, if the bad ones deviate most.

The paper does not say what to do if no single column is enough. Its experiment (section 8.3.1) filters rows as well as
columns, so in that case all columns are replaced, with the keys sorted by the largest deviation in their row.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from rootward.search.ask import Answers, Ask, Search
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.differences import Numbers
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables
from rootward.verdict import PASS


def opportunistic(tables: Tables) -> Search[Patch, BadRows]:
    """Find the bad rows of the first column whose replacement makes it pass; if there is none, of all columns
    together."""
    for number, part in tables.group_by_column():
        if number < 0:
            continue
        # Both the differences and the order are grouped by column, so each column has the same range in both.
        ranks = _rank_keys(tables, "column", part)
        found = yield from _halve(tables, "column", ranks, part.start, f"column {tables.columns[number]}")
        if found is not None:
            return BadRows(patch=found, tables=tables)
    everything = slice(0, len(tables))
    found = yield from _halve(tables, "row", _rank_keys(tables, "row", everything), 0, "all columns")
    if found is None:
        return BadRows(patch=tables.patch("row", [(0, len(tables))]), tables=tables, passes=False)
    return BadRows(patch=found, tables=tables)


def _halve(
    tables: Tables, order: str, ranks: Numbers, first: int, what: str
) -> Generator[Ask[Patch], Answers, Patch | None]:
    """Return the last patch that passes, of those with all keys, the first half, a quarter ...; None if none does."""
    passed, count = None, int(max(ranks[-1] + 1, tables.bad.height))
    best = BadRows(patch=tables.patch(order, [(0, len(tables))]), tables=tables, passes=None)
    while count:
        patch = tables.patch(order, [(first, first + int(np.searchsorted(ranks, count)))])
        (outcome,) = yield Ask([patch], best=best, note=f"{what}: repairing the {count:,} most deviant rows")
        if outcome is None or outcome.verdict is not PASS:
            break
        passed, best = patch, BadRows(patch=patch, tables=tables)
        count //= 2
    return passed


def _rank_keys(tables: Tables, order: str, part: slice) -> Numbers:
    """Return the place of each difference's key in the list of all keys, ascending.

    Keys that deviate come first. All others follow in the order of the table, including those that do not differ.
    """
    found = tables.order(order)
    rows, scores = tables.row[found.numbers[part]], found.scores[part]
    distinct = np.concatenate([[0], np.cumsum((np.diff(rows) != 0) | (np.diff(scores) != 0))])
    ahead = int(np.count_nonzero(scores > 0))
    if ahead == len(scores):
        return distinct
    deviant = np.unique(rows[:ahead])
    calm = rows[ahead:]
    places = len(deviant) + calm - np.searchsorted(deviant, calm)
    return np.concatenate([distinct[:ahead], places])
