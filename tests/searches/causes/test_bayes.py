"""The whole search through the public verb, on small pipelines whose truth is known by brute force."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Rule
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.pipeline import Pipeline
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Verdict
from tests.properties import examples, few

quick = examples(12, derandomize=True)
Configuration = Mapping[str, Any]


class Recorder:
    """A subject that remembers what it saw."""

    def __init__(self, verdict: Callable[[Configuration], Verdict | bool]) -> None:
        self.seen: list[dict[str, Any]] = []
        self._verdict = verdict

    def __call__(self, configuration: Configuration) -> Verdict:
        self.seen.append(dict(configuration))
        said = self._verdict(configuration)
        return said if isinstance(said, Verdict) else FAIL if said else PASS


def every(space: rw.Space) -> list[dict[str, Any]]:
    pipeline = Pipeline(space)
    return [dict(zip(pipeline.names, values, strict=True)) for values in product(*pipeline.values)]


def planted(seed: int, causes: int = 1) -> tuple[rw.Space, Rule]:
    """A random space of a few hundred instances, and conjunctions of one to three comparisons."""
    rng = np.random.default_rng(seed)
    kinds = [rw.Choice(list("abc")), rw.Choice([1, 2, 3, 4]), rw.Int(0, 4), rw.Bool(), rw.Ordinal([10, 20, 30])]
    space = rw.Space({f"p{i}": kinds[int(rng.integers(len(kinds)))] for i in range(int(rng.integers(3, 6)))})
    pipeline = Pipeline(space)
    lines = []
    for _ in range(causes):
        box = {}
        for p in rng.permutation(len(pipeline))[: int(rng.integers(1, 4))]:
            place, size = int(rng.integers(pipeline.sizes[p])), int(pipeline.sizes[p])
            if pipeline.ordered[p] and size > 2 and rng.random() < 0.5:
                box[int(p)] = np.arange(size) >= max(1, place)
            else:
                box[int(p)] = np.arange(size) == place
        lines.append(pipeline.conjunction(box))
    return space, Rule(lines)


# Right answers


@pytest.mark.parametrize("seeds", few(1, [range(5), range(5, 12)]), ids=str)
def test_single_conjunctions_are_found_exactly(seeds: range) -> None:
    wrong = []
    for seed in seeds:
        space, truth = planted(seed)
        found = rw.causes(space, rw.fails_when(truth.holds), seed=seed)
        assert found.complete
        rule, instances = found.rule, every(space)
        if [truth.holds(one) for one in instances] != [rule.holds(one) for one in instances]:
            wrong.append((seed, str(truth), str(rule)))
    assert len(wrong) <= len(seeds) // 5, wrong


@quick
@given(st.integers(0, 10_000), st.integers(1, 3), st.sampled_from(["one", "all"]))
def test_no_run_refutes_a_complete_answer(seed: int, causes: int, goal: Any) -> None:
    space, truth = planted(seed, causes)
    subject = Recorder(truth.holds)
    found = rw.causes(space, subject, goal=goal, seed=seed, flaky=False)
    assert found.complete
    rule = found.rule
    for one in subject.seen:
        assert truth.holds(one) or not rule.holds(one), "a cause that a passing run refutes"
        if goal == "all" and not found.unexplained:
            assert rule.holds(one) == truth.holds(one), "a failing run that is not explained"
    failed = [one for one in subject.seen if truth.holds(one)]
    assert found.failing == len(failed)
    assert found.passing == len(subject.seen) - len(failed)
    assert found.unexplained == sum(not rule.holds(one) for one in failed)
    assert len({json.dumps(one, sort_keys=True) for one in subject.seen}) == len(subject.seen) == found.trials
    for cause in found.details:
        assert cause.support == sum(cause.conjunction.holds(one) for one in failed)
        for name, contrast in cause.needed:
            rest = Conjunction(atom for atom in cause.conjunction if atom.field != name)
            assert rest.holds(contrast)
            assert not truth.holds(contrast)
    if goal == "one":
        assert len(found.causes) <= 1


@quick
@given(st.integers(0, 10_000))
def test_every_best_on_the_way_agrees_with_what_was_run(seed: int) -> None:
    space, truth = planted(seed, 2)
    for budget in (0, 1, 5):
        subject = Recorder(truth.holds)
        found = rw.causes(space, subject, budget=budget, seed=seed)
        assert len(subject.seen) <= budget
        assert not found.complete
        assert found.stopped == "budget"
        json.dumps(found.to_dict())
        assert str(found)


@pytest.mark.parametrize("seed", few(2, range(4)))
def test_what_history_knows_is_not_run_again(seed: int) -> None:
    space, truth = planted(seed)
    rng = np.random.default_rng(seed)
    some = [one for one in every(space) if rng.random() < 0.3]
    subject = Recorder(truth.holds)
    found = rw.causes(space, subject, [(one, truth.holds(one)) for one in some], seed=seed)
    rule = found.rule
    assert not [one for one in subject.seen if one in some]
    assert not any(rule.holds(one) and not truth.holds(one) for one in [*some, *subject.seen])


# Nothing but the seed matters


@pytest.mark.parametrize("seed", few(1, [1, 2, 3]))
def test_neither_the_order_of_fields_nor_of_keys_matters(seed: int) -> None:
    space, truth = planted(seed, 2)
    rows = [(one, truth.holds(one)) for one in every(space)[::17]]
    turned = rw.Space(list(reversed(list(space.items()))))
    turned_rows = [(dict(reversed(one.items())), failed) for one, failed in rows]
    one, two = Recorder(truth.holds), Recorder(truth.holds)
    first, second = rw.causes(space, one, rows, seed=seed), rw.causes(turned, two, turned_rows, seed=seed)
    assert first == second
    assert one.seen == two.seen
    assert first.answer() == second.answer()


def test_neither_the_order_of_choices_matters() -> None:
    def runs(values: str) -> list[dict[str, Any]]:
        subject = Recorder(lambda c: c["a"] == "x" and c["b"] == "y")
        rw.causes(rw.Space({name: rw.Choice(values) for name in "abc"}), subject)
        return subject.seen

    assert runs("xyz") == runs("zxy")


@pytest.mark.parametrize("goal", few(1, ["one", "all"]))
def test_a_seed_repeats_itself(goal: Any) -> None:
    space, truth = planted(3, 2)
    one, two = Recorder(truth.holds), Recorder(truth.holds)
    assert rw.causes(space, one, goal=goal, seed=5).answer() == rw.causes(space, two, goal=goal, seed=5).answer()
    assert one.seen == two.seen


HASHED = """
import json
import rootward as rw

seen = []
space = rw.Space({name: rw.Choice(["x", "y", "z", None, 1]) for name in ("alpha", "beta", "gamma", "delta")})
fails = lambda c: seen.append(dict(c)) or (c["alpha"] == "x" and c["beta"] != "y") or c["delta"] is None
found = rw.causes(space, rw.fails_when(fails), certify=2)
print(json.dumps([seen, found.answer()]))
"""


@pytest.mark.rest
def test_hashing_does_not_matter() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", HASHED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert json.loads(said[0])[1]["causes"]


def test_workers_do_not_matter() -> None:
    def both(configuration: Any) -> None:
        assert not (configuration["a"] == "x" and configuration["n"] >= 3)

    space = rw.Space({"a": rw.Choice("xyz"), "n": rw.Int(0, 5), "b": rw.Bool()})
    one, two = (rw.causes(space, both, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one.complete
    assert one.causes == [Conjunction([Atom("a", "=", "x"), Atom("n", ">=", 3)])]


# What must not be run, what cannot be judged, what costs


@pytest.mark.parametrize("seed", few(1, [1, 0, 2, 3]))
def test_what_must_not_be_run_never_is(seed: int) -> None:
    space, truth = planted(seed, 2)
    first, second = sorted(space.names)[:2]
    never = Rule(
        [
            [Atom(first, "=", Pipeline(space).values[0][0]), Atom(second, "!=", Pipeline(space).values[1][0])],
            [Atom(second, "=", Pipeline(space).values[1][-1])],
        ]
    )
    subject = Recorder(truth.holds)
    found = rw.causes(space, subject, never=never, certify=1, seed=seed)
    assert found.complete
    assert not any(map(never.holds, subject.seen))
    assert all(truth.holds(one) for one in subject.seen if found.rule.holds(one))


@pytest.mark.parametrize("strength", few(1, [2, 1, 3]))
@pytest.mark.parametrize("seed", few(1, range(2)))
def test_certified_is_what_it_says(strength: int, seed: int) -> None:
    """Every combination of so many settings that lies outside of the causes, in some instance, was run and passed."""
    space, truth = planted(seed + 20, 2)
    subject = Recorder(truth.holds)
    never = Rule([[Atom("p0", "=", Pipeline(space).values[0][0]), Atom("p1", "=", Pipeline(space).values[1][0])]])
    found = rw.causes(space, subject, certify=strength, never=never, seed=seed)
    assert found.complete
    names, rule = sorted(space.names), found.rule

    def combined(rows: list[dict[str, Any]]) -> set[tuple[tuple[str, Any], ...]]:
        return {part for one in rows for part in combinations([(name, one[name]) for name in names], strength)}

    possible = [one for one in every(space) if not never.holds(one) and not rule.holds(one)]
    passed = [one for one in subject.seen if not truth.holds(one)]
    assert combined(possible) <= combined(passed)
    if strength >= 3 and len(found.causes) == found.unexplained == 0:
        assert not any(truth.holds(one) for one in possible)


@pytest.mark.parametrize("seed", few(1, range(6)))
def test_certified_up_to_its_length_means_no_other_cause_exists(seed: int) -> None:
    space, truth = planted(seed + 40, 2)
    found = rw.causes(space, rw.fails_when(truth.holds), certify=3, seed=seed)
    if not found.unexplained:
        rule = found.rule
        missed = [one for one in every(space) if truth.holds(one) and not rule.holds(one)]
        assert not missed, (str(truth), str(rule))


def test_what_could_not_be_judged_is_not_certified() -> None:
    space = rw.Space({"a": rw.Choice("xyz"), "b": rw.Bool(), "n": rw.Int(0, 5)})
    found = rw.causes(space, lambda c: UNRESOLVED if c["b"] else FAIL if c["n"] > 3 else PASS, certify=3)
    assert found.complete
    assert "no other cause" not in found.to_dict()["guarantee"]


@pytest.mark.parametrize("seed", few(2, range(5)))
def test_other_failures_and_what_cannot_be_judged(seed: int) -> None:
    """OTHER counts as passing; UNRESOLVED says nothing."""
    space, truth = planted(seed)

    def verdict(c: Configuration) -> Verdict:
        number = sum(json.dumps(dict(c), sort_keys=True).encode())
        if number % 7 == 0:
            return UNRESOLVED
        return FAIL if truth.holds(c) else OTHER if number % 3 else PASS

    subject = Recorder(verdict)
    found = rw.causes(space, subject, seed=seed, flaky=False)
    judged = [one for one in subject.seen if verdict(one) is not UNRESOLVED]
    assert found.complete
    assert found.failing + found.passing == len(judged)
    assert all(truth.holds(one) for one in judged if found.rule.holds(one))
    assert len({json.dumps(one, sort_keys=True) for one in subject.seen}) == len(subject.seen)


@pytest.mark.rest
def test_cheap_runs_are_preferred() -> None:
    spent = {}
    for cost in (None, lambda c: 1.0 + 99 * (c["p0"] == 0)):
        prices = []
        for seed in range(2):
            space = rw.Space({f"p{i}": rw.Choice(list(range(4))) for i in range(6)})
            subject = Recorder(lambda c: c["p2"] == 1 and c["p4"] == 3)
            history = [({f"p{i}": {2: 1, 4: 3}.get(i, 1) for i in range(6)}, True)]
            rw.causes(space, subject, history, goal="one", cost=cost, seed=seed)
            prices += [one["p0"] == 0 for one in subject.seen]
        spent[cost is None] = np.mean(prices)
    assert spent[False] < spent[True]


def test_a_flaky_failure() -> None:
    space = rw.Space({"a": rw.Choice("xyz"), "b": rw.Bool(), "n": rw.Int(0, 3)})

    def subject(configuration: Configuration, seed: int) -> None:
        inside = configuration["a"] == "x" and configuration["n"] >= 2
        assert not (inside and np.random.default_rng(seed).random() < 0.7)

    right = 0
    for seed in range(5):
        found = rw.causes(space, subject, flaky=0.7, seed=seed)
        assert found.complete
        right += found.causes == [Conjunction([Atom("a", "=", "x"), Atom("n", ">=", 2)])]
    assert right >= 4


# Without a subject


def test_a_history_alone_suggests_a_cause() -> None:
    space, truth = planted(1)
    rows = [(one, truth.holds(one)) for one in every(space)]
    found = rw.causes(space, None, rows)
    rule = found.rule
    assert [rule.holds(one) for one, _ in rows] == [failed for _, failed in rows]
    assert found.trials == 0
    assert not str(found).startswith("It fails whenever"), "nothing was run"


@pytest.mark.parametrize("history", [[], [({"a": "x", "b": True}, False)], [({"a": "x", "b": True}, UNRESOLVED)]])
def test_a_history_without_failures_suggests_nothing(history: Any) -> None:
    found = rw.causes(rw.Space({"a": rw.Choice("xy"), "b": rw.Bool()}), None, history)
    assert found.causes == []
    assert str(found)


def test_very_many_settings_and_a_history_alone() -> None:
    space = rw.Space({f"p{i:02}": rw.Choice([0, 1, 2]) for i in range(70)})
    rng = np.random.default_rng(0)
    rows = [
        {name: int(value) for name, value in zip(space.names, line, strict=True)}
        for line in rng.integers(0, 3, (300, 70))
    ]
    found = rw.causes(space, None, [(one, one["p03"] == 1 and one["p50"] == 2) for one in rows])
    assert {"p03", "p50"} <= {name for cause in found.causes for name in cause.fields}


# Odd shapes

ODD: dict[str, tuple[dict[str, Any], Callable[[Configuration], bool], str | None]] = {
    "one value each": ({"a": rw.Choice("x"), "b": rw.Choice([1])}, lambda c: True, "always"),
    "one value, passing": ({"a": rw.Choice("x")}, lambda c: False, None),
    "one field": ({"a": rw.Choice("xy")}, lambda c: c["a"] == "x", "a = x"),
    "everything fails": ({"a": rw.Choice("xyz"), "n": rw.Int(0, 5)}, lambda c: True, "always"),
    "nothing fails": ({"a": rw.Choice("xyz"), "n": rw.Int(0, 5)}, lambda c: False, None),
    "None": ({"a": rw.Choice([None, 0, "", False]), "b": rw.Bool()}, lambda c: c["a"] is None, "a is none"),
    "False is not 0": ({"a": rw.Choice([None, 0, "", False]), "b": rw.Bool()}, lambda c: c["a"] is False, "a = false"),
    "NaN": ({"a": rw.Float(values=[float("nan"), 1, 2]), "b": rw.Bool()}, lambda c: c["a"] != c["a"], "a is NaN"),
    "texts in order": (
        {"a": rw.Ordinal(["low", "mid", "high", "top"]), "b": rw.Bool()},
        lambda c: c["a"] in ("high", "top"),
        "a not in {low, mid}",
    ),
    "text": ({"a": rw.Text(["p", "q", "r"]), "b": rw.Bool()}, lambda c: c["a"] == "q", "a = q"),
    "any text": ({"a": rw.Text(), "b": rw.Choice("xyz")}, lambda c: c["a"] == "" and c["b"] == "x", None),
    "a huge integer": ({"a": rw.Int(bits=64), "b": rw.Choice("xyz")}, lambda c: c["a"] >= 1000 and c["b"] == "x", None),
    "any float": ({"a": rw.Float(), "b": rw.Choice("xyz")}, lambda c: c["a"] >= 1.5 and c["b"] == "x", None),
    "parity": ({f"b{i}": rw.Bool() for i in range(4)}, lambda c: sum(c.values()) % 2 == 1, None),
    "many numbers": (
        {"a": rw.Int(0, 999, values=range(0, 1000, 5)), "b": rw.Bool()},
        lambda c: c["a"] >= 335,
        "a >= 335",
    ),
    "70 settings": ({f"p{i:02}": rw.Bool() for i in range(70)}, lambda c: c["p03"] and not c["p55"], None),
    "70 settings, all fail": ({f"p{i:02}": rw.Bool() for i in range(70)}, lambda c: True, "always"),
    "70 settings, none fails": ({f"p{i:02}": rw.Bool() for i in range(70)}, lambda c: False, None),
    "70 settings of one value": ({f"p{i:02}": rw.Choice([1]) for i in range(70)}, lambda c: True, "always"),
    "70 settings, three causes": (
        {f"p{i:02}": rw.Choice([0, 1, 2]) for i in range(70)},
        lambda c: (c["p03"] == 1 and c["p05"] == 2) or (c["p33"] == 2 and c["p60"] == 0) or c["p41"] == c["p42"] == 1,
        None,
    ),
}


LONG = {"70 settings, three causes", "parity"}
"""Shapes that take several times as long as the others, and meet nothing that those do not."""


@pytest.mark.parametrize("shape", [pytest.param(one, marks=[pytest.mark.rest] * (one in LONG)) for one in ODD])
@pytest.mark.parametrize("goal", few(1, ["all", "one"]))
def test_odd_shapes(shape: str, goal: Any) -> None:
    fields, fails, expected = ODD[shape]
    subject = Recorder(fails)
    found = rw.causes(rw.Space(fields), subject, goal=goal, budget=2000)
    assert found.complete
    assert str(found)
    json.dumps(found.to_dict())
    assert all(fails(one) for one in subject.seen if found.rule.holds(one))
    if expected is not None:
        assert str(found.rule) == expected
    elif not any(map(fails, subject.seen)):
        assert found.causes == []
    elif goal == "all":
        assert found.unexplained == 0
        assert all(found.rule.holds(one) for one in subject.seen if fails(one))


def test_any_float_is_said_by_a_bound() -> None:
    """NaN lies on no side of it."""
    fields, fails, _ = ODD["any float"]
    found = rw.causes(rw.Space(fields), rw.fails_when(fails))
    [cause] = found.causes
    assert {atom.op for atom in cause if atom.field == "a"} <= {">=", ">"}


def test_only_passing_or_only_failing_runs_are_known() -> None:
    space = rw.Space({"a": rw.Choice("xyz"), "b": rw.Choice("xyz")})
    for letters in ("x", "yz"):
        history = [({"a": a, "b": b}, a == "x") for a in letters for b in "xy"]
        found = rw.causes(space, rw.fails_when(lambda c: c["a"] == "x"), history)
        assert str(found.rule) == "a = x"


def test_everything_is_forbidden() -> None:
    space = rw.Space({"a": rw.Choice("xyz"), "b": rw.Choice("xyz")})
    subject = Recorder(lambda c: True)
    for history in ([], [({"a": "x", "b": "x"}, True), ({"a": "y", "b": "x"}, False)]):
        for certify in (None, 2):
            for tested in (subject, lambda c, seed: subject(c)):
                found = rw.causes(space, tested, history, never=Rule.always(), certify=certify)
                assert found.complete
                assert str(found)
    assert subject.seen == []


# Wrong words


@pytest.mark.parametrize(
    "wrong",
    [
        {"goal": "al"},
        {"goal": None},
        {"method": "baise"},
        {"certify": 0},
        {"certify": -1},
        {"certify": "x"},
        {"certify": 2.5},
        {"certify": True},
        {"certify": 1, "goal": "one"},
        {"certify": 2, "method": "ddt"},
        {"beyond": True, "method": "shortcut"},
        {"flaky": 2},
        {"flaky": -1},
        {"flaky": "x"},
        {"flaky": float("nan")},
        {"never": "a = x"},
        {"never": [[Atom("a", "=", "x")]]},
        {"never": Rule([[Atom("q", "=", 1)]])},
        {"checkpoint": "node"},
        {"seed": -1},
        {"seed": "x"},
        {"seed": 1.5},
        {"cost": 5},
        {"cost": lambda c: None},
        {"cost": lambda c: "x"},
        {"cost": lambda c: float("nan")},
        {"cost": lambda c: -1},
    ],
    ids=lambda wrong: " ".join(wrong),
)
def test_wrong_words_are_refused(wrong: dict[str, Any]) -> None:
    space = rw.Space({"a": rw.Choice("xyz"), "b": rw.Choice("xyz"), "n": rw.Int(0, 5)})
    subject = Recorder(lambda c: c["a"] == "x" and c["n"] >= 3)
    with pytest.raises(InputError):
        rw.causes(space, subject, **wrong)
    if "cost" not in wrong:
        assert subject.seen == [], "what is wrong is said before anything is run"


def test_more_than_all_settings_can_be_certified() -> None:
    space = rw.Space({"a": rw.Choice("xyz"), "b": rw.Choice("xyz")})
    subject = Recorder(lambda c: c["a"] == "x")
    found = rw.causes(space, subject, certify=99, flaky=False)
    assert found.complete
    assert len([one for one in subject.seen if one["a"] != "x"]) == 6
    assert isinstance(found, Causes)
