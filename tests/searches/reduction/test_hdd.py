"""hdd against its paper: Misherghi and Su, "HDD: Hierarchical Delta Debugging" (2006); and ddmin on trees."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.lab.lab import Lab
from rootward.searches.reduction.ddmin import ddmin
from rootward.searches.reduction.hdd import hdd
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Elements
from rootward.subjects.function import fails_when
from tests.properties import examples

Test = Callable[[list[Any]], bool]
thorough = examples(60, derandomize=True)
both = pytest.mark.parametrize("method", [ddmin, hdd])


def reduced(method: Any, elements: Elements[Any], test: Test) -> tuple[Reduction[Any], list[list[Any]]]:
    """The reduction, and every list that was run, in order."""
    runs: list[list[Any]] = []

    def subject(kept: list[Any]) -> bool:
        runs.append(list(kept))
        return test(kept)

    with Lab(fails_when(subject)) as lab:
        return lab.run(method(elements), failing=elements.all), runs


# A document such as {"a": {"x": 1, "y": [2, 3]}, "b": [{"z": 4}], "c": 5}


DOCUMENT: Any = {"a": {"x": 1, "y": [2, 3]}, "b": [{"z": 4}], "c": 5}


def nodes(value: Any, name: str = "", parent: int | None = None, *, start: int = 0) -> list[tuple[str, int | None]]:
    """The name and the parent of every node below this one."""
    found: list[tuple[str, int | None]] = []
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        here, path = start + len(found), f"{name}/{key}"
        found.append((path, parent))
        found += nodes(part, path, here, start=here + 1)
    return found


def tree() -> Elements[str]:
    found = nodes(DOCUMENT)
    return Elements([name for name, _ in found], noun="node", parents=[parent for _, parent in found])


def test_the_tree_is_what_it_should_be() -> None:
    assert tree().items == ("/a", "/a/x", "/a/y", "/a/y/0", "/a/y/1", "/b", "/b/0", "/b/0/z", "/c")
    assert tree().parents == (None, 0, 0, 2, 2, None, 5, 6, None)


def test_level_by_level() -> None:
    found, runs = reduced(hdd, tree(), lambda kept: "/a/y/1" in kept)
    assert found.kept == ["/a", "/a/y", "/a/y/1"]
    assert runs == [
        ["/a", "/a/x", "/a/y", "/a/y/0", "/a/y/1", "/b", "/b/0", "/b/0/z", "/c"],
        [],  # nothing of the first level
        ["/a", "/a/x", "/a/y", "/a/y/0", "/a/y/1"],  # half of it, /b and /c gone with all that lies in them
        ["/a"],  # nothing of the second
        ["/a", "/a/x"],
        ["/a", "/a/y", "/a/y/0", "/a/y/1"],
        ["/a", "/a/y"],  # nothing of the third
        ["/a", "/a/y", "/a/y/0"],
        ["/a", "/a/y", "/a/y/1"],
        # again: none of the first level can go, nor of the second; those are known
    ]


def test_it_repeats_until_nothing_changes() -> None:
    """/c is needed as long as /a/x is there, which is known only when the second level has been looked at."""

    def test(kept: list[str]) -> bool:
        return "/a/y" in kept and ("/c" in kept or "/a/x" not in kept)

    found, _ = reduced(hdd, tree(), test)
    assert found.kept == ["/a", "/a/y"]


def subsets(elements: Elements[str]) -> Iterator[list[str]]:
    """Everything that pruning can leave."""
    for keep in itertools.product([False, True], repeat=len(elements)):
        chosen = [i for i, wanted in enumerate(keep) if wanted]
        if elements.pick(chosen).kept == tuple(chosen):
            yield [elements.items[i] for i in chosen]


@both
def test_against_brute_force(method: Any) -> None:
    """Every set of up to two nodes that are needed: what is found is the smallest tree that has them."""
    elements = tree()
    every = list(subsets(elements))
    assert len(every) == 11 * 4 * 2  # ways to have some of /a, /b and /c, or none
    for wanted in itertools.chain(*(itertools.combinations(elements.items, k) for k in (0, 1, 2))):
        smallest = min((kept for kept in every if set(wanted) <= set(kept)), key=len)
        fails: Any = lambda kept, wanted=wanted: set(wanted) <= set(kept)  # noqa: E731
        assert reduced(method, elements, fails)[0].kept == smallest


# Any tree


@st.composite
def trees(draw: st.DrawFn) -> Elements[int]:
    n = draw(st.integers(1, 14))
    parents = [draw(st.none() | st.integers(0, i - 1)) if i else None for i in range(n)]
    return Elements(range(n), parents=parents, pinned=draw(st.frozensets(st.integers(0, n - 1), max_size=3)))


@both
@thorough
@given(elements=trees(), data=st.data())
def test_monotone(method: Any, elements: Elements[int], data: st.DataObject) -> None:
    wanted = data.draw(st.frozensets(st.integers(0, len(elements) - 1)))
    found, runs = reduced(method, elements, lambda kept: wanted <= set(kept))
    assert found.selection == elements.pick([*elements._with_ancestors(wanted)])
    assert all(elements.pinned <= set(kept) and list(elements.pick(kept).kept) == kept for kept in runs)


@both
@thorough
@given(elements=trees(), seed=st.integers(0, 10**6), density=st.floats(0, 1))
def test_not_monotone(method: Any, elements: Elements[int], seed: int, density: float) -> None:
    """Without any single node and what lies in it, it no longer fails."""

    def test(kept: list[int]) -> bool:
        return len(kept) == len(elements) or random.Random(f"{seed} {kept}").random() < density

    found = reduced(method, elements, test)[0].selection
    assert test(found.items)
    assert not any(test(found.without([i]).items) for i in found.free)


@thorough
@given(st.integers(0, 14), st.integers(0, 10**6), st.floats(0, 1), st.booleans())
def test_of_a_list_it_is_ddmin(n: int, seed: int, density: float, nested: bool) -> None:
    def test(kept: list[int]) -> bool:
        return len(kept) == n or random.Random(f"{seed} {kept}").random() < density

    elements = Elements(range(n), parents=[None] * n if nested else None)
    assert reduced(hdd, elements, test) == reduced(ddmin, Elements(range(n)), test)


@both
def test_nothing_at_all_fails(method: Any) -> None:
    found, runs = reduced(method, tree(), lambda kept: True)
    assert (found.kept, len(runs)) == ([], 2)


@both
def test_everything_is_pinned(method: Any) -> None:
    elements = Elements("abc", pinned=range(3))
    found, runs = reduced(method, elements, lambda kept: True)
    assert (found.kept, runs) == (["a", "b", "c"], [["a", "b", "c"]])


@both
def test_pinned_elements_are_in_every_run(method: Any) -> None:
    elements = Elements(range(8), pinned=[2, 5])
    found, runs = reduced(method, elements, lambda kept: {1, 2} <= set(kept))
    assert found.kept == [1, 2, 5]
    assert all({2, 5} <= set(kept) for kept in runs)


def test_a_tree_costs_less_by_its_levels() -> None:
    """A hundred branches of ten leaves each, one leaf needed: two small lists instead of one long one."""
    parents = [None if i % 11 == 0 else i - i % 11 for i in range(1100)]
    elements = Elements(range(1100), parents=parents)
    found, runs = reduced(hdd, elements, lambda kept: 555 in kept)
    assert found.kept == [550, 555]
    assert len(runs) < 2 * 7 + 2 * 4 + 4
