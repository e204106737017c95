"""``rootward import``: turn past runs of a tracker or a table into a history, so that they need not be run again."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import IgnoreOption, check_date, split_names
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.formats.tracking.past_runs import TableTrials, TrackedTrials

DEFAULT = Path("history.jsonl")
TABLE = "table"
OPTIONS = {"experiment": "experiment", "study": "study-name", "result": "result"}
"""The option that sets each argument of a tracker."""


def import_runs(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A table (CSV, Parquet, JSON lines); an MLflow database, server or folder; "
            "an Optuna database or journal; the folder of a Hydra sweep.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The file to write: .jsonl, .csv or .parquet; - prints JSON lines."
        ),
    ] = DEFAULT,
    verdict: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="When a run counts as failed, such as 'accuracy < 0.6'.  [default: by its status]"
        ),
    ] = None,
    ignore: IgnoreOption = None,
    until: Annotated[
        str | None, typer.Option("--until", "--as-of", metavar="DATE", help="Ignore runs that ended after this date.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(metavar="NAME", help="The column of a table with the time of each run.")
    ] = None,
    experiment: Annotated[
        str | None, typer.Option(metavar="NAME", help="The MLflow experiment to read, if there are several.")
    ] = None,
    study_name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The Optuna study to read, if there are several.")
    ] = None,
    result: Annotated[
        str | None, typer.Option(metavar="FILE", help="The results file (JSON, YAML) in the folder of each Hydra job.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind", metavar="KIND", help="What SOURCE is: table, mlflow, optuna or hydra.  [default: detected]"
        ),
    ] = None,
) -> None:
    """Turn past runs into a history for `rootward causes`.

    rootward import mlflow.db --verdict "accuracy < 0.6" -o history.jsonl

    The file holds the settings of each run, its verdict and when it ended. `rootward causes` and the [history] of a
    study file read it. Repeat the command to replace the file by the runs known then. SOURCE is never changed.
    """
    from rootward.formats.files import check_target
    from rootward.formats.tables import trials as table

    tracker = {"experiment": experiment, "study": study_name, "result": result}
    printed = str(out) == "-"
    if not printed:
        table.writer(out)
        check_target(out)
        if out.exists() and Path(source).exists() and out.samefile(source):
            raise InputError(f"{out} is the source itself: name another file with -o")
    options = {"verdict": verdict, "ignore": split_names(ignore), "as_of": until}
    with check_date(until):
        runs = _read(source, kind, time, tracker, options)
    if printed:
        table.print_lines(runs.trials, sys.stdout)
    else:
        table.write(runs.trials, out)
    _print_summary(runs, verdict, out, sys.stderr if printed else sys.stdout)


def _read(
    source: str, kind: str | None, time: str | None, tracker: dict[str, str | None], options: dict[str, Any]
) -> TrackedTrials | TableTrials:
    from rootward.formats.tables.sources import FORMATS
    from rootward.formats.tracking.registry import EXPECTED, KINDS, is_tracked, read_tracked

    if kind not in (None, TABLE, *KINDS):
        raise InputError(f"--kind must be one of {', '.join((TABLE, *KINDS))}, not {kind!r}")
    path = Path(source)
    table = path.suffix.lower() in FORMATS and "://" not in source and not path.is_dir() and not is_tracked(path)
    if kind is None and not table and path.is_file() and not is_tracked(path):
        raise InputError(f"{source} has no known format: expected a table ({', '.join(FORMATS)}), {EXPECTED}")
    if kind == TABLE or (kind is None and table):
        from rootward.formats.tracking.past_runs import TableTrials

        for name in (name for name, value in tracker.items() if value is not None):
            raise InputError(f"{source} is a table, so --{OPTIONS[name]} does not apply: remove it")
        return TableTrials(path, time=time, **options)
    from rootward.formats.tracking.past_runs import TrackedTrials

    if time is not None:
        raise InputError(f"--time is for tables only: {source} records when each run ended; remove --time")
    return TrackedTrials(read_tracked(source, kind=kind, **tracker), **options)


def _print_summary(runs: TrackedTrials | TableTrials, verdict: str | None, out: Path, stream: Any) -> None:
    from rootward.space.fields import join
    from rootward.words import count, make_visible

    others = len(runs) - runs.failing - runs.passing
    judged = f"{runs.failing:,} failed, {runs.passing:,} passed" + (f", {others:,} neither" if others else "")
    lines = [f"{count(len(runs), 'run')} of {runs.title}: {judged}."]
    if runs.left_out_text:
        lines.append(f"Runs left out: {runs.left_out_text}.")
    lines.append(f"Settings: {join(runs.settings)}.")
    if verdict is None and runs.results:
        lines.append(f"Judged by their status; --verdict can use {join(tuple(runs.results))} instead.")
    if str(out) != "-":
        lines.append(f"Written to {out}. Next: rootward causes {shlex.quote(str(out))} -- ./your-command {{config}}")
    print(make_visible("\n".join(lines)), file=stream)
