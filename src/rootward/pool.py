"""Trials at the workers of an executor: sent off one by one, collected as they end, in whatever order that is."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, wait
from pathlib import Path
from typing import Any

from rootward import execute
from rootward.candidate import realise
from rootward.subjects import process
from rootward.trial import Trial

TICK = 0.5
"""Seconds after which an executor that says nothing is asked whether it is still there."""
GRACE = 0.03
"""The part of its duration for which a trial that has ended waits for those that began with it: what they say may
change what is worth starting next. At most a second."""


class ExecutorLost(Exception):
    """The executor takes no more work, or will never answer."""


class Pool:
    """At most ``width`` trials at once. ``local``: its workers wait for processes of this machine."""

    def __init__(self, executor: Executor, call: Callable[..., Any], *, width: int, local: bool) -> None:
        self._executor, self._call, self._width, self._local = executor, call, width, local
        self._flying: dict[Future[Any], Trial] = {}
        self._began: dict[Future[Any], float] = {}
        self._done: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()

    @property
    def full(self) -> bool:
        return len(self._flying) >= self._width

    @property
    def empty(self) -> bool:
        return not self._flying

    @property
    def alive(self) -> bool:
        return execute.alive(self._executor)

    def submit(self, trial: Trial, place: Path) -> None:
        try:
            future = self._executor.submit(self._call, realise(trial.candidate), trial.seed, place)
        except Exception as error:  # executors raise what they like when they are no longer there
            raise ExecutorLost from error
        self._flying[future], self._began[future] = trial, time.monotonic()
        future.add_done_callback(self._done.put)

    def collect(self) -> list[tuple[Trial, BaseException | None]]:
        """Wait for a trial to end, or for ``wake``; each trial that has ended, or what became of it instead."""
        ended: list[Future[Any] | None] = []
        with contextlib.suppress(queue.Empty):
            ended.append(self._done.get(timeout=TICK))
            now = time.monotonic()
            while True:
                ended.append(self._done.get(timeout=self._grace(ended, now)))
        if not ended and not self.alive:
            self._flying.clear()
            self._began.clear()
            raise ExecutorLost
        return [self._result(future) for future in ended if future is not None]

    def _grace(self, ended: list[Future[Any] | None], since: float) -> float:
        """How long to wait for trials that began with the first of these, which ended at that time."""
        first = ended[0]
        if first is None or None in ended:
            return 0.0
        allowed = min(1.0, GRACE * (since - self._began[first]))
        late = self._began[first] + allowed
        waiting = any(start <= late and not future.done() for future, start in self._began.items())
        return max(0.0, since + allowed - time.monotonic()) if waiting else 0.0

    def _result(self, future: Future[Any]) -> tuple[Trial, BaseException | None]:
        trial, _ = self._flying.pop(future), self._began.pop(future)
        try:
            return trial.done(*future.result()), None
        except (Exception, CancelledError, KeyboardInterrupt) as error:
            return trial, error

    def wake(self) -> None:
        """End the waiting of ``collect``; may be called by a signal handler."""
        self._done.put(None)

    def abort(self) -> None:
        """Do not wait for what is running. A trial may be about to start its process just now: try more than once."""
        end = time.monotonic() + 5.0
        while True:
            process.kill_all()
            if not self._local or not wait(self._flying, timeout=0.05).not_done or time.monotonic() > end:
                return
