"""When two explanations are equal in the paper's sense: the same events, and times that satisfy the same atomic clock
constraints of their template (section 5). One template is made for each sequence of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from rootward.traces.grouping.template import Constraint, Spot, TooLarge, template
from rootward.traces.model.event import Event, Wait
from rootward.traces.model.guard import Guard, Var, names
from rootward.traces.proving.claim import mentioned
from rootward.traces.proving.explain import Explanation
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import Move, Part, remember
from rootward.traces.running.state import State
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import at_most, less_than

TEMPLATES = 5000
"""So many templates are remembered."""


class Occasion(NamedTuple):
    """What counts of an explanation when it is compared with others."""

    events: tuple[Event, ...]
    instants: tuple[int, ...]
    """When it begins, when each event happens, and when it ends if it ends with waiting. Times are those of the
    explanation: what was left out with its time took none."""
    about: tuple[frozenset[str], frozenset[str], frozenset[str]]
    """The components, variables and clocks that it speaks of."""
    start: tuple[Spot, ...]
    """Where it begins, without the clocks."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The messages; what differs in these is never equal."""
        waiting = len(self.instants) > len(self.events) + 1
        return (*(event.text for event in self.events), *["time passes"] * waiting)


def occasion(start: States, explanation: Explanation) -> Occasion:
    conditions = (some for piece in explanation.pieces for some in (piece.first, piece.then))
    about = mentioned(case for some in conditions for case in some)
    return Occasion(explanation.events, _instants(explanation), about, tuple(dict.fromkeys(map(_spot, start))))


@lru_cache(maxsize=1000)
def _known(spot: Spot) -> Spot:
    return spot


def _spot(state: State) -> Spot:
    """Most begin at the same place: it is kept once."""
    return _known(State(state.locations, state.data, ()))


class Timing:
    """Compares explanations of faults of one model."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._parts: dict[object, Engine] = {}
        self._networks: dict[object, Engine] = {}
        self._uses: dict[str, list[_Use]] = {}
        self._templates: dict[object, frozenset[Constraint]] = {}

    def equal(self, occasions: Sequence[Occasion]) -> list[list[int]]:
        """The numbers of those that are equal together; times need a look only where messages are the same."""
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
        """The events and what is true of their times: instant 0 is the beginning, 1 the first event, and so on."""
        times = sorted({(each.early, each.late, each.bound) for each in self._constraints(one)})
        return "; ".join([*one.texts, *(_said(Constraint(None, *each), one.instants) for each in times)])

    def _constraints(self, one: Occasion) -> frozenset[Constraint]:
        engine = self._part(one)
        spots = tuple(dict.fromkeys(self._spot(engine, state) for state in one.start))
        key = engine, one.texts, spots
        found = self._templates.get(key)
        if found is None:
            found = remember(self._templates, key, _constraints(engine, spots, one), TEMPLATES)
        return found

    def _spot(self, engine: Engine, state: State) -> Spot:
        """What a state says of a part of the model."""
        places = self._engine.names.variables
        data = [(name, state.data[places[name]]) for name in engine.model.variables]
        return State(
            tuple(state.locations[self._engine.places[name]] for name in engine.places),
            tuple(Symbol(name) if isinstance(datum, Symbol) else datum for name, datum in data),
            (),
        )

    def _part(self, one: Occasion) -> Engine:
        """The components that an explanation speaks of, and those that write what these read."""
        key = one.about, one.texts
        found = self._parts.get(key)
        if found is None:
            components, variables, clocks = one.about
            part = self._network(*self._closed(components, variables | clocks, one.events))
            found = remember(self._parts, key, part, TEMPLATES)
        return found

    def _closed(
        self, components: frozenset[str], used: frozenset[str], events: Sequence[Event]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """With all components that write, and all variables and clocks that are read, by those that matter."""
        uses = [*self._still, *(use for event in events for use in self._on(event))]
        size = -1
        while size != len(components) + len(used):
            size = len(components) + len(used)
            components |= {use.component for use in uses if use.writes & used}
            used |= {name for use in uses if use.component in components for name in use.reads}
        return components, used

    @cached_property
    def _still(self) -> list[_Use]:
        """What components read and write while time passes."""
        return [
            _use(part, [Move(one, {}) for some in part.drifts for one in some], (*part.stays, *part.invariants))
            for part in self._engine.parts
        ]

    def _on(self, event: Event) -> list[_Use]:
        """What components read and write on an event."""
        found = self._uses.get(event.text)
        if found is None:
            known = [(self._engine.parts[k], moves) for k, moves in self._engine.moves(event)]
            every = [_use(part, [move for some in moves.values() for move in some], ()) for part, moves in known]
            found = remember(self._uses, event.text, every, TEMPLATES)
        return found

    def _network(self, components: frozenset[str], used: frozenset[str]) -> Engine:
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
        return frozenset().union(*template(engine, spots, one.events, len(one.texts) > len(one.events)))
    except TooLarge:
        return frozenset(_each(engine, len(one.texts)))


class _Use(NamedTuple):
    component: str
    reads: frozenset[str]
    writes: frozenset[str]


def _use(part: Part, moves: Iterable[Move], guards: Iterable[Guard]) -> _Use:
    """The variables and clocks that a component looks at and writes in moves, or looks at in other guards."""
    edges = {id(move.option.edge): move.option.edge for move in moves}.values()
    every = [names(guard) for guard in (*guards, *(edge.when for edge in edges))]
    terms = {term.name for edge in edges for term in edge.set.values() if isinstance(term, Var)}
    return _Use(
        part.component.name,
        frozenset(terms.union(*(variables | clocks for variables, _, clocks in every))),
        frozenset().union(*(edge.written for edge in edges)),
    )


def _instants(explanation: Explanation) -> tuple[int, ...]:
    now, found = 0, [0]
    for piece in explanation.pieces:
        if isinstance(piece.step, Wait):
            now += piece.step.end - piece.step.start
        elif piece.step is not None:
            found.append(now)
    return tuple(found if isinstance(explanation.pieces[-1].step, Event) else [*found, now])


def _each(engine: Engine, count: int) -> Iterator[Constraint]:
    """What is compared if there is no template: each time between two events with each bound of a clock."""
    for atom in engine.bounds:
        strict = less_than if atom.op in ("<", ">=") else at_most
        yield from (Constraint(None, place, place + 1, strict(atom.limit)) for place in range(count))


def _said(one: Constraint, instants: Sequence[int]) -> str:
    """What is true: a constraint or its opposite."""
    ops = ("<=", ">") if one.bound & 1 else ("<", ">=")
    return f"{one.early} to {one.late} {ops[not one.satisfiable(instants)]} {one.bound >> 1} µs"
