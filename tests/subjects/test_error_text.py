"""The name that an error text gives to a failure: equal for equal failures, whatever else is in the text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.subjects.error_text import MAX_LINES, MAX_NAME_LENGTH, last_lines, name_error

EQUAL: dict[str, list[tuple[str, Any]]] = {
    "numbers": [("speed 38 is too high", None), ("speed -1.5e3 is too high", None)],
    "times": [("2026-11-03 14:02:11,123 lost", None), ("2025-01-13 04:02:11,003 lost", None)],
    "addresses": [("bad pointer 0x7ffe12", None), ("bad pointer 0xdeadbeef", None)],
    "hashes": [("no object 3f2a9c1d in store", None), ("no object 77ac01be90 in store", None)],
    "quoted texts": [("unknown name 'foo'", None), ('unknown name "a b"', None)],
    "paths": [("cannot read /tmp/a/1/input.txt", None), ("cannot read ../b.txt", None)],
    "line numbers": [("in.txt:12:7: syntax error", None), ("in.txt:1:30: syntax error", None)],
    "values of fields": [("mode turbo failed", {"mode": "turbo"}), ("mode eco failed", {"mode": "eco"})],
    "elements": [("bad row: a;b", ["a;b\n", "c\n"]), ("bad row: c;d e", [b"x\n", b"c;d e\n"])],
    "a list of numbers": [("bad shape (1, 2)", None), ("bad shape (3, 4)", None)],
}


@pytest.mark.parametrize("runs", EQUAL.values(), ids=EQUAL)
def test_what_differs_between_equal_failures_does_not_count(runs: list[tuple[str, Any]]) -> None:
    [name] = {name_error(*run) for run in runs}
    assert any(word in name for word in runs[0][0].split())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the roll limit is wrong", "the yaw limit is wrong"),
        ("mode eco: no power", "mode eco: no brake"),
        ("step 1: too fast", "step 1: too slow"),
    ],
)
def test_words_tell_failures_apart(one: str, other: str) -> None:
    assert name_error(one, {"mode": "eco"}) != name_error(other, {"mode": "eco"})


def test_a_common_word_stays_even_if_it_is_a_value() -> None:
    assert name_error("it stopped on the hill", {"mode": "on"}) == name_error("it stopped on the hill", {"mode": "x"})


@pytest.mark.parametrize("text", ["", "\n \n", "17\n", "'foo'\n"])
def test_a_text_without_words_is_no_name(text: str) -> None:
    assert name_error(text) == ""


def test_a_long_line_is_cut() -> None:
    assert len(name_error("too long " * 100)) == MAX_NAME_LENGTH
    assert last_lines("\n".join(map(str, range(50)))).count("\n") == MAX_LINES - 1


SCRIPT = """\
import json, sys
def parse(text):
    return json.loads(text)["a"]
def check(path):
    {body}
check(sys.argv[1])
"""


def outcome_of(tmp_path: Path, body: str, candidate: dict[str, Any] | None = None) -> rw.Outcome:
    (tmp_path / "check.py").write_text(SCRIPT.format(body=body))
    command = rw.Command([sys.executable, str(tmp_path / "check.py"), "{config}"])
    return command.run(candidate or {"a": 1}, seed=0, place=tmp_path / "trial")


@pytest.mark.parametrize(
    ("body", "signature"),
    [
        ("raise ValueError(f'{path} is wrong\\nreally')", "exit code 1: ValueError in check"),
        ("parse('no json')", "exit code 1: json.decoder.JSONDecodeError in parse"),
        ("sys.exit('the roll limit is wrong')", "exit code 1: the roll limit is wrong"),
        ("print('out'); sys.exit(3)", "exit code 3"),
        ("print('bad roll', file=sys.stderr); print('and 1 more'); sys.exit(2)", "exit code 2: bad roll"),
        ("import os; print('busy', file=sys.stderr, flush=True); os.kill(os.getpid(), 11)", "SIGSEGV"),
        ("import os; print('assertion failed', file=sys.stderr, flush=True); os.abort()", "SIGABRT: assertion failed"),
    ],
)
def test_the_error_text_is_part_of_the_signature(tmp_path: Path, body: str, signature: str) -> None:
    assert outcome_of(tmp_path, body).signature == signature


def test_the_last_lines_are_the_detail_and_all_output_is_kept(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "print('shown'); sys.exit('first\\n\\nsecond')")
    assert outcome.detail == "first\nsecond"
    assert Path(outcome.artifacts["output"]).read_text() == "shown\nfirst\n\nsecond\n"
    assert outcome_of(tmp_path, "print('shown'); sys.exit(2)").detail == "shown"


def test_a_pattern_replaces_the_error_text(tmp_path: Path) -> None:
    argv = ["sh", "-c", 'echo "error: roll at $1" >&2; exit 1', "sh", "{config}"]
    for pattern, signature in (("error: (\\w+)", "exit code 1: roll"), ("no such text", "exit code 1")):
        outcome = rw.Command(argv, signature=pattern).run({}, seed=0, place=tmp_path / "trial")
        assert outcome.signature == signature


def test_a_message_that_repeats_the_input_is_one_failure(tmp_path: Path) -> None:
    script = tmp_path / "check.sh"
    script.write_text('case "$1" in [5-9]|1*) echo "speed $1 in mode $2 is too high" >&2; exit 1;; esac')
    space = rw.Space({"speed": rw.Int(0, 19), "mode": rw.Choice(["eco", "turbo", "winter"])})
    command = rw.Command(["sh", str(script), "{speed}", "{mode}"])
    failing = {"speed": 12, "mode": "turbo"}
    found = rw.triggers(space, command, failing)
    assert found.sets["speed"] >= {5, 9, 12, 19}
    assert "mode" not in found.sets
    assert found.signature == "exit code 1: speed … in mode … is too high"
