"""``rw.rule``: what it hands to the search and to the lab, and what it refuses."""

import itertools
import random
from collections import Counter
from typing import Any

import pytest

import rootward as rw
from rootward.searches.conditions import METHODS

from . import stump as stumps
from .stump import stump

SPACE = rw.Space({"speed": rw.Int(-100, 100), "gear": rw.Choice("PRND"), "on": rw.Bool()})
FAILING = {"speed": 70, "gear": "P", "on": True}
fast = rw.fails_when(lambda one: one["speed"] > 20)


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "boundaries", stump)
    monkeypatch.setitem(METHODS, "alo", lambda *args, **options: stump(*args, **options))
    stumps.ASKED.clear()


def test_a_rule_is_found_from_a_failing_configuration() -> None:
    found = rw.rule(SPACE, fast, FAILING)
    assert isinstance(found, rw.RuleFinding)
    assert found.complete
    assert found.rule.fields == ("speed",)
    assert found.rule.holds(FAILING)
    assert found.fails + found.passes == 31
    assert found.steadiness.runs == 5
    assert found.trials == 31 + 4 + found.steadiness.repeated


def test_without_a_failing_configuration_the_search_meets_one() -> None:
    found = rw.rule(SPACE, fast)
    assert found.rule.fields == ("speed",)
    assert stumps.ASKED[-1]["failing"] is None


def test_a_failing_configuration_that_passes_is_refused() -> None:
    with pytest.raises(rw.NotReproduced):
        rw.rule(SPACE, fast, {**FAILING, "speed": 0})


def test_the_options_reach_the_search() -> None:
    rw.rule(SPACE, fast, FAILING, fields=["gear", "speed"], seed=7, verify=9)
    assert stumps.ASKED
    assert all(one == {"failing": FAILING, "fields": ("speed", "gear"), "seed": 7, "verify": 9} for one in stumps.ASKED)


def test_only_the_named_fields_change() -> None:
    seen: list[dict[str, Any]] = []

    @rw.fails_when
    def judged(one: dict[str, Any]) -> bool:
        seen.append(one)
        return bool(one["speed"] > 20)

    rw.rule(SPACE, judged, FAILING, fields=["speed"], method="alo", verify=10)
    assert {(one["gear"], one["on"]) for one in seen} == {("P", True)}
    assert len({one["speed"] for one in seen}) > 10


def test_alo_is_verified_from_outside() -> None:
    plain, checked = (rw.rule(SPACE, fast, FAILING, method="alo", verify=runs) for runs in (None, 12))
    assert (plain.verified, checked.verified) == (0, 12)
    assert checked.rule == plain.rule
    assert 0.5 < checked.accuracy.value <= 1
    assert checked.trials == plain.trials + 12


@pytest.mark.parametrize(
    ("flaky", "runs"), [(False, 1), (1.0, 1), (0.999, 1), (0.8, 4), (True, 9), (0.5, 9), (0.1, 59)]
)
def test_a_failure_is_missed_in_less_than_one_of_500_cases(flaky: float, runs: int) -> None:
    """A configuration that passes is run so often that one that fails at this rate would have shown."""
    seen: Counter[str] = Counter()

    @rw.fails_when
    def passes(one: dict[str, Any]) -> bool:
        seen[str(one)] += 1
        return False

    rw.rule(SPACE, passes, flaky=flaky)
    assert set(seen.values()) == {runs}
    if isinstance(flaky, float) and flaky < 1:
        assert (1 - flaky) ** runs <= 0.002 < (1 - flaky) ** (runs - 1)


def test_a_flaky_failure_gives_the_rule_of_a_steady_one() -> None:
    @rw.fails_when
    def sometimes(one: dict[str, Any], seed: int) -> bool:
        return one["speed"] > 20 and random.Random(seed).random() < 0.8

    steady, flaky = rw.rule(SPACE, fast, FAILING), rw.rule(SPACE, sometimes, FAILING, flaky=0.8)
    assert flaky.rule == steady.rule
    assert flaky.trials <= 4 * steady.trials


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "best"}, "unknown method 'best'; expected one of auto, alo, boundaries"),
        ({"fields": ["spede"]}, "did you mean 'speed'"),
        ({"fields": []}, "at least one field"),
        ({"fields": "speed"}, "fields must be a list of names, not the string 'speed'"),
        ({"fields": ["speed"], "failing": None}, "fields needs a failing configuration"),
        ({"failing": {"speed": 1}}, "missing fields 'gear', 'on'"),
        ({"verify": -1}, "verify must be a number of runs, 0 or more, not -1"),
        ({"verify": True}, "verify must be a number of runs"),
        ({"verify": 2.5}, "verify must be a number of runs"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_a_wrong_question_is_refused_before_anything_is_run(options: dict[str, Any], message: str) -> None:
    def never(one: Any) -> None:
        raise AssertionError("it was run")

    with pytest.raises(rw.InputError, match=message.replace("(", r"\(")):
        rw.rule(SPACE, never, **{"failing": FAILING, **options})


def test_a_space_is_a_space() -> None:
    with pytest.raises(rw.InputError, match=r"space must be a rootward\.Space"):
        rw.rule({"speed": rw.Int()}, fast)  # type: ignore[arg-type]


def test_the_same_again_runs_nothing_and_other_options_are_another_run(tmp_path: Any) -> None:
    counter = itertools.count()

    @rw.fails_when
    def counted(one: dict[str, Any]) -> bool:
        next(counter)
        return bool(one["speed"] > 20)

    store = tmp_path / "trials.db"
    first = rw.rule(SPACE, counted, FAILING, store=store)
    ran = next(counter)
    assert rw.rule(SPACE, counted, FAILING, store=store) == first
    assert next(counter) == ran + 1
    other = rw.rule(SPACE, counted, FAILING, store=store, fields=["speed"])
    assert other.complete
    with rw.Store(store) as opened:
        assert len(list(opened.runs())) == 2
