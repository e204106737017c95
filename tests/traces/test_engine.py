"""What a model may do: the engine on small models, on the paper's counter, and where brute force once knew better."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rootward.errors import InputError
from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import Bound, Const, Param, Var
from rootward.traces.model.guard import Test as Comparison
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern
from rootward.traces.running.engine import Engine, States, TooManyStates
from rootward.traces.running.replay import find_witnesses
from rootward.traces.running.state import SymbolicState
from rootward.traces.running.unknown_values import Symbol
from rootward.traces.running.zone import ORIGIN, Zone, at_most, less_than

from .reference.brute import first_fault, steps
from .reference.ctr import ACK, GET, MS, SET, TEST_1, TEST_2, TEST_3, ctr, expiry, trace
from .reference.networks import networks

GO = Pattern("req M go")
CTX = Symbol("ctx")


def event(time: int, text: str) -> Event:
    kind, ecu, operation, *payload = text.split()
    return Event(time, kind, ecu, operation, " ".join(payload))


def part(name: str, *edges: Edge, locations: tuple[Location, ...] = (Location("a"), Location("b"))) -> Component:
    return Component(name, locations, ("a",), edges)


def locations(engine: Engine, states: States) -> set[tuple[str, ...]]:
    return {tuple(engine.location(one, c.name) for c in engine.model.components) for one in states}


# Example 6 of the paper; instant 0 is now.


def alone(back: bool = False) -> Engine:
    whole = ctr(back)
    return Engine(Model("expiry", (expiry(back),), whole.variables, whole.clocks))


def clk(engine: Engine, low: int, high: int) -> SymbolicState:
    """In p4, with the clock between two values."""
    [state] = engine.begin()
    assert state.zone is not None
    above = state.zone.restrict(0, ORIGIN, at_most(-low * MS))
    both = above and above.restrict(ORIGIN, 0, at_most(high * MS))
    assert both is not None
    return state._replace(zone=both)


def found(engine: Engine, states: States, now: int) -> set[tuple[str, object, int, int]]:
    """Location, ctx, and the bounds of the clock."""
    return {
        (
            engine.location(one, "expiry"),
            one.data[0],
            at_most(now) - one.zone.bound(0, ORIGIN),
            one.zone.bound(ORIGIN, 0) + 2 * now,
        )
        for one in states
        if one.zone is not None
    }


def test_example_6_after_one_millisecond_the_value_is_lost_or_not() -> None:
    engine = alone()
    after = engine.wait([clk(engine, 49, 52)], 0, 1 * MS)
    low, high = 2 * 50 * MS, at_most(53 * MS)
    assert found(engine, after, 1 * MS) == {("p4", CTX, low, high), ("p5", 0, low, high)}


def test_example_6_after_five_more_it_is_lost() -> None:
    engine = alone()
    after = engine.wait(engine.wait([clk(engine, 49, 52)], 0, 1 * MS), 1 * MS, 6 * MS)
    assert {one[:2] for one in found(engine, after, 6 * MS)} == {("p5", 0)}
    assert engine.wait([clk(engine, 49, 52)], 0, 6 * MS) == after


def test_example_6_with_a_way_back_it_is_lost_in_both() -> None:
    engine = alone(back=True)
    after = engine.wait(engine.wait([clk(engine, 49, 52)], 0, 1 * MS), 1 * MS, 6 * MS)
    assert {one[:2] for one in found(engine, after, 6 * MS)} == {("p4", 0), ("p5", 0)}


def test_an_acknowledgement_makes_all_known() -> None:
    engine = Engine(ctr())
    states = engine.step(engine.wait(engine.begin(), 0, 3 * MS), event(3 * MS, SET))
    assert {one.resets for one in states} == {(None,)}
    states = engine.step(engine.wait(states, 3 * MS, 5 * MS), event(5 * MS, ACK))
    assert states == (SymbolicState((0, 0), (5,), (5 * MS,)),)


@pytest.mark.parametrize(("wait", "answers"), [(49, {"5"}), (52, {"0", "5"}), (55, {"0"})])
def test_example_2_what_get_may_return(wait: int, answers: set[str]) -> None:
    engine = Engine(ctr())
    asked = trace("get", (1, SET), (1, ACK), (wait, GET))
    allowed = set()
    for value in ("0", "5", "7"):
        whole = replace(asked, events=(*asked.events, event(asked.events[-1].time, f"res CTR ret {value}")))
        witness = next(find_witnesses(engine, whole), None)
        if witness is None:
            allowed.add(value)
    assert allowed == answers


@pytest.mark.parametrize("one", [TEST_1, TEST_2, TEST_3], ids=lambda one: one.name)
def test_example_1_the_answer_to_get_is_the_fault(one: Trace) -> None:
    [witness] = find_witnesses(Engine(ctr()), one)
    assert witness.steps[-1] == one.events[-1]
    assert len(witness.steps) == len(witness.reached) == 2 * len(one.events)


# Brute force


def test_where_a_way_that_is_taken_once_was_not_the_only_one() -> None:
    model, traces = networks(2019, 2, 2)
    engine = Engine(model)
    states, now = engine.begin(), 0
    for step, time in steps(traces[1]):
        states = engine.wait(states, now, time) if step is None else engine.step(states, step)
        now = time
    assert first_fault(model, traces[1]) is None
    assert states


# Components


def test_a_component_that_knows_an_event_and_has_no_edge_for_it_forbids_it() -> None:
    willing, unwilling = part("willing", Edge("a", "a", GO)), part("unwilling", Edge("b", "a", GO))
    stranger = part("stranger", Edge("b", "a", Pattern("req M other")))
    go = event(0, "req M go")
    for components, allowed in (((willing, stranger), True), ((willing, unwilling), False), ((stranger,), True)):
        engine = Engine(Model("small", components))
        assert bool(engine.step(engine.begin(), go)) == allowed


def test_of_two_that_set_a_variable_the_later_wins() -> None:
    first, second = (
        part("one", Edge("a", "b", GO, set={"x": Const(1)})),
        part("two", Edge("a", "b", GO, set={"x": Const(2)})),
    )
    for components, value in (((first, second), 2), ((second, first), 1)):
        engine = Engine(Model("small", components, {"x": 0}))
        [after] = engine.step(engine.begin(), event(0, "req M go"))
        assert after.data == (value,)


def test_guards_and_values_see_what_was_before() -> None:
    x, y = Var("x"), Var("y")
    swap = part("swap", Edge("a", "b", GO, set={"x": y, "y": x}))
    other = part("other", Edge("a", "b", GO, when=((Comparison(x, "=", Const(1)),),)))
    engine = Engine(Model("small", (swap, other), {"x": 1, "y": 2}))
    [after] = engine.step(engine.begin(), event(0, "req M go"))
    assert after.data == (2, 1)
    assert not engine.step([after], event(0, "req M go"))


def test_a_parameter_tells_a_value_that_was_not_known() -> None:
    read = Edge("a", "a", Pattern("res M read <v:int>"), when=((Comparison(Var("x"), "=", Param("v")),),))
    engine = Engine(Model("small", (part("memory", read),), {"x": UNKNOWN}))
    states = engine.step(engine.begin(), event(0, "res M read 7"))
    assert [one.data for one in states] == [(7,)]
    assert not engine.step(states, event(1, "res M read 8"))
    assert engine.step(states, event(1, "res M read 7")) == states


# Time


def test_a_cycle_that_never_rests_is_told() -> None:
    """A metronome whose every beat is a state of its own."""
    exactly = ((Bound("c", ">=", 1), Bound("c", "<=", 1)),)
    beat = part("metronome", Edge("a", "a", when=exactly, reset=frozenset({"c"})))
    engine = Engine(Model("restless", (beat,), clocks={"c": 0}), rounds=50)
    assert {one.resets for one in engine.wait(engine.begin(), 0, 10)} == {(k,) for k in range(11)}
    with pytest.raises(TooManyStates, match="model restless: it reaches more than"):
        engine.wait(engine.begin(), 0, 100)
    assert issubclass(TooManyStates, InputError)


def test_staying_has_a_limit_and_so_has_an_invariant() -> None:
    before = ((Bound("c", "<", 5),),)
    for location in (Location("a", stay=before), Location("a", invariant=before)):
        engine = Engine(Model("small", (part("timer", locations=(location,)),), clocks={"c": 0}))
        assert engine.wait(engine.begin(), 0, 4) == engine.begin()
        assert not engine.wait(engine.begin(), 0, 5)
        assert engine.patience == 6


def test_an_edge_of_time_is_taken_at_an_instant_that_is_then_known_as_a_span() -> None:
    start = Edge("a", "b", when=((Bound("c", ">=", 2), Bound("c", "<", 4)),), reset=frozenset({"d"}))
    late = part("timer", start, locations=(Location("a", stay=((Bound("c", "<", 4),),)), Location("b")))
    engine = Engine(Model("small", (late,), clocks={"c": 0, "d": 0}))
    [after] = engine.wait(engine.begin(), 0, 10)
    assert after.resets == (0, None)
    span = Zone().with_name(1).restrict(1, ORIGIN, less_than(4))
    assert after.zone == (span and span.restrict(ORIGIN, 1, at_most(-2)))


def test_no_time_changes_nothing_where_one_may_not_stay() -> None:
    never = part("hurried", Edge("a", "b", GO), locations=(Location("a", stay=()), Location("b")))
    engine = Engine(Model("small", (never,)))
    assert engine.wait(engine.begin(), 3, 3) == engine.begin()
    assert not engine.wait(engine.begin(), 3, 4)
    assert locations(engine, engine.step(engine.begin(), event(3, "req M go"))) == {("b",)}


def test_every_initial_location_whose_invariant_holds_is_one() -> None:
    late = Location("b", invariant=((Bound("c", ">=", 1),),))
    both = replace(part("any", locations=(Location("a"), late)), initial=("a", "b"))
    for shown, expected in ((0, {("a",)}), (1, {("a",), ("b",)})):
        engine = Engine(Model("small", (both,), clocks={"c": shown}))
        assert locations(engine, engine.begin()) == expected
