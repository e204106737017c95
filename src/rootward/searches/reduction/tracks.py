"""The positions of moving elements over time: a list of samples, or a function of time.

Times count as those of the robot's trajectory do. Between two samples, an element moves evenly along a straight line;
before the first sample and after the last one it stands still.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from rootward.errors import InputError

Point = tuple[float, float, float]
Sample = tuple[float, float, float, float]
"""Time, x, y, z."""
Place = Sequence[float] | Sequence[Sequence[float]] | Callable[[float], Sequence[float]]
"""A position as users give it: a point, or for a moving element a list of (t, x, y[, z]), or a function of time."""


@dataclass(frozen=True)
class Track:
    """The positions of one moving element."""

    place: Callable[[float], Sequence[float]]
    """Returns the position at a time."""
    start: float = 0.0
    """The first time at which the position is known."""
    times: tuple[float, ...] = ()
    """The times of the samples, if there are samples."""
    _known: dict[float, Point] = field(default_factory=dict, init=False, repr=False, compare=False)

    def at(self, time: float) -> Point:
        if time not in self._known:
            self._known[time] = to_point(self.place(time))
        return self._known[time]


def read_track(place: Any) -> Track | None:
    """Return the track of a moving element, or None if ``place`` does not depend on time."""
    if callable(place):
        return Track(place)
    if not _has_rows(place):
        return None
    samples = tuple(sorted(to_sample(row) for row in place))
    return Track(_Samples(samples), samples[0][0], tuple(time for time, *_ in samples))


def _has_rows(place: Any) -> bool:
    """Return True for a list of samples, False for a point."""
    try:
        first = place[0]
    except (TypeError, LookupError):
        return False
    return hasattr(first, "__len__") and not isinstance(first, str | bytes)


@dataclass(frozen=True)
class _Samples:
    """Positions at certain times; in between, they are interpolated."""

    samples: tuple[Sample, ...]

    def __call__(self, time: float) -> Point:
        after = bisect_right(self.samples, time, key=itemgetter(0))
        if after in (0, len(self.samples)):
            return self.samples[max(0, after - 1)][1:]
        here, there = self.samples[after - 1 : after + 1]
        share = (time - here[0]) / (there[0] - here[0])
        x, y, z = (a + (b - a) * share for a, b in zip(here[1:], there[1:], strict=True))
        return x, y, z


def to_point(place: Any) -> Point:
    """Check a position of two or three numbers and return it; a missing height becomes 0."""
    try:
        x, y, z = [*map(float, place), 0.0][:3]
        if len(place) > 3 or not all(map(math.isfinite, (x, y, z))):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(f"a position must be (x, y) or (x, y, z), not {place!r:.80}") from None
    return x, y, z


def to_sample(sample: Any, noun: str = "the positions of a moving element") -> Sample:
    """Check a time with a position and return them."""
    try:
        time, *place = sample
        if not math.isfinite(float(time)):
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(f"{noun} must be a list of (t, x, y) or (t, x, y, z), not of {sample!r:.80}") from None
    return float(time), *to_point(place)
