"""Ctrl-C and SIGTERM: running trials are waited for and stored, and there is a partial finding; twice ends at once."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.searches.reduction.ddmin import ddmin
from tests.properties import few
from tests.waiting import PATIENCE, until

SCRIPT = """
import json, os, sys, time
import rootward as rw
from rootward.lab.events import *
from rootward.lab.interrupts import Interrupts
folder, subject, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
pool, hold, this = options.pop("pool", None), options.pop("hold"), os.getpid()
if pool:
    import concurrent.futures
    options["executor"] = getattr(concurrent.futures, pool)(2)

def check(kept):
    write("started")
    while os.path.getsize(folder + "/started") >= hold and not os.path.exists(folder + "/go"):
        time.sleep(0.01)
    write("ended")
    assert not {3, 7} <= set(kept)

def write(name):
    with open(folder + "/" + name, "a") as file:
        file.write("x")

handled = Interrupts._handle
def handle(self, *arguments):
    if os.getpid() == this:
        write("signals")
    handled(self, *arguments)
Interrupts._handle = handle

# the folder is $0, so that no file in it is named by the command: such a file would be a part of the subject
command = rw.Command(["/bin/sh", "-c", f'''
printf x >> $0/started
while [ $(wc -c < $0/started) -ge {hold} ] && ! [ -e $0/go ]; do sleep 0.02; done
printf x >> $0/ended
grep -qx 3 "$1" && grep -qx 7 "$1" && exit 1; exit 0''', folder, "{file}"])
items = range(16) if subject == "function" else [f"{i}\\n" for i in range(16)]

found = rw.reduce(items, check if subject == "function" else command, method="ddmin",
                  store=folder + "/store.db", **options)
print(json.dumps(found.to_dict()))
"""


class Run:
    """A reduction in a process of its own. From trial number ``hold`` on, none ends before ``let_go``."""

    def __init__(self, tmp_path: Path, drive: Any, subject: str, *, hold: int, **options: Any) -> None:
        script = tmp_path / "script.py"
        script.write_text(SCRIPT)
        self.folder = tmp_path
        self.driver = drive(str(script), str(tmp_path), subject, json.dumps({"hold": hold, **options}))
        until(lambda: self.count("started") >= hold, f"{hold} trials have started", self.driver.process)

    def count(self, name: str) -> int:
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0

    def send(self, number: int, *, group: bool = False) -> None:
        """Send a signal to the process, or to its whole group, and wait until it has been taken notice of."""
        before = self.count("signals")
        (os.killpg if group else os.kill)(self.driver.process.pid, number)
        until(lambda: self.count("signals") > before, "the signal has arrived", self.driver.process)

    def let_go(self) -> None:
        (self.folder / "go").touch()

    def stored(self) -> int:
        with contextlib.closing(rw.Store(self.folder / "store.db")) as store:
            return sum(run.trials for run in store.runs())

    def status(self) -> list[str]:
        with contextlib.closing(rw.Store(self.folder / "store.db")) as store:
            return [run.status for run in store.runs()]


KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "commands": ("command", {"jobs": 2}),
    "a function": ("function", {"jobs": 1}),
    "functions in workers": ("function", {"jobs": 2}),
    "a pool of processes": ("function", {"pool": "ProcessPoolExecutor"}),
    "a pool of threads": ("function", {"pool": "ThreadPoolExecutor"}),
}


def drained(tmp_path: Path, drive: Any, kind: str, number: int) -> Run:
    """A run that one signal has ended, as it should."""
    subject, options = KINDS[kind]
    run = Run(tmp_path, drive, subject, hold=6, **options)
    run.send(number)
    run.let_go()
    found = run.driver.finding()
    assert (found["complete"], found["stopped"]) == (False, "interrupted")
    assert {3, 7} <= {kept["position"] for kept in found["kept"]}
    assert run.count("started") == run.count("ended"), "what was running has not been waited for"
    assert run.stored() == run.count("ended") == found["trials"]
    assert run.status() == ["interrupted"]
    return run


@pytest.mark.rest
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "commands"])
def test_one_signal_drains(tmp_path: Path, drive: Any, kind: str, number: int) -> None:
    drained(tmp_path, drive, kind, number)


@pytest.mark.parametrize("number", few(1, [signal.SIGINT, signal.SIGTERM]))
def test_one_signal_drains_and_the_same_again_goes_on(tmp_path: Path, drive: Any, number: int) -> None:
    paid = drained(tmp_path, drive, "commands", number).count("started")
    again = Run(tmp_path, drive, "command", jobs=2, hold=6)
    found = again.driver.finding()
    assert [kept["position"] for kept in found["kept"]] == [3, 7]
    assert found["trials"] == again.stored() == again.count("started")
    assert found["trials"] > paid


@pytest.mark.slow
@pytest.mark.parametrize("kind", few(1, KINDS))
def test_a_terminal_sends_it_to_everybody(tmp_path: Path, drive: Any, kind: str) -> None:
    """Ctrl-C reaches the whole foreground group; the workers of a pool do not survive it, but the finding does."""
    subject, options = KINDS[kind]
    run = Run(tmp_path, drive, subject, hold=6, **options)
    run.send(signal.SIGINT, group=True)
    run.let_go()
    found = run.driver.finding()
    assert (found["complete"], found["stopped"]) == (False, "interrupted")
    assert {3, 7} <= {kept["position"] for kept in found["kept"]}
    assert run.stored() == found["trials"] <= run.count("ended")
    if kind != "a pool of processes":
        assert run.count("started") == run.count("ended")


@pytest.mark.parametrize(
    "kind",
    ["commands", *(pytest.param(kind, marks=pytest.mark.rest) for kind in ("functions in workers", "a function"))],
)
def test_a_second_signal_ends_at_once(tmp_path: Path, drive: Any, kind: str) -> None:
    subject, options = KINDS[kind]
    run = Run(tmp_path, drive, subject, hold=1, **options)
    run.send(signal.SIGINT)
    assert run.driver.process.poll() is None, "the first signal waits for what is running"
    run.send(signal.SIGINT)
    found = run.driver.finding()  # although nothing that is running ever ends
    assert (found["complete"], found["stopped"], found["trials"]) == (False, "interrupted", 0)
    assert run.stored() == 0, "a trial that was cut short is not stored"


def test_the_callers_own_handler_stays(tmp_path: Path) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:

        def subject(kept: list[int]) -> rw.Verdict:
            if len(kept) == 2:
                signal.raise_signal(signal.SIGINT)
            return rw.Verdict.FAIL if 3 in kept else rw.Verdict.PASS

        found = rw.reduce(range(8), subject, method="ddmin")
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.complete
    assert seen


def test_handlers_are_given_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    rw.reduce(range(8), rw.fails_when(lambda kept: 3 in kept))
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


CLOCK = """
import os, sys
from rootward.cli import main
from rootward.lab.lab import Lab
Lab._seconds = lambda self: 1e6 * os.path.exists("begun")
main(sys.argv[1:])
"""
"""The command line, for which the time is up as soon as there is a certain file."""


def test_one_is_enough_when_the_time_is_up_and_a_trial_goes_on(tmp_path: Path) -> None:
    """The screen says that Ctrl-C ends what is being waited for; so it does."""
    (tmp_path / "in.txt").write_text("a\nb\n")
    (tmp_path / "clock.py").write_text(CLOCK)
    command = [sys.executable, "clock.py", "reduce", "in.txt", "--seconds", "1000", "--"]
    argv = [*command, "sh", "-c", "touch begun; sleep 1000; test -e {file}; exit 1"]
    with subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
        assert driver.stderr is not None
        while "press Ctrl-C to stop waiting" not in (line := driver.stderr.readline()):
            assert line, "it ended too early"
        driver.send_signal(signal.SIGINT)
        driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 3


def test_one_at_the_very_end_is_not_forgotten() -> None:
    """The answer is complete; but whoever drives the lab must not go on with other things."""

    def search() -> rw.Search[rw.Selection[int], Any]:
        found = yield from ddmin(rw.Elements(range(8)))
        signal.raise_signal(signal.SIGINT)
        return found

    with rw.Lab(rw.fails_when(lambda kept: 3 in kept)) as lab:
        found = lab.run(search())
    assert (found.complete, found.stopped) == (True, "interrupted")
