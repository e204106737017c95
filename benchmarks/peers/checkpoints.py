"""Runs saved by a check in the middle of a pipeline: Figure 11 of BugDoc (section 9.2).

The pipelines are linear, as in Figure 12: one parameter per node, four values per parameter, and a check after the
middle node. Each half has its own cause, a conjunction of up to three comparisons. The check fails if the cause of the
first half holds, the end fails if either does. A search starts from random runs, each of which shows the verdicts of
the check and of the end. If it does not find exactly both causes, as many random runs are added and it continues with
everything known. The result is the number of configurations run; runs that end at the checkpoint count as much as
others, though they are shorter.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rootward.rules import Atom, Conjunction, Rule
from rootward.search.ask import Search
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.checkpoint import Checkpoint, instrument
from rootward.searches.causes.phases import CHECKPOINT, two_phases
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.space.candidate import key_of
from rootward.space.space import Ordinal, Space
from rootward.verdict import FAIL, PASS, Outcome

Method = Callable[..., Search[Any, Causes]]
"""A search for causes, as in ``rootward.searches.causes.METHODS``: takes a pipeline, its runs, goal= and seed=."""
VALUES = 4
MAX_COMPARISONS = 3
"""Maximum number of comparisons in a cause. With four values each, three equalities hold in one run of 64."""
STEP = 16
"""Number of random runs at the start, and again whenever the answer is not exact."""
ROUNDS = 40
"""Maximum number of rounds; then the search counts as not exact."""


@dataclass(frozen=True)
class Linear:
    """A linear pipeline with a cause in each half."""

    space: Space
    checkpoint: Checkpoint
    first: Conjunction
    second: Conjunction

    def __call__(self, configuration: Mapping[str, Any]) -> Outcome:
        if self.first.holds(configuration):
            return Outcome(FAIL)
        return Outcome(FAIL if CHECKPOINT not in configuration and self.second.holds(configuration) else PASS)

    def is_exactly(self, found: Causes) -> bool:
        return found.rule.equivalent(Rule([self.first, self.second]), self.space)


@dataclass(frozen=True)
class Spent:
    """The runs of one search until it was exact."""

    exact: bool
    runs: int
    short: int = 0
    """Number of runs that ended at the checkpoint."""


@dataclass(frozen=True)
class Saving:
    """One point of the figure; means over the pipelines for which both searches became exact."""

    parameters: int
    without: float
    with_check: float
    short: float
    """Number of runs with a check that ended there."""
    exact: tuple[int, int]
    """Number of pipelines for which the search became exact without the check, and with it."""
    of: int

    @property
    def saved(self) -> float:
        return 1 - self.with_check / self.without


def linear(rng: np.random.Generator, parameters: int, *, even: bool = False) -> Linear:
    """Return a random pipeline with ``parameters`` nodes; ``even``: each length of a cause is equally likely."""
    names = [f"p{i:02}" for i in range(parameters)]
    nodes = [f"N{i:02}" for i in range(parameters)]
    graph = {node: nodes[i + 1 : i + 2] for i, node in enumerate(nodes)}
    middle = parameters // 2
    space = Space({name: Ordinal(range(VALUES)) for name in names})
    params = {node: [name] for node, name in zip(nodes, names, strict=True)}
    checkpoint = instrument(graph, space, params=params, possible=[nodes[middle - 1]])
    return Linear(space, checkpoint, _cause(rng, names[:middle], even), _cause(rng, names[middle:], even))


def _cause(rng: np.random.Generator, names: Sequence[str], even: bool) -> Conjunction:
    """Return a conjunction like those of the paper's generator, of 1 to all parameters, but cut to a length that random
    runs can show.

    With many parameters most causes therefore have the maximum length, for which a check saves most; ``even`` draws the
    length uniformly instead.
    """
    most = len(names)
    length = (
        int(rng.integers(1, min(MAX_COMPARISONS, most) + 1))
        if even
        else min(MAX_COMPARISONS, int(rng.integers(1, most + 1)))
    )
    chosen = rng.choice(names, size=length, replace=False)
    return Conjunction(_comparison(rng, str(name)) for name in sorted(chosen))


def _comparison(rng: np.random.Generator, name: str) -> Atom:
    op = str(rng.choice(["=", "!=", "<=", ">"]))
    return Atom(name, op, int(rng.integers(VALUES if op in ("=", "!=") else VALUES - 1)))


def spent(problem: Linear, method: Method, *, check: bool, seed: int, step: int = STEP) -> Spent:
    """Count the runs that a search needs, with or without the check, until its causes are exact."""
    rng, pipeline = np.random.default_rng(seed), Pipeline(problem.space)
    memo: dict[str, tuple[Mapping[str, Any], Outcome]] = {}
    runs, checked = Runs(pipeline), Runs(pipeline)
    for _ in range(ROUNDS):
        for instance in rng.integers(0, pipeline.sizes, size=(step, len(pipeline))).tolist():
            whole = pipeline.configuration(instance)
            _run(problem, whole, memo)
            _run(problem, {**whole, CHECKPOINT: problem.checkpoint.node}, seen := {})
            checked.add(tuple(instance), next(iter(seen.values()))[1].verdict is FAIL)
        runs, checked = _read_memo(pipeline, memo, checked)
        if runs.failing and runs.passing:
            found = _drive(_search(problem, method, pipeline, runs, checked if check else None), problem, memo)
            if problem.is_exactly(found):
                return _count(memo, exact=True)
    return _count(memo, exact=False)


def _search(
    problem: Linear, method: Method, pipeline: Pipeline, runs: Runs, checked: Runs | None
) -> Search[Any, Causes]:
    if checked is None:
        return method(pipeline, runs, goal="all", seed=0)
    return two_phases(
        pipeline, runs, problem.checkpoint, lambda part, known: method(part, known, goal="all", seed=0), checked=checked
    )


def _drive(search: Search[Any, Causes], problem: Linear, memo: dict[str, Any]) -> Causes:
    """Return the answer of a search; candidates that are not known yet are run."""
    try:
        ask = next(search)
        while True:
            ask = search.send([_run(problem, one, memo) for one in ask.candidates])
    except StopIteration as end:
        found: Causes = end.value
        return found


def _run(problem: Linear, candidate: Any, memo: dict[str, Any]) -> Outcome:
    name = key_of(candidate)
    if name not in memo:
        memo[name] = candidate, problem(candidate)
    outcome: Outcome = memo[name][1]
    return outcome


def _read_memo(pipeline: Pipeline, memo: Mapping[str, Any], checked: Runs) -> tuple[Runs, Runs]:
    """Return all known runs of the end and of the check; random runs show both."""
    ends, checks = Runs(pipeline), checked.without(())
    for candidate, outcome in memo.values():
        instance = pipeline.encode(candidate)
        assert instance is not None
        (checks if CHECKPOINT in candidate else ends).add(instance, outcome.verdict is FAIL)
    return ends, checks


def _count(memo: Mapping[str, Any], *, exact: bool) -> Spent:
    return Spent(exact, len(memo), sum(CHECKPOINT in candidate for candidate, _ in memo.values()))


def figure_11(
    method: Method,
    *,
    parameters: Sequence[int] = (4, 8, 16, 32),
    pipelines: int = 20,
    seed: int = 0,
    even: bool = False,
) -> Iterator[Saving]:
    """Yield the runs needed with and without a check, for each number of parameters."""
    for count in parameters:
        problems = [linear(np.random.default_rng([seed, count, i]), count, even=even) for i in range(pipelines)]
        pairs = [
            tuple(spent(problem, method, check=check, seed=seed + i) for check in (False, True))
            for i, problem in enumerate(problems)
        ]
        both = [pair for pair in pairs if all(one.exact for one in pair)]
        means = [statistics.fmean(column) if column else float("nan") for column in _columns(both)]
        exact = sum(without.exact for without, _ in pairs), sum(checked.exact for _, checked in pairs)
        yield Saving(count, *means, exact=exact, of=pipelines)


def _columns(pairs: Sequence[tuple[Spent, ...]]) -> tuple[list[int], list[int], list[int]]:
    return (
        [without.runs for without, _ in pairs],
        [checked.runs for _, checked in pairs],
        [checked.short for _, checked in pairs],
    )
