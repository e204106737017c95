"""Small tables with bad rows of different character."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl

from rootward.errors import Unresolved
from rootward.search.ask import Search
from rootward.search.finding import Finding
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.tables import Tables
from rootward.subjects.function import fails_when
from rootward.subjects.table_patches import PatchedFunction

from .laws import Case, Fails

GOOD = [
    pl.DataFrame({"id": range(12), "x": [float(i + drift) for i in range(12)], "s": ["a", "b", "c"] * 4})
    for drift in (0, 2)
]
BAD = pl.DataFrame(
    {
        "id": [*range(11), 99],
        "x": [1.0, 2.0, 700.0, 3.5, 5.0, None, 6.0, 7.0, 900.0, 9.5, 11.0, 1.0],
        "s": ["a", "b", "c", "a", "b", "c", "?", "b", "c", "c", None, "a"],
    }
)


def crashes(table: pl.DataFrame) -> None:
    """Fails by raising; differently for what comes later in the pipeline."""
    largest: Any = table["x"].max()
    if largest > 800:
        raise ValueError("overflow")
    if table["s"].null_count():
        raise KeyError("s")


def unjudged(table: pl.DataFrame) -> None:
    if table.height == 11:
        raise Unresolved("a row is missing")
    if table["x"].null_count() or 99 in table["id"]:
        raise RuntimeError("no value")


PROBLEMS: dict[str, Callable[[Any], Any]] = {
    "one cell": fails_when(lambda table: table["x"].max() > 800),
    "two columns": fails_when(lambda table: table["x"].max() > 600 or "?" in table["s"].to_list()),
    "rows": fails_when(lambda table: 99 in table["id"] or 11 not in table["id"]),
    "unexplained": fails_when(lambda table: True),
    "crash": crashes,
    "unjudged": unjudged,
}


def bad_rows(method: Callable[[Tables], Search[Any, Any]], *, minimal: bool) -> list[Case]:
    """``minimal``: whether a complete finding that explains it says that it is 1-minimal."""
    tables = Tables.of(BAD, GOOD, "id")
    return [_case(name, method, tables, subject, minimal) for name, subject in PROBLEMS.items()]


def _case(
    name: str,
    method: Callable[[Tables], Search[Any, Any]],
    tables: Tables,
    subject: Callable[[Any], Any],
    minimal: bool,
) -> Case:
    def check(finding: Finding, fails: Fails) -> None:
        assert isinstance(finding, BadRows)
        if finding.passes:
            assert len(finding.cells) == len(finding.patch) > 0
            assert len(finding.rows) <= len(finding.patch)
            assert not fails(finding.patch)
        else:
            assert finding.cells == finding.rows == finding.columns == []
        if finding.complete:
            json.dumps(finding.to_dict(), allow_nan=False)
            assert finding.passes is not None
            assert finding.minimal is bool(minimal and finding.passes)

    return Case(name, lambda: method(tables), tables.failing, PatchedFunction(subject, tables), check)
