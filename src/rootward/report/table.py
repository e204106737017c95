"""The table of trials: its columns, and its first rows for readers without scripts, notebooks and paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rootward.report.cells import cut, duration, text, visible

ROWS = 50
"""So many rows stand in the page itself: one page of the table."""
FIELDS = 8
"""So many fields have a column from the start; the reader can choose others."""


def columns(trials: dict[str, Any]) -> list[dict[str, Any]]:
    """What can be a column: what it is called, and whether it is shown from the start."""
    fields = [
        _column("field", name, visible(cut(name, 60)), place < FIELDS, column)
        for place, (name, column) in enumerate(trials["fields"].items())
    ]
    kept = [_column("kept", "kept", f"kept of {trials['of']}", True, trials["kept"])] if trials["kept"] else []
    verdict, *others = (
        _column(
            "column",
            name,
            "time" if name == "seconds" else name,
            name in ("verdict", "seconds") or _varies(name, column),
            column,
        )
        for name, column in trials["columns"].items()
        if column["values"]
    )
    return [verdict, *fields, *kept, *others]


def _column(kind: str, name: str, label: str, shown: bool, column: dict[str, Any]) -> dict[str, Any]:
    """A ``float`` column is written with decimal points, even where a browser sees whole numbers."""
    floats = any(isinstance(value, float) for value in column["values"])
    return {"kind": kind, "name": name, "label": label, "shown": shown, "float": floats}


def _varies(name: str, column: dict[str, Any]) -> bool:
    return name != "seed" and len(set(column["index"])) > 1


def rows(trials: dict[str, Any], shown: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The cells of the first trials, for each column that is shown: their ``kind`` and ``text``."""
    picked = [(column["kind"], column["name"], _data(trials, column)) for column in shown]
    for trial in range(min(ROWS, trials["listed"])):
        yield [_cell(kind, name, column, trial) for kind, name, column in picked]


def _data(trials: dict[str, Any], column: dict[str, Any]) -> dict[str, Any]:
    place: dict[str, Any] = {"field": trials["fields"], "column": trials["columns"], "kept": trials}[column["kind"]]
    data: dict[str, Any] = place[column["name"]]
    return data


def _cell(kind: str, name: str, column: dict[str, Any], trial: int) -> dict[str, Any]:
    at = column["index"][trial]
    if at < 0:
        return {"kind": "none", "text": "", "number": False}
    value = column["values"][at]
    write = text if kind != "column" else duration if name == "seconds" else lambda it: visible(str(it))
    shown_as = "verdict" if (kind, name) == ("column", "verdict") else kind
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return {"kind": shown_as, "text": cut(write(value)), "number": plain}


def earlier(run: dict[str, Any]) -> int:
    """How many of the listed trials were made by earlier runs."""
    column = run["trials"]["columns"].get("run")
    if run["run"] is None or column is None:
        return 0
    return sum(place >= 0 and column["values"][place] != run["run"] for place in column["index"])


def shares(trials: dict[str, Any]) -> list[tuple[str, int]]:
    """How many of the listed trials ended in which way, the failing ones first."""
    column = trials["columns"]["verdict"]
    order = ["FAIL", "OTHER", "UNRESOLVED", "PASS"]
    counts = [(value.upper(), column["index"].count(place)) for place, value in enumerate(column["values"])]
    return sorted(counts, key=lambda one: order.index(one[0]))
