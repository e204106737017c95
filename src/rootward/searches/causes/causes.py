"""The finding of every search for causes: conjunctions of settings that always fail, each with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rootward.finding import Finding
from rootward.plain import to_json
from rootward.rules import Conjunction, Rule
from rootward.rules.text import field_text, value_text

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
        if self.definitive:
            said = [f"{_all(self.size)} with these settings {'was' if self.size == 1 else 'were'} run, and failed."]
        else:
            sure = "" if self.confidence is None else f" {_percent(self.confidence)} sure."
            tried = f", {self.attempts} of them made now," if self.attempts else ""
            every = "and failed" if self.support == 1 or self.passed else "and all failed"
            if self.passed:
                every += f"; {_runs(self.passed)} with them passed, as it does not show every time"
            said = [f"{_runs(self.support)} had these settings{tried} {every}.{sure}"]
        if passed := ", ".join(f"{field_text(name)} = {value_text(run[name])}" for name, run in self.needed):
            said.append(f"It passed with {passed} instead{' (one at a time)' if len(self.needed) > 1 else ''}.")
        return said


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
    guarantee: str = field(default="", compare=False)
    """What is known about causes that were not found."""
    notes: tuple[str, ...] = field(default=(), compare=False)
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
        return {
            "goal": self.goal,
            "of": self.of,
            "causes": [cause.to_dict() for cause in self.details],
            "rule": self.rule.to_dict(),
            "failing": self.failing,
            "passing": self.passing,
            "unexplained": self.unexplained,
            "guarantee": self.guarantee,
            "notes": list(self.notes),
            "tested": self.tested,
            "remarks": self._remarks(),
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

    def __str__(self) -> str:
        lines = [self._headline()]
        for number, cause in enumerate((one for one in self.details if one.conjunction), 1):
            lines += [f"  {number}. {cause}", *(f"     {said}" for said in cause.evidence())]
        return "\n".join([*lines, *self._remarks()])

    def _headline(self) -> str:
        known = f"{_runs(self.failing)} failed and {self.passing} passed"
        settings = "1 setting" if self.of == 1 else f"{self.of} settings"
        if not self.details:
            return f"No cause is known ({settings}; {known})."
        if self.details[0].conjunction == Conjunction():
            alone = "" if self.tested else "By the history alone: "
            return f"{alone}It fails whatever the {settings} {'is' if self.of == 1 else 'are'}: {known}."
        which = "this holds" if len(self.details) == 1 else f"one of these {len(self.details)} causes holds"
        hope = "It fails whenever" if self.complete else "So far, it seems to fail whenever"
        if not self.tested:
            hope = "By the history alone, it seems to fail whenever"
        return f"{hope} {which} ({settings}; {known}):"

    def _remarks(self) -> list[str]:
        left = "1 failing run is" if self.unexplained == 1 else f"{self.unexplained} failing runs are"
        missing = [f"{left} not explained by {'it' if len(self.details) == 1 else 'them'}."] if self.details else []
        guarantee = [self.guarantee] if self.guarantee else []
        return [*(missing if self.unexplained else []), *guarantee, *self.notes]


def _column(runs: Runs, parameter: int, rows: Any) -> dict[str, Any]:
    """The values of one setting that occur, and for each run which of them it had."""
    places = runs.codes[rows, parameter].tolist()
    known = {place: number for number, place in enumerate(sorted(set(places)))}
    values = [to_json(runs.pipeline.values[parameter][place]) for place in known]
    return {"values": values, "index": [known[place] for place in places]}


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count} runs"


def _all(count: int) -> str:
    return "The only combination" if count == 1 else f"All {count} combinations"


def _percent(share: float) -> str:
    return "More than 99%" if share > 0.99 else f"{share:.0%}"
