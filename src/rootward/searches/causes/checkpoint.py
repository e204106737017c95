"""Where to put a check into a pipeline (selective instrumentation: BugDoc, section 6).

A check at a node n says whether what n gives out is right. It tells the parameters that reach the ends *only through n*
(``exclusive_to``) from all others: if the check passes and the end still fails, none of them is to blame. So both kinds
are searched one after the other, and two products of values add up where one product multiplied them.

The paper prints the sum twice: over ``ALLPARAMS - exclusive_to(n)`` and then, in the arg min, over ``ALLPARAMS -
params_to(n)``. The second would leave out the parameters that reach n and also go round it, and Table 6 has the first;
so the first it is. Table 6 is headed as sizes of products, but prints exponents: with v values for every parameter, 0
stands for v^0 = 1 combination of no parameters, 4 for v^4. A row here has names, so exponents, and sizes. Its first
three rows have no exclusive parameters, though by the definition a parameter that a single node reads is exclusive to
that node; they hold if the nodes that write a file read the same parameters, as to name it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rootward.errors import InputError
from rootward.search.finding import Finding
from rootward.searches.causes.graph import Graph, list_of, names_of, suggest
from rootward.space.keys import canonical
from rootward.space.space import Space

EXACT = 2**53
"""Larger numbers are written as 1.8e+19: they are lost on most readers of JSON, too."""


def nodes_to(graph: Graph, node: str) -> tuple[str, ...]:
    """The node, and every node with a path to it."""
    return tuple(sorted(graph.leading_to([graph.check(node)])))


def params_to(graph: Graph, node: str) -> tuple[str, ...]:
    """The parameters that can change what the node gives out."""
    return tuple(sorted({name for one in nodes_to(graph, node) for name in graph.params.get(one, ())}))


def exclusive_to(graph: Graph, node: str) -> tuple[str, ...]:
    """The parameters that can change what an end gives out only by what the node gives out.

    A path that avoids the node is one that is still there when the node is gone. Every node leads to an end; so one
    that no longer does led to the node before.
    """
    around = graph.leading_to(graph.ends, without=graph.check(node))
    return tuple(name for name, held in graph.holders.items() if around.isdisjoint(held))


@dataclass(frozen=True)
class Row:
    """What a check at one node would do: a row of Table 6."""

    node: str
    params: tuple[str, ...]
    """params_to: what can change its output."""
    exclusive: tuple[str, ...]
    """exclusive_to: what reaches the ends through it alone."""
    inside: int = field(repr=False)  # Python refuses to write very long integers
    """How many combinations the exclusive parameters have ..."""
    outside: int = field(repr=False)
    """... and all others. No parameters have one combination."""
    possible: bool = True
    """Whether a check can be put there."""
    covers: tuple[str, ...] = ()
    """The troublesome parameters among the exclusive ones."""

    @property
    def size(self) -> int:
        """How many combinations are left to search."""
        return self.inside + self.outside

    @property
    def shared(self) -> tuple[str, ...]:
        """What can change its output, and reaches an end in another way, too."""
        return tuple(sorted({*self.params}.difference(self.exclusive)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "params_to": list(self.params),
            "exclusive_to": list(self.exclusive),
            "inside": plain(self.inside),
            "outside": plain(self.outside),
            "sum": plain(self.size),
            "possible": self.possible,
            "covers": list(self.covers),
        }


@dataclass(frozen=True, kw_only=True)
class Checkpoint(Finding):
    """The node where a check helps most, and what it would do at every other one."""

    node: str | None
    """None if a check helps nowhere: then there is no node that parts the parameters in two."""
    nodes: tuple[Row, ...] = field(repr=False)
    """Every node, those that come first in the pipeline first."""
    params: tuple[str, ...]
    """All parameters that vary (ALLPARAMS), by name."""
    before: int = field(repr=False)
    """How many combinations they have."""
    graph: Graph | None = field(default=None, repr=False, compare=False)
    """The pipeline that this is about, and ..."""
    sizes: Mapping[str, int] = field(default_factory=dict, repr=False, compare=False)
    """... how many values each of its parameters has."""

    @cached_property
    def row(self) -> Row:
        """The row of the node; InputError if there is none."""
        for row in self.nodes:
            if row.node == self.node:
                return row
        raise InputError("a check helps at no node of this pipeline")

    @property
    def exclusive(self) -> tuple[str, ...]:
        """The parameters that can be seen only through the node: what the first phase is about."""
        return self.row.exclusive

    @property
    def others(self) -> tuple[str, ...]:
        """All others: what the second phase is about."""
        return tuple(sorted({*self.params}.difference(self.row.exclusive)))

    @property
    def after(self) -> int:
        """How many combinations are left with the check."""
        return self.before if self.node is None else self.row.size

    def answer(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "params": list(self.params),
            "before": plain(self.before),
            "after": plain(self.after),
            "nodes": [row.to_dict() for row in self.nodes],
            "sizes": dict(self.sizes),
            "graph": None if self.graph is None else self._graph(self.graph),
        }

    def _graph(self, graph: Graph) -> dict[str, Any]:
        """The graph as plain data; parameters that do not vary are left out."""
        return {
            "nodes": [row.node for row in self.nodes],
            "edges": [[node, fed] for node in graph.nodes for fed in graph.downstream[node]],
            "reads": {node: [name for name in own if name in self.sizes] for node, own in graph.params.items()},
            "ends": list(graph.ends),
        }


def instrument(
    graph: Any,
    values: Mapping[str, Iterable[Any]] | Space | None = None,
    *,
    params: Mapping[str, Iterable[str]] | None = None,
    ends: Iterable[str] | None = None,
    possible: Iterable[str] | None = None,
    troublesome: Iterable[str] = (),
) -> Checkpoint:
    """Find the node of a pipeline where a check makes the search for causes smallest. Nothing is run.

    :param graph: which node feeds which, in one of the ways that ``rootward.searches.causes.graph`` reads
    :param values: the values that each parameter may have, unless the graph says it; a parameter without any does not
        vary
    :param params: which parameters each node reads, unless the graph says it
    :param ends: the nodes whose output counts, unless the graph says it
    :param possible: the nodes where a check can be put, if not all
    :param troublesome: parameters that are known to take part in failures: a node that covers most of them is chosen,
        and the smallest search decides among equals
    """
    pipeline = Graph.of(graph, params=params, ends=ends)
    sizes = _sizes(pipeline, values)
    poss = {pipeline.check(node) for node in names_of(pipeline.nodes if possible is None else possible, "possible")}
    trouble = names_of(troublesome, "troublesome")
    if unknown := [name for name in trouble if name not in sizes]:
        raise InputError(f"no parameter {suggest(unknown[0], sizes)} that varies")
    before = math.prod(sizes.values())
    ranked = sorted((len(nodes_to(pipeline, node)), node) for node in pipeline.nodes)
    nodes = tuple(_row(pipeline, node, sizes, before, node in poss, trouble) for _, node in ranked)
    helping = [row for row in nodes if row.possible and row.size < before]
    # min takes the first of equals: the earlier node, up to which a run is shorter.
    best = min(helping, key=lambda row: (-len(row.covers), row.size), default=None)
    return Checkpoint(
        node=None if best is None else best.node,
        nodes=nodes,
        params=tuple(sizes),
        before=before,
        graph=pipeline,
        sizes=sizes,
    )


def _row(
    graph: Graph, node: str, sizes: Mapping[str, int], before: int, possible: bool, troublesome: Iterable[str]
) -> Row:
    params = tuple(name for name in params_to(graph, node) if name in sizes)
    exclusive = tuple(name for name in exclusive_to(graph, node) if name in sizes)
    inside = math.prod(sizes[name] for name in exclusive)
    covers = tuple(name for name in troublesome if name in exclusive)
    return Row(node, params, exclusive, inside, before // inside, possible, covers)


def _sizes(graph: Graph, values: Mapping[str, Iterable[Any]] | Space | None) -> dict[str, int]:
    """How many different values each parameter has, by name."""
    given = graph.values if values is None else values
    if isinstance(given, Space):
        given = {name: given.values(name) for name in given}
    if not isinstance(given, Mapping):
        raise InputError("values: expected a mapping from parameter to its values, or a Space")
    if not given:
        raise InputError("no parameter has values: say for each which ones it may have")
    sizes = {
        str(name): len(set(map(canonical, list_of(own, f"the values of {name!r}")))) for name, own in given.items()
    }
    for name, size in sizes.items():
        if name not in graph.holders:
            hint = "say which nodes read it (every node, if it is global)"
            raise InputError(f"the parameter {suggest(name, graph.holders)} belongs to no node: {hint}")
        if not size:
            raise InputError(f"the parameter {name!r} has no values")
    return dict(sorted(sizes.items()))


def plain(number: int) -> int | str:
    """The number, or what is written instead of a very large one."""
    return number if number <= EXACT else _rough(number)


def _rough(number: int) -> str:
    """1.8e+19, for integers that no float holds, too."""
    whole, part = divmod(math.log10(number), 1)
    return f"{10**part:.1f}e+{int(whole)}" if 10**part < 9.95 else f"1.0e+{int(whole) + 1}"
