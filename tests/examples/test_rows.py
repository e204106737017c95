"""examples/rows: its tables are what its script makes. Its page is run by tests/docs."""

from __future__ import annotations

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
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)


def test_the_tables_are_those_that_the_script_makes(folder: Path) -> None:
    assert run(folder, "make_tables.py").returncode == 0
    assert all((folder / name).read_bytes() == (ROWS / name).read_bytes() for name in TABLES)
    for name in TABLES:
        done = run(folder, "summarise.py", name)
        assert (done.returncode != 0) == (name == "tonight.csv")
        assert name not in PAGE or (done.stdout or done.stderr) in PAGE
