"""The paper's tables and examples as data, and a driver that answers a search without a lab."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import rootward as rw
from rootward.rules import Atom, Conjunction
from rootward.search.ask import Ask, Search
from rootward.search.design import Instance
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs, read_runs
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome

# Tables 1 to 5. "Model" is the paper's Estimator: so the parameters' names are in the order of its columns.

DATASET, IMPUTER, MODEL, SIZE = "Dataset", "Imputer Strategy", "Model", "Test Size"
NAMES = (DATASET, IMPUTER, MODEL, SIZE)
FIELDS = {
    DATASET: rw.Choice(["Dataset 1", "Dataset 2", "Dataset 3"]),
    IMPUTER: rw.Choice(["Frequency", "Mean"]),
    MODEL: rw.Choice(["Decision Tree", "Gradient Boosting", "Logistic Regression"]),
    SIZE: rw.Float(values=[0.1, 0.2, 0.3, 0.4]),
}
WORDS = {"F": "Frequency", "M": "Mean", "DT": "Decision Tree", "GB": "Gradient Boosting", "LR": "Logistic Regression"}


def rows(text: str) -> list[tuple[dict[str, Any], bool]]:
    """Runs, one a line: dataset, imputer, model, perhaps the test size, and the score (0.6 and above succeeds)."""
    found = []
    for line in filter(str.strip, text.splitlines()):
        number, imputer, model, *sizes, score = line.split()
        values = (f"Dataset {number}", WORDS[imputer], WORDS[model], *map(float, sizes))
        found.append((dict(zip(NAMES, values, strict=False)), not float(score) >= 0.6))
    return found


TABLE_1 = rows("1 M LR .9 \n 2 F DT .8 \n 2 M GB nan \n 1 F GB .2 \n 3 M DT .7 \n 3 F LR .9")
TABLE_2_NEW = rows("3 M GB .8 \n 2 F GB .9 \n 2 M LR nan")
TABLE_3 = rows("1 M LR .1 .9 \n 2 F DT .1 .8 \n 2 M GB .4 nan \n 1 F GB .3 .2 \n 3 M DT .2 .7 \n 3 F LR .2 .9")
TABLE_4_NEW = rows(
    """
    3 M GB .2 .9
    3 M GB .1 .8
    1 F GB .2 .9
    1 F GB .1 .8
    2 M GB .2 nan
    2 M GB .1 nan
    3 F GB .4 .5
    3 M GB .3 .4
    3 M GB .4 .4
    1 F GB .4 .5
    1 M GB .3 .3
    2 F GB .4 .5
    2 M GB .3 nan
    2 F GB .3 .3
    """
)
TABLE_5 = rows(
    """
    3 F DT .3 .3
    1 F DT .3 .4
    3 M LR .4 .5
    1 M LR .3 .4
    2 F GB .3 .4
    2 M DT .4 nan
    2 M DT .1 nan
    2 M DT .2 nan
    2 M LR .1 nan
    2 M LR .2 nan
    """
)


def truth(configuration: Mapping[str, Any]) -> bool:
    """What Tables 3 to 5 follow from."""
    return configuration[SIZE] >= 0.3 or (configuration[DATASET] == "Dataset 2" and configuration[IMPUTER] == "Mean")


LARGE_TEST = Conjunction([Atom(SIZE, ">=", 0.3)])
DATA_AND_MEAN = Conjunction([Atom(DATASET, "=", "Dataset 2"), Atom(IMPUTER, "=", "Mean")])


def known(fields: Iterable[str], history: Sequence[tuple[Mapping[str, Any], bool]]) -> Runs:
    """The runs of a table, in the pipeline of these parameters."""
    return read_runs(Pipeline(rw.Space({name: FIELDS[name] for name in fields})), history)


# Small pipelines, for brute force


def small(sizes: Sequence[int]) -> Pipeline:
    """Parameters p0, p1, ... with the values 0, 1, ..., unordered."""
    return Pipeline(rw.Space({f"p{i}": rw.Choice(list(range(size))) for i, size in enumerate(sizes)}))


Equalities = frozenset[tuple[int, int]]
"""A conjunction of equalities: parameters and places."""


def fulfils(instance: Instance, cause: Equalities) -> bool:
    return all(instance[i] == place for i, place in cause)


def minimal_causes(sizes: Sequence[int], fails: Callable[[Instance], bool]) -> list[Equalities]:
    """Definitions 4 and 5 by brute force, for conjunctions of equalities."""
    table = np.array([fails(one) for one in itertools.product(*map(range, sizes))]).reshape(sizes)
    found: list[Equalities] = []
    free = [(None, *range(size)) for size in sizes]
    for places in sorted(itertools.product(*free), key=lambda one: len(one) - one.count(None)):
        cause = frozenset((i, place) for i, place in enumerate(places) if place is not None)
        index = tuple(slice(None) if place is None else place for place in places)
        if table[index].all() and not any(one <= cause for one in found):
            found.append(cause)
    return found


def equalities(pipeline: Pipeline, cause: Conjunction) -> Equalities:
    """A cause by places; it must have nothing but equalities."""
    assert {atom.op for atom in cause} <= {"="}
    named = [(pipeline.names.index(atom.field), atom.value) for atom in cause]
    return frozenset((i, pipeline.values[i].index(value)) for i, value in named)


def said(pipeline: Pipeline, by_place: Equalities) -> Conjunction:
    return Conjunction(Atom(pipeline.names[i], "=", pipeline.values[i][place]) for i, place in by_place)


# The driver


@dataclass
class Driven:
    """A search answered by an oracle, question by question."""

    finding: Any = field(default_factory=Causes)
    asked: list[Instance] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    bests: list[Causes] = field(default_factory=list)


def drive(
    search: Search[Any, Causes], pipeline: Pipeline, runs: Runs, fails: Callable[[Instance], bool | None]
) -> Driven:
    """Answer every question (None: cannot be judged); nothing may be asked for that is known or must not be run."""
    driven, answers = Driven(), None
    while True:
        try:
            ask: Ask[Any] = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            driven.finding = end.value
            return driven
        instances = [pipeline.encode(candidate) for candidate in ask.candidates]  # type: ignore[arg-type]
        assert instances, "an empty question"
        answers = []
        for instance in instances:
            assert instance is not None
            assert instance not in runs
            assert instance not in driven.asked
            assert pipeline.allows(instance)
            driven.asked.append(instance)
            failed = fails(instance)
            answers.append(Outcome(UNRESOLVED if failed is None else FAIL if failed else PASS))
        assert isinstance(ask.best, Causes)
        driven.bests.append(ask.best)
        driven.batches.append(len(instances))
