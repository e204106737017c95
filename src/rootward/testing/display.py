"""The progress of explanations on pytest's terminal: one line for each test, updated in place."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import pytest

from rootward.lab.events import Event
from rootward.testing.rerun import Rerun
from rootward.words import clock, count, make_visible

INTERVAL = 0.25
"""Seconds between two updates of a line on a terminal."""
LOG_INTERVAL = 30.0
"""Seconds between two lines in a log, where a line cannot be updated."""


class Display:
    """Prints progress; silent with -q and without a terminal reporter."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @property
    def _terminal(self) -> pytest.TerminalReporter | None:
        found: pytest.TerminalReporter | None = self._config.pluginmanager.get_plugin("terminalreporter")
        return found if found is not None and self._config.get_verbosity() >= 0 else None

    def say(self, line: str) -> None:
        if (terminal := self._terminal) is not None:
            self._new_line(terminal)
            terminal.write_line(make_visible(line))

    def _new_line(self, terminal: pytest.TerminalReporter) -> None:
        terminal.ensure_newline()
        writer = self._config.get_terminal_writer()  # it counts what xdist has written, too
        if writer.width_of_current_line:
            writer.line()

    @contextlib.contextmanager
    def show_progress(self, name: str, subject: Rerun | None, budget: int) -> Iterator[Callable[[Event], None]]:
        """Yield a listener for ``on_event`` while one test is explained.

        Prints the number of runs at the end.
        """
        terminal, started = self._terminal, time.monotonic()
        if terminal is None:
            yield lambda event: None
            return
        written = started

        def on_event(event: Event) -> None:
            nonlocal written
            now = time.monotonic()
            if subject is not None and now - written >= (INTERVAL if terminal.isatty else LOG_INTERVAL):
                written = now
                line = f"rootward: {name}: {count(subject.runs, 'run')} of at most {budget:,}, {clock(now - started)}"
                terminal.rewrite(make_visible(line), erase=True) if terminal.isatty else terminal.write_line(
                    make_visible(line)
                )

        self._new_line(terminal)
        try:
            yield on_event
        finally:
            if terminal.isatty:
                terminal.rewrite("", erase=True)
            runs = count(subject.runs if subject else 0, "more run")
            terminal.write_line(make_visible(f"rootward: {name}: {runs}, {clock(time.monotonic() - started)}"))

    @contextlib.contextmanager
    def without_new_warnings(self) -> Iterator[None]:
        """Drop the warnings of runs that Rootward adds.

        The summary of pytest should cover only the runs that the user asked for.
        """
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        kept = list(terminal.stats.get("warnings", ())) if terminal is not None else []
        yield
        if terminal is not None and "warnings" in terminal.stats:
            terminal.stats["warnings"][:] = kept
