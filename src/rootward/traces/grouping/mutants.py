"""Find candidate causes: changes of the model with which the whole trace might conform.

The changes are derived from the proof of a fault. Anything that the proof relies on may be what the system does
differently: an update that was relied on is dropped (`drop_writes`), a check in a guard is skipped or compares other
values (`check_mutants`), a request leads to a location where the answer that came is allowed (`answers`), a timer or an
answer gets another time (`delays`). So only changes that concern the proof are tried, not every possible one.

Most changes describe what *always* happens, so a trace in which it does not happen speaks against them. A change may
name wider ones, which do the same at more places; `classify` uses them to join classes. To add a kind of change, yield
its mutants from `mutants` below, with a sentence that no other change uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from rootward.traces.fault import Fault
from rootward.traces.grouping.answers import answer_mutants
from rootward.traces.grouping.checks import check_mutants, confuse_values
from rootward.traces.grouping.delays import delay_mutants, timer_mutants
from rootward.traces.grouping.effects import other_value_mutants
from rootward.traces.grouping.mutant import (
    OLDER,
    ROUGH,
    SPECIFIC,
    WIDER,
    Mutant,
    as_if,
    edit_component,
    find_component,
    spanning,
)
from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Const, Term, Test
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.proving.explain import Root
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.replay import Witness
from rootward.traces.running.state import SymbolicState

NOT_RESTARTED = "{component} did not restart {clock} ({event})"
Concerns = Callable[[Edge], bool]
Meaning = Callable[[Test], "Test | bool"]
"""A change of a test: it returns another test, or True or False if the test always or never holds."""


def mutants(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """Yield the changes that might explain a fault."""
    model, last = engine.model, witness.steps[-1]
    seen: set[str] = set()
    for root in fault.roots:
        if root.component:
            older = root.name in seen and root.name in model.variables
            yield from (replace(one, rank=max(one.rank, OLDER)) if older else one for one in drop_writes(model, root))
        if root.name in model.clocks:
            yield from timer_mutants(model, root, witness)
        seen.add(root.name)
    yield from delay_mutants(engine, fault, witness)
    yield from other_value_mutants(engine, fault, witness)
    if fault.component and isinstance(last, Event):
        moves = list(_last_moves(engine, fault, witness))
        yield from answer_mutants(model, fault, last, [move for _, move, _ in moves])
        for state, move, event in moves:
            yield from check_mutants(engine, state, move, event)


def _last_moves(engine: Engine, fault: Fault, witness: Witness) -> Iterator[tuple[SymbolicState, Move, Event]]:
    """Yield the last moves of the component that forbids the step, the latest first.

    Goes back until a move takes a request. Each move comes with the state before it and with its event.
    """
    for place in range(len(witness.steps) - 2, -1, -1):
        step = witness.steps[place]
        if isinstance(step, Event):
            moves = [
                (state, move, step)
                for state in witness.reached[place]
                for _, joint in engine.find_transitions(state, step)
                for move in joint
                if move.option.owner == fault.component
            ]
            yield from moves
            if any(move.option.edge.is_request for _, move, _ in moves):
                return


# Missing writes: a variable is not set, a clock is not restarted, a timer does nothing


def drop_writes(model: Model, root: Root) -> Iterator[Mutant]:
    """Yield the changes in which a write of the model does not happen, the most specific first."""
    name, owner = root.name, root.component
    part = find_component(model, owner)
    edge = part.edges[root.edge]
    if edge.on is None:
        late = as_if("{component} could run out late", component=owner)
        change = partial(_drop_timer, owner=owner, source=edge.source, gone=True)
        yield Mutant(as_if("{component} never ran out", component=owner), SPECIFIC, change, (late.name,))
        yield Mutant(late, WIDER, partial(_drop_timer, owner=owner, source=edge.source, gone=False))
        if name in edge.set and len(edge.set) > 1:
            everywhere = _unset_everywhere(name, edge.set[name])
            what = as_if("{component} did not set {variable}", component=owner, variable=name)
            change = partial(_drop_value, owner=owner, name=name, term=edge.set[name])
            yield Mutant(what, SPECIFIC, change, (everywhere.name,), size=1)
            yield everywhere
    elif name in edge.set:
        wider = list(_wider_mutants(part, edge, name))
        what = as_if("{component} did not set {variable} ({event})", component=owner, variable=name, event=edge.event)
        change = partial(_drop_updates, owner=owner, names={name}, concerns=lambda e: e.event == edge.event)
        yield Mutant(what, SPECIFIC, change, tuple(one.name for one in wider))
        yield from wider
        yield from _wrong_value_mutants(part, edge, name)
    elif not _is_deadline_clock(owner, name):
        what = as_if(NOT_RESTARTED, component=owner, clock=name, event=edge.event)
        rank = OLDER if edge.on.text.endswith("...") else SPECIFIC
        change = partial(_drop_reset, owner=owner, event=edge.event, clock=name)
        yield Mutant(what, rank, change, size=0 if edge.on.head else 2)


def _wider_mutants(part: Component, edge: Edge, name: str) -> Iterator[Mutant]:
    """Yield wider changes, which drop more updates: this update on all events; all updates that set any variable to the
    same value; all updates on this event; all updates on requests that lead to this location, if no answer is due
    there."""
    term, owner = edge.set[name], part.name
    if isinstance(term, Const):
        yield _unset_everywhere(name, term)

    def same(one: Edge) -> bool:
        return one.set.get(name) == term

    if len({one.event for one in part.edges if same(one)}) > 1:
        change = partial(_drop_updates, owner=owner, names={name}, concerns=same)
        what = as_if("{component} never set {variable} to {value}", component=owner, variable=name, value=term)
        yield Mutant(what, WIDER, change)
    alike = {key for one in part.edges for key, value in one.set.items() if value == term}
    if isinstance(term, Const) and len(alike) > 1 and not any(_sets_twice(one, term) for one in part.edges):
        change = partial(_drop_updates, owner=owner, names=alike, concerns=lambda one: term in one.set.values())
        names = tuple(sorted(alike))
        what = as_if("{component} never set {variables} to {value}", component=owner, variables=names, value=term)
        yield Mutant(what, WIDER, change)
    if len(edge.set) > 1:
        change = partial(_drop_updates, owner=owner, names=None, concerns=lambda one: one.event == edge.event)
        yield Mutant(as_if("{component} set nothing ({event})", component=owner, event=edge.event), ROUGH, change)
    if edge.is_request and edge.target not in part.deadlines:
        target = edge.target
        change = partial(
            _drop_updates, owner=owner, names=None, concerns=lambda one: one.is_request and one.target == target
        )
        sentence = "{component} did nothing where it owes no answer ({location!r})"
        yield Mutant(as_if(sentence, component=owner, location=target), WIDER, change)


def _unset_everywhere(name: str, term: Term) -> Mutant:
    """Return the change in which nothing sets a variable to a value, not even a timer."""
    change = partial(_drop_value, name=name, term=term)
    return spanning("nothing ever set {variable} to {value}", change, variable=name, value=term)


def _drop_value(model: Model, owner: str, name: str, term: Term) -> Model:
    def change(edge: Edge) -> list[Edge]:
        if edge.set.get(name) != term:
            return [edge]
        return [replace(edge, set={key: value for key, value in edge.set.items() if key != name})]

    return edit_component(model, owner, change)


def _wrong_value_mutants(part: Component, edge: Edge, name: str) -> Iterator[Mutant]:
    """Yield the changes in which a component confuses two values of a variable: it sets the second instead of the
    first, or it exchanges both."""
    term = edge.set[name]
    others = {str(one.set[name]): one.set[name] for one in part.edges if name in one.set and one.set[name] != term}
    for other in others.values():
        if isinstance(term, Const) and isinstance(other, Const):
            one, two = sorted((term, other), key=str)
            both = as_if(
                "{component} took {value} and {other} for each other in {variable}",
                component=part.name,
                value=one,
                other=two,
                variable=name,
            )
            what = as_if(
                "{component} set {variable} to {value} instead of {other}",
                component=part.name,
                variable=name,
                value=other,
                other=term,
            )
            change = partial(_set_values, owner=part.name, name=name, values={term: other})
            alias = confuse_values(name, term.value, other.value)
            yield alias
            yield Mutant(what, SPECIFIC, change, (both.name, alias.name), 1)
            change = partial(_set_values, owner=part.name, name=name, values={term: other, other: term})
            yield Mutant(both, WIDER, change, size=1)


def _set_values(model: Model, owner: str, name: str, values: Mapping[Term, Term]) -> Model:
    def change(edge: Edge) -> list[Edge]:
        old = edge.set.get(name)
        return [edge if old is None or old not in values else replace(edge, set={**edge.set, name: values[old]})]

    return edit_component(model, owner, change)


def _sets_twice(edge: Edge, term: Const) -> bool:
    return sum(one == term for one in edge.set.values()) > 1


def _is_deadline_clock(owner: str, clock: str) -> bool:
    """Return whether a clock belongs to this component: such a clock decides when the component's answers are late."""
    return clock.startswith(f"{owner}.")


def _drop_updates(model: Model, owner: str, names: set[str] | None, concerns: Concerns) -> Model:
    """Drop the updates of the variables ``names`` from the edges for which ``concerns`` is true.

    Drops all their updates if ``names`` is None. Time edges are not changed.
    """

    def change(edge: Edge) -> list[Edge]:
        if edge.on is None or not concerns(edge):
            return [edge]
        return [replace(edge, set={k: v for k, v in edge.set.items() if names is not None and k not in names})]

    return edit_component(model, owner, change)


def _drop_reset(model: Model, owner: str, event: str, clock: str) -> Model:
    return edit_component(
        model, owner, lambda e: [replace(e, reset=e.reset - {clock}) if e.event == event and clock in e.reset else e]
    )


def _drop_timer(model: Model, owner: str, source: str, gone: bool) -> Model:
    """Allow a component to stay in location ``source`` for ever.

    With ``gone``, also remove all time edges from this location.
    """

    def stay(one: Location) -> Location:
        return replace(one, stay=TRUE, invariant=TRUE) if one.name == source else one

    return edit_component(model, owner, lambda e: [] if gone and e.on is None and e.source == source else [e], stay)
