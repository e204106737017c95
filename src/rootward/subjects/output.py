"""What a command prints, in a file: a pipe would block where a grandchild stays.

Most commands that a search runs print nothing, and making a file takes longer than many of them run. So each thread has
a file ready; if something was printed it becomes the trial's own, else the next trial gets it.
"""

from __future__ import annotations

import threading
import uuid
import weakref
from pathlib import Path
from typing import BinaryIO

LIMIT = 1 << 30
"""A process that prints more than this is ended: it would fill the disk."""
KEPT = 1 << 20
"""Of a longer output the beginning and the end are kept."""
_ready = threading.local()


class Output:
    """A file for the next command of this thread to print to; it lies in ``folder``."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.path = folder, folder / f"output-{uuid.uuid4().hex}"
        self.file: BinaryIO = open(self.path, "ab")  # noqa: SIM115
        weakref.finalize(self, _discard, self.file, self.path)

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @property
    def trouble(self) -> str | None:
        """Why the process that prints must be ended, if it must."""
        return f"more than {LIMIT >> 30} GiB of output" if self.size > LIMIT else None

    def keep(self, target: Path) -> Path | None:
        """Give the trial what was printed, as ``target``; None if that is nothing."""
        if not self.size:
            return None
        self.file.close()
        del _ready.output
        self.path.replace(target)
        return target


def output_in(folder: Path) -> Output:
    """The file that is ready for this thread."""
    ready: Output | None = getattr(_ready, "output", None)
    if ready is None or ready.folder != folder or not ready.path.exists():
        ready = _ready.output = Output(folder)
    return ready


def shorten(output: Path) -> None:
    """Keep the beginning and the end of a long output."""
    size = output.stat().st_size
    if size <= KEPT:
        return
    half = KEPT // 2
    with open(output, "r+b") as file:
        file.seek(size - half)
        tail = file.read()
        file.seek(half)
        file.write(b"\n[... %d bytes left out ...]\n" % (size - 2 * half) + tail)
        file.truncate()


def _discard(file: BinaryIO, path: Path) -> None:
    file.close()
    path.unlink(missing_ok=True)
