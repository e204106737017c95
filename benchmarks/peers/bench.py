"""Command line of a benchmark with several tables, and two processes to run it in."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

A, B = TypeVar("A"), TypeVar("B")


class Bench:
    """Runs jobs on two processes; ``share`` is the share of each table's instances to run."""

    def __init__(self, pool: ProcessPoolExecutor, share: float) -> None:
        self._pool, self.share = pool, share

    def count(self, full: int) -> int:
        return math.ceil(full * self.share)

    def map(self, function: Callable[[A], B], jobs: Sequence[A], cost: Callable[[A], float]) -> list[B]:
        """Return the results in the order of the jobs. The longest jobs start first, so that none is left alone at the
        end."""
        order = sorted(range(len(jobs)), key=lambda i: -cost(jobs[i]))
        done = dict(zip(order, self._pool.map(function, [jobs[i] for i in order]), strict=True))
        return [done[i] for i in range(len(jobs))]


def run(doc: str | None, tables: Mapping[str, Callable[[Any], None]], bench: type[Bench] = Bench) -> None:
    """Print the script's docstring, then the tables named on the command line (all by default)."""
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(tables))
    parser.add_argument("--share", type=float, default=1.0, help="of the instances of each table")
    options = parser.parse_args()
    print((doc or "").partition("    ./dev")[0].strip())
    with ProcessPoolExecutor(2) as pool:
        for name in options.tables or tables:
            print(f"\n### {tables[name].__doc__}", flush=True)
            tables[name](bench(pool, options.share))
