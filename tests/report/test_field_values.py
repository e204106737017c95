"""The strips of a product set and its cost: readable for two values and for hundreds, inert whatever they are."""

import math
import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.report.figures.charts import draw_bounds
from rootward.report.figures.field_values import draw_values, is_exceptional
from rootward.report.figures.svg import WIDTH
from rootward.rules.text import value_text
from rootward.space.values import to_json
from tests.properties import examples

from .runs import run


def row(values: list[Any], triggers: list[bool | None]) -> dict[str, Any]:
    pairs = zip(values, triggers, strict=True)
    cells = [{"value": to_json(value), "text": value_text(value), "triggers": on} for value, on in pairs]
    return {"field": "speed", "text": "[ ... ]", "values": cells}


def drawn(one: dict[str, Any], trials: dict[str, Any] | None = None) -> Element:
    text = draw_values({"trials": trials}, one)
    assert text is not None
    return fromstring(text)


def kinds(svg: Element, name: str) -> list[Element]:
    return [part for part in svg.iter() if name in part.get("class", "").split()]


def test_each_value_has_a_cell() -> None:
    svg = drawn(row([-math.inf, -1.0, 0.0, 2.5, math.nan], [True, True, False, False, None]))
    assert [len(kinds(svg, name)) for name in ("on", "stops", "untried", "odd")] == [2, 2, 1, 2]
    assert svg.get("aria-label") == "2 of 5 values trigger it."
    assert {"-inf", "-1", "0", "2.5", "NaN"} == {text.text for text in svg.iter("text")}
    assert kinds(svg, "on")[0][0].text == "-inf: triggers it; an exceptional value"


def test_the_value_of_the_failing_run_is_marked() -> None:
    trials = run({}, {"speed": [7, 3, 9]}, ["PASS", "FAIL", "FAIL"])["trials"]
    svg = drawn(row([3, 7, 9], [True, False, True]), trials)
    assert len(kinds(svg, "own")) == 1
    assert kinds(svg, "on")[0][0].text == "3: triggers it; the failing run had it"


def test_hundreds_of_values_are_readable() -> None:
    values = sorted({sign * 10.0**power for power in range(-60, 60) for sign in (1, -1)})
    svg = drawn(row(values, [value < 0 for value in values]))
    names = [(float(text.get("x", "")), len(text.text or "")) for text in svg.iter("text")]
    assert {"-1e-60", "1e-60"} & {text.text for text in svg.iter("text")}  # where it changes
    for (x, long), (other, width) in zip(sorted(names), sorted(names)[1:], strict=False):
        assert other - x >= (long + width) / 2 * 5.5
    assert len(names) > 5


def test_of_very_many_values_the_ranges_are_shown() -> None:
    text = draw_values({"trials": None}, {"field": "n", "text": "", "ranges": [[0, 100], [5000, 9000]]})
    assert text is not None
    assert len(kinds(fromstring(text), "on")) == 2
    assert draw_values({}, {"field": "n", "text": "", "ranges": [["a", "b"]]}) is None


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -0.0, 2**31 - 1, -(2**31), 65536, 5e-324, 1.7976931348623157e308]
)
def test_exceptional_values(value: Any) -> None:
    assert is_exceptional(value)


@pytest.mark.parametrize("value", [0, 0.0, 1, 100, 2.5, 20000, True, "x"])
def test_usual_values(value: Any) -> None:
    assert not is_exceptional(value)


hostile = st.sampled_from(
    ["<script>alert(1)</script>", "]]>", "{{ 7 }}", "\u202eevil\udcff\0", "x" * 1_000_000, 10**400]
)
some = st.lists(st.floats() | st.integers() | st.booleans() | hostile | st.none(), min_size=1, max_size=30)


@given(some, st.data())
@examples(40)
def test_strips_are_inert_small_and_inside(values: list[Any], data: st.DataObject) -> None:
    one = row(values, [data.draw(st.sampled_from([True, False, None])) for _ in values])
    text = draw_values({"trials": None}, one) or ""
    assert len(text) < 70_000
    svg = fromstring(text)
    assert not list(svg.iter("script"))
    for cell in svg.iter("rect"):
        assert 0 <= float(cell.get("x", "")) <= float(cell.get("x", "")) + float(cell.get("width", "")) <= WIDTH
    assert not re.search(r"nan|inf", " ".join(part.get("x", "") for part in svg.iter()))


def test_the_largest_strip_is_small() -> None:
    assert (
        len(draw_values({}, row([f"value {i} <&>" * 9 for i in range(256)], [bool(i % 2) for i in range(256)])) or "")
        < 70_000
    )


def found() -> rw.ProductSet:
    space = rw.Space({f"f{i}": rw.Int(0, 7, values=range(8)) for i in range(64)})
    return rw.triggers(space, rw.fails_when(lambda c: c["f3"] < 4 and c["f9"] == 2), dict.fromkeys(space, 2))


def test_the_questions_stand_beside_their_bounds() -> None:
    finding = found().to_dict()
    bounds = finding["bounds"]
    assert bounds == {
        "least": math.ceil(math.log2(math.comb(64, 2)) + 2 * math.log2(2**7 - 1)),
        "promised": 2 * 2 * (2 + 6) * 8,
        "singly": 64 * 7,
        "widest": 8,
    }
    assert bounds["least"] <= finding["asked"] - finding["verified"] <= bounds["promised"]
    svg = fromstring(draw_bounds(finding) or "")
    texts = {text.text for text in svg.iter("text")}
    assert {"this search", "at most, as HPSL promises", "256", "448"} <= texts
    assert draw_bounds({**finding, "complete": False}) is None
    assert draw_bounds({**finding, "bounds": None}) is None
