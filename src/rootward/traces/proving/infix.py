"""What of a proof is irrelevant: one goes from one place to another without the messages between (section 4).

What lies between two conditions is irrelevant if the first includes the second: then it is left out with the time that
passed in it. If only the time matters, the messages are left out and the time is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from rootward.traces.event import Event, Wait
from rootward.traces.proving.check import Checker, included
from rootward.traces.proving.claim import NEVER, Apart, Condition, about, shifted
from rootward.traces.proving.doubt import refuted
from rootward.traces.proving.piece import Leg, Piece, moment
from rootward.traces.proving.proof import Proof
from rootward.traces.running.engine import Engine, Restless, States
from rootward.traces.running.state import State


class Infixes:
    """What may be left out of one proof. What was found is remembered."""

    def __init__(self, engine: Engine, checker: Checker, proof: Proof, reached: Sequence[States]) -> None:
        self._engine, self._checker, self._proof, self._reached = engine, checker, proof, reached
        self._conditions = (*proof.conditions, NEVER)
        self.skip = cache(self._shown)
        """How to go from one place to another without messages; None if that cannot be."""
        self.enabled_by = cache(self._enabling)
        """The last event before a step that the same component takes, such as the request before an answer."""
        self._timeless = cache(self._steady)
        self._fits = cache(lambda at, condition: included(engine, reached[at], condition))

    def _enabling(self, end: int) -> int | None:
        step = self._proof.steps[end]
        if isinstance(step, Wait) or end == len(self._proof.steps) - 1:
            return None
        known = [k for k, moves in self._engine.moves(step) if len(moves) < len(self._engine.parts[k].places)]
        for place in range(end - 1, -1, -1):
            earlier = self._proof.steps[place]
            if isinstance(earlier, Event) and any(k in known for k, _ in self._engine.moves(earlier)):
                return place
        return None

    def _shown(self, at: int, end: int) -> Leg | None:
        try:
            return self._without(at, end)
        except Restless:
            return None  # perhaps one can, but that is not shown

    def _without(self, at: int, end: int) -> Leg | None:
        """How to go from one place to another without events; None if that cannot be.

        What is not even true of the states that were reached need not be proved of all others; and if these cannot wait
        that long, waiting explains nothing.
        """
        if at == end:
            return ()
        if not self._fits(at, self._timeless(end)):
            return None
        start, stop = moment(self._proof.steps[at]), moment(self._proof.steps[end])
        first, then, here = self._conditions[at], self._conditions[end], self._reached[at]
        span = stop - start

        def doubted(onward: Callable[[State], States]) -> bool:
            return refuted(self._engine, here, start, first, then, onward)

        def at_once(state: State) -> States:
            return (state.later(span),)

        def in_time(state: State) -> States:
            return self._engine.wait((state,), start, stop)

        if (
            included(self._engine, here, shifted(then, -span))
            and self._goes_on(_each(at_once, here), end)
            and (at == 0 or (not doubted(at_once) and self._checker.implies(first, then, span)))
        ):
            return (Piece(None, first, then, (at, end)),)
        after = _each(in_time, here) if span else ()
        if (
            after
            and included(self._engine, after, then)
            and self._goes_on(after, end)
            and not doubted(in_time)
            and self._checker.follows(first, Wait(start, stop), then)
        ):
            return (Piece(Wait(start, stop), first, then, (at, end)),)
        return None

    def _steady(self, end: int) -> Condition:
        """What a condition says of things that time alone cannot change."""
        components, names = self._engine.footprint(Wait(0, 0))
        return frozenset(
            frozenset(one for one in case if not isinstance(one, Apart) and not about(one, components, names))
            for case in self._conditions[end]
        )

    def _goes_on(self, states: States, end: int) -> bool:
        """Whether the step that is kept is possible, unless it is the fault: else everything follows, and nothing is
        explained."""
        step = self._proof.steps[end]
        return end == len(self._proof.steps) - 1 or isinstance(step, Wait) or bool(self._engine.step(states, step))


def _each(onward: Callable[[State], States], states: States) -> States:
    return tuple(after for state in states for after in onward(state))
