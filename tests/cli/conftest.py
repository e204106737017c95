"""A folder with a failing input and a command that keeps count of its runs; and the real command line, as a process."""

import contextlib
import io
import math
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from rootward.cli import main, triage_progress
from rootward.report import progress
from tests.waiting import PATIENCE, until

COMMAND = """#!/bin/sh
echo run >> "{log}"
sleep {pause}
{wait}
if grep -q bug "$1" && grep -q ugly "$1"; then echo "it is broken"; exit 3; fi
"""


@dataclass
class Bench:
    """One input of 40 lines, of which two make the command fail."""

    folder: Path

    def command(self, pause: float = 0) -> str:
        path, wait = self.folder / "run it.sh", self.held("crash.reduced.txt")
        text = COMMAND.format(log=self.folder / "runs.log", pause=pause, wait=wait)
        if not path.exists() or path.read_text() != text:  # it cannot be written while someone starts it
            path.write_text(text)
            path.chmod(0o755)
        return str(path)

    def input(self, name: str = "crash.txt") -> Path:
        lines = [b"line %d\n" % i for i in range(40)]
        lines[7], lines[31] = b"a bug\n", b"an ugly one\n"
        path = self.folder / name
        path.write_bytes(b"".join(lines))
        return path

    @property
    def runs(self) -> int:
        log = self.folder / "runs.log"
        return len(log.read_text().splitlines()) if log.exists() else 0

    def arguments(self, *options: str) -> list[str]:
        return ["reduce", str(self.input()), *options, "--", self.command(), "{file}"]

    def held(self, reduced: str) -> str:
        """A line for a shell script: once there is that file, wait for as long as there is one called hold."""
        return f'while [ -e "{self.folder}/hold" ] && [ -e "{self.folder}/{reduced}" ]; do sleep 0.01; done'

    def stopped(self, reduced: str, how: signal.Signals, *arguments: str) -> tuple[int, str]:
        """Start rootward and end it by a signal when there is that file: exit code and output.

        Its command must be ``held`` by the same file, or the run may end by itself before.
        """
        hold = self.folder / "hold"
        hold.touch()
        process = self.start(*arguments)
        until((self.folder / reduced).exists, "something was gained", process)
        process.send_signal(how)
        hold.unlink()
        out, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, out

    def start(self, *arguments: str, **options) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "rootward", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
        return subprocess.Popen(command, cwd=self.folder, **pipes)

    def rootward(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def here(self, *arguments: str) -> int:
        """The same without a process of its own: quicker, for what does not depend on one."""
        with contextlib.chdir(self.folder), pytest.raises(SystemExit) as end:
            main(arguments)
        assert isinstance(end.value.code, int)
        return end.value.code

    def said(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The same, with what it prints."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = self.here(*arguments)
        return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())

    def reduce(self, *options: str) -> subprocess.CompletedProcess[str]:
        return self.rootward(*self.arguments(*options))


@pytest.fixture(autouse=True)
def however_long_it_takes(monkeypatch) -> None:
    """No line of progress is printed because a second has passed."""
    monkeypatch.setattr(progress, "INTERVAL", math.inf)
    monkeypatch.setattr(triage_progress, "INTERVAL", math.inf)


@pytest.fixture
def bench(tmp_path) -> Bench:
    return Bench(tmp_path)
