"""What a run is expected to tell, against mutual information by brute force; and the instances to choose from."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rootward.searches.causes.beliefs import Beliefs
from rootward.searches.causes.options import Options
from rootward.searches.causes.questions import expected_information, one_step_neighbours, proposals, rank_usable
from tests.properties import examples

quick = examples(40, derandomize=True)


def believing(sizes: list[int], seed: int, count: int = 12) -> Beliefs:
    """Random rules with random chances."""
    rng = np.random.default_rng(seed)
    world = [Options(np.arange(size), bool(seed % 2)) for size in sizes]
    beliefs = Beliefs(world, np.arange(len(sizes)), 2, [seed])
    rules = np.stack([rng.integers(0, len(own), size=(count, 2)) for own in world], axis=2).astype(np.int16)
    rules[rng.random(count) < 0.5, 1] = -1
    beliefs.rules, beliefs.chances = rules, rng.dirichlet(np.ones(count))
    return beliefs


def every(sizes: list[int]) -> NDArray[np.int64]:
    return np.array(list(product(*map(range, sizes))), dtype=np.int64)


def entropy(chances: list[float]) -> float:
    return -sum(p * math.log2(p) for p in chances if p > 0)


sizes_ = st.lists(st.integers(1, 4), min_size=1, max_size=3)


@quick
@given(sizes_, st.integers(0, 999), st.floats(0, 0.5), st.booleans())
def test_information_is_mutual_information(sizes: list[int], seed: int, unseen: float, alone: bool) -> None:
    beliefs, codes = believing(sizes, seed), every(sizes)
    count = len(beliefs.rules)
    groups = np.arange(count) if alone else np.arange(count) % 3
    found = expected_information(beliefs, codes, groups, unseen)
    fails = np.where(beliefs.covers(codes).any(axis=1), 1.0, unseen)
    for at in range(len(codes)):
        joint = np.zeros((int(groups.max()) + 1, 2))
        for rule, group in enumerate(groups):
            joint[group] += beliefs.chances[rule] * np.array([fails[rule, at], 1 - fails[rule, at]])
        outcome, answer = joint.sum(axis=0), joint.sum(axis=1)
        expected = entropy([*outcome]) + entropy([*answer]) - entropy([*joint.ravel()])
        assert found[at] == pytest.approx(expected, abs=1e-6)
    assert (found > -1e-9).all()
    assert (found <= 1 + 1e-9).all()


@quick
@given(sizes_, st.integers(0, 999))
def test_nothing_is_told_where_all_rules_agree(sizes: list[int], seed: int) -> None:
    beliefs, codes = believing(sizes, seed), every(sizes)
    covered = beliefs.covers(codes).any(axis=1)
    found = expected_information(beliefs, codes, np.arange(len(beliefs.rules)), 0.0)
    agreed = covered.all(axis=0) | ~covered.any(axis=0)
    assert np.abs(found[agreed]).max(initial=0) < 1e-9
    assert (found[~agreed] > 0).all()
    together = expected_information(beliefs, codes, np.zeros(len(beliefs.rules), dtype=np.int64), 0.3)
    assert np.abs(together).max() < 1e-9, "rules that give the same answer need not be told apart"


@quick
@given(sizes_, st.integers(0, 999), st.integers(1, 5), st.integers(0, 5))
def test_proposals_are_instances_each_once(sizes: list[int], seed: int, failing: int, passing: int) -> None:
    beliefs, rng, numbers = believing(sizes, seed), np.random.default_rng(seed), np.array(sizes)
    bad, good = (rng.integers(0, numbers, size=(count, len(sizes))) for count in (failing, passing))
    found = proposals(beliefs, numbers, bad, good, rng)
    assert found.shape[1] == len(sizes)
    assert ((found >= 0) & (found < numbers)).all()
    assert len({tuple(row) for row in found.tolist()}) == len(found) > 0


@quick
@given(sizes_, st.integers(0, 999))
def test_proposals_leave_what_they_are_given(sizes: list[int], seed: int) -> None:
    beliefs, rng, numbers = believing(sizes, seed), np.random.default_rng(seed), np.array(sizes)
    bad, good = (rng.integers(0, numbers, size=(4, len(sizes))) for _ in range(2))
    before = bad.copy(), good.copy()
    proposals(beliefs, numbers, bad, good, rng)
    assert np.array_equal(bad, before[0])
    assert np.array_equal(good, before[1])


@quick
@given(sizes_, st.integers(0, 999), st.data())
def test_steps_are_all_that_differ_in_one_column(sizes: list[int], seed: int, data: st.DataObject) -> None:
    row = np.random.default_rng(seed).integers(0, np.array(sizes))
    columns = sorted(data.draw(st.sets(st.integers(0, len(sizes) - 1), min_size=1)))
    found = {tuple(one) for one in one_step_neighbours(row, np.array(columns), np.array(sizes)).tolist()}
    expected = {
        tuple(one)
        for one in every(sizes).tolist()
        if sum(one != row) == 1 and all(one[p] == row[p] for p in range(len(sizes)) if p not in columns)
    }
    assert found == expected


@quick
@given(st.lists(st.integers(0, 5), min_size=1, max_size=12), st.integers(0, 12), st.sets(st.integers(0, 11)))
def test_ranked_gives_the_best_that_can_be_used(scores: list[int], count: int, unusable: set[int]) -> None:
    codes = np.arange(len(scores)).reshape(-1, 1)
    found = list(rank_usable(np.array(scores, dtype=float), codes, lambda row: int(row[0]) not in unusable, count))
    usable = [i for i in range(len(scores)) if i not in unusable]
    assert found == sorted(usable, key=lambda i: (-scores[i], i))[:count]
