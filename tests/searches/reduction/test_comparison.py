"""The comparison against the model it states, drawn or integrated in other ways."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from rootward.searches.reduction.rates import ALONE, WHERE_FAILED, WHERE_PASSED, Comparison, Rate
from tests.properties import examples, few

KINDS = {WHERE_FAILED: "where_failed", WHERE_PASSED: "where_passed", ALONE: "alone"}
PARTS = {0.001: 0.4, 0.1: 0.1, 0.3: 0.1, 0.5: 0.1, 0.7: 0.1, 0.9: 0.1, 1.0: 0.1}
"""How often it may fail where the original passed, as a part of how often where it failed; and how likely that is."""


def rates(most: int) -> st.SearchStrategy[Rate]:
    return st.integers(0, most).flatmap(lambda runs: st.builds(Rate, st.integers(0, runs), st.just(runs)))


shares = st.sampled_from([0.25, 0.5, 0.8, 1.0])
comparisons = st.builds(Comparison, rates(20), shares, rates(8), rates(8), rates(8))


@st.composite
def possible(draw: st.DrawFn) -> Comparison:
    """What can be seen: each replay is one of a run of the original."""
    fails, passes = draw(st.integers(1, 12)), draw(st.integers(0, 12))
    where_failed, where_passed, alone = (draw(rates(most)) for most in (min(fails, 8), min(passes, 8), 8))
    share = draw(st.sampled_from([0.25, 0.5, 0.8]))
    return Comparison(Rate(fails, fails + passes), share, where_failed, where_passed, alone)


thorough = examples(60, derandomize=True)


def more(seen: Comparison, kind: int, failed: bool) -> Comparison:
    """After one more run of that kind."""
    name = KINDS[kind]
    return replace(seen, **{name: getattr(seen, name).plus(int(failed), 1)})


def bits(chance: float) -> float:
    return -sum(p * math.log2(p) for p in (chance, 1 - chance) if p > 0)


# The model


def drawn(seen: Comparison, draws: int = 200_000) -> tuple[float, float]:
    """The chance and the rate, from worlds that are drawn and weighed by what was seen in them."""
    rng = np.random.default_rng(7)
    original = rng.beta(seen.original.fails + 1, seen.original.runs - seen.original.fails + 1, draws)
    again = rng.beta(seen.where_failed.fails + 1, seen.where_failed.runs - seen.where_failed.fails + 1, draws)
    part = rng.choice(list(PARTS), draws, p=list(PARTS.values()))
    alone = original * again + (1 - original) * again * part
    weights = np.ones(draws)
    for rate, (fails, runs) in ((again * part, seen.where_passed), (alone, seen.alone)):
        weights *= rate**fails * (1 - rate) ** (runs - fails)
    often = alone >= seen.share * original
    return float(np.average(often, weights=weights)), float(np.average(alone, weights=weights))


@examples(25, derandomize=True)
@given(st.builds(Comparison, rates(20), shares, rates(6), rates(4), rates(4)))
def test_the_chance_and_the_rate_are_those_of_worlds_that_are_drawn(seen: Comparison) -> None:
    chance, rate = drawn(seen)
    assert seen.chance == pytest.approx(chance, abs=0.03)
    assert seen.estimate.value == pytest.approx(rate, abs=0.02)


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("again", [Rate(), Rate(0, 1), Rate(3, 3), Rate(4, 6)])
@pytest.mark.parametrize("original", few(1, [Rate(2, 5), Rate(), Rate(7, 10)]))
def test_replays_of_failing_runs_by_integration(original: Rate, again: Rate, share: float) -> None:
    """Whatever the part, it fails often enough from some rate on, which is known for each rate of the original."""
    other = stats.beta(original.fails + 1, original.runs - original.fails + 1)
    own = stats.beta(again.fails + 1, again.runs - again.fails + 1)
    wanted = 0.0
    for part, likely in PARTS.items():
        found, _ = integrate.quad(
            lambda o, part=part: other.pdf(o) * own.sf(share * o / (o + (1 - o) * part)), 0, 1, limit=200
        )
        wanted += likely * found
    assert Comparison(original, share, again).chance == pytest.approx(wanted, abs=0.015)


def test_before_any_run_only_the_parts_matter() -> None:
    """Of an original that fails in half of its runs, each part asks for another rate where that failed."""
    wanted = sum(likely * (1 - 0.5 / (1 + part)) for part, likely in PARTS.items())
    assert Comparison(Rate(500, 1000), 0.5).chance == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize("share", [0.25, 0.5])
@pytest.mark.parametrize("original", [Rate(2, 5), Rate(5, 5), Rate(3, 30)])
@pytest.mark.parametrize("runs", range(8))
def test_replays_that_all_fail_settle_it_by_halves(runs: int, original: Rate, share: float) -> None:
    assert Comparison(original, share, Rate(runs, runs)).chance > 1 - 2 ** -(runs + 1) - 0.02


def test_replays_that_never_fail_leave_no_hope() -> None:
    assert Comparison(Rate(7, 10), 0.5, Rate(0, 6)).chance < 0.03


# What a further run does


@thorough
@given(possible(), st.sampled_from(sorted(KINDS)))
def test_one_more_failure_makes_it_surer_and_one_more_pass_less_so(seen: Comparison, kind: int) -> None:
    """Not so if just as many failures are asked for as of the original, of which hardly anything is known: then a
    failure says as much of the original."""
    failed, passed = more(seen, kind, True).chance, more(seen, kind, False).chance
    assert passed - 1e-12 <= seen.chance <= failed + 1e-12
    if 1e-6 < seen.chance < 1 - 1e-6:
        assert passed < seen.chance < failed
    assert 0 <= seen.chance <= 1 + 1e-12


@thorough
@given(comparisons, st.sampled_from(sorted(KINDS)))
def test_the_gain_is_what_one_more_run_takes_off_the_entropy(seen: Comparison, kind: int) -> None:
    """How likely that run is to fail follows from the chances before and after it."""
    failed, passed = more(seen, kind, True).chance, more(seen, kind, False).chance
    assert seen.gain(kind) >= -1e-9
    if failed - passed < 1e-9:
        assert seen.gain(kind) == pytest.approx(0.0, abs=1e-6)
        return
    fails = (seen.chance - passed) / (failed - passed)
    then = fails * bits(failed) + (1 - fails) * bits(passed)
    assert 0 <= fails <= 1
    assert seen.gain(kind) == pytest.approx(bits(seen.chance) - then, abs=1e-6)


def test_a_failing_run_tells_most_where_the_seed_decides() -> None:
    seen = Comparison(Rate(3, 10), 0.5, where_failed=Rate(3, 3), where_passed=Rate(0, 5))
    assert seen.gain(WHERE_FAILED) > 2 * seen.gain(ALONE) > 0
    assert seen.gain(WHERE_FAILED) > 2 * seen.gain(WHERE_PASSED)


@thorough
@given(comparisons)
def test_a_larger_share_is_harder(seen: Comparison) -> None:
    chances = [replace(seen, share=share).chance for share in (0.1, 0.25, 0.5, 0.8, 0.9, 1.0)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > chances[-1]


# The estimate


@thorough
@given(comparisons)
def test_the_estimate_lies_in_its_interval(seen: Comparison) -> None:
    value, low, high = seen.estimate
    assert 0 <= low <= value <= high <= 1


@pytest.mark.parametrize("kind", ["where_failed", "alone"])
def test_many_runs_make_it_narrow(kind: str) -> None:
    """Of all seeds 60% are failing ones, and the others are harmless: seven in ten is 0.42, or 0.7 by itself."""
    truth = {"where_failed": 0.42, "alone": 0.7}[kind]
    estimates = []
    for times in (1, 5, 25):
        seeds = {"where_failed": Rate(7 * times, 10 * times), "where_passed": Rate(0, 10 * times)}
        seen = Comparison(Rate(6 * times, 10 * times), 0.5, **(seeds if kind == "where_failed" else {}))
        estimates.append(
            (seen if kind == "where_failed" else replace(seen, alone=Rate(7 * times, 10 * times))).estimate
        )
    widths = [high - low for _, low, high in estimates]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0] / 2
    assert estimates[-1].low <= truth <= estimates[-1].high
    assert estimates[-1].value == pytest.approx(truth, abs=0.05)


def test_all_runs_are_counted() -> None:
    assert Comparison(Rate(2, 5), 0.5, Rate(1, 2), Rate(0, 3), Rate(4, 6)).runs == Rate(5, 11)
    assert Comparison(Rate(2, 5), 0.5).runs == Rate()
