"""Small charts: failure rates before and after a reduction, its course, and the cost of a search beside its bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rootward.report.figures.svg import (
    WIDTH,
    add,
    count_text,
    drawing,
    length,
    markup,
    number,
    power_ticks,
    whole_ticks,
)
from rootward.words import plural

# Failure rates before and after, with their confidence intervals, and the rate that was required

LEFT, RIGHT = 10.0, WIDTH - 18.0
FIRST_ROW, ROW_STEP = 58.0, 58.0
"""The vertical position of the first row, and the distance between rows."""


def draw_rates(finding: Mapping[str, Any]) -> Markup | None:
    """Draw two failure rates: of all elements, and of the kept elements.

    Returns None unless both are known.
    """
    original, result, noun = finding["original"], finding["result"], finding["noun"]
    if not original or not result:
        return None
    kept = f"the {len(finding['kept'])} kept"
    rows = [(f"all {count_text(finding['of'], noun)}", original, _runs(original)), (kept, result, _kept_runs(finding))]
    told = "; ".join(f"{name}: {rate['value']:.0%} ({runs})" for name, rate, runs in rows)
    svg = drawing(FIRST_ROW + 2 * ROW_STEP + 20, f"How often it fails. {told}.")
    add(svg, "text", "title", "how often it fails", x=0, y=15)
    _axis(svg)
    _threshold(svg, finding["share"] * original["value"], finding["share"])
    for i, (name, rate, runs) in enumerate(rows):
        text = f"{name}: {rate['value']:.0%}, {runs}"
        _row(svg, FIRST_ROW + i * ROW_STEP, text, rate, ("bar", "plain") if i == 0 else ("hot", "spot"))
    return markup(svg)


def _x(rate: float) -> float:
    return LEFT + (RIGHT - LEFT) * rate


def _runs(rate: Mapping[str, Any]) -> str:
    return f"{rate['fails']} of {count_text(rate['runs'], 'run')}"


def _kept_runs(finding: Mapping[str, Any]) -> str:
    """Say how many runs of the kept elements failed.

    Runs that replay a failing seed are counted separately.
    """
    again, result = finding["again"], finding["result"]
    if not again:
        return _runs(result)
    fails, runs = result["fails"] - again["fails"], result["runs"] - again["runs"]
    others = f", {fails} of {runs} other{'' if runs == 1 else 's'}" if runs else ""
    return f"{again['fails']} of {count_text(again['runs'], 'run')} with failing seeds{others}"


def _axis(svg: Element) -> None:
    bottom = FIRST_ROW + 1.5 * ROW_STEP
    for percent in (0, 25, 50, 75, 100):
        x = _x(percent / 100)
        add(svg, "path", "faint", d=f"M{number(x)} 30V{number(bottom)}")
        add(svg, "text", "soft middle", f"{percent}%", x=x + (4 if percent == 0 else 0), y=bottom + 18)
    add(svg, "path", "line", d=f"M{LEFT} {number(bottom)}H{RIGHT}")


def _row(svg: Element, y: float, text: str, rate: Mapping[str, Any], kinds: tuple[str, str]) -> None:
    add(svg, "text", "name", text, x=LEFT + 4, y=y - 14)
    add(svg, "path", kinds[0], d=f"M{number(_x(rate['low']))} {number(y)}H{number(_x(rate['high']))}")
    add(svg, "circle", kinds[1], cx=_x(rate["value"]), cy=y, r=5.5)


def _threshold(svg: Element, rate: float, share: float) -> None:
    """Mark the failure rate that was required of the kept elements."""
    x, y = _x(rate), FIRST_ROW + ROW_STEP
    text = f"required: {share:.0%} as often"
    add(svg, "path", "asked", d=f"M{number(x)} {number(y - 9)}v18")
    wide = length(text)
    add(svg, "text", "soft middle", text, x=min(max(x, LEFT + wide / 2), RIGHT - wide / 2), y=y + 24)


# The reduction curve: the number of elements left after each question

CURVE_LEFT, CURVE_RIGHT, CURVE_TOP, CURVE_BOTTOM = 44.0, WIDTH - 14.0, 34.0, 214.0
MAX_LINEAR = 100
"""Maximum number of elements on a linear scale; for more, it is logarithmic."""


def draw_curve(finding: Mapping[str, Any]) -> Markup | None:
    """Draw the course of a reduction; None if it is not known."""
    steps: list[tuple[int, int]] = [(asked, left) for asked, left in finding["course"]]
    if not steps:
        return None
    return _Curve(steps, max(finding["asked"], steps[-1][0], 1), finding["noun"]).draw()


class _Curve:
    def __init__(self, steps: list[tuple[int, int]], asked: int, noun: str) -> None:
        self.steps, self.asked, self.noun = steps, asked, noun
        self.most = max(1, steps[0][1])
        self.logarithmic = self.most > MAX_LINEAR
        self.start = max(CURVE_LEFT, length(f"{self.most:,}") + 10)

    def draw(self) -> Markup:
        svg = drawing(CURVE_BOTTOM + 42, f"{count_text(self.steps[0][1], self.noun)} at first, {self._result_text()}.")
        add(svg, "text", "title", f"{plural(self.noun)} left", x=0, y=15)
        self._axes(svg)
        add(svg, "path", "hot", d=self._line())
        self._ends(svg)
        return markup(svg)

    def _x(self, asked: float) -> float:
        return self.start + (CURVE_RIGHT - self.start) * asked / self.asked

    def _y(self, left: float) -> float:
        if self.logarithmic:  # none left is half a decade below one
            share = (math.log10(max(left, 10**-0.5)) + 0.5) / (math.log10(self.most) + 0.5)
        else:
            share = left / self.most
        return CURVE_BOTTOM - (CURVE_BOTTOM - CURVE_TOP) * share

    def _axes(self, svg: Element) -> None:
        for left in power_ticks(self.most) if self.logarithmic else whole_ticks(self.most):
            y = self._y(left)
            add(svg, "path", "faint", d=f"M{number(self.start)} {number(y)}H{CURVE_RIGHT}")
            add(svg, "text", "soft end", f"{left:,}", x=self.start - 8, y=y + 4.5)
        for asked in whole_ticks(self.asked):
            add(svg, "text", "soft middle", f"{asked:,}", x=self._x(asked), y=CURVE_BOTTOM + 18)
        add(svg, "path", "line", d=f"M{number(self.start)} {CURVE_BOTTOM}H{CURVE_RIGHT}")
        add(svg, "text", "soft middle", "questions", x=(self.start + CURVE_RIGHT) / 2, y=CURVE_BOTTOM + 36)

    def _line(self) -> str:
        """Return the path of the line: down at each step, then level until the last question."""
        (x, y), *rest = ((self._x(asked), self._y(left)) for asked, left in self.steps)
        path = "".join(f"H{number(x)}V{number(y)}" for x, y in rest)
        return f"M{number(x)} {number(y)}{path}H{number(self._x(self.asked))}"

    def _ends(self, svg: Element) -> None:
        """Write the result. The corner above the line is always free, because the line only goes down."""
        asked, left = self.steps[-1]
        x, y = self._x(asked), self._y(left)
        add(svg, "text", "end", self._result_text(), x=CURVE_RIGHT, y=15)
        add(svg, "circle", "spot", cx=x, cy=y, r=4.5)
        beside, kind = (x - 8, "title end") if x > CURVE_RIGHT - 40 else (x + 8, "title")
        add(svg, "text", kind, f"{left:,}", x=beside, y=y - 8 if y > CURVE_TOP + 20 else y + 20)

    def _result_text(self) -> str:
        asked, left = self.steps[-1]
        return f"{left:,} left after {count_text(asked, 'question')}" if len(self.steps) > 1 else "none removed"


# The number of questions of a search beside its bounds: the theoretical minimum and the promised maximum

BOUND_LEFT, BOUND_RIGHT = 0.0, WIDTH - 64.0
BOUND_FIRST, BOUND_STEP, BOUND_HEIGHT = 34.0, 42.0, 9.0
BOUND_STYLE = """
.rw-bound .mine { fill: var(--way); }
.rw-bound .yard { fill: color-mix(in srgb, currentColor 30%, Canvas); }
"""


def draw_bounds(finding: Mapping[str, Any]) -> Markup | None:
    """Draw the cost of a search beside its bounds.

    Returns None if the search has no bounds, found nothing, or is unfinished.
    """
    bounds = finding.get("bounds")
    if not bounds or not finding["complete"] or not finding["sets"]:
        return None
    rows = [
        ("at least, on average, for any method", bounds["least"], "yard"),
        ("this search", max(1, finding["asked"] - finding["verified"]), "mine"),
        ("at most, as HPSL promises", bounds["promised"], "yard"),
        ("each value of each field tried alone", bounds["singly"], "yard"),
    ]
    rows.sort(key=lambda row: row[1])
    told = "; ".join(f"{name}: {count:,}" for name, count, _ in rows)
    svg = drawing(
        BOUND_FIRST + len(rows) * BOUND_STEP - 10,
        f"Questions to the subject. {told}.",
        kind="rw-bound",
        style=BOUND_STYLE,
    )
    add(svg, "text", "title", "questions asked", x=0, y=12)
    add(svg, "text", "soft end", "logarithmic scale", x=WIDTH, y=12)
    most = math.log10(max(10, *(count for _, count, _ in rows)))
    for i, (name, count, kind) in enumerate(rows):
        y, wide = BOUND_FIRST + i * BOUND_STEP, max(3.0, (BOUND_RIGHT - BOUND_LEFT) * math.log10(max(count, 1)) / most)
        add(svg, "text", "title" if kind == "mine" else "soft", name, x=0, y=y)
        add(svg, "rect", kind, x=BOUND_LEFT, y=y + 6, width=wide, height=BOUND_HEIGHT, rx=2)
        add(svg, "text", "title" if kind == "mine" else "soft", f"{count:,}", x=BOUND_LEFT + wide + 6, y=y + 15)
    return markup(svg)
