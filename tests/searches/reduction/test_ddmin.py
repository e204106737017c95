"""ddmin against its paper: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002)."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.reduction.ddmin import ddmin
from tests.properties import examples

Test = Callable[[list[Any]], bool]
thorough = examples(100, derandomize=True)


def reduced(elements: Sequence[Any], test: Test, **options: Any) -> tuple[rw.Reduction[Any], list[list[Any]]]:
    """The reduction, and every list that was run, in order."""
    runs: list[list[Any]] = []

    def subject(kept: list[Any]) -> rw.Verdict:
        runs.append(list(kept))
        return rw.Verdict.FAIL if test(kept) else rw.Verdict.PASS

    return rw.reduce(elements, subject, method="ddmin", **options), runs


def is_1_minimal(kept: list[Any], test: Test) -> bool:
    return test(kept) and not any(test(kept[:i] + kept[i + 1 :]) for i in range(len(kept)))


def within_the_bound(found: rw.Reduction[Any], n: int) -> bool:
    """At most n^2 + 3n tests, those known included; and two for what the paper takes for granted."""
    return found.trials <= found.asked <= n * n + 3 * n + 2


# 1-minimality


@thorough
@given(st.integers(1, 24), st.data())
def test_monotone(n: int, data: st.DataObject) -> None:
    culprits = st.frozensets(st.integers(0, n - 1), min_size=1)
    wanted = data.draw(st.lists(culprits, min_size=1, max_size=3), label="each of these sets fails")

    def test(kept: list[int]) -> bool:
        return any(culprit <= set(kept) for culprit in wanted)

    found, _ = reduced(range(n), test)
    assert found.complete
    assert frozenset(found.kept) in wanted
    assert is_1_minimal(found.kept, test)
    assert within_the_bound(found, n)


@thorough
@given(st.integers(1, 14), st.integers(0, 10**6), st.floats(0, 1))
def test_not_monotone(n: int, seed: int, density: float) -> None:
    def test(kept: list[int]) -> bool:
        if len(kept) in (0, n):
            return len(kept) == n
        return random.Random(f"{seed} {kept}").random() < density

    found, _ = reduced(range(n), test)
    assert is_1_minimal(found.kept, test)
    assert within_the_bound(found, n)


@pytest.mark.parametrize("n", range(1, 13))
def test_if_all_are_needed_the_bound_holds(n: int) -> None:
    found, _ = reduced(range(n), lambda kept: len(kept) == n)
    assert found.kept == list(range(n))
    assert found.removed == []
    assert within_the_bound(found, n)


@pytest.mark.parametrize("n", [2, 4, 8, 16, 32])
def test_the_worst_case_is_quadratic_and_within_the_bound(n: int) -> None:
    """The paper's worst case: nothing fails until the cut is finest, and then the last complement that still can."""
    elements, passed = rw.Elements(range(n)), set[tuple[int, ...]]()
    search, asked, kept = ddmin(elements), 0, elements.all
    answers: Any = None
    with contextlib.suppress(StopIteration):
        while True:
            ask = search.send(answers)
            candidates: Sequence[Any] = ask.candidates
            names = [candidate.kept for candidate in candidates]
            finest = {kept.without([i]).kept for i in kept.kept} == set(names) and len(kept) > 2
            last = max((i for i, name in enumerate(names) if finest and name not in passed), default=None)
            answers = [rw.Outcome(rw.Verdict.FAIL if i == last else rw.Verdict.PASS) for i in range(len(names))]
            asked += len(answers) if last is None else last + 1
            passed.update(name for i, name in enumerate(names) if i != last)
            kept = kept if last is None else candidates[last]
    assert len(kept) == 2
    assert n * n <= asked + 1 <= n * n + 3 * n + 2


# Cost


@pytest.mark.parametrize("power", range(1, 7))
def test_one_culprit_costs_two_log_n(power: int) -> None:
    n = 2**power
    tests: list[Any] = [lambda kept, culprit=culprit: culprit in kept for culprit in range(n)]
    costs = [reduced(range(n), test)[0].trials for test in tests]
    assert min(costs) == power + 2  # always in the first half
    assert max(costs) == 2 * power + 2  # always in the second


def test_ten_thousand_elements_are_quick() -> None:
    start = time.process_time()
    found, runs = reduced(range(10_000), lambda kept: 6_789 in kept)
    assert found.kept == [6_789]
    assert len(runs) <= 2 * math.ceil(math.log2(10_000)) + 2
    assert time.process_time() - start < 50


# The paper's example: of 1 to 8, the failure needs 1, 7 and 8


def test_the_worked_example() -> None:
    found, runs = reduced([1, 2, 3, 4, 5, 6, 7, 8], lambda kept: {1, 7, 8} <= set(kept))
    assert found.kept == [1, 7, 8]
    assert found.removed == [2, 3, 4, 5, 6]
    assert runs == [
        [1, 2, 3, 4, 5, 6, 7, 8],  # it fails, and
        [],  # nothing at all does not
        [1, 2, 3, 4],  # two parts; they are each other's complements
        [5, 6, 7, 8],
        [1, 2],  # four parts
        [3, 4],
        [5, 6],
        [7, 8],
        [3, 4, 5, 6, 7, 8],  # their complements; the first passes, the second fails
        [1, 2, 5, 6, 7, 8],
        # three parts of that, 12, 56 and 78, are known to pass, and so is the first complement, 5678
        [1, 2, 7, 8],  # the second fails
        # two parts of that, 12 and 78, are known to pass: double
        [1],
        [2],
        [7],
        [8],
        [2, 7, 8],
        [1, 7, 8],  # fails
        # three parts of that, 1, 7 and 8, are known to pass, and so is the first complement, 78
        [1, 8],
        [1, 7],
    ]
    # Known ones included: 2 + 2 + 2 (complements of two parts) + 4 + 2 + 3 + 2 + 2 + 2 + 4 + 2 + 3 + 3
    assert found.asked == 33


def test_parts_are_of_as_equal_a_size_as_possible() -> None:
    _, runs = reduced(range(10), lambda kept: len(kept) == 10)
    quarters = runs[4:8]
    assert sorted(map(len, quarters)) == [2, 2, 3, 3]
    assert list(itertools.chain(*quarters)) == list(range(10))


# Small and odd inputs


def test_nothing_at_all_fails() -> None:
    found, runs = reduced("abc", lambda kept: True)
    assert found.kept == []
    assert found.complete
    assert runs == [["a", "b", "c"], []]
    assert "no elements at all" in str(found)


def test_one_element() -> None:
    found, runs = reduced("a", lambda kept: kept == ["a"])
    assert found.kept == ["a"]
    assert runs == [["a"], []]


def test_an_empty_list_that_fails() -> None:
    found, runs = reduced([], lambda kept: True)
    assert (found.kept, found.complete, runs) == ([], True, [[]])
    assert "no elements at all" in str(found)


def test_an_empty_list_that_passes() -> None:
    with pytest.raises(rw.NotReproduced, match="did not fail"):
        reduced([], lambda kept: False)


def test_duplicates() -> None:
    found, runs = reduced("abababa", lambda kept: kept.count("a") >= 2 and "b" in kept)
    assert found.kept.count("a") == 2
    assert found.kept.count("b") == 1
    assert len(runs) == len({tuple(kept) for kept in runs}), "equal lists of different positions were run twice"


def test_unhashable_elements() -> None:
    elements: list[Any] = [{"x": [1]}, [2], {3}, {"x": [1], "y": 4}]
    found, _ = reduced(elements, lambda kept: {"x": [1], "y": 4} in kept and [2] in kept)
    assert found.kept == [[2], {"x": [1], "y": 4}]


def test_elements_that_python_holds_equal_are_told_apart() -> None:
    found, _ = reduced([1, True, 1.0], lambda kept: any(type(item) is float for item in kept))
    assert [repr(item) for item in found.kept] == ["1.0"]


def test_a_subject_may_change_its_list() -> None:
    def test(kept: list[int]) -> bool:
        fails = 3 in kept
        kept.clear()
        return fails

    assert reduced(range(8), test)[0].kept == [3]


def test_a_subject_may_change_its_elements() -> None:
    def test(kept: list[dict[str, list[int]]]) -> bool:
        fails = any(item["x"] == [3] for item in kept)
        for item in kept:
            item["x"].append(3)
            item.clear()
        return fails

    assert reduced([{"x": [i]} for i in range(8)], test)[0].kept == [{"x": [3]}]


def test_an_iterator_will_do() -> None:
    assert rw.reduce(iter("abc"), rw.fails_when(lambda kept: "b" in kept), method="ddmin").kept == ["b"]


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(rw.InputError, match="ddmin"):
        rw.reduce("abc", rw.fails_when(lambda kept: "b" in kept), method="ddmax")
