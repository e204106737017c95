"""One pass over a line: what it finds, what that costs, and what it thinks may come."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.reduction.sweep import RunNoise, Sweep, predict_states
from tests.properties import examples, few

thorough = examples(80, derandomize=True)


def steady(weights: list[float]) -> Sweep:
    return Sweep.start(range(len(weights)), weights, RunNoise.none(), theta=1 - 1e-9, enough=1 - 1e-9)


def noisy(n: int, fails: int, runs: int, **options: Any) -> Sweep:
    noise = RunNoise.from_counts(fails, runs, leaks=(0.05, 0.35), likely=(0.95, 0.05))
    return Sweep.start(range(n), [1.0] * n, noise, theta=0.85, enough=0.85, **options)


def left_out(sweep: Sweep, line: Collection[int]) -> set[int]:
    """What the next run is without."""
    return set(line).difference(sweep.needed, sweep.rest).union(sweep.cut)


def swept(sweep: Sweep, needed: Collection[int]) -> tuple[Sweep, int]:
    """The end of the sweep, and how many runs it took."""
    line, asked = sweep.rest, 0
    while not sweep.done:
        sweep, asked = sweep.after(left_out(sweep, line).isdisjoint(needed)), asked + 1
    return sweep, asked


def bound(n: int, k: int) -> float:
    return math.log2(math.comb(n, k)) + k


@pytest.mark.parametrize("seed", range(40))
def test_a_steady_failure_takes_few_runs(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.choice([1, 2, 5, 12, 40, 150, 600])
    k = rng.randint(0, min(n, 6))
    needed = rng.sample(range(n), k)
    end, asked = swept(steady([1.0] * n), needed)
    assert sorted(end.needed) == sorted(needed)
    assert asked <= 1.4 * bound(n, k) + 6


@pytest.mark.parametrize("seed", range(3))
def test_three_of_ten_thousand(seed: int) -> None:
    needed = random.Random(seed).sample(range(10_000), 3)
    end, asked = swept(steady([1.0] * 10_000), needed)
    assert sorted(end.needed) == sorted(needed)
    assert asked <= 3 * bound(10_000, 3)


@thorough
@given(st.lists(st.sampled_from([0.1, 1.0, 4.0, 48.0]), min_size=1, max_size=30), st.data())
def test_exactly_what_is_needed_whatever_the_weights(weights: list[float], data: st.DataObject) -> None:
    needed = data.draw(st.frozensets(st.integers(0, len(weights) - 1)))
    end, _ = swept(steady(sorted(weights)), needed)
    assert frozenset(end.needed) == needed
    assert end.rest == ()


def test_good_weights_make_it_cheaper_and_bad_ones_not_wrong() -> None:
    good, bad = [1.0] * 197 + [48.0] * 3, [1.0] * 197 + [48.0] * 3
    _, cheap = swept(steady(good), {197, 198, 199})
    end, dear = swept(steady(bad), {0, 1, 2})
    assert sorted(end.needed) == [0, 1, 2]
    assert cheap < bound(200, 3) < dear


def test_all_of_them_and_none_of_them() -> None:
    assert swept(steady([1.0] * 9), range(9))[0].needed == tuple(range(9))
    end, asked = swept(steady([1.0] * 1000), ())
    assert (end.needed, end.rest) == ((), ())
    assert asked <= 6
    assert steady([]).done


def test_what_cannot_fail_is_not_asked_again() -> None:
    """Of the first five, one has to stay: only 4 can be the needed one."""
    sweep = steady([1.0] * 8)
    while not sweep.done:
        out = left_out(sweep, range(8))
        sweep = sweep.rule_out_cut() if {0, 1, 2, 3, 4} <= out else sweep.after(True)
    assert sweep.needed == (4,)


@pytest.mark.parametrize(("n", "needed"), [(8, (1, 4, 7)), (12, (2, 6, 11)), (20, (2, 10, 19)), (30, (3, 12, 20))])
def test_runs_that_failed_by_luck_are_taken_back(n: int, needed: tuple[int, int, int]) -> None:
    """The first runs without the first needed one fail all the same, until the second one is found."""
    first, second, _ = needed
    sweep, lies = noisy(n, 14, 20, lost=0.02), 0
    while not sweep.done:
        out = left_out(sweep, range(n))
        lie = out.intersection(needed) == {first} and second not in sweep.needed and not sweep.returns
        lies += lie
        sweep = sweep.after(lie or out.isdisjoint(needed))
    assert lies > 1
    assert sweep.returns > 0
    assert set(sweep.needed) == set(needed)


@pytest.mark.parametrize("rate", few(1, [0.7, 0.4, 0.95]))
def test_a_flaky_failure_is_hardly_ever_lost(rate: float) -> None:
    lost, asked = 0, 0
    for seed in range(30):
        rng = random.Random(f"{seed} {rate}")
        needed = set(rng.sample(range(30), 2))
        sweep = noisy(30, round(20 * rate), 20, lost=0.02)
        while not sweep.done:
            harmless = left_out(sweep, range(30)).isdisjoint(needed)
            sweep, asked = sweep.after(rng.random() < (rate if harmless else 0.0)), asked + 1
        lost += not needed <= set(sweep.needed)
    assert lost <= 6, "one in five at most: the test of the result finds those"
    assert asked / 30 <= 5 * bound(30, 2) / rate


def test_a_subject_that_never_fails_again_comes_to_an_end() -> None:
    sweep, asked = noisy(20, 10, 10, lost=0.02), 0
    while not sweep.done:
        sweep, asked = sweep.after(False), asked + 1
    assert asked < 1000


def test_doubts_are_kept_for_each_needed_one() -> None:
    end, _ = swept(noisy(12, 19, 20), {3, 9})
    doubts = dict(end.doubts)
    assert set(doubts) == set(end.needed) >= {3, 9}
    assert all(0 <= doubt <= 1 for doubt in doubts.values())


# What may come


State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def state(sweep: Sweep) -> State:
    return sweep.needed, sweep.rest, sweep.cut


def tree(sweep: Sweep, chance: float) -> list[tuple[float, State]]:
    """Every state that may come, with its probability; those in which the pass is over included."""
    found: list[tuple[float, State]] = []
    for failed, share in ((True, sweep.chance), (False, 1 - sweep.chance)) if not sweep.done else ():
        if share > 1e-6:
            later = sweep.after(failed)
            found += [(chance * share, state(later)), *tree(later, chance * share)]
    return found


@pytest.mark.parametrize("weights", [[1.0] * 5, [0.5, 1.0, 4.0, 12.0], [1.0, 2.0, 48.0]])
def test_the_likeliest_states_come_first(weights: list[float]) -> None:
    sweep = steady(weights)
    every = sorted(tree(sweep, 1.0), key=lambda one: -one[0])
    found = [state(one) for one in predict_states(sweep, max_states=10_000)]
    assert len(found) == len(every)
    start = 0
    while start < len(every):  # of equals any order
        end = start
        while end < len(every) and every[end][0] > every[start][0] - 1e-12:
            end += 1
        assert Counter(found[start:end]) == Counter(one for _, one in every[start:end])
        start = end


@pytest.mark.parametrize("seed", few(1, range(5)))
def test_what_comes_next_was_foreseen(seed: int) -> None:
    rng = random.Random(seed)
    sweep, line, needed = steady([1.0] * 100), range(100), set(rng.sample(range(100), 3))
    while not sweep.done:
        foreseen = {state(one) for one in predict_states(sweep)}
        assert len(foreseen) <= 40
        sweep = sweep.after(left_out(sweep, line).isdisjoint(needed))
        assert state(sweep) in foreseen
