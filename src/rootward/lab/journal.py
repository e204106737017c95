"""The journal: everything that one run writes to the store, and reads back when it is run again.

Resume is replay, so the trials in the store are all the state that a run needs: a search that is started again asks the
same questions, and the stored trials (``known_trials``) answer them. To make that safe, a trial is reported as finished
only after it is committed: ``kill -9`` loses the trials in flight and nothing else.

A commit takes longer than many trials do, so short trials are committed in groups. ``add`` collects them, and the lab
calls ``save`` when it ``is_due``. If a long trial comes next, the lab is busy and cannot save, so the run's
pulse (``pulse.py``, another thread) commits the group meanwhile; the next ``save`` returns those trials, too, so that
they are reported from the thread of the lab.

If the store is lost for good, ``save`` raises StoreError once, and from then on nothing is written. Without a store,
every trial counts as saved at once, and the journal keeps the trials for the report, up to a limit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.errors import StoreError
from rootward.lab.pulse import Pulse, Snapshot
from rootward.search.evidence import Evidence, Row
from rootward.space.candidate import key_of
from rootward.space.keys import key
from rootward.store.flights import Flights
from rootward.store.rows import RunRecord, export_trial
from rootward.store.store import Store
from rootward.store.trial import Trial
from rootward.subjects import Subject
from rootward.words import count

GROUP_SECONDS = 0.05
"""Seconds for which short trials are collected before they are committed together."""
MAX_KEPT_VALUES = 1_000_000
"""Maximum number of values, summed over the kept candidates, when there is no store."""


class Journal:
    """The trials and the state of one run, in the store."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._record: RunRecord | None = None
        self._subject = ""
        self._settings: dict[str, Any] = {}
        self._title = ""
        self._kept: list[Trial] = []
        self._room = MAX_KEPT_VALUES
        self._unsaved: list[Trial] = []
        self._saved: list[Trial] = []  # saved by the pulse, and not yet returned by ``save``
        self._writing = threading.Lock()
        self._lost = False
        self._saved_at = time.monotonic()

    @property
    def run(self) -> int | None:
        """The run's number in the store."""
        return self._record.id if self._record else None

    @property
    def seconds(self) -> float:
        """Wall-clock time of earlier sessions of this run."""
        return self._record.seconds if self._record else 0.0

    def open(
        self,
        subject: Subject,
        *,
        title: str,
        name: str,
        about: object,
        failing: object,
        seed: int,
        repeat: str,
        fresh: bool,
        command: str,
    ) -> None:
        """Begin a run, or resume it if the store has the same run. The title does not count in this comparison.

        A subject that takes a seed counts as a different subject for each seed.
        """
        self._title = title
        self._settings = {"subject": subject.identity, "seed": seed, "repeat": repeat, "about": about}
        self._settings |= {"command": command} if command else {}
        if self._store is None:
            return
        identity = subject.identity + (f" seed {seed}" if subject.seeded else "")
        self._subject = key(identity)
        self._record = self._store.open_run(
            key=key([identity, name, about, seed, repeat, None if failing is None else key_of(failing)]),
            subject=self._subject,
            name=title,
            settings=self._settings,
            fresh=fresh,
        )

    def flights(self) -> Flights | None:
        """Return the claims of this run on trials; None without a store. Call this after ``open``."""
        if self._store is None or self._record is None:
            return None
        return Flights(self._store, self._subject, self._record.epoch)

    def pulse(self, flights: Flights | None = None) -> Pulse:
        """Return the thread that shows in the store that the run is alive.

        Call this after ``open``. The thread must be ended before the run is.
        """
        return Pulse(self._store, self.run, self._save_meanwhile, flights)

    def known_trials(self) -> Iterator[tuple[Trial, bool]]:
        """Yield all stored trials of the subject, each with a flag: True if this run paid for the trial."""
        if self._store is not None and self._record is not None:
            for trial, run in self._store.read_known(self._subject, self._record.epoch):
                yield trial, run == self._record.id

    def evidence(self, seconds: float) -> Evidence:
        """Return the run as the evidence of its finding."""
        evidence = Evidence(self._title, self._settings, seconds=seconds, trials=self._export_kept)
        if self._store is None or self._record is None:
            return evidence
        return replace(
            evidence,
            store=str(self._store),
            run=self._record.id,
            started=self._record.started,
            trials=partial(self._store.evidence, self._record),
        )

    def _export_kept(self) -> Iterator[Row]:
        return map(export_trial, self._kept)

    def add(self, trials: Sequence[Trial]) -> None:
        with self._writing:
            self._unsaved += trials
        if self._store is None:
            self._keep(trials)

    def _keep(self, trials: Sequence[Trial]) -> None:
        for trial in trials:
            self._room -= len(trial.candidate) if isinstance(trial.candidate, Sized) else 1
            if self._room >= 0:
                self._kept.append(trial)

    @property
    def is_due(self) -> bool:
        """True if the added trials should be saved now, even though more will come soon."""
        return time.monotonic() - self._saved_at > GROUP_SECONDS

    def save(self) -> list[Trial]:
        """Commit the added trials, and return all trials that are safe now.

        If the store is lost, raises StoreError the first time.
        """
        with self._writing:
            if self._lost or not (self._unsaved or self._saved):
                return []
            self._saved_at = time.monotonic()
            if self._store is not None and self._unsaved:
                self._write(lambda store, record: store.add_trials(record, self._subject, self._unsaved))
            trials, self._saved, self._unsaved = self._saved + self._unsaved, [], []
        return trials

    def _save_meanwhile(self) -> bool:
        """Commit the added trials from another thread, while a trial runs; return True if there were any.

        If the store is lost, the next ``save`` reports it.
        """
        with self._writing:
            if self._lost or self._store is None or self._record is None or not self._unsaved:
                return False
            self._store.add_trials(self._record, self._subject, self._unsaved, wait=False)
            self._saved, self._unsaved = self._saved + self._unsaved, []
        return True

    def end(self, status: str, stand: Snapshot | None) -> None:
        """Store how the run ended.

        If ``stand`` has no finding, the best finding stored so far stays.
        """

        def work(store: Store, record: RunRecord) -> None:
            known: dict[str, Any] = {}
            if stand is not None:
                known = {"seconds": stand.progress.seconds, "progress": stand.figures}
            if stand is not None and stand.best is not None:
                store.add_finding(record.id, stand.best.to_dict())
                known |= {"best": str(stand.best), "partial": {}}
            store.update(record.id, status=status, **known)

        if self._record is not None and not self._lost:
            self._write(work)

    def _write(self, work: Callable[[Store, RunRecord], None]) -> None:
        assert self._store is not None
        assert self._record is not None
        try:
            work(self._store, self._record)
        except StoreError as error:
            self._lost = True
            unsaved = f"; {count(len(self._unsaved), 'finished trial')} could not be saved" if self._unsaved else ""
            raise StoreError(f"{error}{unsaved}") from error
