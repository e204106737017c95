"""Whether a certificate holds: it is read by itself, nothing in it is believed, and everything is checked anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rootward.errors import InputError
from rootward.traces.event import Trace
from rootward.traces.model import Model
from rootward.traces.output.certificate import AFTER, VERSION, Certificate, from_data
from rootward.traces.output.departure import Departure, Examination, Wrong
from rootward.traces.output.seal import fingerprint, unbroken
from rootward.traces.output.shape import Shape, read_shape
from rootward.traces.output.verdict import Verdict, accepted, rejected
from rootward.traces.proving.check import Checker
from rootward.traces.running.engine import Engine

Of = TypeVar("Of")
Found = TypeVar("Found")


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
