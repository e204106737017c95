"""What is found at a place decides on the tracker; what does not fit is told."""

import shutil

import pytest

from rootward.errors import InputError
from rootward.formats.tracking.registry import is_tracked, read_tracked

from .conftest import DATA, database


def test_places_that_are_none(tmp_path):
    (tmp_path / "notes.txt").write_text("{}\n")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"there is no .*nothing"):
        read_tracked(tmp_path / "nothing")
    for name in ("notes.txt", "empty"):
        with pytest.raises(
            InputError, match=f"{name} has no tracked runs: expected an MLflow server, database or folder, an Opt"
        ):
            read_tracked(tmp_path / name)


def test_a_database_of_somebody_else(tmp_path):
    path = database("mlflow", tmp_path, "DROP TABLE latest_metrics;")
    with pytest.raises(InputError, match="has no tracked runs: expected an MLflow server, database"):
        read_tracked(path)


def test_a_database_of_both(tmp_path):
    both = database("mlflow", tmp_path, (DATA / "optuna.sql").read_text())
    with pytest.raises(InputError, match="has runs of mlflow and of optuna: choose one by its kind"):
        read_tracked(both)
    assert read_tracked(both, kind="optuna", study="train").title.startswith("study train")
    assert read_tracked(both, kind="mlflow", experiment="train").title.startswith("experiment train")


def test_a_folder_of_both(tmp_path):
    shutil.copytree(DATA / "mlruns", tmp_path / "both")
    shutil.copytree(DATA / "multirun", tmp_path / "both" / "multirun")
    with pytest.raises(InputError, match="has runs of mlflow and of hydra"):
        read_tracked(tmp_path / "both")
    assert len(read_tracked(tmp_path / "both", kind="hydra", result="results.json").runs) == 6


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kind": "wandb"}, "expected one of mlflow, optuna, hydra, got 'wandb'"),
        ({"kind": "hydra"}, "has no tracked runs: expected runs of hydra"),
        ({"study": "x"}, "has runs of mlflow, but a study is only for optuna"),
        ({"result": "x.json"}, "has runs of mlflow, but a file with results is only for hydra"),
    ],
)
def test_options_that_do_not_fit(mlflow_db, options, said):
    with pytest.raises(InputError, match=said):
        read_tracked(mlflow_db, **options)


def test_files_of_trackers(mlflow_db, tmp_path):
    (tmp_path / "runs.jsonl").write_text('{"a": 1}\n')
    assert is_tracked(mlflow_db)
    assert is_tracked(DATA / "optuna.log")
    assert not is_tracked(tmp_path / "runs.jsonl")
    assert not is_tracked(tmp_path / "nothing")
