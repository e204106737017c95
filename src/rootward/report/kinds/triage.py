"""A triage: the faults of recorded traces, grouped by cause, each with the messages that show it."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from rootward.report.figures.lanes import draw_lanes, span
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run, not_final
from rootward.traces.model.guard import format_duration as exact
from rootward.traces.output.text import summary
from rootward.traces.triage import Triage
from rootward.words import count

MAX_MESSAGE = 120
"""Maximum length of a message, in characters."""


class TriagePresenter(Presenter[Triage]):
    template = "triage.html"
    joined_by = "and"

    def words(self, finding: Triage) -> str:
        return summary(finding)

    def conditions(self, data: Data) -> list[str]:
        return [one["cause"] for one in data["classes"]]

    def certainty(self, data: Data) -> Certainty | None:
        total, checked = len(data["faults"]), sum(fault["checked"] for fault in data["faults"])
        if not total:
            return None
        proofs = "The proof of the fault was" if total == 1 else f"The proofs of all {total:,} faults were"
        if checked < total:
            proofs = f"The proofs of {checked:,} of {total:,} faults were"
        return Certainty(f"{proofs} accepted by a separate checker.")

    def basis(self, run: Run, data: Data) -> Markup:
        state = Markup("") if data["complete"] else not_final(data) + ": "
        examined = f"{data['traces']} trace{'' if data['traces'] == 1 else 's'} examined"
        left = f", {len(data['unjudged'])} not judged or only partly readable" if data["unjudged"] else ""
        more = (
            f"In {count(data['cut'], 'trace')}, the search stopped at the maximum number of departures."
            if data["cut"]
            else ""
        )
        return state + f"{examined}, {data['conforming']} of them without a fault{left}.\n{more}"

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        return {"lanes": draw_lanes, "span": span, "rows": partial(list_messages, data)}

    def add_links(self, data: Data, folder: Path) -> Data:
        """Return the data with links to the recordings.

        The links are relative to the page, so that page and recordings can be moved together.
        """
        return {**data, "faults": [{**fault, "link": link(fault["path"], folder)} for fault in data["faults"]]}


PRESENTER = TriagePresenter()


def link(path: str, folder: Path) -> str:
    """Return the relative link from a folder to a file.

    The link is empty if ``path`` is empty, or if there is no relative path, as between two drives.
    """
    if not path:
        return ""
    try:
        way = os.path.relpath(path, folder)
    except ValueError:  # another drive
        return ""
    return quote(Path(way).as_posix().encode("utf-8", "surrogateescape"))


# The messages of a recording, with a note on those that matter


def list_messages(data: Data, group: Data) -> list[dict[str, Any]]:
    """Return the rows of the example of a class: one for each message.

    Where messages are left out, a row says so.
    """
    fault = data["faults"][group["representative"]]
    later = {
        one["index"]
        for one in data["faults"]
        if one["consequence"] and (one["trace"], one["path"]) == (fault["trace"], fault["path"])
    }
    found: list[dict[str, Any]] = []
    before: Data | None = None
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


def _silence(one: Data) -> dict[str, Any]:
    limit = "" if one["limit"] is None else f": it is more than {exact(one['limit'])}"
    return {"left_out": 0, "silence": exact(one["passed"]), "note": f"this time matters{limit}"}


def _row(event: Data, before: Data | None, fault: Data, later: set[int]) -> dict[str, Any]:
    mark, note = _note(event, fault, later)
    text = " ".join(filter(None, (event["operation"], event["payload"])))
    return {
        "left_out": 0,
        "silence": "",
        "number": event["index"] + 1,
        "time": f"{event['time'] / 1e6:.6f}",
        "after": f"+{span(event['time'] - before['time'])}" if before else "",
        "direction": {"req": f"to {event['ecu']}", "res": f"from {event['ecu']}"}.get(event["kind"], event["kind"]),
        "text": text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 1]}…",
        "mark": mark,
        "note": note,
    }


def _note(event: Data, fault: Data, later: set[int]) -> tuple[str, str]:
    """Return the mark of a message, and the note beside it."""
    if event["index"] == fault["index"]:
        if fault["kind"] == "missing":
            return "bad", "the answer should have come before"
        if fault["kind"] == "late" and fault["margin"] is not None:
            return "bad", f"{span(fault['margin'])} too late"
        return "bad", "not allowed"
    if event["index"] in fault["kept"]:
        return "relevant", "relevant"
    return ("later", "explained by the same cause") if event["index"] in later else ("", "")
