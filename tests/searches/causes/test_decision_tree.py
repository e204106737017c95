"""Debugging decision trees against the paper: Tables 3 to 5 and Figure 2, and brute force."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Rule
from rootward.search.design import Instance
from rootward.searches.causes.decision_tree import ddt, suspects
from rootward.searches.causes.instance_queries import conjunction
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from tests.properties import examples

from .paper import (
    DATA_AND_MEAN,
    LARGE_TEST,
    MODEL,
    NAMES,
    SIZE,
    TABLE_3,
    TABLE_4_NEW,
    TABLE_5,
    Driven,
    drive,
    known,
    small,
    truth,
)

thorough = examples(60, derandomize=True)
TABLE_4 = TABLE_3 + TABLE_4_NEW


def paths(runs: Runs) -> list[Conjunction]:
    return [conjunction(runs.pipeline, box) for box in suspects(runs.pipeline, runs)]


def debugged(runs: Runs, fails: Any = None, **options: Any) -> Driven:
    pipeline = runs.pipeline
    oracle = fails or (lambda instance: truth(pipeline.configuration(instance)))
    return drive(ddt(pipeline, runs, **options), pipeline, runs, oracle)


# The paper's example


def test_the_tables_follow_from_one_truth() -> None:
    assert all(truth(configuration) == failed for configuration, failed in TABLE_4 + TABLE_5)


def test_figure_2_left() -> None:
    assert paths(known(NAMES, TABLE_3)) == [Conjunction([Atom(MODEL, "=", "Gradient Boosting")])]


def test_figure_2_right() -> None:
    small_test = Conjunction([*DATA_AND_MEAN, Atom(SIZE, "<", 0.3)])
    assert paths(known(NAMES, TABLE_4)) == [LARGE_TEST, small_test]


def test_table_5_confirms_both_hypotheses() -> None:
    driven = debugged(known(NAMES, TABLE_4))
    assert driven.finding.causes == [LARGE_TEST, DATA_AND_MEAN]  # simplified, as section 7 says
    assert all(map(truth, (driven_configuration(one) for one in driven.asked)))
    assert driven.batches == [10 + 4]  # of the second hypothesis, only four instances were not run: Table 5's last
    last = [driven_configuration(one) for one in driven.asked[10:]]
    assert sorted(map(str, last)) == sorted(str(dict(configuration)) for configuration, _ in TABLE_5[6:])


def driven_configuration(instance: Instance) -> dict[str, Any]:
    return dict(known(NAMES, []).pipeline.configuration(instance))


def test_from_table_3_to_the_answer() -> None:
    driven = debugged(known(NAMES, TABLE_3), tests=22)
    assert driven.batches[0] == 22  # all of Gradient Boosting's instances but the two that are known
    assert driven.finding.causes == [LARGE_TEST, DATA_AND_MEAN]
    assert driven.finding.unexplained == 0


@pytest.mark.parametrize("seed", range(5))
def test_one_cause_costs_less(seed: int) -> None:
    one, every = (debugged(known(NAMES, TABLE_4), goal=goal, seed=seed) for goal in ("one", "all"))
    assert one.finding.causes == [LARGE_TEST]
    assert one.finding.details[0].attempts == 10
    assert len(one.asked) < len(every.asked)


# The tree


@st.composite
def histories(draw: st.DrawFn) -> tuple[Pipeline, list[Instance], list[bool]]:
    kinds = [
        rw.Choice(["a", "b", "c"]),
        rw.Float(values=[0.0, 1.0, 2.5, math.nan]),
        rw.Int(1, 5),
        rw.Bool(),
        rw.Ordinal(["low", "mid", "high"]),
        rw.Choice(["only"]),
    ]
    fields = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    pipeline = Pipeline(rw.Space({f"p{i}": kind for i, kind in enumerate(fields)}))
    every = list(itertools.product(*(range(size) for size in pipeline.sizes)))
    fails = draw(st.lists(st.booleans(), min_size=len(every), max_size=len(every)))
    return pipeline, every, fails


@thorough
@given(histories(), st.data())
def test_paths_are_hypothetical_and_apart_and_explain_every_failing_run(
    problem: tuple[Pipeline, list[Instance], list[bool]], data: st.DataObject
) -> None:
    pipeline, every, fails = problem
    runs = Runs(pipeline)
    for at in data.draw(st.lists(st.integers(0, len(every) - 1), unique=True)):
        runs.add(every[at], fails[at])
    found = paths(runs)
    assert all(map(runs.hypothetical, found))
    for instance in every:
        holding = [path for path in found if path.holds(pipeline.configuration(instance))]
        assert len(holding) <= 1
        if runs.has_failed(instance):
            assert holding
    assert {atom.op for path in found for atom in path} <= {"=", "!=", "<", ">=", "<="}


def test_comparators_of_the_paper() -> None:
    """Equality where it tells as much as a threshold; a threshold in the middle of what it parts."""
    pipeline = Pipeline(rw.Space({"x": rw.Int(0, 9)}))
    runs = Runs(pipeline)
    runs.add((0,), False)
    runs.add((8,), True)
    assert paths(runs) == [Conjunction([Atom("x", "!=", 0)])]
    runs.add((1,), False)
    assert paths(runs) == [Conjunction([Atom("x", "=", 8)])]
    runs.add((9,), True)
    assert paths(runs) == [Conjunction([Atom("x", ">=", 5)])]


def test_an_exclusive_or_is_grown_to_the_end() -> None:
    runs = Runs(small((2, 2)))
    for instance in itertools.product((0, 1), (0, 1)):
        runs.add(instance, instance[0] != instance[1])
    assert len(paths(runs)) == 2


def test_without_passing_runs_everything_is_suspected() -> None:
    pipeline = small((3, 3, 3))
    runs = Runs(pipeline)
    runs.add((0, 0, 0), True)
    assert paths(runs) == [Conjunction()]
    assert debugged(runs, lambda instance: True).finding.causes == [Conjunction()]
    assert debugged(Runs(pipeline), lambda instance: True).finding.causes == []


# The search


@thorough
@given(histories(), st.sampled_from(["one", "all"]), st.integers(0, 3), st.data())
def test_with_all_tests_the_answer_is_exact(
    problem: tuple[Pipeline, list[Instance], list[bool]], goal: str, seed: int, data: st.DataObject
) -> None:
    """Exhaustive tests make causes definitive; and together they are all that failed where the tree has looked."""
    pipeline, every, fails = problem
    truth_of = dict(zip(every, fails, strict=True))
    runs = Runs(pipeline)
    for at in data.draw(st.lists(st.integers(0, len(every) - 1), unique=True)):
        runs.add(every[at], fails[at])
    search = ddt(pipeline, runs, goal=goal, seed=seed, tests=len(every))
    driven = drive(search, pipeline, runs, truth_of.__getitem__)
    causes = driven.finding.causes
    held = {one: any(cause.holds(pipeline.configuration(one)) for cause in causes) for one in every}
    assert all(truth_of[one] for one in every if held[one])
    assert all(cause.definitive for cause in driven.finding.details)
    asked = {one for one in (*runs.failing, *driven.asked) if truth_of[one]}
    if goal == "all":
        assert all(held[one] for one in asked)
        assert driven.finding.unexplained == 0
    assert bool(causes) == bool(runs.failing)


@thorough
@given(histories(), st.integers(1, 3), st.data())
def test_no_cause_is_refuted_by_what_was_run(
    problem: tuple[Pipeline, list[Instance], list[bool]], tests: int, data: st.DataObject
) -> None:
    pipeline, every, fails = problem
    truth_of = dict(zip(every, fails, strict=True))
    runs = Runs(pipeline)
    for at in data.draw(st.lists(st.integers(0, len(every) - 1), unique=True)):
        runs.add(every[at], fails[at])
    unjudged = data.draw(st.sets(st.sampled_from(every)))
    driven = drive(
        ddt(pipeline, runs, tests=tests), pipeline, runs, lambda one: None if one in unjudged else truth_of[one]
    )
    for instance in driven.asked:
        if instance not in unjudged:
            runs.add(instance, truth_of[instance])
    assert all(map(runs.hypothetical, driven.finding.causes))
    assert driven.finding.unexplained == 0


def test_large_paths_are_tested_with_every_value_as_often() -> None:
    pipeline = small((5,) * 12)
    runs = Runs(pipeline)
    runs.add((0,) * 12, True)
    runs.add((1,) * 12, False)
    driven = debugged(runs, lambda instance: instance[0] == 0)
    assert driven.finding.causes == [Conjunction([Atom("p0", "=", 0)])]
    codes = np.array(driven.asked[-10:])
    assert all(sorted(np.bincount(codes[:, i], minlength=5)) == [2] * 5 for i in range(1, 12))


def test_forbidden_instances_are_not_run() -> None:
    space = rw.Space({f"p{i}": rw.Int(0, 4) for i in range(8)})
    never = Rule([[Atom("p1", ">=", 2), Atom("p2", "!=", 0)], [Atom("p3", "=", 4)]])
    pipeline = Pipeline(space, never=never)
    runs = Runs(pipeline)
    runs.add((4, 0, 0, 0, 0, 0, 0, 0), True)
    runs.add((3, 0, 0, 0, 0, 0, 0, 0), True)
    runs.add((0, 1, 1, 1, 1, 1, 1, 1), False)
    runs.add((2, 1, 1, 1, 1, 1, 1, 1), False)
    driven = debugged(runs, lambda instance: instance[0] >= 3, tests=50)  # the driver looks
    assert driven.finding.causes == [Conjunction([Atom("p0", ">=", 3)])]


def test_the_same_seed_asks_the_same_and_another_does_not() -> None:
    first, again, other = (debugged(known(NAMES, TABLE_3), seed=seed) for seed in (1, 1, 2))
    assert first.asked == again.asked
    assert first.asked != other.asked


@pytest.mark.parametrize("options", [{"tests": 0}, {"tests": True}, {"tests": "many"}, {"goal": "both"}])
def test_bad_options(options: dict[str, Any]) -> None:
    runs = known(NAMES, TABLE_3)
    with pytest.raises(InputError, match="expected"):
        next(ddt(runs.pipeline, runs, **options))
