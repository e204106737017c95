"""What the user says wins over what the study says, which wins over the defaults; and the command that a report gives
to see it again."""

import shlex
from contextvars import copy_context
from pathlib import Path

import pytest

import rootward as rw
from rootward.cli.options import DEFAULT_STORE, LabFlags, command_line, remember_arguments
from rootward.errors import InputError

STUDY = {"jobs": 4, "trials": 200, "seconds": 600, "repeat": rw.Repeat.parse("1of4"), "store": "s.db"}


def options(lab: LabFlags, study=None):
    with lab.options(study or {}) as found:
        return found


def test_defaults():
    assert options(LabFlags()) == {"store": DEFAULT_STORE, "jobs": 1, "executor": None}


def test_a_study_says_more():
    assert options(LabFlags(), STUDY) == {**STUDY, "executor": None}


def test_the_command_line_has_the_last_word():
    found = options(LabFlags(jobs=2, trials=5, repeat="once", seed=7, store="c.db", fresh=True), STUDY)
    assert (found["trials"], found["seconds"]) == (5, 600)
    assert (found["jobs"], found["seed"], found["store"], found["fresh"]) == (2, 7, "c.db", True)
    assert str(found["repeat"]) == "once"


def test_both_budgets():
    found = options(LabFlags(trials=5, seconds=1.5))
    assert (found["trials"], found["seconds"]) == (5, 1.5)


def test_an_address_needs_dask():
    with pytest.raises(InputError, match="needs --executor dask"):
        options(LabFlags(address="tcp://host:1", executor="threads"))


# The command line as it was typed


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["rule", "my study.toml"], "rootward rule 'my study.toml'"),
        (["rule", "--fresh", "study.toml", "--jobs", "2"], "rootward rule study.toml --jobs 2"),
        (["reduce", "a.txt", "--fresh", "--", "make", "--fresh"], "rootward reduce a.txt -- make --fresh"),
        (["runs", "--store", "postgresql://me:s3cret@host/db"], "rootward runs --store 'postgresql://me:***@host/db'"),
        (
            ["runs", "--store=postgresql://host/db?password=s3cret"],
            "rootward runs '--store=postgresql://host/db?password=***'",
        ),
    ],
)
def test_it_is_what_was_typed_but_does_not_start_over(given: list[str], told: str) -> None:
    def told_after() -> str:
        remember_arguments(given)
        return command_line()

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
        remember_arguments(given)
        return command_line()

    told = ["rootward", "diagnose", "a b/study.toml", given[2], "../other.toml", *given[4:6], "--out=../other.toml"]
    told += given[7:]
    assert shlex.split(copy_context().run(said)) == told
