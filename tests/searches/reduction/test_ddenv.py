"""ddenv against its paper: von Stein and Elbaum, "Automated Environment Reduction for Debugging Robotic Systems"."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.lab.lab import Lab
from rootward.search.ask import Ask
from rootward.searches.reduction.ddenv import ddenv
from rootward.searches.reduction.ddenv_schemas import PARTITIONS, PRIORITIES
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Surroundings
from rootward.space.candidate import Elements, Selection
from rootward.subjects.function import fails_when
from rootward.verdict import FAIL, OTHER, PASS, Outcome, Verdict
from tests.properties import examples

from .helpers import points

thorough = examples(60, derandomize=True)
schemas = {"partition": st.sampled_from(sorted(PARTITIONS)), "priority": st.sampled_from(sorted(PRIORITIES))}


@dataclass
class Driver:
    """Runs a search; ``says`` is asked for the verdict of each run."""

    says: Callable[[tuple[int, ...]], Verdict]
    measures: dict[str, float] = field(default_factory=dict)
    asks: list[Ask[Any]] = field(default_factory=list)
    runs: list[tuple[int, ...]] = field(default_factory=list)

    def __call__(self, elements: Elements[Any], **options: Any) -> tuple[int, ...]:
        search, answers = ddenv(elements, **options), None
        while True:
            try:
                self.asks.append(search.send(answers))  # type: ignore[arg-type]
            except StopIteration as end:
                return end.value.selection.kept
            candidates: Sequence[Any] = self.asks[-1].candidates
            answers = [self.run(candidate) for candidate in candidates]

    def run(self, candidate: Selection[Any]) -> Outcome:
        self.runs.append(candidate.kept)
        return Outcome(self.says(candidate.kept), measures=self.measures)


def needs(*culprits: int) -> Callable[[tuple[int, ...]], Verdict]:
    return lambda kept: FAIL if set(culprits) <= set(kept) else PASS


def on_a_line(*xs: float, crash: float = 0.0) -> Surroundings:
    """Elements beside a straight way from x = -200 to the crash, at 1 m/s."""
    steps = range(round(crash) + 201)
    return Surroundings(
        positions=points([(x, 1.0) for x in xs]), trajectory=tuple((float(i), i - 200.0, 0.0, 0.0) for i in steps)
    )


def four(kept: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Run, and deflaked three times."""
    return [kept] * 4


# Algorithm 1, run by run


def test_the_part_closest_to_the_failure_is_tried_first_and_the_one_that_fails_is_cut_finer() -> None:
    drive = Driver(needs(0))
    scene = on_a_line(0, 10, 20, 21, 100, 101, 102, 103, crash=103)
    assert drive(Elements(range(8)), surroundings=scene, check=False) == (0,)
    assert drive.runs == [
        *four((4, 5, 6, 7)),  # two parts, from the failure backwards; it passes, also when deflaked
        (0, 1, 2, 3),  # it fails: no more runs, no more parts
        *four((2, 3)),  # three parts of that
        *four((1,)),
        (0,),
        # one part of that is the whole: not tested
    ]


def test_the_published_rule_ends_before_single_elements_are_tested() -> None:
    drive, scene = Driver(needs(0, 2)), on_a_line(0, 5, 100, 101, crash=101)
    assert drive(Elements(range(4)), surroundings=scene, check=False) == (0, 1, 2, 3)
    assert drive.runs == [
        *four((2, 3)),  # two parts
        *four((0, 1)),
        *four((2, 3)),  # three parts; the next number, four, is the number of elements: line 16
        *four((1,)),
        *four((0,)),
    ]


def test_the_check_makes_it_1_minimal() -> None:
    drive, scene = Driver(needs(0, 2)), on_a_line(0, 5, 100, 101, crash=101)
    assert drive(Elements(range(4)), surroundings=scene) == (0, 2)
    assert drive.runs[20:] == [
        *four((1, 2, 3)),
        (0, 2, 3),
        *four((0, 3)),  # goes on after the one that went
        (0, 2),
        *four((2,)),  # all over again, for what is left
        *four((0,)),
    ]


def test_where_line_16_has_been_passed_lines_19_and_20_do_not_repeat_the_round_for_ever() -> None:
    """Of three parts of five, the needed pair fails; then four parts are more than two elements, and three as well."""
    drive, scene = Driver(needs(3, 4)), on_a_line(0, 1, 2, 100, 101, crash=101)
    assert drive(Elements(range(5)), surroundings=scene, n_partitions=3, check=False) == (3, 4)
    assert drive.runs == [(3, 4), *four((4,)), *four((3,))]


def test_the_number_of_parts_grows_whether_or_not_a_part_failed() -> None:
    drive, scene = Driver(needs(0)), on_a_line(*range(0, 120, 10), crash=110)
    drive(Elements(range(12)), surroundings=scene, dfk_it=0, priority="sequential", check=False)
    assert drive.runs[0] == (0, 1, 2, 3, 4, 5)  # of two
    assert drive.runs[1] == (0, 1)  # of three


# Deflaking


@pytest.mark.parametrize("failing_run", [1, 2, 3, 4])
def test_one_failure_in_the_first_run_or_when_deflaked_is_enough_and_all_of_those_are_run(failing_run: int) -> None:
    """Of a part, only one run fails: the first of the four, or another."""
    drive = Driver(lambda kept: FAIL if kept == (1,) and drive.runs.count(kept) == failing_run else PASS)
    scene = on_a_line(0, 100, crash=100)
    assert drive(Elements(range(2)), surroundings=scene, check=False) == (1,)
    assert drive.runs == [(1,)] * (1 if failing_run == 1 else 4)


def test_a_fifth_run_is_not_made() -> None:
    drive = Driver(lambda kept: FAIL if drive.runs.count(kept) == 5 else PASS)
    assert drive(Elements(range(2)), surroundings=on_a_line(0, 100, crash=100), check=False) == (0, 1)


def test_without_deflaking_each_part_is_run_once() -> None:
    drive = Driver(needs(0, 1))
    assert drive(Elements(range(2)), surroundings=on_a_line(0, 100, crash=100), dfk_it=0) == (0, 1)
    assert drive.runs == [(1,), (0,), (1,), (0,)]  # two parts; two single removals


def test_another_failure_is_deflaked_and_does_not_count() -> None:
    drive = Driver(lambda kept: FAIL if 0 in kept else OTHER)
    assert drive(Elements(range(2)), surroundings=on_a_line(0, 100, crash=100)) == (0,)
    assert drive.runs == [*four((1,)), (0,), *four(())]


def test_every_test_is_a_run_of_its_own() -> None:
    drive, scene = Driver(needs(0, 2)), on_a_line(0, 5, 100, 101, crash=101)
    drive(Elements(range(4)), surroundings=scene)
    assert all(ask.fresh for ask in drive.asks)


# Equations (1) and (2)


@st.composite
def scenes(draw: st.DrawFn) -> Surroundings:
    """Positions, some of them equal or missing, and a trajectory that may turn and stand still."""
    coordinate = st.sampled_from([-3.0, -1.0, 0.0, 0.5, 2.0, 7.5])
    place = st.tuples(coordinate, coordinate, coordinate)
    positions = draw(st.lists(st.none() | place, min_size=1, max_size=9))
    path = draw(st.lists(place, min_size=1, max_size=9))
    positions[draw(st.integers(0, len(positions) - 1))] = draw(place)  # one has one
    return Surroundings(positions=tuple(positions), trajectory=tuple((float(t), *at) for t, at in enumerate(path)))


def limit(n: int, dfk_it: int = 3) -> int:
    """At most 3n rounds of n tests, then n passes over n single removals; and what is asked beforehand."""
    return 4 * n * n * (1 + dfk_it) + 1


@thorough
@given(scenes(), st.data(), st.integers(0, 9), st.fixed_dictionaries(schemas))
def test_monotone(scene: Surroundings, data: st.DataObject, seed: int, names: dict[str, str]) -> None:
    n = len(scene.positions)
    wanted = data.draw(st.lists(st.frozensets(st.integers(0, n - 1), min_size=1), min_size=1, max_size=3))

    def fails(kept: Sequence[int]) -> bool:
        return any(culprit <= set(kept) for culprit in wanted)

    drive = Driver(lambda kept: FAIL if fails(kept) else PASS)
    found = drive(Elements(range(n)), surroundings=scene, seed=seed, **names)
    assert frozenset(found) in wanted
    assert not any(fails(found[:i] + found[i + 1 :]) for i in range(len(found)))
    assert len(drive.runs) <= limit(n)

    published = Driver(lambda kept: FAIL if fails(kept) else PASS)
    larger = published(Elements(range(n)), surroundings=scene, seed=seed, check=False, **names)
    assert set(found) <= set(larger)
    assert fails(larger)
    assert published.runs == drive.runs[: len(published.runs)]


@thorough
@given(
    scenes(), st.integers(0, 10**6), st.floats(0, 1), st.integers(2, 12), st.booleans(), st.fixed_dictionaries(schemas)
)
def test_it_ends_whatever_the_answers_and_has_seen_its_result_fail(
    scene: Surroundings, seed: int, rate: float, n_partitions: int, flaky: bool, names: dict[str, str]
) -> None:
    n, rng, seen = len(scene.positions), random.Random(seed), dict[Any, Any]()

    def says(kept: tuple[int, ...]) -> Verdict:
        fails = rng.random() < rate if flaky else random.Random(f"{seed} {kept}").random() < rate
        seen[kept] = seen.get(kept, False) or fails
        return FAIL if fails else PASS

    drive = Driver(says)
    options: dict[str, Any] = {"surroundings": scene, "n_partitions": n_partitions, "dfk_it": 2, **names}
    found = drive(Elements(range(n)), **options)
    assert len(drive.runs) <= limit(n, 2)
    assert len(found) == n or seen[found]
    for ask in drive.asks:
        best = ask.best.selection.kept
        assert len(best) == n or seen[best]
        assert isinstance(ask.best, Reduction)
        assert ask.note


@thorough
@given(scenes(), st.data(), st.fixed_dictionaries(schemas))
def test_pins_and_trees(scene: Surroundings, data: st.DataObject, names: dict[str, str]) -> None:
    n = len(scene.positions)
    parents = [data.draw(st.none() | st.integers(0, i - 1)) if i else None for i in range(n)]
    pinned = data.draw(st.frozensets(st.integers(0, n - 1)))
    elements = Elements(range(n), pinned=pinned, parents=parents)
    wanted = data.draw(st.frozensets(st.integers(0, n - 1)))
    drive = Driver(needs(*wanted))
    found = drive(elements, surroundings=scene, **names)
    assert all(elements.pinned <= set(kept) and elements.pick(kept).kept == kept for kept in drive.runs)
    assert found == tuple(sorted({*elements._with_ancestors(wanted), *elements.pinned}))


def test_a_seed_repeats_every_run() -> None:
    def runs(seed: int) -> list[tuple[int, ...]]:
        drive = Driver(needs(2, 7))
        drive(Elements(range(10)), surroundings=on_a_line(*range(10), crash=9), seed=seed, priority="random")
        return drive.runs

    assert runs(1) == runs(1)
    assert len({tuple(runs(seed)) for seed in range(5)}) > 1


def test_in_a_lab() -> None:
    elements, scene = Elements("abcdefgh"), on_a_line(0, 10, 20, 21, 100, 101, 102, 103, crash=103)
    with Lab(fails_when(lambda kept: {"a", "f"} <= set(kept))) as lab:
        found = lab.run(ddenv(elements, surroundings=scene), failing=elements.all)
    assert (found.kept, found.complete) == (["a", "f"], True)
    assert found.trials == found.asked


# What is known beforehand


@pytest.mark.parametrize(("partition", "priority"), [("timeseg", "sequential"), ("timeseg", "timestep")])
def test_times_that_the_failing_run_reports_will_do(partition: str, priority: str) -> None:
    times = {"sensed:a": 0.0, "sensed:b": 9.0, "sensed:c": 1.0, "sensed:d": 10.0}
    drive = Driver(needs(1, 3), measures=times)
    scene = Surroundings(names=("a", "b", "c", "d"))
    assert drive(Elements("abcd"), surroundings=scene, partition=partition, priority=priority) == (1, 3)
    assert drive.runs[0] == (0, 1, 2, 3)
    assert not drive.asks[0].fresh
    assert drive.runs[1:6] == [*four((0, 2)), (1, 3)]


def test_the_order_is_that_of_the_previous_run() -> None:
    """In the first run, a is sensed before b; without c, b is sensed before a."""

    class Changing(Driver):
        def run(self, candidate: Selection[Any]) -> Outcome:
            self.measures = {"sensed:a": 1, "sensed:b": 2, "sensed:c": 60}
            if candidate.kept == (0, 1):
                self.measures = {"sensed:a": 5, "sensed:b": 2}
            return super().run(candidate)

    drive, scene = Changing(needs(0, 1)), Surroundings(names=("a", "b", "c"))
    options: dict[str, Any] = {"surroundings": scene, "partition": "timeseg", "priority": "timestep", "check": False}
    assert drive(Elements("abc"), **options) == (0, 1)
    assert drive.runs == [(0, 1, 2), (0, 1), *four((1,)), *four((0,))]


PLACED = Surroundings(positions=points([(0, 0), (1, 1)]))
DRIVEN = Surroundings(trajectory=((0.0, 0.0, 0.0, 0.0),))


def lacking() -> Iterator[tuple[str, str, Surroundings, str]]:
    for partition in ("model2model", "trajectoryseg", "learner"):
        yield partition, "random", DRIVEN, f"{partition} needs the positions .* positions="
    for partition in ("trajectoryseg", "learner"):
        yield partition, "random", PLACED, f"{partition} needs the path of the robot .* trajectory"
    for priority in ("failure-proximal", "average-trajectory-proximal", "minimum-trajectory-proximal"):
        yield "model2model", priority, PLACED, f"{priority} needs the path of the robot .* trajectory"
    for scene in (PLACED, DRIVEN, Surroundings()):
        yield "timeseg", "random", scene, "timeseg needs the times .* sensed:NAME"
    yield "model2model", "timestep", PLACED, "timestep needs the times .* sensed:NAME"
    nowhere = Surroundings(positions=(None, (0.0, float("nan"), 0.0)))
    yield "model2model", "random", nowhere, "model2model needs the positions"


@pytest.mark.parametrize(("partition", "priority", "scene", "message"), list(lacking()))
def test_what_a_schema_needs_is_asked_for(partition: str, priority: str, scene: Surroundings, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Driver(needs())(Elements("ab"), surroundings=scene, partition=partition, priority=priority)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"partition": "halves"}, "unknown partition 'halves'; choose model2model, timeseg, trajectoryseg, learner"),
        ({"priority": "nearest"}, "unknown priority 'nearest'; choose random, sequential, failure-proximal"),
        ({"n_partitions": 1}, "2 or more, not 1"),
        ({"dfk_it": -1}, "0 or more, not -1"),
        ({"dfk_it": 1.5}, "0 or more, not 1.5"),
    ],
)
def test_odd_options_are_refused(option: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Driver(needs())(Elements("ab"), surroundings=on_a_line(0, 1), **option)


@pytest.mark.parametrize("n", [1, 2])
def test_nothing_at_all_fails(n: int) -> None:
    assert Driver(needs())(Elements(range(n)), surroundings=on_a_line(*range(n))) == ()
