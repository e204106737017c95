"""The store that is looked at, and the watch over it: one look for all pages, which wakes those who wait for news.

The store may not exist yet, and its file may be another one tomorrow.
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
from rootward.web.state import silent

EVERY = 0.5
"""Seconds between two looks."""
QUIET = 15.0
"""Seconds after which a stream says something, so that nobody in between takes it for dead."""


class Source:
    """Opens the store once it is there, and again if its file was replaced. Never makes one."""

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
        """The store, or None while there is none; StoreError if that is no store of ours, or cannot be reached."""
        with self._opening:
            file = self._inode()
            if self._store is not None and file != self._file:
                self._store.close()
                self._store = None
            if self._store is None and (self._path is None or file is not None):
                self._store = Store(self._where)
                self._shown, self._file = str(self._store), file
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


class Watch:
    """What the store looked like last. ``run`` looks again and again, until ``close``."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._seen: tuple[str, dict[int, Any]] = "", {}
        self._changed = asyncio.Event()
        self._closed = False

    def stamp(self, run: int | None) -> str:
        """Another text whenever something about the run, or about any, has changed."""
        problem, runs = self._seen
        known = (problem, runs if run is None else runs.get(run))
        return hashlib.blake2b(repr(known).encode(), digest_size=8).hexdigest()

    async def run(self) -> None:
        while not self._closed:
            await self.look()
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        seen = await asyncio.to_thread(self._read)
        if seen != self._seen:
            self._seen = seen
            self._wake()

    async def stamps(self, run: int | None) -> AsyncIterator[str]:
        """The stamp now, and each time that it has changed; the same once more after a while without news."""
        while not self._closed:
            told = self.stamp(run)
            yield told
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(QUIET):
                    await self._news(run, told)

    async def _news(self, run: int | None, told: str) -> None:
        while not self._closed and self.stamp(run) == told:
            await self._changed.wait()

    def close(self) -> None:
        """End all streams: a server that is to end would wait for them."""
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
        return "", {run: (*stamp, silent(stamp[0], stamp[1], now)) for run, stamp in stamps.items()}
