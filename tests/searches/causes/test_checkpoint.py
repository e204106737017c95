"""Where a check helps: the paper's Example 7 and Table 6, and the definitions against brute force."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.searches.causes.checkpoint import exclusive_to, instrument, nodes_to, params_to
from rootward.searches.causes.graph import Graph
from rootward.space.space import Bool, Choice, Space
from tests.properties import examples

EXAMPLE = Path(__file__).parents[3] / "examples" / "instrument" / "graph.json"

# Figure 3 is a drawing; the text says which nodes are the ends, and what is not upstream of N4.
FIGURE_3 = {
    "N1": ["N2", "N3"],
    "N2": ["N4"],
    "N3": ["N4", "N5"],
    "N4": ["N6", "N7"],
    "N5": [],
    "N6": ["N8"],
    "N7": ["N8"],
    "N8": [],
}


def test_example_7() -> None:
    graph = Graph.of(FIGURE_3, params={node: [f"p{node[1:]}"] for node in FIGURE_3})
    assert graph.ends == ("N5", "N8")
    assert nodes_to(graph, "N4") == ("N1", "N2", "N3", "N4")
    exclusive = {name for node in ("N6", "N7", "N8", "N5") for name in exclusive_to(graph, node)} - {
        *exclusive_to(graph, "N4")
    }
    assert exclusive == {"p5", "p6", "p7", "p8"}
    assert not exclusive & set(params_to(graph, "N4"))
    # p1 and p3 reach N5 without N4.
    assert exclusive_to(graph, "N4") == ("p2", "p4")


TABLE_6 = [
    ("Read File", {"Date"}, set(), 0, 4),
    ("Compute Rating", {"Date", "Script 1"}, set(), 0, 4),
    ("Aggregate Ratings", {"Date", "Script 1", "Script 2"}, set(), 0, 4),
    ("Read Previous Ratings", {"Date", "Script 1", "Script 2", "Previous Date"}, {"Previous Date"}, 1, 3),
]


@pytest.mark.parametrize("values", [2, 3, 7])
def test_table_6(values: int) -> None:
    """The table prints exponents: with v values each, v ** 0 combinations of no parameters and v ** 4 of all."""
    graph = Graph.of(json.loads(EXAMPLE.read_text()))
    found = instrument(graph, dict.fromkeys(graph.holders, range(values)))
    rows = {row.node: row for row in found.nodes}
    for node, params, exclusive, inside, outside in TABLE_6:
        row = rows[node]
        assert (set(row.params), set(row.exclusive)) == (params, exclusive)
        assert (len(row.exclusive), len(found.params) - len(row.exclusive)) == (inside, outside)
        assert (row.inside, row.outside) == (values**inside, values**outside)
    assert found.node == "Read Previous Ratings"
    assert set(nodes_to(graph, found.node)) == {"Read File", "Compute Rating", "Aggregate Ratings", found.node}
    assert (found.exclusive, found.others) == (("Previous Date",), ("Date", "Script 1", "Script 2"))
    assert found.row.shared == ("Date", "Script 1", "Script 2")


def test_what_a_single_node_reads_is_exclusive_to_it() -> None:
    """So the definition says; the empty sets of Table 6 need other nodes that read the same."""
    written = json.loads(EXAMPLE.read_text())
    written["nodes"] |= {"Write Ratings": {}, "Write Aggregate": {}}
    graph = Graph.of(written)
    assert exclusive_to(graph, "Read File") == ("Date",)
    assert exclusive_to(graph, "Compute Rating") == ("Date", "Script 1")
    assert exclusive_to(graph, "Aggregate Ratings") == ("Script 2",)
    assert exclusive_to(graph, "Read Previous Ratings") == ("Previous Date",)


def test_what_it_says() -> None:
    found = instrument(json.loads(EXAMPLE.read_text()))
    lines = str(found).splitlines()
    assert lines[:4] == [
        'Put a check after "Read Previous Ratings": "Previous Date" affects the result only through it.',
        "That leaves 4 + 24 = 28 combinations to search, instead of 96.",
        'The check also depends on Date, "Script 1", "Script 2", which affect the result in other ways, too.',
        "",
    ]
    assert lines[5].split() == ["Read", "File", "Date", "-", "1", "96", "97"]
    assert len(lines) == 5 + 10
    said = json.loads(json.dumps(found.to_dict()))
    assert (said["finding"], said["node"], said["before"], said["after"]) == ("checkpoint", found.node, 96, 28)
    assert said["nodes"][4] == {
        "node": "Read Previous Ratings",
        "params_to": ["Date", "Previous Date", "Script 1", "Script 2"],
        "exclusive_to": ["Previous Date"],
        "inside": 4,
        "outside": 24,
        "sum": 28,
        "possible": True,
        "covers": [],
    }
    assert "Read Previous Ratings" in found._repr_html_()


CHAIN = {"a": ["b"], "b": ["c"], "c": ["d"], "d": []}
PARAMS = {"a": ["p"], "b": ["q"], "c": ["r"], "d": ["s"]}
FOUR = dict.fromkeys("pqrs", range(4))


def test_the_middle_of_a_chain_is_best() -> None:
    found = instrument(CHAIN, FOUR, params=PARAMS)
    assert (found.node, found.before, found.after) == ("b", 256, 32)
    assert [row.size for row in found.nodes] == [68, 32, 68, 257]
    assert found.row.shared == ()


def test_only_where_it_is_possible() -> None:
    found = instrument(CHAIN, FOUR, params=PARAMS, possible=["c", "d"])
    assert found.node == "c"
    assert "b (no check)" in str(found)


def test_troublesome_parameters_come_first() -> None:
    assert instrument(CHAIN, FOUR, params=PARAMS, troublesome=["p"]).node == "b"
    found = instrument(CHAIN, FOUR, params=PARAMS, troublesome=["r"])
    assert (found.node, found.row.covers) == ("c", ("r",))
    assert "It covers parameters that took part in failures: r." in str(found)
    # d covers everything, but parts nothing: it is no better than the end itself.
    assert instrument(CHAIN, FOUR, params=PARAMS, troublesome=["s"]).node == "b"


def test_a_parameter_without_values_does_not_vary() -> None:
    found = instrument(CHAIN, {"q": [1, 2, 3], "s": [True, False]}, params=PARAMS)
    assert (found.node, found.params, found.exclusive) == ("b", ("q", "s"), ("q",))
    assert (found.before, found.after) == (6, 5)


def test_nowhere() -> None:
    found = instrument({"a": ["b", "c"], "b": [], "c": []}, {"p": [1, 2]}, params={"a": ["p"]})
    assert (found.node, found.after) == (None, 2)
    assert str(found).startswith("A check does not help at any node")
    with pytest.raises(InputError, match="does not help at any node"):
        _ = found.exclusive


def test_values_of_a_space() -> None:
    space = Space({"p": Choice("abc"), "q": Bool(), "r": Bool()})
    found = instrument({"a": ["b"], "b": []}, space, params={"a": ["p", "q"], "b": ["r"]})
    assert (found.before, found.row.inside, found.row.outside) == (12, 6, 2)


def test_sizes_are_exact_however_large() -> None:
    names = [f"p{i}" for i in range(9000)]
    found = instrument(
        {"a": ["b"], "b": []}, dict.fromkeys(names, range(4)), params={"a": names[:4000], "b": names[4000:]}
    )
    assert (found.node, found.before, found.after) == ("a", 4**9000, 4**4000 + 4**5000)
    assert "instead of 3.5e+5418." in str(found)
    assert json.loads(json.dumps(found.to_dict()))["before"] == "3.5e+5418"
    assert repr(found)


def test_the_order_in_which_it_is_written_does_not_matter() -> None:
    again = instrument(
        dict(reversed(CHAIN.items())), dict(reversed(FOUR.items())), params=dict(reversed(PARAMS.items()))
    )
    assert again == instrument(CHAIN, FOUR, params=PARAMS)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"values": {}}, "no parameter has values"),
        ({"values": None}, "no parameter has values"),
        ({"values": [1]}, "expected a mapping from each parameter to its values, or a Space"),
        ({"values": {"p": []}}, "'p' has no values"),
        ({"values": {"p": "abc"}}, "the values of 'p': expected a list"),
        (
            {"values": {"pp": [1]}},
            r"no node reads the parameter 'pp' \(did you mean 'p'\?\): say in the graph or in params=",
        ),
        ({"possible": ["e"]}, "unknown node 'e'"),
        ({"possible": "a"}, "possible: expected a list, not 'a'"),
        ({"troublesome": ["x"]}, "unknown parameter 'x'"),
        ({"ends": ["x"]}, "unknown node 'x'"),
        ({"ends": ["a"]}, "'b' leads to no end; the ends are 'a'"),
    ],
)
def test_what_is_wrong(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        instrument(CHAIN, **{"values": FOUR, "params": PARAMS, **options})


# The definitions, against brute force


@st.composite
def graphs(draw: st.DrawFn, *, cyclic: bool) -> Graph:
    """Up to six nodes; each leads to an end."""
    nodes = [f"n{i}" for i in range(draw(st.integers(1, 6)))]
    edges = {
        (i, j): draw(st.booleans())
        for i in range(len(nodes))
        for j in range(len(nodes))
        if i < j or (cyclic and i != j)
    }
    adjacency = {one: [nodes[j] for j in range(len(nodes)) if edges.get((i, j))] for i, one in enumerate(nodes)}
    sinks = {node for node in nodes if not adjacency[node]}
    ends = sinks | draw(st.sets(st.sampled_from(nodes)))
    params = {node: draw(st.sets(st.sampled_from("pqrs"), max_size=2)) for node in nodes}
    leading = {node for node in nodes if any(path[-1] in ends for path in paths(adjacency, node))}
    return Graph.of(adjacency, params=params, ends=ends | (set(nodes) - leading))


def paths(adjacency: Mapping[str, Any], start: str, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every path without repetition; a walk that goes round goes through no fewer nodes."""
    path = (*before, start)
    yield path
    for fed in adjacency[start]:
        if fed not in path:
            yield from paths(adjacency, fed, path)


@examples(120)
@given(graphs(cyclic=True))
def test_the_definitions_word_for_word(graph: Graph) -> None:
    every = [path for node in graph.nodes for path in paths(graph.downstream, node)]
    for n in graph.nodes:
        leading = {path[0] for path in every if path[-1] == n}
        assert set(nodes_to(graph, n)) == leading
        params = {p for m in leading for p in graph.params.get(m, ())}
        assert set(params_to(graph, n)) == params
        around = {path[0] for path in every if path[-1] in graph.ends and n not in path}
        assert set(exclusive_to(graph, n)) == {p for p in params if not around & set(graph.holders[p])}


def outputs(graph: Graph, values: Mapping[str, int], held: str | None = None) -> dict[str, Any]:
    """What each node gives out: all that it got, and its parameters. ``held`` gives out the same always. No cycles."""
    out: dict[str, Any] = {}
    for node in graph.nodes:  # n0, n1, ...: an order in which what feeds comes first
        got = [out[one] for one in graph.upstream[node]]
        out[node] = "held" if node == held else (node, [values[p] for p in graph.params.get(node, ())], got)
    return out


@examples(100)
@given(graphs(cyclic=False))
def test_the_isolation_property(graph: Graph) -> None:
    """As long as n gives out the same, the exclusive parameters change no end; every other one may."""
    zero = dict.fromkeys(graph.holders, 0)
    for n in graph.nodes:
        for p in graph.holders:
            changed = {**zero, p: 1}
            at_n = outputs(graph, changed)[n] != outputs(graph, zero)[n]
            beyond = outputs(graph, changed, held=n), outputs(graph, zero, held=n)
            assert at_n == (p in params_to(graph, n))
            assert any(beyond[0][end] != beyond[1][end] for end in graph.ends) == (p not in exclusive_to(graph, n))
