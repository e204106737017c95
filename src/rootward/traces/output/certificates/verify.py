"""Verify a certificate: read it without other files, believe nothing in it, and check everything from scratch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rootward.errors import InputError
from rootward.traces.model.event import Event, Trace, Wait
from rootward.traces.model.guard import format_duration
from rootward.traces.model.model import Model
from rootward.traces.output.certificates.certificate import AFTER, BEFORE, KEPT, VERSION, Certificate, from_data
from rootward.traces.output.certificates.departure import Examination, InvalidCertificate, ReplayedDeparture
from rootward.traces.output.certificates.model_data import UntrustedData, fingerprint, is_intact, read_untrusted
from rootward.traces.proving.check import Checker
from rootward.traces.running.engine import Engine

Of = TypeVar("Of")
Found = TypeVar("Found")
MAX_MESSAGE_LENGTH = 200
"""Maximum number of characters of a message that is quoted."""


@dataclass(frozen=True)
class CertificateCheck:
    accepted: bool
    text: str


def verify(path: str | Path, *, model: Model | None = None, trace: Trace | None = None) -> CertificateCheck:
    """Check a certificate. Raises InputError if the file is not a certificate.

    No other file is needed. If ``model`` or ``trace`` is given, the certificate is rejected if it is about a different
    model or recording.
    """
    data = read_untrusted(Path(path))
    if data.raw_entry("rootward") != "certificate":
        raise data.error("is not a certificate that Rootward wrote")
    version = data.of("version").raw
    if type(version) is not int or version != VERSION:
        raise data.error(f"has certificate version {version!r}; expected {VERSION}")
    if not is_intact(data.raw):
        return CertificateCheck(
            False, f"Rejected: {path} was changed or damaged after it was written: its seal does not match."
        )
    one = _guard_errors(data, from_data, data)
    try:
        if model is not None:
            _check_model(one, model)
        if trace is not None:
            _check_trace(one, trace)
        found = _guard_errors(data, _departure, one)
    except InvalidCertificate as wrong:
        return _reject(one, str(wrong))
    return _accept(one, found, None if trace is None else trace.name, model=model is not None)


def _departure(one: Certificate) -> ReplayedDeparture:
    return Examination(Engine(one.model), Checker(one.model)).departure(one)


def _guard_errors(data: UntrustedData, work: Callable[[Of], Found], of: Of) -> Found:
    """Return the result of ``work`` on ``of``.

    Any error is blamed on the data, so it is turned into an InputError.
    """
    try:
        return work(of)
    except InputError:
        raise
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise data.error("cannot be checked: its parts do not fit together") from None


def _check_model(one: Certificate, model: Model) -> None:
    if fingerprint(one.model) != fingerprint(model):
        raise InvalidCertificate(
            f"It is about another model: the fingerprint of {one.model.name} in the certificate is "
            f"{fingerprint(one.model)}, that of your model {model.name} is {fingerprint(model)}. "
            "Do the parameters differ?"
        )


def _check_trace(one: Certificate, trace: Trace) -> None:
    mine = trace.events if one.departs == AFTER else trace.events[: len(one.events)]
    for number, (said, recorded) in enumerate(zip(one.events, mine, strict=False), 1):
        if said != recorded:
            raise InvalidCertificate(f"It is about another recording: message {number:,} of {trace.name} is different.")
    if len(mine) != len(one.events):
        sizes = f"{len(trace.events):,} messages, the certificate {len(one.events):,}"
        raise InvalidCertificate(f"It is about another recording: {trace.name} has {sizes}.")
    end = trace.end if trace.end is not None else mine[-1].time if mine else 0
    if one.end is not None and one.end != end:
        raise InvalidCertificate(f"It is about another recording: {trace.name} ends at another time.")


# The verdict as text: what was verified, for which model, and under which assumptions


def _reject(one: Certificate, reason: str) -> CertificateCheck:
    return CertificateCheck(False, f"Rejected: it does not prove that {_claim(one, one.trace)}.\n{reason}")


def _accept(one: Certificate, found: ReplayedDeparture, trace: str | None, *, model: bool) -> CertificateCheck:
    """Return the verdict on a valid certificate.

    ``trace`` is the name of the recording with which the certificate was compared, if any. ``model`` is True if the
    certificate was compared with a model.
    """
    lines = [f"Accepted: {_claim(one, one.trace if trace is None else trace)}."]
    lines += [f"Assuming that {said}." for said in _list_assumptions(one, found)]
    facts = {
        "fault": _describe_fault(one, found),
        "explanation": _describe_explanation(one, found),
        "checked": f"{len(found.steps):,} steps of the recording from its beginning, "
        f"{len(one.explanation):,} of the explanation",
        "model": f"{one.model.name}, {'the same as' if model else 'not compared with'} a file of yours (--model)",
        "fingerprint": fingerprint(one.model),
        "recording": f"{one.trace}, not compared with a file of yours (--trace)"
        if trace is None
        else f"{one.trace}, the same as in the file {trace}",
    }
    return CertificateCheck(True, "\n".join([*lines, *(f"  {name:<12} {said}" for name, said in facts.items())]))


def _claim(one: Certificate, trace: str) -> str:
    number = f"message {len(one.events):,}"
    where = f"after {number}, its last" if one.departs == AFTER else f"at {number}"
    return f"recording {trace} departs from model {one.model.name} {where}"


def _list_assumptions(one: Certificate, found: ReplayedDeparture) -> Iterator[str]:
    for step in found.earlier:
        yield (
            "after an earlier departure, the model continues as if it had been allowed: "
            f"{_describe_event(one, step) if isinstance(step, Event) else _describe_silence(one, step)}"
        )
    last = found.steps[-1]
    if one.end is not None and isinstance(last, Wait) and one.end < last.end:
        yield (
            f"nothing came after the recording ended, at {format_duration(one.end)}, until {format_duration(last.end)}"
        )


def _describe_fault(one: Certificate, found: ReplayedDeparture) -> str:
    last = found.steps[-1]
    if isinstance(last, Event):
        return f"{_describe_event(one, last)}: the model does not allow it here"
    ended = f"; only then came {_describe_event(one, one.events[-1])}" if one.departs == BEFORE else ""
    return f"{_describe_silence(one, last)}: the model does not allow such a long wait{ended}"


def _describe_silence(one: Certificate, wait: Wait) -> str:
    before = [event for event in one.events if event.time <= wait.start]
    since = f"after {_describe_event(one, before[-1])}" if before else "from the beginning"
    return f"no message {since} until {format_duration(wait.end)}"


def _describe_event(one: Certificate, event: Event) -> str:
    number = next(number for number, other in enumerate(one.events, 1) if other is event)
    line = f", line {event.line:,}" if event.line else ""
    return f"message {number:,} ({event.text[:MAX_MESSAGE_LENGTH]}, at {format_duration(event.time)}{line})"


def _describe_explanation(one: Certificate, found: ReplayedDeparture) -> str:
    """List the messages that an explanation keeps, by number."""
    numbers = [
        f"{until // 2:,}"
        for _, how, until in one.explanation
        if how == KEPT and isinstance(found.steps[until - 1], Event)
    ]
    if not numbers:
        return "no message matters; the time alone shows the fault"
    shown = f"messages {', '.join(numbers)} are" if len(numbers) > 1 else f"message {numbers[0]} is"
    return f"{shown} enough; of the others, only the time can matter"
