"""A PostgreSQL server for the tests: started once, killed and started again by those that ask for it."""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
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


class Proxy:
    """A network between clients and a server: it can be cut, or stop without an error. Use it as a context manager."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._open: set[socket.socket] = set()
        self._flowing, self._lock = threading.Event(), threading.Lock()
        self._flowing.set()
        self._listener: socket.socket | None = None
        self._port = 0
        self.heal()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    @contextlib.contextmanager
    def schema(self, name: str) -> Iterator[str]:
        """Create an empty schema; yield the URL that leads to it through this network."""
        import psycopg

        with psycopg.connect(self._server.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
            try:
                secret = self._server.password
                yield f"postgresql://rootward:{secret}@127.0.0.1:{self._port}/postgres?options=-csearch_path%3D{name}"
            finally:
                connection.execute("SET client_min_messages = warning")
                connection.execute(f"DROP SCHEMA {name} CASCADE")

    def stop(self) -> None:
        """Deliver nothing from now on, and say nothing."""
        self._flowing.clear()

    def cut(self) -> None:
        """Close all connections, and refuse new ones."""
        with self._lock:
            listener, self._listener = self._listener, None
            if listener is not None:
                with contextlib.suppress(OSError):
                    listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
                listener.close()
            for one in list(self._open):
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
        self._flowing.set()

    def heal(self) -> None:
        """Deliver again, and accept connections."""
        self._flowing.set()
        with self._lock:
            if self._listener is None:
                self._listener = socket.create_server(("127.0.0.1", self._port))
                self._port = self._listener.getsockname()[1]
                threading.Thread(target=self._accept, args=[self._listener], daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server.folder / ".s.PGSQL.5432"))
                self._open |= {client, server}
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._deliver, args=ends, daemon=True).start()

    def _deliver(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self._flowing.wait()
                target.sendall(data)
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        source.close()
        self._open.discard(source)


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
