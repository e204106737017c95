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

MAX_LISTED_RUNS, MAX_LISTED_VALUES = 10_000, 50_000
"""Maximum number of runs of the history, and of values of these runs, in the data of a finding."""


@dataclass(frozen=True)
class Cause:
    """A conjunction that always fails, as far as is known."""

    conjunction: Conjunction
    support: int = field(default=0, compare=False)
    """Number of different failing runs that fulfil the conjunction."""
    attempts: int = field(default=0, compare=False)
    """Number of the supporting runs that this search made itself. Each could have refuted the cause by passing."""
    size: int = field(default=0, compare=False)
    """Number of instances of the universe that fulfil the conjunction."""
    confidence: float | None = field(default=None, compare=False)
    """The method's confidence that the cause is exactly this conjunction; None if the method gives none."""
    passed: int = field(default=0, compare=False)
    """Number of runs that fulfil the conjunction but passed. Not 0 only if the failure is flaky."""
    text: str = field(default="", compare=False)
    """The conjunction in words."""
    needed: tuple[tuple[str, Mapping[str, Any]], ...] = field(default=(), compare=False)
    """For parameters in the conjunction, a passing run that fulfils all other conditions: it shows that the parameter
    is needed. Parameters for which no such run is known are left out."""

    def __str__(self) -> str:
        return self.text or str(self.conjunction)

    @property
    def definitive(self) -> bool:
        """True if every instance that fulfils the conjunction was run and failed."""
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
        """Return the reasons to believe the cause, as sentences."""
        return list(presenter_of("causes").evidence(self))


@dataclass(frozen=True, kw_only=True)
class Causes(Finding):
    """The minimal root causes that were found."""

    details: tuple[Cause, ...] = ()
    """The causes, the one that explains most failing runs first."""
    goal: str = "all"
    of: int = 0
    """Number of parameters."""
    failing: int = field(default=0, compare=False)
    """Number of different failing runs known, including those of the history."""
    unexplained: int = field(default=0, compare=False)
    """Number of known failing runs that no cause explains."""
    passing: int = field(default=0, compare=False)
    guarantee: tuple[Fact, ...] = field(default=(), compare=False)
    """Facts about causes that were not found."""
    notes: tuple[Fact, ...] = field(default=(), compare=False)
    """Other facts that a person should know."""
    tested: bool = True
    """False if nothing could be run, or no new run judged. Then the causes are only what the history suggests."""
    history: Runs | None = field(default=None, compare=False, repr=False)
    """The runs that were given as history; None if they are not available."""

    @property
    def causes(self) -> list[Conjunction]:
        return [cause.conjunction for cause in self.details]

    @property
    def rule(self) -> Rule:
        """A rule that holds where one of the causes holds."""
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
            "history": self._list_history(),
        }

    def _list_history(self) -> dict[str, Any] | None:
        """Return the given runs as columns, cut to a maximum size.

        The settings that a cause names come first.
        """
        runs = self.history
        if runs is None or not len(runs):
            return None
        names = runs.pipeline.names
        named = [name for cause in self.causes for name in sorted(cause.fields) if name in names]
        fields = list(dict.fromkeys([*named, *names]))[: max(1, MAX_LISTED_VALUES // min(len(runs), MAX_LISTED_RUNS))]
        rows = runs.sample_rows(MAX_LISTED_RUNS // 2)
        return {
            "total": len(runs),
            "listed": len(rows),
            "failed": [int(failed) for failed in runs.fails[rows] > 0],
            "fields": {name: _encode_column(runs, names.index(name), rows) for name in fields},
            "left_out": len(names) - len(fields),
        }


def _encode_column(runs: Runs, parameter: int, rows: Any) -> dict[str, Any]:
    """Return one setting of the runs as a column.

    The column consists of the distinct values that occur and, for each run, the index of its value among them.
    """
    places = runs.codes[rows, parameter].tolist()
    index = {place: number for number, place in enumerate(sorted(set(places)))}
    values = [to_json(runs.pipeline.values[parameter][place]) for place in index]
    return {"values": values, "index": [index[place] for place in places]}
