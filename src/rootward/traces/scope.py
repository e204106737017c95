"""What a model can judge of a recording.

A model that is about any one ECU judges the talk with each ECU of a recording by itself (`talks`). A model that knows
none of the messages judges nothing: such a trace does not conform, it was not judged (`foreign`). That happens with the
wrong model, and with the right one if the ECU has another name in the recording. And an answer that came, but broken,
is one fault: that it did not come in full is a consequence (`once`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rootward.traces.fault import MISSING, Fault
from rootward.traces.model.event import ERROR, EVERYONE, Event, Trace
from rootward.traces.model.model import Model
from rootward.traces.running.engine import Engine

SHOWN = 4
"""So many ECUs, and so many operations, are named."""
_CHOICE = re.compile(r"\(?(\w[\w-]*(?:\|\w[\w-]*)*)\)?")


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


def foreign(engine: Engine, trace: Trace) -> str:
    """Why a model cannot judge a trace; empty if it knows something of it.

    Broken messages do not count, nor do requests to all ECUs: models know these of whatever ECU.
    """
    if not trace.events or any(map(engine.moves, _telling(trace.events))):
        return ""
    ecus = {word for pattern in _patterns(engine.model) for word in _words(pattern, 1)}
    operations = {word for pattern in _patterns(engine.model) for word in _words(pattern, 2)}
    own = _listed(operations) or "nothing that has a name"
    theirs = _listed(dict.fromkeys(event.operation for event in trace.events))
    return (
        f"{trace.path or trace.name}: the model {engine.model.name} knows none of its messages: "
        f"the model is about {_listed(ecus - {EVERYONE}) or 'any ECU'} ({own}), "
        f"the trace about {_listed(dict.fromkeys(event.ecu for event in trace.events))} ({theirs})"
    )


def _telling(events: tuple[Event, ...]) -> list[Event]:
    whole = [event for event in events if event.kind != ERROR]
    return [event for event in whole if event.ecu != EVERYONE] or whole or list(events)


def _patterns(model: Model) -> Iterator[str]:
    yield from (edge.on.text for part in model.components for edge in part.edges if edge.on is not None)


def _words(pattern: str, place: int) -> list[str]:
    """The words that a pattern has there; none if it leaves them open."""
    words = pattern.split()
    found = _CHOICE.fullmatch(words[place]) if len(words) > place and not pattern.startswith("/") else None
    return found[1].split("|") if found else []


def _listed(names: Iterable[str]) -> str:
    some = sorted(names) if isinstance(names, set) else list(names)
    more = f" and {len(some) - SHOWN} more" if len(some) > SHOWN else ""
    return ", ".join(some[:SHOWN]) + more


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
