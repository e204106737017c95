"""The store of trials, runs and findings: a SQLite file, or a PostgreSQL database by URL.

A trial's name (subject, epoch, candidate, attempt) is fixed before it runs, and inserting it twice does nothing. So
writing needs no coordination: after any accident, any process can send a batch again. With ``--fresh``, the user says
that the known trials of a subject no longer hold, and a new *epoch* of the subject begins: nothing is deleted, but
earlier trials are no longer used.

A row that cannot be read (``rows.py``) counts as absent, with a warning. It is replaced when its trial has run again.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from rootward.errors import StoreError
from rootward.space.candidate import dump
from rootward.store import rows, schema
from rootward.store.database import (
    MAX_WAIT,
    MIN_FILE_BYTES,
    DamagedStore,
    NoStore,
    StoreAccess,
    engine_of,
    insert_of,
    is_damage,
    is_temporary,
    looks_like_store,
    reason,
    url_of,
)
from rootward.store.rows import RunRecord
from rootward.store.trial import Name, Trial
from rootward.words import count, hide_password

TIME_STEP = 1e-6
"""Minimum number of seconds between the times of trials that are committed together, and of findings of a run, so that
they keep their order."""

MAX_RUN_ID = 2**31 - 1
"""Largest number of a run. A database may reject a query with a larger one."""

MAX_EPOCH = 2**31 - 2

T = TypeVar("T")
_RUN_COLUMNS = schema.read_raw(schema.runs, *(name for name in schema.runs.columns.keys() if name != "partial"))  # noqa: SIM118
_TRIAL_COLUMNS = schema.read_raw(schema.trials)
_KNOWN_COLUMNS = schema.read_raw(schema.trials, *(name for name in schema.trials.columns.keys() if name != "candidate"))  # noqa: SIM118
_IDENTITIES = {
    "run": ("id",),
    "trial": ("subject", "epoch", "key", "attempt"),
    "finding": ("run", "made"),
    "best finding": ("id",),
}
_ORDER = [schema.trials.c[name] for name in ("finished", "key", "attempt")]


class Store:
    """Runs, trials and findings in a database. Several processes may write at the same time."""

    def __init__(self, where: str | Path, *, _access: StoreAccess = StoreAccess.CREATE) -> None:
        """Open the store at the path of a SQLite file (created if missing) or a URL (``postgresql://user@host/name``)."""
        self.url = url_of(where)
        self.path = (
            Path(self.url.database).absolute() if self.url.drivername == "sqlite" and self.url.database else None
        )
        if self.path:
            if self.path.exists() and not self.path.is_file():  # a pipe, for example, would never answer
                raise StoreError(f"the store {self.path} is not a regular file: name a file, which may not exist yet")
            if _access is StoreAccess.CREATE:
                self._make_folder(self.path.parent)
            size = self.path.stat().st_size if self.path.exists() else 0
            if 0 < size < MIN_FILE_BYTES:  # SQLite takes a file of one byte for an empty database
                raise self._foreign_error()
            if size == 0 and _access is not StoreAccess.CREATE:
                raise NoStore(f"there is no store {self.path}")
        self._insert = insert_of(self.url)
        self._insert_trials = self._insert(schema.trials).on_conflict_do_nothing()
        self._engine = engine_of(self.url, _access)
        self._reader = self._engine.execution_options(reads=True)
        self._writer: sa.Connection | None = None
        self._writing = threading.Lock()
        self._file: int | None = None
        self._unreadable: dict[str, set[tuple[Any, ...]]] = {what: set() for what in _IDENTITIES}
        try:
            if _access is not StoreAccess.CREATE:
                self._check_existing()
            elif not self._is_set_up():
                self._write(self._set_up, patience=MAX_WAIT if self.path else 0.0)
        except UnicodeDecodeError as error:  # in the message of SQLite, which quotes the damaged schema
            self.close()
            raise self._damage_error("cannot be used", "its schema is malformed") from error
        except BaseException:
            self.close()
            raise
        self._file = self._inode()

    @classmethod
    def open_existing(cls, where: str | Path, *, read_only: bool = False) -> Store | None:
        """Return the store, or None if there is none yet. Nothing is created.

        ``read_only``: not a byte of the file changes, not even when the store is closed.
        """
        try:
            return cls(where, _access=StoreAccess.READ if read_only else StoreAccess.EXISTING)
        except NoStore:
            return None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        """Close the store.

        A finding keeps its store open to show its trials. When the finding is dropped, the store is closed.
        """
        with contextlib.suppress(Exception):  # it may be half initialised, or the interpreter may be shutting down
            self.close()

    def __str__(self) -> str:
        return str(self.path or hide_password(self.url.render_as_string(hide_password=False)))

    @property
    def engine(self) -> sa.Engine:
        return self._engine

    def close(self) -> None:
        with self._writing:
            self._close_writer()
        self._engine.dispose()

    # Runs

    def open_run(self, *, key: str, subject: str, name: str, settings: dict[str, Any], fresh: bool) -> RunRecord:
        """Begin a run, or continue the run that has the same key.

        With ``fresh``, a new epoch of the subject begins first, so that no earlier run is continued.
        """

        def begin(connection: sa.Connection) -> RunRecord:
            epoch = _newest_epoch(connection, subject) + int(fresh)
            row = rows.write_run(key, epoch, subject, name, settings)
            this = (schema.runs.c.key == key) & (schema.runs.c.epoch == epoch)
            connection.execute(self._insert(schema.runs).on_conflict_do_nothing(), row)
            found = sa.select(*_RUN_COLUMNS).where(this)
            if any(self._readable("run", connection.execute(found), rows.read_run)):
                row = {name: row[name] for name in ("status", "updated", "stop")}
            connection.execute(schema.runs.update().where(this).values(row))  # all of it if it could not be read
            for record in self._readable("run", connection.execute(found), rows.read_run):
                return record
            raise StoreError(f"the store {self} cannot be used: it does not keep what is written")

        return self._write(begin)

    def update(
        self,
        run: int,
        *,
        seconds: float | None = None,
        status: str = "running",
        best: str | None = None,
        progress: dict[str, Any] | None = None,
        partial: dict[str, Any] | None = None,
        wait: bool = True,
    ) -> None:
        """Record that the run is alive, and its state; values that are None stay as they are in the store.

        ``partial``: the best finding so far; an empty dictionary removes the one in the store.
        Without ``wait``, a lost database is an error at once.
        """
        values: dict[str, Any] = {"status": status, "updated": time.time(), "seconds": seconds}
        values["best"] = None if best is None else rows.seal(rows.escape(best))
        values["progress"] = None if progress is None else rows.seal(dump(progress))
        values["partial"] = None if partial is None else rows.seal(dump(partial) if partial else "")
        given = {name: value for name, value in values.items() if value is not None}
        change = schema.runs.update().where(schema.runs.c.id == run).values(given)
        self._write(lambda connection: connection.execute(change), MAX_WAIT if wait else 0.0)

    def ask_to_stop(self, run: int) -> bool:
        """Ask a run to end after its running trials; return False if it is not running."""
        runs = schema.runs
        change = runs.update().where(runs.c.id == run, runs.c.status == "running").values(stop=time.time())
        return self._write(lambda connection: connection.execute(change).rowcount) == 1

    def stop_asked(self, run: int) -> bool:
        """Return True if the run was asked to stop since it was last opened."""
        with self._reading() as connection:
            return connection.scalar(sa.select(schema.runs.c.stop).where(schema.runs.c.id == run)) is not None

    def add_finding(self, run: int, finding: dict[str, Any]) -> None:
        """Store a finding as the newest one of its run, also if the clock went back since the last one."""
        earlier = sa.select(*schema.read_raw(schema.findings, "made")).where(schema.findings.c.run == run)

        def write(connection: sa.Connection) -> None:
            last = max(filter(rows.is_time, connection.scalars(earlier)), default=0.0)
            row = rows.write_finding(run, finding, max(time.time(), last + TIME_STEP))
            connection.execute(self._insert(schema.findings).on_conflict_do_nothing(), row)

        self._write(write)

    def runs(self) -> list[RunRecord]:
        """Return all runs, oldest first, with the number of trials that each executed."""
        executed = sa.select(schema.trials.c.run, sa.func.count().label("trials")).group_by(schema.trials.c.run)
        counts = executed.subquery()
        query = (
            sa.select(*_RUN_COLUMNS, sa.func.coalesce(counts.c.trials, 0).label("trials"))
            .join(counts, counts.c.run == schema.runs.c.id, isouter=True)
            .order_by(schema.runs.c.id)
        )
        with self._reading() as connection:
            return list(self._readable("run", connection.execute(query), rows.read_run))

    def run(self, run: int) -> RunRecord | None:
        """Return one run, as ``runs`` does, or None if there is no such run."""
        if not 0 < run <= MAX_RUN_ID:
            return None
        executed = sa.select(sa.func.count()).where(schema.trials.c.run == run).scalar_subquery().label("trials")
        with self._reading() as connection:
            found = connection.execute(sa.select(*_RUN_COLUMNS, executed).where(schema.runs.c.id == run))
            return next(self._readable("run", found, rows.read_run), None)

    def stamps(self) -> dict[int, tuple[Any, ...]]:
        """Return for each run its status, the time of its last update, and when it was asked to stop.

        These change whenever anything about a run does. The query is cheap enough to repeat often.
        """
        query = sa.select(*schema.read_raw(schema.runs, "id", "status", "updated", "stop"))
        with self._reading() as connection:
            return {run: tuple(rest) for run, *rest in connection.execute(query) if rows.is_time(rest[1])}

    def finding(self, run: int) -> dict[str, Any] | None:
        """Return the finding of a run: the best one so far if the run is running, otherwise its newest one."""
        of_run, made = schema.findings.c.run == run, schema.findings.c.made
        query = sa.select(*schema.read_raw(schema.findings)).where(of_run).order_by(made.desc())
        partial = sa.select(*schema.read_raw(schema.runs, "id", "partial")).where(schema.runs.c.id == run)
        with self._reading() as connection:
            found = connection.execute(partial)
            for best in self._readable("best finding", found, lambda row: rows.read_sealed(row["partial"])):
                if best is not None:
                    return best
            findings = connection.execute(query)
            return next(self._readable("finding", findings, rows.read_finding), None)

    # Trials

    def add_trials(self, run: RunRecord, subject: str, trials: Sequence[Trial], *, wait: bool = True) -> None:
        """Commit finished trials. Trials that are stored already stay unchanged.

        Without ``wait``, a lost database is an error at once.
        """
        now = time.time()
        new = [rows.write_trial(trial, run, subject, now + place * TIME_STEP) for place, trial in enumerate(trials)]

        def write(connection: sa.Connection) -> None:
            for row in new if self._unreadable["trial"] else ():
                if (name := _identity("trial", row)) in self._unreadable["trial"]:
                    same = [schema.trials.c[column] == row[column] for column in _IDENTITIES["trial"]]
                    connection.execute(schema.trials.delete().where(*same))
                    self._unreadable["trial"].discard(name)
            connection.execute(self._insert_trials, new)

        self._write(write, MAX_WAIT if wait else 0.0)

    def read_known(
        self, subject: str, epoch: int, *, after: float | None = None, names: Collection[Name] = ()
    ) -> Iterator[tuple[Trial, int]]:
        """Yield all trials of a subject in this epoch, without their candidates, each with the run that executed it.

        ``after``: yield only those that were stored after this time, and those with these ``names``.
        """
        trials = schema.trials.c
        query = sa.select(*_KNOWN_COLUMNS).where(trials.subject == subject, trials.epoch == epoch)
        if after is not None:
            named = [(trials.key == key) & (trials.attempt == attempt) for key, attempt in names]
            query = query.where(sa.or_(trials.finished > after, *named))
        with self._reading() as connection:
            known = connection.execute(query)
            yield from self._readable("trial", known, lambda row: (rows.read_trial(row), row["run"]))

    def trials(self, run: int) -> Iterator[dict[str, Any]]:
        """Yield the trials that a run executed, oldest first, as plain data."""
        return self._trials(schema.trials.c.run == run)

    def evidence(self, run: RunRecord) -> Iterator[dict[str, Any]]:
        """Yield the trials that a run could use as evidence, oldest first.

        These are trials of the same subject, including those that other runs executed.
        """
        trials = schema.trials.c
        in_time = (trials.run == run.id) | (trials.finished <= run.updated)
        return self._trials((trials.subject == run.subject) & (trials.epoch == run.epoch) & in_time)

    def _trials(self, which: sa.ColumnElement[bool]) -> Iterator[dict[str, Any]]:
        query = sa.select(*_TRIAL_COLUMNS).where(which).order_by(*_ORDER)
        with self._reading() as connection:
            found = connection.execution_options(yield_per=1000).execute(query)
            yield from self._readable("trial", found, rows.export_row)

    def trial_names(self) -> set[Name]:
        """Return the names of all stored trials, whether or not they can be read."""
        with self._reading() as connection:
            query = sa.select(*schema.read_raw(schema.trials, "key", "attempt"))
            return {(key, attempt) for key, attempt in connection.execute(query)}

    def finding_texts(self) -> Iterator[str]:
        """Yield all findings as they are stored, whether or not they can be read."""
        with self._reading() as connection:
            for table, name in ((schema.findings, "finding"), (schema.runs, "partial")):
                yield from map(str, connection.scalars(sa.select(*schema.read_raw(table, name))))

    def last_trials(self, run: int, count: int) -> list[dict[str, Any]]:
        """Return the newest trials that a run executed, newest first."""
        newest = [column.desc() for column in _ORDER]
        query = sa.select(*_TRIAL_COLUMNS).where(schema.trials.c.run == run).order_by(*newest).limit(count)
        with self._reading() as connection:
            return list(self._readable("trial", connection.execute(query), rows.export_row))

    # Rows that cannot be read

    def _readable(self, what: str, found: sa.Result[Any], read: Callable[[rows.Row], T]) -> Iterator[T]:
        """Yield what ``read`` makes of the rows. Leave out those that cannot be read, and warn about them."""
        unreadable, before = self._unreadable[what], len(self._unreadable[what])
        names = tuple(found.keys())
        try:
            for values in found:
                row = dict(zip(names, values, strict=True))
                try:
                    yield read(row)
                except rows.Unreadable:
                    unreadable.add(_identity(what, row))
        finally:
            if len(unreadable) > before:
                warnings.warn(self.warning, RuntimeWarning, stacklevel=2)

    @property
    def warning(self) -> str:
        """A sentence about the rows that could not be read so far; empty if all could be read."""
        if not (unread := [count(len(names), what) for what, names in self._unreadable.items() if names]):
            return ""
        return f"left out because it is damaged, in {self}: {', '.join(unread)} (see `rootward runs check`)"

    # Connections

    def _make_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot create the folder of the store {self}: {error.strerror}") from error

    def _is_set_up(self) -> bool:
        """Return True if the tables of the store exist already.

        Then nothing has to be written, so that a read-only store can be used.
        """
        try:
            with self._reader.connect() as connection:
                self._check_schema(connection)
        except sa.exc.DBAPIError as error:
            if not self.path and is_temporary(error):  # a second attempt would wait for the timeout again
                raise StoreError(f"the store {self} cannot be used: {reason(error)}") from error
            return False
        return True

    def _check_existing(self) -> None:
        """Raise NoStore if the database is empty, and StoreError if it is not a store of this version."""
        try:
            with self._reader.connect() as connection:
                if self._has_tables(connection):
                    self._check_schema(connection)
                    return
        except sa.exc.DBAPIError as error:
            raise self._error("cannot be used", error) from error
        raise NoStore(f"there is no store in {self}")

    def _has_tables(self, connection: sa.Connection) -> bool:
        """Return True if the tables of a store exist. Raises StoreError if only some do, or a file has other tables."""
        tables = set(sa.inspect(connection).get_table_names())
        if schema.meta.name in tables:
            return True
        if tables & schema.metadata.tables.keys():
            raise self._damage_error("cannot be used", f"no such table: {schema.meta.name}")
        if tables and self.path:
            raise self._foreign_error()
        return False

    def _set_up(self, connection: sa.Connection) -> None:
        if not self.path:  # two processes that create the same table at once would collide
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7248)")
        self._has_tables(connection)
        schema.metadata.create_all(connection)
        row = {"name": "schema", "value": str(schema.VERSION)}
        connection.execute(self._insert(schema.meta).on_conflict_do_nothing(), row)
        self._check_schema(connection)

    def _check_schema(self, connection: sa.Connection) -> None:
        found = connection.scalar(sa.select(schema.meta.c.value).where(schema.meta.c.name == "schema"))
        if found == str(schema.VERSION):
            self._check_columns(connection)
            return
        older = re.fullmatch(r"\d{1,9}", str(found)) is not None and int(str(found)) < schema.VERSION
        which, advice = ("an older", "move it away to start over") if older else ("another", "use a newer Rootward")
        raise StoreError(
            f"{self} was written by {which} version of Rootward (schema {str(found)[:20]}; this version has schema "
            f"{schema.VERSION}): {advice}, or choose another store"
        )

    def _check_columns(self, connection: sa.Connection) -> None:
        try:
            for table in schema.metadata.tables.values():
                connection.execute(sa.select(table).limit(0))
        except sa.exc.DBAPIError as error:
            if is_temporary(error):
                raise
            raise self._error("cannot be used", error) from error

    def _error(self, what: str, error: sa.exc.DBAPIError) -> StoreError:
        if is_damage(error):
            return self._damage_error(what, reason(error))
        return StoreError(f"the store {self} {what}: {reason(error)}")

    def _damage_error(self, what: str, why: str) -> StoreError:
        problem = f"the store {self} {what}: {why}"
        if self.path is None:
            return StoreError(problem)
        return DamagedStore(self.path, problem) if looks_like_store(self.path) else self._foreign_error()

    def _foreign_error(self) -> StoreError:
        return StoreError(f"{self} is not a store of Rootward: move it away, or choose another store")

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self._reader.connect() as connection:
                yield connection
        except sa.exc.DBAPIError as error:
            raise self._error("cannot be read", error) from error

    def _write(self, work: Callable[[sa.Connection], T], patience: float = MAX_WAIT) -> T:
        """Do the work in a transaction.

        Retries for ``patience`` seconds while the database is locked or cannot be reached.
        """
        deadline = time.monotonic() + patience
        pause = 0.05
        while True:
            try:
                with self._connection() as connection:
                    if self._file is not None and self._file != self._inode():
                        raise StoreError(f"the store {self} was removed or replaced while it was in use")
                    return work(connection)
            except sa.exc.DBAPIError as error:
                if not is_temporary(error) or time.monotonic() > deadline:
                    raise self._error("cannot be used", error) from error
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sa.Connection]:
        """Open a transaction on the connection that is kept for writing.

        Getting a connection from the pool each time would cost as much as a commit.
        """
        with self._writing:
            try:
                if self._writer is None:
                    self._writer = self._engine.connect()
                with self._writer.begin():
                    yield self._writer
            except sa.exc.DBAPIError:
                self._close_writer()
                raise

    def _close_writer(self) -> None:
        """Close the connection for writing; the next writer opens a new one."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with contextlib.suppress(sa.exc.DBAPIError):
                writer.close()

    def _inode(self) -> int | None:
        """Return the inode of the database file, to notice if the file was removed.

        SQLite would go on writing to the removed file, and everything would be lost.
        """
        try:
            return self.path.stat().st_ino if self.path else None
        except OSError:
            return None


def _identity(what: str, row: rows.Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in _IDENTITIES[what])


def _newest_epoch(connection: sa.Connection, subject: str) -> int:
    """Return the newest epoch of a subject.

    Rows that cannot be read count, too: if the row of the newest one is damaged, trials that no longer hold must not
    come back.
    """
    newest = 0
    for table in (schema.runs, schema.trials):
        epoch = table.c.epoch
        query = sa.select(sa.func.max(epoch)).where(table.c.subject == subject, epoch.between(0, MAX_EPOCH))
        newest = max(newest, int(connection.scalar(query) or 0))
    return newest
