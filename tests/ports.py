"""Ports of our own, for servers that tests start."""

from __future__ import annotations

import contextlib
import random
import socket


def free_port() -> int:
    """Return a port that nobody uses, and that nobody is given who asks for any port: it may be bound only later."""
    while True:
        port = random.SystemRandom().randrange(20_000, 30_000)  # the seed of `random` is the same in all workers
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
