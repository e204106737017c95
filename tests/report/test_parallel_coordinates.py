"""Instances as lines: all of them, wherever they come from; inert, small, and within the picture."""

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup

import rootward as rw
from rootward.report.figures.parallel_coordinates import draw_parallel
from rootward.report.instances import BEFORE, HISTORY, NOW, instances
from rootward.report.kinds.causes import evidence_rows, list_runs
from rootward.report.text import amount
from rootward.rules import Atom, Conjunction
from rootward.searches.causes.causes import Cause, Causes
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.space.values import to_json
from tests.properties import examples

from .drawings import HOSTILE, HUGE, NAMES, checked, of_kind, texts

Rows = list[tuple[dict[str, Any], str]]


def drawn(there: dict[str, Any], cause: dict[str, Any]) -> Markup | None:
    found = draw_parallel(there, cause)
    return found and found.svg


def column(values: list[Any]) -> dict[str, Any]:
    distinct = list({repr(value): value for value in values}.values())
    places = {repr(value): place for place, value in enumerate(distinct)}
    return {"values": list(map(to_json, distinct)), "index": [places[repr(value)] for value in values]}


def trials(rows: Rows, made: list[int] | None = None) -> dict[str, Any]:
    columns = {name: column([row[name] for row, _ in rows]) for name in rows[0][0]}
    return {
        "total": len(rows),
        "listed": len(rows),
        "columns": {"verdict": column([verdict for _, verdict in rows]), "run": column(made or [2] * len(rows))},
        "fields": {name: one for name, one in columns.items() if len(one["values"]) > 1},
        "fixed": {name: one["values"][0] for name, one in columns.items() if len(one["values"]) == 1},
        "left_out": 0,
        "kept": None,
        "of": None,
    }


def run(rows: Rows, *causes: Conjunction, made: list[int] | None = None, **finding: Any) -> dict[str, Any]:
    held = [[verdict == "FAIL" for row, verdict in rows if cause.holds(row)] for cause in causes]
    details = [
        Cause(cause, support=sum(own), passed=len(own) - sum(own), size=len(own) + 1)
        for cause, own in zip(causes, held, strict=True)
    ]
    found = Causes(details=tuple(details), of=3).to_dict() | finding
    return {"id": "run-1", "run": 2, "finding": found, "trials": trials(rows, made) if rows else None}


ROWS: Rows = [
    ({"rate": rate, "model": model, "seed": seed}, "FAIL" if rate > 0.5 and model == "boost" else "PASS")
    for rate in (0.1, 0.5, 0.9)
    for model in ("boost", "tree")
    for seed in (1, 2)
]
BOOST = Conjunction([Atom("rate", ">", 0.5), Atom("model", "=", "boost")])
GIVEN: dict[str, Any] = {
    "total": 2,
    "listed": 2,
    "failed": [1, 0],
    "left_out": 0,
    "fields": {
        "model": {"values": ["forest", "tree"], "index": [0, 1]},
        "rate": {"values": [1, {"float": "nan"}], "index": [0, 1]},
        "seed": {"values": [1], "index": [0, 0]},
    },
}


def test_the_lines_of_a_cause_pass_through_all_that_it_allows() -> None:
    there = run(ROWS, BOOST)
    svg = checked(drawn(there, there["finding"]["causes"][0]))
    assert [text for text in texts(svg) if text in ("model", "rate", "seed")] == ["model", "rate", "seed"]
    assert len(of_kind(svg, "allowed")) == 2, "one frame for each setting that the cause names"
    assert {"2 with this cause failed", "10 without it passed"} <= set(texts(svg))
    assert not of_kind(svg, "against")
    assert not of_kind(svg, "other")
    assert "2 runs with this cause failed" in (svg.get("aria-label") or "")


def test_a_run_of_the_cause_that_passed_speaks_against_it() -> None:
    there = run([*ROWS, ({"rate": 0.9, "model": "boost", "seed": 3}, "PASS")], BOOST)
    svg = checked(drawn(there, there["finding"]["causes"][0]))
    assert "1 with this cause passed, against the claim" in texts(svg)
    assert of_kind(svg, "against")
    assert evidence_rows(there["finding"])[0]["passed"] == "1"


def test_history_and_trials_are_one_list_with_their_origin() -> None:
    there = run(ROWS, BOOST, made=[1] * 3 + [2] * 9, history=GIVEN)
    known = instances(there)
    assert known.counts() == [(HISTORY, 1, 1), (NOW, 2, 7), (BEFORE, 0, 3)]
    assert known.settings["model"].values == ("boost", "forest", "tree")
    assert known.settings["rate"].values[:4] == (0.1, 0.5, 0.9, 1)
    assert math.isnan(known.settings["rate"].values[4])
    table = list_runs(there["finding"], known)
    assert table is not None
    assert table["rows"][0] == {"failed": True, "origin": HISTORY, "causes": [], "values": ["forest", "1", "1"]}
    assert [row["causes"] for row in table["rows"]].count([1]) == 2
    checked(drawn(there, there["finding"]["causes"][0]))


def test_what_is_not_known_of_every_run_is_left_out() -> None:
    part = {**GIVEN, "fields": {"model": GIVEN["fields"]["model"]}}
    there = run(ROWS, BOOST, history=part)
    assert list(instances(there).settings) == ["model"]
    assert draw_parallel(there, there["finding"]["causes"][0]) is None
    assert draw_parallel(run([], BOOST)) is None
    assert list_runs(run([])["finding"], instances(run([]))) is None
    unjudged = run([(row, "UNRESOLVED") for row, _ in ROWS])
    assert not len(instances(unjudged))


def test_one_setting_is_a_strip() -> None:
    high = Conjunction([Atom("rate", ">", 0.5)])
    there = run([({"rate": rate}, "FAIL" if rate > 0.5 else "PASS") for rate in (0.1, 0.1, 0.9)], high)
    svg = checked(drawn(there, there["finding"]["causes"][0]))
    assert {"failed", "passed", "0.1", "0.9"} <= set(texts(svg))
    red, grey = of_kind(svg, "spot"), of_kind(svg, "plain")
    assert len(red) == len(grey) == 1
    assert float(red[0].get("cx", "")) > float(grey[0].get("cx", "")), "numbers rise to the right"
    assert float(red[0].get("cy", "")) < float(grey[0].get("cy", "")), "what failed is above"


@pytest.mark.rest
@pytest.mark.parametrize("values", [10_000, 10])
def test_ten_thousand_runs_are_a_small_picture(values: int) -> None:
    draw = np.random.default_rng(0)
    cells = draw.integers(0, values, size=(10_000, 8)) / values
    made = [dict(zip("abcdefgh", row, strict=True)) for row in cells.tolist()]
    there = run([(one, "FAIL" if one["h"] < 0.5 else "PASS") for one in made])
    wide = Conjunction(Atom(name, ">=", 0.1) for name in "abcdef")
    there["finding"]["causes"] = [Cause(wide).to_dict()]
    svg = checked(drawn(there, there["finding"]["causes"][0]))
    assert all(of_kind(svg, kind) for kind in ("failed", "other", "against", "passed"))


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from([*HOSTILE, b"\0", 10**400, -math.inf, "y" * 999]),
)


@examples(25)
@given(
    st.lists(NAMES, min_size=1, max_size=6, unique=True), st.lists(VALUES, min_size=1, max_size=30), st.integers(0, 99)
)
@example(["huge", HUGE], [HUGE, HUGE + "y", 1], 0)
def test_whatever_settings_are_called_and_hold(names: list[str], values: list[Any], seed: int) -> None:
    draw = random.Random(seed)
    rows = [
        (
            {name: draw.choice(values[: 1 + 7 * place]) for place, name in enumerate(names)},
            draw.choice(["PASS", "FAIL"]),
        )
        for _ in range(20)
    ]
    there = run(rows, Conjunction(Atom(name, "=", rows[0][0][name]) for name in names[:3]))
    for about in (None, there["finding"]["causes"][0]):
        if (found := draw_parallel(there, about)) is not None:
            checked(found.svg)
    table = list_runs(there["finding"], instances(there))
    assert table is not None
    assert len(str(table)) < 200_000


def test_how_much_was_tried_in_words() -> None:
    causes = [
        Cause(BOOST, support=4, size=4),
        Cause(BOOST, support=4, size=10, passed=1, confidence=0.9),
        Cause(BOOST, support=4, size=0, confidence=0.999),
        Cause(BOOST, support=4, attempts=3, size=2**20_000),
        Cause(Conjunction(), support=4, size=9),
    ]
    rows = evidence_rows(Causes(details=tuple(causes)).to_dict())
    assert [(row["tried"], row["sure"]) for row in rows] == [
        ("none: all were run", "certain"),
        ("5 of 10", "90%"),
        ("some numbers in between", "more than 99%"),
        ("nearly all of about 2^20000", ""),
    ]
    assert (rows[1]["passed"], rows[3]["now"]) == ("1", "3")
    assert (amount(1234567), amount("1.8e+19"), amount(2**60)) == ("1,234,567", "1.8e+19", "about 2^60")


def test_the_given_history_is_in_the_data() -> None:
    space = rw.Space({"a": rw.Choice(["x", "y"]), "b": rw.Int(0, 9)})
    past = [({"a": "x", "b": 1}, True), ({"a": "y", "b": 1}, False), ({"a": "y", "b": 2}, False)]
    history = rw.causes(space, None, past).to_dict()["history"]
    assert (history["total"], history["listed"], history["failed"]) == (3, 3, [1, 0, 0])
    assert history["fields"]["a"] == {"values": ["x", "y"], "index": [0, 1, 1]}
    assert history["fields"]["b"] == {"values": [1, 2], "index": [0, 0, 1]}
    assert Causes().to_dict()["history"] is None


def test_of_a_long_history_some_of_each_verdict_are_in_the_data() -> None:
    space, draw = rw.Space({f"n{i:02}": rw.Int(0, 49) for i in range(20)}), np.random.default_rng(0)
    runs = Runs(Pipeline(space))
    for row in draw.integers(0, 50, size=(12_000, 20)):
        runs.add(tuple(row.tolist()), bool(row[7] == 3))
    found = Causes(details=(Cause(Conjunction([Atom("n07", "=", 3)])),), history=runs)
    history = found.to_dict()["history"]
    assert (history["total"], history["left_out"]) == (12_000, 20 - len(history["fields"]))
    assert sum(history["failed"]) == len(runs.failing), "there are few of them: all are listed"
    assert next(iter(history["fields"])) == "n07"
    assert 4000 < history["listed"] <= 10_000
    assert sum(len(one["index"]) for one in history["fields"].values()) <= 50_000
