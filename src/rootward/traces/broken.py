"""An answer that came, but broken, is one fault: that it did not come in full is a consequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rootward.traces.event import Trace
from rootward.traces.fault import MISSING, Fault
from rootward.traces.foreign import ERROR


def once(trace: Trace, faults: Sequence[Fault]) -> list[Fault]:
    """The faults of a trace; a missing answer is the consequence of a message that broke while it was waited for."""
    broken = [fault.event.time for fault in faults if fault.event is not None and fault.event.kind == ERROR]
    found = []
    for fault in faults:
        start, end = _waiting(trace, fault)
        follows = fault.kind == MISSING and any(start <= time <= end for time in broken)
        found.append(replace(fault, consequence=True) if follows else fault)
    return found


def _waiting(trace: Trace, fault: Fault) -> tuple[int, int]:
    """From when to when an answer was waited for."""
    end = fault.event.time if fault.event is not None else trace.last
    return end - (fault.took or 0), end
