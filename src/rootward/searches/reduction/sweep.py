"""One pass over a line of elements that sorts them into needed and not, one frontier after the other.

Elements stand in a line, the least likely to be needed first. A run without the first m of them fails (at the rate of
the failure) if none of those is needed, and hardly ever otherwise; so every run says something about one unknown: the
place of the first needed element. ``Frontier`` is the probability of each place, and asks for the cut whose outcome
tells most about it. For a failure that shows every time this is a binary search that knows where to look; for a flaky
one it weighs luck against evidence, at a rate that it learns on the way (``Noise``). How many elements are needed is
not known either: their ``Density`` is a factor on the weights, with a flat prior over its logarithm, and each needed
element that is found teaches the next frontier.

A ``Sweep`` goes from one frontier to the next. It is a value: what to ask next, and the sweep after either answer. So
the same few lines drive the search and look ahead for workers that have nothing to do.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rootward.searches.reduction.sieve_tuning import TUNING

Array = NDArray[np.float64]

GRID = 24
"""Number of densities that are told apart."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """The state of the pass. ``theta`` is the probability at which a frontier counts as found."""

    needed: tuple[int, ...]
    """What was found to be needed, in the order of finding."""
    rest: tuple[int, ...]
    """What is undecided, in the order of the line."""
    weights: Array
    frontier: Frontier
    theta: float
    enough: float
    """The probability at which an element is kept for the time being."""
    doubts: tuple[tuple[int, float], ...] = ()
    """For each needed one, the chance that it is not."""
    before: Sweep | None = None
    """The state at the beginning of the frontier before this one, to go back to if something was lost there."""
    tries: int = 0
    """Runs spent on this frontier."""
    returns: int = 0
    """How often it went back."""

    @classmethod
    def over(
        cls,
        line: Sequence[int],
        weights: Sequence[float],
        noise: Noise,
        *,
        theta: float,
        enough: float,
        lost: float = 0.0,
    ) -> Sweep:
        array = np.asarray(weights, dtype=float)
        frontier = Frontier.over(array, Density.over(array), noise, lost)
        return cls((), tuple(line), array, frontier, theta, enough)._decided()

    @property
    def _steady(self) -> bool:
        """Whether the failure shows every time: then there is always an end to find, and nothing gets lost."""
        return len(self.frontier.noise.rates) == 1

    @property
    def done(self) -> bool:
        return not self.rest

    @property
    def cut(self) -> tuple[int, ...]:
        """What the next run leaves out."""
        return self.rest[: self.frontier.cut]

    @property
    def chance(self) -> float:
        """How likely that run is to fail."""
        return self.frontier.fails(self.frontier.cut)

    def after(self, failed: bool, ceiling: float = 1.0) -> Sweep:
        frontier = self.frontier.after(self.frontier.cut, failed, ceiling)
        return replace(self, frontier=frontier, tries=self.tries + 1)._decided()

    def cleared(self, cut: int, noise: Noise) -> Sweep:
        """The same if what is left without the first ``cut`` elements was seen to fail often enough, by itself."""
        return replace(self, frontier=self.frontier.cleared(cut, noise))._decided()

    def barred(self) -> Sweep:
        """The same if that run cannot fail, whatever happens."""
        return replace(self, frontier=self.frontier.barred(self.frontier.cut))._decided()

    def _decided(self) -> Sweep:
        """Move on if the frontier is found, or if it took too long to tell where it is."""
        places = self.frontier.places
        place = int(places.argmax())
        if not self.rest or not (
            self.tries or self._steady
        ):  # what was needed before proves nothing of what comes next
            return self
        if not self._found(place):
            if self.tries < TUNING.sweep_patience + 3 * math.log2(len(self.rest)) or self._steady:
                return self
            place = int(np.searchsorted(np.cumsum(places), 1 - self.theta))  # up to there hardly anything is needed
        if place == 0 and self.returns < TUNING.max_returns:
            return self._back()
        if place == len(self.rest) + 1:
            return replace(self, rest=(), weights=self.weights[:0])
        place = max(place, 1)
        return self._on(place - 1, lost=float(places[:place].sum()), spare=float(places[place + 1 :].sum()))

    def _found(self, place: int) -> bool:
        """To keep one too many costs a few runs later; to lose a needed one costs the failure."""
        places = self.frontier.places
        last = place in (0, len(self.rest) + 1)
        return bool(places[place] >= (self.theta if last else self.enough) and places[:place].sum() <= 1 - self.theta)

    def _on(self, place: int, *, lost: float, spare: float) -> Sweep:
        """The element at that place is needed, and those before it are not."""
        weights, noise = self.weights[place + 1 :], _relaxed(self.frontier.rates)
        density = self.frontier.learnt(place)
        found = self.rest[place]
        frontier = Frontier.over(weights, density, noise, 0.0 if self._steady else min(0.3, max(0.01, lost)))
        return replace(
            self,
            needed=(*self.needed, found),
            rest=self.rest[place + 1 :],
            weights=weights,
            frontier=frontier,
            doubts=(*self.doubts, (found, spare)),
            before=None if self._steady else self,
            tries=0,
        )._decided()

    def _back(self) -> Sweep:
        """Something needed went with the last removal: do it again, with more suspicion."""
        last = self.before
        if last is None:  # nothing was removed: it fails more rarely than it seemed
            frontier = Frontier.over(self.weights, self.frontier.density, _relaxed(self.frontier.noise))
            return replace(self, frontier=frontier, tries=0, returns=self.returns + 1)
        removed = len(last.rest) - len(self.rest) - 1
        weights = last.weights.copy()
        weights[:removed] *= TUNING.removed_factor
        frontier = Frontier.over(weights, last.frontier.density, _relaxed(last.frontier.noise), 0.02)
        return replace(last, weights=weights, frontier=frontier, tries=0, returns=self.returns + 1)


def ahead(sweep: Sweep, most: int = 40) -> Iterator[Sweep]:
    """The states that may come, the likeliest first, those in which the pass is over included."""
    order = itertools.count()
    heap = [(-1.0, next(order), sweep)]
    for _ in range(most):
        if not heap:
            return
        chance, _, state = heapq.heappop(heap)
        if state is not sweep:
            yield state
        if state.done:
            continue
        fails = state.chance
        for failed, share in ((True, fails), (False, 1 - fails)):
            if share > 1e-6:
                heapq.heappush(heap, (chance * share, next(order), state.after(failed)))


def _relaxed(noise: Noise) -> Noise:
    return replace(noise, chances=(1 - TUNING.rate_drift) * noise.chances + TUNING.rate_drift * noise.before)


# The frontier


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
        highest = max(TUNING.max_needed_chance / float(weights.min(initial=1.0)), 0.4 / total)
        low, high = math.log(0.3 / total), math.log(highest)
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
        needed = np.minimum(TUNING.max_needed_chance, density.factors[:, None] * weights[None, :])
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


def _entropy(chance: Array) -> Array:
    yes, no = np.clip(chance, 1e-300, 1.0), np.clip(1 - chance, 1e-300, 1.0)
    return np.asarray(-(yes * np.log2(yes) + no * np.log2(no)))
