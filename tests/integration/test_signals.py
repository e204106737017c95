"""Ctrl-C and SIGTERM: running trials are waited for and stored, and there is a partial finding; twice ends at once."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.searches.reduction.ddmin import ddmin
from tests.properties import few

SCRIPT = """
import json, sys, time
import rootward as rw
from rootward.searches.reduction.ddmin import ddmin
from rootward.events import *
folder, subject, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
pool = options.pop("pool", None)
if pool:
    import concurrent.futures
    options["executor"] = getattr(concurrent.futures, pool)(2)

def check(kept):
    open(folder + "/started", "a").write("x")
    time.sleep(options_seconds)
    open(folder + "/ended", "a").write("x")
    assert not {3, 7} <= set(kept)

options_seconds = options.pop("seconds")
command = rw.Command(["/bin/sh", "-c", f'''
printf x >> {folder}/started; sleep {options_seconds}; printf x >> {folder}/ended
grep -qx 3 "$1" && grep -qx 7 "$1" && exit 1; exit 0''', "sh", "{file}"])
items = range(16) if subject == "function" else [f"{i}\\n" for i in range(16)]

def tell(event):
    if isinstance(event, (TrialFinished, Draining)):
        print(type(event).__name__, flush=True)

found = rw.reduce(items, check if subject == "function" else command, method="ddmin", on_event=tell,
                  store=folder + "/store.db", **options)
print(json.dumps(found.to_dict()))
"""


class Run:
    def __init__(self, tmp_path: Path, drive: Any, until: Any, subject: str, **options: Any) -> None:
        script = tmp_path / "script.py"
        script.write_text(SCRIPT)
        self.folder, self._until = tmp_path, until
        self.driver = drive(str(script), str(tmp_path), subject, json.dumps(options))

    def count(self, name: str) -> int:
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0

    def wait_for(self, started: int, name: str = "started") -> None:
        self._until(lambda: self.count(name) >= started, 30, f"{started} trials have {name}")

    def send(self, number: int) -> None:
        self.driver.process.send_signal(number)

    def stored(self) -> int:
        with contextlib.closing(rw.Store(self.folder / "store.db")) as store:
            return sum(run.trials for run in store.runs())

    def status(self) -> list[str]:
        with contextlib.closing(rw.Store(self.folder / "store.db")) as store:
            return [run.status for run in store.runs()]


KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "a function": ("function", {"jobs": 1}),
    "functions in workers": ("function", {"jobs": 2}),
    "commands": ("command", {"jobs": 2}),
    "a pool of processes": ("function", {"pool": "ProcessPoolExecutor"}),
    "a pool of threads": ("function", {"pool": "ThreadPoolExecutor"}),
}


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.rest)])
@pytest.mark.parametrize(
    "kind", [kind if kind == "commands" else pytest.param(kind, marks=pytest.mark.rest) for kind in KINDS]
)
def test_one_signal_drains(tmp_path: Path, drive: Any, wait_until: Any, kind: str, number: int) -> None:
    subject, options = KINDS[kind]
    run = Run(tmp_path, drive, wait_until, subject, seconds=0.15, **options)
    run.wait_for(6)
    run.send(number)
    found = run.driver.finding(30)
    assert (found["complete"], found["stopped"]) == (False, "interrupted")
    assert {3, 7} <= {kept["position"] for kept in found["kept"]}
    assert run.count("started") == run.count("ended"), "what was running has not been waited for"
    assert run.stored() == run.count("ended") == found["trials"]
    assert run.status() == ["interrupted"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", few(1, KINDS))
def test_a_terminal_sends_it_to_everybody(tmp_path: Path, drive: Any, wait_until: Any, kind: str) -> None:
    """Ctrl-C reaches the whole foreground group; the workers of a pool do not survive it, but the finding does."""
    subject, options = KINDS[kind]
    run = Run(tmp_path, drive, wait_until, subject, seconds=0.15, **options)
    run.wait_for(6)
    os.killpg(run.driver.process.pid, signal.SIGINT)
    found = run.driver.finding(30)
    assert (found["complete"], found["stopped"]) == (False, "interrupted")
    assert {3, 7} <= {kept["position"] for kept in found["kept"]}
    assert run.stored() == found["trials"] <= run.count("ended")
    if kind != "a pool of processes":
        assert run.count("started") == run.count("ended")


@pytest.mark.slow
def test_the_same_again_goes_on(tmp_path: Path, drive: Any, wait_until: Any) -> None:
    run = Run(tmp_path, drive, wait_until, "command", jobs=2, seconds=0.1)
    run.wait_for(8)
    run.send(signal.SIGINT)
    assert run.driver.finding(30)["stopped"] == "interrupted"
    paid = run.count("started")
    again = Run(tmp_path, drive, wait_until, "command", jobs=2, seconds=0.1)
    found = again.driver.finding(60)
    assert [kept["position"] for kept in found["kept"]] == [3, 7]
    assert found["trials"] == again.stored() == again.count("started")
    assert found["trials"] > paid


@pytest.mark.parametrize(
    "kind",
    ["commands", *(pytest.param(kind, marks=pytest.mark.rest) for kind in ("functions in workers", "a function"))],
)
def test_a_second_signal_ends_at_once(tmp_path: Path, drive: Any, wait_until: Any, kind: str) -> None:
    subject, options = KINDS[kind]
    run = Run(tmp_path, drive, wait_until, subject, seconds=1000, **options)
    run.wait_for(1)
    run.send(signal.SIGINT)
    time.sleep(0.7)
    assert run.driver.process.poll() is None, "the first signal waits for what is running"
    start = time.monotonic()
    run.send(signal.SIGINT)
    found = run.driver.finding(10)
    assert time.monotonic() - start < 5
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


def test_one_is_enough_when_the_time_is_up_and_a_trial_goes_on(tmp_path: Path) -> None:
    """The screen says that Ctrl-C ends what is being waited for; so it does."""
    (tmp_path / "in.txt").write_text("a\nb\n")
    command = [sys.executable, "-m", "rootward", "reduce", "in.txt", "--seconds", "0.5", "--"]
    argv = [*command, "sh", "-c", "sleep 30; test -e {file}; exit 1"]
    with subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
        assert driver.stderr is not None
        while "Ctrl-C ends that" not in (line := driver.stderr.readline()):
            assert line, "it ended too early"
        start = time.monotonic()
        driver.send_signal(signal.SIGINT)
        driver.communicate(timeout=20)
        assert time.monotonic() - start < 10
    assert driver.returncode == 3


def test_one_at_the_very_end_is_not_forgotten() -> None:
    """The answer is complete; but whoever drives the lab must not go on with other things."""

    def search() -> rw.Search[list[int], Any]:
        found = yield from ddmin(rw.Elements(range(8)))
        signal.raise_signal(signal.SIGINT)
        return found

    with rw.Lab(rw.fails_when(lambda kept: 3 in kept)) as lab:
        found = lab.run(search())
    assert (found.complete, found.stopped) == (True, "interrupted")
