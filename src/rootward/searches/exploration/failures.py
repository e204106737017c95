"""The finding of every search for failing inputs: what failed, how often, and what was tried.

Failures with different signatures are kept apart: each is a question of its own. Where nothing failed, the finding says
what that means and what not: how much of what there is was run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.search.finding import Finding
from rootward.searches.exploration.dictionary import Covered
from rootward.space.values import to_json

NOTHING = Covered()
STAGES = ("nominal", "natural", "values", "mutations", "pairs", "triples", "spread", "random")
"""The stages of a search, in their order."""


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


def _plain(configuration: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_json(value) for name, value in configuration.items()}
