"""Tables with bad rows, by the two error models of BugDoc's section 8.3.1, and judgements of the rows found.

A table has a history: every number drifts a little from version to version. One model puts an extreme value into a
column; the other makes the difference of two columns extreme, while each stays in its usual range. The pipeline fails
as long as one such row is left.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

import rootward as rw

MODELS = ("extreme", "difference", "mixed")
GOOD = 3
"""Number of good versions."""


@dataclass(frozen=True)
class Job:
    model: str
    rows: int
    bad: int
    seed: int
    methods: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """The bad rows that a method found."""

    precision: float
    recall: float
    trials: float
    seconds: float

    @property
    def f(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True)
class Solved:
    job: Job
    differences: int
    results: dict[str, Result]

    @property
    def limit(self) -> float:
        """Bits needed to identify the bad rows."""
        n, k = self.job.rows, self.job.bad
        return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)


def made(job: Job) -> tuple[pl.DataFrame, list[pl.DataFrame], set[int]]:
    """Return the bad table, the good ones, and the bad rows."""
    rng = np.random.default_rng((7, MODELS.index(job.model), job.rows, job.bad, job.seed))
    n = job.rows
    level, together = rng.normal(100, 15, (2, n)), rng.uniform(0, 100, n)

    def version() -> dict[str, Any]:
        moved = together + rng.normal(0, 3, n)
        return {
            "id": np.arange(n),
            "price": level[0] + rng.normal(0, 2, n),
            "weight": level[1] + rng.normal(0, 2, n),
            "opened": moved + rng.normal(0, 1, n),
            "closed": moved + rng.normal(0, 1, n),
        }

    good = [pl.DataFrame(version()) for _ in range(GOOD)]
    bad = version()
    rows = rng.choice(n, job.bad, replace=False)
    kinds = rng.integers(0, 2, job.bad) if job.model == "mixed" else np.full(job.bad, MODELS.index(job.model))
    one, two = rows[kinds == 0], rows[kinds == 1]
    bad["price"][one] = rng.choice([-1, 1], len(one)) * rng.uniform(300, 900, len(one))
    bad["opened"][two] = rng.uniform(0, 40, len(two))
    bad["closed"][two] = bad["opened"][two] + rng.uniform(30, 60, len(two))
    return pl.DataFrame(bad), good, set(map(int, rows))


@rw.fails_when
def breaks(table: pl.DataFrame) -> bool:
    apart = (table["closed"] - table["opened"]).abs().max()
    return bool(table["price"].abs().max() > 250 or apart > 20)


def searched(method: str) -> Callable[[pl.DataFrame, list[pl.DataFrame]], tuple[set[int], float]]:
    def solve(bad: pl.DataFrame, good: list[pl.DataFrame]) -> tuple[set[int], float]:
        finding = rw.rows(bad, good, breaks, key="id", method=method)
        return set(finding.rows), finding.trials

    return solve


def forest(bad: pl.DataFrame, good: list[pl.DataFrame]) -> tuple[set[int], float]:
    """Run Isolation Forest with its default contamination; it sees only the bad table and runs nothing."""
    from sklearn.ensemble import IsolationForest

    said = IsolationForest(random_state=0).fit_predict(bad.drop("id").to_numpy())
    return set(map(int, np.flatnonzero(said < 0))), 0


METHODS = {"adaptive": searched("adaptive"), "opportunistic": searched("opportunistic"), "Isolation Forest": forest}


def solve(job: Job) -> Solved:
    bad, good, truth = made(job)
    results = {}
    for method in job.methods:
        start = time.process_time()
        found, trials = METHODS[method](bad, good)
        right = len(found & truth)
        results[method] = Result(
            right / len(found) if found else 0.0, right / len(truth), trials, time.process_time() - start
        )
    differences = sum(int((bad[name] != good[0][name]).sum()) for name in bad.columns)
    return Solved(job, differences, results)
