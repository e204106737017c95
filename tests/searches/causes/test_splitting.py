"""Binary splitting: what it finds is enough and needed, and it takes few runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.rules import Atom, Rule
from rootward.search.design import Instance
from rootward.searches.causes.instance_queries import InstanceQueries
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.splitting import find_opposite, isolate_parameters
from tests.properties import examples
from tests.searches.causes.paper import Driven, drive, small

quick = examples(60, derandomize=True)
Oracle = Callable[[Instance], bool | None]


def split(count: int, fails: Oracle, seed: int, size: int = 2) -> tuple[Any, Driven, Instance, Instance]:
    """What is needed between all ones, which fails, and all zeros, which passes."""
    pipeline = small([size] * count)
    runs, bad, good = Runs(pipeline), (1,) * count, (0,) * count
    runs.add(bad, True)
    runs.add(good, False)
    driven = drive(isolate_parameters(InstanceQueries(pipeline, runs, seed=seed), bad, good), pipeline, runs, fails)
    return driven.finding, driven, bad, good


def mixed(bad: Instance, good: Instance, columns: list[int]) -> Instance:
    return tuple(bad[i] if i in columns else good[i] for i in range(len(bad)))


@quick
@given(st.integers(1, 120), st.data(), st.integers(0, 99))
def test_a_conjunction_is_found_in_few_runs(count: int, data: st.DataObject, seed: int) -> None:
    cause = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=6))
    found, driven, *_ = split(count, lambda one: all(one[i] for i in cause), seed)
    assert sorted(found) == sorted(cause)
    assert len(driven.asked) <= len(cause) * (math.ceil(math.log2(count)) + 1) + 1


@quick
@given(st.integers(2, 12), st.integers(0, 2**32 - 1), st.integers(0, 99))
def test_what_is_found_is_enough_and_each_of_it_was_needed(count: int, table: int, seed: int) -> None:
    """Whatever fails, monotone or not."""
    rng = np.random.default_rng(table)
    failing = rng.random(2**count) < 0.5
    failing[0], failing[-1] = False, True

    def fails(one: Instance) -> bool:
        return bool(failing[sum(bit << i for i, bit in enumerate(one))])

    found, driven, bad, good = split(count, fails, seed)
    assert found
    assert len(set(found)) == len(found)
    assert fails(mixed(bad, good, found)), "what was found is not enough"
    for at in range(len(found)):  # with those found before it, and some more, it decides
        known = [*driven.asked, bad, good]
        pairs = {(one, tuple(1 - v if i == found[at] else v for i, v in enumerate(one))) for one in known}
        assert any(fails(one) and two in known and not fails(two) for one, two in pairs)


@quick
@given(st.integers(3, 40), st.data(), st.integers(0, 99))
def test_what_cannot_be_judged_does_not_hang_it(count: int, data: st.DataObject, seed: int) -> None:
    cause = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=3))
    odd = data.draw(st.integers(0, count - 1))

    def fails(one: Instance) -> bool | None:
        return None if one[odd] and not all(one) else all(one[i] for i in cause)

    found, *_ = split(count, fails, seed)
    assert set(cause) <= set(found) or odd in found


def test_nothing_forbidden_is_run() -> None:
    never = Rule([[Atom("p3", "=", 1), Atom("p7", "=", 0)]])
    pipeline = Pipeline(rw.Space({f"p{i}": rw.Choice([0, 1]) for i in range(10)}), never=never)
    runs = Runs(pipeline)
    bad, good = (1,) * 10, (0,) * 10
    runs.add(bad, True)
    runs.add(good, False)
    driven = drive(
        isolate_parameters(InstanceQueries(pipeline, runs), bad, good), pipeline, runs, lambda one: bool(one[3])
    )
    assert 3 in driven.finding


@quick
@given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.integers(0, 99))
def test_the_opposite_shares_nothing(sizes: list[int], seed: int) -> None:
    pipeline = small(sizes)
    runs, failing = Runs(pipeline), tuple(size - 1 for size in sizes)
    runs.add(failing, True)
    driven = drive(
        find_opposite(InstanceQueries(pipeline, runs, seed=seed), failing), pipeline, runs, lambda one: one == failing
    )
    other: Any = driven.finding
    if max(sizes) == 1:
        assert other is None
    else:
        assert all(mine != its or size == 1 for mine, its, size in zip(other, failing, sizes, strict=True))
    assert len(driven.asked) <= 1


def test_a_known_opposite_costs_nothing() -> None:
    pipeline = small([2, 2, 1])
    runs = Runs(pipeline)
    runs.add((0, 0, 0), True)
    runs.add((1, 1, 0), False)
    driven = drive(find_opposite(InstanceQueries(pipeline, runs), (0, 0, 0)), pipeline, runs, lambda one: False)
    assert driven.asked == []
    assert driven.finding == (1, 1, 0)


def test_if_all_opposites_fail_the_one_that_shares_least_is_taken() -> None:
    pipeline = small([2, 3, 3])
    runs = Runs(pipeline)
    runs.add((0, 0, 0), True)
    runs.add((0, 0, 1), False)
    runs.add((0, 1, 1), False)
    driven = drive(find_opposite(InstanceQueries(pipeline, runs), (0, 0, 0)), pipeline, runs, lambda one: True)
    assert driven.finding == (0, 1, 1)
