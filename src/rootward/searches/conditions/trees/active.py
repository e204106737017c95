"""The active sampler: run the point that tells the most.

Within a domain, that is the argmax of the information over all of its points. The space is far too large to list, so
the argmax is taken over many candidates: points anywhere on the axes, points around known trials at every scale, and
points on the way between trials with different labels, where the border is.

A batch is drawn one point after the other. Each is given the label that the predictor expects, as if it had been run;
so the next one is drawn elsewhere. These labels live in the pool of candidates and are gone with it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rootward.searches.conditions.trees.axes import Axes, Rows
from rootward.searches.conditions.trees.certainty import information
from rootward.searches.conditions.trees.data import Data
from rootward.searches.conditions.trees.domains import Bandit, Domain, codes, special_values

Predictor = Callable[[Rows], NDArray[np.bool_]]
"""From features to labels."""
CANDIDATES = 300
"""Points of each of the three kinds."""


class Pool:
    """The candidates of one domain, and how far each is from the trials there."""

    def __init__(self, data: Data, domain: Domain, predict: Predictor, rng: np.random.Generator) -> None:
        axes, self._finite = data.axes, np.array(domain) == 0
        here = (codes(data.places) == np.array(domain)).all(axis=1)
        known, fails = data.places[here], data.fails[here]
        drawn = np.where(self._finite, candidates(axes, self._finite, known, fails, rng), special_values(domain))
        self.places = np.unique(axes.snapped(drawn), axis=0)
        self.labels = predict(axes.features(self.places))
        self.same, self.other = np.full((2, len(self.places)), np.inf)
        for place, label in zip(known, fails, strict=True):
            self.learn(place, bool(label))
        silent = data.silent[(codes(data.silent) == np.array(domain)).all(axis=1)]
        for place, label in zip(silent, predict(axes.features(silent)) if len(silent) else (), strict=True):
            self.learn(place, bool(label))

    def learn(self, place: Rows, fails: bool) -> None:
        """There is a trial with this label, be it known or expected."""
        away = np.linalg.norm(self.places[:, self._finite] - place[self._finite], axis=1)
        alike = self.labels == fails
        self.same[alike] = np.minimum(self.same[alike], away[alike])
        self.other[~alike] = np.minimum(self.other[~alike], away[~alike])

    def draw(self) -> Rows | None:
        """The point that tells the most, from now on with its expected label; None if no point tells anything."""
        told = information(self.same, self.other)
        at = int(np.argmax(told))
        if told[at] <= 0:
            return None
        self.learn(self.places[at], bool(self.labels[at]))
        return np.asarray(self.places[at])


def candidates(
    axes: Axes, finite: NDArray[np.bool_], known: Rows, fails: NDArray[np.bool_], rng: np.random.Generator
) -> Rows:
    """Places in the space; on axes that are not ``finite`` they mean nothing."""
    size, known = (CANDIDATES, len(axes)), np.where(finite, known, 0.0)
    drawn = [rng.uniform(axes.low, axes.high, size)]
    if len(known):
        around = known[rng.integers(len(known), size=CANDIDATES)]
        scale = (axes.high - axes.low) * 2.0 ** rng.uniform(-12, 0, (CANDIDATES, 1))
        drawn.append(around + rng.normal(size=size) * scale)
    if fails.any() and not fails.all():
        ends = [side[rng.integers(len(side), size=CANDIDATES)] for side in (known[fails], known[~fails])]
        drawn.append(ends[0] + rng.random((CANDIDATES, 1)) * (ends[1] - ends[0]))
    return np.clip(np.vstack(drawn), axes.low, axes.high)


def batch(data: Data, bandit: Bandit, predict: Predictor, count: int, rng: np.random.Generator) -> list[Rows]:
    """The next points to run: fewer than ``count`` if no domain has more to tell."""
    pools: dict[Domain, Pool] = {}
    closed: set[Domain] = set()
    chosen: list[Rows] = []
    while len(chosen) < count and (domain := bandit.choose(rng, closed)) is not None:
        if domain not in pools:
            pools[domain] = Pool(data, domain, predict, rng)
        place = pools[domain].draw()
        if place is None:
            closed.add(domain)
        else:
            chosen.append(place)
    return chosen
