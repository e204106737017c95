"""The approximate rule of runs without a simple condition."""

from __future__ import annotations

import numpy as np

import rootward as rw
from rootward.rules import Atom, Rule
from rootward.searches.conditions.approximation import abridge, approximate_rules, narrow_to_remainders

SPACE = rw.Space({"n": rw.Int(-1000, 1000), "m": rw.Int(0, 9)})
NEGATIVE = Rule([[Atom("n", "<", 0)]])


def random_points(count: int) -> list[dict[str, int]]:
    rng = np.random.default_rng(0)
    return [{"n": int(rng.integers(-1000, 1001)), "m": int(rng.integers(0, 10))} for _ in range(count)]


def test_runs_with_a_text_that_is_not_listed_are_left_out() -> None:
    space = rw.Space({"s": rw.Text(["a", "b"]), "t": rw.Text(["x", "y"])})
    texts = [(s, t) for s in ("a", "b", "strange") for t in ("x", "y", "a")]
    runs = [({"s": s, "t": t}, s == "b") for s, t in texts] * 5
    for rule in approximate_rules(space, ["s", "t"], {"s": "b", "t": "x"}, runs, np.random.default_rng(0)):
        assert [rule.holds({"s": s, "t": "x"}) for s in ("a", "b")] == [False, True]


def test_the_second_rule_asks_one_question() -> None:
    runs = [(one, one["n"] < 0 and one["m"] > 3) for one in random_points(200)]
    tree, stump = approximate_rules(SPACE, ["n", "m"], {"n": -5, "m": 8}, runs, np.random.default_rng(0))
    assert tree.length > stump.length == 1


def test_a_region_with_all_failures_is_found_although_most_runs_pass_there() -> None:
    runs = [(one, one["n"] < 0 and (7919 * one["n"] + one["m"]) % 13 < 3) for one in random_points(200)]
    _, stump = approximate_rules(SPACE, ["n", "m"], {"n": -5, "m": 8}, runs, np.random.default_rng(0))
    assert sum(stump.holds(one) for one, fails in runs if fails) == sum(fails for _, fails in runs)
    assert sum(stump.holds(one) for one, _ in runs) < 120


def test_a_rule_is_narrowed_to_the_remainders_that_fail() -> None:
    """Some exceptions do not matter."""
    runs = [
        (one, one["n"] < 0 and one["n"] % 10 in (1, 2, 3, 7) and one["n"] % 100 != 11) for one in random_points(200)
    ]
    narrow = narrow_to_remainders(NEGATIVE, SPACE, ["n", "m"], runs)
    assert str(narrow) == "n < 0 and n % 10 in {1, 2, 3, 7}"


def test_verdicts_that_no_remainder_explains_narrow_nothing() -> None:
    points = random_points(200)
    for fails in (lambda one: one["n"] < 0, lambda one: (one["n"] * one["n"] + 7919 * one["m"]) // 13 % 2 == 0):
        assert narrow_to_remainders(NEGATIVE, SPACE, ["n", "m"], [(one, fails(one)) for one in points]) is None
    assert narrow_to_remainders(NEGATIVE, SPACE, ["n", "m"], []) is None


def test_an_abridged_rule_is_without_its_exceptions() -> None:
    large, rare, needless = Atom("x", ">", 10), Atom("y", "!=", 3), Atom("z", "!=", 9)
    rule = Rule([[large, rare, needless], [Atom("x", "=", 5), Atom("y", "=", 4)]])
    runs = [(one, rule.holds(one)) for x in range(20) for y in range(8) for one in [{"x": x, "y": y, "z": 1}]]
    exact = abridge(rule, runs, lambda accuracy, characters: accuracy)
    assert exact == Rule([[large, rare], [Atom("x", "=", 5), Atom("y", "=", 4)]])
    assert abridge(rule, runs, lambda accuracy, characters: accuracy - characters / 100) == Rule([[large]])


def test_a_rule_is_not_abridged_without_evidence() -> None:
    rule = Rule([[Atom("x", ">", 10), Atom("y", ">", 3)]])
    for runs in ([], [({"x": 11, "y": 4}, True)], [({"x": 1, "y": 4}, False)]):
        assert abridge(rule, runs, lambda accuracy, characters: accuracy) == rule
    assert abridge(Rule.always(), [({"x": 1}, True), ({"x": 2}, False)], lambda accuracy, _: accuracy) == Rule.always()
