"""The server of the live page."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import math
import re
import secrets
import socket
from collections.abc import Callable

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rootward.errors import InputError
from rootward.web.app import Live
from rootward.web.watch import StoreSource

MAX_CLIENT_SECONDS = 30.0
"""Maximum time in which a client must send a whole request, or must take the next part of an answer."""
TOO_MANY_BLANKS = re.compile(rb"[ \t]{256}")
"""No browser sends so many in a row. If the line is broken, the parser needs half a minute for 60,000 of them."""
MIN_TOKEN_BITS = 128
"""Minimum strength of a token that other machines can try to guess: that of 22 random letters and digits."""


class _ImpatientProtocol(H11Protocol):
    """HTTP, without clients that send or read too slowly: each would keep a connection open for ever.

    The time runs while the server waits for the client, and starts anew with each request, but not with each byte.
    """

    _deadline: asyncio.TimerHandle | None = None
    _last = b""
    """The end of what was received so far."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch_client()

    def data_received(self, data: bytes) -> None:
        if TOO_MANY_BLANKS.search(self._last + data):
            self.transport.abort()
            return
        self._last = (self._last + data)[-255:]
        super().data_received(data)
        self._watch_client()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_client()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_client()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch_client()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_clock()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that turns out to be broken, perhaps after the application was called: it may send nothing
        more, and an answer that has begun is cut off."""
        if bool(self.cycle) and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.abort()
                return
        super().send_400_response(msg)

    def _watch_client(self) -> None:
        is_answering = bool(self.cycle) and not self.cycle.response_complete
        if is_answering and not self.flow.write_paused:
            self._stop_clock()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(MAX_CLIENT_SECONDS, self.transport.abort)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Server(uvicorn.Server):
    """A server that ends its event streams before it waits for open connections."""

    def __init__(self, live: Live) -> None:
        super().__init__(
            uvicorn.Config(
                live.app,
                http=_ImpatientProtocol,
                ws="none",
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
        if token is not None and not loopback:
            _check_strength(token)
        token = token or (None if loopback else secrets.token_urlsafe(24))
        say(_link(address, actual, token))
        with contextlib.suppress(KeyboardInterrupt):
            Server(Live(source, token=token, loopback=loopback)).run([listening])


def _check_strength(token: str) -> None:
    """Raise InputError if a token could be guessed.

    The strength is that of a random text of the same characters. What repeats counts once, and letters without digits
    may be words, which have two bits a letter.
    """
    sets = {r"\d": 10, "[a-z]": 26, "[A-Z]": 26, "[_-]": 2}
    size = 16 if re.fullmatch("[0-9a-f]+", token) else sum(n for chars, n in sets.items() if re.search(chars, token))
    size = size if re.search(r"\d", token) else 4
    length = len({token[i : i + 4] for i in range(len(token) - 3)}) + 3 if len(set(token)) >= 8 else 0
    if length * math.log2(size) < MIN_TOKEN_BITS:
        raise InputError(
            "--token is too easy to guess for a page that other machines can open: at least 22 random letters and "
            "digits are needed. Leave it out to get a new one at each start, or make one with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(24))'"
        )


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
