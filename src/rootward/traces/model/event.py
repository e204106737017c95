"""Traces: recorded events with their instants, one trace for each recording."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rootward.errors import InputError
from rootward.formats.recordings.frame import MAX_TIME

REQUEST, RESPONSE, ERROR = "req", "res", "err"
"""The kinds of diagnostic events: a message to an ECU, a message from it, and a message that could not be decoded."""
EVERYONE = "functional"
"""The ECU name of requests that go to all ECUs."""


@dataclass(frozen=True)
class Event:
    """One message. Its time is in microseconds since the recording began."""

    time: int
    kind: str
    """``req`` (to the ECU), ``res`` (from it), ``err`` (could not be decoded), or any other word."""
    ecu: str
    operation: str
    payload: str = ""
    line: int = 0
    """The line or the number of the frame in its file, from 1; 0 if unknown."""

    @cached_property
    def text(self) -> str:
        """The event as one line of text: patterns match it, and people read it."""
        return " ".join(filter(None, (self.kind, self.ecu, self.operation, self.payload)))

    @cached_property
    def head(self) -> str:
        """The kind and the operation; most patterns can be selected by these alone."""
        return f"{self.kind} {self.operation}"


class Wait(NamedTuple):
    """A step in which time passes from one instant to another."""

    start: int
    end: int


Step = Event | Wait


class TraceMark(NamedTuple):
    """A place in a recording that the test environment marked as wrong."""

    time: int
    """Microseconds since the recording began."""
    text: str
    """The words of the test environment."""
    line: int = 0
    """The line in its file, or the number of the frame before it; 0 if unknown."""


@dataclass(frozen=True)
class Trace:
    """A recording. Its events are sorted by time."""

    name: str
    events: tuple[Event, ...]
    end: int | None = None
    """The instant at which the recording ended; None if unknown, then its last event counts."""
    path: str = ""
    """The file that the trace was read from, if any."""
    problems: tuple[str, ...] = ()
    """The parts of the file that could not be read, each with line and reason."""
    marks: tuple[TraceMark, ...] = ()
    """The places that the test environment marked as wrong, sorted by time."""

    @property
    def last(self) -> int:
        """The last instant that the recording covers."""
        return max(self.end or 0, self.events[-1].time if self.events else 0)


def check_trace(trace: object) -> Trace:
    """Return the trace if it is one and its events are valid and sorted by time; else raise InputError."""
    if not isinstance(trace, Trace):
        raise InputError(f"expected a Trace, such as rootward.read_traces returns, not {_shorten(trace)}")
    now = 0
    for place, event in enumerate(trace.events):
        if not isinstance(event, Event):
            raise InputError(f"trace {trace.name}, event {place}: expected an Event, not {_shorten(event)}")
        if type(event.time) is not int or not 0 <= event.time < MAX_TIME:
            raise InputError(
                f"trace {trace.name}, event {place}: the time must be a whole number of microseconds, at least 0 and "
                f"below 2**53, not {_shorten(event.time)}"
            )
        if event.time < now:
            raise InputError(
                f"trace {trace.name}, event {place}: events must be sorted by time, but this one (at {event.time} "
                f"microseconds) is earlier than the one before it (at {now} microseconds)"
            )
        now = event.time
    if trace.end is not None and (type(trace.end) is not int or not 0 <= trace.end < MAX_TIME):
        raise InputError(
            f"trace {trace.name}: the end must be a whole number of microseconds, at least 0 and below 2**53, "
            f"not {_shorten(trace.end)}"
        )
    marks: tuple[object, ...] = trace.marks
    for place, mark in enumerate(marks):
        if not isinstance(mark, TraceMark) or type(mark.time) is not int or mark.time < 0:
            raise InputError(
                f"trace {trace.name}, mark {place}: expected a TraceMark with a time in microseconds, at least 0, "
                f"not {_shorten(mark)}"
            )
    return trace


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
