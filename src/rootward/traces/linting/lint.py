"""The rules of the linter: names, edges that can never be taken, locations that trap, nondeterminism, cycles, answers
that nobody judges.

The severity expresses certainty: an error is certainly a mistake; a warning may be intended, or may never matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product

from rootward.traces.linting.answers import find_unjudged_answers
from rootward.traces.linting.feasibility import Domain, Effect, is_possible, is_upper_bound, possible_values
from rootward.traces.linting.names import LintRemark, Severity, edge_name, find_undeclared, location_name
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
    format_guard,
    names,
    with_terms,
)
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.model.overlap import DOUBT, NO, YES, can_both_match, param_types, shared_terms

MAX_COMBINATIONS = 10_000
"""Maximum number of combinations of alternatives that are tried; a condition with more is assumed to be possible."""
MAX_CYCLE_STEPS, MAX_CYCLE_CASES = 2_000, 200
"""Maximum number of steps of the search for cycles in a component, and of combinations of alternatives of the guards
of one cycle. Beyond these limits there are no remarks."""


def lint(model: Model) -> list[LintRemark]:
    """Return all remarks on a model. A component with undeclared names is not checked any further."""
    remarks = list(find_undeclared(model))
    wrong = {remark.component for remark in remarks}
    variables = possible_values(model)
    for component in model.components:
        if component.name not in wrong:
            remarks.extend(_check_behaviour(model, component, variables))
    remarks.extend(find_unjudged_answers(model))
    return list(dict.fromkeys(remarks))


def _check_behaviour(model: Model, component: Component, variables: Mapping[Term, Domain]) -> Iterator[LintRemark]:
    reasons = _reasons_never_taken(component, variables)
    live = [edge for edge, reason in zip(component.edges, reasons, strict=True) if not reason]
    yield from _report_unreachable(component, live)
    yield from _report_dead_edges(component, reasons)
    yield from _check_waiting(model, component, live, variables)
    yield from _check_cycles(component, live, variables)
    if component.deterministic:
        yield from _check_determinism(component, live, variables)


# Edges that can never be taken, and locations that no other edges reach


def _can_all_hold(guards: Iterable[Guard], domains: Mapping[Term, Domain]) -> bool:
    """Return True if all guards can hold at once."""
    for count, parts in enumerate(islice(product(*guards), MAX_COMBINATIONS + 1)):
        merged: Conjunction = tuple(dict.fromkeys(atom for part in parts for atom in part))
        if count == MAX_COMBINATIONS or is_possible(merged, domains):
            return True
    return False


def domains_of(edge: Edge, variables: Mapping[Term, Domain]) -> dict[Term, Domain]:
    """Return the possible values of the terms of an edge."""
    params: dict[Term, Domain] = {Param(name): kind for name, kind in param_types(edge.on).items()}
    return {**variables, **params}


def _safe_invariant(location: Location) -> Guard:
    """Return the invariant of a location if other components cannot break it, else TRUE.

    They cannot break it if it consists only of upper bounds of clocks.
    """
    return location.invariant if is_upper_bound(location.invariant) else TRUE


def _reasons_never_taken(component: Component, variables: Mapping[Term, Domain]) -> list[str]:
    """Return, for each edge, the reason why it can never be taken. The reason is empty if the edge can be taken."""
    inside = {location.name: _safe_invariant(location) for location in component.locations}
    return [_reason_never_taken(edge, inside[edge.source], inside[edge.target], variables) for edge in component.edges]


def _reason_never_taken(edge: Edge, source: Guard, target: Guard, variables: Mapping[Term, Domain]) -> str:
    params = domains_of(edge, {})
    known = {**variables, **params}
    entered = Effect().then(edge).before(target)
    if _can_all_hold([edge.when], {}) and not _can_all_hold([edge.when], params):
        return (
            f"its guard ({format_guard(edge.when)}) compares a text with a number: write <name:int> or <name:hex> "
            "in the "
            "pattern for a parameter that is a number"
        )
    if not _can_all_hold([edge.when], params):
        return f"its guard ({format_guard(edge.when)}) contradicts itself: correct it, or remove the edge"
    if not _can_all_hold([edge.when], known):
        return (
            f"its guard ({format_guard(edge.when)}) requires a value that "
            f"{_bounded_variables(edge.when, variables)} never "
            "has: correct the guard, or add an edge that sets this value"
        )
    if not _can_all_hold([edge.when, source], known):
        return (
            f"its guard ({format_guard(edge.when)}) cannot hold while the invariant of {edge.source} "
            f"({format_guard(source)}) holds: "
            "correct one of them"
        )
    if not _can_all_hold([edge.when, source, entered], known):
        return (
            f"the invariant of {edge.target} ({format_guard(target)}) is violated on entry: reset its clock on "
            "this edge, or "
            "correct the invariant"
        )
    return ""


def _bounded_variables(guard: Guard, variables: Mapping[Term, Domain]) -> str:
    """Name the variables of a guard whose possible values are all known."""
    return " or ".join(sorted(name for name in names(guard)[0] if Var(name) in variables))


def _report_dead_edges(component: Component, reasons: Iterable[str]) -> Iterator[LintRemark]:
    for edge, reason in zip(component.edges, reasons, strict=True):
        if reason and edge.when != FALSE:  # `when: never` is how a model states that an event is forbidden
            yield LintRemark("error", component.name, edge_name(edge), f"it can never be taken: {reason}.")


def _report_unreachable(component: Component, live: Iterable[Edge]) -> Iterator[LintRemark]:
    """Yield an error for each location that no sequence of possible edges reaches."""
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
            text = "it cannot be reached from the initial location: add an edge to it, or remove it."
            yield LintRemark("error", component.name, location_name(location.name), text)


# Invariants and stay conditions: those that can never hold, that other components can break, and that trap


def _check_waiting(
    model: Model, component: Component, live: Iterable[Edge], variables: Mapping[Term, Domain]
) -> Iterator[LintRemark]:
    left = {edge.source for edge in live}
    for location in component.locations:
        where = location_name(location.name)
        for severity, text in _check_conditions(location, variables):
            yield LintRemark(severity, component.name, where, text)
        if location.name not in left and _can_all_hold([location.stay, location.invariant], variables):
            yield from _report_trap(model, component, location)


def _check_conditions(location: Location, variables: Mapping[Term, Domain]) -> Iterator[tuple[Severity, str]]:
    if not _can_all_hold([location.invariant], variables):
        yield (
            "error",
            f"its invariant ({format_guard(location.invariant)}) can never hold, so it can never be entered: "
            "correct it.",
        )
    elif location.stay == FALSE:
        yield "warning", "no time may pass in it: if that is not intended, correct its stay condition."
    elif not _can_all_hold([location.stay, location.invariant], variables):
        yield (
            "error",
            (
                f"its stay condition ({format_guard(location.stay)}) can never hold, so no time can pass in it: "
                "correct it, or "
                "write `never` if that is intended."
            ),
        )
    if not is_upper_bound(location.invariant):
        yield (
            "warning",
            f"its invariant ({format_guard(location.invariant)}) is more than an upper bound of clocks, so it can "
            "be violated "
            "on entry or by another component. Move the rest of it to the guards of the edges that lead here.",
        )


def _report_trap(model: Model, component: Component, location: Location) -> Iterator[LintRemark]:
    """Yield a remark if a stay condition or an invariant limits the time in ``location``, which no edge leaves.

    The remark is an error, or only a warning if another component resets one of the limiting clocks.
    """
    for what, guard in (("stay condition", location.stay), ("invariant", location.invariant)):
        clocks = _limiting_clocks(guard)
        if clocks:
            others = (edge for one in model.components for edge in one.edges if one.name != component.name)
            rescued = any(edge.reset & clocks for edge in others)
            text = (
                f"its {what} ({format_guard(guard)}) limits the time in it, but no edge leaves it: add an edge "
                "that can be "
                "taken in time, or remove the limit."
            )
            yield LintRemark("warning" if rescued else "error", component.name, location_name(location.name), text)
            return


def _limiting_clocks(guard: Guard) -> set[str]:
    """Return the clocks that have an upper bound in the guard.

    The result is empty unless every alternative of the guard has such a bound.
    """
    found = [{atom.clock for atom in case if isinstance(atom, Bound) and atom.op in ("<", "<=")} for case in guard]
    return set().union(*found) if found and all(found) else set()


# Determinism: in a component declared deterministic, no two edges from a location may be possible at the same time


def _check_determinism(
    component: Component, live: Iterable[Edge], variables: Mapping[Term, Domain]
) -> Iterator[LintRemark]:
    invariants = {location.name: _safe_invariant(location) for location in component.locations}
    within = {location.name: location.invariant for location in component.locations}
    leaving: dict[tuple[str, bool], list[Edge]] = defaultdict(list)
    for edge in live:
        leaving[edge.source, edge.on is None].append(edge)
    for (source, _), edges in leaving.items():
        for one, other in combinations(edges, 2):
            certainty = _certainty(one, other, invariants[source], variables)
            if any(() not in within[edge.target] for edge in (one, other)):
                certainty = min(certainty, DOUBT)  # an invariant may prevent one of them
            if certainty != NO and _outcome(one) != _outcome(other):
                yield _overlap_remark(component, one, other, certainty)


def _outcome(edge: Edge) -> tuple[object, ...]:
    return edge.target, dict(edge.set), edge.reset


def _certainty(one: Edge, other: Edge, invariant: Guard, variables: Mapping[Term, Domain]) -> int:
    """Return YES, NO or DOUBT: can both edges be taken at the same moment?

    If both edges need an event, it must be the same one.
    """
    events = YES if one.on is None or other.on is None else can_both_match(one.on, other.on)
    if events == NO:
        return NO
    renamed = _rename_params(other.when)
    equal = _shared_equalities(one, other)
    known = {**domains_of(one, variables), **{_mark_other(term): kind for term, kind in domains_of(other, {}).items()}}
    if not _can_all_hold([one.when, renamed, invariant, equal], known):
        return NO
    return YES if events == YES and () in one.when and () in other.when else DOUBT


def _shared_equalities(one: Edge, other: Edge) -> Guard:
    """Return the equalities between parameters of the two edges that hold because both match the same event."""
    if one.on is None or other.on is None:
        return ((),)
    return (tuple(Test(left, "=", _mark_other(right)) for left, right in shared_terms(one.on, other.on)),)


def _rename_params(guard: Guard) -> Guard:
    """Rename the parameters in a guard of the second edge.

    This keeps them apart from parameters of the first edge that have the same names.
    """
    return with_terms(guard, _mark_other)


def _mark_other(term: Term) -> Term:
    return Param(f"{term.name} of the other") if isinstance(term, Param) else term


def _overlap_remark(component: Component, one: Edge, other: Edge, certainty: int) -> LintRemark:
    can = "can" if certainty == YES else "may"
    same = "at the same moment" if one.on is None else "for the same event"
    text = (
        f"it and the {edge_name(other)} {can} both be taken {same}, although the component is declared deterministic: "
        "make their guards exclude each other, or remove `deterministic`."
    )
    return LintRemark("error" if certainty == YES else "warning", component.name, edge_name(one), text)


# Cycles of edges without an event: those that can be taken for ever without time passing, and those that keep changing
# data. A cycle is followed symbolically for a few rounds, and every guard is translated back to the first state. If the
# resulting condition can hold, nothing stops the cycle. Edges only copy values, so the effect of the rounds repeats
# after as many rounds as there are copied variables.


def _check_cycles(component: Component, edges: Sequence[Edge], domains: Mapping[Term, Domain]) -> Iterator[LintRemark]:
    """Yield remarks on the cycles of time edges. ``edges``: the edges of the component that can be taken."""
    for cycle in _cycles([edge for edge in edges if edge.on is None]):
        if len(cycle) == 1 and not cycle[0].set and not cycle[0].reset:
            continue  # taking it changes nothing
        where = edge_name(cycle[0]) if len(cycle) == 1 else "cycle " + " -> ".join(e.source for e in (*cycle, cycle[0]))
        left = list(islice(_round_conditions(cycle, time=True), MAX_CYCLE_CASES))
        if any(is_possible(case, domains) for case in left):
            certain = () in left and not _may_be_stopped(component, cycle)
            text = (
                "it can be taken endlessly without time passing: make it wait for a clock that it resets, or set a "
                "value that makes its guard false."
            )
            yield LintRemark("error" if certain else "warning", component.name, where, text)
        cases = islice(_round_conditions(cycle, time=False), MAX_CYCLE_CASES)
        if (names := _changing_variables(cycle)) and any(is_possible(case, domains) for case in cases):
            text = (
                f"each round changes {', '.join(names)} again, so the outcome depends on how often it is taken: "
                "set values that a second round does not change."
            )
            yield LintRemark("warning", component.name, where, text)


def _cycles(edges: Sequence[Edge]) -> Iterator[tuple[Edge, ...]]:
    """Yield every cycle once. It starts at the one of its locations that comes first in the order of the edges."""
    order = {name: place for place, name in enumerate(dict.fromkeys(edge.source for edge in edges))}
    leaving = {name: [edge for edge in edges if edge.source == name and edge.target in order] for name in order}
    steps = MAX_CYCLE_STEPS
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


def _round_conditions(cycle: Sequence[Edge], *, time: bool) -> Iterator[Conjunction]:
    """Yield the conditions on the first state under which several rounds of a cycle can be taken.

    There is one condition for each combination of alternatives. With ``time``, clock bounds count, and no time passes
    between the edges. Without it, clock bounds are ignored.
    """
    effect, guards = Effect(), list[Guard]()
    copied = {name for edge in cycle for name in edge.set}
    for _ in range(2 + len(copied)):
        for edge in cycle:
            guard = edge.when if time else _without_clocks(edge.when)
            guards.append(effect.before(guard))
            effect = effect.then(edge)
    return (
        tuple(dict.fromkeys(atom for part in parts for atom in part)) for parts in product(*map(_collapse_true, guards))
    )


def _collapse_true(guard: Guard) -> Guard:
    return ((),) if () in guard else guard


def _without_clocks(guard: Guard) -> Guard:
    """Return the guard without its clock bounds: the condition on the data alone, at any time."""
    return tuple(tuple(atom for atom in conjunction if isinstance(atom, Test)) for conjunction in guard)


def _may_be_stopped(component: Component, cycle: Sequence[Edge]) -> bool:
    """Return True if an invariant of a location on the cycle may stop the cycle."""
    on_it = {edge.source for edge in cycle}
    return any(() not in location.invariant for location in component.locations if location.name in on_it)


def _changing_variables(cycle: Sequence[Edge]) -> list[str]:
    """Return the variables that still change in the second round of the cycle."""
    once = Effect()
    for edge in cycle:
        once = once.then(edge)
    twice = once
    for edge in cycle:
        twice = twice.then(edge)
    return sorted(name for name in once.values if once.values[name] != twice.values[name])
