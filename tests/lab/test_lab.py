"""The lab's promises to its user: nothing run twice, budgets, errors that say what to do, nothing lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rootward as rw
from rootward.lab import journal as journal_module
from rootward.lab import lab as lab_module
from rootward.lab.events import TrialRetried
from rootward.search.repeat import KOfN
from rootward.subjects.function import Function
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome

from .helpers import Counted, Heard, asking, needs

# What it costs


def test_nothing_is_run_twice() -> None:
    subject = needs("d")
    with rw.Lab(subject) as lab:
        found = lab.run(asking("ab", "ba", "cab"))
    assert subject.runs == ["a", "b", "c"]
    assert (found.trials, found.asked) == (3, 7)


def test_a_lab_can_be_used_twice(tmp_path: Path) -> None:
    subject = Counted(lambda candidate: PASS)
    with rw.Lab(subject, store=tmp_path / "store.db") as lab:
        first = lab.run(asking("ab"), name="one")
        second = lab.run(asking("abc"), name="two")
        third = lab.run(asking("ab"), name="one")
    assert subject.runs == ["a", "b", "c"]
    assert (first.trials, second.trials, third.trials) == (2, 1, 2)
    assert first == third


def test_a_lab_remembers_without_a_store() -> None:
    subject = Counted(lambda candidate: PASS)
    with rw.Lab(subject) as lab:
        first, second = lab.run(asking("ab")), lab.run(asking("abc"))
    assert subject.runs == ["a", "b", "c"]
    assert (first.trials, second.trials) == (2, 1)


def test_fresh_is_for_the_first_run_of_a_lab(tmp_path: Path) -> None:
    subject = Counted(lambda candidate: PASS)
    for runs in (["a", "b"], ["a", "b"] * 2):
        with rw.Lab(subject, store=tmp_path / "store.db", fresh=True) as lab:
            lab.run(asking("ab"), name="one")
            lab.run(asking("ab"), name="two")
        assert subject.runs == runs


def test_a_signature_is_the_same_before_and_after_the_store(tmp_path: Path) -> None:
    def subject(kept: list[int]) -> rw.Outcome:
        return rw.Outcome(FAIL if 3 in kept else PASS, signature=("pose", 3))  # type: ignore[arg-type]

    found = [rw.reduce(range(8), subject, store=tmp_path / "store.db") for _ in range(2)]
    assert [finding.kept for finding in found] == [[3], [3]]


def test_a_lab_can_be_used_again_after_an_error() -> None:
    with rw.Lab(Counted(lambda candidate: True if candidate == "b" else PASS)) as lab:
        with pytest.raises(rw.SubjectError):
            lab.run(asking("ab"))
        assert lab.run(asking("ac")) == Heard(heard=(PASS, PASS))


def test_a_budget_of_trials_spans_sessions(tmp_path: Path) -> None:
    def session(budget: int | None) -> tuple[rw.Reduction[int], int]:
        subject = needs(5, 50, 95)
        return rw.reduce(range(100), subject, budget=budget, store=tmp_path / "store.db"), len(subject)

    first, runs = session(10)
    assert (runs, first.trials, first.complete, first.stopped) == (10, 10, False, "budget")
    again, runs = session(10)
    assert (runs, again.trials, again.stopped) == (0, 10, "budget")
    assert again == first
    more, runs = session(20)
    assert (runs, more.trials, more.stopped) == (10, 20, "budget")
    assert len(more.kept) <= len(first.kept)
    last, runs = session(None)
    assert (last.kept, last.complete, last.trials) == ([5, 50, 95], True, 20 + runs)


def test_trials_of_another_run_are_free(tmp_path: Path) -> None:
    with rw.Lab(needs(), store=tmp_path / "store.db") as lab:
        lab.run(asking("abc"), name="one")
    subject = needs()
    with rw.Lab(subject, store=tmp_path / "store.db", budget=2) as lab:
        found = lab.run(asking("abcdef"), name="two")
    assert subject.runs == ["d", "e"]
    assert (found.trials, found.stopped) == (2, "budget")


@pytest.mark.parametrize("pool", [False, True])
def test_a_budget_of_seconds(pool: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which each trial takes two seconds, and nothing else takes any time."""
    ended: list[None] = []
    monkeypatch.setattr(lab_module, "time", SimpleNamespace(monotonic=lambda: 2.0 * len(ended)))

    def slow(kept: list[int]) -> rw.Verdict:
        ended.append(None)
        return FAIL if {1, 99} <= set(kept) else PASS

    def session(budget: rw.Budget) -> tuple[rw.Reduction[int], int]:
        subject = Counted(slow)
        with ThreadPoolExecutor(2) as executor:
            options: dict[str, Any] = {"executor": executor if pool else None, "store": tmp_path / "store.db"}
            return rw.reduce(range(100), subject, method="ddmin", budget=budget, **options), len(subject)

    found, runs = session(rw.Budget(seconds=15))
    assert (found.complete, found.stopped) == (False, "budget")
    assert 8 <= runs <= (40 if pool else 8)
    assert {1, 99} <= set(found.kept)
    again, runs = session(rw.Budget(seconds=15))
    assert runs == 0, "the time was already spent"
    assert again.stopped == "budget"
    assert again.trials == found.trials
    both, runs = session(rw.Budget(trials=found.trials + 2, seconds=60))
    assert both.stopped == "budget"
    assert runs <= 2 + 2 * pool


def test_no_time_at_all() -> None:
    subject = needs(1)
    found = rw.reduce(range(3), subject, budget=rw.Budget(seconds=0))
    assert (found.kept, found.complete, found.stopped, len(subject)) == ([0, 1, 2], False, "budget", 0)


# Errors that say what to do


def works(candidate: Any) -> bool:
    return 3 in candidate


@pytest.mark.parametrize("said", [True, False, np.True_])
@pytest.mark.parametrize("pool", [False, True])
def test_a_bare_bool_is_refused(said: Any, pool: bool) -> None:
    def works(candidate: Any) -> Any:
        return said

    with ThreadPoolExecutor(2) as executor, pytest.raises(rw.SubjectError) as caught:
        rw.reduce("abc", works, executor=executor if pool else None)
    message = str(caught.value)
    assert "rw.fails_when" in message
    assert "rw.passes_when" in message
    assert "works" in message


@pytest.mark.parametrize("said", [1, "fail", 0.5, object(), [FAIL]])
def test_what_is_no_verdict_is_refused(said: Any) -> None:
    with pytest.raises(rw.SubjectError, match=r"rw\.Outcome, rw\.Verdict or None"):
        rw.reduce("abc", lambda kept: said)


def test_a_predicate_that_returns_no_bool_is_refused() -> None:
    with pytest.raises(rw.SubjectError, match="True or False"):
        rw.reduce("abc", rw.fails_when(lambda kept: None))
    assert rw.reduce(range(5), rw.fails_when(lambda kept: np.isin(3, kept).all())).kept == [3]


def test_a_subject_must_be_callable() -> None:
    with pytest.raises(rw.InputError, match="function of one candidate"):
        rw.reduce("abc", "not a function")  # type: ignore[call-overload]


def test_there_must_be_a_job() -> None:
    with pytest.raises(rw.InputError, match="1 or more"):
        rw.Lab(works, jobs=0)


@pytest.mark.parametrize("pool", [False, True])
@pytest.mark.parametrize("repeat", [None, KOfN(2, 4)])
def test_not_reproduced_says_how_to_do_it_by_hand(pool: bool, repeat: Any, tmp_path: Path) -> None:
    def never(kept: list[int], seed: int) -> None:
        pass

    for _ in range(2):  # the second time the trial comes from the store
        with ThreadPoolExecutor(4) as executor:
            options = {"executor": executor if pool else None, "store": tmp_path / "store.db", "repeat": repeat}
            with pytest.raises(rw.NotReproduced) as caught:
                rw.reduce([7, 8], never, **options)
        message = str(caught.value)
        assert "it passed" in message
        assert "never([7, 8], seed=" in message
        assert ("3 runs" in message) == (repeat is not None)
    with rw.Lab(never, store=tmp_path / "store.db") as lab:
        assert lab.store is not None
        (record,) = lab.store.runs()
    assert record.status == "not reproduced"
    assert record.trials >= (3 if repeat else 1)


def test_a_command_that_does_not_fail_is_given_as_it_is_typed() -> None:
    with pytest.raises(rw.NotReproduced, match=r"true \S+\.json"):
        rw.reduce([1], rw.Command(["true", "{config}"]))


# Verdicts


def test_another_failure_is_not_this_one() -> None:
    def subject(kept: list[int]) -> None:
        if 2 in kept and 5 in kept:
            raise ValueError("this one")
        if 2 in kept:
            raise KeyError("another one, which even needs less")

    found = rw.reduce(range(8), subject)
    assert found.kept == [2, 5]
    assert found.signature is not None
    assert "ValueError" in found.signature


def test_outcomes_reach_the_search_whole() -> None:
    told: list[Any] = []

    def search() -> rw.Search[Any, Any]:
        told.extend((yield rw.Ask([{"x": 1}, {"x": 2}, {"x": 3}, {"x": 4}], best=Heard())))
        return Heard()

    def subject(configuration: dict[str, int]) -> Outcome | None:
        if configuration["x"] == 1:
            return Outcome(OTHER, "s", {"m": 1.5}, {"log": "file"}, "detail")
        if configuration["x"] == 2:
            raise rw.Unresolved("no power")
        return None if configuration["x"] == 3 else sys.exit(7)

    with rw.Lab(subject) as lab:
        lab.run(search())
    assert told[0] == Outcome(OTHER, "s", {"m": 1.5}, {"log": "file"}, "detail")
    assert (told[1].verdict, told[1].detail) == (UNRESOLVED, "no power")
    assert told[2] == Outcome(PASS)
    assert told[3].verdict is FAIL
    assert "SystemExit(7)" in told[3].signature


def test_a_search_that_breaks_loses_no_trial(tmp_path: Path) -> None:
    def search() -> rw.Search[Any, Any]:
        yield rw.Ask("ab", best=Heard())
        raise ZeroDivisionError

    with rw.Lab(needs(), store=tmp_path / "store.db") as lab:
        with pytest.raises(ZeroDivisionError):
            lab.run(search())
        assert lab.store is not None
        (record,) = lab.store.runs()
        assert (record.status, record.trials) == ("error", 2)


# Fresh, and seeds


def test_fresh_begins_again_and_keeps_what_was(tmp_path: Path) -> None:
    store, trials = tmp_path / "store.db", []
    for fresh in (False, True, False, False):
        subject = needs(3)
        found = rw.reduce(range(8), subject, store=store, fresh=fresh)
        assert found.kept == [3]
        trials.append(len(subject))
    assert trials == [found.trials, found.trials, 0, 0]
    with contextlib.closing(rw.Store(store)) as opened:
        runs = opened.runs()
    assert [(run.epoch, run.trials) for run in runs] == [(0, found.trials), (1, found.trials)]


@pytest.mark.parametrize(("seeded", "runs"), [(False, [4, 0, 0]), (True, [4, 4, 0])])
def test_an_unseeded_subject_shares_its_trials_among_seeds(seeded: bool, runs: list[int], tmp_path: Path) -> None:
    def session(seed: int) -> int:
        subject = needs()
        subject.seeded = seeded
        with rw.Lab(subject, seed=seed, store=tmp_path / "store.db") as lab:
            assert lab.run(asking("abcd")).heard == (FAIL,) * 4
        return len(subject)

    assert [session(0), session(1), session(0)] == runs


# Identity


def make(x: Any, y: Any = 0) -> Callable[[Any], bool]:
    return lambda kept: x in kept and (y in kept or len(kept) > 2)


def make_other(x: Any, y: Any = 0) -> Callable[[Any], bool]:
    return lambda kept: x in kept and (y in kept or len(kept) > 3)


def with_default(kept: Any, limit: int = 3) -> bool:
    return len(kept) > limit


class Simulator:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def __call__(self, kept: Any) -> bool:
        return len(kept) > self.limit

    def other(self, kept: Any) -> bool:
        return len(kept) > self.limit


class Kept:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def too_long(self, kept: Any) -> bool:
        return len(kept) > self.limit


@dataclass(frozen=True, slots=True)
class Limits:
    inner: Any


class Small:
    def __call__(self, kept: Any) -> bool:
        return len(kept) < 3


class Large:
    def __call__(self, kept: Any) -> bool:
        return len(kept) > 3


def inheriting(base: type) -> Any:
    return type("Inheriting", (base,), {})()


def identity(function: Callable[..., Any]) -> str:
    return Function(function).identity


DIFFERENT = {
    "constants": (make(1, 2), make(2, 1)),
    "a constant that the code has too": (make(2, 3), make(3, 2)),
    "none": (make(None, 1), make(1, None)),
    "type": (make(1), make(1.0)),
    "code": (make(1, 2), make_other(1, 2)),
    "collections": (make([1, 2]), make([1, 3])),
    "nested functions": (make(make(1)), make(make(2))),
    "wrapped": (rw.fails_when(make(1)), rw.passes_when(make(1))),
    "wrapped constants": (rw.fails_when(make(1)), rw.fails_when(make(2))),
    "partial": (partial(with_default, limit=1), partial(with_default, limit=2)),
    "callable objects": (Simulator(1), Simulator(2)),
    "inherited calls": (inheriting(Small), inheriting(Large)),
    "methods": (Simulator(1).__call__, Simulator(1).other),
    "methods of other objects": (Kept(1).too_long, Kept(2).too_long),
    "objects": (make(Kept(1)), make(Kept(2))),
    "dataclasses": (make(Limits(Limits(1))), make(Limits(Limits(2)))),
    "NumPy numbers": (make(np.int64(1)), make(np.int64(2))),
    "NumPy arrays": (make(np.array([1, 2])), make(np.array([2, 1]))),
    "NumPy shapes": (make(np.zeros((2, 3))), make(np.zeros((3, 2)))),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_identity_changes_with_the_function(name: str) -> None:
    one, other = DIFFERENT[name]
    assert identity(one) != identity(other)
    assert identity(one) == identity(one)


def test_the_identity_stays_where_nothing_changes() -> None:
    assert identity(make(1, 2)) == identity(make(1, 2))
    assert identity(make("a" * 50)) == identity(make("".join(["a"] * 50)))
    assert identity(Simulator(1)) == identity(Simulator(1))
    assert identity(Kept(1).too_long) == identity(Kept(1).too_long)
    assert identity(make(Limits({"a": 1}))) == identity(make(Limits({"a": 1})))
    assert identity(make(threading.Lock())) == identity(make(threading.Lock()))
    assert identity(make(np.array([1.5]))) == identity(make(np.array([1.5])))
    assert identity(rw.fails_when(make({1, 2}))) == identity(rw.fails_when(make({2, 1})))


def test_a_changed_function_is_run_anew(tmp_path: Path) -> None:
    def session(limit: int) -> int:
        return rw.reduce(range(9), rw.fails_when(lambda kept: len(kept) > limit), store=tmp_path / "store.db").trials

    session(3)
    session(4)
    with rw.Lab(works, store=tmp_path / "store.db") as lab:
        assert lab.store is not None
        assert len({run.subject for run in lab.store.runs()}) == 2


def test_the_identity_is_the_same_in_every_process() -> None:
    code = """
import rootward as rw
from functools import partial
from rootward.subjects.function import Function
names = {"a", "b", "c", "d"}
def make(x): return lambda kept: x in kept and kept[0] in {"p", "q", "r"}
class Simulator:
    limits = 3
    def __init__(self): self.names, self.inner = names, make({"n": names})
    def __call__(self, kept): return self.inner(kept)
nested = make({"k": names, "l": [make(2), make(2)]})
for function in (make(names), nested, rw.fails_when(make("x")), Simulator(), partial(make, names)):
    print(Function(function).identity)
"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 5


# Trouble with the store


def breaks_after(commits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is gone for good after some commits, each of one trial."""
    monkeypatch.setattr(journal_module, "GROUP_SECONDS", -1.0)
    add, left = rw.Store.add_trials, iter(range(commits))

    def add_trials(self: rw.Store, *args: Any) -> None:
        if next(left, None) is None:
            raise rw.StoreError("the store has burnt down")
        add(self, *args)

    monkeypatch.setattr(rw.Store, "add_trials", add_trials)


@pytest.mark.parametrize("commits", [0, 1, 5])
@pytest.mark.parametrize("pool", [False, True])
def test_a_lost_store_gives_a_partial_finding(
    commits: int, pool: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks_after(commits, monkeypatch)
    finished: list[Any] = []
    options: dict[str, Any] = {"store": tmp_path / "store.db", "on_event": finished.append}
    with ThreadPoolExecutor(2) as executor, pytest.warns(RuntimeWarning, match="burnt down.*could not be saved"):
        found = rw.reduce(range(50), needs(3, 40), executor=executor if pool else None, flaky=False, **options)
    assert (found.complete, found.stopped) == (False, "store lost")
    assert {3, 40} <= set(found.kept)
    monkeypatch.undo()
    with contextlib.closing(rw.Store(tmp_path / "store.db")) as store:
        saved = {trial["key"] for trial in store.trials(1)}
    reported = {event.trial.key for event in finished if type(event).__name__ == "TrialFinished"}
    assert reported == saved, "what is reported as finished is in the store"
    subject = needs(3, 40)
    again = rw.reduce(range(50), subject, store=tmp_path / "store.db", flaky=False)
    assert again.kept == [3, 40]
    assert len(subject) == again.trials - len(saved)


def test_a_locked_store_is_lost_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rootward.store.database.MAX_WAIT", 0.2)
    monkeypatch.setattr("rootward.store.store.MAX_WAIT", 0.2)
    monkeypatch.setattr(rw.Store._write, "__defaults__", (0.2,))
    monkeypatch.setattr(journal_module, "GROUP_SECONDS", -1.0)
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)

    def subject(kept: list[int]) -> rw.Verdict:
        if len(kept) == 25 and not other.in_transaction:
            other.execute("BEGIN EXCLUSIVE")
        return FAIL if 3 in kept else PASS

    with pytest.warns(RuntimeWarning, match="locked"):
        found = rw.reduce(range(50), Counted(subject), method="ddmin", store=tmp_path / "store.db")
    other.close()
    assert (found.complete, found.stopped) == (False, "store lost")
    assert 3 in found.kept


@pytest.mark.parametrize("replaced", [False, True])
def test_a_removed_store_is_lost(replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "GROUP_SECONDS", -1.0)
    path = tmp_path / "store.db"

    def subject(kept: list[int]) -> rw.Verdict:
        if len(kept) == 25:
            other = shutil.copy(path, tmp_path / "other.db")
            path.unlink()
            if replaced:
                Path(other).rename(path)
        return FAIL if 3 in kept else PASS

    with pytest.warns(RuntimeWarning, match="removed or replaced.*could not be saved"):
        found = rw.reduce(range(50), Counted(subject), method="ddmin", store=path)
    assert (found.complete, found.stopped) == (False, "store lost")
    assert 3 in found.kept


def test_a_store_that_cannot_be_opened_is_an_error_at_once(tmp_path: Path) -> None:
    subject = needs(1)
    with pytest.raises(rw.StoreError):
        rw.reduce([1, 2], subject, store=tmp_path)
    assert len(subject) == 0


# Trouble with the executor


class Shaky(Executor):
    """Runs at once; some calls break as if a worker had died."""

    def __init__(self, trouble: Callable[[int], BaseException | None]) -> None:
        self.trouble, self.calls = trouble, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.calls += 1
        if (error := self.trouble(self.calls)) is not None:
            future.set_exception(error)
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_trial_whose_worker_died_is_tried_once_more() -> None:
    events: list[Any] = []
    executor = Shaky(lambda call: OSError("gone\nfor good") if call % 3 == 0 else None)
    found = rw.reduce(range(8), needs(3), method="ddmin", executor=executor, jobs=2, on_event=events.append)
    assert found.kept == [3]
    retried = [event for event in events if isinstance(event, TrialRetried)]
    assert len(retried) == executor.calls // 3 > 0
    assert all(event.reason == "OSError: gone" for event in retried)


def test_a_trial_whose_worker_dies_again_and_again_is_unresolved() -> None:
    executor = Shaky(lambda call: OSError("gone") if call in (2, 3, 5, 6, 7) else None)
    told: list[Any] = []

    def search() -> rw.Search[Any, Any]:
        told.extend((yield rw.Ask("abc", best=Heard())))
        return Heard()

    with rw.Lab(needs(), executor=executor, jobs=2) as lab:
        lab.run(search())
    assert [outcome.verdict for outcome in told] == [FAIL, UNRESOLVED, FAIL]
    assert "died 5 times (OSError: gone)" in told[1].detail


@pytest.mark.parametrize("call", [1, 2, 6])
def test_a_broken_executor_gives_a_partial_finding(call: int) -> None:
    executor = Shaky(lambda this: BrokenExecutor("dead") if this >= call else None)
    found = rw.reduce(range(8), needs(3), executor=executor, jobs=2)
    assert (found.complete, found.stopped) == (False, "executor lost")
    assert 3 in found.kept


def test_an_executor_that_takes_no_more_gives_a_partial_finding() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    found = rw.reduce(range(8), needs(3), executor=executor)
    assert (found.kept, found.complete, found.stopped) == (list(range(8)), False, "executor lost")


@dataclass
class Unpicklable:
    lock: Any

    def __call__(self, kept: Any) -> rw.Verdict:
        return PASS


def test_a_subject_that_cannot_travel_is_refused() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(rw.InputError, match="cannot be sent"):
        rw.Lab(Unpicklable(threading.Lock()), executor=executor)
