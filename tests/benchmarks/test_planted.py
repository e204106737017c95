"""The planted problems are what the benchmarks say they are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import limits, planted

import rootward as rw
from rootward.space.keys import canonical
from rootward.verdict import FAIL, PASS
from tests.properties import examples

SEEDS = st.integers(0, 2**32)


@examples(40)
@given(SEEDS, st.integers(5, 60), st.integers(1, 5), st.integers(3, 40), st.booleans())
def test_product_sets_keep_their_promises(seed: int, fields: int, relevant: int, size: int, intervals: bool) -> None:
    rng = np.random.default_rng(seed)
    made = planted.product(rng, fields=fields, relevant=relevant, middle=size, large=size, intervals=intervals)
    assert (len(made.space), len(made.sets)) == (fields, relevant)
    assert made.space.check(made.failing)
    assert made.subject(made.failing) is FAIL
    for name, triggering in made.sets.items():
        values = made.space.values(name)
        keys = set(map(canonical, triggering))
        assert canonical(made.failing[name]) in keys < set(map(canonical, values))
        for value in values:
            expected = FAIL if canonical(value) in keys else PASS
            assert made.subject({**made.failing, name: value}) is expected
        if intervals and made.space[name].ordered:
            places = [i for i, value in enumerate(values) if canonical(value) in keys]
            assert places == list(range(places[0], places[-1] + 1))
    assert made.is_exactly(made.sets)
    assert not made.is_exactly({})


@examples(40)
@given(SEEDS, st.sampled_from(planted.PAIRS), st.integers(0, 3))
def test_interacting_pairs_interact(seed: int, kind: str, others: int) -> None:
    made = planted.pair(np.random.default_rng(seed), kind, fields=20, others=others)
    pair = made.relation
    assert pair is not None
    assert made.subject(made.space.check(made.failing)) is FAIL
    assert len(made.sets) == others
    assert not {pair.one, pair.other} & made.sets.keys()
    values = made.space.values(pair.one)
    assert values == made.space.values(pair.other)
    fails = [[made.subject({**made.failing, pair.one: x, pair.other: y}) is FAIL for y in values] for x in values]
    assert not planted.is_product(np.array(fails))
    alone = [
        all(row[values.index(made.failing[pair.other])] for row in fails),
        all(fails[values.index(made.failing[pair.one])]),
    ]
    if kind in planted.EITHER:
        assert sum(alone) == planted.EITHER[kind]


def test_the_draw_is_uniform_among_the_possible_sets() -> None:
    rng = np.random.default_rng(1)
    field = rw.Choice(["a", "b", "c"])
    drawn = [planted._triggering(rng, field, "b", False) for _ in range(3000)]
    counts = {kept: drawn.count(kept) for kept in set(drawn)}
    assert set(counts) == {("b",), ("a", "b"), ("b", "c")}
    assert all(900 < count < 1100 for count in counts.values())


def test_a_flaky_subject_follows_the_seed_and_never_fails_elsewhere() -> None:
    made = planted.product(np.random.default_rng(3), fields=10, relevant=2)
    subject = planted.Flaky(made.subject, 0.7)
    shown = [subject(made.failing, seed=seed) is FAIL for seed in range(1000)]
    assert shown == [subject(made.failing, seed=seed) is FAIL for seed in range(1000)]
    assert 0.65 < np.mean(shown) < 0.75
    name, triggering = next(iter(made.sets.items()))
    other = next(v for v in made.space.values(name) if canonical(v) not in set(map(canonical, triggering)))
    assert not any(subject({**made.failing, name: other}, seed=seed) is FAIL for seed in range(100))


def test_limits_by_hand() -> None:
    space = rw.Space({"a": rw.Bool(), "b": rw.Choice("wxyz"), "c": rw.Choice("pqrst"), "d": rw.Bool()})
    failing = {"a": True, "b": "w", "c": "p", "d": False}
    made = planted.Planted(space, failing, {"a": (True,), "b": ("w", "x")})
    # 6 pairs of fields, 1 possible set of a Boolean, 7 of a field with four values
    assert limits.information(made) == pytest.approx(math.log2(6) + math.log2(1) + math.log2(7))
    # False, y and z stop it; the five values of c take four further failing runs
    assert limits.certificate(made) == 3 + 4
