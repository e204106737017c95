"""``rootward report``: write stored runs as one page, as data or as a summary."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import DEFAULT_STORE, StoreOption
from rootward.errors import InputError
from rootward.formats.files import check_regular, read_text
from rootward.words import hide_password

if TYPE_CHECKING:
    from rootward.store.store import Store


def report(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN|STORE|REPORT]...",
            help="Numbers of runs, stores (all their runs) or earlier reports (.html, .json).  [default: the last run]",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The file to write: a page (.html), data (.json) or a summary (.md).  [default: rootward-report.html]",
        ),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a summary in Markdown, for example for a comment in CI.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Write stored runs as one self-contained page.

    rootward report 7 -o why.html

    Without a number, the page shows the last run of the store. Several runs, or all runs of several stores (a.db b.db),
    go into one page. Of a run that has not ended, it shows the best answer so far.
    """
    from rootward.report.data import document, showing
    from rootward.report.files import check_report, render, write

    target = out or Path("rootward-report.html")
    if out is not None or not markdown:
        check_report(target)
    with showing(_describe_sources(sources, store)):
        made = document(list(_read_sources(sources or [], store or DEFAULT_STORE)))
        summary = render(made, ".md") if markdown else ""
        if out is not None or not markdown:
            write(made, target)
    print(summary if markdown else f"The report is {target}.\n", end="")


def _describe_sources(sources: list[str] | None, store: str | None) -> str:
    words = [f"run {source}" if source.isdecimal() else source for source in sources or ["the last run"]]
    where = f" of {store or DEFAULT_STORE}" if any(word.startswith(("run ", "the last run")) for word in words) else ""
    return ", ".join(map(hide_password, words)) + hide_password(where)


def _read_sources(sources: list[str], store: str) -> Iterator[dict[str, Any]]:
    numbers = [int(source) for source in sources if source.isdecimal()]
    if numbers or not sources:
        yield from _read_store(store, numbers or None, last=not sources)
    for source in sources:
        if not source.isdecimal():
            yield from _read_report(Path(source)) if source.endswith((".html", ".json")) else _read_store(source, None)


def _read_store(where: str, numbers: list[int] | None, *, last: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the runs of the store with these numbers.

    If ``numbers`` is None, yields all runs, or only the last one if ``last``.
    """
    from rootward.report.data import run_from_store

    with _open_store(where) as store:
        records = {record.id: record for record in store.runs()}
        if not records:
            raise _no_runs(where)
        if unknown := set(numbers or ()) - records.keys():
            raise InputError(
                f"there is no run {min(unknown)} in {hide_password(where)}; `rootward runs` lists the runs"
            )
        for number in numbers or list(records)[-1 if last else 0 :]:
            yield run_from_store(store, records[number])


@contextlib.contextmanager
def _open_store(where: str) -> Iterator[Store]:
    from rootward.store.store import Store

    if "://" not in where:
        if not Path(where).exists():
            raise InputError(
                f"there is no store {where}: expected the number of a run, or the path of a store or of a report"
            )
        check_regular(where)
    store = Store.open_existing(where)
    if store is None:
        raise _no_runs(where)
    with store:
        yield store


def _no_runs(where: str) -> InputError:
    title = hide_password(where)
    return InputError(f"there are no runs in {title} yet: run a command such as rootward reduce first")


def _read_report(path: Path) -> list[dict[str, Any]]:
    """Return the runs of a report that was written as a page or as data."""
    from rootward.report.data import FORMAT, VERSION, read_embedded

    try:
        text = read_text(path)
        read = read_embedded(text) if path.suffix == ".html" else json.loads(text)
    except (ValueError, InputError) as error:
        raise InputError(f"{path} is not a report: {error}") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise InputError(f"{path} is not a report written by Rootward")
    if read.get("version") != VERSION:
        raise InputError(f"{path} has the report format {read.get('version')}; this Rootward reads format {VERSION}")
    runs: list[dict[str, Any]] = read["runs"]
    return runs
