"""Watch the store: one poll for all pages, which wakes those that wait for a change.

The store may not exist yet, and its file may be replaced by another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from rootward.errors import StoreError
from rootward.store.store import Store
from rootward.web.state import is_silent

POLL_INTERVAL = 0.5
"""Seconds between two polls of the store."""
KEEP_ALIVE = 15.0
"""Seconds without a change after which a stream repeats its stamp, so that no proxy closes it."""


class StoreSource:
    """Opens the store once it exists, and opens it again if its file was replaced. Never creates a store."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._path = None if "://" in where else Path(where).absolute()
        self._store: Store | None = None
        self._file: int | None = None
        self._opening = threading.Lock()
        self._shown = str(self._path)

    def __str__(self) -> str:
        return self._shown

    def open(self) -> Store | None:
        """Return the store, or None while it does not exist. Raises StoreError if it cannot be used as a store."""
        with self._opening:
            file = self._inode()
            if self._store is not None and file != self._file:
                self._store.close()
                self._store = None
            if self._store is None:
                self._store = Store.open_existing(self._where)
                self._shown, self._file = str(self._store or self._shown), file
            return self._store

    def close(self) -> None:
        with self._opening:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _inode(self) -> int | None:
        try:
            return self._path.stat().st_ino if self._path else None
        except OSError:
            return None


class StoreWatch:
    """The state of the store at the last poll. ``run`` polls the store until ``close`` is called."""

    def __init__(self, source: StoreSource) -> None:
        self._source = source
        self._seen: tuple[str, dict[int, Any]] = "", {}
        self._changed = asyncio.Event()
        self._closed = False

    def stamp(self, run: int | None) -> str:
        """Return a hash that changes whenever something about the run changes.

        If ``run`` is None, it changes with any run.
        """
        problem, runs = self._seen
        known = (problem, runs if run is None else runs.get(run))
        return hashlib.blake2b(repr(known).encode(), digest_size=8).hexdigest()

    async def run(self) -> None:
        while not self._closed:
            await self.look()
            await asyncio.sleep(POLL_INTERVAL)

    async def look(self) -> None:
        seen = await asyncio.to_thread(self._read)
        if seen != self._seen:
            self._seen = seen
            self._wake()

    async def stamps(self, run: int | None) -> AsyncIterator[str]:
        """Yield the stamp now and after each change.

        Without a change, the same stamp is repeated every ``KEEP_ALIVE`` seconds.
        """
        while not self._closed:
            sent = self.stamp(run)
            yield sent
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(KEEP_ALIVE):
                    await self._wait_for_change(run, sent)

    async def _wait_for_change(self, run: int | None, sent: str) -> None:
        while not self._closed and self.stamp(run) == sent:
            await self._changed.wait()

    def close(self) -> None:
        """End all streams, because a server waits for them before it ends."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        woken, self._changed = self._changed, asyncio.Event()
        woken.set()

    def _read(self) -> tuple[str, dict[int, Any]]:
        try:
            store = self._source.open()
            stamps = store.stamps() if store else {}
        except StoreError as error:
            return str(error), {}
        now = time.time()
        return "", {run: (*stamp, is_silent(stamp[0], stamp[1], now)) for run, stamp in stamps.items()}
