"""``rootward instrument``: the recommendation, its table, and what is wrong with a file."""

import json

import pytest

GRAPH = {
    "load": {"downstream": ["fit"], "params": {"file": ["a", "b", "c"]}},
    "fit": {"downstream": ["score"], "params": {"depth": [2, 4, 8]}},
    "score": {"params": {"folds": [3, 5]}},
}


@pytest.fixture
def graph(bench):
    path = bench.folder / "graph.json"
    path.write_text(json.dumps(GRAPH))
    return path


def test_the_node_and_the_table(bench, graph, capsys):
    assert bench.here("instrument", "graph.json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "Put a check after load: file affects the result only through it.",
        "That leaves 3 + 6 = 9 combinations to search, instead of 18.",
    ]
    assert [line.split()[0] for line in lines[3:]] == ["node", "load", "fit", "score"]
    assert not (bench.folder / ".rootward").exists()


def test_json_and_options(bench, graph, capsys):
    assert bench.here("instrument", "graph.json", "--possible", "fit", "--troublesome", "depth", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["node"], said["before"], said["after"]) == ("fit", 18, 11)
    assert [row["possible"] for row in said["nodes"]] == [False, True, False]
    assert said["nodes"][1]["covers"] == ["depth"]


def test_a_page(bench, graph, capsys):
    assert bench.here("instrument", "graph.json", "--report", "check.html") == 0
    assert capsys.readouterr().out.endswith("The report is check.html.\n")
    assert "What the check tells you" in (bench.folder / "check.html").read_text()
    assert bench.here("instrument", "graph.json", "--report", "nowhere/check.html") == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "graph.json is not JSON"),
        ("[]", "is not a graph"),
        ('{"a": ["b"], "b": ["a"]}', "give the ends"),
        ('{"a": []}', "no parameter has values"),
    ],
)
def test_what_is_wrong(bench, capsys, content, said):
    (bench.folder / "graph.json").write_text(content)
    assert bench.here("instrument", "graph.json") == 2
    assert said in capsys.readouterr().err
