"""What a run is doing, on a terminal and in a log."""

import fcntl
import io
import os
import pty
import struct
import termios
import time

import pytest

import rootward as rw
from rootward.lab.events import (
    BestChanged,
    Draining,
    Paused,
    Progress,
    RunFinished,
    RunStarted,
    TrialKilled,
    TrialRetried,
)
from rootward.report import progress
from rootward.report.progress import Lines, Screen
from rootward.words import clock, make_visible
from tests.properties import few
from tests.waiting import PATIENCE

AT = Progress(
    executed=12, running=4, remembered=3, charged=10, asked=20, budget_trials=100, budget_seconds=90, seconds=7.2
)


def best(*kept: int) -> rw.Finding:
    from rootward.searches.reduction.reduction import Reduction

    elements = rw.Elements(["[red]a[/red]\x1b[31m", "b\udc80", "c"])
    return Reduction(selection=elements.pick(kept), complete=False)


def events():
    whole = best(0, 1, 2)
    yield RunStarted("reduce", 3, 1234, AT)
    yield BestChanged(whole, "in [2] parts\x07", AT)
    yield BestChanged(best(0, 1), "in [2] parts\x07", AT)
    yield TrialRetried(None, "killed [dim]", AT)  # type: ignore[arg-type]
    yield TrialKilled(None, AT)  # type: ignore[arg-type]
    yield Paused(None, "no space: free some space", 0.499965, AT)  # type: ignore[arg-type]
    yield Draining("interrupted", AT)
    yield RunFinished(best(0), AT)


def test_clock():
    assert [clock(seconds) for seconds in (0, 7.9, 754, 3723)] == ["0:00", "0:07", "12:34", "1:02:03"]


def test_control_characters_are_written_out():
    assert make_visible("é[red]\n\x1b[31m\x07\udc80\u202e") == "é[red]\n\\x1b[31m\\x07\\udc80\\u202e"


def test_a_log_gets_few_lines(monkeypatch):
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    log = io.StringIO()
    show = Lines(log)
    for event in events():
        show(event)
    assert log.getvalue().splitlines() == [
        "reduce, run 3: 1,234 trials remembered from earlier runs",
        "0:07, 12 trials: in [2] parts\\x07",
        "a worker died (killed [dim]); its trial is run again",
        "a signal ended a trial, perhaps from outside; the trial is run again",
        "no space: free some space; trials go on in 0.5 s",
        "stopping (interrupted): waiting for 4 running trials; press Ctrl-C again to stop waiting",
        "0:07, 12 trials: stopped (unfinished)",
    ]


def test_a_log_gets_one_line_a_second(monkeypatch):
    now = 0.0
    monkeypatch.setattr(progress, "INTERVAL", 1.0)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    log = io.StringIO()
    show = Lines(log)
    for step in range(1000):
        now += 0.01
        show(BestChanged(best(step % 2, 2), "", AT))
    assert 9 <= len(log.getvalue().splitlines()) <= 10


def test_the_display_shows_where_the_run_stands(monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    screen = Screen(io.StringIO())
    assert screen.render().plain == "starting ..."
    for event in events():
        screen(event)
    lines = screen.render().plain.splitlines()
    assert lines[0] == "reduce  0:07, 12 trials, 4 running, 3 remembered, 90 trials and 1:22 left"
    assert lines[1] == "in [2] parts\\x07  last improvement 0:00 ago"
    assert lines[2].startswith("2 of 3 elements are enough to make it fail")
    assert lines[3] == "  1  [red]a[/red]\\x1b[31m"
    assert len(lines) == 4


@pytest.mark.parametrize("columns", few(1, [20, 100]))
def test_on_a_terminal(bench, monkeypatch, columns):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    crash = bench.input()
    crash.write_bytes(crash.read_bytes().replace(b"a bug", b"[red]a bug[/red] \x1b[35m"))
    arguments = ["reduce", str(crash), "--by", "lines", "-j", "2", "--", bench.command(0.02), "{file}"]
    monkeypatch.setenv("TERM", "xterm")
    process = bench.start(*arguments, stdout=theirs, stderr=theirs, stdin=theirs)
    os.close(theirs)
    seen = everything(ours)
    assert process.wait(timeout=PATIENCE) == 0
    assert "\x1b[?25l" in seen  # the cursor was hidden: the display was live
    assert seen.count("\x1b[?25h") >= 1
    assert "[red]a bug[/red] \\x1b[35m" in seen
    assert "\x1b[35m" not in seen
    assert "The reduced file is" in seen.rpartition("\x1b")[2]


def everything(terminal: int) -> str:
    seen = b""
    with open(terminal, "rb", buffering=0) as stream:
        while True:
            try:
                seen += stream.read(4096) or b""
            except OSError:  # how Linux says that the other side has gone
                return seen.decode()
