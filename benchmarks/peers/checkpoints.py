"""What a check in the middle of a pipeline saves: Figure 11 of BugDoc (section 9.2).

Linear pipelines, as in Figure 12: one parameter a node, four values a parameter, and a check after the middle node.
Each half has a cause of its own, a conjunction of up to three comparisons; the check fails where the first half's
holds, the end where either does. A search starts from some random runs, each of which shows what the check and the end
say. If what it finds is not exactly both causes, as many random runs are added, and it goes on with all that is known,
until it is. What is counted is how many configurations were run; those that end at the checkpoint count as much as
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
"""A search for causes as ``rootward.searches.causes.METHODS`` has them: of a pipeline and its runs, goal= and seed=."""
VALUES = 4
LONGEST = 3
"""Comparisons in a cause, at most: of four values each, three equalities hold in one run of 64."""
STEP = 16
"""Random runs at the start, and again whenever the answer is not exact."""
ROUNDS = 40
"""A search that is not exact after so many rounds is given up."""


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
    """What one search ran until it was exact."""

    exact: bool
    runs: int
    short: int = 0
    """How many of the runs ended at the checkpoint."""


@dataclass(frozen=True)
class Saving:
    """One point of the figure: means over the pipelines on which both ways became exact."""

    parameters: int
    without: float
    with_check: float
    short: float
    """How many of the runs with a check ended there."""
    exact: tuple[int, int]
    """On how many pipelines the search became exact without a check, and with it."""
    of: int

    @property
    def saved(self) -> float:
        return 1 - self.with_check / self.without


def linear(rng: np.random.Generator, parameters: int, *, even: bool = False) -> Linear:
    """A random pipeline of so many nodes and parameters; ``even``: causes of each length are as likely as others."""
    names = [f"p{i:02}" for i in range(parameters)]
    nodes = [f"N{i:02}" for i in range(parameters)]
    graph = {node: nodes[i + 1 : i + 2] for i, node in enumerate(nodes)}
    middle = parameters // 2
    space = Space({name: Ordinal(range(VALUES)) for name in names})
    params = {node: [name] for node, name in zip(nodes, names, strict=True)}
    checkpoint = instrument(graph, space, params=params, possible=[nodes[middle - 1]])
    return Linear(space, checkpoint, _cause(rng, names[:middle], even), _cause(rng, names[middle:], even))


def _cause(rng: np.random.Generator, names: Sequence[str], even: bool) -> Conjunction:
    """A conjunction as the paper's generator makes it, of 1 to all parameters, but cut to what random runs can show.

    So with many parameters most causes have the greatest length, which is where a check saves most; ``even`` draws the
    length from 1 to that.
    """
    most = len(names)
    length = int(rng.integers(1, min(LONGEST, most) + 1)) if even else min(LONGEST, int(rng.integers(1, most + 1)))
    chosen = rng.choice(names, size=length, replace=False)
    return Conjunction(_comparison(rng, str(name)) for name in sorted(chosen))


def _comparison(rng: np.random.Generator, name: str) -> Atom:
    op = str(rng.choice(["=", "!=", "<=", ">"]))
    return Atom(name, op, int(rng.integers(VALUES if op in ("=", "!=") else VALUES - 1)))


def spent(problem: Linear, method: Method, *, check: bool, seed: int, step: int = STEP) -> Spent:
    """How many runs a search needs, with or without the check, until it says exactly what the causes are."""
    rng, pipeline = np.random.default_rng(seed), Pipeline(problem.space)
    memo: dict[str, tuple[Mapping[str, Any], Outcome]] = {}
    runs, checked = Runs(pipeline), Runs(pipeline)
    for _ in range(ROUNDS):
        for instance in rng.integers(0, pipeline.sizes, size=(step, len(pipeline))).tolist():
            whole = pipeline.configuration(instance)
            _run(problem, whole, memo)
            _run(problem, {**whole, CHECKPOINT: problem.checkpoint.node}, seen := {})
            checked.add(tuple(instance), next(iter(seen.values()))[1].verdict is FAIL)
        runs, checked = _known(pipeline, memo, checked)
        if runs.failing and runs.passing:
            found = _driven(_search(problem, method, pipeline, runs, checked if check else None), problem, memo)
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


def _driven(search: Search[Any, Causes], problem: Linear, memo: dict[str, Any]) -> Causes:
    """The search's answer; what it asks for is run, unless it is known."""
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


def _known(pipeline: Pipeline, memo: Mapping[str, Any], checked: Runs) -> tuple[Runs, Runs]:
    """All that was run: of the end, and of the check, which whole random runs showed, too."""
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
    """The runs that a search needs with and without a check, by the number of parameters."""
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
