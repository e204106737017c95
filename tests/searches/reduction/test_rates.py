"""How sure one can be of a rate: against Monte Carlo and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from rootward.searches.reduction.rates import Rate, chance_of_share
from tests.properties import examples

counts = st.integers(0, 40).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs)))
shares = st.sampled_from([0.25, 0.5, 0.8, 1.0])
thorough = examples(40, derandomize=True)


def by_integration(rate: Rate, original: Rate, share: float) -> float:
    """The same, from the two beta distributions."""
    own = stats.beta(rate.fails + 1, rate.runs - rate.fails + 1)
    other = stats.beta(original.fails + 1, original.runs - original.fails + 1)
    found, _ = integrate.quad(lambda x: other.pdf(x) * own.sf(share * x), 0, 1, limit=200)
    return float(found)


@thorough
@given(counts, counts, shares)
def test_the_chance_is_that_of_the_two_posteriors(one: tuple[int, int], two: tuple[int, int], share: float) -> None:
    rate, original = Rate(*one), Rate(*two)
    assert chance_of_share(rate, original, share) == pytest.approx(by_integration(rate, original, share), abs=0.01)


def test_the_chance_by_drawing() -> None:
    rng = np.random.default_rng(1)
    own, other = rng.beta(1 + 9, 1 + 6, 200_000), rng.beta(1 + 12, 1 + 3, 200_000)
    drawn = float(np.mean(own >= 0.5 * other))
    assert chance_of_share(Rate(9, 15), Rate(12, 15), 0.5) == pytest.approx(drawn, abs=0.01)


@thorough
@given(counts, counts, shares)
def test_one_more_failure_makes_it_surer_and_one_more_pass_less_so(
    one: tuple[int, int], two: tuple[int, int], share: float
) -> None:
    rate, original = Rate(*one), Rate(*two)
    before = chance_of_share(rate, original, share)
    assert chance_of_share(rate.plus(1, 1), original, share) > before
    assert chance_of_share(rate.plus(0, 1), original, share) < before
    assert 0 <= before <= 1


def test_nothing_known_is_even_chances_for_the_same_rate() -> None:
    assert chance_of_share(Rate(), Rate(), 1.0) == pytest.approx(0.5, abs=0.01)
    assert chance_of_share(Rate(), Rate(), 0.5) == pytest.approx(0.75, abs=0.01)


def test_many_runs_settle_it() -> None:
    assert chance_of_share(Rate(400, 1000), Rate(700, 1000), 0.5) > 0.99
    assert chance_of_share(Rate(200, 1000), Rate(700, 1000), 0.5) < 0.01


def test_a_rate_adds_up_and_says_what_it_is() -> None:
    rate = Rate().plus(2, 3).plus(1, 4)
    assert rate == (3, 7)
    assert str(rate) == "3 of 7 runs"
    assert rate.estimate.low < 3 / 7 < rate.estimate.high
