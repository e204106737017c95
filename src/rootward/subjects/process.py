"""Processes that cannot outlive their trial, nor the lab.

Every process started here leads a session of its own and carries the lab's mark in its environment. Killing the
session's group ends the usual children; ``sweep`` finds the ones that ran away (a daemon that made its own session) by
the mark; and a guardian process does the same sweep if the lab itself is killed.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

MARK = "ROOTWARD_LAB"
_mark = uuid.uuid4().hex
_running: set[int] = set()
_guardian: subprocess.Popen[bytes] | None = None
_lock = threading.Lock()

_GUARDIAN = """
import os, sys
sys.stdin.buffer.read()
mark = sys.argv[1].encode()
for _ in range(3):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                marked = mark in file.read().split(b"\\0")
            if marked and int(pid) != os.getpid():
                os.kill(int(pid), 9)
        except OSError:
            pass
"""


def environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that the lab may kill."""
    return {**os.environ, **(extra or {}), MARK: _mark}


def start(argv: list[str | bytes], **options: object) -> subprocess.Popen[bytes]:
    """A process in a session of its own; end it with ``kill``."""
    guard()
    with _lock:  # so that a sweep never sees a process that is not yet known to be running
        process: subprocess.Popen[bytes] = subprocess.Popen(argv, start_new_session=True, **options)  # type: ignore[call-overload]
        _running.add(process.pid)
    return process


@contextlib.contextmanager
def started(argv: list[str | bytes], **options: object) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a session of its own, gone with all its group when the block ends."""
    process = start(argv, **options)
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End the process with its whole group. The leader is reaped last: until then its number cannot be reused."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    _running.discard(process.pid)


def wait(
    process: subprocess.Popen[bytes], timeout: float | None, trouble: Callable[[], str | None] = lambda: None
) -> str | None:
    """Wait for the leader to end, without reaping it; or say why it must be ended: ``timeout``, or ``trouble()``."""
    end = None if timeout is None else time.monotonic() + timeout
    handle = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        while True:
            left = 0.25 if end is None else min(0.25, end - time.monotonic())
            if left <= 0:
                return "timeout"
            if poll.poll(left * 1000):
                return None
            if reason := trouble():
                return reason
    finally:
        os.close(handle)


def limit_memory(pid: int, limit: int | None) -> None:
    """Bound the address space of a running process, which needs no code between fork and exec."""
    if limit is not None:
        import resource

        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (limit, limit))


def kill_all() -> None:
    """End every process that is running for a trial: the lab was told twice to stop."""
    for pid in list(_running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def sweep() -> int:
    """Kill what escaped from finished trials; returns how many. Only where there is a /proc."""
    marked = f"{MARK}={_mark}".encode()
    with _lock:
        return sum(_kill_escaped(environ, marked) for environ in Path("/proc").glob("[0-9]*/environ"))


def _kill_escaped(environ: Path, marked: bytes) -> bool:
    pid = int(environ.parent.name)
    try:
        if marked not in environ.read_bytes().split(b"\0") or os.getpgid(pid) in _running:
            return False
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    return True


def guard() -> None:
    """Start the guardian: it waits for this process to die, then sweeps."""
    global _guardian
    if _guardian is not None or not Path("/proc/self/environ").exists():
        return
    with _lock:
        if _guardian is None:
            command = [sys.executable, "-I", "-S", "-c", _GUARDIAN, f"{MARK}={_mark}"]
            _guardian = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
            atexit.register(_dismiss, _guardian)


def _dismiss(guardian: subprocess.Popen[bytes]) -> None:
    assert guardian.stdin is not None
    guardian.stdin.close()
    guardian.wait()


def exit_name(code: int) -> str:
    """``exit code 3`` or ``SIGSEGV``."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
