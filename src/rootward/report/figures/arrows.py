"""What is written beside an arrow of an automaton: its events, conditions and updates, each shortened to a line."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from rootward.report.figures.svg import add, clean, length, short
from rootward.traces.guard import TRUE, said
from rootward.traces.model import Edge
from rootward.traces.output.readable import readable

LINE = 15.0
WIDEST = 44
"""Characters of a line."""
SPELT = 6
"""Edges that one arrow spells out."""


def write(parent: Element, kind: str, text: str, x: float, y: float, limit: int = WIDEST) -> None:
    """A line of text. What is too long is whole when one points at it."""
    line = short(text, limit)
    part = add(parent, "text", kind, line, x=x, y=y)
    if line != text:
        SubElement(part, "title").text = clean(text)


@dataclass
class Arrow:
    """All edges from one location to another, in one line: those about events, or those about time."""

    source: str
    target: str
    timed: bool
    edges: list[Edge]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What is written beside it, with the style of each line."""
        found = [line for edge in self.edges[:SPELT] for line in _lines(edge)]
        more = len(self.edges) - SPELT
        return [*found, ("soft", f"… and {more} more")] if more > 0 else found

    @property
    def width(self) -> float:
        return max(length(short(text, WIDEST)) for _, text in self.lines) + 8

    @property
    def height(self) -> float:
        return LINE * len(self.lines) + 4

    def describe(self, parent: Element, x: float, middle: float) -> None:
        """Write its text, from ``x`` on."""
        group = SubElement(parent, "g")
        SubElement(group, "title").text = clean("\n\n".join(map(_whole, self.edges)))
        for place, (kind, text) in enumerate(self.lines):
            add(group, "text", kind, short(text, WIDEST), x=x, y=middle - self.height / 2 + LINE * (place + 0.8))


def _lines(edge: Edge) -> list[tuple[str, str]]:
    lines = [("title", edge.label or readable(edge.event))]
    if edge.when != TRUE:
        lines.append(("", f"if {said(edge.when)}"))
    if updates := _updates(edge):
        lines.append(("soft", updates))
    return lines


def _updates(edge: Edge) -> str:
    written = [f"{name} := {term}" for name, term in edge.set.items()]
    return ", ".join([*written, *(f"reset {clock}" for clock in sorted(edge.reset))])


def _whole(edge: Edge) -> str:
    """An edge in full, for those who point at it."""
    lines = [f"{edge.source} -> {edge.target}", edge.event, *(text for _, text in _lines(edge)[1:]), edge.requirement]
    return "\n".join(filter(None, lines))
