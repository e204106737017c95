"""Failures that are first met while another one is explained are explained, too."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.state import MAX_NAMED_FAILURES, OtherFailures
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.facts import HowToExplain
from rootward.report.data import document, run_of
from rootward.report.issue import summary
from rootward.report.page import page
from rootward.report.sentences.diagnosis import sentence, sentences
from rootward.verdict import FAIL, Outcome

from .cars import crashes, study

REVERSE = {"speed": 40, "gear": "R", "lights": True}


def told(found: rw.Diagnosis) -> dict[str | None, str]:
    return {one.signature: str(one.rule) for one in found.explanations}


@pytest.fixture(scope="module")
def three() -> rw.Diagnosis:
    return rw.diagnose(study(crashes, failing=REVERSE))


def test_each_failure_that_is_met_is_explained(three: rw.Diagnosis) -> None:
    assert told(three) == {
        "reverse": "speed > 12 and gear = R",
        "neutral": "gear = N and lights = false",
        "limit": "speed > 70",
    }
    assert three.certain
    assert three.notes == ()


def test_no_run_is_made_for_nothing_whichever_failure_it_is_about(three: rw.Diagnosis) -> None:
    """The lab ends a question at the failure that is being explained, and not only at that which it was given."""
    assert sum(step.trials for step in three.steps) == three.trials - 1


def test_the_report_has_a_part_for_each_and_judges_each_step_by_its_own_failure(three: rw.Diagnosis) -> None:
    run = run_of(three)
    written, shown = summary(document([run])), page(document([run]))
    assert written.startswith("# car fails in 3 ways, when `speed > 12 and gear = R` or ")
    places = [written.index(f"# Failure {i}: {name}") for i, name in enumerate(told(three), 1)]
    assert places == sorted(places)
    assert all(f"Failure {i}: <code>{name}</code>" in shown for i, name in enumerate(told(three), 1))
    assert [step.finding.signature for step in three.steps if step.name == "rule" and step.finding] == list(told(three))


def test_a_failure_that_the_search_for_failures_has_not_met() -> None:
    """It lies next to where another one begins, so only whoever looks for that place meets it."""

    def edge(one: dict[str, Any]) -> Outcome | None:
        if one["speed"] > 60:
            return Outcome(FAIL, "fast")
        return Outcome(FAIL, "jerk") if one["speed"] > 57 else None

    found = rw.diagnose(study(edge))
    [first] = [step.finding for step in found.steps if step.name == "find"]
    assert isinstance(first, rw.Failures)
    assert [failure.signature for failure in first.failures] == ["fast"]
    assert told(found) == {"fast": "speed > 60", "jerk": "58 <= speed <= 60"}  # from 60 on, the first may hide it


def test_one_that_does_not_show_every_time() -> None:
    """To the lab it is another failure, in every run."""

    def fails(one: dict[str, Any], seed: int) -> Outcome | None:
        if one["gear"] == "R" and one["speed"] > 12:
            return Outcome(FAIL, "reverse")
        rarely = one["gear"] == "N" and random.Random(seed).random() < 0.7
        return Outcome(FAIL, "neutral") if rarely else None

    found = rw.diagnose(study(fails, failing=REVERSE))
    assert told(found) == {"reverse": "speed > 12 and gear = R", "neutral": "gear = N"}
    assert 0.4 < found.explanations[1].rate.value < 0.9


def test_one_that_does_not_show_again_keeps_its_name() -> None:
    seen: list[int] = []

    def fails(one: dict[str, Any]) -> Outcome | None:
        if one["speed"] > 12:
            return Outcome(FAIL, "fast")
        return Outcome(FAIL, "once") if one["gear"] == "N" and not (seen or seen.append(1)) else None

    found = rw.diagnose(study(fails, failing=REVERSE))
    assert found.explanations[0].signature == "fast"
    assert found.explanations[1].signature == "once"
    assert sentences(found.explanations[1].unknown) == ["It failed once, but not when it was run again."]
    assert not found.certain


def test_of_many_failures_the_others_are_named() -> None:
    def bands(one: dict[str, Any]) -> Outcome:
        return Outcome(FAIL, f"band {one['x'] // 3}")

    found = rw.diagnose(study(bands, rw.Space({"x": rw.Int(0, 20)}), failing={"x": 8}), skip=["others", "verify"])
    assert len(found.explanations) == len(told(found)) == TUNING.max_failures
    *named, how = sentences(found.notes)
    assert 1 <= len(named) <= MAX_NAMED_FAILURES
    assert how == sentence(HowToExplain())
    assert not any(f": {name}." in note for name in told(found) for note in named)


def test_failures_without_a_name_are_only_counted() -> None:
    def fails(one: dict[str, Any]) -> Outcome | None:
        named = Outcome(FAIL, "reverse") if one["gear"] == "R" and one["speed"] > 12 else None
        return named or (Outcome(FAIL) if one["speed"] > 70 else None)

    found = rw.diagnose(study(fails, failing=REVERSE))
    assert list(told(found)) == ["reverse"]
    assert sentence(found.notes[0]).endswith(" failed in another way, which is not explained: without a name.")


def test_of_elements_another_failure_is_named() -> None:
    def fails(kept: list[str]) -> Outcome | None:
        if {"b", "e"} <= set(kept):
            return Outcome(FAIL, "both")
        return Outcome(FAIL, "half") if "b" in kept else None

    found = rw.diagnose(study(fails, None, elements=list("abcdef")))
    assert list(told(found)) == ["both"]
    assert sentence(found.notes[0]).endswith("which is not explained: half.")


@given(st.lists(st.tuples(st.integers(), st.sampled_from([None, *"abcd"]))), st.sets(st.sampled_from("abcd")))
def test_the_first_of_each_name_the_most_frequent_first(met: list[tuple[int, str | None]], explained: set[str]) -> None:
    others = OtherFailures()
    for candidate, name in met:
        others.add({"n": candidate}, Outcome(FAIL, name))
    waiting = others.list_unexplained(explained)
    runs = Counter(name for _, name in met)
    names = [one.outcome.signature for one in waiting]
    assert set(names) == {name for name in runs if name is not None} - explained
    assert [runs[name] for name in names] == sorted((runs[name] for name in names), reverse=True)
    for one in waiting:
        assert one.candidate == next({"n": candidate} for candidate, name in met if name == one.outcome.signature)
    assert len(others.notes(explained, ended=True)) <= MAX_NAMED_FAILURES + 1
    assert bool(others.notes(explained, ended=True)) is bool(set(runs) - explained)
