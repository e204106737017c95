"""A triage in words: what a test engineer reads who has never seen the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rootward.traces.classify import FaultClass
from rootward.traces.event import Trace
from rootward.traces.fault import FORBIDDEN, LATE, MISSING, Fault
from rootward.traces.guard import duration
from rootward.traces.output.readable import readable

if TYPE_CHECKING:
    from rootward.traces.triage import Triage

LONG = 160
"""Longer texts are cut."""
BINARY = (".blf", ".mf4", ".pcap", ".pcapng", ".cap")
"""Files that have no lines."""
CONDITION = re.compile(r"(?P<event>.*) if (?P<name>\w+) = (?P<value>\w+) \((?P=name) is (?P<is>\w+)\)")
"""How it is said of an event that it is allowed if a variable has a value, and which one it has."""
SHOWN, WRITERS = 6, 3
"""So many messages that matter, and so many writers, are listed."""


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def summary(triage: Triage) -> str:
    """What a person reads."""
    return "\n".join(_lines(triage))


def headline(triage: Triage) -> str:
    """How many traces depart from the model, and for how many causes."""
    failing = triage.traces - triage.conforming
    if not triage.traces:
        return "There are no traces."
    if not failing:
        return f"{_all(triage.traces)} to {triage.model}."
    who = f"{failing:,} of {count(triage.traces, 'trace')}" if triage.traces > 1 else "The trace"
    return (
        f"{who} depart{'s' if failing == 1 else ''} from {triage.model}, "
        f"for {count(len(triage.classes), 'cause')}{':' if triage.classes else '.'}"
    )


def _lines(triage: Triage) -> Iterator[str]:
    yield headline(triage)
    for number, one in enumerate(triage.classes, 1):
        example = triage.examples[number - 1] if number <= len(triage.examples) else None
        yield ""
        yield from _class(number, one, example)
    if follow := sum(fault.consequence for fault in triage.faults):
        yield ""
        explained = "is" if follow == 1 else "are"
        yield f"{count(follow, 'further departure')} in these traces {explained} explained by the same causes."
    if triage.problems:
        yield ""
        yield f"{count(len(triage.problems), 'problem')} with reading, the first: {shortened(triage.problems[0])}"


def _all(traces: int) -> str:
    return "The trace conforms" if traces == 1 else f"All {traces:,} traces conform"


def _class(number: int, one: FaultClass, example: Trace | None) -> Iterator[str]:
    fault = one.representative
    yield f"{number:>3}. {cause(one)}  [{one.id}]"
    for name, text in _rows(one, fault, example):
        yield f"     {name:<9} {text}"


def _rows(one: FaultClass, fault: Fault, example: Trace | None) -> Iterator[tuple[str, str]]:
    number = traces(one)
    yield "seen in", f"{count(number, 'trace')}{', for example' if number > 1 else ':'} {fault.trace}, {place(fault)}"
    yield "expected", expected(fault)
    yield "observed", observed(fault)
    if fault.requirement:
        yield "required", shortened(readable(fault.requirement))
    for name, writer in zip(["because", *[""] * WRITERS], because(fault), strict=False):
        yield name, writer
    if example is not None and (example.name, example.path) == (fault.trace, fault.path):
        kept = [k for k in fault.kept if k < len(example.events)]
        if len(kept) < len(example.events):
            for name, text in zip(["relevant", *[""] * SHOWN], _kept(example, kept), strict=False):
                yield name, text


def _kept(example: Trace, kept: list[int]) -> Iterator[str]:
    last = kept[-SHOWN:]
    if len(last) < len(kept):
        last = last[1:]
        yield f"{count(len(kept) - len(last), 'message')} and"
    for k in last:
        yield f"{k + 1:>4}  {moment(example.events[k].time):>12}  {shortened(example.events[k].text)}"


def traces(one: FaultClass) -> int:
    """In how many traces it was seen."""
    return len({(fault.trace, fault.path) for fault in one.faults})


def cause(one: FaultClass) -> str:
    """Why, in a sentence; if no cause was found, what is wrong."""
    return f"It behaves {shortened(readable(one.cause))}" if one.cause else fault_headline(one.representative)


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
    return (" or ".join(map(shortened, wanted(fault))) or "nothing of this kind") + within


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
        return "nothing until the end of the recording"
    return shortened(fault.observed) + late


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


def shortened(text: str) -> str:
    """One line that is not too long."""
    text = " ".join(text.split())
    return text if len(text) <= LONG else f"{text[: LONG - 20]}… ({len(text):,} characters)"
