"""The schemas of ddenv's paper (Table I): ways to split an environment into parts, and orders in which to try them.

Both rest on the same belief: the elements that cause a failure are close together, and close to the failure, in space
or in time. If that holds, one part contains them all, and it is among the first to be tried.

Partitions (Algorithm 2). Three of them give each element an attribute and cluster by it with k-means: its position
(``model2model``), the time at which the robot first sensed it (``timeseg``), or its influence on the failure as learnt
from the tests so far (``learner``). The fourth cuts the trajectory at its turns and assigns each element to the nearest
segment (``trajectoryseg``). The paper leaves some cases open. Here, elements without the attribute form one part of
their own, empty parts are dropped, and if the attribute separates no elements, they are split evenly, in their order.

Priorities (Algorithm 3). Parts close to the failure in space or time are tried first. A part's position is its
centroid, and distances are three-dimensional. Parts whose position or time is unknown come last.

Moving elements, which the paper leaves open: partitions use the position at which an element was when the robot was
nearest to it, and the time when that was. Priorities compare the robot, at each point of its trajectory, with where the
elements were just then; so failure-proximal means close to the robot when it failed.

Schemas run nothing: they see the ``SchemaEvidence`` and return parts. ddenv.py asks the questions, and says why it
ends. To add a schema, write a function and enter it in ``PARTITIONS`` or ``PRIORITIES`` with the evidence that it
needs; ``NEEDS`` holds the error message for missing evidence. A partition must put every element into exactly one part.
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
    "positions": "the positions of the elements, which worlds and robots have (in Python: positions=)",
    "trajectory": "the path of the robot in the failing run: give it as trajectory, in points (t, x, y, z)",
    "times": "the times at which the robot first sensed the elements: give their positions and its trajectory, "
    "or have the subject report measures named sensed:NAME",
}
ALONG_THE_PATH = ("positions", "trajectory")


@dataclass(frozen=True)
class DdenvTuning:
    """The constants that the paper leaves open. Their effect was not measured."""

    # Effort

    kmeans_restarts: int = 5
    """Number of k-means runs from different centres; the best one counts. Algorithm 2 of the paper gives no number."""

    # Guesses

    turn_change: float = 0.1
    """Minimum change of the angular velocity at a turn, in rad/s: the *delta* of Table I, which gives no value."""
    heading_distance: float = 0.05
    """Minimum distance, in metres, that the robot must move for its heading to be known. It is not in the paper."""


TUNING = DdenvTuning()


@dataclass
class SchemaEvidence:
    """The knowledge that priorities and partitions use."""

    surroundings: Surroundings
    rng: np.random.Generator
    trials: list[tuple[frozenset[int], bool]] = field(default_factory=list)
    """The elements of each test so far, and True if it failed."""
    is_flaky: bool = False
    """True once a part failed only when it was repeated."""

    def __post_init__(self) -> None:
        rows = [row for row in self.surroundings.trajectory if all(map(math.isfinite, row))]
        path = np.array(rows, dtype=np.float64).reshape(-1, 4)
        self.times, self.path = path[:, 0], path[:, 1:]
        self._courses: dict[int, Vector] = {}

    def require(self, schema: str, needs: Sequence[str]) -> None:
        """Raise InputError if some evidence that the schema needs is unknown. The message says what to give."""
        placed = any(self.position(i) is not None for i in range(len(self.surroundings.positions)))
        known = {"positions": placed, "trajectory": len(self.path) > 0}
        known["times"] = bool(self.surroundings.sensed) or all(known.values())
        for need in needs:
            if not known[need]:
                raise InputError(f"ddenv: the schema {schema} needs {NEEDS[need]}")

    def position(self, element: int) -> Vector | None:
        """Return the position of an element; of a moving one, where it was when the robot was nearest to it."""
        course = self.course(element)
        if course is None or course.ndim == 1:
            return course
        nearest: Vector = course[np.argmin(self.distances_to_path(course))]
        return nearest

    def course(self, element: int) -> Vector | None:
        """Return the position of an element; of a moving one, a row for each point of the trajectory, if it is known.

        Each row says where the element was when the robot was at that point.
        """
        track = self.surroundings.tracks.get(element)
        if track is not None and len(self.path):
            if element not in self._courses:
                self._courses[element] = np.array([track.at(time) for time in self.times.tolist()])
            return self._courses[element]
        point = self.surroundings.positions[element] if self.surroundings.positions else None
        return np.array(point) if point is not None and all(map(math.isfinite, point)) else None

    def distances_to_path(self, place: Vector) -> Vector:
        """Return the distance from a point, or from where each row says, to each point of the trajectory."""
        distances: Vector = np.linalg.norm(self.path - place, axis=1)
        return distances

    def time_sensed(self, element: int) -> float | None:
        """Return the time at which the robot first sensed the element.

        If no such time was reported, return the time at which the robot was closest to the element.
        """
        if self.surroundings.sensed:
            return self.surroundings.sensed.get(element)
        course = self.course(element)
        return None if course is None else float(self.times[np.argmin(self.distances_to_path(course))])

    def centroid(self, part: Sequence[int]) -> Vector | None:
        """Return the centroid of a part; if something in it moves, a row for each point of the trajectory."""
        courses = [course for i in part if (course := self.course(i)) is not None]
        return np.mean(np.broadcast_arrays(*courses), axis=0) if courses else None


# Priorities


def at_random(parts: Parts, evidence: SchemaEvidence) -> Parts:
    return [parts[i] for i in evidence.rng.permutation(len(parts))]


def sequential(parts: Parts, evidence: SchemaEvidence) -> Parts:
    """Sort parts by their first element in the environment."""
    return sorted(parts, key=min)


def failure_proximal(parts: Parts, evidence: SchemaEvidence) -> Parts:
    """Sort parts by the distance of their centroid from where the robot failed (Algorithm 3)."""
    return _sort_by_distance(parts, evidence, lambda distances: float(distances[-1]))


def average_trajectory_proximal(parts: Parts, evidence: SchemaEvidence) -> Parts:
    """Sort parts by the average distance of their centroid from the robot, over the points of the run."""
    return _sort_by_distance(parts, evidence, lambda distances: float(distances.mean()))


def minimum_trajectory_proximal(parts: Parts, evidence: SchemaEvidence) -> Parts:
    """Sort parts by the smallest distance of their centroid from the robot."""
    return _sort_by_distance(parts, evidence, lambda distances: float(distances.min()))


def timestep(parts: Parts, evidence: SchemaEvidence) -> Parts:
    """Sort parts by the time at which the robot first sensed any of their elements."""
    times = {i: math.inf if (time := evidence.time_sensed(i)) is None else time for part in parts for i in part}
    return sorted(parts, key=lambda part: min(times[i] for i in part))


def _sort_by_distance(parts: Parts, evidence: SchemaEvidence, measure: Callable[[Vector], float]) -> Parts:
    """Sort parts by ``measure`` of the distances from their centroid to each point of the trajectory."""

    def distance(part: list[int]) -> float:
        centroid = evidence.centroid(part)  # 3
        return math.inf if centroid is None else measure(evidence.distances_to_path(centroid))

    return sorted(parts, key=distance)  # 6


PRIORITIES: dict[str, tuple[Callable[[Parts, SchemaEvidence], Parts], Sequence[str]]] = {
    "random": (at_random, ()),
    "sequential": (sequential, ()),
    "failure-proximal": (failure_proximal, ALONG_THE_PATH),
    "average-trajectory-proximal": (average_trajectory_proximal, ALONG_THE_PATH),
    "minimum-trajectory-proximal": (minimum_trajectory_proximal, ALONG_THE_PATH),
    "timestep": (timestep, ("times",)),
}
"""Priorities by name: a function that sorts parts, the first to try in front, and the evidence it needs."""


# Partitions


def model2model(members: Sequence[int], n: int, evidence: SchemaEvidence) -> Parts:
    """Group elements that are close to each other."""
    return _cluster({i: evidence.position(i) for i in members}, n, lambda data, k: _kmeans(data, k, evidence.rng))


def timeseg(members: Sequence[int], n: int, evidence: SchemaEvidence) -> Parts:
    """Group elements that were first sensed at about the same time.

    The paper's Table I divides the time evenly, while its text clusters by k-means. This function does both: k-means
    starts from even intervals.
    """
    times = {i: None if (time := evidence.time_sensed(i)) is None else np.array([time]) for i in members}
    return _cluster(times, n, _kmeans_from_even)


def trajectoryseg(members: Sequence[int], n: int, evidence: SchemaEvidence) -> Parts:
    """Group elements by the nearest segment of the trajectory.

    The trajectory is cut at its sharpest turns. Only turns that separate the elements count, and only as many are used
    as ``n`` parts need.
    """
    distances = {i: None if (at := evidence.course(i)) is None else evidence.distances_to_path(at) for i in members}
    nearest = {i: None if it is None else np.array([np.argmin(it)]) for i, it in distances.items()}
    sharpest = find_turns(evidence)
    return _cluster(nearest, n, lambda data, k: _label_segments(data[:, 0], k, sharpest))


def learner(members: Sequence[int], n: int, evidence: SchemaEvidence) -> Parts:
    """Group elements that seem to have a similar influence on the failure.

    A logistic regression learns from all tests so far how attributes predict a failure. The attributes are those of the
    other three schemas: position, time and distance to the trajectory. They are averaged over the elements of a test.
    Until there are both failing and other tests, the attributes themselves are clustered.
    """
    features = _compute_features(evidence)
    weights = _fit_weights(features, evidence.trials)
    rows = {i: features.get(i) for i in members}
    scores = {i: row if row is None or weights is None else np.array([row @ weights]) for i, row in rows.items()}
    return _cluster(scores, n, lambda data, k: _kmeans(data, k, evidence.rng))


PARTITIONS: dict[str, tuple[Callable[[Sequence[int], int, SchemaEvidence], Parts], Sequence[str]]] = {
    "model2model": (model2model, ("positions",)),
    "timeseg": (timeseg, ("times",)),
    "trajectoryseg": (trajectoryseg, ALONG_THE_PATH),
    "learner": (learner, ALONG_THE_PATH),
}
"""Partitions by name: a function that splits elements into at most n parts, and the evidence it needs."""


# Clustering


def _cluster(attributes: Mapping[int, Vector | None], n: int, label: Callable[[Vector, int], Iterable[int]]) -> Parts:
    """Split elements into at most ``n`` parts by the labels that ``label`` gives to their attributes.

    The parts keep the order of the list. Elements without an attribute form a part of their own. If there would be only
    one part, the elements are split evenly instead.
    """
    known = {i: attribute for i, attribute in attributes.items() if attribute is not None}
    others = [i for i in attributes if i not in known]
    parts: dict[int, list[int]] = {}
    if known:
        labels = label(np.stack(list(known.values())), max(n - bool(others), 1))
        for i, chosen in zip(known, labels, strict=True):
            parts.setdefault(chosen, []).append(i)
    found = sorted([*parts.values(), others] if others else parts.values())
    return found if len(found) > 1 else _split_evenly(list(attributes), n)


def _split_evenly(members: list[int], n: int) -> Parts:
    n = min(n, len(members))
    bounds = [len(members) * i // n for i in range(n + 1)] if members else []
    return [members[low:high] for low, high in pairwise(bounds)]


def _kmeans(data: Vector, k: int, rng: np.random.Generator) -> Iterable[int]:
    data = _scale(data)
    k = min(k, len(np.unique(data, axis=0)))
    runs = [_kmeans_once(data, k, minit="++", seed=rng) for _ in range(TUNING.kmeans_restarts)]
    return min(runs, key=lambda run: run[0])[1]


def _kmeans_from_even(data: Vector, k: int) -> Iterable[int]:
    """Cluster by one attribute, starting from the centres of k intervals of equal length."""
    data = _scale(data)
    centres = np.linspace(data.min(), data.max(), 2 * min(k, len(data)) + 1)[1::2]
    return _kmeans_once(data, centres[:, None], minit="matrix")[1]


def _kmeans_once(data: Vector, k: int | Vector, **options: Any) -> tuple[float, Iterable[int]]:
    """Run k-means once; return the sum of squared distances to the cluster centres, and the cluster of each row."""
    from scipy.cluster.vq import kmeans2

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="One of the clusters is empty")
        centres, labels = kmeans2(data, k, **options)
    return float(((data - centres[labels]) ** 2).sum()), labels.tolist()


def _scale(data: Vector) -> Vector:
    """Scale to -1..1 and round, so that the squared distance of two different rows never underflows to 0."""
    size = float(np.abs(data).max())
    return np.round(data / size, 9) if size else data


# Turns of the trajectory


def find_turns(evidence: SchemaEvidence) -> list[int]:
    """Return the points where the angular velocity changes by more than ``turn_change``, the sharpest first."""
    points = _find_moves(evidence)
    if len(points) < 3:
        return []
    times, steps = evidence.times[points], np.diff(evidence.path[points, :2], axis=0)
    bends = np.diff(np.unwrap(np.arctan2(steps[:, 1], steps[:, 0])))
    velocities = bends / ((times[2:] - times[:-2]) / 2)
    changes = np.abs(np.diff(velocities, prepend=0.0))
    sharpest = np.argsort(-changes, kind="stable")
    return [points[i + 1] for i in sharpest if changes[i] > TUNING.turn_change]


def _find_moves(evidence: SchemaEvidence) -> list[int]:
    """Return points of the trajectory in order of time.

    Each is at least ``heading_distance`` away from the one before.
    """
    points: list[int] = []
    for i, (time, at) in enumerate(zip(evidence.times, evidence.path, strict=True)):
        last = points[-1] if points else None
        if last is None or (
            time > evidence.times[last] and np.hypot(*(at - evidence.path[last])[:2]) >= TUNING.heading_distance
        ):
            points.append(i)
    return points


def _label_segments(nearest: Vector, k: int, sharpest: Sequence[int]) -> Iterable[int]:
    """Return the number of the trajectory's segment for each row.

    ``nearest`` holds, for each row, the nearest point of the trajectory. The trajectory is cut at the sharpest turns
    that separate rows, until the rows lie in ``k`` segments.
    """
    labels, cuts = [0] * len(nearest), list[int]()
    for turn in sharpest:
        if len(set(labels)) == k:
            break
        finer = np.searchsorted(sorted([*cuts, turn]), nearest, side="right").tolist()
        if len(set(finer)) > len(set(labels)):
            cuts, labels = [*cuts, turn], finer
    return labels


# Learning


def _compute_features(evidence: SchemaEvidence) -> dict[int, Vector]:
    """Return the standardised features of each element that has a position.

    The features are its position, its time, and its distance to the trajectory.
    """
    rows: dict[int, Vector] = {}
    for i in range(len(evidence.surroundings.positions)):
        at, course = evidence.position(i), evidence.course(i)
        if at is not None and course is not None:
            time = evidence.time_sensed(i)  # an element that was not sensed might have been later
            rows[i] = np.array(
                [*at, evidence.times[-1] if time is None else time, evidence.distances_to_path(course).min()]
            )
    table = np.stack(list(rows.values()))
    spread = table.std(axis=0)
    return {i: (row - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0) for i, row in rows.items()}


def _fit_weights(features: Mapping[int, Vector], trials: Sequence[tuple[frozenset[int], bool]]) -> Vector | None:
    """Return the weight of each feature in the log odds of a failure, or None if all tests ended the same way."""
    failed = np.array([fails for _, fails in trials], dtype=np.float64)
    if len(set(failed.tolist())) < 2:
        return None
    width = len(next(iter(features.values())))
    means = [np.mean([features[i] for i in kept if i in features] or [np.zeros(width)], axis=0) for kept, _ in trials]
    data = np.column_stack([np.ones(len(trials)), np.stack(means)])
    weights, penalty = np.zeros(width + 1), np.eye(width + 1)
    for _ in range(10):  # Newton's method; the penalty keeps it stable if the features separate the tests
        chances = 1 / (1 + np.exp(-np.clip(data @ weights, -30, 30)))
        slope = data.T @ (failed - chances) - penalty @ weights
        weights += np.linalg.solve((data.T * (chances * (1 - chances))) @ data + penalty, slope)
    return weights[1:]
