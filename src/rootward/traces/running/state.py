"""States: the location of each component, the values of the variables, and the last reset of each clock.

A clock is kept as the instant of its last reset, so a state does not change while time passes. An instant that is known
is a plain number; the others are dimensions of a zone. A variable holds a value, or a `Symbol` with facts about it. So
one state stands for many configurations, all with the same locations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rootward.traces.model.guard import ORDER, Atom, Bound, Param, Term, Test, Value, Var, compare
from rootward.traces.running.unknown_values import (
    Datum,
    Facts,
    Symbol,
    is_satisfiable,
    make_fact,
    negate_fact,
    substitute,
)
from rootward.traces.running.zone import ORIGIN, Zone, at_most, less_than

NOW = "now"
"""The zone dimension of the present instant; it exists only while time passes."""

Moment = int | None
"""An instant; None if it is a dimension of the zone instead."""


class SymbolicState(NamedTuple):
    """A set of configurations that agree on all locations."""

    locations: tuple[int, ...]
    data: tuple[Datum, ...]
    resets: tuple[Moment, ...]
    zone: Zone | None = None
    facts: Facts = frozenset()

    def within(self, other: SymbolicState) -> bool:
        """Return whether this state plainly lies inside another one."""
        return self[:3] == other[:3] and self.is_as_narrow(other)

    def is_as_narrow(self, other: SymbolicState) -> bool:
        """Return whether this state lies inside another one that has the same locations, and the same data and resets
        as far as they matter."""
        if not other.facts <= self.facts:
            return False
        if self.zone is None or other.zone is None:
            return self.zone is other.zone
        return self.zone.within(other.zone)

    def shift(self, span: int) -> SymbolicState:
        """Return the state with every reset moved later by a span."""
        resets = tuple(None if one is None else one + span for one in self.resets)
        return self._replace(resets=resets, zone=self.zone and self.zone.shift(span))

    def without_now(self) -> SymbolicState:
        """Drop the present instant from the zone, once time has passed."""
        assert self.zone is not None
        return self._replace(zone=self.zone.without([NOW]))


class Names(NamedTuple):
    """The positions of variables and clocks in `SymbolicState.data` and `SymbolicState.resets`."""

    variables: Mapping[str, int]
    clocks: Mapping[str, int]


def narrow_state(
    names: Names, state: SymbolicState, atoms: Iterable[Atom], params: Mapping[str, Value], now: Moment
) -> list[SymbolicState]:
    """Return the parts of a state in which all atoms hold at instant ``now``."""
    states = [state]
    for atom in atoms:
        if len(states) == 1:
            found = evaluate_atom(names, states[0], atom, params, now)
            if found:
                continue
            if found is False:
                return []
        states = [part for one in states for part in _narrow_by_atom(names, one, atom, params, now)]
        if not states:
            break
    return states


def holds_in_all(names: Names, state: SymbolicState, atom: Atom, params: Mapping[str, Value], now: Moment) -> bool:
    """Return whether an atom holds in every configuration of a state."""
    found = evaluate_atom(names, state, atom, params, now)
    if found is not None:
        return found
    if isinstance(atom, Bound):
        other = atom.negate()
        return _bound_clock(state, names.clocks[atom.clock], other.op, other.limit, now) is None
    left = evaluate_term(names, state, atom.left, params)
    if not isinstance(atom.right, tuple):
        return facts_imply(state.facts, left, atom.op, evaluate_term(names, state, atom.right, params))
    if atom.op == "not in":
        return all(facts_imply(state.facts, left, "!=", one) for one in atom.right)
    return any(facts_imply(state.facts, left, "=", one) for one in atom.right)


def evaluate_atom(
    names: Names, state: SymbolicState, atom: Atom, params: Mapping[str, Value], now: Moment
) -> bool | None:
    """Evaluate an atom if everything that it compares is known; else return None."""
    if type(atom) is Bound:
        reset = state.resets[names.clocks[atom.clock]]
        return None if reset is None or now is None else ORDER[atom.op](now - reset, atom.limit)
    assert type(atom) is Test
    left = evaluate_term(names, state, atom.left, params)
    right = atom.right if isinstance(atom.right, tuple) else evaluate_term(names, state, atom.right, params)
    return None if isinstance(left, Symbol) or isinstance(right, Symbol) else compare(left, atom.op, right)


def facts_imply(facts: Facts, left: Datum, op: str, right: Datum) -> bool:
    """Return whether the facts imply a comparison."""
    new = make_fact(left, op, right)
    return new if isinstance(new, bool) else new in facts or not is_satisfiable(facts | {negate_fact(new)})


def _narrow_by_atom(
    names: Names, state: SymbolicState, atom: Atom, params: Mapping[str, Value], now: Moment
) -> Iterator[SymbolicState]:
    """Yield the parts of a state in which one atom holds."""
    if isinstance(atom, Bound):
        part = _bound_clock(state, names.clocks[atom.clock], atom.op, atom.limit, now)
        if part is not None:
            yield part
        return
    left = evaluate_term(names, state, atom.left, params)
    if isinstance(atom.right, tuple):
        yield from _assume_membership(state, left, atom.op == "in", atom.right)
    else:
        yield from _assume(state, left, atom.op, evaluate_term(names, state, atom.right, params))


def evaluate_term(names: Names, state: SymbolicState, term: Term, params: Mapping[str, Value]) -> Datum:
    if isinstance(term, Var):
        return state.data[names.variables[term.name]]
    if isinstance(term, Param):
        return params[term.name]
    return term.value


def _assume_membership(
    state: SymbolicState, left: Datum, inside: bool, values: tuple[Value, ...]
) -> Iterator[SymbolicState]:
    if inside:
        for one in values:
            yield from _assume(state, left, "=", one)
    else:
        states = [state]
        for one in values:
            states = [part for each in states for part in _assume(each, left, "!=", one)]
        yield from states


def _assume(state: SymbolicState, left: Datum, op: str, right: Datum) -> Iterator[SymbolicState]:
    """Yield the part of a state in which a comparison of data holds, if there is one."""
    new = make_fact(left, op, right)
    if new is True:
        yield state
    elif new is not False:
        symbol, op, other = new
        if op == "=":
            facts = substitute(state.facts, symbol, other)
            if facts is not None:
                data = tuple(other if one == symbol and isinstance(one, Symbol) else one for one in state.data)
                yield state._replace(data=data, facts=facts)
        elif is_satisfiable(state.facts | {new}):
            yield state._replace(facts=state.facts | {new})


def _bound_clock(state: SymbolicState, clock: int, op: str, limit: int, now: Moment) -> SymbolicState | None:
    """Return the part in which a clock (``now`` minus its reset) has this bound, or None if there is none."""
    reset = state.resets[clock]
    if now is not None and reset is not None:
        return state if ORDER[op](now - reset, limit) else None
    zone = state.zone
    assert zone is not None
    late, early = (ORIGIN if now is not None else NOW), (ORIGIN if reset is not None else clock)
    shift = (now or 0) - (reset or 0)
    if op in ("<", "<="):
        new = zone.restrict(late, early, (less_than if op == "<" else at_most)(limit - shift))
    else:
        new = zone.restrict(early, late, (less_than if op == ">" else at_most)(shift - limit))
    return None if new is None else state._replace(zone=new)


def update_state(
    state: SymbolicState,
    targets: Iterable[tuple[int, int]],
    values: Mapping[int, Datum],
    clocks: Sequence[int],
    now: Moment,
) -> SymbolicState:
    """Return a state with new locations for some components, new values for some variables, and some clocks reset."""
    places = list(state.locations)
    for k, target in targets:
        places[k] = target
    data = state.data
    if values:
        some = list(data)
        for place, one in values.items():
            some[place] = one
        data = tuple(some)
    after = SymbolicState(tuple(places), data, state.resets, state.zone, state.facts)
    if values and state.facts:
        after = _forget_facts(after)
    return _reset_clocks(after, clocks, now) if clocks else after


def _forget_facts(state: SymbolicState) -> SymbolicState:
    """Drop the facts about symbols that no longer matter.

    A symbol matters if a variable holds it, or if facts link it to a symbol that a variable holds.
    """
    known = {one for one in state.data if isinstance(one, Symbol)}
    while True:
        linked = {s for left, _, right in state.facts if left in known or right in known for s in (left, right)}
        more = {s for s in linked if isinstance(s, Symbol)} - known
        if not more:
            break
        known |= more
    return state._replace(facts=frozenset(one for one in state.facts if one[0] in known))


def _reset_clocks(state: SymbolicState, clocks: Sequence[int], now: Moment) -> SymbolicState:
    resets, zone = list(state.resets), state.zone
    if now is not None and zone is None:
        for clock in clocks:
            resets[clock] = now
        return SymbolicState(state.locations, state.data, tuple(resets), None, state.facts)
    loose = [clock for clock in clocks if resets[clock] is None]
    for clock in clocks:
        resets[clock] = now
    if now is not None and not loose:
        return state._replace(resets=tuple(resets))
    assert zone is not None
    zone = zone.without(loose)
    for clock in clocks if now is None else ():
        zone = _equate_with_now(zone.with_name(clock), clock)
    return settle_state(state._replace(resets=tuple(resets), zone=zone))


def _equate_with_now(zone: Zone, clock: int) -> Zone:
    below = zone.restrict(clock, NOW, 1)
    both = below.restrict(NOW, clock, 1) if below is not None else None
    assert both is not None, "a new dimension can be anything"
    return both


def settle_state(state: SymbolicState) -> SymbolicState:
    """Turn every instant that is determined into a number, and order the dimensions of the zone."""
    zone = state.zone
    if zone is None:
        return state
    resets = list(state.resets)
    for name in zone.names:
        if isinstance(name, int) and (moment := zone.moment(name)) is not None:
            resets[name] = moment
    known = [name for name in zone.names if isinstance(name, int) and resets[name] is not None]
    if known:
        zone = zone.without(known)
    return state._replace(resets=tuple(resets), zone=None if len(zone.names) == 1 else zone.sort_names())
