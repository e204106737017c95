"""How often something failed, and how sure one can be that something else fails often enough beside it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from rootward.rules.score import Estimate

POINTS = 400


class Rate(NamedTuple):
    """So many failures in so many runs."""

    fails: int = 0
    runs: int = 0

    @classmethod
    def of(cls, failed: Collection[bool]) -> Rate:
        """Of runs of which each is said to have failed or not."""
        return cls(sum(failed), len(failed))

    def plus(self, fails: int, runs: int) -> Rate:
        return Rate(self.fails + fails, self.runs + runs)

    def minus(self, part: Rate) -> Rate:
        """The rest, without the runs of a part."""
        return Rate(self.fails - part.fails, self.runs - part.runs)

    @property
    def estimate(self) -> Estimate:
        return Estimate.of(self.fails, self.runs)

    def __str__(self) -> str:
        return f"{self.fails} of {self.runs} run{'' if self.runs == 1 else 's'}"


def chance_of_share(rate: Rate, original: Rate, share: float) -> float:
    """The probability that the one fails at least ``share`` times as often as the other, nothing known before."""
    points = (np.arange(POINTS) + 0.5) / POINTS
    one, other = _density(points, rate), _density(points, original)
    above = np.concatenate([np.cumsum(one[::-1])[::-1], [0.0]])
    return float(other @ above[np.ceil(points * share * POINTS - 0.5).astype(int)])


def _density(points: np.ndarray, rate: Rate) -> np.ndarray:
    logs = rate.fails * np.log(points) + (rate.runs - rate.fails) * np.log(1 - points)
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())
