"""Pipeline graphs, however they are written; and what is wrong with those that are refused."""

import json
from typing import Any

import pytest

from rootward.errors import InputError
from rootward.searches.causes.graph import Graph

LISTS = {
    "nodes": {"read": {"date": ["mon", "tue"]}, "fit": ["rate"], "save": []},
    "edges": [["read", "fit"], ["fit", "save"]],
}
DOWN = {
    "read": {"downstream": ["fit"], "params": {"date": ["mon", "tue"]}},
    "fit": {"downstream": ["save"], "params": ["rate"]},
    "save": {},
}
UP = {
    "save": {"upstream": ["fit"]},
    "fit": {"upstream": ["read"], "params": ["rate"]},
    "read": {"params": {"date": ["mon", "tue"]}},
}
BOTH = {
    "read": {"downstream": ["fit"], "upstream": [], "params": {"date": ["mon", "tue"]}},
    "fit": {"upstream": ["read"], "downstream": ["save"], "params": ["rate"]},
    "save": {"upstream": ["fit"]},
}


@pytest.mark.parametrize("written", [LISTS, DOWN, UP, BOTH], ids=["lists", "downstream", "upstream", "both"])
def test_one_graph_in_many_forms(written: Any) -> None:
    graph = Graph.of(json.loads(json.dumps(written)))
    assert graph.nodes == ("fit", "read", "save")
    assert {node: sorted(fed) for node, fed in graph.downstream.items()} == {
        "read": ["fit"],
        "fit": ["save"],
        "save": [],
    }
    assert {node: own for node, own in graph.params.items() if own} == {"read": ("date",), "fit": ("rate",)}
    assert graph.ends == ("save",)
    assert graph.values == {"date": ("mon", "tue")}
    assert Graph.of(graph) is graph


def test_bare_adjacency_with_parameters_beside_it() -> None:
    graph = Graph.of({"read": {"fit"}, "fit": []}, params={"read": ["date"]})
    assert graph.holders == {"date": ["read"]}
    assert Graph.of({"a": {"params": []}, "b": ["a"]}, ends=["a", "b"]).ends == ("a", "b")


def test_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    drawn = networkx.DiGraph([("read", "fit"), ("fit", "save"), ("fit", 4)])
    drawn.nodes["read"]["params"] = {"date": ["mon", "tue"]}
    drawn.nodes["fit"]["params"] = ["rate"]
    graph = Graph.of(drawn)
    assert graph.ends == ("4", "save")
    assert graph.holders == {"date": ["read"], "rate": ["fit"]}
    assert graph.values == {"date": ("mon", "tue")}


class Drawn:
    """What of a networkx.DiGraph is looked at."""

    def nodes(self, data: bool) -> list[tuple[Any, dict[str, Any]]]:
        assert data
        return [("read", {"params": ["date"]}), (4, {})]

    def edges(self) -> list[tuple[Any, Any]]:
        return [("read", 4)]

    def successors(self, node: Any) -> Any:
        raise NotImplementedError


def test_what_looks_like_networkx() -> None:
    graph = Graph.of(Drawn())
    assert (graph.nodes, graph.ends, graph.holders) == (("4", "read"), ("4",), {"date": ["read"]})


def test_one_parameter_of_several_nodes() -> None:
    graph = Graph.of({"nodes": {"a": {"file": [1, 2]}, "b": {"file": [2, 3]}}, "edges": [["a", "b"]]})
    assert graph.holders == {"file": ["a", "b"]}
    assert graph.values == {"file": (1, 2, 3)}


def test_a_cycle_that_can_be_left() -> None:
    graph = Graph.of({"a": ["b"], "b": ["a", "c"], "c": []})
    assert graph.find_leading_to(["c"]) == {"a", "b", "c"}
    assert graph.find_leading_to(["c"], without="b") == {"c"}
    assert graph.find_leading_to(["b"], without="b") == set()


def test_a_long_chain_needs_no_deep_stack() -> None:
    graph = Graph.of({str(i): [str(i + 1)] if i < 20_000 else [] for i in range(20_001)})
    assert len(graph.find_leading_to(["20000"])) == 20_001


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({}, "no nodes"),
        ({"nodes": {}, "edges": []}, "no nodes"),
        (["a", "b"], "is not a graph: expected"),
        ("graph.json", "is not a graph: expected"),
        (
            {"read": ["fitt"], "fit": []},
            r"edge 'read' -> 'fitt': unknown node 'fitt' \(did you mean 'fit'\?\); list every node",
        ),
        ({"read": {"upstream": ["fitt"]}, "fit": []}, "edge 'fitt' -> 'read'"),
        ({"read": "fit", "fit": []}, "the nodes that 'read' feeds: expected a list, not 'fit'"),
        ({"read": 3}, "the nodes that 'read' feeds: expected a list, not 3"),
        ({"read": {"down": []}}, "node 'read' has the unknown entry 'down': expected upstream, downstream, params"),
        ({"read": {"params": "date"}}, "the parameters of 'read': expected a list, not 'date'"),
        ({"read": {"params": {"date": "monday"}}}, "the values of 'date': expected a list, not 'monday'"),
        ({"nodes": {"a": []}, "edges": [["a"]]}, r"an edge must be a pair of nodes, not \['a'\]"),
        ({"nodes": {"a": []}, "edges": {"a": "b"}}, "an edge must be a pair of nodes, not 'a'"),
        (
            {"nodes": {"a": []}, "edges": [], "end": ["a"]},
            "unknown entry 'end' in the graph",
        ),
        ({"nodes": {"a": []}, "edges": [], "ends": ["b"]}, "unknown node 'b'"),
        ({"nodes": ["a", "a"], "edges": []}, "two nodes are called 'a'"),
        ({1: [], "1": []}, "two nodes are called '1'"),
        ({"a": ["b"], "b": ["a"]}, "every node feeds another one: give the ends"),
        ({"a": ["b"], "b": ["a"], "c": []}, "'a' leads to no end; the ends are 'c'"),
        ({"nodes": {"a": [], "log": []}, "edges": [], "ends": ["a"]}, "'log' leads to no end"),
        ({"nodes": {"a": []}, "edges": [], "ends": []}, "every node feeds another"),
    ],
)
def test_what_is_wrong(written: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Graph.of(written)


def test_parameters_of_no_node() -> None:
    with pytest.raises(InputError, match=r"the unknown node 'raed' \(did you mean 'read'\?\)"):
        Graph.of({"read": []}, params={"raed": ["date"]})
