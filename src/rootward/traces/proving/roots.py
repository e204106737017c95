"""Who made it so: the edge of the model that last wrote each variable and clock on which a proof relies.

A proof may need no more than the last two messages, and yet the reason lies far back: the variable that forbids the
answer was set by a reset, or by a timer that ran out. That writer tells causes apart that look alike at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rootward.traces.event import Wait
from rootward.traces.proving.claim import subjects
from rootward.traces.proving.proof import Proof
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Option
from rootward.traces.running.replay import Witness


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
