"""The graph of a pipeline: which node feeds which, and which parameters each node reads (BugDoc, section 6).

It may branch, join and have cycles. Its *ends* are the nodes whose output counts: those that feed no other, unless the
ends are given. Several nodes may read the same parameter (a file, for example). A graph can be written in four forms::

    {"nodes": {"read": {"date": ["mon", "tue"]}, "write": {}}, "edges": [["read", "write"]], "ends": ["write"]}
    {"read": {"downstream": ["write"], "params": ["date"]}, "write": {}}
    {"read": ["write"], "write": []}                               together with params={"read": ["date"]}
    a networkx.DiGraph                                             whose nodes may have an attribute "params"

Parameters are a list of names, or a mapping from name to the values that were tried. ``upstream`` may be given instead
of ``downstream``, or both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from rootward.errors import InputError
from rootward.space.fields import join, show
from rootward.space.keys import canonical

NODE_KEYS = ("upstream", "downstream", "params")
FORMS = 'expected {"nodes": ..., "edges": ...}, {node: [downstream, ...]} or a networkx.DiGraph'


@dataclass(frozen=True)
class Graph:
    """Nodes, edges, ends and parameters. InputError if a name is unknown or a node leads to no end."""

    downstream: Mapping[str, tuple[str, ...]]
    """For every node, the nodes that it feeds."""
    params: Mapping[str, tuple[str, ...]]
    """For every node, the parameters that it reads."""
    ends: tuple[str, ...]
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The values of the parameters, if the graph contains them."""

    @classmethod
    def of(
        cls,
        given: Any,
        *,
        params: Mapping[str, Iterable[str]] | None = None,
        ends: Iterable[str] | None = None,
    ) -> Graph:
        """Read a graph in any of the supported forms.

        ``params`` and ``ends`` add the parameters and the ends that ``given`` does not contain.
        """
        if isinstance(given, Graph):
            return given
        draft = _Draft()
        _read(given, draft)
        for node, own in (params or {}).items():
            draft.add_params(str(node), own)
        own_ends = draft.ends if ends is None else names_of(ends, "the ends")
        return draft.build(own_ends)

    def __post_init__(self) -> None:
        if not self.downstream:
            raise InputError("the graph has no nodes: give at least one")
        for node in self.ends:
            self.check(node)
        if not self.ends:
            raise InputError("every node feeds another one: give the ends, the nodes whose output counts")
        leading = self.find_leading_to(self.ends)
        if lost := [node for node in self.nodes if node not in leading]:
            raise InputError(
                f"node {lost[0]!r} leads to no end; the ends are {', '.join(map(repr, self.ends))}: add an edge "
                "or make it an end"
            )

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes, sorted by name."""
        return tuple(sorted(self.downstream))

    @cached_property
    def upstream(self) -> dict[str, list[str]]:
        """For every node, the nodes that feed it."""
        feeding: dict[str, list[str]] = {node: [] for node in self.nodes}
        for node in self.nodes:
            for fed in self.downstream[node]:
                feeding[fed].append(node)
        return feeding

    @cached_property
    def holders(self) -> dict[str, list[str]]:
        """For every parameter, sorted by name, the nodes that read it."""
        holding: dict[str, list[str]] = {}
        for node in self.nodes:
            for name in self.params.get(node, ()):
                holding.setdefault(name, []).append(node)
        return dict(sorted(holding.items()))

    def find_leading_to(self, targets: Iterable[str], *, without: str | None = None) -> set[str]:
        """Return the targets and every node with a path to one of them.

        ``without``: a node to leave out, as if it were not in the graph.
        """
        reached = {node for node in targets if node != without}
        left = list(reached)
        while left:
            for node in self.upstream[left.pop()]:
                if node != without and node not in reached:
                    reached.add(node)
                    left.append(node)
        return reached

    def check(self, node: str) -> str:
        """Return the node. InputError if the graph has no node of this name."""
        if node not in self.downstream:
            raise InputError(f"unknown node {suggest(node, self.downstream)}")
        return node


class _Draft:
    """A graph while it is being read."""

    def __init__(self) -> None:
        self.downstream: dict[str, list[str]] = {}
        self.params: dict[str, list[str]] = {}
        self.values: dict[str, dict[bytes, Any]] = {}
        self.edges: list[tuple[str, str]] = []
        self.ends: list[str] | None = None

    def add_node(self, name: Any) -> str:
        if str(name) in self.downstream:
            raise InputError(f"two nodes are called {str(name)!r}: rename one of them")
        self.downstream[str(name)] = []
        return str(name)

    def add_params(self, node: str, params: Any) -> None:
        """Add the parameters that a node reads: names, or a mapping from names to their values."""
        if node not in self.downstream:
            raise InputError(f"parameters are given for the unknown node {suggest(node, self.downstream)}")
        names = names_of(params, f"the parameters of {node!r}")
        self.params[node] = list(dict.fromkeys([*self.params.get(node, ()), *names]))
        if isinstance(params, Mapping):
            for name in names:
                values = list_of(params[name], f"the values of {name!r}")
                self.values.setdefault(name, {}).update((canonical(value), value) for value in values)

    def build(self, ends: list[str] | None) -> Graph:
        for one, other in self.edges:
            for name in (one, other):
                if name not in self.downstream:
                    known = "list every node, with [] for one that feeds no other"
                    raise InputError(
                        f"the edge {one!r} -> {other!r}: unknown node {suggest(name, self.downstream)}; {known}"
                    )
            if other not in self.downstream[one]:
                self.downstream[one].append(other)
        sinks = [node for node, fed in self.downstream.items() if not fed]
        return Graph(
            {node: tuple(fed) for node, fed in self.downstream.items()},
            {node: tuple(own) for node, own in self.params.items()},
            tuple(sorted(set(sinks if ends is None else ends))),
            {name: tuple(values.values()) for name, values in self.values.items()},
        )


def _read(given: Any, draft: _Draft) -> None:
    if callable(getattr(given, "successors", None)) and hasattr(given, "nodes"):
        _read_networkx(given, draft)
    elif not isinstance(given, Mapping):
        raise InputError(f"{show(given)} is not a graph: {FORMS}")
    elif "nodes" in given and "edges" in given:
        _read_lists(given, draft)
    else:
        _read_adjacency(given, draft)


def _read_networkx(given: Any, draft: _Draft) -> None:
    for node, data in given.nodes(data=True):
        draft.add_params(draft.add_node(node), data.get("params", ()))
    draft.edges += [(str(one), str(other)) for one, other in given.edges()]


def _read_lists(given: Mapping[str, Any], draft: _Draft) -> None:
    if unknown := [name for name in given if name not in ("nodes", "edges", "ends")]:
        raise InputError(f"unknown entry {show(unknown[0])} in the graph: expected nodes, edges and ends")
    nodes = given["nodes"]
    for node in nodes if isinstance(nodes, Mapping) else names_of(nodes, "the nodes"):
        draft.add_params(draft.add_node(node), nodes[node] if isinstance(nodes, Mapping) else ())
    for edge in list_of(given["edges"], "the edges"):
        if not isinstance(edge, list | tuple) or len(edge) != 2:
            raise InputError(f"an edge must be a pair of nodes, not {show(edge)}")
        draft.edges.append((str(edge[0]), str(edge[1])))
    draft.ends = names_of(given["ends"], "the ends") if "ends" in given else None


def _read_adjacency(given: Mapping[Any, Any], draft: _Draft) -> None:
    for name, entry in given.items():
        node = draft.add_node(name)
        if not isinstance(entry, Mapping):
            draft.edges += [(node, fed) for fed in names_of(entry, f"the nodes that {node!r} feeds")]
            continue
        if unknown := [word for word in entry if word not in NODE_KEYS]:
            raise InputError(f"node {node!r} has the unknown entry {show(unknown[0])}: expected {', '.join(NODE_KEYS)}")
        downstream = names_of(entry.get("downstream", ()), f"the nodes that {node!r} feeds")
        upstream = names_of(entry.get("upstream", ()), f"the nodes that feed {node!r}")
        draft.edges += [(node, fed) for fed in downstream]
        draft.edges += [(feeding, node) for feeding in upstream]
        draft.add_params(node, entry.get("params", ()))


def names_of(given: Any, what: str) -> list[str]:
    """Return the names, sorted. InputError if ``given`` is not a collection.

    ``what``: the word for the names in the error message.
    """
    return sorted(map(str, list_of(given, what)))


def list_of(given: Any, what: str) -> list[Any]:
    """Return the members of any collection. InputError for text, which would be split into characters."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError(f"{what}: expected a list, not {show(given)}")
    return sorted(given, key=canonical) if isinstance(given, set | frozenset) else list(given)


def suggest(name: str, known: Iterable[str]) -> str:
    """Return an unknown name for an error message, followed by a suggestion.

    The suggestion is the most similar known name. If none is similar, all known names are listed.
    """
    names = list(known)
    near = get_close_matches(name, names, n=1)
    return f"{name!r} (" + (f"did you mean {near[0]!r}?)" if near else f"expected one of {join(tuple(names))})")
