"""The two pruning steps, and trees in words."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.conditions.trees.axes import Axes
from rootward.searches.conditions.trees.fitting import (
    choose_simplest,
    family,
    find_best_at,
    folds,
    graft,
    grow,
    list_replacements,
    prune,
    refit_tree,
    replace_superfluous,
    weakest,
)
from rootward.searches.conditions.trees.splitting import Splitter
from rootward.searches.conditions.trees.tree import (
    Form,
    Leaf,
    Split,
    SplitQuestion,
    Tree,
    count_errors,
    count_leaves,
    predict,
)
from rootward.searches.conditions.trees.wording import Wording
from tests.properties import examples, few

PLANE = rw.Space({"x": rw.Float(-100, 100), "y": rw.Float(-100, 100)})


def below(axis: int, p0: float) -> SplitQuestion:
    return SplitQuestion(Form.BELOW, axis, p0=p0)


def noisy(seed: int, count: int = 80, noise: float = 0.15) -> tuple[Splitter, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    axes = Axes(PLANE, None)
    features = rng.uniform(-50, 50, (count, 2))
    places = np.column_stack([axes.fields[i].compress_many(features[:, i]) for i in range(2)])
    return Splitter(axes, rng), features, places, (features[:, 0] < 7) ^ (rng.random(count) < noise)


def cost(tree: Tree, alpha: float) -> float:
    return count_errors(tree) / (tree.fails + tree.passes) + alpha * count_leaves(tree)


def subtrees(tree: Tree) -> list[Tree]:
    """All that remains if any nodes become leaves."""
    cut: list[Tree] = [Leaf(tree.fails, tree.passes)]
    if isinstance(tree, Split):
        cut += [Split(tree.question, yes, no) for yes in subtrees(tree.yes) for no in subtrees(tree.no)]
    return cut


# Cost complexity


@examples(12, derandomize=True)
@given(seed=st.integers(0, 10**6), alphas=st.lists(st.floats(0, 0.3), min_size=5, max_size=5))
def test_the_family_has_the_cheapest_subtree_for_every_alpha(seed: int, alphas: list[float]) -> None:
    splitter, features, places, fails = noisy(seed, 40, 0.1)
    tree = grow(splitter, features, places, fails)
    trees = family(tree)
    every = subtrees(tree) if count_leaves(tree) <= 9 else [one for _, one in trees]
    for alpha in [0.0, *alphas, *(start for start, _ in trees)]:
        best = min(cost(one, alpha) for one in every)
        chosen = find_best_at(trees, alpha)
        assert cost(chosen, alpha) == pytest.approx(best)
        assert count_leaves(chosen) == min(count_leaves(one) for one in every if cost(one, alpha) <= best + 1e-12)


def test_the_family_shrinks_from_the_whole_tree_to_a_leaf() -> None:
    splitter, features, places, fails = noisy(1)
    tree = grow(splitter, features, places, fails)
    trees = family(tree)
    assert count_errors(trees[0][1]) == count_errors(tree)
    assert isinstance(trees[-1][1], Leaf)
    for (low, larger), (high, smaller) in pairwise(trees):
        assert low <= high
        assert count_leaves(larger) > count_leaves(smaller)
        assert count_errors(larger) <= count_errors(smaller)


def test_the_weakest_node_by_hand() -> None:
    """Below: 2 errors saved by 1 more leaf, of 20 trials. The root saves 8 by 2 more."""
    inner = Split(below(0, 1.0), Leaf(2, 0), Leaf(0, 8))
    tree = Split(below(1, 1.0), inner, Leaf(8, 2))
    assert weakest(tree, 20) == pytest.approx(2 / 20)
    assert [round(alpha, 9) for alpha, _ in family(tree)] == [0, 0.1, 0.3]
    assert [count_leaves(one) for _, one in family(tree)] == [3, 2, 1]


def test_a_split_that_saves_no_error_is_gone_at_once() -> None:
    tree = Split(below(0, 1.0), Leaf(5, 1), Leaf(9, 2))
    assert family(tree) == [(0.0, Leaf(14, 3))]


def test_the_simplest_within_one_standard_deviation() -> None:
    # 10 of 100 wrong: one standard deviation is 3 of 100
    assert choose_simplest(np.array([12.0, 10.0, 11.0, 13.0, 14.0, 40.0]), 100) == 3
    assert choose_simplest(np.array([0.0, 0.0, 1.0]), 100) == 1
    assert choose_simplest(np.array([5.0]), 10) == 0


@examples(50, derandomize=True)
@given(labels=st.lists(st.booleans(), min_size=10, max_size=80), seed=st.integers(0, 1000))
def test_folds_hold_each_trial_out_once_and_labels_evenly(labels: list[bool], seed: int) -> None:
    fails = np.array(labels)
    held = folds(fails, np.random.default_rng(seed))
    assert np.sum(held, axis=0).tolist() == [1] * len(labels)
    for label in (True, False):
        counts = [int(np.sum(fails[fold] == label)) for fold in held]
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("seed", few(1, range(3)))
def test_noise_is_pruned_away(seed: int) -> None:
    splitter, features, places, fails = noisy(seed, 120)
    tree = grow(splitter, features, places, fails)
    alpha, pruned = prune(tree, splitter, features, places, fails, np.random.default_rng(seed))
    assert count_leaves(tree) > 5
    assert count_leaves(pruned) <= 3
    assert pruned == find_best_at(family(tree), alpha)
    assert np.mean(predict(pruned, features) == (features[:, 0] < 7)) > 0.9


def test_a_true_tree_is_left_as_it_is() -> None:
    splitter, features, places, _ = noisy(0, 200)
    fails = (features[:, 0] < 7) & (features[:, 1] > -10)
    tree = grow(splitter, features, places, fails)
    _, pruned = prune(tree, splitter, features, places, fails, np.random.default_rng(0))
    assert count_errors(pruned) == 0


# Replacing a node by a child


def figure_3() -> tuple[Any, Any, Tree]:
    """It fails for x below 0 and y above 0. The root asks for x < y, which tells much, until its children are there."""
    rng = np.random.default_rng(0)
    features = rng.uniform(-10, 10, (400, 2))
    fails = (features[:, 0] < 0) & (features[:, 1] >= 0)
    root = SplitQuestion(Form.LINE_BELOW, 0, 1, p0=0.0, p1=-1.0)
    above = Split(below(0, 0.0), Split(below(1, 0.0), Leaf(0, 1), Leaf(1, 0)), Leaf(0, 1))
    return (
        features,
        fails,
        refit_tree(Split(root, above, Split(below(1, 0.0), Leaf(0, 1), Leaf(0, 1))), features, fails),
    )


def test_figure_3_the_superfluous_root_is_pruned() -> None:
    features, fails, tree = figure_3()
    assert isinstance(tree, Split)
    assert tree.question.form == Form.LINE_BELOW
    assert count_errors(tree) == 0
    pruned = replace_superfluous(tree, features, fails, 0.01, len(fails))
    assert isinstance(pruned, Split)
    asked = {node.question for node in _splits(pruned)}
    assert asked == {below(0, 0.0), below(1, 0.0)}, "the children model the data without it"
    assert count_errors(pruned) == 0
    assert count_leaves(pruned) == 3 < count_leaves(tree)


def test_figure_3_with_a_child_on_either_side() -> None:
    """x < y first, then x < 0 on one side and y < 0 on the other: the second is grafted onto the first."""
    rng = np.random.default_rng(0)
    features = rng.uniform(-10, 10, (400, 2))
    fails = (features[:, 0] < 0) | (features[:, 1] < 0)
    root = SplitQuestion(Form.LINE_BELOW, 0, 1, p0=0.0, p1=-1.0)
    sides = [Split(below(axis, 0.0), Leaf(1, 0), Leaf(0, 1)) for axis in (0, 1)]
    tree = refit_tree(Split(root, *sides), features, fails)
    assert count_leaves(tree) == 4
    assert count_errors(tree) == 0
    pruned = replace_superfluous(tree, features, fails, 0.0, len(fails))
    assert isinstance(pruned, Split)
    assert pruned.question == below(0, 0.0)
    assert isinstance(pruned.no, Split)
    assert pruned.no.question == below(1, 0.0)
    assert (count_leaves(pruned), count_errors(pruned)) == (3, 0)


def _splits(tree: Tree) -> list[Split]:
    return [] if isinstance(tree, Leaf) else [tree, *_splits(tree.yes), *_splits(tree.no)]


def test_the_other_child_is_grafted_at_every_leaf() -> None:
    child = Split(below(0, 0.0), Leaf(1, 0), Split(below(0, 5.0), Leaf(0, 2), Leaf(3, 0)))
    other = Split(below(1, 0.0), Leaf(7, 0), Leaf(0, 7))
    made = list(graft(child, other))
    assert len(made) == count_leaves(child)
    assert all(count_leaves(one) == count_leaves(child) - 1 + count_leaves(other) for one in made)
    assert len(set(made)) == len(made)
    assert list(list_replacements(Split(below(1, 9.0), child, Leaf(0, 4)))) == [child, Leaf(0, 4)]
    both_ways = list(list_replacements(Split(below(1, 9.0), child, other)))
    assert len(both_ways) == 2 + count_leaves(child) + count_leaves(other)


@examples(15, derandomize=True)
@given(seed=st.integers(0, 10**6), alpha=st.floats(0, 0.05))
def test_replacing_never_costs_more(seed: int, alpha: float) -> None:
    splitter, features, places, fails = noisy(seed, 60, 0.1)
    tree = grow(splitter, features, places, fails)
    after = replace_superfluous(tree, features, fails, alpha, len(fails))
    assert cost(after, alpha) <= cost(tree, alpha) + 1e-9
    assert count_leaves(after) <= count_leaves(tree) or cost(after, alpha) < cost(tree, alpha)
    assert (after.fails, after.passes) == (tree.fails, tree.passes)
    ties = sum(one.fails == one.passes for one in _ends(after))
    assert ties or np.sum(predict(after, features) != fails) == count_errors(after)


def _ends(tree: Tree) -> list[Leaf]:
    return [tree] if isinstance(tree, Leaf) else [*_ends(tree.yes), *_ends(tree.no)]


def test_regrown_drops_what_tells_nothing_apart() -> None:
    features, fails = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]), np.array([True, False, False])
    inner = Split(below(0, 1.5), Leaf(9, 9), Leaf(9, 9))
    kept = Split(below(0, 1.5), Leaf(1, 0), Leaf(0, 2))
    assert refit_tree(Split(below(1, 5.0), inner, Leaf(3, 3)), features, fails) == kept
    assert refit_tree(Split(below(0, 2.5), Leaf(1, 1), Leaf(1, 1)), features, fails[::-1]) == Split(
        below(0, 2.5), Leaf(0, 2), Leaf(1, 0)
    )
    assert refit_tree(Split(below(0, 2.5), Leaf(1, 1), Leaf(1, 1)), features, np.zeros(3, dtype=bool)) == Leaf(0, 3)


# Words

WORDS = rw.Space(
    {
        "i": rw.Int(),
        "j": rw.Int(),
        "f": rw.Float(),
        "g": rw.Float(),
        "c": rw.Choice(["r", "g"]),
        "o": rw.Ordinal([1, 4]),
    }
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (SplitQuestion(Form.NAN, 2), "f is NaN"),
        (SplitQuestion(Form.INF, 2), "abs(f) = inf"),
        (SplitQuestion(Form.EQUAL, 0, 1), "i == j"),
        (SplitQuestion(Form.EQUAL, 2, 3), "abs(f - g) <= 0.5"),
        (SplitQuestion(Form.SAME_WHOLE, 2, 3), "int(f) == int(g)"),
        (SplitQuestion(Form.BELOW, 0, p0=3.2), "i < 4"),
        (SplitQuestion(Form.BELOW, 2, p0=3.25), "f < 3.25"),
        (SplitQuestion(Form.BELOW, 5, p0=0.5), "o < 4"),
        (SplitQuestion(Form.AT, 0, p0=7.0), "i = 7"),
        (SplitQuestion(Form.AT, 0, p0=4500.0), "abs(i - 4500) <= 45.0"),
        (SplitQuestion(Form.AT, 2, p0=-7.5), "abs(f + 7.5) <= 0.5"),
        (SplitQuestion(Form.AT, 4, p0=1.0), "c = g"),
        (SplitQuestion(Form.LINE_BELOW, 0, 1, 5.0, 2.0), "i + 2 * j < 5"),
        (SplitQuestion(Form.LINE_BELOW, 0, 1, 5.0, -1.0), "i - j < 5"),
        (SplitQuestion(Form.LINE_AT, 2, 3, 5.0, -1.5), "abs(f - 1.5 * g - 5.0) <= 0.5"),
        (SplitQuestion(Form.PRODUCT_BELOW, 0, 1, 99.0), "i * j < 99"),
        (SplitQuestion(Form.PRODUCT_AT, 0, 1, 0.0), "abs(i * j) <= 0.5"),
    ],
)
def test_a_question_in_words(question: SplitQuestion, text: str) -> None:
    assert str(Wording(Axes(WORDS, None)).atom(question)) == text


def questions() -> st.SearchStrategy[SplitQuestion]:
    constants = st.sampled_from([0.0, 0.5, -3.0, 7.0, 250.0, -1e6])
    of_two = st.sampled_from([form for form in Form if "y" in form])
    pairs = st.sampled_from([(0, 1), (0, 2), (1, 3), (2, 3)])
    two = st.builds(
        lambda form, at, p0, p1: SplitQuestion(form, at[0], at[1], p0, p1), of_two, pairs, constants, constants
    )
    numbers = st.builds(SplitQuestion, st.sampled_from([Form.BELOW, Form.AT]), st.integers(0, 3), st.just(0), constants)
    special = st.builds(SplitQuestion, st.sampled_from([Form.NAN, Form.INF]), st.integers(2, 3))
    return st.one_of(two.filter(lambda one: "p1" not in one.form or one.p1 != 0), numbers, special)


def trees() -> st.SearchStrategy[Tree]:
    ends = st.sampled_from([Leaf(1, 0), Leaf(0, 1)])
    return st.recursive(ends, lambda below_it: st.builds(Split, questions(), below_it, below_it), max_leaves=6)


values = st.tuples(
    *[st.sampled_from([0, 1, 7, -3, 250, -(10**6), 2**31 - 1])] * 2,
    *[st.sampled_from([0.0, 0.4, 7.2, -3.0, 250.0, math.nan, math.inf, -math.inf, -1e6, 1e300])] * 2,
)


@examples(150, derandomize=True)
@given(tree=trees(), rows=st.lists(values, min_size=1, max_size=12))
def test_tree_rule_and_printed_tree_say_the_same(tree: Tree, rows: list[tuple[Any, ...]]) -> None:
    axes = Axes(WORDS, None)
    wording = Wording(axes)
    rule, node = wording.rule(tree), wording.node(tree)
    short = rule.simplify(WORDS)
    for row in rows:
        configuration = dict(zip(WORDS.names, (*row, "r", 1), strict=True))
        expected = bool(predict(tree, axes.features_of(configuration)[None])[0])
        assert rule.holds(configuration) == expected
        assert short.holds(configuration) == expected
        assert node.decide(configuration) == expected


def test_the_printed_tree_counts() -> None:
    tree = Split(below(0, 4.0), Leaf(5, 0), Split(SplitQuestion(Form.NAN, 2), Leaf(2, 1), Leaf(0, 9)))
    node = Wording(Axes(WORDS, None)).node(tree)
    assert (node.fails, node.passes) == (7, 10)
    text = str(node)
    assert text.splitlines()[0] == "if i < 4: fails (5 runs)"
    assert "2 of 3 runs" in text
