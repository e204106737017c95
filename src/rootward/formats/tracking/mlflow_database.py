"""The database of an MLflow server, or the SQLite file that ``mlflow`` keeps beside a project."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from rootward.formats.tracking.mlflow import UNKNOWN, Entry, milliseconds, number, tracked
from rootward.formats.tracking.run import Tracked, chosen
from rootward.formats.tracking.sql import Database, table

TABLES = ("experiments", "runs", "params", "latest_metrics", "tags")
EXPERIMENTS = table("experiments", "experiment_id", "name", "lifecycle_stage")
RUNS = table("runs", "run_uuid", "status", "start_time", "end_time", "lifecycle_stage", "experiment_id")


def read(database: Database, experiment: str | None = None) -> Tracked:
    """The runs of one experiment, without those that were deleted."""
    database.needs(*TABLES)
    used = sa.select(EXPERIMENTS.c.name, EXPERIMENTS.c.experiment_id).where(EXPERIMENTS.c.lifecycle_stage == "active")
    if experiment is None:
        used = used.where(EXPERIMENTS.c.experiment_id.in_(sa.select(RUNS.c.experiment_id)))
    known = dict(database.rows(used))
    name = chosen("experiment", experiment, known, database.title)
    return tracked(f"experiment {name} of {database.title}", _entries(database, known[name]))


def _entries(database: Database, experiment: Any) -> Iterator[Entry]:
    params = _grouped(database, experiment, "params", "value")
    tags = _grouped(database, experiment, "tags", "value")
    metrics = _grouped(database, experiment, "latest_metrics", "value", "is_nan")
    columns = (RUNS.c.run_uuid, RUNS.c.status, RUNS.c.start_time, RUNS.c.end_time)
    active = (RUNS.c.experiment_id == experiment, RUNS.c.lifecycle_stage == "active")
    for run, status, started, ended in database.rows(sa.select(*columns).where(*active)):
        yield Entry(
            id=run,
            status=status or UNKNOWN,
            started=milliseconds(started),
            ended=milliseconds(ended),
            params=dict(params[run]),
            metrics={key: math.nan if is_nan else number(value) for key, value, is_nan in metrics[run]},
            tags={key: value or "" for key, value in tags[run]},
        )


def _grouped(database: Database, experiment: Any, name: str, *columns: str) -> defaultdict[str, list[Any]]:
    """What a table has of each run of the experiment."""
    source = table(name, "run_uuid", "key", *columns)
    asked = sa.select(*source.c).join(RUNS, RUNS.c.run_uuid == source.c.run_uuid)
    found = defaultdict(list)
    for run, key, *rest in database.rows(asked.where(RUNS.c.experiment_id == experiment)):
        found[run].append((str(key), *rest))
    return found
