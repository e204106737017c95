"""The elements of a map, as they are drawn: outlines that are cut at its edge, or dots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element

from rootward.report.figures.svg import WIDTH, add, number, short
from rootward.report.figures.view import Box, Flat, View, area, around, spot

TITLED = 300
"""Up to so many elements tell their name to a mouse; more are drawn as one."""
MANY = 800
"""Of more elements, the outlines are drawn to a pixel."""
DRAWN = 3500
"""About how many outlines one map has at most: of each element, its share of the largest ones."""
PIECES = 300
"""The most outlines of one element."""
TINY = 5.0
"""Smaller elements are drawn as dots ..."""
WIDE = WIDTH**2 / 8
"""... and larger ones in a lighter colour."""
Piece = tuple[Flat, ...]


@dataclass(frozen=True)
class Footprint:
    """The visible part of an element."""

    name: str
    kept: bool
    pieces: tuple[Piece, ...]
    box: Box

    @classmethod
    def of(cls, element: dict[str, Any], outlines: Iterable[Sequence[Flat]], view: View) -> Footprint | None:
        """None if it is not in the view at all."""
        pieces = _silhouette(tuple(part) for outline in outlines if (part := view.clip(outline)))
        if not pieces:
            return None
        return cls(element["name"], element["kept"], pieces, around([point for piece in pieces for point in piece]))

    @property
    def tiny(self) -> bool:
        return all(high - low < TINY for low, high in self.box)

    @property
    def target(self) -> Box:
        """Where it is seen."""
        (left, right), (top, bottom) = self.box
        return spot((left + right) / 2, (top + bottom) / 2) if self.tiny else self.box


def _silhouette(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Those that are not within another, the largest first."""
    outer: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: -area(around(piece)))[:PIECES]:
        if not any(all(_inside(point, other) for point in piece) for other in outer):
            outer.append(piece)
    return tuple(outer)


def _inside(point: Flat, outline: Piece) -> bool:
    """Whether a convex outline has the point in it, or nearly so."""
    (x, y), edges = point, zip(outline, outline[1:] + outline[:1], strict=True)
    turns = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in edges]
    return len(outline) > 2 and (min(turns) >= -0.1 or max(turns) <= 0.1)


def draw(ground: Element, elements: Sequence[Footprint], *, late: bool) -> None:
    """Large elements lie below small ones; kept ones count as smaller than they are."""
    ordered = sorted(elements, key=lambda element: -area(element.box) * (0.25 if element.kept else 1))
    coarse = len(elements) > MANY
    for group in _groups(ordered):
        kind = "kept" if group[0].kept else "gone" if late else "there"
        title = group[0].name if len(group) == 1 else ""
        most = max(1, DRAWN // len(elements))
        wide = " wide" if area(group[0].box) > WIDE else ""
        outlines = [_outline(piece, coarse) for one in group if not one.tiny for piece in one.pieces[:most]]
        _path(ground, kind + wide, title, outlines)
        _path(ground, kind + " dot", title, [_dot(one, coarse) for one in group if one.tiny])


def _groups(elements: list[Footprint]) -> list[list[Footprint]]:
    """What is drawn as one."""
    if len(elements) <= TITLED:
        return [[element] for element in elements]
    groups = [[element for element in elements if element.kept is kept] for kept in (False, True)]
    return [group for group in groups if group]


def _path(ground: Element, kind: str, title: str, parts: list[str]) -> None:
    if parts:
        path = add(ground, "path", kind, d="".join(dict.fromkeys(parts)))
        if title:
            add(path, "title", "name", short(title, 80))


def _dot(element: Footprint, coarse: bool) -> str:
    x, y = (sum(span) / 2 if not coarse else round(sum(span) / 2) for span in element.box)
    return f"M{number(x)} {number(y)}h0"


def _outline(points: Piece, coarse: bool) -> str:
    """In steps from corner to corner, which take fewer characters than places."""
    scale = 1 if coarse else 10
    corners = list(dict.fromkeys((round(scale * x), round(scale * y)) for x, y in points))
    (x, y), steps = corners[0], pairwise(corners)
    lines = " ".join(f"{number((c - a) / scale)} {number((d - b) / scale)}" for (a, b), (c, d) in steps)
    return f"M{number(x / scale)} {number(y / scale)}l{lines or '0 0'}z"
