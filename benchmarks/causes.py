"""Compare ``causes`` with BugDoc and rule learners: runs needed and exactness on planted and real root causes.

Columns:

- *runs*: new runs, without those of the history; the mean, with the worst in parentheses.
- *F*: BugDoc's measure (section 9), the harmonic mean of precision and recall over all pipelines of a row. As in
  BugDoc's own evaluation, a cause counts as a planted one if it lies within it and names no more parameters.
- *planted*: the answer holds for exactly the same instances as a planted cause.
- *largest*: the answer is as wide as a cause can be; any wider one would include an instance that passes.
- *exact*, for one cause: the answer is *planted* or *largest*.
- *exact*, for all causes: together, the causes hold for every instance that fails and for no other.
- *only minimal definitive ones*: every cause in the answer is *planted* or *largest*.
- *seconds*: processor time; the median, with the worst in parentheses.

All of these are computed exactly, over all instances of a pipeline.

Methods:

- *auto*: Rootward's own.
- *shortcut*, *stacked_shortcut* (from four passing runs), *ddt* (debugging decision trees), *bugdoc* (their
  combination): the paper's algorithms as implemented in Rootward.
- *BugDoc's ...*: the public package of BugDoc, without its sockets and its file. It is stopped after 20 seconds of
  computation; the causes it has asserted until then count.
- *tree* (scikit-learn, not pruned), *RIPPER* (wittgenstein), *pysubgroup*, *SkopeRules* (imodels): learners. They get
  the history and 60 random runs.
- *SMAC + tree*: a tree learned from the history and from 60 runs that SMAC chose while looking for failures.

Learners work on comparisons of a parameter with a value, so they can express every planted cause. Every method must
stop after 1000 runs.

Known limits:

- Data X-Ray and Explanation Tables are missing, because they are not available as packages.
- The pipelines of Table 7 are rebuilt from the paper's description.
- The transactional data set of the paper is missing, because it is not public.

    ./dev exec python benchmarks/causes.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from peers import checkpoints, config_faults, workers
from peers.bench import Bench, run
from peers.culprits import FLAKY, LEARNERS, OURS, PACKAGE, SMAC, Job, Recipe, Result, Solved, solve
from peers.pipelines import HISTORIES, SCENARIOS, Measure, find_all, find_one, met
from peers.tables import percent, rows, say, spread, three

PARAMETERS = (2, 4, 8, 16, 32)
RATES = (0.9, 0.7, 0.5)
WIDTHS = (1, 2, 4, 8)
BANDS = {"1 to 7": (1, 7), "8 to 63": (8, 63), "123 and 142": (64, 200), "208": (201, 300)}

Group = Sequence[Solved]
Column = Callable[[Sequence[Result]], Any]


class Inquest(Bench):
    """Runs several methods on the same pipelines."""

    def solve(self, jobs: Iterable[Job]) -> list[Solved]:
        return self.map(solve, list(jobs), lambda job: job.cost)


# Synthetic pipelines


def one(bench: Inquest) -> None:
    """One cause of synthetic pipelines (Figure 7)"""
    _synthetic(bench, "one", 1)


def every(bench: Inquest) -> None:
    """All causes of synthetic pipelines (Figure 8)"""
    _synthetic(bench, "all", 2)


def _synthetic(bench: Inquest, goal: str, number: int) -> None:
    full, some, few = bench.count(100), bench.count(40), bench.count(10)
    say(
        f"{full} pipelines per row, {some} for the learners and {few} for SMAC. A pipeline has 3 to 8 parameters, "
        "ordinal or categorical, with 5 to 10 values each.\n\n"
        "The tables differ in the planted failure:\n\n"
        "- *triple*: one comparison.\n"
        "- *conjunction*: one comparison for each of one or more parameters, up to all of them.\n"
        "- *disjunction*: two to four conjunctions.\n\n"
        "Rows differ in the method and in the history, whose mean number of runs is in parentheses:\n\n"
        "- *latin*: contains every value at least twice.\n"
        "- *random*: as many runs as *latin*, drawn at random.\n"
        "- *pairwise*: contains every pair of values."
    )
    for place, scenario in enumerate(SCENARIOS):
        jobs = [
            Job(
                Recipe("make", (scenario, [number, place, i]), history=history, seed=(number, place, i)),
                OURS if history != "latin" else _with_peers(i, some, few),
                goal,
            )
            for history in HISTORIES
            for i in range(full)
        ]
        solved = bench.solve(jobs)
        groups = {kind: [found for found in solved if found.recipe.history == kind] for kind in HISTORIES}
        lines = {
            f"{method}, {kind} ({statistics.mean(found.known for found in group):.0f})": _of(group, method)
            for kind, group in groups.items()
            for method in (OURS + (PACKAGE + LEARNERS + (SMAC,) if kind == "latin" else ()))
        }
        _table(scenario, lines, _columns(goal))
        if goal == "all":
            _say_reach(groups)
        _print_wrong(solved, goal)


def _say_reach(groups: Mapping[str, Group]) -> None:
    """Print how many of the planted causes as many random runs as auto made would have shown."""
    shares = []
    for kind, group in groups.items():
        found = planted = 0
        for one in group:
            case, known = one.recipe.make()
            rng = np.random.default_rng([10, *one.recipe.seed])
            extra = [case.draw(rng) for _ in range(int(one.results["auto"].trials))]
            found += met(case, [*(run for run, _ in known), *extra])
            planted += len(case.truth)
        recall = find_all([one.results["auto"].judged for one in group]).recall
        shares.append(f"{kind} {recall:.2f} ({found / planted:.2f})")
    say(
        f"Recall of auto: {', '.join(shares)}. In parentheses, for comparison: the share of planted causes that are "
        "the only cause of some failing run, among the history and as many random runs as auto made."
    )


def _with_peers(number: int, some: int, few: int) -> tuple[str, ...]:
    return OURS + PACKAGE + (LEARNERS if number < some else ()) + ((SMAC,) if number < few else ())


# Real faults


def real(bench: Inquest) -> None:
    """Real configuration faults"""
    draws = bench.count(5)
    chosen = range(bench.count(config_faults.count()))
    say(
        f"{len(chosen)} faults of C programs (see data/README.md) with Boolean parameters. The search looks for one "
        f"cause. Its history has 8 random runs, plus one that fails if none of them does. auto gets {draws} histories "
        "for each fault, the other methods one. Trees are left out above 63 parameters. *solved*: exact, in fewer "
        "than 60 runs."
    )
    jobs = [
        Job(Recipe("config_faults.case", (i,), history="eight", seed=(3, i, draw)), _for_size(i, draw))
        for i in chosen
        for draw in range(draws)
    ]
    solved = bench.solve(jobs)
    groups = {
        f"{band} parameters": [found for found in solved if low <= found.parameters <= high]
        for band, (low, high) in BANDS.items()
    }
    lines = {
        f"{band}: {method}": _of(group, method)
        for band, group in {**groups, "all": solved}.items()
        for method in (OURS + PACKAGE if band != "all" else ("auto",))
    }
    columns = _columns("one") | {
        "solved": lambda results: percent(one.judged.exact and one.trials < 60 for one in results)
    }
    _table("", {name: results for name, results in lines.items() if results}, columns)
    _print_wrong(solved, "one")


def _for_size(number: int, draw: int) -> tuple[str, ...]:
    if draw:
        return ("auto",)
    return OURS + PACKAGE if config_faults.size(number) <= 63 else ("auto", "shortcut", "stacked_shortcut")


# Many parameters


def many(bench: Inquest) -> None:
    """One conjunction among many parameters"""
    full = bench.count(10)
    say(
        f"The planted cause is a conjunction of k equalities among n parameters; {full} pipelines per row. One "
        "failing and three passing runs are known.\n\n"
        "- *limit*: log2 C(n, k) + k, the bits needed to identify the k parameters, plus one run to confirm each of "
        "them.\n"
        "- *runs / limit*: median / 90% quantile / worst. Target for n = 1000: a median of at most 1.5."
    )
    points = [(n, k, size) for size in (2, 4) for n in (100, 1000, 5000) for k in (1, 2, 3, 4)]
    jobs = [
        Job(Recipe("among", (n, k, size, [4, n, k, size, i]), history="few", seed=(4, n, k, size, i)))
        for n, k, size in points
        for i in range(full)
    ]
    groups = _group(bench.solve(jobs), points, full)
    rows(
        ["n, k, values", "limit", "runs", "runs / limit", "exact", "seconds"],
        [
            [
                f"{n:,}, {k}, {size}",
                f"{group[0].limit:.0f}",
                _runs(_of(group, "auto")),
                three(found.results["auto"].trials / found.limit for found in group),
                percent(result.judged.exact for result in _of(group, "auto")),
                spread((result.seconds for result in _of(group, "auto")), 2),
            ]
            for (n, k, size), group in groups.items()
        ],
    )
    _print_wrong([found for group in groups.values() for found in group], "one")


def growth(bench: Inquest) -> None:
    """Growth with the number of parameters (Figure 10)"""
    full = bench.count(10)
    say(
        f"One cause, latin histories, {full} pipelines per point. The planted cause is a conjunction of 1 to n "
        "comparisons; parameters have 5 to 10 values. The first table shows runs, the second the share of exact "
        "answers."
    )
    methods = ("auto", "shortcut", "stacked_shortcut", "ddt", *PACKAGE)
    jobs = [
        Job(
            Recipe("make", ("conjunction", [5, n, i]), {"params": (n, n)}, seed=(5, n, i)),
            methods,
        )
        for n in PARAMETERS
        for i in range(full)
    ]
    groups = _group(bench.solve(jobs), PARAMETERS, full)
    for show in (_runs, lambda results: percent(result.judged.exact for result in results)):
        rows(
            ["parameters", *methods],
            [[n, *(_cell(show, _of(group, method)) for method in methods)] for n, group in groups.items()],
        )


# Parallel trials and flaky failures


def parallel(bench: Inquest) -> None:
    """Parallel trials (Figure 13)"""
    full = bench.count(20)
    say(
        f"All causes of {full} disjunctions, latin histories. Trials are assumed to take equally long, so time is "
        "counted in rounds. Idle workers run candidates that the search may ask for next.\n\n"
        "- *rounds*: steps in which all workers run one trial each; the mean.\n"
        "- *runs*: trials of all workers together; the mean.\n"
        "- *speed-up*: rounds with one worker / rounds with this many.\n"
        "- *same answers*: the answers are those of one worker."
    )
    methods = ("auto", "ddt")
    jobs = [workers.Shift(method, width, [6, i]) for method in methods for width in WIDTHS for i in range(full)]
    done = iter(bench.map(workers.work, jobs, lambda job: 1 / job.width))
    lines = []
    for method in methods:
        found = {width: [next(done) for _ in range(full)] for width in WIDTHS}
        alone = statistics.mean(one.rounds for one in found[1])
        for width, group in found.items():
            rounds = statistics.mean(one.rounds for one in group)
            runs = statistics.mean(one.runs for one in group)
            same = all(one.answer == other.answer for one, other in zip(group, found[1], strict=True))
            lines.append([f"{method}, {width}", f"{rounds:.1f} ({runs:.1f})", f"{alone / rounds:.2f}", same])
    rows(["method, workers", "rounds (runs)", "speed-up", "same answers"], lines)


def flaky(bench: Inquest) -> None:
    """Flaky failures"""
    full = bench.count(20)
    say(
        f"One cause of {full} pipelines per row, latin histories. An instance that should fail does so with the given "
        "rate, in the history and in new runs; one that should pass always passes. *exact* is judged by what should "
        "fail. *told the rate*: `flaky=` is the true rate. *taken for a half*: `flaky=0.5`. *unaware*: "
        "`flaky=False`, at the highest rate only."
    )
    lines = {}
    for place, scenario in enumerate(SCENARIOS):
        jobs = [
            Job(Recipe("make", (scenario, [7, place, i]), seed=(7, place, i)), _flaky_methods(rate), rate=rate)
            for rate in RATES
            for i in range(full)
        ]
        for rate, group in _group(bench.solve(jobs), RATES, full).items():
            lines |= {f"{scenario}, {rate}: {method}": _of(group, method) for method in _flaky_methods(rate)}
    _table("", lines, _columns("one"))


def _flaky_methods(rate: float) -> tuple[str, ...]:
    return FLAKY if rate == max(RATES) else FLAKY[:2]


# Accuracy


def accuracy(bench: Inquest) -> None:
    """Accuracy on pipelines like those of Table 7"""
    draws = bench.count(5)
    say(
        f"All causes, latin histories, {draws} of each pipeline. *accuracy*: the share of 2000 random instances that "
        "the answer classifies correctly; the mean, with the worst in parentheses. The learners get the history and "
        "all runs of auto. The paper reports, for Data Polygamy and GANs: BugDoc 100% and 100%, Data X-Ray 92% and "
        "91%, Explanation Tables 28% and 95%; it used 600 runs for Data Polygamy."
    )
    methods = (*OURS, *LEARNERS)
    columns: dict[str, Column] = {
        "accuracy": lambda results: (
            f"{_mean([one.accuracy for one in results]):.2%} ({min(one.accuracy for one in results):.2%})"
        ),
        **{name: show for name, show in _columns("all").items() if name in ("runs", "exact", "seconds")},
    }
    for name in ("polygamy", "gan"):
        jobs = [Job(Recipe(f"rebuilt.{name}", seed=(8, draw)), methods, "all", tested=True) for draw in range(draws)]
        solved = bench.solve(jobs)
        _table({"polygamy": "Data Polygamy", "gan": "GANs"}[name], {m: _of(solved, m) for m in methods}, columns)


def instrument(bench: Inquest) -> None:
    """What a check in the middle saves (Figure 11)"""
    full = bench.count(20)
    say(
        f"{full} linear pipelines per point, four values for each parameter, a check after half of the parameters. "
        "Each half has one cause. A search continues until it has found exactly both.\n\n"
        "- *runs without*, *runs with*: runs until then, without and with the check; means over the pipelines for "
        "which both searches became exact.\n"
        "- *of these, ended at the check*: runs with the check that went no further.\n"
        "- *causes*: with *any*, the length of a cause is drawn from 1 to all parameters of its half and then cut to "
        "three, so most causes are long; with *even*, each length is equally likely.\n\n"
        "The paper saves about 70% with trees."
    )
    jobs = [
        (method, even, count, full) for method in ("ddt", "auto") for even in (False, True) for count in (4, 8, 16, 32)
    ]
    lines = []
    for (method, even, count, _), saving in zip(
        jobs, bench.map(_measure_saving, jobs, lambda job: job[2]), strict=True
    ):
        runs = [f"{saving.without:.0f}", f"{saving.with_check:.0f}", f"{saving.short:.0f}"]
        exact = " and ".join(map(str, saving.exact))
        lines.append([f"{method}, {'even' if even else 'any'}, {count}", *runs, f"{saving.saved:.0%}", exact])
    heads = ["method, causes, parameters", "runs without", "runs with", "of these, ended at the check", "saved"]
    rows([*heads, f"exact without and with, of {full}"], lines)


def _measure_saving(job: tuple[str, bool, int, int]) -> checkpoints.Saving:
    method, even, count, full = job
    [saving] = checkpoints.figure_11(workers.search(method), parameters=[count], pipelines=full, seed=9, even=even)
    return saving


# Cells


def _columns(goal: str) -> dict[str, Column]:
    measure: Callable[[Any], Measure] = find_one if goal == "one" else find_all
    judged: dict[str, Column] = {
        "pipelines": len,
        "runs": _runs,
        "F": lambda results: f"{measure([one.judged for one in results]).f:.3f}",
    }
    if goal == "one":
        judged |= {
            "exact": lambda results: percent(one.judged.exact for one in results),
            "planted": lambda results: percent(one.judged.equal for one in results),
            "largest": lambda results: percent(one.judged.minimal for one in results),
        }
    else:
        judged["exact"] = lambda results: percent(one.judged.union for one in results)
        judged["only minimal definitive ones"] = lambda results: percent(one.judged.exact for one in results)
        judged["causes asserted per planted one"] = lambda results: (
            f"{sum(one.judged.asserted for one in results) / sum(one.judged.planted for one in results):.2f}"
        )
    return {**judged, "seconds": lambda results: spread((one.seconds for one in results), 2)}


def _table(first: str, lines: Mapping[str, Sequence[Result]], columns: Mapping[str, Column]) -> None:
    rows(
        [first, *columns],
        [
            [name, *(show(results) for show in columns.values())] if results else _empty_row(name, columns)
            for name, results in lines.items()
        ],
    )


def _empty_row(name: str, columns: Mapping[str, Column]) -> list[str]:
    return [name, "not installed", *["–"] * (len(columns) - 1)]


def _cell(show: Column, results: Sequence[Result]) -> Any:
    return show(results) if results else "not installed"


def _of(group: Iterable[Solved], method: str) -> list[Result]:
    return [found.results[method] for found in group if method in found.results]


def _runs(results: Sequence[Result]) -> str:
    known = [one.trials for one in results if not math.isnan(one.trials)]
    return f"{statistics.mean(known):.1f} ({max(known):.0f})" if known else "–"


def _mean(values: Sequence[float]) -> float:
    return statistics.mean(values) if values else math.nan


def _group(solved: Sequence[Solved], points: Iterable[Any], each: int) -> dict[Any, list[Solved]]:
    found = iter(solved)
    return {point: [next(found) for _ in range(each)] for point in points}


def _print_wrong(solved: Iterable[Solved], goal: str, most: int = 4) -> None:
    """Print pipelines for which auto was wrong, so that they can be generated again."""
    pairs = [(found, found.results["auto"]) for found in solved]
    wrong = [pair for pair in pairs if not (pair[1].judged.exact if goal == "one" else pair[1].judged.union)]
    for found, result in wrong[:most]:
        print(f"\n- Not exact (auto): `{found.recipe}` {result.problem}".rstrip())
    if len(wrong) > most:
        print(f"\n- ... and {len(wrong) - most} more.")


TABLES = {
    "one": one,
    "all": every,
    "real": real,
    "many": many,
    "growth": growth,
    "workers": parallel,
    "flaky": flaky,
    "accuracy": accuracy,
    "instrument": instrument,
}


if __name__ == "__main__":
    run(__doc__, TABLES, Inquest)
