"""In which order ddenv tries its parts: the prioritisations of its paper (Algorithm 3 and Table I).

What is close to the failure in space or time is tried first, because it is more likely to have caused it. A part is
where its centroid is; distances are in three dimensions. Parts of which nothing is known come last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

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
