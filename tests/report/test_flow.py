"""The picture of a pipeline and the page about where to check it."""

import random
from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

import rootward as rw
from rootward.report.figures.flow import MAX_NODES, draw_flow
from tests.properties import examples

from .drawings import HUGE, NAMES, checked, of_kind, texts
from .test_page import Reader

RATINGS: dict[str, Any] = {
    "nodes": {"read": {"date": ["mon", "tue"]}, "rate": {"script": [1, 2, 3]}, "compare": {}, "write": {}},
    "edges": [["read", "rate"], ["rate", "compare"], ["read", "compare"], ["compare", "write"]],
}


def test_the_check_and_what_it_settles_stand_out() -> None:
    svg = checked(draw_flow(rw.instrument(RATINGS).to_dict()))
    assert texts(svg) == ["read", "date ×2", "rate", "script ×3", "compare", "write"]
    [check] = of_kind(svg, "check")
    assert check.tag == "rect"
    assert len(of_kind(svg, "edge")) == len(of_kind(svg, "head")) == 4
    assert [part.text for part in of_kind(svg, "own")] == ["date ×2"]
    assert len(of_kind(svg, "end")) == 1
    assert "The check belongs after read." in (svg.get("aria-label") or "")


def test_a_pipeline_that_no_check_parts_has_none() -> None:
    svg = checked(
        draw_flow(rw.instrument({"a": ["b"], "b": []}, {"p": [1, 2]}, params={"a": ["p"], "b": ["p"]}).to_dict())
    )
    assert not of_kind(svg, "check")
    assert draw_flow({"graph": None}) is None


def test_of_a_large_pipeline_the_part_around_the_check_is_drawn() -> None:
    nodes = {f"n{i}": ({f"p{i}": [1, 2, 3]} if i % 3 else {}) for i in range(200)}
    edges = [[f"n{max(0, i - step)}", f"n{i}"] for i in range(1, 200) for step in (1, 2, 7)]
    found = rw.instrument({"nodes": nodes, "edges": edges})
    svg = checked(draw_flow(found.to_dict()))
    assert len(of_kind(svg, "node")) == MAX_NODES
    assert found.node in texts(svg)
    assert f"{MAX_NODES} of 200 nodes: those nearest to the check" in texts(svg)


@examples(25)
@given(st.lists(NAMES, min_size=1, max_size=12, unique=True), st.integers(0, 99))
@example([HUGE, "b", "c"], 1)
def test_whatever_nodes_and_parameters_are_called(names: list[str], seed: int) -> None:
    draw = random.Random(seed)
    edges = [[draw.choice(names[:place]), name] for place, name in enumerate(names) if place for _ in range(2)]
    nodes = {name: {f"{own[:40]}{at}": [1, 2] for at, own in enumerate(names[:7])} for name in names}
    checked(draw_flow(rw.instrument({"nodes": nodes, "edges": edges}).to_dict()))


def test_a_page_about_a_check(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script>"
    graph = {**RATINGS, "nodes": {**RATINGS["nodes"], hostile: {}}, "edges": [*RATINGS["edges"], ["read", hostile]]}
    read = Reader(rw.instrument(graph, None).report(tmp_path / "check.html").read_text())
    for said in (
        "Put a check after read",
        "What the check tells you",
        "the check",
        "all of them at once",
    ):
        assert said in read.text
    assert hostile in read.text
    assert "5 nodes of the pipeline compared" in read.text
