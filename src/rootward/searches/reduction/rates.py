"""Failure rates, and the probability that a part of the elements fails often enough compared to the original.

One run says little about a flaky failure. The search asks instead whether a part fails at least ``share`` times as
often as the original. Two models compute the probability of that, both with Bayes' rule on a grid of rates.

``chance_of_share`` is for independent runs. Each of the two rates has a uniform prior.

``Comparison`` is for subjects whose seed may decide whether a run fails. It believes this: with seeds with which the
original failed, the part fails at some rate; with seeds with which the original passed, it fails at that rate times a
factor. The factor is nearly 0 if the seed decides, and 1 if the seed does not matter. The prior gives 40% to the first
case and spreads the rest evenly over the larger factors; the rates have uniform priors. A run with its own seed meets
both kinds of seeds, in the proportion of the original's failure rate. So all three kinds of runs count as evidence, and
a replay with a seed with which the original failed usually tells most. ``gain`` says how many bits a further run of a
kind would tell; the proof (record.py) chooses its runs by that and ends when ``chance`` is high or low enough.

To add a kind of run, add a constant beside ``ALONE``, its rates to ``_RATES``, and its runs to ``Comparison``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rootward.rules.score import Estimate

Array = NDArray[np.float64]
GRID_POINTS = 400
"""Number of grid points at which ``chance_of_share`` evaluates the distribution of a rate."""


class Rate(NamedTuple):
    """A number of failures in a number of runs."""

    fails: int = 0
    runs: int = 0

    @classmethod
    def of(cls, failed: Collection[bool]) -> Rate:
        """Count runs; each entry is True if that run failed."""
        return cls(sum(failed), len(failed))

    def plus(self, fails: int, runs: int) -> Rate:
        return Rate(self.fails + fails, self.runs + runs)

    def minus(self, part: Rate) -> Rate:
        """Return the counts without those of ``part``."""
        return Rate(self.fails - part.fails, self.runs - part.runs)

    @property
    def estimate(self) -> Estimate:
        return Estimate.of(self.fails, self.runs)

    def __str__(self) -> str:
        return f"{self.fails} of {self.runs} run{'' if self.runs == 1 else 's'}"


def chance_of_share(rate: Rate, original: Rate, share: float) -> float:
    """Return the probability that ``rate`` is at least ``share`` times the rate ``original``.

    Both rates have a uniform prior.
    """
    points = (np.arange(GRID_POINTS) + 0.5) / GRID_POINTS
    one, other = _density(points, rate), _density(points, original)
    above = np.concatenate([np.cumsum(one[::-1])[::-1], [0.0]])
    return float(other @ above[np.ceil(points * share * GRID_POINTS - 0.5).astype(int)])


def _density(points: Array, rate: Rate) -> Array:
    logs = rate.fails * np.log(points) + (rate.runs - rate.fails) * np.log(1 - points)
    return _normalise(logs)


def _normalise(logs: Array) -> Array:
    """Turn logarithms of weights into probabilities that add up to 1."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


# Comparison where the seed may decide

WHERE_FAILED, WHERE_PASSED, ALONE = range(3)
"""Kinds of runs: with a seed with which the original failed, with which it passed, or with a seed of its own."""
NO_RUNS = Rate()
_ORIGINAL = ((np.arange(40) + 0.5) / 40)[:, None, None]
_AGAIN = ((np.arange(80) + 0.5) / 80)[None, :, None]
_SEED_FACTORS = np.array([0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
_FACTOR_PRIOR = np.array([0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
_RATES: tuple[Array, Array, Array] = (
    np.broadcast_to(_AGAIN, (40, 80, 7)),
    np.broadcast_to(_AGAIN * _SEED_FACTORS, (40, 80, 7)),
    _AGAIN * (_ORIGINAL + (1 - _ORIGINAL) * _SEED_FACTORS),
)
"""Failure rates of the part, by kind of run. The three axes of each array are the failure rate of the original, the
failure rate of the part with seeds with which the original failed, and the seed factor."""
_STEP = 1 / 160
_ORDER = _RATES[ALONE].argsort(axis=None)


@dataclass(frozen=True)
class Comparison:
    """The evidence from runs of the original and of a part, by kind of run."""

    original: Rate
    share: float
    """The share of the original's rate that the part has to reach."""
    where_failed: Rate = NO_RUNS
    where_passed: Rate = NO_RUNS
    alone: Rate = NO_RUNS

    @property
    def runs(self) -> Rate:
        """All runs of the part."""
        kinds = (self.where_failed, self.where_passed, self.alone)
        return Rate(sum(rate.fails for rate in kinds), sum(rate.runs for rate in kinds))

    @cached_property
    def _posterior(self) -> Array:
        logs = np.log(_FACTOR_PRIOR) + _log_likelihood(_ORIGINAL, self.original)
        for rates, seen in zip(_RATES, (self.where_failed, self.where_passed, self.alone), strict=True):
            logs = logs + _log_likelihood(rates, seen)
        return _normalise(logs)

    @cached_property
    def _is_often_enough(self) -> NDArray[np.bool_]:
        return np.asarray(_RATES[ALONE] >= self.share * _ORIGINAL)

    @cached_property
    def chance(self) -> float:
        """The probability that the part fails at least ``share`` times as often as the original."""
        return float(self._posterior[self._is_often_enough].sum())

    def gain(self, kind: int) -> float:
        """Return the expected information, in bits, of one more run of this kind.

        The information is about the question whether the part fails often enough.
        """
        fails = _RATES[kind] * self._posterior
        failing, both = float(fails.sum()), float(fails[self._is_often_enough].sum())
        then = failing * _entropy(both / failing) + (1 - failing) * _entropy((self.chance - both) / (1 - failing))
        return _entropy(self.chance) - then

    @cached_property
    def estimate(self) -> Estimate:
        """The estimated failure rate of the part in runs that are not replays.

        It includes the shortest interval that contains the rate with 95% probability.
        """
        rates, chances = _RATES[ALONE].ravel()[_ORDER], self._posterior.ravel()[_ORDER]
        below = np.cumsum(chances)
        ends = np.minimum(np.searchsorted(below, below - chances + 0.95), len(rates) - 1)
        widths = np.where(below[ends] - below + chances >= 0.95 - 1e-9, rates[ends] - rates, np.inf)
        low = int(widths.argmin())  # not 2.5% on either side: that would be wrong for rates near 0 or 1
        mean = float((rates * chances).sum())  # not rates @ chances: its last digit depends on the number of threads
        return Estimate(mean, max(0.0, rates[low] - _STEP), min(1.0, rates[ends[low]] + _STEP))


def _log_likelihood(rates: Array, seen: Rate) -> Array:
    return np.asarray(seen.fails * np.log(rates) + (seen.runs - seen.fails) * np.log1p(-np.minimum(rates, 1 - 1e-9)))


def _entropy(chance: float) -> float:
    chance = min(max(chance, 1e-12), 1 - 1e-12)
    return float(-(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance)))
