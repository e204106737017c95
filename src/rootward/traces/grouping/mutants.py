"""Naming a bug by the smallest change of the model with which the whole trace conforms.

"As if ECUReset did not set d0100": if the system under test behaves like the model with one edge changed, that change
is what is wrong with it. Changes are made up from the proof of a fault: an update that was relied on is dropped, a
check is skipped, an edge leads to where the answer that came is allowed, more time is given. Most of them say what
always happens, so that a trace in which it does not speaks against them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from rootward.traces.fault import Fault
from rootward.traces.grouping.answers import answers
from rootward.traces.grouping.delays import silence, timing
from rootward.traces.grouping.mutant import (
    OLDER,
    ROUGH,
    SPECIFIC,
    WIDER,
    Cause,
    Mutant,
    as_if,
    but,
    component,
    edited,
    only,
)
from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Atom, Const, Guard, Param, Term, Test, Value, Var
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.proving.explain import Root
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.replay import Witness
from rootward.traces.running.state import State, value

NOT_RESTARTED = "{component} did not restart {clock} ({event})"
Concerns = Callable[[Edge], bool]
Meaning = Callable[[Test], "Test | bool"]
"""What becomes of a test: another one, or it always holds, or never."""


def mutants(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """Changes that might explain a fault."""
    model, last = engine.model, witness.steps[-1]
    seen: set[str] = set()
    for root in fault.roots:
        if root.component:
            older = root.name in seen and root.name in model.variables
            yield from (replace(one, rank=max(one.rank, OLDER)) if older else one for one in unwritten(model, root))
        if root.name in model.clocks:
            yield from timing(model, root, witness)
        seen.add(root.name)
    yield from silence(engine, fault, witness)
    if fault.component and isinstance(last, Event):
        moves = list(_last_moves(engine, fault, witness))
        yield from answers(model, fault, last, [move for _, move, _ in moves])
        for state, move, event in moves:
            yield from checks(engine, state, move, event)


def _last_moves(engine: Engine, fault: Fault, witness: Witness) -> Iterator[tuple[State, Move, Event]]:
    """How the component came to where it does not allow what came: the last edges that it took to get there."""
    for place in range(len(witness.steps) - 2, -1, -1):
        step = witness.steps[place]
        if isinstance(step, Event):
            moves = [
                (state, move, step)
                for state in witness.reached[place]
                for _, joint in engine.taken(state, step)
                for move in joint
                if move.option.owner == fault.component
            ]
            yield from moves
            if any(move.option.edge.asks for _, move, _ in moves):
                return


# As if something were not written: a variable not set, a clock not restarted, a timer that does nothing


def unwritten(model: Model, root: Root) -> Iterator[Mutant]:
    """What was written is not; the most specific first."""
    name, owner = root.name, root.component
    part = component(model, owner)
    edge = part.edges[root.edge]
    if edge.on is None:
        late = as_if("{component} could run out late", component=owner)
        change = partial(_endless, owner=owner, source=edge.source, gone=True)
        yield Mutant(as_if("{component} never ran out", component=owner), SPECIFIC, change, (late.name,))
        yield Mutant(late, WIDER, partial(_endless, owner=owner, source=edge.source, gone=False))
    elif name in edge.set:
        wider = list(_wider(part, edge, name))
        what = as_if("{component} did not set {variable} ({event})", component=owner, variable=name, event=edge.event)
        change = partial(_without, owner=owner, names={name}, concerns=lambda e: e.event == edge.event)
        yield Mutant(what, SPECIFIC, change, tuple(one.name for one in wider))
        yield from wider
        yield from _wrong(part, edge, name)
    elif not _only_deadline(owner, name):
        what = as_if(NOT_RESTARTED, component=owner, clock=name, event=edge.event)
        rank = OLDER if edge.on.text.endswith("...") else SPECIFIC
        change = partial(_without_reset, owner=owner, event=edge.event, clock=name)
        yield Mutant(what, rank, change, size=0 if edge.on.head else 2)


def _wider(part: Component, edge: Edge, name: str) -> Iterator[Mutant]:
    """The same update on other events, other variables that are set to the same elsewhere, and all that is done when
    no answer is due."""
    term, owner = edge.set[name], part.name

    def same(one: Edge) -> bool:
        return one.set.get(name) == term

    if len({one.event for one in part.edges if same(one)}) > 1:
        change = partial(_without, owner=owner, names={name}, concerns=same)
        what = as_if("{component} never set {variable} to {value}", component=owner, variable=name, value=term)
        yield Mutant(what, WIDER, change)
    alike = {key for one in part.edges for key, value in one.set.items() if value == term}
    if isinstance(term, Const) and len(alike) > 1 and not any(_twice(one, term) for one in part.edges):
        change = partial(_without, owner=owner, names=alike, concerns=lambda one: term in one.set.values())
        names = tuple(sorted(alike))
        what = as_if("{component} never set {variables} to {value}", component=owner, variables=names, value=term)
        yield Mutant(what, WIDER, change)
    if len(edge.set) > 1:
        change = partial(_without, owner=owner, names=None, concerns=lambda one: one.event == edge.event)
        yield Mutant(as_if("{component} set nothing ({event})", component=owner, event=edge.event), ROUGH, change)
    if edge.asks and edge.target not in part.due:
        target = edge.target
        change = partial(_without, owner=owner, names=None, concerns=lambda one: one.asks and one.target == target)
        sentence = "{component} did nothing where it owes no answer ({location!r})"
        yield Mutant(as_if(sentence, component=owner, location=target), WIDER, change)


def _wrong(part: Component, edge: Edge, name: str) -> Iterator[Mutant]:
    """Set to another value that the component sets it to elsewhere, and perhaps the other way round, too."""
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
            change = partial(_set, owner=part.name, name=name, values={term: other})
            yield Mutant(what, SPECIFIC, change, (both.name,), 1)
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


# As if a requirement were not looked at, never met, met by one value more, or by one less


def checks(engine: Engine, state: State, move: Move, event: Event) -> Iterator[Mutant]:
    """The comparisons in the guard that decided which answer to a request was due: for all requests, or such ones."""
    owner = move.option.owner
    source = move.option.edge.source
    edges = [edge for edge in component(engine.model, owner).edges if edge.asks and edge.source == source]
    own = [edge for edge in edges if edge.takes(event)]
    others = [edge for edge in edges if not edge.takes(event)]
    for atom in move.option.when:
        if isinstance(atom, Test):
            wider = list(_param(owner, atom))
            above = tuple(one.name for one in wider)
            unchecked = as_if("{component} did not check {test}", component=owner, test=atom.negated())
            some: list[tuple[Cause, Meaning, tuple[str, ...], int]]
            some = [(unchecked, partial(_failing, failed={atom}), above, 0)]
            some += [(what, meaning, (), 1) for what, meaning in _resized(engine, state, owner, atom)]
            for what, meaning, names, size in some:
                change = partial(_assumed, owner=owner, meaning=meaning)
                yield Mutant(what, SPECIFIC, change, names, size)
                if own and any(_about(edge, atom) for edge in others):
                    like = own[-1]  # what is accepted comes after what is refused
                    such = Cause(f"{what.sentence} ({{event}})", {**what.facts, "event": like.event})
                    yield Mutant(such, SPECIFIC, partial(change, like=like), (what.name,), size + 1)
            yield from wider


def _about(edge: Edge, atom: Test) -> bool:
    return any(one in (atom, atom.negated()) for when in edge.when for one in when)


def _param(owner: str, atom: Test) -> Iterator[Mutant]:
    """The same part of the request, compared with other variables."""
    params = [term for term in (atom.left, atom.right) if isinstance(term, Param)]
    if params and any(isinstance(term, Var) for term in (atom.left, atom.right)):
        op, value = atom.negated().op, params[0]
        what = as_if("{component} did not check {op} {value}", component=owner, op=op, value=value)
        yield Mutant(what, WIDER, partial(_assumed, owner=owner, meaning=partial(_alike, failed=atom, param=params[0])))


def _resized(engine: Engine, state: State, owner: str, atom: Test) -> Iterator[tuple[Cause, Meaning]]:
    """One value more is allowed, or one less."""
    if not isinstance(atom.left, Var) or not isinstance(atom.right, tuple):
        return
    own = value(engine.names, state, atom.left, {})
    if not isinstance(own, int | str):
        return
    new = tuple(one for one in atom.right if one != own) if own in atom.right else (*atom.right, own)
    if new:
        what = as_if(
            "{component} checked {test} instead of {other}",
            component=owner,
            test=Test(atom.left, "in", new),
            other=Test(atom.left, "in", atom.right),
        )
        yield what, partial(_other, atom=atom, values=new)


def _failing(test: Test, failed: set[Test]) -> Test | bool:
    return False if test in failed else True if test.negated() in failed else test


def _alike(test: Test, failed: Test, param: Param) -> Test | bool:
    """As above, for whatever variable the parameter is compared with."""
    terms = (test.left, test.right)
    if param not in terms or not any(isinstance(term, Var) for term in terms):
        return test
    return False if test.op == failed.op else True if test.op == failed.negated().op else test


def _other(test: Test, atom: Test, values: tuple[Value, ...]) -> Test | bool:
    return replace(test, right=values) if test in (atom, atom.negated()) else test


def _assumed(model: Model, owner: str, meaning: Meaning, like: Edge | None = None) -> Model:
    """In all requests of a component, or in those that are like what an edge takes, tests mean something else."""

    def change(edge: Edge) -> list[Edge]:
        when = _meant(edge.when, meaning) if edge.asks else edge.when
        if when == edge.when or edge.on is None:
            return [edge]
        if like is None or like.on is None:
            return [replace(edge, when=when)] if when else []
        kept = replace(edge, on=but(edge.on, like.on.source), label=edge.event)
        return [kept, replace(kept, on=only(edge.on, like.on.source), when=when)] if when else [kept]

    return edited(model, owner, change)


def _meant(guard: Guard, meaning: Meaning) -> Guard:
    found = []
    for when in guard:
        atoms: list[Atom] = []
        for atom in when:
            new = meaning(atom) if isinstance(atom, Test) else atom
            if new is False:
                break
            if new is not True:
                atoms.append(new)
        else:
            found.append(tuple(atoms))
    return tuple(found)
