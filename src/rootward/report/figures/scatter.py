"""The runs of a search for a rule: a panel for each pair of fields in the rule, or one strip for a single field.

A panel shows the runs, the region where the rule predicts a failure if all other fields are as in the failing run, and
the uncertainty of that prediction (`uncertainty`). Runs in which another field of the rule has another value are not on
this plane, and are drawn fainter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.report.figures.map_view import Flat
from rootward.report.figures.plane_axis import MAX_LANES, PlaneAxis, distinct, keys, value_label
from rootward.report.figures.rule_region import (
    RuleRegion,
    Segment,
    area,
    is_listed,
    line,
    named_first,
    named_numbers,
    pairs,
    rectangle,
    thin_lines,
)
from rootward.report.figures.svg import WIDTH, add, drawing, markup, number, shorten
from rootward.report.figures.uncertainty import RunPoints, Uncertainty
from rootward.rules import Rule
from rootward.rules.quantity import Quantity
from rootward.rules.text import field_text

MAX_PANELS = 6
STRIP_HEIGHT = 90.0
"""Height of the strip of a single field."""
VERDICT_WORDS = {"FAIL": "failed", "PASS": "passed", "OTHER": "otherwise", "UNRESOLVED": "unclear"}
LEFT, RIGHT, TOP, BOTTOM = 66.0, WIDTH - 20.0, 8.0, 288.0
MAX_CELLS = 40
"""Maximum number of cells, in each direction, that show the uncertainty."""
SHADE_COUNT = 8
"""Number of shades that show the uncertainty."""
SHADE_POWER = 4
"""Shades are linear in this power of the uncertainty, so that high values differ most, as in the paper."""
STYLE = """
.rw-plane .fail { fill: none; stroke: var(--hot); stroke-width: 2; stroke-linecap: round; }
.rw-plane .pass { fill: none; stroke: var(--way); stroke-width: 6; stroke-linecap: round; }
.rw-plane .other { fill: none; stroke: color-mix(in srgb, currentColor 70%, Canvas); stroke-width: 1.5; }
.rw-plane .off { opacity: .3; }

.rw-plane .doubt { fill: currentColor; shape-rendering: crispEdges; }
.rw-plane .region { fill: var(--hot); fill-opacity: .17; }
.rw-plane .border { fill: none; stroke: var(--hot); stroke-width: 1.6; stroke-linecap: round; }
.rw-plane .strong { font-weight: 600; }
.rw-plane .small { font-size: 11.5px; }
"""


class Planes(NamedTuple):
    panels: list[Markup]
    held: list[str]
    """For each panel, the values at which the other fields are held."""
    more: list[str]
    """Pairs of fields without a panel."""
    faint: bool
    """True if some runs are not on their plane."""
    doubt: bool
    """True if the uncertainty is drawn."""
    other: bool
    """True if some runs neither failed nor passed."""


def draw_planes(run: Mapping[str, Any]) -> Planes | None:
    """Draw the panels of a run.

    Returns None if there is no rule, or if too little is known about its runs.
    """
    made = Scatter.of(run)
    if made is None or not made.rule.fields:
        return None
    if len(made.rule.fields) == 1:
        return Planes([made.strip()], [""], [], False, made.doubt is not None, made.other)
    found = pairs(made.rule)
    return Planes(
        [made.panel(*pair) for pair in found[:MAX_PANELS]],
        [made.held_text(*pair) for pair in found[:MAX_PANELS]],
        [f"{field_text(one)} and {field_text(other)}" for one, other in found[MAX_PANELS:]],
        any(made.mark_off_plane(*pair).any() for pair in found[:MAX_PANELS]),
        made.doubt is not None,
        made.other,
    )


class Scatter:
    """The rule of a finding, and the runs that it was learnt from."""

    def __init__(self, rule: Rule, runs: RunPoints, doubt: Uncertainty | None, varied: RunPoints | None) -> None:
        self.rule, self.runs, self.doubt, self._varied = rule, runs, doubt, varied
        self._names = {name: shorten(field_text(name), 40) for name in rule.fields}

    @classmethod
    def of(cls, run: Mapping[str, Any]) -> Scatter | None:
        """Return None without a rule, or without a failing run whose fields are known."""
        try:
            rule = Rule.from_dict(run["finding"]["rule"])
        except InputError:  # it compares with a value of a class that is not loaded here
            return None
        runs = RunPoints.of(run, rule.fields) if run["finding"]["found"] else None
        if runs is None:
            return None
        varied = RunPoints.of(run) if run["finding"]["tree"] else runs
        doubt = cls._doubt(varied) if run.get("trials") and varied else None
        return cls(rule, runs, doubt, varied)

    @staticmethod
    def _doubt(runs: RunPoints) -> Uncertainty | None:
        judged = [i for i, verdict in enumerate(runs.verdicts) if verdict != "UNRESOLVED"]
        columns = {name: [column[i] for i in judged] for name, column in runs.columns.items()}
        return Uncertainty(columns, [runs.verdicts[i] == "FAIL" for i in judged]) if columns else None

    @property
    def other(self) -> bool:
        """True if some runs neither failed nor passed."""
        return any(verdict not in ("FAIL", "PASS") for verdict in self.runs.verdicts)

    def axis(self, name: str, start: float, end: float) -> PlaneAxis:
        seen = self._distinct[name]
        listed = is_listed(self.rule, name) and len(seen) <= MAX_LANES
        if not listed:
            seen = named_first(self.rule, name, seen)
        return PlaneAxis(name, seen, start, end, named=named_numbers(self.rule, name), listed=listed)

    @cached_property
    def _distinct(self) -> dict[str, list[Any]]:
        return {name: distinct(self.runs.columns[name]) for name in self.rule.fields}

    def name(self, axis: PlaneAxis) -> str:
        return self._names.get(axis.name, axis.name)

    def values_not_shown(self, *shown: str) -> dict[str, Any]:
        """Return the values of the failing run for the fields that are not shown."""
        return {name: value for name, value in self.runs.failing.items() if name not in shown}

    def held_text(self, *shown: str) -> str:
        texts = [
            f"{self._names[name]} = {shorten(value_label(value), 30)}"
            for name, value in self.values_not_shown(*shown).items()
        ]
        return ", ".join(texts)

    def mark_off_plane(self, *shown: str) -> NDArray[np.bool_]:
        """Return, for each run, True if it differs from the failing run in a field that is not shown."""
        found = np.zeros(len(self.runs), dtype=bool)
        for name in self.values_not_shown(*shown):
            found |= self._differs[name]
        return found

    @cached_property
    def _differs(self) -> dict[str, NDArray[np.bool_]]:
        """For each field, an array that is True for the runs whose value differs from that of the failing run."""
        known = {name: keys([*self.runs.columns[name], value]) for name, value in self.runs.failing.items()}
        return {name: np.array([key != own for key in some]) for name, (*some, own) in known.items()}

    def holds(self, columns: Mapping[str, list[Any]]) -> NDArray[np.bool_]:
        """Return, for each row of ``columns``, True if the rule holds there.

        Fields that are not in ``columns`` have the values of the failing run.
        """
        return self.rule.holds_many(self.complete_columns(columns))

    def complete_columns(self, columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
        """Return ``columns`` with a column for each missing field, filled with its value in the failing run."""
        count = len(next(iter(columns.values())))
        return {**{name: [value] * count for name, value in self.values_not_shown(*columns).items()}, **columns}

    def uncertainty_at(self, columns: Mapping[str, list[Any]]) -> NDArray[np.float64]:
        """Return the uncertainty, in bits, at the place that each row of ``columns`` describes."""
        assert self.doubt is not None
        assert self._varied is not None
        count = len(next(iter(columns.values())))
        rest = {name: [value] * count for name, value in self._varied.failing.items() if name not in columns}
        return self.doubt.at({**rest, **columns}, self.holds(columns))

    def title(self, i: int, *shown: str) -> str:
        """Return the tooltip of a run."""
        named = [*shown, *self.values_not_shown(*shown)][:6]
        values = [f"{self._names[name]} = {shorten(value_label(self.runs.columns[name][i]), 30)}" for name in named]
        which = f"trial {self.runs.numbers[i]}: " if self.runs.numbers[i] else ""
        return f"{which}{self.runs.verdicts[i]} with {', '.join(values)}"

    def panel(self, across: str, up: str) -> Markup:
        return _Panel(self, self.axis(across, LEFT, RIGHT), self.axis(up, BOTTOM, TOP)).draw()

    def strip(self) -> Markup:
        """Draw a single axis with the verdicts of the runs, for a rule with only one field."""
        [name] = self.rule.fields
        ended = "ended" if name != "ended" else "how it ended"
        columns = {name: self.runs.columns[name], ended: [VERDICT_WORDS[verdict] for verdict in self.runs.verdicts]}
        both = Scatter(self.rule, replace(self.runs, columns=columns), self.doubt, self._varied)
        up = PlaneAxis(ended, distinct(columns[ended]), TOP + STRIP_HEIGHT, TOP, named=(), listed=True)
        return _Panel(both, self.axis(name, LEFT, RIGHT), up).draw()


class _Panel:
    def __init__(self, scatter: Scatter, across: PlaneAxis, up: PlaneAxis) -> None:
        self.scatter, self.across, self.up = scatter, across, up
        self.bottom = up.start

    def draw(self) -> Markup:
        x, y = (self.scatter.name(axis) for axis in (self.across, self.up))
        svg = drawing(
            self.bottom + 44,
            f"Runs by {x} and {y}, and where the rule says that it fails.",
            kind="rw-plane",
            style=STYLE,
        )
        if self.scatter.doubt is not None:
            self._draw_doubt(svg)
        self._draw_axes(svg)
        region = RuleRegion.of(self._holds, self.across, self.up)
        add(svg, "path", "region", d=area(region))
        add(svg, "path", "border", d=line([*region.border, *self._seams()]))
        draw_marks(svg, self._marks(), self._title)
        add(svg, "text", "middle title", x, x=(LEFT + RIGHT) / 2, y=self.bottom + 38)
        add(
            svg,
            "text",
            "middle title",
            y,
            x=0,
            y=0,
            transform=f"translate(14 {number((TOP + self.bottom) / 2)}) rotate(-90)",
        )
        return markup(svg)

    def _holds(self, xs: list[Any], ys: list[Any]) -> NDArray[np.bool_]:
        return self.scatter.holds({self.across.name: xs, self.up.name: ys})

    def _seams(self) -> Iterator[Segment]:
        """Yield the lines on which the rule holds although it does not hold on either side of them."""
        for zero, rest in thin_lines(self.scatter.rule):
            above = RuleRegion.of(partial(self._above, zero), self.across, self.up)
            for one, other in above.border:
                x, y = ((a + b) / 2 for a, b in zip(one, other, strict=True))
                middle = {self.across.name: self.across.value_at(x), self.up.name: self.up.value_at(y)}
                if rest.holds({**self.scatter.runs.failing, **middle}):
                    yield one, other

    def _above(self, zero: Quantity, xs: list[Any], ys: list[Any]) -> NDArray[np.bool_]:
        columns = self.scatter.complete_columns({self.across.name: xs, self.up.name: ys})
        return np.array([value > 0 for value in zero.of_columns(columns)], dtype=bool)

    def _draw_doubt(self, svg: Element) -> None:
        columns, rows = self.across.cells(MAX_CELLS), self.up.cells(MAX_CELLS)
        xs = [value for _ in rows for *_, value in columns]
        ys = [value for *_, value in rows for _ in columns]
        unsure = self.scatter.uncertainty_at({self.across.name: xs, self.up.name: ys}).reshape(len(rows), len(columns))
        draw_shades(svg, unsure, columns, rows)

    def _draw_axes(self, svg: Element) -> None:
        draw_across(svg, self.across, TOP, self.bottom)
        for lane in self.up.lanes:
            _frame(svg, LEFT, min(lane.start, lane.end), RIGHT - LEFT, abs(lane.end - lane.start))
            add(svg, "text", "soft end small", shorten(lane.text, 9), x=LEFT - 6, y=(lane.start + lane.end) / 2 + 4)
        if self.up.has_numbers:
            low, high = sorted(self.up.ends)
            _frame(svg, LEFT, low, RIGHT - LEFT, high - low)
        for tick in self.up.ticks(22):
            add(svg, "path", "faint", d=f"M{number(LEFT)} {number(tick.at)}H{number(RIGHT)}")
            add(svg, "text", f"end small {'strong' if tick.is_named else 'soft'}", tick.text, x=LEFT - 6, y=tick.at + 4)

    def _title(self, i: int) -> str:
        return self.scatter.title(
            i, *(axis.name for axis in (self.across, self.up) if axis.name in self.scatter.rule.fields)
        )

    def _marks(self) -> list[Mark]:
        runs, shown = self.scatter.runs, (self.across.name, self.up.name)
        off = self.scatter.mark_off_plane(*shown)
        found = []
        for i, verdict in enumerate(runs.verdicts):
            x, y = (axis.spread(runs.columns[axis.name][i], i) for axis in (self.across, self.up))
            if x is not None and y is not None:
                found.append(Mark((x, y), verdict, bool(off[i]), i))
        return found


def _frame(svg: Element, x: float, y: float, width: float, height: float) -> None:
    add(svg, "rect", "faint", x=x, y=y, width=width, height=height)


def draw_across(svg: Element, axis: PlaneAxis, top: float, bottom: float) -> None:
    """Draw the horizontal axis: its lanes and ticks, from ``top`` to ``bottom``."""
    for lane in axis.lanes:
        _frame(svg, lane.start, top, lane.end - lane.start, bottom - top)
        room = max(4, int((lane.end - lane.start) / 6.6))
        add(svg, "text", "soft middle small", shorten(lane.text, room), x=(lane.start + lane.end) / 2, y=bottom + 16)
    if axis.has_numbers:
        low, high = axis.ends
        _frame(svg, low, top, high - low, bottom - top)
    for tick in axis.ticks(34, 6.6):
        add(svg, "path", "faint", d=f"M{number(tick.at)} {number(top)}V{number(bottom)}")
        add(svg, "text", f"middle small {'strong' if tick.is_named else 'soft'}", tick.text, x=tick.at, y=bottom + 16)


Cell = tuple[float, float, Any]


def draw_shades(svg: Element, unsure: NDArray[np.float64], columns: Sequence[Cell], rows: Sequence[Cell]) -> None:
    """Draw the shades of uncertainty.

    Neighbouring cells of the same shade in a row are drawn as one rectangle.
    """
    shades = np.minimum((unsure**SHADE_POWER * SHADE_COUNT).astype(int), SHADE_COUNT - 1)
    paths: dict[int, list[str]] = {}
    for y, (bottom, top, _) in enumerate(rows):
        start = 0
        for x in range(len(columns)):
            last = x + 1 == len(columns) or shades[y, x + 1] != shades[y, x] or columns[x + 1][0] != columns[x][1]
            if last:
                shape = rectangle(
                    columns[start][0], min(bottom, top), columns[x][1] - columns[start][0], abs(top - bottom)
                )
                paths.setdefault(int(shades[y, x]), []).append(shape)
                start = x + 1
    for shade, shapes in sorted(paths.items()):
        if shade:
            add(svg, "path", "doubt", d="".join(shapes), **{"fill-opacity": f"{0.26 * shade / (SHADE_COUNT - 1):.2f}"})


# Runs as marks: a cross for a failing run, a dot for a passing one, a ring for any other. Shape and colour both show
# the verdict. The first marks have tooltips; the others of a long search are drawn as one path per kind, and of marks
# that would cover each other only one is drawn.

MAX_TITLED = 150
"""Maximum number of marks with a tooltip."""
MAX_MARKS = 1200
"""Maximum number of marks that are drawn."""
MIN_MARK_DISTANCE = 2.5
"""Minimum distance between two marks of one kind; nearer ones are merged."""
KINDS = {"FAIL": "fail", "PASS": "pass", "OTHER": "other", "UNRESOLVED": "other"}


@dataclass(frozen=True)
class Mark:
    at: Flat
    verdict: str
    is_off_plane: bool
    """True if the run is not on the plane that is drawn."""
    run: int
    """The number of the run, counted from 0."""


def draw_marks(svg: Element, marks: Sequence[Mark], title: Callable[[int], str]) -> None:
    """Draw the marks of the runs.

    Marks off the plane are at the bottom, and failing runs on top. ``title`` returns the tooltip of a run.
    """
    seen = _merge_near(marks)[:MAX_MARKS]
    ordered = sorted(seen, key=lambda mark: (not mark.is_off_plane, mark.verdict == "FAIL"))
    told = {id(mark) for mark in seen[:MAX_TITLED]}
    silent = [mark for mark in ordered if id(mark) not in told]
    for kind, group in _group_by_kind(silent).items():
        add(svg, "path", kind, d="".join(map(_shape, group)))
    for mark in ordered:
        if id(mark) in told:
            part = add(svg, "path", _kind(mark), d=_shape(mark))
            add(part, "title", "name", title(mark.run))


def _merge_near(marks: Iterable[Mark]) -> list[Mark]:
    """Keep only one of several marks of the same kind at the same place, preferably one on the plane."""
    places: dict[tuple[str, int, int], Mark] = {}
    for mark in sorted(marks, key=lambda mark: mark.is_off_plane):
        places.setdefault(
            (_kind(mark).split()[0], round(mark.at[0] / MIN_MARK_DISTANCE), round(mark.at[1] / MIN_MARK_DISTANCE)), mark
        )
    return list(places.values())


def _group_by_kind(marks: Iterable[Mark]) -> dict[str, list[Mark]]:
    groups: dict[str, list[Mark]] = {}
    for mark in marks:
        groups.setdefault(_kind(mark), []).append(mark)
    return groups


def _kind(mark: Mark) -> str:
    return f"{KINDS.get(mark.verdict, 'other')}{' off' if mark.is_off_plane else ''}"


def _shape(mark: Mark) -> str:
    x, y = mark.at
    if mark.verdict == "FAIL":
        return f"M{number(x - 3.5)} {number(y - 3.5)}l7 7m0-7l-7 7"
    if mark.verdict == "PASS":
        return f"M{number(x)} {number(y)}h0"
    return f"M{number(x - 3)} {number(y)}a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
