"""What holds for all tests, and the PostgreSQL server that some of them share."""

from __future__ import annotations

import contextlib
import gc
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.browsing import CHROMIUM, Tab
from tests.profiling import Profile
from tests.properties import is_property
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["pytester"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rest", action="store_true", help="run what is left out otherwise: long tests, all examples")
    parser.addoption("--profile", action="store_true", help="print where the time of the tests goes")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("whole" if config.getoption("rest") else "quick")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as below nohup
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if config.getoption("profile"):
        config.pluginmanager.register(Profile(), "rootward-profile")


def pytest_report_header(config: pytest.Config) -> str:
    if config.getoption("rest"):
        return "the rest: long tests, and properties with all their examples"
    return "left out: long tests, and most examples of properties; --rest runs them"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that is collected becomes garbage, so we do not look for any: that took a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not asked for, and begin with what takes long: else one worker would be left with it.

    A property belongs to both halves: a few examples to `./dev test`, all of them to the rest.
    """
    rest = config.getoption("rest")
    chosen: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        marked = item.get_closest_marker("rest") is not None
        chosen[(marked or is_property(item)) if rest else not marked].append(item)
    config.hook.pytest_deselected(items=chosen[False])
    items[:] = sorted(chosen[True], key=lambda item: item.get_closest_marker("slow") is None)


SERVICES = {
    "docs/test_site.py": "browser",
    "report/test_browser.py": "browser",
    "web/test_browser.py": "browser",
    "docs/test_pages.py": "postgres",
    "integration/test_kill.py": "postgres",
    "integration/test_postgres.py": "postgres",
}
"""Files whose tests share something large: it is started once for all of them."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a file on one worker, with its fixtures and what it caches, and beside it those that share a service."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return SERVICES.get(file.removeprefix("tests/"), file)

    return Scheduling(config, log)


@pytest.fixture
def browser() -> Browser:
    return CHROMIUM.open()


@pytest.fixture
def tab(browser: Browser) -> Tab:
    return CHROMIUM.tab()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if "browser" not in getattr(nextitem, "fixturenames", ()):
        CHROMIUM.close()


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
