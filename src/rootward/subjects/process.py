"""Processes that cannot outlive their trial, nor the lab.

Every process started here leads its own session and has a stamp in its environment. Killing the process group of the
session ends the usual children. ``sweep`` finds children that escaped (a daemon that created its own session) by the
stamp. A guardian process does the same sweep if the lab itself is killed.

A stamp is ``LAB.NUMBER``. If a lab runs inside a trial of another lab, its processes have both stamps, so that the
outer lab finds them, too.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import select
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

MARK = "ROOTWARD_LAB"
MIN_SWEEP_INTERVAL = 1.0
"""Minimum number of seconds between two sweeps for escaped processes."""
_lab = uuid.uuid4().hex
_numbers = itertools.count()
_running: dict[int, str] = {}
"""The stamp of each process that is running for a trial, by process id."""
_starting: set[str] = set()
_guardian: subprocess.Popen[bytes] | None = None
_unguarded = False
_lock = threading.Lock()
_sweeping = threading.Lock()
_next_sweep = 0.0

# It sweeps until three sweeps in a row find nothing: a process may be between fork and exec, or forking.
_GUARDIAN = """
import os, sys, time
sys.stdin.buffer.read()
mark, lab = sys.argv[1].encode() + b"=", sys.argv[2].encode() + b"."
end, quiet = time.monotonic() + 30, 0
while quiet < 3 and time.monotonic() < end:
    quiet += 1
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                stamps = [entry for entry in file.read().split(b"\\0") if entry.startswith(mark)]
            if int(pid) != os.getpid() and any(lab in stamp for stamp in stamps):
                os.kill(int(pid), 9)
                quiet = 0
        except OSError:
            pass
    time.sleep(0.05)
"""


def start(
    argv: list[str | bytes], *, env: Mapping[str, str] | None = None, **options: object
) -> subprocess.Popen[bytes]:
    """Start a process in its own session, with ``env`` added to the environment; end it with ``kill``."""
    guard()
    stamp = f"{_lab}.{next(_numbers)}"
    outer = os.environ.get(MARK)
    full = {**os.environ, **(env or {}), MARK: f"{outer} {stamp}" if outer else stamp}
    _starting.add(stamp)  # before it exists, so that a sweep never mistakes it for an escaped process
    try:
        process: subprocess.Popen[bytes] = subprocess.Popen(argv, env=full, start_new_session=True, **options)  # type: ignore[call-overload]
        _running[process.pid] = stamp
    finally:
        _starting.discard(stamp)
    return process


@contextlib.contextmanager
def run_process(argv: list[str | bytes], **options: object) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process in its own session, and kill it with its whole group when the block ends."""
    process = start(argv, **options)  # type: ignore[arg-type]
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process with its whole group.

    The leader of the group is reaped last, because its id cannot be reused before that.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    _running.pop(process.pid, None)
    _sweep_now_and_then()


def wait(
    process: subprocess.Popen[bytes], timeout: float | None, trouble: Callable[[], str | None] = lambda: None
) -> str | None:
    """Wait for a process to end, without reaping it. Return None if it ended.

    Otherwise, return the reason why it must be ended: ``timeout``, or the result of ``trouble()``.
    """
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
    """Limit the address space of a running process.

    Limiting it after the start avoids running code between fork and exec.
    """
    if limit is not None:
        import resource

        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (limit, limit))


def kill_all() -> None:
    """Kill every process that is running for a trial.

    This is done when the lab is asked for the second time to stop.
    """
    for pid in list(_running):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def sweep() -> int:
    """Kill processes that escaped from finished trials. Return their number. Works only on systems with /proc."""
    with _sweeping:
        return sum(map(_kill_escaped, Path("/proc").glob("[0-9]*/environ")))


def _sweep_now_and_then() -> None:
    """Sweep, unless the last sweep was too recent.

    An escaped process must not disturb the next trials, but sweeping must take less than a hundredth of the time.
    """
    global _next_sweep
    start = time.monotonic()
    if start < _next_sweep:
        return
    _next_sweep = start + MIN_SWEEP_INTERVAL
    sweep()
    now = time.monotonic()
    _next_sweep = now + max(MIN_SWEEP_INTERVAL, 100 * (now - start))


def _kill_escaped(environ: Path) -> bool:
    try:
        entries = environ.read_bytes().split(b"\0")
        stamps = next((entry.decode() for entry in entries if entry.startswith(f"{MARK}=".encode())), "")
        ours = [stamp for stamp in stamps.partition("=")[2].split() if stamp.startswith(_lab + ".")]
        if not ours or ours[-1] in _starting or ours[-1] in list(_running.values()):
            return False
        os.kill(int(environ.parent.name), signal.SIGKILL)
    except (OSError, UnicodeDecodeError):
        return False
    return True


def guard() -> None:
    """Start the guardian, a process that waits for this process to die and then sweeps.

    If the guardian cannot be started, trials still run.
    """
    global _guardian, _unguarded
    if _guardian is not None or _unguarded or not Path("/proc/self/environ").exists():
        return
    with _lock:
        if _guardian is None:
            command = [sys.executable, "-I", "-S", "-c", _GUARDIAN, MARK, _lab]
            silent = subprocess.DEVNULL
            try:
                _guardian = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=silent, stderr=silent, cwd="/", start_new_session=True
                )
            except OSError:
                _unguarded = True
                return
            atexit.register(_dismiss, _guardian)


def _dismiss(guardian: subprocess.Popen[bytes]) -> None:
    """Sweep and end the guardian, because this process ends normally."""
    if guardian is not _guardian:
        return  # it guards the process that this one was forked from
    sweep()
    assert guardian.stdin is not None
    guardian.kill()
    guardian.stdin.close()
    guardian.wait()


def _after_fork() -> None:
    """Reset the state in a forked process, such as a worker of a pool. It has processes and a guardian of its own."""
    global _lab, _lock, _sweeping, _guardian
    _lab, _lock, _sweeping = uuid.uuid4().hex, threading.Lock(), threading.Lock()
    _running.clear()
    _starting.clear()
    if _guardian is not None and _guardian.stdin is not None:
        _guardian.stdin.close()  # or the guardian would not see its own process die
        _guardian.returncode = 0  # not a child of this process
        _guardian = None


os.register_at_fork(after_in_child=_after_fork)


def exit_name(code: int) -> str:
    """Return a readable form of an exit code, such as ``exit code 3`` or ``SIGSEGV``."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
