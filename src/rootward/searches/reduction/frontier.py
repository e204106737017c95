"""How far into a line of elements one can cut before the failure goes away.

Elements stand in a line, the least likely to be needed first. A run without the first m of them fails (at the rate of
the failure) if none of those is needed, and hardly ever otherwise; so every run says something about one unknown: the
place of the first needed element. ``Frontier`` is the probability of each place, and asks for the cut whose outcome
tells most about it. For a failure that shows every time this is a binary search that knows where to look; for a flaky
one it weighs luck against evidence, at a rate that it learns on the way.

How many elements are needed is not known either: their density is a factor on the weights, with a flat prior over its
logarithm, and each needed element that is found teaches the next line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
GRID = 24
SURELY = 0.95
"""No element is needed with a higher probability than this before it was tried."""


@dataclass(frozen=True)
class Noise:
    """What a run can tell: ``rates`` at which it may fail with everything needed, and ``leaks``, the share of that rate
    at which it may still fail without, each with its probability."""

    rates: Array
    chances: Array
    leaks: Array
    likely: Array
    before: Array
    """The probability of each rate before any run: what to fall back on when things change."""

    @classmethod
    def none(cls) -> Noise:
        """It fails every time, and never without what is needed."""
        one = np.ones(1)
        return cls(one, one, np.zeros(1), one, one)

    @classmethod
    def of(cls, fails: int, runs: int, *, leaks: tuple[float, ...], likely: tuple[float, ...]) -> Noise:
        """What so many failures in so many runs say about the rate."""
        rates = np.concatenate([np.arange(0.05, 0.96, 0.05), [0.99]])
        logs = fails * np.log(rates) + (runs - fails) * np.log(1 - rates)
        chances = np.exp(logs - logs.max())
        even = np.full(len(rates), 1 / len(rates))
        return cls(rates, chances / chances.sum(), np.asarray(leaks), np.asarray(likely), even)

    @cached_property
    def mean(self) -> float:
        return float(self.chances @ self.rates)


@dataclass(frozen=True)
class Density:
    """How likely elements are to be needed: a factor of their weights, and its probability."""

    factors: Array
    chances: Array

    @classmethod
    def over(cls, weights: Array) -> Density:
        """Nothing known: from a third of an element in all to nearly every one of them, on a logarithmic scale."""
        total = max(float(weights.sum()), 1e-9)
        low, high = math.log(0.3 / total), math.log(max(SURELY / float(weights.min(initial=1.0)), 0.4 / total))
        return cls(np.exp(np.linspace(low, high, GRID)), np.full(GRID, 1 / GRID))


@dataclass(frozen=True, eq=False)
class Frontier:
    """The place of the first needed element: 0 if it is already gone, 1 + i for the i-th, n + 1 if there is none."""

    joint: Array
    """The probability of each leak, rate and place together."""
    noise: Noise
    needed: Array
    """For each density, how likely each element is to be needed."""
    density: Density

    @classmethod
    def over(cls, weights: Array, density: Density, noise: Noise, lost: float = 0.0) -> Frontier:
        """Before any run; ``lost`` is the chance that what is left has lost something needed already."""
        needed = np.minimum(SURELY, density.factors[:, None] * weights[None, :])
        survive = _survival(needed)
        mixed = density.chances @ survive
        first = np.concatenate([[lost], (1 - lost) * (mixed[:-1] - mixed[1:]), (1 - lost) * mixed[-1:]])
        joint = noise.likely[:, None, None] * noise.chances[None, :, None] * first[None, None, :]
        return cls(joint, noise, needed, density)

    def __len__(self) -> int:
        return int(self.needed.shape[1])

    @cached_property
    def places(self) -> Array:
        """The probability of each place."""
        return np.asarray(self.joint.sum((0, 1)))

    @cached_property
    def _masses(self) -> tuple[Array, Array, Array]:
        """For each cut 0..n: the chances that it is harmless, that it is so and fails, that it is not and fails."""
        by_rate = self.joint.sum(0)
        harmless = np.cumsum(by_rate[:, ::-1], axis=1)[:, ::-1][:, 1:]
        leaking = np.einsum("lrp,l,r->p", self.joint, self.noise.leaks, self.noise.rates)
        return harmless.sum(0), self.noise.rates @ harmless, np.cumsum(leaking)[:-1]

    @cached_property
    def cut(self) -> int:
        """How many elements to leave out in the next run: the most informative number, of equals the largest."""
        harmless, fails, leaks = self._masses
        rate, leak = fails / np.maximum(harmless, 1e-12), leaks / np.maximum(1 - harmless, 1e-12)
        gain = _entropy(fails + leaks) - harmless * _entropy(rate) - (1 - harmless) * _entropy(leak)
        return int(np.flatnonzero(gain >= gain.max() - 1e-9)[-1])

    def harmless(self, cut: int) -> float:
        return float(self._masses[0][cut])

    def fails(self, cut: int) -> float:
        """The chance that a run without the first ``cut`` elements fails."""
        return float(self._masses[1][cut] + self._masses[2][cut])

    def after(self, cut: int, failed: bool, ceiling: float = 1.0) -> Frontier:
        """What is known after one more run, which fails at no higher rate than ``ceiling``."""
        rates = np.minimum(self.noise.rates, ceiling)
        leaks = self.noise.leaks[:, None] * rates[None, :]
        joint = self.joint.copy()
        joint[:, :, : cut + 1] *= (leaks if failed else 1 - leaks)[:, :, None]
        joint[:, :, cut + 1 :] *= (rates if failed else 1 - rates)[None, :, None]
        return self._normal(joint)

    def barred(self, cut: int) -> Frontier:
        """What is known if nothing can fail without the first ``cut`` elements."""
        joint = self.joint.copy()
        joint[:, :, cut + 1 :] = 0.0
        return self._normal(joint)

    def cleared(self, cut: int, noise: Noise) -> Frontier:
        """What is known if the first ``cut`` elements are not needed after all; the rest fails as ``noise`` says."""
        places = self.places.copy()
        places[: cut + 1] = 0.0
        if not places.sum() > 0:
            return self
        joint = noise.likely[:, None, None] * noise.chances[None, :, None] * places[None, None, :]
        return replace(self, noise=noise)._normal(joint)

    def _normal(self, joint: Array) -> Frontier:
        total = joint.sum()
        if not total > 0:  # the impossible happened: no run can be trusted, so nothing is known
            return self
        return replace(self, joint=joint / total)

    def learnt(self, place: int) -> Density:
        """The density, if the first needed element is the one with this number (or none, for n)."""
        reached = _survival(self.needed)[:, place]
        seen = reached * self.needed[:, place] if place < len(self) else reached
        chances = self.density.chances * (seen + 1e-200)
        return replace(self.density, chances=chances / chances.sum())

    @property
    def rates(self) -> Noise:
        """The noise, with what the runs taught of the rate if nothing is lost."""
        chances = self.joint[:, :, 1:].sum((0, 2))
        return replace(self.noise, chances=chances / chances.sum())


def _survival(needed: Array) -> Array:
    """The chance that none of the first i is needed, for i from 0 to all."""
    return np.concatenate([np.ones((len(needed), 1)), np.cumprod(1 - needed, axis=1)], axis=1)


def _entropy(chance: Any) -> Any:
    yes, no = np.clip(chance, 1e-300, 1.0), np.clip(1 - chance, 1e-300, 1.0)
    return -(yes * np.log2(yes) + no * np.log2(no))
