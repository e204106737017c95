"""The lab runs searches: it is the only driver.

``Run`` decides which trials a search needs next, ``Site`` is where they run, and ``Journal`` stores them; the lab moves
trials between the three and sends events to its listener. Three laws hold, each with a conformance test that every
search must pass:

1. Parallelism changes the time, never the answer.
2. Every question carries the best answer so far: a budget, Ctrl-C or a dead cluster yields a valid partial finding.
3. Resume is replay: the same run, started again, asks the same questions, and stored trials answer at once.
"""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

from rootward.errors import InputError, MachineTrouble, NotReproduced, RootwardError, StoreError
from rootward.lab import execute
from rootward.lab.budget import Budget
from rootward.lab.events import (
    BestChanged,
    Draining,
    Event,
    Paused,
    Progress,
    RunFinished,
    RunStarted,
    TrialFinished,
    TrialKilled,
    TrialRetried,
    TrialStarted,
)
from rootward.lab.interrupts import Interrupts
from rootward.lab.journal import Journal
from rootward.lab.pool import TICK, ExecutorLost, Pool, TrialReturned, reason_of
from rootward.lab.pulse import Snapshot
from rootward.lab.run import Run
from rootward.lab.site import Site
from rootward.search.ask import R, Search
from rootward.search.finding import Finding
from rootward.search.repeat import Once, Policy, Repeat
from rootward.space.candidate import key_of, realise
from rootward.store.flights import Flights
from rootward.store.store import Store
from rootward.store.trial import Name, Trial, seed_of
from rootward.subjects import Subject
from rootward.subjects.function import as_subject, outcome_of
from rootward.verdict import UNRESOLVED, Outcome, Verdict

MAX_DEATHS = 5
"""Number of times that a worker must die of a trial before the candidate is blamed."""
MAX_TRIES = 7
"""Maximum number of times that trials are started while the machine is in trouble."""
FIRST_PAUSE = 0.5
"""Seconds without new trials after trouble of the machine. If there is trouble again before a trial has ended well, the
pause is twice as long: half a minute in total."""
MAX_RUNS_WITHOUT_HINT = 5
"""If a failure was not seen in this many runs or fewer, a message says how to look for a rare one."""


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
        trials: int | None = None,
        seconds: float | None = None,
        repeat: Policy | str | None = None,
        seed: int = 0,
        on_event: Callable[[Event], None] | None = None,
        fresh: bool = False,
        name: str = "",
        command: str = "",
    ) -> None:
        """The options are those of every verb; ``rootward.verbs.LabOptions`` documents them."""
        if jobs < 1 or jobs != int(jobs):
            raise InputError(f"jobs = {jobs!r}: expected a whole number, 1 or more")
        self.subject = as_subject(subject, isolate=jobs > 1 and executor is None)
        self.jobs, self.budget, self.seed = jobs, Budget.of(budget, trials, seconds), seed
        self.repeat = Repeat.parse(repeat) if isinstance(repeat, str) else repeat or Once()
        self._listener, self._fresh = on_event, fresh
        self._name, self._command = name, command
        self._site = Site(self.subject, jobs=jobs, executor=executor, store=store)
        self._pool, self.store = self._site.pool, self._site.store
        self._run: Run[Any] | None = None
        self._journal, self._clock = Journal(None), time.monotonic()
        self._flights: Flights | None = None
        self._pulse = self._journal.pulse()
        self._interrupts = Interrupts(self._on_signal)

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release workers, files and connections."""
        if self._run is not None and not self._ended:
            self._end("unfinished", self._run.best)
        self._pulse.end()
        self._site.close()

    # Running a search

    def run(self, search: Search[Any, R], *, failing: object = None, name: str = "search", about: object = None) -> R:
        """Run the search until it ends, its budget is spent or Ctrl-C is pressed, whichever comes first.

        ``failing`` is run first: its failure is the one that the search is about. ``name`` and ``about`` (plain data)
        identify the run. If the same subject is run with the same ``name`` and ``about`` again, the run is resumed
        where it ended.
        """
        try:
            self.start(search, failing=failing, name=name, about=about)
            self._interrupts = Interrupts(self._on_signal)
            with self._interrupts:
                self._in_pool(self._pool) if self._pool else self._in_process()
            if self._error is not None:
                raise self._error
            return cast(R, self._finish())
        except NotReproduced as error:
            self._end("not reproduced")
            raise NotReproduced(f"{error}\n{self._how_to_reproduce(failing)}", error.passes) from None
        except BaseException:
            self._drain()
            self._end("error")
            raise

    def start(
        self, search: Search[Any, Any], *, failing: object = None, name: str = "search", about: object = None
    ) -> None:
        """Begin a run that the caller drives with ``ask`` and ``tell``."""
        self._clock = time.monotonic()
        self._error: RootwardError | None = None
        self._shown: object = None
        self._draining = self._ended = False
        self._held: list[Trial] = []
        """Trials that are run again after a pause, because the machine was in trouble."""
        self._pause_ends, self._pauses = 0.0, 0
        self._killed: set[Name] = set()
        """Trials that a signal ended once, perhaps from outside."""
        title = f"{name} {self._name}".rstrip()
        self._journal = Journal(self.store)
        self._journal.open(
            self.subject,
            title=title,
            name=name,
            about=about,
            failing=failing,
            seed=self.seed,
            repeat=str(self.repeat),
            fresh=self._fresh,
            command=self._command,
        )
        self._fresh = False  # the next run of this lab reuses what it has seen from here on
        self._pulse.end()
        self._flights = self._journal.flights()
        if self._flights is not None:
            self._flights.enter()
        self._elsewhere: dict[Name, Trial] = {}
        """Trials that other processes run at the moment."""
        self._pulse = self._journal.pulse(self._flights)
        self._pulse.start()
        seen = self._run.known_trials if self._run is not None and self.store is None else []
        known = [*self._journal.known_trials(), *((trial, False) for trial in seen)]
        self._run = Run(
            search,
            failing=failing,
            repeat=self.repeat,
            budget=self.budget,
            seed=self.seed,
            known=known,
            alike=getattr(self.subject, "alike", None),
        )
        self._pulse.watch(self._stand)
        self._emit(RunStarted, title, self._journal.run, len(known))
        self._take([])

    # By hand

    def ask(self) -> Trial | None:
        """Return the trial to run next, for a person who runs it by hand; None when the search has its finding.

        If it is called again before ``tell``, it returns further trials, up to ``jobs`` of them. After that, it returns
        the oldest trial without an outcome.
        """
        run = self._current_run()
        self._watch()
        if run.finished:
            return None
        flying = run.in_flight
        trial = run.next() if len(flying) < self.jobs else None
        return trial or (flying[0] if flying else None)

    def tell(self, trial: Trial, said: Outcome | Verdict) -> None:
        """Record the outcome of a trial that ``ask`` returned."""
        if trial.name not in {flying.name for flying in self._current_run().in_flight}:
            raise InputError(
                "no outcome is awaited for this trial: call tell() once for each trial that ask() returned"
            )
        outcome = outcome_of(said, "the bench")
        try:
            self._take([trial.finish(outcome, 0.0)])
        finally:
            self._save()

    @property
    def finding(self) -> Any:
        """The finding of the run, or the best one so far."""
        return self._finish() if self._current_run().finished and not self._ended else self._current_run().best

    def _current_run(self) -> Run[Any]:
        if self._run is None:
            raise InputError("the lab has no run: call start(search) first")
        return self._run

    # Driving

    def _in_process(self) -> None:
        """Run one trial after another, in this thread."""
        run, subject = self._current_run(), self.subject
        self._watch()
        while (trial := self._next_trial()) is not None or self._is_waiting:
            if trial is None:
                self._save()  # another process may wait for these trials
                self._sleep(self._flights.pause if self._flights else 0.0)
                self._look_elsewhere()
                continue
            self._emit(TrialStarted, trial)
            try:
                outcome, seconds = execute.run_timed(subject, realise(trial.candidate), trial.seed, self._site.folder)
            except KeyboardInterrupt:
                run.drop(trial)
                self._stop("interrupted")
                break
            except MachineTrouble as trouble:
                self._wait_for_machine(trial, trouble)
                self._sleep(self._pause_ends - time.monotonic())
                continue
            self._take([trial.finish(outcome, seconds)])
            if self._journal.is_due:
                self._save()
            self._watch()

    def _in_pool(self, pool: Pool) -> None:
        """Run as many trials at once as there are workers, and save each before its worker gets the next one."""
        self._watch()
        while True:
            while trials := self._next_call(pool):
                self._submit(pool, trials)
            if pool.empty and not self._is_waiting:
                return
            self._collect(pool)
            self._look_elsewhere()
            try:
                self._watch_trial()
            except KeyboardInterrupt:
                pool.abort()
                return

    def _next_call(self, pool: Pool) -> list[Trial]:
        """Return the trials to start now, together."""
        size = pool.next_call_size(self._current_run().certain_count, busy=len(self._elsewhere))
        if not size or time.monotonic() < self._pause_ends:
            return []
        return list(islice(iter(self._next_trial, None), 1 if self._held else size))

    def _next_trial(self) -> Trial | None:
        """Return a trial to start now, first those that met trouble of the machine; None if there is none.

        Trials that another process is running are awaited, not run. No more are awaited than could run here at once, so
        that no more trials are run ahead than without the other process.
        """
        run = self._current_run()
        if run.finished or self._error is not None:
            return None
        if self._held:
            return self._held.pop(0)
        most = self._pool.width if self._pool else 1
        while len(self._elsewhere) < most and (trial := run.next()) is not None:
            if self._flights is None or self._flights.claim(trial):
                return trial
            self._elsewhere[trial.name] = trial
        return None

    @property
    def _is_waiting(self) -> bool:
        """True if trials are still to come, although none can be started now."""
        run = self._current_run()
        return not run.finished and self._error is None and bool(self._held or self._elsewhere)

    def _look_elsewhere(self) -> None:
        """Take trials that other processes have stored meanwhile; run those that are given up there."""
        if self._flights is None or not self._elsewhere or self._current_run().finished:
            return
        with self._stop_if_store_is_lost():
            for trial, number in self._flights.fetch(self._elsewhere):
                self._elsewhere.pop(trial.name, None)
                self._current_run().learn(trial, number == self._journal.run)
        for name, trial in list(self._elsewhere.items()):
            if self._flights.is_free(trial) and self._flights.claim(trial):
                self._held.append(self._elsewhere.pop(name))
        self._take([])

    def _submit(self, pool: Pool, trials: list[Trial]) -> None:
        try:
            pool.submit(trials, [self._site.place(trial, self._journal.run) for trial in trials])
        except MachineTrouble as trouble:
            for trial in trials:
                self._wait_for_machine(trial, trouble)
        except ExecutorLost:
            for trial in trials:
                self._current_run().drop(trial)
            self._stop("executor lost")
        else:
            for trial in trials:
                self._emit(TrialStarted, trial)

    def _collect(self, pool: Pool) -> None:
        try:
            patience = self._flights.pause if self._flights and self._elsewhere else TICK
            ended = pool.collect(patience, self._watch_trial)
        except ExecutorLost:
            self._stop("executor lost")
            return
        try:
            whole, killed = self._separate_killed([trial for trial, problem in ended if problem is None])
            self._take(whole)
            for trial in killed:
                self._run_again(pool, trial)
            blamed = [self._handle_problem(pool, trial, problem) for trial, problem in ended if problem is not None]
            self._take([trial for trial in blamed if trial is not None], keep=False)
        except NotReproduced as error:  # ends the run, but only after the running trials have ended
            self._error = error
        self._save()

    def _drain(self) -> None:
        """Save the trials that still end after the search or the listener has raised. No events are sent."""
        self._listener = None
        while self._pool is not None and not self._pool.empty and not self._interrupts.count:
            try:
                ended = [trial for trial, problem in self._pool.collect() if problem is None]
                self._journal.add(self._separate_killed(ended)[0])
            except ExecutorLost:
                return

    def _handle_problem(self, pool: Pool, trial: Trial, problem: BaseException) -> Trial | None:
        """Handle a trial that ended without an outcome: retry it, or stop the run.

        If a worker dies, the candidate is not blamed at first. If workers die of it again and again, the trial is
        returned as UNRESOLVED.
        """
        if isinstance(problem, TrialReturned):
            self._send_again(pool, trial, problem)
        elif isinstance(problem, MachineTrouble):
            pool.narrow()
            self._wait_for_machine(trial, problem)
        elif isinstance(problem, RootwardError):
            self._error = self._error or problem
        elif isinstance(problem, KeyboardInterrupt):  # Ctrl-C reaches the processes of a pool, too
            self._stop("interrupted")
        elif isinstance(problem, BrokenExecutor) or not pool.alive:
            self._stop("executor lost")
        elif trial.tries >= MAX_DEATHS:
            died = f"the worker died {trial.tries} times ({reason_of(problem)})"
            return trial.finish(Outcome(UNRESOLVED, detail=died), 0.0)
        elif not self._current_run().finished:
            self._emit(TrialRetried, trial, reason_of(problem))
            self._submit(pool, [replace(trial, tries=trial.tries + 1)])
        return None

    def _separate_killed(self, ended: list[Trial]) -> tuple[list[Trial], list[Trial]]:
        """Return the trials whose outcome counts, and those that a signal ended, perhaps from outside.

        If a trial is ended in the same way again, its program does that itself. The failure that the search is about is
        believed at once: otherwise, one that does not occur every time would seem rarer than it is.
        """
        whole, killed = [], []
        for trial in ended:
            outcome = trial.outcome
            assert outcome is not None
            if not outcome.killed:
                whole.append(trial)
            elif trial.name in self._killed or self._current_run().is_confirmed_failure(outcome):
                whole.append(replace(trial, outcome=replace(outcome, killed=False)))
            else:
                killed.append(trial)
        return whole, killed

    def _run_again(self, pool: Pool, trial: Trial) -> None:
        """Run a trial again that a signal has ended."""
        if self._current_run().finished:
            return
        self._killed.add(trial.name)
        self._emit(TrialKilled, trial)
        self._submit(pool, [replace(trial, outcome=None, seconds=0.0, tries=trial.tries + 1)])

    def _wait_for_machine(self, trial: Trial, trouble: MachineTrouble) -> None:
        """Run a trial again after a pause, because the machine was in trouble; after long trouble, stop the run."""
        run = self._current_run()
        if run.finished:
            return
        if time.monotonic() >= self._pause_ends:  # trials that met the same trouble at once count together
            self._pauses += 1
            self._pause_ends = time.monotonic() + FIRST_PAUSE * 2 ** (self._pauses - 1)
        if trouble.may_pass and max(self._pauses, trial.tries) < MAX_TRIES:
            self._held.append(replace(trial, tries=trial.tries + 1))
            self._emit(Paused, trial, str(trouble), self._pause_ends - time.monotonic())
        elif run.question.best is None:
            self._error = self._error or trouble
        else:
            warnings.warn(f"trials cannot be run any more: {trouble}", RuntimeWarning, stacklevel=2)
            self._stop("machine trouble")

    def _send_again(self, pool: Pool, trial: Trial, returned: TrialReturned) -> None:
        """Give a returned trial back to the run, as if it had never been sent.

        If the call was lost, one event reports it for all trials of the call.
        """
        if returned.cause is not None and not pool.alive:
            self._stop("executor lost")
        elif returned.cause is not None:
            self._emit(TrialRetried, trial, f"{reason_of(returned.cause)}; it was running {returned.trials} trials")
        self._current_run().drop(trial)

    def _sleep(self, seconds: float) -> None:
        """Wait, unless the run is to end."""
        end = time.monotonic() + seconds
        while not self._current_run().finished and (left := end - time.monotonic()) > 0:
            time.sleep(min(left, 0.1))
            self._watch()

    def _on_signal(self, count: int) -> None:
        if self._pool:
            self._pool.wake()
        elif count > 1:
            raise KeyboardInterrupt

    def _watch(self) -> None:
        """Stop the run if a reason outside of the search requires it: a signal, a request to stop, the time limit."""
        if self._interrupts.count:
            self._stop("interrupted")
        elif self._pulse.stop_asked:
            self._stop("asked to stop")
        elif self.budget.seconds is not None and self._seconds() > self.budget.seconds:
            self._stop("budget")

    def _watch_trial(self) -> None:
        """Stop the run if a reason requires it. Raise KeyboardInterrupt if the user does not wait for running trials.

        If the run is being stopped for another reason, the screen says that Ctrl-C ends the waiting.
        """
        waits = self._draining and self._current_run().stopped != "interrupted"
        self._watch()
        if self._interrupts.count > (0 if waits else 1):
            raise KeyboardInterrupt

    def _stop(self, reason: str) -> None:
        run = self._current_run()
        if not run.finished:
            run.stop(reason)
            self._announce_stop()

    # Taking, saving, telling

    def _take(self, trials: list[Trial], *, keep: bool = True) -> None:
        """Give the trials to the search. Without ``keep``, they are not stored: the next run tries them again."""
        if keep:
            self._journal.add(trials)
            self._pauses = 0 if trials else self._pauses
        else:
            for trial in trials:
                if self._flights is not None:
                    self._flights.give_up(trial)
                self._emit(TrialFinished, trial)
        run = self._current_run()
        for trial in trials:
            run.record(trial)
            if self._flights is not None:
                self._flights.learn_pace(trial)
        if self._listener and run.question is not self._shown:
            self._shown = run.question
            self._emit(BestChanged, run.best, run.note)
        self._announce_stop()

    def _save(self) -> None:
        """Commit the trials that are not committed yet, then report them as finished."""
        with self._stop_if_store_is_lost():
            for trial in self._journal.save():
                if self._flights is not None:
                    self._flights.give_up(trial)
                self._emit(TrialFinished, trial)

    def _finish(self) -> Any:
        """Return the finding, after all trials are saved."""
        self._save()
        finding = self._current_run().finding
        assert finding is not None
        finding = replace(finding, evidence=self._journal.evidence(self._seconds()))
        if (
            self._interrupts.count and finding.complete
        ):  # too late to change the answer, but the user expects a reaction
            finding = replace(finding, stopped="interrupted")
        self._end("complete" if finding.complete else finding.stopped or "unfinished", finding)
        self._emit(RunFinished, finding)
        return finding

    def _end(self, status: str, finding: Finding | None = None) -> None:
        self._ended = True
        self._save()
        self._pulse.end()
        with self._stop_if_store_is_lost():
            stand = Snapshot(self._progress(), self._run.note, finding) if self._run else None
            self._journal.end(status, stand)
        if self._flights is not None:
            self._flights.leave()  # after the journal, which waits for a database that is away

    @contextlib.contextmanager
    def _stop_if_store_is_lost(self) -> Any:
        """If the store is lost, warn and stop the run; the user still gets the finding so far."""
        try:
            yield
        except StoreError as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
            self._stop("store lost")

    def _announce_stop(self) -> None:
        run = self._current_run()
        if run.stopped and not self._draining:
            self._draining = True
            self._emit(Draining, run.stopped)

    def _seconds(self) -> float:
        return self._journal.seconds + time.monotonic() - self._clock

    def _emit(self, kind: Callable[..., Event], *facts: object) -> None:
        if self._listener is None:
            return
        self._listener(kind(*facts, self._progress()))

    def _progress(self) -> Progress:
        run = self._current_run()
        return Progress(
            executed=run.executed,
            running=len(run.in_flight),
            remembered=run.remembered,
            charged=run.charged,
            asked=run.asked,
            budget_trials=self.budget.trials,
            budget_seconds=self.budget.seconds,
            seconds=self._seconds(),
        )

    def _stand(self) -> Snapshot:
        """Return the current state of the run. Any thread may call this, because only single values are read."""
        return Snapshot(self._progress(), self._current_run().note, self._current_run().best)

    def _how_to_reproduce(self, failing: object) -> str:
        name = key_of(failing)
        trial = Trial(failing, name, 0, seed_of(self.seed, name, 0))
        rarely = "\nIf it fails only sometimes, use --flaky yes (in Python: flaky=True)."
        again = "" if self.repeat.limit > MAX_RUNS_WITHOUT_HINT else rarely
        return f"Run it by hand with:\n  {self._site.by_hand(trial, self._journal.run)}{again}"
