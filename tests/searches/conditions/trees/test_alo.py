"""The search as a whole."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.search.ask import Search
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.searches.conditions.trees.alo import alo
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome, Verdict

Judge = Callable[[Mapping[str, Any]], Verdict | bool]


@dataclass
class Asked:
    """All that a search asked."""

    candidates: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    bests: list[RuleFinding] = field(default_factory=list)
    finding: Any = None
    seconds: float = 0.0


def answered(search: Search[Any, RuleFinding], judge: Judge) -> Asked:
    asked, answers = Asked(), None
    while True:
        start = time.process_time()
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            asked.finding = end.value
            asked.seconds += time.process_time() - start
            return asked
        asked.seconds += time.process_time() - start
        asked.notes.append(ask.note)
        asked.batches.append(len(ask.candidates))
        asked.bests.append(ask.best)
        candidates: Sequence[Any] = ask.candidates
        asked.candidates += [dict(one) for one in candidates]
        answers = [Outcome(_verdict(judge(one))) for one in candidates]


def _verdict(judged: Verdict | bool) -> Verdict:
    return judged if isinstance(judged, Verdict) else FAIL if judged else PASS


def accuracy(rule: Any, space: rw.Space, fails: Callable[[Mapping[str, Any]], bool], seed: int = 99) -> float:
    """Balanced, over 1,000 points."""
    rng = np.random.default_rng(seed)
    points = [space.sample(rng) for _ in range(1000)]
    sides = [[rule.holds(one) == label for one in points if fails(one) == label] for label in (True, False)]
    assert min(map(len, sides)) > 50
    return statistics.fmean(map(statistics.fmean, sides))


TRAINER = rw.Space({"roll": rw.Int(-18000, 18000), "trainer": rw.Choice([0, 1, 2])})


def trainer(one: Mapping[str, Any]) -> bool:
    return bool(one["roll"] > 4500 and one["trainer"] == 2)


def test_a_conjunction_is_found() -> None:
    asked = answered(alo(TRAINER, {"roll": 9000, "trainer": 2}, seed=1, trials=120), trainer)
    found = asked.finding
    assert accuracy(found.rule, TRAINER, trainer) > 0.97
    assert set(found.rule.fields) == {"roll", "trainer"}
    assert len(asked.candidates) == 120 == found.fails + found.passes
    assert found.fails == sum(map(trainer, asked.candidates))
    assert all(found.tree.decide(one) == found.rule.holds(one) for one in asked.candidates)


def test_an_area_that_overflows_is_found() -> None:
    space = rw.Space({"width": rw.Int(0), "height": rw.Int(0)})

    def fails(one: Mapping[str, Any]) -> bool:
        return bool(one["width"] * one["height"] > 2**31 - 1)

    asked = answered(alo(space, {"width": 10**6, "height": 10**6}, trials=150), fails)
    assert accuracy(asked.finding.rule, space, fails) > 0.97
    assert "width * height" in str(asked.finding.rule)


def test_nan_is_found() -> None:
    space = rw.Space({"x": rw.Float(), "y": rw.Int(0, 100)})

    def fails(one: Mapping[str, Any]) -> bool:
        return math.isnan(one["x"])

    asked = answered(alo(space, {"x": math.nan, "y": 5}, trials=80), fails)
    assert str(asked.finding.rule) == "x is NaN"


def test_the_order_of_samplers() -> None:
    asked = answered(alo(TRAINER, {"roll": 9000, "trainer": 2}, trials=100), lambda one: one["roll"] > 0)
    assert asked.candidates[0] == {"roll": 9000, "trainer": 2}
    assert asked.notes[:2] == ["running the failing configuration", "sampling 20 points of the whole space"]
    assert all(note.startswith("sampling where the tree is least certain") for note in asked.notes[2:])


def test_a_batch_is_a_tenth_of_what_is_known() -> None:
    asked = answered(alo(TRAINER, {"roll": 9000, "trainer": 2}, trials=100), lambda one: one["roll"] > 0)
    known = np.cumsum(asked.batches)
    assert asked.batches[2:-1] == [max(1, count // 10) for count in known[1:-2]]
    assert known[-1] == 100


def test_spheres_shrink_from_one_trial_to_the_next_while_little_is_known() -> None:
    space = rw.Space({f"f{at}": rw.Float() for at in range(4)})
    asked = answered(
        alo(space, dict.fromkeys(space, 100.0), trials=45),
        lambda one: all(abs(value - 100) < 50 for value in one.values()),
    )
    around = [size for size, note in zip(asked.batches, asked.notes, strict=True) if note.startswith("sampling around")]
    assert around[:7] == [1] * 7
    assert asked.finding.fails >= 5


def test_a_rare_label_is_searched_for_in_spheres_until_it_is_not_rare() -> None:
    space = rw.Space({"x": rw.Float(), "y": rw.Float()})

    def fails(one: Mapping[str, Any]) -> bool:
        return bool(abs(one["x"] - 100) < 50 and abs(one["y"] - 100) < 50)

    asked = answered(alo(space, {"x": 100.0, "y": 100.0}, trials=120), fails)
    around = [at for at, note in enumerate(asked.notes) if note.startswith("sampling around")]
    active = [at for at, note in enumerate(asked.notes) if note.startswith("sampling where")]
    assert around[0] == 2
    assert active
    assert active[0] > around[0]
    fails_before = sum(map(fails, asked.candidates[: sum(asked.batches[: active[0]])]))
    assert fails_before >= 0.1 * sum(asked.batches[: active[0]])


def test_fields_that_may_not_change_keep_their_value() -> None:
    space = rw.Space({"a": rw.Int(0, 1000), "b": rw.Int(0, 1000), "c": rw.Bool()})
    failing = {"a": 900, "b": 3, "c": True}
    asked = answered(alo(space, failing, fields=["a"], trials=60), lambda one: one["a"] > 500)
    assert {(one["b"], one["c"]) for one in asked.candidates} == {(3, True)}
    assert asked.finding.rule.fields == ("a",)
    assert asked.finding.of == 3


def test_every_candidate_fits_the_space_and_is_asked_once() -> None:
    space = rw.Space({"f": rw.Float(), "g": rw.Float(bits=32), "i": rw.Int(bits=64), "c": rw.Choice("abc")})
    asked = answered(alo(space, trials=80), lambda one: one["i"] > 77)
    keys = [space.key(space.check(one)) for one in asked.candidates]
    assert len(set(keys)) == len(keys) == 80


def test_the_same_seed_asks_the_same() -> None:
    space = rw.Space({"x": rw.Float(), "y": rw.Float()})

    def fails(one: Mapping[str, Any]) -> bool:
        return bool(one["x"] * one["y"] < 100)

    runs = [answered(alo(space, seed=seed, trials=40), fails) for seed in (5, 5, 6)]
    one, same, other = [[space.key(c) for c in run.candidates] for run in runs]
    assert one == same
    assert one != other
    assert runs[0].finding == runs[1].finding


def test_every_question_carries_the_best_answer() -> None:
    asked = answered(alo(TRAINER, {"roll": 9000, "trainer": 2}, trials=100), trainer)
    assert all(isinstance(best, RuleFinding) for best in asked.bests)
    assert asked.bests[0].fails == asked.bests[0].passes == 0
    assert accuracy(asked.bests[-1].rule, TRAINER, trainer) > 0.8


def test_other_failures_count_as_passing_and_unresolved_runs_not_at_all() -> None:
    space = rw.Space({"x": rw.Int(0, 1000)})

    def judge(one: Mapping[str, Any]) -> Verdict:
        x = one["x"]
        return UNRESOLVED if x % 7 == 0 else FAIL if x > 500 else OTHER

    asked = answered(alo(space, {"x": 999}, trials=100), judge)
    verdicts = [judge(one) for one in asked.candidates]
    found = asked.finding
    assert (found.fails, found.passes) == (verdicts.count(FAIL), verdicts.count(OTHER))
    assert found.unjudged == verdicts.count(UNRESOLVED) > 0
    assert len(asked.candidates) == len({one["x"] for one in asked.candidates})
    assert accuracy(found.rule, space, lambda one: one["x"] > 500) > 0.98


@pytest.mark.parametrize("verdict", [PASS, FAIL, UNRESOLVED])
def test_one_label_only(verdict: Verdict) -> None:
    space = rw.Space({"x": rw.Float(), "b": rw.Bool()})
    asked = answered(alo(space, trials=50), lambda one: verdict)
    assert str(asked.finding.rule) == ("always" if verdict is FAIL else "never")
    assert len(asked.candidates) == 50


def test_a_small_space_is_asked_in_full_and_then_it_ends() -> None:
    space = rw.Space({"a": rw.Bool(), "b": rw.Choice(["r", "g", "b"]), "constant": rw.Int(7, 7)})
    asked = answered(alo(space, trials=200), lambda one: one["a"] and one["b"] == "g")
    assert len(asked.candidates) == 6
    assert asked.finding.fails == 1
    asked = answered(alo(rw.Space({"only": rw.Choice(["x"])}), {"only": "x"}), lambda one: True)
    assert len(asked.candidates) == 1


def test_extreme_fields_are_no_trouble() -> None:
    space = rw.Space(
        {
            "big": rw.Int(0, 2**64 - 1, bits=64, signed=False),
            "tiny": rw.Float(-1e-310, 1e-310),
            "one": rw.Float(2.5, 2.5),
            "t": rw.Text(["", "a"]),
        }
    )
    failing = {"big": 2**64 - 1, "tiny": 5e-324, "one": 2.5, "t": "unlisted"}
    asked = answered(alo(space, failing, trials=60), lambda one: one["big"] > 2**63)
    assert asked.finding.rule.holds(failing)
    assert not asked.finding.rule.holds({**failing, "big": 5})


@pytest.mark.parametrize("trials", [0, -1, True, 2.5, None])
def test_a_number_of_trials_is_needed(trials: Any) -> None:
    with pytest.raises(InputError, match="trials"):
        alo(TRAINER, trials=trials)


@pytest.mark.parametrize("trials", [1, 2, 3, 7])
def test_very_few_trials(trials: int) -> None:
    asked = answered(alo(TRAINER, {"roll": 9000, "trainer": 2}, trials=trials), trainer)
    assert len(asked.candidates) == trials


@pytest.mark.rest
def test_own_computation_is_little() -> None:
    """About 20 ms of CPU time for each run."""
    space = rw.Space({f"f{at}": rw.Float() for at in range(5)} | {f"i{at}": rw.Int() for at in range(5)})

    def fails(one: Mapping[str, Any]) -> bool:
        return bool(one["f0"] + 3 * one["i0"] < 100 and one["i1"] > 5)

    asked = answered(alo(space, trials=200), fails)
    assert asked.seconds / 200 < 0.5
