"""Hierarchical product set learning (HPSL), Algorithm 1 of Vernaza, Guttendorf, Wagner and Koopman: "Learning Product
Set Models of Fault Triggers in High-Dimensional Software Interfaces" (2015).

For a set of fields F, ask for every value x what happens if all fields of F get it at once. If it always fails, no
field of F matters; if F is a single field, its triggering values are known; otherwise split F evenly and go on with
each half. If the failing configurations are a product set, the answer is exact (Theorem 1) after at most
``2 k (2 + log2 N) |X|`` questions, where k of N fields matter (Theorem 2).

The paper has one set of values for all fields and remarks that different ones are possible. Here a question gives each
field of F the x-th of its own values, starting again from the first in a field that has fewer. So a question still says
something about all of F, and both theorems hold with |X| the largest number of values. All halves of one depth are
asked about together, which changes only the order of the questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rootward.search.ask import LazyCandidates, Search
from rootward.searches.products.problem import Problem
from rootward.searches.products.product_set import ProductSet
from rootward.searches.products.queries import ProductQueries, check_samples
from rootward.space.candidate import Configuration
from rootward.space.space import Space


def hpsl(
    space: Space, failing: Mapping[str, Any], *, samples: int | None = None, seed: int = 0
) -> Search[Configuration, ProductSet]:
    """Find the product set around a failing configuration.

    ``samples``: number of random members of the set that measure its precision. By default, a tenth of the questions.
    """
    check_samples(samples)
    problem = Problem(space, failing)
    queries = ProductQueries(problem, seed=seed)
    nodes, asked = [range(len(problem))], 0
    while nodes:
        questions = [(node, x) for node in nodes for x in range(_count_values(problem, node))]
        changes = LazyCandidates(len(questions), partial(_make_question, problem, questions))
        queries.open = sum(map(len, nodes))
        note = f"{queries.open} of {len(problem)} fields may matter; groups to test: {len(nodes)}"
        found = yield from queries.check_changes(changes, note)
        asked += len(found)
        nodes = _next_level(queries, nodes, dict(zip(questions, found, strict=True)))
    queries.open = 0
    yield from queries.verify_whole(samples if samples is not None else max(4, asked // 10), "hoeffding")
    return queries.best


def _count_values(problem: Problem, node: range) -> int:
    return max(len(problem.domains[i]) for i in node)


def _make_question(problem: Problem, questions: list[tuple[range, int]], at: int) -> dict[int, int]:
    """Return the changes of question number ``at``.

    A question is a node and a number x: every field of the node gets its x-th value.
    """
    node, x = questions[at]
    return {i: x % len(problem.domains[i]) for i in node}


def _next_level(queries: ProductQueries, nodes: list[range], found: Mapping[tuple[range, int], bool]) -> list[range]:
    """Store the answers about nodes with a single field, and return the next nodes.

    Nodes that always fail are dropped, whatever their size. The other nodes with several fields are split in two.
    """
    level = []
    for node in nodes:
        width = _count_values(queries.problem, node)
        triggers = [x for x in range(width) if found[node, x]]
        if len(triggers) == width:
            continue
        if len(node) == 1:
            queries.sets[node[0]] = set(triggers)
        else:
            level += [node[: len(node) // 2], node[len(node) // 2 :]]
    return level
