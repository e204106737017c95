"""Processes that cannot outlive their trial, nor the lab.

They are started by the guardian, a process that ends each of them together with everything that it started: see
``guardian``. This is the lab's side. Each process has a stamp in its environment, which names its trial. If a lab runs
inside a trial of another lab, its processes have both stamps, so that the outer lab knows them, too.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import itertools
import marshal
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from rootward.subjects import guardian

MARK = "ROOTWARD_LAB"
CHECK_INTERVAL = 0.25
"""Seconds between two checks of a process that is waited for."""
MAX_SECONDS_TO_DIE = 2.0
"""Maximum number of seconds that a killed guardian needs to end; one that lives longer was not killed."""
GROUP_PREFIX = "rootward-"
"""The beginning of the names of control groups."""
MEANWHILE: ContextVar[Callable[[], None]] = ContextVar("MEANWHILE", default=lambda: None)
"""Called at every check of a process that this thread waits for. If it raises an error, that ends the waiting."""


def _name_lab() -> str:
    """Return a name for the lab in this process. It tells others whether the process is alive."""
    return f"{_namespace()}-{os.getpid()}-{uuid.uuid4().hex}"


def _namespace() -> int:
    """Return the number of the namespace in which the numbers of processes are unique."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


_lab = _name_lab()
_numbers = itertools.count()
_running: set[Process] = set()
_guardian: subprocess.Popen[bytes] | None = None
_control: socket.socket | None = None
_lock = threading.RLock()


class Process:
    """The first process of a trial. The guardian ends it, with its descendants, when the channel is closed."""

    def __init__(self, channel: socket.socket, started_by: subprocess.Popen[bytes] | None) -> None:
        self.channel, self._guardian = channel, started_by
        self.returncode: Any = None
        """Its exit code, or the number of the signal that ended it with a minus. None until ``wait`` or ``kill``."""
        self.exceeded: str | None = None
        """The limit that it exceeded together with its descendants: ``memory`` or None."""

    def read_end(self) -> None:
        """Wait until it has ended. Raises OSError if it could not be started, or if the guardian was killed."""
        if self.returncode is not None:
            return
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            answer = self.channel.recv(1 << 16)
        self.returncode = -signal.SIGKILL
        self.forget()
        if not answer:
            self._notice_death_of_guardian()
            raise ConnectionResetError(errno.ECONNRESET, "the process that guards the trials was killed")
        code, *more = marshal.loads(answer)
        if code is None:
            raise OSError(*more)
        self.returncode, (self.exceeded,) = code, more

    def _notice_death_of_guardian(self) -> None:
        """Let the next process have a new guardian. A dying one still accepts messages for a moment."""
        if self._guardian is not None and self._guardian is _guardian:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._guardian.wait(MAX_SECONDS_TO_DIE)
                _end_guardian(self._guardian)

    def forget(self) -> None:
        _running.discard(self)
        self.channel.close()


def start(
    argv: Sequence[str | bytes],
    *,
    files: Mapping[int, int],
    env: Mapping[str, str] | None = None,
    inherits: bool = True,
    cwd: str | None = None,
    memory: int | None = None,
    address_space: int | None = None,
    adopts: bool = False,
) -> Process:
    """Start a process in its own session; end it with ``kill``. If it cannot be started, ``wait`` raises the error.

    :param files: open files by their numbers in the process, such as 1 for its output; 0, 1 and 2 are empty by default
    :param env: additions to the environment
    :param inherits: False if the process gets no other variables
    :param memory: maximum number of bytes that the process and its descendants use together
    :param address_space: maximum number of bytes that each of them reserves
    :param adopts: the process calls ``guardian.adopt_orphans`` before it starts others
    """
    stamp = f"{_lab}.{next(_numbers)}"
    outer = os.environ.get(MARK)
    added = {**(env or {}), MARK: f"{outer} {stamp}" if outer else stamp}
    request = marshal.dumps(
        {
            "argv": [os.fsencode(word) for word in argv],
            "env": {
                **(_environment() if inherits else {}),
                **{os.fsencode(name): os.fsencode(value) for name, value in added.items()},
            },
            "cwd": os.path.join(os.getcwd(), cwd or ""),
            "files": list(files),
            "stamp": stamp,
            "memory": memory,
            "address_space": address_space,
            "adopts": adopts,
        }
    )
    channel, theirs = socket.socketpair()
    short = len(request) <= guardian.MAX_MESSAGE
    with theirs, contextlib.ExitStack() as opened:
        opened.enter_context(channel)
        started_by = _send(request if short else b".", [theirs.fileno(), *files.values()])
        opened.pop_all()
    process = Process(channel, started_by)
    _running.add(process)
    if not short:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # read_end raises the error
            channel.sendall(len(request).to_bytes(8, "big") + request)
    return process


def _environment() -> dict[bytes, bytes]:
    """Return the environment of this process. Reading it as a mapping would take twenty times as long."""
    own: dict[bytes, bytes] = os.environb._data  # type: ignore[attr-defined]
    return own


def _send(message: bytes, files: list[int]) -> subprocess.Popen[bytes] | None:
    """Send a message with open files to the guardian, and return it. If somebody has killed it, there is a new one."""
    with _lock:  # no other thread may end the guardian meanwhile
        try:
            socket.send_fds(guard(), [message], files)
        except (BrokenPipeError, ConnectionResetError):
            _end_guardian(_guardian)
            socket.send_fds(guard(), [message], files)
        return _guardian


@contextlib.contextmanager
def run_process(argv: Sequence[str | bytes], **options: Any) -> Iterator[Process]:
    """Start a process, and kill it with its descendants when the block ends."""
    process = start(argv, **options)
    try:
        yield process
    finally:
        kill(process)


def kill(process: Process) -> None:
    """Kill the process with its descendants, and wait until it has ended."""
    if process.returncode is None:
        with contextlib.suppress(OSError):
            process.channel.shutdown(socket.SHUT_WR)
            process.read_end()


def wait(process: Process, timeout: float | None, trouble: Callable[[], str | None] = lambda: None) -> str | None:
    """Wait for a process to end. Return None if it ended by itself.

    Otherwise, return the reason why it was or must be ended: ``memory``, ``timeout``, or the result of ``trouble()``.
    Raises OSError if it could not be started.
    """
    end = None if timeout is None else time.monotonic() + timeout
    poll = select.poll()
    poll.register(process.channel, select.POLLIN)
    while True:
        left = CHECK_INTERVAL if end is None else min(CHECK_INTERVAL, end - time.monotonic())
        if left <= 0:
            return "timeout"
        if poll.poll(left * 1000):
            process.read_end()
            return process.exceeded
        MEANWHILE.get()()
        if reason := trouble():
            return reason


def kill_all() -> None:
    """Kill every process that is running for a trial.

    This is done when the lab is asked for the second time to stop.
    """
    for process in list(_running):
        with contextlib.suppress(OSError):
            process.channel.shutdown(socket.SHUT_WR)


def guard() -> socket.socket:
    """Start the guardian if there is none, and return the socket to it."""
    global _guardian, _control
    with _lock:
        if _control is None:
            control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            arguments = [str(os.getpid()), MARK, str(theirs.fileno()), GROUP_PREFIX + _lab]
            command = [sys.executable, "-I", "-S", guardian.__file__, *arguments]
            silent = subprocess.DEVNULL
            with theirs, contextlib.ExitStack() as opened:
                opened.enter_context(control)
                _guardian = subprocess.Popen(
                    command,
                    stdin=silent,
                    stdout=silent,
                    stderr=silent,
                    cwd="/",
                    start_new_session=True,
                    pass_fds=[theirs.fileno()],
                )
                opened.pop_all()
            _control = control
            atexit.register(_end_guardian, _guardian)
        return _control


def _end_guardian(leaving: subprocess.Popen[bytes] | None) -> None:
    """End a guardian with all that it guards. If somebody has killed it, kill the processes that still have a stamp.

    Nothing is done if another thread has ended it, or if this process was forked from the one that it belongs to.
    """
    global _control
    with _lock:
        if leaving is not _guardian or _control is None or _guardian is None:
            return
        _control.close()
        _control = None
        if _guardian.wait() != 0:
            _kill_lab(_lab)


def _kill_lab(lab: str) -> int:
    """Kill the processes of a lab whose guardian was killed, and return their number.

    Without a control group, only those that still have their stamp are found.
    """
    killed = 0
    if own := guardian.find_own_group():
        killed += guardian.kill_group(os.path.join(own, GROUP_PREFIX + lab))
    quiet = 0
    while quiet < 3:  # a process may be between fork and exec, or forking
        found = [pid for pid, stamp in _list_stamped() if _lab_of(stamp) == lab]
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        killed, quiet = killed + len(found), 0 if found else quiet + 1
        time.sleep(0.02)
    return killed


def _list_stamped() -> Iterator[tuple[int, str]]:
    """Yield the processes of all labs, with each of their stamps."""
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with contextlib.suppress(OSError):
            for stamp in guardian.stamps_of(pid, MARK):
                yield pid, stamp


def _lab_of(stamp: str) -> str:
    return stamp.partition(".")[0]


def kill_remains() -> int:
    """Kill the processes that are left of labs that were killed together with their guardians; return their number."""
    labs = {_lab_of(stamp) for _, stamp in _list_stamped()}
    if own := guardian.find_own_group():
        labs |= {name.removeprefix(GROUP_PREFIX) for name in os.listdir(own) if name.startswith(GROUP_PREFIX)}
    return sum(_kill_lab(lab) for lab in labs if _is_dead(lab))


def _is_dead(lab: str) -> bool:
    match = re.fullmatch(r"(\d+)-(\d+)-[0-9a-f]{32}", lab)
    return match is not None and int(match[1]) == _namespace() and not os.path.exists(f"/proc/{match[2]}")


def _after_fork() -> None:
    """Reset the state in a forked process, such as a worker of a pool. It has processes and a guardian of its own."""
    global _lab, _lock, _guardian, _control
    _lab, _lock = _name_lab(), threading.RLock()
    for process in list(_running):
        process.returncode = -signal.SIGKILL  # not a process of this one
        process.forget()
    if _control is not None and _guardian is not None:
        _control.close()
        _guardian.returncode = 0  # not a child of this process
        _guardian = _control = None


os.register_at_fork(after_in_child=_after_fork)


def exit_name(code: int) -> str:
    """Return a readable form of an exit code, such as ``exit code 3`` or ``SIGSEGV``."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
