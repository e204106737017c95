"""Triage: from many failing traces to a few faults, one representative each."""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rootward.errors import InputError
from rootward.search.finding import Finding
from rootward.traces.examine import FAULTS, Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import Group, classes
from rootward.traces.model.event import Trace, checked
from rootward.traces.model.model import Model
from rootward.traces.output.data import as_data
from rootward.traces.output.text import summary
from rootward.traces.scope import foreign, once, talks
from rootward.traces.tally import Tally, Unjudged

AHEAD, MESSAGES = 8, 50_000
"""Traces for each worker that are read before their turn, and more if these have few messages in all: nobody tells how
many workers an executor has."""
PATIENCE = 1.0
"""Seconds between two looks at a cluster that does not answer."""
Examined = tuple[list[Fault], str]
"""The faults of a trace, and why the model cannot judge it, if that is so."""


@dataclass(frozen=True)
class TraceExamined:
    """What ``on_event`` is told."""

    name: str
    faults: int
    done: int
    """Traces examined so far."""
    path: str = ""


Listener = Callable[[TraceExamined], None]


@dataclass(frozen=True, kw_only=True)
class Triage(Tally, Finding):
    """Where traces depart from a model, and for which causes."""

    def answer(self) -> dict[str, Any]:
        return as_data(self)

    def __str__(self) -> str:
        return summary(self)


def triage(
    model: Model,
    traces: Iterable[Trace],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    on_event: Listener | None = None,
) -> Triage:
    """Find where recorded traces depart from a model, and group their faults by cause. Nothing is run.

    A recording of several ECUs is a trace for each, if the model is about any one of them. Ctrl-C and the loss of the
    workers end with what was found so far (``complete`` is False then).

    :param model: what is required, as :func:`~rootward.load_model` gives it
    :param traces: the traces, as :func:`~rootward.read_traces` gives them
    :param jobs: traces examined at once (1), in processes
    :param executor: where traces are examined instead: any ``concurrent.futures.Executor``
    :param on_event: called with each trace that was examined
    """
    _check(model, traces, jobs)
    examiner, tally = Examiner(model), _Counting(on_event)
    stopped = None
    try:
        for trace, (found, why) in _examined(examiner, _traces(model, traces), jobs, executor):
            tally.add(trace, found, why)
    except KeyboardInterrupt:
        stopped = "interrupted"
    except Exception as error:
        if not _lost(error):
            raise
        stopped = "executor lost"
    try:
        grouped = classes(examiner, tally.groups.values())
    except KeyboardInterrupt:  # causes take the longest: without them, what is alike is still known
        grouped, stopped = classes(examiner, tally.groups.values(), causes=False), "interrupted"
    return Triage(
        complete=stopped is None,
        stopped=stopped,
        model=model.name,
        faults=tuple(tally.faults),
        classes=grouped,
        traces=tally.done,
        conforming=tally.conforming,
        problems=tuple(tally.problems),
        unjudged=tuple(tally.unjudged),
        cut=tally.cut,
    )


class _Counting:
    """What is known so far."""

    def __init__(self, on_event: Listener | None) -> None:
        self._on_event = on_event
        self.faults: list[Fault] = []
        self.groups: dict[tuple[object, ...], Group] = {}
        self.problems: list[str] = []
        self.unjudged: list[Unjudged] = []
        self.done = self.conforming = self.cut = 0

    def add(self, trace: Trace, found: list[Fault], why: str) -> None:
        """``why`` the model cannot judge it."""
        problems = [*trace.problems, *([why] if why else [])]
        self.done += 1
        self.problems += problems
        self.cut += len(found) == FAULTS
        self.faults += found
        if not found and (problems or not trace.events):
            reason = why or (problems or [f"{trace.name}: there are no events in it"])[0]
            self.unjudged.append(Unjudged(trace.name, trace.path, reason, bool(trace.events) and not why))
        elif not found:
            self.conforming += 1
        for fault in found:
            if not fault.consequence:
                self.groups.setdefault(fault.key, Group(fault.key)).add(fault, trace)
        if self._on_event is not None:
            self._on_event(TraceExamined(trace.name, len(found), self.done, trace.path))


def _check(model: object, traces: object, jobs: object) -> None:
    if not isinstance(model, Model):
        raise InputError(f"expected a model, such as rootward.load_model gives, not {model!r:.60}")
    if isinstance(traces, str | os.PathLike) or not isinstance(traces, Iterable):
        raise InputError(f"expected traces, such as rootward.read_traces gives, not {traces!r:.60}")
    if type(jobs) is not int or jobs < 1:
        raise InputError(f"jobs must be at least 1, not {jobs!r:.60}")


def _traces(model: Model, traces: Iterable[Trace]) -> Iterator[Trace]:
    for trace in traces:
        yield from talks(model, checked(trace))


def _examined(
    examiner: Examiner, traces: Iterable[Trace], jobs: int, executor: Executor | None
) -> Iterator[tuple[Trace, Examined]]:
    """Each trace with what was found, in order; some are under way at once, so memory does not grow with their
    number."""
    if executor is None and jobs == 1:
        yield from ((trace, _found(examiner, trace)) for trace in traces)
        return
    packed = pickle.dumps(examiner.engine.model)
    with ProcessPoolExecutor(jobs) if executor is None else nullcontext(executor) as pool:
        waiting: deque[tuple[Trace, Future[Examined]]] = deque()
        messages = 0
        try:
            for trace in traces:
                waiting.append((trace, pool.submit(_examine, packed, trace)))
                messages += len(trace.events) + 1
                while waiting and (waiting[0][1].done() or (len(waiting) >= AHEAD * jobs and messages >= MESSAGES)):
                    first, future = waiting.popleft()
                    messages -= len(first.events) + 1
                    yield first, _result(future, pool)
            for first, future in waiting:
                yield first, _result(future, pool)
        except BaseException as error:
            for _, future in () if _lost(error) else waiting:
                future.cancel()
            raise


def _result(future: Future[Examined], pool: Executor) -> Examined:
    """What came out. A Dask client that loses its scheduler while it is given work may forget to give up its futures:
    it is asked, so that nobody waits for ever."""
    client = getattr(pool, "_client", None)
    while client is not None and not wait([future], timeout=PATIENCE).done:
        if client.status != "running":
            raise BrokenExecutor("the cluster is gone")
    return future.result()


def _lost(error: BaseException) -> bool:
    """Whether it is about the workers, not about a trace."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__module__.startswith("distributed.")


def _examine(packed: bytes, trace: Trace) -> Examined:
    return _found(_examiner(packed), trace)


def _found(examiner: Examiner, trace: Trace) -> Examined:
    if trace.problems and not trace.events:
        return [], ""
    return once(trace, examiner.faults(trace)), foreign(examiner.engine, trace)


@lru_cache(maxsize=4)
def _examiner(packed: bytes) -> Examiner:
    return Examiner(pickle.loads(packed))
