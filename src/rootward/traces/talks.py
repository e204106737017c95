"""A recording of several ECUs, held against a model that is about any one of them, is a trace for each ECU."""

from __future__ import annotations

from dataclasses import replace

from rootward.traces.event import Trace
from rootward.traces.foreign import EVERYONE
from rootward.traces.model import Model


def talks(model: Model, trace: Trace) -> list[Trace]:
    """What a model judges by itself: the trace, or the talk with each ECU in it. Requests to all are part of each."""
    ecus = dict.fromkeys(event.ecu for event in trace.events if event.ecu != EVERYONE)
    if not model.each or len(ecus) < 2:
        return [trace]
    return [
        replace(
            trace,
            name=f"{trace.name} ({ecu})",
            events=tuple(event for event in trace.events if event.ecu in (ecu, EVERYONE)),
            end=trace.last,
        )
        for ecu in ecus
    ]
