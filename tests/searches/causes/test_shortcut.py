"""Shortcut and Stacked Shortcut against the paper: Tables 1 and 2, Examples 4 to 6, Theorems 1 to 5."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Rule
from rootward.search.design import Instance
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs, are_disjoint, sufficiently_different
from rootward.searches.causes.shortcut import choose_opposites, shortcut, stacked_shortcut
from tests.properties import examples

from .paper import (
    DATA_AND_MEAN,
    DATASET,
    IMPUTER,
    MODEL,
    TABLE_1,
    TABLE_2_NEW,
    Driven,
    Equalities,
    drive,
    equalities,
    fulfils,
    known,
    minimal_causes,
    said,
    small,
)

thorough = examples(60, derandomize=True)


def test_example_4_and_table_2() -> None:
    runs = known([DATASET, IMPUTER, MODEL], TABLE_1)
    pipeline = runs.pipeline
    rows = {pipeline.encode(configuration): failed for configuration, failed in TABLE_2_NEW}
    driven = drive(shortcut(pipeline, runs), pipeline, runs, rows.__getitem__)
    assert driven.asked == list(rows)
    assert driven.finding.causes == [DATA_AND_MEAN]
    [cause] = driven.finding.details
    assert (cause.support, cause.attempts, cause.size) == (2, 1, 3)
    assert [name for name, _ in cause.needed] == [DATASET, IMPUTER]
    assert (driven.finding.failing, driven.finding.unexplained, driven.finding.passing) == (3, 1, 6)


def of(pipeline: Pipeline, *instances: tuple[Instance, bool]) -> Runs:
    runs = Runs(pipeline)
    for instance, failed in instances:
        runs.add(instance, failed)
    return runs


def by(causes: Sequence[Equalities]) -> Callable[[Instance], bool]:
    return lambda instance: any(fulfils(instance, cause) for cause in causes)


def from_pair(method: Any, causes: Sequence[Equalities], sizes: Sequence[int] = (2, 2, 2)) -> Driven:
    """The failing instance of Examples 5 and 6 is 0 everywhere, the passing one 1."""
    pipeline = small(sizes)
    runs = of(pipeline, ((0, 0, 0), True), ((1, 1, 1), False))
    return drive(method(pipeline, runs), pipeline, runs, by(causes))


def test_example_5_is_truncated() -> None:
    driven = from_pair(shortcut, [frozenset({(0, 0), (1, 0)}), frozenset({(0, 1), (2, 0)})])
    assert driven.finding.causes == [Conjunction([Atom("p2", "=", 0)])]
    assert driven.asked == [(1, 0, 0), (1, 1, 0)]


def test_example_6_is_not() -> None:
    driven = from_pair(shortcut, [frozenset({(0, 0), (1, 0)}), frozenset({(0, 1), (1, 1), (2, 0)})])
    assert driven.finding.causes == [Conjunction([Atom("p0", "=", 0), Atom("p1", "=", 0)])]
    assert driven.asked == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def test_a_second_passing_run_saves_example_5() -> None:
    causes = [frozenset({(0, 0), (1, 0)}), frozenset({(0, 1), (2, 0)})]
    pipeline = small((3, 3, 3))
    runs = of(pipeline, ((0, 0, 0), True), ((1, 1, 1), False), ((2, 2, 2), False))
    driven = drive(stacked_shortcut(pipeline, runs, k=2), pipeline, runs, by(causes))
    [cause] = driven.finding.causes
    assert causes[0] <= equalities(pipeline, cause)


# The theorems, over all pipelines of up to three parameters with up to four values


@st.composite
def pipelines(draw: st.DrawFn, /, values: int = 3, **causes: Any) -> tuple[list[int], list[Equalities]]:
    """Sizes and the planted causes."""
    sizes = draw(st.lists(st.integers(2, values), min_size=2, max_size=4))
    one = st.builds(
        lambda chosen: frozenset((i, place % sizes[i]) for i, place in chosen.items()),
        st.dictionaries(st.integers(0, len(sizes) - 1), st.integers(0, 11), min_size=1, **causes),
    )
    return sizes, draw(st.lists(one, min_size=1, max_size=3))


class Problem:
    """A failing and k passing runs of a pipeline, and what the method asserts from them."""

    def __init__(self, data: st.DataObject, sizes: list[int], causes: list[Equalities], k: int = 1) -> None:
        self.fails, self.minimal = by(causes), minimal_causes(sizes, by(causes))
        every = list(itertools.product(*map(range, sizes)))
        failing = [one for one in every if self.fails(one)]
        assume(failing)
        self.failing = data.draw(st.sampled_from(failing))
        self.good: list[Instance] = []
        for _ in range(k):
            passing = [
                one
                for one in every
                if not self.fails(one) and all(are_disjoint(one, it) for it in [self.failing, *self.good])
            ]
            assume(passing)
            self.good.append(data.draw(st.sampled_from(passing)))
        self.pipeline = small(sizes)
        runs = of(self.pipeline, (self.failing, True), *((one, False) for one in self.good))
        method = stacked_shortcut(self.pipeline, runs, k=k)
        self.driven = drive(method, self.pipeline, runs, self.fails)
        found = self.driven.finding.causes
        self.asserted = equalities(self.pipeline, found[0]) if found else None

    @property
    def truncated(self) -> bool:
        return self.asserted is not None and any(self.asserted < one for one in self.minimal)


@thorough
@given(pipelines(max_size=1), st.data())
def test_theorem_1_single_values_are_found_exactly(
    problem: tuple[list[int], list[Equalities]], data: st.DataObject
) -> None:
    solved = Problem(data, *problem)
    assume(all(len(cause) == 1 for cause in solved.minimal))
    assert solved.asserted in solved.minimal
    assert len(solved.driven.asked) <= len(solved.pipeline)


@thorough
@given(pipelines(), st.data())
def test_theorems_2_and_4(problem: tuple[list[int], list[Equalities]], data: st.DataObject) -> None:
    """Never too long; too short only if another cause lies in the union of the two runs."""
    solved = Problem(data, *problem)
    if solved.asserted is not None:
        assert not any(one < solved.asserted for one in solved.minimal)
    if solved.truncated:
        event("truncated")
        union = {*enumerate(solved.failing), *enumerate(solved.good[0])}
        assert any(one <= union and not one <= set(enumerate(solved.failing)) for one in solved.minimal)


@thorough
@given(st.data())
def test_theorem_3_sufficiently_different_causes(data: st.DataObject) -> None:
    shared = data.draw(st.integers(2, 3))
    sizes = [data.draw(st.integers(2, 3)) for _ in range(shared + data.draw(st.integers(0, 1)))]
    causes = [frozenset((i, place) for i in range(shared)) for place in range(data.draw(st.integers(1, min(sizes))))]
    extra = data.draw(st.integers(0, len(causes) - 1))
    if len(sizes) > shared:
        causes[extra] |= {(shared, data.draw(st.integers(0, sizes[shared] - 1)))}
    solved = Problem(data, sizes, causes)
    named = [said(solved.pipeline, one) for one in solved.minimal]
    assume(all(sufficiently_different(one, two) for one, two in itertools.combinations(named, 2)))
    event(f"{len(named)} causes")
    assert solved.asserted in solved.minimal


@thorough
@given(pipelines(values=4), st.integers(1, 3), st.data())
def test_theorem_5_stacking_is_never_truncated(
    problem: tuple[list[int], list[Equalities]], k: int, data: st.DataObject
) -> None:
    solved = Problem(data, *problem, k=k)
    assume(len(solved.minimal) <= k)
    assert solved.asserted is not None
    assert any(one <= solved.asserted for one in solved.minimal)


# Which runs it starts from


def test_mutually_disjoint_runs_are_preferred() -> None:
    pipeline = small((4, 4))
    good = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3)]
    runs = of(pipeline, ((0, 0), True), *((one, False) for one in good))
    assert choose_opposites(runs, 3) == ((0, 0), [(1, 1), (2, 2), (3, 3)])
    assert choose_opposites(runs, 4)[1] == [(1, 1), (2, 2), (3, 3), (1, 2)]
    assert len(choose_opposites(runs, 9)[1]) == len(good)


def test_the_first_of_a_greedy_choice_may_be_wrong() -> None:
    pipeline = small((4, 4))
    runs = of(pipeline, ((0, 0), True), ((1, 2), False), ((1, 1), False), ((2, 2), False), ((3, 3), False))
    assert choose_opposites(runs, 3)[1] == [(1, 1), (2, 2), (3, 3)]


def test_a_failing_run_with_a_disjoint_passing_one_is_taken() -> None:
    runs = of(small((2, 2, 2)), ((0, 0, 0), True), ((1, 0, 0), False), ((0, 1, 1), True))
    assert choose_opposites(runs, 1) == ((0, 1, 1), [(1, 0, 0)])


def test_without_disjoint_runs_the_most_different_one_is_taken() -> None:
    pipeline = small((2, 2, 2))
    runs = of(pipeline, ((0, 0, 0), True), ((1, 0, 0), False), ((1, 1, 0), False))
    assert choose_opposites(runs, 1) == ((0, 0, 0), [(1, 1, 0)])
    driven = drive(shortcut(pipeline, runs), pipeline, runs, by([frozenset({(0, 0)})]))
    # The shared value was never exchanged, so it stays: as published, a heuristic.
    assert driven.finding.causes == [Conjunction([Atom("p0", "=", 0), Atom("p2", "=", 0)])]


def test_a_less_different_run_does_not_fill_up_the_k() -> None:
    """It would leave its shared values in the union, though no run has shown that they matter."""
    pipeline = small((3, 3, 3))
    runs = of(pipeline, ((0, 0, 0), True), ((1, 1, 1), False), ((1, 2, 0), False))
    assert choose_opposites(runs, 4) == ((0, 0, 0), [(1, 1, 1)])


def test_a_parameter_with_one_value_does_not_stand_in_the_way() -> None:
    runs = of(small((2, 1, 3)), ((0, 0, 0), True), ((0, 0, 1), False), ((1, 0, 1), False), ((0, 0, 2), False))
    assert choose_opposites(runs, 2) == ((0, 0, 0), [(1, 0, 1)])


# The check of lines 10 to 14


def test_what_a_passing_run_refutes_is_not_asserted() -> None:
    pipeline = small((2, 2, 2))
    runs = of(pipeline, ((0, 0, 0), True), ((1, 1, 1), False), ((0, 1, 0), False), ((1, 0, 0), True))
    causes = [frozenset({(0, 0), (1, 0)}), frozenset({(0, 1), (2, 0)})]
    driven = drive(shortcut(pipeline, runs), pipeline, runs, by(causes))
    assert driven.finding.causes == []  # p2 = 0, but (0, 1, 0) passes
    assert driven.asked == [(1, 1, 0)]


@thorough
@given(pipelines(), st.integers(1, 4), st.integers(0, 10**6), st.data())
def test_every_assertion_is_hypothetical(
    problem: tuple[list[int], list[Equalities]], k: int, seed: int, data: st.DataObject
) -> None:
    """Whatever the history, and whatever cannot be judged: each best holds in a failing and in no passing run."""
    sizes, causes = problem
    pipeline, fails = small(sizes), by(causes)
    every = list(itertools.product(*map(range, sizes)))
    history = data.draw(st.lists(st.sampled_from(every), unique=True))
    unjudged = data.draw(st.sets(st.sampled_from(every)))
    runs = of(pipeline, *((one, fails(one)) for one in history))
    driven = drive(
        stacked_shortcut(pipeline, runs, k=k), pipeline, runs, lambda one: None if one in unjudged else fails(one)
    )
    for instance in driven.asked:
        if instance not in unjudged:
            runs.add(instance, fails(instance))
    assert all(runs.hypothetical(cause) for cause in driven.finding.causes)
    assert len(driven.batches) <= len(pipeline)
    assert all(batch <= k for batch in driven.batches)


def test_the_passing_runs_go_side_by_side() -> None:
    pipeline = small((4, 4, 4))
    runs = of(pipeline, ((0, 0, 0), True), *(((i, i, i), False) for i in (1, 2, 3)))
    driven = drive(stacked_shortcut(pipeline, runs), pipeline, runs, by([frozenset({(0, 0), (2, 0)})]))
    assert driven.batches == [3, 3, 3]
    assert driven.finding.causes == [Conjunction([Atom("p0", "=", 0), Atom("p2", "=", 0)])]


def test_partial_findings_narrow_down() -> None:
    pipeline = small((2,) * 5)
    runs = of(pipeline, ((0,) * 5, True), ((1,) * 5, False))
    driven = drive(shortcut(pipeline, runs), pipeline, runs, by([frozenset({(4, 0)})]))
    assert [len(best.causes[0]) for best in driven.bests] == [5, 4, 3, 2]
    assert [len(cause) for cause in driven.finding.causes] == [1]


def test_forbidden_instances_are_not_run() -> None:
    space = rw.Space({"a": rw.Choice([0, 1]), "b": rw.Choice([0, 1])})
    pipeline = Pipeline(space, never=Rule([[Atom("a", "=", 1), Atom("b", "=", 0)]]))
    runs = of(pipeline, ((0, 0), True), ((1, 1), False))
    driven = drive(shortcut(pipeline, runs), pipeline, runs, lambda instance: instance[0] == 0)
    assert driven.asked == [(0, 1)]
    assert driven.finding.causes == [Conjunction([Atom("a", "=", 0)])]
    assert driven.finding.details[0].size == 2


@pytest.mark.parametrize("failed", [True, False])
def test_it_needs_a_failing_and_a_passing_run(failed: bool) -> None:
    pipeline = small((2, 2))
    runs = of(pipeline, ((0, 0), failed))
    driven = drive(shortcut(pipeline, runs), pipeline, runs, lambda instance: True)
    assert (driven.asked, driven.finding.causes) == ([], [])
    assert f"no {'passing' if failed else 'failing'} run is known" in driven.finding.to_dict()["notes"][0]


@pytest.mark.parametrize("options", [{"k": 0}, {"k": True}, {"k": 1.5}, {"goal": "some"}])
def test_bad_options(options: dict[str, Any]) -> None:
    pipeline = small((2, 2))
    with pytest.raises(InputError, match="expected"):
        next(stacked_shortcut(pipeline, of(pipeline), **options))


def test_the_history_is_not_changed() -> None:
    pipeline = small((3, 3))
    runs = of(pipeline, ((0, 0), True), ((1, 1), False))
    drive(shortcut(pipeline, runs), pipeline, runs, lambda instance: instance[0] == 0)
    assert len(runs) == 2
