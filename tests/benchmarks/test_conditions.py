"""The bugs with known conditions, and how rules are judged on them."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import condition_grammar, condition_points, conditions
from peers.condition_kinds import read_fields
from peers.condition_runs import Subject, evaluate
from peers.conditions import Bug, make_bug, named_bugs, published

import rootward as rw
from rootward.search.ask import Ask

LOW = make_bug("low", [("x", "float64", (0.0, 20.0)), ("on", "bool", None)], "x < 10.5 and on", [9, True], [11, True])
WINDOW = make_bug("window", [("n", "uint16", (0.0, 2000.0))], "800 < n <= 900", [850], [1500])


@dataclass(frozen=True)
class Told:
    """A rule as a condition in Python."""

    bug: Bug
    condition: str

    def holds_many(self, configurations: Sequence[Mapping[str, Any]]) -> list[bool]:
        other = conditions._function(self.condition, self.bug.names)
        return [other(*[one[name] for name in self.bug.space.names]) for one in configurations]


def test_named_bugs_fail_and_pass_as_they_say() -> None:
    bugs = named_bugs()
    assert len(published()) == 16
    assert len({bug.id for bug in bugs}) == len(bugs) >= 50
    for bug in bugs:
        assert bug.fails(bug.failing), bug
        assert not bug.fails(bug.passing), bug
        assert bug.fields == bug.space.names
    assert max(bug.relevant for bug in bugs) == 10
    assert pickle.loads(pickle.dumps(bugs[0])).fails(bugs[0].failing)


def test_a_line_of_fields() -> None:
    read = read_fields("x:float32[-1.5,20] mode:enum:off,on flag:bool n:uint8[0,6]")
    assert read == [
        ("x", "float32", (-1.5, 20.0)),
        ("mode", "enum:off,on", None),
        ("flag", "bool", None),
        ("n", "uint8", (0.0, 6.0)),
    ]
    assert conditions.make_field("enum:0,-1,2").values == (0, -1, 2)
    assert conditions.make_field("uint8") == rw.Int(bits=8, signed=False)


@given(st.integers(), st.sampled_from([8, 16, 32]))
def test_wrap_is_two_complement(value: int, bits: int) -> None:
    raw = (value % 2**bits).to_bytes(bits // 8, "little")
    assert conditions.wrap(value, bits, True) == int.from_bytes(raw, "little", signed=True)
    assert conditions.wrap(value, bits, False) == int.from_bytes(raw, "little")


def test_functions_at_their_ends() -> None:
    assert math.isnan(conditions.trunc(math.inf))
    assert conditions.trunc(-1.9) == -1
    assert math.isnan(conditions.div(1.0, 0.0))
    assert math.isnan(conditions.least(1.0, math.nan))
    assert math.isnan(conditions.most(math.nan, 1.0))
    assert conditions.most(3, 7, 5) == 7


# Points


@pytest.mark.parametrize("scale", ["broad", "human"])
@pytest.mark.parametrize("bug", [*published()[::3], WINDOW], ids=lambda bug: bug.id)
def test_points_have_a_tenth_of_each_class(bug: Bug, scale: str) -> None:
    points = condition_points.test_points(bug, 5, 400, scale)
    fails = sum(map(bug.fails, points))
    assert len(points) == 400
    assert 40 <= fails <= 360
    assert all(bug.space.check(point) for point in points)
    if scale == "human" and 40 < fails < 360:  # where a class is rare, a walk goes further
        ranges = [(name, limits) for name, limits in bug.nominal.items() if limits]
        assert all(low - 1 <= point[name] <= high + 1 for point in points for name, (low, high) in ranges)


def test_points_come_from_their_seed() -> None:
    one, again, other = (repr(condition_points.test_points(LOW, seed, 50)) for seed in (1, 1, 2))
    assert one == again != other


def test_a_rare_class_has_distinct_points() -> None:
    equal = make_bug("equal", [("a", "int32", (0, 9000)), ("b", "int32", (0, 9000))], "a == b", [5, 5], [5, 6])
    fails = [repr(point) for point in condition_points.test_points(equal, 0, 500) if equal.fails(point)]
    assert len(fails) == 50
    assert max(Counter(fails).values()) == 1


def test_near_points_are_on_either_side_of_each_threshold() -> None:
    seen = Counter(point["n"] for point in condition_points.near(WINDOW, 0, 600))
    assert {800, 801, 900, 901} <= {value for value, count in seen.items() if count >= 20}
    assert all(min(abs(value - edge) for edge in (800, 801, 900, 901)) <= 8 for value in seen)
    xs = {point["x"] for point in condition_points.near(LOW, 0, 600) if point["on"]}
    assert {10.5, math.nextafter(10.5, 0)} <= xs


def test_balanced_accuracy_by_hand() -> None:
    assert condition_points.balanced_accuracy(Told(LOW, "x < 10.5 and on"), LOW) == 1
    assert condition_points.balanced_accuracy(Told(LOW, "not (x < 10.5 and on)"), LOW) == 0
    assert condition_points.balanced_accuracy(Told(LOW, "True"), LOW) == 0.5


@pytest.mark.parametrize(
    ("condition", "exact", "rounded"),
    [
        ("on and not x >= 10.5", False, False),  # NaN
        ("on and -x > -10.5", True, True),
        ("x <= 10.5 and on", False, True),
        ("x < 10.5000001 and on", False, False),
        ("x < 10.5", False, False),
    ],
)
def test_equivalence(condition: str, exact: bool, rounded: bool) -> None:
    rule = Told(LOW, condition)
    assert condition_points.equivalent(rule, LOW, count=1000) == exact
    assert condition_points.equivalent(rule, LOW, count=1000, rounding=True) == rounded


def test_equivalence_of_integers_forgives_nothing() -> None:
    assert condition_points.equivalent(Told(WINDOW, "801 <= n < 901"), WINDOW, count=300)
    for wrong in ("800 <= n < 901", "801 <= n <= 901", "801 <= n < 900"):
        assert not condition_points.equivalent(Told(WINDOW, wrong), WINDOW, count=300, rounding=True)


# The grammar


def test_generated_bugs() -> None:
    bugs = condition_grammar.generated(3, 12)
    assert [bug.condition for bug in condition_grammar.generated(3, 3)] == [bug.condition for bug in bugs[:3]]
    assert len({bug.condition for bug in bugs}) == 12
    assert {bug.condition for bug in bugs}.isdisjoint(bug.condition for bug in condition_grammar.generated(4, 3))
    for bug in bugs:
        assert bug.fails(bug.space.check(bug.failing)), bug
        assert not bug.fails(bug.space.check(bug.passing)), bug
        assert 1 <= bug.relevant <= 9
        assert len(bug.space) - bug.relevant <= 3


def test_a_field_that_is_named_but_does_not_matter_is_refused() -> None:
    draft = condition_grammar.Draft(np.random.default_rng(0), [("a", "int8", (0.0, 9.0)), ("b", "int8", (0.0, 9.0))])
    assert condition_grammar._accepted("x", draft, "a > 3 or a > 3 and b > 200") is None
    assert condition_grammar._accepted("x", draft, "a > 300") is None
    assert condition_grammar._accepted("x", draft, "a > 3 or b > 4") is not None


# The driver


def _asking(asks: Sequence[Ask[Any]], told: list[Any]) -> Generator[Ask[Any], Any, str]:
    for ask in asks:
        told.append([outcome and outcome.verdict for outcome in (yield ask)])
    return "done"


def test_evaluate_counts_distinct_runs() -> None:
    told: list[Any] = []
    fail, good = {"n": 850}, {"n": 10}
    asks = [Ask([good, fail, good]), Ask([good, fail, {"n": 11}], until=rw.Verdict.FAIL), Ask([fail])]
    done = evaluate(_asking(asks, told), WINDOW)
    assert (done.finding, done.runs, done.complete) == ("done", 2, True)
    passes, fails = rw.Verdict.PASS, rw.Verdict.FAIL
    assert told == [[passes, fails, passes], [passes, fails, None], [fails]]


def test_evaluate_stops_at_the_budget_with_the_best_so_far() -> None:
    asks = [Ask([{"n": n}], best=n) for n in (1, 2, 2, 3, 4)]
    done = evaluate(_asking(asks, []), WINDOW, 3)
    assert (done.finding, done.runs, done.complete) == (4, 3, False)


def test_a_flaky_subject_fails_at_its_rate() -> None:
    subject = Subject(WINDOW, 0.8)
    verdicts = [subject.run({"n": 850}, fresh=True).verdict for _ in range(1000)]
    assert 0.75 < np.mean([verdict is rw.Verdict.FAIL for verdict in verdicts]) < 0.85
    assert subject.runs == 1000
    assert subject.run({"n": 3}).verdict is rw.Verdict.PASS
