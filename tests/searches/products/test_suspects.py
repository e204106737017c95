"""One field that matters: what is expected of its values, and which is tried next."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.products.suspects import Suspect
from tests.properties import examples

thorough = examples(100, derandomize=True)
rates = st.sampled_from([1.0, 0.9, 0.7, 0.2])


@st.composite
def suspects(draw: Any) -> Suspect:
    """A field of which some values are known."""
    size = draw(st.integers(2, 30))
    places = st.integers(0, size - 1)
    good = draw(st.sets(places, min_size=1))
    suspect = Suspect(size, ordered=draw(st.booleans()), rate=draw(rates), good=set(good))
    for place in sorted(draw(st.sets(places))):
        if place not in good:
            suspect.mark_stopping(place, draw(st.integers(1, 4)))
    return suspect


@thorough
@given(suspects())
def test_chances_are_probabilities_of_exactly_the_unknown_values(suspect: Suspect) -> None:
    assert set(suspect.chances) == set(range(suspect.size)) - suspect.good - suspect.bad
    assert all(0 < chance < 1 for chance in suspect.chances.values())
    assert suspect.good.isdisjoint(suspect.bad)


@thorough
@given(suspects(), st.integers(0, 10**6))
def test_next_covers_all_values_and_ends(suspect: Suspect, truth: int) -> None:
    unknown = set(suspect.chances)
    tried: list[Any] = []
    while (place := suspect.choose_next()) is not None:
        assert place in unknown - set(tried)
        tried.append(place)
        if truth >> place & 1:
            suspect.record_failure(place)
        else:
            suspect.mark_stopping(place)
    assert set(tried) == unknown
    assert suspect.find_likeliest() is None


@thorough
@given(suspects())
def test_likely_is_the_unknown_value_that_is_likeliest_to_trigger(suspect: Suspect) -> None:
    place = suspect.find_likeliest()
    if place is None:
        assert not suspect.chances
    else:
        assert suspect.chances[place] == min(suspect.chances.values())


def test_in_order_the_widest_gap_is_halved() -> None:
    suspect = Suspect(9, ordered=True, rate=1, good={0})
    tried: list[Any] = []
    while (place := suspect.choose_next()) is not None:
        tried.append(place)
        suspect.mark_stopping(place)
    assert tried[:3] == [8, 4, 2]
    assert set(tried[3:]) == {1, 3, 5, 6, 7}


def test_values_between_two_that_agree_are_expected_to_agree() -> None:
    suspect = Suspect(20, ordered=True, rate=1, good={0, 3, 6})
    for place in (13, 16, 19):
        suspect.mark_stopping(place)
    assert all(suspect.chances[place] < 0.2 for place in (1, 2, 4, 5))
    assert all(suspect.chances[place] > 0.8 for place in (14, 15, 17, 18))
    assert suspect.chances[10] == pytest.approx(0.5)


def test_without_order_the_share_of_the_others_counts() -> None:
    suspect = Suspect(10, ordered=False, rate=1, good={0})
    for place in (1, 2, 3):
        suspect.mark_stopping(place)
    assert set(suspect.chances.values()) == {(3 + 1) / (4 + 2)}


def test_if_it_shows_every_time_one_pass_is_proof() -> None:
    suspect = Suspect(4, ordered=True, rate=1, good={0})
    suspect.record_pass(3, 0.0)
    assert suspect.bad == {3}
    assert suspect.doubt(3) == 0


@thorough
@given(suspects(), st.sampled_from([0.01, 0.2]))
def test_each_pass_lessens_the_doubt_until_it_is_settled(suspect: Suspect, enough: float) -> None:
    for place in list(suspect.chances)[:2]:
        doubts = [suspect.doubt(place)]
        while place not in suspect.bad:
            suspect.record_pass(place, enough)
            doubts += [suspect.doubt(place)] if place not in suspect.bad else []
        assert doubts == sorted(doubts, reverse=True)
        assert all(doubt > enough for doubt in doubts[1:])
        assert place not in suspect.chances


@thorough
@given(chance=st.integers(1, 8), passes=st.integers(0, 6), rate=rates)
def test_doubt_is_what_bayes_says(chance: int, passes: int, rate: float) -> None:
    suspect = Suspect(12, ordered=False, rate=rate, good={0})
    for place in range(1, 1 + chance):
        suspect.mark_stopping(place)
    stops = suspect.chances[11]
    for _ in range(passes):
        suspect.record_pass(11, -1)
    triggers = (1 - stops) * (1 - rate) ** passes
    assert suspect.doubt(11) == pytest.approx(triggers / (triggers + stops))


def test_a_failing_run_outweighs_any_number_of_passes() -> None:
    suspect = Suspect(3, ordered=False, rate=0.5, good={0})
    suspect.mark_stopping(2, 9)
    suspect.record_failure(2)
    assert suspect.good == {0, 2}
    assert suspect.bad == set()


@thorough
@given(suspects())
def test_a_fork_is_on_its_own(suspect: Suspect) -> None:
    before = copy.deepcopy(suspect.__dict__)
    fork = suspect.fork()
    assert (fork.chances, fork.choose_next(), fork.find_likeliest()) == (
        suspect.chances,
        suspect.choose_next(),
        suspect.find_likeliest(),
    )
    while (place := fork.choose_next()) is not None:
        fork.mark_stopping(place)
    suspect.__dict__.pop("_chances")
    before.pop("_chances")
    assert suspect.__dict__ == before
