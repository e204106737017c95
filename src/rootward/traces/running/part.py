"""A component made ready to run: its edges by location, and what it may do on each event, looked up once."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Bound, Conjunction, Value, Var, all_of, bounds, names
from rootward.traces.model.model import Component, Edge
from rootward.traces.model.pattern import Pattern

REMEMBERED = 10_000
"""So many answers to one question are remembered."""

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


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

    @cached_property
    def reads(self) -> frozenset[str]:
        """The variables that it compares or copies."""
        copied = {term.name for term in self.edge.set.values() if isinstance(term, Var)}
        return frozenset(names((self.when,))[0] | copied)


class Move(NamedTuple):
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
        self.stays = [
            one.stay if one.invariant == TRUE else all_of((one.stay, one.invariant)) for one in component.locations
        ]
        self.drifts: list[list[Option]] = [[] for _ in component.locations]
        """The edges of time of each location."""
        self.heads: dict[str, dict[Pattern, list[Option]]] = {}
        """The edges of events, by the head of their pattern."""
        for number, edge in enumerate(component.edges):
            source, target = self.places[edge.source], self.places[edge.target]
            options = [Option(component.name, edge, source, target, when, number) for when in edge.when]
            if edge.on is None:
                self.drifts[source] += options
            else:
                self.heads.setdefault(edge.on.head, {}).setdefault(edge.on, []).extend(options)
        self.quiet = [not drifts and TRUE[0] in stay for drifts, stay in zip(self.drifts, self.stays, strict=True)]
        """Where nothing can happen while time passes."""
        self._known: dict[str, Moves | None] = {}

    @cached_property
    def all_drifts(self) -> list[Option]:
        """The edges of time of all locations."""
        return [option for options in self.drifts for option in options]

    @cached_property
    def needs(self) -> list[frozenset[str]]:
        """The variables and clocks that decide whether one may stay, for each location."""
        return [frozenset[str]().union(names(stay)[0], names(stay)[2]) for stay in self.stays]

    @cached_property
    def patient(self) -> list[bool]:
        """Where one may stay at every instant before one at which one may, if nothing else changes."""
        return [all(atom.op in ("<", "<=") for atom in bounds(stay)) for stay in self.stays]

    @cached_property
    def bounds(self) -> set[Bound]:
        """All comparisons of clocks."""
        return set(bounds(*self.stays, *(edge.when for edge in self.component.edges)))

    @cached_property
    def lasts(self) -> list[float]:
        """How long one may stay at most in each location."""
        return [max(map(_lasts, stay), default=0) for stay in self.stays]

    @cached_property
    def patience(self) -> int:
        """After so long, its deadlines have passed."""
        return max((atom.limit + 1 for atom in bounds(*self.stays)), default=0)

    def waits_for(self, location: int, clocks: Set[str]) -> bool:
        """Whether an edge from there waits until one of these clocks shows enough."""
        guards = [edge.when for edge in self.component.edges if self.places[edge.source] == location]
        return any(atom.clock in clocks and atom.op in (">", ">=") for atom in bounds(*guards))

    def moves(self, event: Event) -> Moves | None:
        """What may be done on an event; None if the component does not know it."""
        try:
            return self._known[event.text]
        except KeyError:
            pass
        found: Moves = {}
        knows = False
        for head in (event.head, ""):
            for pattern, options in self.heads.get(head, {}).items():
                params = pattern.match(event)
                if params is not None:
                    knows = True
                    for one in options:
                        found.setdefault(one.source, []).append(Move(one, params))
        return remember(self._known, event.text, found if knows else None)


def _lasts(when: Conjunction) -> float:
    """How long a conjunction may hold, as far as its clocks limit that."""
    limits = (atom.limit for atom in bounds((when,)) if atom.op in ("<", "<="))
    return min(limits, default=math.inf)


def remember(known: dict[Key, Found], key: Key, found: Found, most: int = REMEMBERED) -> Found:
    """Remember what was worked out once; if that becomes too much, forget the rest."""
    if len(known) > most:
        known.clear()
    known[key] = found
    return found
