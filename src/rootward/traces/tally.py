"""The totals of a triage: traces, faults and their classes, and the traces that could not be judged."""

from __future__ import annotations

from dataclasses import dataclass

from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.marks import ComparedMark, find_unmarked


@dataclass(frozen=True)
class UnjudgedTrace:
    """A trace without faults that is not known to conform."""

    trace: str
    path: str
    reason: str
    partly: bool
    """True if a part of it could be read, and conforms."""


@dataclass(frozen=True, kw_only=True)
class Tally:
    """The result for all traces together."""

    model: str
    faults: tuple[Fault, ...]
    """All faults; those of one trace are in order."""
    classes: tuple[FaultClass, ...]
    """The faults that are not consequences of others, grouped by cause; the largest class first."""
    traces: int
    """Number of traces examined."""
    conforming: int
    """Number of examined traces that conform to the model."""
    problems: tuple[str, ...] = ()
    """The parts of files that could not be read, and the traces that the model does not know."""
    unjudged: tuple[UnjudgedTrace, ...] = ()
    """The traces that neither depart from the model nor certainly conform."""
    cut: int = 0
    """Number of traces that reached the maximum number of faults looked for; their rest was not examined."""
    uncompared: tuple[str, ...] = ()
    """The changes of the model that are not named as causes because they reach too many states."""
    marks: tuple[ComparedMark, ...] = ()
    """The marks of the test environment, compared with the faults."""

    @property
    def unmarked(self) -> tuple[Fault, ...]:
        """The faults that the test environment did not mark, without the consequences of others.

        Empty if it marked nothing in any trace: then it is not known to mark faults.
        """
        return find_unmarked(self.faults, self.marks) if self.marks else ()

    @property
    def blind(self) -> bool:
        """True if no trace could be judged, not even partly."""
        return (
            bool(self.unjudged) and len(self.unjudged) == self.traces and not any(one.partly for one in self.unjudged)
        )
