"""``RuleFinding``: the finding of every search for a condition.

A rule is a guess, unless every configuration was run. So the finding says on how many fresh runs the rule was checked,
and what remains open: constants known only between two values, and regions with too few runs.
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
from rootward.searches.conditions.decision import DecisionNode
from rootward.searches.conditions.facts import NotSimple
from rootward.space.values import to_json

UNMEASURED = Estimate(math.nan, 0.0, 1.0)
MIN_TRUSTED_ACCURACY = 0.95
"""A rule with a lower balanced accuracy on fresh runs is called a hint."""
MAX_SHARED_VALUES = 8
"""Maximum number of shared values listed for two neighbouring runs."""


@dataclass(frozen=True)
class EdgePair:
    """A failing and a passing run that are as similar as possible: one on either side of the condition."""

    fails: Mapping[str, Any]
    passes: Mapping[str, Any]

    @property
    def changed(self) -> tuple[str, ...]:
        """The fields in which the two runs differ."""
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
            "same": rest[:MAX_SHARED_VALUES]
            + [f"{len(rest) - MAX_SHARED_VALUES} more"] * (len(rest) > MAX_SHARED_VALUES),
        }


@dataclass(frozen=True, kw_only=True)
class RuleFinding(Finding):
    """The subject fails where ``rule`` holds."""

    rule: Rule
    of: int
    """Number of fields."""
    tree: DecisionNode | None = None
    """The decision tree behind the rule, if the method grows one."""
    accuracy: Estimate = field(default=UNMEASURED, compare=False)
    """Balanced accuracy on fresh runs: the mean of the shares of failing and of passing runs that the rule predicts."""
    verified: int = field(default=0, compare=False)
    """Number of fresh runs behind ``accuracy``."""
    whole: int = field(default=0, compare=False)
    """Number of configurations, if all of them were run and agree with the rule; otherwise 0."""
    fails: int = 0
    """Number of failing runs."""
    passes: int = 0
    """Number of runs that did not fail."""
    unknown: tuple[Fact, ...] = ()
    """Facts about what the runs could not show."""
    explained: tuple[int, ...] = field(default=(), compare=False)
    """Number of failing runs that each term of the rule explains, if the search gave up."""
    untried: tuple[Fact, ...] = ()
    """Facts about fields of which not all values were tried."""
    open: tuple[Fact, ...] = ()
    """Facts about constants that are known only between two bounds."""
    edges: tuple[EdgePair, ...] = field(default=(), compare=False)
    """Pairs of similar runs that show where the condition begins."""
    unjudged: int = 0
    """Number of runs that could not be judged; they are ignored."""
    unsteady: bool = False
    """True if one configuration both failed and passed although the failure was assumed to show every time."""

    @property
    def found(self) -> bool:
        """True if there are both failing and passing runs, and the rule is neither always true nor never true."""
        return bool(self.fails and self.passes and self.rule.terms and all(self.rule.terms))

    @property
    def doubtful(self) -> bool:
        """True if the rule was too often wrong on fresh runs."""
        return self.accuracy.value < MIN_TRUSTED_ACCURACY

    @property
    def gave_up(self) -> bool:
        """True if the search gave up, so that the rule is only an approximation."""
        return any(isinstance(fact, NotSimple) for fact in self.unknown)

    @property
    def cases(self) -> list[str]:
        """The terms of the rule, as text; the subject fails if one of them holds.

        If the search gave up, those that explain most failing runs come first, because a reader looks at a few only.
        """
        terms = self.rule.terms
        weights = self.explained if len(self.explained) == len(terms) else [0] * len(terms)
        places = sorted(range(len(terms)), key=lambda place: -weights[place])
        return [str(Rule.of_terms([terms[place]])) for place in places]

    def answer(self) -> dict[str, Any]:
        value, low, high = self.accuracy
        sentences = presenter_of(self.kind).sentences
        return {
            "of": self.of,
            "found": self.found,
            "gave_up": self.gave_up,
            "text": str(self.rule),
            "cases": self.cases,
            "rule": self.rule.to_dict(),
            "expressions": {"Python": self.rule.to_python()},
            "tree": self.tree and {"text": str(self.tree), **self.tree.to_dict()},
            "accuracy": {"value": None if math.isnan(value) else value, "low": low, "high": high},
            "verified": self.verified,
            "whole": self.whole,
            "fails": self.fails,
            "passes": self.passes,
            "unknown": sentences([*self.untried, *self.unknown]),
            "open": sentences(self.open),
            "edges": [edge.to_dict() for edge in self.edges],
            "unjudged": self.unjudged,
            "unsteady": self.unsteady,
            "remarks": self.remarks(),
        }
