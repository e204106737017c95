"""Questions, their constants, and the growing tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.conditions.trees.axes import Axes
from rootward.searches.conditions.trees.fitting import grow
from rootward.searches.conditions.trees.sampling import sample_latin
from rootward.searches.conditions.trees.splitting import (
    Borders,
    Splitter,
    compute_gains,
    find_best_below,
    find_best_equal,
    find_borders,
    find_neighbours,
    fit_lines,
    fit_products,
    gain,
    sample_borders,
)
from rootward.searches.conditions.trees.tree import (
    Form,
    Leaf,
    Split,
    SplitQuestion,
    Tree,
    count_errors,
    count_leaves,
    epsilon,
    predict,
)
from rootward.space.compression import compress_many
from tests.properties import examples

quick = examples(100, derandomize=True)
numbers = st.one_of(st.floats(-1e4, 1e4), st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 4.0, 1e300]))
FLOATS = rw.Space({"x": rw.Float(), "y": rw.Float()})
NEAR = rw.Space({"x": rw.Float(-100, 100), "y": rw.Float(-100, 100)})
ONE = np.array([[0, 1]])
Fails = Callable[[Any, Any], Any]


def sample(space: rw.Space, fails: Fails, count: int, seed: int = 0) -> tuple[Axes, Any, Any, Any]:
    axes = Axes(space, None)
    places = sample_latin(axes, count, np.random.default_rng(seed))
    features = axes.features(places)
    return axes, features, places, np.asarray(fails(features[:, 0], features[:, 1]))


def evenly(fails: Fails, count: int, reach: float = 20.0, seed: int = 0) -> tuple[Axes, Any, Any, Any]:
    """Points spread evenly over values, not over places."""
    axes = Axes(NEAR, None)
    features = np.random.default_rng(seed).uniform(-reach, reach, (count, 2))
    places = np.column_stack([field.compress_many(column) for field, column in zip(axes.fields, features.T)])  # noqa: B905
    return axes, features, places, np.asarray(fails(features[:, 0], features[:, 1]))


# Questions


def test_epsilon_is_half_or_a_hundredth() -> None:
    assert epsilon(np.array([0.0, 50.0, 100.0, -4500.0])).tolist() == [0.5, 0.5, 1.0, 45.0]


@quick
@given(x=numbers, y=numbers, p0=st.floats(-1e4, 1e4), p1=st.floats(-50, 50))
def test_every_form_means_what_it_says(x: float, y: float, p0: float, p1: float) -> None:
    close = max(0.5, 0.01 * abs(p0))
    finite = math.isfinite(x) and math.isfinite(y)
    expected = {
        Form.NAN: math.isnan(x),
        Form.INF: math.isinf(x),
        Form.EQUAL: abs(x - y) <= 0.5,
        Form.SAME_WHOLE: finite and int(x) == int(y),
        Form.BELOW: x < p0,
        Form.LINE_BELOW: x + p1 * y < p0,
        Form.PRODUCT_BELOW: x * y < p0,
        Form.AT: abs(x - p0) <= close,
        Form.LINE_AT: abs(x + p1 * y - p0) <= close,
        Form.PRODUCT_AT: abs(x * y - p0) <= close,
    }
    assert list(Form) == list(expected)
    for form, holds in expected.items():
        assert SplitQuestion(form, 0, 1, p0, p1).holds(np.array([[x, y]])).tolist() == [holds], form


# Information gain


def bits(labels: list[bool]) -> float:
    shares = [labels.count(label) / len(labels) for label in set(labels)]
    return -sum(share * math.log2(share) for share in shares)


@quick
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_gain_is_the_drop_of_weighted_entropy(rows: list[tuple[bool, bool]]) -> None:
    labels = [label for _, label in rows]
    sides = [[label for side, label in rows if side == which] for which in (True, False)]
    expected = bits(labels) - sum(len(side) / len(labels) * bits(side) for side in sides if side)
    holds, fails = np.array(rows).T
    assert compute_gains(holds, fails) == pytest.approx(expected, abs=1e-9)
    assert compute_gains(~holds, fails) == pytest.approx(expected, abs=1e-9)
    yes = sides[0]
    assert gain(len(yes), sum(yes), len(labels), sum(labels)) == pytest.approx(expected, abs=1e-9)


# Questions about one field


@quick
@given(st.lists(st.tuples(numbers, st.booleans()), min_size=2, max_size=25))
@example([(math.nan, False), (math.inf, True)])
def test_below_is_the_best_there_is(rows: list[tuple[float, bool]]) -> None:
    column, fails = np.array([x for x, _ in rows]), np.array([label for _, label in rows])
    found = list(find_best_below(column, fails, 0))
    cuts = [x for x in column if not math.isnan(x)] + [math.inf]
    best = max(float(compute_gains(column < cut, fails)) for cut in cuts)
    assert max([0.0, *(score for score, _ in found)]) == pytest.approx(best, abs=1e-9)
    for score, question in found:
        assert score == pytest.approx(float(compute_gains(question.holds(column[:, None]), fails)), abs=1e-9)


@quick
@given(st.lists(st.tuples(numbers, st.booleans()), min_size=2, max_size=25))
@example([(2.570741555949163e-112, True), (-0.5, False)])
def test_equal_to_is_the_best_of_the_values_seen(rows: list[tuple[float, bool]]) -> None:
    column, fails = np.array([x for x, _ in rows]), np.array([label for _, label in rows])
    tried = [SplitQuestion(Form.AT, 0, p0=x) for x in column if math.isfinite(x)]
    best = max([0.0, *(float(compute_gains(question.holds(column[:, None]), fails)) for question in tried)])
    found = list(find_best_equal(column, fails, 0))
    assert max([0.0, *(score for score, _ in found)]) == pytest.approx(best, abs=1e-9)


def test_a_threshold_lies_half_way_in_symmetric_log_space() -> None:
    [(_, question)] = find_best_below(np.array([1.0, 2.0**20]), np.array([True, False]), 0)
    assert question.p0 == 2.0**10
    [(_, question)] = find_best_below(np.array([5.0, math.inf]), np.array([True, False]), 0)
    assert question.holds(np.array([[5.0], [math.inf]])).tolist() == [True, False]
    [(_, question)] = find_best_below(np.array([-math.inf, 5.0]), np.array([True, False]), 0)
    assert question.holds(np.array([[-math.inf], [5.0]])).tolist() == [True, False]


# Boundary points


@quick
@given(seed=st.integers(0, 10**6), count=st.integers(2, 40))
def test_neighbours_are_the_nearest_on_the_other_side(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    places, fails = rng.uniform(-50, 50, (count, 2)), rng.random(count) < 0.4
    away = np.linalg.norm(places[:, None] - places, axis=2)
    expected = set()
    for mine, other in ((fails, ~fails), (~fails, fails)):
        ours, theirs = np.flatnonzero(mine), np.flatnonzero(other)
        if len(ours) and len(theirs):
            for edge in {ours[np.argmin(away[one, ours])] for one in theirs}:
                pair = [edge, theirs[np.argmin(away[edge, theirs])]]
                expected.add(tuple(sorted(pair, key=lambda at: not fails[at])))
    assert set(map(tuple, find_neighbours(places, fails).tolist())) == expected
    swapped = {(one, two) for two, one in find_neighbours(places, ~fails).tolist()}
    assert swapped == expected, "distances are symmetric"


def test_boundary_points_are_averages_in_symmetric_log_space() -> None:
    found = find_borders(np.array([[1.0, 21.0], [3.0, 25.0]]), np.array([True, False]))
    assert found.places.tolist() == [[2.0, 23.0]]
    assert found.values.tolist() == [[2.0, 2.0**22]]
    assert found.reach.tolist() == [[1.0, 2.0]]


def test_different_special_values_are_no_neighbours() -> None:
    nan = math.nan
    places = np.array([[nan, 1.0], [0.0, 1.0], [nan, 9.0]])
    assert find_neighbours(places, np.array([True, False, False])).tolist() == [[0, 2]]
    assert len(find_neighbours(places[:2], np.array([True, False]))) == 0
    found = find_borders(places, np.array([True, False, False]))
    assert np.array_equal(found.places, [[nan, 5.0]], equal_nan=True)


def test_one_label_has_no_border() -> None:
    assert len(find_borders(np.zeros((3, 2)), np.ones(3, dtype=bool))) == 0


# RANSAC


def test_lines_find_the_constants_and_ignore_another_border() -> None:
    rng = np.random.default_rng(0)
    y = rng.uniform(2, 30, 20)
    on_line = np.column_stack([100 - 3 * y, y])
    elsewhere = np.column_stack([np.full(8, -60.0), rng.uniform(-90, -40, 8)])
    models = fit_lines(_exact(np.vstack([on_line, elsewhere])), ONE, rng)
    assert models.explained[0, 0] == 20
    assert models.p0[0, 0] == pytest.approx(100)
    assert models.p1[0, 0] == pytest.approx(3)
    assert np.all(np.diff(models.explained[0]) <= 0), "the best explained first"


def test_products_find_the_constant() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 30, 12)
    models = fit_products(_exact(np.vstack([np.column_stack([x, 77 / x]), rng.uniform(-9, -5, (6, 2))])), ONE)
    assert models.explained[0, 0] == 12
    assert models.p0[0, 0] == pytest.approx(77)


def test_many_boundary_points_are_sampled() -> None:
    found = _exact(np.random.default_rng(0).uniform(-9, 9, (500, 2)))
    kept = sample_borders(found, np.random.default_rng(0))
    assert len(kept) == 64
    assert set(map(tuple, kept.values.tolist())) <= set(map(tuple, found.values.tolist()))


def _exact(values: Any) -> Any:
    return Borders(compress_many(values), values, np.full(values.shape, 1e-6))


# Each splitter recovers its own condition


def first_question(axes: Axes, features: Any, places: Any, fails: Any) -> SplitQuestion:
    found = Splitter(axes, np.random.default_rng(0)).best(features, places, fails)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("form", "fails"),
    [
        (Form.NAN, lambda x, y: np.isnan(x)),
        (Form.INF, lambda x, y: np.isinf(x)),
        (Form.BELOW, lambda x, y: x < 3.5),
        (Form.AT, lambda x, y: np.abs(x - 40) <= 0.5),
    ],
)
def test_one_field(form: str, fails: Fails) -> None:
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-90, 90, 120), [math.nan] * 6, [math.inf, -math.inf] * 3, 39.6 + np.arange(8) / 10])
    features = np.column_stack([x, rng.permutation(np.linspace(-90, 90, len(x)))])
    axes = Axes(FLOATS, None)
    places = np.column_stack([axes.fields[at].compress_many(features[:, at]) for at in range(2)])
    found = first_question(axes, features, places, fails(features[:, 0], features[:, 1]))
    assert (found.form, found.x) == (form, 0)
    assert np.array_equal(found.holds(features), fails(features[:, 0], features[:, 1]))


@pytest.mark.parametrize(
    ("form", "fails", "p0", "p1"),
    [
        (Form.LINE_BELOW, lambda x, y: x + 2 * y < 5, 5, 2),
        (Form.LINE_BELOW, lambda x, y: x - 3 * y < 1, 1, -3),
        (Form.PRODUCT_BELOW, lambda x, y: x * y < 60, 60, None),
    ],
)
def test_two_fields_are_told_apart_by_a_curve(form: str, fails: Fails, p0: float, p1: float | None) -> None:
    axes, features, places, labels = evenly(fails, 1500)
    found = first_question(axes, features, places, labels)
    assert (found.form, found.x, found.y) == (form, 0, 1)
    assert found.p0 == pytest.approx(p0, abs=max(1.5, 0.1 * p0))
    if p1 is not None:
        assert found.p1 == pytest.approx(p1, rel=0.1)
    assert np.mean(found.holds(features) == labels) > 0.98


@pytest.mark.parametrize(
    ("form", "fails"),
    [
        (Form.EQUAL, lambda x, y: np.abs(x - y) <= 0.5),
        (Form.SAME_WHOLE, lambda x, y: np.trunc(x) == np.trunc(y)),
        (Form.LINE_AT, lambda x, y: np.abs(x + 2 * y - 7) <= 0.5),
        (Form.PRODUCT_AT, lambda x, y: np.abs(x * y - 70) <= 0.7),
    ],
)
def test_equalities_of_two_fields(form: str, fails: Fails) -> None:
    axes, features, places, labels = evenly(fails, 4000, 12.0)
    found = first_question(axes, features, places, labels)
    assert found.form == form
    agreed = labels & found.holds(features)
    assert agreed.sum() > 0.5 * labels.sum()


def test_only_equality_is_asked_of_what_has_no_order() -> None:
    space = rw.Space({"c": rw.Choice(["r", "g", "b", "k"]), "o": rw.Ordinal([1, 2, 4, 8])})
    axes = Axes(space, None)
    places = np.array([(c, o) for c in range(4) for o in range(4)], dtype=float)
    found = first_question(axes, places, places, places[:, 0] == 2)
    assert found == SplitQuestion(Form.AT, 0, p0=2.0)
    found = first_question(axes, places, places, places[:, 1] < 2)
    assert (found.form, found.x) == (Form.BELOW, 1)
    axes = Axes(rw.Space({"c": rw.Choice("rgbk"), "o": rw.Ordinal(["low", "high", "off", "on"])}), None)
    found = first_question(axes, places, places, places[:, 1] < 2)
    assert (found.form, found.x) == (Form.AT, 1), "a text cannot be compared by its place in a rule"


# Growing


def walk(tree: Tree, features: Any, fails: Any) -> list[tuple[Tree, Any, Any]]:
    if isinstance(tree, Leaf):
        return [(tree, features, fails)]
    yes = tree.question.holds(features)
    below_it = [*walk(tree.yes, features[yes], fails[yes]), *walk(tree.no, features[~yes], fails[~yes])]
    return [(tree, features, fails), *below_it]


@examples(15, derandomize=True)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 60))
def test_growing_stops_where_it_must_and_nowhere_else(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    axes, features, places, fails = sample(FLOATS, lambda x, y: rng.random(count) < 0.4, max(count, 2), seed)
    fails = np.resize(fails, len(features))
    splitter = Splitter(axes, np.random.default_rng(0))
    tree = grow(splitter, features, places, fails)
    for node, rows, labels in walk(tree, features, fails):
        if isinstance(node, Split):
            assert len(labels) >= 5
            assert 0 < labels.sum() < len(labels)
            assert compute_gains(node.question.holds(rows), labels) > 0
        else:
            assert (node.fails, node.passes) == (labels.sum(), (~labels).sum())
            pure = labels.all() or not labels.any()
            assert pure or len(labels) < 5 or list(_gains(rows, labels)) == []
    assert count_leaves(tree) >= 1
    assert count_errors(tree) == np.sum(predict(tree, features) != fails) or _has_ties(tree)


def _gains(rows: Any, labels: Any) -> list[float]:
    """Of questions about one field, which are found exactly."""
    found = [*find_best_below(rows[:, 0], labels, 0), *find_best_below(rows[:, 1], labels, 1)]
    return [score for score, _ in found if score > 1e-9]


def _has_ties(tree: Tree) -> bool:
    return tree.fails == tree.passes if isinstance(tree, Leaf) else _has_ties(tree.yes) or _has_ties(tree.no)


def test_fewer_than_five_are_not_split() -> None:
    axes, features, places, _ = sample(NEAR, lambda x, y: x < 0, 5)
    order = np.argsort(features[:, 0])
    features, places, fails = features[order], places[order], np.array([True, True, False, False, False])
    splitter = Splitter(axes, np.random.default_rng(0))
    assert isinstance(grow(splitter, features, places, fails), Split)
    assert grow(splitter, features[:4], places[:4], fails[:4]) == Leaf(2, 2)


def test_one_label_is_a_leaf() -> None:
    axes, features, places, _ = sample(NEAR, lambda x, y: x < 0, 20)
    splitter = Splitter(axes, np.random.default_rng(0))
    assert grow(splitter, features, places, np.ones(20, dtype=bool)) == Leaf(20, 0)
    assert grow(splitter, features, places, np.zeros(20, dtype=bool)) == Leaf(0, 20)


def test_nothing_to_gain_is_a_leaf() -> None:
    axes = Axes(NEAR, None)
    same = np.zeros((10, 2))
    assert grow(Splitter(axes, np.random.default_rng(0)), same, same, np.arange(10) < 4) == Leaf(4, 6)


def test_a_conjunction_is_grown_exactly() -> None:
    axes, features, places, fails = evenly(lambda x, y: (x < 3) & (y > -2), 300)
    tree = grow(Splitter(axes, np.random.default_rng(0)), features, places, fails)
    assert count_errors(tree) == 0
    assert np.array_equal(predict(tree, features), fails)


def test_huge_values_are_no_trouble() -> None:
    axes, features, places, fails = sample(FLOATS, lambda x, y: (x > 0) & (y > 0), 200)
    assert count_errors(grow(Splitter(axes, np.random.default_rng(0)), features, places, fails)) == 0
