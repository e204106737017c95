"""The generator of benchmarks/generated.py is frozen, its bugs are what they are said to be, and answers are judged
rightly."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import generated  # type: ignore[import-not-found]  # a script
import pytest
from peers import bug_truth, generated_bugs, generated_conditions
from peers.generated_bugs import Condition, Failure, Generated, Runs, draw_bug, kind_of
from peers.generated_conditions import Signal, Term

import rootward as rw
from rootward.rules import Atom, Rule

GENERATOR = "24d2c3ca0714fdf6e95e788234f8d874026824e0fd14f414ee0454fb13121677"
BUGS = "bc1b27a6081b28027dc98a55d7544eb806d9904ab0a55ed75e74416e75771d51"
SEED, NUMBERS = 7, range(18)
EASY = 4
POINTS = 200


def test_the_generator_is_frozen() -> None:
    sources = [Path(str(one.__file__)).read_bytes() for one in (generated_bugs, generated_conditions)]
    assert hashlib.sha256(b"\0".join(sources)).hexdigest() == GENERATOR, "other bugs are drawn: measure again"


def test_what_it_draws_is_frozen_too() -> None:
    drawn = [draw_bug(SEED, number) for number in NUMBERS]
    told = [(one.kind, *(str(failure.condition) for failure in one.failures), one.failing, one.rate) for one in drawn]
    assert hashlib.sha256(repr(told).encode()).hexdigest() == BUGS


def test_every_hundred_bugs_have_the_same_kinds() -> None:
    assert sum(generated_bugs.KINDS.values()) == 100
    for block in (0, 9):
        assert Counter(kind_of(3, 100 * block + place) for place in range(100)) == generated_bugs.KINDS
    assert [kind_of(3, place) for place in range(100)] != [kind_of(3, 100 + place) for place in range(100)]


@pytest.mark.parametrize("number", NUMBERS)
def test_the_failing_input_fails_and_the_working_one_passes(number: int) -> None:
    bug = draw_bug(SEED, number)
    assert 2 <= len(bug.space) <= 40
    runs = Runs(replace(bug, rate=1.0))
    outcome = runs.run(bug.failing, "")
    assert isinstance(outcome, rw.Outcome)
    assert (outcome.verdict, outcome.signature) == (rw.Verdict.FAIL, bug.failures[bug.shown].signature)
    for failure in bug.failures:
        assert runs.run(failure.passing, "") is rw.Verdict.PASS
        assert runs.run(failure.example, "") == rw.Outcome(rw.Verdict.FAIL, signature=failure.signature)
    assert runs.forbidden == 0
    assert bug.constraints is None or not bug.constraints.holds(bug.failing)


class Stated:
    """A rule that says the same as the planted condition, or the contrary."""

    terms = ()

    def __init__(self, condition: Condition, *, contrary: bool = False) -> None:
        self.condition, self.contrary = condition, contrary
        self.fields = sorted(condition.fields)

    def holds(self, point: Mapping[str, Any]) -> bool:
        return self.condition.holds(point) != self.contrary

    def holds_many(self, points: Sequence[Mapping[str, Any]]) -> list[bool]:
        return [self.holds(point) for point in points]


@pytest.mark.parametrize("number", NUMBERS)
def test_the_planted_condition_is_true_and_its_contrary_is_not(number: int) -> None:
    bug = draw_bug(SEED, number)
    for place, failure in enumerate(bug.failures):
        judged = bug_truth.judge_generated(bug, place, Stated(failure.condition), POINTS)
        assert (judged.true, judged.fields, judged.accuracy) == (True, True, 1)
        contrary = bug_truth.judge_generated(bug, place, Stated(failure.condition, contrary=True), POINTS)
        assert (contrary.true, contrary.accuracy) == (False, 0)


def test_a_flaky_bug_fails_at_its_rate_with_and_without_a_seed() -> None:
    steady = planted("x > 500")
    for takes_seed in (False, True):
        subject = Runs(replace(steady, rate=0.8, takes_seed=takes_seed)).subject()
        assert subject.seeded == takes_seed
        shown = [subject.call(steady.failing, seed).verdict for seed in range(400)]
        assert 0.74 < shown.count(rw.Verdict.FAIL) / 400 < 0.86
        assert subject.call(steady.failures[0].passing, 1).verdict is rw.Verdict.PASS


# Judging


X, NAME = Signal("x", "integer", rw.Int(0, 1000), 0, 1000), Signal("name", "text", rw.Text(["a-b", "c"]), texts=("a",))
MODE = Signal("mode", "choice", rw.Choice(["on", "off"]))


def planted(*texts: str, **more: Any) -> Generated:
    """A bug with these failures over ``x``, ``name`` and ``mode``; it fails by the last one at x = 900, "a-b", on."""
    failing, passing = {"x": 900, "name": "a-b", "mode": "on"}, {"x": 300, "name": "c", "mode": "on"}
    names = [tuple(sorted({"x", "name", "mode"} & generated_conditions.compile_names(text))) for text in texts]
    conditions = [Condition(((Term(text, fields),),)) for text, fields in zip(texts, names, strict=True)]
    failures = tuple(Failure(f"failure {i}", one, failing, passing) for i, one in enumerate(conditions))
    return Generated(0, 0, "", (X, NAME, MODE), failures, len(failures) - 1, **more)


def judge(bug: Generated, *line: Atom, failure: int = 0) -> bool:
    return bug_truth.judge_generated(bug, failure, Rule([line]), POINTS).true


def test_a_bound_must_be_right_to_the_last_integer() -> None:
    bug = planted("x > 500")
    assert judge(bug, Atom("x", ">=", 501))
    assert not judge(bug, Atom("x", ">=", 500))
    assert not judge(bug, Atom("x", ">", 500), Atom("mode", "=", "on"))
    assert not bug_truth.judge_generated(bug, 0, Rule.always(), POINTS).true


def test_a_list_of_texts_is_not_a_property_of_texts() -> None:
    assert not judge(planted("'-' in name"), Atom("name", "=", "a-b"))


def test_points_that_are_not_seen_do_not_count() -> None:
    off = Condition(((Term("mode == 'off'", ("mode",)),),))
    rule = Atom("x", ">", 500), Atom("mode", "=", "on")
    assert not judge(planted("x > 500"), *rule)
    assert judge(planted("x > 500", unresolved=off), *rule)
    assert judge(planted("x > 500", forbidden=((("mode", "=", "off"),),)), *rule)
    assert judge(planted("x > 500", forbidden=((("mode", "=", "off"),),)), Atom("x", ">", 500))


def test_each_of_two_failures_is_judged_by_its_own_condition() -> None:
    bug = planted("x < 200", "x < 300 or x > 700")
    first, second = Atom("x", "<", 200), Atom("x", ">", 700)
    assert judge(bug, first, failure=0)
    assert not judge(bug, first, failure=1)
    for low in (Atom("x", ">=", 200), Atom("x", ">=", 50)):
        rule = Rule([[low, Atom("x", "<", 300)], [second]])
        assert bug_truth.judge_generated(bug, 1, rule, POINTS).true
    assert not judge(bug, second, failure=1)


def test_what_another_failure_shows_does_not_count_if_the_claim_says_so() -> None:
    bug = planted("200 < x < 300", "x >= 250")
    wide = Rule([[Atom("x", ">", 200), Atom("x", "<", 320)]])
    assert not bug_truth.judge_generated(bug, 0, wide, POINTS).true
    assert bug_truth.judge_generated(bug, 0, wide, POINTS, unless_hidden=True).true
    wider = Rule([[Atom("x", ">", 150), Atom("x", "<", 320)]])
    assert not bug_truth.judge_generated(bug, 0, wider, POINTS, unless_hidden=True).true


# Results


def solved(number: int, *claims: Any) -> Any:
    return generated.Solved(1, number, generated_bugs.STEADY, "one term", ("x > 1",), 0, claims, 100, 0.5, True, 0)


TRUE = generated.Claim(0, "x > 1", True, True, 1.0, "")
FALSE = generated.Claim(0, "x > 2", True, False, 0.9, "x = 2")


def test_a_run_is_resumed_with_the_results_of_the_same_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "results" / "out.sqlite"
    asked: list[tuple[int, int]] = []

    def solve(place: tuple[int, int]) -> Any:
        if place[1] == 2 and not asked.count(place):
            asked.append(place)
            raise KeyboardInterrupt
        asked.append(place)
        return solved(place[1], TRUE)

    monkeypatch.setattr(generated, "solve", solve)
    with pytest.raises(KeyboardInterrupt):
        generated.measure(1, 3, 1, out, verbose=False)
    assert asked == [(1, 0), (1, 1), (1, 2)]
    assert generated.measure(1, 4, 1, out, verbose=False) == [solved(number, TRUE) for number in range(4)]
    assert asked[3:] == [(1, 2), (1, 3)]
    monkeypatch.setattr(generated, "fingerprint", lambda sources: "other sources")
    generated.measure(1, 2, 1, out, verbose=False)
    assert asked[5:] == [(1, 0), (1, 1)]
    generated.measure(2, 1, 1, out, verbose=False)
    assert asked[7:] == [(2, 0)]


def test_processor_time_is_limited() -> None:
    with pytest.raises(KeyboardInterrupt), generated._limit_cpu(0.01):
        for _ in range(10**9):
            pass


def test_a_bug_is_stated_exactly_if_all_its_claims_are_true() -> None:
    both = solved(0, TRUE, FALSE)
    assert solved(0, TRUE).exact
    assert not both.exact
    assert not solved(0).exact
    assert not solved(0, replace(TRUE, failure=1)).exact
    assert both.false_claims == [FALSE]
    assert not solved(0, replace(FALSE, certain=False)).false_claims


def test_the_tables_count_and_list_the_false_claims(capsys: pytest.CaptureFixture[str]) -> None:
    generated.tables([solved(0, TRUE), solved(1, FALSE)])
    printed = capsys.readouterr().out
    assert "| steady | 2 | 50% | 100% | 1 | 0.90 (0.90) | 100 (100) | 5.0 (5.0) |" in printed
    assert "seed 1, bug 1, steady: planted `x > 1`" in printed
    assert "stated `x > 2`; wrong at x = 2" in printed


def test_a_bug_is_diagnosed_and_judged() -> None:
    found = generated.solve((SEED, EASY))
    assert found.planted == ("(retries <= 0)",)
    assert not found.error
    assert (found.complete, found.exact, found.certain) == (True, True, True)
    assert found.trials > 20
