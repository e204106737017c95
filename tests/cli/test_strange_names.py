"""Files and folders of any name: the answer is the same, what is handed over works, and no name is ever run."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.properties import few

NAMES = [
    "a$(touch canary) 'b'\n\"c\"",
    "; touch canary #",
    "-rf",
    "`touch canary`",
    "\udcff\udcfe \\",
    "* ~ %s",
]
COMMAND = ["sh", "-c", """! grep -q bug {file} || ! grep -q bug "{file}" || ! grep -q bug '{file}'"""]


@pytest.mark.parametrize("name", few(2, NAMES))
def test_an_input_of_any_name_in_a_folder_of_any_name(bench, monkeypatch, name: str) -> None:
    inside = replace(bench, folder=bench.folder / name)
    inside.folder.mkdir()
    monkeypatch.chdir(inside.folder)
    file = Path(f"{name}.txt")
    file.write_text("a\nb\nbug\nc\n")
    assert inside.here("reduce", f"./{file}", "--reduced", "out.txt", "--", *COMMAND) == 0
    assert Path("out.txt").read_text() == "bug"
    assert inside.here("reduce", f"./{file}", "--by", "lines", "--reduced", "out.txt", "--", *COMMAND) == 0
    assert Path("out.txt").read_text() == "bug\n"
    readable = "input.txt" if "\udcff" in name else str(file)
    Path(readable).write_text(file.read_text())
    elements = f"[elements]\nfile = {json.dumps(readable)}\n"
    Path("study.toml").write_text(f"[subject]\ncommand = {json.dumps(COMMAND)}\n{elements}")
    assert inside.here("diagnose", "study.toml") == 0
    found = json.loads(Path("study.diagnosis", "finding.json").read_text())
    command = next(one["command"] for one in found["artifacts"] if one["kind"] == "reproducer")
    assert subprocess.run(["sh", "-c", os.fsencode(command)]).returncode == 1
    assert not list(bench.folder.rglob("canary"))
