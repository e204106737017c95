"""The guardian, with calls that fail: see `tests/faults.py`. It runs as a script, as the real one does.

The environment says which calls. Each call adds the number of its kind to a file, so that the next guardian goes on
counting if this one dies.
"""

from __future__ import annotations

import builtins
import errno
import os
import socket
from collections.abc import Callable
from typing import Any

VARIABLE = "ROOTWARD_TEST_FAULT"


def _fail_with(number: int) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


def _lose_files(receive: Callable[..., Any], *args: Any) -> Any:
    """Receive a message as the kernel delivers it if no file can be opened."""
    message, extra, flags, address = receive(*args)
    for _, _, data in extra:
        for number in memoryview(data).cast("i"):
            os.close(number)
    return message, [], flags | socket.MSG_CTRUNC, address


KINDS: dict[str, tuple[list[tuple[Any, str]], Callable[..., Any]]] = {
    "guardian open": ([(builtins, "open"), (os, "listdir"), (os, "pidfd_open")], _fail_with(errno.EMFILE)),
    "guardian pipe": ([(os, "pipe2")], _fail_with(errno.EMFILE)),
    "guardian fork": ([(os, "posix_spawn")], _fail_with(errno.EAGAIN)),
    "guardian exec": ([(os, "posix_spawn")], _fail_with(errno.ENOMEM)),
    "guardian receive": ([(socket.socket, "recvmsg")], _lose_files),
    "guardian write": ([(os, "write")], _fail_with(errno.ENOBUFS)),
}
"""The calls of each kind, and what happens instead of a call."""


def main() -> None:
    """Run the real guardian."""
    chosen, first, length, counter, script = os.environ[VARIABLE].split("\t")
    calls = os.open(counter, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
    write, kinds = os.write, list(KINDS)

    def failing(kind: str, real: Callable[..., Any], fail: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            number = count_calls(os.pread(calls, 1 << 20, 0))[kind]
            write(calls, bytes([kinds.index(kind)]))
            if kind == chosen and int(first) <= number < int(first) + int(length):
                return fail(real, *args, **options)
            return real(*args, **options)

        return call

    with open(script, "rb") as file:
        code = compile(file.read(), script, "exec")
    for kind, (targets, fail) in KINDS.items():
        for owner, name in targets:
            setattr(owner, name, failing(kind, getattr(owner, name), fail))
    exec(code, {"__name__": "__main__"})


def count_calls(written: bytes) -> dict[str, int]:
    """Return the number of calls of each kind. ``written``: the content of the file."""
    return {kind: written.count(number) for number, kind in enumerate(KINDS)}


if __name__ == "__main__":
    main()
