"""The command that a report gives to see it again."""

from __future__ import annotations

import shlex
from contextvars import copy_context
from pathlib import Path

import pytest

from rootward.cli import typed


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["rule", "my study.toml"], "rootward rule 'my study.toml'"),
        (["rule", "--fresh", "study.toml", "--jobs", "2"], "rootward rule study.toml --jobs 2"),
        (["reduce", "a.txt", "--fresh", "--", "make", "--fresh"], "rootward reduce a.txt -- make --fresh"),
    ],
)
def test_it_is_what_was_typed_but_does_not_start_over(given: list[str], told: str) -> None:
    def told_after() -> str:
        typed.remember(given)
        return typed.command_line()

    assert copy_context().run(told_after) == told


def test_paths_are_as_one_writes_them_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, other = tmp_path / "here", tmp_path / "other.toml"
    (here / "a b").mkdir(parents=True)
    files = [here / "a b" / "study.toml", here / "-v", other]
    for file in files:
        file.touch()
    monkeypatch.chdir(here)
    given = ["diagnose", *map(str, files), str(here / "none"), "/usr", f"--out={other}", "--", str(files[0])]

    def said() -> str:
        typed.remember(given)
        return typed.command_line()

    told = ["rootward", "diagnose", "a b/study.toml", given[2], "../other.toml", *given[4:6], "--out=../other.toml"]
    told += given[7:]
    assert shlex.split(copy_context().run(said)) == told
