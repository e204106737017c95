"""The server of the live page."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import re
import secrets
import socket
from collections.abc import Callable

import uvicorn

from rootward.errors import InputError
from rootward.web.app import Live
from rootward.web.watch import StoreSource


class Server(uvicorn.Server):
    """A server that ends its event streams before it waits for open connections."""

    def __init__(self, live: Live) -> None:
        super().__init__(
            uvicorn.Config(
                live.app,
                lifespan="on",
                log_level="warning",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._live = live

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._live.watch.close()
        await super().shutdown(sockets)


def serve(source: StoreSource, *, host: str, port: int, token: str | None, say: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. ``say`` is called with the address to open, once the server listens there."""
    if token is not None and not re.fullmatch(r"[\w-]+", token, re.ASCII):
        raise InputError("--token may contain only letters, digits, - and _")
    with open_socket(host, port) as listening:
        address, actual = listening.getsockname()[:2]
        loopback = ipaddress.ip_address(address).is_loopback
        token = token or (None if loopback else secrets.token_urlsafe(24))
        say(_link(address, actual, token))
        with contextlib.suppress(KeyboardInterrupt):
            Server(Live(source, token=token, loopback=loopback)).run([listening])


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on this address. Raises InputError if that is not possible."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise InputError(f"--host {host}: {error.strerror}") from error
    listening = socket.socket(family, kind, number)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} of {host} is in use: choose another with --port (0 takes any free one)"
            ) from error
        raise InputError(f"cannot listen on port {port} of {host}: {error.strerror}") from error
    return listening


def _link(address: str, port: int, token: str | None) -> str:
    all_addresses = ipaddress.ip_address(address).is_unspecified
    name = socket.gethostname() if all_addresses else f"[{address}]" if ":" in address else address
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")
