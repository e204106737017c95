"""A change of a model, with its name; and how one component of a model is changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from rootward.traces.guard import TRUE, Bound, Param, Term
from rootward.traces.model import Component, Edge, Location, Model
from rootward.traces.pattern import Pattern

SPECIFIC, OLDER, WIDER, ROUGH, LAST, ANYTHING = range(1, 7)
"""How much a change explains: a forgotten update little, one before the last more, the same at several places still
more, another answer much, an answer whose content does not matter more than that, and one that may be anything most."""


@dataclass(frozen=True)
class Mutant:
    """A change of a model. Its name says all about it: two with the same name are the same."""

    name: str
    """What it behaves like: "as if ...\""""
    rank: int
    change: Callable[[Model], Model]
    wider: tuple[str, ...] = ()
    """The names of changes that do the same at more places."""
    size: int = 0
    """Of two that explain the same, the smaller one is meant."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mutant) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def component(model: Model, name: str) -> Component:
    return next(part for part in model.components if part.name == name)


def edited(
    model: Model,
    name: str,
    edges: Callable[[Edge], Iterable[Edge]],
    locations: Callable[[Location], Location] = lambda one: one,
) -> Model:
    """A model in which each edge of a component becomes none, one or several, and each location another one."""

    def change(part: Component) -> Component:
        new = tuple(after for edge in part.edges for after in edges(edge))
        return replace(part, edges=new, locations=tuple(map(locations, part.locations)))

    return replace(model, components=tuple(change(part) if part.name == name else part for part in model.components))


def ends(edge: Edge, limits: Mapping[str, Bound]) -> bool:
    """Whether an edge takes an answer after which none is due any more; ``limits``: where something is due."""
    return edge.source in limits and edge.target not in limits and edge.on is not None and not edge.asks


def refuses(edge: Edge) -> bool:
    """Whether an answer is a code, such as "NRC 7F", and no data: codes are two words."""
    return edge.on is not None and edge.on.text[0] != "/" and len(edge.on.text.split()) > 4


def constants(edge: Edge) -> dict[str, Term]:
    """What an edge sets, without what it takes from the event."""
    return {name: term for name, term in edge.set.items() if not isinstance(term, Param)}


def effects(edge: Edge) -> list[Edge]:
    """An edge with whatever content: either it sets what it should, or nothing."""
    acting = replace(edge, when=TRUE, set=constants(edge))
    return [acting, replace(acting, set={})] if acting.set else [acting]


def but(pattern: Pattern, regex: str) -> Pattern:
    """The same events, without those that match as a whole."""
    return Pattern(f"/(?!(?:{_unnamed(regex)})\\Z){pattern.source}/", pattern.derived)


def only(pattern: Pattern, regex: str) -> Pattern:
    """Those of the same events that match as a whole."""
    return Pattern(f"/(?=(?:{_unnamed(regex)})\\Z){pattern.source}/", pattern.derived)


def _unnamed(regex: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", regex)
