"""What a run is doing, below the cell of a notebook that waits for it.

Like the displays of `rootward.report.progress`, it listens to the lab's events. Nothing is shown of a run that is over
at once; of a longer one, a quiet line stays. What a subject wrote is escaped, and styles are inline, so that nothing
else on the page changes.
"""

from __future__ import annotations

import contextlib
import html
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rootward.lab.events import Event, Progress, RunFinished
from rootward.report.progress import Follower, left, spent
from rootward.words import visible

INTERVAL = 0.3
"""Seconds before it is first shown, and between two updates."""
WIDE = 160
"""Longer lines are cut."""


def in_kernel() -> bool:
    """Whether this is a Jupyter kernel; nothing is imported to find out."""
    loaded = sys.modules.get("IPython")
    shell = loaded.get_ipython() if loaded is not None else None
    return getattr(shell, "kernel", None) is not None


@contextlib.contextmanager
def shown() -> Iterator[Callable[[Event], None]]:
    """A listener for ``on_event`` that shows in a kernel how the run goes."""
    cell = Cell(_publish())
    try:
        yield cell
    finally:
        cell.close()


@dataclass(frozen=True)
class Shown:
    """Something to show, as text and as HTML."""

    text: str
    markup: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.markup


def _publish() -> Callable[[Shown], None]:
    """Shows what it is given, each time in the place of what it showed before."""
    from IPython.display import display

    handle: Any = None

    def show(what: Shown) -> None:
        nonlocal handle
        if handle is None:
            handle = display(what, display_id=True)  # type: ignore[no-untyped-call]
        else:
            handle.update(what)

    return show


class Cell(Follower):
    """A few lines that stay up to date."""

    def __init__(self, show: Callable[[Shown], None]) -> None:
        super().__init__()
        self._show, self._drawn, self._message, self._end = show, time.monotonic(), "", ""
        self._visible = False

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        if isinstance(event, RunFinished):
            how = "done" if event.finding.complete else f"stopped ({event.finding.stopped or 'unfinished'})"
            self._end = f"{self.name}: {spent(event.progress)}, {how}"
        elif time.monotonic() - self._drawn >= INTERVAL:
            self._drawn, self._visible = time.monotonic(), True
            self._show(self._picture(event.progress))

    def say(self, message: str) -> None:
        self._message = message if message != self.name else ""

    def close(self) -> None:
        """The run is over: only a line stays, if anything was shown."""
        if self._visible:
            end = _line(self._end or f"{self.name}: ended with an error")
            self._show(Shown(end, f'<div style="opacity: .6">{html.escape(end)}</div>'))

    def _picture(self, progress: Progress) -> Shown:
        ahead = left(progress, progress.seconds)
        figures = ", ".join(filter(None, [f"{self.name}: {spent(progress)}", ahead]))
        lines = [figures, self.note, *str(self.best).splitlines()[:2], self._message]
        lines = [_line(line) for line in lines if line]
        written = "<br>".join(map(html.escape, lines))
        return Shown("\n".join(lines), f'{_bar(progress)}<div style="white-space: pre-wrap">{written}</div>')


def _bar(progress: Progress) -> str:
    """How much of the budget is spent, if there is one."""
    shares = []
    if progress.budget_trials:
        shares.append(progress.charged / progress.budget_trials)
    if progress.budget_seconds:
        shares.append(progress.seconds / progress.budget_seconds)
    return f'<progress value="{min(1.0, max(shares)):.3f}" style="width: 20em"></progress>' if shares else ""


def _line(text: str) -> str:
    text = visible(" ".join(text[: 2 * WIDE].splitlines()))
    return text if len(text) <= WIDE else f"{text[: WIDE - 1]}…"
