"""Trouble of the machine: no space, no file handles, no memory, a lost folder.

What the machine could not do says nothing about the candidate. A trial that meets such trouble has no outcome: it
raises MachineTrouble, the lab runs it again later, and nothing is stored. Programs often ignore an error when they
write, and then only their output is too short. So the machine is looked at after every trial, not only if it failed.
"""

from __future__ import annotations

import errno
import math
import os
import re
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from rootward.errors import MachineTrouble, lacks_thread, trouble_of
from rootward.words import count, show_size

MIN_FREE_BYTES = 1 << 20
"""Minimum number of free bytes where a trial writes. With fewer, its output may be incomplete."""
LOW_BYTES = 64 << 20
"""With fewer free bytes, on disk or in memory, a program may fail because it needs more of them."""
SPARE_HANDLES = 24
"""Number of file handles that are left to the lab: for its store, its pools and the modules that it still imports."""
HANDLES_PER_JOB = 10
"""Maximum number of file handles that the lab needs for one running trial, while it starts the process."""


class Watch:
    """Watches what a trial needs from the machine: when it begins, while it runs, and at its end.

    Use it as a context manager: an OSError inside is the machine's, and becomes MachineTrouble.
    """

    def __init__(self, folder: str) -> None:
        self._folders, self._began = (folder, tempfile.gettempdir()), time.monotonic()

    def __enter__(self) -> Watch:
        _check_fall(_look_at(*self._folders))
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, OSError):
            raise trouble_of(error) from error

    @property
    def trouble(self) -> str | None:
        """The trouble that there is now, or was while the trial ran, with what to do about it; None if all is well."""
        return self._find_trouble(_look_at(*self._folders))

    def _find_trouble(self, rooms: Rooms) -> str | None:
        global _noticed
        if missing := _find_missing(rooms):
            _noticed = (time.monotonic(), missing)
        return _noticed[1] if _noticed[0] >= self._began else None

    def check(self, code: int) -> None:
        """Raise MachineTrouble if something was missing. ``code``: the exit code of the process."""
        rooms = _look_at(*self._folders)
        if trouble := self._find_trouble(rooms):
            raise MachineTrouble(trouble)
        _check_fall(rooms)
        if code:
            check_memory(self._began)

    def check_text(self, text: str) -> None:
        """Raise MachineTrouble if a program that failed says so, and there is little space."""
        said = any(os.strerror(number) in text for number in (errno.ENOSPC, errno.EDQUOT))
        if said and (low := _find_low(_look_at(*self._folders))):
            raise MachineTrouble(f"the program says that there is no space left, and {low}: free some space")


_noticed = (0.0, "")
"""The time at which space was missing last, and where. Trials that run at the same time share it: one may have filled
the disk, and removed its files since."""
_first_rooms: dict[str, int] = {}
"""The number of free bytes in each folder when it was looked at for the first time."""

Rooms = dict[str, os.statvfs_result | None]
"""The space in each folder; None if there is no such folder."""


def _look_at(*folders: str) -> Rooms:
    return {folder: _find_room(folder) for folder in folders}


def _find_room(folder: str) -> os.statvfs_result | None:
    try:
        return os.statvfs(folder)
    except FileNotFoundError:
        return None


def _free_bytes(room: os.statvfs_result) -> int:
    return room.f_bavail * room.f_frsize


def _name_free(folder: str, room: os.statvfs_result) -> str:
    return f"only {show_size(_free_bytes(room))} are free in {folder}"


def _find_missing(rooms: Rooms) -> str | None:
    """Return a text about the first folder without space, and what to do; None if there is space in all of them."""
    for folder, room in rooms.items():
        if room is None:
            return f"the folder {folder} was removed: make it again"
        if _free_bytes(room) < MIN_FREE_BYTES:
            return f"{_name_free(folder, room)}: free some space, {show_size(MIN_FREE_BYTES)} at the very least"
        if room.f_files and not room.f_favail:
            return f"no more files can be created in {folder}: remove some"
    return None


def _find_low(rooms: Rooms) -> str | None:
    """Return a text that names the first folder with little space; None if there is much in all of them."""
    return next((_name_free(f, room) for f, room in rooms.items() if room and _free_bytes(room) < LOW_BYTES), None)


def _check_fall(rooms: Rooms) -> None:
    """Raise MachineTrouble if there is much less space than at first. The trial itself does not take it now.

    A program that needs more than there is can fail, and remove its files before anybody looks.
    """
    for folder, room in rooms.items():
        if room is not None:
            free = _free_bytes(room)
            first = _first_rooms.setdefault(folder, free)
            if free < min(LOW_BYTES, first / 2):
                raise MachineTrouble(f"{_name_free(folder, room)}, of {show_size(first)} at first: free some space")


def is_to_blame_for(error: BaseException) -> bool:
    """Return True if the machine, not the subject, caused an error that a Python function has raised.

    The error alone does not tell: the machine is asked whether the trouble is still there.
    """
    number = getattr(error, "errno", None)
    if number in (errno.ENOSPC, errno.EDQUOT):
        named = getattr(error, "filename", None)
        places = [".", tempfile.gettempdir(), *([str(Path(os.fsdecode(named)).parent)] if named else [])]
        return number == errno.EDQUOT or _find_low(_look_at(*places)) is not None
    if number in (errno.EMFILE, errno.ENFILE):
        return not _succeeds(lambda: os.close(os.open(os.devnull, os.O_RDONLY)))
    if number == errno.ENOMEM or isinstance(error, MemoryError):
        return _available_memory() < LOW_BYTES
    if number == errno.EAGAIN or (isinstance(error, RuntimeError) and lacks_thread(error)):
        return not _succeeds(threading.Thread(target=lambda: None).start)
    return False


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, RuntimeError):
        return False
    return True


def _available_memory() -> float:
    try:
        found = re.search(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
    except OSError:
        found = None
    return int(found[1]) * 1024 if found else math.inf


def check_room(folder: str) -> None:
    """Raise MachineTrouble if there is no space for trials in a folder, and warn if there is little."""
    rooms = _look_at(folder)
    if missing := _find_missing(rooms):
        raise MachineTrouble(missing)
    if low := _find_low(rooms):
        warnings.warn(f"{low}: a program that needs more fails for that reason", RuntimeWarning, stacklevel=2)


def limit_jobs(jobs: int) -> int:
    """Return the number of jobs for which there are file handles. Warns if it is lower than ``jobs``."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        used = len(os.listdir("/proc/self/fd"))
    except FileNotFoundError:  # no /proc
        return jobs
    except OSError as error:
        raise trouble_of(error) from error
    possible = (limit - used - SPARE_HANDLES) // HANDLES_PER_JOB
    if possible < 1:
        needed = HANDLES_PER_JOB + SPARE_HANDLES
        raise MachineTrouble(
            f"only {count(limit - used, 'more file')} can be opened, and one job needs {needed}: raise the limit, as "
            f"with ulimit -n {used + 2 * needed}"
        )
    if possible < jobs:
        warnings.warn(
            f"only {limit} files can be open at once, which is enough for {count(possible, 'job')}, not for {jobs}; "
            "to run more, raise the limit (ulimit -n)",
            RuntimeWarning,
            stacklevel=2,
        )
    return min(jobs, possible)


def check_memory(began: float) -> None:
    """Raise MachineTrouble if the kernel has killed a process for lack of memory while a trial ran.

    Trials that run at the same time share the blame: the kernel does not say whose process it was.
    """
    global _memory_kills, _noticed_kill
    if (kills := _count_memory_kills()) > _memory_kills:
        _memory_kills, _noticed_kill = kills, time.monotonic()
    if _noticed_kill >= began:
        raise MachineTrouble(
            "the machine ran out of memory and killed a process: close other programs, or use fewer --jobs; if the "
            "input itself needs too much memory, --memory 2G makes that a failure which can be searched for"
        )


def _count_memory_kills() -> int:
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


_memory_kills = _count_memory_kills()
_noticed_kill = 0.0
"""The time at which such a kill was noticed last."""
