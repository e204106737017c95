"""What a diagnosis has spent, and where the budget goes: a part for each failure, the rest for steps that were cut."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.questions import StepView, ask, run_search
from rootward.diagnosis.state import DiagnosisState, Ledger
from rootward.diagnosis.tuning import TUNING
from rootward.report.sentences.diagnosis import step_result
from rootward.search.ask import Ask
from rootward.verbs import open_lab
from rootward.verdict import FAIL, PASS, Outcome
from tests.properties import few

from .cars import CAR, crashes, study

# Where the budget goes: a part for each failure, and what is left for the steps that it has cut.


MANY = rw.Space({f"f{i:02}": rw.Int(0, 99) for i in range(12)})


def rare(one: dict[str, Any]) -> bool:
    return one["f03"] > 50 and one["f04"] < 20 and one["f10"] > 94 and one["f05"] < 20


def counting(upto: int) -> Any:
    for x in range(upto):
        yield Ask([{"speed": x}], best=rw.Failures(), fresh=x == 0)
    return rw.Failures()


def driven(doing: Any) -> tuple[Any, int]:
    """What comes of it where everything passes, and how many questions the lab got."""
    answers, asked = None, 0
    while True:
        try:
            question = doing.send(answers)
        except StopIteration as end:
            return end.value, asked
        answers, asked = [Outcome(PASS)] * len(question.candidates), asked + 1


def begun(budget: int | None) -> DiagnosisState:
    made = DiagnosisState(study(crashes, CAR), Plan.of(study(crashes, CAR)), budget=budget)
    made.begin("find")
    return made


@pytest.mark.parametrize(("budget", "of", "asked"), [(100, 1, 40), (100, 4, 10), (None, 4, 1000)])
def test_a_step_gets_its_share_of_a_part(budget: int | None, of: int, asked: int) -> None:
    made = begun(budget)
    made.divide_budget(of)
    found, questions = driven(run_search(made, counting(1000), StepView()))
    assert questions == made.spent == asked
    assert found.complete is (budget is None)


def test_another_turn_replays_for_free_and_goes_on_until_nothing_is_left() -> None:
    made = begun(100)
    spent, turns = [0], 1
    while True:
        found, _ = driven(run_search(made, counting(1000), StepView()))
        made.end([], found, complete=found.complete)
        assert [step.name for step in made.steps] == ["find"], "no step is told twice"
        assert made.steps[0].trials == made.spent > spent[-1]
        spent.append(made.spent)
        if not made.begin_next_turn():
            break
        turns += 1
        made.begin("find")
    assert spent[:4] == [0, 40, 64, 79]
    assert turns == TUNING.max_turns


def test_fresh_runs_of_an_earlier_turn_are_not_made_again() -> None:
    made, asked = begun(100), []
    for wanted in ([1, 1, 2], [3, 1, 2, 1, 1]):
        made.begin("find")
        doing = ask(made, Ask([{"speed": x} for x in wanted], fresh=True), StepView())
        candidates: Sequence[Any] = next(doing).candidates
        asked.append([one["speed"] for one in candidates])
        with pytest.raises(StopIteration) as end:
            doing.send([Outcome(PASS, f"turn {len(asked)}")] * len(asked[-1]))
        made.end([], complete=False)
        if len(asked) == 1:
            assert made.begin_next_turn()
    assert asked == [[1, 1, 2], [3, 1]]
    assert [one.signature for one in end.value.value] == ["turn 2", "turn 1", "turn 1", "turn 1", "turn 2"]
    assert made.spent == made.steps[0].trials == 5


@pytest.mark.parametrize("budget", [None, 100])
def test_there_is_no_other_turn_unless_a_step_was_cut(budget: int | None) -> None:
    made = begun(budget)
    found, _ = driven(run_search(made, counting(5), StepView()))
    made.end([], found, complete=found.complete)
    assert not made.begin_next_turn()


def test_what_another_turn_does_not_need_is_said() -> None:
    made = begun(100)
    for upto in (1000, 3):
        found, _ = driven(run_search(made, counting(upto), StepView()))
        made.end([], found, complete=found.complete)
        if made.begin_next_turn():
            made.begin("find")
    assert [(step.name, step.trials) for step in made.diagnosis.steps] == [("earlier", 37), ("find", 3)]
    assert made.diagnosis.complete


def test_a_small_budget_is_for_all_failures_and_not_for_the_first() -> None:
    found = rw.diagnose(study(crashes, CAR), budget=180)
    assert {one.signature: str(one.rule) for one in found.explanations} == {
        "neutral": "gear = N and lights = false",
        "reverse": "speed > 12 and gear = R",
        "limit": "speed >= 71 and gear != R",  # in reverse, another failure comes first
    }
    assert not found.certain


@cache
def searched(budget: int) -> rw.Diagnosis:
    return rw.diagnose(study(rw.fails_when(rare), MANY), budget=budget)


def test_a_search_for_failures_goes_on_with_what_nothing_else_needs() -> None:
    """Its share is 40%. As nothing fails in so many runs, no other step takes the rest."""
    found = searched(160)
    [find] = [step for step in found.steps if step.name == "find"]
    assert find.trials > 64 + 32
    assert step_result(find).startswith("A failure was found in run ")
    assert found.explanations
    assert found.trials == 160


@pytest.mark.parametrize("budget", few(3, [1, 16, 160, 40]))
def test_wherever_the_budget_ends_the_table_has_all_trials(budget: int) -> None:
    found = searched(budget)
    assert sum(step["trials"] for step in found.to_dict()["steps"]) == found.trials == budget


def test_what_was_checked_stays_until_another_turn_has_got_as_far() -> None:
    state = begun(None)
    before = rw.diagnose(study(crashes, CAR))
    assert any(one.check for one in before.explanations)
    state._begin_turn(before)
    state.begin("find")
    found = state.so_far(None, None)
    assert found.explanations == before.explanations
    assert [step.name for step in found.steps] == [*(step.name for step in before.steps), "again"]
    told = found.to_dict()
    assert sum(step["trials"] for step in told["steps"]) == found.trials
    state.explanations = [replace(before.explanations[0], check=None)]
    assert state.so_far(None, None).explanations == (state.explanations[0], *before.explanations[1:])


@pytest.mark.rest
def test_neither_width_nor_a_stop_changes_what_another_turn_finds(tmp_path: Path) -> None:
    wanted = searched(160)
    with ThreadPoolExecutor(4) as pool:
        wide = rw.diagnose(study(rw.fails_when(rare), MANY), budget=160, executor=pool)
    assert (wide, wide.asked, wide.stopped) == (wanted, wanted.asked, wanted.stopped)
    for budget in (20, 120, 160):
        found = rw.diagnose(study(rw.fails_when(rare), MANY), budget=budget, store=tmp_path / "s.db")
    assert found == wanted
    assert 160 <= found.trials < 170  # with a smaller budget, some other runs were made, which are remembered


# Each trial is counted once, in all and in each turn; fresh runs of an earlier turn are told again.


ASKED = st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(1, 4)), max_size=20)
"""Candidates, whether they are to be run even if they are known, and how many runs decide."""


class Lab:
    """Numbers every run of a candidate."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.runs: dict[str, int] = dict.fromkeys("abc", 0)
        self.taken: dict[str, int] = dict.fromkeys("abc", 0)

    def ask(self, key: str, fresh: bool, several: int) -> tuple[Outcome, int]:
        outcome = self.ledger.recall(key) if fresh else None
        recalled = outcome is not None
        if outcome is None:
            runs = 1 if fresh else several
            known = self.taken[key] if fresh else 0
            self.taken[key] = max(self.taken[key], known + runs)
            self.runs[key] = max(self.runs[key], known + runs)
            outcome = Outcome(PASS, f"{key}{known}", votes=(FAIL,) * runs if runs > 1 else ())
        return outcome, self.ledger.add(key, outcome, fresh=fresh, recalled=recalled)


@given(ASKED, ASKED)
def test_another_turn_pays_only_for_what_is_new(first: list[tuple[str, bool, int]], more: list[tuple[str, bool, int]]):
    ledger = Ledger()
    lab = Lab(ledger)
    told = [lab.ask(*one) for one in first]
    assert ledger.spent == ledger.needed == sum(needed for _, needed in told) == sum(lab.runs.values())
    before = ledger.spent
    ledger.begin_turn()
    assert [lab.ask(*one) for one in first] == told, "the same again, as if it were the first time"
    assert (ledger.spent, ledger.needed) == (before, before)
    for one in more:
        lab.ask(*one)
    assert ledger.spent == sum(lab.runs.values())
    assert ledger.keys == {key for key, runs in lab.runs.items() if runs}


def test_a_replay_is_run_once_however_often_it_is_asked_for():
    ledger = Ledger()
    assert [ledger.add("a", Outcome(PASS), attempt=at, fresh=True) for at in (0, 1, 0)] == [1, 1, 0]
    assert ledger.recall("a") is None


def test_a_limit_of_seconds_leaves_time_for_the_steps_that_check() -> None:
    """The learning of a rule that never ends is cut at its share, and what it found is still checked."""
    now = iter(range(10**9))
    car = study(crashes, CAR, failing={"speed": 90, "gear": "D", "lights": True})
    state = DiagnosisState(car, Plan.of(car), seconds=20.0, clock=lambda: float(next(now)))
    with open_lab(state.subject, {}) as lab:
        found = lab.run(Conductor(state).search(), failing=state.failing, name="diagnose", about={})
    names = [step.name for step in found.steps]
    assert "verify" in names
    [rule] = [step for step in found.steps if step.name == "rule"][:1]
    assert not rule.complete


def test_a_limit_of_seconds_counts_as_the_trials_that_fit_into_it() -> None:
    now = [0.0]
    car = study(crashes, CAR, failing={"speed": 90, "gear": "D", "lights": True})
    state = DiagnosisState(car, Plan.of(car), seconds=20.0, clock=lambda: now[0])
    state.begin("verify")
    assert state.allowance == math.inf, "the speed is not known yet"
    state.count("a", Outcome(PASS), attempt=None, fresh=False, recalled=False)
    now[0] = 4.0
    assert state.allowance == 4.0
    state.begin("others")
    assert state.allowance == pytest.approx(1.6)
    now[0] = 30.0
    assert state.allowance == 0.0
