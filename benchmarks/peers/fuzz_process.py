"""One command of Rootward in a process of its own: what it said, how long it took, how much memory it used.

The process is forked from one that has imported everything, which saves seconds for each command.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import select
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

MAX_CPU_SECONDS = 10.0
MAX_MEGABYTES = 1000
MAX_WALL_SECONDS = 120.0
"""A command that takes longer hangs. Other programs may run on the same machine."""
REQUEST_SECONDS = 60.0
LIMITS = {resource.RLIMIT_AS: 8 << 30, resource.RLIMIT_CPU: 300, resource.RLIMIT_FSIZE: 1 << 29}
"""Limits of a command that protect this machine."""
RUNS = (1, 2, 3, 4, 5)
"""The runs of a store that are shown."""


@dataclass
class Result:
    """What became of one case: the worst of its commands."""

    number: int
    answered: bool = True
    cpu: float = 0.0
    megabytes: float = 0.0
    wall: float = 0.0
    defect: str = ""
    """What went wrong; empty if nothing did."""
    start: str = ""
    slowest: str = ""


def run_command(command: list[str], folder: Path, name: str = "command") -> Result:
    """Run a command in a new process, and return what became of it. Its output is in files in the folder."""
    begin, pid = time.monotonic(), _fork(command, folder, name)
    with contextlib.closing(os.fdopen(os.pidfd_open(pid))) as ending:
        hangs = not select.select([ending], [], [], MAX_WALL_SECONDS)[0]
    if hangs:
        os.killpg(pid, signal.SIGKILL)
    _, status, used = os.wait4(pid, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(status)
    out, err = (read_end(folder / f"{name}.{one}") for one in ("out", "err"))
    result = Result(0, wall=time.monotonic() - begin, megabytes=used.ru_maxrss / 1024, slowest=" ".join(command))
    result.cpu = used.ru_utime + used.ru_stime
    result.answered = code in (0, 3) or (code == 1 and "rootward: " not in err)
    if hangs:
        result.defect = f"no end after {MAX_WALL_SECONDS:.0f} s"
    elif code not in (0, 1, 2, 3):
        result.defect = f"exit code {code}: {err[-3000:]}"
    elif "Traceback (most" in err or not (out + err).strip():
        result.defect = f"exit code {code}, and this message: {err[-3000:]}"
    elif result.cpu > MAX_CPU_SECONDS or result.megabytes > MAX_MEGABYTES:
        result.defect = f"{result.cpu:.1f} s, {result.megabytes:.0f} MB"
    return result


def read_end(path: Path) -> str:
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - 20_000))
        return file.read().decode("utf-8", "replace")


def _fork(command: list[str], folder: Path, name: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        for number, ending in ((1, "out"), (2, "err")):
            os.dup2(os.open(folder / f"{name}.{ending}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))  # noqa: SIM115
        for limit, value in LIMITS.items():
            resource.setrlimit(limit, (value, value))
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        code = _run(command)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            threading._shutdown()  # type: ignore[attr-defined]
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _run(command: list[str]) -> int:
    from rootward.cli import main

    if command == ["(serve)"]:
        show_pages()
        print("shown")
        return 0
    try:
        main(command)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def show_pages() -> None:
    """Open every page of the store in this folder, as `rootward serve` shows it. An exception is a bug."""
    import httpx

    from rootward.web.app import Live
    from rootward.web.watch import StoreSource

    async def read() -> None:
        live = Live(StoreSource(".rootward/rootward.db"), token=None, loopback=True)
        parts = ("", "/parts", "/found", "/report.html")
        addresses = ["/", "/parts", *(f"/runs/{run}{part}" for run in RUNS for part in parts)]
        transport = httpx.ASGITransport(app=live.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            await live.watch.look()
            for address in addresses:
                answer = await client.get(address)
                assert answer.status_code in (200, 404, 503), f"{address}: {answer.status_code}"

    asyncio.run(read())


class Server:
    """`rootward serve` in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.pid = _fork(["serve", "--port", "0", *options], folder, "serve")
        out = folder / "serve.out"
        while (found := re.search(r"http://127\.0\.0\.1:(\d+)", out.read_text() if out.exists() else "")) is None:
            time.sleep(0.05)
        self.port, self.errors = int(found[1]), folder / "serve.err"

    def cpu(self) -> float:
        words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def stop(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def ask(self, request: bytes) -> bytes:
        """Send bytes, and return the first line of the answer; empty if the server closed the connection."""
        answer = b""
        client = socket.create_connection(("127.0.0.1", self.port), timeout=REQUEST_SECONDS)
        with client, contextlib.suppress(ConnectionError):
            client.sendall(request)
            with contextlib.suppress(OSError):  # the server has closed the connection already
                client.shutdown(socket.SHUT_WR)
            while b"\r\n" not in answer and (part := client.recv(4096)):
                answer += part
        return answer.partition(b"\r\n")[0]
