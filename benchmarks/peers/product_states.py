"""Count the states of a network as one automaton: locations of all components and values of all variables.

Clocks are left out: a step that they allow now or later counts as allowed. There is one request at a time, from a
finite list; responses are all that the unit could give. This is independent of the engine, and good for counting only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from peers.uds_specs import NONE, Spec, operation
from peers.uds_unit import key
from rootward.traces.model.event import Event
from rootward.traces.model.guard import Guard, Param, Term, Test, Value, Var, compare
from rootward.traces.model.model import Edge, Model

READY = ("idle", "suppressed")
SEEDS = ("11223344",)
State = tuple[tuple[str, ...], tuple[Value, ...]]


class Count(NamedTuple):
    states: int
    transitions: int
    complete: bool
    """True if these are all; else there are more."""


def alphabet(spec: Spec) -> tuple[list[Event], list[Event]]:
    """Return requests that make sense, and responses that may come."""
    requests, responses = [], []
    domain = _domains(spec)
    for service, case in spec.calls():
        first = "" if case.value is None else f"{case.value:0{ {'sub': 2, 'did': 4}.get(service.form, 0) }X}"
        data = [key(one, case.xor) for one in SEEDS] + ["00000000"] if case.xor is not None else list(case.example[:2])
        requests += [_event("req", service.sid, first + one) for one in data]
        answered = SEEDS if "$answered" in case.sets.values() else domain.get(case.data, [case.data.strip('"')])
        responses += [_event("res", service.sid, first + one.replace(NONE, "")) for one in answered]
    for service in spec.services:
        codes = {need.nrc for case in service.cases for need in (*service.needs, *case.needs)}
        responses += [_event("res", service.sid, f"NRC {code:02X}") for code in sorted(codes)]
    return list(dict.fromkeys(requests)), list(dict.fromkeys(responses))


def _domains(spec: Spec) -> dict[str, list[str]]:
    """Return the values that a variable may have."""
    found = {name: {value} for name, value in spec.variables.items()}
    changes = [(one.sets, ("",)) for one in spec.reactions] + [(one.do, ("",)) for one in spec.timers]
    for sets, example in [*changes, *((case.sets, case.example) for _, case in spec.calls())]:
        for name, value in sets.items():
            found[name] |= set(example[:2]) if value == "$asked" else {value} - {"$answered"}
    return {name: sorted(values) for name, values in found.items()}


def _event(kind: str, sid: int, payload: str) -> Event:
    return Event(0, kind, "ECU", operation(sid), payload)


def explore(model: Model, spec: Spec, states: int, least: int) -> Count:
    """Count states and transitions breadth first, until there are at least ``states`` states and ``least``
    transitions."""
    variables = list(model.variables)
    first: State = (tuple(part.initial[0] for part in model.components), tuple(map(_start, model.variables.values())))
    requests, responses = ([_edges_for(model, one) for one in some] for some in alphabet(spec))
    drifts = [[edge for edge in part.edges if edge.on is None] for part in model.components]
    seen, waiting, transitions = {first}, deque([first]), 0
    while waiting and (len(seen) < states or transitions < least):
        state = waiting.popleft()
        ready = all(place in READY or place not in _owing(model, k) for k, place in enumerate(state[0]))
        for after in _next(state, requests if ready else responses, drifts, variables):
            transitions += 1
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return Count(len(seen), transitions, not waiting)


def _start(value: object) -> Value:
    return value if isinstance(value, int | str) else NONE


def _owing(model: Model, k: int) -> frozenset[str]:
    names = [one.name for one in model.components[k].locations]
    return frozenset(names) - set(READY) if "idle" in names else frozenset()


Known = list[tuple[int, list[tuple[Edge, Mapping[str, Value]]]]]


def _edges_for(model: Model, event: Event) -> Known:
    """Return the components that know an event, with their edges for it."""
    found: Known = []
    for k, part in enumerate(model.components):
        matched = [(edge, edge.on.match(event)) for edge in part.edges if edge.on is not None]
        taken: list[tuple[Edge, Mapping[str, Value]]] = [
            (edge, params) for edge, params in matched if params is not None
        ]
        if taken:
            found.append((k, taken))
    return found


def _next(
    state: State, events: Sequence[Known], drifts: Sequence[Sequence[Edge]], variables: list[str]
) -> Iterator[State]:
    locations, values = state
    data = dict(zip(variables, values, strict=True))
    for known in events:
        choices = [
            [
                (k, edge, params)
                for edge, params in edges
                if edge.source == locations[k] and _holds(edge.when, data, params)
            ]
            for k, edges in known
        ]
        for joint in product(*choices):
            yield _apply(locations, data, joint)
    for k, edges in enumerate(drifts):
        for edge in edges:
            if edge.source == locations[k] and _holds(edge.when, data, {}):
                yield _apply(locations, data, ((k, edge, {}),))


def _apply(
    locations: tuple[str, ...], data: dict[str, Value], joint: Sequence[tuple[int, Edge, Mapping[str, Value]]]
) -> State:
    places, values = list(locations), dict(data)
    for k, edge, params in joint:
        places[k] = edge.target
        values.update({name: _value(term, data, params) for name, term in edge.set.items()})
    return tuple(places), tuple(values.values())


def _holds(guard: Guard, data: Mapping[str, Value], params: Mapping[str, Value]) -> bool:
    return any(all(_true(atom, data, params) for atom in when if isinstance(atom, Test)) for when in guard)


def _true(atom: Test, data: Mapping[str, Value], params: Mapping[str, Value]) -> bool:
    right = atom.right if isinstance(atom.right, tuple) else _value(atom.right, data, params)
    return compare(_value(atom.left, data, params), atom.op, right)


def _value(term: Term, data: Mapping[str, Value], params: Mapping[str, Value]) -> Value:
    return data[term.name] if isinstance(term, Var) else params[term.name] if isinstance(term, Param) else term.value
