"""Decide which explanations are equal in the paper's sense (section 5).

Two explanations are equal if they have the same events, and if their times satisfy the same atomic clock constraints of
their template. There is one template for each sequence of events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from rootward.traces.grouping.template import Constraint, Spot, TooLarge, make_template
from rootward.traces.model.event import Event, Wait
from rootward.traces.model.guard import Guard, Var, names
from rootward.traces.proving.claim import find_mentioned
from rootward.traces.proving.explain import FaultExplanation
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import Move, RunningComponent, remember
from rootward.traces.running.state import SymbolicState
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import at_most, less_than

MAX_CACHE_ENTRIES = 5000
"""Maximum number of entries in each cache, such as that of templates."""


class Occasion(NamedTuple):
    """The parts of an explanation that count when it is compared with others."""

    events: tuple[Event, ...]
    instants: tuple[int, ...]
    """The instants of the beginning, of each event and, if it ends with waiting, of the end. Time that the
    explanation leaves out does not count."""
    about: tuple[frozenset[str], frozenset[str], frozenset[str]]
    """The components, variables and clocks that it mentions."""
    start: tuple[Spot, ...]
    """The spots in which it may begin."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the messages. Explanations that differ in these are never equal."""
        waiting = len(self.instants) > len(self.events) + 1
        return (*(event.text for event in self.events), *["time passes"] * waiting)


def make_occasion(start: States, explanation: FaultExplanation) -> Occasion:
    """Return the parts of an explanation that count. ``start``: the states in which it may begin."""
    conditions = (some for piece in explanation.pieces for some in (piece.first, piece.then))
    about = find_mentioned(case for some in conditions for case in some)
    return Occasion(explanation.events, _list_instants(explanation), about, tuple(dict.fromkeys(map(_spot, start))))


@lru_cache(maxsize=1000)
def _intern(spot: Spot) -> Spot:
    return spot


def _spot(state: SymbolicState) -> Spot:
    """Return the spot of a state. Most explanations begin at the same one, so equal spots are stored once."""
    return _intern(SymbolicState(state.locations, state.data, ()))


class Timing:
    """Compares explanations of faults of one model."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._parts: dict[object, Engine] = {}
        self._networks: dict[object, Engine] = {}
        self._uses: dict[str, list[_ClockUse]] = {}
        self._templates: dict[object, frozenset[Constraint]] = {}

    def group_equal(self, occasions: Sequence[Occasion]) -> list[list[int]]:
        """Group the numbers of occasions that are equal. Times are compared only between occasions with the same
        messages."""
        alike: dict[tuple[str, ...], list[int]] = {}
        for number, one in enumerate(occasions):
            alike.setdefault(one.texts, []).append(number)
        found: list[list[int]] = []
        for numbers in alike.values():
            exact: dict[str, list[int]] = {}
            for number in numbers:
                exact.setdefault(self.key(occasions[number]) if len(numbers) > 1 else "", []).append(number)
            found += exact.values()
        return found

    def key(self, one: Occasion) -> str:
        """Return a text that is the same for equal occasions: the events, and which constraints on times are true.
        Instant 0 is the beginning, 1 the first event, and so on."""
        times = sorted({(each.early, each.late, each.bound) for each in self._constraints(one)})
        return "; ".join([*one.texts, *(_format_constraint(Constraint(None, *each), one.instants) for each in times)])

    def _constraints(self, one: Occasion) -> frozenset[Constraint]:
        engine = self._engine_for(one)
        spots = tuple(dict.fromkeys(self._spot(engine, state) for state in one.start))
        key = engine, one.texts, spots
        found = self._templates.get(key)
        if found is None:
            found = remember(self._templates, key, _constraints(engine, spots, one), MAX_CACHE_ENTRIES)
        return found

    def _spot(self, engine: Engine, state: SymbolicState) -> Spot:
        """Return the part of a state that concerns the components and variables of ``engine``."""
        places = self._engine.names.variables
        data = [(name, state.data[places[name]]) for name in engine.model.variables]
        return SymbolicState(
            tuple(state.locations[self._engine.places[name]] for name in engine.places),
            tuple(Symbol(name) if isinstance(datum, Symbol) else datum for name, datum in data),
            (),
        )

    def _engine_for(self, one: Occasion) -> Engine:
        """Return an engine for the components that matter to an explanation.

        These are the components that it mentions, and all that write what these components read.
        """
        key = one.about, one.texts
        found = self._parts.get(key)
        if found is None:
            components, variables, clocks = one.about
            part = self._engine_of(*self._close_over_uses(components, variables | clocks, one.events))
            found = remember(self._parts, key, part, MAX_CACHE_ENTRIES)
        return found

    def _close_over_uses(
        self, components: frozenset[str], used: frozenset[str], events: Sequence[Event]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return all components and names on which the given ones depend, together with the given ones.

        Adds each component that writes a used name, and each name that such a component reads, until nothing is added.
        """
        uses = [*self._uses_in_time, *(use for event in events for use in self._uses_on(event))]
        size = -1
        while size != len(components) + len(used):
            size = len(components) + len(used)
            components |= {use.component for use in uses if use.writes & used}
            used |= {name for use in uses if use.component in components for name in use.reads}
        return components, used

    @cached_property
    def _uses_in_time(self) -> list[_ClockUse]:
        """The names that components read and write while time passes."""
        return [
            _make_use(
                part, [Move(one, {}) for some in part.time_options for one in some], (*part.stays, *part.invariants)
            )
            for part in self._engine.parts
        ]

    def _uses_on(self, event: Event) -> list[_ClockUse]:
        """Return the names that components read and write on an event."""
        found = self._uses.get(event.text)
        if found is None:
            known = [(self._engine.parts[k], moves) for k, moves in self._engine.moves(event)]
            every = [_make_use(part, [move for some in moves.values() for move in some], ()) for part, moves in known]
            found = remember(self._uses, event.text, every, MAX_CACHE_ENTRIES)
        return found

    def _engine_of(self, components: frozenset[str], used: frozenset[str]) -> Engine:
        key = components, used
        if key not in self._networks:
            model = self._engine.model
            self._networks[key] = Engine(
                replace(
                    model,
                    components=tuple(one for one in model.components if one.name in components),
                    variables={name: one for name, one in model.variables.items() if name in used},
                    clocks={name: one for name, one in model.clocks.items() if name in used},
                ),
                self._engine,
            )
        return self._networks[key]


def _constraints(engine: Engine, spots: Sequence[Spot], one: Occasion) -> frozenset[Constraint]:
    try:
        return frozenset().union(*make_template(engine, spots, one.events, len(one.texts) > len(one.events)))
    except TooLarge:
        return frozenset(_all_bounds(engine, len(one.texts)))


class _ClockUse(NamedTuple):
    component: str
    reads: frozenset[str]
    writes: frozenset[str]


def _make_use(part: RunningComponent, moves: Iterable[Move], guards: Iterable[Guard]) -> _ClockUse:
    """Return the variables and clocks that a component reads and writes.

    Counts what ``moves`` read and write, and what ``guards`` read.
    """
    edges = {id(move.option.edge): move.option.edge for move in moves}.values()
    every = [names(guard) for guard in (*guards, *(edge.when for edge in edges))]
    terms = {term.name for edge in edges for term in edge.set.values() if isinstance(term, Var)}
    return _ClockUse(
        part.component.name,
        frozenset(terms.union(*(variables | clocks for variables, _, clocks in every))),
        frozenset().union(*(edge.written_names for edge in edges)),
    )


def _list_instants(explanation: FaultExplanation) -> tuple[int, ...]:
    now, found = 0, [0]
    for piece in explanation.pieces:
        if isinstance(piece.step, Wait):
            now += piece.step.end - piece.step.start
        elif piece.step is not None:
            found.append(now)
    return tuple(found if isinstance(explanation.pieces[-1].step, Event) else [*found, now])


def _all_bounds(engine: Engine, count: int) -> Iterator[Constraint]:
    """Yield the constraints to use if there is no template: they compare the time between any two successive events
    with every bound of a clock."""
    for atom in engine.bounds:
        strict = less_than if atom.op in ("<", ">=") else at_most
        yield from (Constraint(None, place, place + 1, strict(atom.limit)) for place in range(count))


def _format_constraint(one: Constraint, instants: Sequence[int]) -> str:
    """Format a constraint, or its opposite, whichever is true."""
    ops = ("<=", ">") if one.bound & 1 else ("<", ">=")
    return f"{one.early} to {one.late} {ops[not one.satisfiable(instants)]} {one.bound >> 1} µs"
