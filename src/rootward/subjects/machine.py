"""Trouble of the machine: no space, no file handles, no memory, a lost folder.

What the machine could not do says nothing about the candidate. A trial that meets such trouble has no outcome: it
raises MachineTrouble, the lab runs it again later, and nothing is stored. Programs often ignore an error when they
write, and then only their output is too short. So the machine is looked at after every trial, not only if it failed.
"""

from __future__ import annotations

import errno
import os
import signal
import tempfile
import time
import warnings
from pathlib import Path
from types import TracebackType

from rootward.errors import MachineTrouble
from rootward.words import count

MIN_FREE_BYTES = 1 << 20
"""Minimum number of free bytes where a trial writes. With fewer, its output may be incomplete."""
SPARE_HANDLES = 24
"""Number of file handles that are left to the lab: for its store, its pools and the modules that it still imports."""
HANDLES_PER_JOB = 10
"""Maximum number of file handles that the lab needs for one running trial, while it starts the process."""

_REMEDIES = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EMFILE: "raise the limit of open files (ulimit -n), or use fewer --jobs",
    errno.ENFILE: "close other programs, or use fewer --jobs",
    errno.ENOMEM: "close other programs, or use fewer --jobs",
    errno.EAGAIN: "close other programs, or use fewer --jobs",
    errno.EIO: "check the disk",
    errno.ECONNRESET: "find out what kills processes of Rootward",
}
"""Advice for trouble that may pass, by the number of the error."""
_KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
"""Exit codes of a process that was killed, or of a shell whose program was."""


class Watch:
    """Watches what a trial needs from the machine, while it runs and at its end.

    Use it as a context manager: an OSError inside is the machine's, and becomes MachineTrouble.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._began = folder, time.monotonic()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(error, OSError):
            raise trouble_of(error) from error

    @property
    def trouble(self) -> str | None:
        """The space that is missing now, or was while the trial ran; None if there was enough."""
        global _noticed
        if missing := find_missing_space(self._folder, Path(tempfile.gettempdir())):
            _noticed = (time.monotonic(), missing)
        return _noticed[1] if _noticed[0] >= self._began else None

    def check(self, code: int) -> None:
        """Raise MachineTrouble if something was missing. ``code``: the exit code of the process."""
        if trouble := self.trouble:
            raise MachineTrouble(f"{trouble}: free some space")
        if code in _KILLED:
            check_memory()


_noticed = (0.0, "")
"""The time at which space was missing last, and where. Trials that run at the same time share it: one may have filled
the disk, and removed its files since."""


def find_missing_space(*folders: Path) -> str | None:
    """Return a text that names the first folder without space; None if there is space in all of them."""
    for folder in folders:
        try:
            room = os.statvfs(folder)
        except FileNotFoundError:
            return f"the folder {folder} is gone"
        free = room.f_bavail * room.f_frsize
        if free < MIN_FREE_BYTES:
            return f"only {free / 1e6:.2g} MB are free in {folder}"
        if room.f_files and not room.f_favail:
            return f"no more files can be created in {folder}"
    return None


def trouble_of(error: OSError) -> MachineTrouble:
    """Return an error of the machine as a sentence that says what to do."""
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    what = f"{where}{error.strerror or error}"
    if isinstance(error, FileNotFoundError):
        return MachineTrouble(f"{what}: something removed files of a running trial")
    remedy = _REMEDIES.get(error.errno or 0)
    return MachineTrouble(f"{what}: {remedy}" if remedy else what, may_pass=remedy is not None)


def is_to_blame_for(number: int) -> bool:
    """Return True if the machine, not the subject, caused an OSError with this number in a subject.

    The number alone does not tell: the machine is asked whether the trouble is still there.
    """
    if number in (errno.ENOSPC, errno.EDQUOT):
        return find_missing_space(Path(), Path(tempfile.gettempdir())) is not None
    if number in (errno.EMFILE, errno.ENFILE):
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError:
            return True
    return False


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
        raise MachineTrouble(f"only {count(limit - used, 'file')} can be opened: raise the limit (ulimit -n)")
    if possible < jobs:
        warnings.warn(
            f"only {limit} files can be open at once, which is enough for {count(possible, 'job')}, not for {jobs}; "
            "to run more, raise the limit (ulimit -n)",
            RuntimeWarning,
            stacklevel=2,
        )
    return min(jobs, possible)


def check_memory() -> None:
    """Raise MachineTrouble if the kernel has killed a process for lack of memory since the last call."""
    global _memory_kills
    before, _memory_kills = _memory_kills, _count_memory_kills()
    if _memory_kills > before:
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
