"""Naming a bug by the smallest change of the model with which the whole trace conforms.

"As if ECUReset did not set d0100": if the system under test behaves like the model with one edge changed, that change
is what is wrong with it. Changes are made up from the proof of a fault: an update that was relied on is dropped, a
check is skipped, an edge leads to where the answer that came is allowed, more time is given. Most of them say what
always happens, so that a trace in which it does not speaks against them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rootward.traces.event import Event
from rootward.traces.fault import Fault
from rootward.traces.grouping.mutation.answers import answers
from rootward.traces.grouping.mutation.checks import checks
from rootward.traces.grouping.mutation.mutant import OLDER, Mutant
from rootward.traces.grouping.mutation.silence import silence
from rootward.traces.grouping.mutation.timers import timing
from rootward.traces.grouping.mutation.updates import unwritten
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.replay import Witness
from rootward.traces.running.state import State


def mutants(engine: Engine, fault: Fault, witness: Witness) -> Iterator[Mutant]:
    """Changes that might explain a fault."""
    model, last = engine.model, witness.steps[-1]
    seen: set[str] = set()
    for root in fault.roots:
        if root.component:
            older = root.name in seen and root.name in model.variables
            yield from (replace(one, rank=max(one.rank, OLDER)) if older else one for one in unwritten(model, root))
        if root.name in model.clocks:
            yield from timing(model, root, witness)
        seen.add(root.name)
    yield from silence(engine, fault, witness)
    if fault.component and isinstance(last, Event):
        moves = list(_last_moves(engine, fault, witness))
        yield from answers(model, fault, last, [move for _, move, _ in moves])
        for state, move, event in moves:
            yield from checks(engine, state, move, event)


def _last_moves(engine: Engine, fault: Fault, witness: Witness) -> Iterator[tuple[State, Move, Event]]:
    """How the component came to where it does not allow what came: the last edges that it took to get there."""
    for place in range(len(witness.steps) - 2, -1, -1):
        step = witness.steps[place]
        if isinstance(step, Event):
            moves = [
                (state, move, step)
                for state in witness.reached[place]
                for _, joint in engine.taken(state, step)
                for move in joint
                if move.option.owner == fault.component
            ]
            yield from moves
            if any(move.option.edge.asks for _, move, _ in moves):
                return
