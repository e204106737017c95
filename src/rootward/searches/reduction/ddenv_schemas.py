"""The schemas of ddenv's paper (Table I): how it cuts an environment into parts, and in which order it tries them.

Partitions (Algorithm 2). Three give each element an attribute and cluster by it with k-means: its position
(``model2model``), the time at which the robot first sensed it (``timeseg``), its influence on the failure as learnt so
far (``learner``). The fourth cuts the trajectory at its turns, and each element goes with the segment nearest to it
(``trajectoryseg``). Where the paper is silent: elements without the attribute are one part of their own, parts without
elements are none, and if the attribute tells no two elements apart, they are cut evenly, in their order.

Priorities (Algorithm 3). What is close to the failure in space or time is tried first, because it is more likely to
have caused it. A part is where its centroid is; distances are in three dimensions. Parts of which nothing is known come
last.

To add a schema: write the function, and enter it in ``PARTITIONS`` or ``PRIORITIES`` with what it needs to know.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rootward.errors import InputError
from rootward.searches.reduction.surroundings import Surroundings

Vector = npt.NDArray[np.float64]
Parts = list[list[int]]
NEEDS = {
    "positions": "the positions of the elements: give positions=",
    "trajectory": "the trajectory of the failing run: give trajectory=[(t, x, y, z), ...]",
    "times": "the times at which the robot first sensed the elements: give positions= and trajectory=, "
    "or have the subject report measures named sensed:NAME",
}
ALONG_THE_PATH = ("positions", "trajectory")


@dataclass(frozen=True)
class Tuning:
    """The numbers that the paper leaves open. How much they matter was not measured."""

    # Effort

    kmeans_restarts: int = 5
    """Runs of k-means, each from other centres: the best counts. The paper (Algorithm 2) does not say how many."""

    # Guesses

    turn_change: float = 0.1
    """The change of the angular velocity, in rad/s, that is a turn: the *delta* of Table I, without a value there."""
    heading_distance: float = 0.05
    """The distance, in metres, that the robot must have moved for its heading to be known. It is not in the paper."""


TUNING = Tuning()


@dataclass
class Evidence:
    """What priorities and partitions go by."""

    surroundings: Surroundings
    rng: np.random.Generator
    trials: list[tuple[frozenset[int], bool]] = field(default_factory=list)
    """The elements of each test so far, and whether it failed."""
    unsteady: bool = False
    """Whether something failed that did not fail before."""

    def __post_init__(self) -> None:
        rows = [row for row in self.surroundings.trajectory if all(map(math.isfinite, row))]
        path = np.array(rows, dtype=np.float64).reshape(-1, 4)
        self.times, self.path = path[:, 0], path[:, 1:]

    def require(self, schema: str, needs: Sequence[str]) -> None:
        """Raise InputError, saying what to give, if something that the schema needs is not known."""
        placed = any(self.position(i) is not None for i in range(len(self.surroundings.positions)))
        known = {"positions": placed, "trajectory": len(self.path) > 0}
        known["times"] = bool(self.surroundings.sensed) or all(known.values())
        for need in needs:
            if not known[need]:
                raise InputError(f"{schema} needs {NEEDS[need]}")

    def position(self, element: int) -> Vector | None:
        point = self.surroundings.positions[element] if self.surroundings.positions else None
        return np.array(point) if point is not None and all(map(math.isfinite, point)) else None

    def to_path(self, point: Vector) -> Vector:
        """How far each point of the trajectory is."""
        distances: Vector = np.linalg.norm(self.path - point, axis=1)
        return distances

    def sensed(self, element: int) -> float | None:
        """When the robot first sensed it: as reported, or else when the robot was closest to it."""
        if self.surroundings.sensed:
            return self.surroundings.sensed.get(element)
        position = self.position(element)
        return None if position is None else float(self.times[np.argmin(self.to_path(position))])

    def centroid(self, part: Sequence[int]) -> Vector | None:
        positions = [position for i in part if (position := self.position(i)) is not None]
        return np.mean(positions, axis=0) if positions else None


# Priorities


def at_random(parts: Parts, evidence: Evidence) -> Parts:
    return [parts[i] for i in evidence.rng.permutation(len(parts))]


def sequential(parts: Parts, evidence: Evidence) -> Parts:
    """In the order of the elements in the environment."""
    return sorted(parts, key=min)


def failure_proximal(parts: Parts, evidence: Evidence) -> Parts:
    """Algorithm 3: the part whose centroid is closest to where the robot failed comes first."""
    return _by_distance(parts, evidence, lambda distances: float(distances[-1]))


def average_trajectory_proximal(parts: Parts, evidence: Evidence) -> Parts:
    """By the average distance of the centroid from the robot, over the points of the run."""
    return _by_distance(parts, evidence, lambda distances: float(distances.mean()))


def minimum_trajectory_proximal(parts: Parts, evidence: Evidence) -> Parts:
    """By the distance of the centroid from the robot at its closest."""
    return _by_distance(parts, evidence, lambda distances: float(distances.min()))


def timestep(parts: Parts, evidence: Evidence) -> Parts:
    """By the time at which the robot first sensed any of their elements."""
    times = {i: math.inf if (time := evidence.sensed(i)) is None else time for part in parts for i in part}
    return sorted(parts, key=lambda part: min(times[i] for i in part))


def _by_distance(parts: Parts, evidence: Evidence, measure: Callable[[Vector], float]) -> Parts:
    """``measure`` makes one distance of those to each point of the trajectory."""

    def distance(part: list[int]) -> float:
        centroid = evidence.centroid(part)  # 3
        return math.inf if centroid is None else measure(evidence.to_path(centroid))

    return sorted(parts, key=distance)  # 6


PRIORITIES: dict[str, tuple[Callable[[Parts, Evidence], Parts], Sequence[str]]] = {
    "random": (at_random, ()),
    "sequential": (sequential, ()),
    "failure-proximal": (failure_proximal, ALONG_THE_PATH),
    "average-trajectory-proximal": (average_trajectory_proximal, ALONG_THE_PATH),
    "minimum-trajectory-proximal": (minimum_trajectory_proximal, ALONG_THE_PATH),
    "timestep": (timestep, ("times",)),
}
"""Each orders parts, the one to try first in front; and what it needs to know."""


# Partitions


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
    runs = [_kmeans_once(data, k, minit="++", seed=rng) for _ in range(TUNING.kmeans_restarts)]
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
    """The points where the angular velocity changes by more than ``turn_change``, the sharpest first."""
    points = _moved(evidence)
    if len(points) < 3:
        return []
    times, steps = evidence.times[points], np.diff(evidence.path[points, :2], axis=0)
    bends = np.diff(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0])))
    velocities = bends / ((times[2:] - times[:-2]) / 2)
    changes = np.abs(np.diff(velocities, prepend=0.0))
    sharpest = np.argsort(-changes, kind="stable")
    return [points[i + 1] for i in sharpest if changes[i] > TUNING.turn_change]


def _moved(evidence: Evidence) -> list[int]:
    """The points of the trajectory that are at least ``heading_distance`` and some time after the one before."""
    points: list[int] = []
    for i, (time, at) in enumerate(zip(evidence.times, evidence.path, strict=True)):
        last = points[-1] if points else None
        if last is None or (
            time > evidence.times[last] and np.hypot(*(at - evidence.path[last])[:2]) >= TUNING.heading_distance
        ):
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
