"""Measure how often a failure shows, before a search begins: every conclusion of the search depends on that rate.

A search that assumes a steady failure believes each pass. If one in five runs of a failing configuration passes by
chance, such a search reports exceptions that do not exist. So the rate is measured first: `measure` makes fresh runs of
the failing candidate. If a few runs all fail, the failure counts as steady, unless the user says that it is flaky. If
one does not fail, `measure` makes more. The search then plans with the lower end of the interval around the measured
rate: a rate that is too low only costs runs, one that is too high can make the answer wrong.

"5 of 5" does not prove that a failure is steady: one of rate 60% looks like that once in 13 times. What such luck would
make wrong is the final answer, so the runs that the answer rests on are repeated (`runs_to_trust` says how often).
If one of them changes its verdict, the failure is flaky after all: its rate is measured, and the search starts again
with it. A steady failure only costs these repetitions.

If no failing candidate is given, the first one that fails in the search is measured before the search continues
(`run_at_rate_of_first_failure`). A failing run of a history is never run again for that: the first failing run that the
search makes itself is measured.

The option means the same for every verb (`Flaky`): None finds out; False means steady; True measures the rate; a number
is the rate. Until a first failure shows, one that may be flaky is assumed to show in one of two runs. A Python function
is no steadier than a command: it may use random numbers, threads or the time as well.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic

from rootward.errors import InputError
from rootward.rules import Estimate
from rootward.search.ask import Answers, Ask, C, R, Replay, Search
from rootward.search.finding import Steadiness
from rootward.search.premises import (
    NO_PREMISES,
    Premises,
    check_same_failure,
    check_start,
    refuse_lost_failure,
    refuse_scattered_failures,
)
from rootward.search.relay import EarlyResult, best_after_first_run, first_best, relay
from rootward.search.repeat import Once, Policy, policy_for_rate
from rootward.search.reruns import run_again
from rootward.space.candidate import Version, key_of
from rootward.verdict import FAIL, PASS, Outcome

Flaky = bool | float | None


@dataclass(frozen=True)
class RateTuning:
    """The numbers that control how a rate is measured. How sensitive the results are to them was not measured."""

    measured_runs: int = 20
    """Fresh runs that measure the rate of a failure that does not show every time."""
    steady_runs: int = 12
    """Runs that must all fail before a subject with a seed counts as failing every time."""
    steady_runs_unseeded: int = 5
    """The same for a subject without a seed."""
    max_repeated: int = 60
    """Maximum number of repetitions before an answer; if it rests on more runs, each is repeated once."""
    trusted_miss: float = 0.001
    """Accepted probability that a failure of any rate looks steady and that one false pass stays unnoticed. With it, a
    run is repeated 3 times after 5 failing ones; 100 reductions at a rate of 60% then had no false minimum."""
    confidence: float = 0.8
    """Confidence of the interval whose lower end is the rate to plan with."""
    unknown_rate: float = 0.5
    """Rate assumed for a flaky failure when there is no failing run to measure."""


TUNING = RateTuning()
ONCE = Once()
RECHECK_NOTE = "do the runs that the answer rests on have the same verdict again?"


def check_flaky(flaky: object) -> None:
    """Raise InputError unless the value is None, True, False or a rate."""
    if not (flaky is None or isinstance(flaky, bool) or (isinstance(flaky, int | float) and 0 < flaky <= 1)):
        expected = "the share of runs that fail, above 0 and at most 1, or True to measure it"
        raise InputError(f"flaky = {flaky!r:.80}: expected {expected}")


def measure(
    candidate: C, *, best: Any, runs: int = TUNING.measured_runs, note: str, known: Iterable[Outcome] = ()
) -> Generator[Ask[C], Answers, list[Outcome]]:
    """Make fresh runs of a candidate, ``runs`` in all with the ``known`` ones, and return the outcomes.

    If one of them does not fail, the number of runs becomes ``TUNING.measured_runs``.
    """
    outcomes = list(known)
    if any(outcome.verdict is not FAIL for outcome in outcomes):
        runs = TUNING.measured_runs
    while len(outcomes) < runs:
        answers = yield Ask([candidate] * (runs - len(outcomes)), fresh=True, best=best, note=note)
        outcomes += [outcome for outcome in answers if outcome is not None]
        if any(outcome.verdict is not FAIL for outcome in outcomes):
            runs = TUNING.measured_runs
    return outcomes


Crucial = Callable[[R, "Passes[C]", C | None], Iterable[tuple[C, bool]]]
"""Returns the candidates on which a finding rests, each with True if it failed, given the candidates that passed and
the failing candidate that was measured; None if no run has failed."""


def run_at_measured_rate(
    make: Callable[[float], Search[C, R]],
    failing: C,
    *,
    steady: int | None,
    missed: float | None,
    premises: Premises[C] = NO_PREMISES,
    crucial: Crucial[R, C] | None = None,
    repeats: int = 0,
    seeded: bool = True,
) -> Search[C, R]:
    """Measure how often ``failing`` fails, then run the search that ``make`` returns for this rate.

    If the first ``steady`` runs all fail, it counts as failing every time; with None, no number of runs is enough for
    that. That was luck if a run on which the answer rests changes its verdict when it is repeated: then the rate is
    measured after all, and the search starts again. Passing runs of a flaky search are repeated until a failure is
    missed in at most the share ``missed`` of cases; with None, the search does its own statistics.

    :param premises: what is checked before anything else
    :param crucial: returns the runs to repeat before a finding is believed
    :param repeats: how often each of these is repeated
    :param seeded: False if the subject takes no seed: then two runs of one input have to fail in the same way
    """
    best = first_best(make(1.0))
    first = yield from check_start(failing, premises, best=best)
    passes = Passes[C]()
    if first.verdict is not FAIL and steady is not None and not seeded:  # the search has to find out why
        return (yield from relay(make(1.0), partial(_run_once, passes)))
    if first.verdict is FAIL:
        best = best_after_first_run(make(1.0), failing, first)
    outcomes = _single_runs(first)
    if steady is not None and steady > len(outcomes) and not seeded:
        outcomes += yield from check_same_failure(failing, [first], best=best)
    known = outcomes if steady is not None else ()  # the runs until the first failure are a biased sample
    outcomes = yield from _measure_or_trust(failing, steady, known, best=best)
    if not seeded:
        refuse_scattered_failures(outcomes)
        refuse_lost_failure(outcomes[:1], outcomes[1:])
    found = None
    if _is_steady(outcomes, steady):
        found = yield from relay(make(1.0), partial(_run_once, passes))
    recheck = partial(_repeat_crucial, passes=passes, crucial=crucial, repeats=repeats)
    found = yield from _trust_or_restart(make, found, failing, outcomes, missed, recheck)
    return replace(found, error=first.detail)


def run_at_rate_of_first_failure(
    make: Callable[[float], Search[C, R]],
    *,
    first_repeat: Policy,
    steady: int | None,
    missed: float | None,
    crucial: Crucial[R, C],
    repeats: int,
) -> Search[C, R]:
    """Run a search that has no failing candidate to measure, and measure the first one that fails in it.

    The other parameters are those of ``run_at_measured_rate``.

    :param first_repeat: decides the verdicts until then
    """
    passes, measured = Passes[C](), list[tuple[C, list[Outcome]]]()

    def measure_first(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers | EarlyResult[Any]]:
        if measured:
            return (yield from _run_once(passes, ask))
        answers = yield from _run_once(passes, ask, first_repeat)
        for candidate, outcome in zip(ask.candidates, answers, strict=True):
            if outcome is not None and outcome.verdict is FAIL and not isinstance(candidate, Replay):
                known = _single_runs(outcome) if steady is not None else ()
                outcomes = yield from _measure_or_trust(candidate, steady, known, best=ask.best)
                measured.append((candidate, outcomes))
                return answers if _is_steady(outcomes, steady) else EarlyResult(None)
        return answers

    found: R | None = yield from relay(make(1.0), measure_first)
    failing, outcomes = measured[0] if measured else (None, [])
    recheck = partial(_repeat_crucial, passes=passes, crucial=crucial, repeats=repeats)
    return (yield from _trust_or_restart(make, found, failing, outcomes, missed, recheck))


def _measure_or_trust(
    candidate: C, steady: int | None, known: Iterable[Outcome], *, best: Any
) -> Generator[Ask[C], Answers, list[Outcome]]:
    """Return runs of a failing candidate: ``steady`` of them if all fail, otherwise as many as measure its rate."""
    note = "how often does it fail?"
    return (yield from measure(candidate, best=best, runs=steady or TUNING.measured_runs, note=note, known=known))


def _is_steady(outcomes: Sequence[Outcome], steady: int | None) -> bool:
    return steady is not None and all(outcome.verdict is FAIL for outcome in outcomes)


def _trust_or_restart(
    make: Callable[[float], Search[C, R]],
    found: R | None,
    failing: C | None,
    outcomes: list[Outcome],
    missed: float | None,
    recheck: Callable[[R, C | None], Generator[Ask[C], Answers, tuple[int, list[C]]]],
) -> Search[C, R]:
    """Return the finding of a search that took the failure for steady, if the runs that it rests on agree again.

    Otherwise, or if there is no such finding, run the search that ``make`` returns for the measured rate.

    :param failing: the candidate that was measured; None if no run has failed: a history may say where it fails
    :param outcomes: its runs so far
    :param recheck: repeats the runs; returns their number and the candidates with another verdict
    """
    repeated, changed = 0, list[C]()
    if found is not None:
        repeated, changed = yield from recheck(found, failing)
        if not changed and not getattr(found, "unsteady", False):
            steadiness = Steadiness(len(outcomes), len(outcomes), repeated, 0)
            return found if failing is None else replace(found, steadiness=steadiness)
        if failing is not None:
            outcomes = yield from measure(failing, best=found, note=RECHECK_NOTE, known=outcomes)
        if changed and all(outcome.verdict is FAIL for outcome in outcomes):  # another candidate is the flaky one
            outcomes = yield from measure(changed[0], best=found, note=RECHECK_NOTE)
    steadiness = Steadiness(_count_fails(outcomes), len(outcomes), repeated, len(changed))
    found = yield from _run_as_flaky(make, steadiness, missed)
    return replace(found, steadiness=steadiness)


def _repeat_crucial(
    found: R, failing: C | None, *, passes: Passes[C], crucial: Crucial[R, C] | None, repeats: int
) -> Generator[Ask[C], Answers, tuple[int, list[C]]]:
    """Repeat the runs that a finding rests on; return their number and the candidates whose verdict changed.

    If there are many, each is repeated less often: then a flaky failure would show in one of them.
    """
    chosen = list(crucial(found, passes, failing)) if crucial is not None and found.complete else []
    times = min(repeats, max(1, TUNING.max_repeated // max(1, len(chosen))))
    again = [one for one in chosen for _ in range(times)]
    return len(again), (yield from run_again(again, best=found, note=RECHECK_NOTE)) if again else []


def _run_as_flaky(
    make: Callable[[float], Search[C, R]], steadiness: Steadiness, missed: float | None
) -> Generator[Ask[C], Answers, R]:
    """Run the search for the rate that was measured, and repeat its passing runs accordingly."""
    rate = _rate_to_plan_with(steadiness)
    policy = Once() if missed is None else policy_for_rate(rate, missed=missed)

    def repeat_passes(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        return (yield replace(ask, repeat=ask.repeat or policy))

    return (yield from relay(make(rate), repeat_passes))


def steady_runs_of(seeded: bool) -> int:
    """Return how often a failing candidate must fail before its failure counts as steady."""
    return TUNING.steady_runs if seeded else TUNING.steady_runs_unseeded


def runs_to_trust(fails: int, *, missed: float) -> int:
    """Return how often to repeat the runs on which an answer rests, if the failing input failed in ``fails`` runs.

    A failure of rate r looks steady with probability r**fails, and still does after k repetitions of the smallest
    failing candidate with probability r**(fails + k). One of the other candidates that fail at this rate passes k + 1
    times with probability (1 - r)**(k + 1). The number is the smallest k for which the product of the last two is at
    most ``missed`` for every r; it is largest for r = (fails + k) / (fails + 2k + 1).
    """
    repeats = 0
    while True:
        rate = (fails + repeats) / (fails + 2 * repeats + 1)
        if rate ** (fails + repeats) * (1 - rate) ** (repeats + 1) <= missed:
            return repeats
        repeats += 1


class Passes(Generic[C]):
    """The candidates that passed, by their keys, in the order in which they were answered.

    Of versions of a file, only the keys are kept: thousands of texts would fill the memory.
    """

    def __init__(self) -> None:
        self._candidates: dict[str, C | None] = {}

    def add(self, candidate: C) -> None:
        self._candidates[key_of(candidate)] = None if isinstance(candidate, Version) else candidate

    def __iter__(self) -> Iterator[C]:
        return (candidate for candidate in self._candidates.values() if candidate is not None)

    def __contains__(self, candidate: object) -> bool:
        return key_of(candidate) in self._candidates


def _run_once(passes: Passes[C], ask: Ask[C], repeat: Policy = ONCE) -> Generator[Ask[C], Answers, Answers]:
    """Answer a question of a search that takes the failure for steady, and note the candidates that passed."""
    answers = yield replace(ask, repeat=ask.repeat or repeat)
    for candidate, outcome in zip(ask.candidates, answers, strict=True):
        if outcome is not None and outcome.verdict is PASS and not isinstance(candidate, Replay):
            passes.add(candidate)
    return answers


def _single_runs(outcome: Outcome) -> list[Outcome]:
    """Return the single runs behind an outcome that several runs decided."""
    return [replace(outcome, verdict=vote, votes=()) for vote in outcome.votes] or [outcome]


def _count_fails(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome.verdict is FAIL for outcome in outcomes)


def _rate_to_plan_with(seen: Steadiness) -> float:
    if not seen.fails:
        return TUNING.unknown_rate
    return Estimate.of(seen.fails, seen.runs, confidence=TUNING.confidence).low
