"""Mutants: changes of a model that may explain a fault, and the means to make them.

If the system under test behaves like the model with one thing changed, that change names the bug: "as if ECUReset did
not set d0100". A `Mutant` is such a change: a function that returns the changed model, a `FaultCause` that says in one
sentence what is different, and a rank. The rank orders changes by how much they can explain. A change that allows a lot
explains almost any trace and therefore says little, so the lowest rank that explains a fault wins (`classify`).

The name of a cause, its sentence with the blanks filled, is the identity of the change: two mutants with the same name
are the same, and names decide between changes that explain equally well. Rewording a sentence may therefore change
answers.

A new kind of change is a generator of mutants, called from `mutants.mutants`. It should describe what *always* happens,
so that a trace in which it does not happen speaks against it. Most are made with `edit_component`, which rewrites the
edges of one component. `Difference` then finds where in a trace the change first matters, so that a replay can start
there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Atom, Bound, Guard, Param, Term, any_of
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Stretch

SPECIFIC, OLDER, WIDER, SPANNING, CONDITIONAL, ROUGH, LAST, ANYTHING = range(1, 9)
"""Ranks of changes, by how much they can explain. From least to most: a forgotten update; an update before the last
one; a change at several places; the same change in all components; a change that applies only while a variable has a
certain value; another answer; an answer whose content does not
matter; an answer that may be anything."""


@dataclass(frozen=True, eq=False)
class FaultCause:
    """The difference between the system and the model: "as if ...", a sentence with blanks, and the facts that fill
    them.

    A blank is named after the kind of its fact: ``component``, ``event`` (a pattern), ``variable``, ``variables``,
    ``clock``, ``value`` (a term), ``test``, ``location``, ``span``. So `output.words` can word each kind in its own
    way.
    """

    sentence: str
    facts: Mapping[str, object]

    @cached_property
    def name(self) -> str:
        """The sentence with the facts in the words of the model. Causes with the same name are equal."""
        facts = {kind: ", ".join(fact) if isinstance(fact, tuple) else fact for kind, fact in self.facts.items()}
        return f"as if {self.sentence.format(**facts)}"

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FaultCause) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def as_if(sentence: str, **facts: object) -> FaultCause:
    return FaultCause(sentence, facts)


@dataclass(frozen=True)
class Mutant:
    """A change of a model. Mutants with the same name are equal."""

    cause: FaultCause
    rank: int
    change: Callable[[Model], Model]
    wider: tuple[str, ...] = ()
    """The names of changes that do the same at more places."""
    size: int = 0
    """Tie-breaker: of two changes that explain the same, the smaller one wins."""
    base: str = ""
    """The name of the same change without its condition, if it has one."""

    @property
    def name(self) -> str:
        return self.cause.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mutant) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def find_component(model: Model, name: str) -> Component:
    return next(part for part in model.components if part.name == name)


def edit_component(
    model: Model,
    name: str,
    edges: Callable[[Edge], Iterable[Edge]],
    locations: Callable[[Location], Location] = lambda one: one,
) -> Model:
    """Return a model in which one component is changed.

    Each edge is replaced by ``edges(edge)``, which may be several edges or none. Each location is replaced by
    ``locations(location)``.
    """

    def change(part: Component) -> Component:
        new = tuple(after for edge in part.edges for after in edges(edge))
        places = tuple(map(locations, part.locations))
        same = len(new) == len(part.edges) and all(one is two for one, two in zip(new, part.edges, strict=True))
        return part if same and places == part.locations else replace(part, edges=new, locations=places)

    return replace(model, components=tuple(change(part) if part.name == name else part for part in model.components))


def spanning(sentence: str, change: Callable[[Model, str], Model], **facts: object) -> Mutant:
    """Return the change that ``change`` makes in a component (by name), made in all components."""
    return Mutant(as_if(sentence, **facts), SPANNING, partial(_change_all, change=change))


def _change_all(model: Model, change: Callable[[Model, str], Model]) -> Model:
    for part in model.components:
        model = change(model, part.name)
    return model


def awaited_codes(part: Component) -> dict[str, str]:
    """Return the code that is due in each location where only one answer is, and that answer is a code."""
    limits, found = part.deadlines, defaultdict(set)
    for edge in part.edges:
        if ends_waiting(edge, limits):
            found[edge.source].add(" ".join(edge.on.text.split()[3:]) if edge.on and is_refusal(edge) else "")
    return {source: next(iter(codes)) for source, codes in found.items() if len(codes) == 1 and codes != {""}}


def ends_waiting(edge: Edge, limits: Mapping[str, Bound]) -> bool:
    """Return whether an edge takes an answer after which none is due any more. ``limits``: the locations where
    something is due."""
    return edge.source in limits and edge.target not in limits and edge.on is not None and not edge.is_request


def is_refusal(edge: Edge) -> bool:
    """Return whether an edge takes a code, such as "NRC 7F", rather than data. A code has two words."""
    return edge.on is not None and edge.on.text[0] != "/" and len(edge.on.text.split()) > 4


def constant_updates(edge: Edge) -> dict[str, Term]:
    """Return what an edge sets, except values taken from the event."""
    return {name: term for name, term in edge.set.items() if not isinstance(term, Param)}


def possible_effects(edge: Edge) -> list[Edge]:
    """Return two versions of an answer whose content does not matter: it has its effect where it is due, or none.

    Values taken from the event are neither compared nor set.
    """
    acting = replace(edge, when=_drop_params(edge.when), set=constant_updates(edge))
    idle = replace(edge, when=TRUE, set={})
    return [acting, idle] if acting.set else [idle]


def _drop_params(guard: Guard) -> Guard:
    """Return the guard without the comparisons of values taken from the event."""

    def is_kept(atom: Atom) -> bool:
        return isinstance(atom, Bound) or not (isinstance(atom.left, Param) or isinstance(atom.right, Param))

    return any_of([(tuple(filter(is_kept, when)),) for when in guard])


def exclude_matches(pattern: Pattern, regex: str) -> Pattern:
    """Return a pattern for the events that match ``pattern``, except those that match ``regex`` as a whole."""
    return Pattern(f"/(?!(?:{_drop_group_names(regex)})\\Z){pattern.source}/", pattern.derived, pattern)


def keep_matches(pattern: Pattern, regex: str) -> Pattern:
    """Return a pattern for the events that match ``pattern`` and also match ``regex`` as a whole."""
    return Pattern(f"/(?=(?:{_drop_group_names(regex)})\\Z){pattern.source}/", pattern.derived, pattern)


def _drop_group_names(regex: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", regex)


# The step of a trace at which a change first matters: the replay can start there


class Difference:
    """The difference between the engines of a model and of a changed model.

    Both models have the same locations, variables and clocks.
    """

    def __init__(self, old: Engine, new: Engine) -> None:
        self._old, self._new = old, new
        pairs = zip(old.model.components, new.model.components, strict=True)
        self._parts = [_ChangedComponent(k, a, b) for k, (a, b) in enumerate(pairs) if a is not b]

    def places(self, stretch: Stretch) -> list[int]:
        """Return the places in a stretch, in order, whose steps may have different outcomes in the two engines."""
        found = {place for part in self._parts for place in part.affected_waits(stretch)}
        for part in self._parts:
            for head in part.heads:
                found.update(
                    place
                    for place in stretch.events_by_head.get(head, ())
                    if place not in found and self._affects_event(part, stretch, place)
                )
        return sorted(found)

    def takes(self, event: Event) -> bool:
        """Return whether an edge that differs takes the event, in any location."""
        return any(part.affected_locations(event) for part in self._parts)

    @property
    def is_timed(self) -> bool:
        """Return whether the models may differ while time passes."""
        return any(part.is_timed for part in self._parts)

    def _affects_event(self, part: _ChangedComponent, stretch: Stretch, place: int) -> bool:
        event = stretch.steps[place]
        assert isinstance(event, Event)
        places = part.affected_locations(event)
        if not places:
            return False
        if any(state.locations[part.number] in places for state in stretch.reached[place]):
            return True
        return self._knows(self._old, part.number, event) != self._knows(self._new, part.number, event)

    def _knows(self, engine: Engine, number: int, event: Event) -> bool:
        return any(k == number for k, _ in engine.moves(event))


class _ChangedComponent:
    """A component that was changed."""

    def __init__(self, number: int, old: Component, new: Component) -> None:
        self.number = number
        self._edges: dict[int, list[Edge]] = defaultdict(list)
        numbers = {one.name: place for place, one in enumerate(old.locations)}
        for edge in differing_edges(old, new):
            self._edges[numbers[edge.source]].append(edge)
        self.heads = {edge.on.head for edges in self._edges.values() for edge in edges if edge.on is not None}
        """The heads of the events on which a changed edge is taken."""
        if "" in self.heads:
            self.heads = {""}
        pairs = list(zip(old.locations, new.locations, strict=True))
        self._timed = {place for place, (a, b) in enumerate(pairs) if (a.stay, a.invariant) != (b.stay, b.invariant)}
        self._timed |= {place for place, edges in self._edges.items() if any(edge.on is None for edge in edges)}
        self._entering = any(a.invariant != b.invariant != TRUE for a, b in pairs)
        self._known: dict[str, frozenset[int]] = {}

    @property
    def is_timed(self) -> bool:
        return self._entering or bool(self._timed)

    def affected_waits(self, stretch: Stretch) -> Iterable[int]:
        """Return the places in a stretch where the change may matter while time passes."""
        if self._entering:
            return stretch.waits
        waits = stretch.waits_in(self.number) if self._timed else {}
        return [place for location in self._timed for place in waits.get(location, ())]

    def affected_locations(self, event: Event) -> frozenset[int]:
        """Return the locations from which a changed edge takes the event."""
        found = self._known.get(event.text)
        if found is None:
            found = self._known[event.text] = frozenset(self._matching(event))
        return found

    def _matching(self, event: Event) -> Iterator[int]:
        for place, edges in self._edges.items():
            if any(edge.matches(event) for edge in edges):
                yield place


def differing_edges(old: Component, new: Component) -> list[Edge]:
    """Return the edges that only one of the two components has."""
    before, after = {id(edge) for edge in old.edges}, {id(edge) for edge in new.edges}
    return [e for e in old.edges if id(e) not in after] + [e for e in new.edges if id(e) not in before]
