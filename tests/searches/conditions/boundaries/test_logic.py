"""Short descriptions of truth tables: they agree with every run, or say which runs cannot be told apart."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.conditions.boundaries.logic import LiteralColumn, Logic, learn
from tests.properties import examples

quick = examples(100)


def literal(column: int, price: float = 3.0) -> LiteralColumn:
    return LiteralColumn(column, price, None, lambda run: bool(column >> run & 1))


def both(columns: Sequence[int], runs: int) -> list[LiteralColumn]:
    """Each column, and its opposite."""
    every = (1 << runs) - 1
    return [literal(one) for column in columns for one in (column, every & ~column)]


def predicted(logic: Logic, literals: Sequence[LiteralColumn], run: int) -> bool:
    return any(all(literals[i].column >> run & 1 for i in term) for term in logic.terms) == logic.positive


def learned(literals: Sequence[LiteralColumn], fails: int, runs: int, seed: int = 0) -> list[Logic]:
    return learn(literals, fails, (1 << runs) - 1 & ~fails, np.random.default_rng(seed))


def bits(runs: int) -> st.SearchStrategy[int]:
    return st.integers(0, (1 << runs) - 1)


tables = st.integers(1, 14).flatmap(
    lambda runs: st.tuples(st.just(runs), st.lists(bits(runs), min_size=1, max_size=5), bits(runs))
)


@given(tables)
@quick
def test_without_conflicts_every_run_is_as_predicted(table: tuple[int, list[int], int]) -> None:
    """Whatever the literals: here they are not closed under negation."""
    runs, columns, fails = table
    literals = [literal(column) for column in columns]
    for logic in learned(literals, fails, runs):
        if not logic.conflicts:
            assert [predicted(logic, literals, run) for run in range(runs)] == [
                bool(fails >> r & 1) for r in range(runs)
            ]


@given(tables)
@quick
def test_there_are_conflicts_exactly_if_no_literal_tells_two_runs_apart(table: tuple[int, list[int], int]) -> None:
    runs, columns, fails = table
    signature = [tuple(column >> run & 1 for column in columns) for run in range(runs)]
    label = [bool(fails >> run & 1) for run in range(runs)]
    alike = [(i, k) for i in range(runs) for k in range(runs) if signature[i] == signature[k] and label[i] != label[k]]
    for logic in learned(both(columns, runs), fails, runs):
        assert bool(logic.conflicts) == bool(alike)
        assert set(logic.conflicts) <= set(alike)


@given(tables)
@quick
def test_nothing_in_a_description_is_needless(table: tuple[int, list[int], int]) -> None:
    runs, columns, fails = table
    literals, every = both(columns, runs), (1 << runs) - 1
    for logic in learned(literals, fails, runs):
        target = fails if logic.positive else every & ~fails
        if logic.conflicts:
            continue
        for number, term in enumerate(logic.terms):
            for left_out in term:
                assert _held(literals, [i for i in term if i != left_out], every) & ~target
            others = [one for place, one in enumerate(logic.terms) if place != number]
            assert target & ~sum_of(_held(literals, one, every) for one in others)


def _held(literals: Sequence[LiteralColumn], term: Sequence[int], every: int) -> int:
    for i in term:
        every &= literals[i].column
    return every


def sum_of(columns: Any) -> int:
    found = 0
    for column in columns:
        found |= column
    return found


@given(tables)
@quick
def test_the_shortest_comes_first_and_a_seed_repeats_it(table: tuple[int, list[int], int]) -> None:
    runs, columns, fails = table
    literals = both(columns, runs)
    found = learned(literals, fails, runs, seed=3)
    order = [(len(one.conflicts), one.price) for one in found]
    assert order == sorted(order)
    assert found == learned(literals, fails, runs, seed=3)


RUNS = list(product([0, 1], repeat=4))


@pytest.mark.parametrize(
    ("fails", "terms", "literals_used"),
    [
        (lambda a, b, c, d: a and b, 1, 2),
        (lambda a, b, c, d: a or b, 1, 2),  # told by what passes
        (lambda a, b, c, d: (a and b) or (c and d), 2, 4),
        (lambda a, b, c, d: a and not b and c and not d, 1, 4),
        (lambda a, b, c, d: a != b, 2, 4),
        (lambda a, b, c, d: not c, 1, 1),
    ],
)
def test_a_planted_condition_is_found_in_its_shortest_form(fails: Any, terms: int, literals_used: int) -> None:
    columns = [sum(1 << run for run, values in enumerate(RUNS) if values[field]) for field in range(4)]
    failing = sum(1 << run for run, values in enumerate(RUNS) if fails(*values))
    best = learned(both(columns, len(RUNS)), failing, len(RUNS))[0]
    assert not best.conflicts
    assert len(best.terms) == terms
    assert sum(map(len, best.terms)) == literals_used


@pytest.mark.parametrize("cheap", [0, 1])
def test_of_two_literals_that_say_the_same_the_cheaper_is_taken(cheap: int) -> None:
    literals = [literal(0b0011, 3.0 + 4 * (cheap != i)) for i in range(2)]
    best = learned(literals, 0b0011, 4)[0]
    assert best.terms == ((cheap,),)


@pytest.mark.parametrize(("fails", "always"), [(0b1111, True), (0, False)])
def test_one_verdict_only(fails: int, always: bool) -> None:
    literals = both([0b0101], 4)
    best = learned(literals, fails, 4)[0]
    assert not best.conflicts
    assert [predicted(best, literals, run) for run in range(4)] == [always] * 4


def test_runs_that_nothing_tells_apart_are_reported() -> None:
    """Runs 0 and 1 are alike, and so are 2 and 3; only the first pair differs in its verdict."""
    best = learned(both([0b0011], 4), 0b0001, 4)[0]
    assert {frozenset(pair) for pair in best.conflicts} == {frozenset({0, 1})}


def test_without_literals_all_runs_are_alike() -> None:
    assert learned([], 0b01, 2)[0].conflicts
