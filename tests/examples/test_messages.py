"""examples/messages: what its README tells beside what it shows, which tests/docs runs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MESSAGES = Path(__file__).parents[2] / "examples" / "messages"
CAUSE = ["plug", "lock", "start", "pause", "unlock"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(MESSAGES, tmp_path / "messages", ignore=shutil.ignore_patterns(".rootward", "*.reduced.*"))


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)


def reduced(folder: Path, *options: str) -> tuple[str, list[dict[str, object]]]:
    """What was printed, and the messages of the reduced file."""
    command = ["reduce", "log.jsonl", "--by", "messages", *options, "--", sys.executable, "replay.py", "{file}"]
    done = run(folder, "-m", "rootward", *command)
    assert done.returncode == 0, done.stderr
    return done.stdout, [json.loads(line) for line in (folder / "log.reduced.jsonl").read_text().splitlines()]


def test_it_says_if_a_log_cannot_be_read(folder: Path) -> None:
    (folder / "other.jsonl").write_text('{"name": "plug"}\n')
    assert run(folder, "replay.py", "other.jsonl").returncode == 125


@pytest.mark.rest
def test_with_their_gaps_signs_of_life_are_needed_too(folder: Path) -> None:
    _, kept = reduced(folder)
    names = [message["name"] for message in kept]
    assert [name for name in names if name != "alive"] == CAUSE
    assert names.count("alive") == 8
    recorded = [json.loads(line) for line in (MESSAGES / "log.jsonl").read_text().splitlines()]
    assert all(message in recorded for message in kept)
