"""The finding of every search for a condition: the predicate, how well it did on fresh runs, and what is not known.

A rule is a guess until runs that could have refuted it did not. So the finding says on how many fresh runs it was
checked, and names what remains open: constants that lie between two values, and regions that were hardly seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.facts import Fact
from rootward.rules import Estimate, Rule
from rootward.rules.text import field_text, value_text
from rootward.search.finding import Finding, presenter_of
from rootward.searches.conditions.decision import Node
from rootward.space.values import to_json

UNMEASURED = Estimate(math.nan, 0.0, 1.0)
DOUBTFUL = 0.95
"""A rule that did worse than this on fresh runs is said to be a hint."""
SHOWN = 8
"""Of what two runs have in common, no more is shown than this."""


@dataclass(frozen=True)
class Edge:
    """Two runs on either side of the condition, as much alike as was seen."""

    fails: Mapping[str, Any]
    passes: Mapping[str, Any]

    @property
    def changed(self) -> tuple[str, ...]:
        """The fields in which they differ."""
        return tuple(name for name in self.fails if to_json(self.fails[name]) != to_json(self.passes[name]))

    def to_dict(self) -> dict[str, Any]:
        changed = self.changed
        rest = [f"{field_text(name)} = {value_text(it)}" for name, it in self.fails.items() if name not in changed]
        return {
            "changed": list(changed),
            "fails": {name: to_json(value) for name, value in self.fails.items()},
            "passes": {name: to_json(value) for name, value in self.passes.items()},
            "rows": [
                {
                    "field": field_text(name),
                    "fails": value_text(self.fails[name]),
                    "passes": value_text(self.passes[name]),
                }
                for name in changed
            ],
            "same": rest[:SHOWN] + [f"{len(rest) - SHOWN} more"] * (len(rest) > SHOWN),
        }


@dataclass(frozen=True, kw_only=True)
class RuleFinding(Finding):
    """It fails where ``rule`` holds."""

    rule: Rule
    of: int
    """How many fields there are."""
    tree: Node | None = None
    """The decision tree behind the rule, if the method grows one."""
    accuracy: Estimate = field(default=UNMEASURED, compare=False)
    """Balanced accuracy, the mean of the shares of failing and of passing runs that it predicts, on fresh runs."""
    verified: int = field(default=0, compare=False)
    """How many fresh runs measured it."""
    fails: int = 0
    passes: int = 0
    """How many runs failed, and how many did not."""
    unknown: tuple[Fact, ...] = ()
    """Where too little was seen to say anything."""
    untried: tuple[Fact, ...] = ()
    """Of which fields not all listed values were tried."""
    open: tuple[Fact, ...] = ()
    """Which constants are known only between two bounds."""
    edges: tuple[Edge, ...] = field(default=(), compare=False)
    """Runs that show where the condition begins."""
    unjudged: int = 0
    """How many runs could not be judged: they are left out."""
    unsteady: bool = False
    """Whether one configuration was seen both to fail and to pass, though the failure was taken to show every time."""

    @property
    def found(self) -> bool:
        """Whether the rule tells failing from passing runs: both kinds were seen, and it says something."""
        return bool(self.fails and self.passes and self.rule.terms and all(self.rule.terms))

    @property
    def doubtful(self) -> bool:
        """Whether it did badly on fresh runs."""
        return self.accuracy.value < DOUBTFUL

    @property
    def cases(self) -> list[str]:
        """What the rule is the disjunction of."""
        return [str(Rule.of_terms([term])) for term in self.rule.terms]

    def answer(self) -> dict[str, Any]:
        value, low, high = self.accuracy
        sentences = presenter_of(self.kind).sentences
        return {
            "of": self.of,
            "found": self.found,
            "text": str(self.rule),
            "cases": self.cases,
            "rule": self.rule.to_dict(),
            "expressions": {"Python": self.rule.to_python()},
            "tree": self.tree and {"text": str(self.tree), **self.tree.to_dict()},
            "accuracy": {"value": None if math.isnan(value) else value, "low": low, "high": high},
            "verified": self.verified,
            "fails": self.fails,
            "passes": self.passes,
            "unknown": sentences([*self.untried, *self.unknown]),
            "open": sentences(self.open),
            "edges": [edge.to_dict() for edge in self.edges],
            "unjudged": self.unjudged,
            "unsteady": self.unsteady,
            "remarks": self.remarks(),
        }
