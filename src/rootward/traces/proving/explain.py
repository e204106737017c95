"""Why it is a fault: which messages matter, and who wrote what they rely on (section 4).

What a proof can do without is left out. Of all ways to leave something out, those that keep the fewest messages are
explanations, and so are others that keep none of the messages that one of these leaves out. Conditions change at few
places, so only these are looked at. What is kept has to be possible by itself, up to the step that is the fault: else
nothing is explained.

A proof may need no more than the last two messages, and yet the reason lies far back: the variable that forbids the
answer was set by a reset, or by a timer that ran out. So the roots of a fault are the edges of the model that last
wrote each variable and clock on which the proof relies. They tell causes apart that look alike at the end.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice, pairwise
from typing import NamedTuple

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.proving.check import Checker
from rootward.traces.proving.claim import NEVER, shifted, subjects
from rootward.traces.proving.infix import Infixes, Leg, Piece, moment
from rootward.traces.proving.proof import Proof
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import Option
from rootward.traces.running.replay import Witness

MOST, TRIES = 8, 500
"""So many explanations of one fault are enough, and so many ways are tried for each."""


@dataclass(frozen=True)
class Explanation:
    pieces: tuple[Piece, ...]

    @property
    def kept(self) -> tuple[int, ...]:
        """The steps of the witness whose messages matter."""
        return tuple(piece.places[0] for piece in self.pieces if isinstance(piece.step, Event))

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(piece.step for piece in self.pieces if isinstance(piece.step, Event))


class Explainer:
    """Explains faults of one model."""

    def __init__(self, engine: Engine, checker: Checker) -> None:
        self._engine, self._checker = engine, checker

    def explanations(self, proof: Proof, reached: Sequence[States], most: int = MOST) -> list[Explanation]:
        """So many at most, the shortest first; ``reached``: the states before each step. If only one is asked for, it
        is the one that leaves out as much as it can at each place, which is nearly always the shortest."""
        ways = Ways(self._engine, self._checker, proof, reached)
        found: dict[tuple[int, ...], Explanation] = {}
        for legs in ways.every():
            one = Explanation(tuple(chain.from_iterable(legs)))
            if not any(set(other) <= set(one.kept) for other in found):
                pieces = ways.joined(one.pieces)
                if pieces is not None and ways.fails(pieces):
                    found[one.kept] = Explanation(pieces)
                    if most == 1:
                        break
        if not found:
            return [Explanation(ways.whole())]
        kept = sorted(found, key=len)
        least = [one for one in kept if not any(set(other) < set(one) for other in kept)]
        return [found[one] for one in least[:most]]


# The ways through a proof that leave something out


class _Spot(NamedTuple):
    """Where one is on a way: before which step of the witness, in which states, and when."""

    place: int
    states: States
    now: int


class Ways:
    """The ways through one proof."""

    def __init__(self, engine: Engine, checker: Checker, proof: Proof, reached: Sequence[States]) -> None:
        self._engine, self._checker, self._proof = engine, checker, proof
        self._infixes = Infixes(engine, checker, proof, reached)
        self._begin = _Spot(0, reached[0], moment(proof.steps[0]))
        self._conditions = (*proof.conditions, NEVER)
        self._changes = [i for i, (one, two) in enumerate(pairwise(self._conditions)) if one != two]
        """Where a condition is about to change."""
        self._known: dict[int, tuple[list[Leg], Iterator[Leg]]] = {}

    def whole(self) -> Leg:
        """Everything that happened."""
        each = zip(self._proof.steps, self._conditions, self._conditions[1:], strict=False)
        return tuple(Piece(step, first, then, (i, i + 1)) for i, (step, first, then) in enumerate(each))

    def every(self) -> Iterator[list[Leg]]:
        """The way that leaves out as much as it can at each place, and those that leave out something else once: they
        stop earlier, and then go past what that way keeps."""
        here: _Spot | None = self._begin
        way = self._way(self._begin, {len(self._proof.steps)})
        if way is None:
            return
        yield way
        ends = {leg[-1].places[1]: number for number, leg in enumerate(way, 1)}
        for number, leg in enumerate(way, 1):
            assert here is not None
            others = (one for one in self._legs(here.place) if one[-1].places[1] < leg[-1].places[1])
            for other in islice(others, MOST):
                after = self._after(here, other)
                past = self._way(after, ends) if after is not None else None
                if past and ends[past[-1][-1].places[1]] > number:
                    yield [*way[: number - 1], other, *past, *way[ends[past[-1][-1].places[1]] :]]
            here = self._after(here, leg)

    def _way(self, begin: _Spot, ends: Container[int]) -> list[Leg] | None:
        """To one of these places, leaving out as much as can be at each place; where that makes something impossible
        that is kept, less. None if it takes too long to find."""
        path: list[Leg] = []
        stack = [(begin, iter(self._legs(begin.place)))]
        for _ in range(TRIES + len(self._proof.steps)):
            here, legs = stack[-1]
            if here.place in ends:
                return path
            leg = next(legs, None)
            if leg is None:
                stack.pop()
                if not stack:
                    return None
                path.pop()
                continue
            after = self._after(here, leg)
            if after is not None:
                path.append(leg)
                stack.append((after, iter(self._legs(after.place))))
        return None

    def _after(self, here: _Spot, leg: Sequence[Piece]) -> _Spot | None:
        """Where one is after a leg; None if it is not possible, or is possible where it is the fault."""
        states, now = here.states, here.now
        for piece in leg:
            if not states:
                return None
            states, now = self._went(states, now, piece.step)
        place = leg[-1].places[1]
        return _Spot(place, states, now) if bool(states) == (place < len(self._proof.steps)) else None

    def _went(self, states: States, now: int, step: Step | None) -> tuple[States, int]:
        """What becomes of states if a step happens now; if it was left out, nothing does."""
        if step is None:
            return states, now
        if isinstance(step, Wait):
            later = now + step.end - step.start
            return self._engine.wait(states, now, later), later
        return self._engine.step(states, step if step.time == now else replace(step, time=now)), now

    def _legs(self, at: int) -> Iterator[Leg]:
        """The same as `_onward`; what was found is remembered."""
        known, more = self._known.setdefault(at, ([], self._onward(at)))
        for number in count():
            if number == len(known):
                one = next(more, None)
                if one is None:
                    return
                known.append(one)
            yield known[number]

    def _onward(self, at: int) -> Iterator[Leg]:
        """What may be left out from a place on, up to where a condition is about to change, and that change: as much as
        can be first. If nothing can, the next step."""
        for end in [*reversed([end for end in self._changes if end > at]), at]:
            place = end if self._infixes.skip(at, end) is not None else self._before(at, end)
            if place is not None:
                first, then = self._conditions[place], self._conditions[place + 1]
                yield (
                    *(self._infixes.skip(at, place) or ()),
                    Piece(self._proof.steps[place], first, then, (place, place + 1)),
                )

    def _before(self, at: int, end: int) -> int | None:
        """What may make a step possible, if one can go there."""
        place = self._infixes.enabled_by(end)
        return place if place is not None and place >= at and self._infixes.skip(at, place) is not None else None

    def joined(self, pieces: Leg) -> Leg | None:
        """With one wait for several in a row, but for the last step: nobody can see that time was parted there. None if
        that is no proof."""
        found: list[Piece] = []
        waits: list[Piece] = []
        for piece in (*pieces, None):
            if piece is not None and (piece.step is None or isinstance(piece.step, Wait)):
                waits.append(piece)
                continue
            if not self._at_one(waits):
                return None
            found += _contracted(waits) if piece is not None else [*_contracted(waits[:-1]), *waits[-1:]]
            waits = []
            if piece is not None:
                found.append(piece)
        return tuple(found)

    def fails(self, pieces: Sequence[Piece]) -> bool:
        """Whether what is kept is possible by itself, but for its last step."""
        return self._after(self._begin, pieces) is not None

    def _at_one(self, pieces: Sequence[Piece]) -> bool:
        """Whether it may also pass as one wait, of what is waited in all."""
        waits = [piece.step for piece in pieces if isinstance(piece.step, Wait)]
        if len(waits) < 2:
            return True
        lasts = sum(one.end - one.start for one in waits)
        left_out = waits[-1].end - waits[0].start - lasts
        one = Wait(waits[0].start, waits[0].start + lasts)
        return self._checker.follows(pieces[0].first, one, shifted(pieces[-1].then, -left_out))


def _contracted(pieces: Sequence[Piece]) -> list[Piece]:
    """Waits that follow each other directly as one."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last is not None and isinstance(last.step, Wait) and isinstance(piece.step, Wait):
            one = Wait(last.step.start, piece.step.end)
            found[-1] = Piece(one, last.first, piece.then, (last.places[0], piece.places[1]))
        else:
            found.append(piece)
    return found


# Who made it so


@dataclass(frozen=True, order=True)
class Root:
    """A variable or clock, and the component and number of the edge that last wrote it; none: it was so at first."""

    name: str
    component: str = ""
    edge: int = -1
    step: int = -1
    """Which step of the trace; -1: the beginning."""

    @property
    def key(self) -> tuple[str, str, int]:
        return self.name, self.component, self.edge


def roots(engine: Engine, witness: Witness, proof: Proof) -> tuple[Root, ...]:
    """All of them, the latest first."""
    found: dict[Root, None] = {}
    said, names = None, frozenset[str]()
    for place in range(len(proof.steps) - 2, -1, -1):
        if proof.conditions[place + 1] is not said:
            said = proof.conditions[place + 1]
            names = frozenset(subjects(said)[1])
        written = names & engine.footprint(proof.steps[place]).names
        for option in _writers(engine, witness, place) if written else ():
            for name in sorted(written & option.edge.written):
                found[Root(name, option.owner, option.number, witness.first + place)] = None
    left = subjects(proof.conditions[0])[1] - {root.name for root in found}
    begin = [Root(name) for name in sorted(left)] if witness.first == 0 else []
    return (*found, *begin)


def _writers(engine: Engine, witness: Witness, place: int) -> Iterator[Option]:
    """The edges that were, or may have been, taken in a step."""
    step = witness.steps[place]
    for state in witness.reached[place]:
        if isinstance(step, Wait):
            for k, part in engine.drifting:
                yield from (
                    o for o in part.drifts[state.locations[k]] if engine.may_take(state, o, step.start, step.end)
                )
        else:
            for _, moves in engine.taken(state, step):
                yield from (move.option for move in moves)
