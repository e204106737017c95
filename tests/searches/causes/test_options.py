"""What a cause may say of one parameter: every option once, chances that add up, words that mean what they say."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.causes.instance_queries import box_of
from rootward.searches.causes.options import Options, options
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.tuning import TUNING
from tests.properties import examples

thorough = examples(60, derandomize=True)
shapes = given(st.integers(1, 30), st.booleans())
NAN, INF = float("nan"), float("inf")


def shaped(count: int, ordered: bool) -> Options:
    """The options of so many values, each of its own."""
    return Options(np.arange(count), ordered)


def of(pipeline: Pipeline) -> list[Options]:
    return options(pipeline, Runs(pipeline))


@thorough
@shapes
def test_options_are_distinct_and_allow_something(count: int, ordered: bool) -> None:
    made = shaped(count, ordered)
    assert made.masks.shape == (len(made), count)
    assert made.masks[0].all()
    assert made.masks.any(axis=1).all()
    assert len({mask.tobytes() for mask in made.masks}) == len(made)


@thorough
@shapes
def test_chances_add_up(count: int, ordered: bool) -> None:
    made = shaped(count, ordered)
    assert made.chances.shape == (len(made),)
    assert made.chances[0] == 0
    assert np.isfinite(made.chances).all()
    if count > 1:
        assert np.exp(made.chances[1:]).sum() == pytest.approx(1)


@thorough
@shapes
def test_single_allows_the_value_alone(count: int, ordered: bool) -> None:
    made = shaped(count, ordered)
    assert np.array_equal(made.masks[made.single], np.eye(count, dtype=bool))


@thorough
@given(st.integers(2, 12), st.booleans())
def test_every_plain_comparison_is_an_option(count: int, ordered: bool) -> None:
    places = np.arange(count)
    said = [places == a for a in places] + [places != a for a in places]
    if ordered:
        said += [places <= a for a in places[:-1]] + [places > a for a in places[:-1]]
        said += [(places >= a) & (places <= b) for a, b in combinations(places, 2)]
    masks = {mask.tobytes() for mask in shaped(count, ordered).masks}
    assert all(mask.tobytes() in masks for mask in said)


@pytest.mark.parametrize("ordered", [False, True])
def test_one_value_says_nothing(ordered: bool) -> None:
    made = shaped(1, ordered)
    assert len(made) == 1
    assert made.single.tolist() == [0]


@pytest.mark.parametrize("ordered", [False, True])
def test_of_two_values_there_are_two_options(ordered: bool) -> None:
    made = shaped(2, ordered)
    assert sorted(map(tuple, made.masks[1:].tolist())) == [(False, True), (True, False)]
    assert np.exp(made.chances[1:]) == pytest.approx([0.5, 0.5])


def test_plain_comparisons_are_likelier_than_pairs() -> None:
    made = shaped(5, False)
    ones, pairs = (made.chances[made.masks.sum(axis=1) == count] for count in (1, 2))
    assert ones.min() > pairs.max()


def test_each_parameter_has_options_of_its_own_shape() -> None:
    space = rw.Space({"a": rw.Choice("xyz"), "b": rw.Int(0, 2), "c": rw.Choice("uvw"), "d": rw.Bool()})
    found = of(Pipeline(space))
    assert [one.masks.shape[1] for one in found] == [3, 3, 3, 2]
    assert found[0] is found[2]
    assert len(found[0]) == 7 == len(found[1])


VALUES = {
    "texts": rw.Choice(["b", "a", "c"]),
    "ordinal": rw.Ordinal(["low", "mid", "high", "top"]),
    "alphabet": rw.Ordinal(["a", "b", "c", "d"]),
    "bools": rw.Bool(),
    "mixed": rw.Choice([None, True, 1, "1", NAN, (1, 2)]),
    "integers": rw.Int(-2, 3),
    "numbers": rw.Float(values=[-INF, -1.5, 0.0, 2.0, INF]),
    "with NaN": rw.Float(values=[-1.0, 0.5, 2.0, NAN]),
    "negative zero": rw.Float(values=[-1.0, -0.0, 2.0]),
    "both zeros": rw.Float(values=[-1.0, -0.0, 0.0, 2.0]),
}


@pytest.mark.parametrize("kind", VALUES)
def test_every_option_can_be_said(kind: str) -> None:
    """The words for an option hold for the values that it allows and for no other."""
    pipeline = Pipeline(rw.Space({"x": VALUES[kind]}))
    [own] = of(pipeline)
    for mask in own.masks:
        said = pipeline.conjunction({0: mask})
        meant = box_of(pipeline, said).get(0, np.ones(len(mask), dtype=bool))
        assert np.array_equal(meant, mask), f"{said} does not say {mask} of {pipeline.values[0]}"


@pytest.mark.parametrize("field", [rw.Choice([-0.0, 0.0, 1.0]), rw.Ordinal([-1, -0.0, 0.0]), rw.Choice([1, 1.0, "1"])])
def test_values_that_no_rule_tells_apart_are_refused(field: Any) -> None:
    with pytest.raises(rw.InputError, match="no comparison tells apart"):
        Pipeline(rw.Space({"x": field}))


def test_nan_lies_on_no_side_of_a_bound() -> None:
    """A failure beyond a bound, where NaN passes, is among the plain options."""
    pipeline = Pipeline(rw.Space({"x": rw.Float(values=[*range(40), NAN])}))
    [values], [own] = pipeline.values, of(pipeline)
    assert any(map(math.isnan, values))
    for low, high in pairwise(sorted(value for value in values if math.isfinite(value))):
        above = np.array([value > low for value in values])
        below = np.array([value < high for value in values])
        assert (own.masks == above).all(axis=1).any()
        assert (own.masks == below).all(axis=1).any()


@thorough
@given(st.integers(TUNING.max_blocks + 1, 400), st.integers(0, 999), st.booleans())
def test_very_many_values_are_cut_where_the_verdict_changes(count: int, seed: int, nan: bool) -> None:
    """The bound of a failure is an option, however many values there are and whichever of them were run."""
    rng = np.random.default_rng(seed)
    values = [float(value) for value in range(count)] + [NAN] * nan
    pipeline = Pipeline(rw.Space({"x": rw.Float(values=values)}))
    runs, bound = Runs(pipeline), int(rng.integers(1, count - 1))
    places = {bound - 1, bound, *rng.integers(0, count, size=int(rng.integers(0, 300))).tolist()}
    for place in sorted(places):
        runs.add((place,), place >= bound)
    [own] = options(pipeline, runs)
    above = np.arange(len(values)) >= bound
    above[count:] = False
    assert own.masks.shape[1] == len(values)
    assert len(own) < 8 * TUNING.max_blocks
    assert len({mask.tobytes() for mask in own.masks}) == len(own)
    assert np.exp(own.chances[1:]).sum() == pytest.approx(1)
    assert own.masks[own.single, np.arange(len(values))].all()
    assert (own.masks == above).all(axis=1).any(), "the failing values"
