"""The map: the elements seen from above and the robot's way, before and after, at one scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rootward.report.figures import footprints, ticks
from rootward.report.figures.footprints import Footprint
from rootward.report.figures.labels import Label, Labels
from rootward.report.figures.svg import WIDTH, add, counted, drawing, markup, number, short
from rootward.report.figures.view import SPOT, Flat, View, area, around, extent, spot

HEAD = 26
"""The height of the line above a map."""
NAMED = 12
"""Up to so many kept elements are named in the picture."""
STRIDES = 2000
"""The most points of a way."""
FARTHEST = 1e9
Way = list[Flat]


class Maps(NamedTuple):
    before: Markup
    after: Markup
    hidden: int
    """How many kept elements are not in the picture."""


def maps(finding: dict[str, Any]) -> Maps | None:
    """The two maps of a reduction; None if no element has a place."""
    data = finding["map"] or {"elements": ()}
    outlines = [[_known(outline) for outline in element["outlines"]] for element in data["elements"]]
    places = [[point for outline in some for point in outline] for some in outlines]
    if not any(places):
        return None
    ways = [_known(sample[1:3] for sample in data[when]) for when in ("before", "after")]
    view = _view(ways, places, [element["kept"] for element in data["elements"]])
    found = [Footprint.of(e, some, view) for e, some in zip(data["elements"], outlines, strict=True)]
    elements = [element for element in found if element]
    drawn = [_thinned([view.place(point) for point in way]) for way in ways]
    names = _names(view, [element for element in elements if element.kept], drawn)
    titles = (
        f"before: {counted(finding['of'], finding['noun'])}",
        f"after: {counted(len(finding['kept']), finding['noun'])}",
    )
    before, after = (_map(view, titles[late], elements, drawn[late], names[late], late=bool(late)) for late in (0, 1))
    return Maps(before, after, len(finding["kept"]) - sum(element.kept for element in elements))


def _known(points: Iterable[Sequence[float]]) -> Way:
    return [(x, y) for x, y, *_ in points if abs(x) < FARTHEST and abs(y) < FARTHEST]


def _view(ways: list[Way], places: list[list[Flat]], kept: list[bool]) -> View:
    boxes = [(around(points), stays) for points, stays in zip(places, kept, strict=True) if points]
    near, others = ([box for box, stays in boxes if stays is which] for which in (True, False))
    return View.of(extent([point for way in ways for point in way], near, others))


def _map(
    view: View, title: str, elements: Sequence[Footprint], way: Way, names: Sequence[Label], *, late: bool
) -> Markup:
    end = ", and the way of the robot to where it fails" if way else ""
    svg = drawing(view.height + HEAD, f"Seen from above, {title}{end}.")
    add(svg, "text", "title", title, x=0, y=15)
    _scale_bar(svg, view)
    ground = add(svg, "g", "map", transform=f"translate(0 {HEAD})")
    footprints.draw(ground, elements, late=late)
    add(ground, "rect", "faint", x=0.5, y=0.5, width=WIDTH - 1, height=view.height - 1)
    _draw_way(ground, way)
    _draw_names(ground, names)
    return markup(svg)


def _scale_bar(svg: Element, view: View) -> None:
    metres = ticks.at_most(WIDTH / 4 / view.scale)
    start, text = WIDTH - metres * view.scale, f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
    add(svg, "path", "line", d=f"M{number(start)} 7.5v7H{WIDTH - 0.5}v-7")
    add(svg, "text", "soft end", text, x=start - 7, y=15)


def _thinned(points: Way) -> Way:
    """The way without steps of less than a pixel, or of more pixels if it is very long; its ends stay."""
    step = 1
    while len(kept := _strides(points, step)) > STRIDES:
        step *= 2
    return [*kept[:-1], points[-1]] if len(kept) > 1 else kept


def _strides(points: Way, step: int) -> Way:
    kept = points[:1]
    for x, y in points:
        if abs(x - kept[-1][0]) + abs(y - kept[-1][1]) >= step:
            kept.append((x, y))
    return kept


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


def _names(view: View, kept: Sequence[Footprint], ways: list[Way]) -> list[list[Label]]:
    """What is written in each map. What is in both stands at the same place."""
    targets = [element.target for element in kept]
    labels = Labels(view.height, points=[point for way in ways for point in way], boxes=targets)
    ends = [[("start", way[0]), ("fails here", way[-1])] if way else [] for way in ways]
    small = [box for box in targets if area(box) <= SPOT**2]
    for box in [*small, *(spot(*point) for marks in ends for _, point in marks)]:
        labels.block(box)
    placed: dict[tuple[str, Flat], Label | None] = {}
    for text, point in (mark for marks in ends for mark in marks):
        twin = next(
            (label for (name, at), label in placed.items() if name == text and math.dist(at, point) < SPOT), None
        )
        placed[text, point] = twin or labels.place(text, spot(*point))
    some = (
        sorted(kept, key=lambda element: area(element.box)) if len(kept) <= NAMED else []
    )  # small ones have least room
    both = [labels.place(short(element.name), element.target) for element in some]
    return [[label for label in [*(placed[mark] for mark in marks), *both] if label] for marks in ends]


def _draw_names(ground: Element, names: Sequence[Label]) -> None:
    for label in names:
        if label.leader:
            (x1, y1), (x2, y2) = label.leader
            add(ground, "line", "line", x1=x1, y1=y1, x2=x2, y2=y2)
    for label in names:
        add(ground, "text", "middle", label.text, x=label.at[0], y=label.at[1])
