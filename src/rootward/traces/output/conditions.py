"""Conditions as plain JSON data, in one form each, and back."""

from __future__ import annotations

from typing import Any

from rootward.traces.guard import Test, names
from rootward.traces.model import Model
from rootward.traces.output.seal import plain
from rootward.traces.output.shape import Shape
from rootward.traces.output.stored import restored_atom, stored_atom
from rootward.traces.proving.claim import Apart, At, Case, Claim, Condition


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
