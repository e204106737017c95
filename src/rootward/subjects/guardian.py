"""The guardian: the parent of every process of a trial.

A process can leave its group and its session and empty its environment, but it cannot choose its ancestors. So the lab
does not start the processes of its trials itself: it asks the guardian, a small process that does nothing else. The
guardian is a child subreaper, which means that a process whose parent has ended becomes a child of the guardian. So
everything that a trial starts is a descendant of the guardian, and nothing else is: children of the user's own program
are never touched. When the first process of a trial (its leader) ends, what is left of the trial is killed. When the
lab ends, in whatever way, all descendants are killed.

A child of the guardian that is not a leader is an orphan of some trial. It is killed unless its trial may still be
running. Its trial is known from the stamp in its environment or from its session. If it has changed both, it may belong
to any running trial that began before it, and is killed when those have ended. The workers of Python functions adopt
their orphans themselves, so it is not one of theirs.

Where a control group may be made (cgroup 2), the guardian is in one of its own, and so are its descendants. Only then
can all of them be found after somebody has killed the guardian.

This file runs as a script, without the rest of the package, so that it starts in a moment and stays small. The other
side is in ``process``. For each trial, the lab sends a message with file descriptors: first one end of a socket, the
channel of the trial, then the files of the new process. The message is the request; a long one is sent through the
channel. The guardian answers on the channel once, when the leader has ended or could not be started. If the lab closes
the channel, the trial is ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import marshal
import os
import resource
import select
import signal
import socket
import sys
import time
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAX_MESSAGE = 1 << 16
"""Maximum number of bytes of a request in a message; a longer one is sent through the channel."""
MAX_FILES = 8
"""Maximum number of file descriptors in a message."""
WATCH_INTERVAL = 0.25
"""Seconds between two looks at the memory of a trial."""
MAX_SECONDS_TO_END = 30.0
"""After this time, the guardian ends even if a process cannot be killed, such as one that waits for a broken disk."""
_IGNORED = [int(signal.SIGPIPE), int(signal.SIGXFSZ)]  # by Python, but not by the programs that it starts
_SET_CHILD_SUBREAPER = 36
_RESERVED_FILES = 10  # files of a process get numbers below this one, and those that the guardian holds get higher ones
_TRUNCATED, _CLOSE_ON_EXEC = int(socket.MSG_CTRUNC), int(socket.MSG_CMSG_CLOEXEC)  # plain numbers are faster
_PAGE = resource.getpagesize()
_TICKS = os.sysconf("SC_CLK_TCK")


class RunningTrial:
    """A trial whose leader is running."""

    def __init__(self, leader: int, channel: int, request: dict[str, Any], began: int) -> None:
        self.leader, self.channel = leader, channel
        self.stamp: str = request["stamp"]
        self.memory: int | None = request["memory"]
        self.adopts: bool = request["adopts"]
        self.began = began
        """The time when it began, in clock ticks since the machine was started."""
        self.exceeded: str | None = None
        """The limit that it exceeded."""


class Guardian:
    """The trials that are running, and the files that tell what happens."""

    def __init__(self, lab: int, control: socket.socket, mark: str) -> None:
        self._control, self._mark = control, mark
        self._trials: dict[int, RunningTrial] = {}
        self._poll = select.poll()
        self._lab = os.pidfd_open(lab)
        self._ended, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self._channels: dict[int, RunningTrial] = {}
        self._next_watch = 0.0
        self._spared = False
        """True if there are orphans whose trial may be running."""
        for file in (control.fileno(), self._lab, self._ended):
            self._poll.register(file, select.POLLIN)

    def run(self) -> None:
        """Start, watch and end processes until the lab ends."""
        while True:
            watching = self._spared or any(trial.memory for trial in self._trials.values())
            ready = {number for number, _ in self._poll.poll(WATCH_INTERVAL * 1000 if watching else None)}
            if self._ended in ready:
                os.read(self._ended, 1 << 16)
                self._reap()
            for channel in ready & self._channels.keys():
                self._poll.unregister(channel)
                _kill_family(self._channels[channel].leader)
            if self._control.fileno() in ready and not self._accept():
                return
            if self._lab in ready:
                return
            if watching and time.monotonic() >= self._next_watch:
                self._watch_memory()
                self._kill_orphans()
                self._next_watch = time.monotonic() + WATCH_INTERVAL

    def _accept(self) -> bool:
        """Start a process. Return False if the lab has closed the connection."""
        # socket.recv_fds ignores the flag before Python 3.12
        space = socket.CMSG_SPACE(MAX_FILES * 4)
        message, extra, flags, _ = self._control.recvmsg(MAX_MESSAGE, space, _CLOSE_ON_EXEC)
        files = array("i", extra[0][2]) if extra else array("i")
        if not message:
            return False
        if not files:  # too many files are open: without a channel, the lab is told by its end of it
            return True
        channel = files[0]
        try:
            if flags & _TRUNCATED:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            request = marshal.loads(message if len(message) > 1 else _read_message(channel))
            began = int(time.clock_gettime(time.CLOCK_BOOTTIME) * _TICKS)
            leader = _start(request["argv"], request["env"], request["cwd"], dict(zip(request["files"], files[1:])))  # noqa: B905
        except EOFError:
            os.close(channel)
        except OSError as error:
            _answer(channel, (None, error.errno, error.strerror, error.filename))
        except ValueError as error:  # such as a NUL in a variable: it must not end the guardian
            _answer(channel, (None, errno.EINVAL, str(error), None))
        else:
            if limit := request["address_space"]:
                with contextlib.suppress(OSError):
                    resource.prlimit(leader, resource.RLIMIT_AS, (limit, limit))
            trial = RunningTrial(leader, channel, request, began)
            self._trials[leader] = self._channels[channel] = trial
            self._poll.register(channel, select.POLLIN)
        for file in files[1:]:
            os.close(file)
        return True

    def _reap(self) -> None:
        """Reap the children that have ended, kill what they left behind, and tell the lab about its trials."""
        finished = []
        with contextlib.suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if trial := self._trials.pop(ended.si_pid, None):
                    _kill_group(ended.si_pid)  # before the leader is reaped, because then its id could be reused
                    code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
                    finished.append((trial, code))
                os.waitpid(ended.si_pid, 0)
            self._kill_orphans()
        for trial, code in finished:
            self._finish(trial, code)

    def _finish(self, trial: RunningTrial, code: int) -> None:
        del self._channels[trial.channel]
        with contextlib.suppress(KeyError):
            self._poll.unregister(trial.channel)
        _answer(trial.channel, (code, trial.exceeded))

    def _orphans(self) -> dict[int, list[RunningTrial]]:
        """Return the orphans, each with the running trials that it may belong to."""
        return {pid: self._owners(pid) for pid in children_of(os.getpid()) if pid not in self._trials}

    def _owners(self, orphan: int) -> list[RunningTrial]:
        running = list(self._trials.values())
        if not running:
            return []
        try:
            if stamps := self._stamps(orphan):
                return [trial for trial in running if trial.stamp in stamps]
            with open(f"/proc/{orphan}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # it is about to end
            return running
        session, began = int(fields[3]), int(fields[19])
        if session in self._trials:
            return [self._trials[session]]
        return [trial for trial in running if trial.began <= began + 1 and not trial.adopts]  # times are rounded

    def _kill_orphans(self) -> None:
        """Kill the orphans of ended trials. Others are looked at again: one that is being started has no stamp yet."""
        orphans = self._orphans()
        for pid, owners in orphans.items():
            if not owners:
                _kill(pid)
        self._spared = any(orphans.values())

    def _stamps(self, pid: int) -> list[str]:
        """Return the stamps of this lab in the environment of a process."""
        lab = next(iter(self._trials.values())).stamp.partition(".")[0] + "."
        return [stamp for stamp in stamps_of(pid, self._mark) if stamp.startswith(lab)]

    def _watch_memory(self) -> None:
        """End the trials whose processes together use more memory than they may."""
        orphans = self._orphans()
        for trial in self._trials.values():
            if trial.memory and not trial.exceeded:
                heads = [trial.leader, *(pid for pid, owners in orphans.items() if owners == [trial])]
                if exceeds([pid for head in heads for pid in family_of(head)], trial.memory):
                    trial.exceeded = "memory"
                    _kill_family(trial.leader)


def _start(argv: list[bytes], env: dict[bytes, bytes], cwd: str, files: dict[int, int]) -> int:
    """Start a process in its own session. ``files``: the open file for each number; the first three default to none."""
    actions = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in files.items()]
    folders = [""] if b"/" in argv[0] else os.get_exec_path(env)  # type: ignore[arg-type]
    problem = OSError(errno.ENOENT, os.strerror(errno.ENOENT))
    os.chdir(cwd)
    try:
        for folder in folders:
            program = os.path.join(os.fsencode(folder), argv[0])
            if folder and not os.path.exists(program):  # much quicker than a process that cannot begin
                continue
            try:
                return os.posix_spawn(
                    program, argv, env, file_actions=actions, setsid=True, setsigmask=(), setsigdef=_IGNORED
                )
            except OSError as error:
                problem = error
    finally:
        os.chdir("/")
    raise OSError(problem.errno, problem.strerror, argv[0])


def _answer(channel: int, message: tuple[int | str | bytes | None, ...]) -> None:
    with contextlib.suppress(OSError):  # the lab may be gone
        os.write(channel, marshal.dumps(message))
    os.close(channel)


def _read_message(channel: int) -> bytes:
    """Read a message that begins with its length. Raises EOFError if the lab has closed the channel."""
    data = bytearray()
    while len(data) < 8 or len(data) - 8 < int.from_bytes(data[:8], "big"):
        if not (chunk := os.read(channel, 1 << 20)):
            raise EOFError
        data += chunk
    return bytes(data[8:])


def stamps_of(pid: int, mark: str) -> list[str]:
    """Return the stamps in the environment of a process. It has several if a lab runs inside a trial of another."""
    with open(f"/proc/{pid}/environ", "rb") as file:
        found = [entry for entry in file.read().split(b"\0") if entry.startswith(mark.encode() + b"=")]
    return found[0].decode("ascii", "replace").partition("=")[2].split() if found else []


def children_of(pid: int) -> list[int]:
    """Return the children of a process, those that ended but were not reaped included."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def family_of(head: int) -> list[int]:
    """Return a process and its descendants."""
    found = [head]
    for pid in found:
        found += children_of(pid)
    return found


def exceeds(pids: list[int], limit: int) -> bool:
    """Return True if processes use more memory than ``limit`` together.

    A page that several of them share counts once. Finding out takes long for a large process, so it is done only if
    they would exceed the limit otherwise.
    """
    return sum(map(_resident, pids)) > limit and sum(map(_proportional, pids)) > limit


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE
    return 0


def _proportional(pid: int) -> int:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        return next((int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:")), 0)
    return 0


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _kill_family(leader: int) -> None:
    """Kill a leader with its group and its descendants. Those that escape by forking now become orphans."""
    family = family_of(leader)
    _kill_group(leader)
    for pid in family:
        _kill(pid)


def _kill_all() -> None:
    """Kill the children until there are none: when one ends, its own children become children of this process."""
    end = time.monotonic() + MAX_SECONDS_TO_END
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < end:
            for pid in children_of(os.getpid()):
                _kill(pid)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.002)


def adopt_orphans() -> None:
    """Make descendants of this process its children when their parents end."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def find_own_group() -> str | None:
    """Return the folder of the control group that this process is in; None if it is not known."""
    try:
        with open("/proc/self/cgroup") as file:
            own = next((line.rstrip("\n")[3:] for line in file if line.startswith("0::")), None)
        with open("/proc/self/mountinfo") as file:
            mounts = [line.split() for line in file if " - cgroup2 " in line]
    except OSError:
        return None
    for _, _, _, root, point, *_ in mounts:
        if own is not None and os.path.commonpath([root, own]) == root:
            return os.path.join(point, os.path.relpath(own, root))
    return None


def kill_group(group: str) -> int:
    """Kill all processes of a control group and of those inside it, and remove it. Return their number."""
    killed = 0
    for folder, _, _ in os.walk(group, topdown=False):
        with contextlib.suppress(OSError):
            with open(os.path.join(folder, "cgroup.procs")) as file:
                killed += len(file.readlines())
            with open(os.path.join(folder, "cgroup.kill"), "w") as file:
                file.write("1")
            _remove_group(folder)
    return killed


def _remove_group(group: str) -> None:
    """Remove a control group when its processes have ended."""
    end = time.monotonic() + MAX_SECONDS_TO_END
    while os.path.exists(group) and time.monotonic() < end:
        try:
            os.rmdir(group)
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            time.sleep(0.002)


@contextlib.contextmanager
def _inside_group(name: str) -> Iterator[None]:
    """Enter a control group of this name if it can be made; leave and remove it afterwards."""
    outer = find_own_group()
    if outer is None:
        yield
        return
    inner = os.path.join(outer, name)
    with contextlib.suppress(OSError):
        os.mkdir(inner)
        _enter_group(inner)
    yield
    with contextlib.suppress(OSError):
        _enter_group(outer)
        os.rmdir(inner)


def _enter_group(group: str) -> None:
    with open(os.path.join(group, "cgroup.procs"), "w") as file:
        file.write("0")


def main() -> None:
    """Guard the trials of a lab. Arguments: its process id, the mark, the socket to it, the name of a control group."""
    lab, mark, control, group = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    socket_to_lab = socket.socket(fileno=fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, _RESERVED_FILES))
    os.close(control)
    while os.dup(0) < _RESERVED_FILES:
        pass
    adopt_orphans()
    with _inside_group(group):
        try:
            if os.getppid() == lab:
                Guardian(lab, socket_to_lab, mark).run()
        finally:
            _kill_all()


if __name__ == "__main__":
    main()
