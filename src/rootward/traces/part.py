"""A component made ready to run: its edges by location, and what it may do on each event, looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rootward.traces.event import Event
from rootward.traces.guard import TRUE, Bound, Conjunction, Value, all_of
from rootward.traces.model import Component, Edge
from rootward.traces.pattern import Pattern

REMEMBERED = 50_000
"""Different events that are remembered."""


@dataclass(frozen=True)
class Option:
    """One way to take an edge: an alternative of its guard."""

    owner: str
    """The name of the component."""
    edge: Edge
    source: int
    target: int
    when: Conjunction
    number: int
    """The place of the edge in its component."""


@dataclass(frozen=True)
class Move:
    """An option with the parameters of an event."""

    option: Option
    params: Mapping[str, Value]


Moves = dict[int, list[Move]]
"""What may be done on an event, by location."""


class Part:
    def __init__(self, component: Component) -> None:
        self.component = component
        self.places = {one.name: i for i, one in enumerate(component.locations)}
        self.invariants = [one.invariant for one in component.locations]
        self.stays = [all_of((one.stay, one.invariant)) for one in component.locations]
        self.drifts: list[list[Option]] = [[] for _ in component.locations]
        """The edges of time of each location."""
        self._events: dict[str, list[tuple[Pattern, list[Option]]]] = {}
        for number, edge in enumerate(component.edges):
            source, target = self.places[edge.source], self.places[edge.target]
            options = [Option(component.name, edge, source, target, when, number) for when in edge.when]
            if edge.on is None:
                self.drifts[source] += options
            else:
                self._events.setdefault(edge.on.head, []).append((edge.on, options))
        self.quiet = [not drifts and TRUE[0] in stay for drifts, stay in zip(self.drifts, self.stays, strict=True)]
        """Where nothing can happen while time passes."""
        self.patient = [
            all(atom.op in ("<", "<=") for when in stay for atom in when if isinstance(atom, Bound))
            for stay in self.stays
        ]
        """Where one may stay at every instant before one at which one may, if nothing else changes."""
        guards = [*self.stays, *(edge.when for edge in component.edges)]
        self.bounds = {atom for guard in guards for when in guard for atom in when if isinstance(atom, Bound)}
        self.patience = max(
            (a.limit + 1 for guard in self.stays for when in guard for a in when if isinstance(a, Bound)), default=0
        )
        """After so long, its deadlines have passed."""
        self._known: dict[str, Moves | None] = {}

    def moves(self, event: Event) -> Moves | None:
        """What may be done on an event; None if the component does not know it."""
        try:
            return self._known[event.text]
        except KeyError:
            pass
        found: Moves = {}
        knows = False
        for head in (event.head, ""):
            for pattern, options in self._events.get(head, ()):
                params = pattern.match(event)
                if params is not None:
                    knows = True
                    for one in options:
                        found.setdefault(one.source, []).append(Move(one, params))
        if len(self._known) > REMEMBERED:
            self._known.clear()
        self._known[event.text] = found if knows else None
        return self._known[event.text]
