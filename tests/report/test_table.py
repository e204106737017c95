"""The picture of a table with bad rows: where it differs, and where that matters."""

import random
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import example, given
from hypothesis import strategies as st

import rootward as rw
from rootward.report.figures.table_strips import draw_table
from tests.properties import examples

from .drawings import HUGE, NAMES, along, checked, of_kind, texts
from .test_page import Reader


def tables() -> tuple[pl.DataFrame, pl.DataFrame]:
    rows = 300
    good = pl.DataFrame({"id": range(rows), "price": [i % 50 + 0.5 for i in range(rows)], "word": ["good"] * rows})
    bad = good.with_columns((pl.col("price") + 0.1).alias("price"))
    bad[7, "word"], bad[290, "price"] = "<b>", -1.0
    return bad, good


def found() -> rw.BadRows:
    bad, good = tables()
    return rw.rows(bad, good, rw.fails_when(lambda t: t["word"][7] != "good" or t["price"].min() < 0), key="id")


def test_where_it_differs_and_where_that_matters() -> None:
    data = found().to_dict()
    svg = checked(draw_table(data))
    assert {"price", "word", "row 1", "row 300", "300 differ", "1 differs", "1 bad"} <= set(texts(svg))
    marks = of_kind(svg, "bad")
    assert len(marks) == 2
    assert "2 of 301 differences matter" in (svg.get("aria-label") or "")
    price, word = (next(along(mark.get("d", ""))) for mark in marks)
    assert price[0] > word[0], "the bad price is nearly at the end"


def test_the_excerpt_has_the_usual_values_and_the_cells_side_by_side() -> None:
    part = found().to_dict()["excerpt"]
    assert [(column["name"], column["usual"]) for column in part["columns"]] == [
        ("price", "0.5 to 49.5"),
        ("word", "good 100%"),
    ]
    assert part["rows"][0] == {
        "key": "7",
        "place": 8,
        "kind": "",
        "cells": [{"value": "7.6"}, {"value": '"<b>"', "good": "good"}],
    }
    assert part["rows"][1]["cells"][0] == {"value": "-1", "good": "40.5"}


def test_rows_too_many_and_rows_that_are_missing() -> None:
    good = pl.DataFrame({"id": [1, 2, 3], "n": [1, 2, 3]})
    bad = pl.DataFrame({"id": [1, 2, 9], "n": [1, 2, 9]})
    finding = rw.rows(bad, good, rw.fails_when(lambda t: 9 in t["id"] or 3 not in t["id"]), key="id").to_dict()
    svg = checked(draw_table(finding))
    assert "extra rows" in texts(svg)
    assert any("1 row missing" in text for text in texts(svg))
    assert [row["kind"] for row in finding["excerpt"]["rows"]] == ["added", "missing"]


def test_nothing_is_drawn_of_what_is_not_known() -> None:
    bad, good = tables()
    never = rw.rows(bad, good, rw.fails_when(lambda t: True), key="id").to_dict()
    assert never["excerpt"] is None
    assert draw_table(never) is None


@examples(25)
@given(st.lists(NAMES, min_size=1, max_size=9, unique=True), st.integers(1, 130), st.integers(0, 99))
@example([HUGE], 2, 0)
def test_whatever_columns_are_called(names: list[str], bins: int, seed: int) -> None:
    draw = random.Random(seed)

    def column(name: str) -> dict[str, Any]:
        return {"name": name, "usual": name, "differs": [2] * bins, "bad": [draw.randrange(2) for _ in range(bins)]}

    part = {"height": 2 * bins, "columns": list(map(column, names)), "whole": [[1] * bins, 3], "rows": []}
    checked(draw_table({"excerpt": part, "of": 9, "repaired": 2, "differences": 9}))


def test_a_page_of_bad_rows(tmp_path: Path) -> None:
    text = found().report(tmp_path / "rows.html").read_text()
    read = Reader(text)
    for said in ("It fails because of 2 of 300 rows.", "To be repaired: 2 of 301 differences", "0.5 to 49.5", '"<b>"'):
        assert said in read.text
    assert [tag for tag, _ in read.tags].count("del") == 2
    assert "b" not in {tag for tag, _ in read.tags}
