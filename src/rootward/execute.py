"""Where trials run: any ``concurrent.futures.Executor``. This module makes the usual ones and the call they carry.

The call is a plain function of plain arguments, so that it can travel: the subject goes as bytes (cloudpickle, closures
included) and is unpacked once per process. A subject never raises for what a candidate does; so whatever else comes
out of a future is trouble with the worker, not with the candidate.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import cloudpickle

from rootward.errors import InputError, MissingExtra
from rootward.subjects import Subject
from rootward.verdict import Outcome


def timed(subject: Subject, candidate: Any, seed: int, place: Path) -> tuple[Outcome, float]:
    """Run one trial here; its outcome and its duration in seconds."""
    start = time.perf_counter()
    outcome = subject.run(candidate, seed=seed, place=place)
    return outcome, time.perf_counter() - start


def remote(subject: bytes, candidate: Any, seed: int, place: Path) -> tuple[Outcome, float]:
    """The same, in a process that may never have seen the subject."""
    return timed(_unpacked(subject), candidate, seed, place)


def pack(subject: Subject) -> bytes:
    try:
        data: bytes = cloudpickle.dumps(subject)
    except Exception as error:
        raise InputError(f"the subject cannot be sent to other processes: {error}") from error
    return data


@lru_cache(maxsize=8)
def _unpacked(subject: bytes) -> Any:
    return cloudpickle.loads(subject)


def threads(jobs: int) -> Executor:
    """Local workers: each thread waits for a process of its own, which does the work."""
    return ThreadPoolExecutor(jobs, thread_name_prefix="rootward")


def width_of(executor: Executor, jobs: int) -> int:
    """How many trials to keep running: what the user says, or as many as the executor has workers."""
    if jobs > 1:
        return jobs
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, sum(client.ncores().values()))
    return int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)


def dask(address: str | None = None, jobs: int = 1) -> Executor:
    """A Dask cluster as an executor: the one at ``address``, or a local one with ``jobs`` worker processes.

    Equal calls must not be merged (``pure=False``), or repetition would be pointless; and a trial whose worker dies is
    the lab's to retry (``allowed-failures`` 0), so that each retry is on record.
    """
    try:
        from dask import config
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("a Dask cluster", "dask") from error
    config.set({"distributed.scheduler.allowed-failures": 0})
    if address:
        try:
            client = Client(address, timeout=10)
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {error}") from error
    else:
        client = Client(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
    executor: Executor = client.get_executor(pure=False)
    executor.rootward_close = client.close  # type: ignore[attr-defined]
    return executor
