"""What a command reports beside its verdict, which failures are the same, and files made of the parts of a document."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.formats.documents.registry import open_document
from rootward.formats.parameters import parameters
from rootward.space.candidate import Altered
from rootward.verdict import FAIL, OTHER, PASS

Once = Callable[..., rw.Outcome]
DRIVE = """
import json, sys
kept = json.load(open(sys.argv[1]))
print("noise")
x = 3.0 if "rock" in kept else 8.0
print(json.dumps({"measures": {"x": x + 0.01 * len(kept), "note": "text", "yes": True, "n": 4}, "status": "fail"}))
sys.exit(1)
"""


def says(**printed: Any) -> rw.Command:
    code = f"print('''{json.dumps(printed)}''')"
    return rw.Command([sys.executable, "-c", code, "{config}"], measures="$.measures", verdict="$.status")


# Measures


def test_numbers_are_measures_and_nothing_else_is(once: Once) -> None:
    told = {"x": 1.5, "n": 3, "text": "1", "none": None, "yes": True, "list": [1]}
    outcome = once(says(status="fail", measures=told))
    assert outcome.verdict is FAIL
    assert outcome.measures == {"x": 1.5, "n": 3.0}


@pytest.mark.parametrize("verdict", [PASS, OTHER])
def test_runs_that_do_not_fail_report_too(once: Once, verdict: rw.Verdict) -> None:
    outcome = once(says(status=verdict.value, measures={"x": 2}))
    assert (outcome.verdict, outcome.measures) == (verdict, {"x": 2.0})


@pytest.mark.parametrize("printed", [{}, {"measures": None}, {"measures": 3}, {"measures": [1]}])
def test_no_measures_are_none(once: Once, printed: dict[str, Any]) -> None:
    assert once(says(status="fail", **printed)).measures == {}


def test_a_pass_by_exit_code_with_measures(once: Once) -> None:
    command = rw.Command(["sh", "-c", 'echo \'{"m": {"time": 4.5}}\'', "{config}"], measures="$.m")
    assert once(command).measures == {"time": 4.5}


@pytest.mark.parametrize("path", ["measures", "$.", "$[", "x.y"])
def test_a_path_that_is_none(path: str) -> None:
    with pytest.raises(rw.InputError, match=r"a path such as|is not a path such as"):
        rw.Command(["x", "{config}"], measures=path)


# Tolerance


def failing(signature: str | None = None, **measures: float) -> rw.Outcome:
    return rw.Outcome(FAIL, signature=signature, measures=measures)


def test_failures_are_alike_within_their_tolerance() -> None:
    command = rw.Command(["x", "{config}"], measures="$", tolerance={"x": 0.5, "time": 2})
    reference = failing("stuck", x=1.0, time=10.0, y=3.0)
    assert command.alike(failing("stuck", x=1.5, time=12.0, y=99.0), reference)
    assert not command.alike(failing("stuck", x=1.6, time=10.0), reference)
    assert not command.alike(failing("stuck", x=1.0, time=7.9), reference)
    assert not command.alike(failing("crash", x=1.0, time=10.0), reference)
    assert not command.alike(failing("stuck", x=1.0), reference), "a measure that is missing is not near"


def test_without_tolerance_the_signature_decides() -> None:
    command = rw.Command(["x", "{config}"])
    assert command.alike(failing("a", x=1), failing("a", x=2))
    assert not command.alike(failing("a"), failing("b"))


def test_a_tolerance_needs_measures() -> None:
    with pytest.raises(rw.InputError, match="tolerance needs measures: give the path"):
        rw.Command(["x", "{config}"], tolerance={"x": 1.0})


def test_a_failure_elsewhere_is_another_one(tmp_path: Path) -> None:
    """It always fails with the same exit code; without the rock it does so at another place."""
    (tmp_path / "drive.py").write_text(DRIVE)
    command = rw.Command(
        [sys.executable, str(tmp_path / "drive.py"), "{config}"], measures="$.measures", tolerance={"x": 0.3}
    )
    found = rw.reduce(["tree", "rock", "hut", "pond"], command)
    assert found.kept == ["rock"]
    with pytest.raises(rw.SubjectError, match="fails in the same way on an empty input"):
        rw.reduce(["tree", "rock", "hut", "pond"], rw.Command(command.argv))


def test_they_make_it_another_subject() -> None:
    plain = rw.Command(["x", "{config}"], measures="$.m")
    changed = [
        rw.Command(["x", "{config}"]),
        rw.Command(["x", "{config}"], measures="$.n"),
        rw.Command(["x", "{config}"], measures="$.m", tolerance={"x": 1.0}),
        rw.Command(["x", "{config}"], measures="$.m", tolerance={"x": 2.0}),
    ]
    assert len({plain.identity, *(command.identity for command in changed)}) == 5


# A trajectory


def test_a_trajectory_in_the_trials_folder_is_an_artifact(once: Once) -> None:
    command = rw.Command(["sh", "-c", "echo 0,1,2 > $1/trajectory.csv; exit 1", "sh", "{dir}", "{config}"])
    path = once(command).artifacts["trajectory"]
    assert Path(path).read_text() == "0,1,2\n"
    assert "trajectory" not in once(rw.Command(["sh", "-c", "exit 1", "sh", "{dir}", "{config}"])).artifacts


# Documents


def test_the_file_is_what_the_document_makes_of_the_parts(tmp_path: Path) -> None:
    path = tmp_path / "crash.json"
    path.write_text('{"a": [1, 2, 3], "b": {"bug": true}}\n')
    document = open_document(path)
    checker = "import json, sys; sys.exit('bug' in json.load(open(sys.argv[1])).get('b', {}))"
    command = rw.Command([sys.executable, "-c", checker, "{file}"], document=document, file_name=path.name)
    found = rw.reduce(document, command)
    assert json.loads(document.render(found.kept))["b"] == {"bug": True}
    assert "a" not in json.loads(document.render(found.kept))
    assert found.selection.elements.noun == document.noun


def test_a_command_gets_altered_elements(once: Once, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("t,speed\n0,1\n1,2\n2,3\n")
    document: Any = open_document(path, "messages")
    inside = parameters(document, [0, 2])
    assert inside is not None
    altered = Altered({"M1.speed": 99}, inside.alter({"M1.speed": 99}, order=[1, 0]))
    command = rw.Command(["sh", "-c", 'cat "$0"; exit 1', "{file}"], document=document)
    assert Path(once(command, altered).artifacts["output"]).read_text() == "t,speed\n0,99\n2,1\n"
    listed = rw.Command(["sh", "-c", 'cat "$0"; exit 1', "{config}"], nested=True)
    assert Path(once(listed, [{"speed": 99}]).artifacts["output"]).read_text() == '[{"speed": 99}]'


def test_a_command_with_a_document_can_travel_and_knows_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[1, 2]")
    command = rw.Command(["x", "{file}"], document=open_document(path))
    again = pickle.loads(pickle.dumps(command))
    assert again.identity == command.identity
    path.write_text("[1, 3]")
    assert rw.Command(["x", "{file}"], document=open_document(path)).identity != command.identity
