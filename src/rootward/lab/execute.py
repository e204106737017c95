"""Where trials run: any ``concurrent.futures.Executor``. This module makes the usual ones and the call they carry.

The call is a plain function of plain arguments, so that it can travel: the subject goes as bytes (cloudpickle, closures
included) and is unpacked once per process. A subject never raises for what a candidate does; so whatever else comes
out of a future is trouble with the worker, not with the candidate.

A call to a cluster takes some milliseconds whatever it carries, so short trials travel together. Nobody knows before
which trials are short: a call ends after ``CALL`` seconds, and what it has not begun is as if it had never been sent.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, cast

import cloudpickle

from rootward.errors import InputError, MissingExtra, SubjectError
from rootward.subjects import Subject
from rootward.verdict import Outcome

PATIENCE = 60.0
"""Seconds for which a cluster may be without workers."""
CALL = 0.2
"""Seconds after which a call begins no further trial."""

Task = tuple[Any, int, Path]
"""A trial as it travels: the candidate, the seed, and where it may put files."""


def timed(subject: Subject, candidate: Any, seed: int, place: Path) -> tuple[Outcome, float]:
    """Run one trial here; its outcome and its duration in seconds."""
    start = time.perf_counter()
    outcome = subject.run(candidate, seed=seed, place=place)
    return outcome, time.perf_counter() - start


def several(subject: Subject, tasks: Sequence[Task]) -> list[tuple[Outcome, float]]:
    """Run trials one after another: the first, and those after it that can begin in time."""
    end = time.perf_counter() + CALL
    done = [timed(subject, *tasks[0])]
    for task in tasks[1:]:
        if time.perf_counter() > end:
            break
        done.append(timed(subject, *task))
    return done


def remote(subject: bytes, tasks: Sequence[Task]) -> list[tuple[Outcome, float]]:
    """The same, in a process that may never have seen the subject."""
    return several(_unpacked(subject), tasks)


def pack(subject: Subject) -> bytes:
    try:
        data: bytes = cloudpickle.dumps(subject)
    except Exception as error:
        raise InputError(f"the subject cannot be sent to other processes: {error}") from error
    return data


@lru_cache(maxsize=8)
def _unpacked(subject: bytes) -> Any:
    try:
        return cloudpickle.loads(subject)
    except Exception as error:  # not the worker's trouble: it would be the same for every trial
        raise SubjectError(
            f"the subject cannot be loaded where it is to run ({type(error).__name__}: {error}): "
            "what it imports must be installed there, too"
        ) from error


def threads(jobs: int) -> Executor:
    """Local workers: each thread waits for a process of its own, which does the work."""
    return ThreadPoolExecutor(jobs, thread_name_prefix="rootward")


def width_of(executor: Executor, jobs: int) -> int:
    """How many trials to keep running: what the user says, or as many as the executor has workers."""
    if jobs > 1:
        return jobs
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, int(sum(client.ncores().values())))
    return int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)


def alive(executor: Executor | None) -> bool:
    """Whether answers can still come. Only of a Dask cluster this must be asked; other executors say so themselves.

    A client that lost its scheduler tries for a while to find it again, but what it had submitted is gone. A cluster
    that has lost its workers may get new ones, and a scheduler that does not answer may be busy: both have ``PATIENCE``
    seconds.
    """
    client = getattr(executor, "_client", None)
    if client is None:
        return True
    if client.status != "running":
        return False
    seen: float = vars(client).setdefault("rootward_seen", time.monotonic())
    with contextlib.suppress(OSError, TimeoutError):
        if client.sync(client.scheduler.ncores, callback_timeout=5.0):
            client.rootward_seen = seen = time.monotonic()
    return time.monotonic() - seen < PATIENCE


def dask(address: str | None = None, jobs: int = 1) -> Executor:
    """A Dask cluster as an executor: the one at ``address``, or a local one with ``jobs`` worker processes.

    Equal calls must not be merged (``pure=False``), or repetition would be pointless; and a trial whose worker dies is
    the lab's to retry, so that each retry is on record.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("a Dask cluster", "dask") from error
    if address:
        try:
            client: Any = Client(address, timeout=10)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {error}") from error
    else:
        quiet: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
        client = Client(n_workers=jobs, threads_per_worker=1, **quiet)  # type: ignore[no-untyped-call]
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what becomes of the cluster, the finding says
    client.register_plugin(_one_try(), name="rootward")
    executor: Any = client.get_executor(pure=False)
    executor.rootward_close = partial(_close, client)
    return cast(Executor, executor)


def _close(client: Any) -> None:
    """Let go of the cluster. The task that listens to the scheduler may have died of losing it while it was given work;
    a client that waits for it dies of that, too, and is closed without."""
    try:
        client.close()
    except RuntimeError:
        client._handle_report_task = None
        client.close()


def _one_try() -> Any:
    """What tells a scheduler not to start our calls again by itself. Other users' calls it leaves alone."""
    from distributed.diagnostics.plugin import SchedulerPlugin

    prefix = f"{remote.__name__}-"

    class OneTry(SchedulerPlugin):  # in here, so that it travels by value
        async def start(self, scheduler: Any) -> None:
            self.scheduler = scheduler

        def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
            if finish == "processing" and str(key).startswith(prefix):
                self.scheduler.tasks[key].suspicious = self.scheduler.allowed_failures

    return OneTry()
