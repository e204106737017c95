"""Ours: 1-minimal always, and about as many trials as the answer has bits."""

from __future__ import annotations

import math
import random
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.rows.adaptive_testing import ShareDensity, adaptive, by_scores
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Verdict
from tests.properties import examples

from .helpers import Asked, differing, hits, minimal, smallest

TABLES = {n: differing(n) for n in (1, 2, 3, 7, 8, 200)}


@given(st.sampled_from([1, 2, 3, 7, 8]), st.data())
@examples(200)
def test_it_is_one_minimal_whatever_has_to_be_repaired(n: int, data: st.DataObject) -> None:
    """Each bad cell fails alone, or only together with others: a clause is repaired if one of its cells is."""
    clauses = data.draw(st.lists(st.sets(st.integers(0, n - 1), min_size=1, max_size=3), min_size=1, max_size=5))
    passes = hits(clauses)
    asked = Asked(adaptive(TABLES[n]), TABLES[n], passes)
    assert asked.finding.minimal
    assert minimal(asked.repaired, passes)
    if all(len(clause) == 1 for clause in clauses):
        assert len(asked.repaired) == smallest(n, passes)


@given(st.sampled_from([3, 7, 8]), st.integers(0, 10**6))
@examples(150)
def test_repairing_more_may_hurt(n: int, seed: int) -> None:
    """A subject that is not monotone at all: what is claimed still holds."""
    all_of_them = frozenset(range(n))

    def passes(repaired: frozenset[int]) -> bool:
        chance = random.Random(f"{seed} {sorted(repaired)}").random()
        return bool(repaired) and (repaired == all_of_them or chance < 0.4)

    assert minimal(Asked(adaptive(TABLES[n]), TABLES[n], passes).repaired, passes)


@pytest.mark.parametrize("other", [UNRESOLVED, OTHER, FAIL])
def test_only_a_pass_is_a_pass(other: Verdict) -> None:
    tables = TABLES[8]
    asked = Asked(adaptive(tables), tables, lambda repaired: PASS if repaired >= {2, 5} else other)
    assert asked.repaired == {2, 5}
    nothing = Asked(adaptive(tables), tables, lambda repaired: other)
    assert (nothing.finding.passes, nothing.finding.cells, len(nothing.sets)) == (False, [], 1)


def test_no_trial_is_asked_twice_nor_for_the_bad_table_itself() -> None:
    tables = TABLES[200]
    asked = Asked(adaptive(tables), tables, hits([[150], [3]]))
    assert len(set(asked.sets)) == len(asked.sets)
    single = Asked(adaptive(tables), tables, hits([[0]]))
    assert single.sets[-1] == frozenset()  # which the lab knows to fail: it is no trial


def test_what_stands_out_is_found_at_once() -> None:
    bad = TABLES[200].bad.to_dict(as_series=False)
    for i in range(10):
        bad["c0"][i] = 1e6 + i
    tables = differing(200)
    standing_out = type(tables).of(tables.bad.with_columns(c0=np.array(bad["c0"])), tables.good[0], "id")
    asked = Asked(adaptive(standing_out), standing_out, hits([[i] for i in range(10)]))
    assert asked.repaired == set(range(10))
    assert len(asked.sets) <= 10 + 6


def test_about_as_many_trials_as_bits_if_the_scores_say_nothing() -> None:
    n, rng = 200, random.Random(0)
    for k in (1, 3, 10):
        limit = math.log2(math.comb(n, k)) + k
        needed = [rng.sample(range(n), k) for _ in range(15)]
        trials = [len(Asked(adaptive(TABLES[n]), TABLES[n], hits([[i] for i in some])).sets) for some in needed]
        assert statistics.mean(trials) < 1.4 * limit + 4


def test_a_threshold_of_many_together() -> None:
    tables = TABLES[8]
    asked = Asked(adaptive(tables), tables, lambda repaired: len(repaired) >= 5)
    assert asked.repaired == {0, 1, 2, 3, 4}


def test_where_the_bad_ones_may_end() -> None:
    survival = by_scores(np.array([9.0, 8.0, 1.0, 1.0, 1.0, 0.5]))
    chances = [survival(cut) for cut in range(7)]
    assert chances[0] == pytest.approx(1)
    assert chances[6] == 0
    drops = -np.diff(chances)[::-1]  # of each place to be the last one
    assert drops.argmax() == 1  # the widest gap comes after the second
    assert drops[2] == pytest.approx(drops[3])
    flat = by_scores(np.zeros(4))
    assert [flat(cut) for cut in range(5)] == pytest.approx([1, 0.75, 0.5, 0.25, 0])


def test_density_learns() -> None:
    fresh = ShareDensity.prior(1000)
    assert fresh.after(500, 0).survival(100) > fresh.survival(100) > fresh.after(0, 20).survival(100)
    assert fresh.after(0, 50).survival(1) < 0.2
    assert ShareDensity.prior(0).survival(0) == pytest.approx(1)
