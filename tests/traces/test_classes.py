"""Classes of faults: what is alike is together, with the change of the model that explains it, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from rootward.traces.examine import Examiner
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.grouping.timing import Timing
from rootward.traces.model.event import Event, Trace, Wait
from rootward.traces.model.guard import Bound
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses, split_steps
from rootward.traces.triage import Triage, triage
from tests.properties import few

from .reference.brute import Brute
from .reference.ctr import ACK, DONE, GET, LOG, SET, TEST_1, TEST_2, TEST_3, ctr, trace
from .reference.networks import networks

SEEDS = range(200, 230)
FINE = 6


def names(one: FaultClass) -> set[str]:
    return {fault.trace for fault in one.faults}


# The counter of the paper


@cache
def counter() -> Triage:
    return triage(ctr(), [TEST_1, TEST_2, TEST_3])


def test_example_5_tests_1_and_2_are_alike_and_test_3_is_not() -> None:
    alike, other = counter().classes
    assert names(alike) == {"Test-1", "Test-2"}
    assert names(other) == {"Test-3"}
    assert alike.traces == 2
    assert alike.id != other.id


def test_example_5_they_are_equal_in_the_sense_of_the_paper() -> None:
    alike, other = counter().classes
    assert [len(some) for some in alike.exact] == [2]
    occasions = [fault.occasion for fault in (*alike.faults, *other.faults) if fault.occasion is not None]
    assert Timing(Engine(ctr())).group_equal(occasions) == [[0, 1], [2]]


def test_the_changes_that_explain_a_class_are_named() -> None:
    alike, other = counter().classes
    acknowledged = "(res CTR ack <val:int>)"
    assert [str(one) for one in alike.causes] == [
        f"as if expiry did not restart clk {acknowledged}",
        f"as if operations did not set ctx {acknowledged}",
    ]
    assert other.cause == "as if expiry never ran out"


def test_the_representative_is_the_one_that_is_told_soonest() -> None:
    assert counter().classes[0].representative == counter().faults[0]


def test_a_fault_says_what_was_expected_and_who_made_it_so() -> None:
    [fault, *_] = counter().faults
    assert (fault.index, fault.event, fault.kind) == (3, TEST_1.events[3], "forbidden")
    assert (fault.component, fault.location) == ("operations", "p2")
    assert fault.expected == ("res CTR ret <val:int> if ctx = $val (ctx is 5)",)
    assert fault.observed == "res CTR ret 0"
    assert fault.kept[-3:] == (1, 2, 3)
    assert "ctx: set to $val by operations (res CTR ack <val:int>)" in fault.writers
    assert fault.checked


def test_other_values_and_more_noise_are_the_same_class() -> None:
    noise = [(1, LOG), (1, DONE)] * 6
    more = trace("noise", *noise, (3, "req CTR set 7"), (2, "res CTR ack 7"), *noise, (1, GET), (2, "res CTR ret 3"))
    alike = triage(ctr(), [TEST_1, more]).classes
    assert [names(one) for one in alike] == [{"Test-1", "noise"}]


# Late and missing


def deadline() -> Model:
    """A request is answered in 5 ms."""
    ask, answer = Pattern("req M ask"), Pattern("res M answer")
    busy = Location("busy", stay=((Bound("c", "<", 5000),),), requirement="R1")
    edges = (Edge("idle", "busy", ask, reset=frozenset({"c"})), Edge("busy", "idle", answer))
    part = Component("unit", (Location("idle"), busy), ("idle",), edges)
    return Model("deadline", (part,), clocks={"c": 0}, requirements={"R1": "answers in time"})


ASK, ANSWER = "req M ask", "res M answer"


@pytest.mark.parametrize(
    ("name", "some", "expected"),
    [
        ("late", [(1, ASK), (8, ANSWER)], ("late", 1, 5000, 8000)),
        ("nothing", [(1, ASK)], ("missing", 1, 5000, 0)),
        ("something else", [(1, ASK), (8, ASK)], ("missing", 1, 5000, 8000)),
    ],
)
def test_late_and_missing_are_different(name: str, some: list[tuple[int, str]], expected: tuple[object, ...]) -> None:
    fault = triage(deadline(), [trace(name, *some)]).faults[0]
    assert (fault.kind, fault.index, fault.limit, fault.took) == expected
    assert fault.margin == (3000 if fault.took == 8000 else None)
    assert fault.requirement == "R1: answers in time"


def test_late_and_missing_are_different_classes() -> None:
    traces = [
        trace("on time", (1, ASK), (4, ANSWER)),
        trace("late", (1, ASK), (8, ANSWER)),
        trace("later", (1, ASK), (4, ANSWER), (1, ASK), (9, ANSWER)),
        trace("missing", (1, ASK)),
        replace(trace("missing, too", (1, ASK), (1, ANSWER), (1, ASK)), end=90_000),
    ]
    found = triage(deadline(), traces)
    assert found.conforming == 1
    assert sorted(sorted(names(one)) for one in found.classes) == [["late", "later"], ["missing", "missing, too"]]
    assert "as if unit could take longer than 5 ms" in {one.cause for one in found.classes}


# Random networks


@cache
def grouped(seed: int) -> tuple[Model, list[Trace], Triage]:
    model, traces = networks(seed, 6, 2)
    named = [replace(one, name=f"trace {number}") for number, one in enumerate(traces)]
    return model, named, triage(model, named)


@pytest.mark.parametrize("seed", few(8, SEEDS))
def test_every_fault_that_is_no_consequence_is_in_one_class(seed: int) -> None:
    _, traces, found = grouped(seed)
    everything = [fault for one in found.classes for fault in one.faults]
    assert sorted(everything, key=repr) == sorted((f for f in found.faults if not f.consequence), key=repr)
    assert len({one.id for one in found.classes}) == len(found.classes)
    assert found.traces == len(traces) == found.conforming + len(found.unjudged) + len({f.trace for f in found.faults})
    for one in found.classes:
        for levels in (one.groups, one.exact):
            assert sorted((f for some in levels for f in some), key=repr) == sorted(one.faults, key=repr)
        assert all(len({fault.key for fault in some}) == 1 for some in one.groups)
        assert all(len({fault.occasion.texts for fault in some if fault.occasion}) == 1 for some in one.exact)
        assert one.representative in one.faults
        assert len(one.representative.kept) == min(len(fault.kept) for fault in one.faults)


@pytest.mark.parametrize("seed", few(8, SEEDS))
def test_the_examples_are_the_traces_of_the_representatives(seed: int) -> None:
    _, traces, found = grouped(seed)
    for one in found.classes:
        assert one.example in traces
        assert (one.example.name, one.example.path) == (one.representative.trace, one.representative.path)


def changed(model: Model, one: Trace) -> Iterator[tuple[Model, bool]]:
    """Every change of the model that may explain the first fault, and whether the trace conforms to it."""
    examiner = Examiner(model)
    for witness in find_witnesses(examiner.engine, one):
        fault = examiner.describe_fault(one, witness)
        for mutant in examiner.mutants(fault, witness):
            yield mutant.change(model), examiner.conforms(mutant, one)
        return


@pytest.mark.parametrize("seed", few(8, SEEDS))
def test_brute_force_agrees_that_a_change_explains_a_trace(seed: int) -> None:
    model, traces, _ = grouped(seed)
    for one in traces[:2]:
        for other, conforms in changed(model, one):
            [*_, last] = split_steps(one, Engine(other).patience) or [Wait(0, 0)]
            whole = replace(one, end=last.end) if isinstance(last, Wait) else one
            found = Brute(other).first_fault(whole)
            assert conforms == (found is None) or conforms == (Brute(other, FINE).first_fault(whole) is None)


def test_there_are_changes_that_explain_and_such_that_do_not() -> None:
    every = [(grouped(seed)[0], one) for seed in SEEDS[:8] for one in grouped(seed)[1][:2]]
    outcomes = [conforms for model, one in every for _, conforms in changed(model, one)]
    assert sum(outcomes) > 10
    assert outcomes.count(False) > 10
    assert any(one.cause for seed in SEEDS[:8] for one in grouped(seed)[2].classes)


def test_what_a_change_for_the_first_fault_explains_is_its_consequence() -> None:
    twice = trace("twice", (1, SET), (1, ACK), (1, GET), (1, "res CTR ret 0"), (1, GET), (1, "res CTR ret 0"))
    assert [fault.consequence for fault in triage(ctr(), [twice]).faults] == [False, True]


def test_a_second_fault_of_its_own_is_no_consequence() -> None:
    event = Event(30_000, "res", "CTR", "done")
    both = replace(TEST_1, name="both", events=(*TEST_1.events, event))
    found = triage(ctr(), [both])
    assert [(fault.index, fault.consequence) for fault in found.faults] == [(3, False), (4, False)]
    assert len(found.classes) == 2
