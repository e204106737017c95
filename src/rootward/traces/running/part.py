"""A component prepared for running: its edges by location, and a cache of what it may do on each event."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Bound, Conjunction, Value, Var, all_of, bounds, names
from rootward.traces.model.model import Component, Edge
from rootward.traces.model.pattern import Pattern
from rootward.traces.running.liveness import find_live_names

MAX_CACHE_ENTRIES = 10_000
"""Maximum number of entries in one cache."""

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


@dataclass(frozen=True)
class Option:
    """One way to take an edge: one conjunction of its guard."""

    owner: str
    """The name of the component."""
    edge: Edge
    source: int
    target: int
    when: Conjunction
    number: int
    """The position of the edge in its component."""

    @cached_property
    def reads(self) -> frozenset[str]:
        """The variables that the option compares or copies."""
        copied = {term.name for term in self.edge.set.values() if isinstance(term, Var)}
        return frozenset(names((self.when,))[0] | copied)


class Move(NamedTuple):
    """An option together with the parameters of an event."""

    option: Option
    params: Mapping[str, Value]


Moves = dict[int, list[Move]]
"""The possible moves on one event, by location."""


class RunningComponent:
    """A component with its edges indexed by location (time edges) and by head of their pattern (event edges).

    ``like``: a similar component. What is the same in both is worked out once.
    """

    def __init__(self, component: Component, like: RunningComponent | None = None) -> None:
        self.component = component
        self.places = {one.name: i for i, one in enumerate(component.locations)}
        self.like = like if like is not None and like.places == self.places else None
        self.invariants = [one.invariant for one in component.locations]
        self.stays = [
            one.stay if one.invariant == TRUE else all_of((one.stay, one.invariant)) for one in component.locations
        ]
        self._changed_heads = self._find_changed_heads()
        """The heads of the events on which this component and the similar one may differ; None if they always may."""
        self.time_options: list[list[Option]] = [[] for _ in component.locations]
        """The time edges of each location."""
        self.heads: dict[str, dict[Pattern, list[Option]]] = {}
        """The event edges, by the head of their pattern."""
        if self.like is not None and self._changed_heads is not None:
            self.heads = {head: one for head, one in self.like.heads.items() if head not in self._changed_heads}
        for number, edge in enumerate(component.edges):
            if edge.on is not None and not self.differs(edge.on.head):
                continue
            source, target = self.places[edge.source], self.places[edge.target]
            options = [Option(component.name, edge, source, target, when, number) for when in edge.when]
            if edge.on is None:
                self.time_options[source] += options
            else:
                self.heads.setdefault(edge.on.head, {}).setdefault(edge.on, []).extend(options)
        self.quiet = [
            not drifts and TRUE[0] in stay for drifts, stay in zip(self.time_options, self.stays, strict=True)
        ]
        """For each location, whether nothing can happen there while time passes."""
        self._known: dict[str, Moves | None] = {}

    def _find_changed_heads(self) -> frozenset[str] | None:
        if self.like is None or self.invariants != self.like.invariants:
            return None
        before = {id(edge): edge for edge in self.like.component.edges}
        after = {id(edge): edge for edge in self.component.edges}
        changed = [before[key] for key in before.keys() - after.keys()]
        changed += [after[key] for key in after.keys() - before.keys()]
        heads = frozenset(edge.on.head for edge in changed if edge.on is not None)
        return None if "" in heads else heads

    def differs(self, head: str) -> bool:
        """Return whether this component and the similar one may differ on events with this head."""
        return self._changed_heads is None or head in self._changed_heads

    @cached_property
    def differing_waits(self) -> frozenset[int]:
        """The locations in which this component and the similar one may differ while time passes."""
        if self.like is None:
            return frozenset(range(len(self.places)))
        pairs = (
            ((a, [id(one.edge) for one in here]), (b, [id(one.edge) for one in there]))
            for a, b, here, there in zip(
                self.stays, self.like.stays, self.time_options, self.like.time_options, strict=True
            )
        )
        return frozenset(i for i, (one, two) in enumerate(pairs) if one != two)

    @cached_property
    def live_names(self) -> list[frozenset[str]]:
        """For each location, the variables and clocks that are live there."""
        return find_live_names(self.component)

    @cached_property
    def all_time_options(self) -> list[Option]:
        """The time edges of all locations."""
        return [option for options in self.time_options for option in options]

    @cached_property
    def stay_names(self) -> list[frozenset[str]]:
        """For each location, the variables and clocks that decide whether the component may stay."""
        return [frozenset[str]().union(names(stay)[0], names(stay)[2]) for stay in self.stays]

    @cached_property
    def patient(self) -> list[bool]:
        """For each location, True if all its clock bounds are upper bounds.

        A component that may stay in such a location until some instant may also stay until any earlier one.
        """
        return [all(atom.op in ("<", "<=") for atom in bounds(stay)) for stay in self.stays]

    @cached_property
    def bounds(self) -> set[Bound]:
        """All comparisons of clocks in the component."""
        return set(bounds(*self.stays, *(edge.when for edge in self.component.edges)))

    @cached_property
    def longest_stays(self) -> list[float]:
        """For each location, the longest time that the component may stay there."""
        return [max(map(_max_duration, stay), default=0) for stay in self.stays]

    @cached_property
    def patience(self) -> int:
        """A span after which every deadline of the component has passed."""
        return max((atom.limit + 1 for atom in bounds(*self.stays)), default=0)

    def moves(self, event: Event) -> Moves | None:
        """Return the possible moves on an event by location, or None if the component does not know the event."""
        try:
            return self._known[event.text]
        except KeyError:
            pass
        if self.like is not None and not self.differs(event.head):
            return self.like.moves(event)
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


def _max_duration(when: Conjunction) -> float:
    """Return the longest time that a conjunction can hold.

    Only its upper bounds of clocks are considered.
    """
    limits = (atom.limit for atom in bounds((when,)) if atom.op in ("<", "<="))
    return min(limits, default=math.inf)


def remember(known: dict[Key, Found], key: Key, found: Found, most: int = MAX_CACHE_ENTRIES) -> Found:
    """Store a result in a cache and return it.

    Empties the cache first if it has more than ``most`` entries.
    """
    if len(known) > most:
        known.clear()
    known[key] = found
    return found
