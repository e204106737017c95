"""Where the trials of a lab run and what they leave there: workers, a store and a folder, given back together."""

from __future__ import annotations

import contextlib
import tempfile
import uuid
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from rootward.lab import execute
from rootward.lab.pool import Pool
from rootward.space.candidate import realise
from rootward.store.store import Store
from rootward.store.trial import Trial
from rootward.subjects import Subject, process


class Site:
    """Open from the start; ``close`` gives all of it back but for a store that it was given open."""

    def __init__(
        self, subject: Subject, *, jobs: int, executor: Executor | None, store: Store | str | Path | None
    ) -> None:
        self._subject, self._jobs = subject, jobs
        self._cleanup = contextlib.ExitStack()
        self._session = uuid.uuid4().hex[:8]
        self.pool = self._open_pool(executor)
        self.store = self._open_store(store)
        self.folder = self._open_folder()

    def close(self) -> None:
        self._cleanup.close()

    def place(self, trial: Trial, run: int | None) -> Path:
        """Where a trial puts its files. Another run of the same candidate keeps its own, and so does another process
        with the same run."""
        return self.folder / f"{run or 0}-{self._session}" / f"{trial.key}-{trial.attempt}"

    def by_hand(self, trial: Trial, run: int | None) -> str:
        """What a person types to run a trial; the files that it needs are there as long as this person needs them."""
        place = self.place(trial, run) if self.store else Path(tempfile.mkdtemp(prefix="rootward-"), "failing")
        text = self._subject.by_hand(realise(trial.candidate), seed=trial.seed, place=place)
        with contextlib.suppress(OSError):
            place.parent.rmdir()  # if nothing had to be put there
        return text

    def _open_pool(self, executor: Executor | None) -> Pool | None:
        """None: trials run in the thread of the lab."""
        if executor is not None:
            call = partial(execute.remote, execute.pack(self._subject))
            return Pool(executor, call, width=execute.width_of(executor, self._jobs), local=False)
        if self._subject.inline:
            return None
        self._cleanup.callback(process.sweep)
        threads = self._cleanup.enter_context(execute.threads(self._jobs))
        return Pool(threads, partial(execute.several, self._subject), width=self._jobs, local=True)

    def _open_store(self, store: Store | str | Path | None) -> Store | None:
        if store is None or isinstance(store, Store):
            return store
        opened = Store(store)
        self._cleanup.callback(opened.close)
        return opened

    def _open_folder(self) -> Path:
        """Where trials put their files: beside the store's, or somewhere until it closes."""
        if self.store is not None and self.store.path is not None:
            return self.store.path.parent / "trials"
        return Path(self._cleanup.enter_context(tempfile.TemporaryDirectory(prefix="rootward-")))
