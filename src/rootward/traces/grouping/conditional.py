"""Changes that apply only while a variable has a certain value: "as if every component always took longer than 50 ms
while session = 3".

Such a bug refutes each unconditional change, because elsewhere the system behaves as the model. So these are tried on
what no unconditional change explains. The conditions are about the *modes* of a model, which are the variables on which
several components depend, and about what the component at fault remembers of the request, such as its sub-function.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rootward.traces.fault import Fault
from rootward.traces.grouping.mutant import CONDITIONAL, FaultCause, Mutant, differing_edges, find_component
from rootward.traces.model.guard import Const, Guard, Term, Test, Value, Var, all_of, any_of, with_terms
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness

IN_MODE = " while {mode}"
"""The end of the sentence of such a change."""


def find_modes(engine: Engine, fault: Fault, witness: Witness) -> dict[str, Value]:
    """Return the variables on which a change may depend, with their values at the fault.

    Of what the component remembers, only values with which it compares the variable count: the data of a request is
    different in each trace, so a change that depends on it would explain anything.
    """
    found = dict(fault.modes)
    if not fault.component:
        return found
    state, edges = witness.reached[-1][0], find_component(engine.model, fault.component).edges
    for atom in (atom for edge in edges for when in edge.when for atom in when):
        if isinstance(atom, Test) and isinstance(atom.left, Var) and atom.left.name.startswith(f"{fault.component}."):
            value = state.data[engine.names.variables[atom.left.name]]
            known = atom.right if isinstance(atom.right, tuple) else (atom.right,)
            if isinstance(value, int | str) and (value in known or Const(value) in known):
                found[atom.left.name] = value
    return found


def conditional_mutants(mutant: Mutant, modes: dict[str, Value]) -> Iterator[Mutant]:
    """Yield a change for each mode: the same change, but only while the mode has this value."""
    for name, value in modes.items():
        test = Test(Var(name), "=", Const(value))
        cause = FaultCause(mutant.cause.sentence + IN_MODE, {**mutant.cause.facts, "mode": test})
        change = partial(_change_while, mutant=mutant, test=test)
        yield Mutant(cause, CONDITIONAL, change, base=mutant.name, size=mutant.size + 1)


def _change_while(model: Model, mutant: Mutant, test: Test) -> Model:
    """Return the model that is changed while a test holds, and otherwise as before."""
    pairs = zip(model.components, mutant.change(model).components, strict=True)
    return replace(model, components=tuple(old if old is new else _blend(old, new, test) for old, new in pairs))


def _blend(old: Component, new: Component, test: Test) -> Component:
    apart = {id(edge) for edge in differing_edges(old, new)}
    kept = [
        replace(edge, when=all_of([edge.when, _guard(edge, test.negate())]), label=edge.event)
        if id(edge) in apart
        else edge
        for edge in old.edges
    ]
    added = [replace(edge, when=all_of([edge.when, _guard(edge, test)])) for edge in new.edges if id(edge) in apart]
    places = [_blend_locations(one, two, test) for one, two in zip(old.locations, new.locations, strict=True)]
    return replace(old, edges=(*kept, *added), locations=tuple(places))


def _guard(edge: Edge, test: Test) -> Guard:
    """Return the guard that a test becomes on an edge. A request is tested with what it sets."""

    def insert(term: Term) -> Term:
        return edge.set.get(term.name, term) if isinstance(term, Var) and edge.is_request else term

    return with_terms(((test,),), insert)


def _blend_locations(old: Location, new: Location, test: Test) -> Location:
    if (old.stay, old.invariant) == (new.stay, new.invariant):
        return old
    then, otherwise = ((test,),), ((test.negate(),),)
    return replace(
        new,
        stay=any_of([all_of([new.stay, then]), all_of([old.stay, otherwise])]),
        invariant=any_of([all_of([new.invariant, then]), all_of([old.invariant, otherwise])])
        if old.invariant != new.invariant
        else old.invariant,
    )
