"""What was recorded: events with their instants, one trace a recording."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


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
