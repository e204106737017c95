"""Triage: reduce many failing traces to a few classes of faults, with one representative each."""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
import warnings
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import active_children, parent_process
from operator import itemgetter
from typing import Any, NamedTuple

from rootward.errors import InputError, MachineTrouble, lacks_thread, no_thread, trouble_of
from rootward.search.finding import Finding
from rootward.traces.examine import MAX_FAULTS, Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import Groups, classify_groups
from rootward.traces.languages import ISO14229, load_model
from rootward.traces.limits import Limits
from rootward.traces.marks import ComparedMark, compare_marks
from rootward.traces.model.event import Trace, check_trace
from rootward.traces.model.model import Model
from rootward.traces.output.data import as_data
from rootward.traces.output.text import summary
from rootward.traces.running.replay import Stretch
from rootward.traces.scope import explain_foreign, split_conversations
from rootward.traces.tally import Tally, UnjudgedTrace

MAX_TRACES_AHEAD, MAX_MESSAGES_AHEAD = 8, 50_000
"""Traces per worker that are submitted before their turn. More are submitted while all of them together have fewer than
``MAX_MESSAGES_AHEAD`` messages, because an executor does not say how many workers it has."""
MAX_COMPARED = 30
"""Maximum number of conforming traces with which changes of the model are compared."""
POLL_SECONDS = 1.0
"""Seconds between two checks whether a cluster that does not answer is still there."""


class Examined(NamedTuple):
    """The result of examining one trace."""

    faults: list[Fault]
    foreign: str = ""
    """The reason if the model cannot judge the trace; else empty."""
    cut: str = ""
    """A note on how far the trace was judged, if not to its end; else empty."""
    beginning: Stretch | None = None
    """The trace up to its first fault, if it has one: changes of the model are compared with it."""


@dataclass(frozen=True)
class TraceExamined:
    """The progress event that ``on_event`` receives for each trace."""

    name: str
    faults: int
    done: int
    """Number of traces examined so far."""
    path: str = ""


Listener = Callable[[TraceExamined], None]


@dataclass(frozen=True, kw_only=True)
class Triage(Tally, Finding):
    """The places where traces depart from a model, grouped by cause."""

    def answer(self) -> dict[str, Any]:
        return as_data(self)

    def __str__(self) -> str:
        return summary(self)


def triage(
    model: Model | str,
    traces: Iterable[Trace],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    limits: Limits | None = None,
    on_event: Listener | None = None,
) -> Triage:
    """Find where recorded traces depart from a model, and group the faults by cause. Nothing is run.

    If the model describes any one ECU, a recording of several ECUs counts as one trace for each. On Ctrl-C, the loss
    of the workers or trouble of the machine, the result holds what was found so far, and ``complete`` is False.

    :param model: the requirements, as returned by :func:`~rootward.load_model`; or ``"iso14229"``, what the standard
        requires of any ECU
    :param traces: the traces, as returned by :func:`~rootward.read_traces`
    :param jobs: number of traces examined in parallel, in processes
    :param executor: examine the traces on this ``concurrent.futures.Executor`` instead
    :param limits: limits of the work on one trace; what is cut says so
    :param on_event: called for each trace that was examined
    """
    model = _check(load_model(model) if model == ISO14229 else model, traces, jobs)
    limits = limits or Limits()
    examiner, tally = Examiner(model, limits), _Counter(on_event)
    stopped = None
    try:
        for trace, found in _examine_all(examiner, _split_traces(model, traces), jobs, executor, limits):
            tally.add(trace, found)
            if found.beginning is not None:
                examiner.remember_beginning(trace, found.beginning)
    except KeyboardInterrupt:
        stopped = "interrupted"
    except MachineTrouble as trouble:
        warnings.warn(f"traces cannot be examined any more: {trouble}", RuntimeWarning, stacklevel=2)
        stopped = "machine trouble"
    except Exception as error:
        if not _means_lost_workers(error):
            raise
        stopped = "executor lost"
    examiner.uncompared.clear()  # only the changes that could name a cause count
    try:
        grouped = classify_groups(examiner, tally.groups, tally.sample(), causes=model.causal)
    except KeyboardInterrupt:  # finding causes takes longest; faults that are alike are still grouped without them
        grouped, stopped = classify_groups(examiner, tally.groups, causes=False), "interrupted"
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
        marks=tuple(tally.marks),
        uncompared=tuple(sorted(examiner.uncompared)),
    )


class _Counter:
    """Accumulates the result, trace by trace."""

    def __init__(self, on_event: Listener | None) -> None:
        self._on_event = on_event
        self.faults: list[Fault] = []
        self.groups = Groups()
        self.problems: list[str] = []
        self.unjudged: list[UnjudgedTrace] = []
        self.marks: list[ComparedMark] = []
        self.done = self.conforming = self.cut = 0
        self._sample: list[tuple[bytes, Trace]] = []

    def sample(self) -> list[Trace]:
        """Return some conforming traces: a random choice that does not depend on their order."""
        return [trace for _, trace in self._sample]

    def add(self, trace: Trace, examined: Examined) -> None:
        """Add a trace with what was found in it."""
        found, why = examined.faults, examined.foreign
        cut = [f"{trace.path or trace.name}: {examined.cut}"] if examined.cut else []
        problems = [*trace.problems, *([why] if why else []), *cut]
        self.done += 1
        self.problems += problems
        self.cut += len(found) == MAX_FAULTS
        self.faults += found
        self.marks += compare_marks(trace, found, whole=not why and len(found) < MAX_FAULTS)
        if not found and (problems or not trace.events):
            reason = why or (problems or [f"{trace.name}: it has no events"])[0]
            self.unjudged.append(UnjudgedTrace(trace.name, trace.path, reason, bool(trace.events) and not why))
        elif not found:
            self.conforming += 1
            self._sample = sorted([*self._sample, (_digest(trace), trace)], key=itemgetter(0))[:MAX_COMPARED]
        for fault in found:
            if not fault.consequence:
                self.groups.add(fault, trace)
        if self._on_event is not None:
            self._on_event(TraceExamined(trace.name, len(found), self.done, trace.path))


def _digest(trace: Trace) -> bytes:
    return hashlib.sha256(f"{trace.path}\n{trace.name}".encode(errors="surrogateescape")).digest()


def _check(model: object, traces: object, jobs: object) -> Model:
    """Return the model. Raises InputError if an argument is not valid."""
    if not isinstance(model, Model):
        raise InputError(f"expected a model, such as rootward.load_model returns, not {model!r:.60}")
    if isinstance(traces, str | os.PathLike) or not isinstance(traces, Iterable):
        raise InputError(f"expected traces, such as rootward.read_traces returns, not {traces!r:.60}")
    if type(jobs) is not int or jobs < 1:
        raise InputError(f"jobs must be at least 1, not {jobs!r:.60}")
    return model


def _split_traces(model: Model, traces: Iterable[Trace]) -> Iterator[Trace]:
    for trace in traces:
        yield from split_conversations(model, check_trace(trace))


def _examine_all(
    examiner: Examiner, traces: Iterable[Trace], jobs: int, executor: Executor | None, limits: Limits
) -> Iterator[tuple[Trace, Examined]]:
    """Yield each trace with its result, in order. Only a limited number is under way at once, so memory does not grow
    with the number of traces."""
    if executor is None and jobs == 1:
        yield from ((trace, _examine_trace(examiner, trace)) for trace in traces)
        return
    packed = zlib.compress(pickle.dumps((examiner.engine.model, limits)))  # it goes with each trace
    with open_processes(jobs) if executor is None else nullcontext(executor) as pool:
        waiting: deque[tuple[Trace, Future[Examined]]] = deque()
        messages = 0
        try:
            for trace in traces:
                waiting.append((trace, _submit(pool, packed, trace)))
                messages += len(trace.events) + 1
                while waiting and (
                    waiting[0][1].done() or (len(waiting) >= MAX_TRACES_AHEAD * jobs and messages >= MAX_MESSAGES_AHEAD)
                ):
                    first, future = waiting.popleft()
                    messages -= len(first.events) + 1
                    yield first, _result(future, pool)
            for first, future in waiting:
                yield first, _result(future, pool)
        except BaseException as error:
            for _, future in () if _means_lost_workers(error) else waiting:
                future.cancel()
            raise


@contextmanager
def open_processes(
    jobs: int, *, mp_context: Any = None, initializer: Callable[[], None] | None = None
) -> Iterator[Executor]:
    """Open a pool of processes. They are terminated at the end: nothing needs the results that are still to come.

    A pool whose thread could not be started would not end by itself; and a thread that still closes its pipes while
    the interpreter ends makes that print a traceback.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context, initializer=initializer or end_with_parent)
    try:
        yield pool
    finally:
        manager: Any = pool._executor_manager_thread
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.terminate()
        if manager is not None and manager.is_alive():
            manager.join()


def _submit(pool: Executor, packed: bytes, trace: Trace) -> Future[Examined]:
    """Submit a trace. Raises MachineTrouble if a worker cannot be started."""
    try:
        return pool.submit(_examine_packed, packed, trace)
    except OSError as error:
        raise trouble_of(error) from error
    except RuntimeError as error:
        if not lacks_thread(error):
            raise
        raise no_thread() from error


def _result(future: Future[Examined], pool: Executor) -> Examined:
    """Return the result of a future. A Dask client that loses its scheduler while work is submitted may leave its
    futures pending for ever, so its status is checked while waiting."""
    client = getattr(pool, "_client", None)
    while client is not None and not wait([future], timeout=POLL_SECONDS).done:
        if client.status != "running":
            raise BrokenExecutor("the connection to the cluster is lost")
    return future.result()


def _means_lost_workers(error: BaseException) -> bool:
    """Return whether an error means that the workers are gone, rather than that a trace is bad."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__module__.startswith("distributed.")


def end_with_parent() -> None:
    """Let this worker of a pool end when the process that started it was killed.

    It would otherwise wait for ever for its next trace, and keep the semaphores of the pool in ``/dev/shm``.
    """
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _examine_packed(packed: bytes, trace: Trace) -> Examined:
    return _examine_trace(_load_examiner(packed), trace)


def _examine_trace(examiner: Examiner, trace: Trace) -> Examined:
    if trace.problems and not trace.events:
        return Examined([])
    foreign = explain_foreign(examiner.engine, trace)
    found = [] if foreign else examiner.find_faults(trace)
    return Examined(found, foreign, examiner.find_cut(trace), examiner.find_beginning(trace) if found else None)


@lru_cache(maxsize=4)
def _load_examiner(packed: bytes) -> Examiner:
    return Examiner(*pickle.loads(zlib.decompress(packed)))
