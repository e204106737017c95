"""The frontier against brute force: every set of needed elements, every density, every rate."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.searches.reduction.sweep import Array, Frontier, NeedDensity, RunNoise
from tests.properties import examples

STEADY = RunNoise.none()
NOISY = RunNoise(
    rates=np.array([0.3, 0.7, 0.95]),
    rate_chances=np.array([0.2, 0.5, 0.3]),
    leaks=np.array([0.05, 0.4]),
    leak_chances=np.array([0.9, 0.1]),
    rate_prior=np.full(3, 1 / 3),
)
noises = st.sampled_from([STEADY, NOISY])
lines = st.lists(st.sampled_from([0.3, 1.0, 2.0, 12.0]), min_size=1, max_size=4)
runs = st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=5)
thorough = examples(30, derandomize=True)


@dataclass
class World:
    """One way things may be, and how likely it is."""

    chance: float
    place: int
    """0 if something is lost, 1 + i if the i-th is the first that is needed, n + 1 if none is."""
    density: int
    rate: float
    leak: float

    def fails(self, cut: int) -> float:
        """The chance that a run without the first ``cut`` fails."""
        return self.rate if self.place > cut else self.leak * self.rate


def worlds(weights: list[float], noise: RunNoise, lost: float) -> list[World]:
    array = np.array(weights)
    density, found = NeedDensity.prior(array), []
    for d, (factor, likely) in enumerate(zip(density.factors, density.chances, strict=True)):
        needed = np.minimum(TUNING.max_needed_chance, factor * array)
        for chosen in itertools.product([False, True], repeat=len(weights)):
            chance = likely * math.prod(p if yes else 1 - p for p, yes in zip(needed, chosen, strict=True))
            first = chosen.index(True) + 1 if any(chosen) else len(weights) + 1
            for (rate, r), (leak, k) in itertools.product(_pairs(noise.rates, noise.rate_chances), _noisy(noise)):
                found.append(World(chance * r * k * lost, 0, d, rate, leak))
                found.append(World(chance * r * k * (1 - lost), first, d, rate, leak))
    return found


def _pairs(values: Array, chances: Array) -> list[tuple[float, float]]:
    return list(zip(values.tolist(), chances.tolist(), strict=True))


def _noisy(noise: RunNoise) -> list[tuple[float, float]]:
    return _pairs(noise.leaks, noise.leak_chances)


def after(every: list[World], history: list[tuple[int, bool]]) -> list[World]:
    for cut, failed in history:
        for world in every:
            world.chance *= world.fails(cut) if failed else 1 - world.fails(cut)
    total = sum(world.chance for world in every)
    for world in every:
        world.chance /= total
    return every


def places(every: list[World], n: int) -> list[float]:
    return [sum(world.chance for world in every if world.place == place) for place in range(n + 2)]


def frontier(weights: list[float], noise: RunNoise, lost: float) -> Frontier:
    array = np.array(weights)
    return Frontier.start(array, NeedDensity.prior(array), noise, lost)


def told(weights: list[float], noise: RunNoise, lost: float, history: list[tuple[int, bool]]) -> Frontier:
    """After those of the runs that are possible."""
    found = frontier(weights, noise, lost)
    for cut, failed in history:
        found = found.after(cut, failed)
    return found


def possible(
    weights: list[float], noise: RunNoise, lost: float, drawn: list[tuple[int, bool]]
) -> list[tuple[int, bool]]:
    """Cuts of this line, without answers that cannot be: a steady failure does not contradict itself."""
    found, history = frontier(weights, noise, lost), []
    for cut, failed in drawn:
        chance = found.chance_to_fail(min(cut, len(weights)))
        if (chance if failed else 1 - chance) > 1e-9:
            history.append((min(cut, len(weights)), failed))
            found = found.after(*history[-1])
    return history


@thorough
@given(lines, noises, st.sampled_from([0.0, 0.1]), runs)
def test_the_probability_of_each_place_is_that_of_all_the_worlds(
    weights: list[float], noise: RunNoise, lost: float, drawn: list[tuple[int, bool]]
) -> None:
    history = possible(weights, noise, lost, drawn)
    every = after(worlds(weights, noise, lost), history)
    found = told(weights, noise, lost, history)
    assert found.places.tolist() == pytest.approx(places(every, len(weights)), abs=1e-9)
    for cut in range(len(weights) + 1):
        assert found.chance_harmless(cut) == pytest.approx(sum(w.chance for w in every if w.place > cut), abs=1e-9)
        assert found.chance_to_fail(cut) == pytest.approx(sum(w.chance * w.fails(cut) for w in every), abs=1e-9)


@thorough
@given(lines, noises, st.sampled_from([0.0, 0.1]), runs)
def test_the_cut_tells_most(weights: list[float], noise: RunNoise, lost: float, drawn: list[tuple[int, bool]]) -> None:
    """What the outcome of a run says about whether its cut is harmless."""
    history = possible(weights, noise, lost, drawn)
    every = after(worlds(weights, noise, lost), history)

    def gain(cut: int) -> float:
        table = np.zeros((2, 2))
        for world in every:
            table[int(world.place > cut)] += world.chance * np.array([world.fails(cut), 1 - world.fails(cut)])
        apart = np.outer(table.sum(1), table.sum(0))
        seen = table > 1e-15
        return float((table[seen] * np.log2(table[seen] / apart[seen])).sum())

    gains = [gain(cut) for cut in range(len(weights) + 1)]
    chosen = told(weights, noise, lost, history).cut
    assert gains[chosen] == pytest.approx(max(gains), abs=1e-6)
    assert not any(one > gains[chosen] - 1e-12 for one in gains[chosen + 1 :] if one > 1e-9), "of equals the largest"


def test_before_any_run_that_is_all_there_is_to_know_about_the_place() -> None:
    """Nothing is known of the rate yet that would depend on the place."""
    weights = [1.0, 2.0, 1.0, 12.0]
    every, found = worlds(weights, NOISY, 0.1), frontier(weights, NOISY, 0.1)

    def gain(cut: int) -> float:
        table = np.zeros((6, 2))
        for world in every:
            table[world.place] += world.chance * np.array([world.fails(cut), 1 - world.fails(cut)])
        apart = np.outer(table.sum(1), table.sum(0))
        return float((table * np.log2(table / apart)).sum())

    gains = [gain(cut) for cut in range(5)]
    assert found.cut == int(np.argmax(gains))


@thorough
@given(lines, runs, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_does_not_matter(weights: list[float], drawn: list[tuple[int, bool]], rng) -> None:
    history = possible(weights, NOISY, 0.1, drawn)
    shuffled = rng.sample(history, len(history))
    one, other = (told(weights, NOISY, 0.1, order) for order in (history, shuffled))
    assert np.allclose(one.joint, other.joint)


@thorough
@given(lines, noises, st.integers(0, 4))
def test_barred_is_that_nothing_beyond_the_cut_can_be(weights: list[float], noise: RunNoise, cut: int) -> None:
    cut = min(cut, len(weights))
    before = frontier(weights, noise, 0.1)
    found = before.rule_out_cut(cut).places
    assert found[cut + 1 :].tolist() == [0.0] * (len(weights) + 1 - cut)
    kept = before.places[: cut + 1]
    assert found[: cut + 1].tolist() == pytest.approx((kept / kept.sum()).tolist())


@thorough
@given(lines, st.integers(0, 4))
def test_each_place_teaches_the_density(weights: list[float], place: int) -> None:
    place = min(place, len(weights))
    every = [world for world in worlds(weights, STEADY, 0.0) if world.place == place + 1]
    total = sum(world.chance for world in every)
    wanted = [sum(w.chance for w in every if w.density == d) / total for d in range(24)]
    learnt = frontier(weights, STEADY, 0.0).update_density(place)
    assert learnt.chances.tolist() == pytest.approx(wanted, abs=1e-9)


def test_the_rate_is_learnt_from_runs_in_which_nothing_is_lost() -> None:
    history = [(0, True), (1, False), (0, False), (2, True)]
    every = after(worlds([1.0, 2.0], NOISY, 0.1), history)
    kept = [world for world in every if world.place > 0]
    total = sum(world.chance for world in kept)
    wanted = [sum(w.chance for w in kept if w.rate == rate) / total for rate in NOISY.rates]
    assert told([1.0, 2.0], NOISY, 0.1, history).updated_noise.rate_chances.tolist() == pytest.approx(wanted)


def test_what_is_impossible_teaches_nothing() -> None:
    """A failure that shows every time, and then does not with nothing left out."""
    found = frontier([1.0, 1.0], STEADY, 0.0)
    assert found.after(0, False).places.tolist() == found.places.tolist()


def test_a_steady_line_is_searched_by_halves() -> None:
    """With as good as nothing known about the place but that it is one of 64."""
    found = frontier([1.0] * 64, STEADY, 0.0)
    found, asked, truth = found.after(64, False), 0, 41
    while found.places.max() < 1 - 1e-9:
        found, asked = found.after(found.cut, found.cut <= truth), asked + 1
    assert int(found.places.argmax()) == truth + 1
    assert asked <= 10


@pytest.mark.parametrize(("fails", "seen"), [(0, 8), (3, 8), (8, 8), (70, 100)])
def test_the_rate_after_so_many_failures(fails: int, seen: int) -> None:
    noise = RunNoise.from_counts(fails, seen, leaks=(0.05,), likely=(1.0,))
    assert noise.rate_chances.sum() == pytest.approx(1.0)
    assert noise.mean == pytest.approx((fails + 1) / (seen + 2), abs=0.05)


def test_one_of_many_and_all_of_few_are_both_thought_of() -> None:
    for n in (1, 2, 10, 1000):
        density = NeedDensity.prior(np.ones(n))
        expected = n * np.minimum(TUNING.max_needed_chance, density.factors)
        assert expected[0] == pytest.approx(0.3)
        assert expected[-1] >= min(0.95 * n, 0.4 * n) - 1e-9
        assert density.chances.sum() == pytest.approx(1.0)
