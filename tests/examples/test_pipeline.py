"""examples/pipeline: the runs in its table are real, and both of its faults are found by the commands of its README."""

from __future__ import annotations

import csv
import json
import math
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from rootward import Atom, Rule
from rootward.cli import main
from rootward.study import load_study

FOLDER = Path(__file__).parents[2] / "examples" / "pipeline"
TUTORIAL = FOLDER.parents[1] / "docs" / "tutorials" / "pipeline.md"
GAPS = {"estimator": {"logistic_regression", "naive_bayes"}, "imputer": {"passthrough"}}
FEW = {"estimator": {"gradient_boosting"}, "dataset": {"iris", "wine"}, "test_size": {0.8, 0.9}}
"""The two faults: the values of each setting that take part."""
TABLE = ["runs.csv", "--verdict", "score < 0.6", "--ignore", "run"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pytest.importorskip("sklearn", reason='the pipeline needs scikit-learn: pip install "rootward[ml]"')
    return shutil.copytree(FOLDER, tmp_path / "pipeline", ignore=shutil.ignore_patterns(".rootward", "__pycache__"))


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fits(settings: dict, fault: dict) -> bool:
    return all(settings[name] in values for name, values in fault.items())


def fails(settings: dict) -> bool:
    return fits(settings, GAPS) or fits(settings, FEW)


def shown(page: str) -> list[str]:
    """The conditions that the tutorial shows below its second command."""
    answer = page.partition("$ rootward causes study.toml --report causes.html\n")[2].partition("```")[0]
    return [line[5:] for line in answer.splitlines() if line[2:4] in ("1.", "2.")]


@pytest.mark.rest
def test_the_table_is_what_the_pipeline_gives(folder: Path) -> None:
    run(folder, "make_runs.py")
    made, shipped = (list(csv.DictReader((one / "runs.csv").read_text().splitlines())) for one in (folder, FOLDER))
    for now, then in zip(made, shipped, strict=True):
        low, settings = float(then["score"] or 0) < 0.6, then | {"test_size": float(then["test_size"])}
        assert low == (float(now["score"] or 0) < 0.6) == fails(settings)
        assert math.isclose(float(now.pop("score") or 0), float(then.pop("score") or 0), abs_tol=0.05)
        assert now == then


def test_the_causes_that_the_tutorial_shows_are_the_faults() -> None:
    """That it finds these when it is run is a matter of tests/docs."""
    few = [
        Atom("test_size", ">=", 0.8),
        Atom("dataset", "!=", "breast_cancer"),
        Atom("estimator", "=", "gradient_boosting"),
    ]
    rules = [Rule([few]), Rule.product(GAPS)]
    assert [str(rule) for rule in rules] == shown(TUTORIAL.read_text(encoding="utf-8"))
    space = load_study(FOLDER / "study.toml").space
    for values in product(*(space.values(name) for name in space.names)):
        settings = dict(zip(space.names, values, strict=True))
        assert any(rule.holds(settings) for rule in rules) == fails(settings)


@pytest.mark.rest
def test_the_program_says_the_same(folder: Path) -> None:
    settings = {"dataset": "wine", "imputer": "mean", "scaler": "standard", "estimator": "gradient_boosting"}
    (folder / "settings.json").write_text(json.dumps(settings | {"test_size": 0.8}))
    command = [sys.executable, "pipeline.py", "settings.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the F-measure is 0.19" in done.stderr


def test_the_table_alone_gives_a_guess(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(FOLDER / "runs.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["causes", *TABLE, "--json"])
    assert end.value.code == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["trials"] == 0
    assert not answer["tested"]
    assert answer["failing"] == 3
