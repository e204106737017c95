"""The lab without hands: a person, or a test bench, runs the trials and tells what came out."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.lab.events import Event, RunFinished, TrialFinished
from rootward.search.repeat import KOfN
from rootward.searches.reduction.ddmin import ddmin
from rootward.verdict import FAIL, PASS

from .helpers import asking

WANTED = {3, 9}
ELEMENTS = rw.Elements(range(12))


def never(kept: Any) -> None:
    raise AssertionError("nobody but us runs trials here")


def judge(trial: rw.Trial) -> rw.Verdict:
    return FAIL if set(trial.candidate.items) >= WANTED else PASS  # type: ignore[attr-defined]


def begin(**options: Any) -> rw.Lab:
    lab = rw.Lab(never, **options)
    lab.start(ddmin(ELEMENTS), failing=ELEMENTS.all, name="reduce")
    return lab


def finish(lab: rw.Lab) -> int:
    """Answer all that is asked; how many trials that took."""
    told = 0
    while (trial := lab.ask()) is not None:
        lab.tell(trial, judge(trial))
        told += 1
    return told


def reference() -> rw.Reduction[int]:
    return rw.reduce(range(12), rw.fails_when(lambda kept: set(kept) >= WANTED), method="ddmin")


def test_by_hand_like_by_machine() -> None:
    with begin() as lab:
        told = finish(lab)
        assert lab.finding == reference()
        assert (lab.finding.trials, lab.finding.asked) == (told, reference().asked)
        assert lab.ask() is None


def test_asking_again_gives_the_same_trial() -> None:
    with begin() as lab:
        first = lab.ask()
        assert first is not None
        assert lab.ask() is first
        lab.tell(first, FAIL)
        second = lab.ask()
        assert second is not None
        assert second.name != first.name


def test_the_best_so_far() -> None:
    with begin() as lab:
        sizes = []
        while (trial := lab.ask()) is not None:
            assert not lab.finding.complete
            assert set(lab.finding.kept) >= WANTED
            sizes.append(len(lab.finding.kept))
            lab.tell(trial, judge(trial))
        assert sizes[0] == 12
        assert sizes == sorted(sizes, reverse=True)
        assert lab.finding.complete


def test_an_outcome_will_do() -> None:
    with begin() as lab:
        trial = lab.ask()
        assert trial is not None
        lab.tell(trial, rw.Outcome(FAIL, signature="smoke"))
        trial = lab.ask()
        assert trial is not None
        lab.tell(trial, rw.Outcome(FAIL, signature="fire"))  # nothing at all burns: another failure
        assert finish(lab) > 0
        assert set(lab.finding.kept) != set()


@pytest.mark.parametrize("seed", range(5))
def test_several_at_once_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    with begin(jobs=4) as lab:
        out: dict[Any, rw.Trial] = {}
        while (trial := lab.ask()) is not None:
            if trial.name not in out and len(out) < 4:
                out[trial.name] = trial
                continue
            told = out.pop(rng.choice(list(out)))
            lab.tell(told, judge(told))
        assert lab.finding == reference()
        assert lab.finding.asked == reference().asked


def test_as_many_as_there_are_jobs() -> None:
    with rw.Lab(never, jobs=3) as lab:
        lab.start(asking("abcde"))
        trials = [lab.ask() for _ in range(5)]
        assert [trial and trial.candidate for trial in trials] == ["a", "b", "c", "a", "a"]


def test_resumed_from_the_store(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    with begin(store=store) as lab:
        for _ in range(6):
            trial = lab.ask()
            assert trial is not None
            lab.tell(trial, judge(trial))
        lab.ask()  # out, and never told
        partial = lab.finding
    with begin(store=store) as lab:
        assert lab.finding == partial
        assert finish(lab) == reference().trials - 6
        assert lab.finding == reference()
        assert lab.finding.trials == reference().trials
    with begin(store=store) as lab:
        assert lab.ask() is None
        assert lab.finding == reference()


def test_a_budget_ends_it() -> None:
    with begin(budget=5) as lab:
        assert finish(lab) == 5
        assert (lab.finding.complete, lab.finding.stopped) == (False, "budget")


def test_repetition() -> None:
    with rw.Lab(never, repeat=KOfN(2, 3)) as lab:
        lab.start(asking("ab"))
        told = []
        while (trial := lab.ask()) is not None:
            told.append((trial.candidate, trial.attempt))
            lab.tell(trial, FAIL if trial.candidate == "a" else PASS)
        assert told == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
        assert lab.finding.heard == (FAIL, PASS)


def test_not_reproduced_keeps_what_was_told(tmp_path: Path) -> None:
    with begin(store=tmp_path / "store.db") as lab:
        trial = lab.ask()
        assert trial is not None
        with pytest.raises(rw.NotReproduced):
            lab.tell(trial, PASS)
        assert lab.store is not None
        assert len(list(lab.store.trials(1))) == 1
        assert lab.ask() is None


def test_events_by_hand() -> None:
    events: list[Event] = []
    with begin(on_event=events.append) as lab:
        told = finish(lab)
        assert lab.finding == lab.finding
    assert sum(isinstance(event, TrialFinished) for event in events) == told
    assert sum(isinstance(event, RunFinished) for event in events) == 1


def test_the_finding_is_stored_once(tmp_path: Path) -> None:
    with begin(store=tmp_path / "store.db") as lab:
        finish(lab)
        assert lab.finding.kept == lab.finding.kept == [3, 9]
        assert lab.store is not None
        (record,) = lab.store.runs()
        stored = lab.store.finding(record.id)
    assert record.status == "complete"
    assert stored is not None
    assert [row["position"] for row in stored["kept"]] == [3, 9]


def test_nothing_is_being_run() -> None:
    with rw.Lab(never) as lab:
        for call in (lab.ask, lambda: lab.tell(rw.Trial("a", "k", 0, 0), FAIL), lambda: lab.finding):
            with pytest.raises(rw.InputError, match="start"):
                call()
