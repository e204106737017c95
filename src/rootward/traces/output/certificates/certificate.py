"""Certificates: a fault as something that anybody can check again, without the recording and without trust.

A certificate says no more than is needed to find everything else anew: the model, the messages of the recording up to
the fault, a condition before each step since an earlier fault or the beginning, and what of these steps the
explanation keeps. It has one form: what says the same in another way, or says more, is no certificate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rootward.traces.model.event import Event, Step, Trace
from rootward.traces.model.guard import Test, names
from rootward.traces.model.model import Model
from rootward.traces.output.certificates.model_data import (
    Shape,
    fingerprint,
    plain,
    restored,
    restored_atom,
    sealed,
    stored,
    stored_atom,
)
from rootward.traces.proving.claim import Apart, At, Case, Claim, Condition
from rootward.traces.running.replay import steps

VERSION = 2
AT, BEFORE, AFTER = "at", "before", "after"
KEPT, TIME, LEFT_OUT = "kept", "time", "left out"


class Passage(NamedTuple):
    """A part of an explanation."""

    before: Condition
    how: str
    """The step is kept; or the messages are left out, but not the time; or both are left out."""
    until: int
    """How many steps of the recording are done then."""


@dataclass(frozen=True)
class Certificate:
    model: Model
    trace: str
    events: tuple[Event, ...]
    """From the beginning of the recording to its last one before, at or after the fault."""
    departs: str
    """At the last message; before it, as it came too late; or after it, as nothing more came."""
    end: int | None
    """When the recording ended, if nothing more came."""
    proof: tuple[Condition, ...]
    """The conditions before the steps since an earlier fault, or since the beginning."""
    explanation: tuple[Passage, ...]

    @property
    def recording(self) -> Trace:
        return Trace(self.trace, self.events, self.end)

    def steps(self, patience: int) -> list[Step]:
        """The steps of the recording up to the one that is not allowed."""
        every = steps(self.recording, patience if self.departs == AFTER else 0)
        return every[:-1] if self.departs == BEFORE else every


def text(one: Certificate) -> str:
    """A certificate as it is written to a file. InputError if its model cannot be stored."""
    return f"{plain(to_data(one))}\n"


def to_data(one: Certificate) -> dict[str, Any]:
    number: dict[Condition, int] = {}
    for condition in (*one.proof, *(part.before for part in one.explanation)):
        number.setdefault(condition, len(number))
    return sealed(
        {
            "rootward": "certificate",
            "version": VERSION,
            "trace": one.trace,
            "events": [[e.time, e.kind, e.ecu, e.operation, e.payload, e.line] for e in one.events],
            "departs": one.departs,
            "end": one.end,
            "conditions": [stored_condition(condition) for condition in number],
            "proof": [number[condition] for condition in one.proof],
            "explanation": [[number[part.before], part.how, part.until] for part in one.explanation],
            "fingerprint": fingerprint(one.model),
            "model": stored(one.model),
        }
    )


def from_data(data: Shape) -> Certificate:
    """What data says, if it is the one form of a certificate. InputError if it is not."""
    model = restored(data.of("model"))
    conditions = [restored_condition(one, model) for one in data.of("conditions").items()]
    one = Certificate(
        model,
        data.of("trace").text(),
        _events(data.of("events")),
        data.of("departs").one_of(AT, BEFORE, AFTER),
        data.of("end").number_or_none(),
        tuple(_numbered(number, conditions) for number in data.of("proof").items()),
        tuple(_passage(part, conditions) for part in data.of("explanation").items()),
    )
    _check_ends(one, data)
    again = to_data(one)
    for key in {**data.raw, **again}:
        if plain(data.raw.get(key)) != plain(again.get(key)) or key not in data.raw or key not in again:
            raise data.wrong(f"is no certificate as rootward writes it: {key!r} is not what follows from the rest")
    return one


def _events(data: Shape) -> tuple[Event, ...]:
    found, now = list[Event](), 0
    for one in data.items():
        time, kind, ecu, operation, payload, line = one.parts(6)
        if time.number() < now:
            raise one.wrong("is earlier than what comes before it")
        now = time.number()
        found.append(Event(now, kind.text(), ecu.text(), operation.text(), payload.text(), line.number()))
    return tuple(found)


def _check_ends(one: Certificate, data: Shape) -> None:
    """Whether the recording can be what it is said to be."""
    if not one.events and one.departs != AFTER:
        raise data.of("events").wrong("has no message at which the recording could depart")
    last = one.events[-1].time if one.events else 0
    if (one.end is not None) != (one.departs == AFTER) or (one.end is not None and one.end < last):
        raise data.of("end").wrong("is not when a recording ended of which nothing more came")


def _passage(data: Shape, conditions: Sequence[Condition]) -> Passage:
    before, how, until = data.parts(3)
    return Passage(_numbered(before, conditions), how.one_of(KEPT, TIME, LEFT_OUT), until.number())


def _numbered(data: Shape, conditions: Sequence[Condition]) -> Condition:
    if not 0 <= data.number() < len(conditions):
        raise data.wrong("is the number of no condition")
    return conditions[data.number()]


# Conditions as plain JSON data, in one form each, and back


def stored_condition(one: Condition) -> list[Any]:
    return sorted((sorted(map(_stored_claim, case), key=plain) for case in one), key=plain)


def _stored_claim(claim: Claim) -> list[Any]:
    if isinstance(claim, At):
        return ["at", claim.component, claim.location]
    if isinstance(claim, Apart):
        return ["apart", claim.late, claim.early, claim.bound]
    return stored_atom(claim)


def restored_condition(data: Shape, model: Model) -> Condition:
    """InputError if it is about something that the model does not have."""
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
