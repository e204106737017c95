"""What the store remembers, on the command line."""

import csv
import json
import shutil
import time

import pytest
from typer.testing import CliRunner

import rootward as rw
from rootward.cli import app, main


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A folder whose store holds one finished and one partial run."""
    folder = tmp_path_factory.mktemp("stored")
    items = ["[red]a\x1b[0m", "b", "c", "d"]
    subject = rw.fails_when(lambda kept: items[0] in kept and "d" in kept)
    rw.reduce(items, subject, store=folder / "rootward.db")
    rw.reduce(items, rw.fails_when(lambda kept: "b" in kept), store=folder / "rootward.db", budget=3)
    return folder


@pytest.fixture
def runs(stored, tmp_path, monkeypatch):
    """The command line in a folder with a copy of that store."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(stored, ".rootward")

    def run(*arguments: str):
        return CliRunner().invoke(app, ["runs", *arguments], catch_exceptions=False)

    return run


def test_the_list(runs):
    lines = runs().output.splitlines()
    assert lines[0].split() == ["run", "started", "what", "status", "trials", "best"]
    assert lines[1].startswith("1  ")
    assert "reduce  complete" in lines[1]
    assert "2 of 4 elements are enough" in lines[1]
    assert "reduce  budget" in lines[2]


def test_the_list_as_json(runs):
    records = json.loads(runs("--json").output)
    assert [(record["id"], record["status"]) for record in records] == [(1, "complete"), (2, "budget")]


def test_one_run(runs):
    said = runs("show", "1").output
    assert said.startswith("run 1: reduce, complete\n")
    assert "subject: function" in said
    assert "1  [red]a\\x1b[0m" in said
    assert "Last trials:" in said
    assert "\x1b" not in said


def test_one_run_as_json(runs):
    shown = json.loads(runs("show", "1", "--json").output)
    assert shown["finding"]["complete"]
    assert shown["settings"]["about"] == {"method": "sieve"}
    assert 1 <= len(shown["last"]) <= 10


def test_whatever_a_subject_says_is_shown_and_not_obeyed(runs):
    hostile = "\x1b]0;evil\x07\x1b[31m[red]\u202e<script>\udc80"

    def subject(kept):
        if hostile in kept:
            raise ValueError(hostile + "x" * 1_000_000)

    rw.reduce([hostile, "b"], subject, store=".rootward/rootward.db", name=hostile, command=hostile)
    for said in (runs().output, runs("show", "3").output):
        assert "[red]" in said
        assert not set("\x1b\x07\u202e\udc80") & set(said)


@pytest.mark.parametrize("name", ["trials.csv", "trials.jsonl", "trials.parquet"])
def test_export(runs, name, tmp_path):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    said = runs("export", "1", "-o", name).output
    assert said.endswith(f"trials of run 1 written to {name}.\n")
    assert (tmp_path / name).stat().st_size > 0


def test_the_export_has_one_row_for_each_trial(runs, tmp_path):
    runs("export", "1", "-o", "trials.csv")
    with open(tmp_path / "trials.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == json.loads(runs("--json").output)[0]["trials"]
    assert {row["verdict"] for row in rows} == {"pass", "fail"}


@pytest.fixture
def now(monkeypatch):
    """The time stands still."""
    stands = time.time()
    monkeypatch.setattr(time, "time", lambda: stands)
    return stands


@pytest.mark.usefixtures("now")
def test_a_killed_run_is_not_said_to_run_still(runs):
    with_store = rw.Store(".rootward/rootward.db")
    with_store.update(2, seconds=1.0, status="running")
    with_store.close()
    assert "running, last update 0:00 ago" in runs().output


@pytest.mark.usefixtures("now")
def test_asked_to_stop(runs):
    with rw.Store(".rootward/rootward.db") as store:
        store.update(2, status="running")
        said = runs("stop", "2").output
        assert said.startswith("Run 2 was asked to stop: it ends when its running trials have ended")
        assert store.stop_asked(2)
    assert "asked to stop, last update 0:00 ago" in runs().output


def test_a_killed_run_is_not_said_to_end(runs, now, monkeypatch):
    with rw.Store(".rootward/rootward.db") as store, monkeypatch.context() as past:
        past.setattr(time, "time", lambda: now - 100)
        store.update(2, status="running")
    assert "but it gave no sign of life for 1:40," in runs("stop", "2").output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["stop", "1"], "run 1 has already ended (complete)"),
        (["stop", "9"], "there is no run 9"),
        (["show", "9"], "there is no run 9 in .rootward/rootward.db; `rootward runs` lists the runs"),
        (["show", "1", "--store", "none.db"], "there is no run 1 in none.db"),
        (["--store", "none.db", "show", "1"], "there is no run 1 in none.db"),
        (["export", "1", "-o", "trials.xls"], "must end in .csv, .jsonl, .parquet"),
        (["export", "1", "-o", "no/trials.csv"], "there is no folder no"),
        (["export", "1"], "--out"),
    ],
)
def test_mistakes(runs, capsys, tmp_path, arguments, complaint):
    with pytest.raises(SystemExit) as end:
        main(["runs", *arguments])
    assert end.value.code == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "none.db").exists()


def test_no_runs_yet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["runs"]).output == "There are no runs in .rootward/rootward.db yet.\n"
    assert CliRunner().invoke(app, ["runs", "--json"]).output == "[]\n"
    assert list(tmp_path.iterdir()) == []
