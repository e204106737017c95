"""A run that is watched: it is heard of while a trial goes on, and ends when somebody asks it to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.lab import journal, pulse
from rootward.lab.events import Event, TrialFinished
from rootward.store.store import Store
from rootward.verdict import FAIL, PASS
from tests.lab.helpers import Counted, Heard, asking
from tests.waiting import PATIENCE, until


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "TICK", 0.01)
    monkeypatch.setattr(pulse, "MAX_WRITING_SHARE", 1.0)
    monkeypatch.setattr(pulse, "BEAT", 0.05)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.db") as opened:
        yield opened


class Slow:
    """A subject whose trials begin when they like and end when they may."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Semaphore(0), threading.Semaphore(0)
        self.subject = Counted(self.run)

    def run(self, candidate: int) -> rw.Verdict:
        self.begun.release()
        assert self.may_end.acquire(timeout=PATIENCE)
        return FAIL if candidate % 2 else PASS


def in_background(work: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    return thread, found


@pytest.mark.parametrize("pool", [False, True])
def test_a_run_asked_to_stop_waits_for_its_trial_and_keeps_what_it_has(pool: bool, store: Store) -> None:
    slow = Slow()
    with (
        ThreadPoolExecutor(1) as threads,
        rw.Lab(slow.subject, store=store, executor=threads if pool else None) as lab,
    ):
        thread, found = in_background(lambda: lab.run(asking([1], [2], [3], [4])))
        for _ in range(2):
            assert slow.begun.acquire(timeout=PATIENCE)
            slow.may_end.release()
        assert slow.begun.acquire(timeout=PATIENCE)
        store.ask_to_stop(1)
        until(lambda: lab._pulse.stop_asked, "it knows that it was asked to stop")
        assert not found, "a trial that is running is waited for"
        slow.may_end.release()
        thread.join(PATIENCE)
    assert [(one.complete, one.stopped, one.trials) for one in found] == [(False, "asked to stop", 3)]
    record = store.run(1)
    assert record is not None
    assert (record.status, record.trials) == ("asked to stop", 3)
    assert store.finding(1) == found[0].to_dict()
    with rw.Lab(Counted(lambda candidate: PASS), store=store) as again:
        assert again.run(asking([1], [2], [3], [4])).complete, "what was asked of the earlier session is forgotten"


def test_the_store_says_how_the_run_stands_while_its_trial_goes_on(store: Store) -> None:
    slow = Slow()

    def work() -> Heard:
        with rw.Lab(slow.subject, store=store, budget=7) as running:
            return running.run(asking([1], [2]))

    thread, found = in_background(work)
    slow.may_end.release()
    for _ in range(2):
        assert slow.begun.acquire(timeout=PATIENCE)

    def standing() -> Any:
        record = store.run(1)
        return record if record and record.progress.get("executed") == 1 else None

    record = until(standing, "the first trial is written down")
    assert (record.progress["running"], record.progress["budget_trials"], record.best) == (1, 7, "heard 1 answers")
    partial = store.finding(1)
    assert partial is not None
    assert (partial["explanation"], partial["complete"], partial["trials"]) == ("heard 1 answers", False, 1)
    until(lambda: standing().updated > record.updated, "it is heard of again")
    slow.may_end.release()
    thread.join(PATIENCE)
    assert found[0].complete
    assert store.finding(1) == found[0].to_dict()


def test_quick_trials_are_safe_while_a_long_one_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "GROUP_SECONDS", 60.0)
    slow, told = Slow(), list[object]()

    def work() -> Heard:
        def listen(event: Event) -> None:
            if isinstance(event, TrialFinished):
                told.append(event.trial.candidate)

        with rw.Lab(slow.subject, store=store, on_event=listen) as running:
            return running.run(asking([1], [2], [3], [4]))

    thread, found = in_background(work)
    for _ in range(3):
        slow.may_end.release()
    for _ in range(4):
        assert slow.begun.acquire(timeout=PATIENCE)
    until(lambda: [trial["candidate"] for trial in store.trials(1)] == [1, 2, 3], "they are stored")
    slow.may_end.release()
    thread.join(PATIENCE)
    assert found[0].complete
    assert told == [trial["candidate"] for trial in store.trials(1)] == [1, 2, 3, 4]


def test_by_hand_it_is_heard_of_and_can_be_stopped(store: Store) -> None:
    with rw.Lab(Counted(lambda candidate: PASS), store=store) as lab:
        lab.start(asking([1], [2]))
        trial = lab.ask()
        assert trial is not None
        lab.tell(trial, PASS)
        until(lambda: (store.finding(1) or {}).get("trials") == 1, "it is written down")
        store.ask_to_stop(1)
        until(lambda: lab.ask() is None, "it ends")
        assert lab.finding.stopped == "asked to stop"
    assert not [t for t in threading.enumerate() if t.name == "rootward pulse"]


def test_what_could_not_be_written_is_written_later(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write, refused = store.update, threading.Event()

    def update(*arguments: Any, **options: Any) -> None:
        if not refused.is_set():
            refused.set()
            raise rw.StoreError("not now")
        write(*arguments, **options)

    monkeypatch.setattr(store, "update", update)
    with rw.Lab(Counted(lambda candidate: PASS), store=store) as lab:
        lab.start(asking([1]))
        assert refused.wait(PATIENCE)
        until(lambda: store.finding(1), "it is written down")


def test_a_finding_that_cannot_be_shown_does_not_end_the_sign_of_life(store: Store) -> None:
    class Odd(Heard):
        def answer(self) -> dict[str, Any]:
            raise ValueError("not now")

    def search() -> rw.Search[int, Heard]:
        yield rw.Ask([1], best=Odd())
        return Heard()

    with rw.Lab(Counted(lambda candidate: PASS), store=store) as lab:
        lab.start(search())
        heard = store.stamps()[1]
        until(lambda: store.stamps()[1] != heard, "it is heard of")
        trial = lab.ask()
        assert trial is not None
        lab.tell(trial, PASS)
        assert lab.finding.complete
