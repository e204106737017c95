"""The rules for models, one after another: names, edges that cannot fire, locations that trap, promises, cycles.

Severity is certainty: an error is a fact, a warning may be meant or never come up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product

from rootward.traces.linting.feasibility import Domain, Effect, held, possible, upper
from rootward.traces.linting.names import Remark, Severity, edge_name, location_name, undeclared
from rootward.traces.linting.overlap import DOUBT, NO, YES, kinds, meet, shared
from rootward.traces.model.guard import (
    FALSE,
    TRUE,
    Bound,
    Conjunction,
    Guard,
    Param,
    Term,
    Test,
    Var,
    names,
    said,
    with_terms,
)
from rootward.traces.model.model import Component, Edge, Location, Model

CASES = 10_000
"""Combinations of alternatives that are looked at; what has more is taken to be possible."""
CYCLE_STEPS, CYCLE_CASES = 2_000, 200
"""Steps of looking for cycles in a component, and cases of the guards of one: beyond, nothing is said."""


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


# Edges that can never be taken, and locations that are not reached by the others


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


# Conditions of staying: those that can never hold, that others can break, and that trap


def waiting(
    model: Model, component: Component, live: Iterable[Edge], variables: Mapping[Term, Domain]
) -> Iterator[Remark]:
    left = {edge.source for edge in live}
    for location in component.locations:
        where = location_name(location.name)
        for severity, text in _about(location, variables):
            yield Remark(severity, component.name, where, text)
        if location.name not in left and together([location.stay, location.invariant], variables):
            yield from _trap(model, component, location)


def _about(location: Location, variables: Mapping[Term, Domain]) -> Iterator[tuple[Severity, str]]:
    if not together([location.invariant], variables):
        yield "error", f"its invariant ({said(location.invariant)}) can never hold, so nobody can enter it: correct it."
    elif location.stay == FALSE:
        yield "warning", "no time may ever pass in it: if that is not meant, correct its stay condition."
    elif not together([location.stay, location.invariant], variables):
        yield (
            "error",
            (
                f"its stay condition ({said(location.stay)}) can never hold, so no time can pass in it: correct it, or "
                "write never if that is meant."
            ),
        )
    if not upper(location.invariant):
        yield (
            "warning",
            f"its invariant ({said(location.invariant)}) is not just an upper bound of clocks: it can fail at once, "
            "or by what another component does. Move the rest of it to the guards of the edges that lead here.",
        )


def _trap(model: Model, component: Component, location: Location) -> Iterator[Remark]:
    """A location that one has to leave in time, and cannot."""
    for what, guard in (("stay condition", location.stay), ("invariant", location.invariant)):
        clocks = _limits(guard)
        if clocks:
            others = (edge for one in model.components for edge in one.edges if one.name != component.name)
            rescued = any(edge.reset & clocks for edge in others)
            text = (
                f"its {what} ({said(guard)}) ends the stay, but no edge leads away: add an edge that can be taken "
                "before, or drop the limit."
            )
            yield Remark("warning" if rescued else "error", component.name, location_name(location.name), text)
            return


def _limits(guard: Guard) -> set[str]:
    """The clocks that end it, if time ends it in every case."""
    found = [{atom.clock for atom in case if isinstance(atom, Bound) and atom.op in ("<", "<=")} for case in guard]
    return set().union(*found) if found and all(found) else set()


# Promises: in a component that is declared deterministic, no two edges from a location can be taken at once


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


# Cycles of edges of time: those that can be taken for ever without time passing, and those that go on changing data.
# A cycle is followed symbolically for a few rounds: every guard is carried back to the first state. If what is left can
# hold, nothing stops the cycle. As values are only copied, what the rounds do repeats after as many as there are.


def endless(component: Component, edges: Sequence[Edge], domains: Mapping[Term, Domain]) -> Iterator[Remark]:
    """Remarks on the cycles among these edges, which can all fire."""
    for cycle in _cycles([edge for edge in edges if edge.on is None]):
        if len(cycle) == 1 and not cycle[0].set and not cycle[0].reset:
            continue  # taking it is the same as staying
        where = edge_name(cycle[0]) if len(cycle) == 1 else "cycle " + " -> ".join(e.source for e in (*cycle, cycle[0]))
        left = list(islice(_rounds(cycle, time=True), CYCLE_CASES))
        if any(possible(case, domains) for case in left):
            certain = () in left and not _conditional(component, cycle)
            text = (
                "it can be taken again and again in no time: let it wait for a clock that it resets itself, "
                "or change what its guard asks for."
            )
            yield Remark("error" if certain else "warning", component.name, where, text)
        cases = islice(_rounds(cycle, time=False), CYCLE_CASES)
        if (names := _changing(cycle)) and any(possible(case, domains) for case in cases):
            text = (
                f"each round changes {', '.join(names)} again, so how often it was taken decides the outcome: "
                "write values that a second round leaves as they are."
            )
            yield Remark("warning", component.name, where, text)


def _cycles(edges: Sequence[Edge]) -> Iterator[tuple[Edge, ...]]:
    """Every cycle once, beginning with the location that was seen first."""
    order = {name: place for place, name in enumerate(dict.fromkeys(edge.source for edge in edges))}
    leaving = {name: [edge for edge in edges if edge.source == name and edge.target in order] for name in order}
    steps = CYCLE_STEPS
    for first in order:
        paths: list[tuple[Edge, ...]] = [(edge,) for edge in leaving[first]]
        while paths and steps:
            steps -= 1
            path = paths.pop()
            here = path[-1].target
            if here == first:
                yield path
            elif order[here] > order[first] and here not in {edge.source for edge in path}:
                paths.extend((*path, edge) for edge in leaving[here])


def _rounds(cycle: Sequence[Edge], *, time: bool) -> Iterator[Conjunction]:
    """What has to hold at first so that several rounds can be taken, case by case: at once, or at any pace."""
    effect, guards = Effect(), list[Guard]()
    copied = {name for edge in cycle for name in edge.set}
    for _ in range(2 + len(copied)):
        for edge in cycle:
            guard = edge.when if time else _data(edge.when)
            guards.append(effect.before(guard))
            effect = effect.then(edge)
    return (tuple(dict.fromkeys(atom for part in parts for atom in part)) for parts in product(*map(_unique, guards)))


def _unique(guard: Guard) -> Guard:
    return ((),) if () in guard else guard


def _data(guard: Guard) -> Guard:
    """A guard without its clocks: what it asks of the data if one waits for the right moment."""
    return tuple(tuple(atom for atom in conjunction if isinstance(atom, Test)) for conjunction in guard)


def _conditional(component: Component, cycle: Sequence[Edge]) -> bool:
    """Whether an invariant on the way may stop it."""
    on_it = {edge.source for edge in cycle}
    return any(() not in location.invariant for location in component.locations if location.name in on_it)


def _changing(cycle: Sequence[Edge]) -> list[str]:
    """The variables that a second round changes once more."""
    once = Effect()
    for edge in cycle:
        once = once.then(edge)
    twice = once
    for edge in cycle:
        twice = twice.then(edge)
    return sorted(name for name in once.values if once.values[name] != twice.values[name])
