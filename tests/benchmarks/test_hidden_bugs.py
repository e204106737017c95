"""The bugs of benchmarks/find.py are what they are said to be."""

from __future__ import annotations

import random

import pytest
from peers.hidden_bugs import BUGS, METHODS, Job, planted, solve

from rootward.space.space import Int


@pytest.mark.parametrize("kind", BUGS)
@pytest.mark.parametrize("fields", [6, 40])
def test_a_bug_looks_at_few_fields_and_is_not_in_the_input_that_works(kind: str, fields: int) -> None:
    hidden = planted(Job(kind, fields, 3))
    assert len(hidden.space) == fields
    hidden.space.check(hidden.nominal)
    assert not hidden.fails(hidden.nominal)
    rng = random.Random(0)
    for _ in range(200):
        one = {name: rng.choice(field.values) for name, field in hidden.space.items()}
        assert hidden.fails(one) == hidden.fails({name: one[name] for name in hidden.involved})
    assert planted(Job(kind, fields, 3)).involved == hidden.involved


def test_a_range_has_no_exceptional_value_in_it() -> None:
    for seed in range(5):
        hidden = planted(Job("range", 12, seed))
        [name] = hidden.involved
        assert not any(hidden.fails({name: value}) for value in hidden.space.values(name))
        field = hidden.space[name]
        inside = [it for it in range(-1000, 1001) if field.contains(it) and hidden.fails({name: it})]
        assert len(inside) in (range(19, 22) if isinstance(field, Int) else range(39, 42))


def test_every_way_to_look_meets_what_it_is_made_for() -> None:
    found = solve(Job("value", 20, 0))
    assert set(found) == set(METHODS)
    assert found["find"] <= 55
    assert found["one by one"] <= 1000
    assert solve(Job("value", 20, 0)) == found
