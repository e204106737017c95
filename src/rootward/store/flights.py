"""Trials in flight: processes that need the same trial at the same time run it once, also on several machines.

A lab *claims* a trial in the store before it starts it. A lab whose trial is claimed by another one waits until the
store has the trial. A claim lasts as long as its owner lives: each lab has a row with a counter, which its pulse raises
every few seconds. An owner whose counter does not change for ``MAX_SILENCE`` seconds is dead; on the same machine, it
is dead as soon as its process is gone. The clocks of the machines are never compared.

A claim costs about as much as a short trial, so short trials are claimed only while another lab works on the same
subject, and very short ones never.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import threading
import time
import uuid
from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from rootward.store import schema
from rootward.store.database import dont_wait_for_disk, insert_of
from rootward.store.store import Store
from rootward.store.trial import Name, Trial

MAX_SILENCE = 20.0
"""Seconds without a sign of life after which a lab counts as dead."""
LONG_SECONDS = 0.01
"""Minimum duration of trials that are always claimed."""
SHORT_SECONDS = 0.001
"""Maximum duration of trials that are never claimed."""
LOOK_INTERVAL = 0.2
"""Minimum number of seconds between two looks for other labs."""
FETCH_OVERLAP = 1.0
"""Seconds by which the times of stored trials may be wrong before a trial is only found by its name."""
MAX_PAUSE = 0.5
"""Maximum number of seconds between two looks for the result of a trial that runs elsewhere."""

T = TypeVar("T")
_OWNER = re.compile(r"((\S+) (\d{1,10}) \d*) [0-9a-f]{32}")
_living: set[str] = set()
"""The labs of this process."""


class Flights:
    """The claims of one lab on the trials of a subject, beside those of other labs."""

    def __init__(self, store: Store, subject: str, epoch: int) -> None:
        self._store, self._subject, self._epoch = store, subject, epoch
        self._insert = insert_of(store.url)
        self._owner = f"{_process_identity(os.getpid())} {uuid.uuid4().hex}"
        self._connection: sa.Connection | None = None
        self._writing = threading.Lock()
        self._pace = math.inf
        """Seconds per trial, as a moving average."""
        self._claimed: set[Name] = set()
        self._settled: list[Name] = []
        """Claimed trials whose claims are no longer needed."""
        self._sought: set[Name] = set()
        """Stored trials that were to be fetched. One that is still wanted cannot be read, and has to be run again."""
        self._beats: dict[str, tuple[int, float]] = {}
        """The counter of each other lab, and the time at which it was seen to change."""
        self._fetched = time.time()
        self._has_company, self._looked = False, -math.inf
        self.pause = SHORT_SECONDS
        """Seconds until the next look for trials that run elsewhere."""

    def enter(self) -> None:
        """Become visible to other labs, and remove what dead ones have left."""
        row = {"owner": self._owner, "subject": self._subject, "epoch": self._epoch, "beat": 0}

        def work(connection: sa.Connection) -> None:
            for owner in self._others(connection):
                if self._is_dead(connection, owner):
                    _remove(connection, owner)
            connection.execute(self._insert(schema.labs), row)

        _living.add(self._owner)
        self._write(work)

    def leave(self) -> None:
        """Give up all claims."""
        _living.discard(self._owner)
        self._write(lambda connection: _remove(connection, self._owner))
        with self._writing:
            self._close_connection()

    def beat(self) -> None:
        """Show that this lab is alive."""
        labs = schema.labs
        change = labs.update().where(labs.c.owner == self._owner).values(beat=labs.c.beat + 1)
        self._write(lambda connection: connection.execute(change))

    def claim(self, trial: Trial) -> bool:
        """Return True if this lab is to run the trial; False if another lab is running it, or has stored it."""
        if self._pace < LONG_SECONDS and (self._pace < SHORT_SECONDS or not self._look()):
            return True
        return self._write(lambda connection: self._claim(connection, trial.name)) is not False

    def learn_pace(self, trial: Trial) -> None:
        """Learn how long trials take from one that has ended."""
        self._pace = trial.seconds if self._pace == math.inf else (self._pace + trial.seconds) / 2

    def give_up(self, trial: Trial) -> None:
        """Let others claim a trial, or read it if it is stored, with the next claim of this lab."""
        if trial.name in self._claimed:
            self._claimed.remove(trial.name)
            self._settled.append(trial.name)

    def fetch(self, waiting: Collection[Name]) -> list[tuple[Trial, int]]:
        """Return trials that were stored since the last call, each with its run, and all of those ``waiting`` for."""
        since, self._fetched = self._fetched, time.time()
        found = list(self._store.read_known(self._subject, self._epoch, after=since - FETCH_OVERLAP, names=waiting))
        come = any(trial.name in waiting for trial, _ in found)
        self.pause = SHORT_SECONDS if come else min(MAX_PAUSE, 1.5 * self.pause)
        return found

    def is_free(self, trial: Trial) -> bool:
        """Return True if no other living lab claims the trial."""

        def read(connection: sa.Connection) -> bool:
            owner = connection.scalar(sa.select(schema.claims.c.owner).where(self._is(trial.name)))
            return owner in (None, self._owner) or self._is_dead(connection, owner)

        return self._read(read) is not False

    def _claim(self, connection: sa.Connection, name: Name) -> bool:
        settled, self._settled = self._settled, []
        for done in settled:
            connection.execute(schema.claims.delete().where(self._is(done), schema.claims.c.owner == self._owner))
        row = {"subject": self._subject, "epoch": self._epoch, "key": name[0], "attempt": name[1], "owner": self._owner}
        if not self._insert_claim(connection, row):
            return False
        trials = schema.trials.c
        same = [trials[column] == row[column] for column in ("subject", "epoch", "key", "attempt")]
        stored = connection.scalar(sa.select(trials.key).where(*same)) is not None
        if stored and name not in self._sought:
            self._sought.add(name)
            return False
        self._claimed.add(name)
        return True

    def _insert_claim(self, connection: sa.Connection, row: dict[str, Any]) -> bool:
        """Claim a trial; return False if a living lab has. A claim that cannot be read or removed does not count."""
        query = sa.select(schema.claims.c.owner).where(self._is((row["key"], row["attempt"])))
        for _ in range(2):
            connection.execute(self._insert(schema.claims).on_conflict_do_nothing(), row)
            owner = connection.scalar(query)
            if owner is None or owner == self._owner:
                return True
            if not self._is_dead(connection, owner):
                return False
            _remove(connection, owner)
        return True

    def _is(self, name: Name) -> sa.ColumnElement[bool]:
        """Return the condition for the claim on a trial."""
        claims = schema.claims.c
        of_subject = (claims.subject == self._subject) & (claims.epoch == self._epoch)
        return of_subject & (claims.key == name[0]) & (claims.attempt == name[1])

    # Other labs

    def _look(self) -> bool:
        """Return True if another lab works on the subject. The answer may be some moments old."""
        now = time.monotonic()
        if now - self._looked > LOOK_INTERVAL:
            self._looked = now
            living = self._read(lambda connection: [not self._is_dead(connection, o) for o in self._others(connection)])
            self._has_company = any(living or [])
        return self._has_company

    def _others(self, connection: sa.Connection) -> Sequence[str]:
        labs = schema.labs.c
        others = (labs.subject == self._subject) & (labs.epoch == self._epoch) & (labs.owner != self._owner)
        return connection.scalars(sa.select(labs.owner).where(others)).all()

    def _is_dead(self, connection: sa.Connection, owner: str) -> bool:
        if (ended := _has_ended(owner)) is not None:
            return ended
        beat = connection.scalar(sa.select(schema.labs.c.beat).where(schema.labs.c.owner == owner))
        now = time.monotonic()
        last, since = self._beats.get(owner, (None, now))
        if beat is not None and beat != last:
            self._beats[owner] = (beat, now)
            return False
        return beat is None or now - since > MAX_SILENCE

    # The database. A claim that is lost costs a trial at most: so no error here ends a run, and no commit waits for the
    # disk.

    def _read(self, work: Callable[[sa.Connection], T]) -> T | None:
        with contextlib.suppress(sa.exc.DBAPIError), self._store.engine.connect() as connection:
            return work(connection.execution_options(reads=True))
        return None

    def _write(self, work: Callable[[sa.Connection], T]) -> T | None:
        """Do the work in a transaction; return None if the database cannot be used."""
        with self._writing:
            try:
                if self._connection is None:
                    self._connection = self._store.engine.connect()
                    dont_wait_for_disk(self._connection)
                with self._connection.begin():
                    return work(self._connection)
            except sa.exc.DBAPIError:
                self._close_connection()
                return None

    def _close_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sa.exc.DBAPIError):
                connection.invalidate()  # others must not get it from the pool
                connection.close()


def remove_ended(store: Store) -> None:
    """Remove what labs of this machine have left because they were killed, or could not reach the database."""
    with contextlib.suppress(sa.exc.DBAPIError), store.engine.begin() as connection:
        for table in (schema.labs, schema.claims):
            for owner in connection.scalars(sa.select(table.c.owner).distinct()).all():
                if _has_ended(owner):
                    _remove(connection, owner)


def _has_ended(owner: str) -> bool | None:
    """Return True if a lab of this machine has ended, or if its row is damaged; None if only its counter can tell."""
    if not (named := _OWNER.fullmatch(str(owner))):
        return True
    process, machine, number = named.groups()
    if machine != _machine_identity():
        return None
    if int(number) == os.getpid():
        return owner not in _living
    return True if _process_identity(int(number)) != process else None


def _remove(connection: sa.Connection, owner: str) -> None:
    connection.execute(schema.claims.delete().where(schema.claims.c.owner == owner))
    connection.execute(schema.labs.delete().where(schema.labs.c.owner == owner))


@cache
def _machine_identity() -> str:
    """Return a text that is the same for all processes that see each other's numbers, until the machine restarts."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip() + os.readlink("/proc/self/ns/pid")
    except OSError:
        return uuid.uuid4().hex


def _process_identity(number: int) -> str:
    """Return a text that no other process has, on this machine or another; it changes when the process ends."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return f"{_machine_identity()} {number} {'' if state[0] in 'ZX' else state[19]}"
