"""Run one search on one bug, without a lab, and count the runs.

Only the search's own computation is timed. A configuration is run once, even if it is asked for several times.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rootward as rw
from peers.conditions import Bug


@dataclass(frozen=True)
class Evaluated:
    """The finding of a search, and its cost."""

    finding: Any
    runs: int
    """Number of distinct configurations run; with a flaky subject, all runs."""
    seconds: float
    """Processor time of the search's own computation."""
    complete: bool

    @property
    def rule(self) -> Any:
        return self.finding.rule


class Subject:
    """A subject that evaluates the condition; a failing configuration fails at the given rate."""

    def __init__(self, bug: Bug, rate: float = 1.0, seed: int = 0) -> None:
        self._bug, self._rate, self._rng = bug, rate, np.random.default_rng([seed, 11])
        self._known: dict[str, rw.Outcome] = {}
        self.runs = 0

    def run(self, configuration: Any, fresh: bool = False) -> rw.Outcome:
        key = self._bug.space.key(configuration)
        if fresh or key not in self._known:
            self.runs += 1
            fails = self._bug.fails(configuration) and (self._rate == 1 or self._rng.random() < self._rate)
            self._known[key] = rw.Outcome(rw.Verdict.FAIL if fails else rw.Verdict.PASS)
        return self._known[key]

    def knows(self, configuration: Any) -> bool:
        return self._bug.space.key(configuration) in self._known


def evaluate(
    search: Generator[Any, Any, Any], bug: Bug, budget: int = 10_000, subject: Subject | None = None
) -> Evaluated:
    """Drive a search to its end, or until one more run would exceed the budget; then its best finding counts."""
    subject = subject or Subject(bug)
    seconds, start = 0.0, time.perf_counter()
    try:
        ask = next(search)
        while True:
            seconds += time.perf_counter() - start
            answers = _answers(ask, subject, budget)
            if answers is None:
                search.close()
                return Evaluated(ask.best, subject.runs, seconds, False)
            start = time.perf_counter()
            ask = search.send(answers)
    except StopIteration as end:
        return Evaluated(end.value, subject.runs, seconds + time.perf_counter() - start, True)


def _answers(ask: Any, subject: Subject, budget: int) -> Sequence[rw.Outcome | None] | None:
    """Return the outcomes in the order of the candidates, or None if the budget does not allow them."""
    answers: list[rw.Outcome | None] = []
    for candidate in ask.candidates:
        if subject.runs >= budget and (ask.fresh or not subject.knows(candidate)):
            return None
        answers.append(subject.run(candidate, ask.fresh))
        if ask.until is not None and answers[-1] is not None and answers[-1].verdict is ask.until:
            break
    return answers + [None] * (len(ask.candidates) - len(answers))
