"""What every picture has to fulfil: well-formed, small, inert, and everything within its frame."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, fromstring

from hypothesis import strategies as st

TAGS = {"svg", "style", "g", "title", "text", "rect", "line", "circle", "path"}
HOSTILE = ["<script>alert(1)</script>", "]]>", "{{ 7 * 7 }}", "\u202eevil\u2066", "\0\ud800\ufffe", '"><img src=x>', ""]
HUGE = "x<" * 500_000
NAMES = st.sampled_from([*HOSTILE, "long " * 500]) | st.text(max_size=12)
"""What a subject may call something."""
ROUNDING = 0.6
LARGE = 70_000
Point = tuple[float, float]


def checked(markup: object, most: int = LARGE) -> Element:
    """The picture, if it is one."""
    text = str(markup)
    assert len(text.encode("utf-8", "replace")) < most
    svg = fromstring(text)
    assert {part.tag for part in svg.iter()} <= TAGS
    assert not [name for part in svg.iter() for name in part.attrib if name.startswith("on") or "href" in name]
    assert svg.get("role") == "img"
    assert svg.get("aria-label")
    left, top, wide, high = map(float, svg.get("viewBox", "").split())
    for x, y in _points(svg):
        assert left - ROUNDING <= x <= left + wide + ROUNDING, "a mark lies beside the picture"
        assert top - ROUNDING <= y <= top + high + ROUNDING, "a mark lies above or below the picture"
    return svg


def texts(svg: Element) -> list[str]:
    return [part.text or "" for part in svg.iter("text")]


def of_kind(svg: Element, kind: str) -> list[Element]:
    return [part for part in svg.iter() if kind in part.get("class", "").split()]


def _points(part: Element, x: float = 0.0, y: float = 0.0) -> Iterator[Point]:
    if moved := re.fullmatch(r"translate\((\S+) (\S+)\)", part.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    for px, py in _own(part):
        yield x + px, y + py
    for child in part:
        yield from _points(child, x, y)


def _own(part: Element) -> Iterator[Point]:
    value = {name: float(text) for name, text in part.attrib.items() if re.fullmatch(r"-?[\d.]+", text)}
    match part.tag:
        case "rect":
            yield value["x"], value["y"]
            yield value["x"] + value["width"], value["y"] + value["height"]
        case "circle":
            yield value["cx"] - value["r"], value["cy"] - value["r"]
            yield value["cx"] + value["r"], value["cy"] + value["r"]
        case "line":
            yield value["x1"], value["y1"]
            yield value["x2"], value["y2"]
        case "text":
            yield value["x"], value["y"]
        case "path":
            yield from along(part.get("d", ""))


def along(path: str) -> Iterator[Point]:
    """The points of a path: ends and handles; upper case is absolute, lower case relative."""
    x = y = 0.0
    for command, given in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+", given)]
        if command in "Hh":
            pairs = [(numbers[0] + (x if command == "h" else 0), y)]
        elif command in "Vv":
            pairs = [(x, numbers[0] + (y if command == "v" else 0))]
        else:
            moved = (x, y) if command.islower() else (0.0, 0.0)
            pairs = [(a + moved[0], b + moved[1]) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
        yield from pairs
        x, y = pairs[-1] if pairs else (x, y)
