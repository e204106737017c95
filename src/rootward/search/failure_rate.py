"""Measure how often a failure shows, before a search begins: every conclusion of the search depends on that rate.

A search that assumes a steady failure believes each pass. If one in five runs of a failing configuration passes by
chance, such a search reports exceptions that do not exist. So the rate is measured first: `measure` makes fresh runs of
the failing candidate. If a few runs all fail, the failure counts as steady, unless the user says that it is flaky. If
one does not fail, `measure` makes more. The search then plans with the lower end of the interval around the measured
rate: a rate that is too low only costs runs, one that is too high can make the answer wrong.

The option means the same for every verb (`Flaky`): None finds out, which costs runs only if the subject takes a seed;
False means steady; True measures the rate; a number is the rate. If a failure may be flaky but no failing candidate is
known that could be measured, the search assumes that it shows in one of two runs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

from rootward.errors import InputError
from rootward.rules import Estimate
from rootward.search.ask import Answers, Ask, C, R, Search
from rootward.search.relay import first_best, relay
from rootward.search.repeat import Once, policy_for_rate
from rootward.verdict import FAIL, Outcome

Flaky = bool | float | None


@dataclass(frozen=True)
class RateTuning:
    """The numbers that control how a rate is measured. How sensitive the results are to them was not measured."""

    measured_runs: int = 20
    """Fresh runs that measure the rate of a failure that does not show every time."""
    steady_runs: int = 12
    """Fresh runs that must all fail before a subject with a seed counts as failing every time."""
    confidence: float = 0.8
    """Confidence of the interval whose lower end is the rate to plan with."""
    unknown_rate: float = 0.5
    """Rate assumed for a flaky failure when there is no failing run to measure."""


TUNING = RateTuning()


def check_flaky(flaky: object) -> None:
    """Raise InputError unless the value is None, True, False or a rate."""
    if not (flaky is None or isinstance(flaky, bool) or (isinstance(flaky, int | float) and 0 < flaky <= 1)):
        expected = "the share of runs that fail, above 0 and at most 1, or True to measure it"
        raise InputError(f"flaky = {flaky!r:.80}: expected {expected}")


def measure(
    candidate: C, *, best: Any, runs: int = TUNING.measured_runs, note: str
) -> Generator[Ask[C], Answers, list[Outcome]]:
    """Make ``runs`` fresh runs of a candidate and return the outcomes.

    If one of them does not fail, the number of runs becomes ``TUNING.measured_runs``.
    """
    outcomes: list[Outcome] = []
    while len(outcomes) < runs:
        answers = yield Ask([candidate] * (runs - len(outcomes)), fresh=True, best=best, note=note)
        outcomes += [outcome for outcome in answers if outcome is not None]
        if any(outcome.verdict is not FAIL for outcome in outcomes):
            runs = TUNING.measured_runs
    return outcomes


def run_at_measured_rate(
    make: Callable[[float], Search[C, R]], failing: C, *, steady: int | None, missed: float | None
) -> Search[C, R]:
    """Measure how often ``failing`` fails, then run the search that ``make`` returns for this rate.

    If the first ``steady`` runs all fail, it counts as failing every time; with None, no number of runs is enough for
    that. Passing runs of the search are repeated until a failure is missed in at most the share ``missed`` of cases;
    with None, the search does its own statistics.
    """
    outcomes = yield from measure(
        failing, best=first_best(make(1.0)), runs=steady or TUNING.measured_runs, note="how often does it fail?"
    )
    fails = sum(outcome.verdict is FAIL for outcome in outcomes)
    if fails == len(outcomes) and steady is not None:
        rate = 1.0
    else:
        rate = Estimate.of(fails, len(outcomes), confidence=TUNING.confidence).low if fails else TUNING.unknown_rate
    policy = Once() if missed is None else policy_for_rate(rate, missed=missed)

    def repeat_passes(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        return (yield replace(ask, repeat=ask.repeat or policy))

    return (yield from relay(make(rate), repeat_passes))
