"""The part of the ground that a map shows, and its scale.

A map shows the robot's path and what is near it. A ground plane of a kilometre, or a model that is far away, is cut at
the edge: if it decided the scale, nothing else could be seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rootward.report.figures.svg import WIDTH

Flat = tuple[float, float]
Span = tuple[float, float]
"""Start and end along one axis."""
Box = tuple[Span, Span]
MAX_RATIO, MIN_RATIO = 1.7, 0.8
"""Maximum and minimum ratio of width to height."""
MARGIN = 0.07
MAX_POINT_SIZE = 1e-6
"""Maximum width of what counts as a single point."""
MARK_SIZE = 11.0
"""The size of a mark in a drawing."""


@dataclass(frozen=True)
class MapView:
    """A rectangle of the ground that fills the width of the drawing, with the y axis pointing up."""

    left: float
    top: float
    scale: float
    height: float

    @classmethod
    def of(cls, box: Box) -> MapView:
        (left, right), (bottom, top) = box
        finest = 1e-9 * max(map(abs, (left, right, bottom, top)))  # or rounding would lose the places
        wide = max(right - left, (top - bottom) * MIN_RATIO, finest)
        wide = wide if wide > MAX_POINT_SIZE else 2.0
        high = max(top - bottom, wide / MAX_RATIO)
        scale = WIDTH * (1 - 2 * MARGIN) / wide
        height = high * scale + 2 * MARGIN * WIDTH
        return cls((left + right) / 2 - WIDTH / scale / 2, (bottom + top) / 2 + height / scale / 2, scale, height)

    def place(self, point: Flat) -> Flat:
        return (point[0] - self.left) * self.scale, (self.top - point[1]) * self.scale

    def clip(self, outline: Sequence[Flat]) -> list[Flat]:
        """Return the part of an outline that is in the view, in the coordinates of the drawing."""
        points = [self.place(point) for point in outline]
        for axis, edge, side in ((0, 0.0, 1), (0, float(WIDTH), -1), (1, 0.0, 1), (1, self.height, -1)):
            points = _cut(points, axis, edge, side)
        return points

    def clip_line(self, line: Sequence[Flat]) -> list[tuple[Flat, Flat]]:
        """Return the parts of a line's segments that are in the view, in the coordinates of the drawing."""
        pairs = pairwise(self.place(point) for point in line)
        return [piece for a, b in pairs if (piece := _clip_segment(a, b, (WIDTH, self.height)))]


def _clip_segment(a: Flat, b: Flat, corner: Flat) -> tuple[Flat, Flat] | None:
    """Return the part of a segment between the origin and the opposite corner; None if there is none."""
    low, high = 0.0, 1.0
    for start, stop, limit in zip(a, b, corner, strict=True):
        step = stop - start
        if step == 0:
            if not 0 <= start <= limit:
                return None
            continue
        enter, leave = sorted((-start / step, (limit - start) / step))
        low, high = max(low, enter), min(high, leave)
    if low >= high:
        return None
    (x, y), dx, dy = a, b[0] - a[0], b[1] - a[1]
    return (x + low * dx, y + low * dy), (x + high * dx, y + high * dy)


def _cut(points: list[Flat], axis: int, edge: float, side: int) -> list[Flat]:
    """Return the part of an outline on one side of a line.

    On the line, the coordinate number ``axis`` equals ``edge``.
    """
    inside: list[Flat] = []
    for here, there in zip(points, points[1:] + points[:1], strict=True):
        a, b = side * (here[axis] - edge), side * (there[axis] - edge)
        if a >= 0:
            inside.append(here)
        if a * b < 0:
            other = here[1 - axis] + (there[1 - axis] - here[1 - axis]) * (a / (a - b))
            inside.append((edge, other) if axis == 0 else (other, edge))
    return inside


def bounding_box(points: Sequence[Flat]) -> Box:
    xs, ys = zip(*points, strict=True)
    return (min(xs), max(xs)), (min(ys), max(ys))


def area(box: Box) -> float:
    return _length(box[0]) * _length(box[1])


def mark_box(x: float, y: float) -> Box:
    """Return the box of a mark at this place."""
    return (x - MARK_SIZE / 2, x + MARK_SIZE / 2), (y - MARK_SIZE / 2, y + MARK_SIZE / 2)


def extent(way: Sequence[Flat], kept: Sequence[Box], removed: Sequence[Box]) -> Box:
    """Return the box to show.

    It holds the path, the elements near the path, and kept elements even at some distance, but not if they are very far
    away.
    """
    boxes = [*kept, *removed]
    core = bounding_box(way) if way else _middle(boxes)
    size = max(*map(_length, core), median(max(map(_length, box)) for box in boxes) if boxes else 0.0)
    reach = max(size, 1.5 * _usual_gap(core, boxes))
    near = [box for box in kept if _gap(core, box) <= 3 * reach] + [box for box in removed if _gap(core, box) <= reach]
    return _join(core, near, 0, size), _join(core, near, 1, size)


def _middle(boxes: Sequence[Box]) -> Box:
    """Return the box that holds the centres of most elements."""
    return _inner([sum(box[0]) / 2 for box in boxes]), _inner([sum(box[1]) / 2 for box in boxes])


def _inner(values: list[float]) -> Span:
    ordered, tenth = sorted(values), len(values) // 10
    return ordered[tenth], ordered[-1 - tenth]


def _length(span: Span) -> float:
    return span[1] - span[0]


def _gap(core: Box, box: Box) -> float:
    """Return how far the core must grow to touch the box."""
    return max(0.0, *(max(b[0] - a[1], a[0] - b[1]) for a, b in zip(core, box, strict=True)))


def _usual_gap(core: Box, boxes: Sequence[Box]) -> float:
    """Return a typical gap between the core and an element near it.

    It is the fifth smallest gap, or the median if there are fewer than ten.
    """
    return sorted(_gap(core, box) for box in boxes)[min(5, math.ceil(len(boxes) / 2)) - 1] if boxes else 0.0


def _join(core: Box, near: Sequence[Box], axis: int, long: float) -> Span:
    """Return the span, along one axis, that holds the core and all near boxes.

    If a box is longer than ``long``, only its end towards the core counts.
    """
    low, high = core[axis]
    spans = [box[axis] for box in near]
    lows = [a if b - a <= long else min(low, b) for a, b in spans]
    highs = [b if b - a <= long else max(high, a) for a, b in spans]
    return min([low, *lows]), max([high, *highs])
