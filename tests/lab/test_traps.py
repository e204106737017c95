"""Traps that once caught somebody: each is a short story of what a user did."""

import concurrent.futures
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.verdict import FAIL, PASS
from tests.lab.helpers import Counted
from tests.waiting import PATIENCE


def test_a_candidate_that_did_not_fail_once_is_run_again(tmp_path: Path) -> None:
    """The bench was not plugged in the first time."""
    plugged_in = False
    runs = 0

    def subject(kept: list[int]) -> rw.Verdict:
        nonlocal runs
        runs += 1
        return FAIL if plugged_in and 3 in kept else PASS

    for _ in range(2):
        with pytest.raises(rw.NotReproduced):
            rw.reduce(range(8), subject, flaky=False, store=tmp_path / "store.db")
    assert runs == 2
    plugged_in = True
    first = rw.reduce(range(8), subject, flaky=False, store=tmp_path / "store.db")
    assert first.kept == [3]
    paid = runs
    assert rw.reduce(range(8), subject, flaky=False, store=tmp_path / "store.db") == first
    assert runs == paid


@pytest.mark.parametrize(("options", "left"), [([], '"content": "bug"'), (["--by", "lines"], '"element": "bug\\n"')])
def test_two_processes_with_the_same_run_leave_each_others_files_alone(
    tmp_path: Path, options: list[str], left: str
) -> None:
    script = tmp_path / "judge.sh"
    script.write_text('#!/bin/sh\ngrep -q bug "$1" && echo BUG; exit 0\n')
    script.chmod(0o755)
    (tmp_path / "in.txt").write_text("a\nb\nbug\nc\n")
    command = [sys.executable, "-m", "rootward", "reduce", "in.txt", "--json", "--verdict", "BUG", *options, "--"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen([*command, str(script), "{file}"], cwd=tmp_path, **pipes) for _ in range(2)]
    said = [process.communicate(timeout=PATIENCE)[0] for process in both]
    assert all(left in text and '"complete": true' in text for text in said), said


def test_trials_ahead_of_need_keep_to_the_budget() -> None:
    def subject(kept: list[int], seed: int) -> rw.Verdict:
        return FAIL if seed % 10 < 6 and 3 in kept else PASS

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = rw.reduce(range(8), subject, repeat="sprt:0.5,0.1,0.05", budget=7, executor=pool)
    assert found.stopped == "budget"
    assert found.trials <= 7 + 8


@pytest.mark.parametrize("culprit", ["search", "listener"])
def test_what_was_paid_for_is_stored_whoever_fails(tmp_path: Path, culprit: str) -> None:
    all_begun, first_told = threading.Barrier(4), threading.Event()

    def subject(candidate: dict[str, Any]) -> rw.Verdict:
        all_begun.wait(PATIENCE)
        if candidate["n"]:
            assert first_told.wait(PATIENCE)
        return FAIL

    def search() -> Any:
        best = rw.Reduction(selection=rw.Elements[int]([]).all)
        yield rw.Ask([{"n": n} for n in range(4)], until=FAIL, best=best)
        first_told.set()
        if culprit == "search":
            raise RuntimeError("the search is broken")
        return best

    def listener(event: Any) -> None:
        if culprit == "listener" and type(event).__name__ == "TrialFinished":
            first_told.set()
            raise RuntimeError("the screen is broken")

    with (
        concurrent.futures.ThreadPoolExecutor(4) as pool,
        rw.Lab(Counted(subject), executor=pool, store=tmp_path / "store.db", on_event=listener) as lab,
        pytest.raises(RuntimeError, match="is broken"),
    ):
        lab.run(search())
    with rw.Store(tmp_path / "store.db") as store:
        assert len(list(store.trials(1))) == 4


@pytest.mark.rest
def test_long_lists_take_neither_memory_nor_time() -> None:
    """A hundred thousand elements: the list without each of them is not made until it is tried."""
    found = rw.reduce(range(100_000), rw.fails_when(lambda kept: kept[-1:] == [99_999] and kept[:1] == [0]), budget=400)
    assert found.kept[0] == 0
    assert found.kept[-1] == 99_999


def test_by_hand_only_what_was_asked_can_be_told() -> None:
    with rw.Lab(lambda kept: None) as lab:
        elements = rw.Elements(range(4))
        best = rw.Reduction(selection=elements.all)

        def search() -> Any:
            for i in range(3):
                yield rw.Ask([elements.pick([i])], best=best)
            return best

        lab.start(search())
        trial = lab.ask()
        assert trial is not None
        lab.tell(trial, PASS)
        assert (lab.finding.trials, lab.finding.asked, lab.finding.complete) == (1, 1, False)
        with pytest.raises(rw.InputError, match="no outcome is awaited"):
            lab.tell(trial, PASS)
        with pytest.raises(rw.SubjectError, match=r"rw\.fails_when"):
            lab.tell(lab.ask() or trial, True)  # type: ignore[arg-type]


def test_by_hand_the_clock_runs_too(tmp_path: Path) -> None:
    best = rw.Reduction(selection=rw.Elements(range(4)).all)

    def search() -> Any:
        yield rw.Ask([{"n": 1}], best=best)
        return best

    with rw.Lab(lambda kept: None, budget=rw.Budget(seconds=0.05), store=tmp_path / "store.db") as lab:
        lab.start(search())
        time.sleep(0.1)
        assert lab.ask() is None
        assert lab.finding.stopped == "budget"


def test_a_run_by_hand_that_is_put_aside_is_unfinished(tmp_path: Path) -> None:
    best = rw.Reduction(selection=rw.Elements(range(4)).all)

    def search() -> Any:
        yield rw.Ask([{"n": 1}], best=best)
        return best

    with rw.Lab(lambda kept: None, store=tmp_path / "store.db") as lab:
        lab.start(search())
        lab.ask()
    with rw.Store(tmp_path / "store.db") as store:
        assert [run.status for run in store.runs()] == ["unfinished"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"jobs": 2.5}, "jobs = 2.5: expected a whole number"),
        ({"budget": 2.5}, "budget must be a number of trials, 0 or more, .* not 2.5"),
        ({"budget": "10"}, "budget must be a number of trials"),
        ({"budget": float("nan")}, "budget must be a number of trials"),
        ({"trials": 2.5}, "trials must be a whole number, 0 or more, not 2.5"),
        ({"seconds": -1}, "seconds must be a number, 0 or more, not -1"),
        ({"budget": 3, "trials": 3}, "use either budget= or trials= and seconds=, not both"),
        ({"budget": rw.Budget(seconds=3), "seconds": 3}, "use either budget= or trials= and seconds=, not both"),
        ({"repeat": "often"}, "repeat = 'often': expected once"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], said: str) -> None:
    with pytest.raises(rw.InputError, match=said):
        rw.reduce([1], lambda kept: None, **options)


@pytest.mark.parametrize("timeout", [-1, 0, float("nan"), float("inf")])
def test_time_outs_that_make_no_sense(timeout: float) -> None:
    with pytest.raises(rw.InputError, match="timeout must be a positive number"):
        rw.Function(lambda kept: None, timeout=timeout)
    with pytest.raises(rw.InputError, match="timeout must be a positive number"):
        rw.Command(["true", "{file}"], timeout=timeout)


def test_searches_that_are_none() -> None:
    def returns_nothing() -> Any:
        yield rw.Ask([1], best=None)

    def yields_nothing() -> Any:
        yield None

    with rw.Lab(lambda candidate: None) as lab:
        with pytest.raises(rw.InputError, match="must return a Finding, not None"):
            lab.run(returns_nothing())
        with pytest.raises(rw.InputError, match="must yield an Ask, not None"):
            lab.run(yields_nothing())


def test_a_field_named_like_a_placeholder_is_refused() -> None:
    with (
        pytest.raises(rw.SubjectError, match="give the field another name"),
        rw.Lab(rw.Command(["true", "{seed}"])) as lab,
    ):
        lab.run(_one({"seed": 3}))


def _one(candidate: object) -> Any:
    best = rw.Reduction(selection=rw.Elements[int]([]).all)
    yield rw.Ask([candidate], best=best)
    return best


def test_trials_and_seconds_are_a_budget() -> None:
    with rw.Lab(lambda kept: None, trials=100, seconds=60) as lab:
        assert lab.budget == rw.Budget(100, 60)
    found = rw.reduce(range(50), rw.fails_when(lambda kept: 7 in kept and 31 in kept), trials=5)
    assert (found.trials, found.stopped) == (5, "budget")
