"""The tables [history] and [constraints] of a study: earlier runs, and what is never run."""

# ruff: noqa: E501  (a case is one line)

import datetime
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward import StudyError
from rootward.rules import Atom
from rootward.study import Study, load_study
from rootward.study.history import StoredRuns, known_trials
from rootward.verdict import FAIL, PASS

STUDY = """\
[subject]
command = ["./run.sh", "{config}"]
[history]
file = "runs.csv"
verdict = "score < 0.6"
ignore = ["id"]
time = "day"
as_of = 2024-04-01
[constraints]
never = [
  { solver = "lbfgs", n = { ">" = 1, "<=" = 9 } },
  { solver = ["saga", "lbfgs"], on = true },
]
"""
TABLE = """\
id,solver,n,on,day,score
a,lbfgs,1,true,2024-03-30,0.9
b,saga,2,false,2024-04-01,
c,newton,3,true,2024-04-02,0.1
"""


TRACKED = """\
[subject]
command = ["./run.sh", "{{config}}"]
[history]
source = "{where}"
verdict = "accuracy < 0.6"
ignore = []
as_of = 2100-01-01
{which}
"""
DATA = Path(__file__).parents[1] / "data" / "tracking"


@pytest.fixture
def study(tmp_path):
    def read(text: str) -> Study:
        (tmp_path / "study.toml").write_text(text)
        return load_study(tmp_path / "study.toml")

    (tmp_path / "runs.csv").write_text(TABLE)
    return read


def test_a_table_makes_the_space(study):
    found = study(STUDY)
    assert found.space.names == ("solver", "n", "on")
    assert found.space.values("solver") == ("lbfgs", "saga")
    assert list(found.history) == [
        ({"solver": "lbfgs", "n": 1, "on": True}, PASS),
        ({"solver": "saga", "n": 2, "on": False}, FAIL),
    ]
    assert found.failing is None


def test_fields_win_over_the_table(study):
    found = study(STUDY + '[fields]\nn = { type = "int", lo = 0, hi = 10 }\n')
    assert found.space["n"] == rw.Int(0, 10)
    assert found.space.names == ("solver", "n", "on")


def test_combinations_that_are_never_run(study):
    never = study(STUDY).constraints
    first = [Atom("solver", "=", "lbfgs"), Atom("n", ">", 1), Atom("n", "<=", 9)]
    both = [[Atom("solver", "=", solver), Atom("on", "=", True)] for solver in ("saga", "lbfgs")]
    assert never == rw.Rule([first, *both])
    assert never.holds({"solver": "saga", "n": 0, "on": True})
    assert not never.holds({"solver": "lbfgs", "n": 10, "on": False})


def test_a_study_without_them(study):
    found = study('[subject]\ncommand = ["./run.sh", "{config}"]\n')
    assert (found.history, found.constraints) == (None, None)


def test_the_store_as_history(study):
    text = '[subject]\ncommand = ["./run.sh", "{config}"]\n[fields]\non = "bool"\n[history]\nstore = true\n'
    assert study(text).history == StoredRuns()
    assert study(f"{text}as_of = 2024-04-01\n").history == StoredRuns(datetime.date(2024, 4, 1))


def test_a_tracker_as_history(study, tmp_path):
    found = study(TRACKED.format(where=DATA / "multirun", which='result = "results.json"'))
    assert found.space.names == ("db", "extra", "layers", "rate", "warm")
    assert (found.history.failing, found.history.passing) == (2, 4)
    (tmp_path / "optuna.log").write_bytes((DATA / "optuna.log").read_bytes())
    found = study(TRACKED.format(where="optuna.log", which='study = "train"').replace("accuracy", "value"))
    assert len(found.history) == 7
    with pytest.raises(StudyError, match=r"study.toml:3: history: which study\? .* has train, two goals: name one"):
        study(TRACKED.format(where="optuna.log", which=""))
    with pytest.raises(StudyError, match=r"8: history.time: not allowed beside source"):
        study(TRACKED.format(where="optuna.log", which='time = "day"'))


def test_a_date_of_the_command_line_wins(study, tmp_path):
    assert len(study(STUDY.partition("[constraints]")[0]).history) == 2
    early: Any = load_study(tmp_path / "study.toml", as_of="2024-03-30").history
    assert len(early) == 1
    study('[subject]\ncommand = ["./run.sh", "{config}"]\n')
    with pytest.raises(StudyError, match=r"has no \[history\], so the date 2024-03-30 has no effect"):
        load_study(tmp_path / "study.toml", as_of="2024-03-30")


def test_known_trials_are_those_that_the_space_has(study):
    history = study(STUDY).history
    space = rw.Space({"solver": rw.Choice(["lbfgs"]), "n": rw.Float(values=[1, 2]), "on": rw.Bool()})
    [(settings, verdict)] = known_trials(history, space)
    assert (settings, verdict) == ({"solver": "lbfgs", "n": 1.0, "on": True}, PASS)
    assert type(settings["n"]) is float
    assert known_trials(history, rw.Space({"n": rw.Int()})) == []


# fmt: off
MISTAKES = [
    ('"runs.csv"', '"no.csv"', "3: history: FOLDER/no.csv cannot be read: No such file or directory"),
    ('file = "runs.csv"\n', "", '3: history: expected exactly one of file = "runs.csv", source = "mlflow.db", store = true'),
    ('file = "runs.csv"', "store = true", "6: history.ignore: not allowed beside store: remove it"),
    ('file = "runs.csv"', "file = 3", "4: history.file: expected the path of a CSV, Parquet or JSON lines file, got 3"),
    ("verdict", "verdcit", "5: history.verdcit: unknown key; did you mean 'verdict'?"),
    ("score <", "scroe <", "3: history: verdict 'scroe < 0.6': there is no column 'scroe' (did you mean 'score'?)"),
    ("2024-04-01", '"April"', "3: history: as_of 'April': expected a date such as 2024-04-01, with or without a time"),
    ("2024-04-01", "7", "8: history.as_of: expected a date such as 2024-04-01, got 7"),
    ("never", "nevr", "10: constraints.nevr: unknown key; did you mean 'never'?"),
    ('solver = "lbfgs", n', 'solver = "lbgfs", n', "11: constraints.never.0.solver: expected one of lbfgs, saga, got 'lbgfs'"),
    ("n = {", "m = {", "11: constraints.never.0.m: unknown field 'm'"),
    ('">"', '"=>"', "11: constraints.never.0.n: unknown comparison '=>' of n: expected one of = != < <= > >="),
    ('{ ">" = 1, "<=" = 9 }', "{}", '11: constraints.never.0.n: expected a comparison such as { ">" = 3 }, got {}'),
    ('["saga", "lbfgs"]', "[]", "12: constraints.never.1.solver: expected a value, or a list of at least one value"),
    ('{ solver = ["saga", "lbfgs"], on = true }', "3", '12: constraints.never.1: expected a combination such as { solver = "lbfgs" }, got 3'),
    ("[constraints]", '[fields]\nm = "bool"\n[constraints]', "10: fields.m: the history has no column 'm'; expected one of solver, n, on"),
    ("[constraints]", '[fields]\nn = { type = "int", lo = 2, hi = 5 }\n[constraints]', "10: fields.n: the history has n = 1, but the field allows only integer 2..5"),
]
# fmt: on


@pytest.mark.parametrize(("old", "new", "said"), MISTAKES)
def test_mistakes(study, tmp_path, old, new, said):
    assert old in STUDY
    with pytest.raises(StudyError) as error:
        study(STUDY.replace(old, new, 1))
    assert str(error.value).replace(str(tmp_path), "FOLDER") == f"FOLDER/study.toml:{said}"


def test_constraints_need_something_to_be_about(study):
    with pytest.raises(StudyError, match=r"3: constraints: constraints need fields: add \[fields\]"):
        study('[subject]\ncommand = ["./run.sh", "{config}"]\n[constraints]\nnever = [{ x = 1 }]\n')
