"""Which of very many parameters matter: binary splitting between a failing and a passing run.

Some of what differs between the two makes the difference. The values of the failing run are put into the passing one,
the suspicious ones first, and those that make it fail are isolated (`search.isolate`). k parameters among n take about
k (log2 n + 1) runs, where log2 C(n, k) is the least.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.search.ask import Answers
from rootward.search.design import Instance
from rootward.search.isolate import Part, isolate
from rootward.search.relay import relay
from rootward.searches.causes.instance_queries import Asking, Inquiry
from rootward.searches.causes.runs import Runs
from rootward.searches.causes.tuning import TUNING

Split = Generator[Asking, Answers, Any]


def telling(runs: Runs) -> list[int]:
    """The parameters that tell most about the verdict, by the runs alone; none if these are too few to say."""
    codes, failed = runs.codes, runs.fails > 0
    if len(codes) < TUNING.min_runs_per_bit * math.log2(len(runs.pipeline)) or failed.sum() < TUNING.min_runs_per_bit:
        return []
    gains = np.array([_gain(codes[:, p], failed) for p in range(codes.shape[1])])
    return [int(p) for p in np.argsort(-gains, kind="stable")[: TUNING.max_suspects]]


def _gain(values: NDArray[Any], failed: NDArray[np.bool_]) -> float:
    """How much less is unknown about the verdict once the value is known."""
    count = np.bincount(values)
    bad = np.bincount(values[failed], minlength=len(count))
    share = np.divide(bad, count, out=np.zeros(len(count)), where=count > 0)
    inside = np.clip(share, 1e-12, 1 - 1e-12)
    return float((count * (inside * np.log(inside) + (1 - inside) * np.log(1 - inside))).sum())


def opposite(inquiry: Inquiry, failing: Instance) -> Split:
    """A passing run that shares nothing with a failing one, made if need be; else the one that shares least."""
    sizes = inquiry.pipeline.sizes
    known = inquiry.runs.passing
    if not any(_shared(one, failing, sizes) == 0 for one in known):
        for _ in range(3):
            step = 1 + inquiry.rng.integers(0, np.maximum(sizes - 1, 1))
            other = tuple(map(int, (np.array(failing) + np.where(sizes > 1, step, 0)) % sizes))
            [failed] = yield from inquiry.failed([other], "a run that shares nothing with a failing one")
            if failed is False:
                return other
    return min(inquiry.runs.passing, key=lambda one: _shared(one, failing, sizes), default=None)


def _shared(one: Instance, other: Instance, sizes: NDArray[np.int64]) -> int:
    return int(((np.array(one) == np.array(other)) & (sizes > 1)).sum())


def needed(inquiry: Inquiry, failing: Instance, passing: Instance) -> Split:
    """Parameters whose values in the failing run, put into the passing one, make it fail; each of them is needed."""
    bad, good = np.array(failing), np.array(passing)
    left = _suspicious_first(inquiry, np.flatnonzero(bad != good), bad)

    def fails(part: Part[int]) -> Generator[Asking, Answers, bool]:
        """What cannot be judged, or must not be run, is taken not to fail."""
        mixed, *ahead = (_mixed(bad, good, some) for some in (part.changes, *part.ahead))
        [failed] = yield from inquiry.failed([mixed], "which settings matter", ahead)
        return failed is True

    return (yield from relay(isolate(left, confirm=False), fails))


def _suspicious_first(inquiry: Inquiry, columns: NDArray[np.int64], bad: NDArray[np.int64]) -> list[int]:
    """The order of bisection: values of the failing run that passing runs seldom have come first."""
    runs = inquiry.runs
    same = runs.codes[:, columns] == bad[columns]
    passed, failed = same[runs.fails == 0].sum(axis=0), same[runs.fails > 0].sum(axis=0)
    order = np.lexsort((inquiry.rng.permutation(len(columns)), (passed + 1) / (failed + 1)))
    return [int(p) for p in columns[order]]


def _mixed(bad: NDArray[np.int64], good: NDArray[np.int64], columns: Sequence[int]) -> Instance:
    mixed = good.copy()
    mixed[list(columns)] = bad[list(columns)]
    return tuple(map(int, mixed))
