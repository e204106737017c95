"""The corpus of real failures: the format of its cases, the truth of those that need no package, and the judgement."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from real import environments, workers
from real.corpus import DESIGN, HELD_OUT, KINDS, MAX_CHECKED, Case, Software, cases, check
from real.judgement import judge, relevant_fields
from real.points import MAX_WHOLE, both_sides, grid

import rootward as rw
from rootward.verdict import FAIL, PASS, UNRESOLVED

ALL = cases()
OWN = [case for case in ALL if not case.all_pins]
QUICK_RUNS = 150


def named(name: str) -> Case:
    return cases([name])[0]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case_has_the_documented_format(case: Case) -> None:
    truth = case.truth
    assert truth.__doc__
    assert truth.SOURCE
    assert truth.CONDITION
    assert truth.KIND in KINDS
    assert all("==" in pin or "@" in pin.removeprefix(environments.NPM) for pins in case.all_pins for pin in pins)
    assert (case.folder / "fail.py").is_file() != (case.folder / "fail.js").is_file()
    assert case.loaded.name
    assert case.failing.keys() == set(case.space.names)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_predicate_is_true_for_the_failing_input_and_false_elsewhere(case: Case) -> None:
    assert case.fails(case.failing)
    assert any(not case.fails(point) for point in case.points)
    assert any(case.fails(point) for point in case.points)
    assert case.is_whole == (case.space.size <= MAX_WHOLE), "the points of a small space must be the whole space"


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_python_itself_does_what_the_predicate_says(case: Case) -> None:
    if case.skipped:
        pytest.skip(case.skipped)
    done = check(case, QUICK_RUNS)
    assert not done.wrong
    assert len(done.seen) > 1


def test_both_halves_have_cases_and_only_the_name_decides() -> None:
    halves = {case.half for case in ALL}
    assert halves == {DESIGN, HELD_OUT}
    moved = Case(ALL[0].name, Path("elsewhere"))
    assert moved.half == ALL[0].half


def test_check_reports_a_wrong_predicate(monkeypatch: pytest.MonkeyPatch) -> None:
    case = named("cpython_int_digits")
    monkeypatch.setattr(case.truth, "fails", lambda config: config["digits"] > 5000)
    assert check(case, QUICK_RUNS).wrong


def write_case(folder: Path, fail: str, fields: str = 'x = { type = "int", lo = 0, hi = 9 }\n', more: str = "") -> Case:
    folder.mkdir(exist_ok=True)
    head = f'[subject]\ncommand = ["python", "fail.py", "{{config}}"]\n{more}'
    (folder / "study.toml").write_text(f"{head}\n[fields]\n{fields}\n[failing]\nx = 9\n")
    (folder / "fail.py").write_text(fail)
    (folder / "truth.py").write_text(
        '"""A case."""\nSOURCE = "none"\nPACKAGES = []\nKIND = "values"\nCONDITION = "x > 5"\n'
        "def fails(config): return config['x'] > 5\n"
        "def points(rng): return [{'x': x} for x in range(10)]\n"
    )
    return Case(folder.name, folder)


def test_outcomes_are_those_of_a_command(tmp_path: Path) -> None:
    fail = (
        "import os, sys\n"
        "def run(config):\n"
        "    print('output')\n"
        "    x = config['x']\n"
        "    if x == 1: raise ValueError('one')\n"
        "    if x == 2: sys.exit(3)\n"
        "    if x == 3: sys.exit(125)\n"
        "    if x == 4: os.abort()\n"
        "    if x == 5: sys.exit(0)\n"
    )
    software = Software(write_case(tmp_path, fail))
    outcomes = {x: software({"x": x}) for x in range(7)}
    assert [outcomes[x].verdict for x in range(7)] == [PASS, FAIL, FAIL, UNRESOLVED, FAIL, PASS, PASS]
    assert outcomes[1].signature == "ValueError"
    assert outcomes[1].detail == "ValueError: one"
    assert outcomes[2].signature == "exit code 3"
    assert outcomes[4].signature == "SIGABRT"


def test_a_trial_that_takes_too_long_times_out_and_the_next_one_runs(tmp_path: Path) -> None:
    fail = "import time\ndef run(config):\n    while config['x'] == 1: time.sleep(1)\n"
    software = Software(write_case(tmp_path, fail, more="timeout = 3\n"))
    assert software({"x": 1}).signature == "timeout"
    assert software({"x": 2}).verdict is PASS


def test_the_case_runs_without_the_packages_of_the_benchmark(tmp_path: Path) -> None:
    assert Software(write_case(tmp_path, "def run(config): import rootward\n"))({"x": 1}).signature == (
        "ModuleNotFoundError"
    )


def test_a_missing_environment_or_another_python_is_a_reason_to_skip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environments, "DEFAULT", tmp_path)
    case = write_case(tmp_path / "one", "def run(config): pass\n")
    assert case.skipped == ""
    case.truth.PACKAGES = ["nothing==1.0"]
    assert "nothing==1.0" in case.skipped
    case.truth.PACKAGES = []
    case.truth.PYTHON = ((3, 0), (3, 1))
    assert "3.0" in case.skipped


def test_environments_are_named_after_their_pins() -> None:
    one, other = environments.name_of(["b==2", "a==1"]), environments.name_of(["a==1", "b==2"])
    assert one == other
    assert one.endswith("a-1+b-2")
    assert len(environments.name_of([f"package{i}==1.0" for i in range(50)])) < environments.MAX_NAME


class Model:
    """Predicts by a function, like the model of a peer."""

    def __init__(self, holds: Any) -> None:
        self.holds = holds

    def holds_many(self, configurations: Sequence[Mapping[str, Any]]) -> Any:
        return np.array([self.holds(one) for one in configurations])


def test_judgement_counts_every_point() -> None:
    case = named("cpython_difflib_autojunk")
    true = judge(case, Model(case.fails), True)
    assert true.true
    assert (true.accuracy, true.precision, true.recall) == (1, 1, 1)
    near = judge(case, Model(lambda one: case.fails(one) and one != case.failing), True)
    assert not near.true
    assert near.counterexample == case.failing
    assert near.precision == 1 > near.recall > 0.99


def test_a_rule_is_judged_at_its_own_border_too(monkeypatch: pytest.MonkeyPatch) -> None:
    case = named("cpython_int_digits")
    space, base = case.space, {"base": 10, "sign": "", "underscores": False}
    monkeypatch.setitem(case.__dict__, "points", [{**base, "digits": digits} for digits in (1, 2, 19999, 20000)])
    wrong = rw.rule(space, lambda one: FAIL if one["digits"] > 7000 else PASS, {**base, "digits": 20000}).rule
    found = judge(case, wrong, True)
    assert found.accuracy == 1
    assert not found.true


def test_one_condition_belongs_to_one_failure() -> None:
    case = named("toml_round_trip")
    both = Model(lambda one: bool(case.fails(one)))
    assert not judge(case, both, "IndexError").true
    assert judge(case, Model(lambda one: case.fails(one) == "IndexError"), "IndexError").true


def test_a_failure_that_never_occurs_has_no_true_condition() -> None:
    case = named("toml_round_trip")
    found = judge(case, Model(lambda one: one["code"] == 7), "KeyError")
    assert not found.true
    assert found.counterexample is not None
    assert found.counterexample["code"] == 7


def test_a_second_failure_is_judged_at_the_border_of_its_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    case = named("xlsxwriter_string")
    monkeypatch.setitem(case.__dict__, "points", [{**case.failing, "row": row} for row in (10, 2000000)])
    found = judge(case, rw.Rule([[rw.Atom("row", ">=", 1500000)]]), "OutOfRange")
    assert found.accuracy == 1
    assert not found.true


def test_relevant_fields_are_those_that_make_a_difference() -> None:
    assert relevant_fields(named("cpython_int_digits"), True) == {"digits", "base"}


def test_both_sides_are_neighbours_with_different_verdicts() -> None:
    points = grid(x=range(0, 1000, 100), y=(1, 2), on=(False, True))
    found = both_sides(lambda one: one["x"] > 345 and one["on"], points, random.Random(0), 200)
    assert {345, 346} <= {one["x"] for one in found}
    assert len(found) == 200


def test_workers_are_shared_by_the_cases_of_an_environment() -> None:
    assert workers.worker("py", None) is workers.worker("py", None)


def test_the_check_is_limited() -> None:
    case = named("cpython_strftime_year")
    assert len(case.points) > MAX_CHECKED
    if not case.skipped:
        assert check(case, 50).runs == 51
