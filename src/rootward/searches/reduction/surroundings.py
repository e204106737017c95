"""Knowledge about the elements of a scene: where they are, and what the robot did among them in the failing run.

Positions, sizes and the trajectory may be given. The subject may report more with every outcome, as measures named
after elements: ``contact:NAME`` (1 if the robot touched it, 2 if it touches something that the robot touched, and so
on) and ``sensed:NAME`` (the time at which the robot first sensed it).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.scenes import trajectory
from rootward.verdict import Outcome

Point = tuple[float, float, float]
Way = tuple[tuple[float, float, float, float], ...]
"""A trajectory of the robot: (time, x, y, z), ordered by time."""
Positions = (
    Mapping[Any, Sequence[float]] | Callable[[Any], Sequence[float] | None] | Sequence[Sequence[float] | None] | None
)
"""Positions of elements: a mapping from elements, a function of an element, or a sequence in their order."""


@dataclass(frozen=True)
class Surroundings:
    """Everything known about where the elements are and what happened.

    ``positions``, ``sizes`` and ``names`` have one entry per element, or are empty if nothing is known.
    """

    positions: tuple[Point | None, ...] = ()
    sizes: tuple[float, ...] = ()
    """For each element, the radius of a circle around it, seen from above."""
    trajectory: Way = ()
    """The robot's trajectory in the failing run."""
    trajectory_given: bool = False
    """True if the user gave the trajectory; otherwise it comes from the last failing run that recorded one."""
    names: tuple[str, ...] = ()
    contacts: Mapping[int, float] = field(default_factory=dict)
    """Element -> 1 if the robot touched it, 2 if it touches something that the robot touched, and so on."""
    sensed: Mapping[int, float] = field(default_factory=dict)
    """Element -> time at which the robot first sensed it."""

    @cached_property
    def _number_of_name(self) -> dict[str, int]:
        """Name -> number of the element, without names that occur twice."""
        counts = Counter(self.names)
        return {name: i for i, name in enumerate(self.names) if counts[name] == 1}

    def learn(self, failing: Outcome) -> Surroundings:
        """Return the surroundings with the reports of this run, which replace earlier reports."""
        contacts, sensed = (
            self._read_measures("contact", failing.measures),
            self._read_measures("sensed", failing.measures),
        )
        known = replace(self, contacts=contacts, sensed=sensed) if contacts or sensed else self
        return known if self.trajectory_given else replace(known, trajectory=_trajectory(failing) or self.trajectory)

    def _read_measures(self, kind: str, measures: Mapping[str, float]) -> dict[int, float]:
        labels = ((label.partition(":"), value) for label, value in measures.items())
        return {
            self._number_of_name[name]: value
            for (head, _, name), value in labels
            if head == kind and name in self._number_of_name
        }

    @property
    def failure_point(self) -> Point | None:
        """The last point of the trajectory: where the robot was when it failed."""
        return self.trajectory[-1][1:] if self.trajectory else None

    def distance(self, element: int) -> float | None:
        """Return the smallest distance from the element's circle to the trajectory, or None if either is unknown."""
        position = self.positions[element] if self.positions else None
        if position is None or not self.trajectory:
            return None
        nearest = min(math.dist(position[:2], point[1:3]) for point in self.trajectory)
        return max(0.0, nearest - (self.sizes[element] if self.sizes else 0.0))

    @classmethod
    def of(cls, items: Sequence[Any], positions: Positions = None, way: Sequence[Sequence[float]] = ()) -> Surroundings:
        """Collect everything known about these elements. Models of a scene bring their own positions and sizes."""
        if isinstance(positions, Sequence) and len(positions) != len(items):
            raise InputError(f"there are {len(items)} elements, but {len(positions)} positions")
        samples = tuple(sorted(map(_sample, way)))
        placed = [_position(item, i, positions) for i, item in enumerate(items)]
        return cls(
            positions=tuple(placed) if any(placed) else (),
            sizes=tuple(_radius(item) for item in items),
            trajectory=samples,
            trajectory_given=bool(samples),
            names=tuple(map(str, items)),
        )


def _position(item: Any, index: int, positions: Positions) -> Point | None:
    if positions is None:
        return getattr(item, "centre", None)
    if callable(positions):
        place = positions(item)
    elif isinstance(positions, Mapping):
        place = positions.get(item) if isinstance(item, Hashable) else None
    else:
        place = positions[index]
    return None if place is None else _point(place)


def _point(place: Sequence[float]) -> Point:
    """Check a position of two or three numbers and return it; a missing height becomes 0."""
    try:
        x, y, z = [*map(float, place), 0.0][:3]
        if len(place) > 3 or not all(map(math.isfinite, (x, y, z))):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(f"a position must be (x, y) or (x, y, z), not {place!r:.80}") from None
    return x, y, z


def _sample(sample: Sequence[float]) -> tuple[float, float, float, float]:
    try:
        time, *place = sample
        if not math.isfinite(float(time)):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(f"a trajectory must be a list of (t, x, y) or (t, x, y, z), not of {sample!r:.80}") from None
    return float(time), *_point(place)


def _radius(item: Any) -> float:
    if getattr(item, "box", None) is None:
        return 0.0
    low, high = item.box
    return math.hypot(high[0] - low[0], high[1] - low[1]) / 2


def _trajectory(failing: Outcome) -> Way:
    """Return the trajectory that the run recorded, or () if there is none or it cannot be read."""
    path = failing.artifacts.get("trajectory")
    try:
        return trajectory.read(Path(path)) if path else ()
    except InputError:
        return ()
