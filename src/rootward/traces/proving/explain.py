"""Explanations: which messages a fault needs, and which edges wrote what it relies on (section 4).

An explanation is a way through the proof that leaves out everything irrelevant (`infix`). Different stretches can be
left out, and they may overlap, so there may be several. The search walks from the beginning of the proof and at each
place leaves out as much as it can. It only considers stopping where the condition is about to change, because there are
few such places. Then it tries variants that leave out less at one place and skip something else instead. A way is
dropped if another one needs only some of its messages.

The messages that are kept have to be possible on their own, up to the step that is the fault. So the search runs the
engine along; where it gets stuck it backtracks and leaves out less. It is limited to `MAX_TRIES` attempts, and if
nothing is found the explanation is the whole proof.

A proof may need only the last two messages although the reason lies far back: the variable that forbids the answer was
set by a reset, or by a timer that ran out. The *roots* of a fault are the edges of the model that last wrote each
variable and clock on which the proof relies. They separate causes that look alike at the end.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice, pairwise
from typing import NamedTuple

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.proving.check import Checker
from rootward.traces.proving.claim import NEVER, find_subjects, shift_condition
from rootward.traces.proving.infix import Infixes, Leg, Piece, start_of
from rootward.traces.proving.proof import Proof
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import Option
from rootward.traces.running.replay import Witness

MAX_EXPLANATIONS, MAX_TRIES = 8, 500
"""Maximum number of explanations of one fault, and of attempts to find a way (in addition to one for each step)."""


@dataclass(frozen=True)
class FaultExplanation:
    """The pieces of a proof that explain a fault."""

    pieces: tuple[Piece, ...]

    @property
    def kept(self) -> tuple[int, ...]:
        """The steps of the witness whose messages are kept."""
        return tuple(piece.places[0] for piece in self.pieces if isinstance(piece.step, Event))

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(piece.step for piece in self.pieces if isinstance(piece.step, Event))


class Explainer:
    """Explains faults of one model."""

    def __init__(self, engine: Engine, checker: Checker) -> None:
        self._engine, self._checker = engine, checker

    def explain(self, proof: Proof, reached: Sequence[States], most: int = MAX_EXPLANATIONS) -> list[FaultExplanation]:
        """Return at most ``most`` explanations, the shortest first. ``reached``: the states before each step. With
        ``most=1`` the search ends at the first explanation, which leaves out as much as possible at each place and is
        nearly always the shortest."""
        ways = Ways(self._engine, self._checker, proof, reached)
        found: dict[tuple[int, ...], FaultExplanation] = {}
        for legs in ways.find_all():
            one = FaultExplanation(tuple(chain.from_iterable(legs)))
            if not any(set(other) <= set(one.kept) for other in found):
                pieces = ways.merge_waits(one.pieces)
                if pieces is not None and ways.fails(pieces):
                    found[one.kept] = FaultExplanation(pieces)
                    if most == 1:
                        break
        if not found:
            return [keep_everything(proof)]
        kept = sorted(found, key=len)
        least = [one for one in kept if not any(set(other) < set(one) for other in kept)]
        return [found[one] for one in least[:most]]


def keep_everything(proof: Proof) -> FaultExplanation:
    """Return the whole proof as pieces, with nothing left out."""
    each = zip(proof.steps, proof.conditions, (*proof.conditions[1:], NEVER), strict=True)
    return FaultExplanation(tuple(Piece(step, first, then, (i, i + 1)) for i, (step, first, then) in enumerate(each)))


# The ways through a proof that leave something out


class _Point(NamedTuple):
    """A point on a way: the next step of the witness, the possible states, and the instant."""

    place: int
    states: States
    now: int


class Ways:
    """The ways through one proof that leave something out."""

    def __init__(self, engine: Engine, checker: Checker, proof: Proof, reached: Sequence[States]) -> None:
        self._engine, self._checker, self._proof = engine, checker, proof
        self._infixes = Infixes(engine, checker, proof, reached)
        self._begin = _Point(0, reached[0], start_of(proof.steps[0]))
        self._conditions = (*proof.conditions, NEVER)
        self._changes = [i for i, (one, two) in enumerate(pairwise(self._conditions)) if one != two]
        """The places where a condition is about to change."""
        self._known: dict[int, tuple[list[Leg], Iterator[Leg]]] = {}

    def find_all(self) -> Iterator[list[Leg]]:
        """Yield the way that leaves out as much as it can at each place, then variants of it.

        A variant leaves out less at one place, but skips a step that the first way keeps.
        """
        here: _Point | None = self._begin
        way = self._find_way(self._begin, {len(self._proof.steps)})
        if way is None:
            return
        yield way
        ends = {leg[-1].places[1]: number for number, leg in enumerate(way, 1)}
        for number, leg in enumerate(way, 1):
            assert here is not None
            others = (one for one in self._cached_legs(here.place) if one[-1].places[1] < leg[-1].places[1])
            for other in islice(others, MAX_EXPLANATIONS):
                after = self._point_after(here, other)
                past = self._find_way(after, ends) if after is not None else None
                if past and ends[past[-1][-1].places[1]] > number:
                    yield [*way[: number - 1], other, *past, *way[ends[past[-1][-1].places[1]] :]]
            here = self._point_after(here, leg)

    def _find_way(self, begin: _Point, ends: Container[int]) -> list[Leg] | None:
        """Find a way to one of ``ends`` that leaves out as much as possible at each place, and less where a kept step
        would become impossible. Return None if that takes too long."""
        path: list[Leg] = []
        stack = [(begin, iter(self._cached_legs(begin.place)))]
        for _ in range(MAX_TRIES + len(self._proof.steps)):
            self._checker.work.check_time()
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
            after = self._point_after(here, leg)
            if after is not None:
                path.append(leg)
                stack.append((after, iter(self._cached_legs(after.place))))
        return None

    def _point_after(self, here: _Point, leg: Sequence[Piece]) -> _Point | None:
        """Return the point after a leg, or None if the leg cannot be part of an explanation.

        All steps of a leg must be possible, except the last step of the proof: that step is the fault and must be
        impossible.
        """
        states, now = here.states, here.now
        for piece in leg:
            if not states:
                return None
            states, now = self._run_step(states, now, piece.step)
        place = leg[-1].places[1]
        return _Point(place, states, now) if bool(states) == (place < len(self._proof.steps)) else None

    def _run_step(self, states: States, now: int, step: Step | None) -> tuple[States, int]:
        """Return the states and the instant after a step that happens now. A step that was left out changes nothing."""
        if step is None:
            return states, now
        if isinstance(step, Wait):
            later = now + step.end - step.start
            return self._engine.wait(states, now, later), later
        return self._engine.step(states, step if step.time == now else replace(step, time=now)), now

    def _cached_legs(self, at: int) -> Iterator[Leg]:
        """Yield the legs of `_find_legs`, from a cache as far as they were computed before."""
        known, more = self._known.setdefault(at, ([], self._find_legs(at)))
        for number in count():
            if number == len(known):
                one = next(more, None)
                if one is None:
                    return
                known.append(one)
            yield known[number]

    def _find_legs(self, at: int) -> Iterator[Leg]:
        """Yield the legs from a place, the longest skip first.

        A leg skips to a step that changes the condition, and keeps that step. If it cannot skip that far, it skips to
        the event that enables the step, and keeps that event. The last leg skips nothing.
        """
        for end in [*reversed([end for end in self._changes if end > at]), at]:
            place = end if self._infixes.skip(at, end) is not None else self._find_enabling(at, end)
            if place is not None:
                first, then = self._conditions[place], self._conditions[place + 1]
                yield (
                    *(self._infixes.skip(at, place) or ()),
                    Piece(self._proof.steps[place], first, then, (place, place + 1)),
                )

    def _find_enabling(self, at: int, end: int) -> int | None:
        """Return the place of the event that enables the step at ``end``.

        Returns None if there is no such event, or if the steps from ``at`` to that event cannot be skipped.
        """
        place = self._infixes.enabled_by(end)
        return place if place is not None and place >= at and self._infixes.skip(at, place) is not None else None

    def merge_waits(self, pieces: Leg) -> Leg | None:
        """Merge consecutive waits into one, because it cannot be observed where time was split. A wait that is the last
        step stays separate. Return None if the merged proof does not hold."""
        found: list[Piece] = []
        waits: list[Piece] = []
        for piece in (*pieces, None):
            if piece is not None and (piece.step is None or isinstance(piece.step, Wait)):
                waits.append(piece)
                continue
            if not self._may_merge(waits):
                return None
            found += _merge_waits(waits) if piece is not None else [*_merge_waits(waits[:-1]), *waits[-1:]]
            waits = []
            if piece is not None:
                found.append(piece)
        return tuple(found)

    def fails(self, pieces: Sequence[Piece]) -> bool:
        """Return whether the kept messages are possible on their own, and the last step is not."""
        return self._point_after(self._begin, pieces) is not None

    def _may_merge(self, pieces: Sequence[Piece]) -> bool:
        """Return whether consecutive waits may also pass as a single wait of their total length."""
        waits = [piece.step for piece in pieces if isinstance(piece.step, Wait)]
        if len(waits) < 2:
            return True
        lasts = sum(one.end - one.start for one in waits)
        left_out = waits[-1].end - waits[0].start - lasts
        one = Wait(waits[0].start, waits[0].start + lasts)
        return self._checker.follows(pieces[0].first, one, shift_condition(pieces[-1].then, -left_out))


def _merge_waits(pieces: Sequence[Piece]) -> list[Piece]:
    """Merge waits that directly follow each other."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last is not None and isinstance(last.step, Wait) and isinstance(piece.step, Wait):
            one = Wait(last.step.start, piece.step.end)
            found[-1] = Piece(one, last.first, piece.then, (last.places[0], piece.places[1]))
        else:
            found.append(piece)
    return found


# The edges that wrote what a proof relies on


@dataclass(frozen=True, order=True)
class Root:
    """A variable or clock, and the edge (component and number) that last wrote it. Without a component: it still has
    its initial value."""

    name: str
    component: str = ""
    edge: int = -1
    step: int = -1
    """The number, in the trace, of the step that wrote it; -1 for the beginning."""

    @property
    def key(self) -> tuple[str, str, int]:
        return self.name, self.component, self.edge


def find_roots(engine: Engine, witness: Witness, proof: Proof) -> tuple[Root, ...]:
    """Return the roots of a fault, the latest first."""
    found: dict[Root, None] = {}
    said, names = None, frozenset[str]()
    for place in range(len(proof.steps) - 2, -1, -1):
        if proof.conditions[place + 1] is not said:
            said = proof.conditions[place + 1]
            names = frozenset(find_subjects(said)[1])
        written = names & engine.footprint(proof.steps[place]).names
        for option in _possible_writers(engine, witness, place) if written else ():
            for name in sorted(written & option.edge.written_names):
                found[Root(name, option.owner, option.number, witness.first + place)] = None
    left = find_subjects(proof.conditions[0])[1] - {root.name for root in found}
    begin = [Root(name) for name in sorted(left)] if witness.first == 0 else []
    return (*found, *begin)


def _possible_writers(engine: Engine, witness: Witness, place: int) -> Iterator[Option]:
    """Yield the edges that were, or may have been, taken in a step."""
    step = witness.steps[place]
    for state in witness.reached[place]:
        if isinstance(step, Wait):
            for k, part in engine.timed_parts:
                yield from (
                    o for o in part.time_options[state.locations[k]] if engine.may_take(state, o, step.start, step.end)
                )
        else:
            for _, moves in engine.find_transitions(state, step):
                yield from (move.option for move in moves)
