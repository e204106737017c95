"""A triage as plain JSON data, for other programs and for the page."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.grouping.deciding import Decision
from rootward.traces.marks import ComparedMark
from rootward.traces.model.event import Trace
from rootward.traces.output.words import (
    cause,
    decision_text,
    doubt_text,
    expected_events,
    make_readable,
    mark_text,
    observed_text,
    place,
    writers_text,
)
from rootward.traces.tally import Tally

CONTEXT_EVENTS, FIRST_EVENTS, MAX_EVENTS = 4, 2, 120
"""For a long trace: number of messages kept before and after each that matters, number kept from its beginning, and
maximum number kept in all."""


def as_data(triage: Tally) -> dict[str, Any]:
    """Return the result as plain data. Faults are referred to by their index in the list of all faults."""
    numbers = {id(fault): number for number, fault in enumerate(triage.faults)}
    return {
        "model": triage.model,
        "traces": triage.traces,
        "conforming": triage.conforming,
        "problems": list(triage.problems),
        "unjudged": [asdict(one) for one in triage.unjudged],
        "cut": triage.cut,
        "uncompared": list(triage.uncompared),
        "classes": [_class(one, numbers) for one in triage.classes],
        "faults": [fault_data(one) for one in triage.faults],
        "marks": [_mark(one, numbers) for one in triage.marks],
        "unmarked": [numbers[id(one)] for one in triage.unmarked],
    }


def _mark(one: ComparedMark, numbers: dict[int, int]) -> dict[str, Any]:
    return {
        "trace": one.trace,
        "path": one.path,
        "time": one.mark.time,
        "line": one.mark.line or None,
        "text": one.mark.text,
        "kind": one.kind,
        "fault": None if one.fault is None else numbers[id(one.fault)],
        "delay": one.delay,
        "comparison": mark_text(one),
    }


def _class(one: FaultClass, numbers: dict[int, int]) -> dict[str, Any]:
    fault = one.representative
    return {
        "id": one.id,
        "cause": cause(one),
        "traces": one.traces,
        "representative": numbers[id(fault)],
        "faults": [numbers[id(each)] for each in one.faults],
        "groups": [_exact_groups(one, {numbers[id(each)] for each in group}, numbers) for group in one.groups],
        "others": [list(kept) for kept in one.others],
        "decisions": [_decision(each) for each in one.decisions],
        "contradicted": one.contradicted,
        "compared": one.compared,
        "doubt": doubt_text(one),
        "example": _example(one.example, fault),
    }


def _decision(one: Decision) -> dict[str, Any]:
    return {
        "trace": one.trace,
        "path": one.path,
        "after": one.after,
        "request": one.request.text,
        "answers": [{"answer": answer, "cause": one.causes[who]} for answer, who in one.answers],
        "text": decision_text(one),
    }


def _exact_groups(one: FaultClass, group: set[int], numbers: dict[int, int]) -> list[list[int]]:
    """Return the faults of a group, divided into lists of faults that are equal as the paper defines equality."""
    every = ([numbers[id(fault)] for fault in some if numbers[id(fault)] in group] for some in one.exact)
    return [some for some in every if some]


def _example(trace: Trace, fault: Fault) -> dict[str, Any]:
    shown = _choose_events(fault, len(trace.events))
    return {
        "length": len(trace.events),
        "since": _waiting_since(trace, fault),
        "events": [
            {
                "index": index,
                "time": event.time,
                "kind": event.kind,
                "ecu": event.ecu,
                "operation": event.operation,
                "payload": event.payload,
                "line": event.line or None,
            }
            for index, event in enumerate(trace.events)
            if index in shown
        ],
    }


def _waiting_since(trace: Trace, fault: Fault) -> int | None:
    """Return the time of the message at which the wait for an answer began."""
    if fault.took is None:
        return None
    if fault.event is not None:
        return fault.event.time - fault.took
    times = [event.time for event in trace.events]
    began = trace.last - fault.took
    return began if began in times else next((times[k] for k in reversed(fault.kept) if k < len(times)), None)


def _choose_events(fault: Fault, length: int) -> set[int]:
    """Return the indices of the messages to show.

    For a short trace, these are all messages. For a long one, these are the messages that matter and their neighbours.
    """
    if length <= MAX_EVENTS:
        return set(range(length))
    kept = (*fault.kept, fault.index)
    shown = {index for index in (*range(FIRST_EVENTS), *kept) if 0 <= index < length}
    for far in range(1, CONTEXT_EVENTS + 1):
        more = {index + step for index in kept for step in (-far, far) if 0 <= index + step < length}
        if len(shown | more) > MAX_EVENTS:
            break
        shown |= more
    return shown


def fault_data(fault: Fault) -> dict[str, Any]:
    return {
        "trace": fault.trace,
        "path": fault.path,
        "index": fault.index,
        "line": fault.event.line or None if fault.event is not None else None,
        "time": fault.event.time if fault.event is not None else None,
        "place": place(fault),
        "kind": fault.kind,
        "component": fault.component,
        "expected": expected_events(fault, most=8),
        "observed": observed_text(fault),
        "requirement": make_readable(fault.requirement),
        "limit": fault.limit,
        "took": fault.took,
        "margin": fault.margin,
        "kept": list(fault.kept),
        "silences": [one._asdict() for one in fault.silences],
        "because": writers_text(fault),
        "checked": fault.checked,
        "cut": fault.cut,
        "consequence": fault.consequence,
    }
