"""``rootward runs``: list stored runs, show one, export its trials, stop it; check the store and clean up."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import DEFAULT_STORE, StoreOption, Verb
from rootward.errors import InputError
from rootward.words import hide_password

if TYPE_CHECKING:
    from rootward.store.rows import RunRecord
    from rootward.store.store import Store

MAX_TRIALS_SHOWN = 10
"""Maximum number of trials that ``show`` prints, the newest ones."""
PIPED_WIDTH = 160
"""Width of the list, in characters, where there is no terminal."""
Number = Annotated[int, typer.Argument(metavar="ID", help="The number of the run; `rootward runs` lists them.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

runs = typer.Typer(
    help="List runs, show one, export its trials, or stop it. Check the store, and clean up.", rich_markup_mode=None
)


@runs.callback(invoke_without_command=True)
def list_runs(context: typer.Context, store: StoreOption = None, as_json: AsJson = False) -> None:
    """List runs, show one, export its trials, or stop it."""
    context.obj = store
    if context.invoked_subcommand is not None:
        return
    with _open_store(context, store) as opened:
        records = opened.runs() if opened else []
    if as_json:
        print(json.dumps([_summarise(record) for record in records], indent=2))
    elif records:
        _print_table(records)
    else:
        print(f"There are no runs in {hide_password(store or DEFAULT_STORE)} yet.")


@runs.command(cls=Verb)
def show(context: typer.Context, number: Number, store: StoreOption = None, as_json: AsJson = False) -> None:
    """Show one run: its settings, its finding and its last trials."""
    with _open_run(context, store, number) as (opened, record):
        finding = opened.finding(number)
        last = opened.last_trials(number, MAX_TRIALS_SHOWN)[::-1]
    if as_json:
        print(
            json.dumps({**_summarise(record), "settings": record.settings, "finding": finding, "last": last}, indent=2)
        )
        return
    from rootward.report.data import showing

    with showing(f"run {number}"):
        _print_run(record, finding)
        _print_trials(last)


@runs.command(cls=Verb)
def export(
    context: typer.Context,
    number: Number,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The table to write: .csv, .jsonl or .parquet.")
    ],
    store: StoreOption = None,
) -> None:
    """Write the trials of one run as a table."""
    from rootward.formats.files import check_target
    from rootward.formats.tables import trials as table
    from rootward.words import count

    table.writer(out)
    check_target(out)
    written = 0
    with _open_run(context, store, number) as (opened, _):

        def trials() -> Iterator[dict[str, Any]]:
            nonlocal written
            for written, trial in enumerate(opened.trials(number), 1):  # noqa: B007
                yield trial

        table.write(trials, out)
    print(f"{count(written, 'trial')} of run {number} written to {out}.")


@runs.command(cls=Verb)
def stop(context: typer.Context, number: Number, store: StoreOption = None) -> None:
    """Ask a run to stop once its running trials have ended."""
    with _open_run(context, store, number) as (opened, record):
        if not opened.ask_to_stop(number):
            raise InputError(f"run {number} has already ended ({record.status})")
    print(f"Run {number} was asked to stop: {_describe_stop(record)}")


@runs.command(cls=Verb)
def check(
    context: typer.Context,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="Remove what cannot be read, so that it is run again. A damaged file is kept under another name.",
        ),
    ] = False,
    store: StoreOption = None,
) -> None:
    """Check that everything in the store can be read and is as it was written.

    Exit code 0 if the store is sound, 1 if it is damaged, empty, or not a store of Rootward.
    """
    from rootward.store.check import check_store, repair_store
    from rootward.words import count, make_visible

    where = store or context.obj or DEFAULT_STORE
    if "://" not in where and not Path(where).exists():
        raise InputError(f"there is no store {where}")
    if repair:
        for line in repair_store(where):
            print(make_visible(line))
    health = check_store(where)
    for line in health.damage + health.notes:
        print(make_visible(line))
    if health.damage:
        if health.can_be_repaired and not repair:
            print("`rootward runs check --repair` saves what can be read.")
        raise typer.Exit(1)
    sound = ", ".join(count(health.sound[noun], noun) for noun in ("run", "trial", "finding"))
    print(f"{hide_password(where)} is sound: {sound}.")


@runs.command(cls=Verb)
def step(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file in .rootward/steps.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Print an intermediate file of a reduction, which is stored as a difference if it is large."""
    from rootward.formats.files import check_target, replace_file
    from rootward.formats.steps import read_step

    content = read_step(file)
    if out is None:
        sys.stdout.buffer.write(content)
        return
    with replace_file(check_target(out)) as target:
        target.write(content)


@runs.command(cls=Verb)
def clean(
    context: typer.Context,
    older: Annotated[
        str,
        typer.Option(metavar="AGE", help="Remove files of trials and steps that are older than this, such as 12h."),
    ] = "30d",
    keep: Annotated[
        str, typer.Option(metavar="SIZE", help="Keep at most this much of them, the newest, such as 500M.")
    ] = "1G",
    store: StoreOption = None,
) -> None:
    """Remove what killed runs left behind, and old files of trials and steps.

    No trial and no finding is removed from the store, no file that a finding names, and nothing that a living run uses.
    """
    from rootward.lab.leftovers import clean as remove
    from rootward.store.flights import remove_ended
    from rootward.subjects import bytes_of
    from rootward.web.state import is_silent
    from rootward.words import count, show_size

    where = store or context.obj or DEFAULT_STORE
    folders = [Path(DEFAULT_STORE).parent, *([] if "://" in where else [Path(where).parent])]
    size = 0 if keep == "0" else bytes_of(keep)
    with _open_store(context, store) as opened:
        if opened:
            remove_ended(opened)
    now = time.time()
    removed = remove(
        {folder.absolute(): None for folder in folders},
        older=_parse_age(older),
        keep=size,
        is_alive=lambda record: record.status == "running" and not is_silent(record.status, record.updated, now),
        here=Path.cwd(),
    )
    if removed.processes:
        print(f"Ended {count(removed.processes, 'program')} that killed runs left running.")
    print(
        f"Removed {show_size(removed.killed)} that killed runs left behind and {show_size(removed.old)} of old "
        f"files; {show_size(removed.kept)} of files of trials and steps stay."
    )


def _parse_age(text: str) -> float:
    """Return the number of seconds in an age such as ``30d``, ``12h``, ``5m`` or ``90s``."""
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    amount, unit = text[:-1], text[-1:]
    if unit not in units or not amount.isdecimal():
        raise InputError(f"--older {text}: expected an age such as 30d or 12h")
    return int(amount) * units[unit]


@contextlib.contextmanager
def _open_store(context: typer.Context, said: str | None) -> Iterator[Store | None]:
    """Open the store; yield None if it does not exist, instead of creating it."""
    where = said or context.obj or DEFAULT_STORE
    if "://" not in where and not Path(where).exists():  # SQLAlchemy need not be imported
        yield None
        return
    from rootward.store.store import Store

    store = Store.open_existing(where)
    try:
        yield store
    finally:
        if store:
            store.close()


@contextlib.contextmanager
def _open_run(context: typer.Context, said: str | None, number: int) -> Iterator[tuple[Store, RunRecord]]:
    with _open_store(context, said) as store:
        record = store.run(number) if store else None
        if store is None or record is None:
            where = hide_password(said or context.obj or DEFAULT_STORE)
            raise InputError(f"there is no run {number} in {where}; `rootward runs` lists the runs")
        yield store, record


def _summarise(record: RunRecord) -> dict[str, Any]:
    names = ("id", "name", "status", "trials", "started", "updated", "seconds", "best")
    return {name: getattr(record, name) for name in names}


def _format_time(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))


def _describe_status(record: RunRecord) -> str:
    """Return the status. If it is ``running``, add the time since the last update: a killed run keeps this status."""
    if record.status != "running":
        return record.status
    from rootward.words import clock

    what = "asked to stop" if record.stop else "running"
    return f"{what}, last update {clock(time.time() - record.updated)} ago"


def _describe_stop(record: RunRecord) -> str:
    """Say what will happen to a run that was asked to stop."""
    from rootward.web.state import is_silent
    from rootward.words import clock

    now = time.time()
    if is_silent(record.status, record.updated, now):
        return f"but it gave no sign of life for {clock(now - record.updated)}, so it was probably killed."
    return "it ends when its running trials have ended, and keeps what it has found."


def _print_table(records: list[RunRecord]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from rootward.words import first_sentence, make_visible

    table = Table("run", "started", "what", "status", "trials", "best", box=None, pad_edge=False, header_style="bold")
    table.columns[4].justify = "right"
    for column in table.columns[:-1]:
        column.no_wrap = True
    for r in records:
        best = first_sentence(r.best)
        cells = [str(r.id), _format_time(r.started), r.name, _describe_status(r), f"{r.trials:,}", best]
        table.add_row(*(Text(make_visible(cell), no_wrap=True, overflow="ellipsis") for cell in cells))
    Console(width=None if sys.stdout.isatty() else PIPED_WIDTH).print(table)


def _print_run(record: RunRecord, finding: dict[str, Any] | None) -> None:
    from rootward.words import clock, count, make_visible

    print(f"run {record.id}: {make_visible(record.name)}, {_describe_status(record)}")
    print(f"  started {_format_time(record.started)}, took {clock(record.seconds)} and {count(record.trials, 'trial')}")
    for name, value in record.settings.items():
        print(f"  {name}: {make_visible(value if isinstance(value, str) else json.dumps(value))}")
    explanation = finding["explanation"] if finding else record.best
    print(f"\n{make_visible(explanation) or 'There is no finding.'}")


def _print_trials(trials: list[dict[str, Any]]) -> None:
    from rootward.words import make_visible

    if not trials:
        return
    print("\nLast trials:")
    for trial in trials:
        said = ", ".join(filter(None, [trial["verdict"], trial["signature"]]))
        print(make_visible(f"  {trial['seconds']:8.3f} s  {said:<30}  {json.dumps(trial['candidate'])[:100]}"))
