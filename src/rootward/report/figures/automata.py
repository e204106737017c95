"""A model as a picture: an automaton for each component, in a box of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from rootward.report.figures.layers import LayerItem, arrange, join, ranks
from rootward.report.figures.svg import add, clean, count_text, length, number, shorten
from rootward.traces.model.guard import TRUE, format_duration, format_guard
from rootward.traces.model.model import Component, Edge, Location, Model, Unknown
from rootward.traces.output.words import make_readable

STYLE = """
.rw-automata { background: #fff; background: Canvas; color: #1b1b1b; color: CanvasText; color-scheme: light dark;
  font: 12px ui-monospace, "DejaVu Sans Mono", monospace; --soft: #666; --way: light-dark(#1a5fb4, #8ab4f8); }
.rw-automata text { fill: currentColor; white-space: pre; }
.rw-automata .title { font-weight: 700; }
.rw-automata .soft { fill-opacity: .7; }
.rw-automata .middle { text-anchor: middle; }
.rw-automata .frame { fill: none; stroke: currentColor; stroke-opacity: .25; }
.rw-automata .place { fill: #f2f4f7; fill: color-mix(in srgb, currentColor 6%, Canvas); stroke: currentColor; }
.rw-automata .first { stroke-width: 2.5; }
.rw-automata .way, .rw-automata .time { fill: none; stroke: #1a5fb4; stroke: var(--way); stroke-width: 1.4; }
.rw-automata .time { stroke-dasharray: 5 4; }
.rw-automata .head { fill: #1a5fb4; fill: var(--way); }
.rw-automata .start { fill: currentColor; }
"""
PAD, ROUND = 10.0, 8.0
MAX_LOCATIONS, MAX_ARROWS = 120, 300
"""Maximum number of locations and of arrows of a component that is drawn."""
LOOP, START = 30.0, 26.0
"""Width of a loop, and of the mark of the initial location."""


def picture(model: Model) -> str:
    """Return an SVG file of the whole network."""
    automata = [_Automaton(component) for component in model.components]
    widest = max((one.width for one in automata), default=0.0)
    area = sum((one.width + PAD) * (one.height + PAD) for one in automata)
    wide = max(widest, 480.0, min(1900.0, math.sqrt(1.6 * area)))
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "rw-automata", "role": "img"})
    svg.set("aria-label", clean(f"{model.name}: {count_text(len(automata), 'component')}"))
    SubElement(svg, "style").text = STYLE
    bottom = _place_automata(svg, automata, _header(svg, model, wide), wide)
    svg.set("viewBox", f"0 0 {number(wide + 2 * PAD)} {number(bottom)}")
    svg.set("width", number(wide + 2 * PAD))
    svg.set("height", number(bottom))
    return tostring(svg, encoding="unicode")


def _header(svg: Element, model: Model, wide: float) -> float:
    """Write the name, the variables and the clocks; return the position below them."""
    fits = int((wide - PAD) / length("x"))
    write(svg, "title", model.name, PAD, PAD + LINE, fits)
    variables = (f"{name} = {value}" for name, value in model.variables.items())
    clocks = (f"{n} = {v if isinstance(v, Unknown) else format_duration(v)}" for n, v in model.clocks.items())
    y = PAD + LINE
    for what, values in (("variables", ", ".join(variables)), ("clocks", ", ".join(clocks))):
        if values:
            y += LINE
            write(svg, "soft", f"{what}: {values}", PAD, y, fits)
    return y + PAD


def _place_automata(svg: Element, automata: Sequence[_Automaton], top: float, wide: float) -> float:
    """Draw the automata side by side, in as many rows as necessary; return the position below them."""
    x, high = PAD, 0.0
    for one in automata:
        if x > PAD and x + one.width > wide + PAD:
            x, top, high = PAD, top + high + PAD, 0.0
        one.draw(SubElement(svg, "g", {"transform": f"translate({number(x)} {number(top)})"}))
        x, high = x + one.width + PAD, max(high, one.height)
    return top + high + PAD


@dataclass(eq=False)
class _Place(LayerItem):
    """A location: its box, and the space for the loops to its right."""

    wide: float = 0.0
    tall: float = 0.0


class _Automaton:
    """A component with the layout of its locations and arrows."""

    def __init__(self, component: Component) -> None:
        self.component = component
        self.title = component.name + (" (deterministic)" if component.deterministic else "")
        self.items: dict[str, _Place] = {}
        self.chains: list[tuple[Arrow, _Place, list[LayerItem], _Place]] = []
        self.loops: dict[str, list[Arrow]] = {}
        self.rows: list[list[LayerItem]] = []
        pairs = {(edge.source, edge.target) for edge in component.edges}
        self.small = 0 < len(component.locations) <= MAX_LOCATIONS and len(pairs) <= MAX_ARROWS
        if self.small:
            self._build()
        self.tops = self._tops()
        inside = max((item.x + item.right for row in self.rows for item in row), default=0.0)
        self.width = max(inside, length(shorten(self.title, MAX_LINE)), 0.0 if self.small else 300.0) + 2 * PAD
        self.height = self.tops[-1] + PAD

    def _build(self) -> None:
        known = {location.name for location in self.component.locations}
        arrows: dict[tuple[str, str, bool], Arrow] = {}
        for edge in self.component.edges:
            if {edge.source, edge.target} <= known:
                key = edge.source, edge.target, edge.on is None
                arrows.setdefault(key, Arrow(*key, [])).edges.append(edge)
        first = [name for name in self.component.initial if name in known]
        names = dict.fromkeys([*first, *(location.name for location in self.component.locations)])
        rank = ranks(names, [(arrow.source, arrow.target) for arrow in arrows.values()])
        self.rows = [[] for _ in range(2 * max(rank.values()) + 1)]
        self.loops = {name: [a for a in arrows.values() if a.source == a.target == name] for name in names}
        ways = [arrow for arrow in arrows.values() if arrow.source != arrow.target]
        for location in {location.name: location for location in self.component.locations}.values():
            self._locate(location, 2 * rank[location.name], ways)
        for arrow in ways:
            self._route_arrow(arrow)
        arrange(self.rows)

    def _locate(self, location: Location, row: int, ways: Sequence[Arrow]) -> None:
        lines, loops = _location_lines(location), self.loops[location.name]
        ends = sum(location.name in (arrow.source, arrow.target) for arrow in ways)
        wide = max(max(length(shorten(text, MAX_LINE)) for _, text in lines), 14.0 * ends, 40.0) + 2 * PAD
        tall = max(LINE * len(lines) + PAD, 28.0 * len(loops))
        reach = LOOP + max(loop.width for loop in loops) if loops else 0.0
        start = START if location.name in self.component.initial else 0.0
        high = max(tall, sum(loop.height for loop in loops))
        place = _Place(row, wide / 2 + start, wide / 2 + reach, high, wide=wide, tall=tall)
        self.items[location.name] = place
        self.rows[row].append(place)

    def _route_arrow(self, arrow: Arrow) -> None:
        """Route an arrow through the rows between its ends, with its text in the emptiest row."""
        upper, lower = sorted((self.items[arrow.source], self.items[arrow.target]), key=lambda item: item.row)
        odd = range(upper.row + 1, lower.row, 2)
        where = min(odd, key=lambda row: sum(item.left + item.right for item in self.rows[row]))
        way = [LayerItem(row) for row in range(upper.row + 1, lower.row)]
        label = way[where - upper.row - 1]
        label.right, label.high = arrow.width + 6, arrow.height
        for item in way:
            self.rows[item.row].append(item)
        join([upper, *way, lower])
        self.chains.append((arrow, upper, way, lower))

    def _tops(self) -> list[float]:
        """Return the top of each row, and the bottom of the last row.

        The gap below a row is higher if lines from it go far sideways.
        """
        tops, y = [], 2 * PAD + LINE
        for row in self.rows:
            tops.append(y)
            aside = max((abs(item.x - other.x) for item in row for other in item.below), default=0.0)
            y += max(item.high for item in row) + (22.0 + min(44.0, aside / 8) if row is not self.rows[-1] else 0.0)
        return [*tops, y if self.rows else y + LINE]

    def _bottom(self, row: int) -> float:
        return self.tops[row] + max(item.high for item in self.rows[row])

    def _middle(self, row: int) -> float:
        return (self.tops[row] + self._bottom(row)) / 2

    def draw(self, group: Element) -> None:
        add(group, "rect", "frame", x=0, y=0, width=self.width, height=self.height, rx=ROUND)
        write(group, "title", self.title, PAD, PAD + LINE * 0.8)
        if not self.small:
            there = self.component
            text = f"{count_text(len(there.locations), 'location')}, {count_text(len(there.edges), 'edge')}: not drawn"
            write(group, "soft", text, PAD, PAD + LINE * 2)
            return
        inner = SubElement(group, "g", {"transform": f"translate({number(PAD)} 0)"})
        for arrow, upper, way, lower in self.chains:
            self._draw_arrow(inner, arrow, upper, way, lower)
        for location in self.component.locations:
            self._draw_location(inner, location, self.items[location.name])

    def _draw_arrow(self, group: Element, arrow: Arrow, upper: _Place, way: Sequence[LayerItem], lower: _Place) -> None:
        """Draw an arrow: straight within rows, bent between them."""
        x, y = _port(upper, way[0]), self._middle(upper.row) + upper.tall / 2
        end_x, end_y = _port(lower, way[-1]), self._middle(lower.row) - lower.tall / 2
        path, at, row = f"M{number(x)} {number(y)}", x, upper.row
        for to_x, to_row in [*((item.x, item.row) for item in way), (end_x, lower.row)]:
            path += f"V{number(self._bottom(row))}" + _bend(at, self._bottom(row), to_x, self.tops[to_row])
            at, row = to_x, to_row
        add(group, "path", "time" if arrow.timed else "way", d=f"{path}V{number(end_y)}")
        upwards = self.items[arrow.source] is lower
        add(group, "path", "head", d=_head(x, y, 8.0) if upwards else _head(end_x, end_y, -8.0))
        label = max(way, key=lambda item: item.right)
        arrow.describe(group, label.x + 8, self._middle(label.row))

    def _draw_location(self, group: Element, location: Location, place: _Place) -> None:
        lines, y, left = _location_lines(location), self._middle(place.row), place.x - place.wide / 2
        first = location.name in self.component.initial
        if first:
            _draw_start(group, left, y)
        box = SubElement(group, "g")
        SubElement(box, "title").text = clean("\n".join(filter(None, [*(t for _, t in lines), location.requirement])))
        kind = "place first" if first else "place"
        add(box, "rect", kind, x=left, y=y - place.tall / 2, width=place.wide, height=place.tall, rx=ROUND)
        for turn, (kind, text) in enumerate(lines):
            write(box, f"{kind} middle", text, place.x, y - LINE * len(lines) / 2 + LINE * (turn + 0.78))
        self._draw_loops(group, self.loops[location.name], place, y)

    def _draw_loops(self, group: Element, loops: Sequence[Arrow], place: _Place, y: float) -> None:
        x, top = place.x + place.wide / 2, y - sum(loop.height for loop in loops) / 2
        for turn, loop in enumerate(loops):
            at = y + place.tall * ((turn + 0.5) / len(loops) - 0.5)
            out = number(x + LOOP - 2)
            bent = f"M{number(x)} {number(at - 6)}C{out} {number(at - 14)} {out} {number(at + 15)}"
            add(group, "path", "time" if loop.timed else "way", d=f"{bent} {number(x + 6)} {number(at + 7)}")
            add(group, "path", "head", d=f"M{number(x)} {number(at + 6)}l8.5 -3v8z")
            loop.describe(group, x + LOOP, top + loop.height / 2)
            top += loop.height


def _draw_start(group: Element, x: float, y: float) -> None:
    add(group, "circle", "start", cx=x - START + 5, cy=y, r=4)
    add(group, "path", "way", d=f"M{number(x - START + 9)} {number(y)}H{number(x - 6)}")
    add(group, "path", "head", d=f"M{number(x)} {number(y)}l-8 -4v8z")


def _port(place: _Place, neighbour: LayerItem) -> float:
    """Return the x coordinate at which the line to ``neighbour`` meets the box of a location.

    The lines on one side of the box are side by side, in the order of the items that they lead to.
    """
    side = sorted(place.below if neighbour.row > place.row else place.above, key=lambda item: item.x)
    step = min(40.0, (place.wide - 2 * PAD) / len(side))
    return place.x + step * (side.index(neighbour) - (len(side) - 1) / 2)


def _location_lines(location: Location) -> list[tuple[str, str]]:
    lines = [("title", location.name)]
    if location.stay != TRUE:
        lines.append(("", f"stay {format_guard(location.stay)}"))
    if location.invariant != TRUE:
        lines.append(("", f"invariant {format_guard(location.invariant)}"))
    return lines


def _bend(x: float, y: float, to_x: float, to_y: float) -> str:
    if abs(x - to_x) < 0.5:
        return f"V{number(to_y)}"
    middle = number((y + to_y) / 2)
    return f"C{number(x)} {middle} {number(to_x)} {middle} {number(to_x)} {number(to_y)}"


def _head(x: float, y: float, back: float) -> str:
    """Return an arrow head with its tip at (``x``, ``y``).

    ``back`` is the offset from the tip to the base of the head.
    """
    return f"M{number(x)} {number(y)}l-4 {number(back)}h8z"


# The text beside an arrow: its events, conditions and updates, each shortened to a line

LINE = 15.0
MAX_LINE = 44
"""Maximum length of a line, in characters."""
MAX_EDGES = 6
"""Maximum number of edges that an arrow spells out."""


def write(parent: Element, kind: str, text: str, x: float, y: float, limit: int = MAX_LINE) -> None:
    """Write a line of text, cut to ``limit`` characters.

    A text that was cut gets a tooltip with the whole text.
    """
    line = shorten(text, limit)
    part = add(parent, "text", kind, line, x=x, y=y)
    if line != text:
        SubElement(part, "title").text = clean(text)


@dataclass
class Arrow:
    """The edges from one location to another, drawn as one arrow.

    ``timed`` says which of them it stands for: those about time, or those about events.
    """

    source: str
    target: str
    timed: bool
    edges: list[Edge]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The lines of text beside the arrow, each with its style."""
        found = [line for edge in self.edges[:MAX_EDGES] for line in _lines(edge)]
        more = len(self.edges) - MAX_EDGES
        return [*found, ("soft", f"… and {more} more")] if more > 0 else found

    @property
    def width(self) -> float:
        return max(length(shorten(text, MAX_LINE)) for _, text in self.lines) + 8

    @property
    def height(self) -> float:
        return LINE * len(self.lines) + 4

    def describe(self, parent: Element, x: float, middle: float) -> None:
        """Write the text of the arrow, from ``x`` to the right and centred vertically on ``middle``."""
        group = SubElement(parent, "g")
        SubElement(group, "title").text = clean("\n\n".join(map(_edge_text, self.edges)))
        for place, (kind, text) in enumerate(self.lines):
            add(group, "text", kind, shorten(text, MAX_LINE), x=x, y=middle - self.height / 2 + LINE * (place + 0.8))


def _lines(edge: Edge) -> list[tuple[str, str]]:
    lines = [("title", edge.label or make_readable(edge.event))]
    if edge.when != TRUE:
        lines.append(("", f"if {format_guard(edge.when)}"))
    if updates := _updates(edge):
        lines.append(("soft", updates))
    return lines


def _updates(edge: Edge) -> str:
    written = [f"{name} := {term}" for name, term in edge.set.items()]
    return ", ".join([*written, *(f"reset {clock}" for clock in sorted(edge.reset))])


def _edge_text(edge: Edge) -> str:
    """Return the whole text of an edge, for its tooltip."""
    lines = [f"{edge.source} -> {edge.target}", edge.event, *(text for _, text in _lines(edge)[1:]), edge.requirement]
    return "\n".join(filter(None, lines))
