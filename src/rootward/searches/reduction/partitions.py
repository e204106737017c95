"""How ddenv cuts an environment: the partitionings of its paper (Algorithm 2 and Table I).

Three give each element an attribute and cluster by it with k-means: its position (``model2model``), the time at which
the robot first sensed it (``timeseg``), its influence on the failure as learnt so far (``learner``). The fourth cuts
the trajectory at its turns, and each element goes with the segment nearest to it (``trajectoryseg``).

Where the paper is silent: elements without the attribute are one part of their own, parts without elements are none,
and if the attribute tells no two elements apart, they are cut evenly, in their order.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rootward.searches.reduction.priorities import ALONG_THE_PATH, Evidence, Parts, Vector

RESTARTS = 5
"""k-means finds a local optimum: the best of this many counts."""
DELTA = 0.1
"""A change of the angular velocity by more than this, in rad/s, is a turn."""
STEP = 0.05
"""How far, in metres, the robot must have moved for its heading to be known."""


def model2model(members: Sequence[int], n: int, evidence: Evidence) -> Parts:
    """Elements that are close to each other go together."""
    return _clusters({i: evidence.position(i) for i in members}, n, lambda data, k: _kmeans(data, k, evidence.rng))


def timeseg(members: Sequence[int], n: int, evidence: Evidence) -> Parts:
    """Elements that were first sensed at about the same time go together.

    Table I subdivides the time evenly, the text clusters it by k-means: here k-means starts from the even subdivision.
    """
    times = {i: None if (time := evidence.sensed(i)) is None else np.array([time]) for i in members}
    return _clusters(times, n, _kmeans_from_even)


def trajectoryseg(members: Sequence[int], n: int, evidence: Evidence) -> Parts:
    """Elements go with the nearest of the segments into which turns cut the trajectory.

    Of the turns that part these elements, the sharpest are taken, as many as n parts need.
    """
    distances = {i: None if (at := evidence.position(i)) is None else evidence.to_path(at) for i in members}
    nearest = {i: None if it is None else np.array([np.argmin(it)]) for i, it in distances.items()}
    sharpest = turns(evidence)
    return _clusters(nearest, n, lambda data, k: _segments(data[:, 0], k, sharpest))


def learner(members: Sequence[int], n: int, evidence: Evidence) -> Parts:
    """Elements that seem to have about the same influence on the failure go together.

    A logistic regression learns from all tests so far how the attributes of the three others (position, time, distance
    to the trajectory), averaged over the elements of a test, make it fail. Until one has failed and another has not,
    these attributes themselves are clustered.
    """
    features = _features(evidence)
    weights = _weights(features, evidence.trials)
    rows = {i: features.get(i) for i in members}
    scores = {i: row if row is None or weights is None else np.array([row @ weights]) for i, row in rows.items()}
    return _clusters(scores, n, lambda data, k: _kmeans(data, k, evidence.rng))


PARTITIONS: dict[str, tuple[Callable[[Sequence[int], int, Evidence], Parts], Sequence[str]]] = {
    "model2model": (model2model, ("positions",)),
    "timeseg": (timeseg, ("times",)),
    "trajectoryseg": (trajectoryseg, ALONG_THE_PATH),
    "learner": (learner, ALONG_THE_PATH),
}
"""Each cuts elements into n parts at most, every element in one of them; and what it needs to know."""


# Clusters


def _clusters(attributes: Mapping[int, Vector | None], n: int, label: Callable[[Vector, int], Iterable[int]]) -> Parts:
    """``label`` gives each row one of k labels; parts are in the order of their first elements."""
    known = {i: attribute for i, attribute in attributes.items() if attribute is not None}
    others = [i for i in attributes if i not in known]
    parts: dict[int, list[int]] = {}
    if known:
        labels = label(np.stack(list(known.values())), max(n - bool(others), 1))
        for i, chosen in zip(known, labels, strict=True):
            parts.setdefault(chosen, []).append(i)
    found = sorted([*parts.values(), others] if others else parts.values())
    return found if len(found) > 1 else _evenly(list(attributes), n)


def _evenly(members: list[int], n: int) -> Parts:
    n = min(n, len(members))
    bounds = [len(members) * i // n for i in range(n + 1)] if members else []
    return [members[low:high] for low, high in pairwise(bounds)]


def _kmeans(data: Vector, k: int, rng: np.random.Generator) -> Iterable[int]:
    data = _scaled(data)
    k = min(k, len(np.unique(data, axis=0)))
    runs = [_kmeans_once(data, k, minit="++", seed=rng) for _ in range(RESTARTS)]
    return min(runs, key=lambda run: run[0])[1]


def _kmeans_from_even(data: Vector, k: int) -> Iterable[int]:
    """Of one attribute; the first centres are those of k intervals of the same length."""
    data = _scaled(data)
    centres = np.linspace(data.min(), data.max(), 2 * min(k, len(data)) + 1)[1::2]
    return _kmeans_once(data, centres[:, None], minit="matrix")[1]


def _kmeans_once(data: Vector, k: int | Vector, **options: Any) -> tuple[float, Iterable[int]]:
    """The squared distances of all rows to the centres of their clusters, added up; and the cluster of each."""
    from scipy.cluster.vq import kmeans2

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="One of the clusters is empty")
        centres, labels = kmeans2(data, k, **options)
    return float(((data - centres[labels]) ** 2).sum()), labels.tolist()


def _scaled(data: Vector) -> Vector:
    """The same, between -1 and 1, and so coarse that no distance between two rows vanishes when it is squared."""
    size = float(np.abs(data).max())
    return np.round(data / size, 9) if size else data


# Turns of the trajectory


def turns(evidence: Evidence) -> list[int]:
    """The points of the trajectory where the angular velocity changes by more than ``DELTA``, the sharpest first."""
    points = _moved(evidence)
    if len(points) < 3:
        return []
    times, steps = evidence.times[points], np.diff(evidence.path[points, :2], axis=0)
    bends = np.diff(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0])))
    velocities = bends / ((times[2:] - times[:-2]) / 2)
    changes = np.abs(np.diff(velocities, prepend=0.0))
    sharpest = np.argsort(-changes, kind="stable")
    return [points[i + 1] for i in sharpest if changes[i] > DELTA]


def _moved(evidence: Evidence) -> list[int]:
    """The points of the trajectory that are at least a ``STEP`` and some time after the one before."""
    points: list[int] = []
    for i, (time, at) in enumerate(zip(evidence.times, evidence.path, strict=True)):
        last = points[-1] if points else None
        if last is None or (time > evidence.times[last] and np.hypot(*(at - evidence.path[last])[:2]) >= STEP):
            points.append(i)
    return points


def _segments(nearest: Vector, k: int, sharpest: Sequence[int]) -> Iterable[int]:
    """Cut at the sharpest turns that part the rows, until there are k segments that are nearest to some row."""
    labels, cuts = [0] * len(nearest), list[int]()
    for turn in sharpest:
        if len(set(labels)) == k:
            break
        finer = np.searchsorted(sorted([*cuts, turn]), nearest, side="right").tolist()
        if len(set(finer)) > len(set(labels)):
            cuts, labels = [*cuts, turn], finer
    return labels


# Learning


def _features(evidence: Evidence) -> dict[int, Vector]:
    """Position, time and distance to the trajectory of each element that has a position, standardised."""
    rows: dict[int, Vector] = {}
    for i in range(len(evidence.surroundings.positions)):
        if (at := evidence.position(i)) is not None:
            time = evidence.sensed(i)  # what was not sensed at all might have been, later
            rows[i] = np.array([*at, evidence.times[-1] if time is None else time, evidence.to_path(at).min()])
    table = np.stack(list(rows.values()))
    spread = table.std(axis=0)
    return {i: (row - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0) for i, row in rows.items()}


def _weights(features: Mapping[int, Vector], trials: Sequence[tuple[frozenset[int], bool]]) -> Vector | None:
    """What each feature adds to the log odds of a failure; None as long as all tests ended the same way."""
    failed = np.array([fails for _, fails in trials], dtype=np.float64)
    if len(set(failed.tolist())) < 2:
        return None
    width = len(next(iter(features.values())))
    means = [np.mean([features[i] for i in kept if i in features] or [np.zeros(width)], axis=0) for kept, _ in trials]
    data = np.column_stack([np.ones(len(trials)), np.stack(means)])
    weights, penalty = np.zeros(width + 1), np.eye(width + 1)
    for _ in range(10):  # Newton's method; the penalty keeps it stable where the tests are told apart perfectly
        chances = 1 / (1 + np.exp(-np.clip(data @ weights, -30, 30)))
        slope = data.T @ (failed - chances) - penalty @ weights
        weights += np.linalg.solve((data.T * (chances * (1 - chances))) @ data + penalty, slope)
    return weights[1:]
