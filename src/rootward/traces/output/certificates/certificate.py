"""Certificates: proofs of faults that anyone can check, without the recording and without trusting their author.

A certificate contains only what is needed to derive the rest: the model, the messages of the recording up to the fault,
a condition before each step since an earlier fault or the beginning, and which of these steps the explanation keeps.
Each certificate has exactly one form: data that expresses the same in another way, or contains more, is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rootward.traces.model.event import Event, Step, Trace
from rootward.traces.model.guard import Test, names
from rootward.traces.model.model import Model
from rootward.traces.output.certificates.model_data import (
    StoredModel,
    UntrustedData,
    add_seal,
    atom_from_data,
    atom_to_data,
    canonical_json,
    model_from_data,
    store_model,
)
from rootward.traces.proving.claim import Case, Claim, Condition, InLocation, ResetDistance
from rootward.traces.running.replay import split_steps

VERSION = 2
AT, BEFORE, AFTER = "at", "before", "after"
KEPT, TIME, LEFT_OUT = "kept", "time", "left out"


class Passage(NamedTuple):
    """One part of an explanation."""

    before: Condition
    how: str
    """KEPT: the step is kept. TIME: the messages are left out, but the time passes. LEFT_OUT: both are left out."""
    until: int
    """Number of steps of the recording from its beginning to the end of this part."""


@dataclass(frozen=True)
class Certificate:
    model: Model
    trace: str
    events: tuple[Event, ...]
    """The messages from the beginning of the recording to the fault."""
    departs: str
    """AT the last message; BEFORE it, because it came too late; or AFTER it, because nothing more came."""
    end: int | None
    """The end of the recording, if nothing more came."""
    proof: tuple[Condition, ...]
    """The condition before each step since the last earlier fault, or since the beginning."""
    explanation: tuple[Passage, ...]

    @property
    def recording(self) -> Trace:
        return Trace(self.trace, self.events, self.end)

    def steps(self, patience: int) -> list[Step]:
        """Return the steps of the recording, up to and including the step that is not allowed."""
        every = split_steps(self.recording, patience if self.departs == AFTER else 0)
        return every[:-1] if self.departs == BEFORE else every


def certificate_text(one: Certificate, model: StoredModel | None = None) -> str:
    """Return a certificate as the text of its file. Raises InputError if its model cannot be stored."""
    return f"{canonical_json(to_data(one, model))}\n"


def to_data(one: Certificate, model: StoredModel | None = None) -> dict[str, Any]:
    """Convert a certificate to data. ``model`` is its model, if that is stored already."""
    stored = model or store_model(one.model)
    number: dict[Condition, int] = {}
    for condition in (*one.proof, *(part.before for part in one.explanation)):
        number.setdefault(condition, len(number))
    return add_seal(
        {
            "rootward": "certificate",
            "version": VERSION,
            "trace": one.trace,
            "events": [[e.time, e.kind, e.ecu, e.operation, e.payload, e.line] for e in one.events],
            "departs": one.departs,
            "end": one.end,
            "conditions": [_condition_to_data(condition) for condition in number],
            "proof": [number[condition] for condition in one.proof],
            "explanation": [[number[part.before], part.how, part.until] for part in one.explanation],
            "fingerprint": stored.fingerprint,
            "model": stored.data,
        }
    )


def from_data(data: UntrustedData) -> Certificate:
    """Read a certificate from data. Raises InputError if the data is not exactly the form that `to_data` writes."""
    model = model_from_data(data.of("model"))
    conditions = [_condition_from_data(one, model) for one in data.of("conditions").items()]
    one = Certificate(
        model,
        data.of("trace").text(),
        _events(data.of("events")),
        data.of("departs").one_of(AT, BEFORE, AFTER),
        data.of("end").number_or_none(),
        tuple(_find_condition(number, conditions) for number in data.of("proof").items()),
        tuple(_passage(part, conditions) for part in data.of("explanation").items()),
    )
    _check_ends(one, data)
    again = to_data(one)
    for key in {**data.raw, **again}:
        if (
            canonical_json(data.raw.get(key)) != canonical_json(again.get(key))
            or key not in data.raw
            or key not in again
        ):
            raise data.error(f"is not a certificate as Rootward writes it: {key!r} does not fit the rest")
    return one


def _events(data: UntrustedData) -> tuple[Event, ...]:
    found, now = list[Event](), 0
    for one in data.items():
        time, kind, ecu, operation, payload, line = one.parts(6)
        if time.number() < now:
            raise one.error("is earlier than the message before it")
        now = time.number()
        found.append(Event(now, kind.text(), ecu.text(), operation.text(), payload.text(), line.number()))
    return tuple(found)


def _check_ends(one: Certificate, data: UntrustedData) -> None:
    """Raise InputError if the end of the recording does not fit the kind of fault."""
    if not one.events and one.departs != AFTER:
        raise data.of("events").error("has no message at which the recording could depart")
    last = one.events[-1].time if one.events else 0
    if (one.end is not None) != (one.departs == AFTER) or (one.end is not None and one.end < last):
        raise data.of("end").error("must be the end of the recording if nothing more came, else null")


def _passage(data: UntrustedData, conditions: Sequence[Condition]) -> Passage:
    before, how, until = data.parts(3)
    return Passage(_find_condition(before, conditions), how.one_of(KEPT, TIME, LEFT_OUT), until.number())


def _find_condition(data: UntrustedData, conditions: Sequence[Condition]) -> Condition:
    if not 0 <= data.number() < len(conditions):
        raise data.error("is not the number of a condition")
    return conditions[data.number()]


# Conditions as plain JSON data, in one form each, and back


def _condition_to_data(one: Condition) -> list[Any]:
    return sorted((sorted(map(_claim_to_data, case), key=canonical_json) for case in one), key=canonical_json)


def _claim_to_data(claim: Claim) -> list[Any]:
    if isinstance(claim, InLocation):
        return ["at", claim.component, claim.location]
    if isinstance(claim, ResetDistance):
        return ["apart", claim.late, claim.early, claim.bound]
    return atom_to_data(claim)


def _condition_from_data(data: UntrustedData, model: Model) -> Condition:
    """Read a condition from data. Raises InputError if it names something that the model does not have."""
    return frozenset(_case(one, model) for one in data.items())


def _case(data: UntrustedData, model: Model) -> Case:
    return frozenset(_claim(one, model) for one in data.items())


def _claim(data: UntrustedData, model: Model) -> Claim:
    parts = data.items()
    if parts and parts[0].raw == "at":
        _, component, location = (one.text() for one in data.parts(3))
        if not any(
            part.name == component and location in {o.name for o in part.locations} for part in model.components
        ):
            raise data.error("names a location that the model does not have")
        return InLocation(component, location)
    if parts and parts[0].raw == "apart":
        _, late, early, bound = data.parts(4)
        clocks = [None if one.raw is None else one.text() for one in (late, early)]
        if any(clock is not None and clock not in model.clocks for clock in clocks):
            raise data.error("names a clock that the model does not have")
        return ResetDistance(clocks[0], clocks[1], bound.number())
    found = atom_from_data(data)
    variables, params, _ = names(((found,),))
    if not isinstance(found, Test) or params or not variables <= model.variables.keys():
        raise data.error("names a variable that the model does not have, or is not a claim about variables")
    return found
