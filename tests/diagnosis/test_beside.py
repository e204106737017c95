"""Of values without an order, others are tried; what is said of texts is said of those that were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.beside import alike, beside
from rootward.diagnosis.diagnosis import Cause
from rootward.rules import Atom, Rule
from rootward.study import Study
from rootward.subjects.function import as_subject
from tests.properties import few

LOG = [{"kind": kind, "level": level} for level, kind in enumerate(["ping", "Reset", "ack", "reboot", "ping", "go"])]


def diagnosed(fails: Any, elements: list[dict[str, Any]] | None = None, **parts: Any) -> rw.Diagnosis:
    subject = as_subject(rw.fails_when(fails), isolate=False)
    return rw.diagnose(Study("log", Path("log.toml"), subject, elements=elements, **parts))


@given(st.text(max_size=300))
def test_texts_that_are_alike_are_other_ones(text: str) -> None:
    made = alike(text)
    assert text not in made
    assert "" not in made
    assert len(set(made)) == len(made) <= 6


def test_one_field_at_a_time_takes_other_values():
    space = rw.Space({"kind": rw.Text(["go", "stop"]), "gear": rw.Choice("PRND"), "n": rw.Int(0, 9)})
    example = {"kind": "go", "gear": "R", "n": 4}
    rule = Rule([[Atom("kind", "=", "go"), Atom("gear", "!=", "P"), Atom("n", ">", 3)]])
    made = list(beside(space, Cause(rule, example)))
    assert all(sum(one[name] != example[name] for name in space) <= 1 for one in made)
    assert {one["gear"] for one in made} == set("PRND")
    assert {"stop", "GO", "gox", " go"} <= {one["kind"] for one in made}
    assert {one["n"] for one in made} == {4}


def test_a_text_is_certain_once_those_beside_it_were_tried():
    found = diagnosed(lambda kept: any(one["kind"] == "Reset" for one in kept), LOG)
    assert str(found).startswith("It fails when E2.kind = Reset.")
    assert "As E2.kind, " in str(found)
    assert found.certain


def test_another_text_of_the_recording_that_fails_is_found():
    """Nobody would have made it up."""
    found = diagnosed(lambda kept: any(one["kind"] in ("reboot", "Reset") and one["level"] < 3 for one in kept), LOG)
    [one] = found.explanations
    assert one.rule.holds({"E2.kind": "reboot", "E2.level": 1})
    assert not one.rule.holds({"E2.kind": "reboot", "E2.level": 3})


@pytest.mark.parametrize("same", few(1, [str.lower, str.strip, lambda text: text[:5]]))
def test_a_condition_on_a_part_of_a_text_is_not_certain(same: Any) -> None:
    found = diagnosed(lambda kept: any(same(one["kind"]) == same("Reset") for one in kept), LOG)
    assert not found.certain
    assert "For which other texts as E2.kind it fails is not known." in str(found)


def test_a_text_that_does_not_matter_leaves_nothing_open():
    space = rw.Space({"name": rw.Text(), "n": rw.Int(0, 10**6)})
    found = diagnosed(lambda one: one["n"] > 300, space=space, failing={"name": "bob", "n": 800})
    assert str(found).startswith("It fails when n > 300.")
    assert "texts" not in str(found)
