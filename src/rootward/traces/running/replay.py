"""Replay a trace on a model and find the steps after which no state is left (fault localisation, sections 3 and 6).

A step is either an event or the time that passes before one. Every trace gets a final wait that is long enough for
every deadline, so that an answer that never came is found. After a fault the replay continues from everything that may
have happened instead of what the model requires (see `recovery`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rootward.errors import InputError
from rootward.traces.limits import LimitReached, Work
from rootward.traces.model.event import Event, Step, Trace, Wait
from rootward.traces.running.engine import Engine, States, TooManyStates
from rootward.traces.running.recovery import Recovery


@dataclass(frozen=True)
class Stretch:
    """A stretch of a trace, from its beginning or from right after a fault or an overdue answer, with the states that
    were reached."""

    steps: tuple[Step, ...]
    reached: tuple[States, ...]
    """The states before each step, and after the last one if the model allows it."""
    first: int
    """The number, in the trace, of its first step."""
    cut: str = ""
    """The limit at which the replay was given up after the last step; empty if it was not."""

    @cached_property
    def events_by_head(self) -> Mapping[str, Sequence[int]]:
        """The places of the events in the stretch, by their head; "" stands for all."""
        found: dict[str, list[int]] = {"": []}
        for place, step in enumerate(self.steps):
            if isinstance(step, Event):
                found[""].append(place)
                found.setdefault(step.head, []).append(place)
        return found

    @cached_property
    def waits(self) -> Sequence[int]:
        """The places of the waits in the stretch."""
        return [place for place, step in enumerate(self.steps) if isinstance(step, Wait)]

    @cached_property
    def _waits_in(self) -> dict[int, dict[int, list[int]]]:
        return {}

    def waits_in(self, component: int) -> Mapping[int, Sequence[int]]:
        """Return the places of the waits by the location, or the locations, in which a component then is."""
        found = self._waits_in.get(component)
        if found is None:
            found = self._waits_in[component] = {}
            for place in self.waits:
                for location in {state.locations[component] for state in self.reached[place]}:
                    found.setdefault(location, []).append(place)
        return found


class Witness(Stretch):
    """A stretch that ends with a step that the model does not allow: from the last states, it is impossible."""

    @property
    def end(self) -> int:
        """The number, in the trace, of the step that is not allowed."""
        return self.first + len(self.steps) - 1

    @property
    def last(self) -> Witness:
        """The witness reduced to the step that is not allowed."""
        return Witness(self.steps[-1:], self.reached[-1:], self.end)


def split_steps(trace: Trace, patience: int) -> list[Step]:
    """Split a trace into waits and events, alternating. After the last event at least ``patience`` passes."""
    found: list[Step] = []
    now = 0
    for event in trace.events:
        found += [Wait(now, event.time), event]
        now = event.time
    end = max(trace.end or 0, now + patience)
    return [*found, Wait(now, end)] if end > now else found


def find_witnesses(engine: Engine, trace: Trace) -> Iterator[Witness]:
    """Yield a witness for every fault of a trace, in order. A later fault may be a consequence of an earlier one."""
    return (one for one in find_stretches(engine, trace) if isinstance(one, Witness))


def find_stretches(engine: Engine, trace: Trace, work: Work | None = None) -> Iterator[Stretch]:
    """Yield a witness for every fault of a trace, in order, and what follows the last one. The last stretch has a
    reason in ``cut`` if it ends before the trace does."""
    todo = split_steps(trace, engine.patience)
    first, states = 0, engine.begin(0)
    if not states:
        raise InputError(f"model {engine.model.name}: its invariants hold in no initial state; check them")
    reached = [states]
    recovery = Recovery(engine)
    for place, step in enumerate(todo):
        try:
            if work is not None:
                work.check_time()
            after, overdue = engine.take(states, step), recovery.take_overdue(states, step)
            if not after and not overdue:
                yield Witness(tuple(todo[first : place + 1]), tuple(reached), first)
                first, reached = place + 1, []
                after = recovery.resume(states, step)
            elif overdue:
                after = engine.drop_contained((*after, *overdue))
                first, reached = place + 1, []
        except (TooManyStates, LimitReached) as error:
            if work is None:
                raise
            yield Stretch(tuple(todo[first:place]), tuple(reached), first, str(error))
            return
        states = after
        reached.append(states)
    yield Stretch(tuple(todo[first:]), tuple(reached), first)
