"""The database of a store, a SQLite file or a PostgreSQL server: its URL, engine and errors.

A file that is opened as an existing store is never changed by opening it: it may be damaged, or something else of the
user's. Only ``StoreAccess.CREATE`` makes tables or sets the journal mode.
"""

from __future__ import annotations

import enum
import logging
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

MAGIC = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""
HEADER = MAGIC + b"\x10\x00\x02\x02\x00\x40\x20\x20"
"""The first bytes of every store: pages of 4096 bytes, a WAL file, no reserved space, and three constants of SQLite."""
MIN_FILE_BYTES = 512
"""Length of the smallest SQLite database: one page of the smallest size."""
SCHEMA_BYTES = 1 << 18
"""The names of the tables are among the first bytes of a store: the tables are created before anything is stored."""


class StoreAccess(enum.Enum):
    """The right to change a store that is opened."""

    CREATE = enum.auto()
    """Create what is missing."""
    EXISTING = enum.auto()
    """Create nothing. The rows of the store may be changed."""
    READ = enum.auto()
    """Change not a byte of the file."""


class NoStore(StoreError):
    """There is no store yet: the file is missing or empty, or the database has no tables of Rootward."""


class DamagedStore(StoreError):
    """A SQLite file is damaged, and a repair may save what can be read. ``problem`` is the message without advice."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{problem}: `rootward runs check --repair` saves what can be read")
        self.path = path
        self.problem = problem


def url_of(where: str | Path) -> sa.URL:
    """Return the URL of a SQLite file or of a PostgreSQL database. Raises StoreError for anything else."""
    text = str(where)
    if "://" not in text:
        return _url_of_file(text)
    try:
        url = sa.engine.make_url(text)
    except (sa.exc.ArgumentError, ValueError):  # show neither error nor text: they may contain a password
        raise StoreError(
            f"{text.partition('://')[0]}://... is not a valid database URL; expected postgresql://user:password@host:5432/name"
        ) from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        return _url_of_file(url.database or "")
    raise StoreError(f"a store must be a SQLite file or a postgresql:// URL, not {url.get_backend_name()}://")


def _url_of_file(path: str) -> sa.URL:
    """Return the URL of a SQLite file. Raises StoreError for what is no path of a file, such as ``:memory:``."""
    if path in ("", ":memory:") or "\0" in path:
        raise StoreError(f"a store must be a SQLite file or a postgresql:// URL, not {path!r}")
    return sa.URL.create("sqlite", database=path)


def insert_of(url: sa.URL) -> Any:
    """Return the INSERT construct of the database's dialect. The other dialect is not imported."""
    if url.drivername == "sqlite":
        from sqlalchemy.dialects import sqlite

        return sqlite.insert
    from sqlalchemy.dialects import postgresql

    return postgresql.insert


def engine_of(url: sa.URL, access: StoreAccess) -> sa.Engine:
    """Return an engine with the settings that a store needs. Raises MissingExtra without the PostgreSQL driver."""
    if url.drivername != "sqlite":
        try:
            logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # a lost connection is reported by the store
            patience = {name: value for name, value in NETWORK_PATIENCE.items() if name not in url.query}
            return sa.create_engine(url, pool_pre_ping=True, connect_args=patience)
        except ImportError as error:
            raise MissingExtra("a PostgreSQL store", "postgres") from error
    if url.database:
        path = Path(url.database).absolute()
        if _is_in_read_only_folder(path):
            url = url.set(database=path.as_uri(), query={"uri": "true", "immutable": "1"})
        elif access is StoreAccess.READ and not _has_empty_journal(path):
            url = url.set(database=path.as_uri(), query={"uri": "true", "mode": "ro"})
    engine = sa.create_engine(url, connect_args={"timeout": MAX_WAIT, "check_same_thread": False})
    sa.event.listen(engine, "connect", _configure_sqlite)
    if access is StoreAccess.CREATE:
        sa.event.listen(engine, "connect", _configure_file)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _is_in_read_only_folder(path: Path) -> bool:
    """Return True if the file is in a read-only folder without a WAL file.

    SQLite creates a WAL file even to read, which is not possible in such a folder.
    """
    return path.is_file() and not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()


def _has_empty_journal(path: Path) -> bool:
    """Return True if the file uses a WAL file, which is empty.

    Then closing the file does not write to it. With ``mode=ro``, closing it would leave an empty WAL file behind.
    """
    return _read_start(path, len(HEADER))[18:20] == HEADER[18:20] and not Path(f"{path}-wal").exists()


def _read_start(path: Path, size: int) -> bytes:
    """Return the first bytes of a file; nothing if it cannot be read, which SQLite will report."""
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except OSError:
        return b""


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction, with the lock for writing unless the connection only reads.

    The lock is taken at once, because a transaction that has begun to read may no longer get it.
    """
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _configure_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # so that the driver begins no transactions itself
    connection.execute("PRAGMA synchronous=FULL")
    connection.text_factory = lambda data: data.decode("utf-8", "replace")  # damaged text must not end a query


def _configure_file(connection: Any, _: Any) -> None:
    """Set what SQLite keeps in the file. The database of another program is left as it is."""
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:  # it can be set for a new file only
        connection.execute("PRAGMA auto_vacuum=FULL")  # a large best finding is removed when its run ends
        connection.execute("PRAGMA journal_mode=WAL")


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
    """Return True if a SQLite file itself is damaged: its header, pages, tables or columns."""
    return any(sign in str(error.orig) for sign in ("not a database", "malformed", "no such table", "no such column"))


def looks_like_store(path: Path) -> bool:
    """Return True if a file is or was a store, although SQLite may not be able to read it.

    The file or its WAL file names the tables of Rootward. Without the header of SQLite, its first page must be one of a
    table, because a text may name them, too.
    """
    start, journal = (_read_start(file, SCHEMA_BYTES) for file in (path, Path(f"{path}-wal")))
    has_first_page = start.startswith(MAGIC) or start[100:101] in (b"\x05", b"\x0d")
    return has_first_page and (b"rootward_" in start or b"rootward_" in journal)


def reason(error: sa.exc.DBAPIError) -> str:
    """Return the first line of the driver's own message, or a clearer one."""
    if "file is not a database" in str(error.orig):
        return "the first bytes of the file are damaged"
    if "disk is full" in str(error.orig):
        return "the disk is full: free some space"
    return str(error.orig).strip().splitlines()[0] if error.orig else str(error)
