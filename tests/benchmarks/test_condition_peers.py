"""What the rule benchmark compares with."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from peers import boxes, condition_contest, condition_learners
from peers.condition_points import balanced_accuracy
from peers.conditions import make_bug, published

import rootward as rw

LOW = make_bug("low", [("x", "float64", (0.0, 20.0)), ("on", "bool", None)], "x < 10.5 and on", [9, True], [11, True])
SUM = make_bug("sum", [("a", "int8", None), ("b", "int8", None)], "a + b > 100", [100, 100], [0, 0])


def test_hpsl_runs_each_value_of_each_field_once() -> None:
    rule, runs, _ = condition_contest.run_hpsl(LOW)
    values = LOW.space.values("x")
    assert 9.0 not in values
    assert runs == len(values) + 1 + 1  # its own x, and the other Boolean
    [below, above, nan, off] = rule.holds_many(
        [{"x": 4.0, "on": True}, {"x": 1e5, "on": True}, {"x": math.nan, "on": True}, {"x": 4.0, "on": False}]
    )
    assert (below, above, nan, off) == (True, False, False, False)


def test_hpsl_takes_fields_one_by_one() -> None:
    rule, _, _ = condition_contest.run_hpsl(SUM)
    assert rule.holds_many([{"a": 100, "b": 100}, {"a": 2, "b": 2}, {"a": -50, "b": 100}]) == [True, True, False]
    assert balanced_accuracy(rule, SUM) < 0.95


def test_alo_is_told_the_fields_and_gets_its_runs() -> None:
    job = condition_contest.Job(LOW, ("hpsl", "alo, 60%"), strict=False)
    results = condition_contest.solve(job)
    assert results["alo, 60%"].problem == ""
    assert results["alo, 60%"].runs <= round(0.6 * results["hpsl"].runs)
    assert results["alo, 60%"].broad > 0.8


def test_a_method_that_raises_is_no_end_of_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(job: object, results: object) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setitem(condition_contest._METHODS, "hpsl", broken)
    assert condition_contest.solve(condition_contest.Job(LOW, ("hpsl",)))["hpsl"].problem == "ZeroDivisionError: no"


def test_judged_at_the_boundary() -> None:
    rule = rw.Rule([[rw.Atom("x", "<", 10.5), rw.Atom("on", "=", True)]])
    exact = condition_contest.judged(condition_contest.Job(LOW, ()), rule, 7, 1.0, strict=True)
    assert (exact.broad, exact.human, exact.exact, exact.rounding, exact.runs) == (1, 1, True, True, 7)
    closed = rw.Rule([[rw.Atom("x", "<=", 10.5), rw.Atom("on", "=", True)]])
    rounded = condition_contest.judged(condition_contest.Job(LOW, ()), closed, 7, 1.0, strict=True)
    assert (rounded.exact, rounded.rounding) == (False, True)


# Learners


def test_columns_tell_special_values_apart() -> None:
    space = rw.Space({"x": rw.Float(), "c": rw.Choice(["p", "q", "r"]), "on": rw.Bool(), "n": rw.Int()})
    rows = [
        {"x": math.nan, "c": "p", "on": True, "n": 1},
        {"x": math.inf, "c": "q", "on": False, "n": 2},
        {"x": -math.inf, "c": "r", "on": False, "n": 4},
        {"x": 8.0, "c": "r", "on": False, "n": -4},
    ]
    assert condition_learners.Columns(space).matrix(rows).tolist() == [
        [0, 1, 0, 0, 1, 0, 0, 1, 1],
        [1025, 0, 1, 0, 0, 1, 0, 0, 2],
        [-1025, 0, 0, 1, 0, 0, 1, 0, 3],
        [4, 0, 0, 0, 0, 0, 1, 0, -3],
    ]


@pytest.mark.parametrize("sample", [condition_learners.random_sample, condition_learners.latin_sample])
def test_samples_hold_the_failing_configuration_and_lean_towards_it(sample: object) -> None:
    bug = published()[13]
    rows = sample(bug, 100, np.random.default_rng(0))  # type: ignore[operator]
    assert len(rows) == 100
    assert rows[0] == bug.failing
    assert all(bug.space.check(row) for row in rows)
    kept = [np.mean([repr(row[name]) == repr(value) for name, value in bug.failing.items()]) for row in rows]
    assert np.mean(kept[1::2]) > np.mean(kept[2::2]) + 0.2


@pytest.mark.parametrize("peer", ["tree, random", "tree, LHS"])
def test_a_tree_learns_a_threshold(peer: str) -> None:
    learned = condition_learners.learn(peer, LOW, 200, 0)
    assert 0.8 < balanced_accuracy(learned, LOW) <= 1


def test_one_class_alone_is_predicted_as_such() -> None:
    always = make_bug("always", [("x", "int8", None)], "x > -200", [1], [1])
    learned = condition_learners.learn("tree, random", always, 20, 0)
    assert learned.holds_many([{"x": 3}]).tolist() == [True]


# The figure


def test_boxes_show_quartiles() -> None:
    drawn = boxes.draw("<title>", "share", ["one", "two"], {"bug": {"one": [0.5, 0.75, 1.0], "two": []}}, low=0.5)
    root = ET.fromstring(drawn)
    [box] = [part for part in root.iter("{http://www.w3.org/2000/svg}rect") if part.get("height") not in ("12", "220")]
    assert float(box.get("height", 0)) == pytest.approx((boxes.HIGH - 12) * 0.25 / 0.5, abs=0.2)
