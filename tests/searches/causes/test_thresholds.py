"""Bounds of numbers between the values that were seen: exact for integers, fine for floats, nothing forbidden."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.rules import Atom, Conjunction, Rule
from rootward.search.ask import Search
from rootward.searches.causes.bayes import bayes
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.history import KnownRuns
from rootward.searches.causes.runs import History
from rootward.verdict import FAIL, PASS, Outcome
from tests.properties import examples

quick = examples(25, derandomize=True)
SEEN = [0, 100, 200, 300, 400, 500]


def refined(
    field: rw.Int | rw.Float,
    fails: Callable[[Mapping[str, Any]], bool],
    history: History = (),
    never: Rule | None = None,
) -> tuple[Causes, list[dict[str, Any]]]:
    """The causes of a pipeline of a number and three letters, and what was run; it must come to an end."""
    space = rw.Space({"x": field, "y": rw.Choice(["a", "b", "c"])})
    past = KnownRuns(space, history, never=never)
    search: Search[Any, Causes] = bayes(past.pipeline, past.runs, beyond=True)
    seen: list[dict[str, Any]] = []
    answers: Any = None
    try:
        while len(seen) < 500:
            candidates: Sequence[Any] = search.send(answers).candidates
            asked = [dict(one) for one in candidates]
            seen += asked
            answers = [Outcome(FAIL if fails(one) else PASS) for one in asked]
    except StopIteration as end:
        return end.value, seen
    raise AssertionError(f"it goes on and on: {seen[-3:]}")


def only(found: Causes) -> Conjunction:
    [cause] = found.causes
    return cause


@quick
@given(st.integers(1, 499))
def test_the_least_integer_that_fails_is_found(bound: int) -> None:
    found, _ = refined(rw.Int(0, 500, values=SEEN), lambda c: c["x"] >= bound)
    cause = only(found)
    assert [cause.holds({"x": x}) for x in range(501)] == [x >= bound for x in range(501)]


@quick
@given(st.integers(0, 499))
def test_the_greatest_integer_that_fails_is_found(bound: int) -> None:
    found, _ = refined(rw.Int(0, 500, values=SEEN), lambda c: c["x"] <= bound)
    cause = only(found)
    assert [cause.holds({"x": x}) for x in range(501)] == [x <= bound for x in range(501)]


@pytest.mark.parametrize(("low", "high"), [(150, 333), (101, 399), (200, 300), (1, 499), (150, 250)])
def test_both_ends_of_an_interval_are_found(low: int, high: int) -> None:
    found, _ = refined(rw.Int(0, 500, values=SEEN), lambda c: low <= c["x"] <= high)
    cause = only(found)
    assert [cause.holds({"x": x}) for x in range(501)] == [low <= x <= high for x in range(501)]


@quick
@given(st.floats(0.01, 0.99))
def test_floats_are_found_to_a_thousandth_of_the_gap(bound: float) -> None:
    seen = [0.0, 0.25, 0.5, 0.75, 1.0]
    found, runs = refined(rw.Float(0, 1, values=seen), lambda c: c["x"] > bound)
    cause = only(found)
    assert cause.fields == ("x",)
    gap = 0.25 / 1000
    assert cause.holds({"x": min(1.0, bound + 1.01 * gap)})
    assert not any(cause.holds(one) for one in runs if one["x"] <= bound)
    assert all(cause.holds(one) for one in runs if one["x"] > bound)


@pytest.mark.parametrize("values", [[1, 9], [1, 5, 9]])
@pytest.mark.parametrize("bound", [3, 5, 7])
def test_few_values_are_enough(values: list[int], bound: int) -> None:
    """Of two or three values a cause says = or !=; its bound lies between them all the same."""
    found, _ = refined(rw.Int(0, 10, values=values), lambda c: c["x"] >= bound)
    cause = only(found)
    assert [cause.holds({"x": x}) for x in range(1, 10)] == [x >= bound for x in range(1, 10)]


def test_two_values_of_a_history_are_enough() -> None:
    history = [({"x": 10**6, "y": "a"}, True), ({"x": 10, "y": "a"}, False)]
    found, _ = refined(rw.Int(0, 10**9), lambda c: c["x"] >= 1234 and c["y"] == "a", history=history)
    cause = only(found)
    assert not cause.holds({"x": 1233, "y": "a"})
    assert cause.holds({"x": 1234, "y": "a"})
    assert not cause.holds({"x": 1234, "y": "b"})


@pytest.mark.parametrize(
    ("values", "bound"),
    [
        ([1.0, math.nextafter(1.0, 2), 3.0, 4.0], 1.0),
        ([0.0, 5e-324, 1.0, 2.0], 0.0),
        ([-1e308, 0.0, 1e308, 1.7e308], 1.2e308),
        ([-math.inf, 0.0, 1.0, 2.0, math.inf], 1.2),
        ([0.0, 1.0, 2.0, math.inf], 2.0),
        ([0.0, 1.0, 2.0, math.nan], 1.2),
    ],
)
def test_neighbours_giants_and_infinities(values: list[float], bound: float) -> None:
    found, runs = refined(rw.Float(values=values), lambda c: c["x"] > bound)
    assert found.complete
    for one in runs:
        assert found.rule.holds(one) == (one["x"] > bound)


def test_a_float_of_32_bits_stays_one() -> None:
    field = rw.Float(0, 1, bits=32, values=[0, 0.1, 0.2, 0.9])
    found, runs = refined(field, lambda c: c["x"] > 0.3)
    assert found.complete
    assert all(field.coerce(one["x"]) == one["x"] for one in runs)


def test_what_must_not_be_run_is_not() -> None:
    never = Rule([[Atom("x", ">", 110), Atom("x", "<", 190)]])
    found, runs = refined(rw.Int(0, 500, values=SEEN), lambda c: c["x"] >= 150, never=never)
    assert found.complete
    assert not any(never.holds(one) for one in runs)
    assert found.rule.holds({"x": 200, "y": "a"})
    assert not found.rule.holds({"x": 100, "y": "a"})


def test_what_cannot_be_judged_is_not_said_to_fail() -> None:
    def subject(c: Mapping[str, Any]) -> rw.Verdict:
        if 140 < c["x"] < 160:
            return rw.Verdict.UNRESOLVED
        return rw.Verdict.FAIL if c["x"] >= 150 else rw.Verdict.PASS

    space = rw.Space({"x": rw.Int(0, 500, values=SEEN), "y": rw.Bool()})
    found = rw.causes(space, subject, beyond=True)
    assert found.complete
    assert not any(found.rule.holds({"x": x, "y": True}) for x in (100, 120, 140))
    assert all(found.rule.holds({"x": x, "y": True}) for x in (200, 300, 500))


def test_without_beyond_only_known_values_are_run() -> None:
    seen: list[int] = []
    space = rw.Space({"x": rw.Int(0, 500, values=SEEN), "y": rw.Bool()})
    rw.causes(space, rw.fails_when(lambda c: seen.append(c["x"]) or c["x"] >= 150))
    assert set(seen) <= set(SEEN)
