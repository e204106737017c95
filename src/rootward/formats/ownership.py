"""Files and folders that belong to a process: a lock tells whether that process is still alive.

``kill -9`` leaves files behind. To remove them later without harm, it must be certain that they are Rootward's and that
nobody uses them. Both are shown by a small file with a known name, which its process keeps locked. The system releases
the lock when the process ends, however it ends; a suspended process keeps it. So a lock file that can be locked belongs
to a process that was killed: one that ends in good order removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

LOCK = ".rootward-lock"
"""The name of the lock file in a folder that belongs to a process."""
PREFIX = "rootward-"
"""The beginning of the names of temporary folders."""


@contextlib.contextmanager
def hold(lock: Path) -> Iterator[None]:
    """Keep a file locked while the block runs. Several processes may hold the same one; the last one removes it.

    Where files cannot be created or locked, nothing is held.
    """
    try:
        handle = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
            os.write(handle, b"%d\n" % os.getpid())
        except OSError:
            lock.unlink(missing_ok=True)
        yield
    finally:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            lock.unlink(missing_ok=True)
        os.close(handle)


def is_held(lock: Path) -> bool | None:
    """Return True if a living process holds the lock, False if its process was killed, None if there is no lock."""
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(handle)


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a temporary folder, and remove it when the block ends. After a kill, ``rootward runs clean`` removes it."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name, hold(Path(name, LOCK)):
        yield Path(name)


def make_kept_folder() -> Path:
    """Make a temporary folder for files that a person may want to look at. ``rootward runs clean`` removes it later."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    (folder / LOCK).touch()
    return folder


def is_kept(folder: Path) -> bool:
    """Return True if ``make_kept_folder`` made the folder: no process has ever held it."""
    return not (folder / LOCK).stat().st_size


def discard_if_empty(folder: Path) -> None:
    """Remove a folder that holds nothing but its lock file."""
    with contextlib.suppress(OSError):
        if all(path.name == LOCK for path in folder.iterdir()):
            (folder / LOCK).unlink(missing_ok=True)
            folder.rmdir()
