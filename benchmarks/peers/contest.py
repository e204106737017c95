"""Several methods on one planted problem."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import rootward as rw
from peers import isolation, limits, planted, trees, unions
from rootward.space.keys import canonical

RATES = (0.9, 0.7)


@dataclass(frozen=True)
class Recipe:
    """Instructions for generating a problem; ``str(recipe)`` is the expression to type."""

    seed: tuple[int, ...]
    options: dict[str, Any]
    kind: str = ""

    def make(self) -> planted.Planted:
        rng = np.random.default_rng(self.seed)
        return planted.pair(rng, self.kind, **self.options) if self.kind else planted.product(rng, **self.options)

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        made = f'pair(rng, "{self.kind}", ' if self.kind else "product(rng, "
        return f"{made}{options}), rng = default_rng({list(self.seed)})"


@dataclass(frozen=True)
class Job:
    """A problem and the methods to run on it. ``draw`` changes the random numbers of the methods."""

    recipe: Recipe
    methods: tuple[str, ...] = ("auto",)
    draw: int = 0

    @property
    def cost(self) -> float:
        """Relative estimate of the duration."""
        return self.recipe.options["fields"] * (10 * ("hpsl" in self.methods) + len(self.methods))


@dataclass(frozen=True)
class Result:
    """The result of one method."""

    trials: float
    exact: bool
    seconds: float = 0.0
    """Processor time, which hardly depends on other load of the machine."""
    checks: int = 0
    confidence: float = math.nan
    named: float = math.nan
    """Share of the relevant fields that it named."""
    together: bool = False
    """The two interacting fields were reported as interacting."""
    clean: bool = True
    """Everything but the interacting fields is exact."""
    quality: unions.Quality | None = None
    problem: str = ""


@dataclass(frozen=True)
class Solved:
    """A problem's size, its limits, and the result of each method."""

    recipe: Recipe
    fields: int
    relevant: int
    information: float
    certificate: int
    results: dict[str, Result] = field(default_factory=dict)

    def over_limit(self, method: str) -> float:
        return self.results[method].trials / self.information

    def over_certificate(self, method: str) -> float:
        return self.results[method].trials / self.certificate


def solve(job: Job) -> Solved:
    problem = job.recipe.make()
    results = {}
    for number, method in enumerate(job.methods):
        rng = np.random.default_rng([*job.recipe.seed, 1 + number, job.draw])
        start = time.process_time()
        result = _METHODS[method](problem, rng)
        results[method] = replace(result, seconds=time.process_time() - start)
    size = len(problem.space), len(problem.sets)
    bounds = (limits.information(problem), limits.certificate(problem)) if not problem.relation else (math.nan, 0)
    return Solved(job.recipe, *size, *bounds, results)


def _triggers(problem: planted.Planted, method: str = "auto", *, rate: float = 1, flaky: bool = False) -> Result:
    """Run ``rw.triggers`` on a subject that fails at this rate; ``flaky``: tell it the rate."""
    subject = problem.subject if rate == 1 else planted.Flaky(problem.subject, rate)
    try:
        found = rw.triggers(problem.space, subject, problem.failing, method=method, flaky=rate if flaky else False)
    except rw.RootwardError as error:
        return Result(math.nan, False, problem=f"{type(error).__name__}: {error}"[:200])
    return Result(
        found.trials,
        found.complete and problem.is_exactly(found.sets),
        problem="" if problem.relation else _difference(problem, found),
        checks=found.verified,
        confidence=found.confidence,
        quality=_quality(problem, found.sets),
        **_interaction(problem, found),
    )


def _difference(problem: planted.Planted, found: Any) -> str:
    """Describe what is wrong about the sets; empty if nothing is."""
    sets = {name: frozenset(map(canonical, values)) for name, values in found.sets.items()}
    common = sets.keys() & problem.keys.keys()
    wrong = {
        "fields missed": len(problem.keys.keys() - sets.keys()),
        "fields named that do not matter": len(sets.keys() - problem.keys.keys()),
        "triggering values missed": sum(len(problem.keys[name] - sets[name]) for name in common),
        "values wrongly called triggering": sum(len(sets[name] - problem.keys[name]) for name in common),
    }
    facts = [f"{text}: {count}" for text, count in wrong.items() if count]
    return ", ".join([*facts, *([] if found.complete else ["incomplete"])])


def _quality(problem: planted.Planted, sets: Any) -> unions.Quality | None:
    if problem.relation is not None:
        return None
    coded = planted.Coded(problem)
    return unions.quality(coded, [coded.allowed(sets)])


def _interaction(problem: planted.Planted, found: Any) -> dict[str, Any]:
    """Return which of two interacting fields were named, if they were reported together, and if the rest is exact."""
    if problem.relation is None:
        return {"named": len(found.sets.keys() & problem.sets.keys()) / max(1, len(problem.sets))}
    pair = {problem.relation.one, problem.relation.other}
    groups = [set(group.fields) for group in found.groups]
    named = set(found.sets).union(*groups)
    others = {name: values for name, values in found.sets.items() if name not in pair}
    stray = named - pair - problem.sets.keys()
    return {
        "named": len(pair & named) / 2,
        "together": any(pair <= group for group in groups),
        "clean": not stray and problem.is_exactly(others),
    }


def _tree(problem: planted.Planted, rng: np.random.Generator, learn: Any) -> Result:
    coded = planted.Coded(problem)
    union = learn(coded, trees.mutate(coded, rng))
    quality = unions.quality(coded, union)
    named = set().union(*union) & coded.triggering.keys()
    exact = (
        math.isclose(quality.precision, 1) and math.isclose(quality.recall, 1) and quality.named == len(problem.sets)
    )
    return Result(trees.EXAMPLES, exact, quality=quality, named=len(named) / len(problem.sets))


def _isolate(problem: planted.Planted, rng: np.random.Generator) -> Result:
    names, trials = isolation.isolate(problem, rng)
    return Result(trials, False, named=len(set(names) & problem.sets.keys()) / len(problem.sets))


def _intersect(problem: planted.Planted, rng: np.random.Generator) -> Result:
    trials = isolation.intersect(planted.Coded(problem), rng)
    return Result(math.nan if trials is None else trials, trials is not None)


_METHODS: dict[str, Callable[[planted.Planted, np.random.Generator], Result]] = {
    "auto": lambda problem, rng: _triggers(problem),
    "hpsl": lambda problem, rng: _triggers(problem, "hpsl"),
    "tree, depth 10": lambda problem, rng: _tree(problem, rng, trees.shallow),
    "tree, IPP": lambda problem, rng: _tree(problem, rng, trees.precise),
    "ddmin": _isolate,
    "random": _intersect,
    **{f"flaky {rate}": lambda problem, rng, rate=rate: _triggers(problem, rate=rate, flaky=True) for rate in RATES},
    **{f"unaware {rate}": lambda problem, rng, rate=rate: _triggers(problem, rate=rate) for rate in RATES},
}
