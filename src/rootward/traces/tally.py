"""What a triage counts: traces, faults and their classes, and what could not be judged."""

from __future__ import annotations

from dataclasses import dataclass

from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import FaultClass


@dataclass(frozen=True)
class Unjudged:
    """A trace that shows no fault, and yet is not known to conform."""

    trace: str
    path: str
    reason: str
    partly: bool
    """Whether a part of it could be read, and conforms."""


@dataclass(frozen=True, kw_only=True)
class Tally:
    """What is known of all traces."""

    model: str
    faults: tuple[Fault, ...]
    """All faults; those of a trace in order."""
    classes: tuple[FaultClass, ...]
    """The faults that are no consequences of others, by their causes; the largest class first."""
    traces: int
    """So many were examined, and ..."""
    conforming: int
    """... so many of them conform."""
    problems: tuple[str, ...] = ()
    """What could not be read, and what the model does not know."""
    unjudged: tuple[Unjudged, ...] = ()
    """The traces that neither depart from the model nor conform for certain."""
    cut: int = 0
    """So many traces have as many faults as are looked for in one; they were not examined any further."""

    @property
    def blind(self) -> bool:
        """Whether nothing could be judged at all."""
        return (
            bool(self.unjudged) and len(self.unjudged) == self.traces and not any(one.partly for one in self.unjudged)
        )
