"""The engine: which states of a model are possible after an event, and after time has passed (strongest
postconditions).

The engine keeps every state in which the model may be. A step maps each of them to its successors; where no state is
left, the recording departs from the model. The network of components is never multiplied out into one automaton: an
event concerns only the few components that know it, and the edges that match it are looked up once for each location.

**An event** makes every component that knows it take one edge, all at the same instant. `find_transitions` tries every
combination of such edges and keeps the parts of the state in which all guards, and the invariants of the entered
locations, hold.

**Time** is harder, because components may take time edges at any instant while it passes. Usually none can, and
comparing a few numbers shows it (`Reflexes.rests`). Otherwise, and unless the simple case of `_take_single_edge`
applies, the present instant becomes a dimension of the zone, and the wait is explored in parts: let some time pass,
then let each component stay or take a time edge, and repeat from every new state. A state inside one already reached is
not followed, so the exploration ends when nothing new appears. A model with a cycle of time edges that keeps producing
new states would never end; it is given up after `MAX_STATES_PER_WAIT` states with an error.

After a fault the replay has to continue somewhere: see `recovery`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

from rootward.errors import InputError
from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import TRUE, Atom, Bound, Guard
from rootward.traces.model.model import Component, Model, Unknown
from rootward.traces.running.part import Move, Moves, Option, RunningComponent, remember
from rootward.traces.running.reflex import Picker, Reflexes, effects, make_picker
from rootward.traces.running.state import (
    NOW,
    Moment,
    Names,
    SymbolicState,
    holds_in_all,
    narrow_state,
    settle_state,
    update_state,
)
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import ORIGIN, Zone, add_bounds, at_most, less_than

MAX_STATES_PER_WAIT = 2000
"""Maximum number of states reached during one wait. A model that reaches more has a cycle of time edges that never
settles."""

WAYS_PER_STATE, MIN_WAYS_PER_WAIT = 2, 400
"""Maximum number of ways that components may stay or leave together that are tried during one wait: so many for each
state of the maximum, but at least ``MIN_WAYS_PER_WAIT``."""

States = tuple[SymbolicState, ...]


class Footprint(NamedTuple):
    """The components and names that a step may change."""

    components: frozenset[str]
    """Components that may change their location."""
    names: frozenset[str]
    """Variables and clocks that may be written."""

    def touches(self, components: Set[str], names: Set[str]) -> bool:
        return not (self.components.isdisjoint(components) and self.names.isdisjoint(names))


class TooManyStates(InputError):
    """Too many states are reached while time passes, or while a proof is checked."""


class Engine:
    """Runs a model.

    :param like: an engine for a similar model; parts and caches that are the same in both are shared
    :param rounds: maximum number of states at once, and reached during one wait
    """

    def __init__(self, model: Model, like: Engine | None = None, rounds: int = MAX_STATES_PER_WAIT) -> None:
        self.model, self._rounds = model, rounds
        self.names = Names(
            {name: place for place, name in enumerate(model.variables)},
            {name: place for place, name in enumerate(model.clocks)},
        )
        self.places = {part.name: k for k, part in enumerate(model.components)}
        """The number of each component, by name."""
        known = {part.component.name: part for part in like.parts} if like is not None else {}
        self.parts: list[RunningComponent] = [_prepare(one, known.get(one.name)) for one in model.components]
        self._like = like if like is not None and (like.names, like.places) == (self.names, self.places) else None
        """The similar engine, if it has the same names of components, variables and clocks; only some components
        differ."""
        self._reflexes: Reflexes = Reflexes(
            self.names, self.parts, self.places, self._like._reflexes if self._like else None
        )
        self._listeners_by_head: dict[str, list[int]] = {}
        self._moves_by_event: dict[str, list[tuple[int, Moves]]] = {}
        self._footprints: dict[str, Footprint] = {}
        self._live_names: dict[tuple[int, ...], frozenset[str]] = {}
        self._live_places: dict[tuple[int, ...], tuple[Picker, Picker]] = {}
        """Pickers of the variables and of the clocks that matter, by the locations of the components."""

    @cached_property
    def bounds(self) -> frozenset[Bound]:
        """All comparisons of clocks in the model."""
        return frozenset[Bound]().union(*(part.bounds for part in self.parts))

    @cached_property
    def patience(self) -> int:
        """The time to wait after the end of a recording: every deadline then has passed. 0 if the model is cautious."""
        return 0 if self.model.cautious else max((part.patience for part in self.parts), default=0)

    @cached_property
    def timed_parts(self) -> list[tuple[int, RunningComponent]]:
        """The components that have time edges, with their numbers."""
        return [(k, part) for k, part in enumerate(self.parts) if part.all_time_options]

    @cached_property
    def _time_footprint(self) -> Footprint:
        return _collect_footprint(option for _, part in self.timed_parts for option in part.all_time_options)

    def location(self, state: SymbolicState, component: str) -> str:
        """Return the name of the location in which a component is."""
        k = self.places[component]
        return self.model.components[k].locations[state.locations[k]].name

    # The initial states

    def begin(self, start: int = 0) -> States:
        """Return the states in which the model may begin at instant ``start``."""
        data = tuple(Symbol(name) if isinstance(v, Unknown) else v for name, v in self.model.variables.items())
        shown = self.model.clocks.values()
        resets: tuple[Moment, ...] = tuple(None if isinstance(one, Unknown) else start - one for one in shown)
        zone = Zone()
        for clock, reset in enumerate(resets):
            if reset is None:
                free = zone.with_name(clock).restrict(clock, ORIGIN, at_most(start))
                assert free is not None
                zone = free
        initial = [[part.places[name] for name in part.component.initial] for part in self.parts]
        first = SymbolicState((), data, resets, None if len(zone.names) == 1 else zone.sort_names())
        return tuple(
            state
            for locations in product(*initial)
            for state in self.enter(first._replace(locations=locations), range(len(initial)), start)
        )

    def take(self, states: Iterable[SymbolicState], step: Step) -> States:
        """Return the possible states after a step. Raises TooManyStates if they are more than the maximum."""
        after = self.wait(states, step.start, step.end) if isinstance(step, Wait) else self.step(states, step)
        if len(after) > self._rounds:
            raise TooManyStates(f"model {self.model.name}: it may be in more than {self._rounds} states at once")
        return after

    # Events

    def moves(self, event: Event) -> list[tuple[int, Moves]]:
        """Return the components that know an event, each with its possible moves by location."""
        if self._like is not None and not self._reflexes.differs(event.head):
            return self._like.moves(event)
        found = self._moves_by_event.get(event.text)
        if found is None:
            parts = ((k, self.parts[k].moves(event)) for k in self._listeners(event.head))
            found = remember(self._moves_by_event, event.text, [(k, moves) for k, moves in parts if moves is not None])
        return found

    def _listeners(self, head: str) -> list[int]:
        """Return the components that may know an event with this head."""
        found = self._listeners_by_head.get(head)
        if found is None:
            found = [k for k, part in enumerate(self.parts) if head in part.heads or "" in part.heads]
            self._listeners_by_head[head] = found
        return found

    def footprint(self, step: Step) -> Footprint:
        """Return what a step may change, whatever the locations of the components."""
        if isinstance(step, Wait):
            return self._time_footprint
        found = self._footprints.get(step.text)
        if found is None:
            every = (by_location.values() for _, by_location in self.moves(step))
            options = (move.option for some in every for moves in some for move in moves)
            found = remember(self._footprints, step.text, _collect_footprint(options))
        return found

    def step(self, states: Iterable[SymbolicState], event: Event) -> States:
        """Return the possible states after an event."""
        found: list[SymbolicState] = []
        for state in states:
            plain = self._reflexes.step(state, event, self.moves)
            found += plain if plain is not None else [after for after, _ in self._search_transitions(state, event)]
        return self.drop_contained(found) if len(found) > 1 else tuple(found)

    def find_transitions(self, state: SymbolicState, event: Event) -> list[tuple[SymbolicState, tuple[Move, ...]]]:
        """Return the possible states after an event, each with the moves of the components."""
        plain = self._reflexes.find_transitions(state, event, self.moves)
        return self._search_transitions(state, event) if plain is None else plain

    def _search_transitions(self, state: SymbolicState, event: Event) -> list[tuple[SymbolicState, tuple[Move, ...]]]:
        """Return the same for any state, by trying every combination of moves."""
        every = product(*(by_location.get(state.locations[k], ()) for k, by_location in self.moves(event)))
        return [(after, joint) for joint in every for after in self._move_jointly(state, joint, event.time)]

    def _move_jointly(self, state: SymbolicState, joint: Sequence[Move], now: Moment) -> Iterator[SymbolicState]:
        """Yield the states after several components move at once. All guards see the state before; if two moves set the
        same variable, the later one wins."""
        parts = [state]
        for move in joint:
            if move.option.when:
                parts = [
                    new for one in parts for new in narrow_state(self.names, one, move.option.when, move.params, now)
                ]
        for part in parts:
            targets, values, clocks = effects(self.names, self.places, part, joint)
            after = update_state(part, targets, values, clocks, now)
            yield from self.enter(after, [k for k, _ in targets], now)

    def enter(self, state: SymbolicState, components: Iterable[int], now: Moment) -> list[SymbolicState]:
        """Return the parts of a state in which the invariants of the entered locations hold."""
        guards = [self.parts[k].invariants[state.locations[k]] for k in components]
        return self._narrow_by_guards(state, [guard for guard in guards if guard != TRUE], now)

    def _narrow_by_guards(self, state: SymbolicState, guards: Sequence[Guard], now: Moment) -> list[SymbolicState]:
        """Return the parts of a state in which all guards hold."""
        parts = [state]
        for guard in guards:
            parts = [new for one in parts for when in guard for new in narrow_state(self.names, one, when, {}, now)]
        return parts

    # What matters

    def live_names(self, locations: tuple[int, ...]) -> frozenset[str]:
        """Return the variables and clocks whose values still matter in some locations (see `liveness`)."""
        found = self._live_names.get(locations)
        if found is None:
            some = (part.live_names[i] for part, i in zip(self.parts, locations, strict=True))
            found = remember(self._live_names, locations, frozenset[str]().union(*some))
        return found

    def _pick_live(self, state: SymbolicState) -> tuple[object, ...]:
        """Return what matters of the locations, the data and the resets of a state."""
        found = self._live_places.get(state.locations)
        if found is None:
            live = self.live_names(state.locations)
            variables, clocks = (make_picker([k for name, k in one.items() if name in live]) for one in self.names)
            found = remember(self._live_places, state.locations, (variables, clocks))
        variables, clocks = found
        return state.locations, variables(state.data), clocks(state.resets)

    def drop_contained(self, states: Iterable[SymbolicState]) -> States:
        """Drop the states that lie inside others, as far as what they say matters."""
        some = tuple(dict.fromkeys(states))
        if len(some) < 2:
            return some
        kept: dict[tuple[object, ...], list[SymbolicState]] = {}
        for state in some:
            alike = kept.setdefault(self._pick_live(state), [])
            if not alike:
                alike.append(state)
            elif not any(state.is_as_narrow(other) for other in alike):
                alike[:] = [other for other in alike if not other.is_as_narrow(state)]
                alike.append(state)
        return tuple([state for alike in kept.values() for state in alike])

    # Time

    def wait(self, states: Iterable[SymbolicState], start: int, end: int) -> States:
        """Return the possible states after time has passed."""
        some = tuple(states)
        rest = [self._reflexes.rests(state, start, end) for state in some]
        if all(rest):
            return some
        found: list[SymbolicState] = []
        for state, rests in zip(some, rest, strict=True):
            if rests:
                found.append(state)
                continue
            awake = self._reflexes.watch(state).awake
            if start < end and any(self.is_stuck(state, k, end) for k in awake):
                continue
            drifts = [option for k in awake for option in self._find_time_edges(state, k, start, end)]
            if not drifts and all(self._may_stay(state, k, end) for k in awake):
                found.append(state)
            elif drifts or start == end or not any(self.must_leave(state, k, end) for k in awake):
                once = self._take_single_edge(state, drifts[0], awake, start, end) if len(drifts) == 1 else None
                found.extend(self._explore_wait(state, start, end) if once is None else once)
        return self.drop_contained(found)

    def _find_time_edges(self, state: SymbolicState, k: int, start: int, end: int) -> list[Option]:
        """Return the time edges of a component that might be taken; in doubt, an edge is included."""
        options = self.parts[k].time_options[state.locations[k]]
        return [option for option in options if self.may_take(state, option, start, end)]

    def _take_single_edge(
        self, state: SymbolicState, option: Option, awake: Sequence[int], start: int, end: int
    ) -> list[SymbolicState] | None:
        """Handle the common case in which one time edge can be taken, once, and the instant does not matter. Return
        None if the case is not that simple."""
        mine = self.places[option.owner]
        others = [k for k in awake if k != mine]
        if option.edge.reset or state.facts or start == end:
            return None
        if self.parts[mine].invariants[option.source] != TRUE or not self._has_window(state, option, start, end):
            return None
        if not all(self.parts[k].patient[state.locations[k]] and self._may_stay(state, k, end) for k in others):
            return None
        if self.parts[mine].invariants[option.target] != TRUE:
            return None
        [after] = self._move_jointly(state, [Move(replace(option, when=()), {})], None)
        later = self._reflexes.watch(after).awake
        if any(self._find_time_edges(after, k, start, end) or not self._may_stay(after, k, end) for k in later):
            return None
        if self._may_stay(state, mine, end):
            return [state, after]
        return [after] if self.must_leave(state, mine, end) else None

    def _has_window(self, state: SymbolicState, option: Option, start: int, end: int) -> bool:
        """Return whether there is an instant at which a time edge can certainly be taken."""
        earliest, latest = at_most(-start), at_most(end)
        for atom in option.when:
            if isinstance(atom, Bound):
                reset = state.resets[self.names.clocks[atom.clock]]
                if reset is None:
                    return False
                limit = less_than if atom.op in ("<", ">") else at_most
                if atom.op in ("<", "<="):
                    latest = min(latest, limit(reset + atom.limit))
                else:
                    earliest = min(earliest, limit(-reset - atom.limit))
            elif not holds_in_all(self.names, state, atom, {}, end):
                return False
        return add_bounds(earliest, latest) >= 1

    def may_take(self, state: SymbolicState, option: Option, start: int, end: int) -> bool:
        """Return whether a time edge might be taken while nothing else happens.

        In doubt, returns True.
        """
        return not any(self.forbids(state, atom, start, end) for atom in option.when)

    def forbids(self, state: SymbolicState, atom: Atom, start: int, end: int) -> bool:
        """Return whether an atom holds at no instant from start to end in any part of a state."""
        if isinstance(atom, Bound):
            return holds_in_all(self.names, state, atom.negate(), {}, atom.best_instant(start, end))
        return not any(True for _ in narrow_state(self.names, state, (atom,), {}, end))

    def _may_stay(self, state: SymbolicState, k: int, end: int) -> bool:
        """Return whether a component may certainly stay until the end."""
        return any(
            all(holds_in_all(self.names, state, atom, {}, end) for atom in when)
            for when in self.parts[k].stays[state.locations[k]]
        )

    def must_leave(self, state: SymbolicState, k: int, end: int) -> bool:
        """Return whether a component certainly may not stay until the end."""
        stay = self.parts[k].stays[state.locations[k]]
        return not any(narrow_state(self.names, state, when, {}, end) for when in stay)

    def is_stuck(self, state: SymbolicState, k: int, end: int) -> bool:
        """Return whether a component certainly may not stay until ``end`` and cannot leave.

        It has no time edge to leave by, and no time edge of another component affects how long it may stay.
        """
        part, i = self.parts[k], state.locations[k]
        return (
            not part.time_options[i]
            and self._time_footprint.names.isdisjoint(part.stay_names[i])
            and self.must_leave(state, k, end)
        )

    def _explore_wait(self, state: SymbolicState, start: int, end: int) -> Iterator[SymbolicState]:
        """Yield every state that may be reached while time passes, exploring the wait in parts (see the top of this
        file)."""
        zone = (state.zone or Zone()).with_name(NOW).restrict(NOW, ORIGIN, at_most(start))
        zone = zone and zone.restrict(ORIGIN, NOW, at_most(-start))
        assert zone is not None
        first = state._replace(zone=zone)
        reached: list[SymbolicState] = []
        waiting = [first]
        tried = 0
        while waiting:
            one = waiting.pop()
            tried += self._count_ways(one)
            if tried > max(MIN_WAYS_PER_WAIT, WAYS_PER_STATE * self._rounds):
                raise TooManyStates(f"model {self.model.name}: it has too many ways to go on while time passes")
            for after in self._wait_and_move(one, end):
                if not any(after.within(known) for known in reached):
                    reached = [known for known in reached if not known.within(after)]
                    reached.append(after)
                    waiting.append(after)
            if len(reached) > self._rounds:
                raise TooManyStates(
                    f"model {self.model.name}: it reaches more than {self._rounds} states while time passes; "
                    "look for a cycle of edges without an event that never stops"
                )
        for one in [first, *reached]:
            at_end = one.zone.restrict(ORIGIN, NOW, at_most(-end)) if one.zone is not None else None
            if at_end is not None:
                yield settle_state(one._replace(zone=at_end).without_now())

    def _count_ways(self, state: SymbolicState) -> int:
        """Return in how many ways the components may stay or leave together."""
        awake = self._reflexes.watch(state).awake
        return math.prod(1 + len(self.parts[k].time_options[state.locations[k]]) for k in awake)

    def _wait_and_move(self, state: SymbolicState, end: int) -> Iterator[SymbolicState]:
        """Let some time pass, then let each component stay or take a time edge; yield the states after that."""
        assert state.zone is not None
        zone = state.zone.allow_later(NOW).restrict(NOW, ORIGIN, at_most(end))
        assert zone is not None
        later = state._replace(zone=zone)
        awake = self._reflexes.watch(state).awake
        stays = {k: self.parts[k].stays[state.locations[k]] for k in awake}
        options = {k: self.parts[k].time_options[state.locations[k]] for k in awake}
        ways: list[list[Guard | Option]] = [[stays[k], *options[k]] for k in awake if options[k]]
        for steady in self._narrow_by_guards(later, [stays[k] for k in awake if not options[k]], None):
            for joint in product(*ways):
                moves = [Move(one, {}) for one in joint if isinstance(one, Option)]
                left = [self.parts[self.places[move.option.owner]].invariants[move.option.source] for move in moves]
                staying = [one for one in joint if not isinstance(one, Option)]
                for part in self._narrow_by_guards(steady, [*staying, *left], None):
                    yield from self._move_jointly(part, moves, None) if moves else (part,)


def _prepare(component: Component, like: RunningComponent | None) -> RunningComponent:
    return like if like is not None and like.component is component else RunningComponent(component, like)


def _collect_footprint(options: Iterable[Option]) -> Footprint:
    some = list(options)
    return Footprint(
        frozenset(one.owner for one in some), frozenset(name for one in some for name in one.edge.written_names)
    )
