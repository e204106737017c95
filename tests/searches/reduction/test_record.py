"""The record of a flaky reduction: everything is counted once, and a proof uses nothing that the search has seen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.search.ask import Replay
from rootward.searches.reduction.rates import Comparison, Rate, chance_of_share
from rootward.searches.reduction.record import FlakyRecord
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.space.candidate import Elements, Selection
from tests.properties import examples

WHOLE = Elements(range(4)).all
PARTS = [WHOLE.without(gone) for gone in ([0], [1], [0, 1])]
PART, OTHER, LEAST = PARTS
thorough = examples(100, derandomize=True)


def recorded(*original: bool, replays: bool = True) -> FlakyRecord[int]:
    """After these runs of the original."""
    record = FlakyRecord(WHOLE, 0.5, replays)
    for n, failed in enumerate(original):
        record.add(Replay(WHOLE, n), failed)
    return record


def begun(*original: bool) -> FlakyRecord[int]:
    record = recorded(*original)
    record.begin()
    return record


def searched(record: FlakyRecord[int], part: Selection[int], failed: bool = True) -> int | None:
    """Make the run that the search would make; the number of what it replayed."""
    run = record.choose_search_run(part)
    record.mark_searched(run)
    record.add(run, failed)
    return run.attempt if isinstance(run, Replay) else None


# What was seen


@thorough
@given(
    original=st.lists(st.booleans(), max_size=6),
    replayed=st.dictionaries(st.tuples(st.sampled_from(PARTS), st.integers(0, 5)), st.booleans()),
    alone=st.lists(st.tuples(st.sampled_from([WHOLE, *PARTS]), st.booleans())),
    rng=st.randoms(use_true_random=False),
)
def test_everything_is_counted_once(
    original: list[bool],
    replayed: dict[tuple[Selection[int], int], bool],
    alone: list[tuple[Selection[int], bool]],
    rng: Any,
) -> None:
    replays = {(part, n): failed for (part, n), failed in replayed.items() if n < len(original)}
    replays |= {(WHOLE, n): failed for n, failed in enumerate(original)}
    runs: list[tuple[Any, bool]] = [(Replay(*name), failed) for name, failed in replays.items()]
    record = FlakyRecord(WHOLE, 0.5, replays=True)
    for run, failed in rng.sample(runs + alone, len(runs + alone)):
        record.add(run, failed)
    for run, failed in runs[:2]:
        record.add(run, failed)  # a replay asked again is the same run

    assert record.runs == len(replays) + len(alone) == sum(record.rate(part).runs for part in record.parts)
    assert set(record.parts) == {WHOLE, *(part for part, _ in replays), *(part for part, _ in alone)}
    assert len(record.parts) == len(set(record.parts))
    for part in (WHOLE, *PARTS):
        own = [failed for one, failed in alone if one == part]
        both = own + [failed for (one, _), failed in replays.items() if one == part]
        assert record.rate_with_own_seeds(part) == Rate(sum(own), len(own))
        assert record.rate(part) == Rate(sum(both), len(both))
    for part in PARTS:
        seen, again = record.comparison(part), record.replay_rate(part)
        assert seen.runs == record.rate(part)
        assert seen.original == record.rate(WHOLE)
        assert seen.alone == record.rate_with_own_seeds(part)
        assert again == seen.where_failed.plus(*seen.where_passed)
        assert seen.where_failed.runs == sum(original[n] for one, n in replays if one == part)


def test_how_often_the_original_fails() -> None:
    assert recorded(True, False, True, True).failure_rate == pytest.approx(0.75)


def test_the_chance_is_that_of_the_comparison_only_if_the_seed_may_decide() -> None:
    for replays in (True, False):
        record = recorded(True, True, False, replays=replays)
        record.add(Replay(PART, 0), True)
        record.add(PART, False)
        compared = Comparison(Rate(2, 3), 0.5, Rate(1, 1), Rate(), Rate(0, 1)).chance
        assert record.chance(PART) == (compared if replays else chance_of_share(Rate(1, 2), Rate(2, 3), 0.5))


def test_the_next_runs_of_the_original() -> None:
    assert recorded().next_originals(2) == [Replay(WHOLE, 0), Replay(WHOLE, 1)]
    assert recorded(True, False).next_originals(1) == [Replay(WHOLE, 2)]
    assert recorded(True, False).choose_search_run(WHOLE) == Replay(WHOLE, 2)


# What the search replays


@pytest.mark.parametrize(
    ("original", "first"),
    [((), []), ((True,), [0]), ((False, True, True), [1]), ((True, False, True, True), [0, 2]), ((True,) * 6, [0, 1])],
)
def test_it_begins_with_few_failing_runs_and_leaves_some_for_a_proof(
    original: tuple[bool, ...], first: list[int]
) -> None:
    record = begun(*original)
    failing = [n for n, failed in enumerate(original) if failed]
    assert [replay.attempt for replay in record.list_proof_replays(PART, failed=True)] == [
        n for n in failing if n not in first
    ]
    assert [searched(record, PART) for _ in first] == first


def test_it_begins_with_none_if_the_seed_means_nothing() -> None:
    record = recorded(True, True, True, replays=False)
    record.begin()
    assert record.choose_search_run(PART) == PART
    assert len(record.list_proof_replays(PART, failed=True)) == 3


def test_the_least_used_is_replayed_first() -> None:
    record = begun(True, True, True, True, True)
    assert [searched(record, part) for part in (PART, OTHER, LEAST)] == [0, 1, 0]
    assert record.choose_search_run(PART) == Replay(PART, 1)
    assert record.choose_search_run(OTHER) == Replay(OTHER, 0), "each is replayed once for each part"


def test_it_takes_a_further_one_while_two_are_left() -> None:
    record = begun(True, True, False, True, True, True)
    assert [searched(record, PART) for _ in range(4)] == [0, 1, 3, 4]
    assert record.choose_search_run(PART) == PART, "the last one is for a proof"
    assert record.choose_search_run(OTHER) != OTHER, "what the search has seen is lost already"
    assert [replay.attempt for replay in record.list_proof_replays(PART, failed=True)] == [5]


@pytest.mark.parametrize("original", [(True,), (True, False), (True, True, False)])
def test_with_fewer_than_two_unseen_ones_it_runs_with_a_seed_of_its_own(original: tuple[bool, ...]) -> None:
    record = begun(*original)
    assert [searched(record, PART) for _ in range(3)] == [0, None, None]
    assert record.rate_with_own_seeds(PART) == Rate(2, 2)


def test_a_run_of_the_original_is_not_lost_for_proofs() -> None:
    record = begun(True, True, True)
    record.mark_searched(Replay(WHOLE, 3))
    record.add(Replay(WHOLE, 3), True)
    assert Replay(PART, 3) in record.list_proof_replays(PART, failed=True)


def test_what_refuted_a_result_is_replayed_first_from_then_on() -> None:
    record = begun(True, True, True, False, True, True, True)
    for part in (PART, PART):
        searched(record, part)
    refuting = {2: True, 3: False, 4: False, 5: False, 6: False}
    for n, failed in refuting.items():
        record.add(Replay(LEAST, n), failed)
    record.learn(LEAST)
    assert [searched(record, OTHER) for _ in range(4)] == [4, 5, 0, 1]
    assert TUNING.searched_failures == 2
    assert [replay.attempt for replay in record.list_proof_replays(OTHER, failed=True)] == [2, 6]


def test_a_result_that_no_replay_refuted_teaches_nothing() -> None:
    record = begun(True, True, True, True)
    record.learn(LEAST)
    record.add(Replay(LEAST, 3), True)
    record.learn(LEAST)
    assert [searched(record, OTHER) for _ in range(2)] == [0, 1]


# What a proof uses


@thorough
@given(
    original=st.lists(st.booleans(), min_size=3, max_size=10),
    steps=st.lists(st.tuples(st.sampled_from(["search", "prove", "learn"]), st.sampled_from(PARTS), st.booleans())),
)
def test_a_proof_never_uses_what_the_search_replayed(original: list[bool], steps: list[tuple[Any, ...]]) -> None:
    record, lost, proved = begun(*original), set[int](), set[tuple[Selection[int], int]]()
    for step, part, failed in steps:
        if step == "search":
            chosen = searched(record, part, failed)
            lost |= set() if chosen is None else {chosen}
        elif step == "learn":
            record.learn(part)
        elif ready := record.list_proof_replays(part, failed=failed):
            record.add(ready[0], failed)
            proved.add((part, ready[0].attempt))
        for one in PARTS:
            offered = [*record.list_proof_replays(one, failed=True), *record.list_proof_replays(one, failed=False)]
            assert lost.isdisjoint(replay.attempt for replay in offered)
            assert all(original[replay.attempt] for replay in record.list_proof_replays(one, failed=True))
            proof = record.proof(one, record.rate_with_own_seeds(one))
            assert proof.alone == Rate()
            assert proof.runs.runs <= len([n for part, n in proved if part == one and n not in lost])


def test_a_proof_counts_runs_made_since_then_and_unseen_replays() -> None:
    record = begun(True, True, True, False, True)
    assert searched(record, PART) == 0
    record.add(PART, True)
    before = record.rate_with_own_seeds(PART)
    for n, failed in ((1, True), (2, False), (3, True), (4, True)):
        record.add(Replay(PART, n), failed)
    record.add(PART, False)
    proof = record.proof(PART, before)
    assert proof.original == Rate(4, 5)
    assert (proof.where_failed, proof.where_passed, proof.alone) == (Rate(1, 2), Rate(1, 1), Rate(0, 1))


def test_a_replay_is_not_offered_twice_to_the_proof_of_one_part() -> None:
    record = begun(True, True, True, True, False)
    first, second = record.list_proof_replays(PART, failed=True)
    record.add(first, True)
    assert record.list_proof_replays(PART, failed=True) == [second]
    assert record.list_proof_replays(PART, failed=False) == [Replay(PART, 4)]
    assert len(record.list_proof_replays(OTHER, failed=True)) == 2
