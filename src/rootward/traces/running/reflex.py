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

Key = tuple[Any, ...]


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


class EventListeners(NamedTuple):
    """The lookup data of an event: the components that know it, and pickers for their locations and for the variables
    that they read."""

    known: Sequence[tuple[int, Moves]]
    owners: Picker
    reads: Picker


class Jump(NamedTuple):
    """A joint move of components on an event, possible if the clock limits hold."""

    limits: Limits
    targets: tuple[tuple[int, int], ...]
    """Components with their new locations."""
    values: Mapping[int, Datum]
    clocks: tuple[int, ...]
    """The clocks that are reset."""
    joint: tuple[Move, ...]


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
        self._watches: dict[tuple[int, ...], TimeWatch] = {}
        self._jumps: dict[Key, list[Jump] | None] = {}
        self._heard: dict[str, EventListeners] = {}

    # Time

    def watch(self, state: SymbolicState) -> TimeWatch:
        """Return what may happen while time passes in the locations of a state."""
        if self._like is not None and all(
            self._parts[k].quiet[state.locations[k]] and self._like._parts[k].quiet[state.locations[k]]
            for k in self.changed
        ):
            return self._like.watch(state)
        found = self._watches.get(state.locations)
        if found is None:
            awake = tuple(k for k, i in enumerate(state.locations) if not self._parts[k].quiet[i])
            reads = {place for k in awake for place in self._variables_read_in(k, state.locations[k])}
            found = remember(self._watches, state.locations, TimeWatch(awake, _make_picker(sorted(reads)), {}))
        return found

    def rests(self, state: SymbolicState, watch: TimeWatch, start: int, end: int) -> bool:
        """Return whether it is certain that time may pass and that nothing else can happen meanwhile."""
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

    def find_transitions(
        self, state: SymbolicState, event: Event, known: Sequence[tuple[int, Moves]]
    ) -> list[tuple[SymbolicState, tuple[Move, ...]]] | None:
        """Return the states after an event, each with the moves that led to it.

        Returns None if they cannot be looked up.
        """
        found, now = [], event.time
        jumps = self._find_jumps(state, event.text, known)
        if jumps is None:
            return None
        for limits, targets, values, clocks, joint in jumps:
            if limits:
                holds = _limits_hold(limits, state.resets, now, now)
                if holds is None:
                    return None
                if not holds:
                    continue
            found.append((update_state(state, targets, values, clocks, now), joint))
        return found

    def _find_jumps(self, state: SymbolicState, text: str, known: Sequence[tuple[int, Moves]]) -> list[Jump] | None:
        """Return the jumps on an event, or None if they cannot be looked up.

        Uses the cache of the similar network if it has them.
        """
        heard = self._heard.get(text)
        if heard is None or heard.known is not known:
            if self._like is not None and (other := self._like._heard.get(text)) and other.known is known:
                return self._like._find_jumps(state, text, known)
            owners = _make_picker([k for k, _ in known])
            heard = remember(
                self._heard, text, EventListeners(known, owners, _make_picker(self._variables_read(known)))
            )
        key = text, heard.owners(state.locations), heard.reads(state.data)
        if key in self._jumps:
            return self._jumps[key]
        return remember(self._jumps, key, self._compute_jumps(state, known))

    def _compute_jumps(self, state: SymbolicState, known: Sequence[tuple[int, Moves]]) -> list[Jump] | None:
        choices = [by_location.get(state.locations[k], ()) for k, by_location in known]
        try:
            return [jump for joint in product(*choices) for jump in self._make_jump(state, joint)]
        except NeedsSearch:
            return None

    def _make_jump(self, state: SymbolicState, joint: tuple[Move, ...]) -> Iterator[Jump]:
        options = [move.option for move in joint]
        if any(self._parts[self._places[one.owner]].invariants[one.target] != TRUE for one in options):
            raise NeedsSearch
        limits: Limits = ()
        for move in joint:
            [*left] = self._remaining_limits(state, (move.option.when,), move.params)
            if not left:
                return
            limits += left[0]
        yield Jump(limits, *effects(self._names, self._places, state, joint), joint)

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


def _make_picker(places: Sequence[int]) -> Picker:
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
