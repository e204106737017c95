"""The questions of a search beside what the theory says: how few could do, how many are promised to be enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from rootward.report.figures.svg import WIDTH, add, drawing, markup

LEFT, RIGHT = 0.0, WIDTH - 64.0
FIRST, APART, TALL = 34.0, 42.0, 9.0
STYLE = """
.rw-bound .mine { fill: var(--way); }
.rw-bound .yard { fill: color-mix(in srgb, currentColor 30%, Canvas); }
"""


def bound(finding: Mapping[str, Any]) -> Markup | None:
    """None if the search did not end, or if nothing is known of the bounds."""
    bounds = finding.get("bounds")
    if not bounds or not finding["complete"] or not finding["sets"]:
        return None
    rows = [
        ("no method can do with fewer, on average", bounds["least"], "yard"),
        ("this search", max(1, finding["asked"] - finding["verified"]), "mine"),
        ("HPSL promises no more than", bounds["promised"], "yard"),
        ("every value of every field, one at a time", bounds["singly"], "yard"),
    ]
    rows.sort(key=lambda row: row[1])
    told = "; ".join(f"{name}: {count:,}" for name, count, _ in rows)
    svg = drawing(FIRST + len(rows) * APART - 10, f"Questions to the subject. {told}.", kind="rw-bound", style=STYLE)
    add(svg, "text", "title", "questions asked", x=0, y=12)
    add(svg, "text", "soft end", "logarithmic scale", x=WIDTH, y=12)
    most = math.log10(max(10, *(count for _, count, _ in rows)))
    for i, (name, count, kind) in enumerate(rows):
        y, wide = FIRST + i * APART, max(3.0, (RIGHT - LEFT) * math.log10(max(count, 1)) / most)
        add(svg, "text", "title" if kind == "mine" else "soft", name, x=0, y=y)
        add(svg, "rect", kind, x=LEFT, y=y + 6, width=wide, height=TALL, rx=2)
        add(svg, "text", "title" if kind == "mine" else "soft", f"{count:,}", x=LEFT + wide + 6, y=y + 15)
    return markup(svg)
