"""The finding of every search for causes: conjunctions of settings that always fail, each with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rootward.facts import Fact
from rootward.rules import Conjunction, Rule
from rootward.search.finding import Finding, presenter_of
from rootward.space.values import to_json

if TYPE_CHECKING:
    from rootward.searches.causes.runs import Runs

LISTED, CELLS = 10_000, 50_000
"""So many runs of the history, and so many of their values, are in the data of a finding."""


@dataclass(frozen=True)
class Cause:
    """A conjunction that, by all that is known, always fails."""

    conjunction: Conjunction
    support: int = field(default=0, compare=False)
    """How many different failing runs fulfil it."""
    attempts: int = field(default=0, compare=False)
    """How many of them this search ran, any of which could have refuted it by passing."""
    size: int = field(default=0, compare=False)
    """How many instances of the universe fulfil it."""
    confidence: float | None = field(default=None, compare=False)
    """How sure it is, for the method that found it, that it is exactly this; None if the method does not say."""
    passed: int = field(default=0, compare=False)
    """How many runs that fulfil it passed: only where a failure does not show every time."""
    text: str = field(default="", compare=False)
    """The conjunction in words."""
    needed: tuple[tuple[str, Mapping[str, Any]], ...] = field(default=(), compare=False)
    """For each parameter that it names: a run that fulfils all else and passed, so it cannot be left out."""

    def __str__(self) -> str:
        return self.text or str(self.conjunction)

    @property
    def definitive(self) -> bool:
        """Whether every instance that fulfils it was run and failed."""
        return self.support == self.size > 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": str(self),
            "rule": Rule([self.conjunction]).to_dict(),
            "support": self.support,
            "attempts": self.attempts,
            "passed": self.passed,
            "size": self.size,
            "definitive": self.definitive,
            "confidence": self.confidence,
            "needed": [
                {"field": name, "configuration": {key: to_json(value) for key, value in run.items()}}
                for name, run in self.needed
            ],
            "evidence": self.evidence(),
        }

    def evidence(self) -> list[str]:
        """Why to believe it, in sentences."""
        return list(presenter_of("causes").evidence(self))


@dataclass(frozen=True, kw_only=True)
class Causes(Finding):
    """The minimal root causes that were found."""

    details: tuple[Cause, ...] = ()
    """The causes, the one that explains most failing runs first."""
    goal: str = "all"
    of: int = 0
    """How many parameters there are."""
    failing: int = field(default=0, compare=False)
    """How many different failing runs are known, the history's included ..."""
    unexplained: int = field(default=0, compare=False)
    """... and how many of them no cause explains."""
    passing: int = field(default=0, compare=False)
    guarantee: tuple[Fact, ...] = field(default=(), compare=False)
    """What is known about causes that were not found."""
    notes: tuple[Fact, ...] = field(default=(), compare=False)
    """What else a person should know."""
    tested: bool = True
    """Whether anything could be run; if not, this is what the history suggests."""
    history: Runs | None = field(default=None, compare=False, repr=False)
    """The runs that were given, if they are at hand."""

    @property
    def causes(self) -> list[Conjunction]:
        return [cause.conjunction for cause in self.details]

    @property
    def rule(self) -> Rule:
        """It fails where one of the causes holds."""
        return Rule(self.causes)

    def answer(self) -> dict[str, Any]:
        presenter = presenter_of(self.kind)
        return {
            "goal": self.goal,
            "of": self.of,
            "causes": [cause.to_dict() for cause in self.details],
            "rule": self.rule.to_dict(),
            "failing": self.failing,
            "passing": self.passing,
            "unexplained": self.unexplained,
            "guarantee": presenter.guarantee(self),
            "notes": presenter.notes(self),
            "tested": self.tested,
            "remarks": self.remarks(),
            "history": self._history(),
        }

    def _history(self) -> dict[str, Any] | None:
        """The given runs as columns, settings that a cause names first: as many as the data of a finding may hold."""
        runs = self.history
        if runs is None or not len(runs):
            return None
        names = runs.pipeline.names
        named = [name for cause in self.causes for name in sorted(cause.fields) if name in names]
        fields = list(dict.fromkeys([*named, *names]))[: max(1, CELLS // min(len(runs), LISTED))]
        rows = runs.spread(LISTED // 2)
        return {
            "total": len(runs),
            "listed": len(rows),
            "failed": [int(failed) for failed in runs.fails[rows] > 0],
            "fields": {name: _column(runs, names.index(name), rows) for name in fields},
            "left_out": len(names) - len(fields),
        }


def _column(runs: Runs, parameter: int, rows: Any) -> dict[str, Any]:
    """The values of one setting that occur, and for each run which of them it had."""
    places = runs.codes[rows, parameter].tolist()
    known = {place: number for number, place in enumerate(sorted(set(places)))}
    values = [to_json(runs.pipeline.values[parameter][place]) for place in known]
    return {"values": values, "index": [known[place] for place in places]}
