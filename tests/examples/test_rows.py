"""examples/rows: the commands of its README give the answers that it shows."""

from __future__ import annotations

import difflib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = Path(__file__).parents[2] / "examples" / "rows"
PAGE = (ROWS / "README.md").read_text(encoding="utf-8")
TABLES = ["tonight.csv", "night3.csv", "night2.csv", "night1.csv"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(ROWS, tmp_path / "rows", ignore=shutil.ignore_patterns(".rootward", "repaired.csv"))


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def answer(text: str) -> list[str]:
    """All of it but the cost, which may change as the search gets better."""
    return [line for line in text.splitlines() if "trials run" not in line]


def test_three_rows_are_bad(folder: Path) -> None:
    command = ["--key", "product", "--out", "repaired.csv", "--", sys.executable, "summarise.py", "{file}"]
    done = run(folder, "-m", "rootward", "rows", *TABLES, *command)
    assert done.returncode == 0, done.stderr
    shown = PAGE.partition("-- python summarise.py {file}\n")[2].partition("```")[0]
    assert answer(done.stdout) == answer(shown)
    before, after = ((folder / name).read_text().splitlines() for name in ("tonight.csv", "repaired.csv"))
    changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert len(changed) == 6
    assert all(f"{'>' if line[0] == '+' else '<'}{line[1:]}" in PAGE for line in changed)
    assert run(folder, "summarise.py", "repaired.csv").returncode == 0


def test_the_tables_are_those_that_the_script_makes(folder: Path) -> None:
    assert run(folder, "make_tables.py").returncode == 0
    assert all((folder / name).read_bytes() == (ROWS / name).read_bytes() for name in TABLES)
    for name in TABLES:
        done = run(folder, "summarise.py", name)
        assert (done.returncode != 0) == (name == "tonight.csv")
        assert name not in PAGE or (done.stdout or done.stderr) in PAGE
