"""A study file (TOML): the system under test, its fields, one failure and the options of the lab, in one place.

::

    name = "over-speed"

    [subject]
    command = ["./run.sh", "{config}"]  # or: function = "package.module:name", a function or a ready subject
    timeout = 60                        # seconds; memory = "2G"; cwd, env, verdict, signature, shell as in rw.Command

    [fields]                            # the space, one field a line
    speed = { type = "float", lo = -100, hi = 100 }
    gear = { type = "choice", values = ["P", "R", "N", "D"] }
    on = "bool"                         # short for { type = "bool" }

    [interface]                         # instead of [fields], or besides: a description that you already have
    json_schema = "vehicle.schema.json" # or document, csv, ros; protobuf, dataclass, pydantic = "module:Name"

    [failing]                           # a configuration that fails, or: failing = "failing.json"
    speed = -1.0
    gear = "R"
    on = true

    [nominal]                           # for find: a configuration that should pass, or: nominal = "usual.json", or a
    speed = 30.0                        # list of these
    gear = "D"
    on = true

    [elements]                          # for reduce: pieces of a file, or list = ["a", "b"]
    file = "input.txt"
    by = "lines"                        # or "chars"
    keep = ["setup *"]                  # what must stay

    [history]                           # for causes: earlier runs; or store = true for those that the store keeps
    file = "runs.csv"                   # or .parquet, .jsonl; or source = "mlflow.db": what a tracker keeps
    verdict = "score < 0.6"             # the column that says what failed, or when a run failed
    ignore = ["id", "duration"]         # columns that are no settings
    time = "day"                        # runs after as_of are left out
    as_of = 2024-04-01

    [pipeline]                          # for diagnose, with [history]: where would a check help?
    graph = "graph.json"                # what feeds what, and which node reads which settings
    checks = ["clean"]                  # nodes at which a run ends if "checkpoint" in its configuration says so

    [data]                              # for diagnose: a table with which it fails, and others with which it passes
    bad = "tonight.csv"                 # the command gets {file}, a function the table; or a field has this value
    good = ["night2.csv", "night1.csv"] # values for repair come from the first
    key = "id"                          # by which a row is known; columns = ["price"]: only these are looked at

    [traces]                            # for diagnose, in place of everything above: recordings, and nothing to run
    model = "model.yaml"                # what is required; params = { S3 = "500ms" }
    files = ["bad/*.asc"]               # recordings; ecus = { Body = "7E0/7E8" }

    [constraints]                       # combinations that cannot be, and are never run
    never = [ { gear = "P", speed = { ">" = 3 } }, { gear = ["R", "N"], on = false } ]

    [lab]                               # defaults of the command line's options
    jobs = 4
    trials = 200
    seconds = 600
    repeat = "1of4"
    seed = 0
    store = ".rootward/rootward.db"

Paths are relative to the folder of the study file, and the command is run there. Every mistake is reported with its
line and with what is expected, before anything is run.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rootward.study.study import Study

if TYPE_CHECKING:
    import datetime as dt

__all__ = ["Study", "load"]


def load_study(path: str | Path, *, as_of: str | dt.date | None = None) -> Study:
    """Read a study file. StudyError, with the line, for whatever does not fit.

    :param path: the study file (TOML)
    :param as_of: believe earlier runs up to this date, in place of what ``[history]`` says
    """
    from rootward.study.reader import read  # which needs pydantic: a third of the time to start

    return read(Path(path), as_of)
