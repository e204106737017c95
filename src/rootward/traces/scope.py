"""Scope: which part of a recording a model can judge.

A model of any one ECU judges the conversation with each ECU of a recording separately (`split_conversations`). A model
that knows none of the messages judges nothing: such a trace is reported as not judged, rather than as conforming
(`explain_foreign`). That happens with the wrong model, and with the right one if the recording uses another name for
the ECU. A cautious model does not judge an ECU that never answers either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rootward.traces.marks import share_marks
from rootward.traces.model.event import ERROR, EVERYONE, REQUEST, Event, Trace
from rootward.traces.model.model import Model
from rootward.traces.running.engine import Engine

MAX_NAMED = 4
"""Maximum number of ECUs, and of operations, named in a message."""
_CHOICE = re.compile(r"\(?(\w[\w-]*(?:\|\w[\w-]*)*)\)?")


def split_conversations(model: Model, trace: Trace) -> list[Trace]:
    """Return the parts of a trace that a model judges separately.

    This is the whole trace, or the conversation with each ECU. Requests to all ECUs are part of each conversation; a
    mark of the test environment belongs to one of them.
    """
    ecus = dict.fromkeys(event.ecu for event in trace.events if event.ecu != EVERYONE)
    if not model.each or len(ecus) < 2:
        return [trace]
    parts = [
        replace(
            trace,
            name=f"{trace.name} ({ecu})",
            events=tuple(event for event in trace.events if event.ecu in (ecu, EVERYONE)),
            end=trace.last,
        )
        for ecu in ecus
    ]
    return [replace(part, marks=marks) for part, marks in zip(parts, share_marks(trace, parts), strict=True)]


def explain_foreign(engine: Engine, trace: Trace) -> str:
    """Return why a model cannot judge a trace; empty if it can: it knows some of the messages, and none is foreign.

    Broken messages do not count. Nor do requests to all ECUs, which a model knows whatever its ECU is.
    """
    if signs := _find_foreign_signs(engine.model, trace):
        return (
            f"{trace.path or trace.name}: {engine.model.name} does not fit, because this is another protocol: "
            f"{', '.join(one.text[:80] for one in signs)}. Use a model of this protocol"
        )
    if engine.model.cautious and _is_silent(trace):
        return (
            f"{trace.path or trace.name}: no response of {_list_names(_asked_ecus(trace))} was recorded: "
            "the ECU may be absent, or its responses were not recorded"
        )
    if not trace.events or any(map(engine.moves, _select_telling(trace.events))):
        return ""
    ecus = {word for pattern in _patterns(engine.model) for word in _words(pattern, 1)}
    operations = {word for pattern in _patterns(engine.model) for word in _words(pattern, 2)}
    own = f"operations {_list_names(operations)}" if operations else "no named operations"
    theirs = _list_names(dict.fromkeys(event.operation for event in trace.events))
    return (
        f"{trace.path or trace.name}: the model {engine.model.name} knows none of its messages: "
        f"the model is about {_list_names(ecus - {EVERYONE}) or 'any ECU'} ({own}), "
        f"the trace about {_list_names(dict.fromkeys(event.ecu for event in trace.events))} (operations {theirs}). "
        "Use another model, or the same ECU names in both"
    )


def _find_foreign_signs(model: Model, trace: Trace) -> list[Event]:
    """Return the first messages that show that a trace uses another protocol than the model."""
    for patterns in model.foreign:
        found = [next((event for event in trace.events if one.match(event) is not None), None) for one in patterns]
        if None not in found:
            return [event for event in found if event is not None]
    return []


def _is_silent(trace: Trace) -> bool:
    """Return whether the trace has requests to an ECU, but nothing from it."""
    return bool(_asked_ecus(trace)) and not any(event.kind != REQUEST for event in trace.events)


def _asked_ecus(trace: Trace) -> list[str]:
    return list(dict.fromkeys(event.ecu for event in trace.events if event.kind == REQUEST and event.ecu != EVERYONE))


def _select_telling(events: tuple[Event, ...]) -> list[Event]:
    """Return the events that show whether the model is about this system."""
    whole = [event for event in events if event.kind != ERROR]
    return [event for event in whole if event.ecu != EVERYONE] or whole or list(events)


def _patterns(model: Model) -> Iterator[str]:
    yield from (edge.on.text for part in model.components for edge in part.edges if edge.on is not None)


def _words(pattern: str, place: int) -> list[str]:
    """Return the words that a pattern allows at one position; none if it leaves the position open."""
    words = pattern.split()
    found = _CHOICE.fullmatch(words[place]) if len(words) > place and not pattern.startswith("/") else None
    return found[1].split("|") if found else []


def _list_names(names: Iterable[str]) -> str:
    some = sorted(names) if isinstance(names, set) else list(names)
    more = f" and {len(some) - MAX_NAMED} more" if len(some) > MAX_NAMED else ""
    return ", ".join(some[:MAX_NAMED]) + more
