"""Looks at the store for all pages at once, and wakes those who wait when something has changed."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncIterator
from typing import Any

from rootward.errors import StoreError
from rootward.web.source import Source
from rootward.web.state import silent

EVERY = 0.5
"""Seconds between two looks."""
QUIET = 15.0
"""Seconds after which a stream says something, so that nobody in between takes it for dead."""


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
