"""As if something were not written: a variable not set, a clock not restarted, a timer that does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from rootward.traces.grouping.mutation.mutant import OLDER, ROUGH, SPECIFIC, WIDER, Mutant, component, edited
from rootward.traces.guard import TRUE, Const, Term
from rootward.traces.model import Component, Edge, Location, Model
from rootward.traces.proving.roots import Root

Concerns = Callable[[Edge], bool]


def unwritten(model: Model, root: Root) -> Iterator[Mutant]:
    """What was written is not; the most specific first."""
    name, owner = root.name, root.component
    part = component(model, owner)
    edge = part.edges[root.edge]
    if edge.on is None:
        late = f"as if {owner} could run out late"
        change = partial(_endless, owner=owner, source=edge.source, gone=True)
        yield Mutant(f"as if {owner} never ran out", SPECIFIC, change, (late,))
        yield Mutant(late, WIDER, partial(_endless, owner=owner, source=edge.source, gone=False))
    elif name in edge.set:
        wider = list(_wider(part, edge, name))
        text = f"as if {owner} did not set {name} ({edge.event})"
        change = partial(_without, owner=owner, names={name}, concerns=lambda e: e.event == edge.event)
        yield Mutant(text, SPECIFIC, change, tuple(one.name for one in wider))
        yield from wider
        yield from _wrong(part, edge, name)
    elif not _only_deadline(owner, name):
        text = f"as if {owner} did not restart {name} ({edge.event})"
        rank = OLDER if edge.on.text.endswith("...") else SPECIFIC
        change = partial(_without_reset, owner=owner, event=edge.event, clock=name)
        yield Mutant(text, rank, change, size=0 if edge.on.head else 2)


def _wider(part: Component, edge: Edge, name: str) -> Iterator[Mutant]:
    """The same update on other events, other variables that are set to the same elsewhere, and all that is done when
    no answer is due."""
    term, owner = edge.set[name], part.name

    def same(one: Edge) -> bool:
        return one.set.get(name) == term

    if len({one.event for one in part.edges if same(one)}) > 1:
        change = partial(_without, owner=owner, names={name}, concerns=same)
        yield Mutant(f"as if {owner} never set {name} to {term}", WIDER, change)
    alike = {key for one in part.edges for key, value in one.set.items() if value == term}
    if isinstance(term, Const) and len(alike) > 1 and not any(_twice(one, term) for one in part.edges):
        change = partial(_without, owner=owner, names=alike, concerns=lambda one: term in one.set.values())
        yield Mutant(f"as if {owner} never set {', '.join(sorted(alike))} to {term}", WIDER, change)
    if len(edge.set) > 1:
        change = partial(_without, owner=owner, names=None, concerns=lambda one: one.event == edge.event)
        yield Mutant(f"as if {owner} set nothing ({edge.event})", ROUGH, change)
    if edge.asks and edge.target not in part.due:
        target = edge.target
        change = partial(_without, owner=owner, names=None, concerns=lambda one: one.asks and one.target == target)
        yield Mutant(f"as if {owner} did nothing where it owes no answer ({target!r})", WIDER, change)


def _wrong(part: Component, edge: Edge, name: str) -> Iterator[Mutant]:
    """Set to another value that the component sets it to elsewhere, and perhaps the other way round, too."""
    term = edge.set[name]
    others = {str(one.set[name]): one.set[name] for one in part.edges if name in one.set and one.set[name] != term}
    for text, other in others.items():
        if isinstance(term, Const) and isinstance(other, Const):
            both = f"as if {part.name} took {' and '.join(sorted((str(term), text)))} for each other in {name}"
            change = partial(_set, owner=part.name, name=name, values={term: other})
            yield Mutant(f"as if {part.name} set {name} to {text} instead of {term}", SPECIFIC, change, (both,), 1)
            yield Mutant(both, WIDER, partial(_set, owner=part.name, name=name, values={term: other, other: term}))


def _set(model: Model, owner: str, name: str, values: Mapping[Term, Term]) -> Model:
    def change(edge: Edge) -> list[Edge]:
        old = edge.set.get(name)
        return [edge if old is None or old not in values else replace(edge, set={**edge.set, name: values[old]})]

    return edited(model, owner, change)


def _twice(edge: Edge, term: Const) -> bool:
    return sum(one == term for one in edge.set.values()) > 1


def _only_deadline(owner: str, clock: str) -> bool:
    """Whether a clock is there for the answers of one component: it says when they are late."""
    return clock.startswith(f"{owner}.")


def _without(model: Model, owner: str, names: set[str] | None, concerns: Concerns) -> Model:
    """None of these variables is set by the edges that this concerns; no names: none at all."""

    def change(edge: Edge) -> list[Edge]:
        if edge.on is None or not concerns(edge):
            return [edge]
        return [replace(edge, set={k: v for k, v in edge.set.items() if names is not None and k not in names})]

    return edited(model, owner, change)


def _without_reset(model: Model, owner: str, event: str, clock: str) -> Model:
    return edited(
        model, owner, lambda e: [replace(e, reset=e.reset - {clock}) if e.event == event and clock in e.reset else e]
    )


def _endless(model: Model, owner: str, source: str, gone: bool) -> Model:
    """With no need to take an edge of time from a location, or without all of these."""

    def stay(one: Location) -> Location:
        return replace(one, stay=TRUE, invariant=TRUE) if one.name == source else one

    return edited(model, owner, lambda e: [] if gone and e.on is None and e.source == source else [e], stay)
