"""The bugs of benchmarks/diagnose.py are what they are said to be, and what is stated about them is judged rightly."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from peers import bug_truth, planted_bugs, planted_lists
from peers.planted_bugs import RATE, Configured, configured
from peers.planted_lists import Listed, listed
from peers.published_chains import published

import rootward as rw
from rootward.rules import Atom, Quantity, Rule

SMALL = [(kind, name) for kind, templates in planted_bugs.KINDS.items() for name in templates if "000" not in name]
judge_rule, judge_list = partial(bug_truth.judge_rule, points=300), partial(bug_truth.judge_list, points=300)
LISTS = [*planted_lists.MESSAGES, *planted_lists.ROWS]


def full(bug: Configured, variable: str) -> str:
    return dict(zip(bug.core.variables, bug.core.space.names, strict=True))[variable]


@pytest.mark.parametrize(("kind", "name"), SMALL)
def test_the_failing_input_fails_by_its_first_cause_alone(kind: str, name: str) -> None:
    bug = configured(name, kind, 3)
    assert len(bug.space) == bug.size == int(name.rpartition("-")[2])
    assert bug.subject(bug.failing) is rw.Verdict.FAIL
    assert bug.subject({**bug.failing, **bug.core.passing}) is rw.Verdict.PASS
    assert bug.space.check(bug.failing) == bug.failing or name.startswith("single-nan")
    for cause in bug.causes[1:]:
        assert not planted_bugs.Bug("", bug.core.space, cause, {}, {}, {}, bug.core.variables).fails(bug.failing)
    again = configured(name, kind, 3)
    assert (again.truth, again.space) == (bug.truth, bug.space)
    assert again.failing == bug.failing


@pytest.mark.parametrize("name", planted_bugs.DISJUNCTION)
def test_a_second_cause_is_not_rare(name: str) -> None:
    if "000" not in name:
        assert configured(name, "disjunction", 0).measures(2000)[1] > 0.02


@pytest.mark.parametrize("name", LISTS)
def test_a_list_fails_by_its_roles(name: str) -> None:
    bug = listed(name, "any", 2)
    assert bug.subject(bug.elements) is rw.Verdict.FAIL
    assert bug.subject([]) is rw.Verdict.PASS
    kept = [bug.elements[i] for i in reduced(bug)]
    assert bug.triggered(kept)
    assert len(kept) == len(bug.roles)
    turned = bug.triggered(kept[::-1])
    assert turned == (not bug.ordered or len(kept) == 1)
    assert listed(name, "any", 2).elements == bug.elements


def reduced(bug: Listed) -> tuple[int, ...]:
    """The places of what is left."""
    return rw.reduce(bug.elements, bug.subject).selection.kept


def test_a_flaky_bug_shows_at_its_rate_and_nowhere_else() -> None:
    bug = configured("range-above-20", "flaky", 0, RATE)
    shown = [bug.subject(bug.failing, seed) for seed in range(500)]
    assert 0.6 < shown.count(rw.Verdict.FAIL) / 500 < 0.8
    passing = {**bug.failing, **bug.core.passing}
    assert all(bug.subject(passing, seed) is rw.Verdict.PASS for seed in range(100))


# What is stated


def single(bug: Configured, variable: str, op: str, value: Any) -> Rule:
    return Rule([[Atom(full(bug, variable), op, value)]])


def test_the_truth_is_accepted_and_what_is_next_to_it_is_not() -> None:
    bug = configured("range-below-1000", "range", 1)
    bound = int(bug.truth.split()[-1])
    assert judge_rule(bug, single(bug, "altitude", "<", bound)).true
    assert judge_rule(bug, single(bug, "altitude", "<=", bound - 1)).true
    off = judge_rule(bug, single(bug, "altitude", "<", bound + 1))
    assert not off.true
    assert off.fields
    assert f"{bound}" in off.why
    extra = Rule([[Atom(full(bug, "altitude"), "<", bound)], [Atom(full(bug, "altitude"), "=", 4321)]])
    assert not judge_rule(bug, extra).true
    assert not judge_rule(bug, Rule.always()).true
    assert not judge_rule(bug, Rule.never()).true


def test_the_last_bit_of_a_float_is_forgiven_and_a_millionth_is_not() -> None:
    bug = configured("range-window-2000", "range", 1)
    low, _, high = (float(word) for word in bug.truth.replace("<", "").replace("rpm", "0").split())
    name = full(bug, "rpm")

    def window(low: float) -> Rule:
        return Rule([[Atom(name, ">", low), Atom(name, "<", high)]])

    assert judge_rule(bug, window(low)).true
    assert judge_rule(bug, window(low * (1 + 1e-15))).true
    assert not judge_rule(bug, window(low * (1 + 1e-6))).true


def test_a_rule_that_reads_more_fields_is_judged_over_these() -> None:
    bug = configured("relation-sum-50", "relation", 0)
    bound = int(bug.truth.split()[-1])
    front, rear = full(bug, "front"), full(bug, "rear")
    other = next(name for name, field in bug.space.items() if isinstance(field, rw.Bool))
    over = Atom(Quantity("+", front, rear), ">", bound)
    assert judge_rule(bug, Rule([[over]])).true
    narrowed = judge_rule(bug, Rule([[over, Atom(other, "=", bug.failing[other])]]))
    assert not narrowed.true
    assert not narrowed.fields
    assert judge_rule(bug, Rule([[over, Atom(other, "=", True)], [over, Atom(other, "=", False)]])).true


def test_one_of_two_causes_is_not_enough() -> None:
    bug = configured("disjunction-retry-50", "disjunction", 2)
    bound, member = bug.truth.split(")")[0].split()[-1], bug.truth.split("'")[1]
    one = single(bug, "attempts", ">=", int(bound))
    assert judge_rule(bug, one | single(bug, "hatch", "=", member)).true
    assert not judge_rule(bug, one).true


def test_of_messages_all_has_to_be_right() -> None:
    bug = listed("order-mode-30", "order", 1)
    kept = reduced(bug)
    mode_set = int(bug.condition.split()[-1])
    mode = Rule([[Atom("M0.mode", "=", mode_set)]])
    types = [Atom("M0.message", "=", "SetMode"), Atom("M1.message", "=", "Engage")]
    assert judge_list(bug, kept, mode, order=1).true
    assert judge_list(bug, kept, mode & Rule([types]), order=1).true
    assert judge_list(bug, kept, Rule([[Atom(f"E{kept[0] + 1}.mode", "=", mode_set)]]), order=1).true
    assert not judge_list(bug, kept, mode & Rule([[Atom("M0.message", "=", "Ping")]]), order=1).true
    assert not judge_list(bug, kept, mode, order=0).true
    assert not judge_list(bug, kept, Rule.always(), order=1).true
    assert not judge_list(bug, range(len(bug.elements)), mode, order=1).true
    assert not judge_list(bug, kept[:1], mode, order=1).true


def test_messages_without_a_condition_and_in_any_order() -> None:
    plain = listed("order-reset-10", "order", 0)
    assert judge_list(plain, reduced(plain), Rule.always(), order=1).true
    *_, other = plain.elements[reduced(plain)[0]]
    for name in ("M0.message", f"M0.{other}", "M0.stranger", "M2.count", "E99.count", "count"):
        assert not judge_list(plain, reduced(plain), Rule([[Atom(name, "=", 3)]]), order=1).true
    three = listed("order-three-60", "order", 0)
    assert [judge_list(three, reduced(three), Rule.always(), order=said).true for said in (0, 1, 2)] == [
        False,
        False,
        True,
    ]
    free = listed("order-free-40", "order", 0)
    kept = reduced(free)
    place = [free.elements[i]["message"] for i in kept].index("Subscribe")
    rate = Rule([[Atom(f"M{place}.rate", ">", int(free.condition.split()[-1]))]])
    assert judge_list(free, kept, rate, order=0).true
    assert not judge_list(free, kept, rate, order=1).true


def test_the_published_steps_state_the_cause_of_a_simple_bug() -> None:
    answer = published(configured("single-setting-50", "single value", 0))
    assert answer.judged.true
    assert 20 < answer.trials < 1000
    rows = published(listed("row-zero-100", "row", 0))
    assert rows.judged.true
    assert dict(rows.steps).keys() == {"ddmin", "hpsl", "alo"}
