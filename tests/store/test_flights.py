"""Processes that need the same trial at the same time run it once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rootward.store import flights
from rootward.store.flights import Flights
from rootward.store.store import Store
from rootward.store.trial import Trial
from rootward.verdict import PASS, Outcome

TRIAL = Trial("candidate", "key", 0, 1)
OTHER = Trial("another", "another", 0, 1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "runs.db") as opened:
        yield opened


@pytest.fixture
def postgres_store(postgres: str) -> Iterator[Store]:
    with Store(postgres) as opened:
        yield opened


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.rest)])
def any_store(request: pytest.FixtureRequest) -> Store:
    found: Store = request.getfixturevalue("store" if request.param == "sqlite" else "postgres_store")
    return found


def lab(store: Store) -> Flights:
    made = Flights(store, "subject", 0)
    made.enter()
    return made


def elsewhere(store: Store, monkeypatch: pytest.MonkeyPatch) -> Flights:
    """A lab on another machine."""
    with monkeypatch.context() as patch:
        patch.setattr(flights, "_process_identity", lambda number: f"elsewhere {number} 0")
        return lab(store)


def test_a_trial_has_one_owner(any_store: Store) -> None:
    one, two = lab(any_store), lab(any_store)
    assert [one.claim(TRIAL), two.claim(TRIAL), two.claim(OTHER), one.claim(OTHER)] == [True, False, True, False]
    assert one.claim(TRIAL), "it is its own"
    assert not two.is_free(TRIAL)
    one.leave()
    assert two.is_free(TRIAL)
    assert two.claim(TRIAL)


def test_a_trial_that_is_stored_is_not_run_again(any_store: Store) -> None:
    one, two = lab(any_store), lab(any_store)
    assert one.claim(TRIAL)
    run = any_store.open_run(key="run", subject="subject", name="name", settings={}, fresh=False)
    done = TRIAL.finish(Outcome(PASS), 1.0)
    any_store.add_trials(run, "subject", [done])
    one.give_up(done)
    assert one.claim(OTHER), "this also gives up the claim on the stored trial"
    assert not two.claim(TRIAL)
    [(found, number)] = two.fetch([TRIAL.name])
    assert (found.name, found.outcome, number) == (TRIAL.name, Outcome(PASS), run.id)


def test_a_stored_trial_that_cannot_be_read_is_run_again(store: Store) -> None:
    one = lab(store)
    run = store.open_run(key="run", subject="subject", name="name", settings={}, fresh=False)
    store.add_trials(run, "subject", [TRIAL.finish(Outcome(PASS), 1.0)])
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE rootward_trials SET outcome = 'damaged'")
    assert not one.claim(TRIAL)
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert one.fetch([TRIAL.name]) == []
    assert one.is_free(TRIAL)
    assert one.claim(TRIAL)


def test_what_is_given_up_can_be_claimed(store: Store) -> None:
    one, two = lab(store), lab(store)
    assert one.claim(TRIAL)
    one.give_up(TRIAL)
    assert one.claim(OTHER)
    assert two.is_free(TRIAL)
    assert two.claim(TRIAL)


def test_short_trials_are_claimed_only_in_company(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flights, "LOOK_INTERVAL", 0.0)
    one = lab(store)
    one.learn_pace(TRIAL.finish(Outcome(PASS), 0.005))
    assert one.claim(TRIAL)
    two = lab(store)
    assert two.claim(TRIAL), "the other one was alone, and did not claim it"
    assert not one.claim(TRIAL)
    one.learn_pace(TRIAL.finish(Outcome(PASS), 0.0))
    for _ in range(20):
        one.learn_pace(OTHER.finish(Outcome(PASS), 1e-5))
    assert one.claim(TRIAL), "running it again is cheaper than to ask"


def test_the_claims_of_a_process_that_was_killed_are_free_at_once(store: Store) -> None:
    script = (
        "import os, sys\n"
        "from rootward.store.flights import Flights\n"
        "from rootward.store.store import Store\n"
        "from rootward.store.trial import Trial\n"
        "one = Flights(Store(sys.argv[1]), 'subject', 0)\n"
        "one.enter()\n"
        "assert one.claim(Trial('candidate', 'key', 0, 1))\n"
        "print('claimed', flush=True)\n"
        "sys.stdin.read()\n"
    )
    options: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    two = lab(store)
    with subprocess.Popen([sys.executable, "-c", script, str(store.path)], **options) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "claimed\n"
        assert not two.claim(TRIAL)
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        assert two.is_free(TRIAL)
        assert two.claim(TRIAL)


def test_a_lab_on_another_machine_is_dead_if_it_is_silent(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    far = elsewhere(any_store, monkeypatch)
    assert far.claim(TRIAL)
    near = lab(any_store)
    assert not near.claim(TRIAL)
    monkeypatch.setattr(flights, "MAX_SILENCE", -1.0)
    far.beat()
    assert not near.claim(TRIAL), "its counter has changed"
    assert near.claim(TRIAL)


def test_what_dead_labs_left_is_removed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    lab_that_dies = lab(store)
    assert lab_that_dies.claim(TRIAL)
    monkeypatch.setattr(flights, "_living", set())
    lab(store)
    with store.engine.connect() as connection:
        owners = connection.exec_driver_sql("SELECT count(*) FROM rootward_labs").scalar()
        claims = connection.exec_driver_sql("SELECT count(*) FROM rootward_claims").scalar()
    assert (owners, claims) == (1, 0)


def test_a_cleaning_removes_what_ended_labs_left(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a run that ended while its database was away."""
    far = elsewhere(any_store, monkeypatch)
    assert far.claim(TRIAL)
    assert lab(any_store).claim(OTHER)
    monkeypatch.setattr(flights, "_living", set())
    flights.remove_ended(any_store)
    with any_store.engine.connect() as connection:
        for table in ("labs", "claims"):
            owners = connection.exec_driver_sql(f"SELECT owner FROM rootward_{table}").all()
            assert [owner for (owner,) in owners] == [far._owner]


REDUCE = """
import sys
import rootward as rw
from rootward.subjects.command import Command

log, store, jobs = sys.argv[1:]
lines = [f"line {number}\\n" for number in range(200)]
script = f"echo run >> {log}; sleep 0.02; ! (grep -qx 'line 7' $0 && grep -qx 'line 140' $0)"
sys.stdin.readline()  # so that all begin together
found = rw.reduce(lines, Command(["sh", "-c", script, "{file}"]), store=store, jobs=int(jobs))
print(found.complete, len(found.kept), found.trials)
"""


def reduce_at_once(folder: Path, processes: int, jobs: int) -> tuple[list[str], int]:
    """Reduce the same input in several processes at once. Return their answers, and the number of runs."""
    folder.mkdir()
    command = [sys.executable, "-c", REDUCE, str(folder / "log"), str(folder / "runs.db"), str(jobs)]
    options: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen(command, **options) for _ in range(processes)]
    for one in running:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    answers = [one.communicate()[0] for one in running]
    return answers, len((folder / "log").read_text().splitlines())


def test_the_same_search_twice_at_once_costs_as_much_as_once(tmp_path: Path) -> None:
    [alone], cost = reduce_at_once(tmp_path / "alone", 1, 1)
    assert alone == f"True 2 {cost}\n"
    answers, together = reduce_at_once(tmp_path / "together", 3, 1)
    assert answers == [alone] * 3
    assert together <= 1.05 * cost


@pytest.mark.rest
def test_many_jobs_in_two_processes_share_their_trials(tmp_path: Path) -> None:
    [alone], cost = reduce_at_once(tmp_path / "alone", 1, 4)
    answers, together = reduce_at_once(tmp_path / "together", 2, 4)
    assert {answer.split()[:2] == alone.split()[:2] for answer in answers} == {True}
    assert together <= 2 * cost, "some are run ahead in both"


def test_if_one_of_two_is_killed_the_other_goes_on(tmp_path: Path) -> None:
    """The first process is killed with its trial, once the second one has begun."""
    command = [sys.executable, "-c", REDUCE, str(tmp_path / "log"), str(tmp_path / "runs.db"), "1"]
    options: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **options) as one, subprocess.Popen(command, **options) as two:
        for process in (one, two):
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        while not (tmp_path / "log").exists() or len((tmp_path / "log").read_text().splitlines()) < 9:
            assert one.poll() is None
            time.sleep(0.01)
        one.kill()
        answer, _ = two.communicate()
    assert answer.startswith("True 2 ")


@pytest.mark.parametrize("owner", [b"\x00\xff0", "", "somebody", 7, f"{flights._machine_identity()} xx 5 {'0' * 32}"])
def test_a_damaged_lab_counts_as_dead(store: Store, owner: Any) -> None:
    with sqlite3.connect(str(store.path)) as connection:
        row = {"owner": owner, "subject": "subject", "epoch": 0, "beat": 0}
        connection.execute("INSERT INTO rootward_labs VALUES (:owner, :subject, :epoch, :beat)", row)
    one = lab(store)
    assert one.claim(TRIAL)
    assert not one._look()
