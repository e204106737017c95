"""Compare ``find`` with simpler ways to look for an unknown failure: runs until the first one fails.

Each problem is an interface of 6 to 2,000 fields, one input that works, and one planted bug. Fields are 32-bit
integers, integers from 0 to 1,000, reals from -1,000 to 1,000, and choices among 8, 4 or 2 values. Everything
random follows from a seed.

Methods:

- *find*: Rootward's own.
- *uniform*: draws each value of a field with the same probability.
- *exceptional*: draws each exceptional value of a field with the same probability.
- *one by one*: changes one field of the working input to an exceptional value, as robustness tests do.

A cell shows the runs until the first failure (the median, with the worst in parentheses), then the share of bugs found
within 500 runs. A method gives up after 1,000 runs.

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

from rootward.searches.exploration.exploration import explore
from rootward.verdict import PASS, Outcome

WIDTHS = {6: 40, 20: 40, 100: 24, 500: 10, 2000: 6}
"""Number of fields, and of instances of each kind of bug."""


def bugs(bench: Bench) -> None:
    """Planted bugs"""
    jobs = [Job(kind, n, i) for n, count in WIDTHS.items() for kind in BUGS for i in range(bench.count(count))]
    solved = dict(zip(jobs, bench.map(solve, jobs, lambda job: job.fields), strict=True))
    say(
        "Kinds of bugs:\n\n"
        "- *value*: an exceptional value of one field.\n"
        "- *guarded value*: the same, but an input is refused before it gets that far if one of four other fields is "
        "changed.\n"
        "- *range*: a fiftieth of the range of a number, between exceptional values.\n"
        "- *pair*: one of 8 values of one field, together with one of 4 values of another.\n"
        "- *triple*: a pair, together with one of 2 values of a third field.\n"
        "- *relation*: a product of two integers above 2**32, where one of them leaves the remainder 1 when divided "
        "by 4."
    )
    lines = []
    for kind in BUGS:
        for n in WIDTHS:
            group = [found for job, found in solved.items() if (job.kind, job.fields) == (kind, n)]
            lines.append([kind, f"{n:,}", *(_cell([found[name] for found in group]) for name in METHODS)])
    rows(["bug", "fields", *METHODS], lines)
    lines = [[f"{n:,}", *(_share(solved, n, name) for name in METHODS)] for n in WIDTHS]
    say("Share of bugs of all kinds found within 500 runs:")
    rows(["fields", *METHODS], lines)


def _cell(runs: Sequence[float]) -> str:
    return f"{_runs(statistics.median(runs))} ({_runs(max(runs))}), {percent(one <= 500 for one in runs)}"


def _runs(number: float) -> str:
    return f">{LIMIT:,}" if math.isinf(number) else f"{number:.0f}"


def _share(solved: dict[Job, dict[str, float]], n: int, name: str) -> str:
    return percent(found[name] <= 500 for job, found in solved.items() if job.fields == n)


def cost(bench: Bench) -> None:
    """Processor time of the search"""
    say("Seconds of processor time for generating the first 100 and the first 1,000 candidates, without running them.")
    lines = [[f"{n:,}", *bench.map(_cost, [(n, 100), (n, 1000)], lambda job: job[1])] for n in WIDTHS]
    rows(["fields", "100 candidates", "1,000 candidates"], lines)


def _cost(job: tuple[int, int]) -> str:
    n, most = job
    hidden, start = planted(Job("value", n, 0)), time.process_time()
    search = explore(hidden.space, nominal=[hidden.nominal], most=most)
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
