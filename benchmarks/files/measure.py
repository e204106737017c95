"""Run a reducer on a case, and note the size of the smallest failing file after each execution of the property."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from real.environments import INTERPRETER

from files import tools
from files.corpus import Case

HERE = Path(__file__).parent
POLL_SECONDS = 0.1
START_SECONDS = 60.0
"""Time for a property to import its libraries."""
PASSING = (0, 125)

SCRIPT = """#!/bin/sh
exec {python} -I -S {client} {socket} {log} {convention} "${{1:-{file}}}"
"""


@dataclass(frozen=True)
class Measured:
    """A reduction: each improvement as a pair of executions and bytes."""

    case: str
    tool: str
    steps: list[tuple[int, int]]
    executions: int
    seconds: float
    stopped: str
    """Why it ended: ``finished``, ``executions`` or ``seconds`` for the two limits, or ``failed`` if the tool did."""

    def bytes_after(self, executions: int) -> int | None:
        """Return the size of the smallest failing file, or None if nothing was executed."""
        return next((size for done, size in reversed(self.steps) if done <= executions), None)

    @property
    def final(self) -> int | None:
        return self.steps[-1][1] if self.steps else None

    def executions_to(self, size: int) -> int | None:
        """Return the number of executions until a file was at most that small."""
        return next((done for done, left in self.steps if left <= size), None)


def measure(case: Case, tool: str, executions: int, seconds: float, source: Path | None = None) -> Measured | None:
    """Reduce a case; None if the tool is not made for such an input. ``source``: the sources of our own tool."""
    with tempfile.TemporaryDirectory(prefix="real-files-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        log = folder / "log"
        with serving(case, folder / "socket"):
            run = _prepare(case, folder, log)
            command = tools.TOOLS[tool].command(run)
            if command is None:
                return None
            start = time.monotonic()
            stopped = _reduce(command, run, log, executions, seconds, source)
            elapsed = time.monotonic() - start
        return Measured(case.name, tool, *_read(log, executions), round(elapsed, 1), stopped)


def judge_once(case: Case, path: Path) -> int:
    """Return the exit code of the property, run as a program of its own."""
    with tempfile.TemporaryDirectory(prefix="real-files-", ignore_cleanup_errors=True) as folder:
        command = [INTERPRETER, case.judge, path.resolve()]
        done = subprocess.run(command, env=_environment(case), cwd=folder, capture_output=True, timeout=START_SECONDS)
        return done.returncode


@contextmanager
def serving(case: Case, socket: Path) -> Iterator[None]:
    """Run the server that judges candidates."""
    command = [INTERPRETER, HERE / "server.py", case.judge, socket, str(case.timeout)]
    with (
        open(socket.parent / "server.log", "w") as messages,
        subprocess.Popen(command, env=_environment(case), stdout=messages, stderr=messages) as server,
    ):
        try:
            deadline = time.monotonic() + START_SECONDS
            while not socket.exists():
                if server.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{case.name}: {(socket.parent / 'server.log').read_text()}")
                time.sleep(POLL_SECONDS)
            yield
        finally:
            server.kill()


def _environment(case: Case) -> dict[str, str]:
    """Return the variables of a property: its packages, and no trace of ours."""
    path = os.environ["PATH"].split(os.pathsep)
    here = str(Path(sys.prefix) / "bin")
    variables = {"PATH": os.pathsep.join(one for one in path if one != here), "OMP_NUM_THREADS": "1"}
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    if case.environment:
        variables |= {"PYTHONPATH": str(case.environment), "NODE_PATH": str(case.environment / "node_modules")}
    return {**kept, **variables, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}


def _prepare(case: Case, folder: Path, log: Path) -> tools.Run:
    work = folder / "work"
    work.mkdir()
    copy = work / case.input.name
    if case.input.is_dir():
        shutil.copytree(case.input, copy)
    else:
        shutil.copyfile(case.input, copy)
    scripts = {}
    for convention in ("fails", "interesting"):
        facts = {"python": INTERPRETER, "client": HERE / "client.py", "socket": folder / "socket", "log": log}
        script = folder / f"{convention}.sh"
        script.write_text(SCRIPT.format(**facts, convention=convention, file=copy.name))
        script.chmod(0o755)
        scripts[convention] = script
    return tools.Run(case, work, copy.name, **scripts, seconds=case.timeout)


def _reduce(command: list[str], run: tools.Run, log: Path, executions: int, seconds: float, source: Path | None) -> str:
    """Run the reducer in a process group of its own until it finishes or reaches a limit."""
    variables = dict(os.environ)
    program = command[0]
    if program == sys.executable:
        variables["PYTHONPATH"] = str(source) if source else variables.get("PYTHONPATH", "")
    else:
        command = [tools.find_program(program) or program, *command[1:]]
        variables["PATH"] = os.pathsep.join([str(Path(command[0]).parent), variables["PATH"]])
    temporary = run.folder.parent / "tmp"
    temporary.mkdir()
    deadline = time.monotonic() + seconds
    with (
        open(run.folder.parent / "tool.log", "w") as messages,
        subprocess.Popen(
            command,
            cwd=run.folder,
            env={**variables, "TMPDIR": str(temporary)},
            stdin=subprocess.DEVNULL,
            stdout=messages,
            stderr=messages,
            start_new_session=True,
        ) as tool,
    ):
        stopped = ""
        while tool.poll() is None and not stopped:
            time.sleep(POLL_SECONDS)
            if _count(log) >= executions:
                stopped = "executions"
            elif time.monotonic() > deadline:
                stopped = "seconds"
        _stop(tool)
    if stopped:
        return stopped
    if tool.returncode and len(_read(log, executions)[0]) < 2:
        print((run.folder.parent / "tool.log").read_text()[-2000:], file=sys.stderr)
        return "failed"
    return "finished"


def _stop(tool: subprocess.Popen[bytes]) -> None:
    """End the processes of the tool's session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(tool.pid, number)
        except ProcessLookupError:
            break
        time.sleep(POLL_SECONDS)
    tool.wait()


def _count(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0


def _read(log: Path, executions: int) -> tuple[list[tuple[int, int]], int]:
    """Return the improvements and the number of executions."""
    lines = log.read_text().splitlines()[:executions] if log.exists() else []
    steps: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        size, code = map(int, line.split())
        if code not in PASSING and (not steps or size < steps[-1][1]):
            steps.append((number, size))
    return steps, len(lines)
