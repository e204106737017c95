"""The graph of a pipeline: which node feeds which, and which parameters each node reads (BugDoc, section 6).

It may branch, join and have cycles. What leaves it are its *ends*: the nodes that feed no other, unless said otherwise.
One parameter (a file, say) may be read by several nodes. Four ways to write the same graph are understood::

    {"nodes": {"read": {"date": ["mon", "tue"]}, "write": {}}, "edges": [["read", "write"]], "ends": ["write"]}
    {"read": {"downstream": ["write"], "params": ["date"]}, "write": {}}
    {"read": ["write"], "write": []}                               with params={"read": ["date"]} beside it
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
from rootward.space.fields import show
from rootward.space.keys import canonical

ENTRIES = ("upstream", "downstream", "params")
FORMS = 'expected {"nodes": ..., "edges": ...}, {node: [downstream, ...]} or a networkx.DiGraph'


@dataclass(frozen=True)
class Graph:
    """Nodes, edges, ends and parameters. InputError if a name is unknown, or if a node leads to no end."""

    downstream: Mapping[str, tuple[str, ...]]
    """For every node, those that it feeds."""
    params: Mapping[str, tuple[str, ...]]
    """For every node, the parameters that it reads."""
    ends: tuple[str, ...]
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The values of parameters, where the graph says them."""

    @classmethod
    def of(
        cls,
        given: Any,
        *,
        params: Mapping[str, Iterable[str]] | None = None,
        ends: Iterable[str] | None = None,
    ) -> Graph:
        """The graph, however it is written; ``params`` and ``ends`` say what it does not say itself."""
        if isinstance(given, Graph):
            return given
        draft = _Draft()
        _read(given, draft)
        for node, own in (params or {}).items():
            draft.reads(str(node), own)
        said = draft.ends if ends is None else names_of(ends, "the ends")
        return draft.graph(said)

    def __post_init__(self) -> None:
        if not self.downstream:
            raise InputError("the graph has no nodes")
        for node in self.ends:
            self.check(node)
        if not self.ends:
            raise InputError("every node feeds another one: say which nodes are the ends")
        leading = self.leading_to(self.ends)
        if lost := [node for node in self.nodes if node not in leading]:
            raise InputError(f"{lost[0]!r} leads to no end; the ends are {', '.join(map(repr, self.ends))}")

    @property
    def nodes(self) -> tuple[str, ...]:
        """By name."""
        return tuple(sorted(self.downstream))

    @cached_property
    def upstream(self) -> dict[str, list[str]]:
        """For every node, those that feed it."""
        feeding: dict[str, list[str]] = {node: [] for node in self.nodes}
        for node in self.nodes:
            for fed in self.downstream[node]:
                feeding[fed].append(node)
        return feeding

    @cached_property
    def holders(self) -> dict[str, list[str]]:
        """For every parameter, by name, the nodes that read it."""
        holding: dict[str, list[str]] = {}
        for node in self.nodes:
            for name in self.params.get(node, ()):
                holding.setdefault(name, []).append(node)
        return dict(sorted(holding.items()))

    def leading_to(self, targets: Iterable[str], *, without: str | None = None) -> set[str]:
        """The targets, and every node with a path to one of them; ``without``: as if that node were not there."""
        reached = {node for node in targets if node != without}
        left = list(reached)
        while left:
            for node in self.upstream[left.pop()]:
                if node != without and node not in reached:
                    reached.add(node)
                    left.append(node)
        return reached

    def check(self, node: str) -> str:
        """The node, if there is one of that name."""
        if node not in self.downstream:
            raise InputError(f"no node {suggest(node, self.downstream)}")
        return node


class _Draft:
    """A graph that is being read."""

    def __init__(self) -> None:
        self.downstream: dict[str, list[str]] = {}
        self.params: dict[str, list[str]] = {}
        self.values: dict[str, dict[bytes, Any]] = {}
        self.edges: list[tuple[str, str]] = []
        self.ends: list[str] | None = None

    def node(self, name: Any) -> str:
        if str(name) in self.downstream:
            raise InputError(f"two nodes are called {str(name)!r}")
        self.downstream[str(name)] = []
        return str(name)

    def reads(self, node: str, params: Any) -> None:
        """The node reads these: names, or a mapping from names to their values."""
        if node not in self.downstream:
            raise InputError(f"no node {suggest(node, self.downstream)}, whose parameters are given")
        names = names_of(params, f"the parameters of {node!r}")
        self.params[node] = list(dict.fromkeys([*self.params.get(node, ()), *names]))
        if isinstance(params, Mapping):
            for name in names:
                values = list_of(params[name], f"the values of {name!r}")
                self.values.setdefault(name, {}).update((canonical(value), value) for value in values)

    def graph(self, ends: list[str] | None) -> Graph:
        for one, other in self.edges:
            for name in (one, other):
                if name not in self.downstream:
                    known = "list every node, those that feed no other with []"
                    raise InputError(
                        f"the edge {one!r} -> {other!r}: no node {suggest(name, self.downstream)}; {known}"
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
        raise InputError(f"{show(given)} is no graph: {FORMS}")
    elif "nodes" in given and "edges" in given:
        _read_lists(given, draft)
    else:
        _read_adjacency(given, draft)


def _read_networkx(given: Any, draft: _Draft) -> None:
    for node, data in given.nodes(data=True):
        draft.reads(draft.node(node), data.get("params", ()))
    draft.edges += [(str(one), str(other)) for one, other in given.edges()]


def _read_lists(given: Mapping[str, Any], draft: _Draft) -> None:
    if unknown := [name for name in given if name not in ("nodes", "edges", "ends")]:
        raise InputError(f"a graph has nodes, edges and ends, but no {show(unknown[0])}")
    nodes = given["nodes"]
    for node in nodes if isinstance(nodes, Mapping) else names_of(nodes, "the nodes"):
        draft.reads(draft.node(node), nodes[node] if isinstance(nodes, Mapping) else ())
    for edge in list_of(given["edges"], "the edges"):
        if not isinstance(edge, list | tuple) or len(edge) != 2:
            raise InputError(f"an edge is a pair of nodes, not {show(edge)}")
        draft.edges.append((str(edge[0]), str(edge[1])))
    draft.ends = names_of(given["ends"], "the ends") if "ends" in given else None


def _read_adjacency(given: Mapping[Any, Any], draft: _Draft) -> None:
    for name, entry in given.items():
        node = draft.node(name)
        if not isinstance(entry, Mapping):
            draft.edges += [(node, fed) for fed in names_of(entry, f"what {node!r} feeds")]
            continue
        if unknown := [word for word in entry if word not in ENTRIES]:
            raise InputError(f"the node {node!r} has {show(unknown[0])}: expected {', '.join(ENTRIES)}")
        draft.edges += [(node, fed) for fed in names_of(entry.get("downstream", ()), f"what {node!r} feeds")]
        draft.edges += [(feeding, node) for feeding in names_of(entry.get("upstream", ()), f"what feeds {node!r}")]
        draft.reads(node, entry.get("params", ()))


def names_of(given: Any, what: str) -> list[str]:
    """Names in their own order; InputError says ``what`` they should be."""
    return sorted(map(str, list_of(given, what)))


def list_of(given: Any, what: str) -> list[Any]:
    """Anything with several members; text is one, and would be taken apart."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError(f"{what}: expected a list, not {show(given)}")
    return sorted(given, key=canonical) if isinstance(given, set | frozenset) else list(given)


def suggest(name: str, known: Iterable[str]) -> str:
    """An unknown name, for a message, and the likely one."""
    near = get_close_matches(name, list(known), n=1)
    return repr(name) + (f" (did you mean {near[0]!r}?)" if near else "")
