"""Names beside what they name, none over another.

Each is tried at places around its target, close ones first, and put where it covers least of the picture; one for
which there is no room is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rootward.report.figures.svg import WIDTH, length
from rootward.report.figures.view import Box, Flat, area

HEIGHT, EDGE = 15.0, 3.0
RINGS = (4.0, 16.0, 32.0, 52.0)
"""How far off a name may be; from the second on, a line leads to what it names."""
LARGE = 6
"""What takes more than one in so many parts of the picture is named in its corner."""
CORNERS = ((-1, 1), (1, 1), (-1, -1), (1, -1))
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Label:
    """A name and its place: the middle of its baseline, and the ends of the line to its target, if there is one."""

    text: str
    at: Flat
    leader: tuple[Flat, Flat] | None


@dataclass
class Labels:
    """The names of one picture of this height."""

    height: float
    points: Sequence[Flat] = ()
    boxes: Sequence[Box] = ()
    """What had better stay visible."""
    _taken: list[Box] = field(default_factory=list)

    def block(self, box: Box) -> None:
        """Let no name be here."""
        self._taken.append(box)

    def place(self, text: str, target: Box) -> Label | None:
        """A name for what is in that box; None if there is no room."""
        wide = length(text) + 6
        free = [(cost, spot) for cost, spot in self._spots(target, wide) if self._free(spot)]
        if not free:
            return None
        cost, spot = min(free, key=lambda one: one[0] + self._covered(one[1], target) + self._crossed(one, target))
        self._taken.append(spot)
        (left, right), (_, bottom) = spot
        return Label(text, ((left + right) / 2, bottom - 3.5), _leader(spot, target) if cost >= 1 else None)

    def _spots(self, target: Box, wide: float) -> Iterator[tuple[float, Box]]:
        """Places and how far they are from the best one."""
        (left, right), (top, bottom) = target
        x, y = _centre(target)
        if (right - left) * (bottom - top) > WIDTH * self.height / LARGE:  # in a corner, where it names nothing else
            for turn, (side, end) in enumerate(CORNERS):
                middle = (right if side > 0 else left) - side * (wide / 2 + EDGE)
                yield turn / 100 - 1, _box(middle, (bottom if end > 0 else top) - end * (HEIGHT / 2 + EDGE), wide)
        if right - left > 0.8 * wide and bottom - top > 2 * HEIGHT:  # on it
            middle = min(max(x, wide / 2 + EDGE), WIDTH - wide / 2 - EDGE)
            for turn, part in enumerate((0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)):
                yield turn / 100 - 0.5, _box(middle, top + (bottom - top) * part, wide)
        for ring, off in enumerate(RINGS):
            for turn, (dx, dy) in enumerate(SIDES):
                across, down = (right - left + wide) / 2 + off, (bottom - top + HEIGHT) / 2 + off
                yield ring + (turn / 100 if turn < 4 else 0.3), _box(x + dx * across, y + dy * down, wide)

    def _free(self, spot: Box) -> bool:
        (left, right), (top, bottom) = spot
        inside = left >= EDGE and right <= WIDTH - EDGE and top >= EDGE and bottom <= self.height - EDGE
        return inside and not any(_overlap(spot, other) for other in self._taken)

    def _covered(self, spot: Box, target: Box) -> float:
        """How much worse it is for what lies below."""
        (left, right), (top, bottom) = spot
        points = sum(left <= x <= right and top <= y <= bottom for x, y in self.points)
        return points / 2 + sum(5 * _overlap(spot, box) / area(spot) for box in self.boxes if box != target)

    def _crossed(self, candidate: tuple[float, Box], target: Box) -> float:
        """How much worse it is for the names that its line runs through."""
        cost, spot = candidate
        if cost < 1:
            return 0.0
        (x, y), (to_x, to_y) = _leader(spot, target)
        line = [(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8) for step in range(9)]
        return sum(any(_nearest(box, point) == point for point in line) for box in self._taken if box != target)


def _box(x: float, y: float, wide: float) -> Box:
    return (x - wide / 2, x + wide / 2), (y - HEIGHT / 2, y + HEIGHT / 2)


def _overlap(one: Box, other: Box) -> float:
    """The area that they share."""
    across, down = (max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in zip(one, other, strict=True))
    return across * down


def _centre(box: Box) -> Flat:
    return sum(box[0]) / 2, sum(box[1]) / 2


def _leader(spot: Box, target: Box) -> tuple[Flat, Flat]:
    """From the edge of the name to well within its target."""
    (left, right), (top, bottom) = target
    x, y = (right - left) / 4, (bottom - top) / 4
    end = _nearest(((left + x, right - x), (top + y, bottom - y)), _centre(spot))
    return _nearest(spot, end), end


def _nearest(box: Box, point: Flat) -> Flat:
    """The point of the box that is nearest to another one."""
    (left, right), (top, bottom) = box
    return min(max(point[0], left), right), min(max(point[1], top), bottom)
