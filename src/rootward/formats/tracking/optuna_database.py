"""Optuna's relational storage: a SQLite file, or a server by the URL that the study was made with."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from typing import Any

import sqlalchemy as sa

from rootward.errors import InputError
from rootward.fields import show
from rootward.formats.tracking.optuna import Trial, external, numbers, plain, runs, state
from rootward.formats.tracking.run import Tracked, chosen
from rootward.formats.tracking.sql import Database, table

TABLES = ("studies", "trials", "trial_params", "trial_values", "trial_user_attributes")
STUDIES = table("studies", "study_id", "study_name")
TRIALS = table("trials", "trial_id", "number", "study_id", "state", "datetime_start", "datetime_complete")
INFINITE = {"INF_POS": math.inf, "INF_NEG": -math.inf}


def read(database: Database, study: str | None = None) -> Tracked:
    """The trials of one study."""
    database.needs(*TABLES)
    known = dict(database.rows(sa.select(STUDIES.c.study_name, STUDIES.c.study_id)))
    name = chosen("study", study, known, database.title)
    return Tracked(f"study {name} of {database.title}", runs(_trials(database, known[name])))


def _trials(database: Database, study: Any) -> list[Trial]:
    params = _grouped(database, study, "trial_params", "param_name", "param_value", "distribution_json")
    values = _grouped(database, study, "trial_values", "objective", "value", "value_type")
    noted = _grouped(database, study, "trial_user_attributes", "key", "value_json")
    columns = (TRIALS.c.trial_id, TRIALS.c.number, TRIALS.c.state, TRIALS.c.datetime_start, TRIALS.c.datetime_complete)
    found = []
    for trial, number, said, started, ended in database.rows(sa.select(*columns).where(TRIALS.c.study_id == study)):
        found.append(
            Trial(
                number=number,
                state=state(said),
                started=started,
                ended=ended,
                params={str(name): external(stored, drawn) for name, stored, drawn in sorted(params[trial])},
                values=numbers([INFINITE.get(kind, value) for _, value, kind in sorted(values[trial])]),
                attributes=plain({name: _read(text) for name, text in noted[trial]}),
            )
        )
    return found


def _read(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"an attribute of a trial is {show(text)}: expected JSON") from None


def _grouped(database: Database, study: Any, name: str, *columns: str) -> defaultdict[Any, list[Any]]:
    """What a table has of each trial of the study."""
    source = table(name, "trial_id", *columns)
    asked = sa.select(*source.c).join(TRIALS, TRIALS.c.trial_id == source.c.trial_id)
    found = defaultdict(list)
    for trial, *rest in database.rows(asked.where(TRIALS.c.study_id == study)):
        found[trial].append(rest)
    return found
