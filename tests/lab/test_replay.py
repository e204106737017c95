"""A replay is a run of a candidate with the seed of the failing one: numbered, run once, remembered by itself."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.lab.budget import Budget
from rootward.lab.run import Run
from rootward.search.ask import Ask, Replay, Search
from rootward.search.repeat import KOfN, Once, Policy
from rootward.space.candidate import key_of
from rootward.store.trial import Trial, seed_of
from rootward.verdict import FAIL, OTHER, PASS, Outcome, Verdict
from tests.properties import examples

from .helpers import Counted, Heard, asking, fails

Tried = tuple[Any, int]
"""The candidate and the seed of a trial."""


def tried(run: Run[Heard], *, outcome: Outcome | None = None) -> list[Tried]:
    """Run everything, one after another, with the same outcome."""
    found: list[Tried] = []
    while (trial := run.next()) is not None:
        found.append((trial.candidate, trial.seed))
        run.record(trial.finish(outcome or fails(), 0.0))
    return found


def seeds_of_z(count: int, seed: int = 0) -> list[int]:
    return [seed_of(seed, key_of("z"), attempt) for attempt in range(count)]


# Which trial it is


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("fresh", [False, True])
def test_it_has_the_very_seed_of_the_failing_candidates_attempt(seed: int, fresh: bool) -> None:
    run = Run(asking([Replay("a", 3), Replay("b", 0), Replay("a", 1)], fresh=fresh), failing="z", seed=seed)
    seeds = seeds_of_z(4, seed)
    assert tried(run) == [("z", seeds[0]), ("a", seeds[3]), ("b", seeds[0]), ("a", seeds[1])]


@pytest.mark.parametrize("fresh", [False, True])
def test_of_the_failing_candidate_it_is_that_attempt(fresh: bool) -> None:
    run = Run(asking([Replay("z", 0), Replay("z", 2)], [Replay("z", 2), Replay("z", 1)], fresh=fresh), failing="z")
    seeds = seeds_of_z(3)
    assert tried(run) == [("z", seeds[0]), ("z", seeds[2]), ("z", seeds[1])], "the first is the confirmation"
    assert {trial.name for trial in run.known_trials} == {(key_of("z"), attempt) for attempt in range(3)}
    assert (run.executed, run.charged, run.asked) == (3, 3, 5)


def test_the_runs_that_confirm_a_flaky_failure_are_its_first_attempts() -> None:
    run = Run(asking([Replay("z", n) for n in range(4)]), failing="z", repeat=KOfN(1, 3))
    verdicts = iter([PASS, FAIL, OTHER, FAIL])
    while (trial := run.next()) is not None:
        run.record(trial.finish(Outcome(next(verdicts)), 0.0))
    assert run.finding == Heard(heard=(PASS, FAIL, OTHER, FAIL))
    assert run.executed == 4


def test_the_next_fresh_run_comes_after_those_that_were_replayed() -> None:
    run = Run(asking([Replay("z", 1)], ["z"], fresh=True), failing="z")
    assert tried(run) == [("z", seed) for seed in seeds_of_z(3)]


def test_asked_twice_it_is_run_once() -> None:
    once, twice = Replay("a", 1), [Replay("a", 1), Replay("a", 1)]
    run = Run(asking(twice, [once], twice), failing="z")
    assert tried(run) == [("z", seeds_of_z(1)[0]), ("a", seeds_of_z(2)[1])]
    assert run.finding == Heard(heard=(FAIL,) * 5)


@pytest.mark.parametrize("fresh", [False, True])
def test_while_it_is_running_it_is_not_started_again(fresh: bool) -> None:
    run = Run(asking([Replay("a", 1), Replay("a", 1), Replay("a", 2)], fresh=fresh))
    trials = [run.next() for _ in range(3)]
    assert [trial and trial.attempt for trial in trials] == [1, 2, None]


def test_it_is_run_once_whatever_is_repeated() -> None:
    run = Run(asking([Replay("a", 0)]), failing="z", repeat=KOfN(2, 3))
    assert [candidate for candidate, _ in tried(run)] == ["z", "z", "a"]


# It is no trial of the candidate itself


def test_a_plain_trial_of_the_same_candidate_is_another() -> None:
    run = Run(asking([Replay("a", 0), "a"]), failing="z")
    [_, replayed, plain] = tried(run)
    assert replayed == ("a", seed_of(0, key_of("z"), 0))
    assert plain == ("a", seed_of(0, key_of("a"), 0))
    assert len({trial.key for trial in run.known_trials}) == 3


@pytest.mark.parametrize("first", [0, 1])
def test_its_outcome_is_not_the_candidates_verdict(first: int) -> None:
    both: list[Any] = ["a", Replay("a", 0)]
    run = Run(asking([both[first]], [both[1 - first]], both), failing="z")
    said = {key_of("z"): FAIL, key_of("a"): PASS}
    while (trial := run.next()) is not None:
        run.record(trial.finish(Outcome(said.get(trial.key, FAIL)), 0.0))
    heard = (PASS, FAIL)
    assert run.finding == Heard(heard=(heard[first], heard[1 - first], *heard))
    assert run.executed == 3


def test_another_failure_is_none_here_either() -> None:
    run = Run(asking([Replay("a", 0)]), failing="z")
    for signature in ("x", "y"):
        trial = run.next()
        assert trial is not None
        run.record(trial.finish(fails(signature=signature), 0.0))
    assert run.finding == Heard(heard=(OTHER,))


def test_fresh_runs_of_the_candidate_are_numbered_as_without_it() -> None:
    run = Run(asking([Replay("a", 5)], ["a"], fresh=True), failing="z")
    assert tried(run)[-1] == ("a", seed_of(0, key_of("a"), 0))


def test_without_a_failing_candidate_all_share_one_seed_for_each_number() -> None:
    run = Run(asking([Replay("a", 0), Replay("b", 0), Replay("a", 1)]))
    seeds = [seed for _, seed in tried(run)]
    assert seeds[0] == seeds[1] != seeds[2]


def test_until_ends_at_one() -> None:
    run = Run(asking([Replay("a", 0), Replay("a", 1), "b"], until=FAIL), failing="z")
    assert len(tried(run)) == 2
    assert run.finding == Heard(heard=(FAIL, None, None))


# Ahead of need


def hinting(*questions: tuple[Sequence[Any], Iterable[Any]], fresh: bool = False) -> Search[Any, Heard]:
    heard: tuple[Any, ...] = ()
    for batch, ahead in questions:
        answers = yield Ask(batch, fresh=fresh, best=Heard(heard=heard), ahead=ahead)
        heard += tuple(outcome and outcome.verdict for outcome in answers)
    return Heard(heard=heard)


@pytest.mark.parametrize("fresh", [False, True])
def test_idle_workers_try_those_that_may_come(fresh: bool) -> None:
    search = hinting((["b"], [Replay("a", 1), Replay("a", 1), Replay("a", 0)]), ([Replay("a", 0)], ()), fresh=fresh)
    run = Run(search)
    trials = [trial for _ in range(5) if (trial := run.next()) is not None]
    assert [(trial.candidate, trial.attempt) for trial in trials] == [("b", 0), ("a", 1), ("a", 0)]
    for trial in reversed(trials):
        run.record(trial.finish(fails(), 0.0))
    assert run.finding == Heard(heard=(FAIL, FAIL))
    assert (run.executed, run.charged) == (3, 2)


def test_what_confirms_the_failure_is_not_tried_ahead_as_well() -> None:
    run = Run(hinting(([Replay("z", 0)], [Replay("z", 0), Replay("z", 1)])), failing="z")
    trials = [trial for _ in range(4) if (trial := run.next()) is not None]
    assert [trial.attempt for trial in trials] == [0, 1]
    assert {trial.key for trial in trials} == {key_of("z")}


# The budget


def test_each_is_charged_once() -> None:
    batch = [Replay("a", 0), Replay("z", 0), Replay("a", 0), Replay("z", 1)]
    run = Run(asking(batch, batch), failing="z", budget=Budget(trials=3))
    assert len(tried(run)) == 3
    assert (run.stopped, run.charged, run.asked) == (None, 3, 9)


@pytest.mark.parametrize("trials", range(4))
def test_the_budget_ends_where_one_is_not_paid_for(trials: int) -> None:
    run = Run(asking([Replay("a", 0)], [Replay("a", 0)], [Replay("a", 1), "a"]), failing="z", budget=Budget(trials))
    assert len(tried(run)) == trials
    assert (run.stopped, run.charged) == ("budget", trials)
    assert run.finding == Heard(heard=(FAIL,) * (0, 0, 2, 2)[trials], complete=False)


# Whatever the width


CANDIDATES = "abcz"


def wandering(seed: int, hints: bool) -> Search[str, Heard]:
    """Ask at random, as the answers say: replays and plain candidates, the failing one among both."""
    heard: tuple[Any, ...] = ()
    for _ in range(random.Random(seed).randrange(1, 8)):
        rng = random.Random(f"{seed} {heard}")

        def drawn(rng: random.Random = rng) -> Any:
            return Replay(rng.choice(CANDIDATES), rng.randrange(4)) if rng.random() < 0.6 else rng.choice(CANDIDATES)

        batch, ahead = ([drawn() for _ in range(rng.randrange(most))] for most in (6, 8))
        until, fresh = rng.choice([None, None, FAIL, PASS]), rng.random() < 0.5
        ask = Ask(batch, until=until, fresh=fresh, best=Heard(heard=heard), ahead=iter(ahead) if hints else ())
        answers = yield ask
        heard += tuple(outcome and (outcome.verdict, outcome.votes) for outcome in answers)
    return Heard(heard=heard)


def says(seed: int, trial: Trial) -> Outcome:
    """By the candidate and the seed alone, as a subject does; the failing one fails when that is confirmed."""
    rng = random.Random(f"{seed} {trial.candidate} {trial.seed}")
    verdict = rng.choice([FAIL, PASS, OTHER])
    return Outcome(FAIL if trial.key == key_of("z") and trial.attempt < 2 else verdict)


def driven(
    search: Search[str, Heard],
    seed: int,
    *,
    width: int = 1,
    order: int = 0,
    repeat: Policy | None = None,
    budget: int | None = None,
    known: Iterable[tuple[Trial, bool]] = (),
) -> tuple[Run[Heard], list[Trial]]:
    """Run it on workers of any speed; single flight is insisted upon."""
    rng, ran = random.Random(order), list[Trial]()
    run = Run(search, failing="z", repeat=repeat, budget=Budget(budget), known=known)
    while True:
        while len(run.in_flight) < width and run.next() is not None:
            pass
        if not run.in_flight:
            break
        trial = rng.choice(run.in_flight)
        ran.append(trial.finish(says(seed, trial), 0.0))
        run.record(ran[-1])
    assert len({trial.name for trial in ran}) == len(ran), "run twice"
    assert len({(trial.candidate, trial.seed) for trial in ran}) == len(ran), "run twice under two names"
    assert run.finding is not None
    assert run.finding.trials == run.executed
    return run, ran


def result(run: Run[Heard]) -> tuple[Any, ...]:
    return run.finding, run.stopped, run.asked, run.charged


REPEATS = st.sampled_from([Once(), KOfN(1, 3), KOfN(2, 3)])


@examples(300, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    width=st.integers(1, 8),
    order=st.integers(0, 10**6),
    repeat=REPEATS,
    budget=st.none() | st.integers(0, 20),
)
def test_width_and_hints_change_nothing(seed: int, width: int, order: int, repeat: Policy, budget: int | None) -> None:
    plain, ran = driven(wandering(seed, False), seed, repeat=repeat, budget=budget)
    wide, _ = driven(wandering(seed, True), seed, width=width, order=order, repeat=repeat, budget=budget)
    assert result(wide) == result(plain)
    assert plain.charged == len(ran)


@examples(100, derandomize=True)
@given(seed=st.integers(0, 10**6), width=st.integers(1, 8), repeat=REPEATS, at=st.integers(0, 15))
def test_resumed_at_any_moment_nothing_is_run_again(seed: int, width: int, repeat: Policy, at: int) -> None:
    wanted, _ = driven(wandering(seed, True), seed, repeat=repeat)
    _, first = driven(wandering(seed, True), seed, width=width, repeat=repeat, budget=at)
    known = [(trial.bare, True) for trial in first]
    run, second = driven(wandering(seed, True), seed, width=width, repeat=repeat, known=known)
    assert result(run) == result(wanted)
    assert {trial.name for trial in first}.isdisjoint(trial.name for trial in second)
    assert run.executed == len(first) + len(second)


def test_a_fresh_run_beside_a_replay_is_numbered_the_same_at_any_width() -> None:
    """Which attempt the plain candidate is must not depend on whether the replay before it has been answered."""

    def attempts(width: int) -> set[int]:
        _, ran = driven(asking([Replay("z", 5), "z"], fresh=True), 0, width=width)
        return {trial.attempt for trial in ran}

    assert attempts(1) == attempts(2)


# Sessions and stores


def test_what_another_failing_candidate_replayed_is_not_believed() -> None:
    first = Run(asking([Replay("a", 0)]), failing="z")
    tried(first)
    second = Run(asking([Replay("a", 0)]), failing="y", known=[(trial, False) for trial in first.known_trials])
    assert tried(second) == [("y", seed_of(0, key_of("y"), 0)), ("a", seed_of(0, key_of("y"), 0))]


def test_two_failing_candidates_in_one_store_do_not_share_them(tmp_path: Path) -> None:
    search = [Replay([1], 0), Replay([1], 1), [1]]
    runs = []
    for failing in ([1, 2], [1, 3], [1, 2]):
        subject = Seeds(lambda kept, seed: FAIL, name="always", seeded=True)
        with rw.Lab(subject, store=tmp_path / "store.db") as lab:
            lab.run(asking(search), failing=failing)
        runs.append(subject.runs)
    first, second, again = runs
    assert [candidate for candidate, _ in first] == [(1, 2), (1,), (1,), (1,)]
    assert [candidate for candidate, _ in second] == [(1, 3), (1,), (1,)], "the plain trial is known"
    assert set(first).isdisjoint(second)
    assert again == []


def test_a_reduction_resumes_without_running_anything_again(tmp_path: Path) -> None:
    def session(budget: int | None = None) -> tuple[rw.Reduction[int], list[Any]]:
        subject = seeded()
        return rw.reduce(range(12), subject, store=tmp_path / "store.db", budget=budget), subject.runs

    alone = seeded()
    wanted, done = rw.reduce(range(12), alone), list[Any]()
    for budget in (*range(5, wanted.trials, 15), None):
        found, runs = session(budget)
        done += runs
    assert found == wanted
    assert done == alone.runs
    assert session() == (wanted, [])


# Through the verb


def by_seed(kept: list[int], seed: int) -> Verdict:
    """The seed alone decides whether what is needed does any harm."""
    return FAIL if {1, 2} <= {item % 8 for item in kept} and random.Random(seed).random() < 0.5 else PASS


class Seeds(Counted):
    """Writes down the seed of each run as well."""

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        self.runs.append((tuple(candidate), seed))
        return self.function.call(candidate, seed)


def seeded() -> Seeds:
    return Seeds(by_seed, name="seeded", seeded=True)


def test_a_reduction_runs_nothing_twice_and_replays_the_seeds_of_the_original() -> None:
    subject = seeded()
    found = rw.reduce(range(8), subject)
    assert found.kept == [1, 2]
    assert len(subject.runs) == len(set(subject.runs)) == found.trials
    originals = {seed for kept, seed in subject.runs if len(kept) == 8}
    parts = [seed for kept, seed in subject.runs if len(kept) < 8]
    assert sum(seed in originals for seed in parts) > len(parts) / 2


@pytest.mark.parametrize("width", [2, 5])
def test_a_reduction_is_the_same_on_many_workers(width: int) -> None:
    wanted, subject = rw.reduce(range(12), seeded(), seed=3), seeded()
    with ThreadPoolExecutor(width) as pool:
        found = rw.reduce(range(12), subject, executor=pool, seed=3)
    assert (found, found.asked) == (wanted, wanted.asked)
    assert len(subject.runs) == len(set(subject.runs)) == found.trials


def test_a_subject_that_no_seed_reaches_is_just_run_once_more() -> None:
    subject = Counted(lambda candidate: FAIL if "a" in candidate else PASS)
    batch = [Replay("a", 0), Replay("a", 1), Replay("b", 0), Replay("ab", 1), Replay("ab", 0), Replay("a", 0)]
    with rw.Lab(subject) as lab:
        found = lab.run(asking(batch), failing="ab")
    assert found.heard == (FAIL, FAIL, PASS, FAIL, FAIL, FAIL)
    assert subject.runs == ["ab", "a", "a", "b", "ab"]


def test_a_reduction_of_a_subject_that_no_seed_reaches(tmp_path: Path) -> None:
    def session(seed: int) -> tuple[rw.Reduction[int], int]:
        draws = random.Random("no seed")
        subject = Counted(lambda kept: FAIL if {1, 5} <= set(kept) and draws.random() < 0.8 else PASS)
        found = rw.reduce(range(8), subject, flaky=True, seed=seed, store=tmp_path / "store.db")
        return found, len(subject)

    found, runs = session(0)
    assert found.kept == [1, 5]
    assert runs == found.trials > 0
    assert session(0) == (found, 0)
