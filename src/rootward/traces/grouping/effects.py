"""Wrong effects: an answer with the value of another variable, and a message or a timer that sets a variable which it
should leave alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rootward.traces.fault import Fault
from rootward.traces.grouping.mutant import WIDER, Mutant, as_if, edit_component, find_component
from rootward.traces.model.event import Event, Wait
from rootward.traces.model.guard import Const, Guard, Param, Term, Test, Value, Var, with_terms
from rootward.traces.model.model import Edge, Model
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness

MAX_WRITERS = 12
"""Maximum number of edges, the latest first, that are tried as writers of a variable."""


def other_value_mutants(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """Yield the changes in which an answer always has the value of another variable, which is the one that came.

    Many variables may have that value by chance, so a forgotten update is a smaller assumption. Variables with a dot in
    their name only remember a request.
    """
    for edge, params in _find_refuted_answers(engine, fault, witness):
        state = witness.reached[-1][0]
        for param, old in _list_contents(edge.when):
            for name, place in engine.names.variables.items():
                if "." not in name and state.data[place] == params.get(param.name) and Var(name) != old:
                    what = as_if(
                        "{component} answered with {variable} instead of {value} ({event})",
                        component=fault.component,
                        variable=name,
                        value=old,
                        event=edge.event,
                    )
                    change = partial(_exchange, owner=fault.component, edge=edge, old=old, name=name)
                    yield Mutant(what, WIDER, change)


def _find_refuted_answers(engine: Engine, fault: Fault, witness: Witness) -> Iterator[tuple[Edge, dict[str, Value]]]:
    """Yield the edges that take an answer like the one that came, if only its content is wrong, with its parameters."""
    last = witness.steps[-1]
    if isinstance(last, Event) and fault.component:
        for edge in find_component(engine.model, fault.component).edges:
            params = edge.on.match(last) if edge.source == fault.location and edge.on is not None else None
            if params is not None and edge.when:
                yield edge, params


def _list_contents(guard: Guard) -> Iterator[tuple[Param, Var | Const]]:
    """Yield the parts of the event that a guard fixes in all its cases, each with what it must equal."""
    for atom in guard[0]:
        if isinstance(atom, Test) and atom.op == "=" and all(atom in when for when in guard):
            for one, other in ((atom.left, atom.right), (atom.right, atom.left)):
                if isinstance(one, Param) and isinstance(other, Var | Const):
                    yield one, other


def _exchange(model: Model, owner: str, edge: Edge, old: Term, name: str) -> Model:
    def term(one: Term) -> Term:
        return Var(name) if one == old else one

    def change(one: Edge) -> list[Edge]:
        same = (one.event, one.when, one.set) == (edge.event, edge.when, edge.set)
        return [replace(one, when=with_terms(one.when, term)) if same else one]

    return edit_component(model, owner, change)


def extra_write_mutants(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """Yield the changes in which something sets a variable of the fault that it should leave alone.

    It sets the variable to its initial value. The component that shows the fault is not suspected: if its answer is
    wrong, that is more likely than that it spoils the variable that it answers with.
    """
    written = {root.name: root.step for root in reversed(fault.roots) if root.name in engine.model.variables}
    for name, step in written.items():
        value = engine.model.variables[name]
        if isinstance(value, int | str):
            for owner, edge in _list_later_moves(engine, witness, step):
                if owner != fault.component and edge.set.get(name) != Const(value):
                    yield _also_set(owner, edge, name, value)


def _list_later_moves(engine: Engine, witness: Witness, step: int) -> list[tuple[str, Edge]]:
    """Return the edges that were taken after a step of the trace, the latest first, and all time edges."""
    found: dict[tuple[str, str, str], tuple[str, Edge]] = {}
    begin = max(step - witness.first, -1) + 1
    for place in range(len(witness.steps) - 2, begin - 1, -1):
        now = witness.steps[place]
        if isinstance(now, Wait):
            continue
        for state in witness.reached[place]:
            for _, joint in engine.find_transitions(state, now):
                for move in joint:
                    owner, edge = move.option.owner, move.option.edge
                    if edge.source != edge.target:
                        found.setdefault((owner, edge.event, edge.target), (owner, edge))
    timed = [(part.name, edge) for part in engine.model.components for edge in part.time_edges]
    return [*list(found.values())[:MAX_WRITERS], *timed]


def _also_set(owner: str, edge: Edge, name: str, value: Value) -> Mutant:
    sentence = "{component} also set {variable} to {value}" + (" ({event})" if edge.on is not None else "")
    what = as_if(sentence, component=owner, variable=name, value=Const(value), event=edge.event)
    change = partial(_add_update, owner=owner, edge=edge, name=name, value=Const(value))
    return Mutant(what, WIDER, change, size=3 if edge.is_request else 2)


def _add_update(model: Model, owner: str, edge: Edge, name: str, value: Const) -> Model:
    """Let all edges for the same event that lead to the same place set a variable."""
    key = (edge.event, edge.target, edge.on is None and edge.source)

    def change(one: Edge) -> list[Edge]:
        same = (one.event, one.target, one.on is None and one.source) == key
        return [replace(one, set={**one.set, name: value}) if same else one]

    return edit_component(model, owner, change)
