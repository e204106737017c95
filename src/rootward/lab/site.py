"""The site of a lab: the workers, the store and the folder for the files of trials, released together."""

from __future__ import annotations

import contextlib
import tempfile
import uuid
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from rootward.formats.ownership import discard_if_empty, hold, make_kept_folder, temporary_folder
from rootward.lab import execute
from rootward.lab.pool import Pool
from rootward.space.candidate import realise
from rootward.store.store import Store
from rootward.store.trial import Trial
from rootward.subjects import Subject
from rootward.subjects.judge import discard_ready_output
from rootward.subjects.machine import check_room, limit_jobs

TRIALS = "trials"
"""The folder beside the store for the files of trials."""
LOCK_ENDING = ".lock"
"""The ending of the file that a session keeps locked in this folder."""


class Site:
    """The workers, the store and the folder of a lab, open from the start.

    ``close`` does not close a ``Store`` that was passed in.
    """

    def __init__(
        self, subject: Subject, *, jobs: int, executor: Executor | None, store: Store | str | Path | None
    ) -> None:
        self._subject, self._jobs = subject, jobs
        self._session = uuid.uuid4().hex[:8]
        with contextlib.ExitStack() as self._cleanup:
            self.store = self._open_store(store)
            self.folder = self._open_folder()
            self.pool = self._open_pool(executor)
            self._cleanup = self._cleanup.pop_all()

    def close(self) -> None:
        self._cleanup.close()

    def place(self, trial: Trial, run: int | None) -> Path:
        """Return the folder for the files of a trial.

        No other trial of the same candidate uses this folder, nor does another process with the same run.
        """
        return self.folder / f"{run or 0}-{self._session}" / f"{trial.key}-{trial.attempt}"

    def by_hand(self, trial: Trial, run: int | None) -> str:
        """Return the command that runs a trial by hand.

        The files that the command needs are kept after the lab is closed.
        """
        place = self.place(trial, run) if self.store else make_kept_folder() / "failing"
        text = self._subject.by_hand(realise(trial.candidate), seed=trial.seed, place=place)
        discard_if_empty(place.parent)
        return text

    def _open_pool(self, executor: Executor | None) -> Pool | None:
        """Return the pool of workers; None if trials run in the thread of the lab."""
        if executor is not None:
            call = partial(execute.run_packed, execute.pack(self._subject))
            return Pool(executor, call, width=execute.width_of(executor, self._jobs), local=False)
        if self._subject.inline:
            return None
        check_room(tempfile.gettempdir())
        jobs = limit_jobs(self._jobs)
        threads = self._cleanup.enter_context(execute.thread_pool(jobs))
        alone = jobs == 1 and getattr(self._subject, "calls_meanwhile", False)
        if alone:  # other threads end with the pool
            self._cleanup.callback(discard_ready_output)
        return Pool(threads, partial(execute.run_several, self._subject), width=jobs, local=True, alone=alone)

    def _open_store(self, store: Store | str | Path | None) -> Store | None:
        if store is None or isinstance(store, Store):
            return store
        opened = Store(store)
        self._cleanup.callback(opened.close)
        return opened

    def _open_folder(self) -> Path:
        """Return the folder for the files of trials.

        It lies beside the store. Without a store on disk, it is a temporary folder that is removed when the site is
        closed.
        """
        if self.store is None or self.store.path is None:
            return self._cleanup.enter_context(temporary_folder())
        folder = self.store.path.parent / TRIALS
        if not self._subject.inline:  # others leave no files
            with contextlib.suppress(OSError):
                folder.mkdir(exist_ok=True)
            self._cleanup.callback(discard_if_empty, folder)
            self._cleanup.enter_context(hold(folder / f"{self._session}{LOCK_ENDING}"))
        return folder
