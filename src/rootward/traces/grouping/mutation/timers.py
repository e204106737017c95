"""As if a timer ran out at another time: early, late, or not restarted by what restarts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rootward.traces.event import Event
from rootward.traces.grouping.mutation.mutant import OLDER, SPECIFIC, Mutant, but, component, edited, only
from rootward.traces.guard import Atom, Bound, Conjunction, Guard, duration
from rootward.traces.model import Edge, Location, Model
from rootward.traces.proving.roots import Root
from rootward.traces.running.replay import Witness

PARTS = 4
"""A timer that is early is taken to run out in the first, second or third quarter of its time."""


def timing(model: Model, root: Root, witness: Witness) -> Iterator[Mutant]:
    """A clock that a timer waits for, and its last restarts."""
    timers = {
        (part.name, atom.limit): None
        for part in model.components
        for edge in part.drifts
        for when in edge.when
        for atom in when
        if isinstance(atom, Bound) and atom.clock == root.name and atom.op in (">", ">=")
    }
    for owner, limit in timers:
        for k in range(1, PARTS):
            least, most = limit * (k - 1) // PARTS, limit * k // PARTS
            text = f"as if {owner} ran out after {f'{duration(least)} to ' if least else ''}{duration(most)}"
            change = partial(_early, owner=owner, clock=root.name, limit=limit, least=least, most=most)
            yield Mutant(text, SPECIFIC if least else OLDER, change, size=4 + PARTS - k)
    if timers and root.component:
        yield from _unheard(model, root, witness)


def _early(model: Model, owner: str, clock: str, limit: int, least: int, most: int) -> Model:
    """With an edge of time that can be taken sooner, and must be by then."""

    def sooner(atom: Atom) -> Atom:
        late = isinstance(atom, Bound) and (atom.clock, atom.limit) == (clock, limit) and atom.op in (">", ">=")
        return Bound(clock, ">=", least) if late else atom

    def change(edge: Edge) -> list[Edge]:
        return [edge if edge.on is not None else replace(edge, when=tuple(tuple(map(sooner, w)) for w in edge.when))]

    def hurry(one: Location) -> Location:
        return replace(one, stay=_capped(one.stay, clock, most))

    return edited(model, owner, change, hurry)


def _capped(guard: Guard, clock: str, most: int) -> Guard:
    """The same with all upper bounds of a clock lowered."""

    def cap(when: Conjunction) -> Conjunction:
        return tuple(
            Bound(clock, "<=", min(atom.limit, most))
            if isinstance(atom, Bound) and atom.clock == clock and atom.op in ("<", "<=")
            else atom
            for atom in when
        )

    return tuple(map(cap, guard))


def _unheard(model: Model, root: Root, witness: Witness) -> Iterator[Mutant]:
    """What restarted it does not: all messages of the same operation, or all that the same edge takes."""
    step, part = witness.steps[root.step - witness.first], component(model, root.component)
    edge = part.edges[root.edge]
    if not isinstance(step, Event) or edge.on is None or root.name not in edge.reset:
        return
    operation = rf"\S+ \S+ {re.escape(step.operation)}(?: .*)?"
    change = partial(_deaf, owner=root.component, clock=root.name)
    text = f"as if {step.operation} did not restart {root.name}"
    yield Mutant(text, SPECIFIC, partial(change, regex=operation), size=1)
    others = (one.on for one in part.edges if one is not edge and root.name in one.reset and one.on is not None)
    if not edge.on.text.endswith("...") and any(one.match(step) is not None for one in others):
        text = f"as if nothing like {edge.event} restarted {root.name}"
        yield Mutant(text, SPECIFIC, partial(change, regex=edge.on.source), size=1)


def _deaf(model: Model, owner: str, clock: str, regex: str) -> Model:
    """What matches is taken, and does not restart the clock."""

    def change(edge: Edge) -> list[Edge]:
        if edge.on is None or clock not in edge.reset:
            return [edge]
        return [
            replace(edge, on=but(edge.on, regex), label=edge.event),
            replace(edge, on=only(edge.on, regex), label=edge.event, reset=edge.reset - {clock}),
        ]

    return edited(model, owner, change)
