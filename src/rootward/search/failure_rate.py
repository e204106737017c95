"""Find out how often a failure shows, before a search begins: everything that the search concludes depends on it.

A search that takes a failure to show every time believes each pass. If one in five failing configurations passes by
chance, it reports exceptions that do not exist. So a flaky failure is measured first: `measure` makes fresh runs of the
failing candidate. A few that all fail are enough to take it for steady, unless the user says that it is flaky; if one
does not fail, more are made. The rate that follows is the lower end of what these runs leave open, because to expect
too low a rate only costs runs, while too high a one costs the answer.

What a user may say is the same for every verb (`Flaky`): None to find out, which only costs runs if the subject takes a
seed; False; True to have it measured; or the rate. Where a failure may be flaky, and no failing candidate is known that
could be measured, it is taken to show in one of two runs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

from rootward.errors import InputError
from rootward.rules import Estimate
from rootward.search.ask import Answers, Ask, C, R, Search
from rootward.search.relay import first_best, relay
from rootward.search.repeat import Once, often_enough
from rootward.verdict import FAIL, Outcome

Flaky = bool | float | None


@dataclass(frozen=True)
class Tuning:
    """The numbers by which a rate is measured. How much they matter was not measured."""

    measured_runs: int = 20
    """Fresh runs that tell how often it fails, if that is not every time."""
    steady_runs: int = 12
    """Fresh runs that show that a subject with a seed fails every time."""
    confidence: float = 0.8
    """The confidence of the interval whose lower end is the rate to plan with."""
    unknown_rate: float = 0.5
    """The rate that a flaky failure is taken to have, where there is no failing run to measure."""


TUNING = Tuning()


def check_flaky(flaky: object) -> None:
    """Refuse what is not None, True, False or a rate."""
    if not (flaky is None or isinstance(flaky, bool) or (isinstance(flaky, int | float) and 0 < flaky <= 1)):
        expected = "how often it fails, above 0 and at most 1, or True to measure it"
        raise InputError(f"flaky = {flaky!r:.80}: expected {expected}")


def measure(
    candidate: C, *, best: Any, runs: int = TUNING.measured_runs, note: str
) -> Generator[Ask[C], Answers, list[Outcome]]:
    """Make fresh runs of a candidate, more than ``runs`` if one of them does not fail, and return their outcomes."""
    outcomes: list[Outcome] = []
    while len(outcomes) < runs:
        answers = yield Ask([candidate] * (runs - len(outcomes)), fresh=True, best=best, note=note)
        outcomes += [outcome for outcome in answers if outcome is not None]
        if any(outcome.verdict is not FAIL for outcome in outcomes):
            runs = TUNING.measured_runs
    return outcomes


def at_measured_rate(
    make: Callable[[float], Search[C, R]], failing: C, *, steady: int | None, missed: float | None
) -> Search[C, R]:
    """Measure how often a candidate fails, and run the search that is made for this rate.

    ``steady``: how many runs that all fail show that it fails every time; None: none do. ``missed``: repeat passing
    runs of the search until a failure is missed in this share of cases; None: the search does its own statistics.
    """
    outcomes = yield from measure(
        failing, best=first_best(make(1.0)), runs=steady or TUNING.measured_runs, note="how often does it fail?"
    )
    fails = sum(outcome.verdict is FAIL for outcome in outcomes)
    if fails == len(outcomes) and steady is not None:
        rate = 1.0
    else:
        rate = Estimate.of(fails, len(outcomes), confidence=TUNING.confidence).low if fails else TUNING.unknown_rate
    policy = Once() if missed is None else often_enough(rate, missed=missed)

    def repeated(ask: Ask[C]) -> Generator[Ask[C], Answers, Answers]:
        return (yield replace(ask, repeat=ask.repeat or policy))

    return (yield from relay(make(rate), repeated))
