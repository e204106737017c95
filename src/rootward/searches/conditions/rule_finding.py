"""The finding of every search for a condition: the predicate, how well it did on fresh runs, and what is not known.

A rule is a guess until runs that could have refuted it did not. So the finding says on how many fresh runs it was
checked, and names what remains open: constants that lie between two values, and regions that were hardly seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.finding import Finding
from rootward.keys import canonical
from rootward.plain import to_json
from rootward.rules import Estimate, Rule
from rootward.rules.text import field_text, value_text
from rootward.searches.conditions.decision import Node
from rootward.space import Field, Text
from rootward.words import count

UNMEASURED = Estimate(math.nan, 0.0, 1.0)
DOUBTFUL = 0.95
"""A rule that did worse than this on fresh runs is said to be a hint."""
WIDE = 100
"""A disjunction that is longer than so many characters is printed on several lines."""
SHOWN = 8
"""Of what two runs have in common, no more is shown than this."""
CASES = 12
"""Of a disjunction, no more is printed than this: who needs a longer one evaluates it."""


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
    unknown: tuple[str, ...] = ()
    """Where too little was seen to say anything, in sentences."""
    untried: tuple[str, ...] = ()
    """Of which fields not all listed values were tried, in sentences."""
    open: tuple[str, ...] = ()
    """Which constants are known only between two bounds, in sentences."""
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

    def answer(self) -> dict[str, Any]:
        value, low, high = self.accuracy
        return {
            "of": self.of,
            "found": self.found,
            "text": str(self.rule),
            "cases": self._cases(),
            "rule": self.rule.to_dict(),
            "expressions": {"Python": self.rule.to_python()},
            "tree": self.tree and {"text": str(self.tree), **self.tree.to_dict()},
            "accuracy": {"value": None if math.isnan(value) else value, "low": low, "high": high},
            "verified": self.verified,
            "fails": self.fails,
            "passes": self.passes,
            "unknown": [*self.untried, *self.unknown],
            "open": list(self.open),
            "edges": [edge.to_dict() for edge in self.edges],
            "unjudged": self.unjudged,
            "unsteady": self.unsteady,
            "remarks": self._remarks(),
        }

    def __str__(self) -> str:
        failure = [f"Failure: {self.signature}"] if self.signature else []
        cases = [f"  {case}" for case in self._cases()] if self.found and self._long else []
        if len(cases) > CASES:
            cases[CASES - 1 :] = [f"  ... and {len(cases) - CASES + 1} more"]
        return "\n".join([self._headline(), *cases, *self._remarks(), *failure])

    def _cases(self) -> list[str]:
        """What the rule is the disjunction of."""
        return [str(Rule.of_terms([term])) for term in self.rule.terms]

    @property
    def _long(self) -> bool:
        """Whether it reads better with a line for each case."""
        return len(self.rule.terms) > 1 and len(str(self.rule)) > WIDE

    def _headline(self) -> str:
        runs = self.fails + self.passes
        if not runs:
            return "No condition is known: no run was judged."
        if not self.fails:
            return f"No condition is known: it never failed in {_runs(runs)}."
        if not self.passes:
            return self._always()
        if not self.found:
            return f"No condition is known{'' if self.complete else ' yet'}: {self.fails} of {runs} runs failed."
        sure = "It seems to fail" if self.unsteady or self._doubtful else "It fails"
        hope = sure if self.complete else "So far, it seems to fail"
        return f"{hope} when {f'one of these {len(self.rule.terms)} holds:' if self._long else f'{self.rule}.'}"

    @property
    def _doubtful(self) -> bool:
        """Whether it did badly on fresh runs."""
        return self.accuracy.value < DOUBTFUL

    def _always(self) -> str:
        if self.fails == 1:
            return "No condition is known: it failed in the only run."
        return f"It failed in all {self.fails} runs, whatever the values of {_fields(self.of)}."

    def _remarks(self) -> list[str]:
        checked = [self._checked()] if self.found else []
        unsteady = [
            "The same configuration was seen to fail and to pass: the failure does not show every time. "
            "Run it again as flaky (--flaky auto), for this answer may be wrong."
        ]
        out = [f"{_runs(self.unjudged)} could not be judged and {'is' if self.unjudged == 1 else 'are'} left out."]
        doubt = ["It was wrong for some of the fresh runs: take it as a hint, not as the condition."]
        return [
            *checked,
            *(doubt if self.found and self._doubtful else []),
            *(unsteady if self.unsteady else []),
            *self.open,
            *self.untried,
            *self.unknown,
            *(out if self.unjudged else []),
        ]

    def _checked(self) -> str:
        seen = f"{self.fails} of {self.fails + self.passes} runs failed"
        if not self.verified:
            return f"Not checked on fresh runs; {seen}."
        fresh = f"{self.verified} fresh run{'' if self.verified == 1 else 's'}"
        if math.isnan(self.accuracy.value):
            return f"Checked on {fresh}, which all ended alike and so measure no balanced accuracy; {seen}."
        return f"Checked on {fresh}: balanced accuracy {self.accuracy}; {seen}."


def untried(name: str, field: Field, tried: Iterable[Any]) -> str:
    """That values of a field were not tried, in a sentence; of texts, nobody can try all."""
    seen = len({canonical(value) for value in tried})
    what = count(seen, "text") if isinstance(field, Text) else f"{seen} of {count(len(field.values), 'value')}"
    return f"Only {what} {'was' if seen == 1 else 'were'} tried as {field_text(name)}: others may act otherwise."


def _runs(total: int) -> str:
    return count(total, "run")


def _fields(total: int) -> str:
    return "the only field" if total == 1 else f"the {total} fields"
