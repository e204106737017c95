"""Triage: from many failing traces to a few faults, one representative each."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rootward.finding import Finding
from rootward.traces.classify import FaultClass, Group, classes
from rootward.traces.event import Trace
from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.model import Model

AHEAD = 8
"""Traces for each worker that are read before their turn."""


@dataclass(frozen=True)
class TraceExamined:
    """What ``on_event`` is told."""

    name: str
    faults: int
    done: int
    """Traces examined so far."""


@dataclass(frozen=True, kw_only=True)
class Triage(Finding):
    """Where traces depart from a model, and for which causes."""

    model: str
    faults: tuple[Fault, ...]
    """All faults; those of a trace in order."""
    classes: tuple[FaultClass, ...]
    """The faults that are no consequences of others, by their causes; the largest class first."""
    traces: int
    """So many were examined, and ..."""
    conforming: int
    """... so many of them conform."""
    problems: tuple[str, ...] = ()
    """What could not be read."""
    examples: tuple[Trace, ...] = field(default=(), repr=False, compare=False)
    """The traces of the representatives, in the order of the classes."""

    def answer(self) -> dict[str, Any]:
        from rootward.traces.output.data import as_data

        return as_data(self)

    def __str__(self) -> str:
        from rootward.traces.output.text import summary

        return summary(self)


def triage(
    model: Model,
    traces: Iterable[Trace],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    on_event: Callable[[TraceExamined], None] | None = None,
) -> Triage:
    """Examine traces, in parallel if there are several jobs or an executor, and group their faults."""
    faults: list[Fault] = []
    groups: dict[tuple[object, ...], Group] = {}
    problems: list[str] = []
    done = conforming = 0
    for trace, found in _examined(model, traces, jobs, executor):
        done += 1
        conforming += not found and (bool(trace.events) or not trace.problems)
        faults += found
        problems += trace.problems
        for fault in found:
            if not fault.consequence:
                groups.setdefault(fault.key, Group(fault.key)).add(fault, trace)
        if on_event is not None:
            on_event(TraceExamined(trace.name, len(found), done))
    grouped = classes(Examiner(model), groups.values())
    return Triage(
        model=model.name,
        faults=tuple(faults),
        classes=grouped,
        traces=done,
        conforming=conforming,
        problems=tuple(problems),
        examples=tuple(_example(one.representative, groups) for one in grouped),
    )


def _example(fault: Fault, groups: dict[tuple[object, ...], Group]) -> Trace:
    """The trace of a representative, or another one of its group, if that is not kept."""
    examples = groups[fault.key].examples
    return next((one for one in examples if (one.name, one.path) == (fault.trace, fault.path)), examples[0])


def _examined(
    model: Model, traces: Iterable[Trace], jobs: int, executor: Executor | None
) -> Iterator[tuple[Trace, list[Fault]]]:
    """Each trace with its faults, in order; a few are under way at once, so memory does not grow with their number."""
    if executor is None and jobs == 1:
        examiner = Examiner(model)
        yield from ((trace, examiner.faults(trace)) for trace in traces)
        return
    packed = pickle.dumps(model)
    with ProcessPoolExecutor(jobs) if executor is None else nullcontext(executor) as pool:
        waiting: deque[tuple[Trace, Future[list[Fault]]]] = deque()
        for trace in traces:
            waiting.append((trace, pool.submit(_faults, packed, trace)))
            if len(waiting) >= AHEAD * jobs:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()


def _faults(packed: bytes, trace: Trace) -> list[Fault]:
    return _examiner(packed).faults(trace)


@lru_cache(maxsize=4)
def _examiner(packed: bytes) -> Examiner:
    return Examiner(pickle.loads(packed))
