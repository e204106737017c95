"""SQLite, with calls to the disk that fail: see `tests/faults.py`.

SQLite reads and writes its files through a table of functions, its *virtual file system*, and so do its own tests of
full disks and I/O errors. Here, the functions of that table are replaced by ones that ask whether the call is to fail.
So SQLite itself meets the error, in the midst of a commit or of a checkpoint, and not only the code that calls it.
"""

from __future__ import annotations

import contextlib
import ctypes
import sqlite3  # noqa: F401  # it loads the library
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

KINDS = {
    "sqlite open": 14,  # SQLITE_CANTOPEN
    "sqlite read": 10 | 1 << 8,  # SQLITE_IOERR_READ
    "sqlite write": 13,  # SQLITE_FULL
    "sqlite truncate": 10 | 6 << 8,  # SQLITE_IOERR_TRUNCATE
    "sqlite sync": 10 | 4 << 8,  # SQLITE_IOERR_FSYNC
    "sqlite map": 10 | 21 << 8,  # SQLITE_IOERR_SHMMAP
}
"""The calls of each kind, and the error that SQLite gets instead of a result."""

_POINTER, _INT, _LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_OPEN = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _POINTER, _INT, _POINTER)
_METHODS = {  # the place of a function in the table of an open file, and its type
    "sqlite read": (1, ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT, _LONG)),
    "sqlite write": (2, ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT, _LONG)),
    "sqlite truncate": (3, ctypes.CFUNCTYPE(_INT, _POINTER, _LONG)),
    "sqlite sync": (4, ctypes.CFUNCTYPE(_INT, _POINTER, _INT)),
    "sqlite map": (12, ctypes.CFUNCTYPE(_INT, _POINTER, _INT, _INT, _INT, _POINTER)),
}
_due: dict[str, Callable[[], bool]] = {}
"""For each kind that may fail at the moment: counts a call, and returns True if it is to fail."""
_kept: list[Any] = []
"""The replaced tables and functions. SQLite may use them as long as the process lives."""


class _Methods(ctypes.Structure):
    """The functions of an open file."""

    _fields_: ClassVar[Any] = [("version", _INT), ("functions", _POINTER * 18)]


class _Files(ctypes.Structure):
    """The beginning of a virtual file system."""

    _fields_: ClassVar[Any] = [
        ("version", _INT),
        ("size", _INT),
        ("longest_path", _INT),
        ("next", _POINTER),
        ("name", _POINTER),
        ("data", _POINTER),
        ("open", _POINTER),
    ]


@contextlib.contextmanager
def inject(kind: str, is_due: Callable[[], bool]) -> Iterator[None]:
    """Let calls of a kind fail inside of the block, on files that are opened there."""
    _install()
    _due[kind] = is_due
    try:
        yield
    finally:
        del _due[kind]


def possible_kinds() -> dict[str, int]:
    """Return the kinds that can be made to fail: none if this Python contains SQLite instead of sharing it."""
    return KINDS if _library() else {}


@cache
def _library() -> Any:
    lines = Path("/proc/self/maps").read_text().splitlines()
    found = next((line.split()[-1] for line in lines if "libsqlite3" in line), None)
    return found and ctypes.CDLL(found)


@cache
def _install() -> None:
    """Replace the function that opens files, for the rest of the process."""
    library = _library()
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Files)
    files = library.sqlite3_vfs_find(None).contents
    really_open = _OPEN(files.open)

    def open_file(system: int, name: int, file: int, flags: int, said: int) -> int:
        methods = ctypes.cast(file, ctypes.POINTER(_POINTER))
        if _fails("sqlite open"):
            methods[0] = None
            return KINDS["sqlite open"]
        code: int = really_open(system, name, file, flags, said)
        if methods[0] and _due:
            methods[0] = _replace_methods(methods[0])
        return code

    replaced = _OPEN(open_file)
    _kept.append(replaced)
    files.open = ctypes.cast(replaced, _POINTER).value


@cache
def _replace_methods(original: int) -> int:
    """Return the address of a copy of a table of functions, of which some may fail."""
    copy = _Methods.from_buffer_copy(_Methods.from_address(original))
    for kind, (place, signature) in _METHODS.items():
        if copy.functions[place]:
            call = signature(_failing(kind, signature(copy.functions[place])))
            copy.functions[place] = ctypes.cast(call, _POINTER).value
            _kept.append(call)
    _kept.append(copy)
    return ctypes.addressof(copy)


def _failing(kind: str, real: Callable[..., int]) -> Callable[..., int]:
    return lambda *args: KINDS[kind] if _fails(kind) else real(*args)


def _fails(kind: str) -> bool:
    is_due = _due.get(kind)
    return is_due is not None and is_due()
