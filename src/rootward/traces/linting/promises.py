"""Whether a component that was promised to be deterministic is: no two edges from a location can be taken at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from rootward.traces.guard import Guard, Param, Term, Test, with_terms
from rootward.traces.linting.firing import bounded, domains_of, together
from rootward.traces.linting.possible import Domain
from rootward.traces.linting.remark import Remark, edge_name
from rootward.traces.linting.words import DOUBT, NO, YES, meet, shared
from rootward.traces.model import Component, Edge


def overlapping(component: Component, live: Iterable[Edge], variables: Mapping[Term, Domain]) -> Iterator[Remark]:
    invariants = {location.name: bounded(location) for location in component.locations}
    within = {location.name: location.invariant for location in component.locations}
    leaving: dict[tuple[str, bool], list[Edge]] = defaultdict(list)
    for edge in live:
        leaving[edge.source, edge.on is None].append(edge)
    for (source, _), edges in leaving.items():
        for one, other in combinations(edges, 2):
            certainty = _certainty(one, other, invariants[source], variables)
            if any(() not in within[edge.target] for edge in (one, other)):
                certainty = min(certainty, DOUBT)  # an invariant may keep one of them from being taken
            if certainty != NO and _outcome(one) != _outcome(other):
                yield _remark(component, one, other, certainty)


def _outcome(edge: Edge) -> tuple[object, ...]:
    return edge.target, dict(edge.set), edge.reset


def _certainty(one: Edge, other: Edge, invariant: Guard, variables: Mapping[Term, Domain]) -> int:
    """Whether both can be taken at the same moment; for the same event, if they are about events."""
    events = YES if one.on is None or other.on is None else meet(one.on, other.on)
    if events == NO:
        return NO
    renamed = _renamed(other.when)
    equal = _equal(one, other)
    known = {**domains_of(one, variables), **{_other(term): kind for term, kind in domains_of(other, {}).items()}}
    if not together([one.when, renamed, invariant, equal], known):
        return NO
    return YES if events == YES and () in one.when and () in other.when else DOUBT


def _equal(one: Edge, other: Edge) -> Guard:
    """What the one event says to both."""
    if one.on is None or other.on is None:
        return ((),)
    return (tuple(Test(left, "=", _other(right)) for left, right in shared(one.on, other.on)),)


def _renamed(guard: Guard) -> Guard:
    """The parameters of the second edge are not those of the first, even if they have the same names."""
    return with_terms(guard, _other)


def _other(term: Term) -> Term:
    return Param(f"{term.name} of the other") if isinstance(term, Param) else term


def _remark(component: Component, one: Edge, other: Edge, certainty: int) -> Remark:
    can = "can" if certainty == YES else "may"
    same = "at the same moment" if one.on is None else "for the same event"
    text = (
        f"it and the {edge_name(other)} {can} both be taken {same}, though the component is declared deterministic: "
        "let their guards exclude each other, or drop the promise."
    )
    return Remark("error" if certainty == YES else "warning", component.name, edge_name(one), text)
