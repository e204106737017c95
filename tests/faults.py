"""Fault injection: let the n-th call of one kind fail, as if the machine were in trouble.

The calls of this process are counted and made to fail, not those of the subject. A kind stands for a system call, and
for the error with which it fails most often: no file handle, no space, no process, a database that is lost.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

from sqlalchemy.engine.default import DefaultDialect

KINDS = (
    *("open", "write", "fork", "pipe", "socket", "mkdir", "rename", "remove"),
    *("connect", "execute", "commit", "thread"),
)


@dataclass
class Fault:
    """Counts the calls of one kind, and lets some of them fail: from ``first`` on, ``length`` calls."""

    kind: str
    first: int = -1
    length: int = 1
    calls: int = 0

    def strike(self) -> None:
        """Count a call; raise the error of the kind if it is one of those that fail."""
        number, self.calls = self.calls, self.calls + 1
        if self.first <= number < self.first + self.length:
            raise _error(self.kind)


def _error(kind: str) -> Exception:
    if kind in ("connect", "execute", "commit"):
        return sqlite3.OperationalError("disk I/O error" if kind == "execute" else "database or disk is full")
    if kind == "thread":
        return RuntimeError("can't start new thread")
    number = {"open": errno.EMFILE, "pipe": errno.EMFILE, "socket": errno.EMFILE, "fork": errno.EAGAIN}.get(
        kind, errno.ENOSPC
    )
    return OSError(number, os.strerror(number))


class _File:
    """An open file whose ``write`` may fail."""

    def __init__(self, file: Any, fault: Fault) -> None:
        self._file, self._fault = file, fault

    def write(self, data: Any) -> Any:
        self._fault.strike()
        return self._file.write(data)

    def __enter__(self) -> _File:
        self._file.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._file.__exit__(*error)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _failing(real: Callable[..., Any], fault: Fault) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        fault.strike()
        return real(*args, **options)

    return call


@contextlib.contextmanager
def inject(fault: Fault) -> Iterator[None]:
    """Let calls of this process fail inside of the block."""
    real_open = builtins.open

    def open_file(*args: Any, **options: Any) -> Any:
        return _File(real_open(*args, **options), fault)

    targets: dict[str, list[tuple[Any, str]]] = {
        "open": [(builtins, "open"), (io, "open"), (os, "open")],
        "fork": [(subprocess, "_fork_exec")],
        "pipe": [(os, "pipe")],
        "socket": [(socket, "socketpair"), (socket, "send_fds")],
        "mkdir": [(os, "mkdir")],
        "rename": [(os, "rename"), (os, "replace")],
        "remove": [(os, "unlink"), (os, "rmdir")],
        "connect": [(sqlite3.dbapi2, "connect")],
        "execute": [(DefaultDialect, "do_execute"), (DefaultDialect, "do_executemany")],
        "commit": [(DefaultDialect, "do_commit")],
        "thread": [(threading.Thread, "start")],
        "write": [(os, "write")],
    }
    with contextlib.ExitStack() as stack:
        for owner, name in targets[fault.kind]:
            stack.enter_context(mock.patch.object(owner, name, _failing(getattr(owner, name), fault)))
        if fault.kind == "write":
            for owner in (builtins, io):
                stack.enter_context(mock.patch.object(owner, "open", open_file))
        yield
