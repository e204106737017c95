"""Beliefs against brute force: weights, coverage, the bookkeeping of the sampler, and that the best rule is found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rootward.searches.causes.beliefs import BeliefEvidence, Beliefs, Rules, _deduplicate, covers, sweep, tidy
from rootward.searches.causes.options import Options
from rootward.searches.causes.tuning import TUNING
from tests.properties import examples

quick = examples(40, derandomize=True)


def shaped(count: int, ordered: bool) -> Options:
    return Options(np.arange(count), ordered)


def worlds(most: int = 4) -> st.SearchStrategy[list[Options]]:
    shape = st.builds(shaped, st.integers(1, most), st.booleans())
    return st.lists(shape, min_size=1, max_size=4)


def instances(world: Sequence[Options]) -> NDArray[np.int64]:
    return np.array(list(product(*(range(own.masks.shape[1]) for own in world))), dtype=np.int64)


def drawn(world: Sequence[Options], slots: int, count: int, rng: np.random.Generator) -> Rules:
    """Random rules, a third of their slots not used."""
    rules = np.stack([rng.integers(0, len(own), size=(count, slots)) for own in world], axis=2).astype(np.int16)
    rules[rng.random((count, slots)) < 1 / 3] = -1
    return rules


def covered(world: Sequence[Options], rule: NDArray[np.int16], row: Sequence[int]) -> list[bool]:
    """Slot by slot, in the plainest words."""
    return [
        slot[0] >= 0 and all(own.masks[option][value] for own, option, value in zip(world, slot, row, strict=True))
        for slot in rule
    ]


def evidence_of(world: list[Options], codes: NDArray[np.int64], fails: NDArray[np.bool_]) -> BeliefEvidence:
    return BeliefEvidence(world, codes, fails.astype(np.int64), np.where(fails, 0.0, TUNING.certain_price))


@quick
@given(worlds(), st.integers(1, 3), st.integers(0, 999))
def test_what_rules_cover(world: list[Options], slots: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, rules = instances(world), drawn(world, slots, 6, rng)
    expected = [[covered(world, rule, row) for row in codes] for rule in rules]
    assert np.array_equal(covers(world, rules, codes), np.array(expected).transpose(0, 2, 1))


@quick
@given(worlds(), st.integers(1, 3), st.integers(0, 999))
def test_weights_are_prior_times_fit(world: list[Options], slots: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, rules = instances(world), drawn(world, slots, 8, rng)
    fails = rng.random(len(codes)) < 0.4
    evidence = evidence_of(world, codes, fails)
    for rule, weight, fit in zip(rules, evidence.weights(rules), evidence.fit(rules), strict=True):
        wrong = sum(any(covered(world, rule, row)) != failed for row, failed in zip(codes, fails, strict=True))
        prior = 0.0
        for slot in rule[rule[:, 0] >= 0]:
            prior += TUNING.another_conjunction + float(evidence.length_chances[(slot > 0).sum()])
            prior += sum(float(own.chances[option]) for own, option in zip(world, slot, strict=True))
        assert fit == pytest.approx(-TUNING.certain_price * wrong, abs=1e-3)
        assert weight == pytest.approx(prior - TUNING.certain_price * wrong, abs=1e-3)


@given(st.integers(1, 30))
@quick
def test_chances_of_sets_of_parameters_are_chances(count: int) -> None:
    world = [shaped(2, False)] * count
    evidence = evidence_of(world, np.zeros((1, count), dtype=np.int64), np.array([True]))
    total = sum(math.comb(count, k) * math.exp(evidence.length_chances[k]) for k in range(count + 1))
    assert 0 < total <= 1 + 1e-9
    each = [math.comb(count, k) * math.exp(evidence.length_chances[k]) for k in range(count + 1)]
    assert each == sorted(each, reverse=True), "short conjunctions are likelier"


@quick
@given(worlds(), st.integers(1, 3), st.integers(0, 999))
def test_each_rule_is_kept_once_whatever_the_order_of_its_slots(world: list[Options], slots: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = drawn(world, slots, 12, rng)
    again = np.stack([rule[rng.permutation(slots)] for rule in rules])
    found = _deduplicate(np.concatenate([rules, again]))

    def sets(some: Rules) -> list[list[tuple[int, ...]]]:
        return [sorted(map(tuple, rule.tolist())) for rule in some]

    assert sorted(sets(found)) == sorted({tuple(one): one for one in sets(rules)}.values())
    used = found[:, :, 0] >= 0
    assert (used[:, :-1] >= used[:, 1:]).all(), "free slots come last"


@quick
@given(worlds(), st.integers(1, 3), st.integers(0, 999))
def test_violations_are_counted(world: list[Options], slots: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, rules = instances(world), drawn(world, slots, 5, rng)
    evidence = evidence_of(world, codes, rng.random(len(codes)) < 0.4)
    violated = evidence.count_violations(rules)
    for k, m in product(range(len(rules)), range(slots)):
        for r, row in enumerate(codes):
            wrong = sum(
                not own.masks[max(option, 0)][value] for own, option, value in zip(world, rules[k, m], row, strict=True)
            )
            assert violated[k, m, r] == wrong if rules[k, m, 0] >= 0 else violated[k, m, r] > len(world)


class Watched(BeliefEvidence):
    """Evidence whose tables of violations can be looked at."""

    tables: list[NDArray[np.int16]]

    def count_violations(self, rules: Rules) -> NDArray[np.int16]:
        made = super().count_violations(rules)
        self.tables = [*getattr(self, "tables", []), made]
        return made


@quick
@given(worlds(), st.integers(1, 3), st.integers(0, 999))
def test_a_sweep_keeps_count_and_free_slots_free(world: list[Options], slots: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, rules = instances(world), drawn(world, slots, 8, rng)
    fails = rng.random(len(codes)) < 0.4
    evidence = Watched(world, codes, fails.astype(np.int64), np.where(fails, 0.0, TUNING.certain_price))
    free = rules[:, :, 0] < 0
    sweep(rules, evidence, rng)
    [kept, *_] = evidence.tables
    used = rules[:, :, 0] >= 0
    assert np.array_equal(used, ~free)
    assert (rules[free] == -1).all()
    assert all((rules[:, :, p] < len(own)).all() for p, own in enumerate(world))
    assert np.array_equal(kept[used], BeliefEvidence.count_violations(evidence, rules)[used])


def test_a_sweep_draws_from_the_conditional_distribution() -> None:
    """One parameter: what is drawn is the posterior itself."""
    world = [shaped(4, True)]
    codes, fails = np.array([[3]]), np.array([True])
    evidence = evidence_of(world, codes, fails)
    every = np.arange(len(world[0]), dtype=np.int16).reshape(-1, 1, 1)
    chances = np.exp(evidence.weights(every) - evidence.weights(every).max())
    chances /= chances.sum()
    walkers = np.zeros((20_000, 1, 1), dtype=np.int16)
    sweep(walkers, evidence, np.random.default_rng(5))
    found = np.bincount(walkers[:, 0, 0], minlength=len(world[0])) / len(walkers)
    assert np.abs(found - chances).max() < 0.02


@quick
@given(worlds(), st.integers(1, 4), st.integers(0, 999))
def test_tidy_frees_what_explains_nothing_and_starts_at_what_is_unexplained(
    world: list[Options], slots: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    codes, rules = instances(world), drawn(world, slots, 6, rng)
    fails = rng.random(len(codes)) < 0.5
    before = rules.copy()
    tidy(rules, evidence_of(world, codes, fails), rng)
    bad = codes[fails]
    for old, new in zip(before, rules, strict=True):
        was = {i for i, row in enumerate(bad) if any(covered(world, old, row))}
        now = {i for i, row in enumerate(bad) if any(covered(world, new, row))}
        assert was <= now, "what was explained still is"
        if was != set(range(len(bad))) and (new[:, 0] < 0).any():
            assert was < now, "a free slot was not used"
        for slot in new[new[:, 0] >= 0]:
            assert any(covered(world, slot[None], row)[0] for row in bad)


def boxes(world: Sequence[Options]) -> Rules:
    """Every rule of one conjunction."""
    return np.array(list(product(*(range(len(own)) for own in world))), dtype=np.int16)[:, None]


@examples(30, derandomize=True)
@given(st.lists(st.tuples(st.integers(2, 4), st.booleans()), min_size=2, max_size=3), st.integers(0, 10_000))
def test_the_best_single_conjunction_is_found(shapes: list[tuple[int, bool]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = [shaped(*shape) for shape in shapes]
    every = boxes(world)
    truth = every[rng.integers(len(every))]
    codes = rng.permutation(instances(world))[: int(rng.integers(2, 40))]
    fails = covers(world, truth[None], codes)[0, 0]
    if not fails.any():
        return
    beliefs = Beliefs(world, np.arange(len(world)), 4, [seed])
    beliefs.update(codes, fails.astype(np.int64), (~fails).astype(np.int64))
    evidence = evidence_of(world, codes, fails)
    best = evidence.weights(every).max()
    assert evidence.weights(beliefs.rules[:1])[0] >= best - 1e-3
    assert beliefs.fit > -1


@examples(25, derandomize=True)
@given(worlds(), st.integers(0, 10_000), st.integers(1, 4))
def test_what_is_believed_fits_the_runs(world: list[Options], seed: int, updates: int) -> None:
    rng = np.random.default_rng(seed)
    every = instances(world)
    truth = np.stack([rng.integers(0, len(own), size=2) for own in world], axis=1).astype(np.int16)[None]
    failed = covers(world, truth, every)[0].any(axis=0)
    order = rng.permutation(len(every))
    order = np.concatenate([order[failed[order]][:1], order])  # one that fails comes first
    if not failed.any():
        return
    beliefs = Beliefs(world, np.arange(len(world)), 4, [seed])
    for end in sorted(rng.integers(1, len(order) + 1, size=updates)):
        seen = list(dict.fromkeys(order[:end].tolist()))
        codes, fails = every[seen], failed[seen]
        beliefs.update(codes, fails.astype(np.int64), (~fails).astype(np.int64))
        assert beliefs.chances.sum() == pytest.approx(1)
        assert (np.diff(beliefs.chances) <= 1e-12).all(), "the likeliest comes first"
        right = beliefs.covers(codes).any(axis=1) == fails
        assert right.all(), "two conjunctions explain every run, so every rule that is kept must"


def test_conjunctions_sum_the_chances_of_rules_that_share_them() -> None:
    world = [shaped(3, False), shaped(3, False)]
    codes = instances(world)
    fails = (codes[:, 0] == 1) & (codes[:, 1] == 2)
    beliefs = Beliefs(world, np.arange(2), 3, [0])
    beliefs.update(codes, fails.astype(np.int64), (~fails).astype(np.int64))
    found = beliefs.conjunctions()
    best = beliefs.rules[0][beliefs.rules[0][:, 0] >= 0]
    assert len(best) == 1
    box = beliefs.box(best[0])
    assert {p: mask.tolist() for p, mask in box.items()} == {0: [False, True, False], 1: [False, False, True]}
    assert 0.99 < found[best[0].tobytes()] <= 1 + 1e-9


def test_columns_choose_the_parameters() -> None:
    """Beliefs over some columns: the others are not looked at, and boxes use the numbers of the instance."""
    world = [shaped(2, False), shaped(3, False), shaped(2, False), shaped(3, False)]
    codes = instances(world)
    fails = codes[:, 3] == 2
    beliefs = Beliefs(world, np.array([1, 3]), 2, [0])
    beliefs.update(codes, fails.astype(np.int64), (~fails).astype(np.int64))
    [slot] = beliefs.rules[0][beliefs.rules[0][:, 0] >= 0]
    assert {p: mask.tolist() for p, mask in beliefs.box(slot).items()} == {3: [False, False, True]}
    assert np.array_equal(beliefs.covers(codes)[0].any(axis=0), fails)


def test_the_same_seed_believes_the_same() -> None:
    world = [shaped(3, True)] * 4
    codes = instances(world)[::3]
    fails = np.array([sum(row) > 5 for row in codes])
    found = []
    for _ in range(2):
        beliefs = Beliefs(world, np.arange(4), 3, [7])
        beliefs.update(codes, fails.astype(np.int64), (~fails).astype(np.int64))
        found.append((beliefs.rules.tobytes(), beliefs.chances.tobytes()))
    assert found[0] == found[1]


def test_no_two_conjunctions_of_the_best_rule_are_alike() -> None:
    world = [shaped(4, True)] * 3
    codes = instances(world)
    fails = np.array([row[0] == 1 or row[2] > 2 for row in codes])
    beliefs = Beliefs(world, np.arange(3), 4, [1])
    beliefs.update(codes, fails.astype(np.int64), (~fails).astype(np.int64))
    best = beliefs.rules[0][beliefs.rules[0][:, 0] >= 0]
    assert all((one != two).any() for one, two in combinations(best, 2))
    assert len(best) == 2
