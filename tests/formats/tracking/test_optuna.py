"""Optuna's database and journal: the same trials from both, with the values that were really tried."""

import json
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats.tracking.optuna import decode_parameter
from rootward.formats.tracking.registry import read_tracked

from .conftest import DATA, database

LOG = DATA / "optuna.log"


def test_the_trials_of_a_database(optuna_db):
    runs = read_tracked(optuna_db, study="train").runs
    assert [run.status for run in runs] == [
        *[
            "COMPLETE",
            "COMPLETE",
            "FAIL",
            "COMPLETE",
            "PRUNED",
            "COMPLETE",
            "COMPLETE",
            "RUNNING",
            "WAITING",
            "COMPLETE",
        ]
    ]
    assert runs[1].settings == {"depth": 3, "rate": 0.8, "solver": "lbfgs", "warm": True}
    assert type(runs[1].settings["depth"]) is int
    assert runs[2].settings["solver"] is None
    assert runs[1].results == {"value": 0.3, "rows": 300}
    assert runs[2].results == {"rows": 200}
    assert runs[5].results["value"] == math.inf
    assert runs[9].results == {"value": 0.95}  # it was added from elsewhere


@pytest.mark.parametrize("study", ["train", "two goals"])
def test_a_journal_tells_the_same_as_a_database(optuna_db, study):
    def undated(where):
        return [replace(run, finished=None) for run in read_tracked(where, study=study).runs]

    assert undated(LOG) == undated(optuna_db)
    when = [run.finished for run in read_tracked(LOG, study="train").runs]
    assert all((moment is None) == (number == 8) for number, moment in enumerate(when))
    assert when[0] == pytest.approx(1794821847.743959)


def test_a_database_on_a_server(postgres, optuna_db):
    import psycopg

    script = (DATA / "optuna.sql").read_text().replace("DATETIME", "TIMESTAMP").replace(" FLOAT", " DOUBLE PRECISION")
    script = re.sub(r",\s*FOREIGN KEY.*", "", script)  # the tables stand in the order of their names
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(script)
    assert read_tracked(postgres, study="train").runs == read_tracked(optuna_db, study="train").runs
    with pytest.raises(InputError, match="which study"):
        read_tracked(postgres)


def test_several_objectives(optuna_db):
    assert [run.results for run in read_tracked(optuna_db, study="two goals").runs] == [
        {"values_0": 0.25, "values_1": 0.75},
        {"values_0": 0.75, "values_1": 0.25},
    ]


def test_which_study(optuna_db):
    for where in (optuna_db, LOG):
        with pytest.raises(InputError, match=r"which study\? .* has train, two goals: name one$"):
            read_tracked(where)
        with pytest.raises(InputError, match="has no study 'gone'; there are train, two goals"):
            read_tracked(where, study="gone")


def test_a_journal_is_known_by_what_it_holds(tmp_path):
    (tmp_path / "runs.jsonl").write_bytes(LOG.read_bytes())
    assert len(read_tracked(tmp_path / "runs.jsonl", study="train").runs) == 10


@given(st.integers(0, 400))
def test_a_journal_can_be_read_while_it_is_written(tmp_path_factory, cut):
    """Up to any character: the last line may be half of one."""
    path = tmp_path_factory.mktemp("journal") / "optuna.log"
    text, half = LOG.read_text(), len(LOG.read_text()) // 2
    first = text.index("\n") + 1
    path.write_text(text[: max(first, half + cut)])
    known = read_tracked(LOG, study="train").runs
    for early, late in zip(read_tracked(path, study="train").runs, known, strict=False):
        assert early == late or early.status in ("RUNNING", "WAITING")


def journal(path, *operations):
    path.write_text("".join(json.dumps({"worker_id": "w", **one}) + "\n" for one in operations))
    return path


STUDY = {"op_code": 0, "study_name": "s", "directions": [1]}
TRIAL = {"op_code": 4, "study_id": 0, "datetime_start": "2024-04-01T10:00:00"}
FLOAT = json.dumps({"name": "FloatDistribution", "attributes": {"low": 0, "high": 1}})
PARAM = {"op_code": 5, "trial_id": 0, "param_name": "x", "param_value_internal": 0.5, "distribution": FLOAT}
DONE = {"op_code": 6, "trial_id": 0, "state": 1, "values": [1.0], "datetime_complete": "2024-04-01T10:00:01"}


def test_what_comes_too_late_is_not_done(tmp_path):
    late = [
        {**PARAM, "param_value_internal": 0.7},
        {**DONE, "state": 3},
        {"op_code": 8, "trial_id": 0, "user_attr": {"a": 1}},
    ]
    nowhere = [{**TRIAL, "study_id": 7}, {**PARAM, "trial_id": 9}, STUDY]
    [run] = read_tracked(journal(tmp_path / "a.log", STUDY, TRIAL, PARAM, DONE, *late, *nowhere)).runs
    assert (run.settings, run.status, run.results) == ({"x": 0.5}, "COMPLETE", {"value": 1.0})
    assert run.finished == 1711965601.0


OPERATIONS = [
    ({"op_code": 99}, "unknown operation 99: the journal is of an unknown Optuna version"),
    ({"op_code": -1}, "unknown operation -1"),
    ({"op_code": "0"}, "unknown operation '0'"),
    ({}, "not an Optuna operation"),
    ({"op_code": 4}, "not an Optuna operation"),
    ({**PARAM, "trial_id": "0"}, "not an Optuna operation"),
    ({**DONE, "state": 9}, "a trial has the state 9: expected one of RUNNING"),
    ({**PARAM, "distribution": "{}"}, "the parameter 0.5 does not match its distribution"),
    ({**PARAM, "distribution": "x"}, "the parameter 0.5 does not match its distribution"),
]


@pytest.mark.parametrize(("operation", "said"), OPERATIONS)
def test_operations_that_are_none(tmp_path, operation, said):
    with pytest.raises(InputError, match=rf"a\.log:3: {said}"):
        read_tracked(journal(tmp_path / "a.log", STUDY, TRIAL, operation))


def test_lines_that_are_none(tmp_path):
    path = journal(tmp_path / "a.log", STUDY, TRIAL)
    whole = path.read_bytes()
    for line, said in (
        (b"{\n", "a.log:3: not valid JSON"),
        (b"\xff\n", "is not UTF-8"),
        (b"[]\n", "a.log:3: not an Optuna op"),
    ):
        path.write_bytes(whole + line)
        with pytest.raises(InputError, match=said):
            read_tracked(path)
    path = journal(tmp_path / "b.log", STUDY, {**TRIAL, "datetime_start": "soon"})
    with pytest.raises(InputError, match="a trial has the time 'soon'"):
        read_tracked(path)


BROKEN = [
    ("DROP TABLE trial_values;", "has no table trial_values"),
    ("UPDATE trials SET state = 'LOST';", "a trial has the state 'LOST'"),
    ("UPDATE trial_params SET distribution_json = 'x';", "does not match its distribution 'x'"),
    (
        "UPDATE trial_params SET param_value = 9 WHERE param_name = 'solver';",
        "the parameter 9.0 does not match its distribution",
    ),
    ("UPDATE trial_user_attributes SET value_json = '{';", "a trial has the attribute '{': expected JSON"),
]


@pytest.mark.parametrize(("script", "said"), BROKEN)
def test_broken_databases(tmp_path, script, said):
    with pytest.raises(InputError, match=said):
        read_tracked(database("optuna", tmp_path, script), study="train")


@pytest.mark.parametrize(
    ("stored", "name", "attributes", "value"),
    [
        (1.0, "CategoricalDistribution", {"choices": ["a", 2, None]}, 2),
        (3.0, "IntUniformDistribution", {"low": 1, "high": 8}, 3),
        (3.0, "IntLogUniformDistribution", {"low": 1, "high": 8}, 3),
        (3.0, "IntDistribution", {"low": 1, "high": 8}, 3),
        (3.0, "LogUniformDistribution", {"low": 1, "high": 8}, 3.0),
        (0.25, "DiscreteUniformDistribution", {"low": 0, "high": 1, "q": 0.25}, 0.25),
    ],
)
def test_distributions_old_and_new(stored, name, attributes, value):
    found = decode_parameter(stored, json.dumps({"name": name, "attributes": attributes}))
    assert (found, type(found)) == (value, type(value))


def test_distributions_in_short():
    assert decode_parameter(1, '{"type": "categorical", "choices": ["a", "b"]}') == "b"
    assert decode_parameter(3.0, '{"type": "int", "low": 1, "high": 8}') == 3
