"""Where a model may be: a location for each component, what its variables hold and when its clocks were reset.

A clock is kept as the instant of its last reset, so the passing of time changes nothing. Instants that are known are
plain numbers; the others are dimensions of a zone. A variable holds a value or a `Symbol` with facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rootward.traces.model.guard import ORDER, Atom, Bound, Param, Term, Test, Value, Var, compare
from rootward.traces.running.unknown_values import Datum, Facts, Symbol, fact, opposite, possible, replaced
from rootward.traces.running.zone import ORIGIN, Zone, at_most, less_than

NOW = "now"
"""The dimension of the present instant, while time passes."""

Moment = int | None
"""An instant; None: it is a dimension of the zone."""


class State(NamedTuple):
    """A set of configurations with the same locations."""

    locations: tuple[int, ...]
    data: tuple[Datum, ...]
    resets: tuple[Moment, ...]
    zone: Zone | None = None
    facts: Facts = frozenset()

    def within(self, other: State) -> bool:
        """Whether all of it lies in another one."""
        if self.locations != other.locations or self.data != other.data or self.resets != other.resets:
            return False
        if not other.facts <= self.facts:
            return False
        if self.zone is None or other.zone is None:
            return self.zone is other.zone
        return self.zone.within(other.zone)

    def later(self, span: int) -> State:
        """The same if everything happened later."""
        resets = tuple(None if one is None else one + span for one in self.resets)
        return self._replace(resets=resets, zone=self.zone and self.zone.later(span))

    def without_now(self) -> State:
        """After time has passed: the present instant is no matter of the state."""
        assert self.zone is not None
        return self._replace(zone=self.zone.without([NOW]))


class Names(NamedTuple):
    """Where variables and clocks are kept."""

    variables: Mapping[str, int]
    clocks: Mapping[str, int]


def narrowed(
    names: Names, state: State, atoms: Iterable[Atom], params: Mapping[str, Value], now: Moment
) -> list[State]:
    """The parts of a state in which all atoms hold at an instant."""
    states = [state]
    for atom in atoms:
        if len(states) == 1:
            found = plain(names, states[0], atom, params, now)
            if found:
                continue
            if found is False:
                return []
        states = [part for one in states for part in _holding(names, one, atom, params, now)]
        if not states:
            break
    return states


def holds_in_all(names: Names, state: State, atom: Atom, params: Mapping[str, Value], now: Moment) -> bool:
    """Whether an atom holds everywhere in a state."""
    found = plain(names, state, atom, params, now)
    if found is not None:
        return found
    if isinstance(atom, Bound):
        other = atom.negated()
        return _bounded(state, names.clocks[atom.clock], other.op, other.limit, now) is None
    left = value(names, state, atom.left, params)
    if not isinstance(atom.right, tuple):
        return told(state.facts, left, atom.op, value(names, state, atom.right, params))
    if atom.op == "not in":
        return all(told(state.facts, left, "!=", one) for one in atom.right)
    return any(told(state.facts, left, "=", one) for one in atom.right)


def plain(names: Names, state: State, atom: Atom, params: Mapping[str, Value], now: Moment) -> bool | None:
    """Whether an atom holds, if all that it is about is known; None if it is not."""
    if type(atom) is Bound:
        reset = state.resets[names.clocks[atom.clock]]
        return None if reset is None or now is None else ORDER[atom.op](now - reset, atom.limit)
    assert type(atom) is Test
    left = value(names, state, atom.left, params)
    right = atom.right if isinstance(atom.right, tuple) else value(names, state, atom.right, params)
    return None if isinstance(left, Symbol) or isinstance(right, Symbol) else compare(left, atom.op, right)


def told(facts: Facts, left: Datum, op: str, right: Datum) -> bool:
    """Whether the facts imply a comparison."""
    new = fact(left, op, right)
    return new if isinstance(new, bool) else new in facts or not possible(facts | {opposite(new)})


def _holding(names: Names, state: State, atom: Atom, params: Mapping[str, Value], now: Moment) -> Iterator[State]:
    if isinstance(atom, Bound):
        part = _bounded(state, names.clocks[atom.clock], atom.op, atom.limit, now)
        if part is not None:
            yield part
        return
    left = value(names, state, atom.left, params)
    if isinstance(atom.right, tuple):
        yield from _among(state, left, atom.op == "in", atom.right)
    else:
        yield from _told(state, left, atom.op, value(names, state, atom.right, params))


def value(names: Names, state: State, term: Term, params: Mapping[str, Value]) -> Datum:
    if isinstance(term, Var):
        return state.data[names.variables[term.name]]
    if isinstance(term, Param):
        return params[term.name]
    return term.value


def _among(state: State, left: Datum, inside: bool, values: tuple[Value, ...]) -> Iterator[State]:
    if inside:
        for one in values:
            yield from _told(state, left, "=", one)
    else:
        states = [state]
        for one in values:
            states = [part for each in states for part in _told(each, left, "!=", one)]
        yield from states


def _told(state: State, left: Datum, op: str, right: Datum) -> Iterator[State]:
    """The part in which a comparison of data holds."""
    new = fact(left, op, right)
    if new is True:
        yield state
    elif new is not False:
        symbol, op, other = new
        if op == "=":
            facts = replaced(state.facts, symbol, other)
            if facts is not None:
                data = tuple(other if one == symbol and isinstance(one, Symbol) else one for one in state.data)
                yield state._replace(data=data, facts=facts)
        elif possible(state.facts | {new}):
            yield state._replace(facts=state.facts | {new})


def _bounded(state: State, clock: int, op: str, limit: int, now: Moment) -> State | None:
    """The part in which a clock, that is ``now`` less its reset, is bounded."""
    reset = state.resets[clock]
    if now is not None and reset is not None:
        return state if ORDER[op](now - reset, limit) else None
    zone = state.zone
    assert zone is not None
    late, early = (ORIGIN if now is not None else NOW), (ORIGIN if reset is not None else clock)
    shift = (now or 0) - (reset or 0)
    if op in ("<", "<="):
        new = zone.bounded(late, early, (less_than if op == "<" else at_most)(limit - shift))
    else:
        new = zone.bounded(early, late, (less_than if op == ">" else at_most)(shift - limit))
    return None if new is None else state._replace(zone=new)


def updated(
    state: State, targets: Iterable[tuple[int, int]], values: Mapping[int, Datum], clocks: Sequence[int], now: Moment
) -> State:
    """A state in which components are elsewhere, variables hold new values and clocks begin anew."""
    places = list(state.locations)
    for k, target in targets:
        places[k] = target
    data = state.data
    if values:
        some = list(data)
        for place, one in values.items():
            some[place] = one
        data = tuple(some)
    after = State(tuple(places), data, state.resets, state.zone, state.facts)
    if values and state.facts:
        after = _forgotten(after)
    return _reset(after, clocks, now) if clocks else after


def _forgotten(state: State) -> State:
    """Without facts about values that no variable holds, nor any value that is compared with one that is held."""
    known = {one for one in state.data if isinstance(one, Symbol)}
    while True:
        linked = {s for left, _, right in state.facts if left in known or right in known for s in (left, right)}
        more = {s for s in linked if isinstance(s, Symbol)} - known
        if not more:
            break
        known |= more
    return state._replace(facts=frozenset(one for one in state.facts if one[0] in known))


def _reset(state: State, clocks: Sequence[int], now: Moment) -> State:
    resets, zone = list(state.resets), state.zone
    if now is not None and zone is None:
        for clock in clocks:
            resets[clock] = now
        return State(state.locations, state.data, tuple(resets), None, state.facts)
    loose = [clock for clock in clocks if resets[clock] is None]
    for clock in clocks:
        resets[clock] = now
    if now is not None and not loose:
        return state._replace(resets=tuple(resets))
    assert zone is not None
    zone = zone.without(loose)
    for clock in clocks if now is None else ():
        zone = _equal(zone.with_name(clock), clock)
    return settled(state._replace(resets=tuple(resets), zone=zone))


def _equal(zone: Zone, clock: int) -> Zone:
    below = zone.bounded(clock, NOW, 1)
    both = below.bounded(NOW, clock, 1) if below is not None else None
    assert both is not None, "a new dimension can be anything"
    return both


def settled(state: State) -> State:
    """With each instant that is known as a number, and the dimensions of the zone in order."""
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
    return state._replace(resets=tuple(resets), zone=None if len(zone.names) == 1 else zone.ordered())
