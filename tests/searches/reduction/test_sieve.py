"""The sieve on failures that show every time: any subject, any tree, few runs."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.reduction.ddmin import ddmin
from rootward.searches.reduction.sieve import sieve
from rootward.searches.reduction.surroundings import Surroundings
from rootward.space.candidate import Elements
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Verdict
from tests.properties import examples

from .helpers import Driver, Kept, Says, needs, one_of, points

thorough = examples(80, derandomize=True)


def singles(elements: Elements[Any], kept: Kept) -> list[Kept]:
    """Without each single element and what lies in it."""
    selection = elements.pick(kept)
    return [selection.without([i]).kept for i in selection.free]


def is_1_minimal(elements: Elements[Any], kept: Kept, says: Says) -> bool:
    return says(kept) is FAIL and not any(says(less) is FAIL for less in singles(elements, kept))


# Any subject


@thorough
@given(st.integers(1, 24), st.data())
def test_monotone_failures_of_several_ways(n: int, data: st.DataObject) -> None:
    ways = data.draw(st.lists(st.frozensets(st.integers(0, n - 1)), min_size=1, max_size=3))
    drive = Driver(one_of(ways))
    found = drive(sieve(Elements(range(n))))
    minimal = [way for way in ways if not any(other < way for other in ways)]
    assert frozenset(found.selection.kept) in minimal
    assert (found.complete, found.minimal) == (True, True)
    assert len(drive.runs) == len(set(drive.runs))


@thorough
@given(st.integers(1, 8), st.integers(0, 10**6), st.floats(0, 1))
def test_failures_that_are_not_monotone(n: int, seed: int, density: float) -> None:
    others = [PASS, OTHER, UNRESOLVED]

    def says(kept: Kept) -> Verdict:
        rng = random.Random(f"{seed} {kept}")
        return FAIL if len(kept) == n or rng.random() < density else rng.choice(others)

    elements, drive = Elements(range(n)), Driver(says)
    found = drive(sieve(elements))
    assert is_1_minimal(elements, found.selection.kept, says)
    assert len(drive.runs) <= 2**n


@thorough
@given(st.integers(1, 12), st.data())
def test_pins_and_trees(n: int, data: st.DataObject) -> None:
    parents = [data.draw(st.none() | st.integers(0, i - 1)) if i else None for i in range(n)]
    elements = Elements(range(n), pinned=data.draw(st.frozensets(st.integers(0, n - 1), max_size=3)), parents=parents)
    wanted = data.draw(st.frozensets(st.integers(0, n - 1)))
    drive = Driver(needs(*wanted))
    found = drive(sieve(elements))
    assert all(elements.pinned <= set(kept) and elements.pick(kept).kept == kept for kept in drive.runs)
    assert found.selection == elements.pick([*elements._with_ancestors(wanted)])


@thorough
@given(st.integers(1, 8), st.integers(0, 10**6), st.data())
def test_trees_whose_failures_are_not_monotone(n: int, seed: int, data: st.DataObject) -> None:
    parents = [data.draw(st.none() | st.integers(0, i - 1)) if i else None for i in range(n)]
    elements = Elements(range(n), parents=parents)

    def says(kept: Kept) -> Verdict:
        return FAIL if len(kept) == n or random.Random(f"{seed} {kept}").random() < 0.5 else PASS

    found = Driver(says)(sieve(elements))
    assert is_1_minimal(elements, found.selection.kept, says)
    assert elements.pick(found.selection.kept) == found.selection


@thorough
@given(st.integers(2, 12), st.data())
def test_nothing_is_asked_that_lacks_what_is_required(n: int, data: st.DataObject) -> None:
    groups = data.draw(st.lists(st.frozensets(st.integers(0, n - 1), min_size=1), min_size=1, max_size=2))
    wanted = data.draw(st.frozensets(st.integers(0, n - 1)))
    drive = Driver(needs(*wanted))
    found = drive(sieve(Elements(range(n)), require=groups))
    assert all(group & set(kept) for kept in drive.runs for group in groups)
    kept = set(found.selection.kept)
    assert wanted <= kept
    assert len(kept) <= len(wanted) + len(groups)
    assert all(group & kept for group in groups)
    allowed = [less for less in singles(found.selection.elements, found.selection.kept) if _allowed(less, groups)]
    assert not any(needs(*wanted)(less) is FAIL for less in allowed)


def _allowed(kept: Kept, groups: Iterable[frozenset[int]]) -> bool:
    return all(group & set(kept) for group in groups)


# Pairs that only go together


def balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize(("text", "left"), [("a(b)c(x)d", "x"), ("((((x))))", "x"), ("(a)(b)(c)x", "x"), ("f(x)", "x")])
def test_brackets_go_with_their_partners(text: str, left: str) -> None:
    def says(kept: Kept) -> Verdict:
        now = "".join(text[i] for i in kept)
        return UNRESOLVED if not balanced(now) else FAIL if "x" in now else PASS

    found = Driver(says)(sieve(Elements(text)))
    assert "".join(found.kept) == left


def test_no_pairs_are_tried_where_everything_could_be_judged() -> None:
    drive = Driver(needs(2, 5, 9))
    drive(sieve(Elements(range(12))))
    assert not any({2, 5, 9} - set(kept) and len(kept) == 1 for kept in drive.runs)


# What is known of the elements


def test_what_the_robot_touched_is_tried_last() -> None:
    elements = Elements([f"m{i}" for i in range(40)])
    known = Surroundings.of(elements.items)

    def cost(reports: dict[str, Any]) -> int:
        drive = Driver(needs(3, 30), lambda kept: reports)
        assert drive(sieve(elements, surroundings=known)).selection.kept == (3, 30)
        return len(drive.runs)

    assert cost({"measures": {"contact:m3": 1.0, "contact:m30": 1.0}}) < cost({})


def test_places_help_and_never_mislead() -> None:
    places = points([(float(i), 0.0) for i in range(60)])
    near = Surroundings(positions=places, trajectory=((0.0, 20.0, 0.0, 0.0), (1.0, 22.0, 0.0, 0.0)))
    far = Surroundings(positions=places, trajectory=((0.0, 55.0, 0.0, 0.0),))
    costs = []
    for known in (near, Surroundings(), far):
        drive = Driver(needs(20, 21))
        assert drive(sieve(Elements(range(60)), surroundings=known)).selection.kept == (20, 21)
        costs.append(len(drive.runs))
    assert costs[0] < costs[1]


def test_the_finding_knows_where_the_first_run_went() -> None:
    drive = Driver(needs(1), lambda kept: {"measures": {"contact:1": float(len(kept))}})
    found = drive(sieve(Elements(range(5)), surroundings=Surroundings.of(range(5))))
    assert found.surroundings is not None
    assert found.surroundings.contacts == {1: 5.0}


# What it costs


def worst(n: int) -> int:
    return n * n + 3 * n


def random_instance(seed: int) -> tuple[int, list[frozenset[int]]]:
    rng = random.Random(seed)
    n = rng.choice([10, 20, 50, 100, 200])
    ways = [frozenset(rng.sample(range(n), rng.randint(1, 5))) for _ in range(rng.choice([1, 1, 1, 2]))]
    return n, ways


def test_half_of_the_runs_of_ddmin() -> None:
    shares = []
    for seed in range(50):
        n, ways = random_instance(seed)
        ours, theirs = Driver(one_of(ways)), Driver(one_of(ways))
        assert frozenset(ours(sieve(Elements(range(n)))).selection.kept) in ways
        theirs(ddmin(Elements(range(n))))
        shares.append(len(ours.runs) / len(theirs.runs))
        assert len(ours.runs) <= worst(n)
    assert statistics.median(shares) <= 0.5


@pytest.mark.parametrize("n", [1, 2, 3, 6, 9])
def test_never_more_than_the_worst_case_of_ddmin(n: int) -> None:
    for seed in range(30):
        rng = random.Random(f"{n} {seed}")
        density = rng.random()
        said = {kept: rng.random() < density for r in range(n) for kept in itertools.combinations(range(n), r)}
        drive = Driver(lambda kept, said=said, n=n: FAIL if len(kept) == n or said[kept] else PASS)  # type: ignore[misc]
        drive(sieve(Elements(range(n))))
        assert len(drive.runs) <= worst(n)


def test_every_element_is_needed() -> None:
    drive = Driver(needs(*range(50)))
    found = drive(sieve(Elements(range(50))))
    assert len(found.kept) == 50
    assert len(drive.runs) <= 60


def test_three_of_ten_thousand() -> None:
    drive = Driver(needs(17, 4_321, 9_000))
    found = drive(sieve(Elements(range(10_000))))
    assert found.kept == [17, 4_321, 9_000]
    assert len(drive.runs) <= 3 * (math.log2(math.comb(10_000, 3)) + 3)


# Ends


def test_nothing_at_all_fails() -> None:
    assert Driver(needs())(sieve(Elements(range(30)))).kept == []
    assert Driver(needs())(sieve(Elements([]))).kept == []


def test_all_are_pinned() -> None:
    drive = Driver(needs(1))
    assert drive(sieve(Elements(range(3), pinned=range(3)))).kept == [0, 1, 2]
    assert drive.runs == [(0, 1, 2)]


def test_every_best_fails_and_they_only_get_smaller() -> None:
    drive = Driver(one_of([frozenset({3, 8}), frozenset({0, 11, 12})]))
    drive(sieve(Elements(range(16))))
    bests = [ask.best.selection.kept for ask in drive.asks]
    assert all(drive.says(kept) is FAIL for kept in bests)
    assert [len(kept) for kept in bests] == sorted((len(kept) for kept in bests), reverse=True)
    assert not any(ask.best.minimal for ask in drive.asks)


def test_it_stops_when_enough_is_gone() -> None:
    runs: list[int] = []

    def subject(kept: list[int]) -> bool:
        runs.append(len(kept))
        return {3, 40} <= set(kept)

    found = rw.reduce(range(50), rw.fails_when(subject), stop_at=0.5)
    enough = len(runs)
    assert 2 <= len(found.kept) <= 25
    assert {3, 40} <= set(found.kept)
    assert found.complete
    assert not found.minimal
    runs.clear()
    assert rw.reduce(range(50), rw.fails_when(subject)).kept == [3, 40]
    assert enough < len(runs)
