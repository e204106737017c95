"""``rootward import`` as a user meets it: a history is written that the next command takes as it is."""

import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from rootward.formats.tables.history import read_history
from rootward.study import load_study

DATA = Path(__file__).parents[1] / "data" / "tracking"
TRAIN = ["--experiment", "train", "--verdict", "accuracy < 0.6"]
TABLE = "id,day,solver,rate,score\na,2024-04-01,saga,0.1,0.9\nb,2024-04-02,lbfgs,0.1,\nc,2024-04-03,lbfgs,0.5,0.2\n"
PROGRAM = """#!/bin/sh
{ cat "$1"; echo; } >> log
! { grep -q lbfgs "$1" && grep -q l1 "$1"; }
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("mlflow") / "mlflow.db"
    connection = sqlite3.connect(path)
    connection.executescript((DATA / "mlflow.sql").read_text())
    connection.close()
    return path


@pytest.fixture
def folder(bench, database):
    shutil.copy(database, bench.folder)
    (bench.folder / "runs.csv").write_text(TABLE)
    (bench.folder / "run.sh").write_text(PROGRAM)
    (bench.folder / "run.sh").chmod(0o755)
    return bench.folder


def test_what_is_said(bench, folder):
    found = bench.said("import", "mlflow.db", *TRAIN)
    assert found.returncode == 0
    assert found.stdout == (
        "7 runs of experiment train of mlflow.db: 3 failed, 4 passed.\n"
        "Runs left out: 1 KILLED, 1 RUNNING, 1 only grouping other runs.\n"
        "Settings: penalty, rate, solver, warm.\n"
        "Written to history.jsonl. Next: rootward causes history.jsonl -- ./your-command {config}\n"
    )
    assert len(read_history(folder / "history.jsonl")) == 7


def test_by_the_status(bench, folder):
    found = bench.said("import", "mlflow.db", "--experiment", "train", "-o", "h.csv")
    assert "1 failed, 6 passed" in found.stdout
    assert "Judged by their status; --verdict can use accuracy, dataset, seconds instead." in found.stdout


def test_to_the_standard_output(bench, folder):
    found = bench.said("import", "mlflow.db", *TRAIN, "-o", "-", "--until", "2024-04-01")
    [row] = [json.loads(line) for line in found.stdout.splitlines()]
    assert row["candidate"] == {"penalty": "l1", "rate": 0.1, "solver": "saga", "warm": True}
    assert (row["verdict"], row["finished"]) == ("pass", 1711929660.0)
    assert "1 run of experiment train" in found.stderr
    assert "6 after the given date" in found.stderr
    assert not (folder / "history.jsonl").exists()


def test_again_replaces_the_file(bench, folder):
    bench.said("import", "mlflow.db", *TRAIN)
    before = (folder / "history.jsonl").read_text()
    connection = sqlite3.connect(folder / "mlflow.db")
    connection.execute("UPDATE runs SET status = 'FAILED' WHERE status = 'RUNNING'")
    connection.commit()
    connection.close()
    bench.said("import", "mlflow.db", *TRAIN)
    after = (folder / "history.jsonl").read_text()
    assert len(after.splitlines()) == len(before.splitlines()) + 1
    assert {*before.splitlines()} < {*after.splitlines()}
    assert bench.here("import", "mlflow.db", "--experiment", "none") == 2
    assert (folder / "history.jsonl").read_text() == after


def test_what_is_imported_is_not_run_again(bench, folder):
    bench.said("import", "mlflow.db", "--experiment", "train")
    known = [settings for settings, _ in read_history(folder / "history.jsonl")]
    found = bench.said("causes", "history.jsonl", "--", "./run.sh", "{config}")
    assert "penalty = l1 and solver = lbfgs" in found.stdout, found.stderr
    ran = [json.loads(line) for line in (folder / "log").read_text().split("\n") if line]
    assert ran
    assert not [settings for settings in ran if settings in known]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_table(bench, folder, ending):
    options = ["--verdict", "score < 0.6", "--ignore", "id", "--time", "day"]
    found = bench.said("import", "runs.csv", *options, "--until", "2024-04-02", "-o", f"h.{ending}")
    assert found.stdout.startswith(
        "2 runs of runs.csv: 1 failed, 1 passed.\nRuns left out: 1 after the given date.\nSettings: solver, rate.\n"
    )
    assert list(read_history(folder / f"h.{ending}")) == list(
        read_history(folder / "runs.csv", verdict="score < 0.6", ignore=["id"], time="day", as_of="2024-04-02")
    )
    again = bench.said("import", f"h.{ending}", "--until", "2024-04-01", "-o", "-")
    assert json.loads(again.stdout) == {
        "candidate": {"solver": "saga", "rate": 0.1},
        "verdict": "pass",
        "finished": 1711929600.0,
    }


def test_a_journal_that_is_called_like_a_table(bench, folder):
    (folder / "runs.jsonl").write_bytes((DATA / "optuna.log").read_bytes())
    found = bench.said("import", "runs.jsonl", "--study-name", "train", "--verdict", "value < 0.5", "-o", "-")
    assert "7 runs of study train of runs.jsonl: 3 failed, 4 passed." in found.stderr


def test_a_sweep(bench, folder):
    found = bench.said("import", str(DATA / "multirun"), "--result", "results.json", "--verdict", "accuracy < 0.6")
    assert "2 failed, 4 passed" in found.stdout
    assert read_history(folder / "history.jsonl").names == ("db", "extra", "layers", "rate", "warm")


MISTAKES = [
    (["mlflow.db"], "which experiment? mlflow.db has other, train: name one"),
    (["mlflow.db", "-o", "h.txt"], "h.txt must end in .csv, .jsonl, .parquet: the extension decides the format"),
    (["mlflow.db", "-o", "no/h.csv"], "no/h.csv cannot be written: there is no folder no"),
    (["mlflow.db", "--time", "day"], "--time is for tables only: mlflow.db records when each run ended; remove --time"),
    (
        ["mlflow.db", *TRAIN, "--until", "soon"],
        "--until 'soon': expected a date such as 2024-04-01, with or without a time",
    ),
    (["mlflow.db", "--kind", "wandb"], "--kind must be one of table, mlflow, optuna, hydra, not 'wandb'"),
    (
        ["notes.txt"],
        "notes.txt has no known format: expected a table (.csv, .jsonl, .ndjson, .parquet), an MLflow server, database "
        "or folder, an Optuna database or journal, or the folder of a Hydra sweep",
    ),
    (["runs.csv", "--experiment", "x"], "runs.csv is a table, so --experiment does not apply: remove it"),
    (["runs.csv", "-o", "runs.csv"], "runs.csv is the source itself: name another file with -o"),
    (
        ["runs.csv", "--until", "2024-04-01", "--verdict", "score"],
        "--until needs --time: name the column with the time of each run",
    ),
    (["nothing"], "there is no file or folder nothing"),
    (["/dev/zero"], "/dev/zero cannot be read: it is a device, not a regular file: copy its content to a file first"),
    (["pipe"], "pipe cannot be read: it is a pipe, not a regular file: copy its content to a file first"),
    (["no.csv"], "no.csv cannot be read: No such file or directory"),
]


@pytest.mark.parametrize(("arguments", "said"), MISTAKES)
def test_mistakes(bench, folder, arguments, said):
    (folder / "notes.txt").write_text("a run\n")
    if arguments[0] == "pipe":
        os.mkfifo(folder / "pipe")
    found = bench.said("import", *arguments)
    assert (found.returncode, found.stderr) == (2, f"rootward: {said}\n")
    assert (folder / "runs.csv").read_text() == TABLE


STUDY = """
[subject]
command = ["./run.sh", "{config}"]
[history]
source = "mlflow.db"
experiment = "train"
verdict = "accuracy < 0.6"
"""


def test_until_is_about_the_history_of_a_study_too(bench, folder):
    (folder / "study.toml").write_text(STUDY)
    every: Any = load_study(folder / "study.toml").history
    assert len(every) == 7
    early: Any = load_study(folder / "study.toml", as_of="2024-04-02").history
    assert len(early) == 2
    options = ["--until", "2024-04-02", "--dry-run", "--json"]
    assert bench.said("causes", "study.toml", *options).returncode == 0
    assert bench.said("causes", "study.toml", "--until", "2024-03-01").returncode == 2
