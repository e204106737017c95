"""Read the databases of MLflow and Optuna, in a SQLite file or on a server, without changing them.

A SQLite file is opened read-only. Queries name only the columns that are needed, so that they work with older and newer
versions of the schema.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from rootward.errors import InputError, MissingExtra
from rootward.formats.files import open_file
from rootward.formats.tracking.mlflow import UNKNOWN, Entry, build_tracked, milliseconds, number
from rootward.formats.tracking.optuna import OptunaTrial, decode_parameter, keep_scalars, numbers, runs, state_name
from rootward.formats.tracking.run import Experiment, choose
from rootward.space.fields import show
from rootward.words import hide_password

PATIENCE = 30
"""Seconds to wait while another process locks the SQLite file."""


class Database:
    """One read transaction, so that the data of several tables is consistent."""

    def __init__(self, title: str, connection: sa.Connection) -> None:
        self.title, self._connection = title, connection
        self.tables = frozenset(sa.inspect(connection).get_table_names())

    def rows(self, asked: sa.Executable) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._connection.execute(asked)]

    def group_rows(
        self, source: sa.TableClause, owners: sa.TableClause, condition: sa.ColumnElement[bool]
    ) -> defaultdict[Any, list[Any]]:
        """Return the rows of ``source``, grouped by the owner in their first column.

        Only owners that meet ``condition`` are included.
        """
        owner = next(iter(source.c)).name
        asked = sa.select(*source.c).join(owners, owners.c[owner] == source.c[owner]).where(condition)
        found = defaultdict(list)
        for name, *rest in self.rows(asked):
            found[name].append(rest)
        return found

    def require_tables(self, *tables: str) -> None:
        for name in tables:
            if name not in self.tables:
                raise InputError(f"{self.title} has no table {name}: it is damaged, or of an unknown version")


def table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns))


@contextlib.contextmanager
def open_database(where: str) -> Iterator[Database]:
    """Open the database in a SQLite file, or at a URL that SQLAlchemy knows."""
    url, title = _url(where) if "://" in where else (_read_only(Path(where)), where)
    try:
        options = {"timeout": PATIENCE} if url.drivername == "sqlite" else {}
        engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args=options)
    except ImportError as error:
        if url.get_backend_name() == "postgresql":
            raise MissingExtra("a PostgreSQL database", "postgres") from error
        raise InputError(f"{title} needs a database driver that is not installed: {error.name}") from error
    try:
        with engine.connect() as connection:
            _begin_snapshot(connection)
            yield Database(title, connection)
    except sa.exc.DBAPIError as error:
        raise InputError(f"{title} cannot be read: {_reason(error)}") from error
    except UnicodeDecodeError as error:  # in the message of SQLite, which quotes the damaged schema
        raise InputError(f"{title} cannot be read: its schema is damaged") from error
    finally:
        engine.dispose()


def _begin_snapshot(connection: sa.Connection) -> None:
    """Begin a transaction that does not see the writes of others."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")  # its driver begins no transaction for reads
    else:
        connection.execution_options(isolation_level="REPEATABLE READ")


def _url(where: str) -> tuple[sa.URL, str]:
    """Return the URL to open and a title for messages. The title hides the password."""
    try:
        url = sa.engine.make_url(where)
        url.get_dialect()
    except (sa.exc.ArgumentError, ValueError):  # do not show the error or the URL: they may contain a password
        kind = where.partition("://")[0]
        raise InputError(
            f"{kind}://... is not a database URL: expected one such as postgresql://user@host/name"
        ) from None
    title = hide_password(where)
    if url.get_backend_name() == "sqlite":
        return _read_only(Path(url.database or "")), title
    return (url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url), title


def _read_only(path: Path) -> sa.URL:
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    # Even for reading, SQLite creates files beside a database in WAL mode and leaves them there, unless the database is
    # declared immutable. That is true if there is no WAL file now: then no other process is writing.
    alone = not Path(f"{path}-wal").exists() and (_is_wal(path) or not os.access(path.parent, os.W_OK))
    query = {"uri": "true", "mode": "ro", **({"immutable": "1"} if alone else {})}
    return sa.URL.create("sqlite", database=path.absolute().as_uri(), query=query)


def _is_wal(path: Path) -> bool:
    with open_file(path) as file:
        return file.read(20)[18:] == b"\2\2"  # the file format versions of WAL mode


def _reason(error: sa.exc.DBAPIError) -> str:
    return (str(error.orig).strip() or "no reason given").splitlines()[0]


# MLflow


MLFLOW_TABLES = ("experiments", "runs", "params", "latest_metrics", "tags")
EXPERIMENTS = table("experiments", "experiment_id", "name", "lifecycle_stage")
RUNS = table("runs", "run_uuid", "status", "start_time", "end_time", "lifecycle_stage", "experiment_id")


def read_mlflow(database: Database, experiment: str | None = None) -> Experiment:
    """Read the runs of one experiment, except deleted ones."""
    database.require_tables(*MLFLOW_TABLES)
    used = sa.select(EXPERIMENTS.c.name, EXPERIMENTS.c.experiment_id).where(EXPERIMENTS.c.lifecycle_stage == "active")
    if experiment is None:
        used = used.where(EXPERIMENTS.c.experiment_id.in_(sa.select(RUNS.c.experiment_id)))
    known = dict(database.rows(used))
    name = choose("experiment", experiment, known, database.title)
    return build_tracked(f"experiment {name} of {database.title}", _mlflow_entries(database, known[name]))


def _mlflow_entries(database: Database, experiment: Any) -> Iterator[Entry]:
    here = RUNS.c.experiment_id == experiment
    params = database.group_rows(table("params", "run_uuid", "key", "value"), RUNS, here)
    tags = database.group_rows(table("tags", "run_uuid", "key", "value"), RUNS, here)
    metrics = database.group_rows(table("latest_metrics", "run_uuid", "key", "value", "is_nan"), RUNS, here)
    columns = (RUNS.c.run_uuid, RUNS.c.status, RUNS.c.start_time, RUNS.c.end_time)
    active = sa.select(*columns).where(here, RUNS.c.lifecycle_stage == "active")
    for run, status, started, ended in database.rows(active):
        yield Entry(
            id=run,
            status=status or UNKNOWN,
            started=milliseconds(started),
            ended=milliseconds(ended),
            params={str(key): value for key, value in params[run]},
            metrics={str(key): math.nan if is_nan else number(value) for key, value, is_nan in metrics[run]},
            tags={str(key): value or "" for key, value in tags[run]},
        )


# Optuna


OPTUNA_TABLES = ("studies", "trials", "trial_params", "trial_values", "trial_user_attributes")
STUDIES = table("studies", "study_id", "study_name")
TRIALS = table("trials", "trial_id", "number", "study_id", "state", "datetime_start", "datetime_complete")
INFINITE = {"INF_POS": math.inf, "INF_NEG": -math.inf}


def read_optuna(database: Database, study: str | None = None) -> Experiment:
    """Read the trials of one study."""
    database.require_tables(*OPTUNA_TABLES)
    known = dict(database.rows(sa.select(STUDIES.c.study_name, STUDIES.c.study_id)))
    name = choose("study", study, known, database.title)
    return Experiment(f"study {name} of {database.title}", runs(_trials(database, known[name])))


def _trials(database: Database, study: Any) -> list[OptunaTrial]:
    here = TRIALS.c.study_id == study
    drawn = table("trial_params", "trial_id", "param_name", "param_value", "distribution_json")
    params = database.group_rows(drawn, TRIALS, here)
    values = database.group_rows(table("trial_values", "trial_id", "objective", "value", "value_type"), TRIALS, here)
    noted = database.group_rows(table("trial_user_attributes", "trial_id", "key", "value_json"), TRIALS, here)
    columns = (TRIALS.c.trial_id, TRIALS.c.number, TRIALS.c.state, TRIALS.c.datetime_start, TRIALS.c.datetime_complete)
    found = []
    for trial, place, said, started, ended in database.rows(sa.select(*columns).where(here)):
        found.append(
            OptunaTrial(
                number=place,
                state=state_name(said),
                started=started,
                ended=ended,
                params={str(name): decode_parameter(stored, how) for name, stored, how in sorted(params[trial])},
                values=numbers([INFINITE.get(kind, value) for _, value, kind in sorted(values[trial])]),
                attributes=keep_scalars({name: _parse_json(text) for name, text in noted[trial]}),
            )
        )
    return found


def _parse_json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"a trial has the attribute {show(text)}: expected JSON") from None
