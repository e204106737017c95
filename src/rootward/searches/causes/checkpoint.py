"""Selective instrumentation: the best node of a pipeline for a check (BugDoc, section 6).

A check at a node n says whether the output of n is right. It separates the parameters that reach the ends *only through
n* (``exclusive_to``) from all others: if the check passes and the end still fails, none of the exclusive ones is to
blame. So the two groups are searched one after the other, and the numbers of their combinations are added instead of
multiplied.

The paper prints the sum twice: over ``ALLPARAMS - exclusive_to(n)`` and then, in the arg min, over ``ALLPARAMS -
params_to(n)``. The second would leave out the parameters that reach n but also bypass it. Table 6 has the first, and so
does this file. The heading of Table 6 promises sizes of products, but the table prints exponents: with v values for
every parameter, 0 stands for v^0 = 1 combination of no parameters, 4 for v^4. A row here has both: names, whose number
is the exponent, and sizes. The first three rows of Table 6 have no exclusive parameters, although by the definition a
parameter that a single node reads is exclusive to that node. They are right if the nodes that write a file read the
same parameters, for example to name it.
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

MAX_EXACT = 2**53
"""Larger numbers are written as 1.8e+19: most readers of JSON cannot hold them exactly."""


def nodes_to(graph: Graph, node: str) -> tuple[str, ...]:
    """Return the node and every node with a path to it."""
    return tuple(sorted(graph.find_leading_to([graph.check(node)])))


def params_to(graph: Graph, node: str) -> tuple[str, ...]:
    """Return the parameters that can change the output of the node."""
    return tuple(sorted({name for one in nodes_to(graph, node) for name in graph.params.get(one, ())}))


def exclusive_to(graph: Graph, node: str) -> tuple[str, ...]:
    """Return the parameters that can change the output of an end only through the output of the node.

    The node is removed from the graph. A node that then leads to no end led there only through the removed one. A
    parameter is exclusive if only such nodes, or the removed one itself, read it.
    """
    around = graph.find_leading_to(graph.ends, without=graph.check(node))
    return tuple(name for name, held in graph.holders.items() if around.isdisjoint(held))


@dataclass(frozen=True)
class CheckEffect:
    """The effect of a check at one node: a row of Table 6."""

    node: str
    params: tuple[str, ...]
    """params_to: the parameters that can change its output."""
    exclusive: tuple[str, ...]
    """exclusive_to: the parameters that reach the ends only through it."""
    inside: int = field(repr=False)  # Python refuses to print very long integers
    """Number of combinations of the exclusive parameters."""
    outside: int = field(repr=False)
    """Number of combinations of all other parameters; 1 if there are none."""
    possible: bool = True
    """True if a check can be put there."""
    covers: tuple[str, ...] = ()
    """The exclusive parameters that were given as troublesome."""

    @property
    def size(self) -> int:
        """Number of combinations left to search."""
        return self.inside + self.outside

    @property
    def shared(self) -> tuple[str, ...]:
        """The parameters that can change the node's output and also reach an end without the node."""
        return tuple(sorted({*self.params}.difference(self.exclusive)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "params_to": list(self.params),
            "exclusive_to": list(self.exclusive),
            "inside": to_plain(self.inside),
            "outside": to_plain(self.outside),
            "sum": to_plain(self.size),
            "possible": self.possible,
            "covers": list(self.covers),
        }


@dataclass(frozen=True, kw_only=True)
class Checkpoint(Finding):
    """The node where a check helps most, and the effect of a check at each node."""

    node: str | None
    """None if a check helps nowhere: no node splits the parameters in two."""
    nodes: tuple[CheckEffect, ...] = field(repr=False)
    """Every node, from the start of the pipeline to its end."""
    params: tuple[str, ...]
    """All parameters that vary (ALLPARAMS), by name."""
    before: int = field(repr=False)
    """Number of combinations of all parameters."""
    graph: Graph | None = field(default=None, repr=False, compare=False)
    """The pipeline."""
    sizes: Mapping[str, int] = field(default_factory=dict, repr=False, compare=False)
    """Number of values of each of its parameters."""

    @cached_property
    def row(self) -> CheckEffect:
        """The row of the chosen node. InputError if no node was chosen."""
        for row in self.nodes:
            if row.node == self.node:
                return row
        raise InputError("a check does not help at any node of this pipeline: none splits the parameters in two")

    @property
    def exclusive(self) -> tuple[str, ...]:
        """The parameters of the first phase: those that reach the ends only through the chosen node."""
        return self.row.exclusive

    @property
    def others(self) -> tuple[str, ...]:
        """The parameters of the second phase: all that are not ``exclusive``."""
        return tuple(sorted({*self.params}.difference(self.row.exclusive)))

    @property
    def after(self) -> int:
        """Number of combinations left to search with the check."""
        return self.before if self.node is None else self.row.size

    def answer(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "params": list(self.params),
            "before": to_plain(self.before),
            "after": to_plain(self.after),
            "nodes": [row.to_dict() for row in self.nodes],
            "sizes": dict(self.sizes),
            "graph": None if self.graph is None else self._describe_graph(self.graph),
        }

    def _describe_graph(self, graph: Graph) -> dict[str, Any]:
        """Return the graph as plain data, without parameters that do not vary."""
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

    :param graph: the nodes and edges, in one of the forms that ``rootward.searches.causes.graph`` reads
    :param values: the values of each parameter, unless the graph contains them; a parameter without values does not
        vary
    :param params: the parameters that each node reads, unless the graph contains them
    :param ends: the nodes whose output counts, unless the graph contains them
    :param possible: the nodes where a check can be put, if not all
    :param troublesome: parameters that are known to take part in failures: the node that covers most of them is chosen,
        and of several such nodes the one with the smallest search
    """
    pipeline = Graph.of(graph, params=params, ends=ends)
    sizes = _count_values(pipeline, values)
    poss = {pipeline.check(node) for node in names_of(pipeline.nodes if possible is None else possible, "possible")}
    trouble = names_of(troublesome, "troublesome")
    if unknown := [name for name in trouble if name not in sizes]:
        raise InputError(f"troublesome: unknown parameter {suggest(unknown[0], sizes)}, or one that does not vary")
    before = math.prod(sizes.values())
    ranked = sorted((len(nodes_to(pipeline, node)), node) for node in pipeline.nodes)
    nodes = tuple(_make_row(pipeline, node, sizes, before, node in poss, trouble) for _, node in ranked)
    helping = [row for row in nodes if row.possible and row.size < before]
    # min takes the first of equals: the earlier node, to which a run is shorter.
    best = min(helping, key=lambda row: (-len(row.covers), row.size), default=None)
    return Checkpoint(
        node=None if best is None else best.node,
        nodes=nodes,
        params=tuple(sizes),
        before=before,
        graph=pipeline,
        sizes=sizes,
    )


def _make_row(
    graph: Graph, node: str, sizes: Mapping[str, int], before: int, possible: bool, troublesome: Iterable[str]
) -> CheckEffect:
    params = tuple(name for name in params_to(graph, node) if name in sizes)
    exclusive = tuple(name for name in exclusive_to(graph, node) if name in sizes)
    inside = math.prod(sizes[name] for name in exclusive)
    covers = tuple(name for name in troublesome if name in exclusive)
    return CheckEffect(node, params, exclusive, inside, before // inside, possible, covers)


def _count_values(graph: Graph, values: Mapping[str, Iterable[Any]] | Space | None) -> dict[str, int]:
    """Return the number of different values of each parameter, sorted by name."""
    given = graph.values if values is None else values
    if isinstance(given, Space):
        given = {name: given.values(name) for name in given}
    if not isinstance(given, Mapping):
        raise InputError("values: expected a mapping from each parameter to its values, or a Space")
    if not given:
        raise InputError("no parameter has values: give the values of each parameter, in the graph or as values=")
    sizes = {
        str(name): len(set(map(canonical, list_of(own, f"the values of {name!r}")))) for name, own in given.items()
    }
    for name, size in sizes.items():
        if name not in graph.holders:
            hint = "say in the graph or in params= which nodes read it (every node, if it is global)"
            raise InputError(f"no node reads the parameter {suggest(name, graph.holders)}: {hint}")
        if not size:
            raise InputError(f"the parameter {name!r} has no values")
    return dict(sorted(sizes.items()))


def to_plain(number: int) -> int | str:
    """Return the number, or its text such as 1.8e+19 if it is very large."""
    return number if number <= MAX_EXACT else _round_number(number)


def _round_number(number: int) -> str:
    """Return a number as 1.8e+19, even if it is too large for a float."""
    whole, part = divmod(math.log10(number), 1)
    return f"{10**part:.1f}e+{int(whole)}" if 10**part < 9.95 else f"1.0e+{int(whole) + 1}"
