"""What is asked: everything that is promised, nothing that is barred, nothing twice, and the same each time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.rules import Atom, Quantity, Rule
from rootward.searches.exploration.plan import TrialPlan
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Field, Float, Int, Ordinal, Space, Text
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome
from tests.properties import examples

from .driver import drive

thorough = examples(25, derandomize=True)
FIELDS: list[Field] = [
    Bool(),
    Choice("abc"),
    Choice("x"),
    Ordinal([1, 2, 4]),
    Int(0, 5),
    Int(-100, 100),
    Int(),
    Float(0, 1),
    Float(),
    Text(["", "a", "%s"]),
]
spaces = st.lists(st.sampled_from(FIELDS), min_size=1, max_size=5).map(
    lambda fields: Space({f"f{i}": field for i, field in enumerate(fields)})
)
tiny = st.lists(st.sampled_from(FIELDS[:5]), min_size=1, max_size=4).map(
    lambda fields: Space({f"f{i}": field for i, field in enumerate(fields)})
)
CAR = Space({"speed": Int(-100, 100), "gear": Choice("PRND"), "load": Float(0, 10), "lights": Bool()})
USUAL = {"speed": 30, "gear": "D", "load": 1.0, "lights": True}


def crashes(one: Mapping[str, Any]) -> Outcome:
    if one["gear"] == "R" and one["speed"] > 0:
        return Outcome(FAIL, "reverse")
    return Outcome(OTHER, "overload") if one["load"] > 9 else Outcome(PASS)


@thorough
@given(spaces, st.integers(0, 99))
def test_every_value_of_every_field_in_every_other_run(space: Space, seed: int) -> None:
    longest = max(len(space.values(name)) for name in space)
    asked, finding = drive(space, seed=seed, most=2 * longest + 2)
    for name in space:
        assert {canonical(value) for value in space.values(name)} <= {canonical(one[name]) for one in asked}
    assert finding.covered.values == 1


@pytest.mark.parametrize(
    ("fails", "alone"),
    [
        (lambda one: 412 < one["level"] < 452, 50),
        (lambda one: one["width"] * one["height"] > 2**32 and one["width"] % 4 == 1, 9),
    ],
)
def test_what_random_points_meet_soon_is_met_soon(fails: Any, alone: int) -> None:
    """A range between exceptional values, a product that does not fit; ``alone``: after how many points, on average."""
    space = Space({"width": Int(), "height": Int(), "level": Float(-1000, 1000), "mode": Choice(range(8))})
    runs = [drive(space, lambda one: Outcome(FAIL if fails(one) else PASS), seed=seed)[1].first for seed in range(15)]
    assert sorted(one or 2000 for one in runs)[7] <= 2 * alone


@thorough
@given(spaces, st.integers(0, 99))
def test_all_that_is_asked_is_in_the_space_and_nothing_is_asked_twice(space: Space, seed: int) -> None:
    asked, finding = drive(space, seed=seed, most=150)
    for one in asked:
        space.check(one)
    assert len({canonical(one) for one in asked}) == len(asked) == finding.runs <= 150
    assert (finding.failures, finding.first) == ((), None)
    endless = any(isinstance(field, Int | Float) and field.size > 256 for _, field in space.items())
    assert finding.exhausted or not endless or len(asked) == 150


def test_every_stage_starts_from_each_of_the_nominal_inputs() -> None:
    other = {"speed": 7, "gear": "N", "load": 2.0, "lights": False}
    plan = TrialPlan(CAR, [USUAL, other], barred=None, most=100, seed=0)
    started: dict[str, set[int]] = {}
    for draft in itertools.islice(plan.drafts(), 90):
        started.setdefault(draft.stage, set()).add(id(draft.candidate.origin))
    assert {"values", "spread", "mutations", "pairs"} <= started.keys()
    assert {len(origins) for origins in started.values()} == {2}


@thorough
@given(tiny, st.integers(0, 99))
def test_a_small_space_is_gone_through(space: Space, seed: int) -> None:
    asked, finding = drive(space, seed=seed, most=4000)
    members = [range(one.lo, one.hi + 1) if isinstance(one, Int) else one.values for _, one in space.items()]
    every = {canonical(dict(zip(space, one, strict=True))) for one in itertools.product(*members)}
    assert {canonical(one) for one in asked} == every
    assert len(asked) == len(every)
    assert finding.exhausted
    assert finding.covered.pairs in (1, None)
    assert "there is no failure" in str(finding)


def _pairs(one: Mapping[str, Any]) -> list[tuple[tuple[int, int], tuple[Any, Any]]]:
    values = list(one.values())
    return [((i, j), (values[i], values[j])) for i, j in itertools.combinations(range(len(values)), 2)]


def test_all_pairs_of_a_space_that_is_too_large_to_go_through() -> None:
    space = Space({f"f{i}": Choice(range(4)) for i in range(12)})
    asked, finding = drive(space, most=200)
    assert not finding.exhausted
    assert finding.covered.pairs == 1
    assert finding.tried["pairs"] < 60  # 66 * 16 pairs
    seen = {(i, j, *two) for one in asked for (i, j), two in _pairs(one)}
    assert len(seen) == 66 * 16


RULES = [
    Rule([[Atom("speed", ">", 0)], [Atom("gear", "=", "R")]]),
    Rule([[Atom("load", ">=", 0.5), Atom("lights", "=", True)]]),
    Rule([[Atom(Quantity("*", "speed", "load"), ">", 10)]]),
    Rule([[Atom("speed", "!=", 7)]]),
]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("word", ["never", "outside"])
def test_what_is_barred_is_not_asked(rule: Rule, word: str) -> None:
    barred: dict[str, Any] = {word: rule}
    asked, finding = drive(CAR, nominal=[USUAL], most=200, **barred)
    assert not any(map(rule.holds, asked))
    assert len(asked) > 50
    assert finding.tried.get("nominal", 0) == (not rule.holds(USUAL))


def test_both_bars_hold() -> None:
    asked, _ = drive(CAR, never=RULES[0], outside=RULES[1], most=150)
    assert not any(RULES[0].holds(one) or RULES[1].holds(one) for one in asked)
    assert {one["gear"] for one in asked} == {*"PND"}


def test_where_everything_is_barred_nothing_is_asked() -> None:
    asked, finding = drive(CAR, outside=Rule.always())
    assert (asked, finding.runs, finding.exhausted) == ([], 0, False)
    assert "nothing was run" in str(finding)


def test_outside_of_a_cause_in_many_fields() -> None:
    wide = Space({f"f{i}": Int() for i in range(300)})
    cause = Rule([[Atom("f7", ">", -(2**31))]])  # one integer in four billion is left
    asked, _ = drive(wide, outside=cause, most=30)
    assert {one["f7"] for one in asked} == {-(2**31)}
    assert len(asked) == 30


@thorough
@given(spaces, st.integers(0, 20))
def test_a_seed_decides_all(space: Space, seed: int) -> None:
    one, two = (drive(space, seed=seed, most=60)[0] for _ in range(2))
    assert list(map(canonical, one)) == list(map(canonical, two))


def test_another_seed_asks_something_else() -> None:
    assert drive(CAR, seed=1, most=20)[0] != drive(CAR, seed=2, most=20)[0]


def test_failures_with_different_signatures_are_kept_apart() -> None:
    asked, finding = drive(CAR, crashes, nominal=[USUAL], enough=60)
    assert {one.signature for one in finding.failures} == {"overload", "reverse"}
    for failure in finding.failures:
        kept = [failure.configuration, *failure.others]
        assert all(crashes(one).signature == failure.signature for one in kept)
        assert failure.seen == sum(crashes(one).signature == failure.signature for one in asked) >= len(kept)
        distances = [sum(one[name] != USUAL[name] for name in CAR) for one in kept]
        assert distances == sorted(distances)
        assert failure.changed == tuple(name for name in CAR if kept[0][name] != USUAL[name])
    assert finding.passing == USUAL


@pytest.mark.parametrize("enough", [0, 1, 30])
def test_how_long_it_goes_on_after_the_first_failure(enough: int) -> None:
    asked, finding = drive(CAR, lambda one: Outcome(FAIL if one["speed"] < 0 else PASS), enough=enough)
    assert finding.first is not None
    assert len(asked) == finding.first + enough
    assert next(n for n, one in enumerate(asked, 1) if one["speed"] < 0) == finding.first


def test_it_goes_on_for_as_long_as_it_took_within_bounds() -> None:
    first = 0

    def answer(_: Mapping[str, Any]) -> Outcome:
        nonlocal first
        first -= 1
        return Outcome(FAIL if first == 0 else PASS)

    for first, more in ((2, 12), (30, 30), (200, 60)):  # noqa: B007
        asked, finding = drive(CAR, answer)
        assert finding.first is not None
        assert len(asked) - finding.first == more


def test_most_is_the_most() -> None:
    assert len(drive(CAR, most=1)[0]) == 1
    assert len(drive(CAR, crashes, most=9)[0]) == 9
    assert len(drive(CAR, nominal=[USUAL, {**USUAL, "load": 2.0}], most=1)[0]) == 1


def test_a_nominal_input_that_fails_is_the_answer() -> None:
    bad = {**USUAL, "gear": "R"}
    asked, finding = drive(CAR, crashes, nominal=[USUAL, bad])
    assert asked == [USUAL, bad]
    [failure] = finding.failures
    assert (failure.configuration, failure.changed) == (bad, ())
    assert str(finding).startswith("An input that should work fails.")


def test_what_cannot_be_judged_is_counted_and_covers_nothing() -> None:
    _, finding = drive(CAR, lambda one: Outcome(UNRESOLVED), most=40)
    assert (finding.unjudged, finding.covered.values, finding.covered.pairs, finding.passing) == (40, 0, 0, None)
    assert "40 runs could not be judged" in str(finding)


def test_two_thousand_fields() -> None:
    wide = Space({f"f{i}": Choice(range(10)) for i in range(2000)})
    asked, finding = drive(wide, lambda one: Outcome(FAIL if one["f77"] == 3 else PASS), enough=0)
    assert len(asked) <= 11
    assert finding.covered.sampled


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"most": 0}, "most must be a number of runs, at least 1, not 0"),
        ({"enough": -1}, "enough must be a number of runs, at least 0, not -1"),
        ({"most": True}, "most must be a number of runs"),
        ({"nominal": [{"speed": 1}]}, "missing fields 'gear'"),
        ({"never": "gear = R"}, "never must be a Rule, not 'gear = R'"),
        (
            {"outside": Rule([[Atom("geer", "=", "R")]])},
            "outside names the unknown field 'geer': it is not in the space",
        ),
    ],
)
def test_wrong_questions(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        drive(CAR, **options)
