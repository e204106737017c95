"""Isolation against brute force: what is found is needed, and enough where more changes undo nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.search.isolate import ChangeSet, isolate, turning_point
from rootward.search.relay import drive
from tests.properties import examples

SMALL = 6
Decides = Callable[[frozenset[int]], bool]


class Asked:
    """What changes decide, and what was asked."""

    def __init__(self, decides: Decides) -> None:
        self._decides = decides
        self.parts: list[ChangeSet[int]] = []

    def __call__(self, part: ChangeSet[int]) -> bool:
        self.parts.append(part)
        assert len(set(part.changes)) == len(part.changes)
        return self._decides(frozenset(part.changes))


@st.composite
def monotone(draw: st.DrawFn) -> tuple[int, Decides]:
    """So many changes, and which of their sets decide: those that contain one of a few; all together do."""
    count = draw(st.integers(1, SMALL))
    groups = draw(st.lists(st.frozensets(st.integers(0, count - 1), min_size=1), min_size=1, max_size=4))
    return count, lambda some: any(group <= some for group in groups)


@examples(300)
@given(monotone())
def test_what_is_found_is_enough_and_none_of_it_can_be_spared(case: tuple[int, Decides]) -> None:
    count, decides = case
    found = drive(isolate(range(count)), Asked(decides))
    assert decides(frozenset(found))
    assert not any(decides(frozenset(some)) for some in combinations(found, len(found) - 1))


@examples(300)
@given(st.integers(1, SMALL), st.data())
def test_whatever_decides_each_one_found_is_needed(count: int, data: st.DataObject) -> None:
    """Any function of the changes: each one found decides with what was put in with it, and not without it."""
    every = [frozenset(some) for size in range(count + 1) for some in combinations(range(count), size)]
    table = dict(zip(every, data.draw(st.lists(st.booleans(), min_size=len(every), max_size=len(every))), strict=True))
    table[frozenset()], table[frozenset(range(count))] = False, True
    found = drive(isolate(range(count)), Asked(table.__getitem__))
    assert found == sorted(found, reverse=True)
    for place, change in enumerate(found):
        before, kept = frozenset(range(change)), frozenset(found[:place])
        if all(table[frozenset(found[:some])] is False for some in range(place + 1)):
            assert table[before | kept | {change}]
            assert not table[before | kept]


@given(st.sets(st.integers(0, 255), min_size=1, max_size=4))
def test_a_few_among_many_take_few_questions(needed: set[int]) -> None:
    asked = Asked(needed.issubset)
    assert set(drive(isolate(range(256)), asked)) == needed
    assert len(asked.parts) <= len(needed) * (math.log2(256) + 1)


@given(monotone(), st.integers(1, 3))
def test_a_limit_stops_it(case: tuple[int, Decides], limit: int) -> None:
    count, decides = case
    whole = drive(isolate(range(count)), Asked(decides))
    assert drive(isolate(range(count), limit=limit), Asked(decides)) == whole[:limit]


@given(monotone())
def test_a_confirmation_is_one_more_question_at_most(case: tuple[int, Decides]) -> None:
    count, decides = case
    sure, quick = Asked(decides), Asked(decides)
    found = drive(isolate(range(count)), sure)
    assert drive(isolate(range(count), confirm=False), quick) == found
    extra = [ChangeSet(found)] if found[-1] == 0 else []
    assert sure.parts == quick.parts + extra


@given(monotone())
def test_one_of_two_parts_comes_next(case: tuple[int, Decides]) -> None:
    count, decides = case
    asked = Asked(decides)
    end = drive(turning_point(range(count)), asked)
    assert end is not None
    for part, following in zip(asked.parts, asked.parts[1:], strict=False):
        assert following.changes in part.ahead
    assert decides(frozenset(range(end)))
    assert not decides(frozenset(range(end - 1)))


@pytest.mark.parametrize("judged", range(4))
def test_what_cannot_be_judged_ends_it(judged: int) -> None:
    asked = 0

    def answer(part: ChangeSet[int]) -> bool | None:
        nonlocal asked
        asked += 1
        return {3, 9} <= set(part.changes) if asked <= judged else None

    assert drive(turning_point(range(16)), answer) is None
    assert asked == judged + 1


def test_after_the_first_what_was_found_stays() -> None:
    def answer(part: ChangeSet[int]) -> bool | None:
        return None if 9 in part.changes and len(part.changes) > 1 and part.changes[0] == 9 else 9 in part.changes

    assert drive(isolate(range(16)), answer) == [9]
    assert drive(isolate([]), answer) == []
