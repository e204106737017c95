"""What a run is doing, for the person who waits for it: a live display on a terminal, a few lines elsewhere.

Both listen to the lab's events and keep where the run stands; neither changes anything. All of it goes to the standard
error stream, since the standard output belongs to the answer. What a subject wrote is shown, never interpreted.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from rootward.lab.events import BestChanged, Draining, Event, Progress, RunFinished, RunStarted, TrialRetried
from rootward.words import clock, count, visible

if TYPE_CHECKING:
    from rich.text import Text

INTERVAL = 1.0
"""Seconds between two lines, where lines are written."""


@contextlib.contextmanager
def shown(stream: TextIO | None = None) -> Iterator[Callable[[Event], None]]:
    """A listener for ``on_event`` that shows how the run goes, in the way that suits the stream."""
    stream = stream or sys.stderr
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield Lines(stream)
        return
    with Screen(stream) as screen:
        yield screen


class Follower:
    """Where the run stands, as far as events have told."""

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
        """The first finding is where the search begins; each other one is a gain."""
        if best == self.best:
            return
        if self.best is not None:
            self.gained = self.heard
            self.improved()
        self.best = best

    def improved(self) -> None:
        """The best finding is a better one."""

    def say(self, message: str) -> None:
        """Something that a person should read."""
        raise NotImplementedError

    @property
    def headline(self) -> str:
        """The search's own words for where it is, or else the first line of the best finding."""
        return visible(self.note or str(self.best).partition("\n")[0])


class Lines(Follower):
    """A line at the start, at each gain (one a second at most) and at the end: for logs."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream, self._pending, self._written = stream, False, time.monotonic()

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        now = time.monotonic()
        if self._pending and now - self._written >= INTERVAL and not isinstance(event, RunFinished):
            self._pending, self._written = False, now
            self.say(f"{spent(event.progress)}: {self.headline}")

    def improved(self) -> None:
        self._pending = True

    def say(self, message: str) -> None:
        print(visible(message), file=self._stream, flush=True)


class Screen(Follower):
    """A few lines that stay up to date, gone when the run has ended."""

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

        self._live.console.print(Text(visible(message)))

    def render(self) -> Text:
        from rich.text import Text

        if self.progress is None:
            return Text("starting ...")
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(self.name, "bold").append(f"  {self._figures(self.progress)}\n")
        gain = f"last improvement {clock(time.monotonic() - self.gained)} ago" if self.gained else "no improvement yet"
        text.append("  ".join(filter(None, [visible(self.note), gain])), "dim")
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
            left(progress, seconds),
        ]
        return ", ".join(filter(None, parts))

    def _best(self) -> list[str]:
        """The best finding in two lines; written once, since it may be long and is drawn four times a second."""
        best, lines = self._drawn
        if best is not self.best:
            lines = visible(str(self.best)).splitlines()[:2]
            self._drawn = self.best, lines
        return lines


def _message(event: Event) -> str:
    """What is worth a line of its own, in a log or above the display."""
    if isinstance(event, RunStarted):
        which = f"{event.name}, run {event.run}" if event.run is not None else event.name
        return f"{which}: {count(event.recalled, 'trial')} remembered from earlier runs" if event.recalled else which
    if isinstance(event, TrialRetried):
        return f"a worker died ({event.reason}); its trial is run again"
    if isinstance(event, Draining) and event.progress.running:
        running = count(event.progress.running, "running trial")
        key = "Ctrl-C again" if event.reason == "interrupted" else "Ctrl-C"
        return f"stopping ({event.reason}): waiting for {running}; press {key} to stop waiting"
    if isinstance(event, RunFinished):
        how = "done" if event.finding.complete else f"stopped ({event.finding.stopped or 'unfinished'})"
        return f"{spent(event.progress)}: {how}"
    return ""


def spent(progress: Progress) -> str:
    """The time and the trials so far."""
    return f"{clock(progress.seconds)}, {count(progress.executed, 'trial')}"


def left(progress: Progress, seconds: float) -> str:
    """What the budget still holds."""
    parts = []
    if progress.budget_trials is not None:
        parts.append(count(max(0, progress.budget_trials - progress.charged), "trial"))
    if progress.budget_seconds is not None:
        parts.append(clock(max(0.0, progress.budget_seconds - seconds)))
    return f"{' and '.join(parts)} left" if parts else ""
