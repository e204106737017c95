"""How many runs decide one verdict: against definitions, by brute force and by simulation."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.search.repeat import KOfN, Once, Policy, Sequential, policy_for_rate, runs_to_see
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome, Verdict
from tests.properties import examples, few

VERDICTS = list(Verdict)
POLICIES = st.one_of(
    st.just(Once()),
    st.integers(1, 6).flatmap(lambda n: st.builds(KOfN, st.integers(1, n), st.just(n))),
    st.builds(
        Sequential,
        fails=st.floats(0.5, 1),
        passes=st.floats(0, 0.4),
        error=st.floats(0.001, 0.4),
        limit=st.integers(1, 30),
    ),
)


def outcomes(verdicts: Sequence[Verdict]) -> list[Outcome]:
    return [Outcome(verdict, signature=f"run {i}") for i, verdict in enumerate(verdicts)]


def decided(policy: Policy, verdicts: Sequence[Verdict]) -> tuple[Outcome, int]:
    """What the policy decides, and after how many runs."""
    for n in range(1, len(verdicts) + 1):
        if (outcome := policy.decide(outcomes(verdicts[:n]))) is not None:
            return outcome, n
    raise AssertionError("never decided")


# What every policy must do


@examples(200, derandomize=True)
@given(POLICIES, st.lists(st.sampled_from(VERDICTS), min_size=40, max_size=40))
def test_a_policy_decides_within_its_limit_and_says_why(policy: Policy, verdicts: list[Verdict]) -> None:
    assert policy.decide([]) is None
    outcome, runs = decided(policy, verdicts)
    assert runs <= policy.limit
    assert outcome.runs == runs
    assert outcome.fails == verdicts[:runs].count(FAIL)
    if runs > 1:
        assert outcome.votes == tuple(verdicts[:runs])
    first = verdicts.index(outcome.verdict)
    assert first < runs
    assert outcome.signature == f"run {first}", "the first run with this verdict stands for all"


@examples(200, derandomize=True)
@given(POLICIES, st.lists(st.sampled_from(VERDICTS), max_size=30))
def test_a_policy_is_a_function_of_what_it_sees(policy: Policy, verdicts: list[Verdict]) -> None:
    assert policy.decide(outcomes(verdicts)) == policy.decide(outcomes(verdicts))


# k of n


@pytest.mark.parametrize(("k", "n"), [(k, n) for n in range(1, 6) for k in range(1, n + 1)])
def test_k_of_n_is_what_all_n_runs_would_say(k: int, n: int) -> None:
    for verdicts in itertools.product(VERDICTS, repeat=n):
        outcome, runs = decided(KOfN(k, n), verdicts)
        assert (outcome.verdict is FAIL) == (verdicts.count(FAIL) >= k)
        # no sooner than it is certain, and no later
        fails = verdicts[: runs - 1].count(FAIL)
        assert fails < k <= fails + n - (runs - 1)
        for more in range(runs, n + 1):
            again = KOfN(k, n).decide(outcomes(verdicts[:more]))
            assert again is not None
            assert (again.verdict is FAIL) == (outcome.verdict is FAIL), "a further run changed the answer"


def test_what_does_not_amount_to_fail() -> None:
    def verdict(*verdicts: Verdict) -> Verdict:
        return decided(KOfN(3, 3), [*verdicts, PASS, PASS])[0].verdict

    assert verdict(UNRESOLVED) is UNRESOLVED
    assert verdict(FAIL, OTHER) is OTHER
    assert decided(KOfN(2, 3), [OTHER, PASS])[0].verdict is PASS


@pytest.mark.parametrize(("k", "n"), [(0, 3), (4, 3), (-1, 2), (1, 0)])
def test_k_of_n_must_make_sense(k: int, n: int) -> None:
    with pytest.raises(rw.InputError, match="1 <= K <= N"):
        KOfN(k, n)


# The sequential test


def simulate(policy: Sequential, probability: float, times: int = 3000) -> tuple[float, float]:
    """How often FAIL is decided, and after how many runs on average."""
    rng = random.Random(20)
    fails = runs = 0
    for _ in range(times):
        seen: list[Outcome] = []
        while (outcome := policy.decide(seen)) is None:
            seen.append(Outcome(FAIL if rng.random() < probability else PASS))
        fails += outcome.verdict is FAIL
        runs += len(seen)
    return fails / times, runs / times


@pytest.mark.parametrize(
    "policy",
    few(
        3,
        [
            Sequential(),
            Sequential(1.0, 0.5, 0.02),
            Sequential(0.5, 0.0, 0.02),
            Sequential(0.8, 0.2, 0.01),
            Sequential(0.9, 0.5, 0.1),
            Sequential(0.3, 0.05, 0.05, limit=200),
        ],
    ),
    ids=str,
)
def test_error_rates_and_sample_numbers(policy: Sequential) -> None:
    tolerance = 3 * math.sqrt(policy.error * (1 - policy.error) / 3000)
    hit, runs_of_failing = simulate(policy, policy.fails)
    false_alarm, runs_of_passing = simulate(policy, policy.passes)
    assert 1 - hit <= policy.error + tolerance
    assert false_alarm <= policy.error + tolerance
    assert max(runs_of_failing, runs_of_passing) < policy.limit / 3


def test_further_from_the_bar_is_decided_sooner() -> None:
    policy = Sequential()
    assert simulate(policy, 0.95)[1] < simulate(policy, 0.5)[1] / 1.5
    assert simulate(policy, 0.95)[0] > 0.999
    assert simulate(policy, 0.0)[0] == 0.0


def test_unresolved_runs_are_no_evidence() -> None:
    rng = random.Random(7)
    for _ in range(50):
        verdicts = [rng.choice([FAIL, PASS, OTHER, UNRESOLVED]) for _ in range(500)]
        policy = Sequential(limit=400)
        wanted = decided(policy, [verdict for verdict in verdicts if verdict is not UNRESOLVED])
        outcome, runs = decided(policy, verdicts)
        assert outcome.verdict is wanted[0].verdict
        assert runs == wanted[1] + verdicts[:runs].count(UNRESOLVED)


def test_if_nothing_can_be_judged_the_limit_ends_it() -> None:
    outcome, runs = decided(Sequential(limit=7), [UNRESOLVED] * 10)
    assert (outcome.verdict, runs) == (UNRESOLVED, 7)


def test_at_the_limit_the_likelier_side_wins() -> None:
    policy = Sequential(fails=0.5, passes=0.4, error=0.01, limit=4)
    assert decided(policy, [FAIL, FAIL, FAIL, PASS])[0].verdict is FAIL
    assert decided(policy, [FAIL, PASS, PASS, PASS])[0].verdict is PASS


def test_certain_evidence_decides_at_once() -> None:
    assert decided(Sequential(fails=0.5, passes=0.0), [PASS, FAIL])[1] == 2
    assert decided(Sequential(fails=1.0, passes=0.5), [FAIL, PASS])[0].verdict is PASS
    assert decided(Sequential(fails=1.0, passes=0.0), [FAIL])[0].verdict is FAIL


@pytest.mark.parametrize(
    "numbers",
    [
        (0.1, 0.5),
        (0.5, 0.5),
        (1.1, 0.1),
        (0.5, -0.1),
        (0.5, 0.1, 0.0),
        (0.5, 0.1, 0.5),
        (0.5, 0.1, 0.05, 0),
        (math.nan,),
    ],
)
def test_the_sequential_test_must_make_sense(numbers: tuple[Any, ...]) -> None:
    with pytest.raises(rw.InputError):
        Sequential(*numbers)


# As text


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("once", Once()),
        (" Once ", Once()),
        ("1of4", KOfN(1, 4)),
        ("2 of 3", KOfN(2, 3)),
        ("3OF10", KOfN(3, 10)),
        ("sprt", Sequential()),
        ("sprt:0.8", Sequential(0.8)),
        ("sprt:0.8,0.2", Sequential(0.8, 0.2)),
        ("sprt:0.8, 0.2, 0.01", Sequential(0.8, 0.2, 0.01)),
    ],
)
def test_parse(text: str, policy: Policy) -> None:
    assert rw.Repeat.parse(text) == policy


@pytest.mark.parametrize(
    "text",
    [
        *("", "twice", "4", "of", "1of", "of4", "5of4", "0of4", "1of4of5", "1.5of4", "1of4:2", "once:1", "\0"),
        *("sprt:x", "sprt:0.5,", "sprt:0.1,0.5", "sprt:0.5,0.1,0.05,60", "sprt:nan", "sprt:0.5;0.1"),
    ],
)
def test_parse_refuses(text: str) -> None:
    with pytest.raises(rw.InputError):
        rw.Repeat.parse(text)


def test_the_policies_by_name() -> None:
    assert rw.Repeat.once() == Once()
    assert rw.Repeat.k_of_n(1, 4) == KOfN(1, 4)
    assert rw.Repeat.sequential(fails=0.9) == Sequential(fails=0.9)
    for policy in (Once(), KOfN(2, 5)):
        assert rw.Repeat.parse(str(policy)) == policy


# In the lab


def seeds_seen(**options: Any) -> dict[tuple[int, ...], list[int]]:
    seen: dict[tuple[int, ...], list[int]] = {}

    def flaky(kept: list[int], seed: int) -> Verdict:
        seen.setdefault(tuple(kept), []).append(seed)
        return FAIL if 2 in kept and seed % 4 else PASS

    found = rw.reduce(range(4), flaky, repeat=KOfN(2, 8), **options)
    assert found.kept == [2]
    assert found.trials == sum(map(len, seen.values()))
    return seen


def test_each_repetition_has_a_seed_of_its_own() -> None:
    seen = seeds_seen()
    seeds = list(itertools.chain(*seen.values()))
    assert len(seeds) == len(set(seeds))
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert len(seen[()]) == 7, "2 of 8 is out of reach after 7 passes"
    assert seeds_seen() == seen
    assert set(itertools.chain(*seeds_seen(seed=1).values())).isdisjoint(seeds)


def test_votes_are_reported() -> None:
    told: list[Outcome] = []

    def search() -> rw.Search[Any, Any]:
        outcomes = yield from rw.all_of(["x", "y"], best=rw.Reduction(selection=rw.Elements("x").all))
        told.extend(outcomes)
        return rw.Reduction(selection=rw.Elements("x").all)

    runs = itertools.count()
    with rw.Lab(lambda candidate: FAIL if candidate == "x" and next(runs) else PASS, repeat=KOfN(2, 4)) as lab:
        lab.run(search())
    assert [(outcome.verdict, outcome.votes) for outcome in told] == [
        (FAIL, (PASS, FAIL, FAIL)),
        (PASS, (PASS, PASS, PASS)),
    ]
    assert [(outcome.runs, outcome.fails) for outcome in told] == [(3, 2), (3, 0)]


@given(st.floats(0.01, 1), st.floats(1e-6, 0.4))
def test_a_failure_is_missed_as_rarely_as_asked_with_no_run_too_many(rate: float, missed: float) -> None:
    runs = runs_to_see(rate, missed=missed)
    assert (1 - rate) ** runs <= missed * (1 + 1e-9)
    assert runs == 1 or (1 - rate) ** (runs - 1) > missed * (1 - 1e-9)
    policy = policy_for_rate(rate, missed=missed)
    assert policy.limit == runs
    assert decided(policy, [*[PASS] * (runs - 1), FAIL])[0].verdict is FAIL
    assert isinstance(policy, Once) is (runs == 1)
