"""After how many runs ``find`` meets a failure that nobody knows, beside simpler ways to look for one.

Interfaces of 6 to 2,000 fields (integers of 32 bits, integers and reals within 1,000, lists of 8, 4 and 2 values), one
input that works, and one planted bug. *Find* is ours. *Uniform* draws every value of a field alike; *exceptional* draws
every exceptional value alike; *one by one* puts the exceptional values into one field at a time, as robustness tests
do. Runs until the first failure: the median and, in parentheses, the worst; then the share of bugs that were met within
500 runs. After 1,000 runs a method gives up. Every bug and every method follows from a seed.

    ./dev exec python benchmarks/find.py [TABLE ...] [--share 0.1]
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from peers.bench import Bench, run
from peers.hidden_bugs import BUGS, LIMIT, METHODS, Job, planted, solve
from peers.tables import percent, rows, say

from rootward.searches.exploration.exploration import explored
from rootward.verdict import PASS, Outcome

WIDTHS = {6: 40, 20: 40, 100: 24, 500: 10, 2000: 6}
"""Fields, and instances of each kind of bug."""


def bugs(bench: Bench) -> None:
    """Planted bugs"""
    jobs = [Job(kind, n, i) for n, count in WIDTHS.items() for kind in BUGS for i in range(bench.count(count))]
    solved = dict(zip(jobs, bench.map(solve, jobs, lambda job: job.fields), strict=True))
    say(
        "*Value*: an exceptional value of one field. *Guarded value*: the same, but an input in which one of four "
        "other fields is changed is refused first. *Range*: a fiftieth of the range of a number, between exceptional "
        "values. *Pair*: one of 8 values of a field and one of 4 of another; *triple*: and one of 2 of a third. "
        "*Relation*: a product of two integers above 2**32, of which one leaves the remainder 1 when divided by 4."
    )
    lines = []
    for kind in BUGS:
        for n in WIDTHS:
            group = [found for job, found in solved.items() if (job.kind, job.fields) == (kind, n)]
            lines.append([kind, f"{n:,}", *(_cell([found[name] for found in group]) for name in METHODS)])
    rows(["bug", "fields", *METHODS], lines)
    lines = [[f"{n:,}", *(_share(solved, n, name) for name in METHODS)] for n in WIDTHS]
    say("Of all kinds together, the share within 500 runs:")
    rows(["fields", *METHODS], lines)


def _cell(runs: Sequence[float]) -> str:
    return f"{_runs(statistics.median(runs))} ({_runs(max(runs))}), {percent(one <= 500 for one in runs)}"


def _runs(number: float) -> str:
    return f">{LIMIT:,}" if math.isinf(number) else f"{number:.0f}"


def _share(solved: dict[Job, dict[str, float]], n: int, name: str) -> str:
    return percent(found[name] <= 500 for job, found in solved.items() if job.fields == n)


def cost(bench: Bench) -> None:
    """What the search itself takes"""
    say("Seconds of CPU for the first 100 and for 1,000 candidates, nothing being run.")
    lines = [[f"{n:,}", *bench.map(_cost, [(n, 100), (n, 1000)], lambda job: job[1])] for n in WIDTHS]
    rows(["fields", "100 candidates", "1,000 candidates"], lines)


def _cost(job: tuple[int, int]) -> str:
    n, most = job
    hidden, start = planted(Job("value", n, 0)), time.process_time()
    search = explored(hidden.space, nominal=[hidden.nominal], most=most)
    answers: list[Outcome] | None = None
    while True:
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration:
            return f"{time.process_time() - start:.2f}"
        answers = [Outcome(PASS)] * len(ask.candidates)


TABLES: dict[str, Callable[[Any], None]] = {"bugs": bugs, "cost": cost}

if __name__ == "__main__":
    run(__doc__, TABLES)
