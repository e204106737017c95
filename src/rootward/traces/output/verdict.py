"""The verdict about a certificate, in plain words: what was verified, about which model, and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rootward.traces.event import Event, Wait
from rootward.traces.guard import duration
from rootward.traces.output.certificate import AFTER, BEFORE, KEPT, Certificate
from rootward.traces.output.departure import Departure
from rootward.traces.output.seal import fingerprint

LONG = 200
"""Messages are cut after so many characters."""


@dataclass(frozen=True)
class Verdict:
    accepted: bool
    text: str


def rejected(one: Certificate, reason: str) -> Verdict:
    return Verdict(False, f"Rejected: that {_claim(one, one.trace)} is not shown.\n{reason}")


def accepted(one: Certificate, found: Departure, trace: str | None, *, model: bool) -> Verdict:
    """``trace``: the name of the recording that it was compared with; ``model``: whether it was with a model."""
    lines = [f"Accepted: {_claim(one, one.trace if trace is None else trace)}."]
    lines += [f"Assuming that {said}." for said in _assumed(one, found)]
    facts = {
        "fault": _fault(one, found),
        "explanation": _kept(one, found),
        "checked": f"{len(found.steps):,} steps of the recording from its beginning, "
        f"{len(one.explanation):,} of the explanation",
        "model": f"{one.model.name}, {'the same as' if model else 'not compared with'} a file of yours (--model)",
        "fingerprint": fingerprint(one.model),
        "recording": f"{one.trace}, not compared with a file of yours (--trace)"
        if trace is None
        else f"{one.trace}, the same as in the file {trace}",
    }
    return Verdict(True, "\n".join([*lines, *(f"  {name:<12} {said}" for name, said in facts.items())]))


def _claim(one: Certificate, trace: str) -> str:
    number = f"message {len(one.events):,}"
    where = f"after {number}, its last" if one.departs == AFTER else f"at {number}"
    return f"recording {trace} departs from model {one.model.name} {where}"


def _assumed(one: Certificate, found: Departure) -> Iterator[str]:
    for step in found.earlier:
        yield (
            "the model goes on as if it had allowed what it did not allow earlier: "
            f"{_named(one, step) if isinstance(step, Event) else _silence(one, step)}"
        )
    last = found.steps[-1]
    if one.end is not None and isinstance(last, Wait) and one.end < last.end:
        yield f"nothing came after the recording ended, at {duration(one.end)}, until {duration(last.end)}"


def _fault(one: Certificate, found: Departure) -> str:
    last = found.steps[-1]
    if isinstance(last, Event):
        return f"{_named(one, last)}: the model does not allow it after what came before"
    ended = f"; only then came {_named(one, one.events[-1])}" if one.departs == BEFORE else ""
    return f"{_silence(one, last)}: the model does not allow so long a time{ended}"


def _silence(one: Certificate, wait: Wait) -> str:
    before = [event for event in one.events if event.time <= wait.start]
    since = f"after {_named(one, before[-1])}" if before else "from the beginning"
    return f"no message {since} until {duration(wait.end)}"


def _named(one: Certificate, event: Event) -> str:
    number = next(number for number, other in enumerate(one.events, 1) if other is event)
    line = f", line {event.line:,}" if event.line else ""
    return f"message {number:,} ({event.text[:LONG]}, at {duration(event.time)}{line})"


def _kept(one: Certificate, found: Departure) -> str:
    """The messages that an explanation keeps, by number."""
    numbers = [
        f"{until // 2:,}"
        for _, how, until in one.explanation
        if how == KEPT and isinstance(found.steps[until - 1], Event)
    ]
    if not numbers:
        return "no message matters, time alone shows it"
    shown = f"messages {', '.join(numbers)} are" if len(numbers) > 1 else f"message {numbers[0]} is"
    return f"{shown} enough, of the others at most the time matters"
