"""As if a requirement were not looked at, never met, met by one value more, or by one less."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rootward.traces.event import Event
from rootward.traces.grouping.mutation.mutant import SPECIFIC, WIDER, Mutant, but, component, edited, only
from rootward.traces.guard import Atom, Guard, Param, Test, Value, Var
from rootward.traces.model import Edge, Model
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.state import State, value

Meaning = Callable[[Test], "Test | bool"]
"""What becomes of a test: another one, or it always holds, or never."""


def checks(engine: Engine, state: State, move: Move, event: Event) -> Iterator[Mutant]:
    """The comparisons in the guard that decided which answer to a request was due: for all requests, or such ones."""
    owner = move.option.owner
    source = move.option.edge.source
    edges = [edge for edge in component(engine.model, owner).edges if edge.asks and edge.source == source]
    own = [edge for edge in edges if _takes(edge, event)]
    others = [edge for edge in edges if not _takes(edge, event)]
    for atom in move.option.when:
        if isinstance(atom, Test):
            wider = list(_param(owner, atom))
            above = tuple(one.name for one in wider)
            some: list[tuple[str, Meaning, tuple[str, ...], int]]
            some = [(f"did not check {atom.negated()}", partial(_failing, failed={atom}), above, 0)]
            some += [(text, meaning, (), 1) for text, meaning in _resized(engine, state, atom)]
            for text, meaning, names, size in some:
                name, change = f"as if {owner} {text}", partial(_assumed, owner=owner, meaning=meaning)
                yield Mutant(name, SPECIFIC, change, names, size)
                if own and any(_about(edge, atom) for edge in others):
                    like = own[-1]  # what is accepted comes after what is refused
                    yield Mutant(f"{name} ({like.event})", SPECIFIC, partial(change, like=like), (name,), size + 1)
            yield from wider


def _takes(edge: Edge, event: Event) -> bool:
    return edge.on is not None and edge.on.match(event) is not None


def _about(edge: Edge, atom: Test) -> bool:
    return any(one in (atom, atom.negated()) for when in edge.when for one in when)


def _param(owner: str, atom: Test) -> Iterator[Mutant]:
    """The same part of the request, compared with other variables."""
    params = [term for term in (atom.left, atom.right) if isinstance(term, Param)]
    if params and any(isinstance(term, Var) for term in (atom.left, atom.right)):
        name = f"as if {owner} did not check {atom.negated().op} {params[0]}"
        yield Mutant(name, WIDER, partial(_assumed, owner=owner, meaning=partial(_alike, failed=atom, param=params[0])))


def _resized(engine: Engine, state: State, atom: Test) -> Iterator[tuple[str, Meaning]]:
    """One value more is allowed, or one less."""
    if not isinstance(atom.left, Var) or not isinstance(atom.right, tuple):
        return
    own = value(engine.names, state, atom.left, {})
    if not isinstance(own, int | str):
        return
    new = tuple(one for one in atom.right if one != own) if own in atom.right else (*atom.right, own)
    if new:
        text = f"checked {Test(atom.left, 'in', new)} instead of {Test(atom.left, 'in', atom.right)}"
        yield text, partial(_other, atom=atom, values=new)


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
