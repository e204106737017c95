"""Run the whole triage in its own process: ``python chain.py MODEL FOLDER [WORKERS]`` prints its cost as JSON.

``WORKERS`` is ``1`` (the default: this process alone, on one core), another number of processes, or ``dask`` for a
cluster of two worker processes on this machine.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass

from rootward.traces.languages import load_model
from rootward.traces.model.event import Trace
from rootward.traces.recordings import read_traces
from rootward.traces.triage import triage


@dataclass
class Took:
    """The cost of a triage; seconds are processor time, of all processes."""

    seconds: float = 0
    reading: float = 0
    elapsed: float = 0
    """Seconds by the clock on the wall."""
    memory: float = 0
    """Peak of this process, in MB."""
    worker_memory: float = 0
    """Peak of the largest worker, in MB."""
    traces: int = 0
    messages: int = 0
    longest: int = 0
    failing: int = 0
    faults: int = 0
    classes: int = 0
    checked: int = 0


def chain(model: str, folder: str, workers: str = "1") -> Took:
    took = Took()
    with _open_cluster() if workers == "dask" else nullcontext() as executor:
        begin, started = _cpu_seconds(), time.perf_counter()
        jobs = 1 if executor is not None else int(workers)
        result = triage(load_model(model), _watched(read_traces(folder), took), jobs=jobs, executor=executor)
        took.elapsed = time.perf_counter() - started
    took.seconds = _cpu_seconds() - begin
    took.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took.worker_memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    took.failing = result.traces - result.conforming - len(result.unjudged)
    took.faults, took.classes = len(result.faults), len(result.classes)
    took.checked = sum(one.checked for one in result.faults)
    return took


@contextmanager
def _open_cluster() -> Iterator[Executor]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor(pure=False)


def _cpu_seconds() -> float:
    """Return the processor time of this process and of those that it started and that have ended."""
    some = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in some)


def _watched(traces: Iterable[Trace], took: Took) -> Iterator[Trace]:
    """Count the messages read, and the time for reading them."""
    each = iter(traces)
    while True:
        begin = time.process_time()
        trace = next(each, None)
        took.reading += time.process_time() - begin
        if trace is None:
            return
        took.traces += 1
        took.messages += len(trace.events)
        took.longest = max(took.longest, len(trace.events))
        yield trace


if __name__ == "__main__":
    if sys.argv[3:] in ([], ["1"]):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps(asdict(chain(*sys.argv[1:]))))
