"""A run's sign of life: a thread that stores the state of the run, and checks for a request to stop it.

Everyone who watches a run from outside sees only the store. A trial may take an hour, and may run in the same thread as
the search. Meanwhile this thread saves the trials that ended before it, stores the run's figures, shows that the run is
alive, and checks for a request to stop.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from rootward.lab.events import Progress
from rootward.store.flights import Flights
from rootward.store.store import Store

TICK = 0.5
"""Minimum number of seconds between two checks."""
BEAT = 5.0
"""Seconds after which the run is written to the store even if nothing has changed."""
MAX_WRITING_SHARE = 0.05
"""Maximum share of its time that the thread spends writing: findings may be large, and the search needs the processor.
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a run at one moment."""

    progress: Progress
    note: str
    best: Any
    """The best finding so far."""

    @property
    def figures(self) -> dict[str, Any]:
        """The values that a page shows besides the finding. The elapsed time is left out: it changes all the time."""
        return {**asdict(self.progress), "seconds": None, "note": self.note}


class Pulse:
    """The thread that stores the state of a run, alive from ``start`` to ``end``. Without a store it does nothing."""

    def __init__(
        self, store: Store | None, run: int | None, save: Callable[[], bool], flights: Flights | None = None
    ) -> None:
        """``save`` commits the trials that are not yet in the store, and returns True if there were any.

        ``flights``: the claims to keep alive.
        """
        self._store, self._run, self._save, self._flights = store, run, save, flights
        self.stop_asked = False
        self._stand: Callable[[], Snapshot] | None = None
        self._stored: dict[str, Any] = {}
        self._stored_at = time.monotonic()
        self._beaten_at = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, name="rootward pulse", daemon=True)

    def start(self) -> None:
        if self._store is not None:
            with contextlib.suppress(RuntimeError):  # no thread can be started: the run only seems to be dead
                self._thread.start()

    def watch(self, stand: Callable[[], Snapshot]) -> None:
        """Store the result of ``stand`` repeatedly from now on. ``stand`` is called in the thread of this object."""
        self._stand = stand

    def end(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _live(self) -> None:
        pause = TICK
        while not self._over.wait(pause):
            began = time.monotonic()
            with contextlib.suppress(Exception):  # the lab's own thread will meet the same error and report it
                self._beat(began)
            pause = min(BEAT, max(TICK, (time.monotonic() - began) / MAX_WRITING_SHARE))

    def _beat(self, now: float) -> None:
        assert self._store is not None
        assert self._run is not None
        self.stop_asked = self.stop_asked or self._store.stop_asked(self._run)
        saved = self._save()
        stand = self._stand() if self._stand else None
        news = stand is not None and (saved or stand.figures != self._stored)
        if news or now - self._stored_at > BEAT:
            self._store.update(self._run, **(_columns(stand, news) if stand else {}), wait=False)
            self._stored, self._stored_at = stand.figures if stand else {}, now
        if self._flights is not None and now - self._beaten_at > BEAT:
            self._flights.beat()
            self._beaten_at = now


def _columns(stand: Snapshot, news: bool) -> dict[str, Any]:
    """Return the values to store: the elapsed time and, if ``news`` is True, all others."""
    columns: dict[str, Any] = {"seconds": stand.progress.seconds}
    if news:
        columns["progress"] = stand.figures
        with contextlib.suppress(Exception):  # a finding that cannot be shown: the lab's own thread will report it
            partial = stand.best.to_dict() if stand.best else {}
            columns |= {"best": str(stand.best or ""), "partial": partial}
    return columns
