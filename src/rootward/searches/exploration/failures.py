"""The finding of every search for failing inputs: the failures, how often each occurred, and what was tried.

Failures with different signatures are kept apart, because each needs its own diagnosis. If nothing failed, the finding
says how much was run, so that a reader can judge how much that means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.search.finding import Finding
from rootward.searches.exploration.dictionary import CoveredShares
from rootward.space.values import to_json

NOTHING = CoveredShares()
STAGES = ("nominal", "natural", "values", "mutations", "pairs", "triples", "spread", "random")
"""The stages of a search, in their order."""


@dataclass(frozen=True)
class Failure:
    """One signature, and inputs that fail with it."""

    signature: str | None
    configuration: Mapping[str, Any]
    """The failing input that differs least from an input that should work."""
    changed: tuple[str, ...]
    """The fields in which it differs from the input that should work."""
    others: tuple[Mapping[str, Any], ...] = ()
    """A few other failing inputs."""
    seen: int = 1
    """Number of runs that failed with this signature."""
    error: str = field(default="", compare=False)
    """The last lines of the error text of the first of them; empty if it has none."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            "error": self.error,
            "configuration": _to_plain(self.configuration),
            "changed": list(self.changed),
            "others": [_to_plain(one) for one in self.others],
            "seen": self.seen,
        }


@dataclass(frozen=True, kw_only=True)
class Failures(Finding):
    """Failures by signature, in the order in which they occurred."""

    failures: tuple[Failure, ...] = ()
    passing: Mapping[str, Any] | None = None
    """The passing input that differs least from an input that should work."""
    tried: Mapping[str, int] = field(default_factory=dict)
    """Number of runs of each stage."""
    covered: CoveredShares = NOTHING
    """The shares of the exceptional values, and of their pairs, that were tried."""
    first: int | None = None
    """The number of the first run that failed, counted from 1."""
    unjudged: int = 0
    """Number of runs that could not be judged."""
    exhausted: bool = False
    """True if every configuration that may be run was run."""
    given: bool = False
    """True if inputs that should work were given."""

    @property
    def found(self) -> bool:
        return bool(self.failures)

    @property
    def runs(self) -> int:
        """Number of configurations that were run."""
        return sum(self.tried.values())

    def answer(self) -> dict[str, Any]:
        return {
            "found": self.found,
            "failures": [failure.to_dict() for failure in self.failures],
            "passing": None if self.passing is None else _to_plain(self.passing),
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


def _to_plain(configuration: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_json(value) for name, value in configuration.items()}
