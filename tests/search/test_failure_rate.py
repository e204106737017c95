"""What ``flaky`` means, which is the same for every verb, and how a rate is measured."""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rootward as rw
from rootward.search.failure_rate import TUNING, measure, run_at_measured_rate, runs_to_trust
from rootward.search.relay import drive
from rootward.searches.products.columns import columns
from rootward.verdict import FAIL, PASS, Outcome

from ..searches.products.planted import answered, flaky, keys, plant

SPACE = rw.Space({"speed": rw.Int(0, 100), "gear": rw.Choice(["P", "R", "D"])})
FAILING = {"speed": 70, "gear": "R"}
HISTORY = [(FAILING, True), ({"speed": 3, "gear": "R"}, False)]
LIST = ["rain", "ice", "bridge"]
BAD, GOOD = (pl.DataFrame({"id": [1, 2, 3], "speed": speeds}) for speeds in ([1, 70, 5], [1, 2, 3]))
VERBS: dict[str, Callable[..., Any]] = {
    "reduce": partial(rw.reduce, LIST),
    "triggers": partial(rw.triggers, SPACE, failing=FAILING),
    "rule": partial(rw.rule, SPACE, failing=FAILING),
    "rule by alo": partial(rw.rule, SPACE, failing=FAILING, method="alo"),
    "causes": partial(rw.causes, SPACE, history=HISTORY),
    "rows": partial(rw.rows, BAD, GOOD, key="id"),
    "causes by ddt": partial(rw.causes, SPACE, history=HISTORY, method="ddt"),
}
MEASURED, STEADY, UNSEEDED = TUNING.measured_runs, TUNING.steady_runs, TUNING.steady_runs_unseeded
REPEATS = runs_to_trust(STEADY, missed=TUNING.trusted_miss)
every_verb = pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
not_causes = pytest.mark.parametrize("verb", [VERBS[name] for name in VERBS if not name.startswith("causes")])
not_reduce = pytest.mark.parametrize("verb", [VERBS[name] for name in VERBS if name != "reduce"])


class Counted:
    """A subject that fails whenever the fault is triggered, or at a rate of its own, and counts its runs."""

    def __init__(self, rate: float = 1.0) -> None:
        self.rate, self.runs = rate, Counter[str]()

    def steady(self, one: Any) -> rw.Verdict:
        return self.seeded(one, 0)

    def seeded(self, one: Any, seed: int) -> rw.Verdict:
        self.runs[name(one)] += 1
        fails = "ice" in one if isinstance(one, list) else max(numbers(one["speed"])) > 20
        return FAIL if fails and random.Random(seed).random() <= self.rate else PASS


def name(candidate: Any) -> str:
    if isinstance(candidate, pl.DataFrame):
        return str(candidate["speed"].to_list())
    return str(sorted(candidate if isinstance(candidate, list) else candidate.items()))


def numbers(speed: Any) -> list[int]:
    return speed.to_list() if isinstance(speed, pl.Series) else [speed]


def runs_of_the_failing(subject: Counted) -> int:
    return max(subject.runs[name(failing)] for failing in (LIST, FAILING, BAD))


@every_verb
def test_nothing_is_repeated_if_it_is_said_to_be_steady(verb: Callable[..., Any]) -> None:
    subject = Counted()
    verb(subject=subject.steady, flaky=False, budget=40)
    assert set(subject.runs.values()) == {1}


@not_causes
def test_a_function_is_taken_for_no_steadier_than_a_command(verb: Callable[..., Any]) -> None:
    subject = Counted()
    found = verb(subject=subject.steady, budget=300)
    repeats = runs_to_trust(UNSEEDED, missed=TUNING.trusted_miss)
    assert max(subject.runs.values()) <= UNSEEDED + repeats
    assert runs_of_the_failing(subject) >= UNSEEDED
    assert found.complete
    assert found.steadiness.is_steady


@not_reduce
def test_of_a_subject_with_a_seed_it_is_found_out(verb: Callable[..., Any]) -> None:
    """Twelve runs that fail are enough; then each candidate is run once, and those that decide a few times more."""
    subject = Counted()
    verb(subject=subject.seeded, budget=80)
    assert STEADY <= runs_of_the_failing(subject) <= STEADY + REPEATS
    assert max(runs for one, runs in subject.runs.items() if one not in map(name, (LIST, FAILING, BAD))) <= 1 + REPEATS


@not_reduce
def test_true_measures_it(verb: Callable[..., Any]) -> None:
    subject = Counted()
    verb(subject=subject.seeded, flaky=True, budget=MEASURED + 3)
    assert MEASURED <= runs_of_the_failing(subject) <= MEASURED + 1


@every_verb
def test_a_flaky_failure_is_seen_in_spite_of_that(verb: Callable[..., Any]) -> None:
    wanted = [str(verb(subject=Counted().steady, flaky=said)).splitlines()[0] for said in (None, False)]
    found = [verb(subject=Counted(0.8).seeded, flaky=said) for said in (None, True, 0.8)]
    assert len(set(wanted)) == 1
    assert all(one.complete for one in found)
    if hasattr(found[0], "kept"):
        assert [one.kept for one in found] == [["ice"]] * 3
    elif hasattr(found[0], "cells"):
        assert all([cell.column for cell in one.cells] == ["speed"] for one in found)
    elif hasattr(found[0], "sets"):
        assert all(set(one.sets) == {"speed"} for one in found)
    else:
        assert all(one.rule.fields == ("speed",) for one in found)


@every_verb
def test_flaky_or_repeat(verb: Callable[..., Any]) -> None:
    for said in (True, 0.4):
        with pytest.raises(rw.InputError, match="use either flaky or repeat, not both"):
            verb(subject=Counted().steady, flaky=said, repeat="1of4")
    subject = Counted()
    verb(subject=subject.seeded, repeat="1of2", budget=40)
    assert max(subject.runs.values()) <= 2


@every_verb
@pytest.mark.parametrize("wrong", [0, 0.0, -0.5, 1.5, math.nan, "often"])
def test_a_rate_is_between_0_and_1(verb: Callable[..., Any], wrong: object) -> None:
    subject = Counted()
    with pytest.raises(rw.InputError, match=r"flaky = .*: expected the share of runs that fail, above 0 and at most 1"):
        verb(subject=subject.steady, flaky=wrong)
    assert not subject.runs


@pytest.mark.parametrize(
    "verb", [partial(rw.reduce, LIST, method="ddmin"), partial(rw.triggers, SPACE, failing=FAILING, method="hpsl")]
)
def test_a_method_that_believes_each_run_refuses_a_flaky_failure(verb: Callable[..., Any]) -> None:
    for said in (True, 0.4):
        with pytest.raises(rw.InputError, match="cannot handle flaky failures: use the method auto"):
            verb(subject=Counted().seeded, flaky=said)
    for steady in (None, False, 1.0):
        subject = Counted()
        verb(subject=subject.seeded, flaky=steady)
        assert set(subject.runs.values()) == {1}


@every_verb
def test_no_repetition_given_is_none(verb: Callable[..., Any]) -> None:
    assert verb(subject=Counted(0.6).seeded, flaky=0.6, repeat=None).complete


def test_with_nothing_to_measure_it_is_one_half() -> None:
    said, taken = (rw.causes(SPACE, None, HISTORY, flaky=flaky) for flaky in (True, 0.5))
    assert said == taken
    subject = Counted(0.0)
    rw.rule(SPACE, subject.seeded, flaky=True, budget=90)
    assert set(subject.runs.values()) <= {9}
    unsaid = Counted(0.0)
    rw.rule(SPACE, unsaid.seeded, budget=90)
    assert unsaid.runs == subject.runs


@pytest.mark.parametrize("seed", range(6))
def test_causes_without_a_history_are_not_taken_for_steady(seed: int) -> None:
    found = rw.causes(SPACE, Counted(0.4).seeded, seed=seed)
    assert all(one.fields == ("speed",) for one in found.causes), str(found)


def test_parallel_runs_measure_the_same() -> None:
    one, two = (rw.rule(SPACE, Counted(0.7).seeded, FAILING, flaky=True, jobs=jobs) for jobs in (1, 2))
    assert (one, one.asked) == (two, two.asked)


# Measuring


@pytest.mark.parametrize(("fails", "runs", "made"), [("FFFFF", 5, 5), ("FFPFF" + "F" * 15, 5, 20), ("F" * 20, 20, 20)])
def test_more_runs_if_one_does_not_fail(fails: str, runs: int, made: int) -> None:
    outcomes = iter([Outcome(FAIL if one == "F" else PASS) for one in fails])
    found = drive(measure("it", best=None, runs=runs, note=""), lambda ask: [next(outcomes) for _ in ask.candidates])
    assert len(found) == made


@pytest.mark.rest
@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_the_rate_is_on_the_safe_side(rate: float) -> None:
    exact, rates = [], []
    for seed in range(12):
        problem = plant(seed, 40, 3)
        search = run_at_measured_rate(
            lambda rate, it=problem, seed=seed: columns(it.space, it.failing, rate=rate, seed=seed),  # type: ignore[misc]
            problem.failing,
            steady=None,
            missed=None,
        )
        asked = answered(search, flaky(problem.fails, rate, seed))
        assert asked.candidates[:MEASURED] == [problem.failing] * MEASURED
        rates.append(asked.finding.rate)
        exact.append(keys(asked.finding.sets) == problem.keys)
    assert rate - 0.25 < statistics.mean(rates) <= rate
    assert sum(exact) >= 11


# A command that takes no seed


class Dice:
    """A subject without a seed that fails in a share of its runs. Its own random numbers make a test repeatable."""

    seeded, inline = False, True

    def __init__(self, fails: Callable[[Any], bool], rate: float, seed: int = 0) -> None:
        self.fails, self.rate, self.random = fails, rate, random.Random(seed)
        self.identity = f"dice {rate} {seed}"
        self.runs = 0

    def run(self, candidate: Any, *, seed: int, place: Path) -> rw.Outcome:
        self.runs += 1
        return rw.Outcome(FAIL if self.fails(candidate) and self.random.random() < self.rate else PASS)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return f"throw {candidate}"


@pytest.mark.parametrize(("rate", "tries"), [(0.6, 100), (0.85, 30)])
def test_no_false_minimum_of_a_flaky_command(rate: float, tries: int) -> None:
    wrong, refused = [], 0
    for seed in range(tries):
        subject = Dice(lambda kept: {3, 11} <= set(kept), rate, seed)
        try:
            found = rw.reduce(range(16), subject)
        except rw.NotReproduced:
            refused += 1
            continue
        if found.complete and found.minimal and found.kept != [3, 11]:
            wrong.append((seed, found.kept))
    assert not wrong
    assert refused <= 3


def test_a_steady_command_costs_few_more_runs() -> None:
    runs = []
    for said in (None, False):
        subject = Dice(lambda kept: {3, 11} <= set(kept), 1.0)
        assert rw.reduce(range(16), subject, flaky=said).kept == [3, 11]
        runs.append(subject.runs)
    assert runs[0] - runs[1] == (UNSEEDED - 1) + 3 * runs_to_trust(UNSEEDED, missed=TUNING.trusted_miss)


class Lucky(Dice):
    """Its first runs all fail: only the repeated runs can show that the failure is flaky."""

    def run(self, candidate: Any, *, seed: int, place: Path) -> rw.Outcome:
        self.rate = 1.0 if self.runs < UNSEEDED else 0.6
        return super().run(candidate, seed=seed, place=place)


def test_luck_of_the_first_runs_is_noticed() -> None:
    found = [rw.reduce(range(16), Lucky(lambda kept: {3, 11} <= set(kept), 1.0, seed)) for seed in range(12)]
    flaky = [one for one in found if not one.steadiness.is_steady]
    assert all(one.kept == [3, 11] for one in found)
    assert len(flaky) >= 10
    assert all("It does not fail every time" in str(one) for one in flaky)


def test_a_rule_that_counts_as_steady_is_right() -> None:
    space = rw.Space({"speed": rw.Int(0, 100), "mode": rw.Choice("abc")})
    found = []
    for seed in range(8):
        subject = Dice(lambda one: one["speed"] > 40, 0.7, seed)
        found.append(rw.rule(space, subject, {"speed": 90, "mode": "b"}))
    assert all(str(one.rule) == "speed > 40" for one in found if one.steadiness.is_steady)
    assert any(not one.steadiness.is_steady for one in found)


CHOICES = rw.Space({name: rw.Choice("xyz") for name in "abcd"})
CHOSEN = [(dict(zip("abcd", "xyzx", strict=True)), True), (dict(zip("abcd", "yyzy", strict=True)), False)]


@pytest.mark.parametrize("rate", [0.6, 0.85])
def test_causes_of_a_flaky_command_are_right(rate: float) -> None:
    found = []
    for seed in range(10):
        subject = Dice(lambda one: one["a"] == "x" and one["b"] == "y", rate, seed)
        found.append(rw.causes(CHOICES, subject, CHOSEN))
    assert {str(one.rule) for one in found} == {"a = x and b = y"}
    flaky = [one for one in found if not one.steadiness.is_steady]
    assert flaky
    assert all("It does not fail every time" in str(one) for one in flaky)


@pytest.mark.parametrize("rate", [0.9, 0.6, 0.3])
def test_causes_without_a_history_of_a_flaky_function_are_right(rate: float) -> None:
    found = []
    for seed in range(6):
        chance = random.Random(seed)

        @rw.fails_when
        def sometimes(one: Any, chance: random.Random = chance) -> bool:
            return one["a"] == "x" and one["b"] == "y" and chance.random() < rate

        found.append(rw.causes(CHOICES, sometimes))
    assert {str(one.rule) for one in found if one.causes} == {"a = x and b = y"}
    assert any("It does not fail every time" in str(one) for one in found)


def test_the_first_failing_run_of_a_search_is_measured_before_the_search_relies_on_it() -> None:
    for verb in (rw.causes, rw.rule):
        subject = Counted()
        found = verb(SPACE, subject.steady)
        assert sum(runs >= UNSEEDED for runs in subject.runs.values()) == 1
        assert (found.steadiness.fails, found.steadiness.runs) == (UNSEEDED, UNSEEDED)


def test_a_second_cause_may_be_flaky_although_the_first_failure_is_steady() -> None:
    for seed in range(6):
        chance = random.Random(seed)

        def fails(one: Any, chance: random.Random = chance) -> bool:
            return bool(one["a"] == "x" or (one["b"] == "y" and one["c"] == "z" and chance.random() < 0.6))

        found = rw.causes(CHOICES, Dice(fails, 1.0))
        assert {str(cause) for cause in found.details} <= {"a = x", "b = y and c = z"}, str(found)


def test_an_input_that_passes_is_refused_after_as_many_runs_as_would_measure_a_rate() -> None:
    for subject in (Counted(0.0), Dice(lambda _: False, 1.0)):
        with pytest.raises(rw.NotReproduced):
            rw.reduce(LIST, subject.steady if isinstance(subject, Counted) else subject)
        assert (runs_of_the_failing(subject) if isinstance(subject, Counted) else subject.runs) == MEASURED


@pytest.mark.parametrize(("rate", "seeds"), [(0.6, range(1000, 1040)), (0.5, range(1110, 1130))])
def test_no_false_minimum_of_a_flaky_function(rate: float, seeds: range) -> None:
    lines = [f"line {number}" for number in range(30)]
    for seed in seeds:
        chance = random.Random(seed)

        def sometimes(kept: list[str], chance: random.Random = chance) -> rw.Verdict:
            return FAIL if "line 7" in kept and chance.random() < rate else PASS

        found = rw.reduce(lines, sometimes)
        assert found.kept == ["line 7"] or not found.minimal, (seed, found.kept)


def test_causes_repeat_passes_of_their_own_and_no_run_of_the_history() -> None:
    subject, steady = Counted(), Counted()
    found = rw.causes(SPACE, subject.steady, HISTORY)
    assert found == rw.causes(SPACE, steady.steady, HISTORY, flaky=False)
    repeated = [one for one, runs in subject.runs.items() if runs > steady.runs[one]]
    assert repeated
    assert not subject.runs.keys() & {name(one) for one, _ in HISTORY}


@pytest.mark.parametrize("fails", [2, 5, 12])
@pytest.mark.parametrize("missed", [0.05, 0.0025])
def test_a_trusted_pass_is_rarely_luck(fails: int, missed: float) -> None:
    repeats = runs_to_trust(fails, missed=missed)

    def chance(k: int) -> float:
        return max(r ** (fails + k) * (1 - r) ** (k + 1) for r in (n / 1000 for n in range(1001)))

    assert chance(repeats) <= missed
    assert repeats == 0 or chance(repeats - 1) > missed * 0.999
