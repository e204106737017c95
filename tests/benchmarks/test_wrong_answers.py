"""After a departure the replay continues from everything that may have happened, and invents no further departures.

The traces come from simulated control units without a bug. One answer is then made wrong, as if on the wire: the unit
goes on rightly. So there is one departure, and none after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from peers.trace_grouping import written
from peers.uds_specs import Spec, make
from peers.uds_tester import lines, trace
from peers.uds_unit import Unit

from rootward.traces.model.event import Event, Trace
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses

MS = 1000
TRACES, MESSAGES = 4, 60


@cache
def unit(seed: int) -> tuple[Spec, Engine]:
    spec = make(seed)
    return spec, Engine(written(spec))


@cache
def good(seed: int, number: int) -> tuple[Event, ...]:
    spec, _ = unit(seed)
    key = f"{seed} {number}"
    return trace("good", lines(spec, Unit(spec, key), key, MESSAGES), 0).events


def departures(seed: int, events: Sequence[Event]) -> list[int]:
    """The numbers of the messages at which a trace departs from the model of its unit."""
    spec, engine = unit(seed)
    whole = Trace("t", tuple(events), events[-1].time + 2 * spec.pending)
    return [witness.end // 2 for witness in find_witnesses(engine, whole)]


Wrong = Callable[[Spec, Event, Sequence[Event], Random], list[Event]]
"""Makes an answer wrong, given the messages before it; returns what is sent instead."""


def last_request(before: Sequence[Event]) -> Event:
    return next(one for one in reversed(before) if one.kind == "req")


def other_service(one: Event, before: Sequence[Event], random: Random) -> str:
    return random.choice(sorted({each.operation for each in before} - {one.operation}) or ["0xBA"])


def busy_waiting(spec: Spec, one: Event) -> list[Event]:
    """An answer far too late, while a tester keeps the session alive."""
    times = range(one.time + spec.pending // 3, one.time + 2 * spec.pending, spec.pending // 3)
    alive = [Event(time, "req", "functional", "TesterPresent", "80") for time in times]
    return [*alive, replace(one, time=one.time + 2 * spec.pending)]


WRONG: dict[str, Wrong] = {
    "a code that is never used": lambda _, one, before, random: [replace(one, payload="NRC 55")],
    "a refusal": lambda _, one, before, random: [replace(one, payload=f"NRC {random.choice(['22', '33', '7F'])}")],
    "a positive answer": lambda _, one, before, random: [replace(one, payload=last_request(before).payload[:4])],
    "a wrong echo": lambda _, one, before, random: [replace(one, payload="7" + one.payload[1:])],
    "an answer of another service": lambda _, one, before, random: [
        replace(one, operation=other_service(one, before, random))
    ],
    "no answer": lambda _, one, before, random: [],
    "two answers": lambda _, one, before, random: [one, replace(one, time=one.time + MS)],
    "an answer that nobody asked for": lambda _, one, before, random: [
        one,
        replace(one, time=one.time + MS, operation=other_service(one, before, random), payload="NRC 11"),
    ],
    "a broken answer": lambda _, one, before, random: [replace(one, kind="err", operation="overlap", payload="62")],
}


def make_wrong(
    seed: int, number: int, kind: str, random: Random, places: slice = slice(None)
) -> tuple[int, list[Event]]:
    """Return where one answer of a good trace is wrong, and the trace."""
    events = good(seed, number)
    answers = [place for place, one in enumerate(events) if one.kind == "res"][places]
    place = random.choice(answers)
    instead = WRONG[kind](unit(seed)[0], events[place], events[:place], random)
    return place, [*events[:place], *instead, *events[place + 1 :]]


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("seed", range(4))
def test_one_wrong_answer_is_one_departure(seed: int, kind: str) -> None:
    for number in range(TRACES):
        assert departures(seed, good(seed, number)) == []
        place, events = make_wrong(seed, number, kind, Random(f"{seed} {number} {kind}"))
        found = departures(seed, events)
        assert len(found) <= 1, (place, events[place : place + 3])
        assert not found or place <= found[0] <= place + 1


@pytest.mark.parametrize("seed", range(4))
def test_a_second_wrong_answer_far_behind_is_found(seed: int) -> None:
    """It is found if it would be found alone."""
    counted: Counter[bool] = Counter()
    for number in range(TRACES):
        for kind in WRONG:
            random = Random(f"{seed} {number} {kind}")
            early, events = make_wrong(seed, number, kind, random, slice(5))
            grown = len(events) - len(good(seed, number))
            late = max(place for place, one in enumerate(events) if one.kind == "res")
            events[late] = replace(events[late], payload="NRC 55")
            found = departures(seed, events)
            assert late > early + 30
            counted[bool(found) and found[-1] == late and len(found) <= 2] += 1
            assert late - grown < len(good(seed, number))
    assert counted == {True: TRACES * len(WRONG)}


def test_an_answer_that_is_late_while_a_tester_waits_is_one_departure() -> None:
    for seed in range(4):
        events = good(seed, 0)
        place = next(place for place, one in enumerate(events) if one.kind == "res" and "NRC" not in one.payload)
        waited = busy_waiting(unit(seed)[0], events[place])
        assert len(departures(seed, [*events[:place], *waited])) == 1
