"""The sieve on failures that show only sometimes: what it keeps, what it says, and that luck does not fool it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rootward as rw
from rootward.errors import InputError, NotReproduced
from rootward.search.ask import Replay
from rootward.searches.reduction.rates import chance_of_share
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.sieve import sieve
from rootward.space.candidate import Elements
from rootward.verdict import FAIL, PASS, Verdict
from tests.properties import few

from .helpers import Driver, Kept, Says, decided, flaky, needs

NEEDED = (3, 17, 22)
ITEMS = Elements(range(30))


def reduced(seed: int, rate: float = 0.7, leak: float = 0.0) -> tuple[Driver, Reduction[int]]:
    drive = Driver(flaky(needs(*NEEDED), rate, seed, leak))
    return drive, drive(sieve(ITEMS, flaky=True))


def share_of_failures(says: Says, kept: Kept, runs: int = 200) -> float:
    return sum(says(kept) is FAIL for _ in range(runs)) / runs


@pytest.fixture(scope="module")
def twenty() -> list[tuple[Driver, Reduction[int]]]:
    return [reduced(seed) for seed in range(20)]


def test_what_a_steady_failure_would_have_left(twenty: list[tuple[Driver, Reduction[int]]]) -> None:
    right = [found for _, found in twenty if found.selection.kept == NEEDED]
    assert len(right) >= 18


def test_the_result_fails_at_least_half_as_often(twenty: list[tuple[Driver, Reduction[int]]]) -> None:
    assert all(set(NEEDED) <= set(found.selection.kept) for _, found in twenty), "without these it never fails"
    assert all(share_of_failures(drive.says, found.selection.kept) >= 0.35 for drive, found in twenty)


def test_no_claim_of_minimality_that_more_runs_refute(twenty: list[tuple[Driver, Reduction[int]]]) -> None:
    claims = [(drive, found.selection) for drive, found in twenty if found.minimal]
    assert len(claims) >= 15
    for drive, kept in claims:
        assert all(share_of_failures(drive.says, kept.without([i]).kept) < 0.35 for i in kept.free)


def test_what_it_says_was_seen(twenty: list[tuple[Driver, Reduction[int]]]) -> None:
    for drive, found in twenty:
        assert found.original is not None
        assert found.result is not None
        assert found.confidence is not None
        whole = [said for kept, said in zip(drive.runs, drive.verdicts, strict=True) if len(kept) == 30]
        own = [said for kept, said in zip(drive.runs, drive.verdicts, strict=True) if kept == found.selection.kept]
        assert found.original == (whole.count(FAIL), len(whole))
        assert found.result.runs <= len(own)
        assert found.result.fails <= own.count(FAIL)
        assert found.share == 0.5
        assert 0.95 <= found.confidence <= 1
        assert found.confidence == pytest.approx(chance_of_share(found.result, found.original, 0.5), abs=0.1)


def test_every_best_was_seen_to_fail_or_is_the_whole(twenty: list[tuple[Driver, Reduction[int]]]) -> None:
    for drive, _ in twenty:
        failed = {kept for kept, said in zip(drive.runs, drive.verdicts, strict=True) if said is FAIL}
        sizes = [len(ask.best.selection) for ask in drive.asks]
        assert all(len(ask.best.selection) == 30 or ask.best.selection.kept in failed for ask in drive.asks)
        assert not any(ask.best.minimal for ask in drive.asks)
        assert min(sizes) <= 6


@pytest.mark.parametrize("seeds", few(1, [range(4), range(4, 12)]), ids=str)
def test_what_failed_its_test_is_not_the_best(seeds: range) -> None:
    """Neither what a budget returns nor what is on disk may be what was just shown to fail too rarely."""
    for seed in seeds:
        drive, _ = reduced(seed, 0.7, leak=0.12)
        tested = [ask.best.confidence for ask in drive.asks if ask.best.confidence is not None]
        assert all(confidence >= 0.95 for confidence in tested)


def test_it_costs_little_more_than_the_rate_asks_for(twenty: list[tuple[Driver, Reduction[int]]]) -> None:
    assert sum(len(drive.runs) for drive, _ in twenty) / 20 <= 130


@pytest.mark.parametrize("seed", range(4))
def test_runs_that_fail_without_what_is_needed(seed: int) -> None:
    """One run in fourteen fails whatever is there."""
    drive, found = reduced(seed, 0.7, leak=0.05)
    assert share_of_failures(drive.says, found.selection.kept) >= 0.35
    if found.minimal:
        for i in found.selection.free:
            assert share_of_failures(drive.says, found.selection.without([i]).kept) < 0.35


@pytest.mark.parametrize("rate", [0.3, 0.95, 1.0])
def test_other_rates(rate: float) -> None:
    for seed in range(3):
        drive, found = reduced(seed, rate)
        assert set(NEEDED) <= set(found.selection.kept)
        assert len(found.kept) <= 6
        if rate == 1.0:
            assert found.selection.kept == NEEDED
            assert found.minimal
            assert len(drive.runs) <= 80


def test_a_failure_that_never_shows_again_is_not_reduced() -> None:
    answers = iter([FAIL])
    drive = Driver(lambda kept: next(answers, PASS))
    with pytest.raises(NotReproduced, match=r"too rare to reduce: it showed in 1 of \d\d runs"):
        drive(sieve(Elements(range(12)), flaky=True))
    assert len(drive.runs) < 100


def test_a_failure_that_only_the_whole_shows_is_not_reduced() -> None:
    drive = Driver(flaky(needs(*range(12)), 0.7, seed=4))
    found = drive(sieve(Elements(range(12)), flaky=True))
    assert len(found.kept) == 12
    assert len(drive.runs) < 400


def test_a_single_element_and_none_at_all() -> None:
    for n in (0, 1):
        for says in (needs(), needs(*range(n))):
            drive = Driver(flaky(says, 0.8, seed=n))
            found = drive(sieve(Elements(range(n)), flaky=True))
            assert says(found.selection.kept) is FAIL
            assert len(drive.runs) < 100


def test_rates_that_fade_with_what_is_left_out() -> None:
    """Each of ten elements adds to the rate: whatever is kept must still fail half as often as all of them."""
    for seed in range(4):
        rng = random.Random(seed)

        def says(kept: Kept, rng: random.Random = rng) -> Verdict:
            return FAIL if rng.random() < 0.09 * len([i for i in kept if i < 10]) else PASS

        found = Driver(says)(sieve(Elements(range(25)), flaky=True))
        assert len([i for i in found.selection.kept if i < 10]) >= 4
        assert found.confidence is None or found.confidence >= 0.95 or len(found.kept) == 25


def test_enough_is_enough_once_it_is_tested() -> None:
    drive = Driver(flaky(needs(*NEEDED), 0.7, seed=5))
    found = drive(sieve(ITEMS, flaky=True, stop_at=0.5))
    whole, _ = reduced(5)
    assert len(NEEDED) <= len(found.kept) <= 15
    assert set(NEEDED) <= set(found.kept)
    assert found.confidence is not None
    assert found.confidence >= 0.95
    assert len(drive.runs) < len(whole.runs)


def test_pins_stay_and_what_is_required_is_there() -> None:
    elements = Elements(range(20), pinned=[7])
    drive = Driver(flaky(needs(3), 0.8, seed=2))
    found = drive(sieve(elements, flaky=True, require=[frozenset({0, 1})]))
    assert all(7 in kept and {0, 1} & set(kept) for kept in drive.runs)
    assert {3, 7} <= set(found.kept)
    assert len(found.kept) == 3


def test_a_tree() -> None:
    parents = [None, 0, 0, 1, 1, 2, None, 6, 6, 7]
    elements = Elements(range(10), parents=parents)
    found = Driver(flaky(needs(4), 0.8, seed=3))(sieve(elements, flaky=True))
    assert found.selection.kept == (0, 1, 4)


def test_the_same_seed_is_the_same_answer() -> None:
    one, two = reduced(11), reduced(11)
    assert one[0].runs == two[0].runs
    assert one[1] == two[1]


# Replays


def replayed(seed: int, rate: float, *, replays: bool = True) -> tuple[Driver, Reduction[int]]:
    """Where the seed decides whether it fails."""
    drive = Driver(needs(*NEEDED), seeded=decided(needs(*NEEDED), rate, seed))
    return drive, drive(sieve(ITEMS, flaky=True, replays=replays))


Twenty = list[tuple[Driver, Reduction[int]]]


@pytest.fixture(scope="module", params=[0.7, pytest.param(0.3, marks=pytest.mark.rest)])
def rate(request: pytest.FixtureRequest) -> float:
    return float(request.param)


@pytest.fixture(scope="module")
def with_replays(rate: float) -> Twenty:
    return [replayed(seed, rate) for seed in range(20)]


def test_where_the_seed_decides_it_finds_just_what_is_needed(with_replays: Twenty) -> None:
    assert sum(found.selection.kept == NEEDED for _, found in with_replays) >= 18
    assert all(set(NEEDED) <= set(found.selection.kept) for _, found in with_replays), "without these it never fails"


def test_where_the_seed_decides_no_claim_is_false(with_replays: Twenty) -> None:
    claims = [found for _, found in with_replays if found.minimal]
    assert len(claims) >= 12
    assert all(found.selection.kept == NEEDED for found in claims)


@pytest.mark.rest
def test_replays_take_far_fewer_runs(with_replays: Twenty, rate: float) -> None:
    without = [replayed(seed, rate, replays=False) for seed in range(20)]
    assert sum(len(drive.runs) for drive, _ in with_replays) < 0.7 * sum(len(drive.runs) for drive, _ in without)


def test_what_is_said_of_replays_was_seen(with_replays: Twenty) -> None:
    for drive, found in with_replays:
        assert found.original is not None
        assert found.result is not None
        assert found.again is not None
        assert found.often is not None
        assert found.confidence is not None
        said = list(zip(drive.runs, drive.verdicts, strict=True))
        whole = [verdict for kept, verdict in said if len(kept) == 30]
        own = [verdict for kept, verdict in said if kept == found.selection.kept]
        assert found.original == (whole.count(FAIL), len(whole))
        assert found.result.runs <= len(own)
        assert found.again.fails <= found.result.fails <= own.count(FAIL)
        assert found.often.low <= found.often.value <= found.often.high
        assert 0.95 <= found.confidence <= 1


def test_how_often_it_fails_is_told_by_all_runs(with_replays: Twenty) -> None:
    """The kept ones fail with the very seeds of the original: replays of failing runs alone would say always."""
    right = 0
    for drive, found in with_replays:
        assert drive.seeded is not None
        assert found.often is not None
        truth = sum(drive.seeded(NEEDED, n) is FAIL for n in range(1000, 2000)) / 1000
        right += found.often.low <= truth <= found.often.high
    assert right >= 16


def test_nothing_is_replayed_twice(with_replays: Twenty) -> None:
    for drive, _ in with_replays:
        asked = [
            (one.candidate, one.attempt) for ask in drive.asks for one in ask.candidates if isinstance(one, Replay)
        ]
        assert len(asked) == len(set(asked)) == len(drive.replays)


@pytest.mark.rest
def test_where_the_seed_means_nothing_replays_do_no_harm() -> None:
    found = []
    for seed in range(20):
        drive = Driver(flaky(needs(*NEEDED), 0.7, seed))
        found.append(drive(sieve(ITEMS, flaky=True, replays=True)))
    assert sum(one.selection.kept == NEEDED for one in found) >= 17
    assert sum(one.minimal and one.selection.kept != NEEDED for one in found) <= 1, "of a hundred claims three may be"
    assert all(set(NEEDED) <= set(one.selection.kept) for one in found)


# Through the verb


def test_a_subject_that_takes_a_seed_may_be_flaky() -> None:
    def subject(kept: list[int], seed: int) -> rw.Verdict:
        return FAIL if {2, 9} <= set(kept) and random.Random(seed).random() < 0.7 else PASS

    found = rw.reduce(range(12), subject, seed=3)
    assert found.kept == [2, 9]
    assert found.original is not None
    assert 0.4 <= found.original.fails / found.original.runs <= 1.0
    assert found.confidence is not None
    text = str(found)
    assert "it fails much more rarely or not at all" in text
    assert "That is at least 50% as often as the original, with " in text
    steady = rw.reduce(range(12), subject, seed=3, flaky=False, repeat="1of8")
    assert steady.original is None
    assert steady.kept == [2, 9]


@pytest.mark.parametrize("options", [{"share": 0}, {"share": 1.5}, {"confidence": 0}, {"confidence": 1}, {"share": -1}])
def test_shares_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        rw.reduce(range(3), rw.fails_when(lambda kept: True), flaky=True, **options)
