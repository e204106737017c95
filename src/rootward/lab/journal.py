"""What a run writes down, and reads back when it is run again.

A trial counts as finished only when it is in the store. Committing takes longer than many trials do, so those that take
next to no time are gathered for a moment and committed together; if the next one takes long, by the run's pulse, which
beats meanwhile. Without a store, everything is as good as saved; then the journal itself keeps what a report will want
to show, as long as that is not too much.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.errors import StoreError
from rootward.lab.pulse import Pulse, Stand
from rootward.search.evidence import Evidence, Row
from rootward.space.candidate import key_of
from rootward.space.keys import key
from rootward.store.store import RunRecord, Store, exported
from rootward.store.trial import Trial
from rootward.subjects import Subject

GROUP = 0.05
"""Seconds for which trials that take next to no time are gathered."""
KEPT = 1_000_000
"""Maximum number of values of candidates that are kept where there is no store."""


class Journal:
    """The store's page for one run."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._record: RunRecord | None = None
        self._subject = ""
        self._settings: dict[str, Any] = {}
        self._title = ""
        self._kept: list[Trial] = []
        self._room = KEPT
        self._unsaved: list[Trial] = []
        self._saved: list[Trial] = []  # by the pulse, and not yet told by ``save``
        self._writing = threading.Lock()
        self._lost = False
        self._saved_at = time.monotonic()

    @property
    def run(self) -> int | None:
        """The run's number in the store."""
        return self._record.id if self._record else None

    @property
    def seconds(self) -> float:
        """How long earlier sessions of this run took."""
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
        """Begin the run, or go on with the same one, whatever its title. A subject that the seed reaches is another one
        for each seed."""
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

    def pulse(self) -> Pulse:
        """The run's sign of life, once it is open; to be ended before the run is."""
        return Pulse(self._store, self.run, self._save_meanwhile)

    def known(self) -> Iterator[tuple[Trial, bool]]:
        """All that is known of the subject, each trial with whether this very run paid for it."""
        if self._store is not None and self._record is not None:
            for trial, run in self._store.known(self._subject, self._record.epoch):
                yield trial, run == self._record.id

    def evidence(self, seconds: float) -> Evidence:
        """The run as a report tells of it."""
        told = Evidence(self._title, self._settings, seconds=seconds, trials=self._remembered)
        if self._store is None or self._record is None:
            return told
        return replace(
            told,
            store=str(self._store),
            run=self._record.id,
            started=self._record.started,
            trials=partial(self._store.evidence, self._record),
        )

    def _remembered(self) -> Iterator[Row]:
        return map(exported, self._kept)

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
    def due(self) -> bool:
        """Whether what was gathered should be saved now, if more is to come soon."""
        return time.monotonic() - self._saved_at > GROUP

    def save(self) -> list[Trial]:
        """Commit what was added; the trials that are safe by that. StoreError, once, if the store is gone for good."""
        with self._writing:
            if self._lost or not (self._unsaved or self._saved):
                return []
            self._saved_at = time.monotonic()
            if self._store is not None and self._unsaved:
                self._do(lambda store, record: store.add_trials(record, self._subject, self._unsaved))
            trials, self._saved, self._unsaved = self._saved + self._unsaved, [], []
        return trials

    def _save_meanwhile(self) -> bool:
        """The same from another thread, while a trial goes on; whether there was anything. A store that is gone is for
        ``save`` to meet."""
        with self._writing:
            if self._lost or self._store is None or self._record is None or not self._unsaved:
                return False
            self._store.add_trials(self._record, self._subject, self._unsaved, wait=False)
            self._saved, self._unsaved = self._saved + self._unsaved, []
        return True

    def end(self, status: str, stand: Stand | None) -> None:
        """Write down how the run ended. Its best finding so far is kept unless there is a final one."""

        def work(store: Store, record: RunRecord) -> None:
            known: dict[str, Any] = {}
            if stand is not None:
                known = {"seconds": stand.progress.seconds, "progress": stand.figures}
            if stand is not None and stand.best is not None:
                store.add_finding(record.id, stand.best.to_dict())
                known |= {"best": str(stand.best), "partial": {}}
            store.update(record.id, status=status, **known)

        if self._record is not None and not self._lost:
            self._do(work)

    def _do(self, work: Callable[[Store, RunRecord], None]) -> None:
        assert self._store is not None
        assert self._record is not None
        try:
            work(self._store, self._record)
        except StoreError as error:
            self._lost = True
            unsaved = f"; {len(self._unsaved)} finished trials could not be saved" if self._unsaved else ""
            raise StoreError(f"{error}{unsaved}") from error
