"""The database of a store, a SQLite file or a PostgreSQL server: its URL, engine and errors."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from rootward.errors import MissingExtra, StoreError

MAX_WAIT = 60.0
"""Seconds to wait for a database that is locked or away."""
NETWORK_PATIENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
"""Options of a PostgreSQL connection, so that a server that cannot be reached is noticed within half a minute. Without
them, a query could wait for hours if the network is parted after it was sent."""


def url_of(where: str | Path) -> sa.URL:
    """Return the URL of a SQLite file or of a PostgreSQL database. Raises StoreError for anything else."""
    text = str(where)
    if "://" not in text:
        return sa.URL.create("sqlite", database=text)
    try:
        url = sa.engine.make_url(text)
    except (sa.exc.ArgumentError, ValueError):  # show neither error nor text: they may contain a password
        raise StoreError(
            f"{text.partition('://')[0]}://... is not a valid database URL; expected postgresql://user:password@host:5432/name"
        ) from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite")
    raise StoreError(f"a store must be a SQLite file or a postgresql:// URL, not {url.get_backend_name()}://")


def insert_of(url: sa.URL) -> Any:
    """Return the INSERT construct of the database's dialect. The other dialect is not imported."""
    if url.drivername == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert
    from sqlalchemy.dialects import postgresql

    return postgresql.insert


def engine_of(url: sa.URL) -> sa.Engine:
    """Return an engine with the settings that a store needs. Raises MissingExtra without the PostgreSQL driver."""
    if url.drivername != "sqlite":
        try:
            patience = {name: value for name, value in NETWORK_PATIENCE.items() if name not in url.query}
            return sa.create_engine(url, pool_pre_ping=True, connect_args=patience)
        except ImportError as error:
            raise MissingExtra("a PostgreSQL store", "postgres") from error
    if url.database and _is_read_only(path := Path(url.database).absolute()):
        url = url.set(database=path.as_uri(), query={"uri": "true", "immutable": "1"})
    engine = sa.create_engine(url, connect_args={"timeout": MAX_WAIT, "check_same_thread": False})
    sa.event.listen(engine, "connect", _configure_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _is_read_only(path: Path) -> bool:
    """Return True if the file is in a read-only folder without a WAL file.

    SQLite creates a WAL file even to read, which is not possible in such a folder.
    """
    return path.is_file() and not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction, with the lock for writing unless the connection only reads.

    The lock is taken at once, because a transaction that has begun to read may no longer get it.
    """
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _configure_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # so that the driver begins no transactions itself
    if connection.execute("PRAGMA page_count").fetchone() == (0,):  # it can be set for a new file only
        connection.execute("PRAGMA auto_vacuum=FULL")  # a large best finding is removed when its run ends
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.text_factory = lambda data: data.decode("utf-8", "replace")  # damaged text must not end a query


def dont_wait_for_disk(connection: sa.Connection) -> None:
    """Let the commits of a connection return before they are on the disk: a power failure may lose them."""
    driver = connection.connection.driver_connection
    assert driver is not None
    sqlite = connection.dialect.name == "sqlite"
    driver.execute("PRAGMA synchronous=NORMAL" if sqlite else "SET synchronous_commit = off")
    if not sqlite:
        driver.commit()


def is_temporary(error: sa.exc.DBAPIError) -> bool:
    """Return True if the same work may succeed later, as when the server restarts or another process locks the file."""
    if isinstance(error.orig, sqlite3.Error):
        return "locked" in str(error.orig)
    return error.connection_invalidated or isinstance(error, sa.exc.OperationalError)


def is_damage(error: sa.exc.DBAPIError) -> bool:
    """Return True if a SQLite file itself is damaged: its pages, tables or columns."""
    return any(sign in str(error.orig) for sign in ("malformed", "no such table", "no such column"))


def reason(error: sa.exc.DBAPIError) -> str:
    """Return the first line of the driver's own message."""
    return str(error.orig).strip().splitlines()[0] if error.orig else str(error)
