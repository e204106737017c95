"""A server on this machine, in a thread of the test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from rootward.web import state
from rootward.web.app import Live
from rootward.web.server import Server, open_socket
from rootward.web.watch import StoreSource
from tests.waiting import PATIENCE

PLAIN: dict[str, Any] = {"timeout": PATIENCE, "verify": False}
"""Options of a request: without `verify`, each would read all certificates, though none of them uses TLS."""


class Served:
    """The live page of a store, from now until ``stop``."""

    def __init__(self, store: Path, *, port: int = 0, token: str | None = None, loopback: bool = True) -> None:
        self.store = store
        self.socket = open_socket("127.0.0.1", port)
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._server = Server(Live(StoreSource(str(store)), token=token, loopback=loopback))
        self._thread = threading.Thread(target=self._server.run, args=([self.socket],))
        self._thread.start()

    def get(self, path: str = "/", **options: Any) -> httpx.Response:
        return httpx.get(self.url + path, **PLAIN, **options)

    def post(self, path: str, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.post(self.url + path, headers=named, **PLAIN)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture(autouse=True)
def however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that says nothing for a while is not taken for dead because the test is slow."""
    monkeypatch.setattr(state, "MAX_SILENCE", 10.0 * PATIENCE)


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    started: list[Served] = []

    def start(*arguments: Any, **options: Any) -> Served:
        started.append(Served(*arguments, **options))
        return started[-1]

    yield start
    for one in started:
        one.stop()
