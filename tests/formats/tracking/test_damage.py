"""Whatever is wrong with what a tracker left: the runs are read, or the user is told; nothing else is raised."""

import contextlib
import json
import sqlite3

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats.tables.history import read_history
from rootward.formats.tracking.past_runs import TrackedTrials
from rootward.formats.tracking.registry import read_tracked
from tests.properties import examples

from .conftest import DATA, database, recorded

VALUES = st.sampled_from([None, True, -1, 3, 0.5, 1e400, "", "x", "1", [], [1], {}, {"a": 1}, "2024", "\ud800", 10**30])
CELLS = st.sampled_from([None, -1, 3, 0.5, 1e400, "", "x", "1", "{}", "[]", b"\xff", 2**62])
careful = examples(30, suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(where, **options):
    """As much as a user would do with it."""
    try:
        history = read_history(TrackedTrials(read_tracked(where, **options), as_of="2100-01-01"))
    except InputError:
        return
    assert all(len(configuration) == len(history.names) for configuration, _ in history)


def damaged(node, data):
    """The same JSON with another value somewhere."""
    if isinstance(node, dict | list) and node and data.draw(st.integers(0, 5)):
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        copy = node.copy()
        if data.draw(st.integers(0, 3)) or isinstance(node, list):
            copy[key] = damaged(node[key], data)
        else:
            del copy[key]
        return copy
    return data.draw(VALUES)


@careful
@given(st.data())
def test_a_journal(tmp_path, data):
    lines = (DATA / "optuna.log").read_text().splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = json.dumps(damaged(json.loads(lines[at]), data))
    (tmp_path / "optuna.log").write_text("\n".join(lines) + "\n")
    read(tmp_path / "optuna.log", study="train")


@careful
@given(st.data())
def test_the_answers_of_a_server(server, data):
    at = data.draw(st.integers(0, 5))
    asked = []

    def answer(path, body):
        asked.append(path)
        status, text = recorded(path, body)
        if status == 200 and len(asked) - 1 == at:
            return status, json.dumps(damaged(json.loads(text), data)).encode()
        return status, text

    server.answer = answer
    read(server.address, experiment="train")


@pytest.mark.parametrize(("name", "options"), [("mlflow", {"experiment": "train"}), ("optuna", {"study": "train"})])
@careful
@given(st.data())
def test_a_database(tmp_path_factory, name, options, data):
    path = database(name, tmp_path_factory.mktemp("damaged"))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    tables = [table for [table] in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    table = data.draw(st.sampled_from(sorted(tables)))
    column = data.draw(st.sampled_from([row[1] for row in connection.execute(f"PRAGMA table_info({table})")]))
    [count] = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    row = data.draw(st.integers(1, count))
    with contextlib.suppress(sqlite3.IntegrityError):  # the number of a row stays a number
        connection.execute(f'UPDATE OR IGNORE {table} SET "{column}" = ? WHERE rowid = ?', (data.draw(CELLS), row))
    connection.commit()
    connection.close()
    read(path, **options)


def test_a_schema_that_is_not_text(tmp_path):
    """SQLite quotes the schema in its message, which then cannot be decoded."""
    path = tmp_path / "mlflow.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE experiments (name TEXT)")
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE experiments", b"CREATE TABL\xc5 experiments"))
    with pytest.raises(InputError, match="its schema is damaged"):
        read_tracked(path)
