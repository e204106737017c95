"""Trials that end together are collected together: one that has ended waits a little for those that began with it."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rootward.lab import pool as pool_module
from rootward.lab.pool import GRACE_SHARE, Pool
from rootward.store.trial import Trial
from rootward.verdict import PASS, Outcome
from tests.waiting import PATIENCE, until

HOUR = 3600.0


class ByHand(Executor):
    """Its trials end when the test says so."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        self.futures.append(Future())
        return self.futures[-1]


class Bench:
    """A pool with a clock of its own: time passes when the test says so, or when the pool waits."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = self.waited = 0.0
        self.events: list[tuple[float, Callable[[], None]]] = []
        """What happens at which time, in this order."""
        self._done: deque[Any] = deque()
        patch.setattr(pool_module, "time", SimpleNamespace(monotonic=lambda: self.now))
        patch.setattr(pool_module, "queue", SimpleNamespace(SimpleQueue=lambda: self, Empty=queue.Empty))
        self.workers = ByHand()
        self.pool = Pool(self.workers, lambda *args: None, width=8, local=False)

    def put(self, future: Any) -> None:
        self._done.append(future)

    def get(self, timeout: float) -> Any:
        """As that of a queue, without waiting."""
        until = self.now + timeout
        while not self._done and self.events and self.events[0][0] <= until:
            at, happen = self.events.pop(0)
            self.now = max(self.now, at)
            happen()
        if not self._done:
            self.now = until
            raise queue.Empty
        return self._done.popleft()

    def begin(self, *names: str) -> None:
        for name in names:
            self.pool.submit([Trial(name, name, 0, 0)], [Path()])

    def end(self, number: int) -> None:
        self.workers.futures[number].set_result([(Outcome(PASS), 0.0)])

    def end_later(self, number: int, seconds: float) -> None:
        self.events.append((self.now + seconds, lambda: self.end(number)))

    def collect(self) -> str:
        """The names of what has ended; ``waited`` is how long that took."""
        began = self.now
        ended = self.pool.collect()
        self.waited = self.now - began
        return "".join(trial.key for trial, _ in ended)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


def test_what_has_ended_already_is_collected_together_at_once(bench: Bench) -> None:
    bench.begin("a", "b", "c")
    bench.now = 10.0
    for number in (2, 0, 1):
        bench.end(number)
    assert bench.collect() == "cab"
    assert bench.waited == 0
    assert bench.pool.empty


def test_those_that_end_a_little_later_are_waited_for_and_no_longer(bench: Bench) -> None:
    bench.begin("a", "b", "c")
    bench.now = 10.0
    bench.end(0)
    bench.end_later(2, 0.3 * GRACE_SHARE * 10)
    bench.end_later(1, 0.6 * GRACE_SHARE * 10)
    assert bench.collect() == "acb"
    assert bench.waited == pytest.approx(0.6 * GRACE_SHARE * 10), "nothing is running any more"


def test_it_waits_for_a_small_part_of_what_the_trial_took(bench: Bench) -> None:
    bench.begin("a", "b", "c")
    bench.now = 10.0
    bench.end(0)
    bench.end_later(1, 0.9 * GRACE_SHARE * 10)
    bench.end_later(2, 1.1 * GRACE_SHARE * 10)
    assert bench.collect() == "ab"
    assert bench.waited == pytest.approx(GRACE_SHARE * 10), "those that end meanwhile do not make it longer"
    assert bench.collect() == "c"


def test_it_never_waits_for_more_than_a_second(bench: Bench) -> None:
    bench.begin("a", "b")
    bench.now = HOUR
    bench.end(0)
    assert bench.collect() == "a"
    assert bench.waited == pytest.approx(1.0)


def test_a_trial_that_runs_alone_is_not_kept_waiting(bench: Bench) -> None:
    bench.begin("a")
    bench.now = HOUR
    bench.end(0)
    assert bench.collect() == "a"
    assert bench.waited == 0


def test_those_that_began_much_later_are_not_waited_for(bench: Bench) -> None:
    bench.begin("a")
    bench.now = 5.0
    bench.begin("b", "c")
    bench.now = 10.0
    bench.end(0)
    bench.end_later(1, 0.01)
    assert bench.collect() == "a"
    assert bench.waited == 0
    assert bench.collect() == "b"


def test_those_that_began_a_little_later_are(bench: Bench) -> None:
    """As much later as it may wait for them."""
    bench.begin("a")
    bench.now = 0.9 * GRACE_SHARE * 10
    bench.begin("b")
    bench.now = 10.0
    bench.end(0)
    bench.end_later(1, 0.9 * GRACE_SHARE * 10)
    assert bench.collect() == "ab"


def test_those_that_began_earlier_are_waited_for_as_well(bench: Bench) -> None:
    """They are due just as much; how long is up to the one that has ended."""
    bench.begin("a")
    bench.now = HOUR
    bench.begin("b")
    bench.now = HOUR + 10.0
    bench.end(1)
    assert bench.collect() == "b"
    assert bench.waited == pytest.approx(GRACE_SHARE * 10)


def test_waking_ends_any_waiting(bench: Bench) -> None:
    bench.begin("a", "b")
    bench.now = 10.0
    bench.pool.wake()
    assert (bench.collect(), bench.waited) == ("", 0)
    bench.end(0)
    bench.events.append((10.1, bench.pool.wake))
    assert bench.collect() == "a"
    assert bench.waited == pytest.approx(0.1)
    bench.end(1)
    assert bench.collect() == "b"


def test_a_trial_that_went_wrong_is_collected_with_the_others(bench: Bench) -> None:
    bench.begin("a", "b")
    bench.now = 10.0
    bench.workers.futures[0].set_exception(RuntimeError("gone"))
    bench.end(1)
    problems = [problem for _, problem in bench.pool.collect()]
    assert [type(problem) for problem in problems] == [RuntimeError, type(None)]


def test_real_workers_that_take_equally_long_are_collected_together() -> None:
    """Now and then at least: on a busy machine one may come too late."""
    together = threading.Barrier(3)

    def naps(*args: Any) -> list[tuple[Outcome, float]]:
        time.sleep(0.5)
        together.wait(PATIENCE)
        return [(Outcome(PASS), 0.5)]

    with ThreadPoolExecutor(3) as workers:
        pool = Pool(workers, naps, width=3, local=False)

        def collected() -> list[int]:
            """How many at a time."""
            for name in "abc":
                pool.submit([Trial(name, name, 0, 0)], [Path()])
            rounds = []
            while not pool.empty:
                rounds.append(len(pool.collect()))
            assert sum(rounds) == 3
            return rounds

        until(lambda: max(collected()) > 1, "some were collected together")
