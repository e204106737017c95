"""The oracles agree with each other, and the paper's lemmas hold for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
import z3
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import TRUE, Bound, Const, Guard, Param, Var, names
from rootward.traces.model.guard import Test as Comparison
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model, Unknown
from rootward.traces.model.pattern import Pattern
from tests.properties import examples

from .reference import paper
from .reference.brute import Brute, Configuration, first_fault, steps
from .reference.ctr import ACK, GET, MS, SET, ctr, trace
from .reference.formulas import interpolant, joined, said, satisfiable
from .reference.networks import ALPHABET, networks, seeded
from .reference.paper import Condition, NotIdempotent, Paper

few = examples(6, derandomize=True, suppress_health_check=list(HealthCheck))
C, D = "c", "d"


def above(clock: str, limit: int) -> Bound:
    return Bound(clock, ">", limit)


def below(clock: str, limit: int) -> Bound:
    return Bound(clock, "<", limit)


def one(*edges: Edge, locations: Iterable[Location] = (Location("a"), Location("b")), name: str = "one") -> Component:
    return Component(name, tuple(locations), ("a",), edges)


def clocked(*components: Component) -> Model:
    return Model("small", components, clocks={C: 0, D: 0})


def event(time: int, text: str) -> Event:
    kind, ecu, operation, *payload = text.split()
    return Event(time, kind, ecu, operation, " ".join(payload))


def recording(*events: tuple[int, str], end: int | None = None) -> Trace:
    return Trace("small", tuple(event(*each) for each in events), end)


def both(model: Model, trace: Trace) -> int | None:
    """What both oracles say."""
    found = first_fault(model, trace)
    assert paper.first_fault(model, trace) == found
    return found


GO = Pattern("req M go")


def test_an_event_that_nobody_knows_is_no_fault() -> None:
    assert both(clocked(one(Edge("b", "a", GO))), recording((0, "req M other"))) is None


def test_an_event_that_is_known_somewhere_else_is_a_fault() -> None:
    assert both(clocked(one(Edge("b", "a", GO))), recording((0, "req M go"))) == 1


def test_staying_is_asked_only_where_a_part_ends() -> None:
    late = clocked(one(locations=[Location("a", stay=((Bound(C, ">=", 4),),))]))
    assert both(late, recording(end=4)) is None
    assert both(late, recording(end=3)) == 0
    assert both(late, recording(end=0)) is None


def test_what_must_leave_at_one_moment_leaves_together() -> None:
    """Each may go only at 2, where the other one may not stay."""
    at_two: Guard = ((Bound(C, ">=", 2), Bound(C, "<=", 2)),)
    places = (Location("a", stay=((below(C, 2),),)), Location("b"))
    pair = [one(Edge("a", "b", when=at_two), locations=places, name=name) for name in ("one", "two")]
    assert both(clocked(*pair), recording(end=3)) is None
    assert both(clocked(pair[0], one(locations=places)), recording(end=3)) == 0


def test_a_location_whose_invariant_fails_cannot_be_entered() -> None:
    places = (Location("a"), Location("b", invariant=((below(C, 2),),)))
    assert both(clocked(one(Edge("a", "b", GO), locations=places)), recording((2, "req M go"))) == 1
    reset = one(Edge("a", "b", GO, reset=frozenset({C})), locations=places)
    assert both(clocked(reset), recording((2, "req M go"))) is None
    assert both(clocked(reset), recording((2, "req M go"), end=4)) == 2


def test_guards_see_the_values_before_the_update() -> None:
    swap = Edge("a", "a", GO, set={"x": Var("y"), "y": Var("x")})
    tell = Edge(
        "a", "a", Pattern("res M is <v>"), when=((Comparison(Var("x"), "=", Param("v")),),), set={"x": Const("r")}
    )
    model = Model("small", (one(swap, tell),), variables={"x": "r", "y": "s"})
    assert both(model, recording((0, "res M is r"), (0, "req M go"), (0, "res M is s"), (0, "res M is r"))) is None
    assert both(model, recording((0, "req M go"), (0, "res M is r"))) == 3


def test_a_value_that_is_not_known_is_the_same_each_time() -> None:
    tell = Edge("a", "a", Pattern("res M is <v>"), when=((Comparison(Var("x"), "=", Param("v")),),))
    model = Model("small", (one(tell),), variables={"x": UNKNOWN})
    assert both(model, recording((0, "res M is 7"), (0, "res M is 7"))) is None
    assert both(model, recording((0, "res M is 7"), (0, "res M is 8"))) == 3


def test_a_number_and_a_text_are_neither_equal_nor_in_order() -> None:
    number = Edge("a", "b", GO, when=((Comparison(Var("x"), "<", Const(5)),), (Comparison(Var("x"), ">=", Const(5)),)))
    text = Edge("b", "a", GO, when=((Comparison(Var("x"), "=", Const("5")),),))
    model = Model("small", (one(number, text),), variables={"x": UNKNOWN})
    assert both(model, recording((0, "req M go"))) is None
    assert both(model, recording((0, "req M go"), (0, "req M go"))) == 3


def test_two_moments_inside_one_microsecond_need_a_finer_grid() -> None:
    first = Edge("a", "b", when=((above(C, 0), below(C, 1)),), reset=frozenset({D}))
    second = Edge("b", "c", when=((above(D, 0), below(C, 1)),))
    last = Edge("c", "c", GO)
    model = clocked(one(first, second, last, locations=[Location("a"), Location("b"), Location("c")]))
    told = recording((1, "req M go"))
    assert [first_fault(model, told, grain) for grain in (1, 2, 3)] == [1, 1, None]
    assert paper.first_fault(model, told) is None


@pytest.mark.rest
def test_a_cycle_of_time_that_never_ends_is_refused() -> None:
    """It starts its clock anew each microsecond: 40 rounds show 40 things."""
    each: Guard = ((Bound(C, ">=", 1), Bound(C, "<=", 1)),)
    ticking = clocked(one(Edge("a", "a", when=each, reset=frozenset({C}))))
    chain = Paper(ticking)
    with pytest.raises(NotIdempotent):
        chain.sp(chain.initial, 40)


def test_networks_are_the_same_for_the_same_seed() -> None:
    assert networks(7) == networks(7)
    assert networks(7) != networks(8)


@pytest.mark.rest
def test_networks_have_what_makes_them_hard() -> None:
    seen: Counter[str] = Counter()
    for seed in range(30):
        model, traces = networks(seed, 4)
        seen["clocks"] += len(model.clocks) > 1
        seen["unknown clock"] += any(isinstance(start, Unknown) for start in model.clocks.values())
        seen["unknown value"] += any(isinstance(start, Unknown) for start in model.variables.values())
        places = [at for component in model.components for at in component.locations]
        seen["invariant"] += any(at.invariant != TRUE for at in places)
        seen["stay"] += any(at.stay != TRUE for at in places)
        seen["time"] += any(edge.on is None for component in model.components for edge in component.edges)
        for each in traces:
            found = Brute(model).first_fault(each)
            seen["accepted" if found is None else "late" if found % 2 == 0 else "forbidden"] += 1
    assert all(seen[what] >= 8 for what in ("clocks", "unknown clock", "unknown value", "invariant", "stay", "time"))
    assert 40 <= seen["accepted"] <= 100
    assert seen["late"] >= 5
    assert seen["forbidden"] >= 5


@pytest.mark.rest
def test_lemma_2_both_oracles_find_the_same_fault() -> None:
    for seed in range(300, 305):
        model, traces = networks(seed, 2, 2)
        for each in traces:
            expected = first_fault(model, each)
            found = paper.first_fault(model, each)
            assert found == expected or found == first_fault(model, each, 6), (seed, each)


CTR = Paper(ctr())
EVENTS = tuple(each for each in trace("get", (0, SET), (0, ACK), (0, GET), (0, "res CTR ret 0")).events)
waits = st.tuples(*[st.integers(0, 70)] * 4)


def explained(times: tuple[int, ...]) -> list[paper.Step]:
    return [step for time, each in zip(times, EVENTS, strict=True) for step in (time * MS, each)]


@examples(15, derandomize=True)
@given(waits, waits)
def test_lemma_3_the_key_is_the_equivalence_of_the_paper(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    def holds(literal: z3.BoolRef, times: tuple[int, ...]) -> bool:
        put = [(z3.Real(f"u{number}"), z3.RealVal(time * MS)) for number, time in enumerate(times)]
        return satisfiable(CTR.positive, z3.substitute(literal, *put))

    alike = all(holds(each, one) == holds(each, other) for at in CTR.template(EVENTS) for each in at)
    assert (CTR.key(explained(one)) == CTR.key(explained(other))) == alike


def point(chain: Paper, brute: Brute, one: Configuration) -> Condition:
    """The condition that only this configuration satisfies."""
    values = [chain.variables[n] == chain.code(v) for n, v in zip(brute.variables, one.values, strict=True)]
    ticks = [chain.clocks[n] == z3.Q(t, brute.grain) for n, t in zip(brute.clocks, one.clocks, strict=True)]
    return {one.locations: z3.And(*values, *ticks)}


def points(chain: Paper, brute: Brute, several: Iterable[Configuration]) -> Condition:
    found: Condition = {}
    for one in several:
        for place, formula in point(chain, brute, one).items():
            found[place] = z3.Or(found.get(place, z3.BoolVal(False)), formula)
    return found


def sample(brute: Brute, random: Random, traces: list[Trace], count: int = 3) -> list[Configuration]:
    """Some configurations on the way, whose clocks are not at their end."""
    states = set(brute.begin())
    now = 0
    for each, time in steps(traces[0]):
        states |= brute.wait(states, time - now) if each is None else brute.step(states, each)
        now = time
    low = sorted((one for one in states if all(tick < brute.top - 4 for tick in one.clocks)), key=repr)
    return random.sample(low, min(count, len(low)))


def condition(chain: Paper, random: Random, places: Iterable[tuple[str, ...]]) -> Condition:
    """Any condition, of guards that the model has."""
    guards = [at.stay for component in chain.model.components for at in component.locations]
    guards += [edge.when for component in chain.model.components for edge in component.edges if not names(edge.when)[1]]
    guards.append(((below(random.choice(list(chain.clocks)), 3),),))
    return {place: chain.guard(random.choice(guards)) for place in places}


Case = tuple[Model, list[Trace]]


@few
@given(seeded(), st.randoms(use_true_random=False))
def test_lemma_4_the_post_image_is_exact(case: Case, random: Random) -> None:
    brute, chain = Brute(case[0]), Paper(case[0])
    told, time = event(0, random.choice(ALPHABET)), random.choice((0, 1, 2))
    for one in sample(brute, random, case[1]):
        after = chain.satisfied(chain.post(point(chain, brute, one), told))
        expected = points(chain, brute, brute.step([one], told))
        assert chain.included(after, expected)
        assert chain.included(expected, after)
        after = chain.satisfied(chain.post(point(chain, brute, one), time))
        expected = points(chain, brute, brute.part(one, time) | ({one} if time == 0 else set()))
        assert chain.included(after, expected)
        assert chain.included(expected, after)


@few
@given(seeded(), st.randoms(use_true_random=False))
def test_lemma_5_what_waiting_leads_to_is_in_the_strongest_postcondition(case: Case, random: Random) -> None:
    """And on the grid nothing else is."""
    brute, chain = Brute(case[0], 4), Paper(case[0])
    time = random.choice((1, 2, 3))
    for one in sample(brute, random, case[1], 2):
        after = chain.sp(point(chain, brute, one), time)
        expected = points(chain, brute, brute.wait([one], time))
        assert chain.included(expected, after)
        whole = [z3.IsInt(2 * clock) for clock in chain.clocks.values()]
        short = [clock < brute.top // 4 for clock in chain.clocks.values()]
        assert chain.included({at: z3.And(formula, *whole, *short) for at, formula in after.items()}, expected)


@few
@given(seeded(), st.randoms(use_true_random=False))
def test_lemma_6_the_pre_image_is_exact(case: Case, random: Random) -> None:
    brute, chain = Brute(case[0]), Paper(case[0])
    told, time = event(0, random.choice(ALPHABET)), random.choice((0, 1, 2))
    for one in sample(brute, random, case[1]):
        for step, ends in (
            (told, brute.step([one], told)),
            (time, brute.part(one, time) | ({one} if not time else set())),
        ):
            goal = condition(chain, random, sorted({end.locations for end in ends}))
            expected = chain.included(points(chain, brute, ends), goal)
            before = chain.pre(goal, step, [one.locations])
            assert chain.included(point(chain, brute, one), before) == expected


@few
@given(seeded(), st.randoms(use_true_random=False))
def test_lemma_7_the_weakest_precondition_is_exact(case: Case, random: Random) -> None:
    brute, chain = Brute(case[0]), Paper(case[0])
    time = random.choice((0, 1, 3))
    for one in sample(brute, random, case[1], 2):
        start = point(chain, brute, one)
        after = chain.sp(start, time)
        goal = condition(chain, random, after)
        before = chain.wp(time, goal, [one.locations])
        assert chain.valid(before, [time], goal)
        assert chain.included(start, before) == chain.included(after, goal)


@few
@given(seeded())
def test_weakened_proofs_are_valid_and_explanations_still_fail(case: Case) -> None:
    chain = Paper(case[0])
    for each in case[1]:
        strong = chain.run(paper.steps(each)[:9])
        if strong.conditions[-1]:
            continue
        proof = chain.weakened(strong)
        for low, high in zip(strong.conditions, proof.conditions, strict=True):
            assert chain.included(low, high)
        for before, step, after in zip(proof.conditions[:-1], proof.steps, proof.conditions[1:], strict=True):
            assert chain.valid(before, [step], after)
        for kept in chain.explanations(proof):
            assert chain.valid(chain.initial, [proof.steps[index] for index in kept], paper.FALSE)


def test_an_interpolant_lies_between() -> None:
    x, y = z3.Reals("x y")
    low, high = z3.And(x == 1, y == 2), z3.Or(x < 5, y > 7)
    found = interpolant(low, high, z3.BoolVal(True))
    assert [[said(literal) for literal in clause] for clause in found] == [["x < 5"]]
    assert not satisfiable(low, z3.Not(joined(found)))
    assert not satisfiable(joined(found), z3.Not(high))


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("x + y < 5", z3.Not(5 - z3.Real("y") <= z3.Real("x"))),
        ("x >= -3", -z3.Real("x") <= 3),
        ("x + -1*y != 0", z3.Not(z3.Real("y") == z3.Real("x"))),
        ("x + 2*y > 1/2", 2 * z3.Real("y") + z3.Real("x") > z3.Q(1, 2)),
    ],
)
def test_a_comparison_is_said_in_one_way(text: str, literal: z3.BoolRef) -> None:
    assert said(literal) == text
