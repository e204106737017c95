"""Box plots as an SVG file: median, quartiles and extremes of a share; one panel per bug, one box per method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from peers.figure import STYLE

WIDE, HIGH, LEFT, TOP, FOOT, GAP = 118, 220, 58, 74, 46, 12
COLOURS = ("#0b7a75", "#d1495b", "#e09f1f", "#7a5195")
DARK = ("#2dd4bf", "#ff7a8a", "#f7c14d", "#c39bd3")
Groups = Mapping[str, Mapping[str, Sequence[float]]]


def draw(title: str, up: str, names: Sequence[str], groups: Groups, low: float = 0.4) -> str:
    """Return the whole figure: in each group one box per name, on an axis from ``low`` to 1."""
    width, height = LEFT + len(groups) * (WIDE + GAP), TOP + HIGH + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}{_styles(len(names))}</style>",
        f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>',
        f'<text transform="translate(16 {TOP + HIGH / 2:.0f}) rotate(-90)" text-anchor="middle">{escape(up)}</text>',
        *(part for i, name in enumerate(names) for part in _legend(i, name)),
    ]
    for place, (label, series) in enumerate(groups.items()):
        parts += _panel(label, [series.get(name, ()) for name in names], LEFT + place * (WIDE + GAP), low)
    parts += [
        f'<text class="small" x="{LEFT - 7}" y="{_height(tick, low) + 4:.0f}" text-anchor="end">{tick:g}</text>'
        for tick in _ticks(low)
    ]
    return "\n".join([*parts, "</svg>", ""])


def _styles(count: int) -> str:
    def rules(colours: Sequence[str]) -> str:
        return "".join(
            f" .b{i} {{ fill: {colours[i]}; fill-opacity: .3; stroke: {colours[i]}; stroke-width: 1.6 }}"
            for i in range(count)
        )

    return f"{rules(COLOURS)}\n  @media (prefers-color-scheme: dark) {{{rules(DARK)} }}\n"


def _ticks(low: float) -> list[float]:
    return [tick / 10 for tick in range(10, round(low * 10) - 1, -1)]


def _legend(series: int, name: str) -> list[str]:
    x = LEFT + 150 * series
    return [
        f'<rect class="b{series}" x="{x}" y="36" width="16" height="12"/>',
        f'<text x="{x + 23}" y="46">{escape(name)}</text>',
    ]


def _height(value: float, low: float) -> float:
    return TOP + HIGH - 6 - (max(value, low) - low) / (1 - low) * (HIGH - 12)


def _panel(label: str, series: Sequence[Sequence[float]], x: float, low: float) -> list[str]:
    parts = [f'<rect class="frame" x="{x}" y="{TOP}" width="{WIDE}" height="{HIGH}" rx="4"/>']
    parts += [f'<path class="grid" d="M{x} {_height(tick, low):.1f}h{WIDE}"/>' for tick in _ticks(low)]
    middle, bottom = x + WIDE / 2, TOP + HIGH + 18
    parts.append(f'<text class="small" x="{middle:.0f}" y="{bottom}" text-anchor="middle">{escape(label)}</text>')
    step = WIDE / len(series)
    for i, values in enumerate(series):
        if len(values):
            parts += _box(i, values, x + step * (i + 0.5), step * 0.55, low)
    return parts


def _box(series: int, values: Sequence[float], x: float, width: float, low: float) -> list[str]:
    """Draw a box from quartile to quartile, a line at the median, and whiskers to the extremes."""
    marks = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    least, first, median, third, most = (_height(float(mark), low) for mark in marks)
    left = x - width / 2
    return [
        f'<path class="b{series}" d="M{x:.1f} {least:.1f}V{first:.1f}M{x:.1f} {third:.1f}V{most:.1f}"/>',
        f'<rect class="b{series}" x="{left:.1f}" y="{third:.1f}" width="{width:.1f}" height="{first - third:.1f}"/>',
        f'<path class="b{series}" d="M{left:.1f} {median:.1f}h{width:.1f}" style="stroke-width: 3"/>',
    ]
