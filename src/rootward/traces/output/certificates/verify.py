"""Whether a certificate holds: it is read by itself, nothing in it is believed, and everything is checked anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rootward.errors import InputError
from rootward.traces.model.event import Event, Trace, Wait
from rootward.traces.model.guard import duration
from rootward.traces.model.model import Model
from rootward.traces.output.certificates.certificate import AFTER, BEFORE, KEPT, VERSION, Certificate, from_data
from rootward.traces.output.certificates.departure import Departure, Examination, Wrong
from rootward.traces.output.certificates.model_data import Shape, fingerprint, read_shape, unbroken
from rootward.traces.proving.check import Checker
from rootward.traces.running.engine import Engine

Of = TypeVar("Of")
Found = TypeVar("Found")
LONG = 200
"""Messages are cut after so many characters."""


@dataclass(frozen=True)
class Verdict:
    accepted: bool
    text: str


def verify(path: str | Path, *, model: Model | None = None, trace: Trace | None = None) -> Verdict:
    """Check a certificate again, by itself. InputError if it is none.

    ``model``, ``trace``: what it is said to be about; if it is about something else, it is rejected.
    """
    data = read_shape(Path(path))
    if data.of("rootward").raw != "certificate":
        raise data.wrong("is no certificate of rootward")
    version = data.of("version").raw
    if type(version) is not int or version != VERSION:
        raise data.wrong(f"is a certificate of version {version!r}; expected {VERSION}")
    if not unbroken(data.raw):
        return Verdict(False, f"Rejected: {path} was changed or damaged after it was written: its seal does not fit.")
    one = _sound(data, from_data, data)
    try:
        if model is not None:
            _check_model(one, model)
        if trace is not None:
            _check_trace(one, trace)
        found = _sound(data, _departure, one)
    except Wrong as wrong:
        return rejected(one, str(wrong))
    return accepted(one, found, None if trace is None else trace.name, model=model is not None)


def _departure(one: Certificate) -> Departure:
    return Examination(Engine(one.model), Checker(one.model)).departure(one)


def _sound(data: Shape, work: Callable[[Of], Found], of: Of) -> Found:
    """What some work on data finds: whatever goes wrong with it is the fault of the data. InputError then."""
    try:
        return work(of)
    except InputError:
        raise
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise data.wrong("cannot be checked: what it says does not fit together") from None


def _check_model(one: Certificate, model: Model) -> None:
    if fingerprint(one.model) != fingerprint(model):
        raise Wrong(
            f"It is about another model: the fingerprint of {one.model.name} in it is {fingerprint(one.model)}, "
            f"that of {model.name} which was given is {fingerprint(model)}. Do the parameters differ?"
        )


def _check_trace(one: Certificate, trace: Trace) -> None:
    mine = trace.events if one.departs == AFTER else trace.events[: len(one.events)]
    for number, (said, recorded) in enumerate(zip(one.events, mine, strict=False), 1):
        if said != recorded:
            raise Wrong(f"It is about another recording: message {number:,} of {trace.name} is another one.")
    if len(mine) != len(one.events):
        sizes = f"{len(trace.events):,} messages, the certificate {len(one.events):,}"
        raise Wrong(f"It is about another recording: {trace.name} has {sizes}.")
    end = trace.end if trace.end is not None else mine[-1].time if mine else 0
    if one.end is not None and one.end != end:
        raise Wrong(f"It is about another recording: {trace.name} ends at another time.")


# The verdict in plain words: what was verified, about which model, and what was assumed


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
