"""The planes of a rule: well-formed and inert, everything inside, and the border where the rule changes."""

import math
import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.report.figures.plane_axis import PlaneAxis, distinct, number
from rootward.report.figures.rule_region import RuleRegion, Segment, pairs
from rootward.report.figures.scatter import BOTTOM, LEFT, MAX_PANELS, RIGHT, TOP, Planes, draw_planes
from rootward.report.figures.svg import WIDTH
from rootward.report.figures.uncertainty import Uncertainty
from rootward.rules import Atom, Rule
from rootward.rules.quantity import Quantity
from rootward.searches.conditions.decision import DecisionNode
from rootward.searches.conditions.rule_finding import EdgePair, RuleFinding
from rootward.searches.conditions.trees.sampling import information
from rootward.space.compression import compress
from tests.properties import examples

from .runs import run

LARGEST = 70_000
AREA = Rule([[Atom(Quantity("*", "width", "height"), ">", 2**31 - 1)]])
NAN, INF = math.nan, math.inf


def finding(rule: Rule, **known: Any) -> dict[str, Any]:
    return RuleFinding(rule=rule, of=3, fails=1, passes=1, **known).to_dict()


def drawn(rule: Rule, columns: dict[str, list[Any]], verdicts: list[str] | None = None, **known: Any) -> Planes:
    said = verdicts or ["FAIL" if fails else "PASS" for fails in rule.holds_many(columns)]
    found = draw_planes(run(finding(rule, **known), columns, said))
    assert found is not None
    return found


def marked(svg: Element, kind: str) -> list[Element]:
    return [part for part in svg.iter() if kind in part.get("class", "").split()]


def starts(parts: list[Element]) -> list[tuple[float, float]]:
    found = [re.findall(r"M(-?[\d.]+) (-?[\d.]+)", part.get("d", "")) for part in parts]
    return [(float(x), float(y)) for some in found for x, y in some]


def test_a_panel_shows_runs_region_and_doubt() -> None:
    columns = {"width": [10**5, 10, 10**6, 3], "height": [10**5, 10, 10, 10**8]}
    found = drawn(AREA, columns)
    svg = fromstring(found.panels[0])
    assert svg.get("role") == "img"
    assert (len(marked(svg, "fail")), len(marked(svg, "pass"))) == (1, 3)
    assert marked(svg, "fail")[0][0].text == "trial 1: FAIL with height = 100000, width = 100000"
    assert marked(svg, "region")[0].get("d")
    assert marked(svg, "border")[0].get("d")
    assert len(marked(svg, "doubt")) > 2
    assert not found.faint
    assert (found.doubt, found.more, found.other) == (True, [], False)


def test_other_fields_are_as_in_the_failing_run() -> None:
    rule = Rule([[Atom("x", ">", 5), Atom("gear", "=", "R"), Atom("eco", "=", True)]])
    columns: dict[str, list[Any]] = {"x": [7, 9, 3, 8], "gear": ["R", "R", "R", "D"], "eco": [True, True, True, False]}
    found = drawn(rule, columns)
    assert len(found.panels) == 3
    assert sorted(found.held) == ["eco = true", "gear = R", "x = 7"]
    assert found.faint
    plane = fromstring(found.panels[found.held.index("gear = R")])
    assert (len(marked(plane, "off")), len(marked(plane, "pass")), len(marked(plane, "fail"))) == (1, 2, 2)


def test_only_some_pairs_have_a_panel() -> None:
    rule = Rule([[Atom("a", ">", 1), Atom("b", ">", 1)], [Atom(Quantity("+", "d", "e"), ">", 1), Atom("c", ">", 1)]])
    assert pairs(rule)[0] == ("d", "e")
    assert {frozenset(pair) for pair in pairs(rule)[1:4]} == {frozenset("ab"), frozenset("cd"), frozenset("ce")}
    found = drawn(rule, {name: [2.0, 0.0] for name in "abcde"})
    assert (len(found.panels), len(found.more)) == (MAX_PANELS, 4)
    assert found.more[0].count(" and ") == 1


def test_a_single_field_is_a_strip() -> None:
    found = drawn(Rule([[Atom("speed", ">", 4500)]]), {"speed": [5000, 4501, 4500, 0, -3]})
    (svg,) = map(fromstring, found.panels)
    texts = [text.text for text in svg.iter("text")]
    assert {"failed", "passed", "4500", "speed"} <= set(texts)
    assert (len(marked(svg, "fail")), len(marked(svg, "pass"))) == (2, 3)


def test_a_value_that_the_rule_names_has_a_lane_of_its_own() -> None:
    rule = Rule([[Atom("mode", "=", "z")]])
    svg = fromstring(drawn(rule, {"mode": [chr(97 + i) for i in range(26)]}).panels[0])
    texts = [part.text for part in svg.iter() if part.tag.endswith("text")]
    assert "z" in texts
    assert "rest" in texts
    assert marked(svg, "region")[0].get("d")


def test_without_trials_the_runs_beside_the_border_are_shown() -> None:
    edges = (EdgePair({"width": 65536, "height": 32768}, {"width": 65535, "height": 32768}),)
    found = draw_planes(run(finding(AREA, edges=edges)))
    assert found is not None
    assert not found.doubt
    assert len(marked(fromstring(found.panels[0]), "fail")) == 1
    assert draw_planes(run(finding(AREA))) is None
    assert draw_planes(run(finding(Rule.never()), {"a": [1]}, ["FAIL"])) is None


def test_an_equality_of_two_fields_is_a_line() -> None:
    rule = Rule([[Atom(Quantity("==", "a", "b"), "=", True), Atom("a", "<", 100)]])
    found = drawn(rule, {"a": [7, -1000, 50, 1000], "b": [7, 3, 2**31 - 1, 1000]})
    (border,) = marked(fromstring(found.panels[0]), "border")
    assert len(starts([border])) > 10
    assert max(x for x, _ in starts([border])) < RIGHT - 50  # where a is below 100


def test_five_thousand_runs_make_a_small_figure() -> None:
    rng = np.random.default_rng(0)
    columns = {name: (rng.normal(size=5_000) * 1e6).tolist() for name in ("width", "height")}
    found = drawn(AREA, columns)
    assert len(found.panels[0]) < LARGEST
    assert len(starts(marked(fromstring(found.panels[0]), "fail"))) > 100


hostile = st.sampled_from(
    ["<script>alert(1)</script>", "]]>", "{{ 7 }}", "\u202eevil\udcff\0", "x" * 1_000_000, "", None]
)
numbers = st.floats() | st.integers(-(2**70), 2**70) | st.sampled_from([0, 1, 5, 4500, INF, -INF, NAN, 10**400])
cells = numbers | st.booleans() | hostile | st.lists(st.integers(), max_size=2)
names = ["speed", "<script>", "]]>\u202e"]
atoms = st.builds(Atom, st.sampled_from(names), st.sampled_from(["=", "!="]), cells)
bounds = st.builds(Atom, st.sampled_from(names), st.sampled_from(["<", ">", "<=", ">="]), numbers)
sums = st.builds(
    lambda op, bound: Atom(Quantity(op, *names[:2]), ">", bound), st.sampled_from(["+", "-", "*"]), numbers
)
rules = st.lists(st.lists(atoms | bounds | sums, min_size=1, max_size=3), min_size=1, max_size=2).map(Rule)


@given(rules, st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=8), st.data())
@examples(25)
def test_figures_are_inert_small_and_inside(rule: Rule, rows: list[tuple[Any, ...]], data: st.DataObject) -> None:
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    verdict = st.sampled_from(["FAIL", "PASS", "OTHER", "UNRESOLVED"])
    found = draw_planes(run(finding(rule), columns, ["FAIL", *(data.draw(verdict) for _ in rows[1:])]))
    for panel in found.panels if found else ():
        assert len(panel) < LARGEST
        assert "<script" not in panel
        svg = fromstring(panel)
        assert not list(svg.iter("script"))
        _, _, width, height = map(float, svg.get("viewBox", "").split())
        paths = [part for kind in ("fail", "pass", "other", "border", "region", "doubt") for part in marked(svg, kind)]
        assert not re.search(r"nan|inf|\de", " ".join(part.get("d", "") for part in paths))
        assert all(0 <= x <= width and 0 <= y <= height for x, y in starts(paths))
        assert all(0 <= float(text.get("x", "0")) <= WIDTH for text in svg.iter("text"))


RULES = [
    Rule([[Atom("x", ">", 4500), Atom("y", "<=", -10)]]),
    Rule([[Atom(Quantity("*", "x", "y"), ">", 1e6)]]),
    Rule([[Atom(Quantity("abs", "x"), "<", 100)], [Atom(Quantity("<", "x", "y"), "=", True), Atom("y", ">", 0)]]),
]


@pytest.mark.parametrize("rule", RULES)
def test_the_border_is_where_the_rule_changes(rule: Rule) -> None:
    across = PlaneAxis("x", [-1e6, 1e6, NAN], LEFT, RIGHT, named=[4500, -100, 100], listed=False)
    up = PlaneAxis("y", [-1e6, 1e6], BOTTOM, TOP, named=[-10, 0], listed=False)
    region = RuleRegion.of(lambda xs, ys: rule.holds_many({"x": xs, "y": ys}), across, up)
    rng = np.random.default_rng(1)
    checked = 0
    for x, y in rng.uniform((LEFT, TOP), (RIGHT, BOTTOM), (300, 2)):
        between = across.ends[1] < x < across.ends[1] + 5  # numbers and the lane beside them
        if between or _nearest((x, y), region.border) < 4:
            continue
        assert _inside(region, x, y) == rule.holds({"x": across.value_at(x), "y": up.value_at(y)}), (x, y)
        checked += 1
    assert checked > 150


def _inside(region: RuleRegion, x: float, y: float) -> bool:
    if any(left <= x <= left + w and top <= y <= top + h for left, top, w, h in region.rectangles):
        return True
    return any(_covers(piece, x, y) for piece in region.pieces)


def _covers(piece: list[tuple[float, float]], x: float, y: float) -> bool:
    odd = False
    for (a, b), (c, d) in zip(piece, piece[1:] + piece[:1], strict=True):
        if (b > y) != (d > y) and x < a + (c - a) * (y - b) / (d - b):
            odd = not odd
    return odd


def _nearest(point: tuple[float, float], border: list[Segment]) -> float:
    one, two = np.array(border).transpose(1, 0, 2)
    along, at = two - one, np.array(point)
    share = np.clip(((at - one) * along).sum(1) / np.maximum((along**2).sum(1), 1e-9), 0, 1)
    return float(np.linalg.norm(at - one - share[:, None] * along, axis=1).min())


@given(st.lists(numbers, min_size=1, max_size=6), st.booleans())
@examples(50)
def test_a_value_is_where_its_place_says(values: list[Any], backwards: bool) -> None:
    start, end = (300.0, 10.0) if backwards else (10.0, 300.0)
    axis = PlaneAxis("x", distinct(values), start, end, named=[], listed=False)
    for value in values:
        at = axis.place_of(value)
        assert at is not None
        assert 10 <= at <= 300
    placed = sorted(
        (value for value in values if value == value), key=lambda value: compress(min(max(value, -1e308), 1e308))
    )
    places: list[Any] = [axis.place_of(value) for value in placed if abs(value) < INF]
    assert places == sorted(places, reverse=backwards)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1000, "1e3"), (-(2**31), "-2**31"), (2**31 - 1, "2**31-1"), (math.pi / 2, "pi/2"), (4500, "4500"), (0.25, "0.25"),
     (1.7976931348623157e308, "1.8e308"), (100.0, "100"), (-1e6, "-1e6"), (0.1 + 0.2, "0.3")],
)  # fmt: skip
def test_numbers_are_written_as_engineers_do(value: Any, text: str) -> None:
    assert number(value) == text


def test_doubt_is_low_at_runs_and_high_between_them() -> None:
    doubt = Uncertainty({"x": [0.0, 100.0, NAN], "gear": ["P", "P", "R"]}, [True, False, False])
    places: dict[str, list[Any]] = {"x": [0.0, 100.0, 7.5, 1e9], "gear": ["P"] * 4}
    at = doubt.at(places, np.array([True, False, True, False]))
    assert at[:2] == pytest.approx([0, 0])
    assert at[2] > 0.8
    same, other = np.array([compress(7.5)]), np.array([compress(100.0) - compress(7.5)])
    assert at[2] == pytest.approx(information(same, other)[0])
    elsewhere = doubt.at({"x": [NAN, INF], "gear": ["R", "P"]}, np.array([False, True]))
    assert elsewhere[0] == 0
    assert elsewhere[1] > 0.9


@given(st.lists(st.tuples(st.sampled_from([0.0, -3.5, 1e6, NAN, INF]), st.sampled_from("PRN"), st.booleans())))
def test_the_doubt_does_not_depend_on_how_the_nearest_run_is_looked_for(runs: list[tuple[float, str, bool]]) -> None:
    columns: dict[str, list[Any]] = {"x": [x for x, _, _ in runs], "gear": [gear for _, gear, _ in runs]}
    doubt = Uncertainty(columns, [fails for _, _, fails in runs])
    places: dict[str, list[Any]] = {"x": [0.0, 2.0, 2e6, INF], "gear": ["P", "R", "D", "P"]}
    predicted = np.array([True, False, True, False])
    with pytest.MonkeyPatch.context() as patch:
        compared = doubt.at(places, predicted)
        patch.setattr("rootward.report.figures.uncertainty.MAX_COMPARED", 0)
        assert compared == pytest.approx(doubt.at(places, predicted))


def test_alo_trees_measure_over_all_that_was_varied() -> None:
    rule, tree = (
        Rule([[Atom("x", ">", 5)]]),
        DecisionNode(False, 1, 1, Atom("x", ">", 5), DecisionNode(True, 1, 0), DecisionNode(False, 0, 1)),
    )
    columns = {"x": [9.0, 1.0, 2.0], "rest": [1e6, 0.0, -1e6]}
    one, all_of_them = (drawn(rule, columns, tree=which).panels[0] for which in (None, tree))
    assert one != all_of_them
