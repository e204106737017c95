"""A sweep: one pass over a line of elements that sorts them into needed and not needed.

What it asks. The elements stand in a line, those least likely to be needed first. A run without the first m of them
fails (at the rate of the failure) if none of these is needed, and hardly ever otherwise. So every run tells something
about one unknown: the place of the first needed element, the *frontier*. The next run removes the number of elements
whose outcome tells most about it. For a failure that shows every time, this is a binary search that starts where the
frontier is likely; for a flaky failure, it weighs evidence against luck.

What it believes. ``Frontier`` holds a probability for each place, jointly with two unknowns of flaky failures
(``RunNoise``): the failure rate, and the share of that rate at which the failure still shows without something needed
(a *leak*). The number of needed elements is unknown as well: their ``NeedDensity`` is a factor on the weights, with a
flat prior over its logarithm. Each needed element that is found updates the density for the next frontier.

Why it ends. Once a place is likely enough, the elements before it are removed, the element there is kept, and the next
frontier lies among the elements behind it. So the rest of the line shrinks with every frontier. A flaky sweep goes back
a limited number of times when it seems to have removed something needed, and stops searching for a frontier that takes
too many runs.

A ``Sweep`` is an immutable value: it says what to ask next, and ``after`` returns the sweep after an answer. So the
same code drives the search and predicts coming questions for idle workers (``predict_states``). To use another kind of
evidence, add a method beside ``Frontier.after`` that reweights ``joint``, as ``Frontier.rule_out_cut`` does, and one in
``Sweep`` that calls it.
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

DENSITY_COUNT = 24
"""Number of values on the grid of densities."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """The state of one pass over the line."""

    needed: tuple[int, ...]
    """Elements found to be needed, in the order of finding."""
    rest: tuple[int, ...]
    """Undecided elements, in the order of the line."""
    weights: Array
    frontier: Frontier
    theta: float
    """Required probability that nothing needed is removed, and that a frontier at either end is right."""
    keep_threshold: float
    """Required probability that an element is the frontier, for the sweep to keep it; a later check may remove it."""
    doubts: tuple[tuple[int, float], ...] = ()
    """For each needed element, the probability that the frontier lies behind it, so that it may not be needed."""
    previous: Sweep | None = None
    """The state just before the previous frontier was settled, to return to if something needed was removed there."""
    tries: int = 0
    """Number of runs spent on this frontier."""
    returns: int = 0
    """Number of times the sweep went back."""

    @classmethod
    def start(
        cls,
        line: Sequence[int],
        weights: Sequence[float],
        noise: RunNoise,
        *,
        theta: float,
        enough: float,
        lost: float = 0.0,
    ) -> Sweep:
        array = np.asarray(weights, dtype=float)
        frontier = Frontier.start(array, NeedDensity.prior(array), noise, lost)
        return cls((), tuple(line), array, frontier, theta, enough)._settle()

    @property
    def _is_steady(self) -> bool:
        """True if the failure shows every time.

        Then the frontier is always found, and no needed element gets lost.
        """
        return len(self.frontier.noise.rates) == 1

    @property
    def done(self) -> bool:
        return not self.rest

    @property
    def cut(self) -> tuple[int, ...]:
        """The elements that the next run leaves out."""
        return self.rest[: self.frontier.cut]

    @property
    def chance(self) -> float:
        """The probability that the next run fails."""
        return self.frontier.chance_to_fail(self.frontier.cut)

    def after(self, failed: bool, ceiling: float = 1.0) -> Sweep:
        frontier = self.frontier.after(self.frontier.cut, failed, ceiling)
        return replace(self, frontier=frontier, tries=self.tries + 1)._settle()

    def accept_cut(self, cut: int, noise: RunNoise) -> Sweep:
        """Return the sweep after learning that the first ``cut`` elements are not needed.

        The remaining elements were seen to fail often enough without them. ``noise`` is the noise of their runs.
        """
        return replace(self, frontier=self.frontier.accept_cut(cut, noise))._settle()

    def rule_out_cut(self) -> Sweep:
        """Return the sweep after learning that the next run cannot fail."""
        return replace(self, frontier=self.frontier.rule_out_cut(self.frontier.cut))._settle()

    def _settle(self) -> Sweep:
        """Go on to the next frontier if this one is found, or if finding it took too many runs."""
        places = self.frontier.places
        place = int(places.argmax())
        if not self.rest or not (
            self.tries or self._is_steady
        ):  # a flaky frontier needs a run of its own: the prior alone must not settle it
            return self
        if not self._is_found(place):
            if self.tries < TUNING.sweep_patience + 3 * math.log2(len(self.rest)) or self._is_steady:
                return self
            place = int(np.searchsorted(np.cumsum(places), 1 - self.theta))  # hardly anything before it is needed
        if place == 0 and self.returns < TUNING.max_returns:
            return self._go_back()
        if place == len(self.rest) + 1:
            return replace(self, rest=(), weights=self.weights[:0])
        place = max(place, 1)
        return self._advance(place - 1, lost=float(places[:place].sum()), spare=float(places[place + 1 :].sum()))

    def _is_found(self, place: int) -> bool:
        """Return True if it is certain enough that the frontier is at this place.

        Removing an element takes more certainty than keeping it. Without a needed element, the failure is lost; an
        element kept in vain costs only a few runs later.
        """
        places = self.frontier.places
        last = place in (0, len(self.rest) + 1)
        return bool(
            places[place] >= (self.theta if last else self.keep_threshold) and places[:place].sum() <= 1 - self.theta
        )

    def _advance(self, place: int, *, lost: float, spare: float) -> Sweep:
        """Keep the element at ``place``, remove the elements before it, and start the next frontier behind it."""
        weights, noise = self.weights[place + 1 :], _relax(self.frontier.updated_noise)
        density = self.frontier.update_density(place)
        found = self.rest[place]
        frontier = Frontier.start(weights, density, noise, 0.0 if self._is_steady else min(0.3, max(0.01, lost)))
        return replace(
            self,
            needed=(*self.needed, found),
            rest=self.rest[place + 1 :],
            weights=weights,
            frontier=frontier,
            doubts=(*self.doubts, (found, spare)),
            previous=None if self._is_steady else self,
            tries=0,
        )._settle()

    def _go_back(self) -> Sweep:
        """Undo the last removal and raise the weights of the removed elements.

        This is done if something needed seems to be lost.
        """
        last = self.previous
        if last is None:  # nothing was removed, so the failure is rarer than it seemed
            frontier = Frontier.start(self.weights, self.frontier.density, _relax(self.frontier.noise))
            return replace(self, frontier=frontier, tries=0, returns=self.returns + 1)
        removed = len(last.rest) - len(self.rest) - 1
        weights = last.weights.copy()
        weights[:removed] *= TUNING.removed_factor
        frontier = Frontier.start(weights, last.frontier.density, _relax(last.frontier.noise), 0.02)
        return replace(last, weights=weights, frontier=frontier, tries=0, returns=self.returns + 1)


def predict_states(sweep: Sweep, max_states: int = 40) -> Iterator[Sweep]:
    """Yield the states that may follow, the likeliest first. States in which the sweep is done are included."""
    order = itertools.count()
    heap = [(-1.0, next(order), sweep)]
    for _ in range(max_states):
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


def _relax(noise: RunNoise) -> RunNoise:
    return replace(
        noise, rate_chances=(1 - TUNING.rate_drift) * noise.rate_chances + TUNING.rate_drift * noise.rate_prior
    )


# The frontier


@dataclass(frozen=True)
class RunNoise:
    """The uncertainty of single runs: possible failure rates and leaks, with their probabilities."""

    rates: Array
    """Possible failure rates of a run that has everything needed."""
    rate_chances: Array
    """The probability of each rate."""
    leaks: Array
    """Possible shares of the failure rate that remain without something needed."""
    leak_chances: Array
    """The probability of each leak."""
    rate_prior: Array
    """The probability of each rate before any run; ``_relax`` mixes it in, because the rate may change."""

    @classmethod
    def none(cls) -> RunNoise:
        """Return the noise of a failure that shows in every run with all needed elements, and in no other run."""
        one = np.ones(1)
        return cls(one, one, np.zeros(1), one, one)

    @classmethod
    def from_counts(cls, fails: int, runs: int, *, leaks: tuple[float, ...], likely: tuple[float, ...]) -> RunNoise:
        """Return the noise after ``fails`` failures in ``runs`` runs.

        The counts give the probability of each rate. ``likely`` holds the probability of each of the ``leaks``.
        """
        rates = np.concatenate([np.arange(0.05, 0.96, 0.05), [0.99]])
        logs = fails * np.log(rates) + (runs - fails) * np.log(1 - rates)
        chances = np.exp(logs - logs.max())
        even = np.full(len(rates), 1 / len(rates))
        return cls(rates, chances / chances.sum(), np.asarray(leaks), np.asarray(likely), even)

    @cached_property
    def mean(self) -> float:
        return float(self.rate_chances @ self.rates)


@dataclass(frozen=True)
class NeedDensity:
    """Beliefs about the factor that turns an element's weight into its probability of being needed.

    Holds possible factors and the probability of each.
    """

    factors: Array
    chances: Array

    @classmethod
    def prior(cls, weights: Array) -> NeedDensity:
        """Return the prior.

        The expected number of needed elements ranges from 0.3 to nearly all, evenly on a log scale.
        """
        total = max(float(weights.sum()), 1e-9)
        highest = max(TUNING.max_needed_chance / float(weights.min(initial=1.0)), 0.4 / total)
        low, high = math.log(0.3 / total), math.log(highest)
        return cls(np.exp(np.linspace(low, high, DENSITY_COUNT)), np.full(DENSITY_COUNT, 1 / DENSITY_COUNT))


@dataclass(frozen=True, eq=False)
class Frontier:
    """The beliefs about the place of the first needed element.

    Place 0 means that it was already removed, 1 + i that it is the i-th element, n + 1 that no element is needed.
    """

    joint: Array
    """The joint probability of each leak, rate and place."""
    noise: RunNoise
    needed: Array
    """For each density, the probability that each element is needed."""
    density: NeedDensity

    @classmethod
    def start(cls, weights: Array, density: NeedDensity, noise: RunNoise, lost: float = 0.0) -> Frontier:
        """Return the beliefs before any run; ``lost`` is the probability that something needed is already removed."""
        needed = np.minimum(TUNING.max_needed_chance, density.factors[:, None] * weights[None, :])
        survive = _survival(needed)
        mixed = density.chances @ survive
        first = np.concatenate([[lost], (1 - lost) * (mixed[:-1] - mixed[1:]), (1 - lost) * mixed[-1:]])
        joint = noise.leak_chances[:, None, None] * noise.rate_chances[None, :, None] * first[None, None, :]
        return cls(joint, noise, needed, density)

    def __len__(self) -> int:
        return int(self.needed.shape[1])

    @cached_property
    def places(self) -> Array:
        """The probability of each place."""
        return np.asarray(self.joint.sum((0, 1)))

    @cached_property
    def _masses(self) -> tuple[Array, Array, Array]:
        """Three probabilities for each cut 0..n.

        They are: the cut is harmless; it is harmless and the run fails; it is harmful but the run still fails.
        """
        by_rate = self.joint.sum(0)
        harmless = np.cumsum(by_rate[:, ::-1], axis=1)[:, ::-1][:, 1:]
        leaking = np.einsum("lrp,l,r->p", self.joint, self.noise.leaks, self.noise.rates)
        return harmless.sum(0), self.noise.rates @ harmless, np.cumsum(leaking)[:-1]

    @cached_property
    def cut(self) -> int:
        """The number of elements to leave out in the most informative next run. Among equals, the largest number."""
        harmless, fails, leaks = self._masses
        rate, leak = fails / np.maximum(harmless, 1e-12), leaks / np.maximum(1 - harmless, 1e-12)
        gain = _entropy(fails + leaks) - harmless * _entropy(rate) - (1 - harmless) * _entropy(leak)
        return int(np.flatnonzero(gain >= gain.max() - 1e-9)[-1])

    def chance_harmless(self, cut: int) -> float:
        return float(self._masses[0][cut])

    def chance_to_fail(self, cut: int) -> float:
        """Return the probability that a run without the first ``cut`` elements fails."""
        return float(self._masses[1][cut] + self._masses[2][cut])

    def after(self, cut: int, failed: bool, ceiling: float = 1.0) -> Frontier:
        """Return the beliefs after one more run, whose failure rate is at most ``ceiling``."""
        rates = np.minimum(self.noise.rates, ceiling)
        leaks = self.noise.leaks[:, None] * rates[None, :]
        joint = self.joint.copy()
        joint[:, :, : cut + 1] *= (leaks if failed else 1 - leaks)[:, :, None]
        joint[:, :, cut + 1 :] *= (rates if failed else 1 - rates)[None, :, None]
        return self._normalise(joint)

    def rule_out_cut(self, cut: int) -> Frontier:
        """Return the beliefs after learning that no run without the first ``cut`` elements can fail."""
        joint = self.joint.copy()
        joint[:, :, cut + 1 :] = 0.0
        return self._normalise(joint)

    def accept_cut(self, cut: int, noise: RunNoise) -> Frontier:
        """Return the beliefs after learning that the first ``cut`` elements are not needed.

        ``noise`` is the noise of runs of the remaining elements.
        """
        places = self.places.copy()
        places[: cut + 1] = 0.0
        if not places.sum() > 0:
            return self
        joint = noise.leak_chances[:, None, None] * noise.rate_chances[None, :, None] * places[None, None, :]
        return replace(self, noise=noise)._normalise(joint)

    def _normalise(self, joint: Array) -> Frontier:
        total = joint.sum()
        if not total > 0:  # contradictory answers: ignore the last one
            return self
        return replace(self, joint=joint / total)

    def update_density(self, place: int) -> NeedDensity:
        """Return the density after the first needed element was found at index ``place``.

        If ``place`` is n, no element is needed.
        """
        reached = _survival(self.needed)[:, place]
        seen = reached * self.needed[:, place] if place < len(self) else reached
        chances = self.density.chances * (seen + 1e-200)
        return replace(self.density, chances=chances / chances.sum())

    @property
    def updated_noise(self) -> RunNoise:
        """The noise after the runs so far, given that nothing needed was removed."""
        chances = self.joint[:, :, 1:].sum((0, 2))
        return replace(self.noise, rate_chances=chances / chances.sum())


def _survival(needed: Array) -> Array:
    """Return, for each i from 0 to n, the probability that none of the first i elements is needed."""
    return np.concatenate([np.ones((len(needed), 1)), np.cumprod(1 - needed, axis=1)], axis=1)


def _entropy(chance: Array) -> Array:
    yes, no = np.clip(chance, 1e-300, 1.0), np.clip(1 - chance, 1e-300, 1.0)
    return np.asarray(-(yes * np.log2(yes) + no * np.log2(no)))
