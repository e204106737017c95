"""Persistent workers: one process for each environment, so that a trial takes milliseconds.

A worker that does not answer in time is killed, and one that crashed is started again for the next trial, as if each
trial were a command of its own.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from real.environments import INTERPRETER

HERE = Path(__file__).parent
TIMEOUT = 60.0
"""Seconds for a trial of a study that has no time-out."""


@dataclass
class Worker:
    """A process that runs cases in one environment."""

    command: list[str]
    variables: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    _rest: bytes = field(default=b"", repr=False)

    def ask(self, request: Mapping[str, Any], timeout: float = TIMEOUT) -> dict[str, Any]:
        """Run one trial and return the name of its failure, None if it passed, and the message."""
        process = self._start()
        assert process.stdin is not None
        process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
        process.stdin.flush()
        line = self._read_line(process, timeout)
        if line is None:
            self.stop()
            return {"fails": "timeout", "detail": f"timed out after {timeout:g} s"}
        if not line:
            code = process.wait()
            self.stop()
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return {"fails": name, "detail": f"ended by {name}"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()
            self.process.wait()
        self.process, self._rest = None, b""

    def _start(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(self.command, env={**os.environ, **self.variables}, **streams)  # type: ignore[call-overload]
        return self.process

    def _read_line(self, process: subprocess.Popen[bytes], timeout: float) -> bytes | None:
        """Return a line, nothing if the process ended, None if it took too long."""
        assert process.stdout is not None
        while b"\n" not in self._rest:
            if not select.select([process.stdout], [], [], timeout)[0]:
                return None
            more = os.read(process.stdout.fileno(), 1 << 16)
            if not more:
                return b""
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line


_workers: dict[tuple[str, Path | None], Worker] = {}


def worker(language: str, environment: Path | None) -> Worker:
    """Return the worker of an environment; ``language``: py or js."""
    key = language, environment
    if key not in _workers:
        if language == "py":
            command = [INTERPRETER, "-S", "-s", str(HERE / "server.py")]
            own = {"PYTHONPATH": str(environment or ""), "PYTHONHASHSEED": "0", "TZ": "UTC"}
        else:
            command = ["node", str(HERE / "server.js")]
            own = {"NODE_PATH": str((environment or Path()) / "node_modules"), "TZ": "UTC"}
        _workers[key] = Worker(command, own)
    return _workers[key]


@atexit.register
def stop_all() -> None:
    """End all workers."""
    for one in _workers.values():
        one.stop()
