"""The page of causes: each with its evidence and the runs that passed, whatever the settings are called."""

import math
import re
from typing import Any

import pytest

import rootward as rw
from rootward.formats.tables.facts import IgnoredColumns
from rootward.report.kinds.causes import MAX_SETTINGS, neighbours
from rootward.report.sentences.causes import sentence
from rootward.rules import Atom, Conjunction
from rootward.searches.causes.causes import Cause, Causes
from rootward.searches.causes.facts import OfHistory, PassedOutside

from .pages import fragment, page
from .test_page import Reader

RATE = Cause(
    Conjunction([Atom("rate", ">=", 0.8), Atom("model", "!=", "tree"), Atom("model", "!=", "<b>")]),
    support=5,
    attempts=3,
    size=8,
    confidence=0.97,
    needed=(("rate", {"model": "boost", "rate": 0.5, "seed": 1}),),
)
ODD = Cause(
    Conjunction([Atom("<i>", "=", math.nan), Atom("seed", "=", 1)]),
    support=2,
    size=2,
    needed=(("<i>", {"<i>": None, "seed": 1}), ("seed", {"<i>": math.nan, "seed": 0})),
)
REST, NOTE = PassedOutside(9, causes=2), OfHistory(IgnoredColumns(("<note>",)))


def found(*details: Cause, **known: Any) -> dict[str, Any]:
    return Causes(details=details, of=3, failing=7, passing=9, guarantee=(REST,), **known).to_dict()


def test_a_row_for_each_setting_that_the_cause_names() -> None:
    rows = neighbours(RATE.to_dict())
    assert rows == [
        {"says": 'model not in {"<b>", tree}', "passed": "", "others": [], "more": 0},
        {"says": "rate >= 0.8", "passed": "rate = 0.5", "others": ["model = boost", "seed = 1"], "more": 0},
    ]


def test_a_run_with_many_settings_is_cut_short_behind_those_that_matter() -> None:
    run = {f"p{i:03}": i for i in range(300)} | {"z": 0, "zz": 1}
    cause = Cause(Conjunction([Atom("z", "=", 1), Atom("zz", "=", 1)]), needed=(("z", run),))
    row = neighbours(cause.to_dict())[0]
    assert row["others"][:2] == ["zz = 1", "p000 = 0"]
    assert (len(row["others"]), row["more"]) == (MAX_SETTINGS, 301 - MAX_SETTINGS)


def test_a_card_for_each_cause() -> None:
    read = Reader(page(found(RATE, ODD, notes=(NOTE,), unexplained=1)))
    assert [attrs.get("class") for tag, attrs in read.tags if tag == "article"] == ["cause", "cause"]
    for said in (
        "It fails whenever one of these 2 causes holds",
        'rate >= 0.8 and model not in {"<b>", tree}',
        "5 runs had these settings (3 of them new) and all failed. Confidence: 97%.",
        "5 of the 8 combinations with these settings were run and failed.",
        "rate = 0.5",
        "no passing run is known that has the rest of the cause",
        '"<i>" is NaN and seed = 1',
        '"<i>" = none',
        "Both combinations with these settings were run and failed.",
        "1 failing run is not explained by them.",
        sentence(REST),
        sentence(NOTE),
    ):
        assert said in read.text
    assert not {"b", "i", "note"} & {tag for tag, attrs in read.tags if not attrs}


def test_how_much_of_a_cause_was_run_is_drawn_if_it_is_small() -> None:
    cells = [attrs["class"] for tag, attrs in Reader(page(found(RATE))).tags if tag == "i" and "style" not in attrs]
    assert cells == ["on"] * 5 + ["untried"] * 3
    huge = Cause(RATE.conjunction, support=5, size=2**200)
    assert "<i " not in page(found(huge))
    assert "<i " not in page(found(ODD)), "all of it was run: there is nothing to see"


@pytest.mark.parametrize(
    ("details", "said"),
    [((), "No cause is known"), ((Cause(Conjunction(), support=7, size=9),), "It fails whatever the 3 settings are")],
)
def test_pages_without_a_condition(details: tuple[Cause, ...], said: str) -> None:
    read = Reader(page(found(*details)))
    assert said in read.text
    assert sentence(REST) in read.text
    assert "table" not in {tag for tag, _ in read.tags}


def test_a_real_finding() -> None:
    space = rw.Space({"mode": rw.Choice("abc"), "n": rw.Int(values=range(6)), "on": rw.Bool()})
    fails = rw.fails_when(lambda c: c["mode"] == "b" and c["n"] > 2)
    history = [({"mode": "b", "n": 5, "on": True}, True), ({"mode": "a", "n": 0, "on": False}, False)]
    read = Reader(fragment(rw.causes(space, fails, history).to_dict()))
    assert "n >= 3 and mode = b" in read.text
    assert "passed with" in read.text


def test_of_many_causes_all_but_the_first_are_folded() -> None:
    text = page(found(*[RATE] * 12))
    assert len(re.findall(r"<details><summary>\s*<h2>", text)) == 2
    assert all(f'id="run-1-cause-{number}"' in text for number in range(1, 13))
