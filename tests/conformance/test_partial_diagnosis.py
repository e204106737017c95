"""A budget that ends a diagnosis anywhere leaves a valid one: it says what is known, and is not sure of it."""

from __future__ import annotations

import itertools
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rootward as rw
from rootward.explanation.diagnosis import Diagnosis
from rootward.lab.events import TrialFinished
from tests.properties import examples, few, thorough

from .diagnosis_cases import CHARACTERS, Character


@cache
def whole(name: str) -> Diagnosis:
    """The diagnosis without a budget."""
    return rw.diagnose(CHARACTERS[name].study)


def check(character: Character, found: Diagnosis, budget: int) -> None:
    assert found.trials <= budget
    assert found.complete is (found.stopped is None)
    assert found.stopped in (None, "budget")
    json.dumps(found.to_dict(), allow_nan=False)
    assert str(found)
    assert found.complete or not found.certain
    for explanation in found.explanations:
        assert explanation.headline().startswith("It fails when") <= explanation.certain
        for cause in explanation.causes:
            assert cause.rule.holds(cause.example)
    if found.certain and character.study.space is not None:
        claimed = found.explanations[0].rule if character.given else found.rule
        assert all(claimed.holds(one) is truth for one, truth in claims(character))


def claims(character: Character) -> list[tuple[Any, bool]]:
    """What an explanation of the given failure, or of all, has to say of configurations all over the space."""
    assert character.study.space is not None
    every = itertools.product(*(field.values for _, field in character.study.space.items()))
    some = [dict(zip(character.study.space, values, strict=True)) for values in itertools.islice(every, 0, 40_000, 97)]
    return [(one, character.fails(one)) for one in some]


@pytest.mark.parametrize("name", CHARACTERS)
@examples(4)
@example(part=0.5)
@given(part=st.floats(0, 1.1))
def test_a_budget_ends_it_anywhere(name: str, part: float) -> None:
    budget = round(part * whole(name).trials)
    found = rw.diagnose(CHARACTERS[name].study, budget=budget)
    check(CHARACTERS[name], found, budget)


@pytest.mark.parametrize("budget", range(16))
def test_every_budget_of_a_short_one(budget: int) -> None:
    found = rw.diagnose(CHARACTERS["lines"].study, budget=budget)
    check(CHARACTERS["lines"], found, budget)
    assert found.complete is (budget >= whole("lines").trials)
    if found.complete:
        assert found == whole("lines")


@pytest.mark.both
def test_what_is_known_so_far_is_told() -> None:
    """From the first condition on, there is always one: it seems so, until it is checked."""
    budgets = range(0, 130, 12 if thorough() else 26)
    told = [str(rw.diagnose(CHARACTERS["few fields"].study, budget=budget)) for budget in budgets]
    known = ["It seems to fail when" in one for one in told]
    assert known == sorted(known)
    assert sum(known) > len(known) / 3
    assert "It is not known yet why it fails." in told[0]


def test_what_is_left_of_the_elements_is_told() -> None:
    whole_one = whole("messages")
    after = sum(step.trials for step in whole_one.steps if step.name in ("reproduce", "reduce")) + 1
    # The reduction may use half of what is left: with twice as much it comes to its end.
    found = rw.diagnose(CHARACTERS["messages"].study, budget=2 * after)
    assert found.stopped == "budget"
    [explanation] = found.explanations
    assert explanation.reduction is not None
    assert explanation.reduction.kept == CHARACTERS["messages"].kept


def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    character, store = CHARACTERS["few fields"], tmp_path / "store.db"
    runs: list[Any] = []

    def listen(event: Any) -> None:
        if isinstance(event, TrialFinished):
            runs.append(event.trial.name)

    budgets = (10, 60, 110, None)
    found = [rw.diagnose(character.study, budget=budget, store=store, on_event=listen) for budget in budgets]
    assert [one.stopped for one in found] == ["budget", "budget", "budget", None]
    assert found[-1] == whole("few fields")
    assert len(runs) == len(set(runs)), "a trial was run again"


def test_seconds_end_it() -> None:
    found = rw.diagnose(CHARACTERS["few fields"].study, budget=rw.Budget(seconds=0))
    assert (found.complete, found.stopped, found.certain) == (False, "budget", False)
    assert str(found)


@pytest.mark.parametrize("name", few(1, ["messages", "many fields", "nothing known"]))
def test_a_partial_diagnosis_has_its_reports(name: str, tmp_path: Path) -> None:
    for budget in (0, 8, whole(name).trials * 2 // 3):
        found = rw.diagnose(CHARACTERS[name].study, budget=budget)
        for ending in ("html", "json", "md"):
            assert found.report(tmp_path / f"{budget}.{ending}").stat().st_size > 200
