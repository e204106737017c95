"""A PostgreSQL server for the tests: started once, killed and started again by those that ask for it."""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, until


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

    def start(self, sockets: Path | None = None) -> None:
        """Start it. With another folder for its socket, whoever knows the usual one does not find it."""
        where = str(sockets or self.folder)
        argv = [str(self._programs / "postgres"), "-D", str(self.data), "-k", where]
        argv += ["-c", "listen_addresses=", "-c", "fsync=on", "-c", "max_connections=40"]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self._as_user(argv), stdout=log, stderr=log, start_new_session=True, cwd="/"
            )
        ready = [str(self._programs / "pg_isready"), "-q", "-h", where]
        until(lambda: subprocess.run(ready, timeout=PATIENCE).returncode == 0, "the server answers", self.process)

    def kill(self) -> int:
        """kill -9 of the postmaster and all its children; how many there were."""
        assert self.process is not None
        leader = self._postmaster()
        os.kill(leader, signal.SIGSTOP)  # else it could have one more child when we have looked
        until(lambda: _state(leader) == "T", "it has no more children")
        pids = [leader, *_children(leader)]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(timeout=PATIENCE)
        until(lambda: not any(map(_alive, pids)), "the server has gone")
        self.process = None
        return len(pids)

    def stop(self) -> None:
        if self.process is not None:
            os.kill(self._postmaster(), signal.SIGINT)
            self.process.wait(timeout=PATIENCE)
            self.process = None

    def _postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def _secret(self) -> str:
        path = self.folder / "secret"
        path.write_text(self.password)
        path.chmod(0o644)
        return str(path)

    def _run(self, program: str, *arguments: str) -> None:
        argv = self._as_user([str(self._programs / program), *arguments])
        subprocess.run(argv, check=True, capture_output=True, timeout=PATIENCE, cwd="/")

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
    return _state(pid) not in ("Z", "")


def _state(pid: int) -> str:
    """The letter that stands for what a process does; none if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return ""


def programs() -> Path:
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []  # a link may be the only one of its programs
    places += [Path(path).parent for path in sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)]
    if not places:
        pytest.skip("PostgreSQL's initdb is neither on PATH nor in /usr/lib/postgresql: install PostgreSQL's server")
    return places[0]
