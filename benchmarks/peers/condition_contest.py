"""Several methods on one bug and one seed.

*auto* decides how much it runs, up to a limit; *alo* and the learners get as many runs. *hpsl* runs the values that the
space lists; its sets say nothing about other values, so each of these counts as the nearest one listed. As in the
paper, the search for the fields that matter, which HPSL and ALO-Trees share, is not counted, and ``alo`` is told the
fields; *alo, 60%* gets 60% of the runs that HPSL then needs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import rootward as rw
from peers import condition_learners as learners
from peers import planted
from peers.condition_points import Judge, balanced_accuracy, disagreements, rounds
from peers.condition_runs import Subject, evaluate
from peers.conditions import Bug
from rootward.searches import conditions
from rootward.searches.products.hpsl import hpsl

LIMIT = 1000
"""Maximum number of runs of auto."""
DEFAULT_RUNS = 200
"""Number of runs of the other methods if auto is missing."""
SEARCHES = {"auto": "boundaries", "alo": "alo", "alo, 60%": "alo", "alo at 200": "alo"}


def there(method: str) -> bool:
    """Return True if a method can be run: its search exists, or its package is installed."""
    if method in learners.LEARNERS:
        return learners.installed(method)
    return SEARCHES.get(method, "") in conditions.METHODS or method == "hpsl"


@dataclass(frozen=True)
class Job:
    """A bug, a seed and methods. ``tests``: seed of the test points. ``strict``: also compare auto with the true
    condition at its boundary."""

    bug: Bug
    methods: tuple[str, ...]
    seed: int = 0
    tests: int = 0
    strict: bool = True
    rate: float = 1.0

    @property
    def cost(self) -> float:
        """Relative estimate of the duration."""
        return len(self.bug.space) * (len(self.methods) + 30 * ("SMAC + tree" in self.methods))


@dataclass(frozen=True)
class Result:
    """The result of one method on one bug and one seed."""

    bug: str
    runs: float = math.nan
    broad: float = math.nan
    human: float = math.nan
    exact: float = math.nan
    """The answer never disagrees with the true condition."""
    rounding: float = math.nan
    """The same, except for the last bits of floats."""
    seconds: float = math.nan
    """Processor time of the method's own computation."""
    text: str = ""
    problem: str = ""


def solve(job: Job) -> dict[str, Result]:
    """Return the result of each method that is installed."""
    results: dict[str, Result] = {}
    for method in job.methods:
        if there(method):
            try:
                results[method] = _METHODS.get(method, _learn(method))(job, results)
            except Exception as error:
                results[method] = Result(job.bug.id, problem=f"{type(error).__name__}: {error}"[:200])
    return results


def judged(job: Job, rule: Judge, runs: float, seconds: float, *, strict: bool = False) -> Result:
    result = Result(
        job.bug.id,
        runs,
        balanced_accuracy(rule, job.bug, job.tests),
        balanced_accuracy(rule, job.bug, job.tests, scale="human"),
        seconds=seconds,
        text=str(rule),
    )
    if not (strict and job.strict):
        return result
    wrong = disagreements(rule, job.bug)
    return replace(result, exact=not wrong, rounding=all(rounds(job.bug, point) for point in wrong))


def auto_search(bug: Bug, seed: int, **more: Any) -> Any:
    return conditions.METHODS["boundaries"](bug.space, bug.failing, seed=seed, **more)


def alo_search(bug: Bug, seed: int, trials: int) -> Any:
    fields = bug.fields if bug.relevant < len(bug.space) else None
    return conditions.METHODS["alo"](bug.space, bug.failing, fields=fields, seed=seed, trials=trials)


def _auto(job: Job, results: dict[str, Result]) -> Result:
    found = evaluate(auto_search(job.bug, job.seed), job.bug, LIMIT)
    return judged(job, found.rule, found.runs, found.seconds, strict=True)


def _alo(count: Callable[[Job, dict[str, Result]], int]) -> Callable[[Job, dict[str, Result]], Result]:
    def run(job: Job, results: dict[str, Result]) -> Result:
        trials = count(job, results)
        found = evaluate(alo_search(job.bug, job.seed, trials), job.bug, trials)
        return judged(job, found.rule, found.runs, found.seconds)

    return run


def _as_auto(job: Job, results: dict[str, Result]) -> int:
    runs = results["auto"].runs if "auto" in results else math.nan
    return DEFAULT_RUNS if math.isnan(runs) else max(10, int(runs))


def _most_of_hpsl(job: Job, results: dict[str, Result]) -> int:
    runs = results["hpsl"].runs if "hpsl" in results else run_hpsl(job.bug)[1]
    return max(10, round(0.6 * runs))


class _Filled(Subject):
    """A subject in which fields that are not given keep their failing value."""

    def __init__(self, bug: Bug) -> None:
        super().__init__(bug)
        self._failing = bug.failing

    def run(self, configuration: Any, fresh: bool = False) -> rw.Outcome:
        return super().run({**self._failing, **configuration}, fresh)

    def knows(self, configuration: Any) -> bool:
        return super().knows({**self._failing, **configuration})


class Nearest:
    """A product set as a rule for all values: a number counts as the nearest one listed on the compressed axis."""

    def __init__(self, bug: Bug, sets: Mapping[str, Any]) -> None:
        self._fields = {name: bug.space[name] for name in sets}
        self._kept = {name: set(map(repr, values)) for name, values in sets.items()}
        self._listed = {
            name: [(field.compress(value), value) for value in sets[name].listed if math.isfinite(value)]
            for name, field in self._fields.items()
            if isinstance(field, rw.Int | rw.Float)
        }

    def holds_many(self, configurations: Sequence[Mapping[str, Any]]) -> list[bool]:
        return [all(self._in(name, one[name]) for name in self._fields) for one in configurations]

    def _in(self, name: str, value: Any) -> bool:
        if name in self._listed and math.isfinite(value):
            place = self._fields[name].compress(value)
            value = min(self._listed[name], key=lambda one: abs(one[0] - place))[1]
        return repr(value) in self._kept[name]


def run_hpsl(bug: Bug) -> tuple[Nearest, int, float]:
    """Run the last step of HPSL, on each value of each field that matters; return its sets, runs and seconds."""
    subject, sets, seconds = _Filled(bug), {}, 0.0
    for name in bug.fields:
        done = evaluate(hpsl(bug.space.restrict([name]), {name: bug.failing[name]}, samples=0), bug, subject=subject)
        sets |= done.finding.sets
        seconds += done.seconds
    return Nearest(bug, sets), subject.runs, seconds


def _hpsl(job: Job, results: dict[str, Result]) -> Result:
    return judged(job, *run_hpsl(job.bug))


@dataclass(frozen=True)
class _Faulty:
    """The bug as a subject, possibly flaky."""

    bug: Bug

    def triggered(self, configuration: Any) -> bool:
        return self.bug.fails(configuration)


def _flaky(job: Job, results: dict[str, Result]) -> Result:
    """Run ``rw.rule`` on a subject that fails at this rate, and tell it the rate."""
    subject = planted.Flaky(_Faulty(job.bug), job.rate)
    start = time.process_time()
    found = rw.rule(job.bug.space, subject, job.bug.failing, flaky=job.rate, seed=job.seed, budget=4 * LIMIT)
    return judged(job, found.rule, found.trials, time.process_time() - start, strict=True)


def _learn(peer: str) -> Callable[[Job, dict[str, Result]], Result]:
    def run(job: Job, results: dict[str, Result]) -> Result:
        count, start = _as_auto(job, results), time.process_time()
        learned = learners.learn(peer, job.bug, count, job.seed)
        return judged(job, learned, count, time.process_time() - start)

    return run


_METHODS: dict[str, Callable[[Job, dict[str, Result]], Result]] = {
    "auto": _auto,
    "alo": _alo(_as_auto),
    "alo at 200": _alo(lambda job, results: DEFAULT_RUNS),
    "alo, 60%": _alo(_most_of_hpsl),
    "hpsl": _hpsl,
    "flaky": _flaky,
}
SEARCHES["flaky"] = "boundaries"


# Budgets


@dataclass(frozen=True)
class Stages:
    """A bug, a seed, and the numbers of runs after which to look at the best answer."""

    bug: Bug
    method: str
    seed: int
    budgets: Sequence[int]


def stages(job: Stages) -> list[Result]:
    """Return the answers of a method after each number of runs; ``alo`` plans anew for each of them."""
    found = []
    for budget in job.budgets:
        auto = job.method == "auto"
        search = auto_search(job.bug, job.seed) if auto else alo_search(job.bug, job.seed, budget)
        done = evaluate(search, job.bug, budget)
        found.append(judged(Job(job.bug, (), job.seed), done.rule, done.runs, done.seconds))
    return found
