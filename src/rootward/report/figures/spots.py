"""The instances along the only setting in which they differ: failing runs above, passing ones below."""

from __future__ import annotations

import math
from collections import Counter
from xml.etree.ElementTree import SubElement

from markupsafe import Markup

from rootward.report.figures.coordinates import Axis
from rootward.report.figures.svg import WIDTH, add, clean, counted, drawing, markup, short
from rootward.report.instances import Instances

LEFT, RIGHT, UP, DOWN, BOTTOM = 70.0, 30.0, 50.0, 92.0, 130.0


def spots(known: Instances, axis: Axis) -> Markup:
    """``axis`` is that of the setting."""
    setting = known.settings[axis.name]
    failing = sum(known.failed)
    said = f"{counted(failing, 'run')} failed and {len(known) - failing} passed, by {short(axis.name, 60)}."
    svg = drawing(BOTTOM + 34, said)
    name = add(svg, "text", "title", short(axis.name, 40), x=0, y=15)
    if name.text != axis.name:
        SubElement(name, "title").text = clean(axis.name[:300])
    for stretch in axis.allowed or ():
        (left, right), room = sorted(_x(axis, end) for end in stretch), 0.0 if axis.half else 8.0
        wide = right - left + 2 * room
        add(svg, "rect", "kept wide", x=left - room, width=wide, y=UP - 18, height=DOWN - UP + 36, rx=4)
    for y, word in ((UP, "failed"), (DOWN, "passed")):
        add(svg, "text", "soft", word, x=0, y=y + 4.5)
        add(svg, "line", "faint", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y)
    counts = Counter(zip((axis.place[value] for value in setting.index), known.failed, strict=True))
    for (place, failed), count in sorted(counts.items()):
        size = min(13.0, 3.5 + math.sqrt(count))
        add(svg, "circle", "spot" if failed else "plain", cx=_x(axis, place), cy=UP if failed else DOWN, r=size)
    limit = max(4, int((WIDTH - LEFT - RIGHT) / 7.4 / max(1, len(axis.labels))))
    for place, label in axis.labels:
        add(svg, "text", "middle", short(label, limit), x=_x(axis, place), y=BOTTOM + 10)
    return markup(svg)


def _x(axis: Axis, place: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (place if axis.rising else 1 - place)
