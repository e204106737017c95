"""Bus recordings in MDF 4, read by asammdf in a separate process.

A broken file can make asammdf run out of memory, print, or crash the interpreter, which must not happen in the user's
process. The reading process serves one file after the other, because it takes a second to start. When it dies or stays
silent, the file is reported as broken and the next file gets a new process.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from rootward.errors import MissingExtra
from rootward.formats.recordings.frame import Frame, from_message
from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.source import open_decompressed
from rootward.words import show_size

PATIENCE = 30.0
"""Seconds of silence after which the process is stopped."""
_MAX_MEMORY = 4 << 30
"""Maximum number of bytes that it may use, in addition to eight times the size of the file."""
_END = "end "


def read_mf4(path: Path, problems: Problems) -> Iterator[Frame]:
    """Return the data frames of a bus recording, in order of time."""
    if not all(map(importlib.util.find_spec, ("can", "asammdf"))):
        raise MissingExtra("an MF4 file", "can")
    with open_decompressed(path, problems) as plain, _lock:
        lines = list(_server().ask(plain))
    frames = [_parse_frame(line) for line in lines[:-1]]
    if reason := lines[-1]:
        problems.add(f"after frame {len(frames)}", reason)
    return iter(frames)


class _ReaderProcess:
    """A process that reads files for this process."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __spec__.name],  # -P: do not import modules from a folder of traces
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def alive(self) -> bool:
        # A fork shares the pipes of its parent, which still uses them.
        return self.owner == os.getpid() and self._process.poll() is None

    def ask(self, path: Path) -> Iterator[str]:
        """Yield a line for each frame, then one line with the error. The last line is empty if there was no error."""
        rest, answered = b"", False
        try:
            pipe = self._send(path)
            while not answered and (some := self._read(pipe)):
                *lines, rest = (rest + some).split(b"\n")
                for line in map(bytes.decode, lines):
                    answered = line.startswith(_END)
                    yield str(json.loads(line.removeprefix(_END))) if answered else line
        except BrokenPipeError:
            pass
        finally:
            # Stop it even if the caller has stopped reading: the next caller must not get the rest of this answer.
            if not answered:
                self.stop()
        if not answered:
            yield f"asammdf cannot read this file: it crashed, or was silent for {PATIENCE:g} seconds"

    def _send(self, path: Path) -> int:
        """Send a request and return the file descriptor of the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(str(path.absolute())).encode() + b"\n")
        self._process.stdin.flush()
        return self._process.stdout.fileno()

    def stop(self) -> None:
        if self.owner == os.getpid():
            self._process.kill()
            self._process.communicate()

    @staticmethod
    def _read(pipe: int) -> bytes:
        ready, _, _ = select.select([pipe], [], [], PATIENCE)
        return os.read(pipe, 1 << 16) if ready else b""


_lock = threading.Lock()
_running: list[_ReaderProcess] = []


def _server() -> _ReaderProcess:
    if not _running or not _running[0].alive:
        _stop()
        _running[:] = [_ReaderProcess()]
    return _running[0]


@atexit.register
def _stop() -> None:
    for server in _running:
        server.stop()


def _parse_frame(line: str) -> Frame:
    time, identifier, extended, number, data, channel = line.split(" ", 5)
    return Frame(int(time), int(identifier), extended == "True", bytes.fromhex(data), channel, int(number))


def _serve() -> None:
    """Run the reading process. For each path on a line of the input, write the frames of that file, one per line."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keep what libraries print out of the answer
    for line in sys.stdin:
        reason = ""
        try:
            for frame in _frames(json.loads(line)):
                print(*frame[:3], frame.number, frame.data.hex(), frame.channel, file=output)
        except Exception as error:  # asammdf raises anything for a broken file
            reason = _explain(error)
        print(_END + json.dumps(reason), file=output, flush=True)


def _explain(error: Exception) -> str:
    """Return why a file cannot be read. The messages of asammdf are about its own code, and not repeated."""
    if isinstance(error, MemoryError):
        return f"more than {show_size(_MAX_MEMORY)} of memory would be needed: it is damaged, or too large"
    return "the file is damaged or cut off, or not a recording of a CAN bus in MDF 4: asammdf cannot read it"


def _frames(path: str) -> Iterator[Frame]:
    import resource

    import can

    wanted, allowed = _MAX_MEMORY + 8 * os.stat(path).st_size, resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
    resource.setrlimit(resource.RLIMIT_AS, (limit, allowed))
    with can.MF4Reader(path) as messages:
        for number, message in enumerate(messages, 1):
            if frame := from_message(message, number):
                yield frame


if __name__ == "__main__":
    _serve()
