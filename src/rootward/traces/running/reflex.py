"""Reflexes: answers that follow from locations and known data alone, computed once and then looked up.

Most states are plain: all data that a step reads is known, and so is the last reset of every clock that matters. For
them a step depends on three things only: the locations of the components involved, the values of the variables that
they read, and comparisons of clocks. The first two are the key of a cache. The third is what the cache returns: on an
event, the possible `Jump`s, each with the clock limits that must hold now; for a wait, an `Outlook` for each component,
with the limits for staying and for leaving. What is left at run time is comparing a few numbers, so the cost of a
message does not depend on the size of the model.

Nothing here is needed for a correct answer. Wherever something is unknown, an invariant has to be checked, or a clock
is a dimension of the zone, the answer is None or False and the engine computes it the long way. A new shortcut must
answer only where it is certain; `tests/traces/test_shortcuts.py` compares both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple

from rootward.traces.model.event import Event
from rootward.traces.model.guard import ORDER, TRUE, Bound, Conjunction, Test, Value, names
from rootward.traces.running.part import Move, Moves, RunningComponent, remember
from rootward.traces.running.state import Moment, Names, SymbolicState, evaluate_atom, evaluate_term, update_state
from rootward.traces.running.unknown_values import Datum

FindMoves = Callable[[Event], Sequence[tuple[int, Moves]]]
"""A function that returns the components that know an event, each with its possible moves by location."""


class Limit(NamedTuple):
    """A comparison of a clock with a constant."""

    clock: int
    holds: Callable[[int, int], bool]
    limit: int
    late: bool
    """True for a lower bound: if it holds at any instant of a span, it holds at the end. False for an upper bound:
    if it holds at any instant of a span, it holds at the start."""


Limits = tuple[Limit, ...]
Picker = Callable[[tuple[Any, ...]], object]
"""A function that returns some elements of a tuple."""


class Outlook(NamedTuple):
    """The limits that decide what a component may do while time passes: leave by a time edge, or stay."""

    leaves: tuple[Limits, ...]
    stays: tuple[Limits, ...]


class TimeWatch(NamedTuple):
    """A summary of what may happen while time passes, for one combination of locations of the components."""

    awake: tuple[int, ...]
    """The components to which something may happen."""
    reads: Picker
    """Picks the variables that decide what may happen."""
    outlooks: dict[object, list[Outlook] | None]
    """The outlooks of the ``awake`` components, by the values of the picked variables; None if something is unknown."""


class Jump(NamedTuple):
    """A joint move of components on an event, possible if the clock limits hold."""

    limits: Limits
    targets: tuple[tuple[int, int], ...]
    """Components with their new locations."""
    values: Mapping[int, Datum]
    clocks: tuple[int, ...]
    """The clocks that are reset."""
    joint: tuple[Move, ...]
    moved: dict[tuple[int, ...], tuple[int, ...]]
    """The locations of all components after the move, by those before it: a cache."""

    def apply(self, state: SymbolicState, now: int) -> SymbolicState:
        """Return the state after the move."""
        if state.zone is not None or state.facts:
            return update_state(state, self.targets, self.values, self.clocks, now)
        locations = self.moved.get(state.locations)
        if locations is None:
            places = list(state.locations)
            for k, target in self.targets:
                places[k] = target
            locations = remember(self.moved, state.locations, tuple(places))
        data, resets = state.data, state.resets
        if self.values:
            values = list(data)
            for place, value in self.values.items():
                values[place] = value
            data = tuple(values)
        if self.clocks:
            moments = list(resets)
            for clock in self.clocks:
                moments[clock] = now
            resets = tuple(moments)
        return SymbolicState(locations, data, resets, None, state.facts)


class Reaction(NamedTuple):
    """The components that know one event, and the jumps that were worked out so far."""

    known: Sequence[tuple[int, Moves]]
    owners: Picker
    """Picks the locations of the components that know the event."""
    reads: Picker
    """Picks the variables that they read."""
    jumps: dict[tuple[object, object], list[Jump] | None]
    """The jumps, by what the two pick; None if they cannot be looked up."""


class NeedsSearch(Exception):
    """Something is unknown, so the answer cannot be looked up."""


class Reflexes:
    """Looks up what plain states do. ``like``: the reflexes of a similar network, whose caches are shared where both
    agree."""

    def __init__(
        self, names: Names, parts: Sequence[RunningComponent], places: Mapping[str, int], like: Reflexes | None = None
    ) -> None:
        self._names, self._parts, self._places, self._like = names, parts, places, like
        self.changed = {k for k, part in enumerate(parts) if like is None or part is not like._parts[k]}
        """The components that differ from those of ``like``; all if there is none."""
        self._differing_heads: dict[str, bool] = {}
        self._watches: dict[tuple[int, ...], TimeWatch] = {}
        self._reactions: dict[str, Reaction] = {}
        self._single_jumps: list[dict[tuple[str, int], tuple[Picker, dict[object, list[Jump] | None]]]] = [
            {} if like is None or k in self.changed else like._single_jumps[k] for k in range(len(parts))
        ]

    def differs(self, head: str) -> bool:
        """Return whether this network and the similar one may differ on events with this head."""
        found = self._differing_heads.get(head)
        if found is None:
            found = self._differing_heads[head] = any(self._parts[k].differs(head) for k in self.changed)
        return found

    # Time

    def watch(self, state: SymbolicState) -> TimeWatch:
        """Return what may happen while time passes in the locations of a state."""
        found = self._watches.get(state.locations)
        return self._learn_watch(state) if found is None else found

    def _learn_watch(self, state: SymbolicState) -> TimeWatch:
        if self._like is not None and not any(
            state.locations[k] in self._parts[k].differing_waits for k in self.changed
        ):
            return remember(self._watches, state.locations, self._like.watch(state))
        awake = tuple(k for k, i in enumerate(state.locations) if not self._parts[k].quiet[i])
        reads = {place for k in awake for place in self._variables_read_in(k, state.locations[k])}
        return remember(self._watches, state.locations, TimeWatch(awake, make_picker(sorted(reads)), {}))

    def rests(self, state: SymbolicState, start: int, end: int) -> bool:
        """Return whether it is certain that time may pass and that nothing else can happen meanwhile."""
        watch = self.watch(state)
        key = watch.reads(state.data)
        known = watch.outlooks
        outlooks = known[key] if key in known else remember(known, key, self._compute_outlooks(state, watch.awake))
        if outlooks is None:
            return False
        resets = state.resets
        for leaves, stays in outlooks:
            if not any(_limits_hold(limits, resets, end, end) for limits in stays):
                return False
            for limits in leaves:
                if _limits_hold(limits, resets, start, end) is not False:
                    return False
        return True

    def _compute_outlooks(self, state: SymbolicState, awake: Iterable[int]) -> list[Outlook] | None:
        """Return the outlooks of the components ``awake``.

        Omits components that may always stay and cannot leave. Returns None if something is unknown.
        """
        try:
            every = [self._outlook(state, k) for k in awake]
        except NeedsSearch:
            return None
        return [one for one in every if one.leaves or () not in one.stays]

    def _variables_read_in(self, k: int, i: int) -> tuple[int, ...]:
        """Return the variables that a component reads in a location while time passes."""
        part = self._parts[k]
        return self._positions(names(part.stays[i])[0].union(*(option.reads for option in part.time_options[i])))

    def _outlook(self, state: SymbolicState, k: int) -> Outlook:
        part, i = self._parts[k], state.locations[k]
        leaves = self._remaining_limits(state, (option.when for option in part.time_options[i]), {})
        return Outlook(tuple(leaves), tuple(self._remaining_limits(state, part.stays[i], {})))

    # Events

    def step(self, state: SymbolicState, event: Event, moves: FindMoves) -> list[SymbolicState] | None:
        """Return the states after an event, or None if they cannot be looked up."""
        found = self._find_possible(state, event, moves)
        return None if found is None else [jump.apply(state, event.time) for jump in found]

    def find_transitions(
        self, state: SymbolicState, event: Event, moves: FindMoves
    ) -> list[tuple[SymbolicState, tuple[Move, ...]]] | None:
        """Return the states after an event, each with the moves that led to it.

        Returns None if they cannot be looked up.
        """
        found = self._find_possible(state, event, moves)
        return None if found is None else [(jump.apply(state, event.time), jump.joint) for jump in found]

    def _find_possible(self, state: SymbolicState, event: Event, moves: FindMoves) -> Sequence[Jump] | None:
        """Return the jumps on an event whose clock limits hold, or None if they cannot be looked up."""
        reaction = self._reactions.get(event.text)
        if reaction is None:
            reaction = self._learn_reaction(event, moves(event))
        key = reaction.owners(state.locations), reaction.reads(state.data)
        try:
            jumps = reaction.jumps[key]
        except KeyError:
            jumps = remember(reaction.jumps, key, self._compute_jumps(state, event, reaction.known))
        if jumps is None or not any(jump.limits for jump in jumps):
            return jumps
        found, now = [], event.time
        for jump in jumps:
            holds = _limits_hold(jump.limits, state.resets, now, now)
            if holds is None:
                return None
            if holds:
                found.append(jump)
        return found

    def _learn_reaction(self, event: Event, known: Sequence[tuple[int, Moves]]) -> Reaction:
        """Return what the components do on an event. It is that of the similar network unless they may differ."""
        if self._like is not None and not self.differs(event.head):
            other = self._like._reactions.get(event.text) or self._like._learn_reaction(event, known)
        else:
            owners, reads = make_picker([k for k, _ in known]), make_picker(self._variables_read(known))
            other = Reaction(known, owners, reads, {})
        return remember(self._reactions, event.text, other)

    def _compute_jumps(
        self, state: SymbolicState, event: Event, known: Sequence[tuple[int, Moves]]
    ) -> list[Jump] | None:
        """Return the joint moves that the data allows, or None if something is unknown."""
        choices = []
        for k, by_location in known:
            single = self._find_single_jumps(state, event.text, k, by_location)
            if single is None:
                return None
            choices.append(single)
        return choices[0] if len(choices) == 1 else list(map(_join_jumps, product(*choices)))

    def _find_single_jumps(self, state: SymbolicState, text: str, k: int, by_location: Moves) -> list[Jump] | None:
        """Return the moves of one component that the data allows, or None if something is unknown.

        Similar networks share what they know about the components that are the same in both.
        """
        place = state.locations[k]
        moves = by_location.get(place)
        if moves is None:
            return []
        single = self._single_jumps[k].get((text, place))
        if single is None:
            reads = self._positions(frozenset[str]().union(*[move.option.reads for move in moves]))
            single = remember(self._single_jumps[k], (text, place), (make_picker(reads), {}))
        picker, jumps = single
        key = picker(state.data)
        if key not in jumps:
            try:
                jumps[key] = [jump for move in moves for jump in self._make_jump(state, move)]
            except NeedsSearch:
                jumps[key] = None
        return jumps[key]

    def _make_jump(self, state: SymbolicState, move: Move) -> Iterator[Jump]:
        option = move.option
        for limits in self._remaining_limits(state, (option.when,), move.params):
            if self._parts[self._places[option.owner]].invariants[option.target] != TRUE:
                raise NeedsSearch
            yield Jump(limits, *effects(self._names, self._places, state, (move,)), (move,), {})

    def _variables_read(self, known: Sequence[tuple[int, Moves]]) -> tuple[int, ...]:
        """Return the variables that may be read on an event."""
        moves = (move for _, by_location in known for some in by_location.values() for move in some)
        return self._positions(frozenset[str]().union(*(move.option.reads for move in moves)))

    # Guards

    def _positions(self, variables: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted(self._names.variables[name] for name in variables))

    def _remaining_limits(
        self, state: SymbolicState, guard: Iterable[Conjunction], params: Mapping[str, Value]
    ) -> Iterator[Limits]:
        """Yield, for each conjunction of a guard that the data allows, the clock limits that are left to check."""
        for when in guard:
            if all(self._holds(state, atom, params) for atom in when if isinstance(atom, Test)):
                yield tuple(
                    Limit(self._names.clocks[atom.clock], ORDER[atom.op], atom.limit, atom.op in (">", ">="))
                    for atom in when
                    if isinstance(atom, Bound)
                )

    def _holds(self, state: SymbolicState, atom: Test, params: Mapping[str, Value]) -> bool:
        found = evaluate_atom(self._names, state, atom, params, None)
        if found is None:
            raise NeedsSearch
        return found


def effects(
    names: Names, places: Mapping[str, int], state: SymbolicState, joint: Sequence[Move]
) -> tuple[tuple[tuple[int, int], ...], dict[int, Datum], tuple[int, ...]]:
    """Return the joint effect of moves: components with their new locations, new values by variable, and the clocks to
    reset. If two moves set the same variable, the later one wins."""
    values = {
        names.variables[name]: evaluate_term(names, state, term, move.params)
        for move in joint
        for name, term in move.option.edge.set.items()
    }
    clocks = dict.fromkeys(names.clocks[name] for move in joint for name in move.option.edge.reset)
    return tuple((places[move.option.owner], move.option.target) for move in joint), values, tuple(clocks)


def _join_jumps(jumps: Sequence[Jump]) -> Jump:
    """Return the jump in which several components move at once. If two set the same variable, the later one wins."""
    return Jump(
        tuple([limit for jump in jumps for limit in jump.limits]),
        tuple([target for jump in jumps for target in jump.targets]),
        {place: value for jump in jumps for place, value in jump.values.items()},
        tuple(dict.fromkeys([clock for jump in jumps for clock in jump.clocks])),
        tuple([move for jump in jumps for move in jump.joint]),
        {},
    )


def make_picker(places: Sequence[int]) -> Picker:
    """Return a function that picks the elements at some positions."""
    return itemgetter(*places) if places else _pick_nothing


def _pick_nothing(_: object) -> None:
    return None


def _limits_hold(limits: Limits, resets: Sequence[Moment], start: int, end: int) -> bool | None:
    """Return whether all limits hold, each at the instant from ``start`` to ``end`` that suits it best.

    Returns None if a reset is unknown.
    """
    for clock, holds, limit, late in limits:
        reset = resets[clock]
        if reset is None:
            return None
        if not holds((end if late else start) - reset, limit):
            return False
    return True
