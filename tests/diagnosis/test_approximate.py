"""The answer where no simple condition is known, or where the budget ends before one is."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest

import rootward as rw
from rootward.diagnosis.claim import Claim, UnsteadyFailure
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.questions import StepView
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps import approximate
from rootward.diagnosis.steps.approximate import _find_weakest_place, _fit_inputs
from rootward.explanation.facts import Check, Contradicted, Gap, NoSimpleCondition, NotMeasured
from rootward.report.sentences.diagnosis import sentences
from rootward.rules import Atom, Rule, Score
from tests.diagnosis.cars import study

SPACE = rw.Space({"a": rw.Int(0, 500), "b": rw.Int(0, 500)})
LOW, HIGH = Rule([[Atom("a", "<", 10)]]), Rule([[Atom("b", ">", 400)]])


def scattered(one: dict[str, Any]) -> bool:
    return one["a"] > 100 and zlib.crc32(f"{one['a']},{one['b']}".encode()) % 5 < 2


FAILING = next(one for one in ({"a": a, "b": 7} for a in range(101, 500)) if scattered(one))


def test_a_rule_holds_for_the_failing_input_and_not_for_the_nominal_one() -> None:
    failing, nominal = {"a": 300, "b": 450}, {"a": 3, "b": 3}
    assert _fit_inputs([LOW], failing, [nominal]) == []
    assert _fit_inputs([LOW], failing, []) == [], "no alternative covers the failing input"
    assert _fit_inputs([LOW, HIGH], failing, [{"a": 50, "b": 3}]) == [HIGH, Rule.of_terms([*LOW.terms, *HIGH.terms])]


@pytest.mark.parametrize(
    ("score", "better"),
    [
        (Score(60, 0, 0, 0), False),
        (Score(0, 0, 0, 60), False),
        (Score(0, 0, 0, 0), False),
        (Score(1, 0, 0, 59), False),
        (Score(40, 15, 4, 1), False),
        (Score(20, 2, 2, 36), True),
    ],
    ids=["all fail", "none fails", "no runs", "one fails", "as good as always", "good"],
)
def test_a_rule_must_beat_the_answer_that_it_always_fails(score: Score, better: bool) -> None:
    assert Check(score=score).beats_chance is better


def test_the_place_that_is_wrong_most_often_is_told_only_if_it_is_no_chance() -> None:
    claim, rule = Claim(SPACE, view=StepView()), Rule([[Atom("a", ">", 100)]])
    claim.failing = {"a": 200, "b": 0}
    rng = np.random.default_rng(0)
    runs = [{"a": int(a), "b": int(b)} for a, b in rng.integers(0, 501, size=(120, 2))]
    by_chance = [("directed", one, rule.holds(one) is not (i % 40 == 0)) for i, one in enumerate(runs)]
    assert _find_weakest_place(claim, rule, by_chance) == []
    above = [("directed", one, 100 < one["a"] < 400) for one in runs]
    [place] = _find_weakest_place(claim, rule, above)
    assert place.wrong == place.runs > 5  # type: ignore[attr-defined]
    of_b = [("directed", one, rule.holds(one) and one["b"] < 250) for one in runs]
    assert all(set(one.place.fields) == {"a"} for one in _find_weakest_place(claim, rule, of_b))  # type: ignore[attr-defined]


def test_it_is_said_how_many_random_inputs_fail() -> None:
    told = [NoSimpleCondition(("a",), random) for random in ((60, 60), (0, 60), (7, 60), (6, 6))]
    none = "No simple condition explains it. It depends on a."
    assert sentences(told) == [
        f"{none} Nearly all inputs fail: 60 of 60 random ones.",
        f"{none} Few inputs fail: none of 60 random ones.",
        f"{none} 7 of 60 random inputs failed.",
        f"{none} 6 of 6 random inputs failed.",
    ]
    assert sentences([NoSimpleCondition((), searched=False), NotMeasured(1, 20)]) == [
        "No condition is known that agrees with all runs.",
        "Its accuracy was not measured: the budget ended before that. 1 of all 20 runs contradicts it.",
    ]


@pytest.mark.parametrize("budget", [60, 150, 300])
def test_a_condition_that_runs_contradict_is_not_told_when_the_budget_ends(budget: int) -> None:
    found = rw.diagnose(study(rw.fails_when(scattered), SPACE, failing=FAILING), budget=budget)
    [one] = found.explanations
    assert not any(isinstance(fact, Contradicted) for fact in one.unknown)
    assert "other cases" not in one.headline()
    assert sum(step.name == "rule" and not step.trials for step in found.steps) <= 1
    if one.approximate and one.causes:
        assert one.check is not None or any(isinstance(fact, NotMeasured) for fact in one.unknown)
        assert one.rule.holds(FAILING)


def test_a_failure_that_stays_unsteady_is_approximated(monkeypatch: pytest.MonkeyPatch) -> None:
    def waver(*_: Any) -> Any:
        raise UnsteadyFailure
        yield

    monkeypatch.setattr(approximate, "repeat_suspicious", waver)
    found = rw.diagnose(study(rw.fails_when(scattered), SPACE, failing=FAILING))
    [one] = found.explanations
    assert one.approximate
    assert Gap.UNSTEADY in one.unknown
    assert not any(isinstance(fact, Contradicted) for fact in one.unknown)


def test_part_of_the_budget_is_held_back() -> None:
    known = study(rw.fails_when(scattered), SPACE, failing=FAILING)
    limited, free = (DiagnosisState(known, Plan.of(known), budget=budget) for budget in (100, None))
    for state, before, held in ((limited, 100, 50), (free, float("inf"), float("inf"))):
        state.begin("verify")
        assert state.allowance == before
        state.hold_back(180)
        assert state.allowance == held
        state.hold_back(180)
        assert state.allowance == held, "it is held back once"
        state.release()
        assert state.allowance == before
    late = DiagnosisState(known, Plan.of(known), seconds=10, clock=lambda: 0.0)
    late.begin("verify")
    late.hold_back(180)
    assert late.time_allowance == 5
