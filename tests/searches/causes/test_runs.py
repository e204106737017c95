"""Runs: Definitions 2 to 7 against brute force."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Rule
from rootward.search.design import Instance
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs, are_disjoint, read_runs, sufficiently_different
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Verdict
from tests.properties import examples

from .paper import DATASET, IMPUTER, MODEL, TABLE_1, equalities, known, minimal_causes, said, small

thorough = examples(60, derandomize=True)


@st.composite
def pipelines(draw: st.DrawFn) -> tuple[list[int], dict[Instance, bool]]:
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    every = list(itertools.product(*map(range, sizes)))
    return sizes, {one: draw(st.booleans()) for one in every}


def all_run(sizes: list[int], truth: dict[Instance, bool]) -> Runs:
    runs = Runs(small(sizes))
    for instance, failed in truth.items():
        runs.add(instance, failed)
    return runs


# Definition 2: what counts as failing


def test_verdicts() -> None:
    pipeline = small((5,))
    verdicts: list[Verdict | bool] = [FAIL, PASS, OTHER, UNRESOLVED, True]
    runs = read_runs(pipeline, [({"p0": i}, verdict) for i, verdict in enumerate(verdicts)])
    assert runs.failing == [(0,), (4,)]
    assert runs.passing == [(1,), (2,)]
    assert (3,) not in runs
    assert [runs.has_failed((i,)) for i in range(5)] == [True, False, False, None, True]


def test_a_history_that_contradicts_itself() -> None:
    runs = read_runs(small((2,)), [({"p0": 0}, FAIL), ({"p0": 0}, PASS), ({"p0": 1}, PASS), ({"p0": 0}, FAIL)])
    assert (len(runs), runs.contradictory, runs.failing) == (2, [(0,)], [(0,)])
    assert (runs.fails.tolist(), runs.passes.tolist()) == ([2, 0], [1, 1])
    assert runs.without([(0,)]).failing == []
    copy = runs.without(())
    copy.add((0,), True)
    assert (copy.fails.tolist(), runs.fails.tolist()) == ([3, 0], [2, 0])


def test_many_runs_keep_their_order() -> None:
    pipeline = small((10, 10, 10))
    runs = Runs(pipeline)
    every = list(itertools.product(range(10), repeat=3))
    for instance in reversed(every):
        runs.add(instance, instance[0] == 3)
    assert list(map(tuple, runs.codes.tolist())) == every[::-1]
    assert runs.failing == [one for one in reversed(every) if one[0] == 3]
    assert runs.fails.sum() == 100


@pytest.mark.parametrize("verdict", ["fail", 1, None])
def test_a_history_needs_verdicts(verdict: Any) -> None:
    with pytest.raises(InputError, match="run 2 of the history"):
        read_runs(small((2,)), [({"p0": 0}, FAIL), ({"p0": 1}, verdict)])


def test_a_history_needs_known_values() -> None:
    with pytest.raises(InputError, match="run 1 of the history has a value"):
        read_runs(small((2,)), [({"p0": 7}, FAIL)])


# Definitions 3 to 5


def test_the_example_of_definition_3() -> None:
    """In Figure 1, gradient boosting on data other than Dataset 3 is a hypothetical cause, not a definitive one."""
    runs = known([DATASET, IMPUTER, MODEL], TABLE_1)
    cause = Conjunction([Atom(DATASET, "!=", "Dataset 3"), Atom(MODEL, "=", "Gradient Boosting")])
    assert runs.hypothetical(cause)
    assert (runs.definitive(cause), runs.count_instances(cause)) == (False, 4)
    assert runs.hypothetical(Conjunction([Atom(MODEL, "=", "Gradient Boosting")]))
    larger = Conjunction([Atom(DATASET, "!=", "Dataset 3")])
    assert not runs.hypothetical(larger)
    assert [one[MODEL] for one in runs.find_refuting(larger)] == ["Logistic Regression", "Decision Tree"]
    assert not runs.hypothetical(Conjunction([Atom(DATASET, "=", "Dataset 9")]))  # no failing run fulfils it


@thorough
@given(pipelines(), st.data())
def test_definitive_and_minimal_if_everything_was_run(
    problem: tuple[list[int], dict[Instance, bool]], data: st.DataObject
) -> None:
    sizes, truth = problem
    runs = all_run(sizes, truth)
    minimal = minimal_causes(sizes, truth.__getitem__)
    chosen = data.draw(st.sets(st.integers(0, len(sizes) - 1)))
    cause = frozenset((i, data.draw(st.integers(0, sizes[i] - 1))) for i in sorted(chosen))
    named = said(runs.pipeline, cause)
    assert equalities(runs.pipeline, named) == cause
    assert runs.definitive(named) == runs.hypothetical(named) == any(one <= cause for one in minimal)
    assert runs.minimal(named) == (cause in minimal)


@thorough
@given(pipelines(), st.data())
def test_definitive_only_if_all_of_it_was_run(
    problem: tuple[list[int], dict[Instance, bool]], data: st.DataObject
) -> None:
    sizes, _ = problem
    runs = all_run(sizes, dict.fromkeys(itertools.product(*map(range, sizes)), True))
    missing = data.draw(st.sampled_from(runs.failing))
    cause = said(runs.pipeline, frozenset({(0, data.draw(st.integers(0, sizes[0] - 1)))}))
    fewer = runs.without([missing])
    assert runs.definitive(cause)
    assert fewer.definitive(cause) == (not cause.holds(runs.pipeline.configuration(missing)))


def test_forbidden_instances_need_not_be_run() -> None:
    space = rw.Space({"a": rw.Int(0, 2), "b": rw.Int(0, 2)})
    pipeline = Pipeline(space, never=Rule([[Atom("a", "=", 0), Atom("b", ">=", 1)]]))
    runs = Runs(pipeline)
    runs.add((0, 0), True)
    cause = Conjunction([Atom("a", "=", 0)])
    assert (runs.count_instances(cause), runs.count_instances(Conjunction())) == (1, 7)
    assert runs.definitive(cause)


# Definitions 6 and 7


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_disjoint(pairs: list[tuple[int, int]]) -> None:
    one, other = zip(*pairs, strict=True)
    assert are_disjoint(one, other) == (np.array(one) != np.array(other)).all()


def test_sufficiently_different() -> None:
    def cause(**values: int) -> Conjunction:
        return Conjunction(Atom(name, "=", value) for name, value in values.items())

    assert sufficiently_different(cause(a=0, b=0), cause(a=1, b=1, c=0))  # Example 6
    assert not sufficiently_different(cause(a=0, b=0), cause(a=1, c=0))  # Example 5: one shared parameter
    assert not sufficiently_different(cause(a=0, b=0), cause(a=1, b=0))
