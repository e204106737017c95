"""Compare ``rule`` with ALO-Trees, HPSL and learners: accuracy of the condition found, and runs needed.

Columns:

- *accuracy*: balanced accuracy on 1,000 points, with at least a tenth of each class.
- *broad*: accuracy on points spread evenly on the symmetric-log axis of the whole type, with special values, as in the
  paper on ALO-Trees.
- *human*: accuracy on points in the nominal ranges of the fields.
- *equivalent*: share of answers that agree with the true condition on 4,000 points at its boundary (found by bisection
  to the last bit), 4,000 broad and 4,000 human ones. This is dense sampling, not a proof.
- *but for rounding*: the same, but an answer may be wrong on points where the true verdict changes when float fields
  move by a trillionth (32-bit floats: by a millionth).
- *seconds*, *ms per run*: the method's own computation.

Figures are medians, with the worst in parentheses.

Methods:

- *auto*: Rootward's own. It decides how many runs to make.
- *alo*: ALO-Trees, with as many runs as auto. *alo, 60%*: with 60% of HPSL's runs.
- *hpsl*: runs every value that the fields list; any other value counts as the nearest one listed.
- *tree*, *FIGS*, *RuleFit*, *gplearn*: learners, with as many runs as auto. They get random samples or Latin
  hypercubes (*LHS*) with special values; half of the points are drawn towards the failing configuration.
- *SMAC + tree*: a tree learned from the runs that SMAC makes while looking for failures.

HPSL and ALO-Trees first search for the fields that matter. As in the paper, this search is not counted, and alo is
told the fields.

Known limits: PySR is missing, because it needs Julia.

    ./dev exec python benchmarks/rule.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import contextlib
import resource
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from peers import boxes
from peers.bench import Bench, run
from peers.condition_contest import Job, Result, Stages, alo_search, auto_search, solve, stages, there
from peers.condition_grammar import generated
from peers.condition_learners import LEARNERS
from peers.condition_runs import Subject, evaluate
from peers.conditions import Bug, named_bugs, published
from peers.tables import percent, rows, say, spread

FIGURE = Path(__file__).parent / "figures" / "rule.svg"
PAPER = ("sysA_27", "sysA_104", "sysA_124", "ardu_34b11f7b_roll", "ardu_2887e481_const", "ardu_2887e481_var")
PAPER += ("ardu_103119fe", "husky_const", "husky_var")
EXCEPTIONS = ("sysA_27", "sysA_104")
"""Bugs on which ALO-Trees does not outperform HPSL, according to the paper."""
BUDGETS = (30, 60, 100, 150, 200)
SLOW = ("RuleFit, LHS", "gplearn, random", "SMAC + tree")
MAX_SECONDS = 120
"""Maximum seconds for measuring memory."""
Solved = Mapping[str, Result]
Column = Callable[[Sequence[Solved]], str]


def _solve(bench: Bench, groups: Mapping[str, Sequence[Job]]) -> dict[str, list[Solved]]:
    solved = iter(bench.map(solve, list(chain.from_iterable(groups.values())), lambda job: job.cost))
    return {name: [next(solved) for _ in jobs] for name, jobs in groups.items()}


def _of(group: Iterable[Solved], method: str) -> list[Result]:
    return [one[method] for one in group if method in one and not one[method].problem]


def _pair_results(group: Iterable[Solved], one: str, other: str) -> list[tuple[Result, Result]]:
    """Return the results of two methods for the problems that both have solved."""
    both = [(solved[one], solved[other]) for solved in group if {one, other} <= solved.keys()]
    return [two for two in both if not any(result.problem for result in two)]


def _median(results: Iterable[Result]) -> float:
    return statistics.median(one.broad for one in results)


def _table(first: str, groups: Mapping[str, Sequence[Solved]], columns: Mapping[str, Column]) -> None:
    rows([first, *columns], ([name, *(show(group) for show in columns.values())] for name, group in groups.items()))


# Columns


def accuracy(method: str, scale: str = "broad", digits: int = 3) -> Column:
    return lambda group: spread((getattr(one, scale) for one in _of(group, method)), digits, min)


def runs(method: str) -> Column:
    return lambda group: spread(one.runs for one in _of(group, method))


def equivalent(method: str) -> Column:
    return lambda group: percent(one.exact for one in _of(group, method))


def rounding(method: str) -> Column:
    return lambda group: percent(one.rounding for one in _of(group, method))


def seconds(method: str) -> Column:
    return lambda group: spread((one.seconds for one in _of(group, method)), 2)


def pace(method: str) -> Column:
    return lambda group: spread((1000 * one.seconds / max(1, one.runs) for one in _of(group, method)), 1)


def _own(method: str = "auto") -> dict[str, Column]:
    return {
        f"{method}, broad": accuracy(method),
        f"{method}, human": accuracy(method, "human"),
        "runs": runs(method),
        "equivalent": equivalent(method),
        "but for rounding": rounding(method),
        "seconds": seconds(method),
        "ms per run": pace(method),
    }


# Tables


def named(bench: Bench) -> None:
    """Bugs of public fixes, of the papers, and after common mistakes"""
    full, some, few = bench.count(20), bench.count(3), bench.count(1)
    groups = {bug.id: [Job(bug, _methods(i, some, few, bug), i, i % 4) for i in range(full)] for bug in named_bugs()}
    done = _solve(bench, groups)
    relevant = {bug.id: bug.relevant for bug in named_bugs()}
    say(
        f"{full} seeds for auto and hpsl, {some} for alo, trees and FIGS, {few} for RuleFit and gplearn; SMAC only on "
        "the paper's bugs. The first 16 bugs are from public fixes and from the papers. The others are invented "
        "after common mistakes."
    )
    labelled = {f"{name} ({relevant[name]})": group for name, group in done.items()}
    _table("bug (fields that matter)", labelled, _own())
    _say_goals(done, relevant)
    methods = [method for method in ("alo", "alo, 60%", "hpsl", *LEARNERS) if there(method)]
    for scale in ("broad", "human"):
        say(f"Accuracy on {scale} points, compared with the other methods:")
        columns = {method: accuracy(method, scale, 2) for method in ("auto", *methods)}
        if scale == "broad":
            columns["runs of hpsl"] = runs("hpsl")
        _table("bug", done, columns)
    _say_missing()
    _print_failures(done)


def _methods(seed: int, some: int, few: int, bug: Bug) -> tuple[str, ...]:
    quick = tuple(peer for peer in LEARNERS if peer not in SLOW)
    slow = SLOW if bug.id in PAPER else SLOW[:2]
    return ("auto", "hpsl", *(("alo", "alo, 60%", *quick) if seed < some else ()), *(slow if seed < few else ()))


def _say_goals(done: Mapping[str, Sequence[Solved]], relevant: Mapping[str, int]) -> None:
    found = {name: results for name, group in done.items() if (results := _of(group, "auto"))}
    if not found:
        return
    middle = {name: statistics.median(one.broad for one in results) for name, results in found.items()}
    low = sorted(name for name, value in middle.items() if value < 0.995)
    poor = sorted(name for name, results in found.items() if min(one.broad for one in results) < 0.9)
    cost = {name: statistics.median(one.runs for one in results) for name, results in found.items()}
    dear = sorted(name for name, value in cost.items() if value > (200 if relevant[name] <= 3 else 300))
    behind = sorted(name for name, group in done.items() if _is_behind_alo(group))
    every = list(chain.from_iterable(found.values()))
    say(
        f"{len(found)} bugs, {len(every)} searches of auto: {percent(one.exact for one in every)} of the answers are "
        f"equivalent, {percent(one.rounding for one in every)} but for rounding.\n\n"
        f"- Bugs with a median accuracy below 0.995: {_names(low)}.\n"
        f"- Bugs with an accuracy below 0.9 for some seed: {_names(poor)}.\n"
        f"- Bugs that take more than 200 runs in the median (300 with more than three fields): {_names(dear)}.\n"
        f"- Bugs on which alo is better with the same number of runs: {_names(behind)}."
    )


def _is_behind_alo(group: Sequence[Solved]) -> bool:
    """Return True if alo is better in the median over the seeds that both had."""
    both = _pair_results(group, "auto", "alo")
    return bool(both) and _median(auto for auto, _ in both) < _median(alo for _, alo in both)


def _names(found: Sequence[str]) -> str:
    return ", ".join(found) or "none"


def generated_bugs(bench: Bench) -> None:
    """Bugs from a grammar of conditions"""
    full, seeds, some = bench.count(120), 2, bench.count(60)
    quick = tuple(peer for peer in LEARNERS if peer not in SLOW)
    jobs = [
        Job(bug, ("auto", "hpsl", *(("alo", *quick) if seed == 0 and i < some else ())), seed)
        for i, bug in enumerate(generated(2026, full))
        for seed in range(seeds)
    ]
    say(
        f"{full} bugs, {seeds} seeds each; alo and the learners on the first {some} bugs, with one seed. *good*: "
        "share of answers with an accuracy of at least 0.995 on broad points."
    )
    solved = list(zip(jobs, bench.map(solve, jobs, lambda job: job.cost), strict=True))
    kinds = {"1": (1, 1), "2": (2, 2), "3": (3, 3), "4, 5": (4, 5), "6 to 9": (6, 9)}
    groups = {
        name: [done for job, done in solved if low <= job.bug.relevant <= high] for name, (low, high) in kinds.items()
    }
    groups = {name: group for name, group in {**groups, "all": [done for _, done in solved]}.items() if group}
    _table("fields that matter", groups, {"instances": lambda group: str(len(group)), **_own(), "good": _good})
    say("Accuracy on broad points, compared with the other methods:")
    others = [method for method in ("auto", "alo", "hpsl", *quick) if there(method)]
    _table("fields that matter", groups, {method: accuracy(method) for method in others})
    _say_missing()
    poor = [(job, one) for job, done in solved for one in _of([done], "auto") if one.broad < 0.995 or not one.rounding]
    for job, one in sorted(poor, key=lambda pair: pair[1].broad)[:12]:
        print(f"\n- `{job.bug}`, seed {job.seed}: {one.broad:.3f} after {one.runs:.0f} runs: `{one.text[:200]}`")
    if len(poor) > 12:
        print(f"\n- ... and {len(poor) - 12} more that are below 0.995 or not equivalent but for rounding.")
    _print_failures({"generated": [done for _, done in solved]})


def _good(group: Sequence[Solved]) -> str:
    return percent(one.broad >= 0.995 for one in _of(group, "auto"))


def figure_four(bench: Bench) -> None:
    """Figure 4: the paper's bugs, again and again"""
    repeats = bench.count(120)
    methods = tuple(method for method in ("auto", "alo, 60%", "alo at 200", "hpsl") if there(method))
    some = bench.count(30)
    groups = {
        bug.id: [
            Job(
                bug,
                ("hpsl", *(m for m in methods if m != "hpsl" and (m != "alo at 200" or i < some))),
                i,
                i,
                strict=False,
            )
            for i in range(repeats)
        ]
        for bug in published()
        if bug.id in PAPER
    }
    done = _solve(bench, groups)
    say(
        f"{repeats} seeds, each with its own 1,000 broad points; {some} for alo at 200 runs. Cells show the quartiles "
        "of the accuracy. The paper's text names two of its three ArduPilot bugs; 103119fe is our choice for the "
        "third. Two of its three variants of the Husky bug are included."
    )
    columns: dict[str, Column] = {}
    for method in methods:
        columns |= {method: _quartiles(method), f"runs of {method}": runs(method)}
    _table("bug", done, columns)
    _say_ordering(done)
    found = {name: {m: [one.broad for one in _of(group, m)] for m in methods} for name, group in done.items()}
    FIGURE.parent.mkdir(exist_ok=True)
    FIGURE.write_text(boxes.draw("The paper's bugs", "balanced accuracy", methods, _shorten(found)))
    print(f"\n![Balanced accuracy on the paper's bugs]({FIGURE.parent.name}/{FIGURE.name})")
    _print_failures(done)


def _say_ordering(done: Mapping[str, Sequence[Solved]]) -> None:
    """Print the bugs on which alo is better than hpsl with fewer runs, and the exceptions named in the paper."""
    known = {name: pairs for name, group in done.items() if (pairs := _pair_results(group, "alo, 60%", "hpsl"))}
    if not known:
        return
    ahead = {
        name: percent(alo.broad > hpsl.broad for alo, hpsl in pairs)
        for name, pairs in known.items()
        if _median(alo for alo, _ in pairs) > _median(hpsl for _, hpsl in pairs)
    }
    fewer = [1 - alo.runs / hpsl.runs for pairs in known.values() for alo, hpsl in pairs]
    say(
        f"With {min(fewer):.0%} to {max(fewer):.0%} fewer runs than hpsl, alo has the higher median on "
        f"{_names([f'{name} (in {share} of the seeds)' for name, share in ahead.items()])}; but not on "
        f"{_names([name for name in known if name not in ahead])}. The paper names these exceptions: "
        f"{_names([name for name in EXCEPTIONS if name in known])}."
    )


def _quartiles(method: str) -> Column:
    def show(group: Sequence[Solved]) -> str:
        known = [one.broad for one in _of(group, method)]
        return " / ".join(f"{value:.3f}" for value in np.quantile(known, [0.25, 0.5, 0.75])) if known else "–"

    return show


def _shorten(found: boxes.Groups) -> boxes.Groups:
    return {name.removeprefix("ardu_").replace("_", " "): series for name, series in found.items()}


def budgets(bench: Bench) -> None:
    """Accuracy after few runs"""
    seeds = bench.count(4)
    methods = [method for method in ("auto", "alo") if there(method)]
    jobs = [Stages(bug, method, i, BUDGETS) for method in methods for bug in published() for i in range(seeds)]
    results = bench.map(stages, jobs, lambda job: len(job.bug.space))
    say(f"Median accuracy, on broad points, of the best answer after 30 to 200 runs; {seeds} seeds.")
    found: dict[tuple[str, str], list[list[float]]] = {(job.bug.id, job.method): [] for job in jobs}
    for job, result in zip(jobs, results, strict=True):
        found[job.bug.id, job.method].append([one.broad for one in result])
    lines = [
        [
            name,
            *(f"{value:.3f}" for i in range(len(BUDGETS)) for m in methods for value in [_middle(found[name, m], i)]),
        ]
        for name in (bug.id for bug in published())
    ]
    rows(["bug", *(f"{method}, {budget}" for budget in BUDGETS for method in methods)], lines)


def _middle(series: Sequence[Sequence[float]], at: int) -> float:
    return statistics.median(one[at] for one in series)


def flaky(bench: Bench) -> None:
    """Flaky failures"""
    seeds = bench.count(5)
    groups = {bug.id: [Job(bug, ("auto", "flaky"), i, rate=0.8) for i in range(seeds)] for bug in published()}
    done = _solve(bench, groups)
    say(
        f"{seeds} seeds. A failing configuration fails in 80% of its runs, a passing one never; the search is given "
        "`flaky=0.8`. *steady*: the same bug when it fails on every run."
    )
    ratio: Column = lambda group: spread((b.runs / a.runs for a, b in _pair_results(group, "auto", "flaky")), 1)  # noqa: E731
    columns = {
        "broad, steady": accuracy("auto"),
        "broad, flaky": accuracy("flaky"),
        "human, flaky": accuracy("flaky", "human"),
    }
    _table("bug", done, columns | {"runs, steady": runs("auto"), "runs, flaky": runs("flaky"), "ratio of runs": ratio})
    _print_failures(done)


# Cost


def cost(bench: Bench) -> None:
    """Time and memory"""
    wide = [bug for bug in generated(7, 100) if len(bug.space) >= 10][: bench.count(6)]
    methods = [method for method in ("auto", "alo") if there(method)]
    jobs = [(bug, method) for method in methods for bug in wide]
    paces: dict[str, list[float]] = {method: [] for method in methods}
    for (_, method), time in zip(jobs, bench.map(_measure_pace, jobs, lambda job: 1), strict=True):
        paces[method].append(time)
    say(
        f"{len(wide)} generated bugs of 10 to 12 fields, 200 trials. *memory*: peak of a process that makes 10,000 "
        f"trials, or as many as it can in {MAX_SECONDS} seconds."
    )
    rows(["method", "ms per run", "memory"], [[m, spread(paces[m], 1), _memory(m)] for m in methods])


def _measure_pace(job: tuple[Bug, str]) -> float:
    """Return milliseconds of own computation per run, over the first 200 runs."""
    bug, method = job
    done = evaluate(auto_search(bug, 0, verify=200) if method == "auto" else alo_search(bug, 0, 200), bug, 200)
    return 1000 * done.seconds / max(1, done.runs)


def _memory(method: str) -> str:
    """Measure memory in a separate process, because the peak of this one is unrelated."""
    command = [sys.executable, __file__, "--memory", method]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _measure_memory(method: str) -> None:
    bug = next(bug for bug in published() if bug.id == "sysX_116")
    search = auto_search(bug, 0, verify=10_000) if method == "auto" else alo_search(bug, 0, 10_000)
    subject = Subject(bug)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(MAX_SECONDS)
    with contextlib.suppress(KeyboardInterrupt):
        evaluate(search, bug, 10_000, subject)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, {subject.runs} trials")


# Missing peers and failures


def _say_missing() -> None:
    missing = [peer for peer in LEARNERS if not there(peer)]
    if missing:
        say(f"Left out, because not installed: {', '.join(missing)}.")


def _print_failures(done: Mapping[str, Sequence[Solved]], most: int = 6) -> None:
    wrong = [(m, one) for group in done.values() for solved in group for m, one in solved.items() if one.problem]
    for method, one in wrong[:most]:
        print(f"\n- No answer ({method}, {one.bug}): {one.problem}")
    if len(wrong) > most:
        print(f"\n- ... and {len(wrong) - most} more.")


TABLES = {
    "named": named,
    "generated": generated_bugs,
    "figure": figure_four,
    "budgets": budgets,
    "flaky": flaky,
    "cost": cost,
}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        _measure_memory(sys.argv[2])
    else:
        run(__doc__, TABLES)
