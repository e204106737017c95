"""What a network may do on a sequence of events, whatever the times: its locations and data, with the bounds of clocks
on the way from one to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeVar

from rootward.traces.event import Event
from rootward.traces.guard import Atom, Bound, Conjunction, Test, all_of
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.state import State, narrowed, updated, value
from rootward.traces.running.unknown import Facts, Symbol

T = TypeVar("T")
JOINT = 500
"""If components may move together in more ways than this, that is too much to follow."""


class TooLarge(Exception):
    """There is no template."""


Spot = State
"""A state without clocks: locations and data."""


class Way(NamedTuple):
    """From one spot to another, at one instant."""

    target: Spot
    when: tuple[Bound, ...]
    """What has to hold of the clocks before, and ..."""
    resets: frozenset[str]
    then: tuple[Bound, ...]
    """... after these begin anew."""
    facts: Facts
    """What has to be true of unknown data."""


def event_ways(engine: Engine, spot: Spot, event: Event) -> tuple[Way, ...]:
    """What may happen on an event."""
    choices = [moves.get(spot.locations[k], []) for k, moves in engine.moves(event)]
    return tuple(dict.fromkeys(way for joint in _joint(choices) for way in _ways(engine, spot, (), joint)))


@lru_cache(maxsize=5000)
def time_ways(engine: Engine, spot: Spot) -> tuple[Way, ...]:
    """What may happen when some time has passed: each component stays, or takes an edge of time."""
    choices: list[list[tuple[Conjunction, Move | None]]] = []
    for part, i in zip(engine.parts, spot.locations, strict=True):
        if not part.quiet[i]:
            leaving = [(when, Move(one, {})) for one in part.drifts[i] for when in part.invariants[i]]
            choices.append([*((when, None) for when in part.stays[i]), *leaving])
    found: dict[Way, None] = {}
    for joint in _joint(choices):
        atoms = [atom for when, _ in joint for atom in when]
        found.update(dict.fromkeys(_ways(engine, spot, atoms, [move for _, move in joint if move is not None])))
    return tuple(found)


def _joint(choices: Sequence[Sequence[T]]) -> Iterable[tuple[T, ...]]:
    if math.prod(map(len, choices)) > JOINT:
        raise TooLarge
    return product(*choices)


def _ways(engine: Engine, spot: Spot, more: Sequence[Atom], joint: Sequence[Move]) -> Iterator[Way]:
    """Some components move at once, if more than their guards holds, too."""
    parts = narrowed(engine.names, spot, _tests(more), {}, 0)
    for move in joint:
        tests = _tests(move.option.when)
        parts = [new for one in parts for new in narrowed(engine.names, one, tests, move.params, 0)]
    when = _bounds([*more, *(atom for move in joint for atom in move.option.when)])
    resets = frozenset(name for move in joint for name in move.option.edge.reset if name in engine.names.clocks)
    for part in parts:
        told = _learnt(spot, part)
        moved = _moved(engine, part, joint)
        entered = [engine.parts[engine.places[move.option.owner]].invariants[move.option.target] for move in joint]
        for then in all_of(entered):
            for target in narrowed(engine.names, moved, _tests(then), {}, 0):
                yield Way(target, when, resets, _bounds(then), told | _learnt(moved, target))


def _moved(engine: Engine, spot: Spot, joint: Sequence[Move]) -> Spot:
    values = {}
    for move in joint:
        for name, term in move.option.edge.set.items():
            if name in engine.names.variables:
                values[engine.names.variables[name]] = value(engine.names, spot, term, move.params)
    targets = [(engine.places[move.option.owner], move.option.target) for move in joint]
    return updated(spot, targets, values, (), 0)


def _learnt(before: Spot, after: Spot) -> Facts:
    """What a comparison has told."""
    pairs = zip(before.data, after.data, strict=True)
    same = frozenset((one, "=", two) for one, two in pairs if isinstance(one, Symbol) and one != two)
    return (after.facts - before.facts) | same


def _tests(atoms: Iterable[Atom]) -> tuple[Test, ...]:
    return tuple(atom for atom in atoms if isinstance(atom, Test))


def _bounds(atoms: Iterable[Atom]) -> tuple[Bound, ...]:
    return tuple(dict.fromkeys(atom for atom in atoms if isinstance(atom, Bound)))
