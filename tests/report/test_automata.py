"""The picture of a model: everything is there, nothing covers anything else, and nothing in it is obeyed."""

import re
from collections.abc import Iterator
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.report.figures.automata import MAX_EDGES, MAX_LOCATIONS, picture
from rootward.report.figures.layers import ranks
from rootward.report.figures.svg import length
from rootward.traces.languages import Draft
from rootward.traces.model.guard import TRUE, Bound, Const, Param, Test, Var
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern
from tests.properties import examples

Test.__test__ = False  # type: ignore[attr-defined]  # it is no class of tests
SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


def parsed(model: Model) -> ElementTree.Element:
    return ElementTree.fromstring(picture(model))


def walked(node: ElementTree.Element, x: float = 0, y: float = 0) -> Iterator[tuple[ElementTree.Element, float, float]]:
    """Every part, with where its group is."""
    if moved := re.fullmatch(r"translate\((\S+) (\S+)\)", node.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    yield node, x, y
    for child in node:
        yield from walked(child, x, y)


def texts(svg: ElementTree.Element) -> list[tuple[str, Box]]:
    found = []
    for node, x, y in walked(svg):
        if node.tag == SVG + "text":
            left, base, wide = x + float(node.get("x", "")), y + float(node.get("y", "")), length(node.text or "")
            left -= wide / 2 if "middle" in node.get("class", "") else 0
            found.append((node.text or "", (left, base - 10, left + wide, base + 2)))
    return found


def rects(svg: ElementTree.Element, kind: str) -> list[Box]:
    found = []
    for node, x, y in walked(svg):
        if node.tag == SVG + "rect" and kind in node.get("class", ""):
            left, top = x + float(node.get("x", "")), y + float(node.get("y", ""))
            found.append((left, top, left + float(node.get("width", "")), top + float(node.get("height", ""))))
    return found


def lines(svg: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """Points along every line."""
    for node, x, y in walked(svg):
        if node.tag == SVG + "path" and node.get("class") in ("way", "time"):
            for px, py in along(node.get("d", "")):
                yield x + px, y + py


def along(path: str) -> Iterator[tuple[float, float]]:
    x = y = 0.0
    for command, given_ in re.findall(r"([MVHC])([^MVHC]*)", path):
        numbers = [float(one) for one in given_.split()]
        steps = [part / 10 for part in range(11)]
        if command == "C":
            x1, y1, x2, y2, x3, y3 = numbers
            for t in steps:
                u = 1 - t
                yield (
                    u**3 * x + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t**3 * x3,
                    u**3 * y + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t**3 * y3,
                )
            x, y = x3, y3
        else:
            to_x, to_y = {"M": (numbers[0], numbers[-1]), "V": (x, numbers[0]), "H": (numbers[0], y)}[command]
            if command != "M":
                yield from ((x + (to_x - x) * t, y + (to_y - y) * t) for t in steps)
            x, y = to_x, to_y


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def within(point: tuple[float, float], box: Box) -> bool:
    """Well within: numbers are written with one digit."""
    return box[0] + 0.3 < point[0] < box[2] - 0.3 and box[1] + 0.3 < point[1] < box[3] - 0.3


GUARDS = st.sampled_from(
    [
        TRUE,
        ((Bound("c", "<", 55_000),),),
        ((Test(Var("x"), "in", (1, 2)), Bound("c", ">=", 5000)), (Bound("c", "<", 1),)),
    ]
)
EVENTS = st.sampled_from([None, Pattern("res CTR ack <v:int>"), Pattern("req * " + "Long" * 20 + " ..."), Pattern("a")])
NAMES = [f"p{n}" for n in range(6)]
EDGES = st.builds(
    Edge,
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    EVENTS,
    GUARDS,
    st.sampled_from([{}, {"x": Const(0)}, {"x": Param("v"), "y": Var("x")}]),
    st.sampled_from([frozenset(), frozenset({"c"})]),
)


@st.composite
def components(draw: st.DrawFn) -> Component:
    edges = draw(st.lists(EDGES, max_size=14))
    there = draw(st.sets(st.sampled_from(NAMES))) | {"p0"} | {name for e in edges for name in (e.source, e.target)}
    locations = tuple(Location(name, draw(GUARDS), draw(GUARDS)) for name in sorted(there))
    initial = tuple(draw(st.lists(st.sampled_from(sorted(there)), min_size=1, max_size=2, unique=True)))
    return Component(draw(st.sampled_from(["C", "A component with a name"])), locations, initial, tuple(edges))


@examples(40)
@given(st.lists(components(), min_size=1, max_size=2))
def test_nothing_covers_anything_else(drawn: list[Component]) -> None:
    svg = parsed(Model("M", tuple(drawn), {"x": 0}, {"c": UNKNOWN}))
    _, _, wide, high = map(float, svg.get("viewBox", "").split())
    words, places, frames = [box for _, box in texts(svg)], rects(svg, "place"), rects(svg, "frame")
    assert len(places) == sum(len(component.locations) for component in drawn)
    for box in (*words, *places, *frames):
        assert min(box) >= 0
        assert (box[2] <= wide, box[3] <= high) == (True, True)
    for kind in (words, places, frames):
        assert all(apart(one, other) for one, other in combinations(kind, 2))
    for word in words:
        for place in places:
            inside = place[0] <= word[0] and word[2] <= place[2] and place[1] <= word[1] and word[3] <= place[3]
            assert inside or apart(word, place)
    for point in lines(svg):
        assert not any(within(point, box) for box in (*words, *places))


def one(*edges: Edge, **more: object) -> Model:
    names = dict.fromkeys(["a", *(name for edge in edges for name in (edge.source, edge.target))])
    return Model("M", (Component("C", tuple(map(Location, names)), ("a",), edges, **more),))  # type: ignore[arg-type]


def test_what_is_written() -> None:
    stay = Location("b", stay=((Bound("c", "<", 55_000),),), invariant=((Bound("c", "<=", 9_000),),))
    back = Edge("b", "a", None, ((Bound("c", ">=", 50_000),),), {"x": Const(0)}, frozenset({"c"}))
    edges = (Edge("a", "b", Pattern("req go")), Edge("a", "b", Pattern("req run"), label="run!"), back)
    svg = parsed(
        Model("Net", (Component("C", (Location("a"), stay), ("a",), edges, True),), {"x": 1}, {"c": UNKNOWN, "d": 2000})
    )
    written = [text for text, _ in texts(svg)]
    assert written == [
        "Net",
        "variables: x = 1",
        "clocks: c = unknown, d = 2 ms",
        "C (deterministic)",
        "req go",
        "run!",
        "time passes",
        "if c >= 50 ms",
        "x := 0, reset c",
        "a",
        "b",
        "stay c < 55 ms",
        "invariant c <= 9 ms",
    ]
    drawn = [node.get("class") for node, _, _ in walked(svg) if node.tag == SVG + "path"]
    assert drawn.count("time") == 1  # dashed
    assert drawn.count("way") == 2  # both edges in one arrow, and the one that marks the initial location
    assert len(rects(svg, "first")) == 1


def test_many_parallel_edges_are_counted() -> None:
    edges = [Edge("a", "b", Pattern(f"event {n}"), requirement=f"R{n}") for n in range(MAX_EDGES + 3)]
    svg = parsed(one(*edges))
    assert "… and 3 more" in [text for text, _ in texts(svg)]
    assert any("R8" in (node.text or "") for node in svg.iter(SVG + "title"))


def test_long_texts_are_whole_when_one_points_at_them() -> None:
    name = "req ECU " + "x" * 100
    svg = parsed(one(Edge("a", "a", Pattern(name))))
    assert all(len(text) <= 44 for text, _ in texts(svg))
    assert any(name in (node.text or "") for node in svg.iter(SVG + "title"))


def test_a_regular_expression_is_a_blank_and_whole_when_one_points_at_it() -> None:
    svg = parsed(one(Edge("a", "a", Pattern("req ECU <p=0100(?P<d>[0-9A-F]+)+>"))))
    assert "req ECU <p>" in [text for text, _ in texts(svg)]
    assert any("req ECU <p=0100(?P<d>[0-9A-F]+)+>" in (node.text or "") for node in svg.iter(SVG + "title"))


def test_nothing_is_obeyed() -> None:
    nasty = "</text><script>alert(1)</script>&amp;\0"
    locations = (Location(nasty, requirement=nasty),)
    model = Model(nasty, (Component(nasty, locations, (nasty,), (Edge(nasty, nasty, Pattern("x"), label=nasty),)),))
    text = picture(model)
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    ElementTree.fromstring(text)


def test_what_is_too_large_is_only_counted() -> None:
    names = [f"p{n}" for n in range(MAX_LOCATIONS + 1)]
    large = Component("C", tuple(map(Location, names)), ("p0",), ())
    assert f"{MAX_LOCATIONS + 1} locations, 0 edges: not drawn" in picture(Model("M", (large,)))
    pairs = [Edge(a, b, Pattern("x")) for a in names[:20] for b in names[:20]]
    assert "not drawn" in picture(one(*pairs))
    assert "0 locations" in picture(Model("M", (Component("C", (), (), ()),)))
    assert parsed(Model("M", ())).get("viewBox")


def test_undeclared_locations_are_left_out() -> None:
    svg = parsed(Model("M", (Component("C", (Location("a"),), ("z",), (Edge("a", "z", Pattern("x")),)),)))
    assert [text for text, _ in texts(svg)] == ["M", "C", "a"]


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_ranks_of_a_cycle(count: int) -> None:
    names = [f"p{n}" for n in range(count)]
    arrows = list(zip(names, [*names[1:], names[0]], strict=True))
    assert ranks(names, arrows) == {name: place for place, name in enumerate(names)}


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))))
def test_ranks_differ_along_arrows(arrows: list[tuple[str, str]]) -> None:
    found = ranks(NAMES, arrows)
    assert found["p0"] == 0
    assert all(found[source] != found[target] for source, target in arrows if source != target)


def test_patterns_of_uds_are_said_in_blanks() -> None:
    draft = Draft("M")
    draft.service(0x22, did={0xF190: {}})
    said = [text for text, _ in texts(parsed(draft.model()))]
    assert "req ReadDataByIdentifier F190" in said
    assert not any("(?" in text or "payload=" in text for text in said)
