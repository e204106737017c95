"""``rootward report``: stored runs as one page, as data or as a summary."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import DEFAULT_STORE, StoreOption
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.store.store import Store


def report(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN|STORE|REPORT]...",
            help="Numbers of runs, stores (all of their runs) or reports (.html, .json).  [default: the last run]",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="page.html, data.json or summary.md.  [default: rootward-report.html]"
        ),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a summary in Markdown, as for a comment in CI.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Stored runs as one page that can be mailed.

    rootward report 7 -o why.html

    Without a number it is the last run of the store. Several runs, or all runs of several stores (a.db b.db), make one
    page. While a run goes on, its best answer so far is shown.
    """
    from rootward.formats.files import check_target
    from rootward.report.data import document
    from rootward.report.files import rendered, write

    target = out or Path("rootward-report.html")
    if out is not None or not markdown:
        check_target(target)
    made = document(list(_runs(sources or [], store or DEFAULT_STORE)))
    if markdown:
        print(rendered(made, ".md"), end="")
    if out is not None or not markdown:
        write(made, target)
        if not markdown:
            print(f"The report is {target}.")


def _runs(sources: list[str], store: str) -> Iterator[dict[str, Any]]:
    numbers = [int(source) for source in sources if source.isdecimal()]
    if numbers or not sources:
        yield from _stored(store, numbers or None, last=not sources)
    for source in sources:
        if not source.isdecimal():
            yield from _document(Path(source)) if source.endswith((".html", ".json")) else _stored(source, None)


def _stored(where: str, numbers: list[int] | None, *, last: bool = False) -> Iterator[dict[str, Any]]:
    """These runs of a store, or all of them, or the last one."""
    from rootward.report.data import stored_run

    with _opened(where) as store:
        records = {record.id: record for record in store.runs()}
        if not records:
            raise InputError(f"there are no runs in {where} yet")
        if unknown := set(numbers or ()) - records.keys():
            raise InputError(f"there is no run {min(unknown)} in {where}; `rootward runs` lists those there are")
        for number in numbers or list(records)[-1 if last else 0 :]:
            yield stored_run(store, records[number])


@contextlib.contextmanager
def _opened(where: str) -> Iterator[Store]:
    from rootward.store.store import Store

    if "://" not in where and not Path(where).is_file():
        raise InputError(f"there is no store {where}: give the number of a run, or the path of a store")
    with Store(where) as store:
        yield store


def _document(path: Path) -> list[dict[str, Any]]:
    """The runs of a report that was written as a page, or as data."""
    from rootward.report.data import FORMAT, VERSION, embedded

    try:
        text = path.read_text(encoding="utf-8")
        read = embedded(text) if path.suffix == ".html" else json.loads(text)
    except (ValueError, InputError) as error:
        raise InputError(f"{path} is no report: {error}") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise InputError(f"{path} is no report that Rootward wrote")
    if read.get("version") != VERSION:
        raise InputError(f"{path} is a report of version {read.get('version')}; this is for version {VERSION}")
    runs: list[dict[str, Any]] = read["runs"]
    return runs
