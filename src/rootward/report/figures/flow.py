"""A pipeline from its sources to its ends: rows of nodes with their parameters, and where to put a check.

Parameters that affect the result only through the node with the check have the colour of the check: its result decides
about them. All other parameters are searched without the check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markupsafe import Markup

from rootward.report.figures.layers import LayerItem, arrange, join, ranks
from rootward.report.figures.svg import add, clean, count_text, drawing, length, markup, number, shorten

LINE, PAD, GAP, SIGN = 16.0, 10.0, 34.0, 24.0
"""The height of a line of text; then the space around texts, between rows, and for the tick beside the check."""
MAX_NAME, MAX_PARAMS = 26, 5
"""Maximum length of a name, in characters, and maximum number of parameters listed at a node."""
MAX_NODES, MAX_EDGES = 40, 160
"""Maximum number of nodes and of edges drawn; if a pipeline has more, only the part near the check is drawn."""
EXTRA_STYLE = """
.rw-flow.small { width: min(100%, 32rem); }
.rw-flow.medium { width: min(100%, 40rem); min-width: 28rem; }
.rw-flow.large { width: 100%; min-width: 46rem; }
.rw-flow .node { fill: color-mix(in srgb, currentColor 6%, Canvas); stroke: currentColor; stroke-opacity: .45; }
.rw-flow .before { fill: color-mix(in srgb, var(--way) 14%, Canvas); stroke: var(--way); stroke-opacity: .8; }
.rw-flow .check { fill: color-mix(in srgb, var(--way) 30%, Canvas); stroke: var(--way); stroke-width: 3; }
.rw-flow .end { stroke-dasharray: 5 3; }
.rw-flow text { stroke: none; text-anchor: middle; }
.rw-flow text.own { fill: var(--way); font-weight: 600; }
.rw-flow .edge { fill: none; stroke: currentColor; stroke-opacity: .5; stroke-width: 1.4; }
.rw-flow .head { fill: currentColor; fill-opacity: .6; }
.rw-flow .sign { fill: none; stroke: var(--way); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
"""


def draw_flow(finding: Mapping[str, Any]) -> Markup | None:
    """Draw the pipeline of a finding about checks; None if it is not known."""
    return _Flow(finding).svg() if finding.get("graph") else None


@dataclass(eq=False)
class _Node(LayerItem):
    """A node: its name, and for each parameter that it reads, the style and the text of a line."""

    name: str = ""
    lines: list[tuple[str, str]] = field(default_factory=list)

    @property
    def tall(self) -> float:
        return LINE * (1 + len(self.lines)) + PAD


class _Flow:
    def __init__(self, finding: Mapping[str, Any]) -> None:
        self.check, graph = finding["node"], finding["graph"]
        self.every, self.ends = len(graph["nodes"]), set(graph["ends"])
        row = next((row for row in finding["nodes"] if row["node"] == self.check), None)
        self.own, self.sizes = set(row["exclusive_to"] if row else ()), finding["sizes"]
        shown = _choose_nodes(graph, self.check)
        edges = [(one, other) for one, other in graph["edges"] if one != other and {one, other} <= shown][:MAX_EDGES]
        rank = ranks([name for name in graph["nodes"] if name in shown], edges)
        self.nodes = {name: self._node(name, rank[name], graph["reads"].get(name, ())) for name in rank}
        self.rows: list[list[LayerItem]] = [[] for _ in range(max(rank.values()) + 1)]
        for node in self.nodes.values():
            self.rows[node.row].append(node)
        self.chains = [self._chain(one, other) for one, other in dict.fromkeys(edges)]
        arrange(self.rows)
        self.tops = self._tops()

    def _node(self, name: str, row: int, reads: Any) -> _Node:
        lines = [("own" if one in self.own else "soft", self._parameter(one)) for one in reads[:MAX_PARAMS]]
        lines += [("soft", f"and {len(reads) - MAX_PARAMS} more")] if len(reads) > MAX_PARAMS else []
        texts = [1.1 * length(shorten(name, MAX_NAME)), *(length(shorten(text, MAX_NAME)) for _, text in lines)]
        half = max(texts) / 2 + PAD + 6
        return _Node(row, half, half, LINE * (1 + len(lines)) + PAD, name=name, lines=lines)

    def _parameter(self, name: str) -> str:
        return f"{shorten(name, MAX_NAME - 6)} ×{self.sizes[name]}" if name in self.sizes else name

    def _chain(self, one: str, other: str) -> tuple[LayerItem, list[LayerItem], LayerItem, bool]:
        """Return the upper node of an edge, the items that the edge passes, the lower node, and the direction.

        The direction is True if the edge points upwards.
        """
        upper, lower = sorted((self.nodes[one], self.nodes[other]), key=lambda node: node.row)
        way = [LayerItem(row) for row in range(upper.row + 1, lower.row)]
        for item in way:
            self.rows[item.row].append(item)
        join([upper, *way, lower])
        return upper, way, lower, self.nodes[one] is lower

    def _tops(self) -> list[float]:
        """Return the top of each row, and the bottom of the last row."""
        tops = [PAD]
        for row in self.rows:
            tops.append(tops[-1] + max(item.high for item in row) + GAP)
        return [*tops[:-1], tops[-1] - GAP + PAD]

    def svg(self) -> Markup:
        across = max(item.x + item.right for row in self.rows for item in row)
        wide = max(across + 2 * PAD + SIGN, 420.0)
        few = len(self.nodes) < self.every
        height = self.tops[-1] + (22 if few else 0)
        told = f"The pipeline: {count_text(self.every, 'node')}."
        told += f" The check belongs after {shorten(self.check, 60)}." if self.check else ""
        size = "small" if wide <= 560 else "medium" if wide <= 760 else "large"
        svg = drawing(height, told, wide=wide, kind=f"rw-flow {size}", style=EXTRA_STYLE)
        group = SubElement(svg, "g", {"transform": f"translate({number((wide - across) / 2)} 0)"})
        for upper, way, lower, up in self.chains:
            self._draw_edge(group, upper, way, lower, up)
        for node in self.nodes.values():
            self._draw_node(group, node)
        if few:
            said = f"{len(self.nodes)} of {self.every:,} nodes: those nearest to the check"
            add(svg, "text", "soft", said, x=wide / 2, y=height - 8)
        return markup(svg)

    def _draw_edge(self, group: Element, upper: LayerItem, way: list[LayerItem], lower: LayerItem, up: bool) -> None:
        """Draw an edge, bending it only in the gaps between rows."""
        x, y = upper.x, self.tops[upper.row] + upper.high
        path = f"M{number(x)} {number(y)}"
        for item in [*way, lower]:
            to = self.tops[item.row]
            middle = number((y + to) / 2)
            path += f"C{number(x)} {middle} {number(item.x)} {middle} {number(item.x)} {number(to)}"
            x, y = item.x, to
            if item is not lower:
                y = to + max(other.high for other in self.rows[item.row])
                path += f"V{number(y)}"
        add(group, "path", "edge", d=path)
        at_x, at_y = (upper.x, self.tops[upper.row] + upper.high) if up else (x, y)
        add(group, "path", "head", d=f"M{number(at_x)} {number(at_y)}l-4 {8 if up else -8}h8z")

    def _draw_node(self, group: Element, node: _Node) -> None:
        y, checked = self.tops[node.row], node.name == self.check
        settled = any(kind == "own" for kind, _ in node.lines)
        kind = "node check" if checked else "node before" if settled else "node"
        kind += " end" if node.name in self.ends else ""
        box = SubElement(group, "g")
        SubElement(box, "title").text = clean("\n".join([node.name[:300], *(text[:300] for _, text in node.lines)]))
        add(box, "rect", kind, x=node.x - node.left + 4, y=y, width=node.left + node.right - 8, height=node.tall, rx=7)
        add(box, "text", "title", shorten(node.name, MAX_NAME), x=node.x, y=y + LINE)
        for place, (style, text) in enumerate(node.lines):
            add(box, "text", style, shorten(text, MAX_NAME), x=node.x, y=y + LINE * (place + 2))
        if checked:
            right = node.x + node.right + 2
            add(box, "path", "sign", d=f"M{number(right)} {number(y + node.tall / 2)}l5 6l9 -13")


def _choose_nodes(graph: Mapping[str, Any], check: str | None) -> set[str]:
    """Return the nodes to draw.

    These are all nodes or, if there are too many, the ones nearest to the check, measured in edges.
    """
    if len(graph["nodes"]) <= MAX_NODES:
        return set(graph["nodes"])
    beside: dict[str, list[str]] = {name: [] for name in graph["nodes"]}
    for one, other in graph["edges"]:
        beside[one].append(other)
        beside[other].append(one)
    found = dict.fromkeys([check if check in beside else graph["nodes"][0]])
    queue = list(found)
    while queue and len(found) < MAX_NODES:
        name = queue.pop(0)
        for other in beside[name]:
            if other not in found and len(found) < MAX_NODES:
                found[other] = None
                queue.append(other)
    return set(found)
