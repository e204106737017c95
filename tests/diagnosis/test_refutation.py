"""Runs that could refute a claim lie where they should; a small space is run completely; of texts, others are tried."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.refutation import (
    Sampling,
    all_configurations,
    contradicts,
    left_to_run,
    similar_texts,
    vary_unordered,
)
from rootward.explanation.diagnosis import FailureCause
from rootward.rules import Atom, Quantity, Rule
from rootward.space.candidate import key_of
from rootward.space.space import Bool, Choice, Float, Int, Space
from rootward.study import Study
from rootward.subjects.function import as_subject
from tests.properties import examples

# Fresh configurations lie where they should, and only the fields of the claim are held.


SPACE = Space({"a": Int(0, 50), "b": Choice("xyz"), "c": Float(-1, 1), "d": Bool(), "e": Int(0, 9)})
START = {"a": 40, "b": "x", "c": 0.5, "d": True, "e": 3}
NEVER = Rule([[Atom("e", "=", 7)], [Atom("b", "=", "z"), Atom("d", "=", True)]])
seeds = st.integers(0, 2**32)
bounds = st.integers(0, 40)


def draws(rule: Rule, seed: int, known: list[str] | None = None) -> Sampling:
    return Sampling(SPACE, rule, known=known or [], never=NEVER, rng=np.random.default_rng(seed))


@given(bounds, seeds)
def test_inside_stays_inside_and_outside_outside(bound: int, seed: int) -> None:
    rule = Rule([[Atom("a", ">=", bound), Atom("b", "!=", "y")]])
    passing = {**START, "b": "y"}
    draw = draws(rule, seed)
    inside = [draw.draw_like([START], rule.holds) for _ in range(12)]
    outside = [draw.draw_like([passing], lambda one: not rule.holds(one)) for _ in range(12)]
    assert all(rule.holds(one) for one in inside)
    assert not any(rule.holds(one) for one in outside)
    new = [one for one in (*inside, *outside) if draw.is_new(one)]
    assert not any(NEVER.holds(one) for one in new)
    assert all(SPACE.check(one) == one and list(one) == list(SPACE) for one in new)
    assert len({key_of(one) for one in new}) == len(new)


@given(seeds)
def test_fields_that_do_not_matter_all_vary(seed: int) -> None:
    rule = Rule([[Atom("a", ">", 30)]])
    draw = draws(rule, seed)
    drawn = [draw.draw_like([START], rule.holds) for _ in range(30)]
    for name in ("b", "c", "d", "e"):
        assert len({one[name] for one in drawn}) > 1, name


@given(seeds)
def test_what_is_known_is_not_drawn(seed: int) -> None:
    small = Space({"a": Int(0, 2), "d": Bool()})
    every = [{"a": a, "d": d} for a in range(3) for d in (True, False)]
    rule = Rule([[Atom("a", ">=", 1)]])
    draw = Sampling(small, rule, known=[key_of(every[2])], never=None, rng=np.random.default_rng(seed))
    drawn = [one for one in (draw.draw_like([every[3]], rule.holds) for _ in range(30)) if draw.is_new(one)]
    assert every[2] not in drawn
    assert len(drawn) <= 3


@given(seeds)
def test_elsewhere_keeps_what_the_claim_names(seed: int) -> None:
    draw = draws(Rule([[Atom("a", ">", 30), Atom("c", "<", 0.9)]]), seed)
    moved = [draw.vary_rest(START) for _ in range(20)]
    assert all((one["a"], one["c"]) == (START["a"], START["c"]) for one in moved)
    assert len({one["e"] for one in moved}) > 1


def test_a_region_of_one_value_is_met() -> None:
    """However small it is: the walk starts in it."""
    rule = Rule([[Atom("a", "=", 40), Atom("c", "=", 0.5)]])
    draw = draws(rule, 0)
    assert sum(draw.is_new(draw.draw_like([START], rule.holds)) for _ in range(24)) >= 12


# Of values without an order, others are tried; what is said of texts is said of those that were.


LOG = [{"kind": kind, "level": level} for level, kind in enumerate(["ping", "Reset", "ack", "reboot", "ping", "go"])]


def diagnosed(fails: Any, elements: list[dict[str, Any]] | None = None, **parts: Any) -> rw.Diagnosis:
    subject = as_subject(rw.fails_when(fails), isolate=False)
    return rw.diagnose(Study("log", Path("log.toml"), subject, elements=elements, **parts))


@given(st.text(max_size=300))
def test_texts_that_are_alike_are_other_ones(text: str) -> None:
    made = similar_texts(text)
    assert text not in made
    assert "" not in made
    assert len(set(made)) == len(made) <= 6


def test_one_field_at_a_time_takes_other_values():
    space = rw.Space({"kind": rw.Text(["go", "stop"]), "gear": rw.Choice("PRND"), "n": rw.Int(0, 9)})
    example = {"kind": "go", "gear": "R", "n": 4}
    rule = Rule([[Atom("kind", "=", "go"), Atom("gear", "!=", "P"), Atom("n", ">", 3)]])
    made = list(vary_unordered(space, FailureCause(rule, example)))
    assert all(sum(one[name] != example[name] for name in space) <= 1 for one in made)
    assert {one["gear"] for one in made} == set("PRND")
    assert {"stop", "GO", "gox", " go"} <= {one["kind"] for one in made}
    assert {one["n"] for one in made} == {4}


def test_a_text_is_stated_with_what_was_tried_beside_it_and_is_not_certain():
    """Another word that nobody has mentioned may fail as well."""
    found = diagnosed(lambda kept: any(one["kind"] == "Reset" for one in kept), LOG)
    assert str(found).startswith("It seems to fail when E2.kind = Reset.")
    assert " tried in E2.kind." in str(found)
    assert "It is not known for which other texts in E2.kind it fails." in str(found)


def test_another_text_of_the_recording_that_fails_is_found():
    """Nobody would have made it up."""
    found = diagnosed(lambda kept: any(one["kind"] in ("reboot", "Reset") and one["level"] < 3 for one in kept), LOG)
    [one] = found.explanations
    assert one.rule.holds({"E2.kind": "reboot", "E2.level": 1})
    assert not one.rule.holds({"E2.kind": "reboot", "E2.level": 3})


def test_a_condition_on_a_part_of_a_text_is_not_certain() -> None:
    found = diagnosed(lambda kept: any(one["kind"].strip() == "Reset" for one in kept), LOG)
    assert not found.certain


def test_a_condition_that_ignores_case_says_so() -> None:
    found = diagnosed(lambda kept: any(one["kind"].lower() == "reset" for one in kept), LOG)
    [one] = found.explanations
    assert str(one.rule) == 'E2.kind equals, ignoring case, "reset"'


def test_a_condition_on_the_beginning_of_a_text_is_stated() -> None:
    found = diagnosed(lambda kept: any(one["kind"].startswith("Reset") for one in kept), LOG)
    assert str(found).startswith('It fails when E2.kind starts with "Reset".')


def test_a_text_that_does_not_matter_leaves_nothing_open():
    space = rw.Space({"name": rw.Text(), "n": rw.Int(0, 10**6)})
    found = diagnosed(lambda one: one["n"] > 300, space=space, failing={"name": "bob", "n": 800})
    assert str(found).startswith("It fails when n > 300.")
    assert "texts" not in str(found)


# A small space is run completely, and what is said then is a fact.


FIELDS = st.sampled_from(
    [rw.Bool(), rw.Choice("xyz"), rw.Int(-1, 2), rw.Ordinal([1, 10, 100]), rw.Float(0, 1, step=0.5), rw.Int(7, 7)]
)
SPACES = st.lists(FIELDS, min_size=1, max_size=3).map(lambda fields: rw.Space(zip("abc", fields, strict=False)))


def study(subject: Any, space: rw.Space, **parts: Any) -> Study:
    return Study("small", Path("small.toml"), as_subject(subject, isolate=False), space, **parts)


@examples(12)
@given(SPACES, st.data())
def test_what_is_certain_of_a_small_space_is_true_of_all_of_it(space: rw.Space, data: st.DataObject) -> None:
    every = [key_of(one) for one in all_configurations(space)]
    failing = data.draw(st.sets(st.sampled_from(every), min_size=1))
    found = rw.diagnose(study(rw.fails_when(lambda one: key_of(one) in failing), space), seed=1)
    if not found.explanations:
        return
    [one] = found.explanations
    wrong = [it for it in all_configurations(space) if one.rule.holds(it) is not (key_of(it) in failing)]
    assert not (one.certain and wrong)
    assert one.certain or wrong or len(every) > 128
    if one.certain and len(every) > 1:
        assert f"All {len(every)} configurations were run: it failed exactly where predicted" in str(one)


def test_what_constraints_rule_out_need_not_be_run():
    space = rw.Space({"a": rw.Bool(), "n": rw.Int(0, 5)})
    never = Rule([[Atom("a", "=", False), Atom("n", ">", 3)]])
    found = rw.diagnose(study(rw.fails_when(lambda one: one["n"] > 2), space, constraints=never))
    assert found.certain
    assert "All 10 configurations that the constraints allow were run" in str(found)
    rest = left_to_run(space, set(), never=never, key=key_of, most=256)
    assert rest is not None
    assert len(rest) == 10
    assert not any(never.holds(one) for one in rest)


def test_where_a_run_may_do_otherwise_next_time_it_is_no_fact():
    def fails(one: dict[str, Any], seed: int) -> None:
        assert one["n"] <= 2

    found = rw.diagnose(study(fails, rw.Space({"a": rw.Bool(), "n": rw.Int(0, 5)})))
    assert "configurations were run" not in str(found)


def test_what_fails_in_another_way_was_run_too():
    def fails(one: dict[str, Any]) -> rw.Outcome | None:
        if one["n"] == 5:
            return rw.Outcome(rw.Verdict.FAIL, "five")
        return rw.Outcome(rw.Verdict.FAIL, "hot") if one["n"] > 2 and one["a"] else None

    space = rw.Space({"a": rw.Bool(), "n": rw.Int(0, 5)})
    found = rw.diagnose(study(fails, space, failing={"a": True, "n": 3}))
    first = found.explanations[0]
    assert first.certain
    told = [first.rule.holds({"a": a, "n": n}) for a in (False, True) for n in range(5)]
    assert told == [False] * 8 + [True] * 2


@pytest.mark.parametrize("most", [0, 359, 360])
def test_no_more_is_run_than_allowed(most: int) -> None:
    space, known = rw.Space({"n": rw.Int(0, 399)}), {key_of({"n": n}) for n in range(40)}
    rest = left_to_run(space, known, never=None, key=key_of, most=most)
    assert rest == ([{"n": n} for n in range(40, 400)] if most >= 360 else None)


@pytest.mark.parametrize("field", [rw.Float(0, 1), rw.Text(), rw.Int()])
def test_what_has_no_end_is_not_counted(field: rw.Float | rw.Text | rw.Int) -> None:
    assert left_to_run(rw.Space({"x": field}), set(), never=None, key=key_of, most=10**9) is None


# Rounding


def test_a_run_whose_verdict_depends_on_rounding_does_not_contradict_a_formula() -> None:
    claim = Rule([[Atom(Quantity("*", "c", 3), ">", 0.3)]])
    assert claim.holds({"c": 0.1})  # code that compares c with 0.1 passes here
    assert not contradicts(claim, {"c": 0.1}, fails=False)
    assert contradicts(claim, {"c": 0.1000001}, fails=False)
    assert contradicts(claim, {"c": 0.0999999}, fails=True)


def test_a_field_that_is_compared_on_its_own_has_no_rounding() -> None:
    claim = Rule([[Atom("c", ">", 0.3)]])
    assert contradicts(claim, {"c": 0.3}, fails=True)
    assert contradicts(claim, {"c": 0.30000000000000004}, fails=False)
