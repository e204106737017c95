"""A triage as text, for a test engineer who has never seen the model."""

from __future__ import annotations

from collections.abc import Iterator

from rootward.traces.examine import MAX_FAULTS
from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.marks import AGREES, LATE, UNFOUNDED, UNJUDGED, ComparedMark
from rootward.traces.model.event import Trace
from rootward.traces.model.guard import format_duration
from rootward.traces.output.words import (
    MAX_SENTENCE_LENGTH,
    MAX_WRITERS,
    cause,
    decision_text,
    doubt_text,
    expected_text,
    line_text,
    make_readable,
    moment,
    observed_text,
    place,
    shorten,
    silence,
    writers_text,
)
from rootward.traces.tally import Tally, UnjudgedTrace
from rootward.words import count

MAX_MESSAGES, MAX_TRACES = 6, 5
"""Maximum number of relevant messages and of traces listed."""


def summary(triage: Tally) -> str:
    """Return the whole result as text."""
    return "\n".join(_lines(triage))


def headline(triage: Tally) -> str:
    """Return one line with the number of traces that depart from the model, and the number of causes."""
    failing = triage.traces - triage.conforming - len(triage.unjudged)
    if not triage.traces:
        return "There are no traces."
    if not failing:
        return _conforming_headline(triage)
    who = f"{failing:,} of {count(triage.traces, 'trace')}" if triage.traces > 1 else "The trace"
    return (
        f"{who} depart{'s' if failing == 1 else ''} from {triage.model}, "
        f"for {count(len(triage.classes), 'cause')}{':' if triage.classes else '.'}"
    )


def _conforming_headline(triage: Tally) -> str:
    """Return the headline for a result without faults: the number of traces that are known to conform."""
    some, partly = triage.traces, sum(one.partly for one in triage.unjudged)
    if not triage.unjudged:
        return f"{'The trace conforms' if some == 1 else f'All {some:,} traces conform'} to {triage.model}."
    if some == 1:
        result = f"conforms to {triage.model} as far as it could be read" if partly else "could not be judged"
        return f"The trace {result}."
    return f"{triage.conforming:,} of {count(some, 'trace')} conform{'s' * (triage.conforming == 1)} to {triage.model}."


def _lines(triage: Tally) -> Iterator[str]:
    yield headline(triage)
    for number, one in enumerate(triage.classes, 1):
        yield ""
        yield from _class(number, one)
    extra = list(notes(triage))
    yield from ["", *extra] if extra else []


def notes(triage: Tally) -> Iterator[str]:
    """Yield notes on further departures, on traces that were not judged completely, and on problems."""
    if follow := sum(fault.consequence for fault in triage.faults):
        explained = "is" if follow == 1 else "are"
        yield f"{count(follow, 'further departure')} in these traces {explained} explained by the same causes."
    if triage.cut:
        have = "has" if triage.cut == 1 else "have"
        yield (
            f"{count(triage.cut, 'trace')} {have} {MAX_FAULTS} departures; "
            "no more than that are searched for in a trace."
        )
    if triage.uncompared:
        yield (
            f"{count(len(triage.uncompared), 'change')} of the model could not be compared, because of too many "
            f"states, the first: {shorten(triage.uncompared[0], MAX_SENTENCE_LENGTH)}"
        )
    yield from _mark_notes(triage)
    partly = [one for one in triage.unjudged if one.partly]
    if partly and triage.traces > 1:
        verb = "conforms" if len(partly) == 1 else "conform"
        yield f"{count(len(partly), 'trace')} could be judged only in part, and that part {verb}: {_names(partly)}."
    if left := [one for one in triage.unjudged if not one.partly]:
        yield f"{count(len(left), 'trace')} could not be judged: {_names(left)}."
    if triage.problems:
        yield f"{count(len(triage.problems), 'problem')}, the first: {shorten(triage.problems[0], MAX_SENTENCE_LENGTH)}"


def _mark_notes(triage: Tally) -> Iterator[str]:
    """Yield notes on the marks of the test environment, and on the faults that it did not mark."""
    if not triage.marks:
        return
    by_kind = {kind: [one for one in triage.marks if one.kind == kind] for kind in (AGREES, LATE, UNFOUNDED, UNJUDGED)}
    parts = [f"{len(by_kind[AGREES]):,} {'agrees' if len(by_kind[AGREES]) == 1 else 'agree'} with a fault"]
    if late := by_kind[LATE]:
        longest = format_duration(max(one.delay or 0 for one in late))
        parts.append(f"{len(late):,} came late (by up to {longest})" if len(late) > 1 else f"1 came {longest} late")
    if wrong := by_kind[UNFOUNDED]:
        parts.append(f"at {len(wrong):,} there is no fault")
    if left := by_kind[UNJUDGED]:
        parts.append(f"{len(left):,} could not be judged")
    yield f"The test environment marked {count(len(triage.marks), 'error')}: {', '.join(parts)}."
    if wrong:
        yield f"Marks without a fault: {_list_some([_mark_place(one) for one in wrong], ';')}."
    if free := triage.unmarked:
        verb = "is" if len(free) == 1 else "are"
        places = [f"{shorten(fault.trace)}, {place(fault)}" for fault in free]
        yield f"{count(len(free), 'fault')} {verb} not marked: {_list_some(places, ';')}."


def _mark_place(one: ComparedMark) -> str:
    where = f"{line_text(one.path, one.mark.line)} " if one.mark.line else ""
    return f"{shorten(one.trace)}, {where}at {moment(one.mark.time)} ({shorten(one.mark.text)})"


def _list_some(texts: list[str], comma: str = ",") -> str:
    more = f" and {len(texts) - MAX_TRACES:,} more" if len(texts) > MAX_TRACES else ""
    return f"{comma} ".join(texts[:MAX_TRACES]) + more


def _names(some: list[UnjudgedTrace]) -> str:
    return _list_some([shorten(one.trace) for one in some])


def _class(number: int, one: FaultClass) -> Iterator[str]:
    yield f"{number:>3}. {cause(one)}  [{one.id}]"
    yield from (f"     {line}" for line in describe_class(one))


def describe_class(one: FaultClass) -> list[str]:
    """Return the lines that show a cause on its representative fault."""
    return [f"{name:<9} {text}" for name, text in _rows(one, one.representative, one.example)]


def _rows(one: FaultClass, fault: Fault, example: Trace) -> Iterator[tuple[str, str]]:
    number = one.traces
    yield "seen in", f"{count(number, 'trace')}{', for example' if number > 1 else ':'} {fault.trace}, {place(fault)}"
    yield "expected", expected_text(fault)
    yield "observed", observed_text(fault)
    if fault.requirement:
        yield "required", shorten(make_readable(fault.requirement))
    for name, writer in zip(["because", *[""] * MAX_WRITERS], writers_text(fault), strict=False):
        yield name, writer
    kept = [k for k in fault.kept if k < len(example.events)]
    if len(kept) < len(example.events):
        for name, text in zip(["relevant", *[""] * 2 * MAX_MESSAGES], _kept_lines(example, kept, fault), strict=False):
            yield name, text
    if fault.cut:
        yield "unproved", f"explanation cut: {fault.cut}"
    elif not fault.checked:
        yield "unproved", "the proof checker did not accept the proof of this fault: check it by hand"
    for other in one.others[:MAX_MESSAGES]:
        yield "or only", "messages " + ", ".join(str(k + 1) for k in other)
    for name, text in zip(["to decide", *[""] * len(one.decisions)], map(decision_text, one.decisions), strict=False):
        yield name, text
    if doubt := doubt_text(one):
        yield "but", doubt


def _kept_lines(example: Trace, kept: list[int], fault: Fault) -> Iterator[str]:
    """Yield lines with the messages that matter and the times without a message that matter, in order of time."""
    last = kept[-MAX_MESSAGES:]
    if len(last) < len(kept):
        last = last[1:]
        yield f"{count(len(kept) - len(last), 'earlier message')}, and"
    waits = {one.before: one for one in fault.silences}
    for k in sorted({*last, *waits}):
        if k in waits:
            yield f"{'':>4}  {'':>12}  ({silence(waits[k])})"
        if k in last:
            yield f"{k + 1:>4}  {moment(example.events[k].time):>12}  {shorten(example.events[k].text)}"
