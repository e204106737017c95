"""Study files (TOML): the system under test, its fields, one failure and the options of the lab, in one place.

::

    name = "over-speed"

    [subject]
    command = ["./run.sh", "{config}"]  # or: function = "package.module:name", a function or a ready subject
    timeout = 60                        # seconds; memory = "2G"; cwd, env, verdict, signature, ... as in rw.Command

    [fields]                            # the space, one field per line
    speed = { type = "float", lo = -100, hi = 100 }
    gear = { type = "choice", values = ["P", "R", "N", "D"] }
    on = "bool"                         # short for { type = "bool" }

    [interface]                         # instead of [fields], or as well: an existing description
    json_schema = "vehicle.schema.json" # or document, csv, ros; protobuf, dataclass, pydantic = "module:Name"

    [derived]                           # quantities that the condition may use like fields
    energy = "speed * speed"            # an expression over fields, or "package.module:name": a function

    [failing]                           # a configuration that fails, or: failing = "failing.json"
    speed = -1.0
    gear = "R"
    on = true

    [nominal]                           # for find: a configuration that should pass, or: nominal = "usual.json",
    speed = 30.0                        # or a list of these
    gear = "D"
    on = true

    [elements]                          # for reduce: the parts of a file, or list = ["a", "b"]
    file = "input.txt"
    by = "lines"                        # or "chars"
    keep = ["setup *"]                  # elements that are never removed

    [history]                           # for causes: earlier runs; or store = true for the runs in the store
    file = "runs.csv"                   # or .parquet, .jsonl; or source = "mlflow.db": the runs of a tracker
    verdict = "score < 0.6"             # the condition under which a run failed, or the column with the verdict
    ignore = ["id", "duration"]         # columns that are not settings
    time = "day"                        # the column with the time of a run; those after as_of are ignored
    as_of = 2024-04-01

    [pipeline]                          # for diagnose, with [history]: where a check would help
    graph = "graph.json"                # which nodes each node feeds, and which settings it reads
    checks = ["clean"]                  # nodes at which a run ends if "checkpoint" in its configuration names them

    [data]                              # for diagnose: a table with which it fails, and others with which it passes
    bad = "tonight.csv"                 # the command gets {file}, a function the table; or a field has this value
    good = ["night2.csv", "night1.csv"] # repairs take their values from the first
    key = "id"                          # the column that identifies a row; columns = ["price"]: compare only these

    [traces]                            # for diagnose, instead of everything above: recordings; nothing is run
    model = "model.yaml"                # the required behaviour; params = { S3 = "500ms" }
    files = ["bad/*.asc"]               # recordings; ecus = { Body = "7E0/7E8" }

    [constraints]                       # impossible combinations, which are never run
    never = [ { gear = "P", speed = { ">" = 3 } }, { gear = ["R", "N"], on = false } ]

    [lab]                               # defaults of the command line's options
    jobs = 4
    trials = 200
    seconds = 600
    repeat = "1of4"
    seed = 0
    store = ".rootward/rootward.db"

Paths are relative to the folder of the study file, and the command is run there. Every mistake is reported before
anything is run, with its line and with what is expected.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rootward.study.study import Study

if TYPE_CHECKING:
    import datetime as dt

__all__ = ["Study", "load_study"]


def load_study(path: str | Path, *, as_of: str | dt.date | None = None) -> Study:
    """Read a study file. Raises StudyError, with the line, for any mistake in it.

    :param path: the study file (TOML)
    :param as_of: ignore earlier runs after this date; replaces ``as_of`` in ``[history]``
    """
    from rootward.study.reader import read  # imports pydantic, which takes a third of the start-up time

    return read(Path(path), as_of)
