"""Run against a naive interpreter: whatever the width and the order of results, the search is told the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError, NotReproduced, RootwardError
from rootward.lab.budget import Budget
from rootward.lab.run import Run
from rootward.search.ask import Ask, Search
from rootward.search.repeat import KOfN, Once, Policy, Sequential
from rootward.space.candidate import key_of
from rootward.store.trial import Trial, seed_of
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome, Verdict
from tests.properties import examples

from .helpers import Heard, answer, asking, fails, started

Subject = Callable[[str, int], Outcome]
"""Candidate key and attempt -> outcome."""


# The semantics, as plainly as they can be put


class _Stop(Exception):
    pass


class Reference:
    """Everything one after another, with no cleverness at all."""

    def __init__(
        self,
        search: Search[Any, Heard],
        subject: Subject,
        *,
        failing: Any = None,
        repeat: Policy,
        budget: int | None,
        free: Iterable[tuple[str, int]] = (),
    ) -> None:
        self.subject, self.repeat, self.budget = subject, repeat, budget
        self.paid = set(free)
        self.memo: dict[str, Outcome] = {}
        self.used: dict[str, int] = {}
        self.order: list[tuple[str, int]] = []
        self.asked = self.charged = 0
        self.signature: Any = ()
        self.stopped: str | None = None
        ask = next(search)
        try:
            if failing is not None:
                confirmed = self.answer(Ask([failing]), failing)
                if confirmed.verdict is not FAIL:
                    raise NotReproduced
                self.signature = confirmed.signature
            while True:
                ask = search.send(self.answers(ask))
        except StopIteration as end:
            self.finding = end.value
        except _Stop:
            self.stopped, self.finding = "budget", replace(ask.best, complete=False)

    def answers(self, ask: Ask[Any]) -> list[Outcome | None]:
        told: list[Outcome | None] = []
        for candidate in ask.candidates:
            outcome = self.answer(ask, candidate)
            told.append(outcome)
            if outcome.verdict is ask.until:
                break
        return told + [None] * (len(ask.candidates) - len(told))

    def answer(self, ask: Ask[Any], candidate: Any) -> Outcome:
        key = key_of(candidate)
        if ask.fresh:
            outcome: Outcome | None = self.run(key, self.used.get(key, 0))
        else:
            outcome = self.memo.get(key)
            results: list[Outcome] = []
            while outcome is None:
                results.append(self.run(key, len(results)))
                outcome = self.repeat.decide(results)
            self.memo[key] = outcome
        assert outcome is not None
        self.asked += 1
        return outcome

    def run(self, key: str, attempt: int) -> Outcome:
        if (key, attempt) not in self.paid:
            if self.charged == self.budget:
                raise _Stop
            self.charged += 1
            self.paid.add((key, attempt))
            self.order.append((key, attempt))
        self.used[key] = max(self.used.get(key, 0), attempt + 1)
        outcome = self.subject(key, attempt)
        differs = self.signature != () and outcome.verdict is FAIL and outcome.signature != self.signature
        return replace(outcome, verdict=OTHER) if differs else outcome


# Random searches on random subjects


def wandering(seed: int, log: list[Any]) -> Search[Any, Heard]:
    """Ask at random, but as the answers say: candidates come again within a question and across questions."""
    heard: tuple[Any, ...] = ()
    for _ in range(random.Random(seed).randrange(1, 8)):
        rng = random.Random(f"{seed} {heard}")
        candidates = [rng.randrange(6) for _ in range(rng.randrange(8))]
        until = rng.choice([None, None, FAIL, PASS])
        ask = Ask(candidates, until=until, fresh=rng.random() < 0.3, best=Heard(heard=heard))
        answers = yield ask
        log.append((ask, answers))
        heard += tuple(answer and (answer.verdict, answer.votes, answer.signature) for answer in answers)
    return Heard(heard=heard)


def shaky(seed: int, failing: Any) -> Subject:
    """Every attempt says something else, but always the same; the failing candidate fails often enough."""
    always = key_of(failing) if failing is not None else None

    def subject(key: str, attempt: int) -> Outcome:
        rng = random.Random(f"{seed} {key} {attempt}")
        verdict = rng.choice([PASS, FAIL, FAIL, OTHER, UNRESOLVED])
        if key == always:
            verdict = FAIL
        return Outcome(verdict, signature=rng.choice("ab") if verdict is FAIL else None)

    return subject


POLICIES = st.one_of(
    st.just(Once()),
    st.integers(1, 5).flatmap(lambda n: st.builds(KOfN, st.integers(1, n), st.just(n))),
    st.builds(Sequential, limit=st.integers(1, 9)),
)


class Driver:
    """Drives a run as a lab of some width would, but with accidents; insists on single flight."""

    def __init__(self, run: Run[Heard], subject: Subject, width: int, rng: random.Random, accidents: bool) -> None:
        self.started: list[tuple[str, int]] = []
        self.executed: set[tuple[str, int]] = set()
        flying: list[Trial] = []
        while True:
            while len(flying) < width and (trial := run.next()) is not None:
                assert trial.name not in {other.name for other in flying}, "in flight twice"
                assert trial.name not in self.executed, "run twice"
                assert trial.seed == seed_of(0, *trial.name)
                self.started.append(trial.name)
                flying.append(trial)
            assert [trial.name for trial in run.in_flight] == [trial.name for trial in flying]
            if not flying:
                break
            trial = flying.pop(rng.randrange(len(flying)))
            if accidents and rng.random() < 0.1:
                run.drop(trial)
                continue
            self.executed.add(trial.name)
            run.record(trial.finish(subject(*trial.name), 0.0))
        assert run.finished, "nothing to do, nothing flying, and no finding"
        assert run.next() is None


@examples(600, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    repeat=POLICIES,
    budget=st.none() | st.integers(0, 30),
    width=st.integers(1, 9),
    failing=st.none() | st.integers(0, 7),
    accidents=st.booleans(),
    share=st.sampled_from([0.0, 0.0, 0.3, 1.0]),
    order=st.integers(0, 10**6),
)
def test_like_one_after_another(
    seed: int,
    repeat: Policy,
    budget: int | None,
    width: int,
    failing: Any,
    accidents: bool,
    share: float,
    order: int,
) -> None:
    rng = random.Random(order)
    subject = shaky(seed, failing)
    names = [(key_of(candidate), attempt) for candidate in range(6) for attempt in range(12)]
    known = [(name, rng.random() < 0.5) for name in names if rng.random() < share]
    wanted_log: list[Any] = []
    wanted = Reference(
        wandering(seed, wanted_log),
        subject,
        failing=failing,
        repeat=repeat,
        budget=budget,
        free=[name for name, ours in known if not ours],
    )

    log: list[Any] = []
    trials = [(Trial(None, *name, 0, subject(*name)), ours) for name, ours in known]
    run = Run(wandering(seed, log), failing=failing, repeat=repeat, budget=Budget(budget), known=trials)
    driver = Driver(run, subject, width, rng, accidents)

    assert log == wanted_log
    assert (run.finding, run.stopped) == (wanted.finding, wanted.stopped)
    assert (run.asked, run.charged) == (wanted.asked, wanted.charged)
    assert run.finding is not None
    assert (run.finding.asked, run.finding.stopped) == (run.asked, run.stopped)
    assert not driver.executed & {name for name, _ in known}, "known, and run all the same"
    assert run.finding.trials == run.executed == len(driver.executed) + sum(ours for _, ours in known)
    if width == 1 and not accidents and not known:
        assert driver.started == wanted.order


@examples(200, derandomize=True)
@given(seed=st.integers(0, 10**6), repeat=POLICIES, at=st.integers(0, 20), order=st.integers(0, 10**6))
def test_stopped_and_resumed_at_any_moment(seed: int, repeat: Policy, at: int, order: int) -> None:
    rng = random.Random(order)
    subject = shaky(seed, None)
    wanted = Reference(wandering(seed, []), subject, repeat=repeat, budget=None)
    kept: list[Trial] = []
    first = Run(wandering(seed, []), repeat=repeat)
    for _ in range(at):
        if (trial := first.next()) is None:
            break
        kept.append(trial.finish(subject(*trial.name), 0.0))
        if rng.random() < 0.8:
            first.record(kept[-1])
    first.stop("interrupted")
    assert first.finding is not None
    assert first.next() is None

    second = Run(wandering(seed, []), repeat=repeat, known=[(trial, True) for trial in kept])
    driver = Driver(second, subject, rng.randrange(1, 5), rng, accidents=False)
    assert second.finding == wanted.finding
    assert not driver.executed & {trial.name for trial in kept}


# Single questions


def test_a_question_without_candidates_is_answered_at_once() -> None:
    run = Run(asking([], []))
    assert run.finished
    assert run.finding == Heard()


def test_the_first_in_order_wins_not_the_first_to_finish() -> None:
    run = Run(asking("abcd", until=FAIL))
    assert started(run) == list("abcd")
    answer(run, {"c": FAIL, "d": PASS})
    assert not run.finished
    answer(run, {"a": PASS})
    answer(run, {"b": FAIL})
    assert run.finding == Heard(heard=(PASS, FAIL, None, None))


def test_nothing_is_started_behind_a_known_winner() -> None:
    run = Run(asking(range(20), until=FAIL))
    assert started(run, 4) == [0, 1, 2, 3]
    answer(run, {2: FAIL})
    assert started(run) == []
    answer(run, {0: PASS, 1: PASS})
    assert run.finished


def test_a_candidate_is_not_started_again_while_it_is_running() -> None:
    run = Run(asking("aab", "ba"))
    assert started(run) == ["a", "b"]
    answer(run, {"a": PASS, "b": FAIL})
    assert run.finding == Heard(heard=(PASS, PASS, FAIL, FAIL, PASS))
    assert (run.executed, run.charged, run.asked) == (2, 2, 5)


def test_a_trial_left_over_from_an_earlier_question_serves_a_later_one() -> None:
    def search() -> Search[str, Heard]:
        yield Ask("ab", until=FAIL, best=Heard())
        answers = yield Ask("cb", best=Heard())
        return Heard(heard=tuple(outcome.verdict for outcome in answers if outcome))

    run = Run(search())
    assert started(run) == ["a", "b"]
    answer(run, {"a": FAIL})
    assert started(run) == ["c"]
    answer(run, {"b": OTHER, "c": PASS})
    assert run.finding == Heard(heard=(PASS, OTHER))
    assert run.executed == 3


def test_fresh_runs_again_with_the_next_attempt() -> None:
    run = Run(asking("aa", "a", fresh=True))
    trials = [run.next(), run.next()]
    assert [trial and trial.attempt for trial in trials] == [0, 1]
    assert len({trial.seed for trial in trials if trial}) == 2
    for trial in run.in_flight:
        run.record(trial.finish(fails(), 0.0))
    third = run.next()
    assert third is not None
    assert third.attempt == 2


def test_free_workers_run_attempts_ahead_which_are_not_charged() -> None:
    run = Run(asking("a"), repeat=KOfN(1, 3), budget=Budget(trials=3))
    trials = [run.next() for _ in range(4)]
    assert [trial and trial.attempt for trial in trials] == [0, 1, 2, None]
    for trial in reversed(run.in_flight):
        run.record(trial.finish(fails(), 0.0))
    assert run.finding is not None
    assert (run.finding.trials, run.charged) == (3, 1)


def test_runs_ahead_stay_within_the_budget() -> None:
    run = Run(asking(range(10)), budget=Budget(trials=3))
    assert started(run) == [0, 1, 2]


def test_trials_that_come_home_after_the_end_are_counted() -> None:
    run = Run(asking("ab", until=FAIL))
    assert started(run) == ["a", "b"]
    answer(run, {"a": FAIL})
    assert run.finding is not None
    assert run.finding.trials == 1
    answer(run, {"b": PASS})
    assert run.finding.trials == run.executed == 2


def test_a_trial_recorded_twice_counts_once() -> None:
    run = Run(asking("ab"))
    trial = run.next()
    assert trial is not None
    run.record(trial.finish(fails(), 0.0))
    run.record(trial.finish(Outcome(PASS), 0.0))
    assert run.executed == 1
    answer_b = run.next()
    assert answer_b is not None
    run.record(answer_b.finish(Outcome(PASS), 0.0))
    assert run.finding == Heard(heard=(FAIL, PASS))


def test_another_signature_is_another_failure() -> None:
    run = Run(asking("ab"), failing="a")
    trial = run.next()
    assert trial is not None
    run.record(trial.finish(fails(signature="x"), 0.0))
    trial = run.next()
    assert trial is not None
    run.record(trial.finish(fails(signature="y"), 0.0))
    assert run.signature == "x"
    assert run.finding == Heard(heard=(FAIL, OTHER))


@pytest.mark.parametrize("verdict", [PASS, OTHER, UNRESOLVED])
def test_not_reproduced(verdict: Verdict) -> None:
    run = Run(asking("ab"), failing="z", repeat=KOfN(2, 3))
    assert started(run) == ["z", "z", "z"]
    first, second, third = run.in_flight
    run.record(first.finish(Outcome(verdict, detail="odd"), 0.0))
    with pytest.raises(NotReproduced, match=r"did not fail when it was run: .* in 2 runs \(odd\)"):
        run.record(second.finish(Outcome(verdict), 0.0))
    run.record(third.finish(fails(), 0.0))  # was running; comes home after the end
    assert run.executed == 3
    assert run.next() is None


def test_a_search_that_asks_nothing_is_confirmed_all_the_same() -> None:
    run = Run(asking(), failing="z")
    assert started(run) == ["z"]
    answer(run, {"z": FAIL})
    assert run.finished


def test_stopping_closes_the_search() -> None:
    closed = []

    def search() -> Search[str, Heard]:
        try:
            yield Ask("a", best=Heard())
        finally:
            closed.append(True)
        return Heard()

    run = Run(search())
    run.stop("interrupted")
    run.stop("budget")
    assert closed == [True]
    assert run.finding is not None
    assert (run.finding.complete, run.finding.stopped, run.stopped) == (False, "interrupted", "interrupted")


def test_a_search_without_best_cannot_be_stopped() -> None:
    def search() -> Search[str, Heard]:
        yield Ask("a")
        return Heard()

    with pytest.raises(RootwardError, match="no best"):
        Run(search()).stop("interrupted")


def test_budget_as_the_verbs_take_it() -> None:
    assert Budget.of(None) == Budget()
    assert Budget.of(7) == Budget(trials=7)
    assert Budget.of(Budget(seconds=1.5)) == Budget(seconds=1.5)
    with pytest.raises(InputError, match="0 or more"):
        Budget.of(-1)
    with pytest.raises(InputError, match="0 or more"):
        Budget(seconds=-0.1)
