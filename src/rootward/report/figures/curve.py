"""The reduction curve: how many elements were left after how many tests."""

from __future__ import annotations

import math
from typing import Any
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rootward.report.figures import ticks
from rootward.report.figures.svg import WIDTH, add, counted, drawing, markup, number

LEFT, RIGHT, TOP, BOTTOM = 44.0, WIDTH - 14.0, 34.0, 214.0
MANY = 100
"""From more elements than this, the scale is logarithmic."""


def curve(finding: dict[str, Any]) -> Markup | None:
    """None if nothing is known of the course."""
    steps: list[tuple[int, int]] = [(asked, left) for asked, left in finding["course"]]
    if not steps:
        return None
    return _Curve(steps, max(finding["asked"], steps[-1][0], 1), finding["noun"]).draw()


class _Curve:
    def __init__(self, steps: list[tuple[int, int]], asked: int, noun: str) -> None:
        self.steps, self.asked, self.noun = steps, asked, noun
        self.most = max(1, steps[0][1])
        self.logarithmic = self.most > MANY

    def draw(self) -> Markup:
        svg = drawing(BOTTOM + 42, f"{counted(self.steps[0][1], self.noun)} at first, {self._told()}.")
        add(svg, "text", "title", f"{self.noun}s left", x=0, y=15)
        self._axes(svg)
        add(svg, "path", "hot", d=self._line())
        self._ends(svg)
        return markup(svg)

    def _x(self, asked: float) -> float:
        return LEFT + (RIGHT - LEFT) * asked / self.asked

    def _y(self, left: float) -> float:
        if self.logarithmic:  # none left is half a decade below one
            share = (math.log10(max(left, 10**-0.5)) + 0.5) / (math.log10(self.most) + 0.5)
        else:
            share = left / self.most
        return BOTTOM - (BOTTOM - TOP) * share

    def _axes(self, svg: Element) -> None:
        for left in ticks.powers(self.most) if self.logarithmic else ticks.whole(self.most):
            y = self._y(left)
            add(svg, "path", "faint", d=f"M{LEFT} {number(y)}H{RIGHT}")
            add(svg, "text", "soft end", f"{left:,}", x=LEFT - 8, y=y + 4.5)
        for asked in ticks.whole(self.asked):
            add(svg, "text", "soft middle", f"{asked:,}", x=self._x(asked), y=BOTTOM + 18)
        add(svg, "path", "line", d=f"M{LEFT} {BOTTOM}H{RIGHT}")
        add(svg, "text", "soft middle", "tests", x=(LEFT + RIGHT) / 2, y=BOTTOM + 36)

    def _line(self) -> str:
        """Down at each step, and on to the last test."""
        (x, y), *rest = ((self._x(asked), self._y(left)) for asked, left in self.steps)
        path = "".join(f"H{number(x)}V{number(y)}" for x, y in rest)
        return f"M{number(x)} {number(y)}{path}H{number(self._x(self.asked))}"

    def _ends(self, svg: Element) -> None:
        """Where it ended: the corner above the line is always free, as it only goes down."""
        asked, left = self.steps[-1]
        x, y = self._x(asked), self._y(left)
        add(svg, "text", "end", self._told(), x=RIGHT, y=15)
        add(svg, "circle", "spot", cx=x, cy=y, r=4.5)
        beside, kind = (x - 8, "title end") if x > RIGHT - 40 else (x + 8, "title")
        add(svg, "text", kind, f"{left:,}", x=beside, y=y - 8 if y > TOP + 20 else y + 20)

    def _told(self) -> str:
        asked, left = self.steps[-1]
        return f"{left:,} left after {counted(asked, 'test')}" if len(self.steps) > 1 else "none left out"
