"""Debugging decision trees: Algorithm 3 of BugDoc (section 4.2).

Grow a complete tree, without pruning, that separates failing from passing runs by comparing a parameter with a value.
Each path that ends in failing runs only is a suspect. Run other instances that fulfil it. If one passes, grow the tree
again from all known runs; if none does, the suspects are the causes.

The pseudo code asserts a path inside the loop over its tests (line 29), before all of them have run, and never takes it
back. Here a path becomes a cause when all its tests have run and none refutes it. A path that stays in the next tree is
not tested again. Numbers are compared by ``=`` as well as by ``<``, and the answer is simplified as in section 7.

BugDoc as a whole (section 7) runs Stacked Shortcut first, then grows these trees from all known runs. Stacked Shortcut
is cheap, but its answer may be too short and has equalities only. Its assertion is one more suspect beside the paths of
the tree: it is tested like them, and the simplification makes one explanation of all that survive.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.rules import Conjunction
from rootward.search.ask import Answers, Search
from rootward.search.design import Box, Instance
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.facts import Survived
from rootward.searches.causes.instance_queries import (
    Asking,
    InstanceQueries,
    check_positive,
    conjunction,
    simplify_boxes,
)
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.shortcut import stack
from rootward.space.candidate import Configuration


@dataclass(frozen=True)
class DecisionTreeTuning:
    """The numbers that the paper leaves open. Their influence was not measured."""

    # Effort

    max_tree_parameters: int = 64
    """Maximum number of parameters for BugDoc to grow trees: "when there are few" (section 7), without a number."""
    max_listed: int = 4096
    """Maximum number of members of a path to list all of them; of a larger path, members are drawn. Section 4.2 only
    says that they are sampled from the product of all values."""
    draws: int = 20
    """Maximum number of times to draw as many members as are needed. One draw may not be enough, because some members
    are already known or must not be run."""


TUNING = DecisionTreeTuning()


def ddt(
    pipeline: Pipeline, runs: Runs, *, goal: str = "all", seed: int = 0, tests: int = 10
) -> Search[Configuration, Causes]:
    """Find the causes that survive their tests. With goal "one", find only the first.

    Each cause is tested with ``tests`` runs, or with all its instances if there are fewer.
    """
    queries = InstanceQueries(pipeline, runs, goal=goal, seed=seed)
    yield from debug(queries, tests)
    return queries.best


def debug(queries: InstanceQueries, tests: int, asserted: Sequence[Box] = ()) -> Generator[Asking, Answers, None]:
    """Run Algorithm 3. ``queries.causes`` become the suspects that survive. ``asserted``: suspects to test first."""
    check_positive("tests", tests, "instances of a path to run")
    queries.guarantee = Survived(tests)
    refuted, tested = True, set[Conjunction]()
    while refuted:
        paths = [box for box in asserted if not queries.is_refuted(box)] + suspects(queries.pipeline, queries.runs)
        queries.causes = suspected = paths[:1] if queries.goal == "one" else paths
        new = [path for path in suspected if conjunction(queries.pipeline, path) not in tested]
        wanted = [one for path in new for one in draw_untried(queries, path, tests)]
        yield from queries.ask(wanted, f"{len(paths)} suspected causes; testing {len(new)} of them")
        tested.update(conjunction(queries.pipeline, path) for path in new)
        refuted = any(map(queries.is_refuted, suspected))
    shorter = simplify_boxes(queries.pipeline, queries.causes)
    if all((queries.runs_inside(box) & (queries.runs.fails > 0)).any() for box in shorter):
        queries.causes = shorter  # otherwise a part has no failing run, so it is not a cause by Definition 3


def draw_untried(queries: InstanceQueries, path: Box, count: int) -> list[Instance]:
    """Draw up to ``count`` random members of a path.

    Leaves out members that must not be run and members whose verdict is known.
    """
    found: dict[Instance, None] = {}
    for one in _members(queries, path, count):
        if len(found) == count:
            break
        if queries.is_open(one):
            found[one] = None
    return list(found)


def _members(queries: InstanceQueries, path: Box, count: int) -> Iterator[Instance]:
    """Yield members of a path in random order: all members if the path is small.

    For a large path, yields several draws of ``count`` members each. Within a draw, all values are about equally
    frequent.
    """
    rng, sizes = queries.rng, queries.pipeline.sizes
    sides = [np.flatnonzero(path[i]) if i in path else np.arange(size) for i, size in enumerate(sizes)]
    if queries.size(path) <= TUNING.max_listed:
        members = list(product(*(side.tolist() for side in sides)))
        yield from (members[at] for at in rng.permutation(len(members)))
        return
    for _ in range(TUNING.draws):
        columns = [rng.permutation(np.resize(rng.permutation(side), count)) for side in sides]
        yield from map(tuple, np.stack(columns, axis=1).tolist())


# The tree


def suspects(pipeline: Pipeline, runs: Runs) -> list[Box]:
    """Return the paths of the decision tree that end in failing runs only.

    Paths with the fewest comparisons come first.
    """
    found: list[tuple[int, Box]] = []
    nodes: list[tuple[int, NDArray[np.intp], Box]] = [(0, np.arange(len(runs)), {})]
    values = _ValueTable(pipeline)
    while nodes:
        depth, rows, box = nodes.pop()
        failing = runs.fails[rows] > 0
        if failing.all() and len(rows):
            found.append((depth, box))
        elif failing.any():
            i, held = values.best(runs.codes[rows], failing)
            inside = held[runs.codes[rows, i]]
            own = box.get(i, np.ones(len(held), dtype=bool))
            nodes.append((depth + 1, rows[~inside], {**box, i: own & ~held}))
            nodes.append((depth + 1, rows[inside], {**box, i: own & held}))
    return [box for _, box in sorted(found, key=lambda one: one[0])]


class _ValueTable:
    """The values of all parameters side by side in one array, so that one pass counts all of them."""

    def __init__(self, pipeline: Pipeline) -> None:
        sizes = pipeline.sizes
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.parameter = np.repeat(np.arange(len(sizes)), sizes)
        self.place = np.arange(len(self.parameter)) - self.starts[self.parameter]
        self.ordered = np.array(pipeline.ordered, dtype=bool)[self.parameter]
        self.sizes = sizes

    def best(self, codes: NDArray[Any], failing: NDArray[np.bool_]) -> tuple[int, NDArray[np.bool_]]:
        """Return the split that leaves the least entropy, as a parameter and a set of its values.

        Ties are broken in this order: ``=`` before ``<``, the first parameter, the first value. A threshold lies in the
        middle between the two values that it separates.
        """
        places = codes.astype(np.int64) + self.starts
        counts = np.stack([self._count(places[~failing]), self._count(places[failing])])
        below = np.cumsum(counts, axis=1) - counts
        below -= below[:, self.starts[self.parameter]]
        whole = np.array([(~failing).sum(), failing.sum()])
        left = np.round([_entropy(counts, whole), np.where(self.ordered, _entropy(below, whole), np.inf)], 9)
        comparator, at = np.unravel_index(np.argmin(left), left.shape)
        i = int(self.parameter[at])
        every = np.arange(self.sizes[i])
        place = int(self.place[at])
        if comparator == 0:
            return i, every == place
        seen = np.flatnonzero(counts[:, self.starts[i] + every].sum(axis=0))
        return i, every < (place + seen[seen >= place][0] + 1) // 2

    def _count(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.bincount(places.ravel(), minlength=len(self.parameter))


def _entropy(inside: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the entropy that remains after a split.

    ``inside``: the numbers of passing and failing runs on one side. ``whole``: these numbers for both sides together.
    The entropy is infinite if one side is empty.
    """
    parts = np.stack([inside, whole[:, None] - inside]).astype(float)
    total = parts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(parts > 0, parts * np.log2(parts / total[:, None]), 0.0)
    return np.where((total > 0).all(axis=0), -logs.sum(axis=(0, 1)), np.inf)


def bugdoc(
    pipeline: Pipeline, runs: Runs, *, goal: str = "all", seed: int = 0, k: int = 4, tests: int = 10
) -> Search[Configuration, Causes]:
    """Find the causes that survive their tests: run Stacked Shortcut, then test its assertion and the tree's paths.

    With goal "one", find only one cause: the assertion of Stacked Shortcut if it survives, otherwise the first path
    that survives. If there are more than ``max_tree_parameters`` parameters, run only Stacked Shortcut.
    """
    queries = InstanceQueries(pipeline, runs, goal=goal, seed=seed)
    yield from stack(queries, k)
    if len(pipeline) <= TUNING.max_tree_parameters:
        queries.notes = ()
        yield from debug(queries, tests, asserted=queries.causes)
    return queries.best
