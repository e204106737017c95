"""A small space is run completely, and what is said then is a fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.candidate import key_of
from rootward.diagnosis.whole import everything, left
from rootward.rules import Atom, Rule
from rootward.study import Study
from rootward.subjects.function import as_subject
from tests.properties import examples

FIELDS = st.sampled_from(
    [rw.Bool(), rw.Choice("xyz"), rw.Int(-1, 2), rw.Ordinal([1, 10, 100]), rw.Float(0, 1, step=0.5), rw.Int(7, 7)]
)
SPACES = st.lists(FIELDS, min_size=1, max_size=3).map(lambda fields: rw.Space(zip("abc", fields, strict=False)))


def study(subject: Any, space: rw.Space, **parts: Any) -> Study:
    return Study("small", Path("small.toml"), as_subject(subject, isolate=False), space, **parts)


@examples(12)
@given(SPACES, st.data())
def test_what_is_certain_of_a_small_space_is_true_of_all_of_it(space: rw.Space, data: st.DataObject) -> None:
    every = [key_of(one) for one in everything(space)]
    failing = data.draw(st.sets(st.sampled_from(every), min_size=1))
    found = rw.diagnose(study(rw.fails_when(lambda one: key_of(one) in failing), space), seed=1)
    if not found.explanations:
        return
    [one] = found.explanations
    wrong = [it for it in everything(space) if one.rule.holds(it) is not (key_of(it) in failing)]
    assert not (one.certain and wrong)
    assert one.certain or wrong or len(every) > 48
    if one.certain and len(every) > 1:
        assert f"All {len(every)} configurations were run: it failed where it says so" in str(one)


def test_what_constraints_rule_out_need_not_be_run():
    space = rw.Space({"a": rw.Bool(), "n": rw.Int(0, 5)})
    never = Rule([[Atom("a", "=", False), Atom("n", ">", 3)]])
    found = rw.diagnose(study(rw.fails_when(lambda one: one["n"] > 2), space, constraints=never))
    assert found.certain
    assert "All 10 configurations that the constraints allow were run" in str(found)
    rest = left(space, set(), never=never, key=key_of, spent=0)
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


@pytest.mark.parametrize("spent", [0, 240])
def test_no_more_is_run_than_a_few_or_a_part_of_what_was_before(spent: int) -> None:
    space, known = rw.Space({"n": rw.Int(0, 99)}), {key_of({"n": n}) for n in range(40)}
    rest = left(space, known, never=None, key=key_of, spent=spent)
    assert rest == ([{"n": n} for n in range(40, 100)] if spent >= 240 else None)


@pytest.mark.parametrize("field", [rw.Float(0, 1), rw.Text(), rw.Int()])
def test_what_has_no_end_is_not_counted(field: rw.Float | rw.Text | rw.Int) -> None:
    assert left(rw.Space({"x": field}), set(), never=None, key=key_of, spent=10**9) is None
