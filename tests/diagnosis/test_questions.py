"""Between a step and the lab: other failures do not end a question, what is explained is not run, each run is counted
once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.plan import Plan
from rootward.diagnosis.questions import EXPLAINED, StepView, ask
from rootward.diagnosis.state import DiagnosisState
from rootward.report.sentences.diagnosis import sentences
from rootward.rules import Atom, Rule
from rootward.search.ask import Ask
from rootward.search.repeat import Repeat
from rootward.study import Study
from rootward.subjects.function import as_subject
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome, Verdict

SPACE = rw.Space({"x": rw.Int(0, 20)})
MINE, STRANGE = Outcome(FAIL, "mine"), Outcome(FAIL, "strange")
OUTCOMES = [MINE, STRANGE, Outcome(PASS), Outcome(UNRESOLVED)]


def begun() -> DiagnosisState:
    study = Study("x", Path("x.toml"), as_subject(rw.fails_when(bool), isolate=False), SPACE, {"x": 1})
    made = DiagnosisState(study, Plan.of(study))
    made.begin("rule")
    return made


def answered(asking: Any, told: Sequence[Outcome], asked: list[int]) -> list[Outcome | None]:
    """Drive it as the lab does: a question ends at the first outcome that is what it waits for."""
    answers: list[Outcome | None] | None = None
    while True:
        try:
            question = asking.send(answers)
        except StopIteration as end:
            return end.value
        answers = list(_until(question, told, asked))
        answers += [None] * (len(question.candidates) - len(answers))


def _until(question: Ask[Any], told: Sequence[Outcome], asked: list[int]) -> Iterator[Outcome]:
    candidate: Any
    for candidate in question.candidates:
        asked.append(candidate["x"])
        yield told[candidate["x"]]
        if told[candidate["x"]].verdict is question.until:
            return


@given(st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=12), st.sampled_from([None, FAIL, PASS]))
def test_a_question_ends_at_what_it_waits_for_and_at_nothing_else(told: list[Outcome], until: Verdict | None) -> None:
    view = StepView(reference=MINE)
    wanted = [view.judge(one) for one in told]
    if until is not None and any(one.verdict is until for one in wanted):
        last = next(i for i, one in enumerate(wanted) if one.verdict is until)
        wanted = wanted[: last + 1]
    made, asked = begun(), list[int]()
    question = Ask([{"x": i} for i in range(len(told))], until=until)
    answers = answered(ask(made, question, view), told, asked)
    assert answers == [*wanted, *[None] * (len(told) - len(wanted))]
    assert asked == list(range(len(wanted))), "each once, and nothing after the end"
    made.end([])
    assert made.spent == made.steps[-1].trials == len(wanted)


@given(st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=12), st.integers(0, 12))
def test_what_is_explained_is_not_run(told: list[Outcome], bound: int) -> None:
    made, asked = begun(), list[int]()
    view = StepView(reference=MINE, explained=Rule([[Atom("x", ">=", bound)]]))
    answers = answered(ask(made, Ask([{"x": i} for i in range(len(told))]), view), told, asked)
    assert asked == list(range(min(bound, len(told))))
    assert answers[bound:] == [EXPLAINED] * len(told[bound:])


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (MINE, FAIL),
        (Outcome(OTHER, "mine"), FAIL),
        (STRANGE, OTHER),
        (Outcome(FAIL), OTHER),
        (Outcome(OTHER), OTHER),
        (Outcome(PASS, "mine"), PASS),
        (Outcome(UNRESOLVED), UNRESOLVED),
    ],
)
def test_the_failure_that_is_explained_is_told_from_others(outcome: Outcome, verdict: Verdict) -> None:
    assert StepView(reference=MINE).judge(outcome).verdict is verdict
    assert StepView().judge(outcome) == outcome


@pytest.mark.parametrize("other", [PASS, OTHER, UNRESOLVED])
def test_several_runs_decide_on_the_failure_that_is_explained(other: Verdict) -> None:
    """Though the lab takes it for another one than that which it was given."""
    view = StepView(reference=STRANGE, other=other)
    policy = view.policy_for(Repeat.k_of_n(1, 3))
    assert policy.limit == 3
    shown = policy.decide([Outcome(PASS), Outcome(OTHER, "strange")])
    assert shown is not None
    assert (view.judge(shown).verdict, shown.votes) == (FAIL, (PASS, FAIL))
    assert policy.decide([MINE, Outcome(PASS)]) is None
    hidden = policy.decide([MINE, MINE, MINE])
    assert hidden is not None
    assert view.judge(hidden).verdict is other
    assert StepView().policy_for(policy) is policy


def test_a_trial_belongs_to_the_step_that_was_the_first_to_need_it() -> None:
    made, told = begun(), [Outcome(PASS)] * 9
    answered(ask(made, Ask([{"x": 1}, {"x": 2}]), StepView()), told, [])
    made.end([])
    made.begin("verify")
    answered(ask(made, Ask([{"x": 2}, {"x": 3}]), StepView()), told, [])
    answered(ask(made, Ask([{"x": 3}], fresh=True), StepView()), told, [])
    made.end([])
    assert [step.trials for step in made.steps] == [2, 2]
    assert made.spent == 4


def test_other_failures_are_named_unless_they_are_explained() -> None:
    made = begun()
    answered(ask(made, Ask([{"x": 0}, {"x": 1}]), StepView(reference=MINE)), [STRANGE, STRANGE], [])
    made.end([])
    assert sentences(made.diagnosis.notes) == [
        "2 runs failed in another way, which is not explained: strange.",
        "To explain one of these, give an input that fails in that way as the failing input.",
    ]


def test_the_trials_of_the_steps_are_those_of_the_diagnosis() -> None:
    """But for the first one, with which the lab sees for itself that it fails."""
    subject = rw.fails_when(lambda one: one["x"] > 7)
    study = Study("x", Path("x.toml"), as_subject(subject, isolate=False), SPACE, {"x": 9})
    found = rw.diagnose(study)
    assert sum(step.trials for step in found.steps) == found.trials - 1
    assert len(frozenset().union(*(step.keys for step in found.steps))) == sum(len(step.keys) for step in found.steps)
