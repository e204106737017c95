"""How often it failed before and after, with what the runs leave open, beside how often was asked for."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from markupsafe import Markup

from rootward.report.figures.svg import WIDTH, add, counted, drawing, length, markup, number

LEFT, RIGHT = 10.0, WIDTH - 18.0
FIRST, APART = 58.0, 58.0
"""Where the first row is, and how far the next is from it."""


def rates(finding: dict[str, Any]) -> Markup | None:
    """None unless both rates are known."""
    original, result, noun = finding["original"], finding["result"], finding["noun"]
    if not original or not result:
        return None
    kept = f"the {len(finding['kept'])} kept"
    rows = [(f"all {counted(finding['of'], noun)}", original, _runs(original)), (kept, result, _seen(finding))]
    told = "; ".join(f"{name}: {rate['value']:.0%} ({runs})" for name, rate, runs in rows)
    svg = drawing(FIRST + 2 * APART + 20, f"How often it fails. {told}.")
    add(svg, "text", "title", "how often it fails", x=0, y=15)
    _axis(svg)
    _threshold(svg, finding["share"] * original["value"], finding["share"])
    for i, (name, rate, runs) in enumerate(rows):
        text = f"{name}: {rate['value']:.0%}, {runs}"
        _row(svg, FIRST + i * APART, text, rate, ("bar", "plain") if i == 0 else ("hot", "spot"))
    return markup(svg)


def _x(rate: float) -> float:
    return LEFT + (RIGHT - LEFT) * rate


def _runs(rate: dict[str, Any]) -> str:
    return f"{rate['fails']} of {counted(rate['runs'], 'run')}"


def _seen(finding: dict[str, Any]) -> str:
    """The runs of the kept ones; those with seeds with which the original failed are no sample of all."""
    again, result = finding["again"], finding["result"]
    if not again:
        return _runs(result)
    fails, runs = result["fails"] - again["fails"], result["runs"] - again["runs"]
    others = f", {fails} of {runs} other{'' if runs == 1 else 's'}" if runs else ""
    return f"{again['fails']} of {counted(again['runs'], 'failing run')} replayed{others}"


def _axis(svg: Element) -> None:
    bottom = FIRST + 1.5 * APART
    for percent in (0, 25, 50, 75, 100):
        x = _x(percent / 100)
        add(svg, "path", "faint", d=f"M{number(x)} 30V{number(bottom)}")
        add(svg, "text", "soft middle", f"{percent}%", x=x + (4 if percent == 0 else 0), y=bottom + 18)
    add(svg, "path", "line", d=f"M{LEFT} {number(bottom)}H{RIGHT}")


def _row(svg: Element, y: float, text: str, rate: dict[str, Any], kinds: tuple[str, str]) -> None:
    add(svg, "text", "name", text, x=LEFT + 4, y=y - 14)
    add(svg, "path", kinds[0], d=f"M{number(_x(rate['low']))} {number(y)}H{number(_x(rate['high']))}")
    add(svg, "circle", kinds[1], cx=_x(rate["value"]), cy=y, r=5.5)


def _threshold(svg: Element, rate: float, share: float) -> None:
    """How often the kept ones were asked to fail."""
    x, y = _x(rate), FIRST + APART
    text = f"asked for: {share:.0%} as often"
    add(svg, "path", "asked", d=f"M{number(x)} {number(y - 9)}v18")
    wide = length(text)
    add(svg, "text", "soft middle", text, x=min(max(x, LEFT + wide / 2), RIGHT - wide / 2), y=y + 24)
