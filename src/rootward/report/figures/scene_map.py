"""Two maps at one scale, before and after a reduction: the elements seen from above, and the robot's path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rootward.report.figures.map_view import MARK_SIZE, Box, Flat, MapView, area, bounding_box, extent, mark_box
from rootward.report.figures.svg import WIDTH, add, at_most, count_text, drawing, length, markup, number, shorten

HEAD = 26
"""The height of the line above a map."""
MAX_NAMED = 12
"""Maximum number of kept elements that are named in the picture."""
MAX_PATH_POINTS = 2000
"""Maximum number of points of a path."""
MAX_COORDINATE = 1e9
Way = list[Flat]


class Maps(NamedTuple):
    before: Markup
    after: Markup
    hidden: int
    """Number of kept elements that are not in the picture."""
    moving: bool = False
    """True if the paths of moving elements are drawn."""


def draw_maps(finding: Mapping[str, Any]) -> Maps | None:
    """Draw the two maps of a reduction; None if no element has a position."""
    data = finding["map"] or {"elements": ()}
    outlines = [[_valid_points(outline) for outline in element["outlines"]] for element in data["elements"]]
    places = [[point for outline in some for point in outline] for some in outlines]
    if not any(places):
        return None
    ways = [_valid_points(sample[1:3] for sample in data[when]) for when in ("before", "after")]
    view = _view(ways, places, [element["kept"] for element in data["elements"]])
    found = [ElementOutline.of(e, some, view) for e, some in zip(data["elements"], outlines, strict=True)]
    elements = [element for element in found if element]
    drawn = [_thin_out([view.place(point) for point in way]) for way in ways]
    names = _names(view, [element for element in elements if element.kept], drawn)
    scenes = [elements, _move_on(data["elements"], found, view)]
    if scenes[1] != elements:
        names[1] = _names(view, [element for element in scenes[1] if element.kept], drawn)[1]
    titles = (
        f"before: {count_text(finding['of'], finding['noun'])}",
        f"after: {count_text(len(finding['kept']), finding['noun'])}",
    )
    before, after = (
        _map(view, titles[late], scenes[late], drawn[late], names[late], late=bool(late)) for late in (0, 1)
    )
    moving = any("motion" in element for element in data["elements"])
    return Maps(before, after, len(finding["kept"]) - sum(element.kept for element in elements), moving)


def _move_on(
    elements: Sequence[Mapping[str, Any]], before: Sequence[ElementOutline | None], view: MapView
) -> list[ElementOutline]:
    """Return the visible elements of the map after the reduction, in which the robot may meet moving ones elsewhere."""
    found = list(before)
    for i, element in enumerate(elements):
        if motion := element.get("motion"):
            outlines = [_valid_points(outline) for outline in motion["after"]["outlines"]]
            found[i] = ElementOutline.of(element, outlines, view, met=motion["after"]["met"])
    return [element for element in found if element]


def _valid_points(points: Iterable[Sequence[float]]) -> Way:
    return [(x, y) for x, y, *_ in points if abs(x) < MAX_COORDINATE and abs(y) < MAX_COORDINATE]


def _view(ways: list[Way], places: list[list[Flat]], kept: list[bool]) -> MapView:
    boxes = [(bounding_box(points), stays) for points, stays in zip(places, kept, strict=True) if points]
    near, others = ([box for box, stays in boxes if stays is which] for which in (True, False))
    return MapView.of(extent([point for way in ways for point in way], near, others))


def _map(
    view: MapView, title: str, elements: Sequence[ElementOutline], way: Way, names: Sequence[Label], *, late: bool
) -> Markup:
    end = ", and the path of the robot to where it fails" if way else ""
    svg = drawing(view.height + HEAD, f"Seen from above, {title}{end}.")
    add(svg, "text", "title", title, x=0, y=15)
    _scale_bar(svg, view)
    ground = add(svg, "g", "map", transform=f"translate(0 {HEAD})")
    draw_elements(ground, elements, late=late)
    _draw_tracks(ground, elements, late=late)
    add(ground, "rect", "faint", x=0.5, y=0.5, width=WIDTH - 1, height=view.height - 1)
    _draw_way(ground, way)
    _draw_names(ground, names)
    return markup(svg)


def _scale_bar(svg: Element, view: MapView) -> None:
    metres = at_most(WIDTH / 4 / view.scale)
    start, text = WIDTH - metres * view.scale, f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
    add(svg, "path", "line", d=f"M{number(start)} 7.5v7H{WIDTH - 0.5}v-7")
    add(svg, "text", "soft end", text, x=start - 7, y=15)


def _thin_out(points: Way) -> Way:
    """Drop points of a path so that its steps are at least one pixel long.

    If the path is very long, the steps are longer. The ends of the path are kept.
    """
    step = 1
    while len(kept := _steps_apart(points, step)) > MAX_PATH_POINTS:
        step *= 2
    return [*kept[:-1], points[-1]] if len(kept) > 1 else kept


def _steps_apart(points: Way, step: int) -> Way:
    kept = points[:1]
    for x, y in points:
        if abs(x - kept[-1][0]) + abs(y - kept[-1][1]) >= step:
            kept.append((x, y))
    return kept


def _draw_tracks(ground: Element, elements: Sequence[ElementOutline], *, late: bool) -> None:
    """Draw the paths of moving elements; those of kept ones last, so that they stay visible."""
    for element in sorted(elements, key=lambda element: element.kept):
        kind = "kept" if element.kept else "gone" if late else "there"
        pieces = "".join(
            f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" for (x1, y1), (x2, y2) in element.track
        )
        if pieces:
            add(ground, "path", f"track {kind}-track", d=pieces)


def _draw_way(ground: Element, way: Way) -> None:
    if not way:
        return
    line = "M" + " ".join(f"{number(x)} {number(y)}" for x, y in way)
    (x, y), (left, top) = way[0], (number(value - 5) for value in way[-1])
    cross = f"M{left} {top}l10 10m-10 0l10 -10"
    add(ground, "path", "halo", d=line + cross)
    add(ground, "path", "way", d=line)
    add(ground, "circle", "start", cx=x, cy=y, r=5)
    add(ground, "path", "way cross", d=cross)


def _names(view: MapView, kept: Sequence[ElementOutline], ways: list[Way]) -> list[list[Label]]:
    """Place the names in each of the two maps. A name that is in both maps has the same place in both."""
    targets = [element.target for element in kept]
    labels = Labels(view.height, points=[point for way in ways for point in way], boxes=targets)
    ends = [[("start", way[0]), ("fails here", way[-1])] if way else [] for way in ways]
    small = [box for box in targets if area(box) <= MARK_SIZE**2]
    for box in [*small, *(mark_box(*point) for marks in ends for _, point in marks)]:
        labels.block(box)
    placed: dict[tuple[str, Flat], Label | None] = {}
    for text, point in (mark for marks in ends for mark in marks):
        twin = next(
            (label for (name, at), label in placed.items() if name == text and math.dist(at, point) < MARK_SIZE), None
        )
        placed[text, point] = twin or labels.place(text, mark_box(*point))
    some = (
        sorted(kept, key=lambda element: area(element.box)) if len(kept) <= MAX_NAMED else []
    )  # small ones have least room
    both = [labels.place(shorten(element.name), element.target) for element in some]
    return [[label for label in [*(placed[mark] for mark in marks), *both] if label] for marks in ends]


def _draw_names(ground: Element, names: Sequence[Label]) -> None:
    for label in names:
        if label.leader:
            (x1, y1), (x2, y2) = label.leader
            add(ground, "line", "line", x1=x1, y1=y1, x2=x2, y2=y2)
    for label in names:
        add(ground, "text", "middle", label.text, x=label.at[0], y=label.at[1])


# The elements of a map: outlines cut at its edge, or dots

MAX_TITLED = 300
"""Maximum number of elements that have tooltips; more are drawn as one path."""
MAX_EXACT = 800
"""Maximum number of elements with exact outlines; for more, they are rounded to a pixel."""
MAX_OUTLINES = 3500
"""Approximate maximum number of outlines in a map, shared equally: of each element, only the largest are drawn."""
MAX_PIECES = 300
"""Maximum number of outlines of one element."""
MIN_OUTLINE = 5.0
"""Elements smaller than this are drawn as dots."""
MAX_PLAIN_AREA = WIDTH**2 / 8
"""Elements with a larger area than this are drawn in a lighter colour."""
Piece = tuple[Flat, ...]


@dataclass(frozen=True)
class ElementOutline:
    """The visible part of an element."""

    name: str
    kept: bool
    pieces: tuple[Piece, ...]
    box: Box
    track: tuple[tuple[Flat, Flat], ...] = ()
    """The visible parts of the path of a moving element."""
    met: float | None = None
    """The time at which the robot was nearest to a moving element, which is drawn where it was then."""

    @classmethod
    def of(
        cls,
        element: Mapping[str, Any],
        outlines: Iterable[Sequence[Flat]],
        view: MapView,
        met: float | None = None,
    ) -> ElementOutline | None:
        """Return the footprint of an element; None if it is outside the view.

        ``met``: the time for which the outlines of a moving element are given; by default, that of the first map.
        """
        pieces = _silhouette(tuple(part) for outline in outlines if (part := view.clip(outline)))
        if not pieces:
            return None
        box = bounding_box([point for piece in pieces for point in piece])
        if motion := element.get("motion"):
            track = view.clip_line(_valid_points(motion["path"]))
            return cls(
                element["name"], element["kept"], pieces, box, tuple(track), motion["met"] if met is None else met
            )
        return cls(element["name"], element["kept"], pieces, box)

    @property
    def title(self) -> str:
        """The text of its tooltip."""
        return self.name if self.met is None else f"{self.name}, {self.met:.1f} s: when the robot was nearest to it"

    @property
    def tiny(self) -> bool:
        return all(high - low < MIN_OUTLINE for low, high in self.box)

    @property
    def target(self) -> Box:
        """The box in which the element is seen. It is at least as large as a dot."""
        (left, right), (top, bottom) = self.box
        return mark_box((left + right) / 2, (top + bottom) / 2) if self.tiny else self.box


def _silhouette(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return the pieces that are not inside another piece, the largest first."""
    outer: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: -area(bounding_box(piece)))[:MAX_PIECES]:
        if not any(all(_is_inside(point, other) for point in piece) for other in outer):
            outer.append(piece)
    return tuple(outer)


def _is_inside(point: Flat, outline: Piece) -> bool:
    """True if a point is inside a convex outline, or nearly so."""
    (x, y), edges = point, zip(outline, outline[1:] + outline[:1], strict=True)
    turns = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in edges]
    return len(outline) > 2 and (min(turns) >= -0.1 or max(turns) <= 0.1)


def draw_elements(ground: Element, elements: Sequence[ElementOutline], *, late: bool) -> None:
    """Draw the elements, with large ones below small ones.

    In this order, a kept element counts as smaller than it is, so that it stays visible.
    """
    ordered = sorted(elements, key=lambda element: -area(element.box) * (0.25 if element.kept else 1))
    coarse = len(elements) > MAX_EXACT
    for group in _groups(ordered):
        kind = "kept" if group[0].kept else "gone" if late else "there"
        title = group[0].title if len(group) == 1 else ""
        most = max(1, MAX_OUTLINES // len(elements))
        wide = " wide" if area(group[0].box) > MAX_PLAIN_AREA else ""
        outlines = [_outline(piece, coarse) for one in group if not one.tiny for piece in one.pieces[:most]]
        _path(ground, kind + wide, title, outlines)
        _path(ground, kind + " dot", title, [_dot(one, coarse) for one in group if one.tiny])


def _groups(elements: list[ElementOutline]) -> list[list[ElementOutline]]:
    """Group elements that are drawn as one path."""
    if len(elements) <= MAX_TITLED:
        return [[element] for element in elements]
    groups = [[element for element in elements if element.kept is kept] for kept in (False, True)]
    return [group for group in groups if group]


def _path(ground: Element, kind: str, title: str, parts: list[str]) -> None:
    if parts:
        path = add(ground, "path", kind, d="".join(dict.fromkeys(parts)))
        if title:
            add(path, "title", "name", shorten(title, 80))


def _dot(element: ElementOutline, coarse: bool) -> str:
    x, y = (sum(span) / 2 if not coarse else round(sum(span) / 2) for span in element.box)
    return f"M{number(x)} {number(y)}h0"


def _outline(points: Piece, coarse: bool) -> str:
    """Return an outline as a path with relative steps, which are shorter than absolute coordinates."""
    scale = 1 if coarse else 10
    corners = list(dict.fromkeys((round(scale * x), round(scale * y)) for x, y in points))
    (x, y), steps = corners[0], pairwise(corners)
    lines = " ".join(f"{number((c - a) / scale)} {number((d - b) / scale)}" for (a, b), (c, d) in steps)
    return f"M{number(x / scale)} {number(y / scale)}l{lines or '0 0'}z"


# Names beside what they name, without overlaps. Each name is tried at places around its target, close ones first, and
# put where it covers least of the picture. A name for which there is no room is left out.

HEIGHT, EDGE = 15.0, 3.0
RINGS = (4.0, 16.0, 32.0, 52.0)
"""Distances of a name from its target; from the second on, a line leads to the target."""
CORNER_FRACTION = 6
"""A target that takes more than 1/CORNER_FRACTION of the picture is named in its corner."""
CORNERS = ((-1, 1), (1, 1), (-1, -1), (1, -1))
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Label:
    """A name in a drawing.

    It has the middle of its baseline and, if a line leads to its target, the ends of this line.
    """

    text: str
    at: Flat
    leader: tuple[Flat, Flat] | None


@dataclass
class Labels:
    """The names in one picture."""

    height: float
    points: Sequence[Flat] = ()
    boxes: Sequence[Box] = ()
    """Boxes that should stay visible."""
    _taken: list[Box] = field(default_factory=list)

    def block(self, box: Box) -> None:
        """Keep names out of this box."""
        self._taken.append(box)

    def place(self, text: str, target: Box) -> Label | None:
        """Place a name beside its target; return None if there is no room."""
        wide = length(text) + 6
        free = [(cost, spot) for cost, spot in self._possible_places(target, wide) if self._is_free(spot)]
        if not free:
            return None
        cost, spot = min(
            free, key=lambda one: one[0] + self._cover_cost(one[1], target) + self._crossing_cost(one, target)
        )
        self._taken.append(spot)
        (left, right), (_, bottom) = spot
        return Label(text, ((left + right) / 2, bottom - 3.5), _leader(spot, target) if cost >= 1 else None)

    def _possible_places(self, target: Box, wide: float) -> Iterator[tuple[float, Box]]:
        """Yield possible places, each with its cost."""
        (left, right), (top, bottom) = target
        x, y = _centre(target)
        if (right - left) * (bottom - top) > WIDTH * self.height / CORNER_FRACTION:  # inside its corners
            for turn, (side, end) in enumerate(CORNERS):
                middle = (right if side > 0 else left) - side * (wide / 2 + EDGE)
                yield turn / 100 - 1, _box(middle, (bottom if end > 0 else top) - end * (HEIGHT / 2 + EDGE), wide)
        if right - left > 0.8 * wide and bottom - top > 2 * HEIGHT:  # on the target
            middle = min(max(x, wide / 2 + EDGE), WIDTH - wide / 2 - EDGE)
            for turn, part in enumerate((0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)):
                yield turn / 100 - 0.5, _box(middle, top + (bottom - top) * part, wide)
        for ring, off in enumerate(RINGS):
            for turn, (dx, dy) in enumerate(SIDES):
                across, down = (right - left + wide) / 2 + off, (bottom - top + HEIGHT) / 2 + off
                yield ring + (turn / 100 if turn < 4 else 0.3), _box(x + dx * across, y + dy * down, wide)

    def _is_free(self, spot: Box) -> bool:
        (left, right), (top, bottom) = spot
        inside = left >= EDGE and right <= WIDTH - EDGE and top >= EDGE and bottom <= self.height - EDGE
        return inside and not any(_overlap(spot, other) for other in self._taken)

    def _cover_cost(self, spot: Box, target: Box) -> float:
        """Return the cost of covering points and boxes."""
        (left, right), (top, bottom) = spot
        points = sum(left <= x <= right and top <= y <= bottom for x, y in self.points)
        return points / 2 + sum(5 * _overlap(spot, box) / area(spot) for box in self.boxes if box != target)

    def _crossing_cost(self, candidate: tuple[float, Box], target: Box) -> float:
        """Return the cost of a line that crosses other names."""
        cost, spot = candidate
        if cost < 1:
            return 0.0
        (x, y), (to_x, to_y) = _leader(spot, target)
        line = [(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8) for step in range(9)]
        return sum(any(_nearest_point(box, point) == point for point in line) for box in self._taken if box != target)


def _box(x: float, y: float, wide: float) -> Box:
    return (x - wide / 2, x + wide / 2), (y - HEIGHT / 2, y + HEIGHT / 2)


def _overlap(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    across, down = (max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in zip(one, other, strict=True))
    return across * down


def _centre(box: Box) -> Flat:
    return sum(box[0]) / 2, sum(box[1]) / 2


def _leader(spot: Box, target: Box) -> tuple[Flat, Flat]:
    """Return the line from the edge of a name to well inside its target."""
    (left, right), (top, bottom) = target
    x, y = (right - left) / 4, (bottom - top) / 4
    end = _nearest_point(((left + x, right - x), (top + y, bottom - y)), _centre(spot))
    return _nearest_point(spot, end), end


def _nearest_point(box: Box, point: Flat) -> Flat:
    """Return the point of a box that is nearest to another point."""
    (left, right), (top, bottom) = box
    return min(max(point[0], left), right), min(max(point[1], top), bottom)
