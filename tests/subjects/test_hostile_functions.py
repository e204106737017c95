"""Functions that hang, crash, fork or fill the memory: in a worker process each ends one trial and not the lab."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import rootward as rw
from rootward.lab.events import Event, TrialFinished, TrialRetried
from rootward.subjects.worker import Worker
from rootward.verdict import FAIL, PASS, UNRESOLVED
from tests.waiting import PATIENCE

Once = Callable[..., rw.Outcome]


class Nothing(rw.Finding):
    def answer(self) -> dict[str, Any]:
        return {}


def outcomes(subject: Any, candidates: list[Any], **lab: Any) -> list[rw.Outcome]:
    seen: list[rw.Outcome] = []

    def search() -> Any:
        seen.extend((yield from rw.all_of(candidates, best=Nothing())))
        return Nothing()

    with rw.Lab(subject, **lab) as running:
        running.run(search())
    return seen


def hostile(act: Callable[[], Any]) -> Callable[[dict[str, int]], None]:
    """Does its worst on candidate 0, and nothing on the others."""

    def subject(candidate: dict[str, int]) -> None:
        if candidate["n"] == 0:
            act()

    return subject


def endless_children() -> None:
    subprocess.Popen(["sleep", "1000"])
    if os.fork() == 0:
        time.sleep(1000)
    time.sleep(1000)


def daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)
    os.wait()


def crash_with_a_child_that_keeps_the_pipes() -> None:
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
    os._exit(9)


def flood() -> None:
    for _ in range(50):
        os.write(1, b"x" * 100_000)  # more than a pipe holds


def close_everything() -> None:
    os.closerange(0, 100)


def stop_itself() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


ACTS = {
    "hangs": (lambda: time.sleep(1000), "timeout"),
    "spins": (lambda: [None for _ in iter(int, 1)], "timeout"),
    "stops itself": (stop_itself, "timeout"),
    "hangs with children": (endless_children, "timeout"),
    "segmentation fault": (lambda: ctypes.string_at(0), "SIGSEGV"),
    "abort": (os.abort, "SIGABRT"),
    "os._exit(3)": (lambda: os._exit(3), "exit code 3"),
    "os._exit(0)": (lambda: os._exit(0), "exit code 0"),
    "a child keeps the pipes": (crash_with_a_child_that_keeps_the_pipes, "exit code 9"),
    "closes everything": (close_everything, None),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.rest] * (name == "spins")) for name in ACTS])
@pytest.mark.parametrize("jobs", [2, pytest.param(1, marks=pytest.mark.rest)])
def test_the_way_it_ends_is_its_signature(name: str, jobs: int, leftovers: Any) -> None:
    act, expected = ACTS[name]
    for timeout in (2, 20, PATIENCE) if expected == "timeout" else [PATIENCE]:  # until it is enough for the others
        found = outcomes(rw.Function(hostile(act), timeout=timeout), [{"n": n} for n in range(3)], jobs=jobs)
        if all(outcome.signature != "timeout" for outcome in found[1:]):
            break
    assert [outcome.verdict for outcome in found] == [FAIL, PASS, PASS]
    assert found[0].signature is not None
    assert expected in (None, found[0].signature)
    assert leftovers.none()


@pytest.mark.parametrize("act", [daemon, flood, lambda: os.fork()])
def test_what_it_leaves_behind_disturbs_nothing(act: Callable[[], Any], leftovers: Any, capfd: Any) -> None:
    found = outcomes(rw.Function(hostile(act), timeout=PATIENCE), [{"n": n} for n in range(3)], jobs=2)
    assert [outcome.verdict for outcome in found] == [PASS, PASS, PASS]
    assert leftovers.none()


def test_a_forked_child_does_not_answer_for_its_parent() -> None:
    """Both return from the subject; only one of them may be heard, or the next trial would get a stale answer."""

    def forks(candidate: dict[str, int]) -> rw.Outcome:
        child = os.fork()
        return rw.Outcome(PASS, measures={"n": candidate["n"], "child": float(child == 0)})

    found = outcomes(rw.Function(forks, timeout=PATIENCE), [{"n": n} for n in range(20)])
    assert [outcome.measures["n"] for outcome in found] == list(range(20))


def test_memory_is_bounded() -> None:
    def hungry(candidate: dict[str, int]) -> None:
        bytearray(candidate["n"])

    subject = rw.Function(hungry, memory=2 << 30)
    found = outcomes(subject, [{"n": 10}, {"n": 8 << 30}, {"n": 1000}])
    assert [outcome.verdict for outcome in found] == [PASS, FAIL, PASS]
    assert (found[1].signature or "").startswith("MemoryError in hungry")


def test_memory_that_runs_out_in_small_steps() -> None:
    def hoards(candidate: dict[str, int]) -> None:
        kept: list[Any] = []
        while candidate["n"] == 0:
            kept.append(b"x" * 10_000 + str(len(kept)).encode())

    found = outcomes(rw.Function(hoards, memory=600 << 20, timeout=PATIENCE), [{"n": n} for n in range(3)])
    assert [outcome.verdict for outcome in found] == [FAIL, PASS, PASS]
    assert "MemoryError" in (found[0].signature or "")


def test_large_candidates_and_answers() -> None:
    def echo(candidate: dict[str, Any]) -> rw.Outcome:
        return rw.Outcome(PASS, detail=candidate["text"] * 2)

    found = outcomes(rw.Function(echo, timeout=PATIENCE), [{"text": "x" * 5_000_000}, {"text": "y"}])
    assert [len(outcome.detail) for outcome in found] == [10_000_000, 2]


def killed_in(tmp_path: Path, times: int) -> tuple[list[Event], rw.Outcome]:
    """A worker that is killed from outside while it runs a trial, so many times."""

    def subject(candidate: dict[str, int]) -> rw.Verdict:
        with open(tmp_path / "pids", "a") as file:
            file.write(f"{os.getpid()}\n")
        if len((tmp_path / "pids").read_text().split()) <= times:
            time.sleep(1000)
        return FAIL

    killer = (
        "import os, sys, time\n"
        "done = 0\n"
        "while done < int(sys.argv[2]):\n"
        "    lines = open(sys.argv[1]).readlines() if os.path.exists(sys.argv[1]) else []\n"
        "    pids = [line for line in lines if line.endswith('\\n')]\n"
        "    if len(pids) > done:\n"
        "        os.kill(int(pids[done]), 9)\n"
        "        done += 1\n"
        "    time.sleep(0.01)\n"
    )
    events: list[Event] = []
    with subprocess.Popen([sys.executable, "-c", killer, str(tmp_path / "pids"), str(times)]) as other:
        try:
            found = outcomes(rw.Function(subject, isolated=True), [{"n": 1}], jobs=2, on_event=events.append)
        finally:
            other.kill()
    return events, found[0]


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path, leftovers: Any) -> None:
    events, outcome = killed_in(tmp_path, 1)
    assert outcome.verdict is FAIL
    assert [event.reason for event in events if isinstance(event, TrialRetried)] == [
        "WorkerDied: the worker process was killed"
    ]
    assert [event.trial.tries for event in events if isinstance(event, TrialFinished)] == [2]
    assert leftovers.none()


def test_killed_again_and_again_is_unresolved(tmp_path: Path, leftovers: Any) -> None:
    events, outcome = killed_in(tmp_path, 5)
    assert outcome.verdict is UNRESOLVED
    assert "died 5 times" in outcome.detail
    assert [event.trial.tries for event in events if isinstance(event, TrialFinished)] == [5]
    assert leftovers.none()


def test_a_module_in_the_working_directory_does_not_shadow_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pickle.py").write_text("raise RuntimeError('the wrong pickle')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry or str(Path(__file__).parents[2]) for entry in sys.path])
    assert outcomes(rw.Function(hostile(int), timeout=PATIENCE), [{"n": 0}])[0].verdict is PASS


class Interrupted:
    """A subject that gets Ctrl-C while a worker loads it."""

    timeout = memory = None

    def __reduce__(self) -> tuple[Any, ...]:
        return signal.raise_signal, (signal.SIGINT,)


def test_ctrl_c_that_reaches_a_worker_while_it_starts_is_not_an_error_of_the_subject() -> None:
    with pytest.raises(KeyboardInterrupt):
        Worker(cast(Any, Interrupted()))
