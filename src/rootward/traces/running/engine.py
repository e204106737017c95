"""A model at work: which states are possible after an event, and after time has passed (strongest postconditions).

The network is never multiplied out. An event concerns the few components that know it; the edges that match it are
looked up once for each location. Most of the time nothing can happen while time passes, and that is seen by comparing
numbers. Where something can, the present instant becomes a dimension of the zone: time passes, each component stays or
takes an edge of time, and so on until nothing new is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

from rootward.errors import InputError
from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import TRUE, Atom, Bound, Guard, bounds
from rootward.traces.model.model import Model, Unknown
from rootward.traces.running.part import Move, Moves, Option, Part, remember
from rootward.traces.running.reflex import Reflexes, effects
from rootward.traces.running.state import NOW, Moment, Names, State, holds_in_all, narrowed, settled, updated
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import ORIGIN, Zone, add, at_most, less_than

ROUNDS = 2000
"""So many different states while time passes once are too many: some cycle never comes to rest."""

States = tuple[State, ...]


class Footprint(NamedTuple):
    """What may change."""

    components: frozenset[str]
    """Those that may go elsewhere."""
    names: frozenset[str]
    """Variables and clocks that may be written."""

    def touches(self, components: Set[str], names: Set[str]) -> bool:
        return not (self.components.isdisjoint(components) and self.names.isdisjoint(names))


class Restless(InputError):
    """While time passes, more and more states are reached."""


class Engine:
    """What a model may do. ``like``: an engine for a similar model; what is the same in both is shared. ``rounds``: how
    many states may be reached while time passes once."""

    def __init__(self, model: Model, like: Engine | None = None, rounds: int = ROUNDS) -> None:
        self.model, self._rounds = model, rounds
        self.names = Names(
            {name: place for place, name in enumerate(model.variables)},
            {name: place for place, name in enumerate(model.clocks)},
        )
        self.places = {part.name: k for k, part in enumerate(model.components)}
        """The number of each component."""
        known = {id(part.component): part for part in like.parts} if like is not None else {}
        self.parts: list[Part] = [known.get(id(one)) or Part(one) for one in model.components]
        self._like = like if like is not None and (like.names, like.places) == (self.names, self.places) else None
        """An engine with the same components, but for some that were changed."""
        self._reflexes: Reflexes = Reflexes(
            self.names, self.parts, self.places, self._like._reflexes if self._like else None
        )
        self._heard: dict[str, list[int]] = {}
        self._same: dict[str, bool] = {}
        self._known: dict[str, list[tuple[int, Moves]]] = {}
        self._footprints: dict[str, Footprint] = {}

    @cached_property
    def bounds(self) -> frozenset[Bound]:
        """All comparisons of clocks."""
        return frozenset[Bound]().union(*(part.bounds for part in self.parts))

    @cached_property
    def patience(self) -> int:
        """After so long, every deadline has passed."""
        return max((part.patience for part in self.parts), default=0)

    @cached_property
    def drifting(self) -> list[tuple[int, Part]]:
        """The components that have edges of time."""
        return [(k, part) for k, part in enumerate(self.parts) if part.all_drifts]

    @cached_property
    def _drift(self) -> Footprint:
        return _footprint(option for _, part in self.drifting for option in part.all_drifts)

    def location(self, state: State, component: str) -> str:
        k = self.places[component]
        return self.model.components[k].locations[state.locations[k]].name

    # Beginning

    def begin(self, start: int = 0) -> States:
        """Where it may be at the beginning."""
        data = tuple(Symbol(name) if isinstance(v, Unknown) else v for name, v in self.model.variables.items())
        shown = self.model.clocks.values()
        resets: tuple[Moment, ...] = tuple(None if isinstance(one, Unknown) else start - one for one in shown)
        zone = Zone()
        for clock, reset in enumerate(resets):
            if reset is None:
                free = zone.with_name(clock).bounded(clock, ORIGIN, at_most(start))
                assert free is not None
                zone = free
        initial = [[part.places[name] for name in part.component.initial] for part in self.parts]
        first = State((), data, resets, None if len(zone.names) == 1 else zone.ordered())
        return tuple(
            state
            for locations in product(*initial)
            for state in self._entered(first._replace(locations=locations), range(len(initial)), start)
        )

    def take(self, states: Iterable[State], step: Step) -> States:
        """Where it may be after a step."""
        return self.wait(states, step.start, step.end) if isinstance(step, Wait) else self.step(states, step)

    # Events

    def moves(self, event: Event) -> list[tuple[int, Moves]]:
        """The components that know an event, with what each may do by its location."""
        if self._like is not None and self._unchanged(event.head):
            return self._like.moves(event)
        found = self._known.get(event.text)
        if found is None:
            parts = ((k, self.parts[k].moves(event)) for k in self._listeners(event.head))
            found = remember(self._known, event.text, [(k, moves) for k, moves in parts if moves is not None])
        return found

    def _unchanged(self, head: str) -> bool:
        """Whether events with this head have nothing to do with what differs from the engine like this one."""
        found = self._same.get(head)
        if found is None:
            assert self._like is not None
            listeners = {*self._listeners(head), *self._like._listeners(head)}
            found = self._same[head] = listeners.isdisjoint(self._reflexes.changed)
        return found

    def _listeners(self, head: str) -> list[int]:
        """The components that may know an event with this head."""
        found = self._heard.get(head)
        if found is None:
            found = [k for k, part in enumerate(self.parts) if head in part.heads or "" in part.heads]
            self._heard[head] = found
        return found

    def footprint(self, step: Step) -> Footprint:
        """What a step may change, wherever the components are."""
        if isinstance(step, Wait):
            return self._drift
        found = self._footprints.get(step.text)
        if found is None:
            every = (by_location.values() for _, by_location in self.moves(step))
            options = (move.option for some in every for moves in some for move in moves)
            found = remember(self._footprints, step.text, _footprint(options))
        return found

    def step(self, states: Iterable[State], event: Event) -> States:
        """Where it may be after an event."""
        found = [after for state in states for after, _ in self.taken(state, event)]
        return distinct(found) if len(found) > 1 else tuple(found)

    def taken(self, state: State, event: Event) -> list[tuple[State, tuple[Move, ...]]]:
        """What may happen on an event: the states after it, and what each component did."""
        known = self.moves(event)
        plain = self._reflexes.taken(state, event, known)
        if plain is not None:
            return plain
        every = product(*(by_location.get(state.locations[k], ()) for k, by_location in known))
        return [(after, joint) for joint in every for after in self._together(state, joint, event.time)]

    def _together(self, state: State, joint: Sequence[Move], now: Moment) -> Iterator[State]:
        """All components move at once: all guards see what was before; of two that set a variable, the later wins."""
        parts = [state]
        for move in joint:
            if move.option.when:
                parts = [new for one in parts for new in narrowed(self.names, one, move.option.when, move.params, now)]
        for part in parts:
            targets, values, clocks = effects(self.names, self.places, part, joint)
            after = updated(part, targets, values, clocks, now)
            yield from self._entered(after, [k for k, _ in targets], now)

    def _entered(self, state: State, components: Iterable[int], now: Moment) -> list[State]:
        """The parts in which the invariants of what was entered hold."""
        guards = [self.parts[k].invariants[state.locations[k]] for k in components]
        return self._under(state, [guard for guard in guards if guard != TRUE], now)

    def _under(self, state: State, guards: Sequence[Guard], now: Moment) -> list[State]:
        """The parts in which guards hold."""
        parts = [state]
        for guard in guards:
            parts = [new for one in parts for when in guard for new in narrowed(self.names, one, when, {}, now)]
        return parts

    # Time

    def wait(self, states: Iterable[State], start: int, end: int) -> States:
        """Where it may be after time has passed."""
        found: list[State] = []
        for state in states:
            watch = self._reflexes.watch(state)
            if self._reflexes.rests(state, watch, start, end):
                found.append(state)
                continue
            awake = watch.awake
            if start < end and any(self._stuck(state, k, end) for k in awake):
                continue
            drifts = [option for k in awake for option in self._drifting(state, k, start, end)]
            if not drifts and all(self._stays(state, k, end) for k in awake):
                found.append(state)
            elif drifts or start == end or not any(self._must_leave(state, k, end) for k in awake):
                once = self._once(state, drifts[0], awake, start, end) if len(drifts) == 1 else None
                found.extend(self._passing(state, start, end) if once is None else once)
        return distinct(found) if len(found) > 1 else tuple(found)

    def _drifting(self, state: State, k: int, start: int, end: int) -> list[Option]:
        """The edges of time that might be taken; if in doubt, they might."""
        options = self.parts[k].drifts[state.locations[k]]
        return [option for option in options if self.may_take(state, option, start, end)]

    def _once(self, state: State, option: Option, awake: Sequence[int], start: int, end: int) -> list[State] | None:
        """The common case that one edge may be taken, once, and when it is does not matter; None if it is not so."""
        mine = self.places[option.owner]
        others = [k for k in awake if k != mine]
        if option.edge.reset or state.facts or start == end:
            return None
        if self.parts[mine].invariants[option.source] != TRUE or not self._window(state, option, start, end):
            return None
        if not all(self.parts[k].patient[state.locations[k]] and self._stays(state, k, end) for k in others):
            return None
        if self.parts[mine].invariants[option.target] != TRUE:
            return None
        [after] = self._together(state, [Move(replace(option, when=()), {})], None)
        later = self._reflexes.watch(after).awake
        if any(self._drifting(after, k, start, end) or not self._stays(after, k, end) for k in later):
            return None
        if self._stays(state, mine, end):
            return [state, after]
        return [after] if self._must_leave(state, mine, end) else None

    def _window(self, state: State, option: Option, start: int, end: int) -> bool:
        """Whether there is an instant at which an edge of time can certainly be taken."""
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
        return add(earliest, latest) >= 1

    def may_take(self, state: State, option: Option, start: int, end: int) -> bool:
        """Whether nothing forbids an edge of time while nothing else happens; if in doubt, nothing does."""
        return not any(self.forbids(state, atom, start, end) for atom in option.when)

    def forbids(self, state: State, atom: Atom, start: int, end: int) -> bool:
        """Whether an atom holds at no instant from start to end in any part of a state."""
        if isinstance(atom, Bound):
            return holds_in_all(self.names, state, atom.negated(), {}, atom.likeliest(start, end))
        return not any(True for _ in narrowed(self.names, state, (atom,), {}, end))

    def _stays(self, state: State, k: int, end: int) -> bool:
        """Whether one may certainly stay until the end."""
        return any(
            all(holds_in_all(self.names, state, atom, {}, end) for atom in when)
            for when in self.parts[k].stays[state.locations[k]]
        )

    def _must_leave(self, state: State, k: int, end: int) -> bool:
        """Whether one may certainly not stay until the end."""
        stay = self.parts[k].stays[state.locations[k]]
        return not any(narrowed(self.names, state, when, {}, end) for when in stay)

    def _stuck(self, state: State, k: int, end: int) -> bool:
        """Whether one certainly may not stay, cannot leave, and nothing that happens meanwhile changes that."""
        part, i = self.parts[k], state.locations[k]
        return not part.drifts[i] and self._drift.names.isdisjoint(part.needs[i]) and self._must_leave(state, k, end)

    def _passing(self, state: State, start: int, end: int) -> Iterator[State]:
        """All that may happen while time passes: part by part, with the present instant as a dimension."""
        zone = (state.zone or Zone()).with_name(NOW).bounded(NOW, ORIGIN, at_most(start))
        zone = zone and zone.bounded(ORIGIN, NOW, at_most(-start))
        assert zone is not None
        first = state._replace(zone=zone)
        reached: list[State] = []
        waiting = [first]
        while waiting:
            one = waiting.pop()
            for after in self._part(one, end):
                if not any(after.within(known) for known in reached):
                    reached = [known for known in reached if not known.within(after)]
                    reached.append(after)
                    waiting.append(after)
            if len(reached) > self._rounds:
                raise Restless(f"model {self.model.name}: while time passes, it never comes to rest")
        for one in [first, *reached]:
            at_end = one.zone.bounded(ORIGIN, NOW, at_most(-end)) if one.zone is not None else None
            if at_end is not None:
                yield settled(one._replace(zone=at_end).without_now())

    def _part(self, state: State, end: int) -> Iterator[State]:
        """Time passes, then each component stays or takes an edge of time."""
        assert state.zone is not None
        zone = state.zone.loosened(NOW).bounded(NOW, ORIGIN, at_most(end))
        assert zone is not None
        later = state._replace(zone=zone)
        awake = self._reflexes.watch(state).awake
        ways: list[list[Guard | Option]] = [
            [self.parts[k].stays[state.locations[k]], *self.parts[k].drifts[state.locations[k]]] for k in awake
        ]
        for joint in product(*ways):
            moves = [Move(one, {}) for one in joint if isinstance(one, Option)]
            left = [self.parts[self.places[move.option.owner]].invariants[move.option.source] for move in moves]
            for part in self._under(later, [*(one for one in joint if not isinstance(one, Option)), *left], None):
                yield from self._together(part, moves, None) if moves else (part,)

    # After a fault

    def forced_step(self, states: Iterable[State], event: Event) -> States:
        """Where it may be if an event is allowed that is not: guards that fail are overlooked; if a component has no
        edge for it where it is, the edges of its other locations count, too."""
        found: list[State] = []
        for state in states:
            choices = []
            for k, by_location in self.moves(event):
                every = [move for moves in by_location.values() for move in moves]
                choices.append(self._first_enabled(state, by_location.get(state.locations[k], every), event.time))
            bare = [[move._replace(option=replace(move.option, when=())) for move in moves] for moves in choices]
            for joint in product(*bare):
                found.extend(self._together(state, joint, event.time))
        return distinct(found) or tuple(states)

    def _first_enabled(self, state: State, moves: Sequence[Move], now: int) -> Sequence[Move]:
        """The moves that are allowed; all if none is."""
        enabled = [one for one in moves if narrowed(self.names, state, one.option.when, one.params, now)]
        return enabled or moves

    def forced_wait(self, states: Iterable[State], end: int) -> States:
        """Where it may be if time passes that may not: what had to be left by then gets as much time again, is just
        late if that makes a difference, or begins anew."""
        found: list[State] = []
        for state in states:
            late = [k for k in range(len(state.locations)) if self._must_leave(state, k, end)]
            stays = [self.parts[k].stays[state.locations[k]] for k in late]
            clocks = {atom.clock for atom in bounds(*stays)}
            found.append(updated(state, (), {}, [self.names.clocks[name] for name in sorted(clocks)], end))
            if any(self.parts[k].waits_for(state.locations[k], clocks) for k in late):
                found.append(state)
            anew = [(k, self.parts[k].places[self.parts[k].component.initial[0]]) for k in late]
            found.append(updated(state, anew, {}, (), None))
        return distinct(found)


def _footprint(options: Iterable[Option]) -> Footprint:
    some = list(options)
    return Footprint(frozenset(one.owner for one in some), frozenset(name for one in some for name in one.edge.written))


def distinct(states: Iterable[State]) -> States:
    """Without those that lie in others."""
    found: list[State] = []
    for state in dict.fromkeys(states):
        if state.zone is None and not state.facts:
            found.append(state)
        elif not any(state.within(other) for other in found):
            found = [other for other in found if not other.within(state)]
            found.append(state)
    return tuple(found)
