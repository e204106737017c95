"""How often something failed, and how sure one can be that something else fails often enough beside it.

``chance_of_share`` compares two rates of independent runs. ``Comparison`` is for runs whose seed may decide whether
they fail. With seeds with which the original failed, a part fails at an unknown rate; with the others, at some share of
that: hardly ever if the seed decides, just as often if the seed means nothing. Nothing is known of these rates before,
except that the seed decides in two of five cases. So a run that is replayed with a seed with which the original failed
tells most, and runs of other kinds count for what they are worth.
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
POINTS = 400
"""Resolution at which the distribution of a rate is summed up."""


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


def _density(points: Array, rate: Rate) -> Array:
    logs = rate.fails * np.log(points) + (rate.runs - rate.fails) * np.log(1 - points)
    return _normalised(logs)


def _normalised(logs: Array) -> Array:
    """Probabilities that add up to 1, from their logarithms."""
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


# Where the seed may decide

WHERE_FAILED, WHERE_PASSED, ALONE = range(3)
"""What a run may be: with a seed with which the original failed, with which it passed, or with one of its own."""
NOTHING = Rate()
_ORIGINAL = ((np.arange(40) + 0.5) / 40)[:, None, None]
_AGAIN = ((np.arange(80) + 0.5) / 80)[None, :, None]
_PARTS = np.array([0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
_PRIOR = np.array([0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
_RATES: tuple[Array, Array, Array] = (
    np.broadcast_to(_AGAIN, (40, 80, 7)),
    np.broadcast_to(_AGAIN * _PARTS, (40, 80, 7)),
    _AGAIN * (_ORIGINAL + (1 - _ORIGINAL) * _PARTS),
)
"""How often each kind of run fails, for each rate of the original, rate where it failed, and part."""
_STEP = 1 / 160
_ORDER = _RATES[ALONE].argsort(axis=None)


@dataclass(frozen=True)
class Comparison:
    """What the runs of both say."""

    original: Rate
    share: float
    """The part of the original's rate that is asked for."""
    where_failed: Rate = NOTHING
    where_passed: Rate = NOTHING
    alone: Rate = NOTHING

    @property
    def runs(self) -> Rate:
        """All runs beside those of the original."""
        kinds = (self.where_failed, self.where_passed, self.alone)
        return Rate(sum(rate.fails for rate in kinds), sum(rate.runs for rate in kinds))

    @cached_property
    def _posterior(self) -> Array:
        logs = np.log(_PRIOR) + _log(_ORIGINAL, self.original)
        for rates, seen in zip(_RATES, (self.where_failed, self.where_passed, self.alone), strict=True):
            logs = logs + _log(rates, seen)
        return _normalised(logs)

    @cached_property
    def _often(self) -> NDArray[np.bool_]:
        return np.asarray(_RATES[ALONE] >= self.share * _ORIGINAL)

    @cached_property
    def chance(self) -> float:
        """That it fails at least ``share`` times as often as the original."""
        return float(self._posterior[self._often].sum())

    def gain(self, kind: int) -> float:
        """What one more run of this kind would tell about that, in bits."""
        fails = _RATES[kind] * self._posterior
        failing, both = float(fails.sum()), float(fails[self._often].sum())
        then = failing * _bits(both / failing) + (1 - failing) * _bits((self.chance - both) / (1 - failing))
        return _bits(self.chance) - then

    @cached_property
    def estimate(self) -> Estimate:
        """How often it fails, with seeds of its own."""
        rates, chances = _RATES[ALONE].ravel()[_ORDER], self._posterior.ravel()[_ORDER]
        below = np.cumsum(chances)
        ends = np.minimum(np.searchsorted(below, below - chances + 0.95), len(rates) - 1)
        widths = np.where(below[ends] - below + chances >= 0.95 - 1e-9, rates[ends] - rates, np.inf)
        low = int(widths.argmin())  # the shortest: at the end of the scale, half of 5% on either side would be wrong
        mean = float((rates * chances).sum())  # not rates @ chances: its last digit depends on the threads at hand
        return Estimate(mean, max(0.0, rates[low] - _STEP), min(1.0, rates[ends[low]] + _STEP))


def _log(rates: Array, seen: Rate) -> Array:
    return np.asarray(seen.fails * np.log(rates) + (seen.runs - seen.fails) * np.log1p(-np.minimum(rates, 1 - 1e-9)))


def _bits(chance: float) -> float:
    chance = min(max(chance, 1e-12), 1 - 1e-12)
    return float(-(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance)))
