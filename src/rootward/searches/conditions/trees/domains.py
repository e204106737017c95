"""Domains: the parts of the space in which the same fields have the same special values.

Distances mean nothing for NaN and the infinities. Within a domain these fields are left out, and the rest is geometry.
There are ``4**k`` domains for k floats, and what a trial tells in one cannot be compared with another, so a K-armed
bandit chooses where to sample (Thompson sampling). A trial is a success if it made the labels more diverse, in its
domain or in all of the data.

With uniform priors on ``4**k`` arms nearly every trial would open a domain that was never tried. So the arms are the
domains with trials (the passive sampler opens them), and one more for all the others, which opens one at random.
"""

from __future__ import annotations

import math
from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import SPECIAL, Axes, Rows

Domain = tuple[int, ...]
"""Per axis: 0 for any finite place, else 1 + the position in SPECIAL."""


def domain_of(place: Rows) -> Domain:
    """The domain of a point."""
    return tuple(map(int, codes(place)))


def codes(places: Rows) -> NDArray[np.int64]:
    """For each entry: 0 for a finite place, else 1 + its position in SPECIAL."""
    found = np.zeros(places.shape, dtype=np.int64)
    found[np.isnan(places)] = 1
    found[places == np.inf] = 2
    found[places == -np.inf] = 3
    return found


def special_values(domain: Domain) -> Rows:
    """A point with the special values of the domain, and 0 elsewhere."""
    return np.array([SPECIAL[code - 1] if code else 0.0 for code in domain])


class Bandit:
    """Which domain to sample from. Every trial is told to it, in order; only those it chose count for its arms."""

    def __init__(self, axes: Axes) -> None:
        self._codes = [[0, *(1 + SPECIAL.index(value) for value in specials)] for specials in axes.specials]
        self.size = math.prod(map(len, self._codes))
        """How many domains there are."""
        self.arms: dict[Domain | None, list[int]] = {None: [0, 0]}
        """Successes and failures; None is the arm that opens a new domain."""
        self.labels: dict[Domain | None, list[int]] = {None: [0, 0]}
        """Passes and fails seen in each domain; None: in all of the data."""

    def told(self, domain: Domain, fails: bool, *, chosen: bool) -> None:
        """A trial there had this label; whether the bandit had ``chosen`` it."""
        new = domain not in self.labels
        here, total = self.labels.setdefault(domain, [0, 0]), self.labels[None]
        success = max(_adds(here, fails), _adds(total, fails))
        self.arms.setdefault(domain, [0, 0])
        for arm in () if not chosen else (domain, None) if new else (domain,):
            self.arms[arm][0 if success else 1] += 1

    def choose(self, rng: np.random.Generator, closed: Container[Domain]) -> Domain | None:
        """The arm with the highest draw of Beta(1 + successes, 1 + failures); None if all are ``closed``."""
        open_arms = [arm for arm in self.arms if arm is None or arm not in closed]
        if len(self.labels) - 1 >= self.size:
            open_arms.remove(None)
        if not open_arms:
            return None
        wins, losses = np.array([self.arms[arm] for arm in open_arms]).T
        arm = open_arms[int(np.argmax(rng.beta(1 + wins, 1 + losses)))]
        return self._new(rng) if arm is None else arm

    def _new(self, rng: np.random.Generator) -> Domain:
        while True:
            domain = tuple(options[rng.integers(len(options))] for options in self._codes)
            if domain not in self.labels:
                return domain


def diversity(counts: list[int]) -> float:
    """The entropy of a population of labels, in bits."""
    total = sum(counts)
    return -sum(count / total * math.log2(count / total) for count in counts if count)


def _adds(counts: list[int], fails: bool) -> bool:
    """Counts the label; whether that made the population more diverse."""
    before = diversity(counts)
    counts[fails] += 1
    return diversity(counts) > before
