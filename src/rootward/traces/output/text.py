"""A triage in words: what a test engineer reads who has never seen the model."""

from __future__ import annotations

from collections.abc import Iterator

from rootward.traces.examine import FAULTS
from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.model.event import Trace
from rootward.traces.output.words import (
    WHOLE,
    WRITERS,
    because,
    cause,
    expected,
    moment,
    observed,
    place,
    readable,
    shortened,
    silence,
)
from rootward.traces.tally import Tally, Unjudged
from rootward.words import count

SHOWN, NAMED = 6, 5
"""So many messages that matter and so many traces are listed."""


def summary(triage: Tally) -> str:
    """What a person reads."""
    return "\n".join(_lines(triage))


def headline(triage: Tally) -> str:
    """How many traces depart from the model, and for how many causes."""
    failing = triage.traces - triage.conforming - len(triage.unjudged)
    if not triage.traces:
        return "There are no traces."
    if not failing:
        return _conforming(triage)
    who = f"{failing:,} of {count(triage.traces, 'trace')}" if triage.traces > 1 else "The trace"
    return (
        f"{who} depart{'s' if failing == 1 else ''} from {triage.model}, "
        f"for {count(len(triage.classes), 'cause')}{':' if triage.classes else '.'}"
    )


def _conforming(triage: Tally) -> str:
    """That there are no faults, and of how many traces this is known."""
    some, partly = triage.traces, sum(one.partly for one in triage.unjudged)
    if not triage.unjudged:
        return f"{'The trace conforms' if some == 1 else f'All {some:,} traces conform'} to {triage.model}."
    if some == 1:
        told = f"conforms to {triage.model} as far as it could be read" if partly else "could not be judged"
        return f"The trace {told}."
    return f"{triage.conforming:,} of {count(some, 'trace')} conform{'s' * (triage.conforming == 1)} to {triage.model}."


def _lines(triage: Tally) -> Iterator[str]:
    yield headline(triage)
    for number, one in enumerate(triage.classes, 1):
        yield ""
        yield from _class(number, one)
    told = list(notes(triage))
    yield from ["", *told] if told else []


def notes(triage: Tally) -> Iterator[str]:
    """What else there is to know."""
    if follow := sum(fault.consequence for fault in triage.faults):
        explained = "is" if follow == 1 else "are"
        yield f"{count(follow, 'further departure')} in these traces {explained} explained by the same causes."
    if triage.cut:
        have = "has" if triage.cut == 1 else "have"
        yield f"{count(triage.cut, 'trace')} {have} {FAULTS} departures, and no more are looked for in one trace."
    partly = [one for one in triage.unjudged if one.partly]
    if partly and triage.traces > 1:
        verb = "conforms" if len(partly) == 1 else "conform"
        yield f"{count(len(partly), 'trace')} {verb} only as far as could be read: {_names(partly)}."
    if left := [one for one in triage.unjudged if not one.partly]:
        yield f"{count(len(left), 'trace')} could not be judged: {_names(left)}."
    if triage.problems:
        yield f"{count(len(triage.problems), 'problem')}, the first: {shortened(triage.problems[0], WHOLE)}"


def _names(some: list[Unjudged]) -> str:
    more = f" and {len(some) - NAMED:,} more" if len(some) > NAMED else ""
    return ", ".join(shortened(one.trace) for one in some[:NAMED]) + more


def _class(number: int, one: FaultClass) -> Iterator[str]:
    yield f"{number:>3}. {cause(one)}  [{one.id}]"
    yield from (f"     {line}" for line in described(one))


def described(one: FaultClass) -> list[str]:
    """What shows a cause, line by line."""
    return [f"{name:<9} {text}" for name, text in _rows(one, one.representative, one.example)]


def _rows(one: FaultClass, fault: Fault, example: Trace) -> Iterator[tuple[str, str]]:
    number = one.traces
    yield "seen in", f"{count(number, 'trace')}{', for example' if number > 1 else ':'} {fault.trace}, {place(fault)}"
    yield "expected", expected(fault)
    yield "observed", observed(fault)
    if fault.requirement:
        yield "required", shortened(readable(fault.requirement))
    for name, writer in zip(["because", *[""] * WRITERS], because(fault), strict=False):
        yield name, writer
    kept = [k for k in fault.kept if k < len(example.events)]
    if len(kept) < len(example.events):
        for name, text in zip(["relevant", *[""] * 2 * SHOWN], _kept(example, kept, fault), strict=False):
            yield name, text
    if not fault.checked:
        yield "unproved", "the checker has not accepted the proof of this: look at it yourself"
    for other in one.others[:SHOWN]:
        yield "or only", "messages " + ", ".join(str(k + 1) for k in other)


def _kept(example: Trace, kept: list[int], fault: Fault) -> Iterator[str]:
    """What matters, in order: messages, and times without one."""
    last = kept[-SHOWN:]
    if len(last) < len(kept):
        last = last[1:]
        yield f"{count(len(kept) - len(last), 'earlier message')}, and"
    waits = {one.before: one for one in fault.silences}
    for k in sorted({*last, *waits}):
        if k in waits:
            yield f"{'':>4}  {'':>12}  ({silence(waits[k])})"
        if k in last:
            yield f"{k + 1:>4}  {moment(example.events[k].time):>12}  {shortened(example.events[k].text)}"
