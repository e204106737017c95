"""Which edges can ever be taken, and which locations be reached by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from rootward.traces.guard import FALSE, TRUE, Conjunction, Guard, Param, Term, Var, names, said
from rootward.traces.linting.effect import Effect, upper
from rootward.traces.linting.possible import Domain, possible
from rootward.traces.linting.remark import Remark, edge_name, location_name
from rootward.traces.linting.words import kinds
from rootward.traces.model import Component, Edge, Location

CASES = 10_000
"""Combinations of alternatives that are looked at; what has more is taken to be possible."""


def together(guards: Iterable[Guard], domains: Mapping[Term, Domain]) -> bool:
    """Whether all of them can hold at once."""
    for count, parts in enumerate(islice(product(*guards), CASES + 1)):
        merged: Conjunction = tuple(dict.fromkeys(atom for part in parts for atom in part))
        if count == CASES or possible(merged, domains):
            return True
    return False


def domains_of(edge: Edge, variables: Mapping[Term, Domain]) -> dict[Term, Domain]:
    """What the terms of an edge can be."""
    params: dict[Term, Domain] = {Param(name): kind for name, kind in kinds(edge.on).items()}
    return {**variables, **params}


def bounded(location: Location) -> Guard:
    """Its invariant, if nobody else can break it: upper bounds of clocks."""
    return location.invariant if upper(location.invariant) else TRUE


def dead(component: Component, variables: Mapping[Term, Domain]) -> list[str]:
    """Why each edge can never fire; nothing for one that may."""
    inside = {location.name: bounded(location) for location in component.locations}
    return [_reason(edge, inside[edge.source], inside[edge.target], variables) for edge in component.edges]


def _reason(edge: Edge, source: Guard, target: Guard, variables: Mapping[Term, Domain]) -> str:
    params = domains_of(edge, {})
    known = {**variables, **params}
    entered = Effect().then(edge).before(target)
    if together([edge.when], {}) and not together([edge.when], params):
        return (
            f"its guard ({said(edge.when)}) takes a text for a number, or the other way round: write <name:int> or "
            "<name:hex> in the pattern for what is a number"
        )
    if not together([edge.when], params):
        return f"its guard ({said(edge.when)}) contradicts itself: correct it, or remove the edge"
    if not together([edge.when], known):
        return (
            f"its guard ({said(edge.when)}) asks for a value that {_asked(edge.when, variables)} never holds: "
            "correct the guard, or let an edge write that value"
        )
    if not together([edge.when, source], known):
        return (
            f"its guard ({said(edge.when)}) cannot hold as long as the invariant of {edge.source} does "
            f"({said(source)}): correct one of them"
        )
    if not together([edge.when, source, entered], known):
        return f"the invariant of {edge.target} ({said(target)}) cannot hold when it is entered: reset its clock here"
    return ""


def _asked(guard: Guard, variables: Mapping[Term, Domain]) -> str:
    """The variables of a guard of which all values are known."""
    return " or ".join(sorted(name for name in names(guard)[0] if Var(name) in variables))


def never_fire(component: Component, reasons: Iterable[str]) -> Iterator[Remark]:
    for edge, reason in zip(component.edges, reasons, strict=True):
        if reason and edge.when != FALSE:  # `never` is how one says that an event is known, and forbidden
            yield Remark("error", component.name, edge_name(edge), f"it can never be taken: {reason}.")


def unreachable(component: Component, live: Iterable[Edge]) -> Iterator[Remark]:
    """Locations to which no way leads by edges that can fire."""
    targets: dict[str, list[str]] = {}
    for edge in live:
        targets.setdefault(edge.source, []).append(edge.target)
    reached, ahead = set(component.initial), list(component.initial)
    while ahead:
        fresh = set(targets.get(ahead.pop(), ())) - reached
        reached |= fresh
        ahead.extend(fresh)
    for location in component.locations:
        if location.name not in reached:
            text = "no way leads here from the initial location: add an edge, or remove the location."
            yield Remark("error", component.name, location_name(location.name), text)
