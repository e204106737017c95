"""What is required: a network of automata with clocks, memory and patterns of events (PRD automata, section 2).

An event is taken by all components that know it, that is, have an edge with a pattern that matches it in whatever
location; the others do not care. A component that knows it and has no edge to take forbids it. Time passes in all
components at once, in as many parts as one likes: at the end of each part, every component either stays where it is
(``stay`` has to hold then) or takes an edge of time (``on`` is None). An invariant has to hold whenever its location is
entered, and as long as time passes in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Bound, Guard, Term, Value, bounds
from rootward.traces.model.pattern import Pattern


class Unknown:
    """The value of a variable of which nothing is known at the beginning."""

    _one: Unknown | None = None

    def __new__(cls) -> Unknown:
        cls._one = cls._one or super().__new__(cls)
        return cls._one

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = Unknown()


@dataclass(frozen=True)
class Edge:
    source: str
    target: str
    on: Pattern | None = None
    """Which events; None: it is taken while time passes."""
    when: Guard = TRUE
    set: Mapping[str, Term] = field(default_factory=dict)
    reset: frozenset[str] = frozenset()
    """Clocks that begin anew."""
    requirement: str = ""
    """Why: the name of a requirement of the model, or its text."""
    label: str = ""
    """What people call such an event, if its pattern is not easy to read."""

    @cached_property
    def written(self) -> frozenset[str]:
        """The variables and clocks that it writes."""
        return frozenset(self.set) | self.reset

    @cached_property
    def asks(self) -> bool:
        """Whether it is about a request."""
        return self.on is not None and self.on.text.lstrip("/").startswith("req ")

    def takes(self, event: Event) -> bool:
        """Whether it is about this event, whatever its guard says."""
        return self.on is not None and self.on.match(event) is not None

    @property
    def event(self) -> str:
        """What it is about, for people."""
        return self.label or (self.on.text if self.on is not None else "time passes")


@dataclass(frozen=True)
class Location:
    name: str
    invariant: Guard = TRUE
    stay: Guard = TRUE
    """What has to hold whenever time has passed in it."""
    requirement: str = ""
    """Why one may not stay longer."""


@dataclass(frozen=True)
class Component:
    name: str
    locations: tuple[Location, ...]
    initial: tuple[str, ...]
    edges: tuple[Edge, ...]
    deterministic: bool = False
    """Whether it was promised that no two edges can be taken at once."""

    @cached_property
    def due(self) -> Mapping[str, Bound]:
        """The locations in which something is due in time, and until when."""
        first = {one.name: next(bounds(one.stay, one.invariant), None) for one in self.locations}
        return {name: bound for name, bound in first.items() if bound is not None}

    @cached_property
    def drifts(self) -> tuple[Edge, ...]:
        """The edges of time."""
        return tuple(edge for edge in self.edges if edge.on is None)


@dataclass(frozen=True)
class Model:
    name: str
    components: tuple[Component, ...]
    variables: Mapping[str, Value | Unknown] = field(default_factory=dict)
    clocks: Mapping[str, int | Unknown] = field(default_factory=dict)
    """What each clock shows at the beginning, in microseconds."""
    requirements: Mapping[str, str] = field(default_factory=dict)
    """The texts of the requirements, by name."""
    params: Mapping[str, Value] = field(default_factory=dict)
    """What it was made with: what differs from version to version."""
    each: bool = field(default=False, compare=False)
    """Whether it is about any one ECU: each ECU of a recording is held against it by itself."""
