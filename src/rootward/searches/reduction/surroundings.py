"""Knowledge about the elements of a scene: where they are, and what the robot did among them in the failing run.

Positions, sizes and the trajectory may be given. The position of a moving element depends on time (``tracks.py``); its
distance from the robot is taken at the points of the trajectory, each time from where the element was just then.

The subject may report more with every outcome, as measures named after elements: ``contact:NAME`` (1 if the robot
touched it, 2 if it touches something that the robot touched, and so on) and ``sensed:NAME`` (the time at which the
robot first sensed it).
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
from rootward.searches.reduction.tracks import Place, Point, Track, read_track, to_point, to_sample
from rootward.verdict import Outcome

Way = tuple[tuple[float, float, float, float], ...]
"""A trajectory of the robot: (time, x, y, z), ordered by time."""
Positions = Mapping[Any, Place] | Callable[[Any], Place | None] | Sequence[Place | None] | None
"""Positions of elements: a mapping from elements, a function of an element, or a sequence in their order."""


@dataclass(frozen=True)
class Surroundings:
    """Everything known about where the elements are and what happened.

    ``positions``, ``sizes`` and ``names`` have one entry per element, or are empty if nothing is known.
    """

    positions: tuple[Point | None, ...] = ()
    """For each element, where it is; for a moving element, where it starts."""
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
    tracks: Mapping[int, Track] = field(default_factory=dict)
    """Moving element -> where it is at any time."""

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
        if track := self.tracks.get(element):
            nearest = min(math.dist(track.at(point[0])[:2], point[1:3]) for point in self.trajectory)
        else:
            nearest = min(math.dist(position[:2], point[1:3]) for point in self.trajectory)
        return max(0.0, nearest - (self.sizes[element] if self.sizes else 0.0))

    def meeting_time(self, element: int, way: Way = ()) -> float | None:
        """Return the time at which the robot was nearest to a moving element, on ``way`` or on its trajectory.

        Return None if the element does not move, or the robot's trajectory is unknown.
        """
        track, way = self.tracks.get(element), way or self.trajectory
        if track is None or not way:
            return None
        return min(way, key=lambda point: math.dist(track.at(point[0])[:2], point[1:3]))[0]

    @classmethod
    def of(cls, items: Sequence[Any], positions: Positions = None, way: Sequence[Sequence[float]] = ()) -> Surroundings:
        """Collect everything known about these elements. Models of a scene bring their own positions and sizes."""
        if isinstance(positions, Sequence) and len(positions) != len(items):
            raise InputError(f"there are {len(items)} elements, but {len(positions)} positions")
        samples = tuple(sorted(to_sample(sample, "a trajectory") for sample in way))
        places = [_place(item, i, positions) for i, item in enumerate(items)]
        tracks = {i: track for i, place in enumerate(places) if (track := read_track(place))}
        for track in tracks.values():
            for time in [track.start, *(sample[0] for sample in samples)]:
                track.at(time)  # so that a wrong position is refused now
        placed = [
            tracks[i].at(tracks[i].start) if i in tracks else None if place is None else to_point(place)
            for i, place in enumerate(places)
        ]
        return cls(
            positions=tuple(placed) if any(placed) else (),
            sizes=tuple(_radius(item) for item in items),
            trajectory=samples,
            trajectory_given=bool(samples),
            names=tuple(map(str, items)),
            tracks=tracks,
        )


def _place(item: Any, index: int, positions: Positions) -> Any:
    """Return where an element is: a point, samples or a function of time. Return None if that is unknown."""
    if positions is None:
        return getattr(item, "centre_at", None) or getattr(item, "centre", None)
    if callable(positions):
        return positions(item)
    if isinstance(positions, Mapping):
        return positions.get(item) if isinstance(item, Hashable) else None
    return positions[index]


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
