"""What the integration tests share: programs that are started and killed, and a PostgreSQL server of their own."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MARKER = "ROOTWARD_TEST"


def until(condition: Callable[[], Any], seconds: float, what: str) -> Any:
    """Wait for the condition; fail the test if it does not come true in time."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            pytest.fail(f"after {seconds} s still not: {what}")
        time.sleep(0.002)
    return found


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
        self.process.communicate(timeout=30)
        self.check_nothing_left()

    def result(self, timeout: float = 120) -> tuple[str, str]:
        """Wait for its end; what it wrote."""
        out, err = self.process.communicate(timeout=timeout)
        return out, err

    def finding(self, timeout: float = 120) -> dict[str, Any]:
        out, err = self.result(timeout)
        assert self.process.returncode == 0, err
        self.check_nothing_left()
        found: dict[str, Any] = json.loads(out.splitlines()[-1])
        return found

    def check_nothing_left(self) -> None:
        until(lambda: not marked(self.marker), 10, f"its processes have gone: {marked(self.marker)}")

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


@pytest.fixture
def wait_until() -> Callable[[Callable[[], Any], float, str], Any]:
    return until


# PostgreSQL


class Server:
    """A PostgreSQL server in a folder of its own, on a unix socket; as root it runs as another user."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.data, self._programs = folder, folder / "data", programs
        self._user = _unprivileged()
        if self._user:
            shutil.chown(folder, self._user)
        folder.chmod(0o755)
        self._run("initdb", "-D", str(self.data), "-U", "rootward", "-A", "scram-sha-256", "--pwfile", self._secret())
        self.process: subprocess.Popen[bytes] | None = None

    password = "s3cret-pass"

    def url(self, password: str = password) -> str:
        return f"postgresql://rootward:{password}@/postgres?host={self.folder}"

    def start(self) -> None:
        argv = [str(self._programs / "postgres"), "-D", str(self.data), "-k", str(self.folder)]
        argv += ["-c", "listen_addresses=", "-c", "fsync=on", "-c", "max_connections=40"]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self._as_user(argv), stdout=log, stderr=log, start_new_session=True, cwd="/"
            )
        ready = [str(self._programs / "pg_isready"), "-q", "-h", str(self.folder)]
        until(lambda: subprocess.run(ready, timeout=10).returncode == 0, 30, "the server answers")

    def kill(self) -> int:
        """kill -9 of the postmaster and all its children; how many there were."""
        assert self.process is not None
        leader = self._postmaster()
        pids = [leader, *_children(leader)]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(timeout=30)
        until(lambda: not any(map(_alive, pids)), 10, "the server has gone")
        self.process = None
        return len(pids)

    def stop(self) -> None:
        if self.process is not None:
            os.kill(self._postmaster(), signal.SIGINT)
            self.process.wait(timeout=30)

    def _postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def _secret(self) -> str:
        path = self.folder / "secret"
        path.write_text(self.password)
        path.chmod(0o644)
        return str(path)

    def _run(self, program: str, *arguments: str) -> None:
        argv = self._as_user([str(self._programs / program), *arguments])
        subprocess.run(argv, check=True, capture_output=True, timeout=120, cwd="/")

    def _as_user(self, argv: list[str]) -> list[str]:
        return ["setpriv", f"--reuid={self._user}", "--clear-groups", *argv] if self._user else argv


def _unprivileged() -> str | None:
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _alive(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def _postgres_programs() -> Path:
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []  # a link may be the only one of its programs
    places += [Path(path).parent for path in sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)]
    if not places:
        pytest.skip("PostgreSQL's initdb is neither on PATH nor in /usr/lib/postgresql: install PostgreSQL's server")
    return places[0]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One server for all tests of a session."""
    programs = _postgres_programs()
    with tempfile.TemporaryDirectory(prefix="rw-pg-", dir="/tmp") as name:  # a socket's path must be short
        server = Server(Path(name), programs)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def postgres(postgres_server: Server) -> Iterator[str]:
    """The URL of an empty database."""
    import psycopg

    name = f"test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres_server.url().replace("/postgres?", f"/{name}?")
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
