"""What the finding says: its words, its JSON, and that they agree with its numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.rules import Atom, Conjunction, Rule
from rootward.searches.causes.causes import Cause, Causes
from rootward.searches.causes.facts import GivenUp, Remark, Rest

CAUSE = Conjunction([Atom("a", "=", "x"), Atom("n", ">=", 3)])
OTHER = Conjunction([Atom("b", "=", True)])


def test_a_cause_is_definitive_when_all_of_it_was_run() -> None:
    assert Cause(CAUSE, support=6, size=6).definitive
    assert not Cause(CAUSE, support=5, size=6).definitive
    assert not Cause(CAUSE).definitive


def test_evidence_in_sentences() -> None:
    assert Cause(CAUSE, support=1, size=1).evidence() == [
        "The only combination with these settings was run and failed."
    ]
    assert Cause(CAUSE, support=3, size=3).evidence()[0].startswith("All 3 combinations")
    [said] = Cause(CAUSE, support=1, attempts=0, size=9, confidence=0.5).evidence()
    assert said.startswith("1 run had these settings")
    assert "all failed" not in said, "one is not all"
    assert said.endswith(" Confidence: 50%.")
    [said] = Cause(CAUSE, support=7, attempts=4, size=9, confidence=0.999).evidence()
    assert "7 runs" in said
    assert "4 of them" in said
    assert "100%" not in said, "nobody is ever that sure"


def test_contrasts_are_named() -> None:
    needed = (("a", {"a": "y", "n": 3}), ("n", {"a": "x", "n": 2}))
    assert Cause(CAUSE, support=1, size=9, needed=needed).evidence()[1] == (
        "It passed with one of them changed: a = y or n = 2."
    )
    assert Cause(CAUSE, support=1, size=9, needed=needed[:1]).evidence()[1] == "It passed with a = y instead."


def test_no_cause() -> None:
    assert str(Causes(of=3, failing=0, passing=4)).startswith("No cause is known")
    assert Causes().causes == []
    assert Causes().rule == Rule.never()


@pytest.mark.parametrize("of", [1, 2])
def test_one_is_said_as_one(of: int) -> None:
    for details in ((), (Cause(CAUSE),), (Cause(Conjunction()),)):
        said = str(Causes(details=details, of=of, failing=1, unexplained=1))
        assert "1 settings" not in said
        assert "1 runs" not in said


def test_everything_fails() -> None:
    assert str(Causes(details=(Cause(Conjunction(), support=5, size=9),), of=3, failing=5)).startswith(
        "It fails whatever the 3 settings are"
    )


def test_headlines_say_how_sure_they_are() -> None:
    one = Causes(details=(Cause(CAUSE),), of=3)
    assert str(one).startswith("It fails whenever this holds")
    unfinished = Causes(details=(Cause(CAUSE),), of=3, complete=False)
    assert str(unfinished).startswith("So far, it seems to fail whenever this holds")
    assert "one of these 2 causes holds" in str(Causes(details=(Cause(CAUSE), Cause(OTHER)), of=3))


def test_remarks_come_last() -> None:
    found = Causes(details=(Cause(CAUSE),), unexplained=2, guarantee=(Rest.PASSED,), notes=(GivenUp(9),))
    assert str(found).splitlines()[-3:] == [
        "2 failing runs are not explained by it.",
        "All other combinations were run and passed.",
        "The search gave up: the last 9 runs could not be judged.",
    ]


def test_the_rule_is_the_disjunction_of_the_causes() -> None:
    found = Causes(details=(Cause(CAUSE), Cause(OTHER)))
    assert found.rule == Rule([CAUSE, OTHER])
    assert found.rule.holds({"a": "x", "n": 5, "b": False})
    assert not found.rule.holds({"a": "x", "n": 2, "b": False})


def test_findings_are_equal_when_their_answers_are() -> None:
    one = Causes(details=(Cause(CAUSE, support=1, attempts=2, size=9, confidence=0.5),), failing=1, passing=2)
    two = Causes(details=(Cause(CAUSE, support=4),), failing=7, guarantee=(Rest.PASSED,))
    assert one == two
    assert one != Causes(details=(Cause(OTHER),))


def test_json_and_html(tmp_path: Path) -> None:
    nan = float("nan")
    space = rw.Space({"a": rw.Choice(["<b>", None, "y"]), "x": rw.Float(values=[1.0, nan, float("inf")])})

    def fails(c: Mapping[str, Any]) -> bool:
        return c["a"] == "<b>" and c["x"] != c["x"]

    found = rw.causes(space, rw.fails_when(fails))
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["finding"] == "causes"
    assert written["explanation"] == str(found)
    assert Rule.from_dict(written["rule"]) == found.rule
    assert [Rule.from_dict(one["rule"]) for one in written["causes"]] == [Rule([one]) for one in found.causes]
    page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;" in page
    assert "a = <b>" not in page


def test_causes_that_explain_most_come_first() -> None:
    space = rw.Space({name: rw.Choice([0, 1, 2]) for name in "abcd"})
    history = [
        ({"a": 1, "b": b, "c": c, "d": 0}, True) for b in (0, 1) for c in (0, 1)
    ] + [({"a": 0, "b": 2, "c": 2, "d": d}, True) for d in (0, 1)]  # fmt: skip
    found = rw.causes(space, rw.fails_when(lambda c: c["a"] == 1 or (c["b"] == 2 and c["c"] == 2)), history)
    support = [cause.support for cause in found.details]
    assert support == sorted(support, reverse=True)
    assert len(support) == 2


@pytest.mark.parametrize("note", [Remark.NOT_EXPLAINED, Remark.PASS_FAILS_NOW, Remark.FAILURE_PASSES_NOW])
def test_causes_that_runs_contradict_are_not_certain(note: Remark) -> None:
    cause = Cause(CAUSE, support=3, size=9)
    assert str(Causes(details=(cause,), of=2, failing=3)).startswith("It fails whenever")
    assert str(Causes(details=(cause,), of=2, failing=3, notes=(note,))).startswith("It seems to fail whenever")
