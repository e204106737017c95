"""What was recorded: events with their instants, one trace a recording."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rootward.errors import InputError
from rootward.formats.recordings.frame import LATEST

REQUEST, RESPONSE, ERROR = "req", "res", "err"
"""Kinds of events that diagnosis has: to an ECU, from it, and what could not be decoded."""
EVERYONE = "functional"
"""The ECU of requests that go to all ECUs."""


@dataclass(frozen=True)
class Event:
    """One message. Its time is in microseconds since the recording began."""

    time: int
    kind: str
    """``req`` (to the ECU), ``res`` (from it), ``err`` (what could not be decoded), or any other word."""
    ecu: str
    operation: str
    payload: str = ""
    line: int = 0
    """The line, or the number of the frame, in its file, from 1; 0 if unknown."""

    @cached_property
    def text(self) -> str:
        """What patterns match, and what people read."""
        return " ".join(filter(None, (self.kind, self.ecu, self.operation, self.payload)))

    @cached_property
    def head(self) -> str:
        """What tells most events apart."""
        return f"{self.kind} {self.operation}"


class Wait(NamedTuple):
    """Time passes from one instant to another."""

    start: int
    end: int


Step = Event | Wait


@dataclass(frozen=True)
class Trace:
    """A recording. Its events are in the order of time."""

    name: str
    events: tuple[Event, ...]
    end: int | None = None
    """When the recording ended; when its last event happened if that is not known."""
    path: str = ""
    """The file, if it comes from one."""
    problems: tuple[str, ...] = ()
    """What could not be read, with line and reason."""

    @property
    def last(self) -> int:
        """The last instant of which something is known."""
        return max(self.end or 0, self.events[-1].time if self.events else 0)


def checked(trace: object) -> Trace:
    """The trace, if it is one whose events are in the order of time; else InputError."""
    if not isinstance(trace, Trace):
        raise InputError(f"expected a Trace, such as rootward.read_traces gives, not {_short(trace)}")
    now = 0
    for place, event in enumerate(trace.events):
        if not isinstance(event, Event):
            raise InputError(f"trace {trace.name}, event {place}: expected an Event, not {_short(event)}")
        if type(event.time) is not int or not 0 <= event.time < LATEST:
            raise InputError(
                f"trace {trace.name}, event {place}: its time is a whole number of microseconds from 0 on, "
                f"not {_short(event.time)}"
            )
        if event.time < now:
            raise InputError(
                f"trace {trace.name}, event {place}: it happened before the one that it follows "
                f"({event.time} and {now} microseconds)"
            )
        now = event.time
    if trace.end is not None and (type(trace.end) is not int or not 0 <= trace.end < LATEST):
        raise InputError(f"trace {trace.name}: its end is a whole number of microseconds, not {_short(trace.end)}")
    return trace


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
