"""Claims, and the checker of proofs, against single configurations: what is accepted is true of each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import Bound, Const, Param, Value, Var, compare
from rootward.traces.model.guard import Test as Comparison
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern
from rootward.traces.proving.check import Checker, is_covered
from rootward.traces.proving.claim import (
    ALWAYS,
    NEVER,
    Case,
    Claim,
    Condition,
    InLocation,
    ResetDistance,
    bound_claim,
    case_before,
    find_mentioned,
    make_condition,
    shift_condition,
    state_implies,
    tidy,
)
from rootward.traces.proving.proof import Prover
from rootward.traces.running.engine import Engine
from rootward.traces.running.part import Move
from rootward.traces.running.replay import find_witnesses
from rootward.traces.running.zone import at_most, less_than
from tests.properties import few

from .reference.brute import Brute, Configuration
from .reference.networks import ALPHABET, network, networks

GRAIN = 2
LONG = 12
"""Microseconds: no clock shows more to begin with."""
VALUES: tuple[Value, ...] = (-1, 0, 1, 2, 3, "r", "s", "fresh")
Triple = tuple[Condition, Step, Condition]


def true(model: Model, claim: Claim, one: Configuration, now: int) -> bool:
    """Whether a claim is true of a configuration at an instant."""
    if isinstance(claim, InLocation):
        return one.locations[[part.name for part in model.components].index(claim.component)] == claim.location
    if isinstance(claim, ResetDistance):
        clocks = dict(zip(model.clocks, one.clocks, strict=True))
        late, early = (0 if name is None else now * GRAIN - clocks[name] for name in (claim.late, claim.early))
        apart = 2 * (late - early)
        return apart <= GRAIN * (claim.bound - 1) if claim.bound & 1 else apart < GRAIN * claim.bound
    values = dict(zip(model.variables, one.values, strict=True))
    left, right = (
        values[side.name] if isinstance(side, Var) else side.value if isinstance(side, Const) else side
        for side in (claim.left, claim.right)
    )
    return compare(left, claim.op, right)  # type: ignore[arg-type]


def fulfils(model: Model, some: Condition, one: Configuration, now: int) -> bool:
    return any(all(true(model, claim, one, now) for claim in case) for case in some)


def configurations(model: Model, case: Case, now: int, random: Random, tries: int) -> Iterator[Configuration]:
    """Some configurations of a case."""
    fixed = {claim.component: claim.location for claim in case if isinstance(claim, InLocation)}
    places = [[fixed[p.name]] if p.name in fixed else [at.name for at in p.locations] for p in model.components]
    for _ in range(tries):
        one = Configuration(
            tuple(map(random.choice, places)),
            tuple(random.choice(VALUES) for _ in model.variables),
            tuple(random.randint(0, LONG * GRAIN) for _ in model.clocks),
        )
        if all(true(model, claim, one, now) for claim in case):
            yield one


def brute(model: Model) -> Brute:
    """One whose clocks never stop."""
    found = Brute(model, GRAIN)
    found.top = 1 << 40
    return found


def order(case: Case) -> list[str]:
    return sorted(map(repr, case))


def refuted(slow: Brute, triple: Triple, random: Random, tries: int = 30) -> Configuration | None:
    """A configuration of the first condition from which a step leads out of the second."""
    first, step, then = triple
    start, end = step if isinstance(step, Wait) else (step.time, step.time)
    for case in sorted(first, key=order):
        for one in configurations(slow.model, case, start, random, tries):
            after = slow.wait([one], end - start) if isinstance(step, Wait) else slow.step([one], step)
            if not all(fulfils(slow.model, then, each, end) for each in after):
                return one
    return None


@cache
def proved(seed: int) -> tuple[Model, list[Triple]]:
    """The steps of proofs about a random network."""
    model, traces = networks(seed, 2, 2)
    engine = Engine(model)
    prover = Prover(engine)
    proofs = [prover.prove(witness) for one in traces for witness in find_witnesses(engine, one)]
    triples = [t for one in proofs for t in zip(one.conditions, one.steps, (*one.conditions[1:], NEVER), strict=True)]
    return model, list(dict.fromkeys(triples))


# Pulling back


def claims(model: Model, now: int, random: Random) -> Case:
    """Some claims about anything."""
    found: set[Claim] = set()
    for _ in range(random.randint(1, 4)):
        part = random.choice(model.components)
        late, early = random.choice([None, *model.clocks]), random.choice([None, *model.clocks])
        limit = random.randint(-4, 4) + now * ((late is not None) - (early is not None))
        name = Var(random.choice(list(model.variables)))
        choices: dict[int, set[Any]] = {
            0: {InLocation(part.name, random.choice(part.locations).name)},
            1: {Comparison(name, random.choice(("=", "!=", "<", ">=")), Const(random.choice((0, 1, 2))))},
            2: {Comparison(name, random.choice(("in", "not in")), (0, "r"))},
            3: {Comparison(name, "=", Var(random.choice(list(model.variables))))},
            4: {ResetDistance(late, early, random.choice((less_than, at_most))(limit))} if late != early else set(),
        }
        found |= choices[random.randrange(5)]
    return frozenset(found)


def only(model: Model, joint: Iterable[Move]) -> Model:
    """The model that can do nothing but these moves."""
    edges = {move.option.owner: replace(move.option.edge, when=(move.option.when,)) for move in joint}
    parts = [replace(one, edges=(edges[one.name],) if one.name in edges else ()) for one in model.components]
    return replace(model, components=tuple(parts))


@pytest.mark.parametrize("seed", range(0, 60, 10))
def test_a_case_holds_after_moves_if_what_is_before_it_held(seed: int) -> None:
    outcomes: list[tuple[bool, bool]] = []
    for number in range(seed, seed + 10):
        random = Random(number)
        model = network(random, 2)
        engine, now = Engine(model), 20
        for text in ALPHABET:
            kind, ecu, operation, *payload = text.split()
            event = Event(now, kind, ecu, operation, " ".join(payload))
            known = engine.moves(event)
            joint = [random.choice(random.choice([some for some in moves.values() if some])) for _, moves in known]
            if not joint:
                continue
            slow, case = brute(only(model, joint)), claims(model, now, random)
            where = frozenset(InLocation(move.option.owner, move.option.edge.source) for move in joint)
            first = case_before(case, joint, now)
            for one in configurations(model, where, now, random, 20):
                for after in slow.step([one], event):
                    told = first is not None and fulfils(model, frozenset([first]), one, now)
                    outcomes.append((told, fulfils(model, frozenset([case]), after, now)))
    assert all(told == held for told, held in outcomes)
    assert {held for _, held in outcomes} == {True, False}


def test_what_is_before_moves() -> None:
    ack = Edge("a", "b", Pattern("res M ack <v:int>"), set={"x": Param("v"), "y": Var("x")}, reset=frozenset({"c"}))
    part = Component("m", (Location("a"), Location("b")), ("a",), (ack,))
    engine = Engine(Model("small", (part,), {"x": 0, "y": 0}, {"c": 0, "d": 0}))
    [(_, moves)] = engine.moves(Event(7, "res", "M", "ack", "5"))
    [move] = moves[0]

    def led(*some: Claim) -> Case | None:
        return case_before(frozenset(some), [move], 7)

    x, y = Var("x"), Var("y")
    assert led(InLocation("m", "b")) == frozenset()
    assert led(InLocation("m", "a")) is None
    assert led(Comparison(x, "=", Const(5)), Comparison(y, "=", Const(3))) == {Comparison(x, "=", Const(3))}
    assert led(Comparison(x, ">", Const(5))) is None
    assert led(ResetDistance("c", None, at_most(7))) == frozenset()
    assert led(ResetDistance("c", None, less_than(7))) is None
    assert led(ResetDistance("c", "d", at_most(3))) == {ResetDistance(None, "d", at_most(-4))}
    assert led(ResetDistance("d", None, at_most(3))) == {ResetDistance("d", None, at_most(3))}


# Cases and conditions


@pytest.mark.parametrize("seed", range(20))
def test_tidy_says_the_same(seed: int) -> None:
    random = Random(seed)
    model = network(random, 2)
    case = claims(model, 20, random) | claims(model, 20, random) | claims(model, 20, random)
    short = tidy(case)
    assert tidy(short) == short <= case
    pairs = [(one.late, one.early) for one in short if isinstance(one, ResetDistance)]
    assert len(pairs) == len(set(pairs))
    for one in configurations(model, frozenset(), 20, random, 200):
        assert fulfils(model, frozenset([case]), one, 20) == fulfils(model, frozenset([short]), one, 20)


def test_a_condition_has_no_case_that_another_includes() -> None:
    here: Any = InLocation("m", "a")
    five: Any = Comparison(Var("x"), "=", Const(5))
    short, long, other = frozenset([here]), frozenset([here, five]), frozenset([five])
    assert make_condition([long, short, other]) == {short, other}
    assert make_condition([long]) == {long}
    assert make_condition([long, frozenset()]) == ALWAYS
    assert make_condition([]) == NEVER


@pytest.mark.parametrize("seed", range(20))
def test_shifted_is_the_same_later(seed: int) -> None:
    random = Random(seed)
    model = network(random, 2)
    some = frozenset([claims(model, 20, random), claims(model, 20, random)])
    assert shift_condition(shift_condition(some, 5), -5) == some
    for one in configurations(model, frozenset(), 20, random, 200):
        assert fulfils(model, some, one, 20) == fulfils(model, shift_condition(some, 5), one, 25)


def test_a_bound_is_a_claim_at_an_instant() -> None:
    assert bound_claim(Bound("c", "<", 5), 7) == ResetDistance(None, "c", less_than(-2))
    assert bound_claim(Bound("c", "<=", 5), 7) == ResetDistance(None, "c", at_most(-2))
    assert bound_claim(Bound("c", ">", 5), 7) == ResetDistance("c", None, less_than(2))
    assert bound_claim(Bound("c", ">=", 5), 7) == ResetDistance("c", None, at_most(2))


def test_what_is_mentioned() -> None:
    case: Case = frozenset(
        [
            InLocation("m", "a"),
            Comparison(Var("x"), "=", Var("y")),
            ResetDistance("c", None, 1),
            Comparison(Var("z"), "in", (1, 2)),
        ]
    )
    assert find_mentioned([case]) == ({"m"}, {"x", "y", "z"}, {"c"})


@pytest.mark.parametrize("seed", range(20))
def test_what_is_true_of_a_state_is_true_of_its_configurations(seed: int) -> None:
    random = Random(seed)
    model = network(random, 2)
    engine, slow = Engine(model), brute(model)
    states = engine.wait(engine.begin(), 0, 3)
    reached = slow.wait(Brute(model, GRAIN).begin(), 3)
    for _ in range(40):
        case = claims(model, 3, random)
        if all(state_implies(engine, one, claim) for one in states for claim in case):
            assert is_covered(engine, states, frozenset([case]))
            assert all(fulfils(model, frozenset([case]), one, 3) for one in reached)


# The checker


@pytest.mark.parametrize("seed", few(3, range(0, 80, 10)))
def test_what_the_checker_accepts_is_true(seed: int) -> None:
    accepted = 0
    for number in range(seed, seed + 10):
        model, triples = proved(number)
        checker, slow, random = Checker(model), brute(model), Random(number)
        for triple in triples:
            if checker.follows(*triple):
                accepted += 1
                assert refuted(slow, triple, random) is None, (number, triple)
    assert accepted > 20


def worse(model: Model, triple: Triple, random: Random) -> Triple:
    """A triple that says more: of less before, of more after, or of a longer wait."""
    first, step, then = triple
    case = random.choice(sorted(first, key=order))
    match random.randrange(4):
        case 0 if case:
            less = case - {random.choice(sorted(case, key=repr))}
            return make_condition([*(first - {case}), less]), step, then
        case 1 if then:
            after = random.choice(sorted(then, key=order))
            end = step.end if isinstance(step, Wait) else step.time
            return first, step, then - {after} | {after | claims(model, end, random)}
        case 2 if then:
            return first, step, then - {random.choice(sorted(then, key=order))}
        case _ if isinstance(step, Wait):
            return first, Wait(step.start, max(step.start, step.end + random.choice((-2, -1, 1, 2)))), then
    return triple


@pytest.mark.parametrize("seed", few(3, range(0, 80, 10)))
def test_the_checker_rejects_what_is_false(seed: int) -> None:
    rejected = 0
    for number in range(seed, seed + 10):
        model, triples = proved(number)
        checker, slow, random = Checker(model), brute(model), Random(number)
        for triple in triples:
            changed = worse(model, triple, random) if triple[0] else triple
            if refuted(slow, changed, random) is not None:
                rejected += 1
                assert not checker.follows(*changed), (number, changed)
    assert rejected > 10


def test_a_condition_implies_another() -> None:
    part = Component("m", (Location("a"), Location("b")), ("a",), ())
    checker = Checker(Model("small", (part,), {"x": UNKNOWN}, {"c": UNKNOWN, "d": UNKNOWN}))

    def one(*some: Claim) -> Condition:
        return frozenset([frozenset(some)])

    a, b, five = InLocation("m", "a"), InLocation("m", "b"), Comparison(Var("x"), "=", Const(5))
    assert checker.implies(ALWAYS, one(a) | one(b))
    assert not checker.implies(ALWAYS, one(a))
    assert checker.implies(one(five), one(Comparison(Var("x"), ">", Const(4))))
    assert not checker.implies(one(Comparison(Var("x"), ">", Const(4))), one(five))
    chain = one(ResetDistance("c", "d", at_most(2)), ResetDistance("d", None, less_than(3)))
    assert checker.implies(chain, one(ResetDistance("c", None, less_than(5))))
    assert not checker.implies(chain, one(ResetDistance("c", None, less_than(4))))
    assert checker.implies(one(ResetDistance("c", None, at_most(4))), one(ResetDistance("c", None, at_most(9))), 5)
    assert not checker.implies(one(ResetDistance("c", None, at_most(4))), one(ResetDistance("c", None, at_most(9))), 6)
    assert checker.implies(NEVER, NEVER)
    assert not checker.implies(ALWAYS, NEVER)
    assert checker.holds_initially(one(a), 0)
    assert not checker.holds_initially(one(b), 0)
    assert not checker.holds_initially(one(five), 0)
