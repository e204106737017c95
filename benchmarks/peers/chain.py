"""Run the whole triage in its own process, on one core: ``python chain.py MODEL FOLDER`` prints its cost as JSON."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from rootward.traces.languages import load_model
from rootward.traces.model.event import Trace
from rootward.traces.recordings import read_traces
from rootward.traces.triage import triage


@dataclass
class Took:
    """The cost of a triage; seconds are processor time."""

    seconds: float = 0
    reading: float = 0
    memory: float = 0
    """Peak, in MB."""
    traces: int = 0
    messages: int = 0
    longest: int = 0
    failing: int = 0
    faults: int = 0
    classes: int = 0
    checked: int = 0


def chain(model: str, folder: str) -> Took:
    took = Took()
    begin = time.process_time()
    result = triage(load_model(model), _watched(read_traces(folder), took))
    took.seconds = time.process_time() - begin
    took.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took.failing = result.traces - result.conforming - len(result.unjudged)
    took.faults, took.classes = len(result.faults), len(result.classes)
    took.checked = sum(one.checked for one in result.faults)
    return took


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
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps(asdict(chain(*sys.argv[1:]))))
