"""As if answers came late, or not at all: this one, all refusals, or all of them; always, or now and then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rootward.traces.event import Event
from rootward.traces.fault import FORBIDDEN, LATE, Fault
from rootward.traces.grouping.mutation.mutant import (
    ROUGH,
    SPECIFIC,
    WIDER,
    Mutant,
    component,
    edited,
    effects,
    ends,
    refuses,
)
from rootward.traces.guard import TRUE, Term, Var, all_of, duration
from rootward.traces.model import Component, Edge, Model
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness

Change = Callable[[Model, str, set[str]], Model]
"""What becomes of a component, in these locations."""


def silence(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """More time, or no answer at all."""
    if fault.kind == FORBIDDEN:
        relied = {root.name for root in fault.roots}
        for part, location in _owing(engine, witness):
            if any(relied & edge.set.keys() for edge in _answers(part, location)):
                yield from _missing(part, location)
    elif fault.component:
        part = component(engine.model, fault.component)
        if fault.location in part.due:
            yield from _late(part, fault.location) if fault.kind == LATE else _missing(part, fault.location)


def _owing(engine: Engine, witness: Witness) -> Iterator[tuple[Component, str]]:
    """The components that owe an answer when a fault shows, and where they are."""
    found: dict[tuple[int, str], None] = {}
    for state in witness.reached[-1]:
        for k, part in enumerate(engine.model.components):
            location = part.locations[state.locations[k]]
            if location.name in part.due:
                found[k, location.name] = None
    for k, name in found:
        yield engine.model.components[k], name


def _late(part: Component, location: str) -> Iterator[Mutant]:
    limits = part.due
    same = {name for name, bound in limits.items() if bound == limits[location]}
    long = f"longer than {duration(limits[location].limit)}"
    names = (f"always took {long} where {location!r} is due", f"always took {long} to refuse", f"always took {long}")
    yield from _levels(part, location, same, (_later, _any_time), (*names, f"could take {long}"))


def _missing(part: Component, location: str) -> Iterator[Mutant]:
    names = (f"did not answer where {location!r} is due", "never refused", "never answered", "need not answer")
    yield from _levels(part, location, set(part.due), (_never, _perhaps), names)


def _levels(
    part: Component, location: str, every: set[str], changes: tuple[Change, Change], names: tuple[str, ...]
) -> Iterator[Mutant]:
    """This answer, all refusals if it is one, all answers; and all of them now and then."""
    always, perhaps = changes
    limits = part.due
    codes = every - {edge.source for edge in part.edges if ends(edge, limits) and not refuses(edge)}
    levels = [({location}, always, SPECIFIC), (codes, always, WIDER), (every, always, WIDER), (every, perhaps, ROUGH)]
    texts = [f"as if {part.name} {text}" for text in names]
    if location not in codes:
        del levels[1], texts[1]
    for k, (places, change, rank) in enumerate(levels):
        how = partial(_changed, change=change, owner=part.name, places=places)
        yield Mutant(texts[k], rank, how, tuple(texts[k + 1 : k + 2]))


def _changed(model: Model, change: Change, owner: str, places: set[str]) -> Model:
    return change(model, owner, places)


def _answers(part: Component, location: str) -> list[Edge]:
    limits = part.due
    return [edge for edge in part.edges if edge.source == location and ends(edge, limits)]


def _endless(model: Model, owner: str, places: set[str], edges: Callable[[Edge], list[Edge]]) -> Model:
    """In these locations there is no deadline."""
    return edited(
        model, owner, edges, lambda one: replace(one, stay=TRUE, invariant=TRUE) if one.name in places else one
    )


def _later(model: Model, owner: str, places: set[str]) -> Model:
    limits = component(model, owner).due

    def change(edge: Edge) -> list[Edge]:
        if edge.source not in places or edge.target == edge.source or edge.on is None or edge.asks:
            return [edge]
        return [replace(edge, when=all_of([edge.when, ((limits[edge.source].negated(),),)]))]

    return _endless(model, owner, places, change)


def _any_time(model: Model, owner: str, places: set[str]) -> Model:
    return _endless(model, owner, places, lambda edge: [edge])


def _never(model: Model, owner: str, places: set[str], *, perhaps: bool = False) -> Model:
    """What an answer does is done at once when it is asked for, or while it is waited for; or it is not done."""
    part = component(model, owner)
    limits = part.due
    answers: dict[str, list[Edge]] = defaultdict(list)
    for one in part.edges:
        if one.source in places and ends(one, limits):
            answers[one.source].append(one)
    asked = {edge.target for edge in part.edges if edge.asks and edge.source not in limits}

    def change(edge: Edge) -> list[Edge]:
        if edge in answers.get(edge.source, ()):
            silent = [] if edge.source in asked else [replace(one, on=None, label="") for one in effects(edge)]
            return [edge, *silent] if perhaps else silent
        if edge.asks and edge.target in answers and edge.source not in limits:
            return [edge, *(done for one in answers[edge.target] for done in _at_once(model, edge, one))]
        return [edge]

    return _endless(model, owner, places, change)


def _perhaps(model: Model, owner: str, places: set[str]) -> Model:
    return _never(model, owner, places, perhaps=True)


def _at_once(model: Model, asked: Edge, answer: Edge) -> Iterator[Edge]:
    """A request that does what its answer does, or nothing, and restarts what the answer would."""
    clocks = _restarted(model, answer)
    for one in effects(answer):
        values = {name: _before(asked, term) for name, term in one.set.items()}
        new = {**asked.set, **values}
        yield replace(asked, target=answer.target, set=new, reset=asked.reset | answer.reset | clocks)


def _before(asked: Edge, term: Term) -> Term:
    """A term after a request, as the request can say it."""
    return asked.set.get(term.name, term) if isinstance(term, Var) else term


def _restarted(model: Model, edge: Edge) -> frozenset[str]:
    """The clocks that every message of this kind and operation restarts."""
    assert edge.on is not None
    kind, _, operation = edge.on.head.partition(" ")
    any_one = Event(0, kind, "*", operation)
    others = (one for part in model.components for one in part.edges if one.on is not None and one.when and one.reset)
    matching = (one for one in others if edge.on.head and one.on is not None and one.on.match(any_one) is not None)
    return frozenset(clock for one in matching for clock in one.reset)
