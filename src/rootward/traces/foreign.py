"""A model that knows nothing of a trace says nothing about it: such a trace does not conform, it was not judged.

That happens with the wrong model, and with the right one if the ECU has another name in the recording. Broken messages
do not count, nor do requests to all ECUs: models know these of whatever ECU.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rootward.traces.event import Event, Trace
from rootward.traces.model import Model
from rootward.traces.running.engine import Engine

ERROR, EVERYONE = "err", "functional"
SHOWN = 4
"""So many ECUs, and so many operations, are named."""
_CHOICE = re.compile(r"\(?(\w[\w-]*(?:\|\w[\w-]*)*)\)?")


def foreign(engine: Engine, trace: Trace) -> str:
    """Why a model cannot judge a trace; empty if it knows something of it."""
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
