"""Fresh configurations lie where they should, and only the fields of the claim are held."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rootward.candidate import key_of
from rootward.diagnosis.sampling import Sampling
from rootward.rules import Atom, Rule
from rootward.space import Bool, Choice, Float, Int, Space

SPACE = Space({"a": Int(0, 50), "b": Choice("xyz"), "c": Float(-1, 1), "d": Bool(), "e": Int(0, 9)})
START = {"a": 40, "b": "x", "c": 0.5, "d": True, "e": 3}
NEVER = Rule([[Atom("e", "=", 7)], [Atom("b", "=", "z"), Atom("d", "=", True)]])
seeds = st.integers(0, 2**32)
bounds = st.integers(0, 40)


def sampling(rule: Rule, seed: int, known: list[str] | None = None) -> Sampling:
    return Sampling(SPACE, rule, known=known or [], never=NEVER, rng=np.random.default_rng(seed))


@given(bounds, seeds)
def test_inside_stays_inside_and_outside_outside(bound: int, seed: int) -> None:
    rule = Rule([[Atom("a", ">=", bound), Atom("b", "!=", "y")]])
    passing = {**START, "b": "y"}
    draw = sampling(rule, seed)
    inside, outside = draw.inside([START], 12), draw.outside([passing], 12)
    assert len(inside) == len(outside) == 12
    assert all(rule.holds(one) for one in inside)
    assert not any(rule.holds(one) for one in outside)
    drawn = [*inside, *outside]
    assert not any(NEVER.holds(one) for one in drawn)
    assert all(SPACE.check(one) == one and list(one) == list(SPACE) for one in drawn)
    assert len({key_of(one) for one in drawn}) == len(drawn)


@given(seeds)
def test_fields_that_do_not_matter_all_vary(seed: int) -> None:
    drawn = sampling(Rule([[Atom("a", ">", 30)]]), seed).inside([START], 30)
    for name in ("b", "c", "d", "e"):
        assert len({one[name] for one in drawn}) > 1, name


@given(seeds)
def test_what_is_known_is_not_drawn(seed: int) -> None:
    small = Space({"a": Int(0, 2), "d": Bool()})
    every = [{"a": a, "d": d} for a in range(3) for d in (True, False)]
    rule = Rule([[Atom("a", ">=", 1)]])
    draw = Sampling(small, rule, known=[key_of(every[2])], never=None, rng=np.random.default_rng(seed))
    drawn = draw.inside([every[3]], 9)
    assert every[2] not in drawn
    assert len(drawn) <= 3
    assert draw.inside([], 5) == []


@given(seeds)
def test_elsewhere_keeps_what_the_claim_names(seed: int) -> None:
    draw = sampling(Rule([[Atom("a", ">", 30), Atom("c", "<", 0.9)]]), seed)
    moved = [draw.elsewhere(START) for _ in range(20)]
    assert all((one["a"], one["c"]) == (START["a"], START["c"]) for one in moved)
    assert len({one["e"] for one in moved}) > 1


def test_a_region_of_one_value_is_met() -> None:
    """However small it is: the walk starts in it."""
    rule = Rule([[Atom("a", "=", 40), Atom("c", "=", 0.5)]])
    assert len(sampling(rule, 0).inside([START], 12)) == 12
