"""The store of trials, runs and findings: a SQLite file, or a PostgreSQL database by URL.

A trial's name (subject, epoch, candidate, attempt) is fixed before it runs, and inserting it twice does nothing. So
writing needs no coordination: after any accident, any process can send a batch again. With ``--fresh``, the user says
that the known trials of a subject no longer hold, and a new *epoch* of the subject begins: nothing is deleted, but
earlier trials are no longer used.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from rootward.errors import StoreError
from rootward.space.candidate import dump, to_json
from rootward.store import schema
from rootward.store.database import MAX_WAIT, engine_of, insert_of, is_temporary, reason, url_of
from rootward.store.trial import Trial
from rootward.verdict import Outcome, Verdict

TIME_STEP = 1e-6
"""Seconds between the times of trials that are committed together, so that they keep their order."""

MAX_RUN_ID = 2**31 - 1
"""Largest number of a run. A database may reject a query with a larger one."""

T = TypeVar("T")
_RUN_COLUMNS = [column for column in schema.runs.c if column.name != "partial"]
_ORDER = [schema.trials.c[name] for name in ("finished", "key", "attempt")]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run, as a row of the store."""

    id: int
    key: str
    epoch: int
    subject: str
    name: str
    settings: dict[str, Any]
    status: str
    started: float
    updated: float
    seconds: float
    best: str
    progress: dict[str, Any]
    """The figures of ``events.Progress`` and the search's note; empty at first."""
    stop: float | None
    """The time when the run was asked to stop."""
    trials: int = 0


class Store:
    """Runs, trials and findings in a database. Several processes may write at the same time."""

    def __init__(self, where: str | Path) -> None:
        """Open the store at the path of a SQLite file (created if missing) or a URL (``postgresql://user@host/name``)."""
        self.url = url_of(where)
        self.path = (
            Path(self.url.database).absolute() if self.url.drivername == "sqlite" and self.url.database else None
        )
        if self.path:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(f"cannot create the folder of the store {self.path}: {error.strerror}") from error
        self._insert = insert_of(self.url)
        self._insert_trials = self._insert(schema.trials).on_conflict_do_nothing()
        self._engine = engine_of(self.url)
        self._reader = self._engine.execution_options(reads=True)
        self._writer: sa.Connection | None = None
        self._writing = threading.Lock()
        self._file: int | None = None
        try:
            if not self._is_set_up():
                self._write(self._set_up, patience=MAX_WAIT if self.path else 0.0)
        except BaseException:
            self.close()
            raise
        self._file = self._inode()

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
        return str(self.path or self.url.render_as_string(hide_password=True))

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
            newest = sa.select(sa.func.max(schema.runs.c.epoch)).where(schema.runs.c.subject == subject)
            epoch = (connection.scalar(newest) or 0) + int(fresh)
            now = time.time()
            row = {"key": key, "epoch": epoch, "subject": subject, "name": _escape(name), "settings": dump(settings)}
            row |= {"status": "running", "started": now, "updated": now, "seconds": 0.0, "best": ""}
            row |= {"progress": "", "partial": ""}
            connection.execute(self._insert(schema.runs).on_conflict_do_nothing(), row)
            this = (schema.runs.c.key == key) & (schema.runs.c.epoch == epoch)
            connection.execute(schema.runs.update().where(this).values(status="running", updated=now, stop=None))
            return _record(connection.execute(sa.select(*_RUN_COLUMNS).where(this)).one()._asdict())

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
        values["best"] = None if best is None else _escape(best)
        values["progress"] = None if progress is None else dump(progress)
        values["partial"] = None if partial is None else dump(partial) if partial else ""
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
        row = {"run": run, "made": time.time(), "complete": finding["complete"], "finding": dump(finding)}
        self._write(lambda connection: connection.execute(self._insert(schema.findings).on_conflict_do_nothing(), row))

    def runs(self) -> list[RunRecord]:
        """Return all runs, oldest first, with the number of trials that each executed."""
        count = sa.select(schema.trials.c.run, sa.func.count().label("trials")).group_by(schema.trials.c.run).subquery()
        query = (
            sa.select(*_RUN_COLUMNS, sa.func.coalesce(count.c.trials, 0).label("trials"))
            .join(count, count.c.run == schema.runs.c.id, isouter=True)
            .order_by(schema.runs.c.id)
        )
        with self._reading() as connection:
            return [_record(row._asdict()) for row in connection.execute(query)]

    def run(self, run: int) -> RunRecord | None:
        """Return one run, as ``runs`` does, or None if there is no such run."""
        if not 0 < run <= MAX_RUN_ID:
            return None
        count = sa.select(sa.func.count()).where(schema.trials.c.run == run).scalar_subquery().label("trials")
        with self._reading() as connection:
            row = connection.execute(sa.select(*_RUN_COLUMNS, count).where(schema.runs.c.id == run)).one_or_none()
        return _record(row._asdict()) if row else None

    def stamps(self) -> dict[int, tuple[Any, ...]]:
        """Return for each run its status, the time of its last update, and when it was asked to stop.

        These change whenever anything about a run does. The query is cheap enough to repeat often.
        """
        columns = [schema.runs.c[name] for name in ("id", "status", "updated", "stop")]
        with self._reading() as connection:
            return {number: tuple(rest) for number, *rest in connection.execute(sa.select(*columns))}

    def finding(self, run: int) -> dict[str, Any] | None:
        """Return the finding of a run: the best one so far if the run is running, otherwise its newest one."""
        query = (
            sa.select(schema.findings.c.finding)
            .where(schema.findings.c.run == run)
            .order_by(schema.findings.c.made.desc())
        )
        with self._reading() as connection:
            partial = connection.scalar(sa.select(schema.runs.c.partial).where(schema.runs.c.id == run))
            text = partial or connection.scalar(query.limit(1))
        return json.loads(text) if text else None

    # Trials

    def add_trials(self, run: RunRecord, subject: str, trials: Sequence[Trial], *, wait: bool = True) -> None:
        """Commit finished trials. Trials that are stored already stay unchanged.

        Without ``wait``, a lost database is an error at once.
        """
        now = time.time()
        rows = [_row(trial, run, subject, now + place * TIME_STEP) for place, trial in enumerate(trials)]
        self._write(lambda connection: connection.execute(self._insert_trials, rows), MAX_WAIT if wait else 0.0)

    def read_known(self, subject: str, epoch: int) -> Iterator[tuple[Trial, int]]:
        """Yield all trials of a subject in this epoch, without their candidates, each with the run that executed it."""
        columns = [schema.trials.c[name] for name in ("key", "attempt", "seed", "outcome", "seconds", "tries", "run")]
        query = sa.select(*columns).where(schema.trials.c.subject == subject, schema.trials.c.epoch == epoch)
        with self._reading() as connection:
            for key, attempt, seed, outcome, seconds, tries, run in connection.execute(query):
                yield Trial(None, key, attempt, seed, _outcome(outcome), seconds, tries), run

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
        query = sa.select(schema.trials).where(which).order_by(*_ORDER)
        with self._reading() as connection:
            for row in connection.execution_options(yield_per=1000).execute(query):
                yield _export_row(row._asdict())

    def last_trials(self, run: int, count: int) -> list[dict[str, Any]]:
        """Return the newest trials that a run executed, newest first."""
        newest = [column.desc() for column in _ORDER]
        query = sa.select(schema.trials).where(schema.trials.c.run == run).order_by(*newest).limit(count)
        with self._reading() as connection:
            return [_export_row(row._asdict()) for row in connection.execute(query)]

    # Connections

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

    def _set_up(self, connection: sa.Connection) -> None:
        if not self.path:  # two processes that create the same table at once would collide
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7248)")
        schema.metadata.create_all(connection)
        row = {"name": "schema", "value": str(schema.VERSION)}
        connection.execute(self._insert(schema.meta).on_conflict_do_nothing(), row)
        self._check_schema(connection)

    def _check_schema(self, connection: sa.Connection) -> None:
        found = connection.scalar(sa.select(schema.meta.c.value).where(schema.meta.c.name == "schema"))
        if found == str(schema.VERSION):
            return
        older = str(found).isdigit() and int(str(found)) < schema.VERSION
        which, advice = ("an older", "move it away to start over") if older else ("another", "use a newer Rootward")
        raise StoreError(
            f"{self} was written by {which} version of Rootward (schema {found}; this version has schema "
            f"{schema.VERSION}): {advice}, or choose another store"
        )

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self._reader.connect() as connection:
                yield connection
        except sa.exc.DBAPIError as error:
            raise StoreError(f"the store {self} cannot be read: {reason(error)}") from error

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
                    raise StoreError(f"the store {self} cannot be used: {reason(error)}") from error
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


def _escape(text: str) -> str:
    """Escape lone surrogates and NUL, which not every database accepts."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")


def _record(row: dict[str, Any]) -> RunRecord:
    return RunRecord(
        **{**row, "settings": json.loads(row["settings"]), "progress": json.loads(row["progress"] or "{}")}
    )


def _row(trial: Trial, run: RunRecord, subject: str, now: float) -> dict[str, Any]:
    assert trial.outcome is not None
    return {
        "subject": subject,
        "epoch": run.epoch,
        "key": trial.key,
        "attempt": trial.attempt,
        "run": run.id,
        "candidate": _pack(to_json(trial.candidate)),
        "seed": trial.seed,
        "verdict": trial.outcome.verdict.value,
        "outcome": dump(trial.outcome.to_dict()),
        "seconds": trial.seconds,
        "tries": trial.tries,
        "finished": now,
    }


def _pack(text: str) -> bytes:
    """Encode a candidate, compressed if it is long."""
    data = text.encode("ascii")
    return data if len(data) < 1024 else zlib.compress(data, 1)


def _unpack(data: bytes) -> Any:
    return json.loads(zlib.decompress(data) if data[:1] == b"\x78" else data)


def _outcome(text: str) -> Outcome:
    data = json.loads(text)
    verdict, votes = Verdict(data.pop("verdict")), tuple(map(Verdict, data.pop("votes")))
    return Outcome(verdict, votes=votes, **data)


def export_trial(trial: Trial, run: int | None = None) -> dict[str, Any]:
    """Return a trial as plain data, in the form in which the store exports it."""
    assert trial.outcome is not None
    kept = {"candidate": to_json(trial.candidate).encode("ascii"), "outcome": dump(trial.outcome.to_dict())}
    facts = {name: getattr(trial, name) for name in ("key", "attempt", "seed", "seconds", "tries")}
    return _export_row({**facts, **kept, "run": run, "finished": None})


def _export_row(row: dict[str, Any]) -> dict[str, Any]:
    outcome = json.loads(row["outcome"])
    return {
        **{name: row[name] for name in ("run", "key", "attempt", "seed")},
        "candidate": _unpack(row["candidate"]),
        **{name: outcome[name] for name in ("verdict", "signature", "detail", "measures", "artifacts")},
        **{name: row[name] for name in ("seconds", "tries", "finished")},
    }
