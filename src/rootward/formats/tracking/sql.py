"""A database of somebody else's, read without leaving a trace: a SQLite file is opened so that nothing can be written.

Only the columns that are needed are asked for, so that older and newer versions of a schema are read alike.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from rootward.errors import InputError, MissingExtra

MAGIC = b"SQLite format 3\0"
PATIENCE = 30
"""For how many seconds another process may hold the file, or a server may let us wait."""


class Database:
    """One read transaction: what is read from several tables belongs together."""

    def __init__(self, title: str, connection: sa.Connection) -> None:
        self.title, self._connection = title, connection
        self.tables = frozenset(sa.inspect(connection).get_table_names())

    def rows(self, asked: sa.Select[Any]) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._connection.execute(asked)]

    def needs(self, *tables: str) -> None:
        for name in tables:
            if name not in self.tables:
                raise InputError(f"{self.title} has no table {name}: it is broken, or of a version that is not known")


def table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns))


@contextlib.contextmanager
def opened(where: str) -> Iterator[Database]:
    """The database in a SQLite file, or at a URL that SQLAlchemy knows."""
    url, title = _url(where) if "://" in where else (_read_only(Path(where)), where)
    try:
        options = {"timeout": PATIENCE} if url.drivername == "sqlite" else {}
        engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args=options)
    except ImportError as error:
        if url.get_backend_name() == "postgresql":
            raise MissingExtra("a PostgreSQL database", "postgres") from error
        raise InputError(f"{title} needs a driver that is not installed: {error.name}") from error
    try:
        with engine.connect() as connection:
            _begin(connection)
            yield Database(title, connection)
    except sa.exc.DBAPIError as error:
        raise InputError(f"{title} cannot be read: {_reason(error)}") from error
    finally:
        engine.dispose()


def _begin(connection: sa.Connection) -> None:
    """From here on, what others write is not seen."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")  # its driver begins nothing for those who only read
    else:
        connection.execution_options(isolation_level="REPEATABLE READ")


def is_sqlite(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _url(where: str) -> tuple[sa.URL, str]:
    """What to open, and what to call it: a password is not shown."""
    try:
        url = sa.engine.make_url(where)
        url.get_dialect()
    except (sa.exc.ArgumentError, ValueError):  # neither error nor text may be shown: there may be a password in it
        kind = where.partition("://")[0]
        raise InputError(f"{kind}://... is no URL of a database, such as postgresql://user@host/name") from None
    title = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite":
        return _read_only(Path(url.database or "")), title
    return (url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url), title


def _read_only(path: Path) -> sa.URL:
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    # SQLite puts files of its own beside one with a log, even to read, and leaves them there: unless it is told that
    # nobody writes, which is so where there is no log now, or none can be made.
    alone = not Path(f"{path}-wal").exists() and (_has_log(path) or not os.access(path.parent, os.W_OK))
    query = {"uri": "true", "mode": "ro", **({"immutable": "1"} if alone else {})}
    return sa.URL.create("sqlite", database=path.absolute().as_uri(), query=query)


def _has_log(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(20)[18:] == b"\2\2"  # the versions of the format that reads and writes a log


def _reason(error: sa.exc.DBAPIError) -> str:
    return (str(error.orig).strip() or "no reason given").splitlines()[0]
