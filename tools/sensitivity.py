"""Measure how sensitive a search is to its numbers: halve and double each, and solve planted problems again.

Prints one line for each number: the change in the runs of all problems together, with half and with twice the number,
and the change in wrong answers. For a probability above one half, the complement is halved and doubled. The results are
in the docstring of each ``Tuning``. With flaky problems, the runs also vary with the seeds.

    ./dev exec python tools/sensitivity.py FAMILY [FIELD ...] [--count 24]
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import math
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "benchmarks")]

from peers import condition_contest, contest, culprits, hidden_bugs, reducers, row_errors  # noqa: E402
from peers.condition_grammar import generated  # noqa: E402
from peers.conditions import named_bugs  # noqa: E402
from peers.pipelines import HISTORIES, SCENARIOS  # noqa: E402
from peers.planted import PAIRS  # noqa: E402
from peers.reductions import KINDS, SHARES  # noqa: E402

Solution = tuple[float, bool]
"""The number of runs, and True if the answer is right."""
Problem = Callable[[], Solution]
AUTO = ("auto",)


# The problems of each family


def reduction(count: int) -> Iterator[Problem]:
    """Yield lists that fail on every run, and as many that are flaky."""
    rng = random.Random(1)
    for i in range(count):
        yield partial(_steady, reducers.Steady(KINDS[i % len(KINDS)], rng.randint(20, 200), rng.randint(1, 6), i))
        kind, rate = [*SHARES][i % len(SHARES)], (0.9, 0.5, 0.25)[i // 3 % 3]
        size, needed = rng.randint(10, 60), rng.randint(1, 4)
        yield partial(_flaky, reducers.Shaky(kind, size, needed, rate, i, decided=i % 2 == 0))


def _steady(problem: reducers.Steady) -> Solution:
    result = reducers.solve(problem, AUTO).results["auto"]
    return result.runs, result.minimal


def _flaky(problem: reducers.Shaky) -> Solution:
    result = reducers.verify(problem, "auto")
    return result.runs, result.good and not result.refuted


def causes(count: int) -> Iterator[Problem]:
    """Yield synthetic pipelines of each scenario: one cause and all causes, with each kind of history."""
    for i in range(count):
        scenario, history = [*SCENARIOS][i % len(SCENARIOS)], [*HISTORIES][i // 3 % len(HISTORIES)]
        for goal in ("one", "all"):
            recipe = culprits.Recipe("make", (scenario, [90, i]), history=history, seed=(90, i))
            yield partial(_culprits, culprits.Job(recipe, AUTO, goal))


def _culprits(job: culprits.Job) -> Solution:
    result = culprits.solve(job).results["auto"]
    return result.trials, result.judged.exact if job.goal == "one" else result.judged.union


def conditions(count: int) -> Iterator[Problem]:
    """Yield conditions from a grammar, and named bugs."""
    named = named_bugs()
    chosen = [*generated(90, count), *named[:: max(1, len(named) // count)]]
    for bug in chosen:
        yield partial(_condition, condition_contest.Job(bug, AUTO))


def _condition(job: condition_contest.Job) -> Solution:
    result = condition_contest.solve(job)["auto"]
    return result.runs, bool(result.rounding) and not result.problem


def products(count: int) -> Iterator[Problem]:
    """Yield random product sets, others with a flaky failure, and pairs of fields that interact."""
    rng = random.Random(1)
    for i in range(count):
        options = {"fields": rng.randint(20, 500), "relevant": rng.randint(1, 12), "intervals": i % 3 == 0}
        yield partial(_product, contest.Job(contest.Recipe((90, i), options), AUTO))
        yield partial(_product, contest.Job(contest.Recipe((91, i), {"fields": 60, "relevant": 3}), ("flaky 0.7",)))
        pair = contest.Recipe((92, i), {"fields": 60, "others": i % 3}, PAIRS[i % len(PAIRS)])
        yield partial(_product, contest.Job(pair, AUTO))


def _product(job: contest.Job) -> Solution:
    [result] = contest.solve(job).results.values()
    return result.trials, result.together and result.clean if job.recipe.kind else result.exact


def rows(count: int) -> Iterator[Problem]:
    """Yield tables of 300 rows, some of them bad."""
    for i in range(count):
        model, bad = row_errors.MODELS[i % 3], (1, 3, 10, 30)[i // 3 % 4]
        yield partial(_table, row_errors.Job(model, 300, bad, i, ("adaptive",)))


def _table(job: row_errors.Job) -> Solution:
    result = row_errors.solve(job).results["adaptive"]
    return result.trials, result.f == 1


def exploration(count: int) -> Iterator[Problem]:
    """Yield hidden bugs of each kind; an answer is wrong if the bug is not found within the limit."""
    for i in range(count):
        for kind in hidden_bugs.BUGS:
            yield partial(_hidden, hidden_bugs.Job(kind, (6, 20, 60)[i % 3], 900 + i))


def _hidden(job: hidden_bugs.Job) -> Solution:
    runs = hidden_bugs.find(hidden_bugs.planted(job), job.seed)
    return runs or hidden_bugs.LIMIT, runs is not None


FAMILIES: dict[str, tuple[str, Callable[[int], Iterator[Problem]]]] = {
    "reduction": ("rootward.searches.reduction.sieve_tuning", reduction),
    "causes": ("rootward.searches.causes.tuning", causes),
    "conditions": ("rootward.searches.conditions.boundaries.tuning", conditions),
    "products": ("rootward.searches.products.tuning", products),
    "rows": ("rootward.searches.rows.tuning", rows),
    "exploration": ("rootward.searches.exploration.tuning", exploration),
}


# Halving and doubling


def scaled(value: float, factor: float) -> float:
    if isinstance(value, int):
        return max(1, round(value * factor))
    if 0.5 < value < 1:
        return 1 - min((1 - value) * factor, 0.5)
    return value * factor


@contextmanager
def tuned(before: Any, **changes: float) -> Iterator[None]:
    """Change numbers temporarily in every module that uses them."""
    users = [module for module in list(sys.modules.values()) if getattr(module, "TUNING", None) is before]
    after = dataclasses.replace(before, **changes)
    for module in users:
        module.TUNING = after  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in users:
            module.TUNING = before  # type: ignore[attr-defined]


def measure(problems: list[Problem]) -> tuple[float, int]:
    """Return the sum of all runs, and the number of wrong answers."""
    solved = [problem() for problem in problems]
    return sum(runs for runs, _ in solved if not math.isnan(runs)), sum(not right for _, right in solved)


def main() -> None:
    parser = argparse.ArgumentParser(description="Halve and double each number of a search.")
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("fields", nargs="*", metavar="FIELD", help="a number of the search; all by default")
    parser.add_argument("--count", type=int, default=24, help="problems of each kind")
    options = parser.parse_args()
    place, make = FAMILIES[options.family]
    problems = list(make(options.count))
    tuning = importlib.import_module(place).TUNING
    base, wrong = measure(problems)
    print(f"{len(problems)} problems, {base:.0f} runs, {wrong} wrong answers", flush=True)
    for field in dataclasses.fields(tuning):
        value = getattr(tuning, field.name)
        if not isinstance(value, int | float) or (options.fields and field.name not in options.fields):
            continue
        line = f"{field.name:24} {value:<12g}"
        for factor in (0.5, 2.0):
            changed = scaled(value, factor)
            with tuned(tuning, **{field.name: changed}):
                try:
                    runs, now = measure(problems)
                    line += f" | {changed:<8g} {runs / base - 1:+7.1%} runs, {now - wrong:+d} wrong"
                except Exception as error:
                    line += f" | {changed:<8g} {type(error).__name__}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
