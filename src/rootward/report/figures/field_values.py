"""The values of one field that were tried, side by side in their order: which trigger the failure and which do not.

Every value has a cell of the same width, because a dictionary of exceptional values has as many below 1 as above 1e300.
Values that trigger the failure are tall and red, others are short, and those not tried are hollow. Below the
cells, the values at which the effect changes are written, and as many others as there is room for.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rootward.report.figures.plane_axis import PlaneAxis, distinct, is_finite, number, to_float, value_label
from rootward.report.figures.svg import WIDTH, add, drawing, length, markup, shorten
from rootward.report.figures.svg import number as size
from rootward.report.trials import read_value
from rootward.rules.constants import constant_text, kind
from rootward.space.keys import canonical

LEFT, RIGHT = 4.0, WIDTH - 4.0
TOP, HIGH, LOW = 14.0, 18.0, 8.0
"""The top of the cells, and the heights of triggering and of other cells."""
MAX_CELL_WIDTH = 64.0
MAX_NAME = 13
"""Maximum length of a name below a cell, in characters."""
STYLE = """
.rw-tried .on { fill: var(--hot); }
.rw-tried .stops { fill: color-mix(in srgb, currentColor 38%, Canvas); }
.rw-tried .untried { fill: none; stroke: color-mix(in srgb, currentColor 45%, Canvas); }
.rw-tried .odd { fill: currentColor; fill-opacity: .75; }
.rw-tried .own { fill: var(--way); }
.rw-tried .small { font-size: 11.5px; }
"""
_POWER = re.compile(r"-?2(\.0)?\*\*")
EFFECTS = {True: "triggers it", False: "does not trigger it", None: "not tried"}


def draw_values(run: Mapping[str, Any], row: Mapping[str, Any]) -> Markup | None:
    """Draw one row of a product set; None if its values cannot be shown."""
    if "values" in row:
        return _cells(row["values"], _failing_value(run, row["field"])) if row["values"] else None
    return _ranges(row["ranges"])


def _failing_value(run: Mapping[str, Any], field: str) -> bytes | None:
    """Return the key of the value that this field had in the first failing run. Returns None if it is not known."""
    trials = run.get("trials")
    if not trials or field not in trials["fields"]:
        return None
    verdicts, column = trials["columns"]["verdict"], trials["fields"][field]
    fails = next((i for i, at in enumerate(verdicts["index"]) if at >= 0 and verdicts["values"][at] == "FAIL"), None)
    if fails is None or column["index"][fails] < 0:
        return None
    return _key(column["values"][column["index"][fails]])


def _key(written: Any) -> bytes:
    return canonical(read_value(written))


def _cells(values: Sequence[Mapping[str, Any]], own: bytes | None) -> Markup:
    wide = min(MAX_CELL_WIDTH, (RIGHT - LEFT) / len(values))
    triggers = sum(one["triggers"] is True for one in values)
    svg = drawing(TOP + HIGH + 22, f"{triggers} of {len(values)} values trigger it.", kind="rw-tried", style=STYLE)
    known = [read_value(one["value"]) for one in values]
    for i, (one, value) in enumerate(zip(values, known, strict=True)):
        x, high = LEFT + i * wide, LOW if one["triggers"] is False else HIGH
        gap = 1.0 if wide > 4 else 0.3
        which = "on" if one["triggers"] else "untried" if one["triggers"] is None else "stops"
        cell = add(svg, "rect", which, x=x + gap / 2, y=TOP + HIGH - high, width=max(wide - gap, 0.6), height=high)
        mine, odd = own is not None and _key(one["value"]) == own, is_exceptional(value)
        also = [*(["the failing run had it"] if mine else []), *(["an exceptional value"] if odd else [])]
        add(cell, "title", "name", "; ".join([f"{shorten(one['text'], 60)}: {EFFECTS[one['triggers']]}", *also]))
        if mine:
            add(svg, "path", "own", d=f"M{size(x + wide / 2 - 5)} 2h10l-5 8z")
        elif odd:
            add(svg, "circle", "odd", cx=x + wide / 2, cy=TOP + HIGH - high - 4, r=1.4)
    _draw_names(svg, [one["triggers"] for one in values], known, wide)
    return markup(svg)


def is_exceptional(value: Any) -> bool:
    """True if code often forgets this value: NaN, infinities, -0.0, the limits of types, the tiniest numbers."""
    if kind(value) != "number":
        return value in (None, "")
    if not is_finite(value):
        return True
    if value == 0:
        return isinstance(value, float) and math.copysign(1, value) < 0
    size = abs(to_float(value))
    limit = size >= 2**15 and _POWER.match(constant_text(value)) is not None
    return limit or size < sys.float_info.min or size >= sys.float_info.max


def _draw_names(svg: Element, triggers: Sequence[bool | None], values: Sequence[Any], wide: float) -> None:
    """Write values below their cells, as far as there is room.

    The most important values are placed first: those where the verdict changes, then the first and the last, zero,
    exceptional values, and all others.
    """
    texts = [shorten(number(value) if is_finite(value) else value_label(value), MAX_NAME) for value in values]
    taken: list[tuple[float, float]] = []
    for i in dict.fromkeys(_by_importance(triggers, values)):
        half = length(texts[i]) * 0.45 + 3
        x = min(max(LEFT + (i + 0.5) * wide, LEFT + half), RIGHT - half)
        if all(abs(x - other) >= half + space for other, space in taken):
            taken.append((x, half))
            strong = triggers[i] and 0 < sum(map(bool, triggers)) < len(triggers)
            add(svg, "text", f"middle small {'title' if strong else 'soft'}", texts[i], x=x, y=TOP + HIGH + 16)


def _by_importance(triggers: Sequence[bool | None], values: Sequence[Any]) -> Iterator[int]:
    last = len(values) - 1
    changes = [i for i in range(last) if triggers[i] != triggers[i + 1]]
    yield from (i if triggers[i] else i + 1 for i in changes)
    yield from (i + 1 if triggers[i] else i for i in changes)
    yield from (0, last)
    yield from (i for i, value in enumerate(values) if is_finite(value) and value == 0)
    yield from (i for i, value in enumerate(values) if is_exceptional(value))
    yield from range(last + 1)


def _ranges(ranges: Iterable[Sequence[Any]]) -> Markup | None:
    """Draw the triggering ranges of a field that has very many values.

    Only the ends of the ranges are known, so only these are shown as values.
    """
    ends = [(read_value(low), read_value(high)) for low, high in ranges]
    axis = PlaneAxis("", distinct([value for pair in ends for value in pair]), LEFT, RIGHT, named=(), listed=False)
    if not axis.has_numbers:
        return None
    svg = drawing(TOP + HIGH + 22, f"{len(ends)} ranges of values trigger it.", kind="rw-tried", style=STYLE)
    add(svg, "rect", "stops", x=LEFT, y=TOP + HIGH - LOW, width=RIGHT - LEFT, height=LOW)
    for low, high in ends[:400]:
        start, end = axis.place_of(low), axis.place_of(high)
        if start is not None and end is not None:
            cell = add(svg, "rect", "on", x=min(start, end) - 1, y=TOP, width=abs(end - start) + 2, height=HIGH)
            add(
                cell,
                "title",
                "name",
                f"{shorten(value_label(low), 30)} to {shorten(value_label(high), 30)}: {EFFECTS[True]}",
            )
    for tick in axis.ticks(40, 6.6):
        add(svg, "text", "middle small soft", tick.text, x=tick.at, y=TOP + HIGH + 16)
    return markup(svg)
