"""A triage in words: what a test engineer reads who has never seen the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rootward.traces.event import Trace
from rootward.traces.examine import FAULTS
from rootward.traces.fault import FORBIDDEN, LATE, MISSING, Fault, Silence
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.guard import duration
from rootward.traces.output.readable import readable
from rootward.words import count

if TYPE_CHECKING:
    from rootward.traces.triage import Triage, Unjudged

LONG = 160
"""Longer texts are cut."""
BINARY = (".blf", ".mf4", ".pcap", ".pcapng", ".cap")
"""Files that have no lines."""
CONDITION = re.compile(r"(?P<event>.*) if (?P<name>\w+) = (?P<value>\w+) \((?P=name) is (?P<is>\w+)\)")
"""How it is said of an event that it is allowed if a variable has a value, and which one it has."""
SHOWN, WRITERS, NAMED = 6, 3, 5
"""So many messages that matter, so many writers and so many traces are listed."""
WHOLE = 400
"""Problems and causes are said in whole sentences."""


def summary(triage: Triage) -> str:
    """What a person reads."""
    return "\n".join(_lines(triage))


def headline(triage: Triage) -> str:
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


def _conforming(triage: Triage) -> str:
    """That there are no faults, and of how many traces this is known."""
    some, partly = triage.traces, sum(one.partly for one in triage.unjudged)
    if not triage.unjudged:
        return f"{'The trace conforms' if some == 1 else f'All {some:,} traces conform'} to {triage.model}."
    if some == 1:
        told = f"conforms to {triage.model} as far as it could be read" if partly else "could not be judged"
        return f"The trace {told}."
    return f"{triage.conforming:,} of {count(some, 'trace')} conform{'s' * (triage.conforming == 1)} to {triage.model}."


def _lines(triage: Triage) -> Iterator[str]:
    yield headline(triage)
    for number, one in enumerate(triage.classes, 1):
        yield ""
        yield from _class(number, one)
    told = list(notes(triage))
    yield from ["", *told] if told else []


def notes(triage: Triage) -> Iterator[str]:
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
    number = traces(one)
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


def silence(one: Silence) -> str:
    """A time that matters."""
    limit = f": more than {duration(one.limit)}" if one.limit is not None else ""
    return f"{duration(one.passed)} pass{limit}"


def traces(one: FaultClass) -> int:
    """In how many traces it was seen."""
    return len({(fault.trace, fault.path) for fault in one.faults})


def cause(one: FaultClass) -> str:
    """Why, in a sentence; if no cause was found, what is wrong."""
    return f"It behaves {shortened(readable(one.cause), WHOLE)}" if one.cause else fault_headline(one.representative)


def fault_headline(fault: Fault) -> str:
    """A fault in a few words."""
    who = fault.component or "the model"
    if fault.kind == FORBIDDEN:
        return f"{who} does not allow {shortened(fault.observed)}"
    return f"{who}: the answer is late" if fault.kind == LATE else f"{who}: there is no answer"


def place(fault: Fault) -> str:
    """Where in its trace."""
    if fault.event is None:
        return "at its end"
    what = "frame" if fault.path.lower().endswith(BINARY) else "line"
    line = f" ({what} {fault.event.line:,})" if fault.event.line else ""
    return f"message {fault.index + 1:,}{line} at {moment(fault.event.time)}"


def expected(fault: Fault) -> str:
    """What the model allows there."""
    within = f", within {duration(fault.limit)}" if fault.limit is not None else ""
    return (" or ".join(shortened(text) for text in wanted(fault)) or "nothing of this kind") + within


def wanted(fault: Fault, most: int = 3) -> list[str]:
    """What is expected, the most telling first: what asks for patience, or begins anew, only if there is no other."""
    ecu = fault.event.ecu if fault.event is not None and fault.event.kind == "res" else ""
    due = [_simpler(text) for text in fault.expected]
    texts = [readable(text, ecu) for text in filter(None, due)] or [readable(text, ecu) for text in fault.expected]
    told = [text for text in texts if not text.startswith("req ")] or texts
    told.sort(key=lambda text: text.endswith("NRC 78"))
    return list(dict.fromkeys(told))[:most]


def _simpler(text: str) -> str:
    """Without a condition that is met; empty if it is not met, so that this cannot be expected."""
    found = CONDITION.fullmatch(text)
    if found is None:
        return text
    return f"{found['event']} ({found['name']} is {found['is']})" if found["is"] == found["value"] else ""


def observed(fault: Fault) -> str:
    late = f": {duration(fault.margin)} too late" if fault.kind == LATE and fault.margin is not None else ""
    if fault.kind == MISSING and fault.event is None:
        return f"nothing until the end of the recording{_recorded(fault)}"
    return shortened(fault.observed) + late


def _recorded(fault: Fault) -> str:
    """How long one would have seen an answer."""
    if fault.took is None:
        return ""
    cut = fault.limit is not None and fault.took < fault.limit
    return f", {duration(fault.took)} later{': it may just have been cut off' if cut else ''}"


def because(fault: Fault) -> list[str]:
    """What last wrote what matters; that a request makes one wait for the answer goes without saying."""
    found = [
        (root.name, shortened(readable(writer)))
        for writer, root in zip(fault.writers, fault.roots, strict=True)
        if root.name != f"{fault.component}.wait"
    ]
    found.sort(key=lambda one: "." in one[0])  # timers and the like last
    return list(dict.fromkeys(text for _, text in found))[:WRITERS]


def moment(time: int) -> str:
    """An instant of a recording."""
    return f"{time / 1e6:.6f} s"


def shortened(text: str, most: int = LONG) -> str:
    """One line that is not too long."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 20]}… ({len(text):,} characters)"
