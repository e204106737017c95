"""Runs as lines across one axis per setting (parallel coordinates).

A run that meets a cause passes, on every axis, through a value that the cause allows.

Runs that look alike share a line, which is wider the more there are. Lines through the same value are drawn beside each
other, so that each can be followed. If there are too many lines, they are merged between neighbouring axes.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from markupsafe import Markup

from rootward.report.figures.setting_axis import PLACE_COUNT, SettingAxis, axis
from rootward.report.figures.svg import WIDTH, add, clean, count_text, drawing, length, markup, number, shorten
from rootward.report.instances import Instances, instances, literals
from rootward.rules.terms import Literal

DRAWING_WIDTH, TOP, HIGH = 920.0, 46.0, 250.0
LEFT, RIGHT = 150.0, 30.0
MAX_NAMED_AXES, MAX_OTHER_AXES = 6, 2
"""Maximum number of axes for settings that the cause names, and for others."""
MAX_LINES, MAX_CURVE_TEXT = 400, 34_000
"""If there are more lines than this, they are merged; if curves would take more characters than this, straight lines
are drawn instead."""
PASSED, OTHER, FAILED, AGAINST = "passed", "other", "failed", "against"
"""The kinds of lines, the lowest in the drawing first. A passing run with the cause is evidence against it."""
EXTRA_STYLE = """
.rw-parallel { width: 100%; }
.rw-parallel .axis { stroke: currentColor; stroke-opacity: .45; }
.rw-parallel .allowed { fill: color-mix(in srgb, var(--hot) 16%, transparent); stroke: var(--hot); }
.rw-parallel .passed, .rw-parallel .other, .rw-parallel .failed, .rw-parallel .against { fill: none; }
.rw-parallel .passed { stroke: currentColor; stroke-opacity: .26; }
.rw-parallel .other { stroke: var(--hot); stroke-opacity: .35; stroke-dasharray: 4 3; }
.rw-parallel .failed { stroke: var(--hot); stroke-opacity: .85; }
.rw-parallel .against { stroke: var(--way); }
.rw-parallel .w1 { stroke-width: 1.2; }
.rw-parallel .w2 { stroke-width: 1.8; }
.rw-parallel .w3 { stroke-width: 2.6; }
.rw-parallel .w4 { stroke-width: 4; }
.rw-parallel .many path { stroke-dasharray: none; }
.rw-parallel .many .passed { stroke-opacity: .14; }
.rw-parallel .many .other { stroke-opacity: .18; }
.rw-parallel .many .failed, .rw-parallel .many .against { stroke-opacity: .5; }
.rw-parallel text.hot { fill: var(--hot); stroke: Canvas; stroke-width: 4px; }
.rw-parallel .free { font-weight: 400; }
"""
Line = tuple[str, tuple[int, ...]]
"""The kind of a line, and its place on each axis."""


class Figure(NamedTuple):
    svg: Markup
    lines: bool
    """True if runs are drawn as lines; for a single setting they are drawn as spots."""


def draw_parallel(
    run: Mapping[str, Any], cause: Mapping[str, Any] | None = None, known: Instances | None = None
) -> Figure | None:
    """Draw the instances of a run beside one of its causes.

    Returns None if there are no instances, or if they do not differ in any setting. ``known``: the instances, if they
    were collected already.
    """
    known = known or instances(run)
    said = literals(cause) if cause else ()
    if not len(known) or any(literal.field not in known.settings for literal in said):
        return None
    axes, drawn = _axes(run, known, said)
    if len(axes) < 2:
        return Figure(draw_spots(known, axes[0]), lines=False) if axes else None
    runs = Counter(zip(_kinds(known, said), zip(*drawn, strict=True), strict=True))
    return Figure(_Drawing(axes, runs, bool(said)).svg(), lines=True)


def _axes(
    run: Mapping[str, Any], known: Instances, said: Sequence[Literal]
) -> tuple[list[SettingAxis], list[tuple[int, ...]]]:
    """Return the axes, and the values of all runs on each axis."""
    named = [literal.field for literal in said][:MAX_NAMED_AXES]
    elsewhere = [literal.field for cause in run["finding"]["causes"] for literal in literals(cause)]
    order = [name for name in dict.fromkeys([*elsewhere, *known.settings]) if name not in named]
    vary = [name for name in order if name in known.settings and len(known.settings[name].values) > 1]
    others = vary[: MAX_OTHER_AXES if named else MAX_NAMED_AXES]
    accepted = {literal.field: known.settings[literal.field].accepts(literal) for literal in said}
    chosen = [known.settings[name] for name in [*named, *others]]
    return [axis(one, accepted.get(one.name)) for one in chosen], [one.index for one in chosen]


def _kinds(known: Instances, said: Sequence[Literal]) -> list[str]:
    inside = known.inside(said) if said else list(known.failed)
    words = {(True, True): FAILED, (True, False): OTHER, (False, False): PASSED, (False, True): AGAINST}
    return [words[pair] for pair in zip(known.failed, inside, strict=True)]


class _Drawing:
    def __init__(self, axes: Sequence[SettingAxis], lines: Counter[Line], about: bool) -> None:
        """``about``: True if the drawing is about a cause."""
        self.axes, self.about = axes, about
        self.lines = self._round_places(lines)
        self.apart = (DRAWING_WIDTH - LEFT - RIGHT) / (len(axes) - 1)
        self.xs = [LEFT + self.apart * at for at in range(len(axes))]

    def _round_places(self, lines: Counter[Line]) -> Counter[Line]:
        """Round the places of all lines to thousandths of an axis, and merge lines that become equal."""
        found: Counter[Line] = Counter()
        for (kind, values), count in lines.items():
            places = (round(1000 * one.place[value]) for one, value in zip(self.axes, values, strict=True))
            found[kind, tuple(places)] += count
        return found

    def svg(self) -> Markup:
        counts = Counter[str]()
        for (kind, _), count in self.lines.items():
            counts[kind] += count
        svg = drawing(TOP + HIGH + 44, self._label(counts), wide=DRAWING_WIDTH, kind="rw-parallel", style=EXTRA_STYLE)
        for x, one in zip(self.xs, self.axes, strict=True):
            self._draw_allowed(svg, x, one)
        self._draw_lines(svg)
        for x, one in zip(self.xs, self.axes, strict=True):
            self._draw_axis(svg, x, one)
        self._draw_key(svg, counts)
        return markup(svg)

    def _label(self, counts: Mapping[str, int]) -> str:
        names = ", ".join(shorten(one.name, 40) for one in self.axes)
        said = "; ".join(f"{count_text(counts[kind], 'run')} {text}" for kind, text in self._words() if counts[kind])
        return f"Runs as lines across {names}. {said}."

    def _words(self) -> list[tuple[str, str]]:
        if not self.about:
            return [(FAILED, "failed"), (PASSED, "passed")]
        return [
            (FAILED, "with this cause failed"),
            (AGAINST, "with this cause passed, against the claim"),
            (OTHER, "without it failed"),
            (PASSED, "without it passed"),
        ]

    # Lines

    def _draw_lines(self, svg: Element) -> None:
        many = len(self.lines) > MAX_LINES
        strokes = self._merged_lines() if many else self._whole_lines()
        most = max(strokes.values()) if many else 100
        paths: dict[tuple[str, int], list[str]] = defaultdict(list)
        for (kind, path), count in strokes.items():
            paths[kind, _width(100 * count / most)].append(path)
        group = SubElement(svg, "g", {"class": "many"} if many else {})
        for kind in (PASSED, OTHER, FAILED, AGAINST):
            for width in sorted(width for own, width in paths if own == kind):
                add(group, "path", f"{kind} w{width}", d="".join(paths[kind, width]))

    def _whole_lines(self) -> dict[tuple[str, str], int]:
        """Return the path of each line, from the first axis to the last.

        Lines that share a slot of an axis cross it side by side.
        """
        lines = list(self.lines)
        ys = [self._crossings(lines, at) for at in range(len(self.axes))]
        bent = len(lines) * len(self.axes) * 30 < MAX_CURVE_TEXT
        found = {}
        for row, line in enumerate(lines):
            points = [(x, own[row]) for x, own in zip(self.xs, ys, strict=True)]
            found[line[0], _path(points, bent)] = self.lines[line]
        return found

    def _crossings(self, lines: Sequence[Line], at: int) -> list[float]:
        """Return where each line crosses an axis.

        Lines that share a slot cross it side by side, ordered by their places on the neighbouring axes.
        """
        half = self.axes[at].half * HIGH
        slots: dict[int, list[int]] = defaultdict(list)
        for row, (_, places) in enumerate(lines):
            slots[places[at]].append(row)
        ys = [0.0] * len(lines)
        for place, rows in slots.items():
            step = min(4.0, 1.5 * half / len(rows))
            near = [at - 1, at + 1] if at else [at + 1]
            rows.sort(key=lambda row: [-lines[row][1][side] for side in near if side < len(self.axes)])
            for turn, row in enumerate(rows):
                ys[row] = _y(place / 1000) + step * (turn - (len(rows) - 1) / 2)
        return ys

    def _merged_lines(self) -> dict[tuple[str, str], int]:
        """Return the lines between neighbouring axes, each with its number of runs.

        On axes of many numbers, lines at nearly the same place are merged.
        """
        rough = [1 if one.half else 1000 / PLACE_COUNT for one in self.axes]
        found: Counter[tuple[str, int, float, float]] = Counter()
        for (kind, places), count in self.lines.items():
            near = [round(place / step) * step for place, step in zip(places, rough, strict=True)]
            for at, (here, there) in enumerate(pairwise(near)):
                found[kind, at, here, there] += count
        return {
            (kind, _path([(self.xs[at], _y(here / 1000)), (self.xs[at + 1], _y(there / 1000))], bent=False)): count
            for (kind, at, here, there), count in found.items()
        }

    # Axes

    def _draw_allowed(self, svg: Element, x: float, one: SettingAxis) -> None:
        for low, high in one.allowed or ():
            room = -2.0 if one.half else 5.0
            size = max(4.0, HIGH * (high - low) + 2 * room)
            add(svg, "rect", "allowed", x=x - 7, y=_y(high) - room, width=14, height=size, rx=4)

    def _draw_axis(self, svg: Element, x: float, one: SettingAxis) -> None:
        add(svg, "line", "axis", x1=x, y1=TOP, x2=x, y2=TOP + HIGH)
        fits = int((LEFT if x == LEFT else self.apart - 16) / 7.4)
        kind = "title end hot" if one.allowed is not None else "title end free" if self.about else "title end"
        name = add(svg, "text", kind, shorten(one.name, max(6, fits)), x=x + 8, y=TOP - 14)
        if length(name.text or "") < len(one.name) * 7:
            SubElement(name, "title").text = clean(one.name[:300])
        for place, label in one.labels:
            part = add(svg, "text", "end", shorten(label, max(4, min(fits - 2, 19))), x=x - 11, y=_y(place) + 4.5)
            if part.text != label:
                SubElement(part, "title").text = clean(label)

    def _draw_key(self, svg: Element, counts: Mapping[str, int]) -> None:
        x, y = 20.0, TOP + HIGH + 30
        for kind, text in self._words():
            if counts[kind]:
                said = f"{counts[kind]:,} {text}"
                add(svg, "path", f"{kind} w3", d=f"M{number(x)} {number(y - 4)}h22")
                add(svg, "text", "soft", said, x=x + 28, y=y)
                x += length(said) + 46


def _y(place: float) -> float:
    return TOP + HIGH * (1 - place)


def _width(weight: float) -> int:
    """Return the width class of a line.

    ``weight`` is its number of runs. For merged lines, it is a percentage of the largest number.
    """
    return 1 if weight < 2 else 2 if weight < 8 else 3 if weight < 64 else 4


def _path(points: Sequence[tuple[float, float]], bent: bool) -> str:
    text = f"M{round(points[0][0])} {number(points[0][1])}"
    for (x, y), (to_x, to_y) in pairwise(points):
        middle = round((x + to_x) / 2)
        text += f"C{middle} {number(y)} {middle} {number(to_y)} " if bent else "L"
        text += f"{round(to_x)} {number(to_y)}"
    return text


# Instances that differ in only one setting, as spots along it: failing runs above, passing ones below

SPOTS_LEFT, SPOTS_RIGHT, UP, DOWN, BOTTOM = 70.0, 30.0, 50.0, 92.0, 130.0


def draw_spots(known: Instances, axis: SettingAxis) -> Markup:
    """Draw the instances along the axis of one setting."""
    setting = known.settings[axis.name]
    failing = sum(known.failed)
    said = f"{count_text(failing, 'run')} failed and {len(known) - failing} passed, by {shorten(axis.name, 60)}."
    svg = drawing(BOTTOM + 34, said)
    name = add(svg, "text", "title", shorten(axis.name, 40), x=0, y=15)
    if name.text != axis.name:
        SubElement(name, "title").text = clean(axis.name[:300])
    for stretch in axis.allowed or ():
        (left, right), room = sorted(_spot_x(axis, end) for end in stretch), 0.0 if axis.half else 8.0
        wide = right - left + 2 * room
        add(svg, "rect", "kept wide", x=left - room, width=wide, y=UP - 18, height=DOWN - UP + 36, rx=4)
    for y, word in ((UP, "failed"), (DOWN, "passed")):
        add(svg, "text", "soft", word, x=0, y=y + 4.5)
        add(svg, "line", "faint", x1=SPOTS_LEFT, y1=y, x2=WIDTH - SPOTS_RIGHT, y2=y)
    counts = Counter(zip((axis.place[value] for value in setting.index), known.failed, strict=True))
    for (place, failed), count in sorted(counts.items()):
        size = min(13.0, 3.5 + math.sqrt(count))
        add(svg, "circle", "spot" if failed else "plain", cx=_spot_x(axis, place), cy=UP if failed else DOWN, r=size)
    limit = max(4, int((WIDTH - SPOTS_LEFT - SPOTS_RIGHT) / 7.4 / max(1, len(axis.labels))))
    for place, label in axis.labels:
        add(svg, "text", "middle", shorten(label, limit), x=_spot_x(axis, place), y=BOTTOM + 10)
    return markup(svg)


def _spot_x(axis: SettingAxis, place: float) -> float:
    return SPOTS_LEFT + (WIDTH - SPOTS_LEFT - SPOTS_RIGHT) * (place if axis.is_numeric else 1 - place)
