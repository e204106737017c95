"""What holds for all tests: their halves and their order, and the services that some of them share."""

from __future__ import annotations

import gc
import signal
import tempfile
import uuid
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.browsing import CHROMIUM, Tab
from tests.postgres import Server, programs
from tests.profiling import Profile
from tests.properties import is_property

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
        in_both = is_property(item) or item.get_closest_marker("both") is not None
        chosen[(marked or in_both) if rest else not marked].append(item)
    config.hook.pytest_deselected(items=chosen[False])
    items[:] = sorted(chosen[True], key=lambda item: item.get_closest_marker("slow") is None)


SERVICES = {
    "docs/test_site.py": "browser",
    "report/test_browser.py": "browser",
    "web/test_browser.py": "browser",
    "docs/test_pages.py": "postgres",
    "integration/test_faults.py": "postgres",
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


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One server for all tests of a session."""
    where = programs()
    with tempfile.TemporaryDirectory(prefix="rw-pg-", dir="/tmp") as name:  # a socket's path must be short
        server = Server(Path(name), where)
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
