"""The corpus of real files, and how executions of reducers are counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from files import corpus, measure, results
from files.corpus import Case
from files.measure import Measured
from real.environments import NPM

ALL = corpus.cases()
EASY = corpus.cases(["python-lib2to3"])[0]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case_has_the_documented_format(case: Case) -> None:
    assert case.property
    assert case.source
    assert case.licence
    assert case.size > 4000
    assert case.judge.is_file()
    assert all("==" in pin or pin.startswith(NPM) for pin in case.packages)
    assert f"| {case.half}/{case.name} |" in (corpus.HERE / "README.md").read_text()


def test_both_halves_have_cases_of_many_kinds() -> None:
    halves = [case.half for case in ALL]
    assert min(halves.count(half) for half in corpus.HALVES) >= 12
    assert len({case.kind for case in ALL}) >= 12
    assert len({case.name for case in ALL}) == len(ALL)


@pytest.mark.parametrize("case", [case for case in ALL if not case.packages], ids=lambda case: case.name)
def test_property_holds_of_the_input_but_not_of_an_empty_one(case: Case, tmp_path: Path) -> None:
    if case.missing:
        pytest.skip(case.missing)
    assert measure.judge_once(case, case.input) not in measure.PASSING
    empty = tmp_path / case.input.name
    if case.input.is_dir():
        empty.mkdir()
    else:
        empty.touch()
    assert measure.judge_once(case, empty) in measure.PASSING


def test_executions_are_counted() -> None:
    found = measure.measure(EASY, "ddmin", executions=40, seconds=60)
    assert found is not None
    assert found.steps[0] == (1, EASY.size)
    assert 1 < found.executions <= 40
    assert found.final is not None
    assert found.final < EASY.size
    assert found.bytes_after(1) == EASY.size
    assert found.executions_to(found.final) == found.steps[-1][0]


def test_results_are_kept_until_a_limit_is_raised(tmp_path: Path) -> None:
    path, limits = tmp_path / "results.jsonl", results.Limits(100, 10.0)
    done = Measured("case", "tool", [(1, 50), (7, 20)], 30, 10.0, "seconds")
    results.Results(path).put(done, {"version": "1.0"}, limits)
    kept = results.Results(path)
    assert kept.get("tool", "case", {"version": "1.0"}, limits) == done
    assert kept.get("tool", "case", {"version": None}, limits) == done
    assert kept.get("tool", "case", {"version": "1.1"}, limits) is None
    assert kept.get("tool", "case", {"version": "1.0"}, results.Limits(100, 20.0)) is None
    assert kept.get("tool", "case", {"version": "1.0"}, results.Limits(200, 10.0)) == done
    assert kept.get("tool", "other", {"version": "1.0"}, limits) is None
