"""The finding of every product-set search: the fields that matter, and the values of each with which it fails.

A product set says ``speed in {...} and gear in {...}``, with an independent set for each field. If the fault does not
have that form, the finding says so: its precision (the share of the set that really fails, measured on random members)
is below one, and the fields that depend on each other are named as a group, with the combinations that were seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from rootward.facts import Fact
from rootward.rules import Atom, Conjunction, Literal, Rule, Term
from rootward.rules.constants import is_nan, kind
from rootward.rules.score import Estimate
from rootward.rules.text import value_text
from rootward.search.finding import Finding, presenter_of
from rootward.searches.products.bounds import QuestionBounds
from rootward.searches.products.values import Values
from rootward.space.values import to_json

MAX_LISTED = 256
"""Maximum number of values of a field whose set is listed value by value; otherwise ranges are listed."""
UNMEASURED = Estimate(math.nan, 0.0, 1.0)


@dataclass(frozen=True)
class Interaction:
    """Fields that do not act independently: the effect of each depends on the others."""

    fields: tuple[str, ...]
    table: tuple[tuple[tuple[Any, ...], bool], ...] = ()
    """Values of these fields, the others as in the failing configuration, and True if it failed with them."""
    relation: Fact | None = None
    """A simple relation that the whole table agrees with, if there is one."""

    def to_dict(self) -> dict[str, Any]:
        rows: list[dict[str, Any]] = [
            {"values": list(map(to_json, values)), "texts": list(map(value_text, values)), "fails": fails}
            for values, fails in self.table
        ]
        across = list(dict.fromkeys(row["texts"][-1] for row in rows)) if len(self.fields) == 2 else []
        return {"fields": list(self.fields), "relation": self._describe_relation(), "table": rows, "across": across}

    def _describe_relation(self) -> str | None:
        return None if self.relation is None else str(presenter_of("product_set").relation(self.relation))

    def __str__(self) -> str:
        return str(presenter_of("product_set").interaction(self))


@dataclass(frozen=True, kw_only=True)
class ProductSet(Finding):
    """A set of failing configurations.

    It fails if every field of ``sets`` has one of its values there. The other fields do not matter.
    """

    sets: Mapping[str, Values]
    """The triggering values of each field that matters, in the order of the space."""
    of: int
    """Number of fields."""
    precision: Estimate = field(default=UNMEASURED, compare=False)
    """The share of the set that fails, measured on random members."""
    verified: int = field(default=0, compare=False)
    """Number of random members that measured the precision."""
    groups: tuple[Interaction, ...] = ()
    """Fields that interact, if the fault is not a product set."""
    others: tuple[Mapping[str, Values], ...] = ()
    """Other product sets that fail, outside of this one."""
    confidence: float = 1.0
    """The chance that no triggering value was missed; below 1 only for flaky failures."""
    rate: float = 1.0
    """The share of runs of a triggering configuration that fail."""
    open: int = field(default=0, compare=False)
    """Number of fields with values that were not tried yet: the answer holds while these fields keep their values."""
    thinned: tuple[str, ...] = ()
    """Fields with too many values to try all of them."""
    bounds: QuestionBounds | None = field(default=None, compare=False)
    """The numbers of questions that theory gives, for comparison."""
    unjudged: int = field(default=0, compare=False)
    """Number of runs that could not be judged or failed in another way. They count as not failing."""
    unsteady: bool = False
    """True if one configuration both failed and passed, although the failure was assumed not to be flaky."""

    @property
    def rule(self) -> Rule:
        """The set as a predicate on the values that were tried. Includes the other sets, if there are any.

        It compares numbers as rules do: if a range or 0.0 triggers, -0.0 does, too.
        """
        return Rule.of_terms(_make_term(sets) for sets in (self.sets, *self.others))

    @property
    def fields(self) -> list[str]:
        """The fields that matter, alone or in combination."""
        names = [*self.sets, *(name for group in self.groups for name in group.fields)]
        return list(dict.fromkeys([*names, *(name for other in self.others for name in other)]))

    @property
    def generalisation(self) -> float:
        """The share of all configurations that are in the set (the paper's generalisation factor)."""
        return math.prod(len(values) / len(values.listed) for values in self.sets.values())

    @property
    def complexity(self) -> int:
        """The number of fields in the set."""
        return len(self.sets)

    @property
    def fits(self) -> bool:
        """True if nothing was seen that contradicts a single product set."""
        return not self.groups and not self.others and not self.unsteady and not self.precision.value < 1

    def answer(self) -> dict[str, Any]:
        value, low, high = self.precision
        return {
            "of": self.of,
            "sets": _sets_to_json(self.sets),
            "others": [_sets_to_json(other) for other in self.others],
            "groups": [group.to_dict() for group in self.groups],
            "rule": self.rule.to_dict(),
            "precision": {"value": None if math.isnan(value) else value, "low": low, "high": high},
            "verified": self.verified,
            "generalisation": self.generalisation,
            "complexity": self.complexity,
            "confidence": self.confidence,
            "rate": self.rate,
            "open": self.open,
            "thinned": list(self.thinned),
            "bounds": self.bounds and self.bounds.to_dict(),
            "unjudged": self.unjudged,
            "fits": self.fits,
            "remarks": self.remarks(),
        }


def _make_term(sets: Mapping[str, Values]) -> Term:
    """Return the product of the sets as a term.

    Fields for which all values trigger are left out. Very long sets become ranges.
    """
    return Term(_make_literal(name, values) for name, values in sets.items() if len(values) < len(values.listed))


def _make_literal(name: str, values: Values) -> Literal:
    runs = values.ranges if len(values) > MAX_LISTED else [[place] for place in values.places]
    return Literal(name, [one for run in runs for one in _conjunctions(name, [values.listed[place] for place in run])])


def _conjunctions(name: str, values: list[Any]) -> list[Conjunction]:
    """Return the values as conjunctions: ascending numbers as one range, and other values one by one.

    NaN, which comes last, is in no range.
    """
    if len(values) > 1 and is_nan(values[-1]):
        return [*_conjunctions(name, values[:-1]), Conjunction([Atom(name, "=", values[-1])])]
    numbers = all(kind(value) == "number" and not is_nan(value) for value in values)
    if len(values) > 1 and numbers and all(low <= high for low, high in pairwise(values)):
        return [Conjunction([Atom(name, ">=", values[0]), Atom(name, "<=", values[-1])])]
    return [Conjunction([Atom(name, "=", value)]) for value in values]


def _sets_to_json(sets: Mapping[str, Values]) -> list[dict[str, Any]]:
    return [{"field": name, "text": str(values), **_values_to_json(values)} for name, values in sets.items()]


def _values_to_json(values: Values) -> dict[str, Any]:
    """Return all values of the field in order.

    Each value has a flag: True if it triggers, False if it does not, None if this is not known. If there are very many
    values, return only the ranges of those that trigger.
    """
    if len(values.listed) > MAX_LISTED:
        return {"ranges": [[to_json(values.listed[run[0]]), to_json(values.listed[run[-1]])] for run in values.ranges]}
    mine = set(values.places)
    listed = enumerate(values.listed)
    return {
        "values": [
            {
                "value": to_json(one),
                "text": value_text(one),
                "triggers": None if place in values.untried else place in mine,
            }
            for place, one in listed
        ]
    }
