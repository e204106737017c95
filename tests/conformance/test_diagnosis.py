"""A diagnosis is one search, however many it is made of: it obeys the laws of the lab."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rootward.diagnosis.state import subject_of
from rootward.explanation.diagnosis import Diagnosis, Explanation
from rootward.search.finding import Finding
from rootward.space.candidate import Selection, realise
from rootward.subjects.function import Function
from rootward.verdict import FAIL, Outcome
from tests.properties import few

from . import laws
from .diagnosis_cases import CHARACTERS
from .laws import Case, Fails, Pools


def case_of(name: str) -> Case:
    character = CHARACTERS[name]
    subject = subject_of(character.study)

    def run(candidate: Any) -> Outcome:
        return subject.run(candidate, seed=0, place=Path())

    def check(found: Finding, fails: Fails) -> None:
        assert isinstance(found, Diagnosis)
        json.dumps(found.to_dict(), allow_nan=False)
        assert str(found)
        assert found.complete or not found.certain
        for number, explanation in enumerate(found.explanations):
            _supported(explanation)
            shows = fails if character.given and number == 0 else partial(_shows, run, explanation.signature)
            assert all(shows(realise(explanation.show(cause.example))) for cause in explanation.causes)
            assert explanation.failing is None or shows(realise(explanation.failing))

    function = subject.function if isinstance(subject, Function) else run
    return Case(name, character.search, character.candidate, function, check, given=character.given)


def _shows(run: Callable[[Any], Outcome], signature: str | None, one: Any) -> bool:
    outcome = run(one)
    return outcome.verdict is FAIL and outcome.signature == signature


def _supported(explanation: Explanation) -> None:
    """What it says agrees with itself."""
    assert explanation.reduction is None or explanation.failing == explanation.reduction.selection
    assert explanation.reduction is None or isinstance(explanation.failing, Selection)
    for cause in explanation.causes:
        assert cause.rule.holds(cause.example)
        assert 0 <= cause.fails <= cause.runs
    assert not (explanation.certain and (explanation.unknown or any(cause.open for cause in explanation.causes)))


CASES = {name: case_of(name) for name in CHARACTERS}


def some(*names: str) -> pytest.MarkDecorator:
    """Try a law on these; in `./dev test` on the first alone."""
    return pytest.mark.parametrize("case", few(1, [CASES[name] for name in names]), ids=str)


@pytest.fixture(scope="session")
def pools() -> Iterator[Pools]:
    with ThreadPoolExecutor(2) as two, ThreadPoolExecutor(8) as eight:
        yield {2: two, 8: eight}


@pytest.fixture(autouse=True)
def _fewer_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagnosis takes more runs than a single search, and budgets have tests of their own."""
    monkeypatch.setattr(laws, "STOPS", 3)


@some("few fields", *(name for name in CASES if name != "few fields"))
def test_width_changes_nothing(case: Case, pools: Pools) -> None:
    laws.width_changes_nothing(case, pools)


@some("among others", *(name for name in CASES if name != "among others"))
def test_every_best_is_valid(case: Case) -> None:
    laws.every_best_is_valid(case)


@some("a table", "messages", "flaky", "nothing known", "among others")
def test_resumed_after_any_stop(case: Case, tmp_path: Path) -> None:
    laws.resumed_after_any_stop(case, tmp_path)


@some("lines", "many fields", "among others")
def test_every_budget_gives_a_valid_finding_whatever_the_width(case: Case, pools: Pools) -> None:
    laws.every_budget_gives_a_valid_finding_whatever_the_width(case, pools)


@some("two causes", "lines", "a table")
def test_an_interruption_at_any_run_gives_a_valid_finding(case: Case, pools: Pools) -> None:
    laws.an_interruption_at_any_run_gives_a_valid_finding(case, pools)


@some("lines")
def test_odd_answers_are_tolerated(case: Case, pools: Pools) -> None:
    laws.odd_answers_are_tolerated(case, pools)


@some("lines", "flaky", "messages")
def test_replay_runs_nothing(case: Case, pools: Pools, tmp_path: Path) -> None:
    laws.replay_runs_nothing(case, pools, tmp_path)


@some("lines")
def test_resumed_in_parallel(case: Case, pools: Pools, tmp_path: Path) -> None:
    laws.resumed_in_parallel(case, pools, tmp_path)


@some("lines")
def test_worker_processes_change_nothing(case: Case) -> None:
    laws.worker_processes_change_nothing(case)
