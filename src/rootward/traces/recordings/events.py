"""Read events directly, for systems without CAN: a table, JSON lines, or one line for each message as in Figure 1 of
the paper.

A table has the header ``time,kind,ecu,operation,payload``; JSON lines have these as keys. The time is in seconds since
the start of the recording, or in smaller units if the column is called ``time_ms`` or ``time_us``; times that count
from 1970 are taken relative to the first. A line of the paper's format begins with the time since the line before:
``[12ms] req CTR set 5``; a line with only a time means that nothing happened for that long.

A test environment may have marked errors in columns of a table, in keys of JSON, or in comments of the paper's format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rootward.formats.recordings.frame import MAX_TIME, Comment, to_microseconds
from rootward.formats.recordings.problems import Problems, RecordingSpan, quote
from rootward.formats.recordings.rows import printable, row_comments, split_cells
from rootward.formats.recordings.source import read_lines
from rootward.traces.model.event import Event
from rootward.traces.recordings.comments import MarkCollector

UNITS = {"time": 1, "time_ms": 1_000, "time_us": 1_000_000}
"""The names of the time column, and the number of their units in a second."""
WORDS = ("kind", "ecu", "operation")
COLUMNS = f"a time ({', '.join(UNITS)}), {', '.join(WORDS)} and payload"
LINE = re.compile(
    r"(\[\s*)?(?P<time>\d{1,20}(?:\.\d{1,20})?)\s*(?P<unit>us|µs|ms|s|min)(?(1)\s*\]\s*|(?:\s+|$))"
    r"(?:(?P<kind>\w+)\s+(?P<ecu>\S+)\s+(?P<operation>\S+)(?:\s+(?P<payload>\S.*))?)?"
)
_SECONDS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
_MIN_DATE = 31_557_600_000_000
"""Microseconds in a year: if the first time is later than this, the times are dates, not times since the start."""


def read_table(path: Path, problems: Problems, span: RecordingSpan, collector: MarkCollector) -> list[Event]:
    """Read the events of a CSV file."""
    lines = read_lines(path, problems)
    header = [word.strip().lower() for word in split_cells(next(lines, (0, ""))[1])]
    if missing := _find_missing(header):
        problems.add("line 1", f"the header has no {missing}: expected {COLUMNS}")
        return []
    rows = ((number, dict(zip(header, split_cells(line), strict=False))) for number, line in lines if line.strip())
    return _count_from_start(list(_events(rows, problems, span, collector)), span)


def read_json_lines(path: Path, problems: Problems, span: RecordingSpan, collector: MarkCollector) -> list[Event]:
    """Read the events of a file with JSON lines."""

    def rows() -> Iterator[tuple[int, Mapping[str, object]]]:
        for number, line in read_lines(path, problems):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if isinstance(row, dict):
                yield number, row
            else:
                problems.add(f"line {number}", f"expected a JSON object with {COLUMNS}, got {quote(line)}")

    return _count_from_start(list(_events(rows(), problems, span, collector)), span)


def read_paper_lines(path: Path, problems: Problems, span: RecordingSpan, collector: MarkCollector) -> list[Event]:
    """Read the events of a file in the paper's format."""
    now, events = 0, []
    span.add(0, 0)
    for number, line in read_lines(path, problems):
        line = printable(line.strip())
        if not line or line.startswith("#"):
            collector.add(Comment(now, line.lstrip("# "), number))
            continue
        try:
            if (found := LINE.fullmatch(line)) is None:
                raise ValueError(f"expected a line such as '[12ms] req ECU operation payload', got {quote(line)}")
            now = _advance(now, float(found["time"]) * _SECONDS[found["unit"]])
        except ValueError as error:
            problems.add(f"line {number}", error)
            continue
        span.add(now, number)
        if found["kind"]:
            payload = " ".join((found["payload"] or "").split())
            events.append(Event(now, found["kind"], found["ecu"], found["operation"], payload, number))
    return events


def _events(
    rows: Iterator[tuple[int, Mapping[str, object]]], problems: Problems, span: RecordingSpan, collector: MarkCollector
) -> Iterator[Event]:
    for number, row in rows:
        try:
            missing = _find_missing(row)
            if missing == "time":
                raise ValueError(f"no time: expected {COLUMNS}")
            time = _time(row)
            found = list(row_comments(row, time, number))
            alone = found and not any(row.get(word) for word in WORDS)
            if missing and not alone:
                raise ValueError(f"no {missing}: expected {COLUMNS}")
            event = None if alone else _event(row, time, number)
        except ValueError as error:
            problems.add(f"line {number}", error)
        else:
            span.add(time, number)
            for comment in found:
                collector.add(comment)
            if event is not None:
                yield event


def _time(row: Mapping[str, object]) -> int:
    column = next(one for one in UNITS if one in row)
    try:
        return to_microseconds(float(_text(row[column])) / UNITS[column])
    except (ValueError, OverflowError):
        raise ValueError(f"{quote(_text(row[column]))} is not a valid time") from None


def _event(row: Mapping[str, object], time: int, number: int) -> Event:
    kind, ecu, operation = (_text(row[word]).strip() for word in WORDS)
    for word, text in zip(WORDS, (kind, ecu, operation), strict=True):
        if text.split() != [text]:
            raise ValueError(f"{word} must be one word, got {quote(text)}")
    return Event(time, kind, ecu, operation, " ".join(_text(row.get("payload")).split()), number)


def _text(value: object) -> str:
    """Return the text of a cell. Raises ValueError if the value is not a text or a number."""
    if value is None:
        return ""
    if isinstance(value, bool | list | dict):
        raise ValueError(f"expected a word or a number, got {quote(repr(value))}")
    return printable(str(value))


def _find_missing(columns: Container[str]) -> str:
    """Return the first required column of an event that is not in ``columns``.

    The result is empty if none is missing.
    """
    absent = [word for word in WORDS if word not in columns]
    return "time" if not any(one in columns for one in UNITS) else absent[0] if absent else ""


def _advance(now: int, seconds: float) -> int:
    now += to_microseconds(seconds)
    if now >= MAX_TIME:
        raise ValueError("the sum of the times is larger than a recording can be long")
    return now


def _count_from_start(events: list[Event], span: RecordingSpan) -> list[Event]:
    """Return the events sorted by time, with times that count from the start of the recording."""
    if span.first is not None and span.first >= _MIN_DATE:
        events = [replace(event, time=event.time - span.first) for event in events]
    elif span.first is not None:
        span.first = 0
    return sorted(events, key=lambda event: event.time)
