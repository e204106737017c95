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

from rootward.traces.check import Checker, Step, Wait, included
from rootward.traces.claim import NEVER, Condition, shifted
from rootward.traces.engine import Engine, States
from rootward.traces.event import Event
from rootward.traces.proof import Proof

MOST = 8
"""So many explanations of one fault are enough."""
WIDTH, PATHS = 3, 200
"""So many ways to go on from a place, and so many in all, are looked at."""


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
        skip = cache(lambda at, end: self._skip(proof, reached, at, end))
        found: dict[tuple[int, ...], Explanation] = {}
        for pieces in self._ways(proof, skip, ends, 0):
            one = Explanation(pieces)
            found.setdefault(one.kept, one)
            if len(found) >= PATHS:
                break
        kept = sorted(found, key=len)
        least = [one for one in kept if not any(set(other) < set(one) for other in kept)]
        return [found[one] for one in least[:MOST]]

    def _ways(self, proof: Proof, skip: Skip, ends: list[int], at: int) -> Iterator[tuple[Piece, ...]]:
        """What may be left out from a place on: as much as can be, up to where a condition is about to change."""
        last, kept_events = len(proof.steps) - 1, 0
        for end in reversed([end for end in ends if end >= at]):
            skipped = skip(at, end)
            if skipped is None:
                continue
            step = proof.steps[end]
            then = NEVER if end == last else proof.conditions[end + 1]
            kept = Piece(step, proof.conditions[end], then, (end, end + 1))
            if end == last:
                yield (*skipped, kept)
            else:
                yield from ((*skipped, kept, *rest) for rest in self._ways(proof, skip, ends, end + 1))
            kept_events += isinstance(step, Event)
            if kept_events == WIDTH:
                return

    def _skip(self, proof: Proof, reached: Sequence[States], at: int, end: int) -> tuple[Piece, ...] | None:
        """How to go from one place to another without events; None if that cannot be.

        What is not even true of the states that were reached need not be proved of all others.
        """
        if at == end:
            return ()
        start, stop = moment(proof.steps[at]), moment(proof.steps[end])
        first, then, here = proof.conditions[at], proof.conditions[end], reached[at]
        if included(self._engine, here, shifted(then, start - stop)) and (
            at == 0 or self._checker.implies(first, then, stop - start)
        ):
            return (Piece(None, first, then, (at, end)),)
        wait = Wait(start, stop)
        if (
            stop > start
            and included(self._engine, self._engine.wait(here, start, stop), then)
            and self._checker.follows(first, wait, then)
        ):
            return (Piece(wait, first, then, (at, end)),)
        return None


def moment(step: Step) -> int:
    """When a step begins."""
    return step.start if isinstance(step, Wait) else step.time
