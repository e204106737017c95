"""Naming a bug by the smallest change of the model with which the whole trace conforms.

"As if ECUReset did not set d0100": if the system under test behaves like the model with one edge changed, that change
is what is wrong with it. Changes are made up from the proof of a fault: an update that was relied on is dropped, a
check is skipped, an edge leads to where the answer that came is allowed, more time is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from rootward.traces.engine import Engine
from rootward.traces.event import Event, Step, Wait
from rootward.traces.fault import FORBIDDEN, LATE, Fault
from rootward.traces.guard import TRUE, Conjunction, Param, Term, Test, duration, names
from rootward.traces.model import Component, Edge, Model
from rootward.traces.part import Move
from rootward.traces.pattern import Pattern
from rootward.traces.replay import Witness
from rootward.traces.roots import Root

SPECIFIC, OLDER, ROUGH, LAST, ANYTHING = range(1, 6)
"""How much a change explains: a forgotten update little, one before the last more, another answer much, an answer whose
content does not matter still more, and one that may be anything most."""


@dataclass(frozen=True)
class Mutant:
    """A change of a model."""

    name: str
    """What it behaves like: "as if ...\""""
    rank: int
    change: Callable[[Model], Model]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mutant) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def mutants(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """Changes that might explain a fault."""
    model = engine.model
    seen: set[str] = set()
    for root in fault.roots:
        if root.component:
            rank = OLDER if root.name in seen else SPECIFIC
            yield from (replace(one, rank=rank) for one in unwritten(model, root))
        seen.add(root.name)
    yield from _answers(engine, fault, witness)
    for number, edge in _checks(engine, fault, witness):
        yield from _skipped(model, fault.component, number, edge)
    yield from _patience(model, fault)
    yield from _careless(engine, fault, witness.steps[-1])
    yield from _surprise(engine, fault, witness.steps[-1])


def _component(model: Model, name: str) -> Component:
    return next(part for part in model.components if part.name == name)


def _with(model: Model, name: str, change: Callable[[Component], Component]) -> Model:
    return replace(model, components=tuple(change(part) if part.name == name else part for part in model.components))


def _with_edge(model: Model, name: str, number: int, change: Callable[[Edge], Edge]) -> Model:
    """The model with one edge changed, and those that say the same from other locations."""
    old = _component(model, name).edges[number]
    alike = [e for e in _component(model, name).edges if _same(e) == _same(old)]
    return _with(
        model, name, lambda part: replace(part, edges=tuple(change(e) if e in alike else e for e in part.edges))
    )


def _same(edge: Edge) -> tuple[object, ...]:
    return edge.event, edge.when, edge.set, edge.reset


# Updates


def unwritten(model: Model, root: Root) -> Iterator[Mutant]:
    """What was written is not."""
    name, component, number = root.name, root.component, root.edge
    edge = _component(model, component).edges[number]
    if edge.on is None:
        yield Mutant(
            f"as if {component} never ran out", SPECIFIC, partial(_endless, component=component, number=number)
        )
    elif name in edge.set:
        text = f"as if {component} did not set {name} ({edge.event})"
        yield Mutant(text, SPECIFIC, partial(_without_update, component=component, number=number, name=name))
    elif not _only_deadline(component, name):
        text = f"as if {component} did not restart {name} ({edge.event})"
        yield Mutant(text, SPECIFIC, partial(_without_reset, component=component, number=number, name=name))


def _only_deadline(component: str, clock: str) -> bool:
    """Whether a clock is there for the answers of one component: it says when they are late."""
    return clock.startswith(f"{component}.")


def _without_update(model: Model, component: str, number: int, name: str) -> Model:
    return _with_edge(model, component, number, lambda e: replace(e, set={k: v for k, v in e.set.items() if k != name}))


def _without_reset(model: Model, component: str, number: int, name: str) -> Model:
    return _with_edge(model, component, number, lambda e: replace(e, reset=e.reset - {name}))


def _endless(model: Model, component: str, number: int) -> Model:
    """Without an edge of time, and with no need to take it."""
    edge = _component(model, component).edges[number]

    def change(part: Component) -> Component:
        places = tuple(
            replace(one, stay=TRUE, invariant=TRUE) if one.name == edge.source else one for one in part.locations
        )
        return replace(
            part, edges=tuple(e for e in part.edges if e.on is not None or e.source != edge.source), locations=places
        )

    return _with(model, component, change)


# Answers


def _last_move(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Move]:
    """How the component came to where it does not allow what came: the last edge that it took to get there."""
    for place in range(len(witness.steps) - 2, -1, -1):
        step = witness.steps[place]
        if isinstance(step, Event):
            moves = [
                move
                for state in witness.reached[place]
                for _, joint in engine.taken(state, step)
                for move in joint
                if move.option.owner == fault.component
            ]
            if moves:
                yield from moves
                if any(move.option.edge.event.startswith("req") for move in moves):
                    return


def _answers(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """The request leads to where the answer that came is allowed."""
    last = witness.steps[-1]
    if not isinstance(last, Event) or fault.kind != FORBIDDEN or not fault.component:
        return
    part = _component(engine.model, fault.component)
    allowed = {e.source: e for e in part.edges if e.on is not None and e.when and e.on.match(last) is not None}
    for move in _last_move(engine, fault, witness):
        for target, taken in allowed.items():
            if target != move.option.edge.target:
                text = f"as if {fault.component} answered {target!r} instead of {move.option.edge.target!r}"
                name = f"{text} ({move.option.edge.event})"
                change = partial(_led, component=fault.component, number=move.option.number, target=target)
                yield Mutant(name, LAST if _vague(taken) else ROUGH, change)


def _vague(edge: Edge) -> bool:
    """Whether an edge takes many different events."""
    assert edge.on is not None
    asked = names(edge.when)[1]
    return edge.on.text.endswith("...") or bool(edge.on.params - asked - {"payload", "ecu", "data"})


def _led(model: Model, component: str, number: int, target: str) -> Model:
    return _with_edge(model, component, number, lambda e: replace(e, target=target))


def _checks(engine: Engine, fault: Fault, witness: Witness) -> Iterator[tuple[int, Test]]:
    """The checks that decided which answer was due: the comparisons in the guard of the last request."""
    for move in _last_move(engine, fault, witness):
        for atom in move.option.when:
            if isinstance(atom, Test):
                yield move.option.number, atom


def _skipped(model: Model, component: str, number: int, failed: Test) -> Iterator[Mutant]:
    """A requirement is not looked at: edges for its failure are gone, and others do not ask for it."""
    text = f"as if {component} did not check {failed.negated()}"
    yield Mutant(text, SPECIFIC, partial(_unchecked, component=component, number=number, failed=failed))


def _unchecked(model: Model, component: str, number: int, failed: Test) -> Model:
    edge, wanted = _component(model, component).edges[number], failed.negated()

    def change(part: Component) -> Component:
        found = []
        for one in part.edges:
            if one.source == edge.source and one.on is not None and one.event.split(" ")[0] == "req":
                when = tuple(_drop(w, wanted) for w in one.when if failed not in w)
                if not when:
                    continue
                one = replace(one, when=when)
            found.append(one)
        return replace(part, edges=tuple(found))

    return _with(model, component, change)


def _drop(when: Conjunction, atom: Test) -> Conjunction:
    return tuple(one for one in when if one != atom)


# Time, and what is left


def _patience(model: Model, fault: Fault) -> Iterator[Mutant]:
    """More time, or no need to answer at all."""
    if fault.kind == FORBIDDEN or not fault.component:
        return
    most = "" if fault.limit is None else f" than {duration(fault.limit)}"
    text = f"as if {fault.component} could take longer{most}"
    if fault.kind == LATE:
        yield Mutant(text, ROUGH, partial(_unlimited, component=fault.component))
    else:
        idle = _component(model, fault.component).initial[0]
        text = f"as if {fault.component} need not answer"
        yield Mutant(text, ROUGH, partial(_optional, component=fault.component, location=fault.location, idle=idle))


def _unlimited(model: Model, component: str) -> Model:
    return _with(
        model, component, lambda part: replace(part, locations=tuple(replace(o, stay=TRUE) for o in part.locations))
    )


def _optional(model: Model, component: str, location: str, idle: str) -> Model:
    return _with(
        model,
        component,
        lambda part: replace(
            part,
            locations=tuple(replace(one, stay=TRUE) for one in part.locations),
            edges=(*part.edges, Edge(location, idle)),
        ),
    )


def _careless(engine: Engine, fault: Fault, last: Step) -> Iterator[Mutant]:
    """What the answer says does not matter."""
    if isinstance(last, Wait) or not fault.component:
        return
    for number, edge in enumerate(_component(engine.model, fault.component).edges):
        if edge.source == fault.location and edge.on is not None and edge.on.match(last) is not None:
            text = f"as if the content of this answer did not matter ({fault.component}: {edge.event})"
            yield Mutant(text, LAST, partial(_unguarded, component=fault.component, number=number))


def _surprise(engine: Engine, fault: Fault, last: Step) -> Iterator[Mutant]:
    """An answer comes where another one is due: always the same code, or whatever it is."""
    part = _component(engine.model, fault.component) if fault.component else None
    if isinstance(last, Wait) or part is None or fault.location in part.initial:
        return
    head = f"{last.kind} * {last.operation}"
    for text, rank in ((f"{head} {last.payload}", ROUGH), (f"{head} ...", ANYTHING)):
        if rank == ANYTHING or " " in last.payload:  # two words are a code, such as "NRC 7F", and one is data
            name = f"as if {fault.component} could answer {text} whatever is due"
            yield Mutant(name, rank, partial(_any_answer, component=fault.component, text=text))


def _any_answer(model: Model, component: str, text: str) -> Model:
    """With an answer that is allowed wherever one is due: either nothing changes, or what the answer due changes."""
    on, kind = Pattern(text), text.split(" ")[0]

    def change(part: Component) -> Component:
        due = [e for e in part.edges if e.on is not None and e.event.split(" ")[0] == kind and e.when]
        due = [e for e in due if e.source not in part.initial]
        alike = [replace(e, on=on, label="", when=TRUE, set=_constant(e)) for e in due]
        bare = [Edge(source, part.initial[0], on) for source in dict.fromkeys(e.source for e in due)]
        return replace(part, edges=(*part.edges, *alike, *bare))

    return _with(model, component, change)


def _constant(edge: Edge) -> dict[str, Term]:
    """What an edge sets, without what it takes from the event."""
    return {name: term for name, term in edge.set.items() if not isinstance(term, Param)}


def _unguarded(model: Model, component: str, number: int) -> Model:
    return _with_edge(model, component, number, lambda e: replace(e, when=TRUE))
