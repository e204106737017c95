"""What of a proof is irrelevant: one goes from one place to another without the messages between (section 4).

What lies between two conditions is irrelevant if the first includes the second: then it is left out with the time that
passed in it. If only the time matters, the messages are left out and the time is kept.

To show that one condition leads to another, all configurations of the first have to be looked at. Mostly, a look at
one of them shows that it does not (`refuted`): what a condition does not speak of can be anything, so a state that was
reached is changed in one thing of which the first condition says nothing and the second does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cache
from typing import NamedTuple

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import Const, Test, Value, Var
from rootward.traces.proving.check import Checker, included
from rootward.traces.proving.claim import NEVER, Apart, At, Case, Claim, Condition, about, implied, mentioned, shifted
from rootward.traces.proving.proof import Proof
from rootward.traces.running.engine import Engine, Restless, States
from rootward.traces.running.state import State

OTHER: Value = "\0"
"""A value that no model knows."""
AGES = (0, 1 << 60)
"""How long ago a clock may have been reset: now, and before everything."""


class Piece(NamedTuple):
    """A step of an explanation, with the conditions that hold before and after it."""

    step: Step | None
    """None: something was left out, and what held before holds after it, as if no time had passed."""
    first: Condition
    then: Condition
    places: tuple[int, int]
    """From where to where in the steps of the witness it goes."""


Leg = tuple[Piece, ...]
"""Something is left out, and the step after it is kept."""


def moment(step: Step) -> int:
    """When a step begins."""
    return step.start if isinstance(step, Wait) else step.time


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


# A quick no


def refuted(
    engine: Engine, states: States, now: int, first: Condition, then: Condition, onward: Callable[[State], States]
) -> bool:
    """Whether a change of one of these states, which are in the first condition, is seen not to lead to the other.
    ``onward``: what becomes of a state."""
    for state in states:
        case = next((case for case in first if all(implied(engine, state, claim) for claim in case)), None)
        for other in _changed(engine, state, now, case, then) if case is not None else ():
            after = onward(other)
            if after and not included(engine, after, then):
                return True
    return False


def _changed(engine: Engine, state: State, now: int, case: Case, then: Condition) -> Iterator[State]:
    """A state with one thing changed that a case does not speak of, and that is then spoken of."""
    components, variables, clocks = mentioned([case])
    for claim in (claim for other in then for claim in other):
        if isinstance(claim, At):
            if claim.component not in components:
                yield from _elsewhere(engine, state, claim, now, clocks)
        elif isinstance(claim, Test):
            if isinstance(claim.left, Var) and claim.left.name not in variables:
                place = engine.names.variables[claim.left.name]
                for value in _values(claim):
                    yield state._replace(data=(*state.data[:place], value, *state.data[place + 1 :]))
        else:
            for clock in {claim.late, claim.early} - clocks - {None}:
                assert clock is not None
                place = engine.names.clocks[clock]
                for age in AGES if state.resets[place] is not None else ():
                    yield state._replace(resets=(*state.resets[:place], now - age, *state.resets[place + 1 :]))


def _elsewhere(engine: Engine, state: State, claim: At, now: int, clocks: Set[str]) -> Iterator[State]:
    """With the component where it may stay longest, and has just arrived: its clocks but for those that are spoken of
    begin anew."""
    k = engine.places[claim.component]
    part = engine.parts[k]
    others = [i for i in range(len(part.places)) if i != part.places[claim.location]]
    if others:
        i = max(others, key=part.lasts.__getitem__)
        anew = {engine.names.clocks[name] for name in part.needs[i] - clocks if name in engine.names.clocks}
        resets = tuple(now if j in anew and one is not None else one for j, one in enumerate(state.resets))
        yield state._replace(locations=(*state.locations[:k], i, *state.locations[k + 1 :]), resets=resets)


def _values(claim: Claim) -> Iterator[Value]:
    """Values of which one, at least, makes a comparison with constants false."""
    assert isinstance(claim, Test)
    yield OTHER
    if isinstance(claim.right, tuple):
        yield from claim.right[:1]
    elif isinstance(claim.right, Const):
        yield claim.right.value
