"""Several methods on one pipeline."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import rootward as rw
from peers import config_faults, explainers, pipelines, rebuilt
from peers.pipelines import History, Judgement, PipelineCase
from rootward import verbs
from rootward.verdict import FAIL, PASS

OURS = ("auto", "shortcut", "stacked_shortcut", "ddt", "bugdoc")
PACKAGE = tuple(explainers.ALGORITHMS)
LEARNERS = tuple(explainers.LEARNERS)
SMAC = "SMAC + tree"
FLAKY = ("auto, told the rate", "auto, taken for a half", "auto, unaware")
BUDGET = 1000
"""Maximum number of new runs of a method."""
ACCURACY_INSTANCES = 2000
"""Number of random instances that measure the accuracy of an answer."""

MAKERS: dict[str, Callable[..., PipelineCase]] = {
    "make": pipelines.make,
    "among": pipelines.among,
    "config_faults.case": config_faults.case,
    "rebuilt.polygamy": rebuilt.polygamy,
    "rebuilt.gan": rebuilt.gan,
}


@dataclass(frozen=True)
class Recipe:
    """Instructions for generating a pipeline and its history; ``str(recipe)`` is the expression to type."""

    maker: str
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    history: str = "latin"
    seed: tuple[int, ...] = (0,)

    def make(self) -> tuple[PipelineCase, History]:
        case = MAKERS[self.maker](*self.arguments, **self.options)
        return case, pipelines.history(case, self.history, self.seed)

    def __str__(self) -> str:
        given = [*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.options.items())]
        return f"case = {self.maker}({', '.join(given)}); history(case, {self.history!r}, {list(self.seed)})"


@dataclass(frozen=True)
class Job:
    """A pipeline and the methods to run on it. ``rate``: probability that an instance that should fail does."""

    recipe: Recipe
    methods: tuple[str, ...] = ("auto",)
    goal: str = "one"
    rate: float = 1.0
    tested: bool = False
    """Measure the accuracy of the answers."""

    @property
    def cost(self) -> float:
        """Relative estimate of the duration."""
        return sum(_COSTS.get(method, 1) for method in self.methods)


@dataclass(frozen=True)
class Result:
    """The result of one method."""

    trials: float
    """Number of new runs."""
    judged: Judgement
    seconds: float = 0.0
    """Processor time, which hardly depends on other load of the machine."""
    accuracy: float = math.nan
    problem: str = ""


@dataclass(frozen=True)
class Solved:
    """A pipeline's size, and the result of each method that is installed."""

    recipe: Recipe
    parameters: int
    named: int
    """Maximum number of parameters that one planted cause names."""
    known: int
    """Number of runs of the history."""
    results: dict[str, Result] = field(default_factory=dict)

    @property
    def limit(self) -> float:
        """Bits needed to identify the parameters of a cause, plus one run for each of them."""
        return math.log2(math.comb(self.parameters, self.named)) + self.named


Answer = tuple[list[rw.Conjunction], float]
"""The causes that a method asserts, and its new runs."""


def solve(job: Job) -> Solved:
    case, runs = job.recipe.make()
    attempt = _Attempt(job, case, runs if job.rate == 1 else _seen(runs, job.rate, job.recipe.seed))
    results = {method: _result(attempt, method) for method in job.methods if explainers.installed(method)}
    return Solved(job.recipe, len(case.names), max(map(len, case.boxes)), len(runs), results)


@dataclass
class _Attempt:
    """A job with its pipeline and history. ``made``: the runs of auto, for the learners."""

    job: Job
    case: PipelineCase
    history: History
    made: History = field(default_factory=list)

    @property
    def seed(self) -> int:
        return self.job.recipe.seed[-1]


def _result(attempt: _Attempt, method: str) -> Result:
    case, problem = attempt.case, ""
    explainers.load(method)
    start = time.process_time()
    try:
        causes, trials = _answer(attempt, method)
    except rw.RootwardError as error:
        causes, trials, problem = [], math.nan, f"{type(error).__name__}: {error}"[:200]
    seconds = time.process_time() - start
    found = Result(trials, pipelines.judge(case, causes), seconds, problem=problem)
    return replace(found, accuracy=_accuracy(attempt, causes)) if attempt.job.tested else found


def _answer(attempt: _Attempt, method: str) -> Answer:
    case, goal, seed = attempt.case, attempt.job.goal, attempt.seed
    if method in PACKAGE:
        return explainers.package(case, attempt.history, method, goal, BUDGET)
    if method in LEARNERS or method == SMAC:
        more = _more(attempt, method)
        learner = "tree" if method == SMAC else method
        return explainers.explain(case, attempt.history + more, learner, goal, seed), len(more)
    return _ours(attempt, method)


def _more(attempt: _Attempt, method: str) -> History:
    """Return the runs that a learner gets besides the history; when accuracy is measured, those of auto."""
    if method == SMAC:
        return explainers.searched_runs(attempt.case, explainers.EXTRA, attempt.seed)
    if attempt.job.tested:
        return attempt.made
    return explainers.random_runs(attempt.case, explainers.EXTRA, np.random.default_rng([attempt.seed, 1]))


def _ours(attempt: _Attempt, method: str) -> Answer:
    job, case = attempt.job, attempt.case
    name, _, way = method.partition(", ")
    options: dict[str, Any] = {"told the rate": {"flaky": job.rate}, "taken for a half": {"flaky": 0.5}}.get(
        way, {"flaky": False}
    )
    subject = _Recorded(case, attempt.made) if job.tested and method == "auto" else case.subject
    if job.rate < 1:
        subject = Flaky(case, job.rate)
    found = verbs.causes(
        case.space, subject, attempt.history, goal=job.goal, method=name, seed=attempt.seed, budget=BUDGET, **options
    )
    return found.causes, found.trials


@dataclass(frozen=True)
class _Recorded:
    """A subject that records its runs."""

    case: PipelineCase
    made: History

    def __call__(self, configuration: Mapping[str, Any]) -> rw.Verdict:
        self.made.append((dict(configuration), self.case.fails(configuration)))
        return FAIL if self.made[-1][1] else PASS


@dataclass(frozen=True)
class Flaky:
    """A flaky subject: it fails at this rate where the pipeline always would, decided by the seed of the trial."""

    case: PipelineCase
    rate: float

    def __call__(self, configuration: Mapping[str, Any], seed: int) -> rw.Verdict:
        return FAIL if random.Random(seed).random() < self.rate and self.case.fails(configuration) else PASS


def _seen(runs: History, rate: float, seed: tuple[int, ...]) -> History:
    """Return the history as a flaky failure would show it. At least one failing run stays; otherwise there is nothing
    to explain."""
    rng = np.random.default_rng(seed)
    seen = [(run, bool(failed and rng.random() < rate)) for run, failed in runs]
    if not any(failed for _, failed in seen):
        first = next(place for place, (_, failed) in enumerate(runs) if failed)
        seen[first] = runs[first]
    return seen


def _accuracy(attempt: _Attempt, causes: list[rw.Conjunction]) -> float:
    """Return the share of random instances that an answer classifies correctly."""
    rng = np.random.default_rng([attempt.seed, 2])
    tests = [attempt.case.draw(rng) for _ in range(ACCURACY_INSTANCES)]
    told = rw.Rule(causes).holds_many(tests)
    return float(np.mean(told == [attempt.case.fails(one) for one in tests]))


_COSTS = {SMAC: 200, "pysubgroup": 15, "RIPPER": 8, "SkopeRules": 8, "ddt": 5, "bugdoc": 5, "BugDoc's trees": 5}
