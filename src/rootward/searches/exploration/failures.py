"""The finding of every search for failing inputs: what failed, how often, and what was tried.

Failures with different signatures are kept apart: each is a question of its own. Where nothing failed, the finding says
what that means and what not: how much of what there is was run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.finding import Finding
from rootward.plain import to_json
from rootward.rules.text import field_text, value_text
from rootward.searches.exploration.coverage import Covered
from rootward.words import count

NOTHING = Covered()
SHOWN = 8
"""Of an input, no more fields are printed than this; ..."""
TOLD = 6
"""... and of the failures, no more than this."""
STAGES = {
    "nominal": "as given",
    "natural": "with nothing exceptional",
    "values": "with all fields changed",
    "mutations": "with groups of fields changed",
    "pairs": "for pairs of values",
    "triples": "for triples of values",
    "spread": "spread over the ranges",
    "random": "at random",
}
"""What the runs of each stage were, in the order of the stages."""


@dataclass(frozen=True)
class Failure:
    """One signature, and inputs that fail with it."""

    signature: str | None
    configuration: Mapping[str, Any]
    """Of those that were seen, the one that differs least from an input that should work."""
    changed: tuple[str, ...]
    """The fields in which it differs."""
    others: tuple[Mapping[str, Any], ...] = ()
    """A few more."""
    seen: int = 1
    """In how many runs."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            "configuration": _plain(self.configuration),
            "changed": list(self.changed),
            "others": [_plain(one) for one in self.others],
            "seen": self.seen,
        }


@dataclass(frozen=True, kw_only=True)
class Failures(Finding):
    """Failures by signature, in the order in which they were met."""

    failures: tuple[Failure, ...] = ()
    passing: Mapping[str, Any] | None = None
    """Of the inputs that passed, the one that differs least from one that should."""
    tried: Mapping[str, int] = field(default_factory=dict)
    """How many runs each stage had."""
    covered: Covered = NOTHING
    """Which share of the exceptional values was tried, and of their pairs."""
    first: int | None = None
    """The number of the first run that failed, counted from 1."""
    unjudged: int = 0
    """How many runs could not be judged."""
    exhausted: bool = False
    """Whether every configuration that may be run was."""
    given: bool = False
    """Whether it was told inputs that should work."""

    @property
    def found(self) -> bool:
        return bool(self.failures)

    @property
    def runs(self) -> int:
        """How many configurations were run."""
        return sum(self.tried.values())

    def answer(self) -> dict[str, Any]:
        return {
            "found": self.found,
            "failures": [failure.to_dict() for failure in self.failures],
            "passing": None if self.passing is None else _plain(self.passing),
            "tried": dict(self.tried),
            "covered": {
                "values": self.covered.values,
                "pairs": self.covered.pairs,
                "sampled": self.covered.sampled,
            },
            "first": self.first,
            "unjudged": self.unjudged,
            "exhausted": self.exhausted,
        }

    def __str__(self) -> str:
        told = [line for failure in self.failures[:TOLD] for line in self._told(failure)]
        more = [f"... and {count(len(self.failures) - TOLD, 'more failure')}"] if len(self.failures) > TOLD else []
        return "\n".join([self._headline(), *told, *more, *self._remarks()])

    def _headline(self) -> str:
        if not self.runs:
            return "No failure is known: nothing was run."
        if not self.failures:
            return f"No failure was found in {count(self.runs, 'run')}."
        if self.tried.get("nominal", 0) == self.runs:
            return "An input that should work fails."
        if len(self.failures) == 1:
            return f"A failure was found in run {self.first:,} of {self.runs:,}."
        found = f"{len(self.failures)} different failures were found in {self.runs:,} runs"
        return f"{found}, the first in run {self.first:,}."

    def _told(self, failure: Failure) -> Iterator[str]:
        often = f"seen {'once' if failure.seen == 1 else f'{failure.seen} times'}"
        yield f"Failure: {failure.signature}, {often}" if failure.signature else f"Failure: {often}"
        names, total = failure.changed, len(failure.configuration)
        if not self.given and total <= SHOWN:
            names = tuple(failure.configuration)
        for name in names[:SHOWN]:
            yield f"  {field_text(name)} = {value_text(failure.configuration[name])}"
        if len(names) > SHOWN:
            yield f"  and {count(len(names) - SHOWN, 'more field')} changed"
        if len(names) < total:
            others = "all fields" if not names else "the others" if total - len(names) > 1 else "the other one"
            yield f"  {others} {'as in an input that should work' if self.given else 'with nothing exceptional'}"

    def _remarks(self) -> list[str]:
        if not self.runs:
            return []
        kinds = [f"{self.tried[stage]:,} {words}" for stage, words in STAGES.items() if self.tried.get(stage)]
        unjudged = count(self.unjudged, "run")
        return [
            f"Runs: {', '.join(kinds)}.",
            *([] if self.failures else [self._extent()]),
            *([f"{unjudged} could not be judged: whether they fail is not known."] if self.unjudged else []),
        ]

    def _extent(self) -> str:
        """What it means that nothing failed."""
        if self.exhausted and not self.unjudged:
            return "That is every configuration that may be run: there is no failure."
        pairs = self.covered.pairs
        share = f"{_percent(self.covered.values)} of the values to try occurred"
        both = "" if pairs is None else f", and {'about ' * self.covered.sampled}{_percent(pairs)} of their pairs"
        return f"{share}{both}. A failure that needs more is still possible."


def _plain(configuration: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_json(value) for name, value in configuration.items()}


def _percent(share: float) -> str:
    """Never all, or none, unless it is."""
    return f"{min(max(share, 0.001), 0.999):.1%}" if 0 < share < 1 else f"{share:.0%}"
