"""What the lab tells: in order, consistent, and never that something is safe which is not."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.lab.events import (
    BestChanged,
    Draining,
    Event,
    Progress,
    RunFinished,
    RunStarted,
    TrialFinished,
    TrialStarted,
)
from rootward.search.repeat import KOfN
from rootward.verdict import FAIL, PASS

from .helpers import Counted, needs


@pytest.fixture(params=[1, 4])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    """None, to run in process; or a pool."""
    if request.param == 1:
        yield None
        return
    with ThreadPoolExecutor(request.param) as pool:
        yield pool


def told(*kinds: type, events: list[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def test_the_order_of_events(executor: Executor | None, tmp_path: Path) -> None:
    events: list[Event] = []
    subject = needs(3, 9)
    found = rw.reduce(range(12), subject, executor=executor, store=tmp_path / "store.db", on_event=events.append)

    assert isinstance(events[0], RunStarted)
    assert isinstance(events[1], BestChanged)
    assert isinstance(events[-1], RunFinished)
    assert len(told(RunStarted, RunFinished, events=events)) == 2
    assert (events[0].name, events[0].run, events[0].recalled) == ("reduce", 1, 0)
    assert events[-1].finding == found
    assert events[-1].finding.trials == found.trials

    running: set[Any] = set()
    finished: set[Any] = set()
    for event in told(TrialStarted, TrialFinished, events=events):
        name = event.trial.name
        if isinstance(event, TrialStarted):
            assert name not in running | finished
            assert event.trial.outcome is None
            running.add(name)
        else:
            assert event.trial.outcome is not None
            running.remove(name)
            finished.add(name)
    assert not running
    assert len(finished) == found.trials == len(subject)


def test_progress_is_consistent(executor: Executor | None) -> None:
    events: list[Event] = []
    found = rw.reduce(range(12), needs(3, 9), executor=executor, budget=rw.Budget(1000, 60), on_event=events.append)
    steps = [event.progress for event in events]
    for before, after in itertools.pairwise(steps):
        assert before.executed <= after.executed
        assert before.asked <= after.asked
        assert before.charged <= after.charged
        assert before.remembered <= after.remembered
        assert before.seconds <= after.seconds
    for progress in steps:
        assert 0 <= progress.running <= (4 if executor else 1)
        assert progress.charged <= progress.executed
        assert (progress.budget_trials, progress.budget_seconds) == (1000, 60)
    for event in told(TrialStarted, events=events):
        assert event.progress.running >= 1
    last = steps[-1]
    assert (last.executed, last.asked, last.running) == (found.trials, found.asked, 0)


def test_a_finished_trial_is_in_the_store(executor: Executor | None, tmp_path: Path) -> None:
    reported = 0
    with contextlib.closing(rw.Store(tmp_path / "store.db")) as reader:

        def listen(event: Event) -> None:
            nonlocal reported
            if isinstance(event, TrialFinished):
                reported += 1
                assert event.trial.key in {trial["key"] for trial in reader.trials(1)}

        found = rw.reduce(range(8), needs(3), executor=executor, store=tmp_path / "store.db", on_event=listen)
    assert reported == found.trials


def test_best_never_gets_worse_and_does_not_claim_to_be_final() -> None:
    events: list[Event] = []
    found = rw.reduce(range(30), needs(3, 20), on_event=events.append)
    bests = told(BestChanged, events=events)
    sizes = [len(event.best.kept) for event in bests]
    assert sizes[0] == 30
    assert sizes == sorted(sizes, reverse=True)
    assert not any(event.best.complete for event in bests if event.best != found)
    assert bests[0].note == "does the failing input fail?"
    assert all(event.note for event in bests)


@pytest.mark.parametrize("budget", [0, 4])
def test_draining_is_told_once_when_the_budget_ends(budget: int, executor: Executor | None) -> None:
    events: list[Event] = []
    rw.reduce(range(12), needs(3, 9), executor=executor, budget=budget, on_event=events.append)
    (draining,) = told(Draining, events=events)
    assert draining.reason == "budget"
    after = events[events.index(draining) :]
    assert not told(TrialStarted, events=after), "nothing new is started"
    assert isinstance(events[-1], RunFinished)
    assert events[-1].finding.stopped == "budget"


def test_draining_is_told_once_when_interrupted(executor: Executor | None) -> None:
    def subject(kept: list[int]) -> rw.Verdict:
        if len(kept) == 3:
            raise KeyboardInterrupt
        return FAIL if 3 in kept else PASS

    events: list[Event] = []
    found = rw.reduce(range(12), Counted(subject), executor=executor, on_event=events.append)
    assert found.stopped == "interrupted"
    assert [event.reason for event in told(Draining, events=events)] == ["interrupted"]


def test_no_draining_for_a_search_that_ends() -> None:
    events: list[Event] = []
    rw.reduce(range(12), needs(3), on_event=events.append)
    assert not told(Draining, events=events)


def test_a_replay_tells_what_it_recalled(tmp_path: Path) -> None:
    first = rw.reduce(range(12), needs(3), store=tmp_path / "store.db", repeat=KOfN(1, 2))
    events: list[Event] = []
    rw.reduce(range(12), needs(3), store=tmp_path / "store.db", repeat=KOfN(1, 2), on_event=events.append)
    assert isinstance(events[0], RunStarted)
    assert events[0].recalled == first.trials
    assert not told(TrialStarted, TrialFinished, events=events)
    assert isinstance(events[-1], RunFinished)
    assert events[-1].progress.executed == first.trials
    assert events[-1].progress.charged == first.trials


def test_events_are_frozen() -> None:
    progress = Progress(0, 0, 0, 0, 0, None, None, 0.0)
    with pytest.raises(AttributeError):
        progress.executed = 1  # type: ignore[misc]
    assert replace(progress, executed=1).executed == 1
