"""The parts of every drawing. A drawing is an XML tree, so text from a subject is escaped when it is written.

Each drawing carries its own style and background, so that it looks the same in a page and in a notebook.
"""

from __future__ import annotations

import math
import re
import unicodedata
from xml.etree.ElementTree import Element, SubElement, tostring

from markupsafe import Markup

WIDTH = 460
"""Width of a drawing in its own units. A unit is about a pixel on a page that shows two drawings side by side."""
STYLE = """
.rw-figure { color: CanvasText; background: Canvas; width: min(100%, 30rem); height: auto;
  font: 13px system-ui, sans-serif; --hot: light-dark(#b3261e, #ff8a80); --way: light-dark(#1a5fb4, #8ab4f8); }
.rw-figure text { fill: currentColor; stroke: Canvas; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.rw-figure .soft { fill-opacity: .7; }
.rw-figure .title { font-weight: 600; }
.rw-figure .end { text-anchor: end; }
.rw-figure .middle { text-anchor: middle; }
.rw-figure .line { fill: none; stroke: currentColor; stroke-width: 1; }
.rw-figure .faint { fill: none; stroke: currentColor; stroke-width: 1; stroke-opacity: .16; }
.rw-figure .there, .rw-figure .kept { stroke-width: 2; stroke-linejoin: round; paint-order: stroke; }
.rw-figure .there { fill: color-mix(in srgb, currentColor 8%, Canvas);
  stroke: color-mix(in srgb, currentColor 45%, Canvas); }
.rw-figure .gone { fill: none; stroke: currentColor; stroke-opacity: .15; }
.rw-figure .kept { fill: color-mix(in srgb, var(--hot) 45%, Canvas); stroke: var(--hot); }
.rw-figure .kept.wide { fill: color-mix(in srgb, var(--hot) 18%, Canvas); }
.rw-figure .track { fill: none; stroke: currentColor; stroke-opacity: .35; stroke-width: 1; }
.rw-figure .gone-track { stroke-opacity: .12; }
.rw-figure .kept-track { stroke: var(--hot); stroke-opacity: 1; stroke-width: 1.5; }
.rw-figure .dot { fill: none; stroke-width: 5; stroke-linecap: round; }
.rw-figure .kept.dot { stroke-width: 8; }
.rw-figure .hot { fill: none; stroke: var(--hot); stroke-width: 2; }
.rw-figure .bar { fill: none; stroke: currentColor; stroke-width: 2; stroke-opacity: .6; }
.rw-figure .asked { fill: none; stroke: currentColor; stroke-width: 2; }
.rw-figure .spot { fill: var(--hot); stroke: Canvas; }
.rw-figure .plain { fill: color-mix(in srgb, currentColor 60%, Canvas); stroke: Canvas; }
.rw-figure .halo { fill: none; stroke: Canvas; stroke-width: 6; stroke-opacity: .8; stroke-linejoin: round; }
.rw-figure .way { fill: none; stroke: var(--way); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.rw-figure .cross { stroke-width: 3.5; }
.rw-figure .start { fill: var(--way); stroke: Canvas; stroke-width: 1.5; }
"""


def drawing(height: float, label: str, style: str | None = "", *, wide: float = WIDTH, kind: str = "") -> Element:
    """Return an empty drawing. ``label`` describes it for screen readers.

    ``kind`` is a class of this drawing, and ``style`` holds the rules for it, in addition to those of every drawing.
    ``style`` is None if another drawing on the page already brings all of these rules.
    """
    box, kinds = f"0 0 {number(wide)} {number(height)}", f"rw-figure {kind}".strip()
    svg = Element("svg", {"class": kinds, "viewBox": box, "role": "img", "aria-label": clean(label)})
    if style is not None:
        SubElement(svg, "style").text = STYLE + style
    return svg


def add(parent: Element, tag: str, kind: str, text: str = "", **attributes: str | float) -> Element:
    """Add an element to a drawing; ``kind`` is its class in the style."""
    values = {name: value if isinstance(value, str) else number(value) for name, value in attributes.items()}
    part = SubElement(parent, tag, {"class": kind, **values})
    part.text = clean(text) or None
    return part


def markup(svg: Element) -> Markup:
    return Markup(tostring(svg, encoding="unicode"))


def number(value: float) -> str:
    """Write a length, to a tenth of a pixel."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """Replace the characters that XML cannot express."""
    return re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def shorten(text: str, limit: int = 24) -> str:
    """Shorten a text to one line by leaving out its middle.

    The end is kept because long names differ at their end more often than at their start.
    """
    line, head = " ".join(clean(text).split()), limit // 3
    return line if len(line) <= limit else f"{line[: head - 1]}…{line[head - limit :]}"


def length(text: str) -> float:
    """Estimate the width of a text in a drawing."""
    return sum(13.0 if unicodedata.east_asian_width(char) in "WF" else 7.2 for char in text)


def count_text(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


# Round numbers: marks of an axis, the length of a scale bar


def at_most(value: float) -> float:
    """Return the largest of ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, ... that is not above the value."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (0.5, 1, 2, 5) if step * power <= value * (1 + 1e-9))


def whole_ticks(top: int, about: int = 5) -> list[int]:
    """Return evenly spaced whole numbers from 0 to at most ``top``, in about ``about`` steps."""
    step = max(1, round(at_most(max(top, 1) / about * 1.5)))
    return list(range(0, top + 1, step))


def power_ticks(top: int) -> list[int]:
    """Return the powers 1, 10, 100, ... below ``top``, and ``top`` itself."""
    below = [10**i for i in range(len(str(max(top, 1)))) if 10**i < top / 2]
    return [*below, top]
