"""Measure the efficiency of two worker processes on 100,000 trials of one millisecond.

A trial sleeps for one millisecond, like one that waits for a device. Two workers need at least 50 seconds for all.

- *efficiency*: these 50 seconds / the measured time.
- *overhead*: measured time per trial, beyond the half millisecond that it takes on two workers.
- *growth*: memory that the lab's process, and the largest other process, needed beyond what it had before the first
  trial.
- *load*: mean load of the whole machine during the last minute. Each line is a single run; compare lines only where
  the load is similar.
- *bare*: the same function on the same executor without the lab, with 1 or 200 calls in one message. With 1 it runs
  fewer trials, since all of them would take too long on a cluster.

The benchmark fails unless every trial is in the finding exactly once and, with a store, in the store exactly once.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import psutil

import rootward as rw
from rootward.lab import execute
from rootward.verdict import FAIL, PASS

SECONDS = 0.001
WORKERS = 2


@dataclass(frozen=True, kw_only=True)
class Count(rw.Finding):
    fails: int = 0

    def answer(self) -> dict[str, Any]:
        return {"fails": self.fails}


def sweep(count: int) -> rw.Search[dict[str, int], Count]:
    outcomes = yield from rw.all_of([{"n": n} for n in range(count)], best=Count())
    return Count(fails=sum(outcome.verdict is FAIL for outcome in outcomes))


def subject() -> Callable[[dict[str, int]], rw.Verdict]:
    """Return the subject. It is made by a function, so that worker processes get it by value."""

    def trial(configuration: dict[str, int]) -> rw.Verdict:
        time.sleep(SECONDS)
        return FAIL if configuration["n"] % 3 == 0 else PASS

    return trial


# Without the lab


def calls(numbers: range) -> int:
    trial = subject()
    return sum(trial({"n": n}) is FAIL for n in numbers)


def bare(count: int, executor: Executor, together: int) -> None:
    """Run the trials without the lab. Two calls per worker are in flight, so that no worker waits."""
    rest = (range(start, min(start + together, count)) for start in range(0, count, together))
    flying = [executor.submit(calls, part) for part in islice(rest, 2 * WORKERS)]
    fails = 0
    while flying:
        fails += flying.pop(0).result()
        flying += [executor.submit(calls, part) for part in islice(rest, 1)]
    check(count, fails)


# With the lab


def lab(count: int, executor: Executor | None, *, stored: bool) -> None:
    width: dict[str, Any] = {"executor": executor} if executor else {"jobs": WORKERS}
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.db" if stored else None
        with rw.Lab(subject(), store=store, **width) as running:
            found = running.run(sweep(count))
        check(count, found.fails)
        if found.trials != count or (store and kept(store) != (count, count)):
            raise SystemExit(f"{found.trials} of {count} trials ran, or not every trial is stored exactly once")


def kept(store: Path) -> tuple[int, int]:
    """Return the number of trials in a store, and of different candidates."""
    with closing(sqlite3.connect(store)) as database:
        rows, different = database.execute("select count(*), count(distinct key) from rootward_trials").fetchone()
    return rows, different


def check(count: int, fails: int) -> None:
    if fails != (count + 2) // 3:
        raise SystemExit(f"{fails} of {count} trials failed; every third should fail")


# Executors


@contextmanager
def dask() -> Iterator[Executor]:
    executor: Any = execute.connect_dask(jobs=WORKERS)
    try:
        yield executor
    finally:
        executor.rootward_close()


@contextmanager
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(WORKERS) as executor:
        executor.submit(calls, range(1)).result()
        yield executor


@contextmanager
def own() -> Iterator[None]:
    yield None


# Measuring


def memory() -> tuple[float, float]:
    """Return the megabytes of this process, and of the largest process that it started."""
    this = psutil.Process()
    sizes = [0.0]
    for child in this.children(recursive=True):
        try:
            sizes.append(child.memory_info().rss / 1e6)
        except psutil.NoSuchProcess:
            continue
    return this.memory_info().rss / 1e6, max(sizes)


def line(name: str, count: int, made: Callable[[], Any], work: Callable[[int, Any], None]) -> str:
    with made() as executor:
        before, start = memory(), time.perf_counter()
        work(count, executor)
        seconds, after = time.perf_counter() - start, memory()
    ideal = count * SECONDS / WORKERS
    grown = [f"{max(0.0, then - now):.0f}" for now, then in zip(before, after, strict=True) if now]
    figures = [
        f"{count:,}",
        f"{seconds:.1f}",
        f"{count / seconds:,.0f}",
        f"{ideal / seconds:.0%}",
        f"{(seconds - ideal) / count * 1e6:,.0f}",
        ", ".join(grown),
        f"{os.getloadavg()[0]:.1f}",
    ]
    return f"| {name} | {' | '.join(figures)} |"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--trials", type=int, default=100_000)
    count = options.parse_args().trials
    few = max(1, count // 50)
    print(__doc__)
    print("| | trials | seconds | trials per second | efficiency | overhead, µs per trial | growth, MB | load |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, made in [("Dask", dask), ("ProcessPoolExecutor", processes)]:
        print(line(f"{name}, bare, 1 a call", few, made, partial(bare, together=1)), flush=True)
        print(line(f"{name}, bare, 200 a call", count, made, partial(bare, together=200)), flush=True)
        print(line(f"{name}, lab", count, made, partial(lab, stored=False)), flush=True)
        print(line(f"{name}, lab, SQLite file", count, made, partial(lab, stored=True)), flush=True)
    print(line("`jobs=2`, lab", count, own, partial(lab, stored=False)), flush=True)
    print(line("`jobs=2`, lab, SQLite file", count, own, partial(lab, stored=True)), flush=True)


if __name__ == "__main__":
    main()
