"""Trouble of the machine is never an answer: no space, no file handles, a lost folder, a killed worker."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.lab import lab as driver
from rootward.lab.events import Paused, TrialKilled
from rootward.store.store import Store
from rootward.subjects import machine, process
from rootward.subjects.command import Command

LITTLE = "only .* are free in"
LINES = [f"line {number}\n" for number in range(64)]
NEEDED = ["line 7\n", "line 40\n"]
GREP = Command(["sh", "-c", "! (grep -qx 'line 7' {file} && grep -qx 'line 40' {file})"])


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "FIRST_PAUSE", 0.0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no small file system can be mounted: {mounted.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fail_at(real: Any, numbers: range, error: Exception) -> Any:
    """Return a function like ``real`` of which the calls with these numbers raise the error."""
    calls = iter(range(1_000_000))

    def call(*args: Any, **options: Any) -> Any:
        if next(calls) in numbers:
            raise error
        return real(*args, **options)

    return call


def fill(path: Path) -> None:
    """Write to a file until its disk is full."""
    with contextlib.suppress(OSError), open(path, "wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 16))


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO])
def test_trouble_that_passes_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, jobs: int, number: int
) -> None:
    error = OSError(number, os.strerror(number))
    monkeypatch.setattr(process, "start", fail_at(process.start, range(5, 9), error))
    events: list[Any] = []
    found = rw.reduce(LINES, GREP, jobs=jobs, store=tmp_path / "runs.db", on_event=events.append)
    assert (found.kept, found.complete) == (NEEDED, True)
    assert any(os.strerror(number) in event.reason for event in events if isinstance(event, Paused))
    with Store(tmp_path / "runs.db") as store:
        assert "unresolved" not in {trial["verdict"] for trial in store.trials(1)}


def test_trouble_that_stays_ends_the_run_which_goes_on_later(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, "No space left on device", "/somewhere")
        patch.setattr(process, "start", fail_at(process.start, range(6, 1_000_000), full))
        with pytest.warns(RuntimeWarning, match="/somewhere: No space left on device: free some space"):
            found = rw.reduce(LINES, GREP, store=store)
    assert (found.complete, found.stopped) == (False, "machine trouble")
    assert set(NEEDED) <= set(found.kept)
    again = rw.reduce(LINES, GREP, store=store)
    assert (again.kept, again.complete) == (NEEDED, True)


def test_trouble_that_cannot_pass_ends_the_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "FIRST_PAUSE", 1e9)
    denied = PermissionError(errno.EACCES, "Permission denied", "/somewhere")
    monkeypatch.setattr(Path, "write_bytes", fail_at(Path.write_bytes, range(9, 1_000_000), denied))
    with pytest.warns(RuntimeWarning, match="/somewhere: Permission denied"):
        found = rw.reduce(LINES, GREP)
    assert (found.complete, found.stopped) == (False, "machine trouble")


@pytest.mark.filterwarnings(f"ignore:{LITTLE}:RuntimeWarning")
def test_a_disk_that_fills_up_is_no_verdict(monkeypatch: pytest.MonkeyPatch, small_disk: Path, tmp_path: Path) -> None:
    """While the search runs, another program fills the disk, and later frees it again."""
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    filler, finished = small_disk / "filler", 0

    def on_event(event: Any) -> None:
        nonlocal finished
        finished += type(event).__name__ == "TrialFinished"
        if finished == 10 and not filler.exists():
            fill(filler)
        if isinstance(event, Paused) and event.trial.tries > 2:
            filler.unlink(missing_ok=True)
            finished += 1

    found = rw.reduce(LINES, GREP, jobs=2, on_event=on_event)
    assert (found.kept, found.complete) == (NEEDED, True)


@pytest.mark.filterwarnings(f"ignore:{LITTLE}:RuntimeWarning")
def test_output_that_does_not_fit_is_no_pass(monkeypatch: pytest.MonkeyPatch, small_disk: Path) -> None:
    """The program prints more than fits, ignores the error, and would have printed the failure at the end."""
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    script = "grep -qx 'line 7' {file} || exit 0; head -c 9000000 /dev/zero; echo ERROR; exit 0"
    with pytest.warns(RuntimeWarning, match="free some space"):
        found = rw.reduce(LINES, Command(["sh", "-c", script], verdict="ERROR"))
    assert (found.complete, found.stopped, found.kept) == (False, "machine trouble", LINES)


def test_a_folder_that_is_removed_while_a_trial_runs_is_no_verdict(tmp_path: Path) -> None:
    """The program removes the folder of its own trial, as a cleaning program might, but only once."""
    (tmp_path / "once").touch()
    script = f'test -e {tmp_path}/once && rm -r {tmp_path}/once "$(dirname {{dir}})"; ' + GREP.argv[2]
    store = tmp_path / "store" / "runs.db"
    found = rw.reduce(LINES, Command(["sh", "-c", script]), store=store)
    assert (found.kept, found.complete) == (NEEDED, True)


def test_memory_that_runs_out_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel counts the processes that it killed for lack of memory; here, it has killed the first."""
    monkeypatch.setattr(machine, "_count_memory_kills", lambda: 1)
    monkeypatch.setattr(machine, "_memory_kills", 0)
    script = "test -e ran || { touch ran; kill -9 $$; }; " + GREP.argv[2]
    with tempfile.TemporaryDirectory() as here:
        found = rw.reduce(LINES, Command(["sh", "-c", script], cwd=here))
    assert (found.kept, found.complete) == (NEEDED, True)


FEW_HANDLES = """
import os, resource, sys, warnings
import rootward as rw
from rootward.lab import lab
from rootward.subjects.command import Command

lab.FIRST_PAUSE = 0.0
LINES = [f"line {number}\\n" for number in range(64)]
leaked = []

def leak(lines):
    leaked.append(open(os.devnull))
    return judge(lines)

def open_all(lines):
    files = [open(os.devnull) for _ in lines]

def judge(lines):
    assert not {"line 7\\n", "line 40\\n"} <= set(lines)

grep = Command(["sh", "-c", "! (grep -qx 'line 7' {file} && grep -qx 'line 40' {file})"])
isolated = rw.Function(judge, isolated=True)
rw.reduce(LINES, grep)  # so that all modules are imported
used = len(os.listdir("/proc/self/fd"))
resource.setrlimit(resource.RLIMIT_NOFILE, (used + int(sys.argv[1]), used + int(sys.argv[1])))
try:
    found = rw.reduce(LINES, eval(sys.argv[2]), jobs=int(sys.argv[3]))
    print(found.complete, found.stopped, len(found.kept), found.error)
except rw.RootwardError as error:
    print(error)
"""


def reduce_with_few_handles(handles: int, subject: str, jobs: int = 1) -> tuple[str, str]:
    """Return what is printed: the finding, and the warnings."""
    command = [sys.executable, "-c", FEW_HANDLES, str(handles), subject, str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


def test_a_function_that_uses_up_the_file_handles_gets_no_verdict() -> None:
    found, warned = reduce_with_few_handles(12, "leak")
    assert found.startswith("False machine trouble")
    assert "Too many open files" in warned


def test_an_input_for_which_too_many_files_are_opened_is_a_failure() -> None:
    """The function opens one file for each line: with few lines, it works."""
    found, _ = reduce_with_few_handles(30, "open_all")
    assert re.fullmatch("True None (29|3[0-3]) OSError: .* Too many open files.*", found)


@pytest.mark.parametrize("subject", ["grep", "isolated"])
def test_jobs_are_lowered_if_there_are_few_file_handles(subject: str) -> None:
    found, warned = reduce_with_few_handles(64, subject, 32)
    assert re.search("enough for [0-9] jobs, not for 32", warned)
    assert found.startswith("True None 2")


def test_too_few_file_handles_are_said_at_once() -> None:
    found, _ = reduce_with_few_handles(10, "grep")
    assert "raise the limit" in found


NEEDS_SPACE = """
import sys, tempfile
text = open(sys.argv[1]).read()
try:
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x" * 4_000_000)
        file.flush()
except OSError as error:
    sys.exit(str(error) if sys.argv[2:] else 1)
sys.exit("line 7\\n" in text and "line 40\\n" in text)
"""
"""Fails without 4 MB of space, and removes what it has written."""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_program_that_needs_more_space_than_there_is(
    monkeypatch: pytest.MonkeyPatch, small_disk: Path, tmp_path: Path, jobs: int
) -> None:
    """While the search runs, another program takes some of the space, and later frees it again."""
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    script, filler, finished = tmp_path / "needs_space.py", small_disk / "filler", 0
    script.write_text(NEEDS_SPACE)
    subject = Command([sys.executable, "-S", str(script), "{file}"], env={"TMPDIR": str(small_disk)})

    def on_event(event: Any) -> None:
        nonlocal finished
        finished += type(event).__name__ == "TrialFinished"
        if finished == 4 and not filler.exists():
            filler.write_bytes(bytes(5_000_000))
        if isinstance(event, Paused):
            filler.unlink(missing_ok=True)
            finished += 1

    with pytest.warns(RuntimeWarning, match=LITTLE):
        found = rw.reduce(LINES, subject, jobs=jobs, flaky=False, on_event=on_event)
    assert (found.kept, found.complete) == (NEEDED, True)


@pytest.mark.filterwarnings(f"ignore:{LITTLE}:RuntimeWarning")
def test_a_program_that_says_so(monkeypatch: pytest.MonkeyPatch, small_disk: Path, tmp_path: Path) -> None:
    """There was too little space from the beginning."""
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    (small_disk / "filler").write_bytes(bytes(5_000_000))
    script = tmp_path / "needs_space.py"
    script.write_text(NEEDS_SPACE)
    subject = Command([sys.executable, "-S", str(script), "{file}", "say"], env={"TMPDIR": str(small_disk)})
    with pytest.warns(RuntimeWarning, match="the program says that there is no space left"):
        found = rw.reduce(LINES, subject)
    assert (found.complete, found.stopped) == (False, "machine trouble")


def test_a_function_that_needs_more_space_than_there_is(monkeypatch: pytest.MonkeyPatch, small_disk: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))

    def judge(lines: list[str]) -> None:
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x" * 10_000_000)

    with pytest.warns(RuntimeWarning, match="No space left on device"):
        found = rw.reduce(LINES, judge)
    assert (found.complete, found.stopped) == (False, "machine trouble")


def test_all_trials_that_ran_share_a_kill_for_lack_of_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one, two, kills = machine.Watch(str(tmp_path)), machine.Watch(str(tmp_path)), machine._count_memory_kills() + 1
    monkeypatch.setattr(machine, "_count_memory_kills", lambda: kills)
    for watch in (one, two):
        with pytest.raises(rw.MachineTrouble, match="ran out of memory"):
            watch.check(1)
    machine.Watch(str(tmp_path)).check(1)


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory")])
def test_memory_that_the_machine_lacks(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    assert not machine.is_to_blame_for(error), "the candidate itself asks for too much"
    monkeypatch.setattr(machine, "_available_memory", lambda: 1e6)
    assert machine.is_to_blame_for(error)


@pytest.mark.parametrize(
    "error", [RuntimeError("can't start new thread"), BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")]
)
def test_processes_that_the_machine_lacks(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    assert not machine.is_to_blame_for(error)
    monkeypatch.setattr(threading.Thread, "start", fail_at(None, range(9), RuntimeError("can't start new thread")))
    assert machine.is_to_blame_for(error)


def test_trouble_that_stays_is_said_within_some_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many trials meet it at once."""
    events: list[Any] = []
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(process, "start", fail_at(process.start, range(6, 1_000_000), full))
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        rw.reduce(LINES, GREP, jobs=4, on_event=events.append)
    assert sum(isinstance(event, Paused) for event in events) <= driver.MAX_TRIES


# A signal that somebody else may have sent

KILLED = 'name="$1/$(md5sum < "$0" | cut -c 1-32)"; test -e "$name" || {{ touch "$name"; {how}; }}; '
"""Ends the first run of each input."""


@pytest.mark.parametrize("how", ["kill -9 $$", "kill $$", "sh -c 'kill -9 $$'; exit"])
@pytest.mark.parametrize("jobs", [1, 4])
def test_a_run_that_is_killed_from_outside_is_no_verdict(tmp_path: Path, how: str, jobs: int) -> None:
    """Half of the inputs are killed once, as by somebody who tidies up on a machine that many share."""
    (tmp_path / "seen").mkdir()
    search = "! (grep -qx 'line 7' \"$0\" && grep -qx 'line 40' \"$0\")"
    script = f'test $(wc -l < "$0") -gt 30 || {{ {KILLED.format(how=how)} }}; {search}'
    subject = Command(["sh", "-c", script, "{file}", str(tmp_path / "seen")])
    events: list[Any] = []
    found = rw.reduce(LINES, subject, jobs=jobs, store=tmp_path / "runs.db", on_event=events.append)
    assert (found.kept, found.complete) == (NEEDED, True)
    killed = [event.trial.name for event in events if isinstance(event, TrialKilled)]
    assert len(killed) == len(set(killed)) > 0
    with Store(tmp_path / "runs.db") as store:
        assert {trial["signature"] for trial in store.trials(1)} == {None, "exit code 1"}


def test_a_verdict_from_the_output_of_a_killed_program_does_not_count(tmp_path: Path) -> None:
    """Without the end of its output, a failure looks like a pass."""
    script = KILLED.format(how="kill -9 $$") + "grep -qx 'line 7' \"$0\" && echo ERROR; exit 0"
    subject = Command(["sh", "-c", script, "{file}", str(tmp_path)], verdict="ERROR")
    found = rw.reduce(LINES, subject)
    assert (found.kept, found.complete) == (["line 7\n"], True)


def test_a_program_that_kills_itself_is_believed(tmp_path: Path) -> None:
    script = 'echo >> "$1"; ! grep -qx \'line 7\' "$0" || kill -9 $$'
    log, events = tmp_path / "log", list[Any]()
    found = rw.reduce(LINES, Command(["sh", "-c", script, "{file}", str(log)]), on_event=events.append)
    assert (found.kept, found.signature) == (["line 7\n"], "SIGKILL")
    killed = [event for event in events if isinstance(event, TrialKilled)]
    assert len(killed) == 1, "after it was confirmed, this is the failure that the search is about"
    assert log.stat().st_size == found.trials + 1


def test_another_failure_by_a_signal_is_repeated_once() -> None:
    script = "grep -qx 'line 7' \"$0\" || exit 0; grep -qx 'line 40' \"$0\" || kill -9 $$; exit 1"
    events: list[Any] = []
    found = rw.reduce(LINES, Command(["sh", "-c", script, "{file}"]), on_event=events.append)
    assert found.kept == NEEDED
    killed = [event.trial.name for event in events if isinstance(event, TrialKilled)]
    assert len(killed) == len(set(killed)) > 0
