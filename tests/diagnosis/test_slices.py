"""Conditions that differ by a choice are learnt slice by slice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.diagnosis.challenges import Basis, Challenger
from rootward.diagnosis.claim import Claim
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.questions import StepView
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps.slices import widen
from rootward.explanation.diagnosis import Explanation, FailureCause
from rootward.explanation.facts import CutShort
from rootward.rules import Atom, Rule
from rootward.search.ask import Ask
from rootward.search.relay import drive
from rootward.searches.conditions.rule_finding import EdgePair
from rootward.space.candidate import key_of
from rootward.study import Study
from rootward.subjects.function import as_subject
from rootward.verdict import FAIL, PASS, Outcome
from tests.properties import few

Fails = Callable[[Mapping[str, Any]], bool]
LIMITS = {"car": (3, 1300), "van": (5, 3500), "bus": (2, 18000), "bike": (1, 120)}
VEHICLES = rw.Space({"kind": rw.Choice(list(LIMITS)), "load": rw.Int(0, 100_000), "axles": rw.Int(0, 1000)})
VAN = {"kind": "van", "load": 50_000, "axles": 10}
PLACES = rw.Space({"n": rw.Int(0, 1000), "code": rw.Choice("abcde"), "order": rw.Choice("xyz"), "fast": rw.Bool()})
START = {"n": 500, "code": "b", "order": "y", "fast": True}


def is_overloaded(one: Mapping[str, Any]) -> bool:
    factor, rest = LIMITS[one["kind"]]
    return bool(one["load"] > factor * one["axles"] + rest)


def study(fails: Fails, space: rw.Space, failing: Mapping[str, Any]) -> Study:
    return Study("planted", Path("planted.toml"), as_subject(rw.fails_when(fails), isolate=False), space, failing)


@pytest.mark.parametrize("seed", few(1, range(4)))
def test_each_choice_may_have_its_own_relation(seed: int) -> None:
    """One search over all fields gives up: there is no relation that holds for all kinds."""
    found = rw.diagnose(study(is_overloaded, VEHICLES, VAN), seed=seed, budget=3000)
    for kind, axles in product(LIMITS, range(0, 1001, 50)):
        factor, rest = LIMITS[kind]
        for step in (-30, -1, 0, 1, 30):
            one = {"kind": kind, "axles": axles, "load": factor * axles + rest + step}
            assert found.rule.holds(one) is is_overloaded(one), one


def test_without_a_simple_condition_in_a_slice_it_ends_early() -> None:
    def is_strange(one: Mapping[str, Any]) -> bool:
        return hash((one["n"] * 7919 + 13, one["m"])) % 3 == 0 or one["mode"] == "c"

    space = rw.Space({"n": rw.Int(0, 10**6), "m": rw.Int(0, 10**6), "mode": rw.Choice("abc")})
    failing = next(one for n in range(99) if is_strange(one := {"n": n, "m": 5, "mode": "a"}))
    found = rw.diagnose(study(is_strange, space, failing), budget=3000)
    assert not found.certain
    assert found.trials < 900


# Fields that are fixed


def made_claim(space: rw.Space, runs: Iterable[tuple[Mapping[str, Any], bool]] = ()) -> Claim:
    claim = Claim(space, view=StepView())
    claim.runs.update({key_of(one): (one, fails) for one, fails in runs})
    claim.examined.update(space.names)
    return claim


def test_fields_with_few_values_that_matter_are_fixed_in_two_steps() -> None:
    space = rw.Space({"n": rw.Int(0, 1000), "small": rw.Int(0, 8), "code": rw.Choice("ab"), "fast": rw.Bool()})
    base: dict[str, Any] = {"n": 1, "small": 1, "code": "a", "fast": True}
    claim = made_claim(space, [(base, True), ({**base, "fast": False}, True), ({**base, "code": "b"}, False)])
    claim.runs["small"] = {**base, "small": 2}, False
    claim.causes = [FailureCause(Rule.always(), base)]
    assert claim.divide()
    assert (claim.sliced, claim.causes) == (("code",), [])
    assert claim.divide()
    assert claim.sliced == ("small", "code")
    assert not claim.divide()
    claim.start_over()
    assert claim.sliced == (), "without runs, nothing is known to matter"


def test_a_number_is_left_to_learn_a_condition_on() -> None:
    space = rw.Space({"small": rw.Int(0, 8), "code": rw.Choice("ab")})
    claim = made_claim(space, [({"small": n, "code": code}, n > 3 and code == "a") for n in range(9) for code in "ab"])
    assert claim.divide()
    assert claim.sliced == ("code",)
    assert not claim.divide()
    assert not made_claim(rw.Space({"code": rw.Choice("ab"), "fast": rw.Bool()})).divide()


# Widening


def widened(fails: Fails, rule: Rule, known: Sequence[Rule] = (), edges: Sequence[EdgePair] = ()) -> tuple[Rule, Claim]:
    given = study(fails, PLACES, START)
    claim = made_claim(PLACES)
    claim.sliced = ("code", "order", "fast")
    claim.causes = [FailureCause(one, START) for one in known]

    def answer(question: Ask[Any]) -> list[Outcome]:
        candidates: Sequence[Any] = question.candidates
        return [Outcome(FAIL if fails(one) else PASS) for one in candidates]

    state = DiagnosisState(given, Plan.of(given))
    state.begin("rule")
    return drive(widen(state, claim, rule, START, Explanation(), edges), answer), claim


BOUND = Rule([[Atom("n", ">", 300)]])


@pytest.mark.parametrize("number", few(6, range(40)))
def test_a_condition_is_widened_to_the_slices_that_share_it(number: int) -> None:
    """Other slices have another bound, by a little or by much, or never fail. The shared ones are a product of sets."""
    rng = random.Random(number)
    codes = {"b", *(code for code in "acde" if rng.random() < 0.5)}
    orders = {"y", *(order for order in "xz" if rng.random() < 0.5)}
    other = rng.choice([299, 301, 0, 700, 1000])

    def fails(one: Mapping[str, Any]) -> bool:
        return bool(one["n"] > (300 if one["code"] in codes and one["order"] in orders else other))

    rule, claim = widened(fails, BOUND)
    for code, order, fast, n in product("abcde", "xyz", (True, False), (300, 301)):
        one = {"n": n, "code": code, "order": order, "fast": fast}
        assert rule.holds(one) is (n > 300 and code in codes and order in orders)
    assert len(claim.runs) < 200


def test_each_known_pair_at_the_border_is_tried_in_other_slices() -> None:
    """Random pairs at the border of n != 64 seldom have 63 on the one side and 64 on the other."""
    rule = Rule([[Atom("n", "!=", 64)]])
    there = {**START, "n": 64}
    edges = [EdgePair({**there, "n": n}, there) for n in (63, 65)]
    found, _ = widened(lambda one: one["n"] not in ((63, 64) if one["code"] == "d" else (64,)), rule, edges=edges)
    assert str(found) == "code != d and n != 64"


def test_an_unneeded_choice_costs_little_and_is_not_named() -> None:
    rule, claim = widened(lambda one: bool(one["n"] > 300), BOUND)
    assert rule == BOUND
    assert len(claim.runs) <= 24


def test_a_failure_in_a_slice_with_another_condition_is_found() -> None:
    """It is not beside the border that the slices would share, but at an exceptional value."""
    rule, claim = widened(lambda one: one["n"] > 300 if one["code"] != "d" else one["n"] == 64, BOUND)
    assert str(rule) == "n > 300 and code != d"
    assert any(fails and one["code"] == "d" for one, fails in claim.runs.values())


def test_where_a_known_cause_holds_the_rule_says_nothing() -> None:
    known = Rule([[Atom("n", "<", 10)]])
    rule, _ = widened(lambda one: bool(one["n"] > 300 or one["n"] < 10), BOUND, [known])
    assert rule == BOUND


def test_a_part_of_the_condition_of_another_slice_is_not_shared() -> None:
    """Where n > 100 is known to fail, n > 300 does, too; but that is not its border."""
    known = Rule([[Atom("n", ">", 100), Atom("code", "=", "d")]])
    rule, _ = widened(lambda one: bool(one["n"] > (100 if one["code"] == "d" else 300)), BOUND, [known])
    assert str(rule) == "n > 300 and code != d"


def test_the_causes_of_slices_become_one_short_rule() -> None:
    claim = made_claim(PLACES, [({**START, "n": n, "code": code}, True) for n in (5, 500) for code in "ab"])
    claim.sliced = ("code",)
    bounds = {"a": 300, "b": 400}
    for code, bound in bounds.items():
        rule = Rule([[Atom("n", "<", 10)], [Atom("n", ">", bound)]]) & Rule([[Atom("code", "=", code)]])
        claim.causes.append(FailureCause(rule, START, open=(CutShort("rule"),)))
    before = claim.rule
    claim.unite_slices()
    assert claim.rule.equivalent(before, PLACES)
    assert [str(cause.rule) for cause in claim.causes] == [
        "n > 300 and code = a",
        "(n < 10 or n > 400) and code in {a, b}",
    ]
    assert all(cause.rule.holds(cause.example) for cause in claim.causes)
    assert claim.unknown == [CutShort("rule")] * 2


# Challenges


def challenge_slices(claim: Claim) -> list[dict[str, Any]]:
    basis = Basis(claim.runs)
    made = Challenger(claim.space, claim.causes, basis, never=None, rng=claim.rng, key=claim.key)
    return [claim.order_fields(one) for one in made.slices()]


@pytest.mark.parametrize("number", range(8))
def test_a_mistake_in_any_slice_is_challenged(number: int) -> None:
    """A claim is challenged in each combination of its choices: at the ends of its numbers, and at its own borders."""
    rng = random.Random(number)
    code, order = rng.choice("abcde"), rng.choice("xyz")
    rule = Rule([[Atom("n", ">", 300), Atom("code", "!=", "c"), Atom("order", "!=", "z")]])
    claim = made_claim(PLACES, [(START, True)])
    claim.causes = [FailureCause(rule, START)]
    place = {"code": code, "order": order}

    def fails(one: Mapping[str, Any]) -> bool:
        there = all(one[name] == value for name, value in place.items())
        return bool(one["n"] > 301 if there and rule.holds({**one, "n": 999}) else rule.holds(one) or there)

    runs = challenge_slices(claim)
    assert all(PLACES.check(one) == one for one in runs)
    refuting = [one for one in runs if rule.holds(one) is not fails(one)]
    assert refuting
    assert all((one["code"], one["order"]) == (code, order) for one in refuting)
    assert len(runs) < 70


def test_a_claim_without_choices_or_without_numbers_has_no_slices() -> None:
    claim = made_claim(PLACES, [(START, True)])
    for rule in (BOUND, Rule([[Atom("code", "=", "b")]])):
        claim.causes = [FailureCause(rule, START)]
        assert challenge_slices(claim) == []
