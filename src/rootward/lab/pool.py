"""Trials on the workers of an executor: submitted in calls, collected in the order in which they end.

A call carries one trial, or several if the last ones were short. If a call of several trials dies, it is unknown which
of them caused it: all are returned to the run, and each is then sent alone.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from pathlib import Path
from typing import Any

from rootward.errors import RootwardError, lacks_thread, no_thread
from rootward.lab import execute
from rootward.space.candidate import realise
from rootward.store.trial import Trial
from rootward.subjects import process

TICK = 0.5
"""Seconds without a result after which the executor is checked for being alive."""
GRACE_SHARE = 0.03
"""After a trial ends, trials that began with it are awaited for this share of its duration (at most a second): their
outcomes may change which trials are worth starting next."""
CALLS_BEFORE_WIDENING = 10
"""After trouble of the machine, one more call is run at once when each worker has ended this many calls."""
MAX_TRIALS_PER_CALL = 250
"""Maximum number of trials in one call."""


class ExecutorLost(Exception):
    """The executor accepts no more work, or will never answer."""


class TrialReturned(Exception):
    """A trial without an outcome that must be sent again.

    ``cause``: the error that ended the call. Only the first trial of the call has it. It is None for the other trials
    of the call, and for a trial that was not started because the call ended normally before.
    """

    def __init__(self, cause: BaseException | None = None, trials: int = 1) -> None:
        super().__init__(f"{cause} ({trials} trials were sent together)")
        self.cause, self.trials = cause, trials


class Pool:
    """The calls in flight on ``width`` workers.

    ``local``: the workers are threads that wait for local processes. ``alone``: there is one, and it is the thread that
    collects. To hand a short command to another thread takes a third of its time.
    """

    def __init__(
        self, executor: Executor, call: Callable[..., Any], *, width: int, local: bool, alone: bool = False
    ) -> None:
        self._executor, self._call, self.width, self._local, self._alone = executor, call, width, local, alone
        self._next: list[tuple[Future[Any], list[execute.Task]]] = []
        """The calls that ``collect`` is to make itself."""
        self._full_width, self._successes = width, 0
        self._flying: dict[Future[Any], list[Trial]] = {}
        self._began: dict[Future[Any], float] = {}
        self._done: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        self._pace = execute.MAX_CALL_SECONDS
        """Seconds per trial, as a moving average."""
        self._single_calls = 0
        """Number of calls that must still carry a single trial."""

    @property
    def empty(self) -> bool:
        return not self._flying

    @property
    def alive(self) -> bool:
        return execute.is_alive(self._executor)

    def next_call_size(self, certain: int, busy: int = 0) -> int:
        """Return the number of trials that the next call may carry; 0 if the workers have enough.

        ``busy``: number of workers that must stay idle, because other processes run trials for this run.

        A call carries several trials if trials are short and enough of them are ``certain`` to be needed. Towards the
        end it carries fewer, so that all workers finish at the same time. With short trials, each worker gets a second
        call in reserve. Otherwise it would be idle while an answer travels back and the next call travels out.
        """
        several = min(self._load, certain // (4 * self.width))
        if len(self._flying) + busy < self.width * (2 if several > 1 else 1):
            return max(1, several)
        return 0

    @property
    def _load(self) -> int:
        """The number of trials that one call may carry at most.

        It is 1 for local workers, because sending local trials together would gain nothing.
        """
        if self._local or self._single_calls:
            return 1
        return max(1, min(MAX_TRIALS_PER_CALL, int(execute.MAX_CALL_SECONDS / max(self._pace, 1e-6))))

    def submit(self, trials: list[Trial], places: list[Path]) -> None:
        tasks = [(realise(trial.candidate), trial.seed, place) for trial, place in zip(trials, places, strict=True)]
        try:
            future = Future() if self._alone else self._executor.submit(self._call, tasks)
        except Exception as error:  # each executor raises its own error when it is gone
            if lacks_thread(error):
                raise no_thread() from error
            raise ExecutorLost from error
        self._single_calls = max(0, self._single_calls - 1)
        self._flying[future], self._began[future] = trials, time.monotonic()
        future.add_done_callback(self._done.put)
        if self._alone:
            self._next.append((future, tasks))

    def collect(
        self, patience: float = TICK, meanwhile: Callable[[], None] = lambda: None
    ) -> list[tuple[Trial, BaseException | None]]:
        """Wait until a trial ends or ``wake`` is called, but at most ``patience`` seconds for the first.

        Return the ended trials, each with its error or None. Raise ExecutorLost if none ended and the executor is dead.
        A trial that runs in this thread is waited for: ``meanwhile`` is called again and again, and may end it.
        """
        while self._next:
            self._run_here(*self._next.pop(), meanwhile)
        ended: list[Future[Any] | None] = []
        with contextlib.suppress(queue.Empty):
            ended.append(self._done.get(timeout=patience))
            now = time.monotonic()
            while True:
                ended.append(self._done.get(timeout=self._grace(ended, now)))
        if not ended and not self.alive:
            self._flying.clear()
            self._began.clear()
            raise ExecutorLost
        return [result for future in ended if future is not None for result in self._results(future)]

    def _run_here(self, future: Future[Any], tasks: list[execute.Task], meanwhile: Callable[[], None]) -> None:
        before = process.MEANWHILE.set(meanwhile)
        try:
            future.set_result(self._call(tasks))
        except BaseException as error:
            future.set_exception(error)
        finally:
            process.MEANWHILE.reset(before)

    def _grace(self, ended: list[Future[Any] | None], since: float) -> float:
        """Return the seconds to wait for further trials, before the ended ones are returned.

        Only trials that began together with the first of ``ended`` are waited for. ``since``: the time at which this
        first one ended.
        """
        first = ended[0]
        if first is None or None in ended:
            return 0.0
        allowed = min(1.0, GRACE_SHARE * (since - self._began[first]))
        late = self._began[first] + allowed
        waiting = any(start <= late and not future.done() for future, start in self._began.items())
        return max(0.0, since + allowed - time.monotonic()) if waiting else 0.0

    def _results(self, future: Future[Any]) -> list[tuple[Trial, BaseException | None]]:
        trials, _ = self._flying.pop(future), self._began.pop(future)
        try:
            returned: execute.Results = future.result()
        except (Exception, CancelledError, KeyboardInterrupt) as error:
            if len(trials) == 1 or isinstance(error, RootwardError | BrokenExecutor | KeyboardInterrupt):
                return [(trial, error) for trial in trials]
            self._single_calls = len(trials)
            return [
                (trial, TrialReturned(None if number else error, len(trials))) for number, trial in enumerate(trials)
            ]
        self._widen()
        results = [result for result in returned if result is not None]
        self._pace = (self._pace + sum(seconds for _, seconds in results) / len(results)) / 2
        done = [trial.finish(*result) for trial, result in zip(trials, results, strict=False)]
        problem = TrialReturned() if len(results) == len(returned) else KeyboardInterrupt()
        return [*((trial, None) for trial in done), *((trial, problem) for trial in trials[len(done) :])]

    def narrow(self) -> None:
        """Run half as many calls at once from now on, because the machine is in trouble."""
        self.width, self._successes = max(1, self.width // 2), 0

    def _widen(self) -> None:
        """Run one more call at once if enough calls have ended well since the width was last changed."""
        self._successes += 1
        if self.width < self._full_width and self._successes >= CALLS_BEFORE_WIDENING * self.width:
            self.width, self._successes = self.width + 1, 0

    def wake(self) -> None:
        """Make ``collect`` return; safe to call in a signal handler."""
        self._done.put(None)

    def abort(self) -> None:
        """Kill the running trials. More than one attempt is made, because a trial may be about to start its process."""
        end = time.monotonic() + 5.0
        for future in self._flying:
            future.cancel()
        while True:
            process.kill_all()
            if not self._local or not wait(self._flying, timeout=0.05).not_done or time.monotonic() > end:
                return


def reason_of(problem: BaseException) -> str:
    """Return the reason for a worker's death, in one line."""
    if type(problem).__name__ == "KilledWorker":  # Dask's text is about its own retries
        return "its process ended"
    return f"{type(problem).__name__}: {problem}".splitlines()[0][:300]
