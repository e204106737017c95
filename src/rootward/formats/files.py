"""Read files of the user with errors that name them, replace files atomically, and print paths as people write them.

Every file that a user names is opened here, or checked here before a library opens it. Only regular files are read: a
device such as /dev/zero never ends, and a pipe may never begin. The size is looked at first, because a file that does
not fit into memory takes the whole machine down.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import stat
from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from rootward.errors import InputError
from rootward.words import show_size

TEMPORARY_NAME = re.compile(r"\..+\.\d+\.rootward\.tmp", re.DOTALL)
"""The name of a file that is being written, with the id of the process that writes it."""
MAX_BYTES = 256 << 20
"""Maximum size of a file that is read as a whole. Parsed, it takes many times as much memory."""
MAX_DATA_BYTES = 8 << 30
"""Maximum size of a table or recording, which is read piece by piece, or into compact columns."""
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class UnreadableFile(InputError):
    """A file cannot be read."""

    def __init__(self, path: str | Path, reason: str) -> None:
        super().__init__(f"{path} cannot be read: {reason}")
        self.reason = reason


def check_file(path: str | Path, max_bytes: int = MAX_DATA_BYTES) -> Path:
    """Return the path of a file that can be read safely. Raises UnreadableFile otherwise.

    For libraries that open files themselves, and for readers that report other errors in their own way.
    """
    status = check_regular(path)
    if status.st_size > max_bytes:
        sizes = f"it has {show_size(status.st_size)}, and the limit is {show_size(max_bytes)}"
        raise UnreadableFile(path, f"{sizes}: keep only the part that is needed")
    return Path(path)


def check_regular(path: str | Path) -> os.stat_result:
    """Return the status of a file. Raises UnreadableFile if it is missing, a folder, a pipe or a device."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        raise _unreadable(path, error) from error
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        advice = "" if stat.S_ISDIR(status.st_mode) else ": copy its content to a file first"
        raise UnreadableFile(path, f"it is {kind}, not a regular file{advice}")
    return status


def open_file(path: str | Path, max_bytes: int = MAX_DATA_BYTES) -> BufferedReader:
    """Open a file for reading; UnreadableFile if it is not a regular file, too large, or cannot be read."""
    check_file(path, max_bytes)
    try:
        return open(path, "rb")
    except OSError as error:
        raise _unreadable(path, error) from error


def read_bytes(path: str | Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of a file; UnreadableFile as for ``open_file``."""
    with open_file(path, max_bytes) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            # One call would reserve memory for as much as is asked for. A file in /proc has no size.
            return file.read(size) if size else b"".join(_read_parts(file, max_bytes))
        except OSError as error:
            raise _unreadable(path, error) from error


def _read_parts(file: BufferedReader, max_bytes: int) -> Iterator[bytes]:
    while max_bytes > 0 and (part := file.read(min(max_bytes, 1 << 16))):
        max_bytes -= len(part)
        yield part


def read_text(path: str | Path) -> str:
    """Return the text of a file; UnreadableFile if it cannot be read or is not UTF-8."""
    with TextIOWrapper(open_file(path, MAX_BYTES), encoding="utf-8-sig") as file:
        try:
            return file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise _unreadable(path, error) from error


def read_json(path: str | Path) -> Any:
    """Return the parsed content of a JSON file; InputError if it is not JSON."""
    text = read_text(path)
    try:
        return json.loads(text)
    except ValueError as error:  # also a number of thousands of digits
        raise InputError(f"{path} is not JSON: {error}") from error
    except RecursionError:
        raise InputError(f"{path} cannot be read: its JSON is nested too deeply") from None


def _unreadable(path: str | Path, error: Exception) -> UnreadableFile:
    return UnreadableFile(path, getattr(error, "strerror", None) or str(error))


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces ``path`` when the block succeeds and is deleted when it raises.

    Readers of ``path`` always see either the old version or the new one, complete. If ``path`` is a link, the file that
    it leads to is replaced, and the link stays.
    """
    path = Path(os.path.realpath(path))
    temporary = path.with_name(f".{path.name}.{os.getpid()}.rootward.tmp")
    try:
        with open(temporary, "wb") as file:
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_SH)  # so that nobody takes it for the file of a killed process
            yield file
            file.flush()
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def check_target(path: Path) -> Path:
    """Return ``path`` if a file can be written there. Raises InputError otherwise.

    Callers check before the first trial, so that a wrong path is refused early.
    """
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:  # a NUL character
        raise InputError(f"{path} cannot be written: {error}") from error
    if target.is_symlink():
        raise InputError(f"{path} cannot be written: its links lead in a circle")
    if target.exists() and not target.is_file():
        raise InputError(f"{path} cannot be written: it exists and is not a regular file")
    folder = path.parent if target == path.absolute() else target.parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path} cannot be written: the folder {folder} is read-only")
    return path


def make_relative(folder: Path, path: Path) -> str:
    """Return ``path`` relative to ``folder``.

    Returns the absolute path if the two share nothing but the root. A relative path does not reveal where the user's
    home folder is.
    """
    here, there = folder.absolute(), path.absolute()
    shared = os.path.commonpath([here, there])
    return str(there) if shared == there.anchor else os.path.relpath(there, here)


def format_path(path: Path) -> str:
    """Return the path relative to the current folder, with ``~`` for the home folder.

    The result is for people to read, not for a shell.
    """
    relative = make_relative(Path.cwd(), path)
    home = Path(os.path.expanduser("~"))
    return f"~/{Path(relative).relative_to(home)}" if Path(relative).is_relative_to(home) else relative
