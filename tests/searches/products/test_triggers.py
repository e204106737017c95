"""The verb: what it accepts, what it refuses and how, and what its finding says."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.products.facts import Compared
from rootward.searches.products.product_set import ProductSet
from rootward.searches.products.values import Values
from rootward.space.keys import canonical
from tests.properties import examples

from .planted import keys, plant, whole

METHODS = ["columns", "hpsl"]
every_method = pytest.mark.parametrize("method", METHODS)
CAR = rw.Space({"gear": rw.Choice("PRND"), "speed": rw.Int(values=[-1, 0, 1, 9]), "lights": rw.Bool()})
REVERSE = {"gear": "R", "speed": 1, "lights": True}


def in_reverse(one: Mapping[str, Any]) -> bool:
    return bool(one["gear"] == "R" and one["speed"] > 0)


# What is refused


@every_method
@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (rw.Verdict.PASS, "it passed"),
        (rw.Verdict.OTHER, "it failed in another way"),
        (rw.Verdict.UNRESOLVED, "it could not be judged"),
    ],
)
def test_a_configuration_that_does_not_fail(method: str, verdict: rw.Verdict, said: str) -> None:
    with pytest.raises(rw.NotReproduced, match=f"did not fail when it was run: {said}"):
        rw.triggers(CAR, lambda one: verdict, REVERSE, method=method)


@every_method
@pytest.mark.parametrize(
    ("failing", "message"),
    [
        ({**REVERSE, "gear": "X"}, r"gear = 'X' \(str\): expected one of P, R, N, D"),
        ({**REVERSE, "speed": True}, r"speed = True \(bool\): expected integer"),
        ({**REVERSE, "lights": 1}, r"lights = 1 \(int\): expected False or True"),
        ({"gear": "R", "lights": True}, "missing field 'speed'"),
        ({**REVERSE, "sped": 1}, "unknown field 'sped'"),
        ({"gear": "R", "sped": 1, "lights": True}, "missing field 'speed'; unknown field 'sped'"),
        ([("gear", "R")], "a configuration must be a mapping from names to values"),
    ],
)
def test_a_configuration_that_is_not_in_the_space(method: str, failing: Any, message: str) -> None:
    runs: list[Any] = []
    with pytest.raises(rw.InputError, match=message):
        rw.triggers(CAR, runs.append, failing, method=method)
    assert runs == []


def test_a_field_that_is_given_twice() -> None:
    with pytest.raises(rw.InputError, match="the field 'a' is given twice"):
        rw.Space([("a", rw.Bool()), ("a", rw.Bool())])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "magic"}, "unknown method 'magic'; expected one of auto, columns, hpsl"),
        ({"samples": -1}, "samples must be a number of runs, 0 or more, not -1"),
        (
            {"samples": -1, "method": "hpsl"},
            "samples must be a number of runs, 0 or more, not -1",
        ),
        ({"samples": 1.5}, "samples must be a number of runs, 0 or more, not 1.5"),
        ({"samples": "3"}, "samples must be a number of runs, 0 or more, not '3'"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_is_run(options: Any, message: str) -> None:
    runs = []

    def subject(one: Any) -> rw.Verdict:
        runs.append(one)
        return rw.Verdict.FAIL

    with pytest.raises(rw.InputError, match=message):
        rw.triggers(CAR, subject, REVERSE, **options)
    assert runs == []


# Values of every kind


@every_method
@pytest.mark.parametrize(
    "values",
    [
        [math.nan, math.inf, -math.inf, 0.0, -0.0],
        [1, True, 1.0, "1", None],
        [[], [1], [[1]], {"x": 1}, {"x": [True]}],
        ["", " ", "true", "x" * 300, "\n"],
    ],
)
def test_a_choice_of_odd_values(method: str, values: list[Any]) -> None:
    """Each value in turn is the only one that triggers, and in turn the only one that does not."""
    space = rw.Space({"v": rw.Choice(values), "b": rw.Bool()})
    for place, value in enumerate(values):
        only = canonical(value)
        found = rw.triggers(space, rw.fails_when(_is(only)), {"v": value, "b": True}, method=method)
        assert keys(found.sets) == {"v": {only}}
        other = values[place - 1]
        found = rw.triggers(space, rw.passes_when(_is(only)), {"v": other, "b": True}, method=method)
        assert keys(found.sets) == {"v": {canonical(one) for one in values} - {only}}
        json.dumps(found.to_dict(), allow_nan=False)


def _is(wanted: bytes) -> Any:
    return lambda one: canonical(one["v"]) == wanted


@every_method
def test_every_float_of_the_dictionary(method: str) -> None:
    space = rw.Space({"x": rw.Float(), "y": rw.Float()})
    found = rw.triggers(space, rw.fails_when(lambda one: one["x"] < 0), {"x": -1.0, "y": math.nan}, method=method)
    assert keys(found.sets) == keys({"x": [value for value in space.values("x") if value < 0]})


@every_method
def test_a_failing_value_that_is_not_listed(method: str) -> None:
    space = rw.Space({"n": rw.Int(values=[0, 10, 20]), "x": rw.Float(values=[0.0]), "t": rw.Text(["a", "b"])})
    failing = {"n": 7, "x": -2.5, "t": "odd"}

    def fails(one: Any) -> bool:
        return 5 < one["n"] < 15 and one["x"] < 0 and one["t"] != "b"

    found = rw.triggers(space, rw.fails_when(fails), failing, method=method)
    assert keys(found.sets) == keys({"n": [7, 10], "x": [-2.5], "t": ["odd", "a"]})


# Small spaces


@every_method
def test_one_field(method: str) -> None:
    space = rw.Space({"gear": rw.Choice("PRND")})
    found = rw.triggers(
        space, rw.fails_when(lambda one: one["gear"] in "RN"), {"gear": "N"}, method=method, flaky=False
    )
    assert found.sets == {"gear": {"R", "N"}}
    assert found.trials <= 8


@every_method
def test_one_field_with_one_value(method: str) -> None:
    always = rw.fails_when(lambda one: one["a"] == "x")
    found = rw.triggers(rw.Space({"a": rw.Choice("x")}), always, {"a": "x"}, method=method, flaky=False)
    assert (found.sets, found.complete) == ({}, True)
    assert found.trials <= 3


@every_method
def test_nothing_matters(method: str) -> None:
    found = rw.triggers(CAR, rw.fails_when(lambda one: True), REVERSE, method=method)
    assert (found.sets, found.complexity, found.generalisation, found.fits) == ({}, 0, 1, True)
    assert str(found.rule) == "always"


@every_method
def test_other_failures_are_not_the_failure(method: str) -> None:
    def subject(one: dict[str, Any]) -> None:
        if one["gear"] == "R":
            raise ValueError("reverse")
        raise KeyError("anything else")

    found = rw.triggers(CAR, subject, REVERSE, method=method)
    assert found.sets == {"gear": {"R"}}
    assert found.signature is not None
    assert "ValueError" in found.signature


# A million values


@pytest.mark.rest
@pytest.mark.parametrize("kind", [rw.Ordinal, lambda values: rw.Int(values=values)])
def test_the_exact_thresholds_of_very_many_values(kind: Any, tmp_path: Path) -> None:
    space = rw.Space({"n": kind(range(200_000)), "lights": rw.Bool()})
    fails = rw.fails_when(lambda one: 23_457 <= one["n"] <= 154_321 and one["lights"])
    found = rw.triggers(space, fails, {"n": 100_000, "lights": True})
    assert (min(found.sets["n"]), max(found.sets["n"]), len(found.sets["n"])) == (23_457, 154_321, 130_865)
    assert found.trials <= 200
    assert found.thinned == ("n",)
    assert str(found.sets["n"]) == "[ 23457, ..., 154321 ]"
    assert found.generalisation == pytest.approx(0.654_325 / 2)
    for n, holds in [(23_456, False), (23_457, True), (90_001, True), (154_321, True), (154_322, False)]:
        assert found.rule.holds({"n": n, "lights": True}) is holds
    assert len(json.dumps(found.to_dict())) < 5_000
    assert found.report(tmp_path / "found.html").stat().st_size < 200_000


@pytest.mark.rest
def test_very_many_values_without_order() -> None:
    space = rw.Space({"n": rw.Choice(range(200_000)), "lights": rw.Bool()})
    found = rw.triggers(space, rw.fails_when(lambda one: one["n"] % 2 == 1), {"n": 7, "lights": True})
    assert 7 in found.sets["n"]
    assert all(value % 2 == 1 for value in found.sets["n"])
    assert found.trials <= 200
    assert len(json.dumps(found.to_dict())) < 20_000
    found = rw.triggers(space, rw.fails_when(lambda one: one["lights"]), {"n": 7, "lights": True})
    assert found.sets == {"lights": {True}}
    assert found.trials <= 160


NUMBERS = list(map(float, range(1000)))


@pytest.mark.parametrize(
    ("field", "low", "high"),
    [
        pytest.param(rw.Ordinal(range(999, -1, -1)), 0, 599, id="it descends"),
        pytest.param(rw.Ordinal([f"t{i}" for i in range(1000)]), 100, 999, id="not the order of text"),
        pytest.param(rw.Ordinal([None, *range(1000)]), 0, 500, id="not all of one kind"),
        pytest.param(rw.Float(values=[*NUMBERS, math.nan]), 400, 1000, id="NaN is in no range"),
        pytest.param(rw.Float(values=[-math.inf, *NUMBERS, math.inf]), 400, 1001, id="up to infinity"),
    ],
)
def test_the_rule_of_a_long_set_is_the_set(field: Any, low: int, high: int) -> None:
    """The values at the places from ``low`` to ``high`` trigger."""
    places = {canonical(value): place for place, value in enumerate(field.values)}
    fails = rw.fails_when(lambda one: low <= places[canonical(one["v"])] <= high)
    found = rw.triggers(rw.Space({"v": field}), fails, {"v": field.values[(low + high) // 2]})
    assert found.sets["v"].places == tuple(range(low, high + 1))
    for place in {0, low - 1, low, low + 1, 500, high - 1, high, high + 1} & set(range(len(field.values))):
        assert found.rule.holds({"v": field.values[place]}) is (low <= place <= high), field.values[place]
    json.dumps(found.to_dict(), allow_nan=False)


# What the finding says


@examples(60, derandomize=True)
@given(seed=st.integers(0, 10**6), fields=st.integers(1, 5), relevant=st.integers(0, 4))
def test_the_rule_agrees_with_the_sets(seed: int, fields: int, relevant: int) -> None:
    kinds = (rw.Bool(), rw.Choice(["P", None, [1]]), rw.Int(values=[-1, 0, 3]), rw.Float(values=[0.5, math.nan, 2.0]))
    problem = plant(seed, fields, relevant, kinds=kinds)
    found = rw.triggers(problem.space, rw.fails_when(problem.fails), problem.failing)
    for one in whole(problem.space):
        assert found.rule.holds(one) == all(one[name] in values for name, values in found.sets.items())


@pytest.mark.parametrize(
    ("triggering", "holds"),
    [([0.0], [-0.0, 0.0]), ([-0.0], [-0.0]), ([0.0, 1.0], [-0.0, 0.0, 1.0]), ([-1.0, -0.0], [-1.0, -0.0])],
)
def test_zero_in_a_rule_is_either_zero_as_in_code(triggering: list[float], holds: list[float]) -> None:
    """The set tells them apart; the rule only where the negative one is meant."""
    space = rw.Space({"x": rw.Float(values=[-1.0, -0.0, 0.0, 1.0])})
    wanted = set(map(canonical, triggering))
    found = rw.triggers(space, rw.fails_when(lambda one: canonical(one["x"]) in wanted), {"x": triggering[0]})
    assert keys(found.sets) == {"x": wanted}
    assert repr([value for value in space.values("x") if found.rule.holds({"x": value})]) == repr(holds)


@every_method
def test_to_dict_and_report(method: str, tmp_path: Path) -> None:
    found = rw.triggers(CAR, rw.fails_when(in_reverse), REVERSE, method=method)
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (written["finding"], written["of"], written["complexity"]) == ("product_set", 3, 2)
    assert written["explanation"] == str(found)
    assert [(one["field"], one["text"]) for one in written["sets"]] == [
        ("gear", "[ R ]"),
        ("speed", "[ 1, 9 ]"),
    ]
    page = found.report(tmp_path / "found.html").read_text()
    assert "gear" in page
    assert "speed" in page
    assert "gear" in found._repr_html_()


def test_worker_processes_change_nothing() -> None:
    problem = plant(8, 40, 3)
    wanted = problem.keys
    fails = rw.fails_when(lambda one: all(canonical(one[name]) in values for name, values in wanted.items()))
    one, two = (rw.triggers(problem.space, fails, problem.failing, jobs=jobs) for jobs in (1, 2))
    assert (one, one.asked) == (two, two.asked)
    assert keys(one.sets) == wanted


def test_a_flaky_failure() -> None:
    problem = plant(9, 30, 2)

    def subject(one: Any, seed: int) -> rw.Verdict:
        shows = random.Random(seed).random() < 0.7
        return rw.Verdict.FAIL if shows and problem.fails(one) else rw.Verdict.PASS

    found = rw.triggers(problem.space, subject, problem.failing, flaky=0.7)
    assert keys(found.sets) == problem.keys
    assert 0.9 < found.confidence < 1
    measured = rw.triggers(problem.space, subject, problem.failing, flaky=True)
    assert keys(measured.sets) == problem.keys
    assert 0.4 < measured.rate < 0.8


# How it reads: the whole text, so that a change of wording is seen


def product_set(**answer: Any) -> ProductSet:
    given = {
        "of": 20,
        "sets": {"gear": Values("PRND", [1]), "speed": Values(range(100), range(10, 100), ordered=True)},
        "precision": rw.Estimate(1.0, 0.631, 1.0),
        "verified": 8,
    }
    return ProductSet(**{**given, **answer})


SETS = "  gear in set [ R ]\n  speed in set [ 10, ..., 99 ] (9 does not trigger it)\n"
HEADLINE = "It seems to fail when these 2 of 20 fields have these values; the other 18 fields do not matter.\n"
PRECISION = "Precision 1.00 (at least 0.63): 8 of 8 random members of the set failed."
HINT = "No single product set describes this fault: take the sets as a hint, not as the condition."


def test_text_of_a_complete_finding() -> None:
    assert str(product_set()) == HEADLINE + SETS + PRECISION


def test_text_without_a_check() -> None:
    found = product_set(verified=0, precision=rw.Estimate(math.nan, 0.0, 1.0))
    assert str(found) == HEADLINE + SETS.rstrip()


def test_text_with_a_signature() -> None:
    found = product_set(signature="ValueError in R", error="ValueError: no gear")
    failure = "\nFailure: ValueError in R\n  | ValueError: no gear"
    assert str(found) == f"{HEADLINE.rstrip()}{failure}\n{SETS}{PRECISION}"


def test_text_of_a_partial_finding() -> None:
    found = product_set(complete=False, open=7, verified=0)
    assert str(found) == (
        "It seems to fail when these 2 of 20 fields have these values and all other fields keep theirs "
        "(the search did not finish: 7 fields are not fully tried).\n" + SETS.rstrip()
    )


def test_text_of_a_finding_that_has_hardly_begun() -> None:
    assert str(product_set(complete=False, open=20, verified=0, sets={})) == (
        "It fails as it was given; no field is known to matter yet "
        "(the search did not finish: 20 fields are not fully tried)."
    )


def test_text_of_one_field() -> None:
    found = product_set(sets={"gear": Values("PRND", [1])}, of=2)
    assert str(found).splitlines()[0] == (
        "It seems to fail when this field (1 of 2) has one of these values; the other field does not matter."
    )


def test_text_if_every_field_matters() -> None:
    assert str(product_set(of=2)).splitlines()[0] == "It seems to fail when these 2 of 2 fields have these values."


def test_text_if_nothing_matters() -> None:
    found = product_set(sets={}, of=3)
    assert str(found) == f"It seems to fail whatever the values: the 3 fields do not matter.\n{PRECISION}"


def test_text_of_a_group() -> None:
    table = (((1, 2), True), ((2, 1), False))
    group = rw.Interaction(("gear", "speed"), table, Compared("gear", "<", "speed"))
    assert str(product_set(groups=(group,))) == (
        "2 of 20 fields matter, only in combination; the other 18 fields do not matter.\n"
        "If only one of them is changed, it still fails with these values:\n"
        f"{SETS}gear and speed depend on each other: it fails where gear < speed "
        f"(1 of 2 combinations tried failed).\n{PRECISION}\n{HINT}"
    )


def test_text_of_a_group_without_a_relation() -> None:
    assert str(rw.Interaction(("a", "b", "c"))) == "a, b and c depend on each other."
    assert str(rw.Interaction(tuple("abcdefgh"))) == "a, b, c, d, e and 3 more depend on each other."


def test_text_of_another_set() -> None:
    assert str(product_set(others=({"gear": Values("PRND", [0, 2])},))) == (
        f"{HEADLINE}{SETS}It also fails outside this set, where:\n  gear in set [ P, N ]\n{PRECISION}\n{HINT}"
    )


def test_text_of_a_low_precision() -> None:
    found = product_set(precision=rw.Estimate(0.25, 0.03, 0.65))
    assert str(found) == (
        f"{HEADLINE}{SETS}Precision 0.25 (at least 0.03): 2 of 8 random members of the set failed.\n{HINT}"
    )


def test_text_of_a_flaky_failure() -> None:
    assert str(product_set(rate=0.7, confidence=0.973)) == (
        f"{HEADLINE}{SETS}{PRECISION}\nIf triggering runs fail 70% of the time, as assumed, "
        "no triggering value is missing, with 97% confidence."
    )


def test_text_of_an_unsteady_failure() -> None:
    assert str(product_set(unsteady=True)) == (
        f"{HEADLINE}{SETS}{PRECISION}\nThe same configuration both failed and passed: the failure does not occur "
        "every time, and this answer may be wrong. Run it again with --flaky yes (in Python: flaky=True)."
    )


def test_text_of_fields_that_were_thinned_out() -> None:
    assert str(product_set(thinned=("speed",))) == (
        f"{HEADLINE}{SETS}{PRECISION}\n"
        "Not all values of speed were tried: if they have an order, values between two that behave alike are "
        "assumed to behave like them."
    )


# What a stranger found


def test_a_partial_answer_calls_nothing_a_stopper_that_was_not_tried() -> None:
    space = rw.Space({"x": rw.Int(0, 30), "y": rw.Int(0, 30), **{f"b{i}": rw.Bool() for i in range(20)}})
    failing = {name: field.values[0] for name, field in space.items()} | {"x": 10, "y": 10}
    subject = rw.fails_when(lambda c: 4 <= c["x"] <= 27 and c["y"] >= 3)
    for budget in range(2, 60, 7):
        found = rw.triggers(space, subject, failing, budget=budget)
        for name, values in found.sets.items():
            wrong = [value for value in values.border_values if subject({**failing, name: value}) is rw.Verdict.FAIL]
            assert not wrong
        written = {one["field"]: one["values"] for one in found.to_dict()["sets"]}
        for name, listed in written.items():
            said = {one["text"]: one["triggers"] for one in listed if one["triggers"] is not None}
            assert all(said[text] == (subject({**failing, name: int(text)}) is rw.Verdict.FAIL) for text in said)


def test_the_precision_of_a_long_set_is_that_of_all_its_values() -> None:
    space = rw.Space({"n": rw.Int(values=range(1270)), "on": rw.Bool()})
    subject = rw.fails_when(lambda c: c["on"] and c["n"] % 10 in (0, 9) and c["n"] < 900)
    found = rw.triggers(space, subject, {"n": 50, "on": True}, samples=50)
    assert found.precision.low < 0.2 < found.precision.high
    assert not found.fits


def test_long_sets_of_interacting_fields_are_what_each_does_on_its_own() -> None:
    space = rw.Space({"x": rw.Int(values=range(10_000)), "y": rw.Int(values=range(10_000)), "on": rw.Bool()})
    subject = rw.fails_when(lambda c: c["on"] and c["x"] < c["y"])
    found = rw.triggers(space, subject, {"x": 4000, "y": 7000, "on": True})
    assert [group.fields for group in found.groups] == [("x", "y")]
    assert (list(found.sets["x"]), list(found.sets["y"])) == (list(range(7000)), list(range(4001, 10_000)))


def test_all_members_of_a_second_set_fail() -> None:
    fields = {"x": rw.Int(0, 12), "y": rw.Int(0, 12), "g": rw.Choice("PRD"), **{f"b{i}": rw.Bool() for i in range(6)}}
    space = rw.Space(fields)
    failing = {name: field.values[0] for name, field in space.items()} | {"x": 3, "y": 9}
    subject = rw.fails_when(lambda c: (c["x"] < 6 and c["y"] > 4) or (c["g"] == "R" and c["x"] == 6))
    rng = np.random.default_rng(0)
    for seed in range(5):
        found = rw.triggers(space, subject, failing, seed=seed)
        for other in found.others:
            for _ in range(50):
                member = space.sample(rng) | {
                    name: list(values)[rng.integers(len(values))] for name, values in other.items()
                }
                assert subject(member) is rw.Verdict.FAIL


def test_runs_that_could_not_be_judged_are_mentioned() -> None:
    def subject(c: dict[str, int]) -> None:
        if c["n"] > 90:
            raise rw.Unresolved("too large")
        raise RuntimeError("it fails")

    found = rw.triggers(rw.Space({"n": rw.Int(0, 100)}), subject, {"n": 7})
    assert found.unjudged > 0
    text = "runs could not be judged, or failed in another way; they count as not failing."
    assert f"{found.unjudged} {text}" in str(found)
