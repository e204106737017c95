"""Shortcut and Stacked Shortcut: Algorithms 1 and 2 of BugDoc (section 4.1).

Take a failing instance and a passing one that is disjoint from it. Give the failing one the other's values, one
parameter after the other, and keep each change that still fails: what is left of the failing instance is the cause.
If all causes are single values, the answer is exact (Theorem 1); it is never too long (Theorem 2), but may be too short
where values of both instances make up another cause (Theorem 4). So Stacked Shortcut does it with k passing instances,
disjoint from one another, and takes the union: with at most k causes it is not too short (Theorem 5).

Read as the text says where the pseudo code is silent: the check of lines 10 to 14 is made against all that was run, and
the union has to pass it, too. The k shortcuts do not depend on one another, so they go from parameter to parameter side
by side. Table 2's caption names another pair of instances than the text; the rows are those of the text.
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
from rootward.searches.causes.instance_queries import Asking, Inquiry, at_least_one
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.space.candidate import Configuration


@dataclass(frozen=True)
class Tuning:
    """The numbers that the paper leaves open. How much they matter was not measured."""

    # Effort

    max_starts: int = 64
    """Failing runs among which one with a disjoint passing run is looked for, and passing runs from which others that
    are disjoint are collected. Algorithms 1 and 2 (section 4.1) take them as given."""
    max_partial: int = 64
    """Parameters that a cause may name to be said before the search has ended."""


TUNING = Tuning()


def shortcut(pipeline: Pipeline, runs: Runs, *, goal: str = "all", seed: int = 0) -> Search[Configuration, Causes]:
    """One cause of one failing run, from one passing run; the goal does not matter to it, nor does the seed."""
    return (yield from stacked_shortcut(pipeline, runs, goal=goal, seed=seed, k=1))


def stacked_shortcut(
    pipeline: Pipeline, runs: Runs, *, goal: str = "all", seed: int = 0, k: int = 4
) -> Search[Configuration, Causes]:
    """One cause of one failing run, from up to ``k`` passing runs."""
    inquiry = Inquiry(pipeline, runs, goal=goal, seed=seed)
    yield from stack(inquiry, k)
    return inquiry.best


def stack(inquiry: Inquiry, k: int) -> Generator[Asking, Answers, None]:
    """Algorithm 2; the assertion, if there is one, becomes the inquiry's only cause."""
    at_least_one("k", k, "passing runs to start from")
    inquiry.guarantee = Rest.NOT_EXPLAINED
    if not inquiry.runs.failing or not inquiry.runs.passing:
        inquiry.notes += (NotKnown(failing=not inquiry.runs.failing),)
        return
    failing, good = opposites(inquiry.runs, k)
    current = [failing] * len(good)
    for p in range(len(inquiry.pipeline)):
        kept = [own for own in _kept(failing, current) if own.sum() <= TUNING.max_partial]
        inquiry.causes = _asserted(inquiry, failing, kept)
        changed = [(*now[:p], one[p], *now[p + 1 :]) for now, one in zip(current, good, strict=True)]
        found = yield from inquiry.failed(changed, f"replacing parameter {p + 1} of {len(inquiry.pipeline)}")
        current = [new if fails else old for new, old, fails in zip(changed, current, found, strict=True)]
    inquiry.causes = _asserted(inquiry, failing, _kept(failing, current))


def _kept(failing: Instance, current: Sequence[Instance]) -> list[NDArray[np.bool_]]:
    """What each has left of the failing instance."""
    return [np.equal(one, failing) for one in current]


def _asserted(inquiry: Inquiry, failing: Instance, kept: Sequence[NDArray[np.bool_]]) -> list[Box]:
    """The union of what no passing run refutes, unless one refutes the union."""
    sound = [own for own in kept if not inquiry.refuted(_box(inquiry.pipeline, failing, own))]
    if not sound:
        return []
    union = _box(inquiry.pipeline, failing, np.logical_or.reduce(sound))
    return [] if inquiry.refuted(union) else [union]


def _box(pipeline: Pipeline, failing: Instance, kept: NDArray[np.bool_]) -> Box:
    """These values of the failing instance; a parameter that has but one value says nothing."""
    sizes = pipeline.sizes
    return {int(i): np.arange(sizes[i]) == failing[i] for i in np.flatnonzero(kept) if sizes[i] > 1}


def opposites(runs: Runs, k: int) -> tuple[Instance, list[Instance]]:
    """A failing run, and up to k passing ones that are disjoint from it and, where possible, from one another.

    The first failing run of which some passing run is disjoint, parameters with but one value left aside; if there is
    none, the failing run with the most different passing runs, and these.
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
    chosen = _apart(codes, passing[differing == differing.max()], k)
    return _instance(runs, best), [_instance(runs, row) for row in chosen]


def _apart(codes: NDArray[np.generic], rows: NDArray[np.intp], k: int) -> list[int]:
    """k of these rows: as many mutually disjoint ones as were found, then the first others."""
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
