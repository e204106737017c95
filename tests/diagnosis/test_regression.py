"""The test that goes with a diagnosis: it fails now, passes once the fault is mended, and needs nothing else."""

import ast
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.handover.handover import Handover
from rootward.diagnosis.handover.regression import RegressionCase, cases, regression_test, run_test, slug
from rootward.diagnosis.handover.reproducer import Reproducer
from rootward.diagnosis.steps.reduce import alter, values_in
from rootward.explanation.diagnosis import Artifact, Diagnosis, Explanation, FailureCause
from rootward.rules import Atom, Estimate, Rule, Term
from rootward.searches.conditions.rule_finding import EdgePair
from rootward.space.candidate import Elements
from rootward.study import Study
from rootward.subjects.function import Function

from .samples import ALWAYS, FAILING, diagnosis, explanation, simple, study

FIELDS = '[fields]\nx = "float"\nname = { type = "choice", values = ["a b", "c"] }'
MESSAGES = "def check(messages):\n    assert not any('boom' in one.text for one in messages)\n"
NAN = {"x": float("nan"), "name": "a b"}


def made(it: Study, found: Diagnosis) -> Artifact:
    """The test, written with the reproducer that it uses, and run."""
    folder = it.path.absolute().parent / "out"
    folder.mkdir(exist_ok=True)
    test = regression_test(found, Handover(it, folder), cases(found), {})
    reproducer = Reproducer.of(found.explanations[0], Handover(it, folder))
    assert test is not None
    assert reproducer is not None
    for one in (test, *reproducer.artifacts):
        if one.name:
            (folder / one.name).write_bytes(one.content)
    return run_test(test, folder)


def test_it_fails_now_and_passes_once_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--numprocesses 4")  # that is for other tests
    it = study(tmp_path / "s", 'command = ["sh", "run.sh", "{config}"]', FIELDS, run__sh='! grep -q NaN "$1"')
    test = made(it, simple(it, NAN, Atom("name", "=", "a b")))
    assert test.name == "test_over_speed.py"
    assert test.checked == "fails now with 1 of 1 input"
    (tmp_path / "s" / "run.sh").write_text("")
    assert run_test(test, tmp_path / "s" / "out").checked == "does not fail now with its input"


def test_running_it_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    it = study(tmp_path / "s", 'command = ["sh", "run.sh", "{config}"]', FIELDS, run__sh='! grep -q NaN "$1"')
    assert made(it, simple(it, NAN, Atom("name", "=", "a b"))).checked == "fails now with 1 of 1 input"
    assert list(temporary.iterdir()) == []


def test_what_to_type_is_no_matter_of_this_machine(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["false", "{config}"]', FIELDS)
    test = regression_test(simple(it, NAN), Handover(it, tmp_path / "my reports"), cases(simple(it, NAN)), {})
    assert test is not None
    assert test.command == "pytest '../my reports/test_over_speed.py'"


@pytest.mark.rest
def test_the_study_may_be_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it = study(tmp_path / "s", 'command = ["false", "{config}"]', FIELDS)
    moved = it.path.rename(tmp_path / "moved.toml")
    it.path.touch()
    test = made(it, simple(it, NAN))
    assert test.checked.startswith("cannot be run: "), "an error is not that failure"
    monkeypatch.setenv("ROOTWARD_STUDY", str(moved))
    assert run_test(test, tmp_path / "s" / "out").checked == "fails now with 1 of 1 input"


@pytest.mark.rest
def test_a_file_is_beside_the_test(tmp_path: Path) -> None:
    it = study(
        tmp_path / "s",
        """command = ["sh", "-c", '! grep -q b "$1"', "run", "{file}"]""",
        '[elements]\nfile = "input.json"',
        input__json='["a",\n"b",\n"c"]\n',
    )
    assert it.elements is not None
    test = made(it, simple(it, Elements(it.elements).pick([1])))
    assert test.checked == "fails now with 1 of 1 input"
    (tmp_path / "s" / "input.json").write_text('["x"]')
    assert run_test(test, tmp_path / "s" / "out").checked == "fails now with 1 of 1 input", "the original may change"


def test_messages_for_a_function(tmp_path: Path) -> None:
    files = {"log__jsonl": '{"t": 0, "what": "boom"}\n{"t": 1, "what": "b"}\n', "station_heard__py": MESSAGES}
    elements = '[elements]\nfile = "log.jsonl"\nby = "messages"'
    it = study(tmp_path / "s", 'function = "station_heard:check"', elements, **files)
    assert it.elements is not None
    assert made(it, simple(it, Elements(it.elements).pick([0]))).checked == "fails now with 1 of 1 input"


def test_each_case_has_only_the_values_that_differ(tmp_path: Path) -> None:
    """Whole inputs, six times the same world in bytes, would hide the one number that matters."""
    text = '{"t": 0, "op": "noop"}\n{"t": 1, "op": "go", "speed": 70, "mode": 1}\n'
    elements = '[elements]\nfile = "log.jsonl"\nby = "messages"'
    check = "def check(messages):\n    assert not any('70' in one.text or '51' in one.text for one in messages)\n"
    it = study(tmp_path / "s", 'function = "station_few:check"', elements, log__jsonl=text, station_few__py=check)
    assert it.elements is not None
    kept = Elements(it.elements).pick([1])
    inner = values_in(it.elements, kept, None)
    assert inner is not None
    values = [{**inner.failing, "M0.speed": speed} for speed in (51, 50)]
    border = (EdgePair(*values),)
    rule = Rule.of_terms([Term.of([Atom("M0.speed", ">", 50)])])
    cause = FailureCause(rule, inner.failing, border=border)
    told = Explanation(failing=kept, causes=(cause,), rate=ALWAYS, show=partial(alter, inner, kept))
    test = made(it, Diagnosis(study=it.name, explanations=(told,)))
    assert '"smallest": {},' in test.text
    assert '"cause-1-border-1": {"M0.speed": 51},' in test.text
    assert '"beside-cause-1-1": {"M0.speed": 50},' in test.text
    assert "mode" not in test.text, "the rest is in the file"
    assert test.checked == "fails now with 2 of 2 inputs; 1 of 1 neighbouring inputs pass"


def test_a_configuration_is_written_once(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["sh", "run.sh", "{config}"]', FIELDS, run__sh="")
    failing = {"x": 1.5, "name": "a b"}
    border = (EdgePair({**failing, "x": 1.0}, {**failing, "x": 0.5}),)
    cause = FailureCause(Rule.of_terms([Term.of([Atom("x", ">=", 1.0)])]), failing, border=border)
    found = Diagnosis(study="x", explanations=(Explanation(failing=failing, causes=(cause,), rate=ALWAYS),))
    test = regression_test(found, Handover(it, tmp_path), cases(found), {})
    assert test is not None
    assert 'INPUT = {"x": 1.5, "name": "a b"}\n' in test.text
    assert '    "smallest": {},\n    "cause-1-border-1": {"x": 1.0},\n' in test.text
    assert '    "beside-cause-1-1": {"x": 0.5},\n' in test.text


def fails_here(_: object) -> None:
    raise ValueError


@pytest.mark.rest
def test_without_a_study_file(tmp_path: Path) -> None:
    it = Study("it", tmp_path / "none.toml", Function(fails_here, timeout=240))
    assert made(it, simple(it, NAN)).checked == "fails now with 1 of 1 input"


def test_a_command_without_a_study_file(tmp_path: Path) -> None:
    it = Study("it", tmp_path / "none.toml", rw.Command(["test", "{name}", "=", "c"], env={"A": "{name}"}, timeout=9))
    test = regression_test(simple(it, NAN), Handover(it, tmp_path), cases(simple(it, NAN)), {})
    assert test is not None
    assert 'rw.Command(["test", "{name}", "=", "c"], timeout=9, env={"A": "{name}"})' in test.text
    it = Study("it", tmp_path / "none.toml", Function(lambda _: None))
    assert "cannot be imported: define it" in made(it, simple(it, NAN)).checked


def test_a_rare_failure_is_run_often(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["false", "{seed}", "{config}"]', FIELDS)
    found = simple(it, NAN, rate=Estimate(0.5, 0.3, 0.7))
    test = regression_test(found, Handover(it, tmp_path), cases(found), {})
    assert test is not None
    assert "RUNS = 13\n" in test.text


def test_nothing_to_test(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["false", "{config}"]', FIELDS)
    for found in (Diagnosis(), Diagnosis(explanations=(Explanation(),))):
        assert regression_test(found, Handover(it, tmp_path), cases(found), {}) is None


def test_cases_lie_on_both_sides_of_the_border() -> None:
    found = cases(diagnosis())
    assert found[0] == RegressionCase("smallest", FAILING, True, 1)
    rule = diagnosis().rule
    assert {case.fails for case in found} == {True, False}
    assert all(rule.holds(case.candidate) is case.fails for case in found)
    assert len({case.name for case in found}) == len(found)
    assert {len(case.candidate) for case in found} == {3}, "with the fields that do not matter"


def test_cases_of_what_lies_inside_of_elements() -> None:
    one = Elements("abc").pick([1])
    inside = explanation(failing=one, show=lambda configuration: [configuration["speed"]])
    found = cases(Diagnosis(explanations=(inside,), steps=diagnosis().steps))
    assert found[0].candidate == one
    assert [120] in [case.candidate for case in found[1:]]


@given(st.text(), st.dictionaries(st.text(), st.text() | st.floats() | st.binary()), st.text())
def test_hostile_texts_stay_texts(name: str, failing: dict[str, Any], signature: str) -> None:
    it = Study(name, Path("none.toml"), rw.Command(["x", "{config}"]))
    found = simple(it, failing, Atom(name, "=", signature), signature=signature)
    test = regression_test(found, Handover(it, Path("out")), cases(found), {})
    assert test is not None
    usual = regression_test(simple(it, {}), Handover(it, Path("out")), cases(simple(it, {})), {})
    assert usual is not None
    assert [type(one) for one in ast.parse(test.text).body] == [type(one) for one in ast.parse(usual.text).body]
    assert test.name.isascii()
    assert slug(name).isidentifier() or slug(name)[0].isdigit()


def test_the_written_test_is_tidy(tmp_path: Path) -> None:
    """As a linter sees it: whoever gets it puts it among other tests."""
    ruff = Path(sys.executable).with_name("ruff")
    if not ruff.exists():
        pytest.skip("ruff is not installed")
    it = study(tmp_path / "s", 'command = ["false", "{config}"]', FIELDS)
    found = Diagnosis(study="x", explanations=(explanation(),), steps=diagnosis().steps)
    test = regression_test(found, Handover(it, tmp_path / "s"), cases(found), {})
    assert test is not None
    (tmp_path / test.name).write_bytes(test.content)
    rules = ["--isolated", "--select=E,F,I,B,UP", "--line-length=120"]
    done = subprocess.run([ruff, "check", *rules, test.name], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert json.dumps(os.fspath(tmp_path)) not in test.text
