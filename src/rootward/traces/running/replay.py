"""Replaying a trace on a model: after which step is no state left (fault localisation, sections 3 and 6).

A step is the passing of time before an event, or an event. The trace ends with a last step of time, long enough for
every deadline, so that an answer that never came is found. After a fault the replay goes on, as if the component that
forbade the step had allowed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rootward.errors import InputError
from rootward.traces.model.event import Step, Trace, Wait
from rootward.traces.running.engine import Engine, States


@dataclass(frozen=True)
class Witness:
    """The beginning of a trace up to a step that the model does not allow."""

    steps: tuple[Step, ...]
    reached: tuple[States, ...]
    """The states before each step; none of the last ones can take the last step."""
    first: int
    """Which step of the trace it begins with: after a fault, the next witness begins there."""

    @property
    def end(self) -> int:
        """Which step of the trace is not allowed."""
        return self.first + len(self.steps) - 1

    @property
    def last(self) -> Witness:
        """The step that is not allowed alone."""
        return Witness(self.steps[-1:], self.reached[-1:], self.end)


def steps(trace: Trace, patience: int) -> list[Step]:
    """Time and events by turns. After the last event, so much time passes at least."""
    found: list[Step] = []
    now = 0
    for event in trace.events:
        found += [Wait(now, event.time), event]
        now = event.time
    end = max(trace.end or 0, now + patience)
    return [*found, Wait(now, end)] if end > now else found


def witnesses(engine: Engine, trace: Trace) -> Iterator[Witness]:
    """Every fault of a trace, in order; what follows a fault may be its consequence."""
    todo = steps(trace, engine.patience)
    first, states = 0, engine.begin(0)
    if not states:
        raise InputError(f"model {engine.model.name}: its invariants forbid every beginning")
    reached = [states]
    for place, step in enumerate(todo):
        after = engine.take(states, step)
        if not after:
            yield Witness(tuple(todo[first : place + 1]), tuple(reached), first)
            after = engine.forced_wait(states, step.end) if isinstance(step, Wait) else engine.forced_step(states, step)
            first, reached = place + 1, []
        states = after
        reached.append(states)
