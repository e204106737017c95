"""Falling curves as an SVG file: elements left after a number of executions, one line per method.

Lines differ by dashes as well as by colour, and each ends in a dot. The horizontal axis is logarithmic, because the
methods differ by more than an order of magnitude.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from peers.figure import STYLE, Point

WIDE, HIGH, LEFT, TOP, FOOT, LEGEND = 560, 300, 58, 46, 52, 220
COLOURS = ("#0b7a75", "#d1495b", "#e09f1f", "#7a5195", "#1f77b4", "#6b7785", "#9c6b30")
DARK = ("#2dd4bf", "#ff7a8a", "#f7c14d", "#c39bd3", "#6cb6ff", "#9aa7b4", "#d9a766")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 2", "12 4")


def draw(title: str, across: str, up: str, curves: Mapping[str, Sequence[Point]]) -> str:
    """Return the whole figure. The points of a curve are sorted by x, which is at least 1."""
    plot = _Plot(max(x for points in curves.values() for x, _ in points), max(p[0][1] for p in curves.values()))
    width, height = LEFT + WIDE + LEGEND, TOP + HIGH + FOOT
    middle = TOP + HIGH / 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' role="img" aria-label="{escape(title)}">',
            f"<style>{STYLE}{_styles(len(curves))}</style>",
            f'<text class="title" x="{LEFT}" y="24">{escape(title)}</text>',
            f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{WIDE}" height="{HIGH}" rx="4"/>',
            *plot.grid(),
            f'<text x="{LEFT + WIDE / 2:.0f}" y="{height - 12}" text-anchor="middle">{escape(across)}</text>',
            f'<text transform="translate(16 {middle:.0f}) rotate(-90)" text-anchor="middle">{escape(up)}</text>',
            *(part for i in reversed(range(len(curves))) for part in plot.line(i, list(curves.values())[i])),
            *(part for i, name in enumerate(curves) for part in _legend(i, name)),
            "</svg>",
            "",
        ]
    )


def _styles(count: int) -> str:
    def rules(colours: Sequence[str]) -> str:
        return "".join(f" .l{i} {{ stroke: {colours[i]} }} .d{i} {{ fill: {colours[i]} }}" for i in range(count))

    dashes = "".join(f" .l{i} {{ stroke-dasharray: {DASHES[i] or 'none'} }}" for i in range(count))
    lines = ".line { fill: none; stroke-width: 2; stroke-linejoin: round }"
    return f"  {lines}{rules(COLOURS)}{dashes}\n  @media (prefers-color-scheme: dark) {{{rules(DARK)} }}\n"


def _legend(series: int, name: str) -> list[str]:
    x, y = LEFT + WIDE + 18, TOP + 14 + 22 * series
    return [
        f'<path class="line l{series}" d="M{x} {y}h30"/>',
        f'<text x="{x + 38}" y="{y + 4}">{escape(name)}</text>',
    ]


@dataclass(frozen=True)
class _Plot:
    """Converts data to coordinates: x from 1 to ``far`` on a logarithmic axis, y from 0 to ``high``."""

    far: float
    high: float

    def across(self, x: float) -> float:
        return LEFT + 8 + math.log(max(x, 1)) / math.log(max(self.far, 2)) * (WIDE - 16)

    def up(self, y: float) -> float:
        return TOP + HIGH - 8 - y / self.high * (HIGH - 16)

    def line(self, series: int, points: Sequence[Point]) -> list[str]:
        """Return a step line: y is constant up to the next point."""
        (x, y), *rest = points
        path = f"M{self.across(x):.1f} {self.up(y):.1f}" + "".join(
            f"H{self.across(x):.1f}V{self.up(y):.1f}" for x, y in rest
        )
        x, y = points[-1]
        return [
            f'<path class="line l{series}" d="{path}"/>',
            f'<circle class="d{series}" cx="{self.across(x):.1f}" cy="{self.up(y):.1f}" r="4"/>',
        ]

    def grid(self) -> list[str]:
        parts = []
        for tick in (t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) if t <= self.far):
            x = self.across(tick)
            parts.append(f'<path class="grid" d="M{x:.1f} {TOP}v{HIGH}"/>')
            parts.append(f'<text class="small" x="{x:.1f}" y="{TOP + HIGH + 16}" text-anchor="middle">{tick}</text>')
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if self.high / step <= 6)
        for tick in range(0, int(self.high) + 1, step):
            y = self.up(tick)
            parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}h{WIDE}"/>')
            parts.append(f'<text class="small" x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
        return parts
