"""The lab runs searches. It is the only driver, and the only place that knows of executors, the store and the clock.

What a search needs next is ``Run``'s business (run.py); the lab carries trials to workers and their outcomes to the
store and back. Three laws, each with a conformance test that every search must pass:

1. Parallelism changes the time, never the answer.
2. Every question carries the best answer so far: a budget, Ctrl-C or a dead cluster yields a valid partial finding.
3. Resume is replay: the same run again asks the same questions, and stored trials answer at once.
"""

from __future__ import annotations

import contextlib
import queue
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from rootward import execute
from rootward.candidate import key_of, realise
from rootward.errors import InputError, NotReproduced, RootwardError, StoreError
from rootward.events import (
    BestChanged,
    Draining,
    Event,
    Progress,
    RunFinished,
    RunStarted,
    TrialFinished,
    TrialRetried,
    TrialStarted,
)
from rootward.finding import Finding
from rootward.keys import key
from rootward.repeat import Once, Policy
from rootward.run import Budget, Run
from rootward.search import R, Search
from rootward.store import RunRecord, Store
from rootward.subjects import Subject, process
from rootward.subjects.function import Function
from rootward.trial import Trial, seed_of
from rootward.verdict import UNRESOLVED, Outcome, Verdict

GROUP = 0.05
"""Seconds for which trials that take next to no time are gathered into one commit."""


class Lab:
    """Runs searches on one subject. Use it as a context manager, or call ``close``."""

    def __init__(
        self,
        subject: Subject | Callable[..., Any],
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        store: Store | str | Path | None = None,
        budget: int | Budget | None = None,
        repeat: Policy | None = None,
        seed: int = 0,
        on_event: Callable[[Event], None] | None = None,
        fresh: bool = False,
    ) -> None:
        if jobs < 1:
            raise InputError(f"jobs must be at least 1, not {jobs}")
        self.subject = _as_subject(subject, isolate=jobs > 1 and executor is None)
        self.budget, self.repeat, self.seed = Budget.of(budget), repeat or Once(), seed
        self._tell, self._fresh = on_event, fresh
        self._cleanup = contextlib.ExitStack()
        self._executor = self._open_executor(executor, jobs)
        self._width = execute.width_of(self._executor, jobs) if self._executor else 1
        self.store = self._open_store(store)
        self._record: RunRecord | None = None
        self._run: Run[Any] | None = None

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back workers, files and connections."""
        self._cleanup.close()

    # Running a search

    def run(self, search: Search[Any, R], *, failing: object = None, name: str = "search", about: object = None) -> R:
        """Run the search to its end, its budget's end or Ctrl-C, whichever comes first.

        ``failing`` is run first: its failure is what the search is about. ``name`` and ``about`` (plain data) say what
        is being run: the same again, on the same subject, goes on where it was left.
        """
        drive = self._in_pool if self._executor else self._in_process
        try:
            self.start(search, failing=failing, name=name, about=about)
            with self._signals():
                drive()
            return cast(R, self._finish())
        except NotReproduced as error:
            self._close_run("not reproduced")
            raise NotReproduced(self._how_to_reproduce(error, failing)) from None
        except BaseException:
            self._close_run("error")
            raise

    def start(
        self, search: Search[Any, Any], *, failing: object = None, name: str = "search", about: object = None
    ) -> None:
        """Begin a run without driving it: for ``ask`` and ``tell``."""
        self._clock = self._saved_at = self._updated_at = time.monotonic()
        self._spent_before = 0.0
        self._unsaved: list[Trial] = []
        self._shown: object = None
        self._error: RootwardError | None = None
        self._interrupts = 0
        self._lost = self._closed = self._draining = False
        self._done: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        known = list(self._recall(name, about, failing))
        self._run = Run(search, failing=failing, repeat=self.repeat, budget=self.budget, seed=self.seed, known=known)
        self._emit(RunStarted, name, self._record.id if self._record else None, len(known))
        self._take([])

    # By hand

    def ask(self) -> Trial | None:
        """The trial to run next, for someone who runs it by hand; None when the search has its finding.

        Asking again before telling gives the next trial as long as ``jobs`` allows, then the oldest untold one.
        """
        run = self._started()
        if run.finished:
            return None
        flying = run.flying
        trial = run.next() if len(flying) < max(1, self._width) else None
        return trial or (flying[0] if flying else None)

    def tell(self, trial: Trial, said: Outcome | Verdict) -> None:
        """What came out of a trial that ``ask`` gave."""
        self._started()
        outcome = said if isinstance(said, Outcome) else Outcome(said)
        try:
            self._take([trial.done(outcome, 0.0)])
        finally:
            self._save()

    @property
    def finding(self) -> Any:
        """The finding of the run, or the best one so far."""
        run = self._started()
        return self._finish() if run.finished and not self._closed else self._best()

    def _best(self) -> Any:
        """The finding, or the best one so far, which does not claim to be final."""
        run = self._started()
        return run.best if run.finished or run.best is None else replace(run.best, complete=False)

    def _started(self) -> Run[Any]:
        if self._run is None:
            raise InputError("nothing is being run: call start(search) first")
        return self._run

    # Drivers

    def _in_process(self) -> None:
        """One trial after another, in this thread."""
        run, subject = self._started(), self.subject
        self._watch()
        while (trial := run.next()) is not None:
            self._emit(TrialStarted, trial)
            try:
                outcome, seconds = execute.timed(subject, realise(trial.candidate), trial.seed, self._folder)
            except KeyboardInterrupt:
                run.drop(trial)
                self._stop("interrupted")
                break
            self._take([trial.done(outcome, seconds)])
            if self.store is None or time.monotonic() - self._saved_at > GROUP:
                self._save()
            self._watch()

    def _in_pool(self) -> None:
        """As many trials at once as there are workers; saved before a worker gets the next one."""
        run = self._started()
        self._flying: dict[Future[Any], Trial] = {}
        self._watch()
        while True:
            while self._error is None and len(self._flying) < self._width and (trial := run.next()) is not None:
                self._submit(trial)
            if not self._flying:
                return
            try:
                self._collect()
            except NotReproduced as error:  # ends the run, but not before what is running has come home
                self._error = error
            self._watch()
            if self._interrupts > 1:
                self._abort()
                return

    def _abort(self) -> None:
        """Do not wait for what is running. A trial may be about to start its process just now: try more than once."""
        end = time.monotonic() + 5.0
        while True:
            process.kill_all()
            if not self._local or not wait(self._flying, timeout=0.05).not_done or time.monotonic() > end:
                return

    def _submit(self, trial: Trial) -> None:
        assert self._executor is not None
        try:
            future = self._executor.submit(self._call, realise(trial.candidate), trial.seed, self._place(trial))
        except Exception:  # executors raise what they like when they are no longer there
            self._started().drop(trial)
            self._stop("executor lost")
            return
        self._flying[future] = trial
        future.add_done_callback(self._done.put)
        self._emit(TrialStarted, trial)

    def _collect(self) -> None:
        """Wait for a trial to end, or for a signal; take all that have ended."""
        ended = []
        with contextlib.suppress(queue.Empty):
            ended.append(self._done.get(timeout=0.5))
            while True:
                ended.append(self._done.get_nowait())
        if not ended and not execute.alive(self._executor):  # nothing more will come
            self._stop("executor lost")
            self._flying.clear()
        trials = [self._result(future) for future in ended if future is not None]
        self._take([trial for trial in trials if trial is not None])
        self._save()

    def _result(self, future: Future[Any]) -> Trial | None:
        """The trial with its outcome; None if it has to be started once more, or was given up."""
        trial = self._flying.pop(future)
        try:
            return trial.done(*future.result())
        except RootwardError as error:
            self._error = self._error or error
        except BrokenExecutor:
            self._stop("executor lost")
        except KeyboardInterrupt:  # Ctrl-C reaches the processes of a pool, too
            self._stop("interrupted")
        except (Exception, CancelledError) as error:
            if not execute.alive(self._executor):
                self._stop("executor lost")
                return None
            reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
            if trial.tries > 1:
                return trial.done(Outcome(UNRESOLVED, detail=f"the worker died twice ({reason})"), 0.0)
            if not self._started().finished:
                self._emit(TrialRetried, trial, reason)
                self._submit(replace(trial, tries=2))
        return None

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM end the run in good order; a second one at once. Elsewhere than in the main thread, where
        Python delivers no signals, and under a handler of the caller's own, nothing changes."""
        ours = {}
        if threading.current_thread() is threading.main_thread():
            for number, default in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
                if signal.getsignal(number) == default:
                    ours[number] = signal.signal(number, self._on_signal)
        try:
            yield
        finally:
            for number, handler in ours.items():
                signal.signal(number, handler)

    def _on_signal(self, *_: object) -> None:
        self._interrupts += 1
        self._done.put(None)
        if self._interrupts > 1 and self._executor is None:
            raise KeyboardInterrupt

    def _watch(self) -> None:
        """Has the run to end for a reason that lies outside the search?"""
        if self._interrupts:
            self._stop("interrupted")
        elif self.budget.seconds is not None and self._seconds() > self.budget.seconds:
            self._stop("budget")

    def _stop(self, reason: str) -> None:
        run = self._started()
        if not run.finished:
            run.stop(reason)
            self._announce_stop()

    def _announce_stop(self) -> None:
        run = self._started()
        if run.stopped and not self._draining:
            self._draining = True
            self._emit(Draining, run.stopped)

    # Shared by the drivers

    def _take(self, trials: list[Trial]) -> None:
        self._unsaved += trials
        run = self._started()
        for trial in trials:
            run.record(trial)
        if run.question is not self._shown:
            self._shown = run.question
            self._emit(BestChanged, self._best(), run.note)
        self._announce_stop()

    def _save(self) -> None:
        """Commit what has not been committed; only then is it reported as finished."""
        if not self._unsaved:
            return
        self._saved_at = time.monotonic()
        if self._record and not self._to_store(self._commit, self._record):
            return
        trials, self._unsaved = self._unsaved, []
        for trial in trials:
            self._emit(TrialFinished, trial)

    def _commit(self, store: Store, record: RunRecord) -> None:
        store.add_trials(record, self._subject_key, self._unsaved)
        if self._saved_at - self._updated_at > 1.0:
            self._updated_at = self._saved_at
            store.update(record.id, seconds=self._seconds(), best=str(self._best() or ""))

    def _to_store(self, work: Callable[[Store, RunRecord], None], record: RunRecord) -> bool:
        """Do something with the store. If it is gone for good, the run ends, with a warning of what that means."""
        if self.store is None or self._lost:
            return False
        try:
            work(self.store, record)
        except StoreError as error:
            self._lost = True
            unsaved = f"; {len(self._unsaved)} finished trials could not be saved" if self._unsaved else ""
            warnings.warn(f"{error}{unsaved}", RuntimeWarning, stacklevel=2)
            self._stop("store lost")
        return not self._lost

    def _finish(self) -> Any:
        """The finding, once what was paid for is safe."""
        if self._error is not None:
            raise self._error
        self._save()
        finding = self._started().finding
        assert finding is not None
        self._closed = True
        self._close_run("complete" if finding.complete else finding.stopped or "unfinished", finding)
        self._emit(RunFinished, finding)
        return finding

    def _close_run(self, status: str, finding: Finding | None = None) -> None:
        def work(store: Store, record: RunRecord) -> None:
            store.update(record.id, seconds=self._seconds(), status=status, best=str(finding or ""))
            if finding is not None:
                store.add_finding(record.id, finding.to_dict())

        self._save()
        if self._record:
            self._to_store(work, self._record)

    def _seconds(self) -> float:
        return self._spent_before + time.monotonic() - self._clock

    def _emit(self, kind: Callable[..., Event], *facts: object) -> None:
        if self._tell is None:
            return
        run = self._started()
        progress = Progress(
            executed=run.executed,
            running=len(run.flying),
            remembered=run.remembered,
            charged=run.charged,
            asked=run.asked,
            budget_trials=self.budget.trials,
            budget_seconds=self.budget.seconds,
            seconds=self._seconds(),
        )
        self._tell(kind(*facts, progress))

    # Setting up

    def _open_executor(self, executor: Executor | None, jobs: int) -> Executor | None:
        self._local = executor is None
        if executor is not None:
            self._call: Callable[..., Any] = partial(execute.remote, execute.pack(self.subject))
            return executor
        if self.subject.inline:
            return None
        self._call = partial(execute.timed, self.subject)
        self._cleanup.callback(process.sweep)
        pool = execute.threads(jobs)
        self._cleanup.callback(pool.shutdown)
        return pool

    def _open_store(self, store: Store | str | Path | None) -> Store | None:
        if store is None or isinstance(store, Store):
            opened = store
        else:
            opened = Store(store)
            self._cleanup.callback(opened.close)
        if opened is not None and opened.path is not None:
            self._folder = opened.path.parent / "trials"
        else:
            self._folder = Path(self._cleanup.enter_context(tempfile.TemporaryDirectory(prefix="rootward-")))
        return opened

    def _recall(self, name: str, about: object, failing: object) -> Iterator[tuple[Trial, bool]]:
        """Find or begin the run in the store; what is known of the subject."""
        self._record = None
        if self.store is None:
            return
        identity = self.subject.identity + (f" seed {self.seed}" if self.subject.seeded else "")
        self._subject_key = key(identity)
        settings = {"subject": self.subject.identity, "seed": self.seed, "repeat": str(self.repeat), "about": about}
        self._record = self.store.open_run(
            key=key([identity, name, about, self.seed, str(self.repeat), None if failing is None else key_of(failing)]),
            subject=self._subject_key,
            name=name,
            settings=settings,
            fresh=self._fresh,
        )
        self._spent_before = self._record.seconds
        for trial, run in self.store.known(self._subject_key, self._record.epoch):
            yield trial, run == self._record.id

    def _place(self, trial: Trial) -> Path:
        run = str(self._record.id) if self._record else ""  # another run of the same candidate keeps its own files
        return self._folder / run / f"{trial.key}-{trial.attempt}"

    def _how_to_reproduce(self, error: NotReproduced, failing: object) -> str:
        name = key_of(failing)
        trial = Trial(failing, name, 0, seed_of(self.seed, name, 0))
        place = self._place(trial) if self.store else Path(tempfile.mkdtemp(prefix="rootward-"))
        text = self.subject.by_hand(realise(failing), seed=trial.seed, place=place)
        with contextlib.suppress(OSError):
            place.rmdir()  # if nothing had to be put there
        return f"{error}\nRun it by hand with:\n  {text}\nIf it fails only now and then, repeat it: see --repeat."


def _as_subject(subject: Subject | Callable[..., Any], *, isolate: bool) -> Subject:
    if not isinstance(subject, Subject):
        subject = Function(subject)
    return subject.isolate() if isolate and isinstance(subject, Function) else subject
