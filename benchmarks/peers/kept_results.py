"""Keep the results of a long benchmark in a file, so that it can be resumed. Those of other sources are ignored."""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import rootward as rw

A, B = TypeVar("A"), TypeVar("B")


def fingerprint(sources: Iterable[Path]) -> str:
    """Return a digest of the sources of Rootward and of these files."""
    every = [*sorted(Path(rw.__file__).parent.rglob("*.py")), *sorted(sources)]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in every)).hexdigest()[:16]


def run_kept(path: Path, code: str, solve: Callable[[A], B], jobs: Mapping[str, A], processes: int) -> Iterator[B]:
    """Yield the result of each job: first those that the file has for this ``code``, then new ones as they come."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE IF NOT EXISTS results (code, job, result, PRIMARY KEY (code, job))")
        known = dict(file.execute("SELECT job, result FROM results WHERE code = ?", [code]))
        yield from (pickle.loads(known[job]) for job in jobs if job in known)  # our own file
        for job, result in _solve_all(solve, {job: jobs[job] for job in jobs if job not in known}, processes):
            with file:
                file.execute("INSERT INTO results VALUES (?, ?, ?)", [code, job, pickle.dumps(result)])
            yield result


def _solve_all(solve: Callable[[A], B], jobs: Mapping[str, A], processes: int) -> Iterator[tuple[str, B]]:
    if processes == 1:
        yield from ((job, solve(one)) for job, one in jobs.items())
        return
    with ProcessPoolExecutor(processes) as pool:
        waiting = {pool.submit(solve, one): job for job, one in jobs.items()}
        for done in as_completed(waiting):
            yield waiting[done], done.result()
