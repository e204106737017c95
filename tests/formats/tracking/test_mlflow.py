"""MLflow's database, server and folder: the same runs from each, and clear words where there are none."""

import base64
import json
import math
import os
import socket
import sqlite3
import threading
from dataclasses import replace

import pytest
import sqlalchemy as sa

from rootward.errors import InputError
from rootward.formats.tracking import databases, mlflow
from rootward.formats.tracking.registry import read_tracked
from rootward.formats.tracking.run import RunState
from tests.waiting import PATIENCE

from .conftest import DATA, database

DAY = 86400
START = 1711929600  # 2024-04-01


def plain(runs):
    """Without the NaN that differs from itself."""
    known = {name: "nan" for run in runs for name in run.results if run.results[name] != run.results[name]}
    return [
        replace(
            run, results={n: known[n] if v != v else v for n, v in run.results.items()}, settings=dict(run.settings)
        )
        for run in runs
    ]


def test_the_runs_of_a_database(mlflow_db):
    found = read_tracked(mlflow_db, experiment="train")
    assert found.title == f"experiment train of {mlflow_db}"
    assert [run.status for run in found.runs] == [
        *["FINISHED", "FINISHED", "FAILED", "FINISHED", "FINISHED", "FINISHED", "KILLED", "RUNNING", "FINISHED"]
    ]
    first = found.runs[0]
    assert first.settings == {"penalty": "l1", "rate": 0.1, "solver": "saga", "warm": True}
    assert first.results == {"accuracy": 0.91, "seconds": 3.0, "dataset": "v1"}  # the latest accuracy
    assert first.finished == START + 60
    assert (found.runs[2].state, found.runs[2].results) == (RunState.FAILED, {"seconds": 5.0, "dataset": "v1"})
    assert found.runs[-2].finished == START + 7 * DAY  # it runs: only its start is known
    assert found.runs[-1].results["accuracy"] == math.inf


def test_a_parent_is_no_run_and_deleted_runs_are_gone(mlflow_db):
    found = read_tracked(mlflow_db, experiment="train")
    assert found.left_out == {"only grouping other runs": 1}
    assert not any("sweep" in run.settings or run.settings.get("rate") == 0.3 for run in found.runs)


def test_text_that_only_looks_like_a_number_stays_text(mlflow_db):
    assert [run.settings for run in read_tracked(mlflow_db, experiment="other").runs] == [
        {"depth": 3, "name": "007"},
        {"depth": 4},
    ]


def test_a_server_tells_what_its_database_has(mlflow_db, server):
    for experiment in ("train", "other"):
        asked, read = (
            read_tracked(server.address, experiment=experiment),
            read_tracked(mlflow_db, experiment=experiment),
        )
        assert plain(asked.runs) == plain(read.runs)
        assert asked.left_out == read.left_out
    assert asked.title == f"experiment other of {server.address}"


def test_the_page_of_the_browser_is_an_address_too(server):
    assert read_tracked(f"{server.address}/#/experiments/1", experiment="other").runs


def test_the_runs_of_a_folder():
    found = read_tracked(DATA / "mlruns")
    assert [dict(run.settings) for run in found.runs] == [
        {"rate": 0.1, "model/warm": True},
        {"rate": 0.5, "model/warm": False},
        {"rate": 1.0, "model/warm": True},
    ]
    assert [run.status for run in found.runs] == ["FINISHED", "FAILED", "FINISHED"]
    assert found.runs[0].results == {"accuracy": 0.91, "dataset": "v1"}
    assert [run.finished for run in found.runs] == [START + day * DAY + 60 for day in range(3)]


@pytest.mark.parametrize("kind", ["database", "server"])
def test_which_experiment(kind, mlflow_db, server):
    where = mlflow_db if kind == "database" else server.address
    with pytest.raises(InputError, match=r"which experiment\? .* has other, train: name one$"):
        read_tracked(where)
    with pytest.raises(InputError, match=r"has no experiment 'tran' \(did you mean 'train'\?\)"):
        read_tracked(where, experiment="tran")
    with pytest.raises(InputError, match="has no experiment 'gone'"):
        read_tracked(where, experiment="gone")
    assert read_tracked(where, experiment="Default").runs == ()


def test_a_database_is_not_touched(mlflow_db):
    mlflow_db.chmod(0o444)
    before = mlflow_db.stat().st_mtime_ns
    assert read_tracked(mlflow_db, experiment="train").runs
    assert mlflow_db.stat().st_mtime_ns == before
    assert [path.name for path in mlflow_db.parent.iterdir()] == ["mlflow.db"]
    with (
        pytest.raises(InputError, match="cannot be read: attempt to write"),
        databases.open_database(str(mlflow_db)) as opened,
    ):
        opened.rows(sa.text("DELETE FROM runs"))


def test_a_database_with_a_log_is_not_touched_either(mlflow_db):
    connection = sqlite3.connect(mlflow_db)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE runs SET status = 'FAILED'")
    connection.commit()
    assert {run.status for run in read_tracked(mlflow_db, experiment="train").runs} == {"FAILED"}  # it is in the log
    connection.close()
    assert {run.status for run in read_tracked(mlflow_db, experiment="train").runs} == {"FAILED"}
    assert [path.name for path in mlflow_db.parent.iterdir()] == ["mlflow.db"]


def test_the_url_of_a_database(mlflow_db):
    assert read_tracked(f"sqlite:///{mlflow_db}", experiment="train").runs


def test_a_password_is_never_shown():
    with pytest.raises(InputError) as error:
        read_tracked("postgresql://ada:secret@127.0.0.1:1/mlflow?connect_timeout=1")
    assert "secret" not in str(error.value)
    with pytest.raises(InputError) as error:
        read_tracked("nonsense://ada:secret@host/x")
    assert "secret" not in str(error.value)


BROKEN = [
    ("DROP TABLE tags;", "has no table tags"),
    ("ALTER TABLE runs RENAME COLUMN status TO how;", "cannot be read: no such column: runs.status"),
    ("UPDATE latest_metrics SET value = 'high';", "an MLflow metric has the value 'high': expected a number"),
    ("DELETE FROM runs;", "has no experiment with runs"),
]


@pytest.mark.parametrize(("script", "said"), BROKEN)
def test_broken_databases(tmp_path, script, said):
    name = None if "DELETE" in script else "train"
    with pytest.raises(InputError, match=said):
        read_tracked(database("mlflow", tmp_path, script), experiment=name)


def test_half_a_database(mlflow_db):
    os.truncate(mlflow_db, 3000)
    with pytest.raises(InputError, match="cannot be read: "):
        read_tracked(mlflow_db)


def test_a_locked_database(mlflow_db, monkeypatch):
    monkeypatch.setattr(databases, "PATIENCE", 0.01)
    with sqlite3.connect(mlflow_db, isolation_level=None) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="cannot be read: database is locked"):
            read_tracked(mlflow_db)
    writer.close()


# A server that is none, or not well

ANSWERS = [
    ((500, b"oh"), "answered 500 Internal Server Error$"),
    ((404, b"oh"), r"answered 404 Not Found: is this the address of an MLflow server\?"),
    ((401, b"oh"), "answered 401 Unauthorized: set MLFLOW_TRACKING_TOKEN"),
    ((200, b"<html>"), "is not an MLflow server: its answer is not JSON"),
    ((200, b"\xff\xfe\xff"), "is not an MLflow server: its answer is not JSON"),
    ((200, b"[]"), r"does not answer like an MLflow server: it sent \[\]"),
    ((200, b'{"experiments": 3}'), "it sent experiments = 3"),
    ((200, b'{"experiments": [{"name": "x"}]}'), "without 'experiment_id'"),
    ((200, b'{"experiments": [7]}'), "it sent 7 without 'name'"),
    ((200, b'{"next_page_token": "x"}'), "the same page again"),
    ((200, b"{}"), "has no experiment with runs"),
]


@pytest.mark.parametrize(("answer", "said"), ANSWERS)
def test_servers_that_are_none(server, answer, said):
    server.answer = lambda path, body: answer
    with pytest.raises(InputError, match=said):
        read_tracked(server.address)


@pytest.mark.parametrize(
    "run",
    [7, {}, {"info": 3}, {"info": {"run_id": "a"}, "data": 7}, {"info": {"run_id": "a"}, "data": {"params": [1]}}],
)
def test_runs_that_are_none(server, run):
    experiments = {"experiments": [{"name": "x", "experiment_id": "1"}]}
    server.answer = lambda path, body: (200, json.dumps({"runs": [run]} if "runs" in path else experiments).encode())
    with pytest.raises(InputError, match="does not answer like an MLflow server"):
        read_tracked(server.address)


def test_a_server_that_hangs(server):
    given_up = threading.Event()
    server.answer = lambda path, body: given_up.wait(PATIENCE) and (200, b"{}")
    with pytest.raises(InputError, match=r"did not answer within 0\.05 seconds"):
        mlflow.read_server(server.address, patience=0.05)
    given_up.set()


def test_a_server_that_is_not_there():
    with socket.socket() as deaf:  # it has a port, and does not listen
        deaf.bind(("127.0.0.1", 0))
        with pytest.raises(InputError, match="cannot be reached: "):
            read_tracked(f"http://127.0.0.1:{deaf.getsockname()[1]}")
    with pytest.raises(InputError, match="not a valid server address"):
        read_tracked("http://host:port")


def test_a_token_is_sent_to_nobody_else(server, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "secret")
    read_tracked(server.address, experiment="other")
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer secret"}
    server.headers.clear()
    elsewhere = server.address.replace("127.0.0.1", "localhost")
    server.answer = lambda path, body: (302, elsewhere.encode()) if len(server.headers) == 1 else (200, b"{}")
    with pytest.raises(InputError):
        read_tracked(server.address)
    assert [headers.get("Authorization") for headers in server.headers] == ["Bearer secret", None][
        : len(server.headers)
    ]


def test_a_name_and_a_password(server, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", "word")
    address = server.address.replace("127", "ada@127")
    assert read_tracked(address, experiment="other").title == f"experiment other of {server.address}"
    assert server.headers[0]["Authorization"] == "Basic YWRhOndvcmQ="
    read_tracked(server.address.replace("127", "ada:w%40rd@127"), experiment="other")
    assert server.headers[-1]["Authorization"] == f"Basic {base64.b64encode(b'ada:w@rd').decode()}"


# A folder that is broken


@pytest.fixture
def mlruns(tmp_path):
    run = tmp_path / "mlruns" / "1" / "a"
    for folder in ("params", "metrics", "tags"):
        (run / folder).mkdir(parents=True)
    (run.parent / "meta.yaml").write_text("name: x\nlifecycle_stage: active\n")
    (run / "meta.yaml").write_text("run_id: a\nstatus: 3\nlifecycle_stage: active\nstart_time: 1000\n")
    return tmp_path / "mlruns"


def test_a_metric_has_the_value_of_its_last_step(mlruns):
    (mlruns / "1/a/metrics/loss").write_text("10 3.0 2\n30 1.0 0\n20 2.0 1\n")
    (mlruns / "1/a/metrics/old").write_text("10 3.0\n30 1.0\n")
    [run] = mlflow.read_folder(mlruns).runs
    assert (run.results, run.finished) == ({"loss": 3.0, "old": 1.0}, 1.0)


FILES = [
    ("1/meta.yaml", "- a\n", "1/meta.yaml: expected a mapping such as rate: 0.1, got"),
    ("1/meta.yaml", "a: [", "1/meta.yaml is not YAML: "),
    ("1/a/metrics/loss", "high\n", "loss: every line must have a time, a value and a step"),
    ("1/a/metrics/loss", "", "loss: every line must have a time, a value and a step"),
    ("1/a/params/rate", b"\xff\xfe", "rate cannot be read: "),
]


@pytest.mark.parametrize(("name", "text", "said"), FILES)
def test_broken_folders(mlruns, name, text, said):
    (mlruns / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=said):
        read_tracked(mlruns)
