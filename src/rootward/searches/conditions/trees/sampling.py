"""The samplers of ALO-Trees: they choose the points to run next.

``sample_latin`` is the passive sampler, for a first look at the whole space. ``sample_spheres`` looks for more trials
with a rare label around those that have it. ``draw_batch`` is the active sampler: it chooses the most informative
points.

A point is most informative where its predicted label is least certain (``information``). Within a domain, the paper
takes the argmax over all points. The space is far too large to list, so here the argmax is taken over many candidates:
points anywhere on the axes, points around known trials at every scale, and points between trials with different labels,
where the boundary is. A batch is drawn one point after another. Each drawn point gets its predicted label, as if it had
been run, so that the next one is drawn elsewhere. These labels exist only in the pool of candidates.

There are ``4**k`` domains for k floats, and the information of trials in different domains cannot be compared. So a
K-armed bandit chooses the domain (Thompson sampling). A trial is a success if it made the labels more diverse, in its
domain or in all data. With uniform priors on ``4**k`` arms, nearly every trial would open a new domain. So the arms are
the domains that have trials (the passive sampler opens them), and one more arm, which opens a new domain at random.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container

import numpy as np
from numpy.typing import NDArray

from rootward.search.design import hypercube
from rootward.searches.conditions.trees.axes import SPECIAL, Axes, Domain, Rows, TrialData, codes, special_values
from rootward.searches.conditions.trees.tuning import TUNING

Predictor = Callable[[Rows], NDArray[np.bool_]]
"""A function from features to predicted labels."""


# The active sampler


def draw_batch(data: TrialData, bandit: Bandit, predict: Predictor, count: int, rng: np.random.Generator) -> list[Rows]:
    """Return the next ``count`` points to run. There are fewer if no domain has an informative point left."""
    pools: dict[Domain, CandidatePool] = {}
    closed: set[Domain] = set()
    chosen: list[Rows] = []
    while len(chosen) < count and (domain := bandit.choose(rng, closed)) is not None:
        if domain not in pools:
            pools[domain] = CandidatePool(data, domain, predict, rng)
        place = pools[domain].draw()
        if place is None:
            closed.add(domain)
        else:
            chosen.append(place)
    return chosen


class CandidatePool:
    """The candidates of one domain, with their distances to the trials in this domain."""

    def __init__(self, data: TrialData, domain: Domain, predict: Predictor, rng: np.random.Generator) -> None:
        axes, self._finite = data.axes, np.array(domain) == 0
        here = (codes(data.places) == np.array(domain)).all(axis=1)
        known, fails = data.places[here], data.fails[here]
        drawn = np.where(self._finite, candidates(axes, self._finite, known, fails, rng), special_values(domain))
        self.places = np.unique(axes.snap(drawn), axis=0)
        self.labels = predict(axes.features(self.places))
        self.same, self.other = np.full((2, len(self.places)), np.inf)
        for place, label in zip(known, fails, strict=True):
            self.learn(place, bool(label))
        silent = data.unjudged_places[(codes(data.unjudged_places) == np.array(domain)).all(axis=1)]
        for place, label in zip(silent, predict(axes.features(silent)) if len(silent) else (), strict=True):
            self.learn(place, bool(label))

    def learn(self, place: Rows, fails: bool) -> None:
        """Update the distances with a trial at ``place``. Its label ``fails`` may be known or only predicted."""
        away = np.linalg.norm(self.places[:, self._finite] - place[self._finite], axis=1)
        alike = self.labels == fails
        self.same[alike] = np.minimum(self.same[alike], away[alike])
        self.other[~alike] = np.minimum(self.other[~alike], away[~alike])

    def draw(self) -> Rows | None:
        """Return the most informative point and record its predicted label; None if no point is informative."""
        bits = information(self.same, self.other)
        at = int(np.argmax(bits))
        if bits[at] <= 0:
            return None
        self.learn(self.places[at], bool(self.labels[at]))
        return np.asarray(self.places[at])


def candidates(
    axes: Axes, finite: NDArray[np.bool_], known: Rows, fails: NDArray[np.bool_], rng: np.random.Generator
) -> Rows:
    """Draw places in the space. On axes that are not ``finite``, their values are meaningless."""
    size, known = (TUNING.candidates, len(axes)), np.where(finite, known, 0.0)
    drawn = [rng.uniform(axes.low, axes.high, size)]
    if len(known):
        around = known[rng.integers(len(known), size=TUNING.candidates)]
        scale = (axes.high - axes.low) * 2.0 ** rng.uniform(-12, 0, (TUNING.candidates, 1))
        drawn.append(around + rng.normal(size=size) * scale)
    if fails.any() and not fails.all():
        ends = [side[rng.integers(len(side), size=TUNING.candidates)] for side in (known[fails], known[~fails])]
        drawn.append(ends[0] + rng.random((TUNING.candidates, 1)) * (ends[1] - ends[0]))
    return np.clip(np.vstack(drawn), axes.low, axes.high)


# The choice of a domain


class Bandit:
    """Chooses the domain to sample.

    ``labels`` counts all trials. ``arms`` counts only the trials whose domain the bandit chose.
    """

    def __init__(self, axes: Axes) -> None:
        self._codes = [[0, *(1 + SPECIAL.index(value) for value in specials)] for specials in axes.specials]
        self.size = math.prod(map(len, self._codes))
        """Number of domains."""
        self.arms: dict[Domain | None, list[int]] = {None: [0, 0]}
        """Successes and failures of each arm; None is the arm that opens a new domain."""
        self.labels: dict[Domain | None, list[int]] = {None: [0, 0]}
        """Number of passing and failing trials in each domain; None: in all data."""

    def add_trial(self, domain: Domain, fails: bool, *, chosen: bool) -> None:
        """Record a trial; ``chosen`` says that the bandit chose its domain."""
        new = domain not in self.labels
        here, total = self.labels.setdefault(domain, [0, 0]), self.labels[None]
        success = max(_add_label(here, fails), _add_label(total, fails))
        self.arms.setdefault(domain, [0, 0])
        for arm in () if not chosen else (domain, None) if new else (domain,):
            self.arms[arm][0 if success else 1] += 1

    def choose(self, rng: np.random.Generator, closed: Container[Domain]) -> Domain | None:
        """Return the domain with the highest random draw from Beta(1 + successes, 1 + failures).

        Domains in ``closed`` are left out. Return None if all domains are closed.
        """
        open_arms = [arm for arm in self.arms if arm is None or arm not in closed]
        if len(self.labels) - 1 >= self.size:
            open_arms.remove(None)
        if not open_arms:
            return None
        wins, losses = np.array([self.arms[arm] for arm in open_arms]).T
        arm = open_arms[int(np.argmax(rng.beta(1 + wins, 1 + losses)))]
        return self._draw_new_domain(rng) if arm is None else arm

    def _draw_new_domain(self, rng: np.random.Generator) -> Domain:
        while True:
            domain = tuple(options[rng.integers(len(options))] for options in self._codes)
            if domain not in self.labels:
                return domain


def diversity(counts: list[int]) -> float:
    """Return the entropy of a population of labels, in bits."""
    total = sum(counts)
    return -sum(count / total * math.log2(count / total) for count in counts if count)


def _add_label(counts: list[int], fails: bool) -> bool:
    """Count the label and return True if that made the population more diverse."""
    before = diversity(counts)
    counts[fails] += 1
    return diversity(counts) > before


# Certainty: the probability that a predicted label is right, judged by nearby trials and not by the predictor.
#
# The predictor is confident even far from every trial. So two heuristics are used instead: *partition*, how near the
# point is to trials with its predicted label (support), and *boundary*, how much nearer it is to them than to the other
# trials (no confusion). The information of a trial is the entropy of their geometric mean.
#
# The paper prints partition as ``(1 + 1/d) / 2``. That is above 1 if ``d < 1`` and infinite at a known trial, although
# it is meant to be a probability, and entropy is said to be zero at a known trial. Here the printed formula is used
# where it is a probability, and 1 for ``d < 1``.


def partition(same: Rows) -> Rows:
    """Return the probability that the predicted label is right, judged by the distance ``same``.

    ``same`` is the distance to the nearest trial with the predicted label.
    """
    return (1 + 1 / np.maximum(same, 1)) / 2


def boundary(same: Rows, other: Rows) -> Rows:
    """Return the probability that the predicted label is right, by two distances.

    ``same`` is the distance to the nearest trial with the predicted label, ``other`` to the nearest with the other one.

    If there is no such trial, the distance is infinite. If no trial has the predicted label, the probability is 1/2,
    except at a trial with the other label, where it is 0.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = np.where(np.isinf(other), 1.0, other / (same + other))
    unknown = np.where(other == 0, 0.0, 0.5)
    # Both distances are zero only if trials at the same place have different labels.
    return np.where(np.isinf(same), unknown, np.where((same == 0) & (other == 0), 0.5, chance))


def certainty(same: Rows, other: Rows) -> Rows:
    """Return the probability that the predicted label is right, by both heuristics."""
    return np.sqrt(partition(same) * boundary(same, other))


def entropy(chance: Rows) -> Rows:
    """Return the entropy, in bits, of an event with this probability."""
    inner = np.clip(chance, 1e-300, 1 - 1e-16)
    bits = -inner * np.log2(inner) - (1 - inner) * np.log2(1 - inner)
    return np.where((chance <= 0) | (chance >= 1), 0.0, bits)


def information(same: Rows, other: Rows) -> Rows:
    """Return the expected information of running a point, in bits. It is 0 for a point that was already run."""
    return entropy(certainty(same, other))


# The passive sampler: a Latin hypercube in symmetric-log space, with one bin of each float reserved for special values.
#
# There are as many bins as trials, so every bin of every field is used exactly once. All bins have the same size on the
# compressed axis; decompressed, most values are small, like those that trigger faults.


def sample_latin(axes: Axes, count: int, rng: np.random.Generator) -> Rows:
    """Draw ``count`` points.

    If ``count`` is more than 1, each field that allows special values has one in exactly one of the points.
    """
    unit = hypercube(count, len(axes), rng)
    places = np.empty_like(unit)
    for at, specials in enumerate(axes.specials):
        reserved = 1 / count if specials and count > 1 else 0.0
        share = (unit[:, at] - reserved) / (1 - reserved)
        places[:, at] = axes.low[at] + share * (axes.high[at] - axes.low[at])
        if reserved:
            places[unit[:, at] < reserved, at] = specials[rng.integers(len(specials))]
    return axes.snap(places)


# The hypersphere sampler: while one label is rare, sample around the trials that have it.
#
# The sphere around a trial reaches half way to the nearest trial with the other label. If the new point has the other
# label, too, the next sphere is smaller.


def radius(place: Rows, others: Rows) -> float:
    """Return half the distance from ``place`` to the nearest of ``others`` in the same domain.

    The result is infinite if there is none.
    """
    finite = np.isfinite(place)
    near = others[(codes(others) == codes(place)).all(axis=1)][:, finite]
    return float(np.linalg.norm(near - place[finite], axis=1).min(initial=np.inf)) / 2


def sample_spheres(axes: Axes, rare: Rows, others: Rows, count: int, rng: np.random.Generator) -> Rows:
    """Draw ``count`` points, each from the sphere around one of the ``rare`` trials. The rare trials take turns.

    Special values stay. A point outside the space is moved to the edge of the space. If no other trial in the domain
    limits the sphere, the point is drawn from the whole domain.
    """
    turns = np.resize(rng.permutation(len(rare)), count)
    return axes.snap(np.array([_draw_in_ball(axes, rare[at], radius(rare[at], others), rng) for at in turns]))


def _draw_in_ball(axes: Axes, centre: Rows, reach: float, rng: np.random.Generator) -> Rows:
    """Draw a point uniformly from the ball around ``centre``."""
    finite = np.isfinite(centre)
    drawn = centre.copy()
    if not np.isfinite(reach):
        drawn[finite] = rng.uniform(axes.low[finite], axes.high[finite])
        return drawn
    direction = rng.normal(size=int(finite.sum()))
    length = reach * rng.random() ** (1 / max(len(direction), 1))
    drawn[finite] += direction / (np.linalg.norm(direction) or 1.0) * length
    drawn[finite] = np.clip(drawn[finite], axes.low[finite], axes.high[finite])
    return drawn
