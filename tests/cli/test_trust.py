"""No wrong or stale result without a warning, as a user meets it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import rootward as rw

LINES = [f"line {i}" for i in range(30)]
LINES[7] = "bad"


def rootward(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    command = [sys.executable, "-m", "rootward", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def write(folder: Path, **files: str) -> None:
    """Write files named ``check_py``, ``in_txt`` and so on."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(textwrap.dedent(text))


def reduce_input(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "in.txt").write_text("".join(f"{line}\n" for line in LINES))
    return rootward(folder, "reduce", "in.txt", *options, "--", sys.executable, "check.py", "{file}")


@pytest.mark.parametrize("options", [[], ["-q"]])
def test_a_mended_module_is_not_answered_from_the_past(tmp_path: Path, options: list[str]) -> None:
    write(tmp_path, check_py="import lib, sys\nlib.check(open(sys.argv[1]).read())\n")
    write(tmp_path, lib_py="def check(text):\n    assert 'bad' not in text\n")
    assert "1 of 30 lines is enough" in reduce_input(tmp_path, *options).stdout
    write(tmp_path, lib_py="def check(text):\n    pass\n")
    again = reduce_input(tmp_path, *options)
    assert again.returncode != 0
    assert "is enough" not in again.stdout


STUDY = """
    [subject]
    command = [PYTHON, "check.py", "{config}"]

    [fields]
    speed = { type = "int", lo = 0, hi = 1000 }
    name = "text"

    [failing]
    speed = 700
    name = "LETTERS"

    [nominal]
    speed = 1
    name = "a"
"""
CHECK = """
    import json, sys
    speed = json.load(open(sys.argv[1]))["speed"]
    assert speed <= LIMIT, "the roll limit is wrong"
"""


def write_study(folder: Path, limit: int, letters: str = "b") -> None:
    (folder / "study.toml").write_text(
        textwrap.dedent(STUDY).replace("PYTHON", json.dumps(sys.executable)).replace("LETTERS", letters)
    )
    (folder / "check.py").write_text(textwrap.dedent(CHECK).replace("LIMIT", str(limit)))


@pytest.mark.parametrize("text", [None, "def check(:\n", "import nosuchmodule\n"])
def test_a_broken_command_is_no_failure(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        write(tmp_path, check_py=text)
    done = reduce_input(tmp_path)
    assert done.returncode not in (0, 1)
    assert "fails with nothing" not in done.stdout


def test_the_error_text_stands_at_the_top(tmp_path: Path) -> None:
    write_study(tmp_path, 500)
    done = rootward(tmp_path, "diagnose", "study.toml")
    assert any("the roll limit is wrong" in line for line in done.stdout.splitlines()[:4])


@pytest.mark.parametrize("seed", range(30))
def test_a_flaky_failure_has_no_false_minimum(seed: int) -> None:
    rng = random.Random(seed)

    def check(text: str) -> None:
        assert "bad" not in text or rng.random() > 0.6

    try:
        found = str(rw.reduce(LINES, check))
    except rw.RootwardError:
        return  # it says that it does not know
    assert "no longer fails" not in found or found.startswith("1 of 30")


def test_the_reproducer_and_the_regression_test_are_small(tmp_path: Path) -> None:
    write_study(tmp_path, 500, "x" * 65_536)
    assert rootward(tmp_path, "diagnose", "study.toml").returncode == 0
    [test] = tmp_path.rglob("test_*.py")
    assert test.stat().st_size < 5_000
    reproducer = test.parent / "reproducer.json"
    assert reproducer.stat().st_size < 1_000
