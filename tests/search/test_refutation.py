"""Runs that could refute a claim: new ones, from both sides of it as far as they are met."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rootward.search.refutation import both_sides

draws = st.lists(st.integers(0, 30), max_size=80)
knowns = st.sets(st.integers(0, 30), max_size=10)


@given(draws, knowns, st.integers(0, 12), st.integers(0, 31), st.booleans())
def test_they_are_new_and_no_more_than_wanted(
    drawn: list[int], known: set[int], wanted: int, bound: int, fill: bool
) -> None:
    found = both_sides(drawn, lambda one: one < bound, wanted, key=str, known={str(one) for one in known}, fill=fill)
    assert len(found) == len(set(found)) <= wanted
    assert set(found) <= set(drawn) - known


@given(draws, knowns, st.integers(0, 12), st.integers(0, 31), st.booleans())
def test_half_lie_on_either_side_as_far_as_they_are_met(
    drawn: list[int], known: set[int], wanted: int, bound: int, fill: bool
) -> None:
    found = both_sides(drawn, lambda one: one < bound, wanted, key=int, known=known, fill=fill)
    met = [{one for one in drawn if one not in known and (one < bound) is side} for side in (True, False)]
    mine = [sum((one < bound) is side for one in found) for side in (True, False)]
    for its, own in zip(met, mine, strict=True):
        assert own >= min(len(its), wanted // 2)
        assert fill or own <= (wanted + 1) // 2
    if fill:
        assert sum(mine) == min(wanted, sum(map(len, met)))


@given(draws, st.integers(1, 12))
def test_nothing_is_drawn_once_there_are_enough(drawn: list[int], wanted: int) -> None:
    stream = iter([*range(40), *drawn])
    found = both_sides(stream, lambda one: one % 2 == 0, wanted, key=int)
    assert len(found) == wanted
    assert len(list(stream)) == 40 + len(drawn) - 2 * ((wanted + 1) // 2)
