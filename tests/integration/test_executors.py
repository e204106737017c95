"""Executors of the user's own, and what is left when a lab has been closed."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import tempfile
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.lab.events import Event, TrialFinished
from rootward.subjects import process
from rootward.verdict import FAIL, PASS
from tests.waiting import PATIENCE, until

SPAWN = multiprocessing.get_context("spawn")
FORK = multiprocessing.get_context("fork")
POOLS: dict[str, Callable[[], Executor]] = {
    "threads": lambda: ThreadPoolExecutor(3),
    "forked processes": lambda: ProcessPoolExecutor(3, mp_context=FORK),
    "spawned processes": lambda: ProcessPoolExecutor(2, mp_context=SPAWN),
}


def three_and_seven() -> Callable[[list[int]], None]:
    def subject(kept: list[int]) -> None:
        assert not {3, 7} <= set(kept)

    return subject


@pytest.mark.parametrize(
    "name", ["threads", "forked processes", pytest.param("spawned processes", marks=pytest.mark.rest)]
)
def test_any_executor_gives_the_same_finding(name: str, tmp_path: Path) -> None:
    expected = rw.reduce(range(12), three_and_seven(), method="ddmin")
    with POOLS[name]() as pool:
        assert rw.reduce(range(12), three_and_seven(), method="ddmin", executor=pool) == expected
        limited = rw.Function(three_and_seven(), timeout=PATIENCE)
        assert rw.reduce(range(12), limited, method="ddmin", executor=pool) == expected
        command = rw.Command(["/bin/sh", "-c", 'grep -qx 3 "$1" && grep -qx 7 "$1" && exit 1; exit 0', "sh", "{file}"])
        lines = [f"{i}\n" for i in range(12)]
        found = rw.reduce(lines, command, method="ddmin", executor=pool, store=tmp_path / "store.db")
    assert found.kept == ["3\n", "7\n"]


@pytest.mark.parametrize("context", [FORK, pytest.param(SPAWN, marks=pytest.mark.rest)], ids=["fork", "spawn"])
def test_a_broken_pool_leaves_a_partial_finding(context: Any, tmp_path: Path) -> None:
    events: list[Event] = []
    flag = tmp_path / "dies"

    def subject(kept: list[int]) -> None:
        if flag.exists():
            os.kill(os.getpid(), signal.SIGKILL)
        assert not {3, 7} <= set(kept)

    def listen(event: Event) -> None:
        events.append(event)
        if sum(isinstance(seen, TrialFinished) for seen in events) == 10:
            flag.touch()

    with ProcessPoolExecutor(2, mp_context=context) as pool:
        partial = rw.reduce(
            range(20), subject, method="ddmin", executor=pool, on_event=listen, store=tmp_path / "store.db"
        )
    assert (partial.complete, partial.stopped) == (False, "executor lost")
    assert {3, 7} <= set(partial.kept)
    assert partial.trials >= 10
    flag.unlink()
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = rw.reduce(range(20), subject, method="ddmin", executor=pool, store=tmp_path / "store.db")
    assert (found.complete, found.kept) == (True, [3, 7])


def test_a_pool_that_is_shut_down_leaves_a_partial_finding() -> None:
    pool = ThreadPoolExecutor(2)
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        count += isinstance(event, TrialFinished)
        if count == 5:
            pool.shutdown(wait=False, cancel_futures=True)

    found = rw.reduce(range(12), three_and_seven(), method="ddmin", executor=pool, on_event=listen)
    assert (found.complete, found.stopped) == (False, "executor lost")
    pool.shutdown()


def test_the_processes_of_a_killed_pool_worker_do_not_stay(drive: Any, tmp_path: Path) -> None:
    """A forked worker has a guardian of its own: its command ends with it."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys, threading, time, multiprocessing\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "import rootward as rw\n"
        "from rootward.subjects import process\n"
        "process.guard()\n"
        "script = 'cut -d\" \" -f4 /proc/$PPID/stat >> $1/pids; setsid sleep 1000 & sleep 1000'\n"
        "command = rw.Command(['/bin/sh', '-c', script, 'sh', sys.argv[1], '{file}'])\n"
        "with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context('fork')) as pool:\n"
        "    found = rw.reduce(['a'], command, executor=pool)\n"
        "print(found.stopped)\n"
    )
    driver = drive(str(script), str(tmp_path))
    pids = tmp_path / "pids"
    until(lambda: pids.exists() and pids.read_text().endswith("\n"), "it runs", driver.process)
    os.kill(int(pids.read_text().split()[0]), signal.SIGKILL)
    out, err = driver.result()
    assert out == "executor lost\n", err
    driver.check_nothing_left()


# Leaks


def descriptors() -> set[str]:
    gc.collect()
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add(f"{name} -> {os.readlink(f'/proc/self/fd/{name}')}")
        except OSError:
            continue
    return found


def children() -> set[str]:
    own = os.getpid()
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        if int(rest.split()[1]) == own:
            found.add(f"{name})")
    return found


def numbers(total: int) -> Any:
    outcomes = yield from rw.all_of([{"n": n} for n in range(total)], best=Counted())
    return Counted(fails=sum(outcome.verdict is FAIL for outcome in outcomes))


@dataclass(frozen=True, kw_only=True)
class Counted(rw.Finding):
    fails: int = 0

    def answer(self) -> dict[str, Any]:
        return {"fails": self.fails}


def check(candidate: dict[str, int]) -> rw.Verdict:
    return FAIL if candidate["n"] % 10 == 7 else PASS


SUBJECTS: dict[str, Callable[[], Any]] = {
    "commands": lambda: rw.Command(["/bin/sh", "-c", "case $1 in *7) exit 1;; esac; exit 0", "sh", "{n}"]),
    "functions": lambda: rw.Function(check, timeout=PATIENCE),
    "dying functions": lambda: rw.Function(dies),
}


def dies(candidate: dict[str, int]) -> rw.Verdict:
    if candidate["n"] % 10 == 7:
        os._exit(1)
    return PASS


@pytest.mark.rest
@pytest.mark.parametrize(
    ("name", "stored"), [("commands", True), ("commands", False), ("functions", True), ("dying functions", False)]
)
def test_many_trials_leave_nothing_behind(
    name: str, stored: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    total = 30 if name == "dying functions" else 120
    with rw.Lab(SUBJECTS["commands"](), jobs=2) as lab:  # what is made once stays
        lab.run(numbers(4))
    before, around, threads = descriptors(), children(), set(threading.enumerate())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with rw.Lab(SUBJECTS[name](), jobs=2, store=tmp_path / "a" / "store.db" if stored else None) as lab:
            found = lab.run(numbers(total))
        del lab
    gc.collect()
    assert found.fails == total // 10
    assert descriptors() <= before  # what an earlier test has left may go meanwhile
    assert children() <= around
    assert set(threading.enumerate()) <= threads
    assert [path.name for path in tmp_path.iterdir()] == (["a"] if stored else [])


def test_a_thread_of_the_users_gives_its_worker_back() -> None:
    process.guard()  # the guardian stays for the whole session
    around = children()
    with ThreadPoolExecutor(2) as pool, rw.Lab(rw.Function(check, timeout=PATIENCE), executor=pool) as lab:
        assert lab.run(numbers(20)).fails == 2
    until(lambda: children() <= around, "the workers have gone")
