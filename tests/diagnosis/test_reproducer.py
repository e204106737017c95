"""What reproduces a failure was tried, and says what came of it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.diagnosis.handover.handover import Handover
from rootward.diagnosis.handover.reproducer import Reproducer
from rootward.explanation.diagnosis import Artifact, Explanation
from rootward.rules import Estimate
from rootward.space.candidate import Elements
from rootward.study import Study

from .samples import study

FIELDS = '[fields]\nx = "float"\nname = { type = "choice", values = ["a b", "c"] }'


def made(study: Study, failing: Any, *, seed: int = 0, **other: Any) -> tuple[Artifact, ...]:
    """The artifacts, written and tried."""
    folder = study.path.absolute().parent / "out"
    folder.mkdir(exist_ok=True)
    found = Reproducer.of(Explanation(failing=failing, **other), Handover(study, folder), seed=seed)
    assert found is not None
    for one in found.artifacts:
        if one.name:
            (folder / one.name).write_bytes(one.content)
    return found.run().artifacts


def test_a_command_with_a_file_of_fields(tmp_path: Path) -> None:
    command = """command = ["sh", "-c", '! grep -q NaN "$1"', "run", "{config}"]"""
    [one] = made(study(tmp_path / "s", command, FIELDS), {"x": float("nan"), "name": "a b"})
    assert one.name == "reproducer.json"
    assert one.text == '{"x": NaN, "name": "a b"}'
    assert one.command.endswith("run out/reproducer.json"), "no path of this machine"
    assert one.checked == "fails, exit code 1"


def test_a_nested_document(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}}}}
    fields = '[interface]\njson_schema = "it.json"'
    it = study(tmp_path / "s", 'command = ["grep", "-c", "77", "{config}"]', fields, it__json=json.dumps(schema))
    [one] = made(it, {"a.b": 5})
    assert json.loads(one.text) == {"a": {"b": 5}}
    assert one.checked == "fails, exit code 1"


def test_a_command_line_alone(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["test", "{name}", "=", "c"]', FIELDS)
    [one] = made(it, {"x": 1.0, "name": "a b"})
    assert (one.name, one.command, one.checked) == ("", "test 'a b' = c", "fails, exit code 1")


def test_where_a_command_is_run_and_with_what(tmp_path: Path) -> None:
    (tmp_path / "s" / "sub dir").mkdir(parents=True)
    subject = 'command = "test $WHO != x && test {seed} != 7"\nshell = true\nenv = { WHO = "{name}" }\ncwd = "sub dir"'
    [one] = made(study(tmp_path / "s", subject, FIELDS), {"x": 1.0, "name": "c"}, seed=7)
    assert one.command == "cd 'sub dir' && WHO=c sh -c 'test $WHO != x && test 7 != 7'"
    assert one.checked == "fails, exit code 1"


def test_the_failure_shows_in_what_it_prints(tmp_path: Path) -> None:
    subject = 'command = ["echo", "boom", "{x}"]\nverdict = "boom"'
    [one] = made(study(tmp_path / "s", subject, FIELDS), {"x": 1.0, "name": "c"})
    assert one.checked == "fails, exit code 0"


@pytest.mark.parametrize("elements", ["lines", "json"])
def test_a_reduced_file(tmp_path: Path, elements: str) -> None:
    text = '["a",\n"b",\n"c"]\n'
    it = study(
        tmp_path / "s",
        """command = ["sh", "-c", '! grep -q b "$1"', "run", "{file}"]""",
        f'[elements]\nfile = "input.json"\nby = "{elements}"',
        input__json=text,
    )
    assert it.elements is not None
    whole = Elements(it.elements)
    [one] = made(it, whole.pick([1] if elements == "lines" else range(1, len(whole))))
    assert one.name == "reproducer.json"
    assert "b" in one.text
    assert len(one.text) < len(text)
    assert one.checked == "fails, exit code 1"


def test_it_did_not_fail(tmp_path: Path) -> None:
    [one] = made(study(tmp_path / "s", 'command = ["true", "{x}"]', FIELDS), {"x": 1.0, "name": "c"})
    assert one.checked == "did not fail in 1 run, exit code 0"


def test_it_fails_now_and_then(tmp_path: Path) -> None:
    subject = """command = ["sh", "-c", 'echo >> seen; test $(wc -l < seen) -lt 3', "run", "{x}"]"""
    [one] = made(study(tmp_path / "s", subject, FIELDS), {"x": 1.0, "name": "c"}, rate=Estimate(0.5, 0.3, 0.7))
    assert one.checked == "fails in about 50% of runs, exit code 1; seen in run 3"


def test_it_does_not_end(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["sleep", "{x}"]\ntimeout = 0.3', FIELDS)
    [one] = made(it, {"x": 99.0, "name": "c"}, signature="timeout")
    assert one.checked == "fails, timed out after 0.3 s"


def test_another_failure_is_not_this_one(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["false", "{x}"]', FIELDS)
    [one] = made(it, {"x": 99.0, "name": "c"}, signature="SIGSEGV")
    assert one.checked == "fails, exit code 1, but with another failure: exit code 1"


def test_a_signal_is_the_same_in_a_shell(tmp_path: Path) -> None:
    it = study(tmp_path / "s", """command = ["sh", "-c", 'kill -SEGV $$', "run", "{x}"]""", FIELDS)
    [one] = made(it, {"x": 99.0, "name": "c"}, signature="SIGSEGV")
    assert one.checked == "fails, SIGSEGV"


SCRIPT = """import json, os, signal, sys
path = sys.argv[1]
c = json.load(open(path))
def fail():
    raise ValueError(c)
"""
ENDS: dict[str, tuple[str, str]] = {
    "a message": ("sys.exit('the roll limit is wrong')", "exit code 1"),
    "a message with values": ('sys.exit(f\'{c["name"]}: speed {c["x"]} is too high\')', "exit code 1"),
    "a traceback": ("fail()", "exit code 1"),
    "the path of the input": ("sys.exit(f'{path} is not valid')", "exit code 1"),
    "the name of the input": ("sys.exit(f'{os.path.basename(path)} is not valid')", "exit code 1"),
    "both streams": ("print('the log', flush=True); print('ERROR: too fast', file=sys.stderr); print('end')", ""),
    "a signal": ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
    "an abort": ("print('assertion 7 failed', file=sys.stderr, flush=True); os.abort()", "SIGABRT"),
}


def run_and_hand_over(home: Path, subject: str, own: dict[str, Any], **files: str) -> tuple[str | None, str]:
    """The name of the failure in a trial, and the result of the reproducer of that failure."""
    it = study(home, subject, FIELDS, **files)
    (home / "trial").mkdir()
    name = it.subject.run(own, seed=0, place=home / "trial" / "0123abcd-1").signature
    return name, made(it, own, signature=name)[0].checked


@pytest.mark.parametrize("options", ["", 'signature = "log|ERROR: .*"', 'verdict = "^"'], ids=str)
@pytest.mark.parametrize("way", ENDS)
def test_the_same_failure_has_the_same_name(tmp_path: Path, way: str, options: str) -> None:
    code, end = ENDS[way]
    script = f"{SCRIPT}{code}\n" + ("" if end else "sys.exit(3)\n")
    own = {"x": 5.0, "name": "a b"}
    subject = f'command = ["python", "it.py", "{{config}}"]\n{options}'
    name, checked = run_and_hand_over(tmp_path / "my study", subject, own, it__py=script)
    assert checked == f"fails, {end or 'exit code 3'}"
    assert name is not None
    assert options or name != end or way == "a signal", "the name has more than the exit code"


def test_a_value_in_the_error_text_is_no_other_failure(tmp_path: Path) -> None:
    subject = """command = ["sh", "-c", 'echo "no gear $1 here" >&2; exit 4', "run", "{name}"]"""
    name, checked = run_and_hand_over(tmp_path / "s", subject, {"x": 1.0, "name": "c d"})
    assert name == "exit code 4: no gear … here"
    assert checked == "fails, exit code 4"


def test_the_exit_code_of_a_shell_is_no_signal(tmp_path: Path) -> None:
    subject = """command = "exit 139 # {x}"\nshell = true"""
    name, checked = run_and_hand_over(tmp_path / "s", subject, {"x": 1.0, "name": "c"})
    assert name == "exit code 139"
    assert checked == "fails, exit code 139"


def test_another_error_text_is_another_failure(tmp_path: Path) -> None:
    it = study(tmp_path / "s", """command = ["sh", "-c", 'echo "no gear" >&2; exit 1', "run", "{x}"]""", FIELDS)
    [one] = made(it, {"x": 1.0, "name": "c"}, signature="exit code 1: no fuel")
    assert one.checked == "fails, exit code 1, but with another failure: exit code 1: no gear"


FUNCTIONS: dict[str, str] = {
    "raises": "def check(c):\n    assert c['x'] == c['x'], 'not a number'\n",
    "says": "import rootward as rw\ncheck = rw.fails_when(lambda c: c['x'] != c['x'])\n",
    "seeded": "def check(c, seed):\n    assert seed != 7\n",
}


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_a_function_gets_a_script(tmp_path: Path, kind: str) -> None:
    it = study(tmp_path / "s", f'function = "station_{kind}:check"', FIELDS, **{f"station_{kind}__py": FUNCTIONS[kind]})
    [one] = made(it, {"x": float("nan"), "name": 'a """ b'}, seed=7)
    assert (one.name, one.command, one.checked) == ("reproducer.py", "python out/reproducer.py", "fails, exit code 1")
    assert str(tmp_path) not in one.text
    mended = tmp_path / "s" / f"station_{kind}.py"
    mended.write_text("def check(c, seed=0): pass\n")
    assert subprocess.run([sys.executable, "-B", tmp_path / "s" / "out" / one.name], check=False).returncode == 0


def test_a_script_that_does_not_get_that_far_says_so(tmp_path: Path) -> None:
    it = study(
        tmp_path / "s", 'function = "station_gone:check"', FIELDS, station_gone__py="def check(c): assert False\n"
    )
    own = {"x": 1.0, "name": "c"}
    [one] = made(it, own, signature="AssertionError in check (station_gone.py:1)")
    assert one.checked == "fails, exit code 1"
    (tmp_path / "s" / "station_gone.py").unlink()
    [one] = made(it, own, signature="AssertionError in check (station_gone.py:1)")
    assert one.checked.endswith("with another failure: ModuleNotFoundError: No module named 'station_gone'")


@pytest.mark.parametrize("module", ["candidate", "sys-tem"])
def test_a_module_may_have_any_name(tmp_path: Path, module: str) -> None:
    it = study(tmp_path / "s", f'function = "{module}:check"', FIELDS, **{f"{module}__py": FUNCTIONS["raises"]})
    [one] = made(it, {"x": float("nan"), "name": "c"}, signature="AssertionError in check (it.py:2)")
    assert one.checked == "fails, exit code 1"


def test_a_function_of_messages(tmp_path: Path) -> None:
    text = "def check(messages):\n    assert not any('boom' in one.text for one in messages)\n"
    lines = [json.dumps({"t": t, "what": what}) for t, what in enumerate(["a", "boom", "c"])]
    files = {"log__jsonl": "\n".join([*lines, ""]), "station_messages__py": text}
    elements = '[elements]\nfile = "log.jsonl"\nby = "messages"'
    it = study(tmp_path / "s", 'function = "station_messages:check"', elements, **files)
    assert it.elements is not None
    script, data = made(it, Elements(it.elements).pick([1]))
    assert data.text == f"{lines[1]}\n"
    assert script.checked == "fails, exit code 1"


def fails_here(_: object) -> None:
    raise ValueError


@pytest.mark.parametrize("subject", [lambda _: None, rw.fails_when(lambda _: True)])
def test_a_function_without_a_place_says_so(tmp_path: Path, subject: Callable[..., Any]) -> None:
    from rootward.subjects.function import Function

    it = Study("it", tmp_path / "none.toml", Function(subject))
    [one] = made(it, {"x": 1})
    assert not one.command
    assert "cannot be imported: define it at the top level of an importable module" in one.checked


def test_a_function_of_a_module(tmp_path: Path) -> None:
    from rootward.subjects.function import Function

    [one] = made(Study("it", tmp_path / "none.toml", Function(fails_here)), {"x": 1})
    assert one.checked == "fails, exit code 1"


def test_values_that_no_file_can_hold(tmp_path: Path) -> None:
    from rootward.subjects.function import Function

    [one] = made(Study("it", tmp_path / "none.toml", Function(fails_here)), {"x": object()})
    assert one.checked == "There is none: a value of type object cannot be written as Python source."
    nothing = Reproducer.of(Explanation(), Handover(Study("it", tmp_path, Function(fails_here)), tmp_path))
    assert nothing is None
