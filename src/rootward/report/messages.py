"""The messages of a recording as rows of a table, with what is to be said of each."""

from __future__ import annotations

from typing import Any

from rootward.report.figures.lanes import span
from rootward.traces.guard import duration as exact

LONG = 120
"""Longer messages are cut."""


def rows(finding: dict[str, Any], group: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each message of the example of a class, and one for each place where some are left out."""
    fault = finding["faults"][group["representative"]]
    later = {
        one["index"]
        for one in finding["faults"]
        if one["consequence"] and (one["trace"], one["path"]) == (fault["trace"], fault["path"])
    }
    found: list[dict[str, Any]] = []
    before: dict[str, Any] | None = None
    for event in group["example"]["events"]:
        skipped = event["index"] - (before["index"] + 1 if before else 0)
        if skipped:
            found.append({"left_out": skipped})
        found += [_silence(one) for one in fault["silences"] if one["before"] == event["index"]]
        found.append(_row(event, before if not skipped else None, fault, later))
        before = event
    if before is not None and before["index"] + 1 < group["example"]["length"]:
        found.append({"left_out": group["example"]["length"] - before["index"] - 1})
    return found


def _silence(one: dict[str, Any]) -> dict[str, Any]:
    limit = "" if one["limit"] is None else f": it is more than {exact(one['limit'])}"
    return {"left_out": 0, "silence": exact(one["passed"]), "note": f"this time matters{limit}"}


def _row(
    event: dict[str, Any], before: dict[str, Any] | None, fault: dict[str, Any], later: set[int]
) -> dict[str, Any]:
    mark, note = "", ""
    if event["index"] == fault["index"]:
        late = fault["kind"] == "late" and fault["margin"] is not None
        missing = fault["kind"] == "missing"
        mark = "bad"
        note = (
            "the answer should have come before"
            if missing
            else f"{span(fault['margin'])} too late"
            if late
            else "not allowed"
        )
    elif event["index"] in fault["kept"]:
        mark, note = "relevant", "relevant"
    elif event["index"] in later:
        mark, note = "later", "explained by the same cause"
    text = " ".join(filter(None, (event["operation"], event["payload"])))
    return {
        "left_out": 0,
        "silence": "",
        "number": event["index"] + 1,
        "time": f"{event['time'] / 1e6:.6f}",
        "after": f"+{span(event['time'] - before['time'])}" if before else "",
        "direction": {"req": f"to {event['ecu']}", "res": f"from {event['ecu']}"}.get(event["kind"], event["kind"]),
        "text": text if len(text) <= LONG else f"{text[: LONG - 1]}…",
        "mark": mark,
        "note": note,
    }
