"""The approximate rule of runs without a simple condition."""

from __future__ import annotations

import numpy as np

import rootward as rw
from rootward.rules import Atom, Rule
from rootward.searches.conditions.approximation import abridge, approximate_rule


def test_runs_with_a_text_that_is_not_listed_are_left_out() -> None:
    space = rw.Space({"s": rw.Text(["a", "b"]), "t": rw.Text(["x", "y"])})
    texts = [(s, t) for s in ("a", "b", "strange") for t in ("x", "y", "a")]
    runs = [({"s": s, "t": t}, s == "b") for s, t in texts] * 5
    rule = approximate_rule(space, ["s", "t"], {"s": "b", "t": "x"}, runs, np.random.default_rng(0))
    assert [rule.holds({"s": s, "t": "x"}) for s in ("a", "b")] == [False, True]


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
