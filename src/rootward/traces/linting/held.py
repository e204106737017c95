"""Which values a variable can ever hold: the one it has at first, and whatever some edge writes to it."""

from __future__ import annotations

from rootward.traces.guard import Const, Param, Term, Test, Value, Var
from rootward.traces.linting.possible import Domain
from rootward.traces.model import Edge, Model, Unknown


def held(model: Model) -> dict[Term, Domain]:
    """The values of each variable of which all are known."""
    sources = _written(model)
    known: dict[str, set[Value]] = {name: set() for name in model.variables}
    open_ended = {name for name, value in model.variables.items() if isinstance(value, Unknown)}
    changed = True
    while changed:
        changed = False
        for name in model.variables:
            before = len(known[name]), name in open_ended
            for source in sources[name]:
                if source is None or (isinstance(source, str) and (source in open_ended or source not in known)):
                    open_ended.add(name)
                else:
                    known[name] |= known[source] if isinstance(source, str) else source
            changed |= before != (len(known[name]), name in open_ended)
    return {Var(name): frozenset(values) for name, values in known.items() if name not in open_ended}


Source = frozenset[Value] | str | None
"""Some values, the name of another variable, or anything."""


def _written(model: Model) -> dict[str, set[Source]]:
    sources: dict[str, set[Source]] = {
        name: {frozenset({value})} for name, value in model.variables.items() if not isinstance(value, Unknown)
    }
    for edge in (edge for component in model.components for edge in component.edges):
        for name, term in edge.set.items():
            match term:
                case Const(value):
                    source: Source = frozenset({value})
                case Var(other):
                    source = other
                case Param():
                    source = _named(edge, term)
            sources.setdefault(name, set()).add(source)
    return {name: sources.get(name, set()) for name in model.variables}


def _named(edge: Edge, param: Param) -> frozenset[Value] | None:
    """The values that the guard of an edge leaves to a parameter, if it lists them in every case."""
    found: set[Value] = set()
    for conjunction in edge.when:
        lists = [_listed(atom, param) for atom in conjunction if isinstance(atom, Test)]
        listed = next((values for values in lists if values is not None), None)
        if listed is None:
            return None
        found |= listed
    return frozenset(found)


def _listed(test: Test, param: Param) -> set[Value] | None:
    if test.left == param and test.op == "in" and isinstance(test.right, tuple):
        return set(test.right)
    if test.op == "=" and param in (test.left, test.right):
        other = test.right if test.left == param else test.left
        return {other.value} if isinstance(other, Const) else None
    return None
