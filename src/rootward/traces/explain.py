"""Which messages make it a fault: what a proof can do without is left out (section 4).

What lies between two conditions is irrelevant if the first includes the second: then it is left out with the time that
passed in it. If only the time matters, the events are left out and the time is kept. Conditions change at few places,
so only these are looked at; of all ways to leave something out, those that keep the fewest messages are explanations,
and so are others that keep none of the messages that one of these leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from rootward.traces.check import Checker, included
from rootward.traces.claim import NEVER, Condition
from rootward.traces.engine import Engine, Restless, States
from rootward.traces.event import Event, Step, Wait
from rootward.traces.proof import Proof

MOST = 8
"""So many explanations of one fault are enough."""


@dataclass(frozen=True)
class Piece:
    """A step of an explanation, with the conditions that hold before and after it."""

    step: Step | None
    """None: something was left out, and what held before holds after it, as if no time had passed."""
    first: Condition
    then: Condition
    places: tuple[int, int]
    """From where to where in the steps of the witness it goes."""


Skip = Callable[[int, int], tuple[Piece, ...] | None]
"""How to go from one place to another without events."""


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

    def explanations(self, proof: Proof, reached: Sequence[States]) -> list[Explanation]:
        """All that is found, the shortest first; ``reached``: the states before each step."""
        ends = [i for i, one in enumerate(proof.conditions) if one != (*proof.conditions, NEVER)[i + 1]]
        skip = cache(lambda at, end: self._shown(proof, reached, at, end))
        found: dict[tuple[int, ...], Explanation] = {}
        for pieces in self._ways(proof, skip, ends):
            one = Explanation(pieces)
            found.setdefault(one.kept, one)
        kept = sorted(found, key=len)
        least = [one for one in kept if not any(set(other) < set(one) for other in kept)]
        return [found[one] for one in least[:MOST]]

    def _ways(self, proof: Proof, skip: Skip, ends: list[int]) -> Iterator[tuple[Piece, ...]]:
        """The way that leaves out as much as it can at each place, and those that leave out something else once."""
        pieces: list[tuple[Piece, ...]] = []
        at = 0
        while at < len(proof.steps):
            here = self._onward(proof, skip, ends, at)
            first = next(here, None)
            if first is None:
                return
            for other in islice((one for one in here if one[-1].step is not first[-1].step), 1):
                rest = self._straight(proof, skip, ends, other[-1].places[1])
                if rest is not None:
                    yield tuple(piece for some in (*pieces, other, *rest) for piece in some)
            pieces.append(first)
            at = first[-1].places[1]
        yield tuple(piece for some in pieces for piece in some)

    def _straight(self, proof: Proof, skip: Skip, ends: list[int], at: int) -> list[tuple[Piece, ...]] | None:
        """To the end, leaving out as much as can be at each place."""
        found = []
        while at < len(proof.steps):
            first = next(self._onward(proof, skip, ends, at), None)
            if first is None:
                return None
            found.append(first)
            at = first[-1].places[1]
        return found

    def _onward(self, proof: Proof, skip: Skip, ends: list[int], at: int) -> Iterator[tuple[Piece, ...]]:
        """What may be left out from a place on, up to where a condition is about to change, and that change: as much as
        can be first. If nothing can, the next step."""
        for end in [*reversed([end for end in ends if end > at]), at]:
            place = end if skip(at, end) is not None else self._enabling(proof, skip, at, end)
            if place is not None:
                then = NEVER if place == len(proof.steps) - 1 else proof.conditions[place + 1]
                yield (
                    *(skip(at, place) or ()),
                    Piece(proof.steps[place], proof.conditions[place], then, (place, place + 1)),
                )

    def _enabling(self, proof: Proof, skip: Skip, at: int, end: int) -> int | None:
        """The last event before a step that the same component takes, such as the request before an answer, if one can
        go there: it may be what makes the step possible."""
        step = proof.steps[end]
        if isinstance(step, Wait) or end == len(proof.steps) - 1:
            return None
        known = {k for k, moves in self._engine.moves(step) if len(moves) < len(self._engine.parts[k].places)}
        for place in range(end - 1, at - 1, -1):
            earlier = proof.steps[place]
            if isinstance(earlier, Event) and known & {k for k, _ in self._engine.moves(earlier)}:
                return place if skip(at, place) is not None else None
        return None

    def _shown(self, proof: Proof, reached: Sequence[States], at: int, end: int) -> tuple[Piece, ...] | None:
        try:
            return self._skip(proof, reached, at, end)
        except Restless:
            return None  # perhaps one can, but that is not shown

    def _skip(self, proof: Proof, reached: Sequence[States], at: int, end: int) -> tuple[Piece, ...] | None:
        """How to go from one place to another without events; None if that cannot be.

        What is not even true of the states that were reached need not be proved of all others; and if these cannot wait
        that long, waiting explains nothing.
        """
        if at == end:
            return ()
        start, stop = moment(proof.steps[at]), moment(proof.steps[end])
        first, then, here = proof.conditions[at], proof.conditions[end], reached[at]
        later = tuple(state.later(stop - start) for state in here)
        if (
            included(self._engine, later, then)
            and self._goes_on(later, proof, end)
            and (at == 0 or self._checker.implies(first, then, stop - start))
        ):
            return (Piece(None, first, then, (at, end)),)
        wait = Wait(start, stop)
        after = self._engine.wait(here, start, stop) if stop > start else ()
        if (
            after
            and included(self._engine, after, then)
            and self._goes_on(after, proof, end)
            and self._checker.follows(first, wait, then)
        ):
            return (Piece(wait, first, then, (at, end)),)
        return None

    def _goes_on(self, states: States, proof: Proof, end: int) -> bool:
        """Whether the step that is kept is possible, unless it is the fault: else everything follows, and nothing is
        explained."""
        step = proof.steps[end]
        return end == len(proof.steps) - 1 or isinstance(step, Wait) or bool(self._engine.step(states, step))


def moment(step: Step) -> int:
    """When a step begins."""
    return step.start if isinstance(step, Wait) else step.time
