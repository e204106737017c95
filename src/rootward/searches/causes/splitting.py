"""Splitting: find the parameters that matter among very many, by bisection between a failing and a passing run.

Some of the values in which the two runs differ make the difference. The values of the failing run are put into the
passing one, the most suspicious first, and those that make it fail are isolated (`search.isolate`). Finding k
parameters among n takes about k (log2 n + 1) runs; no method can take fewer than log2 C(n, k).
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.search.ask import Answers
from rootward.search.design import Instance
from rootward.search.isolate import ChangeSet, isolate
from rootward.search.relay import relay
from rootward.searches.causes.instance_queries import Asking, InstanceQueries
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.tuning import TUNING

Split = Generator[Asking, Answers, Any]


def find_informative_parameters(runs: Runs) -> list[int]:
    """Return the parameters that tell most about the verdict in the known runs.

    The list is empty if there are too few runs.
    """
    codes, failed = runs.codes, runs.fails > 0
    if len(codes) < TUNING.min_runs_per_bit * math.log2(len(runs.pipeline)) or failed.sum() < TUNING.min_runs_per_bit:
        return []
    gains = np.array([_gain(codes[:, p], failed) for p in range(codes.shape[1])])
    return [int(p) for p in np.argsort(-gains, kind="stable")[: TUNING.max_suspects]]


def _gain(values: NDArray[Any], failed: NDArray[np.bool_]) -> float:
    """Return the information that the value gives about the verdict, up to a constant. Higher means more."""
    count = np.bincount(values)
    bad = np.bincount(values[failed], minlength=len(count))
    share = np.divide(bad, count, out=np.zeros(len(count)), where=count > 0)
    inside = np.clip(share, 1e-12, 1 - 1e-12)
    return float((count * (inside * np.log(inside) + (1 - inside) * np.log(1 - inside))).sum())


def find_opposite(queries: InstanceQueries, failing: Instance) -> Split:
    """Return a passing run that shares no value with the failing one: a known run, or else a new one.

    If none is found, return the known passing run that shares the fewest values, or None if no run passes.
    """
    sizes = queries.pipeline.sizes
    known = queries.runs.passing
    if not any(_count_shared(one, failing, sizes) == 0 for one in known):
        for _ in range(3):
            step = 1 + queries.rng.integers(0, np.maximum(sizes - 1, 1))
            other = tuple(map(int, (np.array(failing) + np.where(sizes > 1, step, 0)) % sizes))
            note = "looking for a passing run that shares no value with a failing one"
            [failed] = yield from queries.ask([other], note)
            if failed is False:
                return other
    return min(queries.runs.passing, key=lambda one: _count_shared(one, failing, sizes), default=None)


def _count_shared(one: Instance, other: Instance, sizes: NDArray[np.int64]) -> int:
    return int(((np.array(one) == np.array(other)) & (sizes > 1)).sum())


def isolate_parameters(queries: InstanceQueries, failing: Instance, passing: Instance) -> Split:
    """Isolate parameters that turn the passing run into a failing one.

    If these parameters get their values from the failing run, the passing run fails. All of them are needed.
    """
    bad, good = np.array(failing), np.array(passing)
    left = _order_by_suspicion(queries, np.flatnonzero(bad != good), bad)

    def fails(part: ChangeSet[int]) -> Generator[Asking, Answers, bool]:
        """Treat an instance that cannot be judged, or must not be run, as passing."""
        mixed, *ahead = (_mix(bad, good, some) for some in (part.changes, *part.ahead))
        [failed] = yield from queries.ask([mixed], "isolating the settings that matter", ahead)
        return failed is True

    return (yield from relay(isolate(left, confirm=False), fails))


def _order_by_suspicion(queries: InstanceQueries, columns: NDArray[np.int64], bad: NDArray[np.int64]) -> list[int]:
    """Order the parameters for bisection, the most suspicious first.

    A parameter is suspicious if passing runs rarely have the value that it has in the failing run.
    """
    runs = queries.runs
    same = runs.codes[:, columns] == bad[columns]
    passed, failed = same[runs.fails == 0].sum(axis=0), same[runs.fails > 0].sum(axis=0)
    order = np.lexsort((queries.rng.permutation(len(columns)), (passed + 1) / (failed + 1)))
    return [int(p) for p in columns[order]]


def _mix(bad: NDArray[np.int64], good: NDArray[np.int64], columns: Sequence[int]) -> Instance:
    mixed = good.copy()
    mixed[list(columns)] = bad[list(columns)]
    return tuple(map(int, mixed))
