"""Check a store row by row, and repair it.

A repair never guesses. Rows that cannot be read are removed, so that their trials are simply run again. The row of a
run that has trials is replaced by a stand-in, because its trials still hold. If the database file itself is damaged,
every row that can still be read is copied to a new file, and the damaged one is kept under another name. A file that
has nothing of a store is left alone: it may be something else of the user's.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from rootward.errors import StoreError
from rootward.store import rows, schema
from rootward.store.database import HEADER, MAGIC, DamagedStore, NoStore, StoreAccess, insert_of
from rootward.store.store import Store
from rootward.words import count

MIN_ROW_BYTES = 100
"""Minimum length of a row. It bounds the row numbers that are tried one by one where a damaged file cannot be read in
order."""
BATCH = 1000
"""Number of rows that are written together."""
STAND_IN = "(damaged)"
"""The name of a run whose row was damaged."""

NOUNS = {schema.runs: "run", schema.trials: "trial", schema.findings: "finding"}


def _read_run(row: rows.Row) -> None:
    rows.read_run(row)
    rows.read_sealed(row["partial"])


READERS: dict[sa.Table, Callable[[rows.Row], object]] = {
    schema.runs: _read_run,
    schema.trials: rows.export_row,
    schema.findings: rows.read_finding,
}


@dataclass
class Health:
    """The result of a check. ``damage`` and ``notes`` are sentences; a store without damage is sound."""

    sound: Counter[str] = field(default_factory=Counter)
    """Number of readable rows, by noun."""
    damage: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    can_be_repaired: bool = True


def check_store(where: str) -> Health:
    """Read everything in a store, and say what is wrong with it. Not a byte of its file changes."""
    health = Health()
    try:
        store = Store.open_existing(where, read_only=True)
        if store is None:
            what = "database" if "://" in where else "file"
            return Health(damage=[f"The {what} is empty: there is no store in it yet."], can_be_repaired=False)
        with store:
            health.damage += _check_file(store)
            _check_rows(store, health)
    except DamagedStore as damage:
        health.damage.append(f"{damage.problem}.")
    except StoreError as error:
        health.damage.append(f"{error}.")
        health.can_be_repaired = False
    return health


def _check_file(store: Store) -> list[str]:
    """Return what the integrity check of SQLite reports, as sentences."""
    if not store.path:
        return []
    with contextlib.closing(store.engine.raw_connection()) as connection:
        try:
            said = [str(line) for (line,) in connection.cursor().execute("PRAGMA integrity_check(5)")]
        except sqlite3.DatabaseError as error:
            said = [str(error)]
    return [] if said == ["ok"] else [f"The file is damaged: {line}." for line in said]


def _check_rows(store: Store, health: Health) -> None:
    runs: set[int] = set()
    orphans: Counter[str] = Counter()
    missing = 0
    with store._reading() as connection:
        for table in schema.ROWS:
            reasons: Counter[str] = Counter()
            for row, problem in _examine(connection, table):
                if problem:
                    reasons[problem] += 1
                    continue
                health.sound[NOUNS[table]] += 1
                if table is schema.runs:
                    runs.add(row["id"])
                elif row["run"] not in runs:
                    orphans[NOUNS[table]] += 1
                if table is schema.trials:
                    missing += _count_missing_files(row, store)
            health.damage += [
                f"{count(number, NOUNS[table])} cannot be read: {reason}." for reason, number in reasons.items()
            ]
    health.damage += [f"{count(number, noun)} of runs that cannot be read." for noun, number in orphans.items()]
    if missing:
        health.notes.append(f"{count(missing, 'file')} of trials no longer exist; the verdicts do not depend on them.")


def _examine(connection: sa.Connection, table: sa.Table) -> Iterator[tuple[rows.Row, str]]:
    """Yield each row with the reason why it cannot be read, which is empty if it can be."""
    query = sa.select(*_columns(connection, table)).execution_options(yield_per=BATCH)
    for row in connection.execute(query).mappings():
        yield row, _find_problem(table, row)


def _find_problem(table: sa.Table, row: rows.Row) -> str:
    try:
        READERS[table](row)
    except rows.Unreadable as problem:
        return str(problem)
    return ""


def _columns(connection: sa.Connection, table: sa.Table) -> list[sa.ColumnElement[Any]]:
    """Return all columns and, in SQLite, the number of the row, which identifies it even if its key is damaged."""
    place: list[sa.ColumnElement[Any]]
    place = [sa.literal_column("rowid").label("place")] if connection.dialect.name == "sqlite" else []
    return [*schema.read_raw(table), *place]


def _count_missing_files(row: rows.Row, store: Store) -> int:
    """Count the files that a trial names and that should be beside the store, but are not."""
    if store.path is None:
        return 0
    named = [Path(str(name)) for name in rows.export_row(row)["artifacts"].values()]
    return sum(path.is_relative_to(store.path.parent) and not path.exists() for path in named)


# Repair


def repair_store(where: str) -> list[str]:
    """Repair a store, and return sentences that say what was done. Raises StoreError if that is not possible."""
    done: list[str] = []
    try:
        path = _damaged_file(where)
    except NoStore:  # nothing to repair
        return done
    if path:
        if user := _find_user(path):
            raise StoreError(f"{path} is damaged, and process {user} is using it; repair it when that has ended")
        done.append(_salvage(path))
    with Store(where, _access=StoreAccess.EXISTING) as store:
        removed = store._write(_remove_unreadable)
        restored = store._write(_restore_runs)
    done += [f"{count(number, noun)} that could not be read: removed." for noun, number in removed.items()]
    if restored:
        done.append(f'{count(restored, "run")} that could not be read: replaced by a stand-in called "{STAND_IN}".')
    if removed["trial"]:
        done.append("Repeat the commands: trials that were removed are run again.")
    return done


def _remove_unreadable(connection: sa.Connection) -> Counter[str]:
    """Remove the trials and findings that cannot be read. Runs are kept until it is known which of them have trials."""
    removed: Counter[str] = Counter()
    for table in (schema.trials, schema.findings):
        for row in [row for row, problem in _examine(connection, table) if problem]:
            connection.execute(table.delete().where(*_is_row(table, row)))
            removed[NOUNS[table]] += 1
    return removed


def _restore_runs(connection: sa.Connection) -> int:
    """Replace the runs that are missing or cannot be read by stand-ins, or remove them if nothing refers to them."""
    owners: dict[Any, tuple[str, int]] = {}
    for run in connection.scalars(sa.select(*schema.read_raw(schema.findings, "run")).distinct()):
        owners[run] = "", 0
    trials = sa.select(*schema.read_raw(schema.trials, "run", "subject", "epoch")).distinct()
    for run, subject, epoch in connection.execute(trials):
        owners[run] = subject, epoch
    found = list(_examine(connection, schema.runs))
    restored = 0
    for row in [row for row, problem in found if problem]:
        if row["id"] in owners:
            stand_in = _stand_in(row["id"], *owners[row["id"]])
            connection.execute(schema.runs.update().where(*_is_row(schema.runs, row)).values(stand_in))
            restored += 1
        else:
            connection.execute(schema.runs.delete().where(*_is_row(schema.runs, row)))
    for run in owners.keys() - {row["id"] for row, _ in found}:
        connection.execute(schema.runs.insert(), _stand_in(run, *owners[run]))
        restored += 1
    return restored


def _stand_in(run: int, subject: str, epoch: int) -> dict[str, Any]:
    row = rows.write_run(f"{STAND_IN} {run}", epoch, subject, STAND_IN, {})
    return {**row, "id": run, "status": "error"}


def _is_row(table: sa.Table, row: rows.Row) -> list[sa.ColumnElement[bool]]:
    if "place" in row:
        return [sa.literal_column("rowid") == row["place"]]
    return [column == row[column.name] for column in table.primary_key]


# A damaged SQLite file


def _damaged_file(where: str) -> Path | None:
    """Return the path of the database file if it is damaged; None if it is sound.

    Raises StoreError if it is no store at all, or one of another version: then it is not touched.
    """
    try:
        with Store(where, _access=StoreAccess.READ) as store:
            return store.path if _check_file(store) else None
    except DamagedStore as damage:
        return damage.path


def _find_user(path: Path) -> str | None:
    """Return the number of a process that has the file open: what it writes from now on would be lost."""
    for opened in Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if opened.parts[2] != str(os.getpid()) and opened.samefile(path):
                return opened.parts[2]
    return None


def _salvage(path: Path) -> str:
    """Copy the readable rows of a damaged file to a new one that takes its place. Return a sentence about it."""
    aside, new = _free_name(path), path.with_name(f"{path.name}.repairing")
    new.unlink(missing_ok=True)
    saved: Counter[str] = Counter()
    with _open_damaged(path) as source, Store(new) as store:
        source.row_factory = sqlite3.Row
        source.text_factory = lambda data: data.decode("utf-8", "replace")
        for table in schema.ROWS:
            names = table.columns.keys()
            sound = (
                {name: bool(row[name]) if name == "complete" else row[name] for name in names}
                for row in _scan(source, table.name, path.stat().st_size)
                if set(names) <= row.keys() and not _find_problem(table, row)
            )
            saved[NOUNS[table]] = _copy(store, table, sound)
    os.link(path, aside)
    if (journal := Path(f"{path}-wal")).exists():  # it belongs to the damaged file
        journal.rename(f"{aside}-wal")
    Path(f"{path}-shm").unlink(missing_ok=True)
    os.replace(new, path)
    said = ", ".join(count(number, noun) for noun, number in saved.items())
    return f"The damaged file is kept as {aside}. Saved in a new {path}: {said}."


@contextlib.contextmanager
def _open_damaged(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a damaged file. If SQLite does not take it for a database, open a copy with a mended header."""
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        has_header = _is_database(connection)
    if has_header:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            yield connection
        return
    copy = path.with_name(f"{path.name}.mended")
    try:
        yield from _open_mended(path, copy)
    finally:
        _remove_database(copy)


def _open_mended(path: Path, copy: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a copy of the file, in which the first bytes of SQLite or of a store are restored."""
    for start in (MAGIC, HEADER):
        _remove_database(copy)  # a killed repair may have left one
        for ending in ("", "-wal"):
            if (original := Path(f"{path}{ending}")).exists():
                shutil.copyfile(original, f"{copy}{ending}")
        with open(copy, "r+b") as file:
            file.write(start)
        with contextlib.closing(sqlite3.connect(copy)) as connection:
            if _is_database(connection):
                yield connection
                return
    raise StoreError(f"nothing can be read in {path}: move it away, or choose another store")


def _remove_database(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def _is_database(connection: sqlite3.Connection) -> bool:
    """Return False if SQLite does not take a file for a database because of its header."""
    try:
        connection.execute("PRAGMA schema_version")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return "not a database" not in str(error)
    return True


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.damaged{number or ''}") for number in range(10_000))
    return next(name for name in names if not name.exists())


def _copy(store: Store, table: sa.Table, sound: Iterable[dict[str, Any]]) -> int:
    """Insert the rows, and return their number."""
    insert, copied, left = insert_of(store.url)(table).on_conflict_do_nothing(), 0, iter(sound)
    while batch := list(itertools.islice(left, BATCH)):
        store._write(operator.methodcaller("execute", insert, batch))
        copied += len(batch)
    return copied


def _scan(source: sqlite3.Connection, table: str, size: int) -> Iterator[dict[str, Any]]:
    """Yield the rows that can be read: from the first to a damaged page, from the last to one, then between them.

    ``size``: the length of the file in bytes.
    """
    first, last = None, None
    try:
        for row in source.execute(f"SELECT rowid AS place, * FROM {table} ORDER BY rowid"):
            first = row["place"]
            yield dict(row)
        return
    except UnicodeDecodeError:  # in the message of SQLite, which quotes the damaged schema
        return
    except sqlite3.DatabaseError as error:
        if "no such table" in str(error) or "schema" in str(error):
            return
    with contextlib.suppress(sqlite3.DatabaseError):
        for row in source.execute(f"SELECT rowid AS place, * FROM {table} ORDER BY rowid DESC"):
            if first is not None and row["place"] <= first:
                return
            last = row["place"]
            yield dict(row)
    start = 1 if first is None else first + 1
    end = start + size // MIN_ROW_BYTES
    for place in range(start, end if last is None else min(end, last)):
        with contextlib.suppress(sqlite3.DatabaseError):
            for row in source.execute(f"SELECT rowid AS place, * FROM {table} WHERE rowid = ?", [place]):
                yield dict(row)
