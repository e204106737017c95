"""What follows from locations and known data alone, worked out once: only clocks are left to compare.

Most states are plain: their data is known, and so are the resets of the clocks that matter. What such a state does on
an event, and whether it lets time pass without doing anything, is looked up by what the components in question read. So
the cost of a message does not depend on the size of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple

from rootward.traces.model.event import Event
from rootward.traces.model.guard import ORDER, TRUE, Bound, Conjunction, Test, Value, names
from rootward.traces.running.part import Move, Moves, Part, remember
from rootward.traces.running.state import Moment, Names, State, plain, updated, value
from rootward.traces.running.unknown_values import Datum

Key = tuple[Any, ...]


class Limit(NamedTuple):
    """A comparison of a clock."""

    clock: int
    holds: Callable[[int, int], bool]
    limit: int
    late: bool
    """Whether it holds at the end of a span if it holds at any instant of it; else, at the start."""


Limits = tuple[Limit, ...]
Picker = Callable[[tuple[Any, ...]], object]
"""Some of the elements of a tuple."""


class Outlook(NamedTuple):
    """What time may do to a component: what has to hold to leave by each edge of time, and to stay."""

    leaves: tuple[Limits, ...]
    stays: tuple[Limits, ...]


class Watch(NamedTuple):
    """What may happen while time passes, somewhere."""

    awake: tuple[int, ...]
    """The components to which something may happen."""
    reads: Picker
    """The variables that decide it."""
    outlooks: dict[object, list[Outlook] | None]
    """What may happen, by these variables."""


class Heard(NamedTuple):
    """Who knows an event, where these are, and what is read then."""

    known: Sequence[tuple[int, Moves]]
    owners: Picker
    reads: Picker


class Jump(NamedTuple):
    """What components do together on an event, if the clocks allow it."""

    limits: Limits
    targets: tuple[tuple[int, int], ...]
    """Components with their new locations."""
    values: Mapping[int, Datum]
    clocks: tuple[int, ...]
    """What begins anew."""
    joint: tuple[Move, ...]


class Unclear(Exception):
    """Something is not known, so it takes more than a look."""


class Reflexes:
    """What the plain states of a network do. ``like``: those of a similar network; what is the same is shared."""

    def __init__(
        self, names: Names, parts: Sequence[Part], places: Mapping[str, int], like: Reflexes | None = None
    ) -> None:
        self._names, self._parts, self._places, self._like = names, parts, places, like
        self.changed = {k for k, part in enumerate(parts) if like is None or part is not like._parts[k]}
        """The components that are not the same in both."""
        self._watches: dict[tuple[int, ...], Watch] = {}
        self._jumps: dict[Key, list[Jump] | None] = {}
        self._heard: dict[str, Heard] = {}

    # Time

    def watch(self, state: State) -> Watch:
        """What may happen while time passes, where the components are."""
        if self._like is not None and all(
            self._parts[k].quiet[state.locations[k]] and self._like._parts[k].quiet[state.locations[k]]
            for k in self.changed
        ):
            return self._like.watch(state)
        found = self._watches.get(state.locations)
        if found is None:
            awake = tuple(k for k, i in enumerate(state.locations) if not self._parts[k].quiet[i])
            reads = {place for k in awake for place in self._read_in(k, state.locations[k])}
            found = remember(self._watches, state.locations, Watch(awake, _picker(sorted(reads)), {}))
        return found

    def rests(self, state: State, watch: Watch, start: int, end: int) -> bool:
        """Whether it is plain that time may pass, and nothing else can happen."""
        key = watch.reads(state.data)
        known = watch.outlooks
        outlooks = known[key] if key in known else remember(known, key, self._all_outlooks(state, watch.awake))
        if outlooks is None:
            return False
        resets = state.resets
        for leaves, stays in outlooks:
            if not any(_hold(limits, resets, end, end) for limits in stays):
                return False
            for limits in leaves:
                if _hold(limits, resets, start, end) is not False:
                    return False
        return True

    def _all_outlooks(self, state: State, awake: Iterable[int]) -> list[Outlook] | None:
        """Without those to which nothing happens; None if something is not clear."""
        try:
            every = [self._outlook(state, k) for k in awake]
        except Unclear:
            return None
        return [one for one in every if one.leaves or () not in one.stays]

    def _read_in(self, k: int, i: int) -> tuple[int, ...]:
        """The variables that a component reads in a location while time passes."""
        part = self._parts[k]
        return self._numbers(names(part.stays[i])[0].union(*(option.reads for option in part.drifts[i])))

    def _outlook(self, state: State, k: int) -> Outlook:
        part, i = self._parts[k], state.locations[k]
        leaves = self._left(state, (option.when for option in part.drifts[i]), {})
        return Outlook(tuple(leaves), tuple(self._left(state, part.stays[i], {})))

    # Events

    def taken(
        self, state: State, event: Event, known: Sequence[tuple[int, Moves]]
    ) -> list[tuple[State, tuple[Move, ...]]] | None:
        """The states after an event that some components know, and what each did; None if it takes more than a look."""
        found, now = [], event.time
        jumps = self._possible(state, event.text, known)
        if jumps is None:
            return None
        for limits, targets, values, clocks, joint in jumps:
            if limits:
                holds = _hold(limits, state.resets, now, now)
                if holds is None:
                    return None
                if not holds:
                    continue
            found.append((updated(state, targets, values, clocks, now), joint))
        return found

    def _possible(self, state: State, text: str, known: Sequence[tuple[int, Moves]]) -> list[Jump] | None:
        heard = self._heard.get(text)
        if heard is None or heard.known is not known:
            if self._like is not None and (other := self._like._heard.get(text)) and other.known is known:
                return self._like._possible(state, text, known)
            owners = _picker([k for k, _ in known])
            heard = remember(self._heard, text, Heard(known, owners, _picker(self._used(known))))
        key = text, heard.owners(state.locations), heard.reads(state.data)
        if key in self._jumps:
            return self._jumps[key]
        return remember(self._jumps, key, self._all_jumps(state, known))

    def _all_jumps(self, state: State, known: Sequence[tuple[int, Moves]]) -> list[Jump] | None:
        choices = [by_location.get(state.locations[k], ()) for k, by_location in known]
        try:
            return [jump for joint in product(*choices) for jump in self._jump(state, joint)]
        except Unclear:
            return None

    def _jump(self, state: State, joint: tuple[Move, ...]) -> Iterator[Jump]:
        options = [move.option for move in joint]
        if any(self._parts[self._places[one.owner]].invariants[one.target] != TRUE for one in options):
            raise Unclear
        limits: Limits = ()
        for move in joint:
            [*left] = self._left(state, (move.option.when,), move.params)
            if not left:
                return
            limits += left[0]
        yield Jump(limits, *effects(self._names, self._places, state, joint), joint)

    def _used(self, known: Sequence[tuple[int, Moves]]) -> tuple[int, ...]:
        """The variables that may be read on an event."""
        moves = (move for _, by_location in known for some in by_location.values() for move in some)
        return self._numbers(frozenset[str]().union(*(move.option.reads for move in moves)))

    # Guards

    def _numbers(self, variables: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted(self._names.variables[name] for name in variables))

    def _left(self, state: State, guard: Iterable[Conjunction], params: Mapping[str, Value]) -> Iterator[Limits]:
        """What clocks have to be so that a guard holds: of each conjunction that the data allows, its bounds."""
        for when in guard:
            if all(self._true(state, atom, params) for atom in when if isinstance(atom, Test)):
                yield tuple(
                    Limit(self._names.clocks[atom.clock], ORDER[atom.op], atom.limit, atom.op in (">", ">="))
                    for atom in when
                    if isinstance(atom, Bound)
                )

    def _true(self, state: State, atom: Test, params: Mapping[str, Value]) -> bool:
        found = plain(self._names, state, atom, params, None)
        if found is None:
            raise Unclear
        return found


def effects(
    names: Names, places: Mapping[str, int], state: State, joint: Sequence[Move]
) -> tuple[tuple[tuple[int, int], ...], dict[int, Datum], tuple[int, ...]]:
    """What moves do together: components with their new locations, new values, and the clocks that begin anew. Of two
    that set a variable, the later wins."""
    values = {
        names.variables[name]: value(names, state, term, move.params)
        for move in joint
        for name, term in move.option.edge.set.items()
    }
    clocks = dict.fromkeys(names.clocks[name] for move in joint for name in move.option.edge.reset)
    return tuple((places[move.option.owner], move.option.target) for move in joint), values, tuple(clocks)


def _picker(places: Sequence[int]) -> Picker:
    return itemgetter(*places) if places else _nothing


def _nothing(_: object) -> None:
    return None


def _hold(limits: Limits, resets: Sequence[Moment], start: int, end: int) -> bool | None:
    """Whether comparisons of clocks hold, each at the instant that is best for it; None if a reset is not known."""
    for clock, holds, limit, late in limits:
        reset = resets[clock]
        if reset is None:
            return None
        if not holds((end if late else start) - reset, limit):
            return False
    return True
