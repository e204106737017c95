"""Facts about what a search for a condition could not find out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rootward.facts import Fact
from rootward.rules.derivation import is_defined
from rootward.rules.quantity import Quantity
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.space.space import Field, Text


@dataclass(frozen=True)
class NoCondition(Fact):
    """The runs show no condition: none was judged, all ended alike, or no field separates them."""

    fails: int
    passes: int
    of: int
    """Number of fields."""


@dataclass(frozen=True)
class FieldsUnknown(Fact):
    """The search was still looking for the fields that matter, among this many."""

    of: int


@dataclass(frozen=True)
class NotSimple(Fact):
    """The search gave up: no simple condition explains all runs."""


@dataclass(frozen=True)
class FewTried(Fact):
    """Not all values of a field were tried."""

    field: str
    tried: int
    values: int | None
    """Number of values of the field; None for texts, which have no limit."""

    @classmethod
    def among(cls, name: str, field: Field, tried: Iterable[Any]) -> FewTried:
        """Build the fact from the values that were tried, which may repeat."""
        seen = len({canonical(value) for value in tried})
        return cls(name, seen, None if isinstance(field, Text) else len(field.values))


@dataclass(frozen=True)
class UndefinedQuantity(Fact):
    """A derived quantity has no value in some runs. The condition says nothing about it there."""

    name: str
    undefined: int
    runs: int

    @classmethod
    def among(cls, quantities: Iterable[Quantity], runs: Sequence[Configuration]) -> list[UndefinedQuantity]:
        """Return a fact for each quantity that has no value in some of the runs."""
        counts = {one: sum(not is_defined(one, run) for run in runs) for one in quantities}
        return [cls(str(one), undefined, len(runs)) for one, undefined in counts.items() if undefined]


@dataclass(frozen=True)
class OpenConstant(Fact):
    """The constant with which a field or quantity is compared is known only between two bounds."""

    quantity: str
    constant: Any
    low: Any
    high: Any


@dataclass(frozen=True)
class OpenBound(Fact):
    """The exact bound on a quantity is known only to lie between two values, even after further runs to narrow it."""

    quantity: str
    low: Any
    high: Any
