"""Scores and their intervals."""

from __future__ import annotations

import math
import random
import subprocess
import sys

import pytest
from scipy.stats import binomtest

from rootward.errors import InputError
from rootward.rules import Atom, Estimate, Rule
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Verdict

RULE = Rule([[Atom("x", "<", 0)]])


def trials(*counts: tuple[int, Verdict | bool, int]) -> list[tuple[dict[str, int], Verdict | bool]]:
    return [({"x": x}, verdict) for x, verdict, count in counts for _ in range(count)]


def test_the_four_counts() -> None:
    found = RULE.score(
        trials((-1, FAIL, 6), (-1, PASS, 1), (-1, OTHER, 1), (1, FAIL, 2), (1, PASS, 30), (1, UNRESOLVED, 9))
    )
    assert (found.hits, found.false_alarms, found.misses, found.rejections) == (6, 2, 2, 30)
    assert found.trials == 40
    assert found.precision.value == 6 / 8
    assert found.recall.value == 6 / 8
    assert found.accuracy.value == 36 / 40
    assert found.balanced_accuracy.value == pytest.approx((6 / 8 + 30 / 32) / 2)
    assert str(found).startswith("precision 0.75 (0.41..0.93), recall")


def test_bools_say_failing() -> None:
    assert RULE.score(trials((-1, True, 3), (1, False, 4))).accuracy.value == 1


def test_hoeffding_is_the_bound_of_the_paper() -> None:
    found = Estimate.of(90, 100, method="hoeffding")
    half = math.sqrt(-math.log(0.05) / 200)
    assert found == pytest.approx((0.9, 0.9 - half, min(1, 0.9 + half)))
    assert Estimate.of(100, 100, method="hoeffding").high == 1
    assert Estimate.of(0, 1, method="hoeffding").low == 0


@pytest.mark.parametrize(
    ("method", "low", "high"),
    [("wilson", 0.5958, 0.9821), ("clopper-pearson", 0.5550, 0.9975), ("hoeffding", 0.5130, 1.0)],
)
def test_known_intervals(method: str, low: float, high: float) -> None:
    """Nine of ten, against published tables."""
    found = Estimate.of(9, 10, method=method)
    assert found.low == pytest.approx(low, abs=5e-4)
    assert found.high == pytest.approx(high, abs=5e-4)


@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.999])
def test_intervals_are_those_of_scipy(method: str, theirs: str, confidence: float) -> None:
    for trials in (1, 2, 7, 20, 1000, 10**6):
        for hits in {0, 1, trials // 3, trials - 1, trials}:
            found = Estimate.of(hits, trials, confidence=confidence, method=method)
            wanted = binomtest(hits, trials).proportion_ci(confidence, theirs)
            assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), rel=1e-9, abs=1e-12)


def test_nothing_observed() -> None:
    for estimate in (Estimate.of(0, 0), RULE.score([]).precision, RULE.score([]).balanced_accuracy):
        assert math.isnan(estimate.value)
        assert (estimate.low, estimate.high) == (0, 1)
        assert str(estimate) == "not observed"
    one_sided = RULE.score(trials((-1, FAIL, 5)))
    assert one_sided.recall.value == 1
    assert math.isnan(one_sided.balanced_accuracy.value)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "hoeffding"])
def test_intervals_hold_their_value_and_narrow_with_more_trials(method: str) -> None:
    for hits in (0, 3, 7, 10):
        few, many = Estimate.of(hits, 10, method=method), Estimate.of(100 * hits, 1000, method=method)
        assert 0 <= few.low <= few.value <= few.high <= 1
        assert many.high - many.low < few.high - few.low
        wide = Estimate.of(hits, 10, confidence=0.999, method=method)
        assert wide.low <= few.low <= few.high <= wide.high


@pytest.mark.parametrize("method", ["clopper-pearson", "hoeffding"])
def test_balanced_accuracy_is_within_its_interval_often_enough(method: str) -> None:
    rng = random.Random(0)
    recall, specificity, inside = 0.9, 0.7, 0
    for _ in range(200):
        seen = [
            (-1 if rng.random() < (recall if fails else 1 - specificity) else 1, fails)
            for fails in [True] * 20 + [False] * 15
        ]
        found = RULE.score([({"x": x}, fails) for x, fails in seen], method=method).balanced_accuracy
        inside += found.low <= (recall + specificity) / 2 <= found.high
    assert inside >= 190


def test_estimates_read_and_compare() -> None:
    assert str(Estimate(0.93, 0.88, 0.97)) == "0.93 (0.88..0.97)"
    value, low, high = Estimate.of(1, 2)
    assert low < value < high
    with pytest.raises(AttributeError):
        Estimate(0.5, 0, 1).value = 1  # type: ignore[misc]


def test_refused() -> None:
    with pytest.raises(InputError, match="wilson, clopper-pearson, hoeffding"):
        RULE.score([], method="normal")
    with pytest.raises(InputError, match="between 0 and 1"):
        RULE.score([], confidence=95)
    with pytest.raises(InputError, match="True: it fails"):
        RULE.score([({"x": 1}, "fail")])  # type: ignore[list-item]


def test_rules_are_imported_without_numpy_and_scipy() -> None:
    program = "import sys, rootward.rules; print({'numpy', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
