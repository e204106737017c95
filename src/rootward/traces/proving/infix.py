"""Infixes: stretches of a proof that can be left out (section 4).

Let one condition hold at place A of the proof, and another at a later place B. The steps from A to B are irrelevant if
the condition at A implies the one at B, both seen from their own present: the rest of the proof then works from A as
well, and the steps are left out together with the time that passed in them. If that fails, the messages alone may still
be irrelevant: it is enough that waiting for the same time leads from A to B. Then the messages are left out and the
time is kept (`Infixes.skip` tries both).

Both questions concern all configurations of the first condition, which makes a full check (`check`) expensive, and most
answers are no. So cheap refutations come first. If the states that were really reached at A do not satisfy the
condition at B, it cannot follow. And `is_refuted` tries counterexamples: a condition says nothing about what it does
not mention, so it takes a state that was reached and changes one thing that the first condition does not mention but
the second does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cache
from typing import NamedTuple

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import Const, Test, Value, Var
from rootward.traces.proving.check import Checker, is_covered
from rootward.traces.proving.claim import (
    NEVER,
    Case,
    Claim,
    Condition,
    InLocation,
    ResetDistance,
    find_mentioned,
    is_about,
    shift_condition,
    state_implies,
)
from rootward.traces.proving.proof import Proof
from rootward.traces.running.engine import Engine, States, TooManyStates
from rootward.traces.running.state import SymbolicState

UNUSED_VALUE: Value = "\0"
"""A value that no model uses."""
AGES = (0, 1 << 60)
"""The ages of a clock to try in counterexamples: reset just now, and before everything."""


class Piece(NamedTuple):
    """A step of an explanation, with the conditions before and after it."""

    step: Step | None
    """The step; None if something was left out: the conditions are then compared as if no time had passed."""
    first: Condition
    then: Condition
    places: tuple[int, int]
    """The first place in the witness that the piece covers, and the place after it."""


Leg = tuple[Piece, ...]
"""Pieces that leave something out, followed by the step that is kept."""


def start_of(step: Step) -> int:
    """Return the instant at which a step begins."""
    return step.start if isinstance(step, Wait) else step.time


class Infixes:
    """Decides what may be left out of one proof. Results are cached."""

    def __init__(self, engine: Engine, checker: Checker, proof: Proof, reached: Sequence[States]) -> None:
        self._engine, self._checker, self._proof, self._reached = engine, checker, proof, reached
        self._conditions = (*proof.conditions, NEVER)
        self.skip = cache(self._find_skip)
        """Return how to go from one place to another without messages, or None if that cannot be shown."""
        self.enabled_by = cache(self._find_enabling)
        """Return the place of the event that prepared this step, such as the request before an answer: the last earlier
        event that is known to one of the components that take this step. None if there is none."""
        self._timeless = cache(self._select_timeless)
        self._fits = cache(lambda at, condition: is_covered(engine, reached[at], condition))

    def _find_enabling(self, end: int) -> int | None:
        step = self._proof.steps[end]
        if isinstance(step, Wait) or end == len(self._proof.steps) - 1:
            return None
        known = [k for k, moves in self._engine.moves(step) if len(moves) < len(self._engine.parts[k].places)]
        for place in range(end - 1, -1, -1):
            earlier = self._proof.steps[place]
            if isinstance(earlier, Event) and any(k in known for k, _ in self._engine.moves(earlier)):
                return place
        return None

    def _find_skip(self, at: int, end: int) -> Leg | None:
        try:
            return self._skip_events(at, end)
        except TooManyStates:
            return None  # it may be possible, but it is not shown

    def _skip_events(self, at: int, end: int) -> Leg | None:
        """Return a leg from place ``at`` to place ``end`` without events, or None if none is found.

        The states that were really reached are tried first. If the leg fails for them, it need not be checked for all
        configurations. If they cannot wait that long, None is returned, because such a wait would explain nothing.
        """
        if at == end:
            return ()
        if not self._fits(at, self._timeless(end)):
            return None
        start, stop = start_of(self._proof.steps[at]), start_of(self._proof.steps[end])
        first, then, here = self._conditions[at], self._conditions[end], self._reached[at]
        span = stop - start

        def is_doubtful(onward: Callable[[SymbolicState], States]) -> bool:
            return is_refuted(self._engine, here, start, first, then, onward)

        def skip_time(state: SymbolicState) -> States:
            return (state.shift(span),)

        def wait_span(state: SymbolicState) -> States:
            return self._engine.wait((state,), start, stop)

        if (
            is_covered(self._engine, here, shift_condition(then, -span))
            and self._can_go_on(_advance_all(skip_time, here), end)
            and (at == 0 or (not is_doubtful(skip_time) and self._checker.implies(first, then, span)))
        ):
            return (Piece(None, first, then, (at, end)),)
        after = _advance_all(wait_span, here) if span else ()
        if (
            after
            and is_covered(self._engine, after, then)
            and self._can_go_on(after, end)
            and not is_doubtful(wait_span)
            and self._checker.follows(first, Wait(start, stop), then)
        ):
            return (Piece(Wait(start, stop), first, then, (at, end)),)
        return None

    def _select_timeless(self, end: int) -> Condition:
        """Return the condition at place ``end``, reduced to the claims that time alone cannot change."""
        components, names = self._engine.footprint(Wait(0, 0))
        return frozenset(
            frozenset(
                one for one in case if not isinstance(one, ResetDistance) and not is_about(one, components, names)
            )
            for case in self._conditions[end]
        )

    def _can_go_on(self, states: States, end: int) -> bool:
        """Return whether the step at ``end`` is possible in these states.

        Always True for a wait and for the fault itself. Anything would follow from any other impossible step, so
        keeping it would explain nothing.
        """
        step = self._proof.steps[end]
        return end == len(self._proof.steps) - 1 or isinstance(step, Wait) or bool(self._engine.step(states, step))


def _advance_all(onward: Callable[[SymbolicState], States], states: States) -> States:
    return tuple(after for state in states for after in onward(state))


# Quick refutation


def is_refuted(
    engine: Engine,
    states: States,
    now: int,
    first: Condition,
    then: Condition,
    onward: Callable[[SymbolicState], States],
) -> bool:
    """Return whether a counterexample shows that ``first`` does not lead into ``then``.

    Changes one thing in one of ``states``, a thing that ``first`` does not mention. The result is a counterexample if
    some of its successors are not in ``then``. ``onward`` returns the successors of a state.
    """
    for state in states:
        case = next((case for case in first if all(state_implies(engine, state, claim) for claim in case)), None)
        for other in _change_state(engine, state, now, case, then) if case is not None else ():
            after = onward(other)
            if after and not is_covered(engine, after, then):
                return True
    return False


def _change_state(
    engine: Engine, state: SymbolicState, now: int, case: Case, then: Condition
) -> Iterator[SymbolicState]:
    """Yield variants of a state, each with one thing changed.

    The thing is a location, variable or clock that ``then`` mentions and ``case`` does not.
    """
    components, variables, clocks = find_mentioned([case])
    for claim in (claim for other in then for claim in other):
        if isinstance(claim, InLocation):
            if claim.component not in components:
                yield from _relocate(engine, state, claim, now, clocks)
        elif isinstance(claim, Test):
            if isinstance(claim.left, Var) and claim.left.name not in variables:
                place = engine.names.variables[claim.left.name]
                for value in _counter_values(claim):
                    yield state._replace(data=(*state.data[:place], value, *state.data[place + 1 :]))
        else:
            for clock in {claim.late, claim.early} - clocks - {None}:
                assert clock is not None
                place = engine.names.clocks[clock]
                for age in AGES if state.resets[place] is not None else ():
                    yield state._replace(resets=(*state.resets[:place], now - age, *state.resets[place + 1 :]))


def _relocate(
    engine: Engine, state: SymbolicState, claim: InLocation, now: int, clocks: Set[str]
) -> Iterator[SymbolicState]:
    """Yield the state with the component of ``claim`` in another location, as if it had just arrived there.

    Chooses the location with the longest stay. Resets the clocks that limit this stay, except those in ``clocks``.
    """
    k = engine.places[claim.component]
    part = engine.parts[k]
    others = [i for i in range(len(part.places)) if i != part.places[claim.location]]
    if others:
        i = max(others, key=part.longest_stays.__getitem__)
        anew = {engine.names.clocks[name] for name in part.stay_names[i] - clocks if name in engine.names.clocks}
        resets = tuple(now if j in anew and one is not None else one for j, one in enumerate(state.resets))
        yield state._replace(locations=(*state.locations[:k], i, *state.locations[k + 1 :]), resets=resets)


def _counter_values(claim: Claim) -> Iterator[Value]:
    """Yield values of which at least one makes a comparison with constants false."""
    assert isinstance(claim, Test)
    yield UNUSED_VALUE
    if isinstance(claim.right, tuple):
        yield from claim.right[:1]
    elif isinstance(claim.right, Const):
        yield claim.right.value
