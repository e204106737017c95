"""Cycles of edges of time: those that can be taken for ever without time passing, and those that go on changing data.

A cycle is followed symbolically for a few rounds: every guard is carried back to the first state. If what is left can
hold, nothing stops the cycle. As values are only copied, what the rounds do repeats after as many as there are values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from rootward.traces.guard import Conjunction, Guard, Term, Test
from rootward.traces.linting.effect import Effect
from rootward.traces.linting.possible import Domain, possible
from rootward.traces.linting.remark import Remark, edge_name
from rootward.traces.model import Component, Edge

MOST, CASES = 2_000, 200
"""Steps of looking for cycles in a component, and cases of the guards of one: beyond, nothing is said."""


def endless(component: Component, edges: Sequence[Edge], domains: Mapping[Term, Domain]) -> Iterator[Remark]:
    """Remarks on the cycles among these edges, which can all fire."""
    for cycle in _cycles([edge for edge in edges if edge.on is None]):
        if len(cycle) == 1 and not cycle[0].set and not cycle[0].reset:
            continue  # taking it is the same as staying
        where = edge_name(cycle[0]) if len(cycle) == 1 else "cycle " + " -> ".join(e.source for e in (*cycle, cycle[0]))
        left = list(islice(_rounds(cycle, time=True), CASES))
        if any(possible(case, domains) for case in left):
            certain = () in left and not _conditional(component, cycle)
            text = (
                "it can be taken again and again in no time: let it wait for a clock that it resets itself, "
                "or change what its guard asks for."
            )
            yield Remark("error" if certain else "warning", component.name, where, text)
        cases = islice(_rounds(cycle, time=False), CASES)
        if (names := _changing(cycle)) and any(possible(case, domains) for case in cases):
            text = (
                f"each round changes {', '.join(names)} again, so how often it was taken decides the outcome: "
                "write values that a second round leaves as they are."
            )
            yield Remark("warning", component.name, where, text)


def _cycles(edges: Sequence[Edge]) -> Iterator[tuple[Edge, ...]]:
    """Every cycle once, beginning with the location that was seen first."""
    order = {name: place for place, name in enumerate(dict.fromkeys(edge.source for edge in edges))}
    leaving = {name: [edge for edge in edges if edge.source == name and edge.target in order] for name in order}
    steps = MOST
    for first in order:
        paths: list[tuple[Edge, ...]] = [(edge,) for edge in leaving[first]]
        while paths and steps:
            steps -= 1
            path = paths.pop()
            here = path[-1].target
            if here == first:
                yield path
            elif order[here] > order[first] and here not in {edge.source for edge in path}:
                paths.extend((*path, edge) for edge in leaving[here])


def _rounds(cycle: Sequence[Edge], *, time: bool) -> Iterator[Conjunction]:
    """What has to hold at first so that several rounds can be taken, case by case: at once, or at any pace."""
    effect, guards = Effect(), list[Guard]()
    copied = {name for edge in cycle for name in edge.set}
    for _ in range(2 + len(copied)):
        for edge in cycle:
            guard = edge.when if time else _data(edge.when)
            guards.append(effect.before(guard))
            effect = effect.then(edge)
    return (tuple(dict.fromkeys(atom for part in parts for atom in part)) for parts in product(*map(_unique, guards)))


def _unique(guard: Guard) -> Guard:
    return ((),) if () in guard else guard


def _data(guard: Guard) -> Guard:
    """A guard without its clocks: what it asks of the data if one waits for the right moment."""
    return tuple(tuple(atom for atom in conjunction if isinstance(atom, Test)) for conjunction in guard)


def _conditional(component: Component, cycle: Sequence[Edge]) -> bool:
    """Whether an invariant on the way may stop it."""
    on_it = {edge.source for edge in cycle}
    return any(() not in location.invariant for location in component.locations if location.name in on_it)


def _changing(cycle: Sequence[Edge]) -> list[str]:
    """The variables that a second round changes once more."""
    once = Effect()
    for edge in cycle:
        once = once.then(edge)
    twice = once
    for edge in cycle:
        twice = twice.then(edge)
    return sorted(name for name in once.values if once.values[name] != twice.values[name])
