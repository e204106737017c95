"""Faults that are no product set: the fields that depend on each other are found, and what is said of them is true."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.products import interaction
from rootward.searches.products.columns import columns
from rootward.searches.products.facts import Compared, EitherTriggers, Limited
from rootward.searches.products.problem import Problem
from rootward.searches.products.queries import ProductQueries
from rootward.verdict import FAIL, PASS
from tests.properties import examples, few

from .planted import FLOAT, INT, LETTER, Oracle, Planted, answered, keys, plant

NUMBER = rw.Int(values=range(-4, 12))
SEEDS = range(15)
RELATIONS: dict[str, Callable[[int, int, int], bool]] = {
    "<": lambda x, y, c: x < y,
    "+": lambda x, y, c: x + y > c,
    "either": lambda x, y, c: x > c or y < c,
    "=": lambda x, y, c: x == y,
    "!=": lambda x, y, c: x != y,
    "*": lambda x, y, c: x * y > c,
    "either, scattered": lambda x, y, c: (7 * x + c) % 5 < 2 or (3 * y + c) % 7 < 3,
}
FOUND = {"either, scattered": 11}
"""In so many of 15 cases both fields are found, if it is not in nearly all: their ends may say nothing."""


@dataclass(frozen=True)
class Pair:
    """Two of many fields that trigger by a relation."""

    space: rw.Space
    failing: dict[str, Any]
    fails: Oracle
    names: tuple[str, str]


@cache
def pair(kind: str, seed: int) -> Pair:
    rng = random.Random(f"{kind} {seed}")
    base = plant(f"{kind} {seed}", 300, 0)
    one, two = (base.space.names[i] for i in sorted(rng.sample(range(300), 2)))
    table: set[tuple[int, int]] = set()
    while not table or _is_product(table):
        x, y = rng.choices(NUMBER.values, k=2)
        c = {"+": x + y, "*": x * y}.get(kind, x)
        table = {(x, y) for x in NUMBER.values for y in NUMBER.values if RELATIONS[kind](x, y, c)}
    space = _with(base.space, [one, two])
    failing = {**base.failing, **dict(zip((one, two), rng.choice(sorted(table)), strict=True))}
    return Pair(space, failing, lambda it: (it[one], it[two]) in table, (one, two))


def _is_product(table: set[tuple[int, int]]) -> bool:
    return len(table) == len({x for x, _ in table}) * len({y for _, y in table})


def _with(space: rw.Space, names: Iterable[str]) -> rw.Space:
    return rw.Space((name, NUMBER if name in names else field) for name, field in space.items())


@cache
def explained(kind: str, seed: int) -> Any:
    problem = pair(kind, seed)
    return answered(columns(problem.space, problem.failing, seed=seed), problem.fails).finding


def agrees(found: Any, failing: Mapping[str, Any], fails: Oracle) -> bool:
    """Whether every row of every table is what the oracle says."""
    rows = [(group.fields, *row) for group in found.groups for row in group.table]
    return all(fails({**failing, **dict(zip(names, values, strict=True))}) is said for names, values, said in rows)


# Two of 300 fields


@pytest.mark.parametrize("kind", few(3, RELATIONS))
def test_two_fields_that_depend_on_each_other(kind: str) -> None:
    """They are reported together, and no other field; the tables are what the subject does; the relation is named."""
    together = named = 0
    for seed in SEEDS:
        problem, found = pair(kind, seed), explained(kind, seed)
        assert set(found.sets) <= set(problem.names)
        assert agrees(found, problem.failing, problem.fails)
        assert found.fits == (not found.groups and not found.others and found.precision.value == 1)
        together += [group.fields for group in found.groups] == [problem.names]
        named += any(_named(kind, group) for group in found.groups)
    assert together >= FOUND.get(kind, 13)
    assert named >= FOUND.get(kind, 13) - 1


def _named(kind: str, group: rw.Interaction) -> bool:
    """Whether its relation is the planted one; a table may also agree with something simpler."""
    (one, two), found = group.fields, group.relation
    if kind.startswith("either"):
        return found == EitherTriggers(one, two)
    if kind not in "+*":
        return found == Compared(one, kind, two)
    if not isinstance(found, Limited) or found != Limited(one, kind, two, above=True, low=found.low, high=found.high):
        return False
    totals = {(x + y if kind == "+" else x * y): fails for (x, y), fails in group.table}
    return all(total >= found.high if fails else total <= found.low for total, fails in totals.items())


# More fields


def many(oracle: Oracle, seed: int, **own: int) -> Any:
    """The finding for an oracle on some of 100 fields, which have these values in the failing configuration."""
    base = plant(seed, 100, 0)
    space, failing = _with(base.space, own), {**base.failing, **own}
    found = answered(columns(space, failing, seed=seed), oracle).finding
    assert agrees(found, failing, oracle)
    return found


def names_of(found: Any) -> set[tuple[str, ...]]:
    return {group.fields for group in found.groups}


@pytest.mark.parametrize(
    "oracle",
    few(
        1,
        [
            lambda it: it["f3"] > 3 or it["f50"] > 4 or it["f90"] > 2,
            lambda it: it["f3"] + it["f50"] + it["f90"] > 10,
        ],
    ),
)
def test_three_fields_that_interact_are_one_group(oracle: Oracle) -> None:
    found = [many(oracle, seed, f3=5, f50=6, f90=4) for seed in range(10)]
    assert sum(names_of(one) == {("f3", "f50", "f90")} for one in found) >= 9


@pytest.mark.parametrize(
    ("oracle", "own"),
    [
        (lambda it: it["f3"] < it["f20"] and it["f50"] != it["f90"], {"f3": 1, "f20": 4, "f50": 4, "f90": 8}),
        pytest.param(
            lambda it: it["f3"] == it["f20"] and it["f50"] + it["f90"] > 5,
            {"f3": 1, "f20": 1, "f50": 4, "f90": 8},
            marks=pytest.mark.rest,
        ),
    ],
)
def test_two_pairs_are_two_groups(oracle: Oracle, own: dict[str, int]) -> None:
    found = [many(oracle, seed, **own) for seed in range(10)]
    assert sum(names_of(one) == {("f3", "f20"), ("f50", "f90")} for one in found) >= 8


def test_a_pair_among_fields_that_act_each_for_itself() -> None:
    exact = 0
    for seed in range(10):
        base = plant(f"beside {seed}", 100, 3)
        one, two = [name for name in base.space if name not in base.sets][:2]
        space, failing = _with(base.space, [one, two]), {**base.failing, one: 2, two: 7}

        def fails(it: Any, base: Planted = base, one: str = one, two: str = two) -> bool:
            return base.fails(it) and it[one] < it[two]

        found = answered(columns(space, failing, seed=seed), fails).finding
        plain = {name: values for name, values in keys(found.sets).items() if name not in (one, two)}
        exact += names_of(found) == {(one, two)} and plain == base.keys
    assert exact >= 8


# What is said of a single field


@pytest.mark.parametrize("kind", few(3, RELATIONS))
def test_each_value_of_a_set_triggers_on_its_own(kind: str) -> None:
    """That is what the text says where there is a group; without one, the dependence may have gone unnoticed."""
    unnoticed = 0
    for seed in SEEDS[:8]:
        problem, found = pair(kind, seed), explained(kind, seed)
        changes = [{name: value} for name, values in found.sets.items() for value in values]
        wrong = [change for change in changes if not problem.fails({**problem.failing, **change})]
        assert not (found.groups and wrong), seed
        unnoticed += bool(wrong)
    assert unnoticed <= 1


# Two product sets


@dataclass(frozen=True)
class Two:
    """A product set that the failing configuration is in, and a wide one that it is not in, on other fields."""

    first: Planted
    second: Planted

    def fails(self, configuration: Any) -> bool:
        return self.first.fails(configuration) or self.second.fails(configuration)


@cache
def two_sets(seed: int) -> tuple[Two, Any]:
    rng = random.Random(seed)
    first = plant(f"first {seed}", 100, 3, kinds=(INT, LETTER, FLOAT))
    free = [name for name in first.space if name not in first.sets]
    wide = {}
    for name in sorted(rng.sample(free, 2), key=first.space.names.index):
        others = [value for value in first.space.values(name) if value is not first.failing[name]]
        dropped = set(rng.sample(range(len(others)), 4))
        wide[name] = [value for i, value in enumerate(others) if i not in dropped]
    both = Two(first, Planted(first.space, first.failing, wide))
    return both, answered(columns(first.space, first.failing, seed=seed), both.fails).finding


def test_a_second_set_is_reported() -> None:
    found = [two_sets(seed)[1] for seed in range(10)]
    assert sum(bool(one.others) for one in found) >= 8
    assert sum(not one.fits for one in found) >= 9


def test_what_is_said_of_the_second_set_is_true() -> None:
    true = []
    for seed in range(10):
        both, found = two_sets(seed)
        rng = random.Random(seed)
        for other in found.others:
            drawn = [{name: rng.choice(list(values)) for name, values in other.items()} for _ in range(20)]
            true += [both.fails({**both.first.failing, **changes}) for changes in drawn]
    assert sum(true) >= 0.97 * len(true)


def test_each_value_of_the_first_set_triggers_on_its_own() -> None:
    """In most cases: what was only seen to fail inside the second set may be taken for a value of the first."""
    true = []
    for seed in range(10):
        both, found = two_sets(seed)
        changes = [{name: value} for name, values in found.sets.items() for value in values]
        true.append(all(both.fails({**both.first.failing, **change}) for change in changes))
    assert sum(true) >= 8


# Product sets are never taken for anything else


@examples(50, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    fields=st.integers(1, 50),
    relevant=st.integers(0, 8),
    intervals=st.booleans(),
)
def test_a_product_set_has_no_groups(seed: int, fields: int, relevant: int, intervals: bool) -> None:
    problem = plant(seed, fields, relevant, intervals=intervals)
    found = answered(columns(problem.space, problem.failing, seed=seed), problem.fails).finding
    assert (found.groups, found.others, found.unsteady, found.fits) == ((), (), False, True)


# smallest: a smallest part of some changes that still does it


def smallest(oracle: Callable[[frozenset[int]], bool], count: int, *, fails: bool) -> tuple[frozenset[int], int]:
    """The part found of the changes 0..count-1, and how many runs it took. ``oracle``: whether a part does it."""
    space = rw.Space((f"f{i}", rw.Bool()) for i in range(count))
    queries = ProductQueries(Problem(space, dict.fromkeys(space, False)))
    search = interaction.isolate_changes(queries, {}, dict.fromkeys(range(count), 1), fails=fails, note="smallest")
    runs, answers = 0, None
    while True:
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            return frozenset(end.value), runs
        parts = [frozenset(i for i, value in enumerate(one.values()) if value) for one in ask.candidates]
        runs += len(parts)
        answers = [rw.Outcome(FAIL if oracle(part) is fails else PASS) for part in parts]


@examples(100, derandomize=True)
@given(count=st.integers(1, 9), data=st.data(), fails=st.booleans())
def test_smallest_is_minimal_for_monotone_oracles(count: int, data: st.DataObject, fails: bool) -> None:
    part = st.frozensets(st.integers(0, count - 1), min_size=1)
    enough = data.draw(st.lists(part, min_size=1, max_size=4), label="each of these does it")

    def does(changed: frozenset[int]) -> bool:
        return any(one <= changed for one in enough)

    found, _ = smallest(does, count, fails=fails)
    proper = itertools.chain(*(itertools.combinations(sorted(found), size) for size in range(len(found))))
    assert does(found)
    assert not any(does(frozenset(one)) for one in proper)


@examples(100, derandomize=True)
@given(count=st.integers(1, 40), seed=st.integers(0, 10**6), density=st.floats(0, 1))
def test_smallest_ends_for_oracles_that_are_not_monotone(count: int, seed: int, density: float) -> None:
    def does(changed: frozenset[int]) -> bool:
        return len(changed) == count or random.Random(f"{seed} {sorted(changed)}").random() < density

    found, runs = smallest(does, count, fails=True)
    assert 1 <= len(found) <= count
    assert runs <= len(found) * (count.bit_length() + 1)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_smallest_takes_about_log_n_runs_for_each(size: int) -> None:
    wanted = frozenset(random.Random(size).sample(range(256), size))
    found, runs = smallest(lambda changed: wanted <= changed, 256, fails=True)
    assert found == wanted
    assert runs <= size * 9
