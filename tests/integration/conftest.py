"""What the integration tests share: programs that are started and killed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE, until

HERE = Path(__file__).parent
MARKER = "ROOTWARD_TEST"


def marked(marker: str) -> dict[int, str]:
    """The processes that carry the marker in their environment, with their command lines."""
    found = {}
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"{MARKER}={marker}".encode() in environ.read_bytes().split(b"\0"):
                words = environ.with_name("cmdline").read_bytes().replace(b"\0", b" ")
                found[int(environ.parent.name)] = words.decode("utf-8", "replace")
    return found


class Driver:
    """A program in a process of its own, whose descendants can be told by a marker."""

    def __init__(self, *argv: str, **env: str) -> None:
        self.marker = uuid.uuid4().hex
        self.process = subprocess.Popen(
            [sys.executable, *argv],
            env={**os.environ, MARKER: self.marker, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def kill(self) -> None:
        """As nobody can refuse; then nothing that it started may be left."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=PATIENCE)
        self.check_nothing_left()

    def result(self) -> tuple[str, str]:
        """Wait for its end; what it wrote."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return out, err

    def finding(self) -> dict[str, Any]:
        out, err = self.result()
        assert self.process.returncode == 0, err
        self.check_nothing_left()
        found: dict[str, Any] = json.loads(out.splitlines()[-1])
        return found

    def check_nothing_left(self) -> None:
        until(lambda: not marked(self.marker), f"its processes have gone: {marked(self.marker)}")

    def close(self) -> None:
        """Clean up after a test that failed."""
        if self.process.poll() is None:
            self.process.kill()
        for pid in marked(self.marker):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        self.process.wait()


@pytest.fixture
def drive() -> Iterator[Callable[..., Driver]]:
    """Start a program: drive("script.py", "argument", NAME="value in its environment")."""
    with contextlib.ExitStack() as cleanup:

        def start(*argv: str, **env: str) -> Driver:
            driver = Driver(*argv, **env)
            cleanup.callback(driver.close)
            return driver

        yield start
