"""Group testing in a line, against the enumeration of everything that could be."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.products.sweep import ItemSweep, entropy, information
from tests.properties import examples

thorough = examples(100, derandomize=True)
hazard_lists = st.lists(st.floats(0.01, 0.9), min_size=1, max_size=8)
rates = st.sampled_from([1.0, 0.7])


def play(sweep: ItemSweep, hazards: list[float], seed: int) -> list[tuple[int, int, bool]]:
    """Ask random windows of a random truth; what was asked and said."""
    rng = random.Random(seed)
    stoppers = {i for i, hazard in enumerate(hazards) if rng.random() < hazard}
    said = []
    for _ in range(rng.randrange(6)):
        if sweep.is_done:
            break
        start, end = sweep.clear, rng.randint(sweep.clear + 1, sweep.length)
        failed = stoppers.isdisjoint(range(start, end)) and rng.random() < sweep.rate
        (sweep.record_failure if failed else sweep.record_pass)(end)
        said.append((start, end, failed))
    return said


def posterior(hazards: list[float], rate: float, said: list[tuple[int, int, bool]]) -> dict[int, float]:
    """The chance of each first stopper (the length if there is none), by enumeration of all sets of stoppers."""
    weights = dict.fromkeys(range(len(hazards) + 1), 0.0)
    for bits in itertools.product([False, True], repeat=len(hazards)):
        chance = math.prod(h if bit else 1 - h for h, bit in zip(hazards, bits, strict=True))
        for start, end, failed in said:
            shows = 0.0 if any(bits[start:end]) else rate
            chance *= shows if failed else 1 - shows
        weights[bits.index(True) if True in bits else len(hazards)] += chance
    total = sum(weights.values())
    return {first: weight / total for first, weight in weights.items()}


@thorough
@given(hazards=hazard_lists, rate=rates, seed=st.integers(0, 10**6))
def test_weights_are_the_posterior_of_the_first_stopper(hazards: list[float], rate: float, seed: int) -> None:
    sweep = ItemSweep(len(hazards), rate)
    said = play(sweep, hazards, seed)
    wanted = posterior(hazards, rate, said)
    found = sweep.weights(np.array(hazards))
    assert found.tolist() == pytest.approx([wanted[first] for first in range(sweep.clear, len(hazards) + 1)])
    assert sum(wanted[first] for first in range(sweep.clear)) == pytest.approx(0)


@thorough
@given(hazards=hazard_lists, whole=st.floats(0.01, 1))
def test_whole_weighs_that_there_is_none(hazards: list[float], whole: float) -> None:
    sweep = ItemSweep(len(hazards), 1.0)
    plain, weighed = sweep.weights(np.array(hazards)), sweep.weights(np.array(hazards), whole)
    assert weighed.sum() == pytest.approx(1)
    assert weighed[-1] / weighed[0] == pytest.approx(whole * plain[-1] / plain[0])


@thorough
@given(hazards=hazard_lists, rate=rates, seed=st.integers(0, 10**6))
def test_the_window_is_the_one_that_tells_most(hazards: list[float], rate: float, seed: int) -> None:
    sweep = ItemSweep(len(hazards), rate)
    said = play(sweep, hazards, seed)
    if sweep.is_done:
        return
    wanted = posterior(hazards, rate, said)
    ends = range(sweep.clear + 1, len(hazards) + 1)
    bits = {end: mutual(sum(wanted[first] for first in wanted if first >= end), rate) for end in ends}
    end, told = sweep.window(sweep.weights(np.array(hazards)))
    assert told == pytest.approx(bits[end], abs=1e-9)
    assert told == pytest.approx(max(bits.values()), abs=1e-9)


def mutual(chance: float, rate: float) -> float:
    """The mutual information of "it is triggered" and "it shows", from their joint distribution."""
    joint = {(1, 1): chance * rate, (1, 0): chance * (1 - rate), (0, 0): 1 - chance, (0, 1): 0.0}
    triggered = {1: chance, 0: 1 - chance}
    shown = {1: chance * rate, 0: 1 - chance * rate}
    return sum(p * math.log2(p / (triggered[x] * shown[y])) for (x, y), p in joint.items() if p > 1e-15)


@thorough
@given(chance=st.floats(0, 1), rate=st.floats(0.05, 1))
def test_information(chance: float, rate: float) -> None:
    assert information(np.array([chance]), rate)[0] == pytest.approx(mutual(chance, rate), abs=1e-9)


def test_entropy() -> None:
    assert entropy(np.array([0.0, 0.5, 1.0, 0.25])).tolist() == pytest.approx([0, 1, 0, 0.811278], abs=1e-6)


def test_a_fair_coin_tells_one_bit_if_it_always_shows() -> None:
    assert information(np.array([0.5]), 1.0)[0] == 1


@pytest.mark.parametrize("position", range(13))
def test_if_it_always_shows_the_first_stopper_is_found_by_bisection(position: int) -> None:
    """Twelve items with the same chance, one stopper (or none): at most five runs, each clear about one part."""
    sweep, runs, hazards = ItemSweep(12, 1.0), 0, np.array([1 / (13 - i) for i in range(12)])
    while not sweep.is_done and sweep.weights(hazards)[0] < 1:
        end, _ = sweep.window(sweep.weights(hazards))
        (sweep.record_pass if position < end else sweep.record_failure)(end)
        runs += 1
    assert sweep.clear == position
    assert runs <= 5


def test_a_failing_window_explains_the_passes_inside_it() -> None:
    sweep = ItemSweep(8, 0.7)
    sweep.record_pass(3)
    sweep.record_pass(8)
    sweep.record_failure(4)
    assert (sweep.clear, sweep.passes) == (4, [(0, 8)])


def test_a_known_stopper_is_skipped_and_explains_every_pass() -> None:
    sweep = ItemSweep(8, 0.7)
    sweep.record_pass(1)
    assert sweep.is_confirmed
    sweep.skip()
    assert (sweep.clear, sweep.passes, sweep.is_confirmed, sweep.is_done) == (1, [], False, False)


def test_a_fork_is_on_its_own() -> None:
    sweep = ItemSweep(8, 1.0)
    sweep.record_pass(5)
    fork = sweep.fork()
    fork.record_pass(2)
    fork.record_failure(1)
    assert (sweep.clear, sweep.passes) == (0, [(0, 5)])
