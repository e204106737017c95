"""Whether a certificate holds: it is read by itself, nothing in it is believed, and every step is checked anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rootward.errors import InputError
from rootward.traces.check import Checker
from rootward.traces.claim import Apart, At, Case, Claim, Condition
from rootward.traces.event import Event, Step, Wait
from rootward.traces.guard import Test, duration, names
from rootward.traces.model import Model
from rootward.traces.output.certificate import VERSION, Certificate, rejected
from rootward.traces.output.chain import Chain, Gap, Link
from rootward.traces.output.shape import Shape, read_shape
from rootward.traces.output.stored import restored, restored_atom


@dataclass(frozen=True)
class Verdict:
    accepted: bool
    text: str


def verify(path: str | Path) -> Verdict:
    """Check a certificate again, by itself. InputError if it is none."""
    data = read_shape(Path(path))
    try:
        if data.of("rootward").raw != "certificate":
            raise data.wrong("is no certificate of rootward")
        if data.of("version").raw != VERSION:
            raise data.wrong(f"is a certificate of version {data.of('version').raw!r}; expected {VERSION}")
        model = restored(data.of("model"))
        one = _certificate(data, model)
        return _verdict(one, rejected(Checker(model), one))
    except InputError:
        raise
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise InputError(f"{path} cannot be checked: what it says does not fit together") from None


def _verdict(one: Certificate, false: tuple[Chain, int] | None) -> Verdict:
    about = f"{one.trace}, message {one.index + 1:,} ({one.kind})"
    if false is None:
        given = "; what held after an earlier fault is taken for granted" if one.assumed else ""
        steps = f"{len(one.recording):,} steps of the recording and {len(one.explanation)} of its explanation"
        return Verdict(True, f"Accepted: {about}. {steps} were checked{given}.")
    chain, number = false
    where = "the recording" if chain is one.recording else "the explanation"
    if not number:
        return Verdict(False, f"Rejected: {about}. The model does not begin in the first condition of {where}.")
    said = _said(chain[number - 1].step)
    return Verdict(False, f"Rejected: {about}. Step {number:,} of {where} does not hold: {said}.")


def _said(step: Step | Gap) -> str:
    if isinstance(step, Event):
        return step.text[:200]
    what = "left out" if isinstance(step, Gap) else "time passes"
    return f"{what}, {duration(step.end - step.start)}"


def _certificate(data: Shape, model: Model) -> Certificate:
    conditions = [_condition(one, model) for one in data.of("conditions").items()]
    recording = _chain(data.of("recording"), conditions)
    if any(isinstance(link.step, Gap) for link in recording):
        raise data.of("recording").wrong("leaves something out, which only an explanation may")
    return Certificate(
        data.of("trace").text(),
        data.of("index").number(),
        data.of("kind").text(),
        recording,
        _chain(data.of("explanation"), conditions),
        data.of("assumed").raw is True,
    )


def _chain(data: Shape, conditions: Sequence[Condition]) -> Chain:
    links = []
    for before, step in (one.parts(2) for one in data.items()):
        if not 0 <= before.number() < len(conditions):
            raise before.wrong("is the number of no condition")
        links.append(Link(conditions[before.number()], _step(step)))
    return tuple(links)


def _step(data: Shape) -> Step | Gap:
    entries = data.entries()
    if "event" in entries:
        time, kind, ecu, operation, payload, line = entries["event"].parts(6)
        return Event(time.number(), kind.text(), ecu.text(), operation.text(), payload.text(), line.number())
    waits = "wait" in entries
    start, end = (one.number() for one in (entries["wait"] if waits else data.of("left out")).parts(2))
    if end < start:
        raise data.wrong("ends before it begins")
    return Wait(start, end) if waits else Gap(start, end)


def _condition(data: Shape, model: Model) -> Condition:
    return frozenset(_case(one, model) for one in data.items())


def _case(data: Shape, model: Model) -> Case:
    return frozenset(_claim(one, model) for one in data.items())


def _claim(data: Shape, model: Model) -> Claim:
    parts = data.items()
    if parts and parts[0].raw == "at":
        _, component, location = (one.text() for one in data.parts(3))
        if not any(
            part.name == component and location in {o.name for o in part.locations} for part in model.components
        ):
            raise data.wrong("is about a location that the model does not have")
        return At(component, location)
    if parts and parts[0].raw == "apart":
        _, late, early, bound = data.parts(4)
        clocks = [None if one.raw is None else one.text() for one in (late, early)]
        if any(clock is not None and clock not in model.clocks for clock in clocks):
            raise data.wrong("is about a clock that the model does not have")
        return Apart(clocks[0], clocks[1], bound.number())
    found = restored_atom(data)
    variables, params, _ = names(((found,),))
    if not isinstance(found, Test) or params or not variables <= model.variables.keys():
        raise data.wrong("is about something that the model does not have")
    return found
