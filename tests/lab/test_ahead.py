"""What a search says it may ask next: idle workers try it, and nothing else changes."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.lab.budget import Budget
from rootward.lab.run import Run
from rootward.search.ask import Ask, Search
from rootward.search.repeat import KOfN, Once
from rootward.space.candidate import key_of
from rootward.store.trial import Trial
from rootward.verdict import FAIL, OTHER, PASS, Outcome, Verdict
from tests.properties import examples
from tests.waiting import PATIENCE

from .helpers import Counted, Heard, answer, started


def hinting(*questions: tuple[Iterable[Any], Iterable[Any]], fresh: bool = False) -> Search[Any, Heard]:
    """Ask one batch after another, each with what may come next."""
    heard: tuple[Any, ...] = ()
    for batch, ahead in questions:
        answers = yield Ask(list(batch), fresh=fresh, best=Heard(heard=heard), ahead=ahead)
        heard += tuple(outcome and outcome.verdict for outcome in answers)
    return Heard(heard=heard)


# What is started


def test_idle_workers_try_them_after_the_question_itself() -> None:
    run = Run(hinting(("ab", "xy")))
    assert started(run) == ["a", "b", "x", "y"]


def test_they_are_made_only_for_idle_workers() -> None:
    made = []

    def hints() -> Iterator[str]:
        for one in "xyz":
            made.append(one)
            yield one

    run = Run(hinting(("ab", hints())))
    assert started(run, 2) == ["a", "b"]
    assert made == []
    assert started(run, 1) == ["x"]
    assert made == ["x"]


def test_they_answer_the_next_question_at_once() -> None:
    run = Run(hinting(("a", "xy"), ("x", "")))
    assert started(run) == ["a", "x", "y"]
    answer(run, {"x": FAIL, "y": PASS})
    assert not run.finished
    answer(run, {"a": PASS})
    assert run.finding == Heard(heard=(PASS, FAIL))
    assert run.finding.trials == 3


def test_one_that_is_still_running_when_it_is_asked_for_is_not_started_again() -> None:
    run = Run(hinting(("a", "x"), ("x", "")))
    assert started(run) == ["a", "x"]
    answer(run, {"a": PASS})
    assert started(run) == []
    answer(run, {"x": FAIL})
    assert run.finding == Heard(heard=(PASS, FAIL))


def test_those_of_an_earlier_question_are_forgotten() -> None:
    run = Run(hinting(("a", "xyz"), ("b", "")))
    assert started(run, 2) == ["a", "x"]
    answer(run, {"a": PASS})
    assert started(run) == ["b"]


def test_what_is_known_asked_or_running_is_not_run_again() -> None:
    run = Run(hinting(("a", ""), ("bc", "abxcx")))
    assert started(run) == ["a"]
    answer(run, {"a": PASS})
    assert started(run) == ["b", "c", "x"]


def test_what_an_earlier_session_knows_is_not_run_again() -> None:
    known = Trial(None, key_of("x"), 0, 0, Outcome(PASS))
    run = Run(hinting(("a", "xy")), known=[(known, False)])
    assert started(run) == ["a", "y"]


def test_further_attempts_of_the_question_come_first() -> None:
    run = Run(hinting(("a", "x")), repeat=KOfN(1, 2))
    trials = [run.next() for _ in range(4)]
    assert [(trial.candidate, trial.attempt) for trial in trials if trial] == [("a", 0), ("a", 1), ("x", 0)]


def test_one_that_was_dropped_is_run_when_it_is_asked_for() -> None:
    run = Run(hinting(("a", "x"), ("x", "")))
    assert started(run) == ["a", "x"]
    run.drop(run.in_flight[1])
    answer(run, {"a": PASS})
    assert started(run) == ["x"]


# Fresh runs


def test_fresh_ones_are_the_next_attempt() -> None:
    run = Run(hinting(("aa", "ax"), ("a", ""), fresh=True))
    trials = [run.next() for _ in range(5)]
    assert [(trial.candidate, trial.attempt) for trial in trials if trial] == [("a", 0), ("a", 1), ("a", 2), ("x", 0)]
    for trial in run.in_flight:
        run.record(trial.finish(Outcome(FAIL if trial.attempt == 2 else PASS), 0.0))
    assert run.finding == Heard(heard=(PASS, PASS, FAIL))


def test_a_fresh_one_that_is_running_is_not_started_twice() -> None:
    run = Run(hinting(("a", "xx"), fresh=True))
    assert started(run) == ["a", "x"]


# The budget


def test_they_are_not_charged() -> None:
    run = Run(hinting(("a", "xyz"), ("b", "")), budget=Budget(trials=4))
    assert started(run) == ["a", "x", "y", "z"]
    answer(run, {"a": PASS, "x": PASS, "y": PASS, "z": PASS})
    assert started(run) == ["b"]
    answer(run, {"b": FAIL})
    assert run.finding == Heard(heard=(PASS, FAIL))
    assert (run.charged, run.finding.trials) == (2, 5)


def test_they_are_charged_once_they_are_asked_for() -> None:
    run = Run(hinting(("a", "x"), ("x", "")), budget=Budget(trials=2))
    started(run)
    answer(run, {"a": PASS, "x": PASS})
    assert run.finished
    assert (run.stopped, run.charged) == (None, 2)


@pytest.mark.parametrize("trials", [1, 2])
def test_a_budget_that_the_question_needs_starts_none(trials: int) -> None:
    run = Run(hinting(("ab", "xyz")), budget=Budget(trials=trials))
    assert started(run) == ["a", "b"][:trials]


def test_none_is_started_beyond_the_budget() -> None:
    run = Run(hinting(("a", "uvwxyz")), budget=Budget(trials=3))
    assert started(run) == ["a", "u", "v"]


def test_no_more_are_ever_begun_than_the_budget_has_trials() -> None:
    """What was tried in vain is not charged, but it was run: a budget bounds that as well."""
    run = Run(hinting(*((str(i), [f"{i} {j}" for j in range(9)]) for i in range(8))), budget=Budget(trials=6))
    begun = []
    while not run.finished:
        begun += started(run)
        answer(run, {trial.candidate: PASS for trial in run.in_flight})
    assert run.charged == 6
    assert sum(" " in name for name in begun) <= 6
    assert len(begun) <= 12


# The lab


def subject_of(name: str) -> Counted:
    return Counted(rw.fails_when(lambda candidate: candidate % 3 == 0), name=name)


def chain(length: int, *, fresh: bool = False) -> Search[int, Heard]:
    """Each answer decides what is asked next; both possibilities are foreseen."""
    heard: tuple[Any, ...] = ()
    candidate = 1
    for _ in range(length):
        both = [2 * candidate, 2 * candidate + 1]
        [outcome] = yield Ask([candidate], fresh=fresh, best=Heard(heard=heard), ahead=iter(both))
        assert outcome is not None
        heard += ((candidate, outcome.verdict),)
        candidate = both[outcome.verdict is FAIL]
    return Heard(heard=heard)


@pytest.mark.parametrize("fresh", [False, True])
def test_with_one_worker_none_is_run(fresh: bool) -> None:
    subject = subject_of(f"one worker {fresh}")
    with rw.Lab(subject) as lab:
        found = lab.run(chain(8, fresh=fresh))
    assert subject.runs == [candidate for candidate, _ in found.heard]
    assert found.trials == found.asked == 8


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("width", [2, 3, 8])
def test_width_changes_nothing(width: int, fresh: bool) -> None:
    with rw.Lab(subject_of("reference")) as lab:
        wanted = lab.run(chain(8, fresh=fresh))
    subject = subject_of(f"{width} {fresh}")
    with ThreadPoolExecutor(width) as pool, rw.Lab(subject, executor=pool) as lab:
        found = lab.run(chain(8, fresh=fresh))
    assert (found, found.asked) == (wanted, wanted.asked)
    assert found.trials == len(subject) >= wanted.trials
    assert len(subject.runs) == len(set(subject.runs))


def test_what_was_tried_ahead_is_stored(tmp_path: Path) -> None:
    """Two at a time, the second worker is a step ahead: what it did serves a later run."""
    tried = threading.Event()

    def waits(candidate: int) -> Verdict:
        """The first question is answered when a hint has been tried."""
        if candidate == 1:
            assert tried.wait(PATIENCE)
        tried.set()
        return FAIL if candidate % 3 == 0 else PASS

    first = Counted(waits, name="stored")
    with ThreadPoolExecutor(2) as pool, rw.Lab(first, executor=pool, store=tmp_path / "ahead.db") as lab:
        found = lab.run(chain(1))
    assert found.heard == ((1, PASS),)
    assert 2 in first.runs

    second = Counted(waits, name="stored")
    with rw.Lab(second, store=tmp_path / "ahead.db") as lab:
        again = lab.run(chain(2), name="another")
    assert again.heard == ((1, PASS), (2, PASS))
    assert second.runs == []


# Any search with any hints, on workers of any speed


def wandering(seed: int, hints: bool) -> Search[int, Heard]:
    heard: tuple[Any, ...] = ()
    for _ in range(random.Random(seed).randrange(1, 7)):
        rng = random.Random(f"{seed} {heard}")
        candidates = [rng.randrange(8) for _ in range(rng.randrange(4))]
        ahead = [rng.randrange(8) for _ in range(6)]
        until, fresh = rng.choice([None, FAIL]), rng.random() < 0.3
        answers = yield Ask(
            candidates, until=until, fresh=fresh, best=Heard(heard=heard), ahead=iter(ahead) if hints else ()
        )
        heard += tuple(outcome and outcome.verdict for outcome in answers)
    return Heard(heard=heard)


def driven(seed: int, *, hints: bool, width: int, order: int, repeat: Any, budget: int | None) -> tuple[Any, ...]:
    """What came out, whatever the workers did meanwhile; single flight is insisted upon."""
    rng, seen = random.Random(order), set()
    run = Run(wandering(seed, hints), repeat=repeat, budget=Budget(budget))
    while True:
        while len(run.in_flight) < width and (trial := run.next()) is not None:
            assert trial.name not in seen
            seen.add(trial.name)
        if not run.in_flight:
            break
        trial = rng.choice(run.in_flight)
        verdict = random.Random(f"{seed} {trial.name}").choice([PASS, FAIL, OTHER])
        run.record(trial.finish(Outcome(verdict), 0.0))
    assert run.finding is not None
    assert run.finding.trials == len(seen)
    return run.finding, run.stopped, run.asked, run.charged


@examples(300, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    width=st.integers(1, 9),
    order=st.integers(0, 10**6),
    repeat=st.sampled_from([Once(), KOfN(1, 3), KOfN(2, 3)]),
    budget=st.none() | st.integers(0, 20),
)
def test_hints_change_nothing(seed: int, width: int, order: int, repeat: Any, budget: int | None) -> None:
    plain = driven(seed, hints=False, width=1, order=0, repeat=repeat, budget=budget)
    assert driven(seed, hints=True, width=width, order=order, repeat=repeat, budget=budget) == plain
