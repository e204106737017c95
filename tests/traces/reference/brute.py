"""What a model allows, by trying everything: single configurations, on a grid of time.

No formula and no zone is in here. A microsecond is cut into `grain` ticks, and all that happens between two events
happens at a tick. Values that are not known at the beginning range over all that the model can tell apart; clocks stop
at a value above all constants.

The grid can only miss runs, never invent one: bounds are whole microseconds, so two ticks to one are exact as long as
no two moments have to lie, in a given order, strictly inside the same microsecond. Who finds a run that is not found
here tries again with a finer grain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import NamedTuple

from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import Bound, Const, Guard, Param, Term, Test, Value, compare
from rootward.traces.model.model import Component, Edge, Location, Model, Unknown

Holds = Callable[[tuple[Value, ...], tuple[int, ...]], bool]
ORDERS = ("<", "<=", ">", ">=")


class Configuration(NamedTuple):
    locations: tuple[str, ...]
    values: tuple[Value, ...]
    clocks: tuple[int, ...]
    """In ticks."""


States = frozenset[Configuration]


@dataclass(frozen=True)
class Move:
    """What one component does in a step: it stays, or takes an edge."""

    holds: Holds
    target: str
    edge: Edge | None
    params: dict[str, Value]


class Brute:
    def __init__(self, model: Model, grain: int = 2) -> None:
        self.model, self.grain = model, grain
        self.variables, self.clocks = list(model.variables), list(model.clocks)
        self.locations = [{one.name: one for one in component.locations} for component in model.components]
        self.top = (max((bound.limit for bound in _atoms(model) if isinstance(bound, Bound)), default=0) + 1) * grain
        self._begins: dict[frozenset[Value], States] = {}
        self._compiled: dict[int, Holds] = {}
        self._jumped: dict[Configuration, States] = {}
        self._stayed: dict[Configuration, bool] = {}
        self._aged: dict[Configuration, Configuration] = {}
        self._steps: dict[tuple[Configuration, str], States] = {}
        self._moves: dict[tuple[str, ...], list[tuple[Move, ...]]] = {}
        self._answers: dict[tuple[tuple[str, ...], str], list[tuple[Move, ...]]] = {}
        self._known: dict[str, tuple[bool, ...]] = {}

    def begin(self, seen: frozenset[Value] = frozenset()) -> States:
        """All that is possible at the start: every initial location whose invariant holds, every unknown value.

        What the events to come carry, `seen`, can be told apart too.
        """
        if seen not in self._begins:
            places = product(*(component.initial for component in self.model.components))
            starts = product(places, product(*self._values(seen)), product(*self._ticks()))
            found = (Configuration(*start) for start in starts)
            self._begins[seen] = frozenset(one for one in found if self._entered(range(len(one.locations)), one))
        return self._begins[seen]

    def wait(self, states: Iterable[Configuration], duration: int) -> States:
        """Where one can be when so many microseconds have passed, in whatever parts.

        A part may end at any tick. So all that is under way gets older, tick by tick, and may jump at each; at the last
        tick a part has to end, with a jump or with staying. Only a wait of no length may do nothing.
        """
        live, arrived = set(states), set(states if duration == 0 else ())
        for tick in range(duration * self.grain + 1):
            live = {self._later(one) for one in live} if tick else live
            jumped = {end for one in live for end in self._jumps(one)}
            live |= jumped
        return frozenset(arrived | jumped | {one for one in live if self._stays(one)})

    def part(self, one: Configuration, duration: int) -> States:
        """Where one part of so much time leads to; a whole stutter, if it has no length, is no part."""
        for _ in range(duration * self.grain):
            one = self._later(one)
        ends = {end for joint in self._time_moves(one.locations) for end in self._taken(one, joint)}
        return frozenset(ends | ({one} if self._stays(one) else set()))

    def step(self, states: Iterable[Configuration], event: Event) -> States:
        """Where one can be after an event."""
        return frozenset(end for state in states for end in self._after(state, event))

    def first_fault(self, trace: Trace) -> int | None:
        """The first step that cannot be taken: 2i is the wait before event i (or the end), 2i + 1 the event itself."""
        now, states = 0, self.begin(frozenset(self._carried(trace)))
        for index, (event, time) in enumerate(steps(trace)):
            states = self.wait(states, time - now) if event is None else self.step(states, event)
            now = time
            if not states:
                return index
        return None

    def _after(self, one: Configuration, event: Event) -> States:
        key = (one, event.text)
        if key not in self._steps:
            moves = self._joint_moves(one.locations, event)
            self._steps[key] = frozenset(end for joint in moves for end in self._taken(one, joint))
        return self._steps[key]

    def _jumps(self, start: Configuration) -> States:
        """What edges of time lead to, one or more of them, without time passing."""
        if not self._time_moves(start.locations):
            return frozenset()
        if start not in self._jumped:
            found: set[Configuration] = set()
            todo = [start]
            while todo:
                one = todo.pop()
                ends = {end for joint in self._time_moves(one.locations) for end in self._taken(one, joint)} - found
                found |= ends
                todo += ends
            self._jumped[start] = frozenset(found)
        return self._jumped[start]

    def _later(self, one: Configuration) -> Configuration:
        if one not in self._aged:
            clocks = tuple(min(at + 1, self.top) for at in one.clocks)
            self._aged[one] = Configuration(one.locations, one.values, clocks)
        return self._aged[one]

    def _stays(self, one: Configuration) -> bool:
        if one not in self._stayed:
            self._stayed[one] = all(self._stay(i, at)(one.values, one.clocks) for i, at in enumerate(one.locations))
        return self._stayed[one]

    def _taken(self, one: Configuration, joint: tuple[Move, ...]) -> Iterator[Configuration]:
        """Where a joint move leads to, if it can be made."""
        for move in joint:
            if not move.holds(one.values, one.clocks):
                return
        values, clocks = dict(zip(self.variables, one.values, strict=True)), list(one.clocks)
        for move in joint:
            if move.edge is not None:
                for name, term in move.edge.set.items():
                    values[name] = _value(term, one.values, self.variables, move.params)
                for name in move.edge.reset:
                    clocks[self.clocks.index(name)] = 0
        end = Configuration(tuple(move.target for move in joint), tuple(values.values()), tuple(clocks))
        if self._entered((i for i, move in enumerate(joint) if move.edge), end):
            yield end

    def _entered(self, entering: Iterator[int] | range, one: Configuration) -> bool:
        return all(self._holds(self._at(i, one.locations[i]).invariant)(one.values, one.clocks) for i in entering)

    def _time_moves(self, locations: tuple[str, ...]) -> list[tuple[Move, ...]]:
        """Joint moves while time passes in which at least one component does not stay."""
        if locations not in self._moves:
            options = [self._time_options(i, at) for i, at in enumerate(locations)]
            self._moves[locations] = [joint for joint in product(*options) if any(move.edge for move in joint)]
        return self._moves[locations]

    def _time_options(self, index: int, at: str) -> list[Move]:
        invariant = self._holds(self._at(index, at).invariant)
        options = [Move(self._stay(index, at), at, None, {})]
        for edge in self.model.components[index].edges:
            if edge.on is None and edge.source == at:
                options.append(Move(_both(self._holds(edge.when), invariant), edge.target, edge, {}))
        return options

    def _stay(self, index: int, at: str) -> Holds:
        location = self._at(index, at)
        return _both(self._holds(location.stay), self._holds(location.invariant))

    def _joint_moves(self, locations: tuple[str, ...], event: Event) -> list[tuple[Move, ...]]:
        """What all components together may do at an event."""
        key = (locations, event.text)
        if key not in self._answers:
            self._answers[key] = list(product(*(self._event_moves(i, at, event) for i, at in enumerate(locations))))
        return self._answers[key]

    def _event_moves(self, index: int, at: str, event: Event) -> list[Move]:
        if not self._knows(event)[index]:
            return [Move(_always, at, None, {})]
        moves = []
        for edge in self.model.components[index].edges:
            if edge.on is not None and edge.source == at and (params := edge.on.match(event)) is not None:
                moves.append(Move(_compiled(edge.when, self, params), edge.target, edge, params))
        return moves

    def _knows(self, event: Event) -> tuple[bool, ...]:
        if event.text not in self._known:
            self._known[event.text] = tuple(_knows(component, event) for component in self.model.components)
        return self._known[event.text]

    def _at(self, index: int, name: str) -> Location:
        return self.locations[index][name]

    def _holds(self, guard: Guard) -> Holds:
        key = id(guard)  # the model keeps its guards alive
        if key not in self._compiled:
            self._compiled[key] = _compiled(guard, self, {})
        return self._compiled[key]

    def _ticks(self) -> Iterator[range]:
        for start in self.model.clocks.values():
            known = not isinstance(start, Unknown)
            yield range(start * self.grain, start * self.grain + 1) if known else range(self.top + 1)  # type: ignore[operator]

    def _carried(self, trace: Trace) -> Iterator[Value]:
        patterns = [edge.on for component in self.model.components for edge in component.edges if edge.on is not None]
        for pattern, event in product(patterns, trace.events):
            yield from (pattern.match(event) or {}).values()

    def _values(self, seen: frozenset[Value]) -> Iterator[list[Value]]:
        """For each variable what it can be: its initial value, or one of each kind that the model can tell apart."""
        unknown = sum(isinstance(start, Unknown) for start in self.model.variables.values())
        for start in self.model.variables.values():
            yield self._domain(unknown, seen) if isinstance(start, Unknown) else [start]

    def _domain(self, unknown: int, seen: frozenset[Value]) -> list[Value]:
        """The constants, and for each unknown variable a fresh text; with orders, fresh numbers on both sides too."""
        tests = [atom for atom in _atoms(self.model) if isinstance(atom, Test)]
        constants = set(_constants(self.model, tests)) | seen
        fresh: list[Value] = [f"fresh{number}" for number in range(unknown)]
        numbers = [one for one in constants if isinstance(one, int)]
        if numbers and any(test.op in ORDERS for test in tests):
            constants |= set(range(min(numbers) - unknown, max(numbers) + unknown + 1))
        return [*sorted(constants, key=repr), *fresh]


def first_fault(model: Model, trace: Trace, grain: int = 2) -> int | None:
    return Brute(model, grain).first_fault(trace)


def steps(trace: Trace) -> list[tuple[Event | None, int]]:
    """The trace as steps, each with the instant of its end: a wait, an event, a wait, ..., an event, a wait."""
    found: list[tuple[Event | None, int]] = []
    for event in trace.events:
        found += [(None, event.time), (event, event.time)]
    last = trace.events[-1].time if trace.events else 0
    return [*found, (None, last if trace.end is None else trace.end)]


def _knows(component: Component, event: Event) -> bool:
    return any(edge.on is not None and edge.on.match(event) is not None for edge in component.edges)


def _atoms(model: Model) -> Iterator[Test | Bound]:
    guards = [edge.when for component in model.components for edge in component.edges]
    guards += [one for component in model.components for at in component.locations for one in (at.invariant, at.stay)]
    return (atom for guard in guards for conjunction in guard for atom in conjunction)


def _constants(model: Model, tests: list[Test]) -> Iterator[Value]:
    yield from (one for one in model.variables.values() if not isinstance(one, Unknown))
    for edge in (edge for component in model.components for edge in component.edges):
        yield from (term.value for term in edge.set.values() if isinstance(term, Const))
    for side in (side for test in tests for side in (test.left, test.right)):
        if isinstance(side, Const):
            yield side.value
        elif isinstance(side, tuple):
            yield from side


def _always(values: tuple[Value, ...], clocks: tuple[int, ...]) -> bool:
    return True


def _both(one: Holds, other: Holds) -> Holds:
    if one is _always or other is _always:
        return other if one is _always else one
    return lambda values, clocks: one(values, clocks) and other(values, clocks)


def _value(term: Term, values: tuple[Value, ...], variables: list[str], params: dict[str, Value]) -> Value:
    if isinstance(term, Const):
        return term.value
    return params[term.name] if isinstance(term, Param) else values[variables.index(term.name)]


def _compiled(guard: Guard, brute: Brute, params: dict[str, Value]) -> Holds:
    always: Holds = _always
    parts = [reduce(_both, (_atom(atom, brute, params) for atom in conjunction), always) for conjunction in guard]
    if len(parts) == 1:
        return parts[0]
    return lambda values, clocks: any(part(values, clocks) for part in parts)


def _atom(atom: Test | Bound, brute: Brute, params: dict[str, Value]) -> Holds:
    if isinstance(atom, Bound):
        index, op, limit = brute.clocks.index(atom.clock), atom.op, atom.limit * brute.grain
        return lambda values, clocks: compare(clocks[index], op, limit)
    left, right, op, names = atom.left, atom.right, atom.op, brute.variables
    if isinstance(right, tuple):
        return lambda values, clocks: compare(_value(left, values, names, params), op, right)
    return lambda values, clocks: compare(_value(left, values, names, params), op, _value(right, values, names, params))
