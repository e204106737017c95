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
    """Find bad rows in the first column that makes the table pass if its values are replaced by the good ones.

    If there is no such column, find bad rows in all columns together.
    """
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
    """Repair all keys, then the first half of them, a quarter and so on, as long as the table passes.

    Returns the last patch that passed, or None if none did.
    """
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
    """Return, for each difference, the place of its key in a list of all keys. The places ascend.

    In this list, keys that deviate come first. All others follow in the order of the table, including keys of rows that
    do not differ.
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
