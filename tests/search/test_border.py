"""Bisection: whatever the verdicts between two places are, it ends at two neighbours that differ."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from rootward.search.border import BorderStep, bisect, midpoint
from rootward.search.relay import drive

verdicts = st.lists(st.booleans(), max_size=40).map(lambda inner: [True, *inner, False])


def bisected(labels: list[bool], *, upwards: bool = True, limit: int | None = None) -> tuple[int, int, list[int]]:
    """The two places at which it ends, and those that were asked."""
    ends = (0, len(labels) - 1) if upwards else (len(labels) - 1, 0)
    asked: list[int] = []

    def alike(one: BorderStep[int]) -> bool:
        assert min(one.near, one.far) < one.place < max(one.near, one.far)
        assert labels[one.near] is labels[ends[0]]
        assert labels[one.far] is labels[ends[1]]
        asked.append(one.place)
        return labels[one.place] is labels[ends[0]]

    near, far = drive(bisect(*ends, midpoint, limit=limit), alike)
    assert labels[near] is labels[ends[0]]
    assert labels[far] is labels[ends[1]]
    return near, far, asked


@given(verdicts, st.booleans())
def test_it_ends_at_neighbours_that_differ(labels: list[bool], upwards: bool) -> None:
    near, far, asked = bisected(labels, upwards=upwards)
    assert abs(far - near) == 1
    assert len(asked) == len(set(asked)) <= math.ceil(math.log2(len(labels)))


@given(st.integers(1, 40), st.integers(1, 40))
def test_the_only_border_is_found(first: int, second: int) -> None:
    near, far, _ = bisected([True] * first + [False] * second)
    assert (near, far) == (first - 1, first)


@given(verdicts, st.integers(0, 6))
def test_no_more_is_asked_than_allowed(labels: list[bool], limit: int) -> None:
    near, far, asked = bisected(labels, limit=limit)
    assert len(asked) <= limit
    assert far - near == 1 or len(asked) == limit


@given(st.lists(st.sampled_from([True, False, None]), max_size=30))
def test_what_cannot_be_judged_has_neighbours(inner: list[bool | None]) -> None:
    labels = [True, *inner, False]

    def places(near: int, far: int) -> Iterator[int]:
        middle = (near + far) // 2
        return (place for place in (middle, middle + 1, middle - 1) if near < place < far)

    near, far = drive(bisect(0, len(labels) - 1, places), lambda one: labels[one.place])
    assert labels[near] is True
    assert labels[far] is False
    assert all(labels[place] is None for place in places(near, far))


def test_without_a_neighbour_it_ends_where_it_is() -> None:
    asked = []

    def unjudged(one: BorderStep[int]) -> None:
        asked.append(one.place)

    assert drive(bisect(0, 8, midpoint), unjudged) == (0, 8)
    assert asked == [4]
