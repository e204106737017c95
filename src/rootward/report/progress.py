"""The progress of a run: a live display on a terminal, a few lines anywhere else.

Both listen to the events of the lab and change nothing. They write to the standard error stream, because the standard
output is for the answer. Text that comes from a subject is shown, never interpreted.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from rootward.lab.events import (
    BestChanged,
    Draining,
    Event,
    Paused,
    Progress,
    RunFinished,
    RunStarted,
    TrialKilled,
    TrialRetried,
)
from rootward.words import clock, count, make_visible

if TYPE_CHECKING:
    from rich.text import Text

INTERVAL = 1.0
"""Minimum number of seconds between two progress lines in a log."""


@contextlib.contextmanager
def show_progress(stream: TextIO | None = None) -> Iterator[Callable[[Event], None]]:
    """Yield a listener for ``on_event``: a live display if the stream is a terminal, else single lines."""
    stream = stream or sys.stderr
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield Lines(stream)
        return
    with Screen(stream) as screen:
        yield screen


class Follower:
    """The state of a run, as known from its events."""

    def __init__(self) -> None:
        self.name = self.note = ""
        self.progress: Progress | None = None
        self.best: Any = None
        self.heard = time.monotonic()
        self.gained: float | None = None

    def __call__(self, event: Event) -> None:
        self.progress, self.heard = event.progress, time.monotonic()
        if isinstance(event, RunStarted):
            self.name = event.name
        elif isinstance(event, BestChanged):
            self.note = event.note
            self._compare(event.best)
        if message := _message(event):
            self.say(message)

    def _compare(self, best: Any) -> None:
        """Note an improvement if the best finding changed.

        The first finding is no improvement, because it is the starting point.
        """
        if best == self.best:
            return
        if self.best is not None:
            self.gained = self.heard
            self.on_improvement()
        self.best = best

    def on_improvement(self) -> None:
        """Called when the best finding has improved."""

    def say(self, message: str) -> None:
        """Show a message to the user."""
        raise NotImplementedError

    @property
    def headline(self) -> str:
        """The note of the search about what it is doing. If there is none, the first line of the best finding."""
        return make_visible(self.note or str(self.best).partition("\n")[0])


class Lines(Follower):
    """Lines for a log: one at the start, one at each improvement (at most one per ``INTERVAL``) and one at the end."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream, self._pending, self._written = stream, False, time.monotonic()

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        now = time.monotonic()
        if self._pending and now - self._written >= INTERVAL and not isinstance(event, RunFinished):
            self._pending, self._written = False, now
            self.say(f"{describe_spent(event.progress)}: {self.headline}")

    def on_improvement(self) -> None:
        self._pending = True

    def say(self, message: str) -> None:
        print(make_visible(message), file=self._stream, flush=True)


class Screen(Follower):
    """A few lines on a terminal that are kept up to date, and disappear when the run has ended."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        from rich.console import Console
        from rich.live import Live

        console = Console(file=stream, highlight=False, markup=False, emoji=False)
        self._live = Live(get_renderable=self.render, console=console, refresh_per_second=4, transient=True)
        self._drawn: tuple[Any, list[str]] = (None, [])

    def __enter__(self) -> Screen:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say(self, message: str) -> None:
        from rich.text import Text

        self._live.console.print(Text(make_visible(message)))

    def render(self) -> Text:
        from rich.text import Text

        if self.progress is None:
            return Text("starting ...")
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(self.name, "bold").append(f"  {self._figures(self.progress)}\n")
        gain = f"last improvement {clock(time.monotonic() - self.gained)} ago" if self.gained else "no improvement yet"
        text.append("  ".join(filter(None, [make_visible(self.note), gain])), "dim")
        for line in self._best():
            text.append(f"\n{line}")
        return text

    def _figures(self, progress: Progress) -> str:
        seconds = progress.seconds + time.monotonic() - self.heard
        parts = [
            clock(seconds),
            count(progress.executed, "trial"),
            f"{progress.running:,} running" if progress.running else "",
            f"{progress.remembered:,} remembered" if progress.remembered else "",
            describe_left(progress, seconds),
        ]
        return ", ".join(filter(None, parts))

    def _best(self) -> list[str]:
        """Return the first two lines of the best finding.

        They are cached, because the finding may be long and the display is drawn four times a second.
        """
        best, lines = self._drawn
        if best is not self.best:
            lines = make_visible(str(self.best)).splitlines()[:2]
            self._drawn = self.best, lines
        return lines


def _message(event: Event) -> str:
    """Return the line that is shown for an event. It is empty for an event that is not worth a line."""
    if isinstance(event, RunStarted):
        which = f"{event.name}, run {event.run}" if event.run is not None else event.name
        return f"{which}: {count(event.recalled, 'trial')} remembered from earlier runs" if event.recalled else which
    if isinstance(event, TrialRetried):
        return f"a worker died ({event.reason}); its trial is run again"
    if isinstance(event, TrialKilled):
        return "a signal ended a trial, perhaps from outside; the trial is run again"
    if isinstance(event, Paused):
        return f"{event.reason}; trials go on in {round(event.seconds, 1):g} s"
    if isinstance(event, Draining) and event.progress.running:
        running = count(event.progress.running, "running trial")
        key = "Ctrl-C again" if event.reason == "interrupted" else "Ctrl-C"
        return f"stopping ({event.reason}): waiting for {running}; press {key} to stop waiting"
    if isinstance(event, RunFinished):
        how = "done" if event.finding.complete else f"stopped ({event.finding.stopped or 'unfinished'})"
        return f"{describe_spent(event.progress)}: {how}"
    return ""


def describe_spent(progress: Progress) -> str:
    """Return the time and the number of trials so far."""
    return f"{clock(progress.seconds)}, {count(progress.executed, 'trial')}"


def describe_left(progress: Progress, seconds: float) -> str:
    """Return the trials and the time that are left in the budget. The text is empty if there is no budget."""
    parts = []
    if progress.budget_trials is not None:
        parts.append(count(max(0, progress.budget_trials - progress.charged), "trial"))
    if progress.budget_seconds is not None:
        parts.append(clock(max(0.0, progress.budget_seconds - seconds)))
    return f"{' and '.join(parts)} left" if parts else ""
