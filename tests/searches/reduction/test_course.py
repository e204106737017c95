"""The course of a reduction, followed from outside."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from rootward.searches.reduction import METHODS
from rootward.searches.reduction.course import track_course
from rootward.searches.reduction.ddmin import ddmin
from rootward.searches.reduction.sieve import sieve
from rootward.space.candidate import Elements
from tests.properties import few

from .helpers import Driver, flaky, needs

PLAIN: list[Callable[..., Any]] = [METHODS[name] for name in ("ddmin", "hdd", "probdd", "sieve")]


@pytest.mark.parametrize("method", PLAIN)
def test_the_course_goes_down_from_all_to_the_result(method: Callable[..., Any]) -> None:
    drive = Driver(needs(3, 17))
    found = drive(track_course(method(Elements(range(20)))))
    assert found.course[0] == (0, 20)
    assert found.course[-1][1] == len(found.kept) == 2
    assert all(one[0] <= two[0] and one[1] > two[1] for one, two in pairwise(found.course))
    answered = sum(1 for ask in drive.asks for _ in ask.candidates)
    assert found.course[-1][0] <= answered


@pytest.mark.parametrize("method", PLAIN)
def test_following_changes_nothing_else(method: Callable[..., Any]) -> None:
    alone, seen = Driver(needs(3, 17)), Driver(needs(3, 17))
    assert alone(method(Elements(range(20)))) == seen(track_course(method(Elements(range(20)))))
    assert alone.runs == seen.runs
    assert [ask.note for ask in alone.asks] == [ask.note for ask in seen.asks]


def test_every_question_carries_the_course_so_far() -> None:
    drive = Driver(needs(3, 17))
    found = drive(track_course(ddmin(Elements(range(20)))))
    courses = [ask.best.course for ask in drive.asks]
    assert courses[0] == ((0, 20),)
    assert all(found.course[: len(course)] == course for course in courses)


@pytest.mark.parametrize("method", PLAIN)
def test_it_ends_when_enough_is_gone(method: Callable[..., Any]) -> None:
    drive, whole = Driver(needs(3, 17)), Driver(needs(3, 17))
    found = drive(track_course(method(Elements(range(20))), stop_at=0.5))
    whole(track_course(method(Elements(range(20)))))
    assert found.gone >= 0.5
    assert {3, 17} <= set(found.kept)
    assert not found.minimal
    assert drive.runs == whole.runs[: len(drive.runs)]
    assert len(drive.runs) < len(whole.runs)


def test_a_flaky_one_does_not_end_before_it_was_tested() -> None:
    drive = Driver(flaky(needs(3, 17), 0.7, seed=1))
    found = drive(track_course(sieve(Elements(range(20)), flaky=True, stop_at=0.5), stop_at=0.5))
    assert found.gone >= 0.5
    assert found.confidence is not None
    assert found.confidence >= 0.95


@pytest.mark.parametrize("seeds", few(1, [range(4), range(4, 12)]), ids=str)
def test_a_flaky_one_that_failed_its_test_does_not_end_it(seeds: range) -> None:
    """One run in eight fails whatever is there, so that smaller parts are taken for failing by luck."""
    for seed in seeds:
        drive = Driver(flaky(needs(3, 17, 22), 0.7, seed, leak=0.12))
        found = drive(track_course(sieve(Elements(range(30)), flaky=True, stop_at=0.9), stop_at=0.9))
        assert len(found.kept) == 30 or (found.confidence or 0.0) >= 0.95


def test_what_cannot_be_made_that_small_ends_as_it_is() -> None:
    found = Driver(needs(*range(6)))(track_course(ddmin(Elements(range(6))), stop_at=0.5))
    assert len(found.kept) == 6
    assert found.minimal
