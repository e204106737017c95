"""Examples 1 to 7 of the paper, with its Figures 3 and 4, on the reference."""

from __future__ import annotations

from functools import cache

import pytest
import z3

from rootward.traces.model.event import Event, Trace
from rootward.traces.model.model import Model
from tests.properties import few

from .reference.brute import first_fault
from .reference.ctr import ACK, FAIL, GET, MS, SET, TEST_1, TEST_2, TEST_3, ctr, expiry, trace
from .reference.formulas import said
from .reference.paper import Condition, Paper, Proof, Step, normal, steps

CLK, CTX = z3.Real("clk"), z3.Int("ctx")
P4, P5 = ("p4",), ("p5",)
BEFORE_LOG, AFTER_LOG = 4, 9
"""Where the conditions P and R of Example 4 are: behind the acknowledgement, and before the get."""


def clk(low: int, high: int) -> z3.BoolRef:
    return z3.And(low * MS <= CLK, high * MS >= CLK)


def alone(back: bool = False) -> Paper:
    """The automaton of time by itself, which Examples 6 and 7 are about."""
    whole = ctr(back)
    return Paper(Model("expiry", (expiry(back),), whole.variables, whole.clocks))


@cache
def chain() -> Paper:
    return Paper(ctr())


@cache
def proof(trace: Trace) -> Proof:
    return chain().weakened(chain().run(steps(trace)))


@cache
def explanation(trace: Trace) -> tuple[Step, ...]:
    [kept] = chain().explanations(proof(trace))
    return tuple(proof(trace).steps[index] for index in kept)


def texts(steps: tuple[Step, ...]) -> list[str | int]:
    return [step.text if isinstance(step, Event) else int(str(step)) // MS for step in steps]


def equal(one: Condition, other: Condition) -> bool:
    return chain().included(one, other) and chain().included(other, one)


def at(trace: Trace, index: int, **formulas: z3.BoolRef) -> bool:
    """Whether a condition of the weakened proof is this one; locations are written like p0_p4."""
    return equal(proof(trace).conditions[index], {tuple(name.split("_")): one for name, one in formulas.items()})


@pytest.mark.parametrize("trace", few(2, [TEST_1, TEST_3, TEST_2]), ids=lambda trace: trace.name)
def test_example_1_the_answer_to_get_is_the_fault(trace: Trace) -> None:
    assert len(proof(trace).steps) == 2 * len(trace.events)
    assert proof(trace).steps[-1] == trace.events[-1]


@pytest.mark.parametrize(
    ("answer", "waits", "fine"),
    [
        ("res CTR ret 5", 49, True),
        ("res CTR ret 0", 49, False),
        ("res CTR ret 5", 53, True),
        ("res CTR ret 0", 53, True),
        ("res CTR ret 5", 55, False),
        ("res CTR ret 0", 55, True),
    ],
)
def test_example_2_the_value_is_lost_between_50_and_55_ms(answer: str, waits: int, fine: bool) -> None:
    one = trace("get", (1, SET), (1, ACK), (waits, GET), (0, answer))
    assert bool(chain().run(steps(one)).conditions[-1]) == fine


def test_example_2_a_set_that_fails_changes_nothing() -> None:
    after = trace("fail", (1, SET), (1, ACK), (5, "req CTR set 7"), (5, FAIL), (5, GET), (5, "res CTR ret 5"))
    assert chain().run(steps(after)).conditions[-1]


@pytest.mark.parametrize("trace", few(2, [TEST_1, TEST_3, TEST_2]), ids=lambda trace: trace.name)
def test_example_3_the_proof_is_valid(trace: Trace) -> None:
    found = proof(trace)
    for before, step, after in zip(found.conditions[:-1], found.steps, found.conditions[1:], strict=True):
        assert chain().valid(before, [step], after)
    assert found.conditions[-1] == {}


def test_example_3_conditions_bound_the_clock_from_above() -> None:
    assert at(TEST_1, 3, p1_p4=z3.BoolVal(True), p1_p5=z3.BoolVal(True))
    assert at(TEST_1, 4, p0_p4=z3.And(CTX != 0, CLK < 33 * MS))
    assert at(TEST_1, 5, p0_p4=z3.And(CTX != 0, CLK < 48 * MS))
    assert at(TEST_1, 7, p2_p4=CTX != 0)


@pytest.mark.rest
def test_example_4_the_log_is_irrelevant() -> None:
    assert at(TEST_2, BEFORE_LOG, p0_p4=z3.And(CTX != 0, CLK < 23 * MS))
    assert at(TEST_2, AFTER_LOG, p0_p4=z3.And(CTX != 0, CLK < 47 * MS))
    before, after = proof(TEST_2).conditions[BEFORE_LOG], proof(TEST_2).conditions[AFTER_LOG]
    assert chain().valid(before, [12 * MS, 11 * MS, 1 * MS], after)
    assert not chain().valid(before, [12 * MS, 11 * MS, 2 * MS], after)
    assert not chain().included({("p0", "p4"): CLK >= 0}, after)


@pytest.mark.parametrize("trace", few(1, [TEST_1, TEST_2]), ids=lambda trace: trace.name)
def test_example_4_set_and_get_are_left(trace: Trace) -> None:
    assert texts(explanation(trace)) == [SET, ACK, GET, "res CTR ret 0"]


def test_the_time_that_passed_is_left_where_it_is_the_fault() -> None:
    assert texts(explanation(TEST_3)) == [60, GET, "res CTR ret 5"]


@pytest.mark.rest
def test_example_5_tests_1_and_2_are_alike_and_test_3_is_not() -> None:
    keys = [chain().key(explanation(one)) for one in (TEST_1, TEST_2, TEST_3)]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.rest
def test_example_5_other_times_with_the_same_events_can_be_another_class() -> None:
    """The relation looks at times only through the constraints: 30 + 15 ms are like 15 + 2 ms, 60 + 2 ms are not."""
    like = [chain().key(_times(15, 2)), chain().key(_times(30, 15)), chain().key(_times(60, 2))]
    assert like[0] == like[1] != like[2]


def _times(get: int, answer: int) -> tuple[Step, ...]:
    one = trace("times", (3, SET), (2, ACK), (get, GET), (answer, "res CTR ret 0"))
    return tuple(steps(one)[:-1])


def test_figure_4_the_constraints_of_the_template() -> None:
    """Its u2 is our u2, before the get, and its u1 our u3. Before the acknowledgement come the constraints of Init."""
    events, _ = normal(explanation(TEST_1))
    constraints = [[said(one) for one in point] for point in chain().template(events)]
    assert constraints[3:] == [
        [f"u2 + u3 < {50 * MS}"],
        [f"clk + u2 + u3 < {50 * MS}"],
        [f"clk + u3 < {50 * MS}"],
        [f"clk + u3 < {50 * MS}"],
        [],
        [],
    ]


def test_example_6_one_millisecond_resets_or_not() -> None:
    found = alone().post({P4: clk(49, 52)}, 1 * MS)
    assert equal(found, {P5: z3.And(clk(50, 53), CTX == 0), P4: clk(50, 53)})


def test_example_6_five_more() -> None:
    chain = alone()
    found = chain.post(chain.post({P4: clk(49, 52)}, 1 * MS), 5 * MS)
    assert equal(found, {P5: z3.And(clk(55, 58), CTX == 0)})


def test_example_6_both_locations_in_the_reading_with_a_way_back() -> None:
    chain = alone(back=True)
    found = chain.post(chain.post({P4: clk(49, 52)}, 1 * MS), 5 * MS)
    assert equal(found, {P4: z3.And(clk(55, 58), CTX == 0), P5: z3.And(clk(55, 58), CTX == 0)})


@pytest.mark.parametrize("back", [False, True])
def test_example_6_six_at_once_are_impossible_but_not_in_parts(back: bool) -> None:
    chain = alone(back)
    start: Condition = {P4: clk(49, 52)}
    assert chain.satisfied(chain.post(start, 6 * MS)) == {}
    parts = chain.post(chain.post(start, 1 * MS), 5 * MS)
    assert chain.included(parts, chain.sp(start, 6 * MS))


@pytest.mark.parametrize("back", [False, True])
def test_example_7_the_meet_in_the_pre_image(back: bool) -> None:
    """The text leaves out the configurations that cannot wait a millisecond at all."""
    found = alone(back).pre({P4: clk(49, 52)}, 1 * MS, [P4, P5])
    stuck = CLK >= 54 * MS
    assert equal(found, {P4: z3.Or(z3.And(48 * MS <= CLK, CLK < 49 * MS), stuck)})
    assert chain().satisfied(alone(back).post({P4: stuck}, 1 * MS)) == {}


@pytest.mark.parametrize("one", [TEST_1, TEST_2, TEST_3], ids=lambda trace: trace.name)
def test_trying_everything_finds_the_same_fault(one: Trace) -> None:
    """In whole milliseconds; the clock is known here, as its grid would be long."""
    short = Trace(one.name, tuple(Event(e.time // MS, e.kind, e.ecu, e.operation, e.payload) for e in one.events))
    assert first_fault(_milliseconds(), short) == 2 * len(one.events) - 1


def _milliseconds() -> Model:
    from dataclasses import replace

    from rootward.traces.model.guard import Bound, Const

    time = expiry()
    early = ((Bound("clk", "<", 55),),)
    late = replace(time.edges[0], when=((Bound("clk", ">=", 50), Bound("clk", "<", 55)),), set={"ctx": Const(0)})
    locations = (replace(time.locations[0], stay=early), time.locations[1])
    operations = ctr().components[0]
    return replace(
        ctr(),
        components=(operations, replace(time, locations=locations, edges=(late, *time.edges[1:]))),
        clocks={"clk": 0},
    )
