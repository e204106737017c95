"""The methods that ``triggers`` is compared with do what they are said to do."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from peers import figure, isolation, planted, trees, unions

import rootward as rw


@pytest.fixture
def small() -> planted.Planted:
    return planted.product(np.random.default_rng(5), fields=60, relevant=3, middle=4, large=5)


def test_a_tree_finds_a_planted_product_set(small: planted.Planted) -> None:
    coded = planted.Coded(small)
    examples = trees.mutate(coded, np.random.default_rng(6))
    for learn in (trees.shallow, trees.precise):
        found = unions.quality(coded, learn(coded, examples))
        assert found.precision == pytest.approx(1)
        assert found.recall == pytest.approx(1)
        assert found.named == 3


def test_examples_mutate_a_tenth_of_the_fields(small: planted.Planted) -> None:
    coded = planted.Coded(small)
    examples = trees.mutate(coded, np.random.default_rng(7), 200)
    assert ((examples.codes != coded.failing).sum(axis=1) == 6).all()
    assert (examples.codes < coded.sizes).all()
    row = dict(zip(coded.names, examples.codes[0], strict=True))
    configuration = {name: small.space.values(name)[place] for name, place in row.items()}
    assert small.subject.triggered(configuration) == examples.fails[0]


def test_counts_over_mutated_cells_are_those_over_all_cells(small: planted.Planted) -> None:
    coded = planted.Coded(small)
    examples = trees.mutate(coded, np.random.default_rng(8), 300)
    rows = np.arange(0, 300, 7)
    counts = trees._counts(coded, examples, rows).reshape(60, examples.width)
    assert all((counts[i] == np.bincount(examples.codes[rows, i], minlength=examples.width)).all() for i in range(60))


def test_gain_ratio_by_hand() -> None:
    # 4 of 8 fail; the value splits off 2 that all pass: 1 - 6/8 * H(4/6), against H(2/8)
    gain, parting = trees._gain(np.array([0]), np.array([2]), trees.Node(4, 4))
    inner = -(2 / 3) * math.log2(2 / 3) - (1 / 3) * math.log2(1 / 3)
    assert gain[0] == pytest.approx(1 - 0.75 * inner)
    assert parting[0] == pytest.approx(-0.25 * math.log2(0.25) - 0.75 * math.log2(0.75))


def test_pruning_never_lowers_precision() -> None:
    made = planted.product(np.random.default_rng(9), fields=200, relevant=8)
    coded = planted.Coded(made)
    examples = trees.mutate(coded, np.random.default_rng(10), 2000)
    tree = trees.grow(coded, examples[:1000], depth=30, few=0)
    before = trees._precision(*trees._judge(tree, examples[1000:], np.arange(1000)))
    size = len(list(trees.union(coded, tree)))
    trees.prune(tree, examples[1000:])
    assert trees._precision(*trees._judge(tree, examples[1000:], np.arange(1000))) >= before
    assert 1 <= len(trees.union(coded, tree)) <= size


def test_the_measures_of_a_union_agree_with_counting() -> None:
    space = rw.Space({"a": rw.Choice("wxyz"), "b": rw.Choice("pqr"), "c": rw.Bool()})
    made = planted.Planted(space, {"a": "w", "b": "p", "c": True}, {"a": ("w", "x"), "b": ("p",)})
    coded = planted.Coded(made)
    # a = w, and b = p where a is y: 6 + 2 of the 24 configurations; of these (w, p, *) fail; 4 fail in all
    union = [coded.allowed({"a": ["w"]}), coded.allowed({"a": ["y"], "b": ["p"]})]
    found = unions.quality(coded, union)
    assert found.factor == pytest.approx(math.log10(8 / 24))
    assert (found.precision, found.recall, found.named) == (pytest.approx(2 / 8), pytest.approx(2 / 4), 2)
    assert unions.quality(coded, [{}]).precision == pytest.approx(4 / 24)
    assert math.isnan(unions.quality(coded, []).precision)


def test_isolation_names_relevant_fields_only(small: planted.Planted) -> None:
    names, trials = isolation.isolate(small, np.random.default_rng(11))
    assert names
    assert set(names) <= small.sets.keys()
    assert trials > len(names)


def test_random_mutation_needs_at_least_every_value_once(small: planted.Planted) -> None:
    coded = planted.Coded(small)
    trials = isolation.intersect(coded, np.random.default_rng(12))
    assert trials is not None
    assert trials >= coded.sizes.max() - 1
    assert isolation.intersect(coded, np.random.default_rng(12), most=1) is None or trials <= isolation.BATCH


def test_the_figure_is_well_formed() -> None:
    panel = figure.Panel("a < b", {"one": [(0.0, -3.2), (1.0, 0.0)], "two": [(0.5, -1.0)]})
    drawn = ET.fromstring(figure.draw("Title & more", "precision", ["one", "two"], [figure.Row("y", [panel, panel])]))
    marks = [part for part in drawn.iter() if "mark" in part.get("class", "")]
    assert len(marks) == 2 + 2 * 3
