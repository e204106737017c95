"""Subjects and spaces at their ends: every method gives a clear statement, and never an exception."""

import itertools
import json
import math
import random
from functools import partial
from typing import Any

import pytest

import rootward as rw
from rootward.searches.conditions import METHODS

QUICKLY: dict[str, Any] = {"alo": {"trials": 25}}
"""What makes a method quick: here it need not be right, only clear."""
CAR = rw.Space({"speed": rw.Int(), "level": rw.Float(), "gear": rw.Choice("PRND"), "on": rw.Bool()})
LIMIT = rw.Budget(trials=1000)
"""What no method needs: one that goes on and on fails, instead of hanging."""
FEW = rw.Space({"gear": rw.Choice("PRND"), "n": rw.Int(0, 9)})
"""So few configurations that a subject without any rule keeps a method busy for a short time only."""
START = {"speed": 70, "level": 1.5, "gear": "P", "on": True}


@pytest.fixture(params=sorted(METHODS))
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name = str(request.param)
    monkeypatch.setitem(METHODS, name, partial(METHODS[name], **QUICKLY.get(name, {})))
    return name


def clear(found: rw.RuleFinding) -> str:
    """The first line of a finding that is whole in every form."""
    assert found.complete
    json.dumps(found.to_dict(), allow_nan=False)
    assert rw.Rule.from_dict(found.to_dict()["rule"]) == found.rule
    assert "<section" in found._repr_html_()
    assert found.rule.to_python()
    return str(found).splitlines()[0]


def test_it_never_fails(method: str) -> None:
    said = clear(rw.rule(CAR, rw.fails_when(lambda one: False), method=method))
    assert said.startswith("No condition is known: it never failed in ")


@pytest.mark.parametrize("start", [None, START], ids=["not told", "told"])
def test_it_always_fails(method: str, start: Any) -> None:
    found = rw.rule(CAR, rw.fails_when(lambda one: True), start, method=method)
    said = clear(found)
    assert said.startswith("It failed in all ")
    assert said.endswith(" runs, whatever the values of the 4 fields.")
    assert not found.passes


def test_nothing_can_be_judged(method: str) -> None:
    def subject(one: Any) -> None:
        raise rw.Unresolved("no bench")

    found = rw.rule(CAR, subject, method=method)
    assert clear(found) == "No condition is known: no run was judged."
    assert found.unjudged > 0


def test_only_the_failing_configuration_can_be_judged(method: str) -> None:
    def subject(one: Any) -> None:
        if one != START:
            raise rw.Unresolved("no bench")
        raise ValueError("it fails")

    found = rw.rule(CAR, subject, START, method=method)
    assert clear(found).startswith(("No condition is known", "It failed in all"))
    assert found.passes == 0


def test_only_nan_fails(method: str) -> None:
    subject = rw.fails_when(lambda one: math.isnan(one["level"]) and one["on"])
    said = clear(rw.rule(CAR, subject, {**START, "level": math.nan}, method=method))
    assert "level is NaN" in said


def test_a_constant_with_many_digits(method: str) -> None:
    space = rw.Space({"level": rw.Float(), "on": rw.Bool()})
    subject = rw.fails_when(lambda one: one["level"] > 3.355903461657853)
    found = rw.rule(space, subject, {"level": 70.0, "on": True}, method=method, budget=LIMIT)
    clear(found)
    assert found.trials < 400


def test_it_fails_at_a_single_point(method: str) -> None:
    space, start = rw.Space({"speed": rw.Int(), "gear": rw.Choice("PRND")}), {"speed": 70, "gear": "P"}
    clear(rw.rule(space, rw.fails_when(lambda one: one == start), start, method=method))


def test_fields_of_one_value(method: str) -> None:
    fields = {"a": rw.Choice("x"), "b": rw.Int(7, 7), "c": rw.Float(values=[0.5]), "n": rw.Int(0, 100)}
    start = {"a": "x", "b": 7, "c": 0.5, "n": 90}
    found = rw.rule(rw.Space(fields), rw.fails_when(lambda one: one["n"] > 50), start, method=method)
    clear(found)
    assert found.rule.fields == ("n",)


@pytest.mark.parametrize("field", [rw.Choice("x"), rw.Int(7, 7), rw.Float(0.5, 0.5), rw.Ordinal([None])], ids=str)
@pytest.mark.parametrize("fails", [False, True])
def test_a_space_of_one_configuration(method: str, field: Any, fails: bool) -> None:
    found = rw.rule(rw.Space({"only": field}), rw.fails_when(lambda one: fails), method=method, flaky=False)
    assert found.trials == 1
    assert ("never failed" in clear(found)) is not fails


@pytest.mark.rest
def test_a_subject_that_changes_its_mind(method: str) -> None:
    turn = itertools.count()
    clear(
        rw.rule(FEW, rw.fails_when(lambda one: next(turn) % 2 == 0), {"gear": "P", "n": 3}, method=method, budget=LIMIT)
    )


@pytest.mark.rest
def test_a_subject_that_tosses_a_coin(method: str) -> None:
    coin = random.Random(0)
    clear(rw.rule(CAR, rw.fails_when(lambda one: coin.random() < 0.5), method=method, budget=LIMIT))


def test_integers_beyond_63_bits(method: str) -> None:
    huge = {"n": rw.Int(bits=64, signed=False), "m": rw.Ordinal([-(2**80), 0, 2**80, 2**81]), "k": rw.Choice([2**900])}
    subject = rw.fails_when(lambda one: one["n"] > 2**63 and one["m"] > 0)
    start = {"n": 2**64 - 1, "m": 2**81, "k": 2**900}
    clear(rw.rule(rw.Space(huge), subject, start, method=method))


def test_numbers_at_the_ends_of_their_range(method: str) -> None:
    tiny = rw.Space({"x": rw.Float(), "y": rw.Float(bits=32), "z": rw.Float(0.0, 1e-310)})
    subject = rw.fails_when(lambda one: 0 < one["x"] < 2.2e-308 or math.isnan(one["y"]))
    clear(rw.rule(tiny, subject, {"x": 5e-324, "y": math.inf, "z": 5e-324}, method=method, budget=LIMIT))


def test_texts_and_odd_values(method: str) -> None:
    odd = rw.Space({"name": rw.Text(), "any": rw.Choice([None, [1], {"k": 1}, 1, True]), "n": rw.Int(0, 9)})
    subject = rw.fails_when(lambda one: one["name"] == "" and one["n"] > 3)
    clear(rw.rule(odd, subject, {"name": "", "any": [1], "n": 5}, method=method))


def test_names_that_are_no_names(method: str) -> None:
    odd = rw.Space({"and": rw.Int(0, 9), "a b": rw.Int(0, 9), "<i>": rw.Bool(), "": rw.Bool()})
    subject = rw.fails_when(lambda one: one["and"] > 3)
    clear(rw.rule(odd, subject, {"and": 5, "a b": 5, "<i>": True, "": False}, method=method))


@pytest.mark.rest
def test_many_fields(method: str) -> None:
    many = rw.Space({f"f{i}": rw.Int(-100, 100) for i in range(20)})
    found = rw.rule(many, rw.fails_when(lambda one: one["f7"] > 20), dict.fromkeys(many, 50), method=method)
    clear(found)
