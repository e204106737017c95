"""Marks of the test environment, compared with the faults.

A test environment judges while it records, and marks what it finds wrong. Where a mark and a fault agree, two
independent judges say the same. Where they differ, either the environment overlooked something (it mostly judges only
what its test is about), or its mark is wrong, or the model is.

The unit of the comparison is an **exchange**: a request with everything up to the next request. The environment
cannot know of a fault before its request, and as a rule it writes its mark before it goes on. So a mark agrees with a
fault if it stands in the exchange of the fault. The exchange of a late or missing answer is that of the request that
was waiting for it: an environment that gave up waiting marks the answer as missing although it comes later. A mark
without a fault in its exchange came late if there is an earlier fault that nobody has marked yet.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from rootward.traces.fault import MISSING, Fault
from rootward.traces.model.event import EVERYONE, REQUEST, Event, Trace, TraceMark

AGREES, LATE, UNFOUNDED, UNJUDGED = "agrees", "late", "unfounded", "unjudged"


@dataclass(frozen=True)
class ComparedMark:
    """A mark of the test environment, compared with the faults of its trace."""

    trace: str
    path: str
    mark: TraceMark
    kind: str
    """``agrees``: there is a fault in the same exchange; ``late``: the fault that it belongs to was earlier;
    ``unfounded``: there is no fault; ``unjudged``: the trace was not judged there."""
    fault: Fault | None = None
    """The fault that the mark belongs to, if any."""
    delay: int | None = None
    """Microseconds from the fault to the mark; negative if a late answer was marked before it came."""


class _Window(NamedTuple):
    """The places in a trace where a mark agrees with a fault: between ``start`` and ``end`` messages come before it."""

    fault: Fault
    start: int
    end: int


def compare_marks(trace: Trace, faults: Sequence[Fault], *, whole: bool) -> list[ComparedMark]:
    """Compare the marks of a trace with its faults.

    ``whole`` is False if not everything behind the last fault was judged.
    """
    if not trace.marks:
        return []
    exchanges = _find_exchanges(trace.events)
    windows = [_find_window(trace, fault, exchanges) for fault in faults]
    places = [count_before(trace.events, mark) for mark in trace.marks]
    own = [_choose_fault(windows, place) for place in places]
    open_faults = [one for one in windows if not one.fault.consequence and not any(one.fault is each for each in own)]
    found = []
    for mark, place, fault in zip(trace.marks, places, own, strict=True):
        kind = AGREES
        if fault is None or fault.consequence:
            # A fault that is noticed only by its consequences is noticed late.
            earlier = [one for one in open_faults if one.end < place]
            if earlier:
                kind, fault = LATE, earlier[-1].fault
                open_faults.remove(earlier[-1])
            elif fault is None:
                judged = whole or any(place <= one.end for one in windows)
                kind = UNFOUNDED if judged else UNJUDGED
        delay = None if fault is None else mark.time - _time(trace, fault)
        found.append(ComparedMark(trace.name, trace.path, mark, kind, fault, delay))
    return found


def share_marks(whole: Trace, parts: Sequence[Trace]) -> list[tuple[TraceMark, ...]]:
    """Return the marks of each part of a trace: a mark belongs to the part with the last message before it."""
    shares: dict[str, list[TraceMark]] = {part.name: [] for part in parts}
    homes = {event.ecu: part.name for part in parts for event in part.events if event.ecu != EVERYONE}
    for mark in whole.marks:
        before = whole.events[: count_before(whole.events, mark)]
        ecu = next((event.ecu for event in reversed(before) if event.ecu in homes), None)
        shares[homes[ecu] if ecu is not None else parts[0].name].append(mark)
    return [tuple(shares[part.name]) for part in parts]


def count_before(events: Sequence[Event], mark: TraceMark) -> int:
    """Return the number of messages before a mark. At the same time, the lines in the file decide."""
    return bisect_right(events, (mark.time, mark.line), key=attrgetter("time", "line"))


def find_unmarked(faults: Iterable[Fault], marks: Iterable[ComparedMark]) -> tuple[Fault, ...]:
    """Return the faults that the test environment did not mark, without the consequences of others."""
    marked = {id(one.fault) for one in marks}
    return tuple(fault for fault in faults if not fault.consequence and id(fault) not in marked)


def _find_exchanges(events: Sequence[Event]) -> list[int]:
    """Return the index of the first message of each exchange.

    A message that only keeps a session alive is sent at any time, and begins no exchange. Where nothing is called a
    request, every message is an exchange of its own.
    """
    found = [index for index, event in enumerate(events) if event.kind == REQUEST and not _keeps_alive(event)]
    return found or list(range(len(events)))


def _keeps_alive(event: Event) -> bool:
    return event.operation == "TesterPresent" and (event.ecu == EVERYONE or event.payload == "80")


def _find_window(trace: Trace, fault: Fault, exchanges: list[int]) -> _Window:
    """Return the window of a fault: from the first message of its exchange to the first of the next."""
    anchor = fault.index
    if fault.took is not None:
        began = _time(trace, fault) - fault.took
        anchor = min(anchor, bisect_right(trace.events, began, key=attrgetter("time")) - 1)
    first = bisect_right(exchanges, anchor) - 1
    following = bisect_left(exchanges, fault.index + (fault.kind != MISSING))
    start = exchanges[first] if first >= 0 else 0
    return _Window(fault, start + 1, exchanges[following] if following < len(exchanges) else len(trace.events))


def _choose_fault(windows: Iterable[_Window], place: int) -> Fault | None:
    """Return the fault in whose window a place is: rather a cause than a consequence, rather the last one."""
    some = [one.fault for one in windows if one.start <= place <= one.end]
    return next((one for one in reversed(some) if not one.consequence), some[-1] if some else None)


def _time(trace: Trace, fault: Fault) -> int:
    return fault.event.time if fault.event is not None else trace.last
