"""A subject that does not start, fails on everything or fails differently each time is said at once."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.lab.events import TrialStarted

MAX_RUNS = 3
"""A run of the failing input, and at most two more."""
SPACE = rw.Space({"speed": rw.Int(0, 100), "gear": rw.Choice("PRND")})
FAILING = {"speed": 70, "gear": "R"}
BROKEN = {
    "no such script": (None, "nosuch.py"),
    "a syntax error": ("def f(:\n    pass\n", "SyntaxError"),
    "a missing import": ("import sys\nimport nosuchmodule\n", "No module named 'nosuchmodule'"),
}


class Trials:
    """Counts the trials that were run."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, event: Any) -> None:
        self.count += isinstance(event, TrialStarted)


def write_script(folder: Path, text: str | None) -> str:
    path = folder / ("nosuch.py" if text is None else "check.py")
    if text is not None:
        path.write_text(text)
    return str(path)


HISTORY = [(FAILING, True), ({"speed": 3, "gear": "P"}, False)]
VERBS: dict[str, tuple[str, Callable[..., Any]]] = {
    "reduce": ("{file}", partial(rw.reduce, ["a\n", "b\n"])),
    "reduce by ddmin": ("{file}", partial(rw.reduce, ["a\n", "b\n"], method="ddmin")),
    "rule": ("{config}", partial(rw.rule, SPACE, failing=FAILING)),
    "rule without a failing input": ("{config}", partial(rw.rule, SPACE)),
    "triggers": ("{config}", partial(rw.triggers, SPACE, failing=FAILING)),
    "causes": ("{config}", partial(rw.causes, SPACE, history=HISTORY)),
    "find": ("{config}", partial(rw.find, SPACE, nominal=FAILING)),
    "find without an input": ("{config}", partial(rw.find, SPACE)),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize(("placeholder", "verb"), VERBS.values(), ids=VERBS)
def test_a_command_that_does_not_start(
    tmp_path: Path, placeholder: str, verb: Callable[..., Any], text: str | None, said: str
) -> None:
    trials = Trials()
    command = rw.Command([sys.executable, write_script(tmp_path, text), placeholder])
    with pytest.raises(rw.SubjectError, match="the command does not start") as caught:
        verb(subject=command, on_event=trials)
    assert said in str(caught.value)
    assert trials.count <= MAX_RUNS


def test_a_command_that_fails_on_everything(tmp_path: Path) -> None:
    script = write_script(tmp_path, "import sys\nsys.exit('the licence has expired')\n")
    trials = Trials()
    with pytest.raises(rw.SubjectError, match="fails in the same way on an empty input") as caught:
        rw.reduce(["a\n", "b\n"], rw.Command([sys.executable, script, "{file}"]), on_event=trials)
    assert "the licence has expired" in str(caught.value)
    assert trials.count <= MAX_RUNS


@pytest.mark.parametrize("name", ["rule", "rule without a failing input", "triggers", "find without an input"])
def test_a_command_that_fails_on_every_configuration(tmp_path: Path, name: str) -> None:
    path = write_script(tmp_path, "raise SystemExit('no licence')\n")
    placeholder, verb = VERBS[name]
    trials = Trials()
    with pytest.raises(rw.SubjectError, match=r"it fails on everything: .* an empty configuration(?s:.*)no licence"):
        verb(subject=rw.Command([sys.executable, path, placeholder]), on_event=trials)
    assert trials.count <= 20


def fail_always(configuration: dict[str, Any]) -> None:
    raise ConnectionError("no licence")


@pytest.mark.parametrize(
    ("nominal", "failing", "command"),
    [(True, True, True), (False, True, True), (True, False, True), (False, False, True), (True, True, False)],
)
def test_a_diagnosis_of_a_subject_that_fails_on_every_configuration(
    tmp_path: Path, nominal: bool, failing: bool, command: bool
) -> None:
    path = write_script(tmp_path, "raise SystemExit('no licence')\n")
    subject: Any = rw.Command([sys.executable, path, "{config}"]) if command else fail_always
    study = rw.Study(
        "study",
        tmp_path / "study.toml",
        subject=subject,
        space=SPACE,
        failing=FAILING if failing else None,
        nominal=({"speed": 1, "gear": "P"},) if nominal else (),
    )
    trials = Trials()
    with pytest.raises(rw.SubjectError, match="it fails on everything"):
        rw.diagnose(study, on_event=trials)
    assert trials.count <= 20


def test_a_failure_of_all_configurations_may_depend_on_them(tmp_path: Path) -> None:
    """The command fails on all configurations of the space, but not without them."""
    text = "import json, sys\nif json.load(open(sys.argv[1]))['speed'] >= 0: raise ValueError('no')\n"
    path = write_script(tmp_path, text)
    subject = rw.Command([sys.executable, path, "{config}"])
    found = rw.triggers(SPACE, subject, failing=FAILING)
    assert str(found).startswith("It seems to fail whatever the values")


def test_a_failing_input_that_fails_differently_without_anything(tmp_path: Path) -> None:
    """An empty input may fail in a way of its own: that is not the failure."""
    text = "import sys\nt = open(sys.argv[1]).read()\nsys.exit('empty' if not t else 'bad b' if 'b' in t else 0)\n"
    command = rw.Command([sys.executable, write_script(tmp_path, text), "{file}"])
    assert rw.reduce(["a\n", "b\n", "c\n"], command).kept == ["b\n"]


def test_a_script_in_the_input_may_be_broken(tmp_path: Path) -> None:
    """The reduced file itself is the script: its syntax error is the failure."""
    command = rw.Command([sys.executable, "{file}"])
    found = rw.reduce(["a = 1\n", "b = (\n", "c = 2\n"], command)
    assert found.kept == ["b = (\n"]


COUNTING = """\
import pathlib, sys
seen = pathlib.Path({folder!r}, "seen.log")
number = len(seen.read_text()) if seen.exists() else 0
seen.write_text("x" * (number + 1))
sys.exit(["lost the wheel", "lost the map", "lost the lidar", "lost the way", "lost all"][{pick}])
"""


def test_a_failure_with_another_name_each_time(tmp_path: Path) -> None:
    script, trials = write_script(tmp_path, COUNTING.format(folder=str(tmp_path), pick="number % 5")), Trials()
    with pytest.raises(rw.SubjectError, match="fails in another way each time") as caught:
        rw.rule(SPACE, rw.Command([sys.executable, script, "{config}"]), FAILING, on_event=trials)
    assert "lost the wheel" in str(caught.value)
    assert "lost the map" in str(caught.value)
    assert "--signature" in str(caught.value)
    assert trials.count == MAX_RUNS


@pytest.mark.parametrize("pick", ["number % 5", "[0, 0, 1, 2, 3, 4][number % 6]"])
@pytest.mark.parametrize("failing", [FAILING, None], ids=["given", "found"])
def test_a_diagnosis_of_a_failure_with_another_name_each_time(
    tmp_path: Path, pick: str, failing: dict[str, Any] | None
) -> None:
    script, trials = write_script(tmp_path, COUNTING.format(folder=str(tmp_path), pick=pick)), Trials()
    subject = rw.Command([sys.executable, script, "{config}"])
    study = rw.Study("study", tmp_path / "study.toml", subject=subject, space=SPACE, failing=failing)
    with pytest.raises(rw.SubjectError, match="fails in another way each time"):
        rw.diagnose(study, on_event=trials)
    assert trials.count <= 40


def test_a_diagnosis_of_a_function_that_fails_differently_each_time(tmp_path: Path) -> None:
    numbers = itertools.count()

    def check(configuration: dict[str, Any]) -> None:
        raise [ValueError, KeyError, OSError, IndexError, TypeError][next(numbers) % 5]("lost")

    study = rw.Study("study", tmp_path / "study.toml", subject=rw.Function(check), space=SPACE, failing=FAILING)
    with pytest.raises(rw.SubjectError, match="fails in another way each time"):
        rw.diagnose(study)


def test_two_failures_that_race_are_diagnosed(tmp_path: Path) -> None:
    """Each of them shows again, so it can be explained."""
    numbers = itertools.count()

    def check(configuration: dict[str, Any]) -> None:
        if configuration["speed"] > 40:
            raise KeyError("map") if next(numbers) % 2 else OSError("wheel")

    study = rw.Study("study", tmp_path / "study.toml", subject=rw.Function(check), space=SPACE, failing=FAILING)
    found = rw.diagnose(study, trials=400)
    assert found.explanations


def test_a_later_failure_that_is_lost_does_not_end_the_diagnosis(tmp_path: Path) -> None:
    """A failure that showed once, and then another one instead, leaves the explanation of the first as it is."""
    slips = itertools.count()

    def check(configuration: dict[str, Any]) -> None:
        speed = configuration["speed"]
        if speed > 60:
            raise ValueError("too fast")
        if 20 < speed <= 60 and configuration["gear"] == "R":
            raise [KeyError, OSError, IndexError, TypeError][next(slips) % 4]("slip")

    study = rw.Study(
        "study", tmp_path / "study.toml", subject=rw.Function(check), space=SPACE, failing={"speed": 70, "gear": "P"}
    )
    found = rw.diagnose(study, trials=600)
    assert str(found.explanations[0].signature).startswith("ValueError")


def test_stored_runs_count(tmp_path: Path) -> None:
    command = rw.Command(["sh", "-c", 'grep -q b "$1" && exit 1; exit 0', "sh", "{file}"])
    first, again = Trials(), Trials()
    for trials in (first, again):
        assert rw.reduce(["a\n", "b\n"], command, store=tmp_path / "store.db", on_event=trials).kept == ["b\n"]
    assert first.count > 0
    assert again.count == 0


@pytest.mark.parametrize("text", [text for text, _ in BROKEN.values()], ids=BROKEN)
@pytest.mark.parametrize("given", ["[failing]\nspeed = 70\n", "[nominal]\nspeed = 3\n"])
def test_a_diagnosis_of_a_command_that_does_not_start(tmp_path: Path, given: str, text: str | None) -> None:
    command, trials = [sys.executable, write_script(tmp_path, text), "{config}"], Trials()
    study = f'[subject]\ncommand = {command}\n[fields]\nspeed = {{ type = "int", lo = 0, hi = 100 }}\n{given}'
    (tmp_path / "study.toml").write_text(study)
    with pytest.raises(rw.SubjectError, match="the command does not start"):
        rw.diagnose(tmp_path / "study.toml", on_event=trials)
    assert trials.count <= MAX_RUNS


def test_the_failure_that_a_search_has_found_is_stated_unless_there_are_several() -> None:
    space = rw.Space({"mode": rw.Choice("abc"), "level": rw.Int(0, 9)})

    def locked(one: Any) -> None:
        if one["mode"] == "b":
            raise ValueError("locked")

    def either(one: Any) -> None:
        locked(one)
        if one["level"] > 6:
            raise KeyError("level")

    for verb in (rw.causes, rw.rule):
        for flaky in (None, False):
            found = verb(space, locked, flaky=flaky)
            assert found.signature.startswith("ValueError in locked")
            assert str(found).splitlines()[1:3] == [f"Failure: {found.signature}", "  | ValueError: locked"]
        assert verb(space, either).signature is None
    assert rw.causes(space, locked, trials=8).error == "ValueError: locked"
