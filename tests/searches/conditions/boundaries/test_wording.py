"""The rule that is told holds exactly where the model predicts a failure."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.observations import Observations
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.searches.conditions.boundaries.wording import rule_of
from tests.properties import examples

from .planted import cut_of

WHOLE = rw.Space({"x": rw.Int(-50, 50), "y": rw.Int(-50, 50), "mode": rw.Choice("abc"), "on": rw.Bool()})
POSITIVE = rw.Space({"x": rw.Int(1, 50), "y": rw.Int(1, 50), "mode": rw.Choice("abc"), "on": rw.Bool()})
REAL = rw.Space({"x": rw.Float(), "y": rw.Float(), "mode": rw.Choice("abc"), "on": rw.Bool()})
FORMULAS = ["a", "abs(a)", "a + b", "a * b", "a * a + b * b", "ratio(a, b)", "abs(a - b)"]
ON_WHOLE = [*FORMULAS, "minus(a, b)", "min(a, b)", "max(a, b)", "a % 7", "a & 4", "wrap(a * b, 8)", "minus(a, 2 * b)"]
AT_ZERO = [
    *("minus(a, b)", "minus(abs(a), b)", "minus(a, 0.5 * b)", "minus(trunc(a), trunc(b))"),
    "abs(trunc(a) - trunc(b))",
]


def model_of(space: rw.Space, points: Sequence[Point], labels: Sequence[bool], chosen: Sequence[Cut]) -> RuleModel:
    """With literals for all fields that have no order."""
    notebook = Observations(space, space.names, {})
    for point, label in zip(points, labels, strict=True):
        notebook.add(point, label)
    notebook.brackets = [Bracket(axis, 0, 0, False, 1.0, True) for axis in notebook.axes]
    return RuleModel(notebook.axes, notebook, chosen, np.random.default_rng(0))


def drawn(space: rw.Space, count: int, seed: int) -> list[Point]:
    """Distinct points from all over, some values in common."""
    rng = np.random.default_rng(seed)
    axes = [FieldAxis(i, name, space[name]) for i, name in enumerate(space.names)]
    pools = [[axis.draw(rng) for _ in range(10)] for axis in axes]
    points = [tuple(pool[int(rng.integers(10))] for pool in pools) for _ in range(count)]
    return list({repr(point): point for point in points}.values())


def with_nan(points: Sequence[Point]) -> list[Point]:
    """The points, and as many where the first field has no value."""
    return [*points, *((math.nan, *point[1:]) for point in points if point[0] == point[0])]


def condition(data: st.DataObject, chosen: Sequence[Cut]) -> Any:
    """A random planted condition: cuts, values and a gate, in two conjunctions."""

    def atom() -> Any:
        cut, side = data.draw(st.sampled_from(list(chosen))), data.draw(st.sampled_from([-1, 0, 1]))
        value = data.draw(st.sampled_from("abc"))
        kind = data.draw(st.integers(0, 4))
        if kind == 0:
            return lambda point: point[2] == value
        if kind == 1:
            return lambda point: point[3]
        return lambda point: cut.side(point) == side if side else cut.side(point) >= 0

    terms = [[atom() for _ in range(data.draw(st.integers(1, 3)))] for _ in range(data.draw(st.integers(1, 2)))]
    return lambda point: any(all(holds(point) for holds in term) for term in terms)


def agree(space: rw.Space, model: RuleModel, points: Sequence[Point]) -> None:
    rule = rule_of(model, space)
    for point in points:
        assert rule.holds(dict(zip(space.names, point, strict=True))) == model.predict(point), (rule, point)


@given(data=st.data())
@examples(50)
def test_on_integers(data: st.DataObject) -> None:
    indices = st.sampled_from([(0, 1), (1, 0)])
    chosen = [
        cut_of(data.draw(st.sampled_from(ON_WHOLE)), data.draw(indices), data.draw(st.integers(-60, 60)), strict)
        for strict in (False, True, False)
    ]
    fails, seed = condition(data, chosen), data.draw(st.integers(0, 1000))
    points = drawn(WHOLE, 40, seed)
    model = model_of(WHOLE, points, [fails(point) for point in points], chosen)
    agree(WHOLE, model, points)
    agree(WHOLE, model, drawn(WHOLE, 100, seed + 1))


@given(data=st.data())
@examples(50)
def test_on_floats_with_infinities_and_nan(data: st.DataObject) -> None:
    numbers = st.sampled_from([0, 0.5, 1, -3, 2500, 1e-300, 1e300, 2**31 - 1])
    chosen = [
        cut_of(data.draw(st.sampled_from(FORMULAS)), (0, 1), data.draw(numbers), strict) for strict in (False, True)
    ]
    chosen.append(cut_of(data.draw(st.sampled_from(AT_ZERO)), (0, 1), 0, data.draw(st.booleans())))
    fails, seed = condition(data, chosen), data.draw(st.integers(0, 1000))
    points = drawn(REAL, 40, seed)
    model = model_of(REAL, points, [fails(point) for point in points], chosen)
    agree(REAL, model, points)
    agree(REAL, model, drawn(REAL, 100, seed + 1))


@given(st.frozensets(st.integers(-50, 50), min_size=1), st.integers(-50, 50), st.booleans(), st.integers(0, 1000))
@examples(40)
def test_on_lists_of_values(values: frozenset[int], bound: int, inside: bool, seed: int) -> None:
    cut = cut_of("a", (1,), bound)
    points = drawn(WHOLE, 60, seed)
    notebook = Observations(WHOLE, WHOLE.names, {})
    for point in points:
        notebook.add(point, (point[0] in values) == inside and cut.side(point) > 0)
    model = RuleModel(notebook.axes, notebook, [cut], np.random.default_rng(0), [(0, values)])
    agree(WHOLE, model, [*points, *drawn(WHOLE, 100, seed + 1)])


@given(st.lists(st.booleans(), min_size=30, max_size=30), st.integers(0, 1000))
@examples(40)
def test_on_labels_that_follow_no_rule(labels: list[bool], seed: int) -> None:
    chosen = [cut_of("a", (0,), 0), cut_of("a", (1,), 7), cut_of("a + b", (0, 1), 3, True)]
    points = drawn(WHOLE, 12, seed)
    model = model_of(WHOLE, points, labels[: len(points)], chosen)
    agree(WHOLE, model, [*points, *drawn(WHOLE, 60, seed + 1)])


@pytest.mark.parametrize(
    ("space", "cut", "fails", "text"),
    [
        (WHOLE, cut_of("a", (0,), 20), 1, "x > 20"),
        (WHOLE, cut_of("a", (0,), 20, True), 1, "x >= 20"),
        (WHOLE, cut_of("a", (0,), 20), -1, "x <= 20"),
        (WHOLE, cut_of("abs(a)", (1,), 20, True), -1, "abs(y) < 20"),
        (WHOLE, cut_of("a * b", (0, 1), 100), 1, "x * y > 100"),
        (WHOLE, cut_of("minus(a, b)", (0, 1), 0), 1, "x > y"),
        (WHOLE, cut_of("minus(a, 2 * b)", (1, 0), 0), -1, "y <= 2 * x"),
        (WHOLE, cut_of("a & 4", (0,), 0), 1, "(x & 4) > 0"),
        (WHOLE, cut_of("minus(a, 3 * b)", (0, 1), -6), 1, "x + 6 > 3 * y"),
        (WHOLE, cut_of("ratio(a, b)", (0, 1), 2.0), 1, "x / y > 2.0"),
        (POSITIVE, cut_of("ratio(a, b)", (0, 1), 2.0), 1, "x > 2 * y"),
        (POSITIVE, cut_of("ratio(a, b)", (0, 1), 1.5), 1, "x / y > 1.5"),
        (POSITIVE, cut_of("ratio(a * a, b)", (0, 1), 1.5), 1, "x * x > 1.5 * y"),
        (POSITIVE, cut_of("ratio(a, b * b)", (0, 1), 3.0), 1, "x > 3 * y * y"),
        (POSITIVE, cut_of("ratio(a, b * b)", (0, 1), 0.1), 1, "10 * x > y * y"),
        (WHOLE, cut_of("ratio(a * a, b)", (0, 1), 3.0), 1, "x * x / y > 3.0"),
        (WHOLE, cut_of("max(a, b)", (0, 1), 20), -1, "x <= 20 and y <= 20"),
        (WHOLE, cut_of("max(a, b)", (0, 1), 20), 1, "max(x, y) > 20"),
        (REAL, cut_of("a", (0,), 2.5), 1, "x > 2.5"),
    ],
)
def test_the_text_of_one_comparison(space: rw.Space, cut: Cut, fails: int, text: str) -> None:
    points = [point for point in drawn(space, 60, 5) if cut.side(point)]
    labels = [cut.side(point) == fails for point in points]
    assert len(set(labels)) == 2
    assert str(rule_of(model_of(space, points, labels, [cut]), space)) == text


def test_where_nan_fails_too_the_rule_says_what_passes() -> None:
    cut = cut_of("a", (0,), 2.5)
    points = with_nan(drawn(REAL, 60, 1))
    labels = [cut.side(point) >= 0 for point in points]
    assert str(rule_of(model_of(REAL, points, labels, [cut]), REAL)) == "not (x <= 2.5)"


def test_nan_alone() -> None:
    points = with_nan(drawn(REAL, 60, 1))
    model = model_of(REAL, points, [math.isnan(point[0]) for point in points], [])
    agree(REAL, model, points)
    assert rule_of(model, REAL).fields == ("x",)


@pytest.mark.parametrize("verdict", [True, False])
def test_one_verdict_only(verdict: bool) -> None:
    points = drawn(WHOLE, 20, 1)
    model = model_of(WHOLE, points, [verdict] * len(points), [cut_of("a", (0,), 3)])
    assert rule_of(model, WHOLE) == (rw.Rule.always() if verdict else rw.Rule.never())


def test_no_distance_from_zero_is_zero() -> None:
    points = [(x, 0, "a", True) for x in range(-3, 4)]
    model = model_of(WHOLE, points, [point[0] == 0 for point in points], [cut_of("abs(a)", (0,), 0)])
    assert str(rule_of(model, WHOLE)) == "x = 0"
