"""Stopping and going on: signals, sessions, and what the store says of them. (kill -9 is in tests/integration.)"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.lab.events import Draining, Event, TrialFinished, TrialStarted
from rootward.search.repeat import KOfN, Sequential
from rootward.verdict import FAIL, PASS
from tests.waiting import PATIENCE

from .helpers import Counted, needs

in_main_thread = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals go to the main thread"
)


def after(n: int, number: int, kind: type = TrialFinished) -> Any:
    """A listener that sends us a signal with the n-th event of a kind."""
    seen = 0

    def listen(event: Event) -> None:
        nonlocal seen
        seen += isinstance(event, kind)
        if seen == n and isinstance(event, kind):
            os.kill(os.getpid(), number)

    return listen


@in_main_thread
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("pool", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 15])
def test_a_signal_ends_the_run_in_good_order(number: int, pool: bool, n: int, tmp_path: Path) -> None:
    store, before = tmp_path / "store.db", signal.getsignal(number)
    subject = needs(3, 40)
    with ThreadPoolExecutor(3) as executor:
        options: dict[str, Any] = {"executor": executor if pool else None, "store": store}
        listen = after(n, number, TrialStarted)
        found = rw.reduce(range(50), subject, flaky=False, on_event=listen, **options)
    assert (found.complete, found.stopped) == (False, "interrupted")
    assert {3, 40} <= set(found.kept)
    assert signal.getsignal(number) == before, "the handler is given back"
    assert found.trials == len(subject) >= n, "what was running came home"

    with contextlib.closing(rw.Store(store)) as opened:
        (record,) = opened.runs()
    assert (record.status, record.trials) == ("interrupted", len(subject))

    again = needs(3, 40)
    rest = rw.reduce(range(50), again, flaky=False, store=store)
    assert rest == rw.reduce(range(50), needs(3, 40), flaky=False)
    assert rest.trials == len(subject) + len(again)
    assert {tuple(kept) for kept in again.runs}.isdisjoint({tuple(kept) for kept in subject.runs})


@in_main_thread
def test_a_second_signal_ends_a_subject_that_hangs() -> None:
    def hangs(kept: list[int]) -> rw.Verdict:
        if len(kept) == 5:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
            raise AssertionError("not interrupted")
        return FAIL if 3 in kept else PASS

    found = rw.reduce(range(10), Counted(hangs))
    assert (found.complete, found.stopped) == (False, "interrupted")
    assert 3 in found.kept


@in_main_thread
def test_a_handler_of_the_users_own_is_left_alone() -> None:
    calls = []
    before = signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    try:
        found = rw.reduce(range(10), needs(3), on_event=after(2, signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [1]
    assert found.complete


def test_in_another_thread() -> None:
    found: list[rw.Reduction[int]] = []
    thread = threading.Thread(target=lambda: found.append(rw.reduce(range(10), needs(3))))
    thread.start()
    thread.join()
    assert found[0].kept == [3]


def test_draining_saves_what_was_running(tmp_path: Path) -> None:
    """One trial is interrupted while others are running: they are waited for and stored."""
    gate = threading.Barrier(4, timeout=PATIENCE)

    def subject(kept: list[int]) -> rw.Verdict:
        if len(kept) == 2 and kept[0] < 8:  # the first four parts of two elements are running at once
            gate.wait()
            if kept[0] == 0:
                raise KeyboardInterrupt
        return FAIL if set(kept) >= {1, 7, 13} else PASS

    counted, events = Counted(subject), list[Any]()
    with ThreadPoolExecutor(4) as executor:
        found = rw.reduce(
            range(16), counted, executor=executor, store=tmp_path / "store.db", on_event=events.append, method="ddmin"
        )
    assert found.stopped == "interrupted"
    assert found.trials == len(counted) - 1, "all but the interrupted one"
    draining = next(i for i, event in enumerate(events) if isinstance(event, Draining))
    assert not any(isinstance(event, TrialStarted) for event in events[draining:])
    with contextlib.closing(rw.Store(tmp_path / "store.db")) as store:
        assert len(list(store.trials(1))) == found.trials


@pytest.mark.parametrize("repeat", [KOfN(2, 4), Sequential()], ids=str)
def test_a_flaky_subject_resumes_exactly(repeat: Any, tmp_path: Path) -> None:
    def flaky(kept: list[int], seed: int) -> rw.Verdict:
        return FAIL if {2, 11} <= set(kept) and seed % 10 < 8 else PASS

    wanted = rw.reduce(range(16), flaky, repeat=repeat)
    for budget in (*range(0, wanted.trials, 20), None):
        found = rw.reduce(range(16), flaky, repeat=repeat, store=tmp_path / "store.db", budget=budget)
        assert found.trials == (wanted.trials if budget is None else budget)
    assert found == wanted
    assert (found.kept, found.asked) == ([2, 11], wanted.asked)


def test_other_settings_are_another_run(tmp_path: Path) -> None:
    for options in ({}, {"seed": 1}, {"repeat": KOfN(1, 2)}, {}):
        rw.reduce(range(6), needs(3), store=tmp_path / "store.db", **options)
    rw.reduce(range(5), needs(3), store=tmp_path / "store.db")
    with contextlib.closing(rw.Store(tmp_path / "store.db")) as store:
        runs = store.runs()
    assert len(runs) == 4
    assert {run.subject for run in runs} == {runs[0].subject}
    assert [run.status for run in runs] == ["complete"] * 4
    assert all("3" in run.best for run in runs)


def test_an_empty_list_is_one_run_too(tmp_path: Path) -> None:
    for _ in range(2):
        subject = Counted(lambda kept: FAIL)
        found: rw.Reduction[Any] = rw.reduce([], subject, flaky=False, store=tmp_path / "store.db")
    assert (len(subject), found.trials) == (0, 1)
