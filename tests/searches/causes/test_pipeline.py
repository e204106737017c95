"""Pipelines: Definition 1, and that nothing depends on how a space was written down."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Rule
from rootward.searches.causes.pipeline import Pipeline
from rootward.space.candidate import key_of
from rootward.space.keys import canonical, key
from tests.properties import examples

thorough = examples(80, derandomize=True)
KINDS = (
    rw.Bool(),
    rw.Choice(["only"]),
    rw.Choice(["P", [1], None, True]),
    rw.Choice([3, 1, 2]),
    rw.Ordinal(["low", "middle", "high", "top"]),
    rw.Ordinal([1, 2, 4, 8]),
    rw.Int(-1, 3),
    rw.Int(values=[5, 1, 9]),
    rw.Float(values=[0.0, 1.5, -2.0, math.inf]),
    rw.Float(values=[0.5, math.nan, 0.25, 1.0]),
)
kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=4)


def of(fields: list[Any], **options: Any) -> Pipeline:
    return Pipeline(rw.Space({f"p{i}": one for i, one in enumerate(fields)}), **options)


# Definition 1: instances and the universe


@thorough
@given(kinds, st.data())
def test_instances_and_configurations_are_one_to_one(fields: list[Any], data: st.DataObject) -> None:
    pipeline = of(fields)
    every = list(itertools.product(*(range(size) for size in pipeline.sizes)))
    assert len(every) == pipeline.combinations
    instance = data.draw(st.sampled_from(every))
    configuration = pipeline.configuration(instance)
    assert pipeline.encode(configuration) == instance
    assert pipeline.encode(dict(reversed(list(configuration.items())))) == instance
    assert key_of(configuration) == key(dict(configuration))
    assert list(configuration) == list(pipeline.names)
    pipeline.space.check(dict(configuration))


@thorough
@given(kinds, st.data())
def test_atoms_allow_exactly_what_they_should(fields: list[Any], data: st.DataObject) -> None:
    pipeline = of(fields)
    i = data.draw(st.integers(0, len(pipeline) - 1))
    size = len(pipeline.values[i])
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any)))
    atoms = pipeline.atoms(i, allowed)
    assert [all(atom.accepts(value) for atom in atoms) for value in pipeline.values[i]] == allowed.tolist()
    assert len(atoms) <= max(1, size - int(allowed.sum()))
    assert pipeline.conjunction({i: allowed}) == Conjunction(atoms)


def test_the_fewest_comparisons() -> None:
    pipeline = of([rw.Int(0, 9)])

    def said(*places: int) -> list[str]:
        return [f"{atom.op} {atom.value}" for atom in pipeline.atoms(0, np.isin(np.arange(10), places))]

    assert said(3) == ["= 3"]
    assert said(0, 1, 2) == ["<= 2"]
    assert said(*range(4, 10)) == [">= 4"]
    assert said(*range(1, 10)) == [">= 1"]
    assert said(0, 1, 2, 3, 5, 6, 7, 8, 9) == ["!= 4"]
    assert said(2, 3, 4, 6) == [">= 2", "<= 6", "!= 5"]
    assert said(*range(10)) == []


def test_a_universe_of_numbers_is_what_was_seen_unless_it_is_listed_or_small() -> None:
    space = rw.Space(
        {"f": rw.Float(0.0, 1.0), "i": rw.Int(0, 1000), "small": rw.Int(1, 3), "listed": rw.Int(values=[7, 9])}
    )
    seen: dict[str, list[Any]] = {"f": [0.75, 0.5, 0.75], "i": [900, 3], "small": [1], "listed": [9, 9]}
    assert dict(zip(("f", "i", "listed", "small"), Pipeline(space, seen).values, strict=True)) == {
        "f": (0.5, 0.75),
        "i": (3, 900),
        "listed": (7, 9),
        "small": (1, 2, 3),
    }
    unseen = Pipeline(space)
    assert all(size >= 2 for size in unseen.sizes)


def test_an_unknown_value_is_no_instance() -> None:
    pipeline = of([rw.Int(values=[1, 2]), rw.Choice([1, True])])
    assert pipeline.encode({"p0": 3, "p1": 1}) is None
    assert pipeline.encode({"p0": True, "p1": 1}) is None
    assert pipeline.encode({"p0": 1, "p1": True}) != pipeline.encode({"p0": 1, "p1": 1})


# Order


@thorough
@given(kinds, st.randoms(use_true_random=False))
def test_nothing_depends_on_the_order_of_names_or_unordered_values(fields: list[Any], rng: random.Random) -> None:
    named = [(f"p{i}", one) for i, one in enumerate(fields)]
    shuffled = [(name, _shuffled(one, rng)) for name, one in rng.sample(named, len(named))]
    one, two = Pipeline(rw.Space(dict(named))), Pipeline(rw.Space(dict(shuffled)))
    assert one.names == two.names
    assert [list(map(canonical, values)) for values in one.values] == [list(map(canonical, its)) for its in two.values]
    assert one.comparable == two.comparable


def _shuffled(one: Any, rng: random.Random) -> Any:
    if not isinstance(one, rw.Choice):
        return one
    return rw.Choice(rng.sample(list(one.values), len(one.values)))


# Constraints and costs


@thorough
@given(kinds, st.data())
def test_constraints_are_the_rule_over_configurations(fields: list[Any], data: st.DataObject) -> None:
    plain = of(fields)
    never = Rule(
        plain.conjunction(
            {i: np.arange(plain.sizes[i]) == data.draw(st.integers(0, int(plain.sizes[i]) - 1)) for i in chosen}
        )
        for chosen in data.draw(st.lists(st.sets(st.integers(0, len(fields) - 1), min_size=1), min_size=0, max_size=3))
    )
    pipeline = of(fields, never=never)
    for instance in itertools.islice(itertools.product(*(range(size) for size in pipeline.sizes)), 200):
        assert pipeline.allows(instance) == (not never.holds(pipeline.configuration(instance)))


def test_constraints_must_fit_the_space() -> None:
    with pytest.raises(InputError, match="unknown field 'speed': it is not in the space"):
        of([rw.Bool()], never=Rule([[Atom("speed", "=", 1)]]))


def test_prices() -> None:
    assert of([rw.Int(0, 3)]).price((2,)) == 1
    assert of([rw.Int(0, 3)], cost=lambda one: one["p0"] * 10).price((2,)) == 20
