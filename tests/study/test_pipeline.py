"""[pipeline]: the graph that settings belong to, and mistakes in it."""

import json
from pathlib import Path

import pytest

from rootward import StudyError
from rootward.study import Study, load_study

GRAPH = {"load": {"downstream": ["fit"], "params": ["file", "rows"]}, "fit": {"params": ["model"]}}
RUNS = "file,rows,model,verdict\na,1,x,pass\nb,2,y,fail\n"
TEXT = """\
[subject]
function = "os:stat"
[history]
file = "runs.csv"
[pipeline]
graph = "graph.json"
checks = ["load"]
"""


def studied(folder: Path, text: str, runs: str = RUNS) -> Study:
    (folder / "graph.json").write_text(json.dumps(GRAPH))
    (folder / "runs.csv").write_text(runs)
    (folder / "study.toml").write_text(text)
    return load_study(folder / "study.toml")


def test_a_graph(tmp_path):
    study = studied(tmp_path, TEXT)
    assert study.pipeline.graph.nodes == ("fit", "load")
    assert study.pipeline.checks == ("load",)
    assert study.space is not None
    assert study.pipeline.checkpoint(study.space).node == "load"
    assert studied(tmp_path, TEXT.replace('checks = ["load"]\n', "")).pipeline.checks == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"graph.json"', '"gone.json"', "6: pipeline.graph: "),
        ('graph = "graph.json"\n', "", "5: pipeline.graph: missing: expected the path of a JSON file"),
        ('["load"]', '["laod"]', "7: pipeline.checks: unknown node 'laod' (did you mean 'load'?)"),
        ('["load"]', "3", "7: pipeline.checks: expected a node that has a check, or a list of them, got 3"),
        ('[history]\nfile = "runs.csv"', '[fields]\nfile = "bool"', "5: pipeline: a pipeline needs earlier runs: add"),
        ("checks", "check", "7: pipeline.check: unknown key; did you mean 'checks'?"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path, old, new, message):
    assert old in TEXT
    with pytest.raises(StudyError) as error:
        studied(tmp_path, TEXT.replace(old, new))
    assert f"study.toml:{message}" in str(error.value)


def test_every_setting_has_a_place(tmp_path):
    runs = RUNS.replace("model,", "modle,")
    with pytest.raises(StudyError, match=r"6: pipeline\.graph: no node reads the parameter 'modle'"):
        studied(tmp_path, TEXT, runs)
