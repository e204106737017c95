"""What the times of an explanation are compared with: the template of its proof (section 5).

A template is the proof for all times at once: the instants of the events are symbols, and the condition before a step
is the weakest precondition of what follows. Its complement is built, as it is simple: the regions of clocks and
instants from which the rest can be survived, each a zone. They are asked for at the spots that the events lead to, so
nothing is said of where one cannot be. The atomic clock constraints of a condition are the fewest from which it can be
made: the bounds at which the survivors end (see `ends`). For the times of an explanation, such a constraint can be
satisfied or not; a clock is free to be any that is not negative.

A time that is a symbol is not 0, so what may be done in no time at all is not an exception that is made for it, unless
no time may pass at all. Of the network, the template is about the components that the proof speaks of, and about those
that write what these read; what is proved of them is true of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeVar

from rootward.traces.grouping.region import Region, ends, needed
from rootward.traces.model.event import Event
from rootward.traces.model.guard import Atom, Bound, Conjunction, Test, all_of
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.state import State, narrowed, updated, value
from rootward.traces.running.unknown_values import Facts, Symbol
from rootward.traces.running.zone import Name, at_most, opposite

T = TypeVar("T")
SPOTS, REGIONS, WORK = 300, 60, 2000
"""A template with more spots at one place, or more regions at one spot, or that takes more steps, is not made."""
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


class Constraint(NamedTuple):
    """A clock before a step, and the time from that instant to a later one, are less than, or at most, so long in all
    (see `zone`). Without a clock: the time from one instant to another is. Instant 0 is the beginning, 1 the first
    event."""

    clock: str | None
    early: int
    late: int
    bound: int

    def satisfiable(self, instants: Sequence[int]) -> bool:
        """Whether some clock satisfies it: one that was reset just now does, if any."""
        return at_most(instants[self.late] - instants[self.early]) <= self.bound


Regions = dict[Spot, list[Region]]
Graph = Mapping[Spot, Sequence[Way]]
Template = tuple[frozenset[Constraint], ...]
"""The atomic clock constraints before each step that not all times satisfy."""


def template(engine: Engine, start: Iterable[Spot], events: Sequence[Event], waiting: bool) -> Template:
    """The template of some events with time before each of them; ``waiting``: and after the last one."""
    some = survivors(engine, start, events, waiting)
    return tuple(map(_constraints, some))


def survivors(engine: Engine, start: Iterable[Spot], events: Sequence[Event], waiting: bool) -> list[Regions]:
    """Before each step, from where the rest can be survived: the opposite of the weakest preconditions."""
    steps = [step for event in events for step in (None, event)] + [None] * waiting
    return _Survivors(engine).before(list(start), steps)


class _Survivors:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._left = WORK

    def before(self, spots: list[Spot], steps: Sequence[Event | None]) -> list[Regions]:
        stages: list[tuple[list[Spot], Graph]] = []
        for step in steps:
            graph = self._graph(spots, step)
            stages.append((spots, graph))
            spots = list(dict.fromkeys(way.target for ways in graph.values() for way in ways))
        now = sum(step is None for step in steps)
        found: list[Regions] = [{spot: [Region.whole(now)] for spot in spots}]
        for step, (reached, graph) in zip(reversed(steps), reversed(stages), strict=True):
            regions = self._before_time(found[0], graph) if step is None else self._before_event(found[0], graph)
            found.insert(0, {spot: regions[spot] for spot in reached})
        return found[:-1]

    def _graph(self, spots: list[Spot], event: Event | None) -> Graph:
        """All that may happen on an event, or while time passes."""
        graph: dict[Spot, tuple[Way, ...]] = {}
        todo = list(spots)
        while todo:
            spot = todo.pop()
            if spot not in graph:
                graph[spot] = event_ways(self._engine, spot, event) if event else time_ways(self._engine, spot)
                todo += [] if event else [way.target for way in graph[spot]]
            if len(graph) > SPOTS:
                raise TooLarge
        return graph

    def _before_event(self, regions: Regions, graph: Graph) -> Regions:
        found: Regions = {spot: [] for spot in graph}
        for spot, ways in graph.items():
            for way in ways:
                for region in regions[way.target]:
                    new = self._before(way, region)
                    if new is not None:
                        _add(found[spot], new.tidy())
        return {spot: _fewest(some) for spot, some in found.items()}

    def _before_time(self, regions: Regions, graph: Graph) -> Regions:
        """Backwards from the end of a time, part by part; each part may be of any length."""
        into: dict[Spot, list[tuple[Spot, Way]]] = {}
        for spot, ways in graph.items():
            for way in ways:
                into.setdefault(way.target, []).append((spot, way))
        todo = [(spot, region.at_end()) for spot, some in regions.items() for region in some]
        found: Regions = {spot: [] for spot in graph}
        for spot, region in todo:
            if not graph[spot]:
                _add(found[spot], region)
        while todo:
            target, region = todo.pop()
            for spot, way in into.get(target, []):
                new = self._before(way, region)
                if new is not None and _add(found[spot], new := new.earlier().tidy(new.now + 1)):
                    todo.append((spot, new))
        return {spot: _fewest(region.tidy() for region in some) for spot, some in found.items()}

    def _before(self, way: Way, region: Region) -> Region | None:
        """From where a way leads into a region."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        entered = region.under(way.then)
        left = entered and entered.before_reset(way.resets)
        found = left and left.under(way.when)
        return found and found._replace(facts=found.facts | way.facts)


def _fewest(regions: Iterable[Region]) -> list[Region]:
    """Without those that lie in others, and with two as one where that is the same."""
    found: list[Region] = []
    todo = list(regions)
    while todo:
        region = todo.pop()
        both = next(((one, new) for one in found if (new := region.joined(one)) is not None), None)
        if both is None:
            _add(found, region)
        else:
            found.remove(both[0])
            todo.append(both[1])
    return found


def _add(regions: list[Region], new: Region) -> bool:
    """Whether it was not known."""
    if any(new.within(one) for one in regions):
        return False
    regions[:] = [one for one in regions if not one.within(new)]
    regions.append(new)
    if len(regions) > REGIONS:
        raise TooLarge
    return True


def _constraints(regions: Regions) -> frozenset[Constraint]:
    """What is false where one survives, and true just beside it, if times decide it."""
    found: set[Constraint] = set()
    for some in regions.values():
        for region in some:
            around = [one for one in some if one is not region and region.tells(one)]
            names = list(dict.fromkeys(name for one in (region, *around) for name in one.zone.names))
            for pair in needed(region.zone):
                constraint = _opposite(*pair, region.zone.bound(*pair), region.now)
                if constraint is None or constraint in found:
                    continue
                if ends(region.over(names), pair, [one.over(names) for one in around]):
                    found.add(constraint)
    return frozenset(found)


def _opposite(one: Name, two: Name, bound: int, now: int) -> Constraint | None:
    """The opposite of a bound; None if it is true anyhow, or if some clock always satisfies it.

    Said of two instants, it is the same as the bound for a comparison of times.
    """
    if not isinstance(two, int) or (isinstance(one, str) and two == now):
        return None
    if isinstance(one, str):
        return Constraint(one, now, two, opposite(bound))
    assert isinstance(one, int)
    if one > two:
        return Constraint(None, two, one, bound)
    return None if bound == at_most(0) else Constraint(None, one, two, opposite(bound))


# What a network may do on a sequence of events, whatever the times


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
