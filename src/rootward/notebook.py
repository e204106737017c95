"""The progress of a run, shown below the notebook cell that waits for it.

Like the displays of `rootward.report.progress`, it listens to the lab's events. A run that ends at once shows nothing;
a longer one leaves one grey line. Output of a subject is escaped, and styles are inline, so that nothing else on the
page changes.
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
from rootward.report.progress import Follower, describe_left, describe_spent
from rootward.words import make_visible

INTERVAL = 0.3
"""Seconds before the first display, and between two updates."""
MAX_LINE_LENGTH = 160
"""Maximum number of characters in a line; longer ones are cut."""


def in_kernel() -> bool:
    """Return True in a Jupyter kernel; imports nothing."""
    loaded = sys.modules.get("IPython")
    shell = loaded.get_ipython() if loaded is not None else None
    return getattr(shell, "kernel", None) is not None


@contextlib.contextmanager
def show_progress() -> Iterator[Callable[[Event], None]]:
    """Yield a listener for ``on_event`` that shows the progress of the run in a kernel."""
    cell = LiveCell(_make_display())
    try:
        yield cell
    finally:
        cell.close()


@dataclass(frozen=True)
class DisplayBundle:
    """Output of a cell, as text and as HTML."""

    text: str
    markup: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.markup


def _make_display() -> Callable[[DisplayBundle], None]:
    """Return a function that displays its argument and replaces its previous display."""
    from IPython.display import display

    handle: Any = None

    def show(what: DisplayBundle) -> None:
        nonlocal handle
        if handle is None:
            handle = display(what, display_id=True)  # type: ignore[no-untyped-call]
        else:
            handle.update(what)

    return show


class LiveCell(Follower):
    """A few lines below the cell, updated while the run goes on."""

    def __init__(self, show: Callable[[DisplayBundle], None]) -> None:
        super().__init__()
        self._show, self._drawn, self._message, self._end = show, time.monotonic(), "", ""
        self._visible = False

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        if isinstance(event, RunFinished):
            how = "done" if event.finding.complete else f"stopped ({event.finding.stopped or 'unfinished'})"
            self._end = f"{self.name}: {describe_spent(event.progress)}, {how}"
        elif time.monotonic() - self._drawn >= INTERVAL:
            self._drawn, self._visible = time.monotonic(), True
            self._show(self._picture(event.progress))

    def say(self, message: str) -> None:
        self._message = message if message != self.name else ""

    def close(self) -> None:
        """End the display: if anything was shown, replace it by one line."""
        if self._visible:
            end = _format_line(self._end or f"{self.name}: ended with an error")
            self._show(DisplayBundle(end, f'<div style="opacity: .6">{html.escape(end)}</div>'))

    def _picture(self, progress: Progress) -> DisplayBundle:
        ahead = describe_left(progress, progress.seconds)
        figures = ", ".join(filter(None, [f"{self.name}: {describe_spent(progress)}", ahead]))
        lines = [figures, self.note, *str(self.best).splitlines()[:2], self._message]
        lines = [_format_line(line) for line in lines if line]
        written = "<br>".join(map(html.escape, lines))
        return DisplayBundle("\n".join(lines), f'{_bar(progress)}<div style="white-space: pre-wrap">{written}</div>')


def _bar(progress: Progress) -> str:
    """Return a progress bar of the budget. It is empty if there is no budget."""
    shares = []
    if progress.budget_trials:
        shares.append(progress.charged / progress.budget_trials)
    if progress.budget_seconds:
        shares.append(progress.seconds / progress.budget_seconds)
    return f'<progress value="{min(1.0, max(shares)):.3f}" style="width: 20em"></progress>' if shares else ""


def _format_line(text: str) -> str:
    text = make_visible(" ".join(text[: 2 * MAX_LINE_LENGTH].splitlines()))
    return text if len(text) <= MAX_LINE_LENGTH else f"{text[: MAX_LINE_LENGTH - 1]}…"
