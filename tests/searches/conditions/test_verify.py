"""Fresh runs measure a rule: new ones, of both kinds, and their score is reported. All runs together may prove it."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.rules import Atom, Rule
from rootward.search.ask import Ask, Search
from rootward.searches.conditions.facts import NotSimple
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.searches.conditions.verify import prove_rule, verify_rule
from rootward.space.candidate import key_of
from rootward.space.space import Bool, Choice, Float, Int, Space
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome, Verdict
from tests.properties import examples

SPACE = Space({"x": Int(), "y": Float(), "gear": Choice("PRND")})
START = {"x": 5, "y": 1.0, "gear": "P"}


def known(rule: Rule, space: Space = SPACE, start: Any = None) -> Search[Any, RuleFinding]:
    """A search that runs one configuration and then knows the rule."""
    best = RuleFinding(rule=rule, of=len(space), fails=1, passes=1)
    yield Ask([START if start is None else start], best=best)
    return best


def drive(search: Search[Any, RuleFinding], judge: Any) -> tuple[RuleFinding, list[dict[str, Any]]]:
    asked: list[dict[str, Any]] = []
    answers: Any = None
    while True:
        try:
            ask = search.send(answers)
        except StopIteration as end:
            return end.value, asked
        assert ask.best is not None
        candidates: Sequence[Any] = ask.candidates
        asked += map(dict, candidates)
        answers = [Outcome(judge(one)) for one in candidates]


def run(rule: Rule, judge: Any, runs: int, seed: int = 0, **given: Any) -> tuple[RuleFinding, list[dict[str, Any]]]:
    search = verify_rule(known(rule), SPACE, START, **{"fields": None, "seed": seed, "runs": runs, **given})
    found, asked = drive(search, judge)
    return found, asked[1:]


def over(limit: int) -> Any:
    return lambda one: FAIL if one["x"] > limit else PASS


@examples(40)
@given(st.integers(1, 40), st.integers(0, 5), st.sampled_from([0, 3, 1000]))
def test_fresh_runs_are_new_and_half_of_them_fulfil_the_rule(runs: int, seed: int, limit: int) -> None:
    rule = Rule([[Atom("x", ">", limit)]])
    found, asked = run(rule, over(limit), runs, seed)
    assert len(asked) == found.verified == runs
    assert len({key_of(one) for one in asked} - {key_of(START)}) == runs
    assert all(list(one) == list(SPACE) and SPACE.check(one) for one in asked)
    assert abs(2 * sum(map(rule.holds, asked)) - runs) <= 1
    assert found.fails + found.passes == 2 + runs
    if runs > 1:
        assert found.accuracy.value == 1
        assert found.accuracy.low < 1


@given(st.integers(2, 30), st.integers(0, 3))
def test_the_accuracy_is_the_mean_of_both_shares(runs: int, seed: int) -> None:
    wrong = Rule([[Atom("gear", "=", "P")]])
    found, asked = run(wrong, over(0), runs, seed)
    fails = [one for one in asked if one["x"] > 0]
    passes = [one for one in asked if one["x"] <= 0]
    if fails and passes:
        hits = sum(map(wrong.holds, fails)) / len(fails)
        rejections = sum(not wrong.holds(one) for one in passes) / len(passes)
        assert found.accuracy.value == pytest.approx((hits + rejections) / 2)


def test_what_fails_differently_does_not_fail_and_what_is_unjudged_is_left_out() -> None:
    rule = Rule([[Atom("x", ">", 0)]])
    verdicts: list[Verdict] = [OTHER, UNRESOLVED]
    found, _ = run(rule, lambda one: verdicts[one["x"] > 0], 20)
    assert (found.fails, found.passes, found.unjudged, found.verified) == (1, 11, 10, 10)
    assert found.accuracy.value != found.accuracy.value
    assert "balanced accuracy is undefined" in str(found)


def test_fields_that_must_not_change_do_not() -> None:
    _, asked = run(Rule([[Atom("x", ">", 3)]]), over(3), 20, fields=("x",))
    assert {(one["y"], one["gear"]) for one in asked} == {(1.0, "P")}


def test_a_miss_beside_a_known_run_is_seen() -> None:
    """A failure that is one in a million of the space, but was met: a rule that says nothing of it is not perfect."""

    def rare(one: dict[str, Any]) -> Verdict:
        return FAIL if one["x"] == 5 or one["y"] == 1.0 or one["x"] > 10**6 else PASS

    found, _ = run(Rule([[Atom("x", ">", 10**6)]]), rare, 60)
    assert found.accuracy.value < 0.95


def test_nothing_is_run_where_nothing_is_asked_or_known() -> None:
    assert run(Rule([[Atom("x", ">", 3)]]), over(3), 0)[1] == []
    assert run(Rule.never(), over(3), 10)[1] == []


def test_a_space_in_which_everything_was_run_has_no_fresh_runs() -> None:
    space = Space({"on": Bool()})
    rule = Rule([[Atom("on", "=", True)]])
    search = verify_rule(known(rule, space, {"on": True}), space, None, fields=None, seed=0, runs=10)
    found, asked = drive(search, lambda one: FAIL if one["on"] else PASS)
    assert asked == [{"on": True}, {"on": False}]
    assert found.verified == 1


DIGITS = Space({"x": Int(0, 9)})


def run_digits(values: Sequence[int], judge: Any, **told: Any) -> RuleFinding:
    """A search that runs these values and answers that it fails above 4; it is proved if they are all."""

    def search() -> Search[Any, RuleFinding]:
        best = RuleFinding(rule=Rule([[Atom("x", ">", 4)]]), of=1, fails=1, passes=1, **told)
        yield Ask([{"x": value} for value in values], best=best)
        return best

    return drive(prove_rule(search(), DIGITS), judge)[0]


def test_a_rule_is_proved_if_every_configuration_was_run_and_agrees() -> None:
    assert run_digits(range(10), over(4)).whole == 10
    assert run_digits([*range(10), 3], over(4)).whole == 10


@pytest.mark.parametrize(
    ("values", "judge"),
    [
        (range(9), over(4)),
        ([*range(9), 3], over(4)),
        (range(10), over(5)),
        (range(10), lambda one: UNRESOLVED if one["x"] == 2 else over(4)(one)),
        (range(10), lambda one: OTHER if one["x"] == 7 else over(4)(one)),
    ],
    ids=["one left", "one left, one repeated", "one contradicts", "one unresolved", "one fails differently"],
)
def test_otherwise_it_is_not_proved(values: Sequence[int], judge: Any) -> None:
    assert not run_digits(values, judge).whole


def test_a_configuration_that_fails_and_passes_proves_nothing() -> None:
    verdicts = iter([*(over(4)({"x": x}) for x in range(10)), PASS])
    assert not run_digits([*range(10), 7], lambda one: next(verdicts)).whole


def test_an_approximation_is_not_called_proved() -> None:
    assert not run_digits(range(10), over(4), unknown=(NotSimple(),)).whole
