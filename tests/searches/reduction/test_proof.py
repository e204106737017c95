"""The last test of a result, on subjects of known rates: what passes, what does not, and what that takes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from rootward.search.ask import Ask, Replay
from rootward.searches.reduction import record as record_module
from rootward.searches.reduction.rates import Comparison, Rate, chance_of_share
from rootward.searches.reduction.record import FlakyRecord, ReductionProof, Run, prove_by_comparison, prove_by_counting
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.space.candidate import Elements
from rootward.verdict import FAIL, PASS, Verdict

from .helpers import Driver, Kept, Seeded, draw

WHOLE = Elements(range(5)).all
RESULT = WHOLE.without([0, 1])
CERTAINTY, LONGEST = 0.95, 80
Method = Callable[..., Any]
Kind = Callable[[float, float, int], Seeded]
"""A subject, by the rate of the original, the rate of the result and a seed."""


def by_seed(original: float, result: float, seed: int) -> Seeded:
    """The seed decides: the result fails only with seeds with which the original does, if it fails more rarely."""
    return lambda kept, given: FAIL if draw(seed, given) < rate_of(kept, original, result) else PASS


def by_luck(original: float, result: float, seed: int) -> Seeded:
    """The seed means nothing."""

    def says(kept: Kept, given: int) -> Verdict:
        luck = random.Random(f"luck {seed} {kept} {given}").random()
        return FAIL if luck < rate_of(kept, original, result) else PASS

    return says


def rate_of(kept: Kept, original: float, result: float) -> float:
    return original if len(kept) == len(WHOLE) else result


@dataclass
class Judged:
    """A test, and what it took."""

    proof: ReductionProof
    record: FlakyRecord[int]
    before: int
    """Runs before it."""
    drive: Driver

    @property
    def passed(self) -> bool:
        return self.proof.chance >= CERTAINTY

    @property
    def runs(self) -> int:
        return self.record.runs - self.before


def running(record: FlakyRecord[int]) -> Callable[..., Any]:
    """Make runs, write them down and say how many failed."""

    def run(*runs: Run[int], ahead: Iterable[Run[int]] = ()) -> Any:
        answers = yield Ask(runs, fresh=True, ahead=ahead)
        for one, outcome in zip(runs, answers, strict=True):
            record.add(one, outcome.verdict is FAIL)
        return sum(outcome.verdict is FAIL for outcome in answers)

    return run


def judged(test: Method, says: Seeded, *, share: float = 0.5) -> Judged:
    """Measure the original, as a search does, and test the result."""
    drive = Driver(lambda kept: PASS, seeded=says)
    record = FlakyRecord(WHOLE, share, replays=test is prove_by_comparison)
    run = running(record)

    def search() -> Any:
        while (rate := record.rate(WHOLE)).runs < 5 or rate.fails < 2:
            yield from run(*record.next_originals(1))
        record.begin()
        before = record.runs
        proof = yield from test(record, RESULT, CERTAINTY, LONGEST, run)
        return Judged(proof, record, before, drive)

    found: Any = drive(search())
    return found


@pytest.fixture(autouse=True, scope="module")
def _quickly() -> Iterator[None]:
    """The same counts come again and again: what they say is worked out once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Comparison, "gain", cache(Comparison.gain))
        patch.setattr(record_module, "Comparison", cache(Comparison))
        yield


def share_passed(test: Method, kind: Kind, original: float, result: float, times: int) -> float:
    return sum(judged(test, kind(original, result, seed)).passed for seed in range(times)) / times


TESTS = pytest.mark.parametrize("test", [prove_by_counting, prove_by_comparison])
KINDS = pytest.mark.parametrize("kind", [by_seed, by_luck])


@pytest.mark.rest
@TESTS
@KINDS
@pytest.mark.parametrize("rate", [0.4, 0.8, 1.0])
def test_what_fails_as_often_passes(test: Method, kind: Kind, rate: float) -> None:
    assert share_passed(test, kind, rate, rate, 20) >= 0.8


@TESTS
@KINDS
@pytest.mark.parametrize("rate", [0.3, 0.8])
def test_what_never_fails_does_not_pass(test: Method, kind: Kind, rate: float) -> None:
    for seed in range(10):
        found = judged(test, kind(rate, 0.0, seed))
        assert not found.passed
        assert found.proof.runs.fails == 0


@pytest.mark.rest
@TESTS
@KINDS
def test_a_quarter_of_the_rate_hardly_ever_passes(test: Method, kind: Kind) -> None:
    assert share_passed(test, kind, 0.7, 0.175, 100) < 0.05


@pytest.mark.rest
@TESTS
@KINDS
@pytest.mark.parametrize("rate", [0.3, 0.9])
def test_just_as_often_as_was_asked_for_comes_to_an_end(test: Method, kind: Kind, rate: float) -> None:
    for seed in range(8):
        found = judged(test, kind(rate, rate / 2, seed))
        if test is prove_by_counting:
            assert found.proof.runs.runs <= LONGEST + TUNING.proof_batch
            assert found.runs <= 2 * (LONGEST + TUNING.proof_batch)
        else:
            assert found.runs <= LONGEST / found.record.failure_rate + 10


@TESTS
@KINDS
def test_it_says_what_it_saw(test: Method, kind: Kind) -> None:
    for seed in range(10):
        found = judged(test, kind(0.6, 0.6, seed))
        proof, whole = found.proof, found.record.rate(WHOLE)
        own = [said for kept, said in zip(found.drive.runs, found.drive.verdicts, strict=True) if kept == RESULT.kept]
        assert proof.runs == Rate(own.count(FAIL), len(own)), "no other runs of it were made"
        assert proof.runs.runs >= (TUNING.min_proof_runs if test is prove_by_counting else TUNING.min_proof_replays)
        if test is prove_by_counting:
            assert (proof.again, proof.often) == (None, None)
            assert proof.chance == chance_of_share(proof.runs, whole, 0.5)
        else:
            seen = found.record.proof(RESULT, Rate())
            assert (proof.chance, proof.again, proof.often) == (seen.chance, seen.where_failed, seen.estimate)
            assert seen.runs == proof.runs


def test_replays_need_fewer_runs_where_the_seed_decides() -> None:
    """A failure in three of ten runs: most runs of its own would say nothing."""
    subjects = [by_seed(0.3, 0.3, seed) for seed in range(10)]
    with_replays, without = (
        [judged(test, says) for says in subjects] for test in (prove_by_comparison, prove_by_counting)
    )
    assert sum(found.passed for found in with_replays) >= 9
    assert sum(found.runs for found in with_replays) < 0.6 * sum(found.runs for found in without)


@KINDS
def test_what_the_search_replays_is_not_replayed_to_test_the_result(kind: Kind) -> None:
    for seed in range(10):
        found = judged(prove_by_comparison, kind(0.7, 0.7, seed))
        failing = [n for n, failed in found.record.original.items() if failed]
        replayed = {n for kept, n in found.drive.replays if kept == RESULT.kept}
        assert isinstance(first := found.record.choose_search_run(RESULT), Replay)
        assert first.attempt == failing[0]
        assert failing[0] not in replayed
        assert replayed <= set(found.record.original)


def test_runs_that_led_to_the_result_do_not_count() -> None:
    """Ten failures in the search, none since: that is no proof."""
    drive = Driver(lambda kept: PASS, seeded=by_luck(0.9, 0.0, 1))
    record = FlakyRecord(WHOLE, 0.5, replays=True)
    for _ in range(8):
        record.add(record.next_originals(1)[0], True)
        record.add(RESULT, True)
    record.begin()
    for _ in range(2):
        chosen = record.choose_search_run(RESULT)
        record.mark_searched(chosen)
        record.add(chosen, True)

    tests: list[Method] = [prove_by_comparison, prove_by_counting]
    for test in tests:
        proof: Any = drive(test(record, RESULT, CERTAINTY, LONGEST, running(record)))
        assert proof.runs.fails == 0
        assert proof.chance < 0.1
