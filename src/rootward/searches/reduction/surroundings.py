"""What is known of the elements beside their names: where they are, and what the failing run did among them.

Some of it is given (positions, sizes, the trajectory). The rest the subject may report with every outcome, as measures
named after elements: ``contact:NAME`` (1 if the robot touched it, 2 if it touches something that the robot touched,
and so on) and ``sensed:NAME`` (the time at which it was first sensed).
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
"""Time, x, y, z of the robot, in the order of time."""
Positions = (
    Mapping[Any, Sequence[float]] | Callable[[Any], Sequence[float] | None] | Sequence[Sequence[float] | None] | None
)
"""Where elements are: by element, by a function of one, or in their order."""


@dataclass(frozen=True)
class Surroundings:
    """Each tuple has one entry per element, or none at all."""

    positions: tuple[Point | None, ...] = ()
    sizes: tuple[float, ...] = ()
    """The radius of a circle around each, seen from above."""
    trajectory: Way = ()
    """Where the robot went in the failing run."""
    given: bool = False
    """Whether the user gave the trajectory; else it is that of the last failing run that left one."""
    names: tuple[str, ...] = ()
    contacts: Mapping[int, float] = field(default_factory=dict)
    """Element -> how many contacts away from the robot it was, at the closest."""
    sensed: Mapping[int, float] = field(default_factory=dict)
    """Element -> when the robot first sensed it."""

    @cached_property
    def _places(self) -> dict[str, int]:
        """The element of each name; of two of the same name, neither."""
        counts = Counter(self.names)
        return {name: i for i, name in enumerate(self.names) if counts[name] == 1}

    def learn(self, failing: Outcome) -> Surroundings:
        """The same with what this run reported, in place of what an earlier one did."""
        contacts, sensed = self._reported("contact", failing.measures), self._reported("sensed", failing.measures)
        known = replace(self, contacts=contacts, sensed=sensed) if contacts or sensed else self
        return known if self.given else replace(known, trajectory=_trajectory(failing) or self.trajectory)

    def _reported(self, kind: str, measures: Mapping[str, float]) -> dict[int, float]:
        labels = ((label.partition(":"), value) for label, value in measures.items())
        return {self._places[name]: value for (head, _, name), value in labels if head == kind and name in self._places}

    @property
    def failure(self) -> Point | None:
        """Where the robot was when it failed."""
        return self.trajectory[-1][1:] if self.trajectory else None

    def distance(self, element: int) -> float | None:
        """From the element to the trajectory, at the closest; not its centre's but its circle's."""
        position = self.positions[element] if self.positions else None
        if position is None or not self.trajectory:
            return None
        nearest = min(math.dist(position[:2], point[1:3]) for point in self.trajectory)
        return max(0.0, nearest - (self.sizes[element] if self.sizes else 0.0))

    @classmethod
    def of(cls, items: Sequence[Any], positions: Positions = None, way: Sequence[Sequence[float]] = ()) -> Surroundings:
        """Of these elements; those of a scene know where they are."""
        if isinstance(positions, Sequence) and len(positions) != len(items):
            raise InputError(f"there are {len(items)} elements, but {len(positions)} positions")
        samples = tuple(sorted(map(_sample, way)))
        placed = [_position(item, i, positions) for i, item in enumerate(items)]
        return cls(
            positions=tuple(placed) if any(placed) else (),
            sizes=tuple(_radius(item) for item in items),
            trajectory=samples,
            given=bool(samples),
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
    """Two or three numbers; a missing height is 0."""
    try:
        x, y, z = [*map(float, place), 0.0][:3]
        if len(place) > 3 or not all(map(math.isfinite, (x, y, z))):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(f"a position is (x, y) or (x, y, z), not {place!r:.80}") from None
    return x, y, z


def _sample(sample: Sequence[float]) -> tuple[float, float, float, float]:
    try:
        time, *place = sample
        if not math.isfinite(float(time)):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(f"a trajectory is a list of (t, x, y) or (t, x, y, z), not of {sample!r:.80}") from None
    return float(time), *_point(place)


def _radius(item: Any) -> float:
    if getattr(item, "box", None) is None:
        return 0.0
    low, high = item.box
    return math.hypot(high[0] - low[0], high[1] - low[1]) / 2


def _trajectory(failing: Outcome) -> Way:
    """What the run left of its way, if it is still there."""
    path = failing.artifacts.get("trajectory")
    try:
        return trajectory.read(Path(path)) if path else ()
    except InputError:
        return ()
