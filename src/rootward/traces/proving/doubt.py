"""A quick no: what a condition does not speak of can be anything, so change it and see.

To show that one condition leads to another, all configurations of the first have to be looked at. Mostly, a look at one
of them shows that it does not: a state that was reached, with one thing changed of which the first condition says
nothing and the second does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from rootward.traces.guard import Const, Test, Value, Var
from rootward.traces.proving.check import included
from rootward.traces.proving.claim import At, Case, Claim, Condition, implied, mentioned
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.state import State

OTHER: Value = "\0"
"""A value that no model knows."""
AGES = (0, 1 << 60)
"""How long ago a clock may have been reset: now, and before everything."""


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
