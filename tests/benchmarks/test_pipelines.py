"""Planted pipelines are what the benchmarks say they are, and answers about them are judged rightly."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from peers import config_faults, culprits, explainers, pipelines, rebuilt, workers
from peers.pipelines import Judgement, PipelineCase

import rootward as rw
from rootward.search.ask import Ask
from rootward.verdict import FAIL
from tests.properties import examples

SEEDS = st.integers(0, 2**32)
SCENARIOS = st.sampled_from(pipelines.SCENARIOS)
SMALL: dict[str, Any] = {"params": (2, 4), "values": (2, 4)}


def universe(case: PipelineCase) -> list[dict[str, Any]]:
    return [dict(zip(case.names, values, strict=True)) for values in product(*case.values)]


def region(case: PipelineCase, causes: Iterable[rw.Conjunction]) -> frozenset[int]:
    """The numbers of the instances that fulfil a cause, by brute force."""
    given = list(causes)
    return frozenset(i for i, one in enumerate(universe(case)) if any(cause.holds(one) for cause in given))


# Making


@examples(150)
@given(SCENARIOS, SEEDS)
def test_pipelines_have_the_shape_of_their_scenario(scenario: str, seed: int) -> None:
    case = pipelines.make(scenario, seed)
    assert 3 <= len(case.space) <= 8
    assert all(5 <= len(values) <= 10 for values in case.values)
    assert len(case.truth) in ((2, 3, 4) if scenario == "disjunction" else (1,))
    assert scenario != "triple" or len(case.truth[0]) == 1
    for cause in case.truth:
        assert len(cause.fields) == len(cause) >= 1
        for atom in cause:
            field = case.space[atom.field]
            assert atom.op in (pipelines.ORDINAL if field.ordered else pipelines.CATEGORICAL)
            assert atom.value in field.values
            assert 0 < sum(map(atom.accepts, field.values)) < len(field.values)


@examples(150)
@given(SCENARIOS, SEEDS)
def test_planted_causes_are_minimal_and_needed(scenario: str, seed: int) -> None:
    case = pipelines.make(scenario, seed, **SMALL)
    failing = region(case, case.truth)
    assert 0 < len(failing) < len(universe(case))
    assert case.rate == pytest.approx(len(failing) / len(universe(case)))
    for cause in case.truth:
        others = [other for other in case.truth if other is not cause]
        assert not region(case, [cause]) <= region(case, others)
        parts = (rw.Conjunction(part) for part in combinations(cause.atoms, len(cause) - 1))
        assert not any(region(case, [part]) <= failing for part in parts)


def test_all_comparators_and_numbers_of_parameters_come_up() -> None:
    causes = [pipelines.make("conjunction", seed).truth[0] for seed in range(300)]
    ordinal = [atom.op for cause in causes for atom in cause if not isinstance(atom.value, str)]
    assert {len(cause) for cause in causes} == set(range(1, 9))
    assert all(0.15 < ordinal.count(op) / len(ordinal) < 0.35 for op in pipelines.ORDINAL)
    assert 0.4 < len(ordinal) / sum(map(len, causes)) < 0.6


def test_a_seed_makes_the_same_pipeline_again() -> None:
    one, again, other = (pipelines.make("disjunction", seed) for seed in ([1, 2], [1, 2], [1, 3]))
    assert (one.space, one.truth) == (again.space, again.truth) != (other.space, other.truth)
    assert pipelines.history(one, "latin", 1) == pipelines.history(again, "latin", 1)


@examples(30)
@given(SEEDS, st.integers(1, 4), st.sampled_from([2, 4]))
def test_one_conjunction_among_many(seed: int, named: int, size: int) -> None:
    case = pipelines.among(50, named, size, seed)
    assert [len(cause.fields) for cause in case.truth] == [named]
    assert case.rate == pytest.approx(size**-named)
    (failing, failed), *passing = pipelines.history(case, "few", seed)
    assert failed
    assert case.fails(failing)
    assert [case.fails(run) for run, _ in passing] == [False] * 3


# Histories


@examples(60)
@given(SCENARIOS, SEEDS, st.sampled_from([*pipelines.DESIGNS]))
def test_histories_tell_the_truth(scenario: str, seed: int, kind: str) -> None:
    case = pipelines.make(scenario, seed)
    runs = pipelines.history(case, kind, seed)
    assert {failed for _, failed in runs} == {True, False}
    for run, failed in runs:
        assert case.space.check(run) == run
        assert case.fails(run) is failed


@examples(30)
@given(SEEDS)
def test_histories_cover_what_they_promise(seed: int) -> None:
    case = pipelines.make("conjunction", seed, params=(3, 6))
    latin = [run for run, _ in pipelines.history(case, "latin", seed)]
    for name, values in zip(case.names, case.values, strict=True):
        assert min([run[name] for run in latin].count(value) for value in values) >= 2
    pairwise = [run for run, _ in pipelines.history(case, "pairwise", seed)]
    sizes = sorted(map(len, case.values))
    for (one, ones), (two, twos) in combinations(zip(case.names, case.values, strict=True), 2):
        assert {(run[one], run[two]) for run in pairwise} == set(product(ones, twos))
    assert sizes[-1] * sizes[-2] <= len(pairwise) <= 2 * sizes[-1] ** 2 + 2


# Judging


def atoms(case: PipelineCase) -> st.SearchStrategy[rw.Atom]:
    def of(name: str) -> st.SearchStrategy[rw.Atom]:
        ops = ["=", "!=", "<=", ">", "<", ">="] if case.space[name].ordered else ["=", "!="]
        return st.builds(rw.Atom, st.just(name), st.sampled_from(ops), st.sampled_from(case.space.values(name)))

    return st.sampled_from(case.names).flatmap(of)


def maximal(case: PipelineCase, causes: Iterable[rw.Conjunction]) -> bool:
    """Whether every cause is a box in which all fails, and none with one more value of a parameter is."""
    failing = region(case, case.truth)
    for cause in causes:
        allowed = [
            {value for value in values if all(atom.accepts(value) for atom in cause if atom.field == name)}
            for name, values in zip(case.names, case.values, strict=True)
        ]
        wider = [
            [*allowed[:axis], allowed[axis] | {value}, *allowed[axis + 1 :]]
            for axis, values in enumerate(case.values)
            for value in set(values) - allowed[axis]
        ]
        if not _inside(case, allowed, failing) or any(_inside(case, sides, failing) for sides in wider):
            return False
    return True


def _inside(case: PipelineCase, sides: list[set[Any]], failing: frozenset[int]) -> bool:
    members = [
        i
        for i, one in enumerate(universe(case))
        if all(one[name] in side for name, side in zip(case.names, sides, strict=True))
    ]
    return bool(members) and failing.issuperset(members)


@examples(75)
@given(st.data(), SCENARIOS, SEEDS)
def test_answers_are_judged_as_by_brute_force(data: st.DataObject, scenario: str, seed: int) -> None:
    case = pipelines.make(scenario, seed, **SMALL)
    conjunctions = st.lists(atoms(case), min_size=1, max_size=3).map(rw.Conjunction)
    answer = data.draw(st.lists(st.one_of(st.sampled_from(case.truth), conjunctions), max_size=3))
    full, regions = len(universe(case)), [region(case, [cause]) for cause in answer]
    assume(all(len(found) < full for found in regions))
    judged = pipelines.judge(case, answer)
    true = [region(case, [cause]) for cause in case.truth]

    def counts(place: int, other: int) -> bool:
        # A comparison that holds for all values names no parameter.
        named = {a.field for a in answer[place] if not all(map(a.accepts, case.space.values(a.field)))}
        return bool(regions[place]) and regions[place] <= true[other] and len(named) <= len(case.truth[other])

    matches = [[counts(i, j) for j in range(len(true))] for i in range(len(answer))]
    assert (judged.asserted, judged.planted) == (len(answer), len(true))
    assert judged.right == sum(map(any, matches))
    assert judged.found == sum(any(row[j] for row in matches) for j in range(len(true)))
    assert judged.equal == (bool(answer) and all(found in true for found in regions))
    assert judged.union == (frozenset().union(*regions) == region(case, case.truth))
    assert judged.minimal == (bool(answer) and maximal(case, answer))
    each = [found in true or maximal(case, [cause]) for found, cause in zip(regions, answer, strict=True)]
    assert judged.exact == (bool(answer) and all(each))


def test_the_papers_example_8_is_judged() -> None:
    space = rw.Space(
        {
            "p1": rw.Float(values=[1.0, 2.0, 3.0, 4.0]),
            "p2": rw.Int(values=[1, 2, 3, 4]),
            "p3": rw.Choice(["p31", "p32", "p33", "p34"]),
        }
    )
    first = rw.Conjunction([rw.Atom("p1", "=", 4.0)])
    second = rw.Conjunction([rw.Atom("p2", "<", 3), rw.Atom("p3", "!=", "p34")])
    case = PipelineCase(space, (first, second))
    same = rw.Conjunction([rw.Atom("p2", "<=", 2), rw.Atom("p3", "!=", "p34")])
    inside = rw.Conjunction([rw.Atom("p2", "=", 1), rw.Atom("p3", "=", "p31")])
    long = rw.Conjunction([*inside, rw.Atom("p1", "=", 1.0)])
    outside = rw.Conjunction([rw.Atom("p2", "=", 1)])
    assert pipelines.judge(case, [first, same]) == Judgement(2, 2, 2, 2, True, True, True, True)
    assert pipelines.judge(case, [same]) == Judgement(1, 1, 2, 1, True, True, True, False)
    assert pipelines.judge(case, [inside]) == Judgement(1, 1, 2, 1, False, False, False, False)
    assert pipelines.judge(case, [long]) == Judgement(1, 0, 2, 0, False, False, False, False)
    assert pipelines.judge(case, [outside]) == Judgement(1, 0, 2, 0, False, False, False, False)
    assert pipelines.judge(case, []) == Judgement(0, 0, 2, 0, False, False, False, False)


def test_precision_and_recall_are_the_papers() -> None:
    def judgement(asserted: int, right: int, planted: int, found: int) -> Judgement:
        return Judgement(asserted, right, planted, found, False, False, False, False)

    judged = [judgement(3, 2, 4, 1), judgement(1, 0, 1, 0), judgement(0, 0, 1, 0), judgement(1, 1, 2, 1)]
    one, every = pipelines.find_one(judged), pipelines.find_all(judged)
    assert (one.precision, one.recall) == (2 / 4, 2 / 4)
    assert (every.precision, every.recall) == (3 / 5, 2 / 8)
    assert every.f == pytest.approx(2 * 0.6 * 0.25 / 0.85)
    assert pipelines.find_one([judgement(0, 0, 1, 0)]).f == 0


# Real and rebuilt pipelines


def test_the_real_faults_are_all_there() -> None:
    sizes = [config_faults.size(number) for number in range(config_faults.count())]
    assert (len(sizes), sum(8 <= size <= 63 for size in sizes), max(sizes)) == (134, 48, 208)
    for number in range(len(sizes)):
        case = config_faults.case(number)
        assert 0 < case.rate < 1
        assert pipelines.judge(case, case.truth).union


def test_the_rebuilt_pipelines_are_those_of_the_paper() -> None:
    case = rebuilt.polygamy()
    kinds = [type(field).__name__ for _, field in case.space.items()]
    assert (len(kinds), kinds.count("Bool"), kinds.count("Choice")) == (12, 2, 3)
    good = {name: values[0] for name, values in zip(case.names, case.values, strict=True)}
    good |= {"percentage": 50.0, "diff": 100.0}
    assert not case.fails(good)
    for name, bad in [("percentage", -1.0), ("percentage", 51.0), ("diff", -1.0), ("diff", 101.0)]:
        assert case.fails({**good, name: bad})
    assert [len(values) for values in rebuilt.gan().values] == [5] * 6


# Those who take part


@examples(30)
@given(st.data(), SEEDS)
def test_a_learner_can_say_every_comparison(data: st.DataObject, seed: int) -> None:
    case = pipelines.make("conjunction", seed)
    runs = pipelines.history(case, "random", seed)
    table = explainers.Table.of(case, runs)
    columns = st.tuples(st.integers(0, len(table.literals) - 1), st.booleans())
    rule = data.draw(st.lists(columns, min_size=1, max_size=4))
    holds = np.all([table.holds[:, column] == wanted for column, wanted in rule], axis=0)
    assert [table.conjunction(rule).holds(run) for run, _ in runs] == holds.tolist()
    wanted = {(atom.field, atom.op, atom.value) for cause in case.truth for atom in cause}
    said = table.conjunction([(i, side) for i in range(len(table.literals)) for side in (True, False)])
    assert wanted <= {(atom.field, atom.op, atom.value) for atom in said}


@pytest.mark.parametrize("learner", explainers.LEARNERS)
def test_learners_find_a_single_comparison(learner: str) -> None:
    if not explainers.installed(learner):
        pytest.skip(f"{learner} is not installed")
    case = pipelines.make("triple", 5)
    runs = pipelines.history(case, "latin", 5) + explainers.random_runs(case, 60, np.random.default_rng(5))
    assert pipelines.judge(case, explainers.explain(case, runs, learner, "one", 5)).exact


@pytest.mark.parametrize("algorithm", explainers.ALGORITHMS)
def test_the_public_package_is_driven(algorithm: str) -> None:
    if not explainers.installed(algorithm):
        pytest.skip("bugdoc is not installed")
    case = PipelineCase(
        rw.Space({f"p{i}": rw.Choice("abc") for i in range(4)}), (rw.Conjunction([rw.Atom("p1", "=", "b")]),)
    )
    causes, trials = explainers.package(case, pipelines.history(case, "latin", 0), algorithm, "one", 1000)
    assert causes == list(case.truth)
    assert 0 < trials <= 81


def test_a_flaky_pipeline_fails_at_its_rate() -> None:
    case = pipelines.make("triple", 1)
    runs = pipelines.history(case, "latin", 1)
    failing = next(run for run, failed in runs if failed)
    subject = culprits.Flaky(case, 0.7)
    assert 0.6 < np.mean([subject(failing, seed) is FAIL for seed in range(500)]) < 0.8
    assert not any(subject(next(run for run, failed in runs if not failed), seed) is FAIL for seed in range(50))
    seen = culprits._seen(runs, 0.0001, (1,))
    assert [run for run, _ in seen] == [run for run, _ in runs]
    assert [failed for _, failed in seen].count(True) == 1
    assert all(then or not now for (_, now), (_, then) in zip(seen, runs, strict=True))


def test_rounds_are_counted() -> None:
    case = PipelineCase(rw.Space({"x": rw.Int(0, 9, values=range(10))}), (rw.Conjunction([rw.Atom("x", "=", 4)]),))
    runs = [{"x": value} for value in range(10)]
    floor = workers._Floor(case, 2)
    assert [one is not None and one.verdict is FAIL for one in floor.answer(Ask(runs[:5]))] == [False] * 4 + [True]
    assert (floor.rounds, len(floor.known)) == (3, 5)
    assert len(floor.answer(Ask(runs[:6]))) == 6
    assert (floor.rounds, len(floor.known)) == (4, 6)
    assert floor.answer(Ask(runs[3:9], until=FAIL))[2:] == [None] * 4
    assert floor.rounds == 4
    floor.answer(Ask(runs[6:7], ahead=runs[7:]))
    assert (floor.rounds, len(floor.known)) == (5, 8)


def test_a_recipe_says_how_to_make_it_again() -> None:
    recipe = culprits.Recipe("make", ("triple", [1, 2]), {"params": (2, 2)}, "random", (3, 4))
    assert str(recipe) == "case = make('triple', [1, 2], params=(2, 2)); history(case, 'random', [3, 4])"
    case, runs = recipe.make()
    assert len(case.space) == 2
    assert runs == pipelines.history(case, "random", [3, 4])
