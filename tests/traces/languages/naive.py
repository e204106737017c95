"""What a guard means, said once more and as simply as can be."""

from collections.abc import Mapping

from rootward.traces.model.event import Event
from rootward.traces.model.guard import Bound, Const, Guard, Param, Test, Var
from rootward.traces.model.model import Component, Edge, Model

OPS = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def value(term: object, variables: Mapping[str, object], params: Mapping[str, object]) -> object:
    if isinstance(term, Const):
        return term.value
    return variables[term.name] if isinstance(term, Var) else params[term.name] if isinstance(term, Param) else term


def holds(
    guard: Guard,
    variables: Mapping[str, object],
    params: Mapping[str, object] | None = None,
    clocks: Mapping[str, int] | None = None,
) -> bool:
    def one(atom: Test | Bound) -> bool:
        if isinstance(atom, Bound):
            return OPS[atom.op]((clocks or {})[atom.clock], atom.limit)
        return OPS[atom.op](value(atom.left, variables, params or {}), value(atom.right, variables, params or {}))

    return any(all(one(atom) for atom in conjunction) for conjunction in guard)


def component(model: Model, name: str) -> Component:
    return next(one for one in model.components if one.name == name)


def event(text: str) -> Event:
    kind, ecu, operation, *payload = text.split(" ", 3)
    return Event(0, kind, ecu, operation, "".join(payload))


def knows(part: Component, text: str) -> bool:
    return any(edge.on is not None and edge.on.match(event(text)) is not None for edge in part.edges)


def taken(part: Component, source: str, text: str, variables: Mapping[str, object], clock: int = 0) -> list[Edge]:
    """The edges that can be taken with an event, all clocks being the same."""
    found = []
    for edge in part.edges:
        params = edge.on.match(event(text)) if edge.on is not None and edge.source == source else None
        if params is not None and holds(edge.when, variables, params, dict.fromkeys(clocks(edge.when), clock)):
            found.append(edge)
    return found


def clocks(guard: Guard) -> set[str]:
    return {atom.clock for conjunction in guard for atom in conjunction if isinstance(atom, Bound)}


def after(edge: Edge, text: str, variables: Mapping[str, object]) -> dict[str, object]:
    """The variables once an edge is taken with an event."""
    params = edge.on.match(event(text)) or {} if edge.on is not None else {}
    return {**variables, **{name: value(term, variables, params) for name, term in edge.set.items()}}
