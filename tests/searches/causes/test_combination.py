"""The combination of section 7: Stacked Shortcut, then trees, then the simplification."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Conjunction
from rootward.searches.causes.decision_tree import TUNING, bugdoc
from rootward.searches.causes.instance_queries import box_of, conjunction, simplify_boxes
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.shortcut import stacked_shortcut
from tests.properties import examples

from .paper import DATA_AND_MEAN, LARGE_TEST, NAMES, TABLE_3, TABLE_4_NEW, Driven, drive, known, small, truth


def debugged(runs: Runs, **options: Any) -> Driven:
    pipeline = runs.pipeline
    return drive(bugdoc(pipeline, runs, **options), pipeline, runs, lambda one: truth(pipeline.configuration(one)))


def test_it_starts_with_stacked_shortcut() -> None:
    runs = known(NAMES, TABLE_3)
    pipeline = runs.pipeline
    stacked = drive(stacked_shortcut(pipeline, runs), pipeline, runs, lambda one: truth(pipeline.configuration(one)))
    whole = debugged(runs)
    assert whole.asked[: len(stacked.asked)] == stacked.asked
    assert whole.finding.unexplained == 0
    assert whole.finding.causes == [LARGE_TEST]  # no run has met the other one, which the tests of this one do not


def test_an_assertion_inside_a_path_is_absorbed() -> None:
    """Stacked Shortcut says a longer conjunction; the simplification leaves it out."""
    driven = debugged(known(NAMES, TABLE_3 + TABLE_4_NEW))
    assert driven.finding.causes == [LARGE_TEST, DATA_AND_MEAN]


def test_one_cause_is_the_assertion_if_its_tests_fail() -> None:
    pipeline = small((3,) * 6)
    runs = Runs(pipeline)
    for place in range(3):
        runs.add((place,) * 6, place == 0)
    driven = drive(bugdoc(pipeline, runs, goal="one"), pipeline, runs, lambda one: one[1] == one[4] == 0)
    assert driven.finding.causes == [Conjunction([Atom("p1", "=", 0), Atom("p4", "=", 0)])]
    assert driven.batches == [2] * 6 + [10]


def test_a_truncated_assertion_is_refuted_by_its_tests() -> None:
    """Example 5, with values enough that the tests meet one that passes."""
    pipeline = small((4, 4, 4))
    runs = Runs(pipeline)
    runs.add((0, 0, 0), True)
    runs.add((1, 1, 1), False)

    def fails(one: Any) -> bool:
        return bool(one[:2] == (0, 0) or (one[0], one[2]) == (1, 0))

    driven = drive(bugdoc(pipeline, runs, tests=64), pipeline, runs, fails)
    assert Conjunction([Atom("p2", "=", 0)]) in driven.bests[2].causes
    assert set(driven.finding.causes) == {
        Conjunction([Atom("p0", "=", 0), Atom("p1", "=", 0)]),
        Conjunction([Atom("p0", "=", 1), Atom("p2", "=", 0)]),
    }
    assert all(cause.definitive for cause in driven.finding.details)


def test_with_many_parameters_there_are_no_trees() -> None:
    pipeline = small((2,) * (TUNING.max_tree_parameters + 1))
    runs = Runs(pipeline)
    runs.add((0,) * len(pipeline), True)
    runs.add((1,) * len(pipeline), False)
    driven = drive(bugdoc(pipeline, runs), pipeline, runs, lambda one: one[7] == one[50] == 0)
    assert len(driven.asked) == len(pipeline)
    assert [cause.fields for cause in driven.finding.causes] == [(pipeline.names[7], pipeline.names[50])]


@pytest.mark.parametrize("failed", [True, False])
def test_runs_of_one_kind_alone(failed: bool) -> None:
    pipeline = small((3, 3))
    runs = Runs(pipeline)
    runs.add((0, 0), failed)
    driven = drive(bugdoc(pipeline, runs), pipeline, runs, lambda one: True)
    assert driven.finding.causes == ([Conjunction()] if failed else [])


@pytest.mark.parametrize("options", [{"k": 0}, {"tests": 0}, {"goal": 1}])
def test_bad_options(options: dict[str, Any]) -> None:
    runs = known(NAMES, TABLE_3)
    with pytest.raises(InputError, match="expected"):
        debugged(runs, **options)


# The simplification


@examples(60, derandomize=True)
@given(st.data())
def test_simplified_boxes_hold_for_the_same_instances(data: st.DataObject) -> None:
    kinds = [rw.Float(values=[0.1, 0.2, 0.3, 0.4]), rw.Choice(list("abc")), rw.Int(0, 3), rw.Bool()]
    fields = data.draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    pipeline = Pipeline(rw.Space({f"p{i}": kind for i, kind in enumerate(fields)}))
    sides = st.tuples(*(st.lists(st.booleans(), min_size=n, max_size=n).filter(any) for n in pipeline.sizes.tolist()))
    masks = data.draw(st.lists(sides, min_size=1, max_size=4))
    every = list(itertools.product(*(range(size) for size in pipeline.sizes)))
    said = [conjunction(pipeline, {i: np.array(mask) for i, mask in enumerate(one) if not all(mask)}) for one in masks]
    boxes = [box_of(pipeline, one) for one in said]
    shorter = [conjunction(pipeline, box) for box in simplify_boxes(pipeline, boxes)]
    for instance in every:
        configuration = pipeline.configuration(instance)
        wanted = any(all(mask[place] for mask, place in zip(one, instance, strict=True)) for one in masks)
        assert any(one.holds(configuration) for one in said) == wanted
        assert any(one.holds(configuration) for one in shorter) == wanted
    assert len(shorter) <= len(masks)
