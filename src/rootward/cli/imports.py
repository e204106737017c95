"""``rootward import``: past runs, wherever they are kept, become a history, so that what is known is not run again."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import IgnoreOption, split_names
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.formats.tracking.past_runs import Imported, Tabled

DEFAULT = Path("history.jsonl")
TABLE = "table"


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
        Path, typer.Option("--out", "-o", metavar="FILE", help="history.jsonl, .csv or .parquet; - prints JSON lines.")
    ] = DEFAULT,
    verdict: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="When a run failed, such as 'accuracy < 0.6'; else its status says it."),
    ] = None,
    ignore: IgnoreOption = None,
    until: Annotated[
        str | None, typer.Option("--until", "--as-of", metavar="DATE", help="Leave out runs that ended after it.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of a table, the column that says when a run was made.")
    ] = None,
    experiment: Annotated[str | None, typer.Option(metavar="NAME", help="Which experiment of MLflow.")] = None,
    study_name: Annotated[str | None, typer.Option(metavar="NAME", help="Which study of Optuna.")] = None,
    result: Annotated[
        str | None, typer.Option(metavar="FILE", help="The file with results (JSON, YAML) in each Hydra job's folder.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="table, mlflow, optuna or hydra, if what is there does not tell."),
    ] = None,
) -> None:
    """Past runs become a history.

    rootward import mlflow.db --verdict "accuracy < 0.6" -o history.jsonl

    The file says of each run its settings, its verdict and when it ended. `rootward causes` and [history] of a study
    file take it as it is. The same command again replaces it by what is known then. Nothing is changed at the source.
    """
    from rootward.formats.files import check_target
    from rootward.formats.tables import trials as table

    tracker = {"experiment": experiment, "study": study_name, "result": result}
    printed = str(out) == "-"
    if not printed:
        table.writer(out)
        check_target(out)
        if out.exists() and Path(source).exists() and out.samefile(source):
            raise InputError(f"{out} is what is read: give another file to write, with -o")
    runs = _read(source, kind, time, tracker, {"verdict": verdict, "ignore": split_names(ignore), "as_of": until})
    if printed:
        table.print_lines(runs.trials, sys.stdout)
    else:
        table.write(runs.trials, out)
    _tell(runs, verdict, out, sys.stderr if printed else sys.stdout)


def _read(
    source: str, kind: str | None, time: str | None, tracker: dict[str, str | None], options: dict[str, Any]
) -> Imported | Tabled:
    from rootward.formats.tables.sources import FORMATS
    from rootward.formats.tracking.registry import EXPECTED, KINDS, is_tracked, tracked

    if kind not in (None, TABLE, *KINDS):
        raise InputError(f"--kind is one of {', '.join((TABLE, *KINDS))}, not {kind!r}")
    path = Path(source)
    table = path.suffix.lower() in FORMATS and "://" not in source and not path.is_dir() and not is_tracked(path)
    if kind is None and not table and path.is_file() and not is_tracked(path):
        raise InputError(f"{source} is not known: expected a table ({', '.join(FORMATS)}), {EXPECTED}")
    if kind == TABLE or (kind is None and table):
        from rootward.formats.tracking.past_runs import Tabled

        for name in (name for name, value in tracker.items() if value is not None):
            raise InputError(f"{source} is a table: it has no {name}")
        return Tabled(path, time=time, **options)
    from rootward.formats.tracking.past_runs import Imported

    if time is not None:
        raise InputError(f"--time is for a table: {source} says itself when a run ended")
    return Imported(tracked(source, kind=kind, **tracker), **options)


def _tell(runs: Imported | Tabled, verdict: str | None, out: Path, stream: Any) -> None:
    from rootward.space.fields import join
    from rootward.words import count, visible

    others = len(runs) - runs.failing - runs.passing
    judged = f"{runs.failing:,} failed, {runs.passing:,} passed" + (f", {others:,} neither" if others else "")
    lines = [f"{count(len(runs), 'run')} of {runs.title}: {judged}."]
    if runs.told:
        lines.append(f"Left out: {runs.told}.")
    lines.append(f"Settings: {join(runs.settings)}.")
    if verdict is None and runs.results:
        lines.append(f"By their status; --verdict may be about {join(tuple(runs.results))}.")
    if str(out) != "-":
        lines.append(f"Written to {out}. Next: rootward causes {shlex.quote(str(out))} -- ./your-command {{config}}")
    print(visible("\n".join(lines)), file=stream)
