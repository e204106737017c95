"""Whatever a trial starts ends with it, and is limited with it; what the user's own program starts is left alone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.subjects import guardian, process
from rootward.verdict import FAIL, PASS
from tests.waiting import PATIENCE, until

Once = Callable[..., rw.Outcome]

RUNAWAY = """
file=$1; number=$2
(setsid env -i /bin/sh -c 'echo $$ > '$file'; exec sleep 1000.'$number &) > /dev/null 2>&1
while [ ! -s $file ]; do sleep 0.01; done
"""
"""Start a process with another session, without environment and files, whose parents have ended."""


class Runaway:
    """A process that hides as well as it can. It is known by the length of its sleep."""

    def __init__(self, folder: Path) -> None:
        self.number = str(uuid.uuid4().int)
        self.file = folder / f"runaway-{self.number}"

    def command(self, then: str = "", **options: Any) -> rw.Command:
        argv = ["/bin/sh", "-c", RUNAWAY + then, "{config}", str(self.file), self.number]
        return rw.Command(argv, **options)

    @property
    def pids(self) -> list[int]:
        return [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/cmdline") if self._is_in(file)]

    def _is_in(self, file: Path) -> bool:
        with contextlib.suppress(OSError):
            return self.number.encode() in file.read_bytes()
        return False

    def wait_for(self, driver: subprocess.Popen[Any] | None = None) -> int:
        return int(until(lambda: self.file.exists() and self.file.read_text(), "it has run away", driver))

    def wait_until_gone(self) -> None:
        until(lambda: not self.pids, "it is gone")


@pytest.fixture
def runaway(tmp_path: Path) -> Iterator[Runaway]:
    runaway = Runaway(tmp_path)
    yield runaway
    for pid in runaway.pids:
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("then", ["exit 0", "exit 3", "kill -9 $$"])
def test_a_runaway_ends_with_its_trial(tmp_path: Path, runaway: Runaway, then: str) -> None:
    runaway.command(then).run({}, seed=0, place=tmp_path / "trial")
    assert runaway.file.exists()
    runaway.wait_until_gone()


def test_a_runaway_ends_at_the_time_out_of_its_trial(tmp_path: Path, runaway: Runaway) -> None:
    for timeout in (1, 10, PATIENCE):  # until it is enough to run away
        outcome = runaway.command("sleep 1000", timeout=timeout).run({}, seed=0, place=tmp_path / "trial")
        assert outcome.signature == "timeout"
        runaway.wait_until_gone()
        if runaway.file.exists():
            return


def test_a_runaway_of_a_function_ends_with_its_worker(once: Once, runaway: Runaway) -> None:
    argv = ["/bin/sh", "-c", RUNAWAY, "sh", str(runaway.file), runaway.number]

    def subject(candidate: dict[str, Any]) -> None:
        subprocess.run(argv, check=True)

    assert once(rw.Function(subject, isolated=True)).verdict is PASS
    assert runaway.file.exists()
    runaway.wait_until_gone()


def test_a_runaway_stays_as_long_as_its_trial_runs(tmp_path: Path, runaway: Runaway) -> None:
    """It may be a server that its trial needs; trials that end meanwhile do not end it."""
    go, outcomes = tmp_path / "go", []
    subject = runaway.command(f"while [ ! -e {go} ]; do sleep 0.01; done; kill -0 $(cat $file) && exit 7")
    trial = threading.Thread(target=lambda: outcomes.append(subject.run({}, seed=0, place=tmp_path / "trial")))
    trial.start()
    pid = runaway.wait_for()
    for number in range(3):
        rw.Command(["true", "{seed}"]).run({}, seed=0, place=tmp_path / str(number))
    go.touch()
    trial.join(PATIENCE)
    assert outcomes[0].signature == "exit code 7", pid
    runaway.wait_until_gone()


def test_an_idle_worker_does_not_keep_a_runaway_alive(tmp_path: Path, runaway: Runaway) -> None:
    rw.Function(lambda candidate: None, isolated=True).run({}, seed=0, place=tmp_path / "function")  # its worker stays
    runaway.command().run({}, seed=0, place=tmp_path / "command")
    runaway.wait_until_gone()


def test_a_daemon_of_an_ended_trial_does_not_disturb_those_that_still_run(tmp_path: Path, leftovers: Any) -> None:
    go = tmp_path / "go"
    long = rw.Command(["/bin/sh", "-c", f"touch {go}-1; while [ ! -e {go} ]; do sleep 0.01; done", "{config}"])
    trial = threading.Thread(target=lambda: long.run({}, seed=0, place=tmp_path / "long"))
    trial.start()
    until(Path(f"{go}-1").exists, "the long trial runs")
    daemon = rw.Command(["/bin/sh", "-c", "(setsid sleep 1000 &) > /dev/null 2>&1", "{config}"])
    daemon.run({}, seed=0, place=tmp_path / "daemon")
    until(lambda: not any("sleep 1000" in words for words in leftovers()), "the daemon has gone")
    assert trial.is_alive()
    go.touch()
    trial.join(PATIENCE)


def test_an_orphan_is_looked_at_again(tmp_path: Path, runaway: Runaway) -> None:
    """One that is being started has no stamp for a moment. When it has one, its trial is known."""
    go = tmp_path / "go"
    long = rw.Command(["/bin/sh", "-c", f"touch {go}-1; while [ ! -e {go} ]; do sleep 0.01; done", "{config}"])
    trial = threading.Thread(target=lambda: long.run({}, seed=0, place=tmp_path / "long"))
    trial.start()
    until(Path(f"{go}-1").exists, "the long trial runs")
    late = f"touch {go}-3; while [ ! -e {go}-2 ]; do sleep 0.01; done; exec env {process.MARK}=$1 sleep 1000.$2"
    script = (
        f"(setsid env -i sh -c '{late}' sh ${process.MARK} {runaway.number} &) > /dev/null 2>&1\n"
        f"while [ ! -e {go}-3 ]; do sleep 0.01; done"
    )
    rw.Command(["/bin/sh", "-c", script, "{config}"]).run({}, seed=0, place=tmp_path / "short")
    assert runaway.pids
    Path(f"{go}-2").touch()
    runaway.wait_until_gone()
    assert trial.is_alive()
    go.touch()
    trial.join(PATIENCE)


def test_children_of_the_users_own_program_are_left_alone(tmp_path: Path, runaway: Runaway) -> None:
    own = subprocess.Popen(["/bin/sh", "-c", RUNAWAY + "exec sleep 1000", "sh", str(runaway.file), runaway.number])
    try:
        pid = runaway.wait_for()
        for number in range(3):
            rw.Command(["true", "{seed}"]).run({}, seed=0, place=tmp_path / str(number))
        assert own.poll() is None
        os.kill(pid, 0)
    finally:
        own.kill()
        own.wait()


DRIVER = """
import sys
import rootward as rw
argv = ["/bin/sh", "-c", sys.argv[1], "{config}", *sys.argv[2:]]
rw.Lab(rw.Command(argv), jobs=2).run(rw.all_of([{"n": 1}, {"n": 2}], best=None))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_runaway_ends_with_the_lab(runaway: Runaway, number: signal.Signals) -> None:
    argv = [sys.executable, "-c", DRIVER, RUNAWAY + "sleep 1000", str(runaway.file), runaway.number]
    with subprocess.Popen(argv, stderr=subprocess.DEVNULL) as driver:
        runaway.wait_for(driver)
        driver.send_signal(number)
    runaway.wait_until_gone()


def test_a_killed_guardian_is_replaced(tmp_path: Path, leftovers: Any) -> None:
    """Its trial says nothing about the subject, and nothing of it stays."""
    process.guard()
    assert process._guardian is not None
    process._guardian.kill()
    process._guardian.wait()
    assert rw.Command(["true", "{seed}"]).run({}, seed=0, place=tmp_path / "a").verdict is PASS
    script = "kill -9 $PPID; setsid sleep 1000"
    with pytest.raises(rw.MachineTrouble, match="was killed"):
        rw.Command(["/bin/sh", "-c", script, "{config}"]).run({}, seed=0, place=tmp_path / "b")
    assert rw.Command(["true", "{seed}"]).run({}, seed=0, place=tmp_path / "c").verdict is PASS
    until(lambda: not any("sleep 1000" in words for words in leftovers()), "its processes have gone")


@pytest.fixture
def control_group() -> None:
    own = guardian.find_own_group()
    if own is None or not os.access(own, os.W_OK):
        pytest.skip("control groups cannot be made here")


@pytest.mark.usefixtures("control_group")
def test_a_runaway_ends_if_somebody_kills_the_guardian(tmp_path: Path, runaway: Runaway) -> None:
    command = runaway.command(f"kill -9 $PPID; exec sleep 1000.{runaway.number}")
    with pytest.raises(rw.MachineTrouble, match="was killed"):
        command.run({}, seed=0, place=tmp_path / "a")
    assert not runaway.pids


@pytest.mark.usefixtures("control_group")
def test_what_is_left_when_lab_and_guardian_were_killed(runaway: Runaway) -> None:
    argv = [sys.executable, "-c", DRIVER, RUNAWAY + "exec sleep 1000", str(runaway.file)]
    with subprocess.Popen([*argv, runaway.number], stderr=subprocess.DEVNULL) as driver:
        runaway.wait_for(driver)
        (guard,) = guardian.children_of(driver.pid)
        assert process.kill_remains() == 0
        driver.send_signal(signal.SIGSTOP)  # else it would kill the rest of its trials
        os.kill(guard, signal.SIGKILL)
        driver.kill()
    assert runaway.pids
    assert process.kill_remains() >= 1
    runaway.wait_until_gone()
    assert process.kill_remains() == 0
    assert not list(Path(guardian.find_own_group() or "").glob(f"{process.GROUP_PREFIX}*-{driver.pid}-*"))


def test_threads_that_meet_a_killed_guardian_do_not_disturb_each_other(leftovers: Any) -> None:
    """Each notices it by itself: what one of them has started anew must not be ended by another."""
    process.guard()
    first = process._guardian
    assert first is not None
    with process.run_process(["sleep", "1000"], files={}) as early:
        first.kill()
        with pytest.raises(ConnectionResetError):
            process.wait(early, PATIENCE)
    with process.run_process(["sleep", "1000"], files={}) as late:
        process._end_guardian(first)  # by a thread that is behind
        assert process.wait(late, 0.1) == "timeout"
    until(lambda: not any("sleep 1000" in words for words in leftovers()), "its processes have gone")


def test_a_killed_guardian_is_the_only_trouble_that_threads_see() -> None:
    def start_many(number: int) -> set[str]:
        seen = set()
        for _ in range(15):
            try:
                with process.run_process(["true"], files={}) as running:
                    process.wait(running, PATIENCE)
                seen.add(f"exit code {running.returncode}")
            except OSError as error:
                seen.add(type(error).__name__)
            if number == 0 and process._guardian is not None:
                process._guardian.kill()
        return seen

    with ThreadPoolExecutor(4) as threads:
        seen = set().union(*threads.map(start_many, range(4)))
    assert {"exit code 0"} <= seen <= {"exit code 0", "ConnectionResetError", "BrokenPipeError"}


# Memory

HOARDERS = """
import os, sys, time
count, size, shared = int(sys.argv[1]), int(sys.argv[2]), b""
for _ in range(count):
    if os.fork() == 0:
        own = b"x" * size
        time.sleep(1000)
time.sleep(1000)
"""


def test_memory_holds_for_all_processes_of_a_trial_together(once: Once, leftovers: Any) -> None:
    argv = [sys.executable, "-c", HOARDERS, "5", str(60 << 20), "{seed}"]
    outcome = once(rw.Command(argv, memory=150 << 20))
    assert (outcome.verdict, outcome.signature) == (FAIL, "memory")
    assert outcome.detail == "its processes used more than 150 MiB of memory together"
    assert leftovers.none()


def test_memory_holds_for_processes_that_ran_away(once: Once, leftovers: Any) -> None:
    hoarders = f"setsid {sys.executable} -c '{HOARDERS}' 5 {60 << 20}"
    argv = ["/bin/sh", "-c", f"({hoarders} &); sleep 1000", "{config}"]
    assert once(rw.Command(argv, memory=150 << 20)).signature == "memory"
    assert leftovers.none()


def test_memory_holds_for_the_processes_of_a_function(leftovers: Any, once: Once) -> None:
    def subject(candidate: dict[str, Any]) -> None:
        subprocess.run([sys.executable, "-c", HOARDERS, "6", str(200 << 20)], check=True)

    outcome = once(rw.Function(subject, memory=1 << 30))
    assert (outcome.verdict, outcome.signature) == (FAIL, "memory")
    assert leftovers.none()


def test_memory_that_processes_share_counts_once() -> None:
    script = (
        "import os, time\n"
        f"shared = b'x' * {50 << 20}\n"
        "for _ in range(5):\n"
        "    if os.fork() == 0: time.sleep(1000)\n"
        "print(flush=True)\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        family = guardian.family_of(parent.pid)
        assert len(family) == 6
        assert not guardian.exceeds(family, 120 << 20)
        assert guardian.exceeds(family, 40 << 20)
        os.killpg(parent.pid, signal.SIGKILL)
