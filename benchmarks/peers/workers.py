"""Count the rounds of a search for causes with several workers, if all trials take equally long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from peers import pipelines
from rootward.search.ask import Ask, Search
from rootward.searches import causes
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import read_runs
from rootward.space.candidate import key_of
from rootward.verdict import FAIL, PASS, Outcome


def search(method: str) -> Callable[..., Search[Any, Causes]]:
    """Return the search of a method."""
    return causes.METHODS["bayes" if method == "auto" else method]


@dataclass(frozen=True)
class Shift:
    """A disjunction, a method, and a number of workers."""

    method: str
    width: int
    seed: Sequence[int]


@dataclass(frozen=True)
class Worked:
    rounds: int
    runs: int
    answer: str


@dataclass
class _Floor:
    """Workers that start and finish their trials together; a candidate is run once."""

    case: pipelines.PipelineCase
    width: int
    known: dict[str, Outcome] = field(default_factory=dict)
    rounds: int = 0

    def answer(self, ask: Ask[Any]) -> list[Outcome | None]:
        """Return the outcomes in the order of the candidates; with ``until``, those after the first such outcome are
        None."""
        answers: list[Outcome | None] = []
        for place, candidate in enumerate(ask.candidates):
            if key_of(candidate) not in self.known:
                self._round([*islice(ask.candidates, place, None), *ask.ahead])
            answers.append(self.known[key_of(candidate)])
            if ask.until is not None and self.known[key_of(candidate)].verdict is ask.until:
                break
        return answers + [None] * (len(ask.candidates) - len(answers))

    def _round(self, wanted: Sequence[Any]) -> None:
        self.rounds += 1
        new = {key_of(one): one for one in wanted if key_of(one) not in self.known}
        for key, one in islice(new.items(), self.width):
            self.known[key] = Outcome(FAIL if self.case.fails(one) else PASS)


def work(shift: Shift) -> Worked:
    """Search for all causes of a disjunction with a latin history."""
    case = pipelines.make("disjunction", shift.seed)
    runs = pipelines.history(case, "latin", shift.seed)
    pipeline = Pipeline(case.space)
    floor = _Floor(case, shift.width)
    asking = search(shift.method)(pipeline, read_runs(pipeline, runs), goal="all", seed=0)
    try:
        ask = next(asking)
        while True:
            ask = asking.send(floor.answer(ask))
    except StopIteration as end:
        return Worked(floor.rounds, len(floor.known), str(end.value.rule))
