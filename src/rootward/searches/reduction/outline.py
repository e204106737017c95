"""Elements seen from above: the outline of each, for a map."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from rootward.formats.scenes.motion import MovingModel
from rootward.formats.scenes.scene import SceneModel, Shape, dot
from rootward.searches.reduction.tracks import Track

Flat = tuple[float, float]
STRAIGHT = 1e-6
"""A point of a path is left out if it is nearer than this, in metres, to the line between its neighbours."""
CIRCLE = [(math.cos(turn), math.sin(turn)) for turn in (math.tau * i / 24 for i in range(24))]
"""Corners of a regular polygon that stands for a circle on the map."""


def outlines(item: Any, position: tuple[float, ...] | None) -> list[list[Flat]]:
    """Return the outline of each shape of an element.

    Without shapes, return the position as a single point, or nothing if the position is unknown. A plane has no outline
    because simulators treat it as infinite.
    """
    if isinstance(item, SceneModel) and item.shapes:
        solid = (shape for shape in item.shapes if shape.kind != "plane")
        return [_hull(_points(item, shape)) for shape in solid]
    return [] if position is None else [[(position[0], position[1])]]


def outlines_at(item: Any, track: Track, time: float) -> list[list[Flat]]:
    """Return the outlines of a moving element at this time."""
    return outlines(item.at(time) if isinstance(item, MovingModel) else item, track.at(time))


def path_of(track: Track, times: Iterable[float]) -> list[Flat]:
    """Return the path of a moving element over these times, without the points on straight lines."""
    kept: list[Flat] = []
    for time in times:
        x, y, _ = track.at(time)
        if kept and (x, y) == kept[-1]:
            continue
        if len(kept) > 1 and _is_between(kept[-2], kept[-1], (x, y)):
            kept.pop()
        kept.append((x, y))
    return kept


def _is_between(a: Flat, b: Flat, c: Flat) -> bool:
    """Return True if ``b`` lies on the straight line from ``a`` to ``c``, or nearly so."""
    along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
    return along > 0 and abs(_turn(a, b, c)) <= STRAIGHT * math.dist(a, c)


def _points(model: SceneModel, shape: Shape) -> Iterator[Flat]:
    """Yield points of a shape whose convex hull is its outline."""
    if shape.kind not in ("cylinder", "sphere") or not shape.size:
        yield from ((x, y) for x, y, _ in model.corners_of(shape))
        return
    placed, (radius, _, half) = model.pose * shape.pose, shape.half
    across, along = (placed.rotation[0], placed.rotation[1]), (-half, half)
    for cos, sin in CIRCLE:
        x, y = radius * cos, radius * sin
        if shape.kind == "sphere":
            yield placed.x + x, placed.y + y
        else:
            points = ((x, y, z) for z in along)
            yield from ((placed.x + dot(across[0], one), placed.y + dot(across[1], one)) for one in points)


def _hull(points: Iterable[Flat]) -> list[Flat]:
    """Return the corners of the convex hull of the points, counter-clockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half(ordered)[:-1] + _half(reversed(ordered))[:-1]


def _half(points: Iterable[Flat]) -> list[Flat]:
    chain: list[Flat] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Flat, b: Flat, c: Flat) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
