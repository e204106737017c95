"""What the tests of the lab share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rootward.lab.run import Run
from rootward.search.ask import Ask, Search
from rootward.search.finding import Finding
from rootward.subjects.function import Function, fails_when
from rootward.verdict import FAIL, Outcome, Verdict


@dataclass(frozen=True, kw_only=True)
class Heard(Finding):
    """A finding for searches that only listen: all they were told so far."""

    heard: tuple[Any, ...] = ()

    def answer(self) -> dict[str, Any]:
        return {"heard": [str(item) for item in self.heard]}

    def __str__(self) -> str:
        return f"heard {len(self.heard)} answers"


def asking(*batches: Sequence[Any], until: Any = None, fresh: bool = False) -> Search[Any, Heard]:
    """Ask one batch after another; the finding is the verdicts."""
    heard: list[Any] = []
    for batch in batches:
        answers = yield Ask(batch, until=until, fresh=fresh, best=Heard(heard=tuple(heard)))
        heard += [outcome and outcome.verdict for outcome in answers]
    return Heard(heard=tuple(heard))


def started(run: Run[Any], limit: int = 100) -> list[Any]:
    """The candidates of all trials that may start now."""
    return [trial.candidate for _ in range(limit) if (trial := run.next()) is not None]


def answer(run: Run[Any], said: dict[Any, Verdict]) -> None:
    """Record an outcome for each running trial whose candidate is among them."""
    for trial in run.in_flight:
        if trial.candidate in said:
            run.record(trial.finish(Outcome(said[trial.candidate]), 0.0))


def fails(**details: Any) -> Outcome:
    return Outcome(FAIL, **details)


_counted: dict[int, Counted] = {}


def _find(number: int) -> Counted:
    return _counted[number]


class Counted:
    """A function as a subject with a name of its own. It counts its runs, also in the threads of a pool."""

    inline = True

    def __init__(self, function: Callable[..., Any], *, name: str = "counted", seeded: bool = False) -> None:
        self.function, self.identity, self.seeded = Function(function), name, seeded
        self.runs: list[Any] = []
        _counted[id(self)] = self

    def __reduce__(self) -> Any:
        return _find, (id(self),)

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        self.runs.append(candidate)
        return self.function.call(candidate, seed)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return f"{self.identity} {candidate}"

    def __len__(self) -> int:
        return len(self.runs)


def needs(*wanted: Any, name: str = "counted") -> Counted:
    return Counted(fails_when(lambda kept: all(item in kept for item in wanted)), name=name)
