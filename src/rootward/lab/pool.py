"""Trials at the workers of an executor: sent off in calls, collected as they end, in whatever order that is.

A call carries one trial; or several, if those before them were short. Of several that die together nobody knows which
one did it, so no blame is laid: they are given back, and each of them travels alone.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from pathlib import Path
from typing import Any

from rootward.errors import RootwardError
from rootward.lab import execute
from rootward.space.candidate import realise
from rootward.store.trial import Trial
from rootward.subjects import process

TICK = 0.5
"""Seconds after which an executor that says nothing is asked whether it is still there."""
GRACE = 0.03
"""The part of its duration for which a trial that has ended waits for those that began with it: what they say may
change what is worth starting next. At most a second."""
MOST = 250
"""Maximum number of trials that travel together."""


class ExecutorLost(Exception):
    """The executor takes no more work, or will never answer."""


class Returned(Exception):
    """The trial has no outcome, and is to be sent again. ``cause``: what its call died of, with the first of its
    trials; None with the others, and where the call only ended before their turn."""

    def __init__(self, cause: BaseException | None = None, trials: int = 1) -> None:
        super().__init__(f"{cause} ({trials} trials travelled together)")
        self.cause, self.trials = cause, trials


class Pool:
    """Calls for ``width`` workers. ``local``: its workers wait for processes of this machine."""

    def __init__(self, executor: Executor, call: Callable[..., Any], *, width: int, local: bool) -> None:
        self._executor, self._call, self._width, self._local = executor, call, width, local
        self._flying: dict[Future[Any], list[Trial]] = {}
        self._began: dict[Future[Any], float] = {}
        self._done: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        self._pace = execute.CALL
        """Seconds that a trial takes, as the last ones tell."""
        self._singly = 0
        """Number of trials that are still to travel alone."""

    @property
    def empty(self) -> bool:
        return not self._flying

    @property
    def alive(self) -> bool:
        return execute.alive(self._executor)

    def room(self, certain: int) -> int:
        """How many trials the next call may carry; 0 if the workers have enough. Several, if they are short and at
        least so many are ``certain`` to be needed; fewer towards the end, so that the workers have done together.

        A worker with short trials has its next call at hand, or it would wait while answers go there and back.
        """
        several = min(self._load, certain // (4 * self._width))
        if len(self._flying) < self._width * (2 if several > 1 else 1):
            return max(1, several)
        return 0

    @property
    def _load(self) -> int:
        """How many trials fill a call. What waits for a process here gains nothing by waiting together."""
        if self._local or self._singly:
            return 1
        return max(1, min(MOST, int(execute.CALL / max(self._pace, 1e-6))))

    def submit(self, trials: list[Trial], places: list[Path]) -> None:
        tasks = [(realise(trial.candidate), trial.seed, place) for trial, place in zip(trials, places, strict=True)]
        try:
            future = self._executor.submit(self._call, tasks)
        except Exception as error:  # executors raise what they like when they are no longer there
            raise ExecutorLost from error
        self._singly = max(0, self._singly - 1)
        self._flying[future], self._began[future] = trials, time.monotonic()
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
        return [result for future in ended if future is not None for result in self._results(future)]

    def _grace(self, ended: list[Future[Any] | None], since: float) -> float:
        """How long to wait for trials that began with the first of these, which ended at that time."""
        first = ended[0]
        if first is None or None in ended:
            return 0.0
        allowed = min(1.0, GRACE * (since - self._began[first]))
        late = self._began[first] + allowed
        waiting = any(start <= late and not future.done() for future, start in self._began.items())
        return max(0.0, since + allowed - time.monotonic()) if waiting else 0.0

    def _results(self, future: Future[Any]) -> list[tuple[Trial, BaseException | None]]:
        trials, _ = self._flying.pop(future), self._began.pop(future)
        try:
            results: list[tuple[Any, float]] = future.result()
        except (Exception, CancelledError, KeyboardInterrupt) as error:
            if len(trials) == 1 or isinstance(error, RootwardError | BrokenExecutor | KeyboardInterrupt):
                return [(trial, error) for trial in trials]
            self._singly = len(trials)
            return [(trial, Returned(None if number else error, len(trials))) for number, trial in enumerate(trials)]
        self._pace = (self._pace + sum(seconds for _, seconds in results) / len(results)) / 2
        done = [trial.done(*result) for trial, result in zip(trials, results, strict=False)]
        return [*((trial, None) for trial in done), *((trial, Returned()) for trial in trials[len(done) :])]

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


def reason_of(problem: BaseException) -> str:
    """What a worker died of, in a line."""
    if type(problem).__name__ == "KilledWorker":  # Dask's, with a text about what it tried by itself
        return "its process ended"
    return f"{type(problem).__name__}: {problem}".splitlines()[0][:300]
