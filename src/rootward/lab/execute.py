"""Execution of trials on any ``concurrent.futures.Executor``: the usual executors, and the call that they run.

The call is a plain function of plain arguments, so that it can be sent to other processes: the subject is sent as bytes
(cloudpickle, closures included) and unpacked once per process. A subject never raises because of a candidate, so an
exception from a future is trouble with the worker, not with the candidate.

A call to a cluster takes some milliseconds regardless of its content, so short trials are sent together. Which trials
are short is not known beforehand: a call starts no further trial after ``MAX_CALL_SECONDS``, and trials that it has not
started are treated as if they had never been sent.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import cloudpickle

from rootward.errors import InputError, MissingExtra, SubjectError
from rootward.formats.ownership import temporary_folder
from rootward.subjects import Subject
from rootward.verdict import Outcome

MAX_SECONDS_WITHOUT_WORKERS = 60.0
"""Maximum number of seconds for which a cluster may be without workers."""
MAX_CALL_SECONDS = 0.2
"""Seconds after which a call starts no further trial."""

Task = tuple[Any, int, Path]
"""A trial as it is sent to a worker: the candidate, the seed, and the folder for its files."""
Results = list[tuple[Outcome, float] | None]
"""The outcomes of trials with their seconds, in their order; None at the end if the next trial was interrupted."""


def run_timed(subject: Subject, candidate: Any, seed: int, place: Path) -> tuple[Outcome, float]:
    """Run one trial in this thread; return its outcome and its duration in seconds."""
    start = time.perf_counter()
    outcome = subject.run(candidate, seed=seed, place=place)
    return outcome, time.perf_counter() - start


def run_several(subject: Subject, tasks: Sequence[Task]) -> Results:
    """Run trials one after another.

    After ``MAX_CALL_SECONDS``, no further trial is started. The first trial is always run. If a later one is
    interrupted, the outcomes so far are returned, and None for it.
    """
    end = time.perf_counter() + MAX_CALL_SECONDS
    done: Results = [run_timed(subject, *tasks[0])]
    for task in tasks[1:]:
        if time.perf_counter() > end:
            break
        try:
            done.append(run_timed(subject, *task))
        except KeyboardInterrupt:
            return [*done, None]
    return done


def run_packed(subject: bytes, tasks: Sequence[Task]) -> Results:
    """Run trials one after another, in a process that may not have the subject yet."""
    return run_several(_unpack(subject), tasks)


def pack(subject: Subject) -> bytes:
    try:
        data: bytes = cloudpickle.dumps(subject)
    except Exception as error:
        raise InputError(
            f"the subject cannot be sent to other processes ({error}): it must not hold open files, locks or sockets"
        ) from error
    return data


@lru_cache(maxsize=8)
def _unpack(subject: bytes) -> Any:
    try:
        return cloudpickle.loads(subject)
    except Exception as error:  # not a problem of this worker: every trial would meet it
        raise SubjectError(
            f"the subject cannot be loaded in the worker process ({type(error).__name__}: {error}): "
            "install the modules that it imports there, too"
        ) from error


def thread_pool(jobs: int) -> Executor:
    """Return an executor of local workers: threads, each of which waits for a process that does the work."""
    return ThreadPoolExecutor(jobs, thread_name_prefix="rootward")


def width_of(executor: Executor, jobs: int) -> int:
    """Return the number of trials to keep running: ``jobs`` if given, otherwise the executor's number of workers."""
    if jobs > 1:
        return jobs
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, int(sum(client.ncores().values())))
    return int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)


def is_alive(executor: Executor | None) -> bool:
    """Return False if the executor will never answer. Only Dask is checked: other executors raise an error.

    A client that lost its scheduler tries for a while to find it again, but the submitted calls are gone. A cluster
    without workers may get new ones, and a scheduler that does not answer may be busy. Both count as alive for
    ``MAX_SECONDS_WITHOUT_WORKERS``.
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
    return time.monotonic() - seen < MAX_SECONDS_WITHOUT_WORKERS


def connect_dask(address: str | None = None, jobs: int = 1) -> Executor:
    """Return a Dask cluster as an executor: the one at ``address``, or a local one with ``jobs`` worker processes.

    Equal calls must not be merged (``pure=False``), or repetition would be pointless. A trial whose worker dies is
    retried by the lab, not by Dask, so that each retry is recorded.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("a Dask cluster", "dask") from error
    with contextlib.ExitStack() as opened:
        if address:
            try:
                client: Any = Client(address, timeout=10)  # type: ignore[no-untyped-call]
            except (OSError, TimeoutError, ValueError) as error:
                raise InputError(f"no Dask scheduler answers at {address}: {error}") from error
        else:
            client = _start_cluster(opened.enter_context(temporary_folder()), jobs)
        opened.callback(_close, client)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the finding reports a lost cluster
        client.register_plugin(_make_plugin(), name="rootward")
        executor: Any = client.get_executor(pure=False)
        executor.rootward_close = opened.pop_all().close
    return cast(Executor, executor)


def _start_cluster(folder: Path, jobs: int) -> Any:
    """Start a local cluster, and return its client. ``folder``: where its processes keep their files."""
    import dask
    from distributed import Client

    quiet: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
    with dask.config.set(temporary_directory=str(folder)):
        return Client(n_workers=jobs, threads_per_worker=1, **quiet)  # type: ignore[no-untyped-call]


def _close(client: Any) -> None:
    """Close the client.

    If the scheduler was lost while a call was being submitted, the client's listening task may have ended with an
    error. Closing then raises the same error, so the client is closed without that task.
    """
    try:
        client.close()
    except RuntimeError:
        client._handle_report_task = None
        client.close()


def _make_plugin() -> Any:
    """Return a scheduler plugin that keeps Dask from retrying the calls of the lab. Other calls are left alone."""
    from distributed.diagnostics.plugin import SchedulerPlugin

    prefix = f"{run_packed.__name__}-"

    class OneTry(SchedulerPlugin):  # defined in a function, so that it is pickled by value
        async def start(self, scheduler: Any) -> None:
            self.scheduler = scheduler

        def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
            if finish == "processing" and str(key).startswith(prefix):
                self.scheduler.tasks[key].suspicious = self.scheduler.allowed_failures

    return OneTry()
