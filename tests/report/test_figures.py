"""The figures of a reduction: well-formed, inert, and showing what they should."""

import math
import re
from itertools import combinations, pairwise
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rootward as rw
from rootward.formats.scenes.scene import Pose, SceneModel, Shape
from rootward.report.figures.charts import draw_curve, draw_rates
from rootward.report.figures.map_view import MapView
from rootward.report.figures.scene_map import Labels, draw_maps
from rootward.report.figures.svg import WIDTH, length
from rootward.report.kinds.reduction import pictures
from rootward.searches.reduction.rates import Rate

NUMBER = r"-?[\d.]+"


def answer(elements: list[dict[str, Any]], **changed: Any) -> dict[str, Any]:
    kept = [{"position": i, "element": e["name"]} for i, e in enumerate(elements) if e["kept"]]
    data = {"noun": "model", "of": len(elements), "kept": kept, "asked": 9, "course": [], "share": 0.5}
    ways = {"before": changed.pop("before", []), "after": changed.pop("after", [])}
    return {**data, "original": None, "result": None, "again": None, "map": {"elements": elements, **ways}, **changed}


def element(name: str, *outlines: list[tuple[float, float]], kept: bool = False) -> dict[str, Any]:
    return {"name": name, "kept": kept, "outlines": list(outlines)}


def square(x: float, y: float, half: float = 0.5) -> list[tuple[float, float]]:
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def drawn(finding: dict[str, Any]) -> tuple[Element, Element]:
    found = draw_maps(finding)
    assert found is not None
    return fromstring(found.before), fromstring(found.after)


def texts(svg: Element) -> list[str]:
    return [text.text or "" for text in svg.iter("text")]


def of_kind(svg: Element, kind: str) -> list[Element]:
    return [part for part in svg.iter() if kind in part.get("class", "").split()]


def corners(path: Element) -> list[tuple[float, float]]:
    """The points of a path of outlines and dots."""
    points: list[tuple[float, float]] = []
    for start, steps in re.findall(rf"M({NUMBER} {NUMBER})(?:l([^z]*)z|h0)", path.get("d", "")):
        x, y = map(float, start.split())
        points.append((x, y))
        deltas = [float(value) for value in steps.split()]
        for dx, dy in zip(deltas[::2], deltas[1::2], strict=True):
            points.append((points[-1][0] + dx, points[-1][1] + dy))
    return points


def places(path: Element) -> list[tuple[float, float]]:
    values = [float(value) for value in re.findall(NUMBER, path.get("d", ""))]
    return list(zip(values[::2], values[1::2], strict=True))


def height(svg: Element) -> float:
    return float(svg.get("viewBox", "").split()[3]) - 26


def scene() -> dict[str, Any]:
    models = [element(f"rock {i}", square(i, i % 3)) for i in range(8)]
    models += [element("ditch", square(4, 5), kept=True), element("post", [(2.0, 5.0)], kept=True)]
    way = [[t, t / 2, t / 3, 0.0] for t in range(12)]
    return answer(models, before=way, after=way[:9], course=[[0, 10], [3, 4], [7, 2]])


def test_a_map_shows_what_there_was_and_what_is_left() -> None:
    before, after = drawn(scene())
    assert {"before: 10 models", "ditch", "post", "start", "fails here"} <= set(texts(before))
    assert {"after: 2 models", "ditch", "post", "start", "fails here"} <= set(texts(after))
    assert [len(of_kind(before, kind)) for kind in ("there", "gone", "kept")] == [8, 0, 2]
    assert [len(of_kind(after, kind)) for kind in ("there", "gone", "kept")] == [0, 8, 2]
    assert before.get("viewBox") == after.get("viewBox")
    assert {path.get("d") for path in of_kind(before, "kept")} == {path.get("d") for path in of_kind(after, "kept")}
    for svg in (before, after):
        assert svg.get("role") == "img"
        assert re.fullmatch(
            r"Seen from above, .* models, and the path of the robot to where it fails\.", svg.get("aria-label", "")
        )


def test_a_way_is_a_line_from_its_start_to_the_failure() -> None:
    before, after = drawn(scene())
    for svg in (before, after):
        line, cross = of_kind(svg, "way")
        (start,) = of_kind(svg, "start")
        points = places(line)
        assert (float(start.get("cx", "")), float(start.get("cy", ""))) == points[0]
        assert places(cross)[0] == pytest.approx((points[-1][0] - 5, points[-1][1] - 5))
        assert points[-1][0] > points[0][0]
        assert points[-1][1] < points[0][1]  # y points upwards
    assert places(of_kind(after, "way")[0])[-1] != places(of_kind(before, "way")[0])[-1]


def test_a_long_way_is_drawn_with_few_points_and_both_ends() -> None:
    way = [[t, 10 * math.sin(t / 700) * math.cos(t / 33), 5 * math.sin(t / 90), 0.0] for t in range(20_000)]
    svg, _ = drawn(answer([element("a", square(0, 0), kept=True)], before=[*way, [20_000, 12.0, 0.0, 0.0]]))
    line, _ = of_kind(svg, "way")
    points = places(line)
    assert 200 < len(points) <= 2000
    assert points[0] == (float(of_kind(svg, "start")[0].get("cx", "")), float(of_kind(svg, "start")[0].get("cy", "")))
    assert points[-1][0] == max(x for x, _ in points)


def test_the_scale_bar_is_as_long_as_it_says() -> None:
    svg, _ = drawn(scene())
    (text,) = [text for text in texts(svg) if re.fullmatch(r"[\d.]+ m", text)]
    bar = next(path for path in of_kind(svg, "line") if "v7H" in path.get("d", ""))
    metres, start = float(text.removesuffix(" m")), float(re.findall(NUMBER, bar.get("d", ""))[0])
    left, right = (x for x, _ in sorted(corners(of_kind(svg, "there")[0]))[:: len(square(0, 0)) - 1])
    assert (WIDTH - start) / metres == pytest.approx(right - left, rel=0.02)  # a rock is 1 m wide


def test_a_huge_ground_and_a_model_far_off_do_not_squeeze_the_picture() -> None:
    near = [element(f"rock {i}", square(i, i % 3)) for i in range(9)]
    far = [element("ground", square(0, 0, 5000), kept=True), element("moon", square(1e6, 1e6))]
    found = draw_maps(answer([*near, *far, element("sun", square(-1e8, 0), kept=True)]))
    assert found is not None
    assert found.hidden == 1
    svg = fromstring(found.before)
    assert len(of_kind(svg, "there")) == 9
    xs = [x for path in of_kind(svg, "there") for x, _ in corners(path)]
    assert max(xs) - min(xs) > WIDTH / 2
    (ground,) = of_kind(svg, "kept")
    assert {x for x, _ in corners(ground)} == {0, WIDTH}


def test_a_robot_that_never_moved_is_shown_among_its_neighbours() -> None:
    svg, _ = drawn(answer([element("a", square(3, 0), kept=True), element("b", square(0, 3))], before=[[0, 0, 0, 0]]))
    assert len(of_kind(svg, "kept") + of_kind(svg, "there")) == 2


@pytest.mark.parametrize("elements", [[], [element("a")], [element("a", [(math.nan, 0.0)], [(math.inf, 0.0)])]])
def test_there_is_no_map_without_places(elements: list[dict[str, Any]]) -> None:
    assert draw_maps(answer(elements)) is None
    assert draw_maps({**answer(elements), "map": None}) is None


def test_many_kept_elements_are_not_named() -> None:
    svg, _ = drawn(answer([element(f"n{i}", square(2 * i, 0), kept=True) for i in range(13)]))
    assert not [text for text in texts(svg) if text.startswith("n")]
    assert {title.text for title in svg.iter("title")} == {f"n{i}" for i in range(13)}


def test_parts_within_others_are_not_drawn() -> None:
    crate = element("crate", square(0, 0), square(0.2, 0.2, 0.1), square(3, 0))
    svg, _ = drawn(answer([crate, element("x", square(6, 0), kept=True)]))
    assert of_kind(svg, "there")[0].get("d", "").count("M") == 2


def test_hostile_names_are_text() -> None:
    name = "<script>\0\udcff&\"'</svg>"
    svg, _ = drawn(answer([element(name, square(0, 0), kept=True)], noun="<b>"))
    assert "<script>\ufffd\ufffd&\"'</svg>" in texts(svg)
    assert "before: 1 <b>" in texts(svg)
    assert not list(svg.iter("script"))


@pytest.mark.rest
def test_three_thousand_models_make_a_small_page() -> None:
    shape = Shape("box", (0.7, 0.4, 0.9))
    models = [
        SceneModel(i, f"box {i}", Pose(i % 60, i // 60, 0.0, 0.3 * i, 0.7 * i, 1.1 * i), (shape, shape))
        for i in range(3000)
    ]
    finding = rw.reduce(models, rw.fails_when(lambda kept: {70, 900} <= {model.index for model in kept}))
    found = draw_maps(finding.to_dict())
    assert found is not None
    assert max(len(found.before), len(found.after)) < 100_000
    svg = fromstring(found.before)
    assert sum(path.get("d", "").count("M") for path in of_kind(svg, "there")) == 2998
    assert {"box 70", "box 900"} <= set(texts(svg))


numbers = st.floats(-1e12, 1e12) | st.floats(-10, 10) | st.integers(-3, 3).map(float)
outlines = st.lists(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5), max_size=3)
elements = st.lists(
    st.builds(
        lambda name, parts, kept: element(name, *parts, kept=kept), st.text(max_size=40), outlines, st.booleans()
    ),
    max_size=12,
)
ways = st.lists(st.tuples(numbers, numbers, numbers, numbers).map(list), max_size=5)


@given(elements, ways, ways)
@example([element("", [(0.0, 0.0)])], [], [[0.0, 0.0, 5e-324, 0.0]])
def test_everything_is_inside_the_picture(elements: list[dict[str, Any]], before: Any, after: Any) -> None:
    found = draw_maps(answer(elements, before=before, after=after))
    if found is None:
        return
    shown = 0
    for svg in map(fromstring, (found.before, found.after)):
        assert not re.search(r"nan|inf|\de", " ".join(part.get("d", "") for part in svg.iter()))
        paths = [path for kind in ("kept", "there", "gone") for path in of_kind(svg, kind)]
        points = [point for path in paths for point in corners(path)]
        points += [
            point for line in of_kind(svg, "way") if "cross" not in line.get("class", "") for point in places(line)
        ]
        assert all(-0.05 <= x <= WIDTH + 0.05 and -0.05 <= y <= height(svg) + 0.05 for x, y in points)
        shown = sum("kept" in path.get("class", "") for path in paths)
    assert shown + found.hidden == sum(element["kept"] for element in elements)


@given(st.lists(st.tuples(st.text("ab ", max_size=20), st.floats(0, WIDTH), st.floats(0, 300)), max_size=15))
def test_names_do_not_overlap(named: list[tuple[str, float, float]]) -> None:
    labels = Labels(300.0)
    placed = [labels.place(text, ((x, x + 8), (y, y + 8))) for text, x, y in named]
    for one, other in combinations([label for label in placed if label], 2):
        apart = abs(one.at[0] - other.at[0]) >= (length(one.text) + length(other.text)) / 2
        assert apart or abs(one.at[1] - other.at[1]) >= 13


def test_a_curve_tells_where_it_ended() -> None:
    svg = fromstring(draw_curve(scene()) or "")
    assert {"models left", "questions", "2 left after 7 questions", "2"} <= set(texts(svg))
    assert svg.get("aria-label") == "10 models at first, 2 left after 7 questions."
    (line,) = of_kind(svg, "hot")
    levels = [float(y) for y in re.findall(rf"V({NUMBER})", line.get("d", ""))]
    assert len(levels) == 2
    assert levels == sorted(levels)  # downwards
    assert line.get("d", "").count("H") == 3


def test_a_long_curve_has_a_logarithmic_scale() -> None:
    course = [[0, 1000], [1, 100], [2, 10], [3, 1], [4, 0]]
    svg = fromstring(draw_curve(answer([], course=course)) or "")
    levels = [float(y) for y in re.findall(rf"V({NUMBER})", of_kind(svg, "hot")[0].get("d", ""))]
    assert levels[1] - levels[0] == pytest.approx(levels[2] - levels[1], abs=0.2)
    assert levels[3] <= 214
    assert {"1", "10", "100", "1,000"} <= set(texts(svg))


@pytest.mark.parametrize("course", [[[0, 5]], [[0, 0]], [[0, 500]]])
def test_a_curve_of_one_step_is_a_flat_line(course: list[list[int]]) -> None:
    svg = fromstring(draw_curve(answer([], course=course, asked=0)) or "")
    assert "none removed" in texts(svg)
    assert "V" not in of_kind(svg, "hot")[0].get("d", "")


def test_there_is_no_curve_without_a_course() -> None:
    assert draw_curve(answer([])) is None


def rate(fails: int, runs: int) -> dict[str, Any]:
    estimate = Rate(fails, runs).estimate
    return {"fails": fails, "runs": runs, **estimate._asdict()}


def test_rates_are_dots_with_their_intervals() -> None:
    svg = fromstring(draw_rates({**scene(), "original": rate(14, 20), "result": rate(12, 20)}) or "")
    assert {"all 10 models: 70%, 14 of 20 runs", "the 2 kept: 60%, 12 of 20 runs"} <= set(texts(svg))
    assert "required: 50% as often" in texts(svg)
    dots = [float(circle.get("cx", "")) for circle in svg.iter("circle")]
    (mark,) = of_kind(svg, "asked")
    zero, one = 10.0, WIDTH - 18.0
    assert dots == pytest.approx([zero + share * (one - zero) for share in (0.7, 0.6)], abs=0.1)
    assert float(re.findall(NUMBER, mark.get("d", ""))[0]) == pytest.approx(zero + 0.35 * (one - zero), abs=0.1)


def test_replays_are_no_sample_of_all_runs() -> None:
    replayed = {**rate(5, 5), "value": 0.4, "low": 0.25, "high": 0.6}
    again = {"fails": 4, "runs": 4}
    svg = fromstring(draw_rates({**scene(), "original": rate(8, 20), "result": replayed, "again": again}) or "")
    kept = "the 2 kept: 40%, 4 of 4 runs with failing seeds, 1 of 1 other"
    assert {"all 10 models: 40%, 8 of 20 runs", kept} <= set(texts(svg))


def test_rates_need_both() -> None:
    assert draw_rates(scene()) is None
    assert draw_rates({**scene(), "original": rate(3, 4)}) is None


def test_only_pictures_are_shown() -> None:
    good = "data:image/png;base64,AAAA"
    bad = ["https://example.org/x.png", "data:text/html,<script>", 'data:image/png;base64,"onerror=', 3]
    assert pictures({"pictures": [good, *bad]}) == [good]
    assert pictures({"pictures": None}) == pictures({}) == []


# What moves


def cart(name: str, path: list[tuple[float, float]], met: float, at: float, *, kept: bool = False) -> dict[str, Any]:
    after = {"met": met + 1, "outlines": [square(at + 1, 2)]}
    return {**element(name, square(at, 2), kept=kept), "motion": {"path": path, "met": met, "after": after}}


def street(*carts: dict[str, Any]) -> tuple[Element, Element]:
    way = [[t, t / 2, 0.0, 0.0] for t in range(12)]
    return drawn(answer([*carts, element("post", square(1, -1))], before=way, after=way))


def test_what_moves_is_drawn_where_it_was_met_with_its_path() -> None:
    before, after = street(
        cart("a", [(0, 2), (5, 2)], 3.0, 3.0, kept=True), cart("b", [(1, 2), (4, 3), (5, 5)], 2.0, 1.0)
    )
    for svg, gone in ((before, "there"), (after, "gone")):
        assert [len(of_kind(svg, f"{kind}-track")) for kind in ("kept", gone)] == [1, 1]
        [line] = of_kind(svg, "kept-track")
        (x1, y1), (x2, y2) = places(line)
        assert x2 > x1
        assert y1 == y2
    [there], [later] = (of_kind(svg, "kept")[:1] for svg in (before, after))
    assert corners(later)[0][0] > corners(there)[0][0], "after the reduction, the robot meets it further on"
    titles = [[title.text for title in svg.iter("title")] for svg in (before, after)]
    assert "a, 3.0 s: when the robot was nearest to it" in titles[0]
    assert "a, 4.0 s: when the robot was nearest to it" in titles[1]
    assert "a" in texts(before)


def test_a_path_is_cut_at_the_edge_of_the_map() -> None:
    before, _ = street(cart("a", [(-500, 2), (500, 2), (500, 900)], 3.0, 3.0, kept=True))
    [line] = of_kind(before, "kept-track")
    (x1, _), (x2, _) = places(line)
    assert (x1, x2) == (0, WIDTH)


@given(st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), max_size=6))
def test_all_of_a_path_that_is_in_the_map_is_drawn(path: list[tuple[float, float]]) -> None:
    view = MapView.of(((-5.0, 5.0), (-5.0, 5.0)))
    pieces = view.clip_line(path)
    for point in (point for piece in pieces for point in piece):
        assert -1e-6 <= point[0] <= WIDTH + 1e-6
        assert -1e-6 <= point[1] <= view.height + 1e-6
    inside = 0.0
    for a, b in pairwise(map(view.place, path)):
        steps = [(a[0] + (b[0] - a[0]) * i / 500, a[1] + (b[1] - a[1]) * i / 500) for i in range(500)]
        inside += math.dist(a, b) / 500 * sum(0 <= x <= WIDTH and 0 <= y <= view.height for x, y in steps)
    assert sum(math.dist(a, b) for a, b in pieces) == pytest.approx(inside, rel=0.02, abs=30)


def test_the_page_explains_the_lines() -> None:
    models = [cart("a", [(0, 2), (5, 2)], 3.0, 3.0, kept=True)]
    found = draw_maps(answer(models, before=[[0, 0, 0, 0]]))
    assert found is not None
    assert found.moving
    still = draw_maps(scene())
    assert still is not None
    assert not still.moving
