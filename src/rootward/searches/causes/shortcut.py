"""Shortcut and Stacked Shortcut: Algorithms 1 and 2 of BugDoc (section 4.1).

Take a failing instance and a passing one that is disjoint from it. Give the failing instance the values of the passing
one, parameter by parameter, and keep each change that still fails. The values that the failing instance has kept are
the cause. If all causes are single values, the answer is exact (Theorem 1). It is never too long (Theorem 2), but may
be too short where values of both instances together make up another cause (Theorem 4). So Stacked Shortcut repeats this
with k passing instances, disjoint from one another, and takes the union: with at most k causes it is not too short
(Theorem 5).

Where the pseudo code is silent, this follows the text: the check of lines 10 to 14 uses all known runs, and the union
has to pass it, too. The k shortcuts do not depend on one another, so they advance together, parameter by parameter.
The caption of Table 2 names another pair of instances than the text; its rows are those of the text.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rootward.search.ask import Answers, Search
from rootward.search.design import Box, Instance
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.facts import NotKnown, Rest
from rootward.searches.causes.instance_queries import Asking, InstanceQueries, check_positive
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.space.candidate import Configuration


@dataclass(frozen=True)
class ShortcutTuning:
    """The numbers that the paper leaves open. Their influence was not measured."""

    # Effort

    max_starts: int = 64
    """Maximum number of failing runs to examine until one has a disjoint passing run. Also the maximum number of
    passing runs to start from when collecting passing runs that are disjoint from one another. Algorithms 1 and 2
    (section 4.1) take the runs as given."""
    max_partial: int = 64
    """Maximum number of parameters in a cause that is reported before the search has ended."""


TUNING = ShortcutTuning()


def shortcut(pipeline: Pipeline, runs: Runs, *, goal: str = "all", seed: int = 0) -> Search[Configuration, Causes]:
    """Find one cause of one failing run, from one passing run. The goal and the seed have no effect."""
    return (yield from stacked_shortcut(pipeline, runs, goal=goal, seed=seed, k=1))


def stacked_shortcut(
    pipeline: Pipeline, runs: Runs, *, goal: str = "all", seed: int = 0, k: int = 4
) -> Search[Configuration, Causes]:
    """Find one cause of one failing run, from up to ``k`` passing runs."""
    queries = InstanceQueries(pipeline, runs, goal=goal, seed=seed)
    yield from stack(queries, k)
    return queries.best


def stack(queries: InstanceQueries, k: int) -> Generator[Asking, Answers, None]:
    """Run Algorithm 2. The assertion, if there is one, becomes the only cause in ``queries.causes``."""
    check_positive("k", k, "passing runs to start from")
    queries.guarantee = Rest.NOT_EXPLAINED
    if not queries.runs.failing or not queries.runs.passing:
        queries.notes += (NotKnown(failing=not queries.runs.failing),)
        return
    failing, good = choose_opposites(queries.runs, k)
    current = [failing] * len(good)
    for p in range(len(queries.pipeline)):
        kept = [own for own in _find_kept(failing, current) if own.sum() <= TUNING.max_partial]
        queries.causes = _assert_cause(queries, failing, kept)
        changed = [(*now[:p], one[p], *now[p + 1 :]) for now, one in zip(current, good, strict=True)]
        found = yield from queries.ask(changed, f"replacing parameter {p + 1} of {len(queries.pipeline)}")
        current = [new if fails else old for new, old, fails in zip(changed, current, found, strict=True)]
    queries.causes = _assert_cause(queries, failing, _find_kept(failing, current))


def _find_kept(failing: Instance, current: Sequence[Instance]) -> list[NDArray[np.bool_]]:
    """Return, for each current instance, a mask of the parameters in which it equals the failing instance."""
    return [np.equal(one, failing) for one in current]


def _assert_cause(queries: InstanceQueries, failing: Instance, kept: Sequence[NDArray[np.bool_]]) -> list[Box]:
    """Return the union of the sets of kept values as one box.

    Sets that a passing run refutes are left out. The list is empty if no set is left, or if a passing run refutes the
    union.
    """
    sound = [own for own in kept if not queries.is_refuted(_box(queries.pipeline, failing, own))]
    if not sound:
        return []
    union = _box(queries.pipeline, failing, np.logical_or.reduce(sound))
    return [] if queries.is_refuted(union) else [union]


def _box(pipeline: Pipeline, failing: Instance, kept: NDArray[np.bool_]) -> Box:
    """Return the box of the kept values of the failing instance. Parameters with a single value are left out."""
    sizes = pipeline.sizes
    return {int(i): np.arange(sizes[i]) == failing[i] for i in np.flatnonzero(kept) if sizes[i] > 1}


def choose_opposites(runs: Runs, k: int) -> tuple[Instance, list[Instance]]:
    """Return a failing run and up to ``k`` passing runs that differ from it as much as possible.

    The failing run is the first that has a disjoint passing run, ignoring parameters with a single value. If there is
    none, it is the failing run that differs in most parameters from some passing run. The passing runs are disjoint
    from one another where possible.
    """
    codes = runs.codes[:, runs.pipeline.sizes > 1]
    passing = np.flatnonzero(runs.fails == 0)
    best, differing = -1, np.zeros(0, dtype=np.int64)
    for row in np.flatnonzero(runs.fails > 0)[: TUNING.max_starts]:
        differs = np.count_nonzero(codes[passing] != codes[row], axis=1)
        if best < 0 or differs.max() > differing.max():
            best, differing = int(row), differs
        if differing.max() == codes.shape[1]:
            break
    chosen = _choose_disjoint(codes, passing[differing == differing.max()], k)
    return _instance(runs, best), [_instance(runs, row) for row in chosen]


def _choose_disjoint(codes: NDArray[np.generic], rows: NDArray[np.intp], k: int) -> list[int]:
    """Choose up to ``k`` of these rows, preferably disjoint from each other.

    If fewer mutually disjoint rows are found, the first of the remaining rows are added.
    """
    best: list[int] = []
    for start in range(min(len(rows), TUNING.max_starts)):
        group: list[int] = []
        left = rows[start:]
        while len(left) and len(group) < k:
            group.append(int(left[0]))
            left = left[(codes[left] != codes[left[0]]).all(axis=1)]
        best = max(best, group, key=len)
        if len(best) == k:
            break
    return (best + [int(row) for row in rows[: 2 * k] if row not in best])[:k]


def _instance(runs: Runs, row: int) -> Instance:
    return tuple(runs.codes[row].tolist())
