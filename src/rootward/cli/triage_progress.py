"""The progress of a triage: a bar on a terminal, otherwise a line from time to time."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rootward.report.progress import INTERVAL
from rootward.words import count

if TYPE_CHECKING:
    from rootward.traces.triage import TraceExamined

Listener = Callable[["TraceExamined"], None]


@contextlib.contextmanager
def show_progress(total: int, quiet: bool) -> Iterator[Listener | None]:
    """Yield a listener for ``on_event`` that shows the progress, or None if ``quiet``.

    ``total`` is the number of traces.
    """
    if quiet:
        yield None
    elif sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _bar(total) as show:
            yield show
    else:
        yield _Lines(total)


@contextlib.contextmanager
def _bar(total: int) -> Iterator[Listener]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("examining"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[faults]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=total, faults="")
        faults = 0

        def show(event: TraceExamined) -> None:
            nonlocal faults
            faults += event.faults
            progress.update(task, completed=event.done, faults=count(faults, "fault"))

        yield show


class _Lines:
    """Writes a line at most every ``INTERVAL`` seconds, for logs."""

    def __init__(self, total: int) -> None:
        self._total, self._faults, self._written = total, 0, time.monotonic()

    def __call__(self, event: TraceExamined) -> None:
        self._faults += event.faults
        now = time.monotonic()
        if now - self._written >= INTERVAL:
            self._written = now
            done = f"{event.done:,} of {count(self._total, 'trace')}"
            sys.stderr.write(
                f"{done}, {count(self._faults, 'fault')} so far\n"
            )  # one call: other threads write there, too
            sys.stderr.flush()
