"""What is said about the order of elements is true of every order in which they can be."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.diagnosis.steps.reduce import find_order
from rootward.diagnosis.tuning import TUNING
from rootward.report.sentences.diagnosis import sentences
from rootward.search.ask import Ask
from rootward.verdict import FAIL, PASS, Outcome

Fails = Callable[[Sequence[int]], bool]


def said(names: Sequence[str], fails: Fails) -> tuple[list[str], list[tuple[int, ...]]]:
    """The sentences, and the orders that were run."""
    asked: list[tuple[int, ...]] = []

    def run(orders: list[Any]) -> Generator[Any, Any, list[Outcome | None]]:
        yield Ask(orders)
        asked.extend(orders)
        return [Outcome(FAIL if fails(order) else PASS) for order in orders]

    search = find_order(names, run)
    while True:
        try:
            search.send(None)  # type: ignore[arg-type]
        except StopIteration as end:
            return sentences(end.value), asked


def needs(before: set[tuple[int, int]]) -> Fails:
    """It fails where each of these pairs is in this order."""
    return lambda order: all(order.index(one) < order.index(other) for one, other in before)


@given(
    st.integers(2, 4).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.sampled_from([(i, j) for i in range(n) for j in range(i + 1, n)])))
    )
)
def test_every_sentence_is_true_of_all_orders(case: tuple[int, set[tuple[int, int]]]) -> None:
    n, before = case
    names, fails = [f"E{i}" for i in range(n)], needs(before)
    told, asked = said(names, fails)
    every = list(itertools.permutations(range(n)))
    assert set(asked) <= set(every)
    assert len(asked) <= n
    for sentence in told:
        if sentence.endswith("does not matter."):
            assert all(map(fails, every))
        elif "matters" in sentence:
            assert not all(map(fails, every))
        elif "must come before" in sentence:
            one, other = (names.index(word.strip(".,")) for word in sentence.split() if word.startswith("E"))
            assert not any(fails(order) for order in every if order.index(one) > order.index(other))


@pytest.mark.parametrize("n", [0, 1, TUNING.max_ordered + 1])
def test_of_too_few_or_too_many_nothing_is_said(n: int) -> None:
    assert said([f"E{i}" for i in range(n)], lambda order: True) == ([], [])


def test_the_sentences() -> None:
    names = ["M0", "M1", "M2"]
    assert said(names, needs({(0, 1)}))[0] == ["M0 must come before M1.", "M1 and M2 can be swapped."]
    assert said(names, needs({(0, 2)}))[0] == ["M0 must come before M2, although neighbours can be swapped."]
    four = said([*names, "M3"], needs({(0, 2)}))[0]
    assert four == ["The order of M0, M1, M2 and M3 matters, although any two neighbours can be swapped."]
    assert said(names, needs(set()))[0] == ["The order of M0, M1 and M2 does not matter."]
