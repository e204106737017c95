"""Models: networks of automata with clocks, variables and event patterns (section 2 of the paper).

A component *knows* an event if one of its edges, from whatever location, has a pattern that matches it. An event is
taken by all components that know it, at the same instant; the others ignore it. A component that knows the event but
has no edge to take from its present location forbids it.

Time passes in all components at once. It may be split into any number of parts. At the end of each part every component
either stays in its location, whose ``stay`` must hold then, or takes a *time edge*, an edge without a pattern (``on``
is None). An invariant must hold when its location is entered and as long as time passes in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Bound, Guard, Term, Test, Value, Var, bounds, names
from rootward.traces.model.pattern import Pattern

MIN_READERS, MAX_MODES = 3, 3
"""Minimum number of components that compare a variable for it to be a mode of the model; maximum number of modes."""


class Unknown:
    """The initial value of a variable or clock about which nothing is known. There is one instance, ``UNKNOWN``."""

    _one: Unknown | None = None

    def __new__(cls) -> Unknown:
        cls._one = cls._one or super().__new__(cls)
        return cls._one

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = Unknown()


@dataclass(frozen=True)
class Edge:
    """A transition of a component, on an event or while time passes."""

    source: str
    target: str
    on: Pattern | None = None
    """The pattern of the events that the edge takes; None for a time edge."""
    when: Guard = TRUE
    set: Mapping[str, Term] = field(default_factory=dict)
    reset: frozenset[str] = frozenset()
    """The clocks that the edge resets."""
    requirement: str = ""
    """The requirement behind the edge: its name in the model, or its text."""
    label: str = ""
    """A name for the event, if the pattern is hard to read."""

    @cached_property
    def written_names(self) -> frozenset[str]:
        """The variables and clocks that the edge writes."""
        return frozenset(self.set) | self.reset

    @cached_property
    def read_names(self) -> frozenset[str]:
        """The variables and clocks that the edge reads."""
        variables, _, clocks = names(self.when)
        return frozenset(variables | clocks).union(term.name for term in self.set.values() if isinstance(term, Var))

    @cached_property
    def is_request(self) -> bool:
        """True if the edge takes requests."""
        return self.on is not None and self.on.text.lstrip("/").startswith("req ")

    def matches(self, event: Event) -> bool:
        """Return whether the pattern of the edge matches an event; the guard is not looked at."""
        return self.on is not None and self.on.match(event) is not None

    @property
    def event(self) -> str:
        """The event of the edge, for people: its label, its pattern, or "time passes"."""
        return self.label or (self.on.text if self.on is not None else "time passes")


@dataclass(frozen=True)
class Location:
    """A place in which a component can be, with the conditions for being there."""

    name: str
    invariant: Guard = TRUE
    stay: Guard = TRUE
    """The condition that must hold whenever time has passed in the location."""
    requirement: str = ""
    """The requirement that limits how long a component may stay."""

    @cached_property
    def read_names(self) -> frozenset[str]:
        """The variables and clocks that the conditions read."""
        guards = map(names, (self.invariant, self.stay))
        return frozenset(name for variables, _, clocks in guards for name in (*variables, *clocks))


@dataclass(frozen=True)
class Component:
    """One automaton of the network."""

    name: str
    locations: tuple[Location, ...]
    initial: tuple[str, ...]
    edges: tuple[Edge, ...]
    deterministic: bool = False
    """True if the author promises that at most one edge can be taken in any situation."""

    @cached_property
    def deadlines(self) -> Mapping[str, Bound]:
        """The deadline of each location in which something is due.

        This is the first clock bound in the location's ``stay`` or invariant. Locations without one are left out.
        """
        first = {one.name: next(bounds(one.stay, one.invariant), None) for one in self.locations}
        return {name: bound for name, bound in first.items() if bound is not None}

    @cached_property
    def compared_variables(self) -> frozenset[str]:
        """The variables that the guards of the component compare."""
        guards = [*(edge.when for edge in self.edges), *(one.stay for one in self.locations)]
        return frozenset(name for guard in guards for name in names(guard)[0])

    @cached_property
    def restarting_edges(self) -> tuple[Edge, ...]:
        """The edges on events that may be taken and restart clocks."""
        return tuple(edge for edge in self.edges if edge.on is not None and edge.reset and edge.when)

    @cached_property
    def time_edges(self) -> tuple[Edge, ...]:
        """The edges that are taken while time passes, not on an event."""
        return tuple(edge for edge in self.edges if edge.on is None)


@dataclass(frozen=True)
class Model:
    """The requirements of a system, as a network of automata."""

    name: str
    components: tuple[Component, ...]
    variables: Mapping[str, Value | Unknown] = field(default_factory=dict)
    clocks: Mapping[str, int | Unknown] = field(default_factory=dict)
    """The initial reading of each clock, in microseconds."""
    requirements: Mapping[str, str] = field(default_factory=dict)
    """The texts of the requirements, by name."""
    params: Mapping[str, Value] = field(default_factory=dict)
    """The parameters that the model was built with, such as the version of an ECU."""
    each: bool = field(default=False, compare=False)
    """True if the model describes any one ECU. Each ECU of a recording is then judged separately."""
    foreign: tuple[tuple[Pattern, ...], ...] = field(default=(), compare=False)
    """Signs that a recording uses another protocol: in each, patterns that all occur in such a recording."""
    causal: bool = field(default=True, compare=False)
    """False if the model says what is allowed, but not how the system works. Then no change of it can be the cause of a
    fault, and what wrote its variables explains nothing."""
    cautious: bool = field(default=False, compare=False)
    """True if only what the recording shows is a fault. Then an ECU that never answers is not judged, because it may be
    absent, and an answer is missing only if the time for it ran out before the recording ended."""

    @cached_property
    def modes(self) -> tuple[str, ...]:
        """The variables on which most components depend, such as the session; the one that most compare comes first."""
        found = Counter(name for part in self.components for name in sorted(part.compared_variables))
        return tuple(name for name, count in found.most_common(MAX_MODES) if count >= MIN_READERS)

    @cached_property
    def listed_values(self) -> Mapping[Term, tuple[Value, ...]]:
        """The values in the lists that guards of edges compare a term with, as in ``session in [1, 3]``."""
        found: dict[Term, dict[Value, None]] = {}
        for edge in (edge for part in self.components for edge in part.edges):
            for atom in (atom for when in edge.when for atom in when if isinstance(atom, Test)):
                if isinstance(atom.right, tuple):
                    found.setdefault(atom.left, {}).update(dict.fromkeys(atom.right))
        return {term: tuple(values) for term, values in found.items()}
