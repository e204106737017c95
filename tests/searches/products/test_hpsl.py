"""HPSL against its paper: Vernaza, Guttendorf, Wagner and Koopman, "Learning Product Set Models of Fault Triggers in
High-Dimensional Software Interfaces" (2015)."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.products.hpsl import hpsl
from tests.properties import examples

from .planted import KINDS, SMALL, Asked, Planted, answered, keys, plant, whole

thorough = examples(100, derandomize=True)


def learnt(problem: Planted, **options: Any) -> Asked:
    return answered(hpsl(problem.space, problem.failing, **options), problem.fails)


def questions(asked: Asked) -> int:
    """Those of the search, without the fresh members at its end."""
    return asked.noted("may matter")


# Theorem 1: the answer is exact


@thorough
@given(seed=st.integers(0, 10**6), fields=st.integers(1, 5), relevant=st.integers(0, 5))
def test_theorem_1_on_the_whole_space(seed: int, fields: int, relevant: int) -> None:
    problem = plant(seed, fields, relevant, kinds=SMALL)
    found = learnt(problem).finding
    assert keys(found.sets) == problem.keys
    for configuration in whole(problem.space):
        member = all(configuration[name] in values for name, values in found.sets.items())
        assert member == problem.fails(configuration)


@examples(25, derandomize=True)
@given(seed=st.integers(0, 10**6), fields=st.integers(1, 300), relevant=st.integers(0, 12))
def test_theorem_1_on_large_spaces(seed: int, fields: int, relevant: int) -> None:
    problem = plant(seed, fields, relevant)
    found = learnt(problem, samples=3).finding
    assert keys(found.sets) == problem.keys
    assert found.precision.value == 1
    assert list(found.sets) == [name for name in problem.space if name in problem.sets]


# Theorem 2: the number of questions


@examples(40, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    fields=st.integers(1, 400),
    relevant=st.integers(1, 15),
    kinds=st.sampled_from([SMALL, KINDS]),
)
def test_theorem_2(seed: int, fields: int, relevant: int, kinds: Any) -> None:
    problem = plant(seed, fields, relevant, kinds=kinds)
    if not problem.sets:  # all fields drawn have a single value
        return
    largest = max(len(problem.space.values(name)) for name in problem.space)
    k, n = len(problem.sets), len(problem.space)
    assert questions(learnt(problem, samples=0)) <= 2 * k * (2 + math.log2(n)) * largest


def test_if_nothing_matters_it_is_known_after_one_question_for_each_value() -> None:
    problem = plant(1, 64, 0)
    assert questions(learnt(problem, samples=0)) == max(len(problem.space.values(name)) for name in problem.space)


def test_if_every_field_matters_the_whole_tree_is_asked() -> None:
    space = rw.Space((f"f{i}", rw.Bool()) for i in range(8))
    problem = Planted(space, dict.fromkeys(space, True), {name: [True] for name in space})
    assert questions(learnt(problem, samples=0)) == 2 * (1 + 2 + 4 + 8)


# "HPSL produces deterministic results given a seed and a deterministic strategy for splitting"


def test_it_is_deterministic() -> None:
    problem = plant(3, 100, 5)
    one, two = learnt(problem), learnt(problem)
    assert one == two
    assert one.finding.precision == two.finding.precision


def test_the_seed_of_the_random_members_does_not_change_the_answer() -> None:
    problem = plant(4, 100, 5)
    one, two = learnt(problem, seed=1), learnt(problem, seed=2)
    assert one.finding == two.finding
    assert one.candidates != two.candidates
    assert one.candidates[: questions(one)] == two.candidates[: questions(two)]


# Figures 2 and 3: two messages with two fields each, and the failing input {true, true, false, true}

BRAKES = ("M1.BrakeApplied", "M1.EStopButton", "M2.BrakeApplied", "M2.EStopButton")


def test_the_worked_example() -> None:
    """Suppose that it fails if and only if the brakes are applied in message 1 and the stop button is pressed in 2."""
    space = rw.Space((name, rw.Bool()) for name in BRAKES)
    failing = dict(zip(BRAKES, (True, True, False, True), strict=True))
    problem = Planted(space, failing, {"M1.BrakeApplied": [True], "M2.EStopButton": [True]})
    asked = learnt(problem, samples=0)
    t, f = True, False
    queries = [
        # F = {1, 2, 3, 4}: all of them false, then all true. False passes, so X = {true} is not all of X: split.
        [(f, f, f, f), (t, t, t, t)],
        # F = {1, 2}, the others as in the seed (.., .., f, t): false passes, true fails: split.
        # F = {3, 4}, the others as in the seed (t, t, .., ..): false passes, true fails: split.
        [(f, f, f, t), (t, t, f, t), (t, t, f, f), (t, t, t, t)],
        # Single fields. 1: {true}. 2: both fail. 3: both fail. 4: {true}.
        [(f, t, f, t), (t, t, f, t)],
        [(t, f, f, t), (t, t, f, t)],
        [(t, t, f, t), (t, t, t, t)],
        [(t, t, f, f), (t, t, f, t)],
    ]
    assert [tuple(one.values()) for one in asked.candidates] == list(itertools.chain(*queries))
    assert asked.batches == [2, 4, 8, 0]
    notes = list(dict.fromkeys(asked.notes))
    assert notes == [
        "4 of 4 fields may matter; groups to test: 1",
        "4 of 4 fields may matter; groups to test: 2",
        "4 of 4 fields may matter; groups to test: 4",
    ]
    assert keys(asked.finding.sets) == problem.keys


def test_a_part_that_always_fails_is_not_split() -> None:
    """As above, but only the fields of message 1 matter: {3, 4} is a leaf of the second level."""
    space = rw.Space((name, rw.Bool()) for name in BRAKES)
    failing = dict(zip(BRAKES, (True, True, False, True), strict=True))
    problem = Planted(space, failing, {"M1.BrakeApplied": [True], "M1.EStopButton": [True]})
    assert learnt(problem, samples=0).batches == [2, 4, 4, 0]


def test_fields_with_fewer_values_start_over() -> None:
    space = rw.Space({"b": rw.Bool(), "c": rw.Choice("xyz"), "o": rw.Choice(["only"])})
    asked = learnt(Planted(space, {"b": True, "c": "x", "o": "only"}, {}), samples=0)
    assert [tuple(one.values()) for one in asked.candidates] == [
        (False, "x", "only"),
        (True, "y", "only"),
        (False, "z", "only"),
    ]


# Figure 4: how it is written


def test_the_output_of_figure_4() -> None:
    speeds = rw.Float(values=[-math.inf, -1.79769e308, -65535.0, -2.71828, -1.0, 0.0, 1.0, math.inf, math.nan])
    space = rw.Space(
        {
            "M0.InitialMode": rw.Int(0, bits=32, signed=False, values=[0, 1, 2, 255, 65535, 4294967295]),
            "M1.BrakeApplied": rw.Bool(),
            "M1.CurrentGear": rw.Int(0, 5, values=range(6)),
            "M2.ActualSpeed": speeds,
            "M2.Headlights": rw.Bool(),
        }
    )
    failing = {
        "M0.InitialMode": 1,
        "M1.BrakeApplied": True,
        "M1.CurrentGear": 0,
        "M2.ActualSpeed": -1.0,
        "M2.Headlights": True,
    }
    sets: dict[str, list[Any]] = {
        "M0.InitialMode": [1, 2, 255, 65535, 4294967295],
        "M1.BrakeApplied": [True],
        "M1.CurrentGear": [0],
        "M2.ActualSpeed": list(speeds.values[:5]),
    }
    found = learnt(Planted(space, failing, sets), samples=0).finding
    lines = [line.partition(" (")[0] for line in str(found).splitlines()[1:]]  # ours adds where triggering ends
    assert lines == [
        "  M0.InitialMode in set [ 1, ..., 4294967295 ]",
        "  M1.BrakeApplied in set [ true ]",
        "  M1.CurrentGear in set [ 0 ]",
        "  M2.ActualSpeed in set [ -inf, ..., -1.0 ]",
    ]


# Section II.C: the precision


@pytest.mark.parametrize("samples", [1, 7, 40])
def test_the_precision_is_the_share_of_random_members_that_fail(samples: int) -> None:
    """The fault is no product set: HPSL sees no field alone that stops it, and takes none to matter."""
    space = rw.Space((f"f{i}", rw.Int(values=range(4))) for i in range(6))
    failing = dict.fromkeys(space, 0)

    def fails(configuration: dict[str, int]) -> bool:
        return configuration["f1"] == configuration["f4"] or sum(configuration.values()) < 4

    asked = answered(hpsl(space, failing, samples=samples), fails)
    assert asked.finding.sets == {}
    members = asked.candidates[questions(asked) :]
    assert len(members) == samples == asked.finding.verified
    share = sum(map(fails, members)) / samples
    epsilon = math.sqrt(-math.log(0.05) / (2 * samples))
    value, low, high = asked.finding.precision
    assert value == share
    assert low == pytest.approx(max(0, share - epsilon))
    assert high == pytest.approx(min(1, share + epsilon))


def test_members_are_drawn_from_the_whole_set() -> None:
    problem = plant(5, 6, 2, kinds=SMALL)
    asked = learnt(problem, samples=300)
    seen = {name: set(map(repr, (one[name] for one in asked.candidates[-300:]))) for name in problem.space}
    assert seen == {name: set(map(repr, problem.sets.get(name, problem.space.values(name)))) for name in problem.space}


def test_without_samples_the_precision_is_unknown() -> None:
    found = learnt(plant(6, 10, 2), samples=0).finding
    assert math.isnan(found.precision.value)
    assert (found.precision.low, found.precision.high, found.verified) == (0, 1, 0)


# Section VI: generalisation factor and complexity


@thorough
@given(seed=st.integers(0, 10**6), fields=st.integers(1, 5), relevant=st.integers(0, 5))
def test_generalisation_and_complexity(seed: int, fields: int, relevant: int) -> None:
    problem = plant(seed, fields, relevant, kinds=SMALL)
    found = learnt(problem, samples=0).finding
    space = list(whole(problem.space))
    labelled = sum(all(one[name] in values for name, values in found.sets.items()) for one in space)
    assert found.generalisation == pytest.approx(labelled / len(space))
    assert found.complexity == len(problem.sets)


# Limits of the method, which the paper states


def test_a_dependency_between_two_fields_shows_as_reduced_precision() -> None:
    """ "a fault is triggered if two fields are not equal to each other": set one at a time, neither stops it."""
    rng = random.Random(7)
    space = rw.Space((f"f{i}", rw.Int(values=range(10))) for i in range(20))
    failing = {name: rng.randrange(10) for name in space} | {"f3": 2, "f17": 5}
    asked = answered(hpsl(space, failing, samples=200), lambda one: one["f3"] != one["f17"])
    assert set(asked.finding.sets) == {"f3", "f17"}
    assert asked.finding.precision.value < 1
    assert not asked.finding.fits
