"""All rules, one after another. Severity is certainty: an error is a fact, a warning may be meant or never come up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rootward.traces.guard import Term
from rootward.traces.linting.cycles import endless
from rootward.traces.linting.firing import dead, never_fire, unreachable
from rootward.traces.linting.held import held
from rootward.traces.linting.names import undeclared
from rootward.traces.linting.possible import Domain
from rootward.traces.linting.promises import overlapping
from rootward.traces.linting.remark import Remark
from rootward.traces.linting.waiting import waiting
from rootward.traces.model import Component, Model


def lint(model: Model) -> list[Remark]:
    """What a person should know of the model. Of a component with wrong names, nothing else can be said."""
    remarks = list(undeclared(model))
    wrong = {remark.component for remark in remarks}
    variables = held(model)
    for component in model.components:
        if component.name not in wrong:
            remarks.extend(_behaviour(model, component, variables))
    return list(dict.fromkeys(remarks))


def _behaviour(model: Model, component: Component, variables: Mapping[Term, Domain]) -> Iterator[Remark]:
    reasons = dead(component, variables)
    live = [edge for edge, reason in zip(component.edges, reasons, strict=True) if not reason]
    yield from unreachable(component, live)
    yield from never_fire(component, reasons)
    yield from waiting(model, component, live, variables)
    yield from endless(component, live, variables)
    if component.deterministic:
        yield from overlapping(component, live, variables)
