"""Where a rule holds on a plane: marching squares, with the crossings found by bisection.

The rule is looked at on a grid that has the rule's own constants as lines; between two neighbours that differ, the
place where it changes is halved out. So straight edges are exact, and curved ones to a fraction of a pixel wherever the
region is not thinner than the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.report.figures.axis import Axis, Node
from rootward.report.figures.view import Flat

Segment = tuple[Flat, Flat]
HALVINGS = 8
Holds = Callable[[list[Any], list[Any]], NDArray[np.bool_]]
"""From values along both axes to whether it fails there."""


@dataclass
class Region:
    """The failing part as pieces that do not overlap, and its border."""

    rectangles: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Left, top, width, height."""
    pieces: list[list[Flat]] = field(default_factory=list)
    border: list[Segment] = field(default_factory=list)

    @classmethod
    def of(cls, holds: Holds, across: Axis, up: Axis) -> Region:
        made = cls()
        for columns, rows in product(across.stretches(), up.stretches()):
            _Part(made, holds, across, up, columns, rows).trace()
        return made


class _Part:
    """A rectangle of the plane: numbers or one lane, in both directions."""

    def __init__(
        self, made: Region, holds: Holds, across: Axis, up: Axis, columns: Sequence[Node], rows: Sequence[Node]
    ) -> None:
        self.made, self.holds, self.axes = made, holds, (across, up)
        self.columns, self.rows = columns, rows
        pairs = [(x.value, y.value) for x in columns for y in rows]
        flat = holds([x for x, _ in pairs], [y for _, y in pairs])
        self.inside = flat.reshape(len(columns), len(rows))

    def trace(self) -> None:
        level = self._crossings(0)
        upright = self._crossings(1)
        for j in range(len(self.rows) - 1):
            start = None
            for i in range(len(self.columns) - 1):
                corners = self.inside[i : i + 2, j : j + 2]
                if corners.all():
                    start = i if start is None else start
                    continue
                self._rectangle(start, i, j)
                start = None
                if corners.any():
                    self._piece(i, j, level, upright)
            self._rectangle(start, len(self.columns) - 1, j)

    def _rectangle(self, start: int | None, end: int, row: int) -> None:
        if start is None:
            return
        xs = sorted((self.columns[start].at, self.columns[end].at))
        ys = sorted((self.rows[row].at, self.rows[row + 1].at))
        if xs[0] < xs[1] and ys[0] < ys[1]:
            self.made.rectangles.append((xs[0], ys[0], xs[1] - xs[0], ys[1] - ys[0]))

    def _piece(
        self, i: int, j: int, level: dict[tuple[int, int], float], upright: dict[tuple[int, int], float]
    ) -> None:
        """The failing part of a cell: its failing corners, and the crossings between corners that differ."""
        corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
        walk: list[tuple[Flat, bool]] = []
        for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1], strict=True):
            if self.inside[a, b]:
                walk.append(((self.columns[a].at, self.rows[b].at), False))
            if self.inside[a, b] != self.inside[c, d]:
                crossing = (
                    (level[min(a, c), b], self.rows[b].at) if b == d else (self.columns[a].at, upright[a, min(b, d)])
                )
                walk.append((crossing, True))
        self.made.pieces.append([point for point, _ in walk])
        for (one, first), (two, second) in zip(walk, walk[1:] + walk[:1], strict=True):
            if first and second:
                self.made.border.append((one, two))

    def _crossings(self, axis: int) -> dict[tuple[int, int], float]:
        """Where the rule changes along the lines of the grid in one direction, by the first of the two nodes."""
        inside = self.inside
        differs = inside[:-1] != inside[1:] if axis == 0 else inside[:, :-1] != inside[:, 1:]
        edges = [(int(i), int(j)) for i, j in zip(*np.nonzero(differs), strict=True)]
        if not edges:
            return {}
        nodes = self.columns if axis == 0 else self.rows
        fixed = [self.rows[j].value if axis == 0 else self.columns[i].value for i, j in edges]
        low = np.array([nodes[edge[axis]].at for edge in edges])
        high = np.array([nodes[edge[axis] + 1].at for edge in edges])
        begins = np.array([inside[edge] for edge in edges])
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            moving = [self.axes[axis].value(float(at)) for at in middle]
            same = self.holds(moving, fixed) == begins if axis == 0 else self.holds(fixed, moving) == begins
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return dict(zip(edges, ((low + high) / 2).tolist(), strict=True))
