"""Templates: the constraints on times that decide whether two explanations are equal (section 5).

Two explanations with the same messages at different times are equal in the paper's sense if the model cannot tell their
times apart. A *template* is the proof for all times at once: the instants of the events are symbols, and the condition
before each step is the weakest precondition of what follows. The *atomic clock constraints* of these conditions are the
comparisons of times that matter. Two explanations are equal if their times satisfy the same ones.

The weakest precondition describes where the rest of the events must fail. Its complement is simpler and is computed
instead: the *survivors*, the regions of clocks and instants from which all remaining steps are possible. First the
spots (locations and data) that the events can lead to are listed forwards; nothing is said about others. Then the
regions are computed backwards, step by step, over the ways between spots. For a time step this repeats until no new
region appears, since time may pass in any number of parts. A region that lies in another one is dropped, so this
usually ends soon; a template that grows beyond the limits below is given up, and `timing` compares the time between any
two successive events with every bound instead.

The constraints are read off where the set of survivors ends (`region.is_end`), so they do not depend on how the set was
cut into regions. A constraint may mention a clock; since a clock may show any value from 0 up, it can be satisfied if a
clock that was reset just now satisfies it.

A symbolic time is never exactly 0. An exception that the model makes only for "no time at all" is therefore ignored,
unless no time may pass at all at that spot. The template covers the components that the proof mentions, and those that
write what these read; what is proved of them is true of the whole model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeVar

from rootward.traces.grouping.region import Region, find_needed_bounds, is_end
from rootward.traces.model.event import Event
from rootward.traces.model.guard import Atom, Bound, Conjunction, Test, all_of
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.state import SymbolicState, evaluate_term, narrow_state, update_state
from rootward.traces.running.unknown_values import Facts, Symbol
from rootward.traces.running.zone import Name, at_most, negate_bound

T = TypeVar("T")
MAX_SPOTS, MAX_REGIONS, MAX_STEPS = 300, 60, 2000
"""Limits above which no template is made: spots at one place, regions at one spot, and ways followed backwards."""
MAX_JOINT_MOVES = 500
"""Maximum number of ways in which components may move together; with more, no template is made."""


class TooLarge(Exception):
    """The template would be too large, so there is none."""


Spot = SymbolicState
"""A state without clocks: locations and data."""


class Way(NamedTuple):
    """A move from one spot to another, at one instant."""

    target: Spot
    when: tuple[Bound, ...]
    """The bounds of clocks that must hold before the move."""
    resets: frozenset[str]
    then: tuple[Bound, ...]
    """The bounds of clocks that must hold after the resets."""
    facts: Facts
    """The facts that must be true of unknown data."""


class Constraint(NamedTuple):
    """The reading of a clock before a step, plus the time from instant ``early`` to instant ``late``, has this bound
    (encoded as in `zone`). Without a clock, the time alone has this bound. Instant 0 is the beginning, 1 the first
    event, and so on."""

    clock: str | None
    early: int
    late: int
    bound: int

    def satisfiable(self, instants: Sequence[int]) -> bool:
        """Return whether some reading of the clock satisfies the constraint: it is enough to try the reading 0."""
        return at_most(instants[self.late] - instants[self.early]) <= self.bound


Regions = dict[Spot, list[Region]]
Graph = Mapping[Spot, Sequence[Way]]
Template = tuple[frozenset[Constraint], ...]
"""For each step, the atomic clock constraints before it; only those that some times satisfy and others do not."""


def make_template(engine: Engine, start: Iterable[Spot], events: Sequence[Event], waiting: bool) -> Template:
    """Return the template of a sequence of events, with time before each of them and, if ``waiting``, after the
    last."""
    some = find_survivors(engine, start, events, waiting)
    return tuple(map(_constraints, some))


def find_survivors(engine: Engine, start: Iterable[Spot], events: Sequence[Event], waiting: bool) -> list[Regions]:
    """Return, for the point before each step, the regions from which the remaining steps are possible.

    These regions are the complement of the weakest preconditions.
    """
    steps = [step for event in events for step in (None, event)] + [None] * waiting
    return _Survivors(engine).before(list(start), steps)


class _Survivors:
    """Computes the survivors of a sequence of steps."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._left = MAX_STEPS

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
        """Return the ways from each spot on the event.

        If ``event`` is None, returns the ways while time passes, and also those from the spots that they reach.
        """
        graph: dict[Spot, tuple[Way, ...]] = {}
        todo = list(spots)
        while todo:
            spot = todo.pop()
            if spot not in graph:
                graph[spot] = event_ways(self._engine, spot, event) if event else time_ways(self._engine, spot)
                todo += [] if event else [way.target for way in graph[spot]]
            if len(graph) > MAX_SPOTS:
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
        return {spot: _merge_regions(some) for spot, some in found.items()}

    def _before_time(self, regions: Regions, graph: Graph) -> Regions:
        """Return the regions before a wait from which ``regions`` can be reached.

        Goes backwards from the end of the wait, part by part. Each part may have any length.
        """
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
                if new is not None and _add(found[spot], new := new.allow_earlier().tidy(new.now + 1)):
                    todo.append((spot, new))
        return {spot: _merge_regions(region.tidy() for region in some) for spot, some in found.items()}

    def _before(self, way: Way, region: Region) -> Region | None:
        """Return the region from which a way leads into a region, or None if there is none."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        entered = region.restrict(way.then)
        left = entered and entered.before_reset(way.resets)
        found = left and left.restrict(way.when)
        return found and found._replace(facts=found.facts | way.facts)


def _merge_regions(regions: Iterable[Region]) -> list[Region]:
    """Drop the regions that lie in others, and merge two regions where their union is a region."""
    found: list[Region] = []
    todo = list(regions)
    while todo:
        region = todo.pop()
        both = next(((one, new) for one in found if (new := region.join(one)) is not None), None)
        if both is None:
            _add(found, region)
        else:
            found.remove(both[0])
            todo.append(both[1])
    return found


def _add(regions: list[Region], new: Region) -> bool:
    """Add a region unless it lies in a known one; return whether it was added."""
    if any(new.within(one) for one in regions):
        return False
    regions[:] = [one for one in regions if not one.within(new)]
    regions.append(new)
    if len(regions) > MAX_REGIONS:
        raise TooLarge
    return True


def _constraints(regions: Regions) -> frozenset[Constraint]:
    """Return the constraints at the borders of the set of survivors.

    Omits borders that do not depend on the times of the events.
    """
    found: set[Constraint] = set()
    for some in regions.values():
        for region in some:
            around = [one for one in some if one is not region and region.implies_facts(one)]
            names = list(dict.fromkeys(name for one in (region, *around) for name in one.zone.names))
            for pair in find_needed_bounds(region.zone):
                constraint = _negate_to_constraint(*pair, region.zone.bound(*pair), region.now)
                if constraint is None or constraint in found:
                    continue
                if is_end(region.add_dimensions(names), pair, [one.add_dimensions(names) for one in around]):
                    found.add(constraint)
    return frozenset(found)


def _negate_to_constraint(one: Name, two: Name, bound: int, now: int) -> Constraint | None:
    """Return the opposite of a bound as a constraint.

    Returns None if the bound is always true, or if its opposite can be true at any times, for some reading of the
    clock. If the bound is between two instants, the bound itself may be returned, because it compares the same times.
    """
    if not isinstance(two, int) or (isinstance(one, str) and two == now):
        return None
    if isinstance(one, str):
        return Constraint(one, now, two, negate_bound(bound))
    assert isinstance(one, int)
    if one > two:
        return Constraint(None, two, one, bound)
    return None if bound == at_most(0) else Constraint(None, one, two, negate_bound(bound))


# The ways through the network on a sequence of events, at any times


def event_ways(engine: Engine, spot: Spot, event: Event) -> tuple[Way, ...]:
    """Return the ways on an event."""
    choices = [moves.get(spot.locations[k], []) for k, moves in engine.moves(event)]
    return tuple(dict.fromkeys(way for joint in _combine(choices) for way in _joint_ways(engine, spot, (), joint)))


@lru_cache(maxsize=5000)
def time_ways(engine: Engine, spot: Spot) -> tuple[Way, ...]:
    """Return the ways after some time has passed: each component stays, or takes a time edge."""
    choices: list[list[tuple[Conjunction, Move | None]]] = []
    for part, i in zip(engine.parts, spot.locations, strict=True):
        if not part.quiet[i]:
            leaving = [(when, Move(one, {})) for one in part.time_options[i] for when in part.invariants[i]]
            choices.append([*((when, None) for when in part.stays[i]), *leaving])
    found: dict[Way, None] = {}
    for joint in _combine(choices):
        atoms = [atom for when, _ in joint for atom in when]
        found.update(dict.fromkeys(_joint_ways(engine, spot, atoms, [move for _, move in joint if move is not None])))
    return tuple(found)


def _combine(choices: Sequence[Sequence[T]]) -> Iterable[tuple[T, ...]]:
    if math.prod(map(len, choices)) > MAX_JOINT_MOVES:
        raise TooLarge
    return product(*choices)


def _joint_ways(engine: Engine, spot: Spot, more: Sequence[Atom], joint: Sequence[Move]) -> Iterator[Way]:
    """Yield the ways in which some components move at once.

    The guards of the moves must hold, and so must the atoms in ``more``.
    """
    parts = narrow_state(engine.names, spot, _tests(more), {}, 0)
    for move in joint:
        tests = _tests(move.option.when)
        parts = [new for one in parts for new in narrow_state(engine.names, one, tests, move.params, 0)]
    when = _bounds([*more, *(atom for move in joint for atom in move.option.when)])
    resets = frozenset(name for move in joint for name in move.option.edge.reset if name in engine.names.clocks)
    for part in parts:
        facts = _learn_facts(spot, part)
        moved = _move_spot(engine, part, joint)
        entered = [engine.parts[engine.places[move.option.owner]].invariants[move.option.target] for move in joint]
        for then in all_of(entered):
            for target in narrow_state(engine.names, moved, _tests(then), {}, 0):
                yield Way(target, when, resets, _bounds(then), facts | _learn_facts(moved, target))


def _move_spot(engine: Engine, spot: Spot, joint: Sequence[Move]) -> Spot:
    values = {}
    for move in joint:
        for name, term in move.option.edge.set.items():
            if name in engine.names.variables:
                values[engine.names.variables[name]] = evaluate_term(engine.names, spot, term, move.params)
    targets = [(engine.places[move.option.owner], move.option.target) for move in joint]
    return update_state(spot, targets, values, (), 0)


def _learn_facts(before: Spot, after: Spot) -> Facts:
    """Return the facts about unknown values that hold in ``after`` and were not known in ``before``."""
    pairs = zip(before.data, after.data, strict=True)
    same = frozenset((one, "=", two) for one, two in pairs if isinstance(one, Symbol) and one != two)
    return (after.facts - before.facts) | same


def _tests(atoms: Iterable[Atom]) -> tuple[Test, ...]:
    return tuple(atom for atom in atoms if isinstance(atom, Test))


def _bounds(atoms: Iterable[Atom]) -> tuple[Bound, ...]:
    return tuple(dict.fromkeys(atom for atom in atoms if isinstance(atom, Bound)))
