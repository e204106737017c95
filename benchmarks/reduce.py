"""Compare ``reduce`` with other reducers: runs needed, elements left, and how often the result still fails.

Methods:

- *auto*: Rootward's own. In the first two tables it is told that the failure shows every time (``flaky=False``), and
  trusts a single run, as the others do.
- *auto, unsure*: the same by default: it finds out whether the failure is flaky, and repeats the runs that its claim
  rests on.
- *ddmin*, *probdd* and the pairs of DDEnv's schemas: the published algorithms as implemented in Rootward.
- *picire*: the delta debugging of that package.

Every run of the subject counts, including the first run of the original, repetitions, and checks at the end.

The *limit* is log2 C(n, k) + k: the bits needed to identify k needed elements among n, plus one run for each of them
to show that it is needed.

    ./dev exec python benchmarks/reduce.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import itertools
import math
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from peers import curves, picire_peer, reducers, reductions
from peers.bench import Bench, run
from peers.reducers import COUNTED, FLAKY, STEADY, UNSURE, Shaky, Solved, Steady, Verified
from peers.tables import percent, rows, say, spread, three

import rootward as rw
from rootward.verdict import FAIL

FIGURE = Path(__file__).parent / "figures" / "reduce.svg"
TRIAL_SECONDS = 1.0
"""Seconds of one trial in the table of parallel runs."""
JOBS = 8


# Failures that occur on every run


def steady(bench: Bench) -> None:
    """Failures that show every time"""
    solved = bench.map(reducers.solve, _steady_problems(bench.count(1000)), lambda problem: problem.size)
    say(
        f"{len(solved)} random lists with 1 to 30 needed elements. The length n is log-uniform in 10..10,000 (up to "
        "1000 for brackets and chains).\n\n"
        "- *conjunction*: it fails if all needed elements are there.\n"
        "- *pairs*: also, up to five pairs of which both or none must be there.\n"
        "- *parity*: also, a set of up to six elements of which an even number must be missing.\n"
        "- *two ways*: either of two sets is enough.\n"
        "- *brackets*: without the partner of a bracket, the list is invalid and the run cannot be judged.\n"
        "- *chains*: two of three elements are invalid without an earlier one.\n\n"
        "For all kinds but the conjunction, the limit is computed from the size of the smallest part that fails, and "
        "is not a true lower bound. ddmin's worst case is n^2 + 3n runs. Runs and ratios: median / 90% quantile / "
        "worst."
    )
    kinds = {kind: [one for one in solved if one.problem.kind == kind] for kind in reductions.KINDS}
    bands = {"n < 100": (0, 100), "100 <= n < 1000": (100, 1000), "1000 <= n": (1000, math.inf)}
    sizes = {
        f"conjunction, {name}": [one for one in kinds["conjunction"] if low <= one.problem.size < high]
        for name, (low, high) in bands.items()
    }
    groups = {name: group for name, group in {**sizes, **kinds, "all": solved}.items() if group}
    rows(
        ["", "lists", *(f"runs: {method}" for method in COUNTED), "auto / limit", f"{UNSURE} / limit"],
        [
            [
                name,
                len(group),
                *_runs(group),
                three(one.over_limit("auto") for one in group),
                three(one.over_limit(UNSURE) for one in group),
            ]
            for name, group in groups.items()
        ],
    )
    rows(
        [
            "",
            "auto / ddmin",
            "auto / ddmin above 0.5",
            "auto / ddmin above 1",
            "lists above ddmin's worst case",
            "auto / picire",
            "auto / probdd",
        ],
        [[name, *_against(group)] for name, group in groups.items()],
    )
    say(
        "*1-minimal*: checked by removing each element that was kept. *kept*: elements kept, the mean. *seconds*: "
        "processor time without that of the subject."
    )
    heads = [f"{what}: {method}" for what in ("1-minimal", "kept", "seconds") for method in STEADY]
    rows(["", *heads], [[name, *_quality(group)] for name, group in groups.items()])
    _print_wrong(
        [f"{one.problem} ({method})" for one in solved for method, got in one.results.items() if not got.minimal]
    )


def _steady_problems(count: int) -> list[Steady]:
    rng = random.Random(1)
    problems = []
    for i in range(count):
        # Most failures are conjunctions, so these get every second list.
        kind = reductions.KINDS[0] if i % 2 else reductions.KINDS[1 + i // 2 % (len(reductions.KINDS) - 1)]
        most = 1000 if kind in ("brackets", "chains") else 10_000
        size = round(math.exp(rng.uniform(math.log(10), math.log(most))))
        problems.append(Steady(kind, size, rng.randint(1, min(30, size)), i))
    return problems


def _runs(group: Sequence[Solved]) -> list[str]:
    return [_three(one.results[method].runs for one in group) for method in COUNTED]


def _three(values: Iterable[float]) -> str:
    known = sorted(values)
    return f"{statistics.median(known):.0f} / {known[math.ceil(0.9 * len(known)) - 1]:.0f} / {known[-1]:.0f}"


def _against(group: Sequence[Solved]) -> list[str]:
    ratios = [one.over("auto", "ddmin") for one in group]
    worst = sum(one.results["auto"].runs > one.problem.size**2 + 3 * one.problem.size for one in group)
    return [
        three(ratios),
        percent(ratio > 0.5 for ratio in ratios),
        percent(ratio > 1 for ratio in ratios),
        str(worst),
        three(one.over("auto", "picire") for one in group),
        three(one.over("auto", "probdd") for one in group),
    ]


def _quality(group: Sequence[Solved]) -> list[str]:
    def results(method: str) -> list[reducers.Result]:
        return [one.results[method] for one in group]

    minimal = [f"{sum(one.minimal for one in results(method))} of {len(group)}" for method in STEADY]
    kept = [f"{statistics.mean(one.kept for one in results(method)):.1f}" for method in STEADY]
    return [*minimal, *kept, *(spread((one.seconds for one in results(method)), 2) for method in STEADY)]


def few(bench: Bench) -> None:
    """Few needed elements among many"""
    count = bench.count(30)
    say(f"A conjunction, {count} lists per row. Target for n = 10,000 and k = 3: at most three times the limit.")
    shapes = [(n, k) for n in (100, 1000, 10_000) for k in (1, 3, 10, 30)]
    problems = [Steady("conjunction", n, k, 10_000 + i) for n, k in shapes for i in range(count)]
    solved = bench.map(reducers.solve, problems, lambda problem: problem.size)
    groups = {shape: [one for one in solved if (one.problem.size, one.problem.needed) == shape] for shape in shapes}
    rows(
        ["n, k", "limit", *(f"runs: {method}" for method in COUNTED), "auto / limit", "seconds: auto"],
        [
            [
                f"{n:,}, {k}",
                f"{group[0].limit:.0f}",
                *_runs(group),
                three(one.over_limit("auto") for one in group),
                spread((one.results["auto"].seconds for one in group), 2),
            ]
            for (n, k), group in groups.items()
        ],
    )


# Flaky failures


RATES = (0.3, 0.7, 0.95)
LOST = {"never": "never", "rarely": "5% or 10% as often", "fading": "never, or 30% as often"}


def flaky(bench: Bench) -> None:
    """Flaky failures"""
    count, large = bench.count(25), bench.count(5)
    say(
        f"{count} lists of 20 to 60 elements and {large} of 1000, with 1 to 5 needed elements. With all of them, the "
        "list fails at the given rate; if one is missing, it never fails or fails more rarely, as the first column "
        f"says. After {reducers.MOST} runs a search is stopped.\n\n"
        "- *the seed decides*: the random draw of a run depends on its seed alone, as in a simulator that repeats "
        "itself.\n"
        "- *the seed means nothing*: the draw depends on the candidate, too, so every candidate is a new draw.\n"
        "- *good*: the needed elements are kept and no others, or fewer that fail at least half as often as the "
        "original.\n"
        "- *too many*: results that fail often enough but keep elements that are not needed.\n"
        "- *half as often*: results that truly fail at least half as often as the original.\n"
        "- *claims*: results for which the method says that every element is needed.\n"
        f"- *refuted*: claims that are wrong: if one element is left out, {reducers.FRESH} fresh runs still fail at "
        "least half as often as the original."
    )
    jobs = [(problem, method) for problem in _shaky_problems(count, large) for method in FLAKY]
    done = bench.map(_verify, jobs, lambda job: job[0].size / job[0].rate)
    lines = []
    groups = itertools.product(LOST, (False, True), RATES, (True, False), FLAKY)
    for kind, large_ones, rate, decided, method in groups:
        wanted = (kind, rate, decided, method)
        found = [one for one in done if (one.problem.kind, one.problem.rate, one.problem.decided, one.method) == wanted]
        if group := [one for one in found if (one.problem.size >= 1000) is large_ones]:
            seed = "decides" if decided else "means nothing"
            lines.append([LOST[kind], "1000" if large_ones else "20..60", rate, seed, method, *_verified_row(group)])
    heads = ["runs", "good", "too many", "half as often", "claims", "refuted", "seconds"]
    rows(["if a needed one is missing, it fails", "n", "rate", "the seed", "method", *heads], lines)
    _print_wrong([str(one.problem) for one in done if one.method == "auto" and (one.refuted or not one.often)])


def _shaky_problems(count: int, large: int) -> list[Shaky]:
    rng = random.Random(2)
    small = [(rng.randint(20, 60), 1 + i % 5) for i in range(count)]
    sizes = [*small, *((1000, 1 + i % 5) for i in range(large))]
    return [
        Shaky(kind, size, needed, rate, i, decided)
        for kind in LOST
        for rate in RATES
        for decided in (True, False)
        for i, (size, needed) in enumerate(sizes)
        if size < 1000 or kind == "never"
    ]


def _verify(job: tuple[Shaky, str]) -> Verified:
    return reducers.verify(*job)


def _verified_row(group: Sequence[Verified]) -> list[Any]:
    claims = sum(one.claimed for one in group)
    return [
        _three(one.runs for one in group),
        f"{sum(one.good for one in group)} of {len(group)}",
        sum(one.often and not one.good for one in group),
        f"{sum(one.often for one in group)} of {len(group)}",
        claims,
        sum(one.refuted for one in group),
        spread((one.seconds for one in group), 2),
    ]


# Parallel trials


def parallel(bench: Bench) -> None:
    """Parallel trials"""
    say(
        f"A conjunction with k = 3. Each trial only waits, for {TRIAL_SECONDS:g} s; trials run one after the other or "
        f"{JOBS} in parallel. In parallel, auto also starts candidates that it may ask for next: more runs, but less "
        f"time. picire runs its parallel delta debugging on the same lists, with as many processes. Target for {JOBS} "
        "jobs: a third of the time."
    )
    lines = []
    for size in (100, 1000):
        for seed in range(bench.count(2)):
            law = Steady("conjunction", size, 3, 20_000 + seed).make()
            alone, wide, theirs = _time_auto(law, 1), _time_auto(law, JOBS), _time_picire(law, JOBS)
            cells = [f"{runs} in {seconds:.1f} s" for runs, seconds in (alone, wide, theirs)]
            lines.append([size, *cells, f"{wide[1] / alone[1]:.2f}", f"{wide[1] / theirs[1]:.2f}"])
    heads = ["auto, 1 job", f"auto, {JOBS} jobs", f"picire, {JOBS} jobs", f"{JOBS} jobs / 1 job", "auto / picire"]
    rows(["n", *heads], lines)


def _time_auto(law: reductions.Planted, jobs: int) -> tuple[int, float]:
    def subject(kept: list[int]) -> rw.Verdict:
        time.sleep(TRIAL_SECONDS)
        return law(kept)

    start = time.monotonic()
    found = rw.reduce(range(law.size), subject, jobs=jobs, flaky=False)
    assert law.minimal(found.kept)
    return found.trials, time.monotonic() - start


def _time_picire(law: reductions.Planted, jobs: int) -> tuple[int, float]:
    def fails(kept: Sequence[int]) -> bool:
        time.sleep(TRIAL_SECONDS)
        return law(kept) is FAIL

    start = time.monotonic()
    _, runs = picire_peer.reduce_parallel(law.size, fails, jobs)
    return runs, time.monotonic() - start + TRIAL_SECONDS  # picire does not run the original


# Real physics


SEEDS = {"auto": 10, "ddmin": 3, "picire": 3, "probdd": 3}
"""Number of reductions of each world; the published pairs take long and get fewer."""
PUBLISHED_SEEDS = 2


def physics(bench: Bench) -> None:
    """Robots that get stuck"""
    from peers import worlds

    sites = [*worlds.ours(), *worlds.papers()]
    surveyed = bench.map(worlds.survey, sites, lambda site: site.world.laser)
    seeds = {method: bench.count(SEEDS.get(method, PUBLISHED_SEEDS)) for method in worlds.METHODS}
    say(
        f"A robot can get stuck in several places. The failure of a world is the most frequent one in {worlds.RUNS} "
        "runs of the original.\n\n"
        f"- *executions*: simulations of the robot. After {worlds.MOST} a reduction is stopped, and the models it had "
        "left count.\n"
        f"- *fails in*: share of {worlds.RUNS} fresh runs of the result that fail; for the original, of "
        f"{len(worlds.MEASURING)}.\n"
        "- *half as often*: results that fail at least half as often as the original.\n"
        "- *simulated s*, *processor s*: for all executions of one reduction; the mean.\n\n"
        "The pairs (model2model, timeseg) are DDEnv's, exactly as published: a candidate that did not fail is run "
        "three more times, and the result is not checked. ddmin, picire and probdd trust a single run."
    )
    jobs = [
        worlds.Job(scenario, method, seed)
        for scenario in surveyed
        for method in worlds.METHODS
        for seed in range(seeds[method])
    ]
    done = bench.map(worlds.reduce, jobs, lambda job: (job.method not in SEEDS) + job.scenario.site.world.laser)
    for scenario in surveyed:
        here = [one for one in done if one.job.scenario.site == scenario.site]
        _physics_table(scenario, {m: [one for one in here if one.job.method == m] for m in worlds.METHODS})
    _all_worlds({m: [one for one in done if one.job.method == m] for m in worlds.METHODS})
    _draw([one for one in done if one.job.scenario is surveyed[0] or one.job.scenario.site == surveyed[0].site])


def _physics_table(scenario: Any, groups: dict[str, list[Any]]) -> None:
    total = groups["auto"][0].curve[0][1]
    say(
        f"**{scenario.site.name.capitalize()}**: {total} models; the original fails in {scenario.rate:.2f} of its "
        f"runs ({scenario.failure.detail})."
    )
    heads = ["reductions", "executions, mean (worst)", "models left", "reduction", "fails in", "half as often"]
    rows(
        ["method", *heads, "simulated s", "processor s"],
        [[name, *_physics_row(group)] for name, group in groups.items()],
    )
    often: dict[tuple[str, ...], int] = {}
    for one in groups["auto"]:
        often[one.names] = often.get(one.names, 0) + 1
    kept = sorted(often.items(), key=lambda pair: -pair[1])[:3]
    say("Left by auto: " + "; ".join(f"{', '.join(names[:6])} ({count} times)" for names, count in kept) + ".")


def _physics_row(group: Sequence[Any]) -> list[str]:
    def mean(values: Iterable[float]) -> float:
        return statistics.mean(values)

    return [
        str(len(group)),
        f"{mean(one.executions for one in group):.0f} ({max(one.executions for one in group)})",
        f"{mean(len(one.kept) for one in group):.1f}",
        f"{mean(one.gone for one in group):.1%}",
        f"{mean(one.rate for one in group):.2f}",
        f"{sum(one.share >= 0.5 for one in group)} of {len(group)}",
        f"{mean(one.simulated for one in group):.0f}",
        f"{mean(one.seconds for one in group):.0f}",
    ]


def _all_worlds(groups: dict[str, list[Any]]) -> None:
    say(
        "**All of these worlds**. Targets for auto: on average, 90% reduction and 60 executions, fewer than any of "
        "the pairs; half as often in 95% of the reductions."
    )
    lines = []
    for name, group in groups.items():
        executions = statistics.mean(one.executions for one in group)
        gone, often = statistics.mean(one.gone for one in group), percent(one.share >= 0.5 for one in group)
        lines.append([name, f"{executions:.0f} ({max(one.executions for one in group)})", f"{gone:.1%}", often])
    rows(["method", "executions, mean (worst)", "reduction", "half as often"], lines)


def _draw(done: Sequence[Any]) -> None:
    """Draw the median reduction of each method on the first world as a curve."""
    chosen = {}
    for one in sorted(done, key=lambda one: one.executions):
        chosen.setdefault(one.job.method, []).append(one)
    lines = {method: group[(len(group) - 1) // 2].curve for method, group in chosen.items()}
    ordered = {method: lines[method] for method in sorted(lines, key=lambda name: (name != "auto", lines[name][-1]))}
    name = done[0].job.scenario.site.name
    FIGURE.parent.mkdir(exist_ok=True)
    FIGURE.write_text(curves.draw(f"Models left of {name}", "executions", "models left", ordered))
    print(f"\n![Models left over executions]({FIGURE.parent.name}/{FIGURE.name})")


def _print_wrong(wrong: Sequence[str], most: int = 8) -> None:
    """Print the problems that were not solved, so that they can be generated again."""
    for text in wrong[:most]:
        print(f"\n- Not right: `{text}`")
    if len(wrong) > most:
        print(f"\n- ... and {len(wrong) - most} more.")


TABLES = {"steady": steady, "few": few, "flaky": flaky, "parallel": parallel, "physics": physics}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ROOTWARD_BENCH_FOLDER"] = folder
        run(__doc__, TABLES)
