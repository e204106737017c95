"""The bad table as strips, one per column, that mark the rows with differences from the good table.

The differences that cause the failure are emphasised."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markupsafe import Markup

from rootward.report.figures.svg import add, clean, count_text, drawing, markup, number, shorten

WIDTH, LEFT, RIGHT = 920.0, 150.0, 730.0
TOP, STRIP_STEP, STRIP_HEIGHT = 30.0, 34.0, 18.0
"""The space above the strips, the distance between them, and the height of each."""
SHADES, MIN_MARK_WIDTH = 4, 4.0
"""The number of shades of grey, and the minimum width of a mark."""
EXTRA_STYLE = """
.rw-table { width: 100%; }
.rw-table .ground { fill: none; stroke: currentColor; stroke-opacity: .25; }
.rw-table .d1, .rw-table .d2, .rw-table .d3, .rw-table .d4 { fill: currentColor; stroke: none; }
.rw-table .d1 { fill-opacity: .12; }
.rw-table .d2 { fill-opacity: .22; }
.rw-table .d3 { fill-opacity: .32; }
.rw-table .d4 { fill-opacity: .42; }
.rw-table .bad { fill: var(--hot); stroke: Canvas; stroke-width: 1; }
.rw-table text.red { fill: var(--hot); font-weight: 600; }
"""


def draw_table(finding: Mapping[str, Any]) -> Markup | None:
    """Draw the table of a finding.

    Returns None if it is not known what has to be repaired, or if there is nothing to draw.
    """
    found = finding.get("excerpt")
    if not found or not found["height"]:
        return None
    strips = [_strip(column) for column in found["columns"] if any(column["differs"])]
    added, missing = found["whole"]
    strips += [("extra rows", [0] * len(added), added)] if any(added) else []
    if not strips:
        return None
    bottom = TOP + STRIP_STEP * len(strips)
    matter = f"{finding['repaired']} of {count_text(finding['differences'], 'difference')} matter"
    label = f"Where the table differs, from its first row to its last: {matter}."
    svg = drawing(bottom + 30, label, wide=WIDTH, kind="rw-table", style=EXTRA_STYLE)
    add(svg, "text", "soft", "row 1", x=LEFT, y=18)
    add(svg, "text", "soft end", f"row {found['height']:,}", x=RIGHT, y=18)
    for place, one in enumerate(strips):
        _draw(svg, TOP + STRIP_STEP * place, found["height"], *one)
    lacking = f"; {count_text(missing, 'row')} missing from it" if missing else ""
    add(svg, "text", "soft", f"grey: differs, but does no harm; red: makes it fail{lacking}", x=LEFT, y=bottom + 16)
    return markup(svg)


def _strip(column: Mapping[str, Any]) -> tuple[str, list[int], list[int]]:
    return column["name"], column["differs"], column["bad"]


def _draw(svg: Element, y: float, height: int, name: str, differs: Sequence[int], bad: Sequence[int]) -> None:
    title = add(svg, "text", "title end" if any(bad) else "end", shorten(name, 18), x=LEFT - 12, y=y + STRIP_HEIGHT - 4)
    if title.text != name:
        SubElement(title, "title").text = clean(name[:300])
    add(svg, "rect", "ground", x=LEFT, y=y, width=RIGHT - LEFT, height=STRIP_HEIGHT)
    bins = len(differs)
    wide, starts = (RIGHT - LEFT) / bins, [-(-place * height // bins) for place in range(bins + 1)]
    shades: dict[int, list[str]] = defaultdict(list)
    degrees = [-(-SHADES * n // (end - start)) for n, (start, end) in zip(differs, pairwise(starts), strict=True)]
    place = 0
    for shade, alike in groupby(degrees):
        count = len(list(alike))
        if shade:
            shades[shade].append(_mark(LEFT + wide * place, y, wide * count, STRIP_HEIGHT))
        place += count
    for shade, marks in sorted(shades.items()):
        add(svg, "path", f"d{shade}", d="".join(marks))
    broad = max(wide, MIN_MARK_WIDTH)
    lefts = [LEFT + wide * (place + 0.5) - broad / 2 for place, count in enumerate(bad) if count]
    if lefts:
        inside = [min(max(left, LEFT), RIGHT - broad) for left in lefts]
        add(svg, "path", "bad", d="".join(_mark(left, y - 3, broad, STRIP_HEIGHT + 6) for left in inside))
    total = sum(differs)
    said = f"{total:,} differ{'s' if total == 1 else ''}" if total else ""  # short: the number of bad ones is beside it
    add(svg, "text", "soft", said, x=RIGHT + 12, y=y + STRIP_HEIGHT - 4)
    if any(bad):
        add(svg, "text", "red", f"{sum(bad):,} bad", x=RIGHT + 110, y=y + STRIP_HEIGHT - 4)


def _mark(x: float, y: float, wide: float, high: float) -> str:
    return f"M{number(x)} {number(y)}h{number(wide)}v{number(high)}h-{number(wide)}z"
