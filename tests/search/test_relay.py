"""Searches inside searches: what is asked, what is told, and how they end."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.search.ask import Ask
from rootward.search.finding import Finding
from rootward.search.relay import EarlyResult, best_after_first_run, drive, first_best, relay, run_side_by_side
from rootward.verdict import FAIL, Outcome

Asking = Generator[list[Any], Sequence[Any], list[Any]]
schedules = st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=5)


def asking(name: int, rounds: Sequence[int]) -> Asking:
    """Asks so many questions in each round, and returns all that it was told."""
    told = []
    for turn, count in enumerate(rounds):
        wanted = [(name, turn, i) for i in range(count)]
        told.append((wanted, (yield wanted)))
    return told


def did(wanted: Sequence[Any]) -> list[str]:
    return [f"did {one}" for one in wanted]


def one_by_one(wanted: Sequence[Any]) -> Generator[Any, str, list[str]]:
    """Ask each of several questions alone."""
    found = []
    for one in wanted:
        found.append((yield one))
    return found


@given(st.lists(st.integers(0, 3), max_size=4))
def test_the_inner_search_cannot_tell_a_relay_from_the_lab(rounds: list[int]) -> None:
    asked: list[Any] = []

    def answer(one: Any) -> str:
        asked.append(one)
        return f"did {one}"

    found = drive(relay(asking(0, rounds), one_by_one), answer)
    assert found == drive(asking(0, rounds), did)
    assert asked == [(0, turn, i) for turn, count in enumerate(rounds) for i in range(count)]


@given(st.integers(1, 5), st.integers(1, 5))
def test_an_ended_search_is_closed_and_asked_no_more(rounds: int, enough: int) -> None:
    closed = []

    def inner() -> Asking:
        try:
            return (yield from asking(0, [1] * rounds))
        finally:
            closed.append(True)

    def until(wanted: list[Any]) -> Generator[list[Any], Sequence[Any], Sequence[Any] | EarlyResult[list[Any]]]:
        if wanted[0][1] >= enough:
            return EarlyResult(["enough"])
        return (yield wanted)

    questions: list[Any] = []
    found = drive(relay(inner(), until), lambda wanted: questions.append(wanted) or did(wanted))
    assert len(questions) == min(rounds, enough)
    assert (found == ["enough"]) is (enough < rounds)
    assert closed == [True]


def test_the_inner_search_is_closed_with_the_outer_one() -> None:
    closed = []

    def inner() -> Asking:
        try:
            return (yield from asking(0, [1, 1]))
        finally:
            closed.append(True)

    outer = relay(inner(), one_by_one)
    next(outer)
    outer.close()
    assert closed == [True]


def test_an_error_of_the_function_that_answers_is_no_end() -> None:
    def broken(_: Any) -> list[str]:
        raise StopIteration("mine")

    with pytest.raises(StopIteration, match="mine"):
        drive(asking(0, [1]), broken)


@given(schedules)
def test_each_of_several_is_told_what_its_own_questions_did(schedule: list[list[int]]) -> None:
    batches: list[list[Any]] = []

    def answer(wanted: list[Any]) -> list[str]:
        batches.append(wanted)
        return did(wanted)

    results = drive(run_side_by_side(asking(name, rounds) for name, rounds in enumerate(schedule)), answer)
    assert results == [drive(asking(name, rounds), did) for name, rounds in enumerate(schedule)]
    assert len(batches) == max(map(len, schedule), default=0)
    assert sum(map(len, batches)) == sum(map(sum, schedule))


@given(st.permutations(range(5)))
def test_results_are_in_the_order_of_the_generators(lengths: list[int]) -> None:
    asked = 0

    def answer(wanted: list[Any]) -> list[str]:
        nonlocal asked
        asked += len(wanted)
        return did(wanted)

    found = drive(run_side_by_side([asking(name, [1] * length) for name, length in enumerate(lengths)]), answer)
    assert [len(told) for told in found] == list(lengths)
    assert asked == sum(lengths)


@pytest.mark.parametrize("asks", [True, False])
def test_the_first_best_is_known_before_anything_is_run(asks: bool) -> None:
    best = Finding()

    def search() -> Generator[Ask[Any], Any, Finding]:
        if asks:
            yield Ask(["x"], best=best)
            raise AssertionError("nothing is answered")
        return best

    assert first_best(search()) is best


@pytest.mark.parametrize(("asked", "expected"), [(["x"], "after"), (["y"], "before"), (["x", "y"], "before")])
def test_the_best_after_the_first_run_counts_that_run(asked: list[str], expected: str) -> None:
    findings = {"before": Finding(), "after": Finding()}

    def search() -> Generator[Ask[Any], Any, Finding]:
        (outcome,) = yield Ask(asked, best=findings["before"])
        assert outcome == Outcome(FAIL)
        yield Ask(["z"], best=findings["after"])
        raise AssertionError("nothing else is answered")

    assert best_after_first_run(search(), "x", Outcome(FAIL)) is findings[expected]


def test_a_search_that_ends_after_its_first_run_returns_its_result() -> None:
    result = Finding()

    def search() -> Generator[Ask[Any], Any, Finding]:
        yield Ask(["x"], best=Finding())
        return result

    assert best_after_first_run(search(), "x", Outcome(FAIL)) is result
