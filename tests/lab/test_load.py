"""Short trials travel together: fewer calls, and nothing else is different."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.lab import execute
from rootward.lab.events import TrialFinished, TrialRetried, TrialStarted
from rootward.lab.pool import MAX_TRIALS_PER_CALL, Pool
from rootward.store.trial import Trial
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome
from tests.properties import examples

from .helpers import Counted, asking


class Here(Executor):
    """Runs each call at once, and knows what it carried. A call with one of the ``deadly`` candidates dies."""

    def __init__(self, deadly: Iterable[Any] = ()) -> None:
        self.calls: list[list[Any]] = []
        self._deadly = set(deadly)

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.calls.append([candidate for candidate, *_ in args[0]])
        if self._deadly.isdisjoint(self.calls[-1]):
            future.set_result(function(*args, **options))
        else:
            future.set_exception(OSError("gone"))
        return future

    @property
    def largest(self) -> int:
        return max(map(len, self.calls))


def odd() -> Counted:
    return Counted(lambda number: FAIL if number % 2 else PASS)


def heard(subject: Any, *batches: Any, until: Any = None, **lab: Any) -> tuple[Any, ...]:
    with rw.Lab(subject, **lab) as running:
        found: tuple[Any, ...] = running.run(asking(*batches, until=until)).heard
    return found


@examples(25)
@given(st.data(), st.integers(1, 700), st.integers(1, 5))
def test_the_answer_is_the_same_and_only_what_kills_its_worker_has_none(data: Any, count: int, width: int) -> None:
    deadly = data.draw(st.sets(st.integers(0, count - 1), max_size=5))
    subject, there = odd(), Here(deadly)
    told = heard(subject, range(count), executor=there, jobs=width)
    alone = heard(odd(), range(count))
    assert told == tuple(UNRESOLVED if n in deadly else verdict for n, verdict in enumerate(alone))
    assert sorted(subject.runs) == [n for n in range(count) if n not in deadly], "each ran once"
    assert all([n] in there.calls for n in deadly), "blame is only laid on one that travelled alone"


def test_short_trials_travel_together_and_the_last_ones_are_shared_out() -> None:
    there = Here()
    heard(odd(), range(5000), executor=there, jobs=2)
    assert there.largest == MAX_TRIALS_PER_CALL
    assert len(there.calls) < 100
    assert len(there.calls[0]) == len(there.calls[-1]) == 1


def test_what_may_not_be_needed_travels_alone() -> None:
    """Which is known only of a question whose answers are all wanted."""
    there, subject = Here(), odd()
    heard(subject, *[range(0, 50, 2)] * 2, range(100, 600, 2), until=FAIL, executor=there, jobs=2)
    assert there.largest == 1
    first = Here()
    heard(odd(), range(1000), until=FAIL, executor=first, jobs=2)
    assert first.calls == [[0], [1]]


def test_the_budget_is_charged_in_order_and_never_exceeded() -> None:
    subject = odd()
    with rw.Lab(subject, executor=Here(), jobs=3, budget=333) as running:
        found = running.run(asking(range(1000)))
    assert (found.stopped, found.trials, sorted(subject.runs)) == ("budget", 333, list(range(333)))


def test_each_trial_is_told_and_stored_once_but_not_one_whose_workers_die(tmp_path: Path) -> None:
    events: list[Any] = []
    heard(odd(), range(600), executor=Here({450}), jobs=2, store=tmp_path / "store.db", on_event=events.append)
    with closing(sqlite3.connect(tmp_path / "store.db")) as database:
        [(rows, different)] = database.execute("select count(*), count(distinct key) from rootward_trials").fetchall()
    assert (rows, different) == (599, 599)
    finished: list[Any] = [event.trial.candidate for event in events if isinstance(event, TrialFinished)]
    assert sorted(finished) == list(range(600))
    assert {event.trial.candidate for event in events if isinstance(event, TrialStarted)} == set(finished)
    together, *alone = (event for event in events if isinstance(event, TrialRetried))
    assert together.reason.startswith("OSError: gone; ")
    assert [(event.trial.candidate, event.reason) for event in alone] == [(450, "OSError: gone")] * 4


def test_a_call_ends_in_time_and_what_it_has_not_begun_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the first hundred take no time at all, and each of the others takes an hour."""
    clock: SimpleNamespace = SimpleNamespace(now=0.0, perf_counter=lambda: clock.now, monotonic=lambda: 0.0)
    monkeypatch.setattr(execute, "time", clock)

    def lasts(number: int) -> rw.Verdict:
        clock.now += 3600.0 * (number >= 100)
        return PASS

    subject, there = Counted(lasts), Here()
    heard(subject, range(400), executor=there, jobs=2)
    assert sorted(subject.runs) == list(range(400)), "each ran once"
    longer = [call for call in there.calls if len(call) > 1 and call[-1] >= 100]
    assert len(longer) < 10, "it soon knows better"


def test_how_many_travel_follows_from_how_long_the_last_ones_took() -> None:
    def loads(seconds: float, *, local: bool = False) -> list[int]:
        there = Here()
        pool = Pool(there, lambda tasks: [(Outcome(PASS), seconds)] * len(tasks), width=1, local=local)
        sizes = []
        for _ in range(20):
            sizes.append(pool.next_call_size(10**6))
            pool.submit([Trial(0, "0", 0, 0)], [Path()])
            pool.collect()
        return sizes

    assert set(loads(execute.MAX_CALL_SECONDS)) == {1}
    assert set(loads(0.0, local=True)) == {1}, "one that waits for a process of this machine can be ended at once"
    growing = loads(execute.MAX_CALL_SECONDS / 100)
    assert growing == sorted(growing)
    assert (growing[0], growing[1], growing[-1]) == (1, 1, 99)
    assert loads(0.0)[-1] == MAX_TRIALS_PER_CALL
