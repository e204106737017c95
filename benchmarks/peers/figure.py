"""HPSL's Figure 5 as an SVG file: small scatter plots side by side, drawn without a plotting library.

Colours are CSS classes with a second set for dark screens; the background is that of the page. Series differ by shape
as well as by colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

Point = tuple[float, float]

WIDE, HIGH, GAP, LEFT, TOP, FOOT = 190, 150, 28, 66, 82, 50
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #333c47 }
  .small { font-size: 11px; fill: #5d6875 }
  .title { font-size: 15px; font-weight: 600 }
  .frame { fill: #8090a0; fill-opacity: .06 }
  .grid { stroke: #8090a0; stroke-opacity: .28 }
  .mark { fill-opacity: .5; stroke-width: 1.4 }
  .s0 { fill: #0b7a75; stroke: #0b7a75; fill-opacity: .95 }
  .s1 { fill: none; stroke: #1f2933; stroke-width: 1.8 }
  .s2 { fill: #d1495b; stroke: #d1495b }
  .s3 { fill: #e09f1f; stroke: #b97e0c }
  .s4 { fill: none; stroke: #6b7785 }
  @media (prefers-color-scheme: dark) {
    text { fill: #d5dce4 } .small { fill: #9aa7b4 }
    .s0 { fill: #2dd4bf; stroke: #2dd4bf } .s1 { stroke: #f1f5f9 }
    .s2 { fill: #ff7a8a; stroke: #ff7a8a } .s3 { fill: #f7c14d; stroke: #f7c14d } .s4 { stroke: #9aa7b4 }
  }
"""


@dataclass(frozen=True)
class Panel:
    """One plot: the points of each series, in data units; the axes are those of its row."""

    title: str
    series: Mapping[str, Sequence[Point]]


@dataclass(frozen=True)
class Row:
    """Plots with the same axes. The horizontal axis is a fraction from 0 to 1."""

    label: str
    panels: Sequence[Panel]


def draw(title: str, across: str, names: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the whole figure. ``names`` are the series in the order of their colours; the last is drawn first."""
    width = LEFT + max(len(row.panels) for row in rows) * (WIDE + GAP)
    height = TOP + len(rows) * (HIGH + GAP) + FOOT - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>',
        *_legend(names),
    ]
    for i, row in enumerate(rows):
        parts += _row(row, names, TOP + i * (HIGH + GAP), titled=i == 0, numbered=i == len(rows) - 1)
    middle = LEFT + (width - LEFT - GAP) / 2
    parts.append(f'<text x="{middle:.0f}" y="{height - 12}" text-anchor="middle">{escape(across)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _legend(names: Sequence[str]) -> list[str]:
    parts, x = [], LEFT + 5.0
    for i, name in enumerate(names):
        parts += [_mark(i, x, 42), f'<text x="{x + 10:.0f}" y="46">{escape(name)}</text>']
        x += 32 + 6.6 * len(name)
    return parts


def _row(row: Row, names: Sequence[str], y: int, *, titled: bool, numbered: bool) -> list[str]:
    shown = [value for panel in row.panels for points in panel.series.values() for _, value in points]
    ticks = _ticks(min(shown), max(shown))
    low, high = min(*shown, ticks[0]), max(*shown, ticks[-1])
    pad = (high - low) * 0.07
    middle = y + HIGH / 2
    parts = [
        f'<text transform="translate(16 {middle:.0f}) rotate(-90)" text-anchor="middle">{escape(row.label)}</text>'
    ]
    for i, panel in enumerate(row.panels):
        x = LEFT + i * (WIDE + GAP)
        parts.append(f'<rect class="frame" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4"/>')
        if titled:
            parts.append(f'<text x="{x}" y="{y - 8}">{escape(panel.title)}</text>')
        plot = _Plot(x, y, low - pad, high + pad)
        parts += plot.grid(ticks, labelled=i == 0, numbered=numbered)
        for s in reversed(range(len(names))):
            parts += [_mark(s, plot.across(a), plot.up(b)) for a, b in panel.series.get(names[s], ())]
    return parts


@dataclass(frozen=True)
class _Plot:
    """Converts values to coordinates in the plot whose corner is at x, y."""

    x: int
    y: int
    low: float
    high: float

    def across(self, share: float) -> float:
        return self.x + 10 + share * (WIDE - 20)

    def up(self, value: float) -> float:
        return self.y + HIGH - (value - self.low) / (self.high - self.low) * HIGH

    def grid(self, ticks: Sequence[float], *, labelled: bool, numbered: bool) -> list[str]:
        parts = []
        for tick in ticks:
            y = self.up(tick)
            parts.append(f'<path class="grid" d="M{self.x} {y:.1f}h{WIDE}"/>')
            if labelled:
                parts.append(f'<text class="small" x="{self.x - 7}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
        for share in (0, 0.5, 1):
            x = self.across(share)
            parts.append(f'<path class="grid" d="M{x:.1f} {self.y}v{HIGH}"/>')
            if numbered:
                y = self.y + HIGH + 16
                parts.append(f'<text class="small" x="{x:.1f}" y="{y}" text-anchor="middle">{share:g}</text>')
        return parts


def _ticks(low: float, high: float) -> list[float]:
    """Return about four round numbers from ``low`` to ``high``."""
    step = next(step for step in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500) if (high - low) / step <= 5)
    first = -int(-low // step) if low >= 0 else int(low // step)
    last = int(high // step)
    return [step * i for i in range(first, last + 1)]


def _mark(series: int, x: float, y: float) -> str:
    """Draw the mark of a series: a star-like diamond, a ring, a circle, a triangle or a cross, distinct without
    colour."""
    shapes = (
        f'd="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z"',
        f'd="M{x - 6.5:.1f} {y - 6.5:.1f}h13v13h-13z"',
        f'd="M{x - 3.5:.1f} {y:.1f}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z"',
        f'd="M{x:.1f} {y - 4.5:.1f}l4.5 8h-9z"',
        f'd="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"',
    )
    return f'<path class="mark s{series}" {shapes[series]}/>'
