"""Weights: what counts for more than what."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.reduction.line import weights
from rootward.searches.reduction.surroundings import Surroundings

from .helpers import points

ROW = Surroundings(positions=points([(0, 0), (0, 1), (0, 5), (0, 50)]), trajectory=((0.0, 0.0, 0.0, 0.0),))


def test_nothing_known_is_the_same_for_all() -> None:
    assert weights(3, None, Surroundings()) == [1.0, 1.0, 1.0]
    assert weights(0, None, Surroundings()) == []


def test_what_is_nearer_to_the_way_weighs_more() -> None:
    found = weights(4, None, ROW)
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 4
    assert min(found) >= 1.0


def test_the_size_of_an_element_brings_it_nearer() -> None:
    found = weights(4, None, replace(ROW, sizes=(0.0, 0.0, 5.0, 0.0)))
    assert found[2] == found[0] > found[1]


def test_touched_then_linked_then_sensed_then_the_rest() -> None:
    known = Surroundings(contacts={3: 1.0, 1: 2.0, 4: 3.0}, sensed={0: 2.5, 3: 1.0})
    touched, linked, sensed, rest = (weights(6, None, known)[i] for i in (3, 1, 0, 2))
    assert touched > linked > sensed > rest == 1.0
    assert weights(6, None, known)[4] == linked


def test_an_element_without_a_place_is_neither_near_nor_far() -> None:
    known = replace(ROW, positions=(None, *ROW.positions[1:]))
    assert weights(4, None, known)[0] == 1.0


@given(st.lists(st.integers(0, 10**6), max_size=30))
def test_in_a_tree_a_branch_weighs_as_the_root_of_what_it_holds(draws: list[int]) -> None:
    parents = [draw % (i + 1) - 1 for i, draw in enumerate(draws)]
    tree = [None if parent < 0 else parent for parent in parents]

    def ancestors(i: int) -> set[int]:
        found = {i}
        while (parent := tree[i]) is not None:
            i = parent
            found.add(i)
        return found

    held = [sum(i in ancestors(j) for j in range(len(tree))) for i in range(len(tree))]
    assert [round(weight**2) for weight in weights(len(tree), tree, Surroundings())] == held
