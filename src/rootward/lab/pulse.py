"""A run's sign of life: a thread writes down how the run stands, and hears whether it is to stop.

Whoever watches a run sees nothing but the store. A trial may take an hour, in the very thread that runs the search: so
neither the trials before it, nor the run's figures, nor the sign that it was not killed, nor the wish that it may end
can wait for a trial.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from rootward.lab.events import Progress
from rootward.store.store import Store

TICK = 0.5
"""Seconds between two looks."""
BEAT = 5.0
"""Seconds after which a run is heard of even if nothing has changed."""
SHARE = 0.05
"""The most of its time that it spends writing: findings may be large, and the search needs the processor."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How a run stands."""

    progress: Progress
    note: str
    best: Any
    """The best finding so far."""

    @property
    def figures(self) -> dict[str, Any]:
        """What a page shows besides the finding. The time that has passed is no news."""
        return {**asdict(self.progress), "seconds": None, "note": self.note}


class Pulse:
    """Lives from ``start`` to ``end``; without a store it does nothing, since nobody could see it."""

    def __init__(self, store: Store | None, run: int | None, save: Callable[[], bool]) -> None:
        """``save`` commits the trials that are not yet in the store, and says whether there were any."""
        self._store, self._run, self._save = store, run, save
        self.stop_asked = False
        self._stand: Callable[[], Stand] | None = None
        self._told: dict[str, Any] = {}
        self._told_at = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, name="rootward pulse", daemon=True)

    def start(self) -> None:
        if self._store is not None:
            self._thread.start()

    def watch(self, stand: Callable[[], Stand]) -> None:
        """From now on, write down what ``stand`` says; it is called in another thread than the one that runs trials."""
        self._stand = stand

    def end(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _live(self) -> None:
        pause = TICK
        while not self._over.wait(pause):
            began = time.monotonic()
            with contextlib.suppress(Exception):  # the lab's own thread will meet whatever it is, and say so
                self._beat(began)
            pause = min(BEAT, max(TICK, (time.monotonic() - began) / SHARE))

    def _beat(self, now: float) -> None:
        assert self._store is not None
        assert self._run is not None
        self.stop_asked = self.stop_asked or self._store.stop_asked(self._run)
        saved = self._save()
        stand = self._stand() if self._stand else None
        news = stand is not None and (saved or stand.figures != self._told)
        if news or now - self._told_at > BEAT:
            self._store.update(self._run, **(_written(stand, news) if stand else {}), wait=False)
            self._told, self._told_at = stand.figures if stand else {}, now


def _written(stand: Stand, news: bool) -> dict[str, Any]:
    """What the store is told: of the time that has passed in any case, of the rest if it has changed."""
    told: dict[str, Any] = {"seconds": stand.progress.seconds}
    if news:
        told["progress"] = stand.figures
        with contextlib.suppress(Exception):  # a finding that cannot be shown: the lab's own thread will meet it
            partial = stand.best.to_dict() if stand.best else {}
            told |= {"best": str(stand.best or ""), "partial": partial}
    return told
